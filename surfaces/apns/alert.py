"""From a delivery to one notification within its size. Pure.

APNs takes 4,096 bytes. What does not fit is taken from the body (of a command, what is dangerous stays), then from the
subtitle, then the optional keys go; the token is sent whole or not at all. Approve is offered only for a text that is
shown whole: nobody approves what they could not read.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from hub.contract.address import ApnsAddress
from hub.contract.api import Prediction
from hub.contract.base import Value
from hub.contract.events import (
    AnyEvent,
    ExecutionFailed,
    ExecutionStarted,
    PredictionExecuted,
    PredictionNew,
    PredictionReturned,
    type_of,
)
from hub.contract.permission import AgentQuestion, Permission
from hub.contract.surface import LOUD, CardDelivery, Privacy
from hub.contract.words import Risk, Verb
from hub.kit.announcing import Announcement, announce
from hub.kit.fates import fate_of
from hub.kit.gateway.parcel import subject_of
from hub.kit.naming import percent_sure
from hub.kit.permissions import shortened
from hub.kit.phrasebook import Phrase
from hub.kit.questions import pressed_question, questions_of
from hub.kit.shown import sayable
from hub.kit.text import cut, json_bytes
from hub.kit.wordings import event_in, question_said
from surfaces.apns.category import Category, choose, choose_for
from surfaces.apns.items import with_items
from surfaces.apns.payload import Alert, AlertPayload, Aps, Haptic, Level
from surfaces.apns.push import EXPIRATION_S_MAX, Push, apns_id
from surfaces.apns.sentences import Strings, body, numbered, subtitle

TITLE_CHARS_MAX = 120
THREAD = "crosspoll"
SOON = timedelta(minutes=15)
SURE = 0.8
SOON_BONUS = 0.2
BODY_KEY_BYTES = len(b'"body":"",')
OUTCOME_RELEVANCE, QUIET_RELEVANCE = 0.5, 0.1


class To(Value):
    """Who gets it: the device's address, its app's bundle id, the words, and how many cards wait (None: not known)."""

    address: ApnsAddress
    topic: str
    words: Strings
    pending: int | None = None


class Form(Value):
    """What a surface adds: its haptic, whether the app is woken as well, and whether a person can write there.

    Without `presses` no button answers a question.
    """

    haptic: Haptic = ""
    wakes: bool = False
    takes_text: bool = True
    presses: bool = True


class Pressed(Value):
    """A question that is answered by a button, and the category that has the buttons."""

    question: AgentQuestion
    category: Category


class Moment(Value):
    """When the hub found it, and the present."""

    at: datetime
    now: datetime


def alert_push(card: CardDelivery, to: To, form: Form, *, at: datetime, now: datetime, bytes_max: int) -> Push | None:
    """Make the notification of a delivery.

    Args:
        card: the delivery.
        to: who gets it.
        form: what the surface adds.
        at: when the hub found it.
        now: the present moment.
        bytes_max: the size budget of the JSON text in bytes.

    Returns:
        The push; None where there is nothing to show: expired, no text for it, or a budget too small for its names.
    """
    found = announce(event_in(card.event, to.words.phrases))
    if found is None or card.expires_at <= now:
        return None
    moment = Moment(at=at, now=now)
    payload = with_items(_payload(card, found, to, form, moment), card, bytes_max)
    if payload.question and len(msgspec.json.encode(payload)) > bytes_max:  # there is no room for its choices
        payload = _payload(card, found, to, replace(form, presses=False), moment)
    asked = found.card.permission if found.card else None
    encoded = _encoded(payload, card, asked, to.address.categories, bytes_max)
    if encoded is None:
        return None
    level = payload.aps.interruption_level
    return Push(
        token=to.address.token,
        topic=to.topic,
        type="alert",
        payload=encoded,
        priority=5 if level == "passive" else 10,
        expiration=int(min(card.expires_at, now + timedelta(seconds=EXPIRATION_S_MAX - 1)).timestamp()),
        apns_id=apns_id(card.delivery_id, "alert"),
        collapse_id=subject_of(card.event),
    )


def level_of(card: CardDelivery, found: Announcement, now: datetime) -> Level:
    """Say how much a notification may interrupt, from its loudness, its confidence and its time left."""
    if card.loudness not in LOUD:
        return "passive"
    if card.loudness == "alert":
        return "time-sensitive"
    urgent = found.card is not None and (found.card.confidence >= SURE or card.expires_at - now <= SOON)
    return "time-sensitive" if found.waits and urgent else "active"


def relevance_of(card: CardDelivery, found: Announcement, now: datetime) -> float:
    """Say how high it stands in a summary, 0 to 1."""
    if card.loudness not in LOUD:
        return QUIET_RELEVANCE
    if card.loudness == "alert":
        return 1.0
    if not found.waits or found.card is None:
        return OUTCOME_RELEVANCE
    bonus = SOON_BONUS if card.expires_at - now <= SOON else 0.0
    return round(min(1.0, found.card.confidence + bonus), 2)


def _payload(card: CardDelivery, found: Announcement, to: To, form: Form, moment: Moment) -> AlertPayload:
    level = level_of(card, found, moment.now)
    is_open = card.privacy != "nothing"
    pressed = _pressed(card, found, to, form)
    payload = AlertPayload(
        aps=Aps(
            alert=_alert(found, card.privacy, to, pressed),
            badge=to.pending,
            sound="" if level == "passive" else _sound(card.event, waits=found.waits),
            thread_id=THREAD,
            interruption_level=level,
            relevance_score=relevance_of(card, found, moment.now),
            mutable_content=int(found.card is not None),
            content_available=int(form.wakes),
            target_content_id=found.card_id,
        ),
        delivery_id=card.delivery_id,
        event=type_of(card.event),
        at=moment.at,
        expires_at=card.expires_at,
        card_id=found.card_id,
        target_channel=found.card.target_channel if found.card and is_open else "",
        confidence=_learnt(found.card) if found.card and is_open else None,
        risk=found.card.risk if found.card and is_open else None,
        card_hash=found.card.card_hash if found.card else "",
        haptic="" if level == "passive" else form.haptic,
    )
    if pressed is None:
        return _offering(payload, card, _offered(card), to.address.categories)
    labels = tuple(one.label for one in pressed.question.choices)
    asking = replace(payload, question=pressed.question.id, choices=labels)
    return _with_category(asking, card, pressed.category)


def _pressed(card: CardDelivery, found: Announcement, to: To, form: Form) -> Pressed | None:
    """Return what answers a card's question, where the device shows all of it and its app has the buttons."""
    is_shown = form.presses and card.privacy == "full" and bool(card.token)
    question = pressed_question(_asked(found)) if is_shown else None
    if question is None or (found.card is not None and found.card.risk is Risk.HIGH):
        return None
    category = choose_for(question, card.verbs, to.address.categories, takes_text=form.takes_text)
    return None if category is None else Pressed(question=question, category=category)


