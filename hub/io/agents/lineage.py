"""Whether a process descends from a run: what an agent started must not answer in its person's name.

Two traces are followed. The chain of parents: a run's first process is entered here when it starts, and whatever
stands below it is its. A process cannot leave that chain by any change of session or group, nor by letting its
parents die, where the hub is a subreaper (see subreaper.py): it then falls to the hub, which is entered too. And the
marks in the environment that every process of a run inherits: they also show what an earlier hub left behind.

Who cannot be judged counts as one of them: a process that is gone, a chain that breaks off, or an environment that
its owner hides from us.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from hub.io.agents.environment import marked
from hub.io.agents.left_behind import LEFT
from hub.io.agents.process_table import (
    CHAIN_MAX,
    ProcessEntry,
    called,
    children_of,
    entry,
    environment_of,
    has_proc,
    program_owner,
)
from hub.io.agents.subreaper import become_subreaper

INIT = 1
ROOT = 0
SHELLS = frozenset(
    {"ash", "bash", "busybox", "csh", "dash", "elvish", "fish", "ksh", "mksh", "nu", "pwsh", "sh", "tcsh", "zsh"}
)
"""The programs at whose prompt a person types; what else starts a command is a program."""
SESSION_PROGRAMS = frozenset(
    {
        *("atd", "cron", "init", "launchd", "login", "runit", "runsvdir", "s6-svscan", "sshd", "systemd", "tini"),
        *("dtach", "gnome-terminal-server", "konsole", "screen", "tmux", "xfce4-terminal", "xterm", "zellij"),
    }
)
"""What a person's sessions and terminals run below, and what orphans fall to; none of them is an agent."""
Look = Callable[[int], ProcessEntry | None]


class Lineage:
    """The runs that live, and the marks by which those of this home are known."""

    def __init__(self) -> None:
        self._roots: dict[int, int] = {}
        self._marks: set[bytes] = set()

    def enter(self, pid: int) -> None:
        """Note the first process of a run; it and everything below it belongs to the run from now on."""
        found = entry(pid)
        self._roots[pid] = found.started if found else 0

    def leave(self, pid: int) -> None:
        """Forget a run whose last process has ended."""
        self._roots.pop(pid, None)

    def know(self, mark: str) -> None:
        """Note a mark (`NAME=value`) that stands in the environment of every process of this home's runs."""
        self._marks.add(mark.encode())

    def descends(self, pid: int, look: Look = entry) -> bool:
        """Return True if a process is, or may be, one of a run's; it costs a few file reads. The hub itself is none.

        `look` finds processes; who asks about one of them twice at once hands one that remembers.
        """
        if pid == os.getpid():
            return False
        if self._marked(pid, or_hidden=has_proc()):
            return True
        child_started = None
        for _ in range(CHAIN_MAX):
            found = look(pid)
            if found is None or self._roots.get(pid) == found.started:
                return True
            if child_started is not None and found.started > child_started:
                return True  # younger than its child: the number was given to another meanwhile
            pid, child_started = found.parent, found.started
            if pid <= INIT and pid not in self._roots:  # in a container the hub may be the first process itself
                return False
            if self._marked(pid, or_hidden=False):  # parents may be somebody else's: a login, a terminal
                return True
        return True

    def origin_of(self, pid: int, look: Look = entry, *, outermost: bool = False) -> str:
        """Return the nearest first process that a process descends from, with the moment at which that began.

        Empty where none is found: of what an earlier hub left behind there is only the mark. What lost its parents
        falls to the hub and is told from every run's own by that. The `outermost` one is not moved by what a process
        starts below itself, whatever that is called.
        """
        origin = ""
        for _ in range(CHAIN_MAX):
            found = look(pid)
            if found is None:
                return origin
            if self._roots.get(pid) == found.started:
                origin = f"{pid}-{found.started}"
                if not outermost:
                    return origin
            pid = found.parent
            if pid <= INIT and pid not in self._roots:
                return origin
        return origin

    def _marked(self, pid: int, *, or_hidden: bool) -> bool:
        if pid == os.getpid():
            return False  # what the hub itself was started with says nothing about what asks it
        if not self._marks and not or_hidden:
            return False
        environment = environment_of(pid)
        return or_hidden if environment is None else bool(environment & self._marks)


LIVE = Lineage()
"""The runs of this process; there is one table of processes, and one hub in it."""


AGENTS = Lineage()
"""The agents that a person started and connected to Pulse: what descends from one may ask, and not answer either."""
AGENTS_MAX = 256
HOOK_DEPTH_MAX = 5
"""A hook's program stands so deep below its agent at most: a shell or two between them."""
_servers: dict[str, tuple[int, int]] = {}
"""The process to which Pulse is attached for an agent, with the moment at which it began."""
_entered: dict[int, ProcessEntry] = {}
"""The processes of connected agents that were heard of, by number, as each was then."""
_crowded: dict[int, ProcessEntry] = {}
"""The last agent in each session on a terminal in which one more could not be watched."""


def enter_agent(hook_pid: int, shells: Iterable[int] = ()) -> None:
    """Note the agent whose hook asks: the first above the hook's program that is no shell, whatever it is called.

    An agent's file may have any name (`claude/versions/2.1.330`). A hook that a person tries by hand has the shell
    that leads their terminal's session above it, which is not passed. A hook that has lost its agent has what orphans
    fall to above it, and tmux can be told to run one: what carries the person's own sessions is never entered, or
    nothing of theirs would count any more. That is what the hub or one of their `shells` descends from, what the
    system ships to carry sessions, and what has terminals below it and none of its own. An agent that makes itself look
    like that gains nothing: below it, too, only the shells count that the person lets in.
    """
    pid = hook_pid
    for _ in range(HOOK_DEPTH_MAX):
        found = entry(pid) if pid > INIT else None
        above = entry(found.parent) if found is not None and found.parent > INIT else None
        if above is None:
            return
        if called(above.pid) not in SHELLS:
            if not _carries_sessions(above.pid, shells):
                _enter(above)
            return
        if above.terminal and above.session == above.pid:
            return
        pid = above.pid


