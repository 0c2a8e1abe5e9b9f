"""A glance at a token before its request is parsed: enough to keep the connection until it is judged, and no more.

Theory: whoever makes room for others must not be somebody whose credential lies there unread. To look a token's hash up
costs microseconds, so it is done where bytes arrive. What a glance grants is a slot, and a turn before strangers; who
may do what is judged afterwards, by the application, from the parsed request alone. A line that only looks like a
header (in a body, say) is worth nothing without a valid token in it.
"""

from typing import Final

from hub.io.access.tokens import AGENT_ID, LOCAL_ID, RUN_ID, Access
from hub.io.server.caller import Caller
from hub.io.server.connection_limiter import ConnectionSlot

NAME: Final = b"\r\nauthorization:"
LINE_END: Final = b"\r\n"


def authenticate_early(data: bytes, access: Access, slot: ConnectionSlot) -> None:
    """Look for a token in what was read from a connection, and keep its slot if it is valid."""
    begin = data.lower().find(NAME)
    if begin < 0:
        return
    begin += len(NAME)
    end = data.find(LINE_END, begin)
    if end >= 0:
        authenticate_value(data[begin:end], access, slot)


def authenticate_value(value: bytes, access: Access, slot: ConnectionSlot) -> None:
    """Look at the value of an Authorization header: a plain token is enough, that of a session waits for its proof."""
    client = access.find(value.decode("latin-1").strip().partition(" ")[2].strip())
    if client is None:
        return
    if client.key:
        slot.judge()
    else:
        slot.vouch(client.id)


def authenticate_caller(caller: Caller | None, slot: ConnectionSlot) -> None:
    """Keep the slot of whoever the kernel says is this person, or one of their runs."""
    whose = {"person": LOCAL_ID, "run": RUN_ID, "agent": AGENT_ID}
    if caller is not None and caller.standing in whose:
        slot.vouch(whose[caller.standing])
        slot.quiet()
