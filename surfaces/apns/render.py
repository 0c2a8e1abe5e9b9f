"""From a delivery to the pushes that a device gets for it. Pure; the forms are in `render_phone` and `render_watch`.

The first push is the delivery itself: what became of it is what the hub is told. The others go beside it.
"""

from datetime import datetime

from hub.contract.surface import CardDelivery
from surfaces.apns.alert import To
from surfaces.apns.budget import plan, spend
from surfaces.apns.complication import face_push, way_of
from surfaces.apns.push import PAYLOAD_BYTES_MAX, Push
from surfaces.apns.render_phone import phone_activity, phone_alert
from surfaces.apns.render_watch import watch_alert

# all that decides what is sent, so that the rule about I/O in `render` modules reaches it from here
__all__ = ["face_push", "plan", "render_alert", "render_beside", "spend", "way_of"]

WATCH = "watch"


def render_alert(
    surface: str,
    card: CardDelivery,
    to: To,
    *,
    was_shown: bool,
    at: datetime,
    now: datetime,
    bytes_max: int = PAYLOAD_BYTES_MAX,
) -> Push | None:
    """Return the notification of a delivery; None where there is nothing to show but, on a watch, its face."""
    if surface == WATCH:
        return watch_alert(card, to, was_shown=was_shown, at=at, now=now, bytes_max=bytes_max)
    return phone_alert(card, to, at=at, now=now, bytes_max=bytes_max)


def render_beside(surface: str, card: CardDelivery, to: To, *, now: datetime) -> Push | None:
    """Return what goes beside the notification: on a phone, a Live Activity's start or end."""
    return None if surface == WATCH else phone_activity(card, to, now=now)
