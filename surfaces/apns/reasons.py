"""What APNs said, and what follows from it: one table with every reason that Apple documents. Pure.

First cut: whose fault; second cut: is later worth it. Only a 410 with a time after the registration ends a token; a
token that is "bad" may only be in the wrong environment, so it is kept aside, never deleted.
"""

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal

import msgspec

from hub.contract.base import Value

Consequence = Literal["later", "busy-device", "new-connection", "new-token", "hold", "quarantine", "delete", "shorten"]
Fault = Literal["misconfigured", "give-up"]
Kind = Consequence | Fault
"""What follows: send it again after a while (`later`), after a while and nothing else to this device (`busy-device`),
over another connection (`new-connection`), with a new provider token (`new-token`), stop everything for a while and
keep the provider token (`hold`), put the device's token aside (`quarantine`), forget it (`delete`), make the message
smaller (`shorten`), tell the person that the settings are wrong (`misconfigured`), or give it up (`give-up`)."""

KINDS: MappingProxyType[str, Kind] = MappingProxyType(
    {
        "BadCollapseId": "give-up",
        "BadDeviceToken": "quarantine",
        "BadExpirationDate": "give-up",
        "BadMessageId": "give-up",
        "BadPriority": "give-up",
        "BadTopic": "misconfigured",
        "DeviceTokenNotForTopic": "quarantine",
        "DuplicateHeaders": "give-up",
        "IdleTimeout": "new-connection",
        "InvalidPushType": "give-up",
        "MissingDeviceToken": "give-up",
        "MissingTopic": "give-up",
        "PayloadEmpty": "give-up",
        "TopicDisallowed": "misconfigured",
        "BadCertificate": "misconfigured",
        "BadCertificateEnvironment": "misconfigured",
        "ExpiredProviderToken": "new-token",
        "Forbidden": "misconfigured",
        "InvalidProviderToken": "misconfigured",
        "MissingProviderToken": "give-up",
        "UnrelatedKeyIdInToken": "misconfigured",
        "BadEnvironmentKeyIdInToken": "misconfigured",
        "BadPath": "give-up",
        "MethodNotAllowed": "give-up",
        "ExpiredToken": "delete",
        "Unregistered": "delete",
        "PayloadTooLarge": "shorten",
        "TooManyProviderTokenUpdates": "hold",
        "TooManyRequests": "busy-device",
        "InternalServerError": "later",
        "ServiceUnavailable": "later",
        "Shutdown": "new-connection",
    }
)
_BY_STATUS: MappingProxyType[int, Kind] = MappingProxyType(
    {
        HTTPStatus.FORBIDDEN: "misconfigured",
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "shorten",
        HTTPStatus.REQUEST_TIMEOUT: "later",
        HTTPStatus.TOO_MANY_REQUESTS: "busy-device",
    }
)
"""For an answer without a reason that we know. A 410 that does not say since when ends nothing."""
SERVER_ERRORS = range(500, 600)
REASON_CHARS_MAX = 80
STAMP_MS_MAX = 4_102_444_800_000
"""The year 2100; what lies beyond is no time."""
SETTINGS_HELP: MappingProxyType[str, str] = MappingProxyType(
    {
        "BadTopic": "`apns.topic` is not the app's bundle id",
        "TopicDisallowed": "`apns.topic` does not belong to this team",
        "Forbidden": "the key may not be used for this",
        "InvalidProviderToken": "`apns.team_id`, `apns.key_id` and `apns.key_file` do not belong together",
        "UnrelatedKeyIdInToken": "the key of `apns.key_id` is not for this app's topic",
        "BadEnvironmentKeyIdInToken": "the key of `apns.key_id` is not for this environment",
    }
)
ABOUT_THE_KEY = frozenset({"InvalidProviderToken", "Forbidden"})
"""With these, nothing can be sent to anybody."""
KNOWN_KEY = frozenset(
    {"BadTopic", "TopicDisallowed", "Forbidden", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken"}
)
"""With these, APNs knows who we are, and does not allow what we want."""


class Answer(Value):
    """One answer of APNs. `timestamp` is since when a token is dead, by Apple's clock."""

    status: int
    reason: str = ""
    timestamp: datetime | None = None
    retry_after_s: float = 0.0
    unique_id: str = ""


class Body(msgspec.Struct):
    """The JSON of a refusal; anything else in it is let go."""

    reason: str = ""
    timestamp: int | float | None = None


def read_answer(status: int, body: bytes, *, retry_after: str = "", unique_id: str = "") -> Answer:
    """Read an answer; a body that is not what Apple documents is as good as none."""
    try:
        said = msgspec.json.decode(body, type=Body) if body else Body()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        said = Body()
    wait_s = float(retry_after[:9]) if retry_after.isascii() and retry_after.isdigit() else 0.0
    return Answer(
        status=status,
        reason=said.reason[:REASON_CHARS_MAX],
        timestamp=_moment(said.timestamp),
        retry_after_s=wait_s,
        unique_id=unique_id,
    )


def kind_of(answer: Answer) -> Kind | None:
    """Say what follows from an answer; None where the notification was accepted."""
    if answer.status == HTTPStatus.OK:
        return None
    known = KINDS.get(answer.reason) or _BY_STATUS.get(answer.status)
    if known is None:
        return "later" if answer.status in SERVER_ERRORS else "give-up"
    if known == "delete" and (answer.status != HTTPStatus.GONE or answer.timestamp is None):
        return "give-up"
    return known


def is_dead(answer: Answer, registered_at: datetime | None) -> bool:
    """Say whether a 410 is about this registration: a token that was registered again later is alive."""
    if answer.timestamp is None:
        return False
    return registered_at is None or answer.timestamp > registered_at


def explain(answer: Answer) -> str:
    """Say in a few words what was answered, without anything of the device in it."""
    said = answer.reason if answer.reason in KINDS else "no known reason"
    meant = SETTINGS_HELP.get(answer.reason, "")
    return f"APNs answered {answer.status} {said}" + (f": {meant}" if meant else "")


def _moment(stamp_ms: float | None) -> datetime | None:
    if stamp_ms is None or not 0 < stamp_ms < STAMP_MS_MAX:
        return None
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=stamp_ms)
