"""A coding agent of the person's may ask, and what it starts may not answer; its hook is how it is known."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.io.access.tokens import AGENT_ID, LOCAL_ID
from hub.io.agents import left_behind, lineage
from hub.io.agents.left_behind import LeftBehind
from hub.io.agents.lineage import (
    AGENTS,
    Lineage,
    agents_at,
    descends_from_agent,
    enter_agent,
    enter_agent_itself,
)
from hub.io.agents.process_table import PROC, ProcessEntry, called, entry, program_owner
from hub.io.api.local_caller import share_of

pytestmark = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="processes are found through /proc")
SHELL = "/bin/sh"


@contextmanager
def agent(program: Path, between: str = "") -> Iterator[int]:
    """Run a copy of the shell under another name, and a child of its; yield the child's number."""
    shutil.copy(os.path.realpath(SHELL), program)
    hook = f"{sys.executable} -ISc 'import os; print(os.getpid(), flush=True); input()'; true"
    words = [str(program), "-c", f"{between}{shlex.quote(hook)}; true" if between else hook]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.communicate("\n")
            AGENTS.leave(process.pid)


def entry_of(child: int) -> int:
    """Return the parent of a process."""
    found = entry(child)
    assert found is not None
    return found.parent


def test_what_a_connected_agent_started_is_known_once_its_hook_has_spoken(tmp_path: Path) -> None:
    with agent(tmp_path / "claude") as child:
        assert not descends_from_agent(child)
        enter_agent(child)
        assert descends_from_agent(child)
        assert not descends_from_agent(os.getpid())
        assert AGENTS.origin_of(child).startswith(f"{entry_of(child)}-")


@pytest.mark.parametrize("name", ["2.1.330", ".claude-wrapped"])
def test_what_an_agents_file_is_called_does_not_matter(tmp_path: Path, name: str) -> None:
    with agent(tmp_path / name) as child:
        enter_agent(child)
        assert descends_from_agent(child)


def test_a_shell_between_an_agent_and_its_hook_does_not_hide_it(tmp_path: Path) -> None:
    shutil.copy(os.path.realpath(SHELL), tmp_path / "sh")
    with agent(tmp_path / "claude", f"{tmp_path / 'sh'} -c ") as child:
        enter_agent(child)
        assert called(entry_of(child)) == "sh"
        assert AGENTS.origin_of(child).startswith(f"{entry_of(entry_of(child))}-")


def test_a_hook_that_a_person_tries_in_their_shell_makes_that_shell_no_agent(tmp_path: Path) -> None:
    with agent(tmp_path / "zsh") as child:
        enter_agent(child)
        assert not descends_from_agent(child)


def test_what_a_persons_shell_runs_below_becomes_no_agent(tmp_path: Path) -> None:
    """A hook that lost its agent falls to what a person's own terminals run below."""
    with agent(tmp_path / "session-manager") as child:
        enter_agent(child, shells=[child])
        assert not descends_from_agent(child)
        enter_agent(child, shells=[os.getpid()])
        assert descends_from_agent(child)


@pytest.mark.parametrize(("owner", "is_agent"), [(0, False), (1_000, True), (None, True)])
def test_what_the_system_ships_to_carry_sessions_becomes_no_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, owner: int | None, is_agent: bool
) -> None:
    """tmux runs a hook when it is told to; a program of an agent's own that is only called so is an agent still."""
    monkeypatch.setattr(lineage, "program_owner", lambda _pid: owner)
    with agent(tmp_path / "tmux") as child:
        enter_agent(child)
        assert descends_from_agent(child) == is_agent


CARRIER = """
import fcntl, os, pty, subprocess, sys, termios
if "terminal" in sys.argv:
    fcntl.ioctl(pty.openpty()[1], termios.TIOCSCTTY, 0)
if "pane" in sys.argv:
    pane, master = pty.fork()
    if not pane:
        os.execv("/bin/sh", ["sh", "-c", "echo here; read line"])
    os.read(master, 1)
hook = [sys.executable, "-ISc", "import os; print(os.getpid(), flush=True); input()"]
sys.exit(subprocess.run(hook).returncode)
"""
"""A process that says a hook, with a terminal of its own or with a pane below it, as it is told."""


@contextmanager
def carrier(*what: str) -> Iterator[int]:
    """Run one in a session of its own; yield its hook's number."""
    command = [sys.executable, "-c", CARRIER, *what]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.communicate("\n")
            AGENTS.leave(process.pid)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "is_agent"),
    [((), True), (("pane",), False), (("terminal",), True), (("terminal", "pane"), True)],
    ids=["headless agent", "tmux from any package", "agent in a terminal", "agent that opens terminals"],
)
def test_what_has_terminals_below_it_and_none_of_its_own_becomes_no_agent(
    what: tuple[str, ...], *, is_agent: bool
) -> None:
    """Such a process carries sessions, no matter its name or owner. An agent in a terminal still counts as an agent."""
    with carrier(*what) as child:
        enter_agent(child)
        assert descends_from_agent(child) == is_agent


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> dict[int, ProcessEntry]:
    """A table of processes of our own, and nothing noted yet."""
    processes: dict[int, ProcessEntry] = {}
    monkeypatch.setattr(lineage, "entry", processes.get)
    monkeypatch.setattr(lineage, "AGENTS", Lineage())
    monkeypatch.setattr(lineage, "LEFT", LeftBehind())
    monkeypatch.setattr(lineage, "_entered", {})
    monkeypatch.setattr(lineage, "_crowded", {})
    return processes


