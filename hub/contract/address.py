"""Where a push service finds a device. An address is a secret of its device: never logged, told to its gateway only."""

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hub.contract.api import Aware, Key
from hub.contract.base import Message

ENDPOINT_CHARS_MAX = 2_048
FINGERPRINT_CHARS = 16
DEVICE_TOKEN_CHARS_MAX = 1_024
ACTIVITIES_MAX = 8
DeviceToken = Annotated[str, Meta(min_length=8, max_length=DEVICE_TOKEN_CHARS_MAX, pattern=r"^[A-Za-z0-9_=+.-]+$")]
"""Opaque and of variable length; what would not stay within one segment of a path is no token."""
OptionalToken = Annotated[str, Meta(max_length=DEVICE_TOKEN_CHARS_MAX, pattern=r"^[A-Za-z0-9_=+.-]*$")]
Lang = Annotated[str, Meta(min_length=2, max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]


class PushAddress(Message, tag_field="kind"):
    """Base of all addresses; the tag names the push service's protocol."""


class WebPushAddress(PushAddress, tag="web-push"):
    """A browser's push subscription (RFC 8030, RFC 8291) as `PushSubscription.toJSON()` gives it.

    `origin` is that of the page of ours that subscribed: a tap on a notification opens it. `lang` is the page's own.
    """

    endpoint: Annotated[str, Meta(min_length=10, max_length=ENDPOINT_CHARS_MAX, pattern=r"^https?://[!-~]+$")]
    p256dh: Annotated[str, Meta(min_length=80, max_length=100, pattern=r"^[A-Za-z0-9_-]+=*$")]
    auth: Annotated[str, Meta(min_length=16, max_length=32, pattern=r"^[A-Za-z0-9_-]+=*$")]
    origin: Annotated[str, Meta(max_length=300, pattern=r"^https?://[!-~]+$")]
    expires_at: Aware | None = None
    lang: Lang = "en"

    def __repr__(self) -> str:
        return "WebPushAddress(…)"


class ActivityToken(Message):
    """Where the Live Activity of one execution takes its updates."""

    execution_id: Key
    token: DeviceToken


class ApnsAddress(PushAddress, tag="apns"):
    """An app's push tokens with Apple (APNs), one for each thing that it shows; empty for what it does not show.

    `token` is for notifications, `widget_token` for WidgetKit, `complication_token` for the older watch complications,
    `control_token` for controls, `start_token` for starting Live Activities, `activities` for those that run. `topic`
    is the app's bundle id; empty means that of the settings. `strings` is the version of our sentences that the app
    carries; 0 for none, and then they are sent in `lang`. `categories` is the version of our sets of buttons that it
    has registered; 0 for the first. `environment` may be unknown: it is then found out.
    """

    token: DeviceToken
    environment: Literal["production", "sandbox", "unknown"] = "unknown"
    registered_at: Aware | None = None
    topic: Annotated[str, Meta(max_length=155, pattern=r"^[A-Za-z0-9.-]*$")] = ""
    widget_token: OptionalToken = ""
    complication_token: OptionalToken = ""
    control_token: OptionalToken = ""
    start_token: OptionalToken = ""
    activities: Annotated[tuple[ActivityToken, ...], Meta(max_length=ACTIVITIES_MAX)] = ()
    lang: Lang = "en"
    strings: Annotated[int, Meta(ge=0, le=1_000)] = 0
    categories: Annotated[int, Meta(ge=0, le=1_000)] = 0
    model: Annotated[str, Meta(max_length=80)] = ""

    def __repr__(self) -> str:
        return "ApnsAddress(…)"


AnyAddress = WebPushAddress | ApnsAddress


def fingerprint(address: msgspec.Struct) -> str:
    """Return a short name of an address that tells it apart from a later one and gives nothing of it away."""
    return hashlib.sha256(msgspec.json.encode(address)).hexdigest()[:FINGERPRINT_CHARS]
