"""Live Activities: a running execution on the lock screen, with its last line and a button that stops it. Pure.

A start goes to the app's push-to-start token; updates and the end to the token that the device made for this one.
Times are unix seconds: the device decodes them itself.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec import field
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.events import AnyEvent, ExecutionFailed, ExecutionProgress, ExecutionStarted, PredictionExecuted
from hub.contract.surface import CardDelivery, Privacy
from hub.contract.words import Verb
from hub.kit.fates import fate_of
from hub.kit.naming import place_of
from hub.kit.phrasebook import Phrase
from hub.kit.text import cut, json_bytes
from hub.kit.wordings import card_in
from surfaces.apns.alert import To
from surfaces.apns.push import PAYLOAD_BYTES_MAX, Push, apns_id

ATTRIBUTES = "PulseRunAttributes"
LINE_BYTES_MAX = 400
TITLE_BYTES_MAX = 400
STALE_AFTER = timedelta(minutes=10)
"""Without news for so long, the activity says that it may be out of date."""
KEPT_DONE, KEPT_FAILED = timedelta(minutes=5), timedelta(minutes=30)

RunLook = Literal["running", "done", "handed-over", "failed", "stopped", "interrupted", "timeout"]


class ContentState(Value, rename="camel"):
    """What changes while it runs. `number` is that of the line."""

    state: RunLook
    line: str
    number: int
    updated_at: int


class Attributes(Value, rename="camel"):
    """What stays. `stop_token` is the signed token that the stop button sends; empty where it may not be stopped."""

    execution_id: str
    card_id: str = field(name="predictionId")
    channel: str
    title: str
    started_at: int
    stop_token: str


class ActivityAlert(Value, rename="kebab", omit_defaults=True):
    """What the person is told when it starts by push."""

    title: str
    body: str = ""
    sound: str = ""


class ActivityAps(Value, rename="kebab", omit_defaults=True):
    """Apple's part of a Live Activity's push."""

    timestamp: int
    event: Literal["start", "update", "end"]
    content_state: ContentState
    attributes_type: str = ""
    attributes: Attributes | None = None
    alert: ActivityAlert | None = None
    stale_date: int = 0
    dismissal_date: int = 0


class ActivityPayload(Value):
    """A whole push."""

    aps: ActivityAps


def start_push(card: CardDelivery, to: To, *, now: datetime) -> Push | None:
    """Make the push that starts an activity; None where the event starts none or the device takes none."""
    event, token = card.event, to.address.start_token
    if not isinstance(event, ExecutionStarted) or not token or card.expires_at <= now:
        return None
    shown, seconds = card_in(event.prediction, to.words.phrases), _seconds(now)
    title = _text(shown.prompt, card.privacy, TITLE_BYTES_MAX)
    name = to.words.say(to.words.name(Phrase(name="started.alone" if event.autonomous else "started")))
    aps = ActivityAps(
        timestamp=seconds,
        event="start",
        content_state=ContentState(state="running", line="", number=0, updated_at=seconds),
        attributes_type=ATTRIBUTES,
        attributes=Attributes(
            execution_id=event.execution_id,
            card_id=shown.id,
            channel=place_of(shown, to.words.phrases) if card.privacy != "nothing" else "",
            title=title or name,
            started_at=seconds,
            stop_token=card.token if Verb.STOP in card.verbs else "",
        ),
        alert=ActivityAlert(title=name, body=title),
        stale_date=_seconds(now + STALE_AFTER),
    )
    push = _push(token, to, aps, apns_id(card.delivery_id, "activity"), until=card.expires_at)
    return replace(push, is_repeatable=False) if push else None  # a second start is a second activity


def update_push(event: ExecutionProgress, to: To, *, privacy: Privacy, now: datetime, until: datetime) -> Push | None:
    """Make the push that shows a new line; None where this device shows no activity of that execution."""
    token = _token_of(to, event.execution_id)
    if not token:
        return None
    line = _text(event.line, privacy, LINE_BYTES_MAX)
    state = ContentState(state="running", line=line, number=event.number, updated_at=_seconds(now))
    aps = ActivityAps(
        timestamp=_seconds(now), event="update", content_state=state, stale_date=_seconds(now + STALE_AFTER)
    )
    return _push(token, to, aps, apns_id(f"{event.execution_id}-{event.number}", "activity"), until=until, priority=5)


def end_push(card: CardDelivery, to: To, *, now: datetime) -> Push | None:
    """Make the push that ends an activity with the outcome; None where there is none to end."""
    event, look, kept = card.event, _look_of(card.event), KEPT_FAILED
    match event:
        case PredictionExecuted(result=text, prediction=shown):
            execution, kept = shown.execution_id or event.task_id, KEPT_DONE
        case ExecutionFailed(error=text, execution_id=execution):
            pass
        case _:
            return None
    token = _token_of(to, execution)
    if not token:
        return None
    line = _text(text, card.privacy, LINE_BYTES_MAX)
    state = ContentState(state=look, line=line, number=0, updated_at=_seconds(now))
    aps = ActivityAps(timestamp=_seconds(now), event="end", content_state=state, dismissal_date=_seconds(now + kept))
    return _push(token, to, aps, apns_id(card.delivery_id, "activity"), until=card.expires_at)


def _push(
    token: str, to: To, aps: ActivityAps, push_id: str, *, until: datetime, priority: Literal[5, 10] = 10
) -> Push | None:
    payload = msgspec.json.encode(ActivityPayload(aps=aps))
    if len(payload) > PAYLOAD_BYTES_MAX:
        return None
    return Push(
        token=token,
        topic=to.topic,
        type="liveactivity",
        payload=payload,
        priority=priority,
        expiration=_seconds(until),
        apns_id=push_id,
    )


def _token_of(to: To, execution_id: str) -> str:
    return next((one.token for one in to.address.activities if one.execution_id == execution_id), "")


def _look_of(event: AnyEvent) -> RunLook:
    """Return how it ended; an app that does not know a look shows the line alone."""
    if isinstance(event, ExecutionFailed):
        return event.kind
    is_handed = isinstance(event, PredictionExecuted) and fate_of(event.prediction) == "handed_over"
    return "handed-over" if is_handed else "done"


def _text(text: str, privacy: Privacy, bytes_max: int) -> str:
    return cut(text, bytes_max, json_bytes) if privacy == "full" else ""


def _seconds(moment: datetime) -> int:
    return int(moment.timestamp())
