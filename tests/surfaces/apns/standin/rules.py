"""What APNs demands of a request, as Apple publishes it: header by header, then the payload of each push type. Pure."""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from hub.contract.base import Value

PAYLOAD_MAX = 4_096
COLLAPSE_MAX = 64
EXPIRATION_S_MAX = 30 * 86_400
CANONICAL_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PRIORITIES = {"1", "5", "10"}
SUFFIX = {
    "alert": "",
    "background": "",
    "complication": ".complication",
    "controls": ".push-type.controls",
    "liveactivity": ".push-type.liveactivity",
    "location": ".location-query",
    "pushtotalk": ".voip-ptt",
    "voip": ".voip",
    "widgets": ".push-type.widgets",
    "fileprovider": ".pushkit.fileprovider",
    "mdm": "",
}
LEVELS = {"passive", "active", "time-sensitive", "critical"}
ALERT_KEYS = {
    "title",
    "subtitle",
    "body",
    "launch-image",
    "title-loc-key",
    "title-loc-args",
    "subtitle-loc-key",
    "subtitle-loc-args",
    "loc-key",
    "loc-args",
}
APS_KEYS = {
    "alert",
    "badge",
    "sound",
    "thread-id",
    "category",
    "content-available",
    "mutable-content",
    "target-content-id",
    "interruption-level",
    "relevance-score",
    "filter-criteria",
    "content-changed",
    "timestamp",
    "event",
    "content-state",
    "stale-date",
    "dismissal-date",
    "attributes-type",
    "attributes",
}


class Refusal(Value):
    """How APNs answers a request that breaks a rule."""

    status: int
    reason: str


class Request(Value):
    """One request as it arrived."""

    headers: dict[str, str]
    token: str
    body: bytes


def read_request(fields: Sequence[tuple[str, str]], body: bytes) -> Request | Refusal:
    """Check method, path and repeated fields."""
    headers = dict(fields)
    if headers.get(":method") != "POST":
        return Refusal(status=405, reason="MethodNotAllowed")
    path = headers.get(":path", "")
    if not path.startswith("/3/device"):
        return Refusal(status=404, reason="BadPath")
    token = path.removeprefix("/3/device").strip("/")
    if not token:
        return Refusal(status=400, reason="MissingDeviceToken")
    if max(Counter(name for name, _ in fields).values()) > 1:
        return Refusal(status=400, reason="DuplicateHeaders")
    if any(name != name.lower() for name, _ in fields):
        return Refusal(status=400, reason="BadPath")
    return Request(headers=headers, token=token, body=body)


def check_headers(request: Request, topics: Sequence[str], now_s: float) -> Refusal | None:
    """Check what each header may be, and the topic that goes with the push type."""
    head = request.headers
    push_type = head.get("apns-push-type", "")
    if push_type not in SUFFIX:
        return Refusal(status=400, reason="InvalidPushType")
    topic = head.get("apns-topic", "")
    if not topic:
        return Refusal(status=400, reason="MissingTopic")
    if topic not in {bundle + SUFFIX[push_type] for bundle in topics}:
        known = any(topic.startswith(bundle) for bundle in topics)
        return Refusal(status=400, reason="BadTopic" if known else "TopicDisallowed")
    if not CANONICAL_UUID.fullmatch(head.get("apns-id", "00000000-0000-0000-0000-000000000000")):
        return Refusal(status=400, reason="BadMessageId")
    if head.get("apns-priority", "10") not in PRIORITIES or _is_too_urgent(head):
        return Refusal(status=400, reason="BadPriority")
    expiration = head.get("apns-expiration", "0")
    if not expiration.isdigit() or int(expiration) > now_s + EXPIRATION_S_MAX:
        return Refusal(status=400, reason="BadExpirationDate")
    if len(head.get("apns-collapse-id", "").encode()) > COLLAPSE_MAX:
        return Refusal(status=400, reason="BadCollapseId")
    return None


def _is_too_urgent(head: dict[str, str]) -> bool:
    return head.get("apns-push-type") == "background" and head.get("apns-priority", "10") == "10"


def check_size(body: bytes) -> Refusal | None:
    """Check that there is something, and not too much of it."""
    if not body:
        return Refusal(status=400, reason="PayloadEmpty")
    return Refusal(status=413, reason="PayloadTooLarge") if len(body) > PAYLOAD_MAX else None


def payload_faults(push_type: str, body: bytes) -> list[str]:
    """List what a device would not understand of a payload; APNs itself would take it and the device show nothing."""
    try:
        payload = msgspec.json.decode(body, type=dict)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ["not a JSON object"]
    aps = payload.get("aps")
    if not isinstance(aps, dict):
        return [] if push_type in {"voip", "complication", "pushtotalk"} else ["no aps"]
    faults = [f"unknown key aps.{key}" for key in aps if key not in APS_KEYS]
    checks = {
        "alert": _alert,
        "background": _background,
        "widgets": _reload,
        "controls": _reload,
        "liveactivity": _activity,
    }
    return faults + checks.get(push_type, lambda _: [])(aps)


def _alert(aps: dict[str, object]) -> list[str]:
    alert, faults = aps.get("alert"), []
    if alert is None and "badge" not in aps:
        faults.append("an alert that shows nothing")
    if isinstance(alert, dict):
        faults += [f"unknown key alert.{key}" for key in alert if key not in ALERT_KEYS]
        faults += [
            f"{one} and its localised form" for one in ("title", "subtitle") if {one, f"{one}-loc-key"} <= set(alert)
        ]
    if aps.get("interruption-level", "active") not in LEVELS:
        faults.append("interruption-level")
    score = aps.get("relevance-score", 0)
    if not isinstance(score, int | float) or not 0 <= score <= 1:
        faults.append("relevance-score")
    if aps.get("interruption-level") == "passive" and aps.get("sound"):
        faults.append("a passive notification with a sound")
    return faults


def _background(aps: dict[str, object]) -> list[str]:
    loud = {"alert", "sound", "badge"} & set(aps)
    return [f"background with {sorted(loud)}"] if loud or aps.get("content-available") != 1 else []


def _reload(aps: dict[str, object]) -> list[str]:
    return [] if aps == {"content-changed": True} else ["widgets take content-changed only"]


def _activity(aps: dict[str, object]) -> list[str]:
    faults = [] if isinstance(aps.get("timestamp"), int) else ["no timestamp"]
    if aps.get("event") not in {"start", "update", "end"}:
        faults.append("event")
    if not isinstance(aps.get("content-state"), dict):
        faults.append("no content-state")
    if aps.get("event") == "start" and not {"attributes-type", "attributes", "alert"} <= set(aps):
        faults.append("a start without its attributes or its alert")
    return faults
