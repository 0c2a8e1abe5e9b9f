"""What ACC on a phone gets of each event (the first column of CROSSPOLL 6.2). Pure.

=======================  ==========================================================
event                    form
=======================  ==========================================================
new, medium confidence   a banner and a card with buttons
new, high confidence     the same, breaking through a focus (time-sensitive)
auto-executed            in Mission Control, silently, and a Live Activity
completed                a banner "Done: …", in the card's place
failed                   an alert "Failed: …", in the card's place
cost cap approaching     an alert "Today's budget is almost used up"
paused                   a banner "Pulse is paused", with the reason
several at once          one banner that lists them, with an answer for each
what happened meanwhile  silently in the list
=======================  ==========================================================

What settles a card replaces it in place, silently.
"""

from datetime import datetime

from hub.contract.events import ExecutionStarted
from hub.contract.surface import CardDelivery
from surfaces.apns.activity import end_push, start_push
from surfaces.apns.alert import Form, To, alert_push
from surfaces.apns.push import Push


def phone_alert(card: CardDelivery, to: To, *, at: datetime, now: datetime, bytes_max: int) -> Push | None:
    """Return the notification; the app is woken as well where it shows something that nobody is told aloud."""
    wakes = isinstance(card.event, ExecutionStarted) and card.event.autonomous
    return alert_push(card, to, Form(wakes=wakes), at=at, now=now, bytes_max=bytes_max)


def phone_activity(card: CardDelivery, to: To, *, now: datetime) -> Push | None:
    """Return the push that starts or ends the Live Activity of an execution; None for other events."""
    return start_push(card, to, now=now) or end_push(card, to, now=now)
