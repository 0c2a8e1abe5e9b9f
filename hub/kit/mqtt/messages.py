"""What passes over a link, and how the link is; pure, so that ports may speak of it."""

from datetime import datetime

from hub.contract.base import Value


class Delivery(Value):
    """A message as it came from the broker."""

    topic: str
    payload: bytes
    retained: bool


class Notice(Value):
    """A message that a link sends on an occasion of its own, such as its last will."""

    topic: str
    payload: bytes
    retain: bool = True


class LinkHealth(Value):
    """How the connection to the broker is; `since` is when it became so."""

    connected: bool
    broker: str
    detail: str
    since: datetime | None


def covers(pattern: str, topic: str) -> bool:
    """Tell whether every topic that ``topic`` (a topic or a filter) matches is also matched by ``pattern``."""
    wanted, given = pattern.split("/"), topic.split("/")
    for index, level in enumerate(wanted):
        if level == "#":
            return True
        if index >= len(given) or given[index] == "#":
            return False
        if level not in ("+", given[index]):
            return False
    return len(wanted) == len(given)
