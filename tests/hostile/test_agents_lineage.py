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

from hub.io.access.tokens import AGENT_ID, LOCAL_ID
from hub.io.agents import lineage
from hub.io.agents.lineage import AGENTS, Lineage, descends_from_agent, enter_agent
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