def enter_agent_itself(pid: int, programs: tuple[str, ...]) -> None:
    """Note an agent by its own process, where that is called as agents are; else nothing is noted, as above."""
    agent = entry(pid) if pid > INIT else None
    if agent is not None and called(agent.pid) in programs:
        _enter(agent)


def _enter(agent: ProcessEntry) -> None:
    if _is_same(_entered.get(agent.pid), agent) or agent.pid == os.getpid() or _is_above(os.getpid(), agent.pid):
        return
    if len(_entered) >= AGENTS_MAX:
        _make_room()
    if len(_entered) < AGENTS_MAX:
        AGENTS.enter(agent.pid)
        _entered[agent.pid] = agent
        LEFT.note(agent)
    elif agent.terminal:
        for over in [session for session in _crowded if entry(session) is None]:
            del _crowded[over]
        _crowded[agent.session] = agent


def note_server(agent: str, pid: int) -> None:
    """Note the process to which Pulse is attached as one more client of that agent's; none, with 0."""
    found = entry(pid) if pid > INIT else None
    _servers.pop(agent, None)
    if found is not None:
        _servers[agent] = (found.pid, found.started)


def is_served(agent: str, hook_pid: int) -> bool:
    """Return True if a hook's program was started by the agent's process to which Pulse is attached."""
    server, pid = _servers.get(agent), hook_pid
    for _ in range(HOOK_DEPTH_MAX if server is not None else 0):
        found = entry(pid) if pid > INIT else None
        if found is None:
            return False
        if (found.pid, found.started) == server:
            return True
        pid = found.parent
    return False


def connected() -> tuple[int, ...]:
    """Return the processes of connected agents that were heard of and are the same still, as far as can be seen."""
    return tuple(pid for pid, began in _entered.items() if _is_same(began, entry(pid)))


def agents_at(session: int, began: int) -> int | None:
    """Return an agent that runs in a session, or that may have left what began then in it; else None.

    While an agent holds the foreground nobody types at the shell behind it. What it began, or left behind there, can
    have made itself a child of that shell since (`CLONE_PARENT`) and have taken the foreground. A terminal belongs to
    one session, whereas its number is another terminal's in a container, and the next one's once it is closed.
    """
    leader = entry(session)
    crowding = _crowded.get(session)
    if crowding is not None and not _began_later(leader, crowding):
        return crowding.pid  # until the session is over
    for pid, noted in tuple(_entered.items()):
        now = entry(pid)
        is_there = now is not None and _is_same(noted, now) and session in {noted.session, now.session}
        if is_there and not _began_later(leader, noted):
            return pid
    return LEFT.holds_back(session, began)


def _began_later(leader: ProcessEntry | None, noted: ProcessEntry) -> bool:
    """Return True if a session began after an agent was noted: its number was another session's before."""
    return leader is not None and leader.started > noted.started


def _is_same(noted: ProcessEntry | None, now: ProcessEntry | None) -> bool:
    return noted is not None and now is not None and not now.ended and noted.started == now.started


def _make_room() -> None:
    """Forget agents that have ended, else one without a terminal, which is in nobody's.

    One in a terminal is never forgotten as long as it runs: what it does there would pass for the person. What begins
    below the other has no shell that was let in, as an orphan has none.
    """
    ended = [pid for pid, noted in _entered.items() if not _is_same(noted, entry(pid))]
    elsewhere = [] if ended else [pid for pid, noted in _entered.items() if not noted.terminal][:1]
    for pid in (*ended, *elsewhere):
        AGENTS.leave(pid)
        del _entered[pid]


def descends_from_agent(pid: int, look: Look = entry) -> bool:
    """Return True if a process descends from an agent that a person started and connected."""
    return AGENTS.descends(pid, look)


def _carries_sessions(pid: int, shells: Iterable[int]) -> bool:
    """Return True if a process is above a shell of the person's, or is one of those that carry sessions.

    A name alone says nothing: the file has to belong to root, as what the system ships does. What was installed
    otherwise is known by what it does: it has no terminal, and a child that leads a session on one.
    """
    if any(_is_above(shell, pid) for shell in shells):
        return True
    if called(pid) in SESSION_PROGRAMS and program_owner(pid) == ROOT:
        return True
    found = entry(pid)
    return found is not None and not found.terminal and any(map(_leads_a_terminal, children_of(pid)))


def _leads_a_terminal(pid: int) -> bool:
    found = entry(pid)
    return found is not None and found.session == pid and found.terminal != 0


def _is_above(pid: int, other: int) -> bool:
    """Return True if a process descends from another, or the chain of its parents has no end."""
    for _ in range(CHAIN_MAX):
        found = entry(pid)
        if found is None or found.parent <= INIT:
            return False
        pid = found.parent
        if pid == other:
            return True
    return True


def guard(home: Path) -> None:
    """Make this process, a home's hub, the one that all its descendants fall to; from now on they are known as such."""
    for name, value in marked(home).items():
        LIVE.know(f"{name}={value}")
    if become_subreaper():
        LIVE.enter(os.getpid())


def descends_from_run(pid: int, look: Look = entry) -> bool:
    """Return True if a process descends from a run of this hub, or cannot be shown not to: then it is refused.

    Args:
        pid: as the kernel tells it of the other end of a socket (`SO_PEERCRED`), asked for at once when it connects.
        look: finds processes, as for `Lineage.descends`.
    """
    return LIVE.descends(pid, look)
