"""The way back to the hub for an agent that is woken outside: handed out as the message is sent, and not before."""

from collections.abc import Callable

WayBack = Callable[[str, bool], tuple[str, str]]
"""The hub's address and a token for a wake (its id, whether it goes to this machine); empty where there is none."""


def no_way_back(_wake_id: str, _is_near: bool) -> tuple[str, str]:  # noqa: FBT001  as a WayBack is called
    """Hand out nothing."""
    return "", ""