def _asked(found: Announcement) -> Permission | None:
    return found.card.permission if found.card is not None and found.waits else None


def _learnt(card: Prediction) -> float | None:
    """Return how sure Pulse is; what was never learnt is not sent."""
    return None if percent_sure(card) is None else round(card.confidence, 2)


def _alert(found: Announcement, privacy: Privacy, to: To, pressed: Pressed | None) -> Alert:
    """Name the sentences where the app carries them in this version, else write them out."""
    words = to.words
    title, above = words.name(found.title), subtitle(found, words.phrases)
    below = body(found, words) if pressed is None else _numbered(pressed, words)
    if privacy != "full":
        above, below = None, ""
    if privacy == "nothing":
        title = words.name(Phrase(name="hidden.waits" if found.waits else "hidden.news"))
    if to.address.strings != words.version:
        text = below if isinstance(below, str) else words.say(below)
        return Alert(
            title=cut(words.say(title), TITLE_CHARS_MAX), subtitle=words.say(above) if above else "", body=text
        )
    alert = Alert(title_loc_key=title.key, title_loc_args=title.values)
    if above:
        alert = replace(alert, subtitle_loc_key=above.key, subtitle_loc_args=above.values)
    if isinstance(below, str):
        return replace(alert, body=below)
    return replace(alert, loc_key=below.key, loc_args=below.values)


