"""Steps of git after a yes: just what the card showed, in a real repository."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.execution import RunResult
from hub.domain.plan import CannotPlan, Plan, difference
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents.playbook.runner import PlaybookRunner
from tests.io.agents.agent_work import CLEAN_GIT, Heard, git, job, repository, write

AGENT = Agent(name="playbook", kind="playbook", contain="none")
MESSAGE = "Add empty to cart.py"


@pytest.fixture
async def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PlaybookRunner]:
    person = tmp_path / "person"
    write(person, {".gitconfig": "[user]\nname = Ada\nemail = ada@example.org\n"})
    monkeypatch.setenv("HOME", str(person))
    environ = {"PATH": os.environ["PATH"], "HOME": str(person)}
    runner = PlaybookRunner(tmp_path / "home", environ, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    yield runner
    await runner.close()


def work(folder: Path, name: str, *args: str) -> Work:
    return Work(playbook=name, workspace=str(folder), args=args)


async def do(runner: PlaybookRunner, asked: Work) -> RunResult:
    plan = await runner.plan(AGENT, asked)
    made = job(playbook=asked.playbook, workspace=Path(asked.workspace or ""), args=asked.args, agent=AGENT)
    return await runner.run(replace(made, plan=plan), Heard())


@pytest.mark.slow
async def test_a_commit_holds_the_named_files_and_no_other(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n", "old.py": "b\n", "note.txt": "c\n"})
    write(folder, {"cart.py": "a2\n", "note.txt": "c2\n", "new one.py": "d\n", "scratch.log": "e\n"})
    (folder / "old.py").unlink()
    asked = work(folder, "commit-work", MESSAGE, "cart.py", "new one.py", "old.py")
    plan = await runner.plan(AGENT, asked)
    assert isinstance(plan, Plan)
    assert plan.argv[1:] == ("commit", "--message", MESSAGE, "--", "cart.py", "new one.py", "old.py")
    result = await do(runner, asked)
    assert result.exit_code == 0, result
    assert git(folder, "log", "-1", "--format=%an: %s").strip() == f"Ada: {MESSAGE}"
    assert git(folder, "status", "--porcelain").splitlines() == [" M note.txt", "?? scratch.log"]


@pytest.mark.slow
async def test_a_file_that_changed_since_is_another_plan(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n"})
    write(folder, {"cart.py": "a2\n"})
    asked = work(folder, "commit-work", MESSAGE, "cart.py")
    before = await runner.plan(AGENT, asked)
    assert isinstance(before, Plan)
    write(folder, {"cart.py": "something else\n"})
    assert difference(before, await runner.plan(AGENT, asked)) == "cart.py"
    git(folder, "commit", "-qam", "By hand", environment=CLEAN_GIT)
    assert isinstance(await runner.plan(AGENT, asked), CannotPlan)


@pytest.mark.slow
async def test_a_name_that_looks_like_an_option_or_a_pattern_is_a_name(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"a.py": "a\n"})
    write(folder, {"--amend": "x\n", "*.py": "y\n", "a.py": "a2\n"})
    assert (await do(runner, work(folder, "commit-work", MESSAGE, "--amend", "*.py"))).exit_code == 0
    assert git(folder, "status", "--porcelain").splitlines() == [" M a.py"]


@pytest.mark.slow
async def test_push_and_catch_up(runner: PlaybookRunner, tmp_path: Path) -> None:
    one = repository(tmp_path / "one", {"a.py": "a\n"})
    git(one, "clone", "-q", "--bare", ".", str(tmp_path / "origin.git"))
    git(one, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(one, "fetch", "-q", "origin")
    branch = git(one, "branch", "--show-current").strip()
    git(one, "branch", "-q", f"--set-upstream-to=origin/{branch}")
    write(one, {"a.py": "a2\n"})
    git(one, "commit", "-qam", "More", environment=CLEAN_GIT)
    assert (await do(runner, work(one, "push-work"))).exit_code == 0
    head = git(one, "rev-parse", "HEAD")
    assert git(tmp_path / "origin.git", "rev-parse", branch) == head
    git(one, "reset", "-q", "--hard", "HEAD~1")
    git(one, "fetch", "-q", "origin")
    assert (await do(runner, work(one, "catch-up"))).exit_code == 0
    assert git(one, "rev-parse", "HEAD") == head


@pytest.mark.slow
async def test_a_lock_files_command_is_ours_whatever_the_work_says(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"go.mod": "module a\n"})
    tools = tmp_path / "tools"
    write(tools, {"go": '#!/bin/sh\necho "$@" > done\n'})
    (tools / "go").chmod(0o700)
    environ = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    runner = PlaybookRunner(tmp_path / "home", environ, lambda: datetime(2026, 1, 2, tzinfo=UTC))
    assert (await do(runner, work(folder, "update-lock", "go.sum"))).exit_code == 0
    assert (folder / "done").read_text() == "mod tidy\n"
    for args in (("rm -rf",), ()):
        assert isinstance(await runner.plan(AGENT, work(folder, "update-lock", *args)), CannotPlan)


@pytest.mark.slow
async def test_the_note_shows_what_is_in_conflict(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"a.py": "one\n"})
    git(folder, "checkout", "-q", "-b", "theirs")
    write(folder, {"a.py": "theirs\n"})
    git(folder, "commit", "-qam", "Theirs", environment=CLEAN_GIT)
    git(folder, "checkout", "-q", "-")
    write(folder, {"a.py": "ours\n"})
    git(folder, "commit", "-qam", "Ours", environment=CLEAN_GIT)
    with pytest.raises(Exception, match="merge"):
        git(folder, "merge", "theirs", environment=CLEAN_GIT)
    result = await do(runner, work(folder, "review-work"))
    assert result.exit_code == 0
    assert "## In conflict" in result.output
    assert "++<<<<<<< HEAD" in result.output
