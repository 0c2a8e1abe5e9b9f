"""MQTT topics: `pulse/v1/{user}/…`, letters, digits, `_`, `-` and `/` only, so that every broker will do."""

import re

from hub.contract.base import Value

ROOT = "pulse/v1"
SEGMENT_CHARS_MAX = 64
GATEWAY = "gateway"
"""The device name of the process that carries a surface's deliveries; no device has it."""
SENSOR = "sensor"
"""The surface of a sensor's login, where it says lines of the world log."""
FROM_SENDERS = ("receipt", "decision", "presence", "world")
"""The kinds of topics with the surface and device of whoever writes there."""
_SEGMENT = re.compile(rf"[A-Za-z0-9_-]{{1,{SEGMENT_CHARS_MAX}}}\Z")


class DeviceAddress(Value):
    """One device of one surface, such as `terminal/laptop`."""

    surface: str
    device: str

    def __str__(self) -> str:
        return f"{self.surface}/{self.device}"


def is_segment(text: str) -> bool:
    """Say whether `text` may stand between two slashes of a topic."""
    return bool(_SEGMENT.match(text))


def _join(user: str, *segments: str) -> str:
    for segment in (user, *segments):
        if not is_segment(segment):
            message = f"not a topic segment: {segment!r}"
            raise ValueError(message)
    return "/".join((ROOT, user, *segments))


def event(user: str, event_type: str) -> str:
    """Return the topic of an event; a dot in its type becomes a slash."""
    return _join(user, "event", *event_type.split("."))


def state(user: str) -> str:
    """Return the topic of the retained state."""
    return _join(user, "state")


def deliver(user: str, to: DeviceAddress) -> str:
    """Return the topic on which a device is handed its cards."""
    return _join(user, "deliver", to.surface, to.device)


def receipt(user: str, sender: DeviceAddress) -> str:
    """Return the topic on which a device reports what became of a delivery."""
    return _join(user, "receipt", sender.surface, sender.device)


def decision(user: str, sender: DeviceAddress) -> str:
    """Return the topic on which a device hands in a person's answer."""
    return _join(user, "decision", sender.surface, sender.device)


def presence(user: str, sender: DeviceAddress) -> str:
    """Return the retained topic on which a device says whether it is there."""
    return _join(user, "presence", sender.surface, sender.device)


def world(user: str, sender: DeviceAddress) -> str:
    """Return the topic on which a login says lines of the world log; a sensor's surface is `sensor`."""
    return _join(user, "world", sender.surface, sender.device)


def signal(user: str, sensor: str) -> str:
    """Return the topic on which an outside sensor reports a reading."""
    return _join(user, "signal", sensor)


def sender_of(topic: str) -> tuple[str, DeviceAddress] | None:
    """Read `(kind, sender)` back from a topic that a login of its own writes; None when it is no such topic."""
    parts = topic.split("/")
    if len(parts) != 6 or "/".join(parts[:2]) != ROOT or not all(map(is_segment, parts[2:])):  # noqa: PLR2004  the grammar above has six segments
        return None
    kind, surface, device = parts[3:]
    return (kind, DeviceAddress(surface=surface, device=device)) if kind in FROM_SENDERS else None