def begin(table: dict[int, ProcessEntry], pid: int, *, terminal: int = 0, session: int = 0) -> None:
    """Let a process begin that says a hook; without a session, in one of its own."""
    table[pid] = ProcessEntry(pid=pid, parent=1, session=session or pid, started=pid, terminal=terminal)
    enter_agent_itself(pid, (called(pid),))


def test_processes_without_a_terminal_take_no_terminal_from_the_person(table: dict[int, ProcessEntry]) -> None:
    first = 2**22
    for pid in range(first, first + lineage.AGENTS_MAX + 10):
        begin(table, pid)
    assert agents_at(7, 1) is None
    begin(table, first - 1, terminal=8)
    assert agents_at(7, 1) is None
    assert agents_at(first - 1, first) == first - 1  # one in a terminal is noted all the same


def test_agents_in_terminals_of_their_own_take_none_of_the_persons(table: dict[int, ProcessEntry]) -> None:
    first = 2**22
    for number in range(lineage.AGENTS_MAX):
        begin(table, first + number, terminal=1_000 + number)
    table[5] = ProcessEntry(pid=5, parent=1, session=5, started=5, terminal=8)
    late = first + lineage.AGENTS_MAX
    begin(table, late, terminal=8, session=5)
    assert agents_at(7, 1) is None
    assert agents_at(first, first + 1) == first
    assert agents_at(5, late + 1) == late  # too many to watch: nothing counts there until it is closed
    table[5] = ProcessEntry(pid=5, parent=1, session=5, started=late + 2, terminal=8)
    assert agents_at(5, late + 3) is None  # another session has its number now


def test_a_terminal_that_has_an_agents_number_is_the_persons(table: dict[int, ProcessEntry]) -> None:
    """Numbers are given again once a terminal is closed, and a container numbers terminals of its own from nought."""
    agent = 2**22
    table[5] = ProcessEntry(pid=5, parent=1, session=5, started=5, terminal=8)
    begin(table, agent, terminal=8)
    assert agents_at(5, agent + 1) is None
    begin(table, agent + 1, terminal=8, session=5)
    assert agents_at(5, agent + 2) == agent + 1
    table[agent + 1] = replace(table[agent + 1], session=agent + 1, terminal=0)  # it left, and may have left something
    assert agents_at(5, agent + 3) == agent + 1


def test_sessions_in_which_agents_were_take_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    living = {pid: ProcessEntry(pid=pid, parent=1, session=pid, started=1, terminal=pid) for pid in range(10, 15)}
    monkeypatch.setattr(left_behind, "SESSIONS_MAX", 2)
    monkeypatch.setattr(left_behind, "entry", living.get)
    left = LeftBehind()
    for pid in living:
        left.note(ProcessEntry(pid=100 + pid, parent=pid, session=pid, started=2, terminal=pid))
    assert left.holds_back(99, 5) is None
    assert left.holds_back(14, 5) == 114


def test_who_owns_a_program_is_told_of_the_file_that_runs() -> None:
    assert program_owner(os.getpid()) == Path(sys.executable).resolve().stat().st_uid
    assert program_owner(2**22 + 1) is None


def test_nothing_above_the_hub_itself_becomes_an_agent() -> None:
    enter_agent(os.getpid())
    assert not descends_from_agent(os.getppid())


@pytest.mark.parametrize("pid", [0, -1, 1, 2**22 + 1])
def test_a_process_that_is_none_is_passed_over(pid: int) -> None:
    enter_agent(pid)


def test_agents_are_told_from_each_other_by_the_process_they_descend_from(tmp_path: Path) -> None:
    with agent(tmp_path / "claude") as one, agent(tmp_path / "codex") as other:
        assert AGENTS.origin_of(one) == ""
        enter_agent(one)
        enter_agent(other)
        origins = AGENTS.origin_of(one), AGENTS.origin_of(other)
        assert all(origins)
        assert len(set(origins)) == 2
        assert AGENTS.origin_of(os.getpid()) == ""
        assert AGENTS.origin_of(2**22 + 1) == ""


def test_an_agent_that_starts_another_below_itself_has_no_share_more() -> None:
    outer, shell, inner, hook = (2**22 + number for number in range(1, 5))
    parents = {outer: 1, shell: outer, inner: shell, hook: inner}
    table = {pid: ProcessEntry(pid=pid, parent=parent) for pid, parent in parents.items()}
    agents = Lineage()
    agents.enter(outer)
    agents.enter(inner)
    assert agents.origin_of(hook, table.get) == f"{inner}-0"
    assert agents.origin_of(hook, table.get, outermost=True) == f"{outer}-0"
    assert agents.origin_of(1, table.get, outermost=True) == ""


def test_whose_share_a_question_takes_is_the_kernels_word(tmp_path: Path) -> None:
    with agent(tmp_path / "claude") as child:
        assert share_of(AGENT_ID, child, "made-up") == ""
        enter_agent(child)
        assert share_of(AGENT_ID, child, "made-up") == share_of(AGENT_ID, child) == AGENTS.origin_of(child)
    assert share_of("client_7", os.getpid(), "s1") is share_of(LOCAL_ID, os.getpid()) is None
    assert share_of("local_codex", 0, "s1") not in {None, share_of("local_codex", 0, "s2")}
