"""The life of a session of the world log as a table. docs/world.md is generated from it (WORLD 1, "Lifecycle").

Theory: a session is begun by its first `start` (or by saying at once that it works, or is stuck), works (`active`, as
often as it has something to tell), and says that it is done (`finish`). Whoever checks it, never itself, calls it
`verified`, which is the end, or asks for a `retry`, or gives it up as `failed`. It can also give up by itself, at any
time before. A failed one waits for a person: their answer leads to a `retry`, from which it works again. While it is
`failed` it may say again what it needs.

Anybody can write any line into a file. One that claims a status that cannot follow changes nothing but the count of
those that were refused; through Pulse's own doors `check_move` refuses it before it is written.
"""

from hub.contract.errors import UserError
from hub.contract.world import AgentStatus

MOVES: frozenset[tuple[AgentStatus, AgentStatus]] = frozenset(
    {
        (AgentStatus.START, AgentStatus.ACTIVE),
        (AgentStatus.START, AgentStatus.FAILED),
        (AgentStatus.ACTIVE, AgentStatus.ACTIVE),
        (AgentStatus.ACTIVE, AgentStatus.FINISH),
        (AgentStatus.ACTIVE, AgentStatus.FAILED),
        (AgentStatus.FINISH, AgentStatus.VERIFIED),
        (AgentStatus.FINISH, AgentStatus.RETRY),
        (AgentStatus.FINISH, AgentStatus.FAILED),
        (AgentStatus.RETRY, AgentStatus.ACTIVE),
        (AgentStatus.RETRY, AgentStatus.FAILED),
        (AgentStatus.FAILED, AgentStatus.FAILED),
        (AgentStatus.FAILED, AgentStatus.RETRY),
    }
)
FIRST = (AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.FAILED)
"""With what a session can begin that nobody knows: a script that is stuck says that first, and is not to be lost."""


class IllegalStatusError(UserError):
    """This session cannot have that status now. Nothing was changed; the message says what can follow."""

    code = "illegal-agent-status"
    status = 409


def may_follow(before: AgentStatus | None, after: AgentStatus) -> bool:
    """Say whether a session may go from `before`, None for one that is not known, to `after`."""
    return after in FIRST if before is None else (before, after) in MOVES


def next_of(before: AgentStatus | None) -> tuple[AgentStatus, ...]:
    """Return what may follow, in the order of the vocabulary; nothing follows `verified`."""
    return tuple(after for after in AgentStatus if may_follow(before, after))


def check_move(session: str, before: AgentStatus | None, after: AgentStatus) -> None:
    """Refuse a status that cannot follow.

    Raises:
        IllegalStatusError: the table has no such move; says what to do instead.
    """
    if may_follow(before, after):
        return
    if before is None:
        raise IllegalStatusError(
            f"There is no session {session}, so it cannot be {after}.",
            fix="Start it with `start` and its task, or with `failed` and what it needs.",
        )
    following = " or ".join(next_of(before))
    fix = f"It can become {following}." if following else "It is over: start a new session with a new id."
    raise IllegalStatusError(f"Session {session} is {before}; {after} cannot follow that.", fix=fix)