def _numbered(pressed: Pressed, words: Strings) -> str:
    """Return the question with its numbers, and where else it is answered if not in every way here."""
    is_all = pressed.category.takes_words or not pressed.question.own_words
    more = "" if is_all else words.phrases.title("question.more")
    return "\n".join(filter(None, (numbered(question_said(pressed.question, words.phrases)), more)))


def _offered(card: CardDelivery) -> tuple[Verb, ...]:
    """Return what a button may say; a plain yes answers no question."""
    if card.privacy == "nothing" or not card.token:
        return ()
    if isinstance(card.event, PredictionNew | PredictionReturned) and questions_of(card.event.prediction.permission):
        return _unread(card.verbs)
    if card.privacy == "full":
        return card.verbs
    return tuple(verb for verb in _unread(card.verbs) if verb not in {Verb.LESS, Verb.NEVER})  # of what, is not shown


def _unread(verbs: Sequence[Verb]) -> tuple[Verb, ...]:
    """Return what may be answered to a text that is not shown whole."""
    return sayable(verbs, is_whole=False)


def _offering(payload: AlertPayload, card: CardDelivery, verbs: Sequence[Verb], version: int) -> AlertPayload:
    category = choose(verbs, payload.risk or Risk.LOW, version)
    if category is None:
        return replace(payload, aps=replace(payload.aps, category=""), actions=(), token="")
    return _with_category(payload, card, category)


def _with_category(payload: AlertPayload, card: CardDelivery, category: Category) -> AlertPayload:
    actions = tuple(dict.fromkeys(action.verb for action in category.actions))
    return replace(payload, aps=replace(payload.aps, category=category.name), actions=actions, token=card.token)


def _encoded(
    payload: AlertPayload, card: CardDelivery, asked: Permission | None, version: int, bytes_max: int
) -> bytes | None:
    """Encode within the budget: whole, else with less text and without Approve, else without what is optional."""
    whole = msgspec.json.encode(payload)
    if len(whole) <= bytes_max:
        return whole
    short = replace(_offering(payload, card, _unread(_offered(card)), version), shortened=True)
    bare = replace(
        short, target_channel="", confidence=None, aps=replace(short.aps, target_content_id="", relevance_score=None)
    )
    for attempt in (short, bare, replace(bare, actions=(), token="", aps=replace(bare.aps, category=""))):
        fitted = _fitted(attempt, asked, bytes_max)
        if fitted is not None:
            return fitted
    return None


def _fitted(payload: AlertPayload, asked: Permission | None, bytes_max: int) -> bytes | None:
    """Cut the body, then the subtitle; None where even without them it is too large."""
    alert = payload.aps.alert
    for shown in (alert, replace(alert, subtitle="", subtitle_loc_key="", subtitle_loc_args=())):
        room = bytes_max - len(msgspec.json.encode(_with(payload, _with_body(shown, ""))))
        if room >= 0:
            body, left = _body_of(shown), max(0, room - BODY_KEY_BYTES)
            kept = shortened(asked, body, left, json_bytes) if asked else cut(body, left, json_bytes)
            return msgspec.json.encode(_with(payload, _with_body(shown, kept)))
    return None


def _with(payload: AlertPayload, alert: Alert) -> AlertPayload:
    return replace(payload, aps=replace(payload.aps, alert=alert))


def _body_of(alert: Alert) -> str:
    return alert.loc_args[-1] if alert.loc_args else alert.body


def _with_body(alert: Alert, text: str) -> Alert:
    if alert.loc_args:
        return replace(alert, loc_args=(*alert.loc_args[:-1], text))
    return replace(alert, body=text)


def _sound(event: AnyEvent, *, waits: bool) -> str:
    if waits:
        return "prediction.caf"
    match event:
        case PredictionExecuted(prediction=card):
            return "default" if fate_of(card) == "handed_over" else "done.caf"
        case ExecutionFailed():
            return "failed.caf"
        case ExecutionStarted():
            return "started.caf"
        case _:
            return "default"
