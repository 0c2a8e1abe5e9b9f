"""At which shell of which terminal a command was typed, as far as the system can tell.

A person's command is the child of the interactive shell at which they typed it, and stands in the foreground of that
shell's terminal. An orphan has no such parent, whatever else it kept; a background job is not in the foreground; and
what an agent starts has the agent, or a shell of the agent's, for a parent. None of this proves a person: it names the
shell, and whether that was let in is another question (hub/io/access/terminals.py).
"""

import os

from hub.contract.base import Value
from hub.io.agents.left_behind import living_child
from hub.io.agents.lineage import SHELLS, agents_at
from hub.io.agents.process_table import TICKS, ProcessEntry, above, called, entry, image_of

OWN_S = 2
"""What a shell begins by itself in its first seconds belongs to it: what draws its prompt, say."""


class Shell(Value):
    """One interactive shell: its process, when that began, what it runs, and its terminal."""

    pid: int
    started: int
    image: str
    terminal: int
    program: str


class Process(Value):
    """A process that called; `began` tells it from one that has its number later."""

    pid: int
    began: int


class NotTyped(Value):
    """Why a command counts as typed at no shell; `agent` is the agent's process that runs in the same terminal."""

    why: str
    agent: int = 0


def shell_of(process: Process) -> Shell | NotTyped:
    """Return the shell at which the command was typed that this process is.

    A process that is gone, or whose number means another one by now, was typed at none.
    """
    caller = entry(process.pid) if process.pid > 0 else None
    if caller is None or caller.started != process.began:
        return NotTyped(why="The process that asked does not exist any more.")
    parent = entry(caller.parent)
    shell = _shell_of(caller, parent)
    after = entry(process.pid)
    if after is None or (after.started, after.parent) != (process.began, caller.parent):
        return NotTyped(why="The process that asked has lost its parent.")
    if isinstance(shell, Shell) and (there := agents_at(caller.session, caller.started)) is not None:
        return NotTyped(why="An agent is running in this terminal, or was when this started.", agent=there)
    return shell


def still_is(shell: Shell) -> bool:
    """Return True if a shell still runs, and runs what it ran when it was noted."""
    now = entry(shell.pid)
    return now is not None and not now.ended and now.started == shell.started and image_of(shell.pid) == shell.image


def still_waits(process: Process) -> bool:
    """Return True if a process that called is still there."""
    now = entry(process.pid)
    return now is not None and not now.ended and now.started == process.began


def beside(process: Process, shell: Shell) -> ProcessEntry | None:
    """Return something that runs at a shell beside what was just typed there, and that Pulse knows nothing of.

    It may be what an agent left behind. What began with the shell is its own, and so is the hub. The group of what was
    typed says nothing: every process of the session can join it.
    """
    caller = entry(process.pid)
    if caller is None:
        return None
    own = {one.pid for one in above(os.getpid())}
    begun_by = shell.started + OWN_S * TICKS

    def is_meant(one: ProcessEntry) -> bool:
        return one.started > begun_by and one.pid != caller.pid and one.pid not in own

    return living_child(shell.pid, caller.session, is_meant)


def terminal_name(number: int) -> str:
    """Return what a terminal is called (pts/3), by the kernel's number of it."""
    major, minor = (number >> 8) & 0xFFF, (number & 0xFF) | ((number >> 12) & 0xFFF00)
    first_pts, last_pts, minors = 136, 143, 256
    if first_pts <= major <= last_pts:
        return f"pts/{(major - first_pts) * minors + minor}"
    return f"tty{minor}" if major == 4 else f"{major}:{minor}"  # noqa: PLR2004  the virtual consoles


def _shell_of(caller: ProcessEntry, parent: ProcessEntry | None) -> Shell | NotTyped:
    if not caller.terminal:
        return NotTyped(why="This command has no terminal.")
    if parent is None or parent.pid <= 1:
        return NotTyped(why="The program that started this command has ended.")
    if caller.group != caller.foreground:
        return NotTyped(why="It does not run in the foreground of its terminal.")
    if (parent.terminal, parent.session) != (caller.terminal, caller.session):
        return NotTyped(why="What started it is in another terminal.")
    program = called(parent.pid)
    if program not in SHELLS:
        return NotTyped(why=f"It was started by {program or 'an unidentified program'}, not at a prompt.")
    if parent.group == caller.group:
        return NotTyped(why="It was started by a script, not at a prompt.")
    image = image_of(parent.pid)
    if not image:
        return NotTyped(why="What its shell runs cannot be seen.")
    return Shell(pid=parent.pid, started=parent.started, image=image, terminal=caller.terminal, program=program)
