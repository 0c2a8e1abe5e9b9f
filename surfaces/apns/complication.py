"""The push that refreshes a watch face, in the form that the device takes. Pure.

A watch with watchOS 26 has a WidgetKit token: its push says only that something changed, and the widget asks the hub
(`GET /api/v1/sync`). An older one has a complication token, whose push carries the whole time line. One with neither is
woken in the background, as far as Apple allows.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec
from msgspec import field
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.surface import Privacy
from hub.kit.spirit import Spirit, spirit_of
from surfaces.apns.alert import To
from surfaces.apns.face import Entry, Face, Mood, timeline
from surfaces.apns.push import PAYLOAD_BYTES_MAX, Push, apns_id

RELOAD = b'{"aps":{"content-changed":true}}'
KEPT = timedelta(minutes=30)
"""A face push that could not be delivered for so long is overtaken by the next one."""

Way = Literal["widgets", "complication", "background"]


class Wake(Value, rename="kebab"):
    """Apple's part of a push that shows nothing."""

    content_available: int = 1


class FacePayload(Value, rename="camel"):
    """The face as data."""

    mood: Mood
    spirit: Spirit
    at: datetime
    timeline: tuple[Entry, ...]
    version: int = 1


class ComplicationPayload(Value):
    """A whole push."""

    face: FacePayload
    aps: Wake = field(default_factory=Wake)


def way_of(to: To, *, may_spend: bool) -> Way:
    """Choose how a device is refreshed; without budget only in the background."""
    if may_spend and to.address.widget_token:
        return "widgets"
    if may_spend and to.address.complication_token:
        return "complication"
    return "background"


def face_push(face: Face, to: To, way: Way, *, privacy: Privacy, push_id: str, now: datetime) -> Push:
    """Make the push that brings a face up to date; what does not fit its size is the far end of the time line."""
    token = {
        "widgets": to.address.widget_token,
        "complication": to.address.complication_token,
        "background": to.address.token,
    }[way]
    return Push(
        token=token,
        topic=to.topic,
        type=way,
        payload=RELOAD if way == "widgets" else _data(face, to, privacy, now),
        priority=5 if way == "background" else 10,
        expiration=int((now + KEPT).timestamp()),
        apns_id=push_id,
        collapse_id="" if way == "complication" else "face",
    )


def controls_push(to: To, *, state: str, now: datetime) -> Push | None:
    """Make the push that lets a control read the state anew; None without a token for it."""
    if not to.address.control_token:
        return None
    return Push(
        token=to.address.control_token,
        topic=to.topic,
        type="controls",
        payload=RELOAD,
        priority=10,
        expiration=int((now + KEPT).timestamp()),
        apns_id=apns_id(f"{state}-{now.isoformat()}", to.address.control_token),
        collapse_id="controls",
    )


def _data(face: Face, to: To, privacy: Privacy, now: datetime) -> bytes:
    entries = timeline(face, to.words.phrases, privacy=privacy, now=now)
    payload = ComplicationPayload(
        face=FacePayload(mood=face.mood, spirit=spirit_of(face.world, now), at=now, timeline=entries)
    )
    body = msgspec.json.encode(payload)
    while len(body) > PAYLOAD_BYTES_MAX and len(entries) > 1:
        entries = entries[:-1]
        payload = replace(payload, face=replace(payload.face, timeline=entries))
        body = msgspec.json.encode(payload)
    return body
