"""A command that a session's need names as its proof: as it was offered to the person, and what came of it."""

from typing import Literal

from hub.contract.base import Value
from hub.domain.plan import Plan
from hub.domain.provenance import LogText

NOTHING_PRINTED = LogText("")
CommandEnd = Literal["exited", "timeout", "stopped", "failed-to-start", "lost", "changed"]


class OfferedCommand(Value):
    """A command that the person may let run, to see whether a session is done.

    Attributes:
        command: as the need has it. Others wrote it, so nothing but a person's yes to `plan` lets it run.
        args: its words, as it would be started, without a shell.
        exit_code: with which it has to end.
        folder: of the session, as it was named.
        plan: what would be started; the person sees all of it, and their answer is bound to it.
    """

    command: LogText
    args: tuple[str, ...]
    exit_code: int
    folder: str
    plan: Plan


class RanCommand(Value):
    """What came of a command that the person let run.

    Attributes:
        command, folder: what was run, and in which folder of the session; a need or a folder that is another by now was
            not tried.
        retries: at which of the session's ends; there is a retry between any two.
        ended, exit_code: how.
        last: the last of what it printed that matters, in one line.
    """

    command: LogText
    folder: str
    retries: int
    ended: CommandEnd
    exit_code: int | None = None
    last: LogText = NOTHING_PRINTED
