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
async def test_the_plan_says_what_becomes_of_each_file(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "site", {"news.md": "a\nb\n", "about.md": "who\n", "kept.md": "k\n"})
    (folder / "hero.png").write_bytes(b"\x89PNG\0" + b"\0" * 2_000)
    git(folder, "add", "hero.png")
    git(folder, "commit", "-qm", "Hero", environment=CLEAN_GIT)
    write(folder, {"news.md": "a\nc\n", "docs/about.md": "who\n"})
    (folder / "shot.png").write_bytes(b"\x89PNG\0" + b"\1" * 500)
    (folder / "hero.png").unlink()
    (folder / "about.md").unlink()
    paths = ("about.md", "docs/about.md", "hero.png", "news.md", "shot.png")
    plan = await runner.plan(AGENT, work(folder, "commit-work", "", *paths))
    assert isinstance(plan, Plan)
    assert plan.commit is not None
    assert [(file.became, file.was, file.path) for file in plan.commit.files] == [
        ("renamed", "about.md", "docs/about.md"),
        ("deleted", "", "hero.png"),
        ("changed", "", "news.md"),
        ("added", "", "shot.png"),
    ]
    assert plan.commit.message == "Update 1 file, add 1 file, remove 1 file and rename 1 file"
    assert plan.argv[3] == plan.commit.message
    assert plan.commit.told.text == (
        "deletes hero.png (2.0 kB), renames about.md to docs/about.md (4 B), adds shot.png (505 B), "
        "changes news.md (+1 -1)"
    )
    assert "-b\n+c" in plan.commit.diff
    assert "Binary files a/hero.png and /dev/null differ" in plan.commit.diff
    own = work(folder, "commit-work", "Take the hero out\n\nIt was old.", *paths)
    assert (await do(runner, own)).exit_code == 0
    assert git(folder, "log", "-1", "--format=%B").strip() == "Take the hero out\n\nIt was old."
    assert git(folder, "status", "--porcelain") == ""
    told = git(folder, "show", "-M", "--name-status", "--format=", "HEAD").split("\n")
    assert "R100\tabout.md\tdocs/about.md" in told


@pytest.mark.slow
async def test_a_message_that_nobody_could_read_is_no_message(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n"})
    write(folder, {"cart.py": "a2\n"})
    for words in ("Fix\u202eit", "a\0b", "x" * 5_000):
        assert isinstance(await runner.plan(AGENT, work(folder, "commit-work", words, "cart.py")), CannotPlan)


@pytest.mark.slow
async def test_the_yes_is_to_these_bytes_also_of_links_and_long_files(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n", "data.csv": "x\n"})
    (folder / "link").symlink_to("cart.py")
    (folder / "data.csv").write_bytes(b"1,2\n" * 600_000)
    asked = work(folder, "commit-work", "", "data.csv", "link")
    before = await runner.plan(AGENT, asked)
    assert isinstance(before, Plan)
    assert before.commit is not None
    assert before.commit.is_cut
    with (folder / "data.csv").open("r+b") as file:
        file.seek(2_399_999)
        file.write(b"3")
    (folder / "link").unlink()
    (folder / "link").symlink_to("data.csv")
    after = await runner.plan(AGENT, asked)
    assert difference(before, after) == "data.csv, link"


@pytest.mark.slow
async def test_a_commit_is_taken_back_while_it_is_nobody_elses(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n"})
    before = git(folder, "rev-parse", "HEAD").strip()
    write(folder, {"cart.py": "a2\n", "new.py": "b\n"})
    made = await do(runner, work(folder, "commit-work", "", "cart.py", "new.py"))
    assert made.commit == git(folder, "rev-parse", "HEAD").strip()
    assert (await do(runner, work(folder, "take-commit-back", made.commit))).exit_code == 0
    assert git(folder, "rev-parse", "HEAD").strip() == before
    assert (folder / "cart.py").read_text() == "a2\n"
    assert git(folder, "status", "--porcelain").splitlines() == ["M  cart.py", "A  new.py"]


@pytest.mark.slow
async def test_why_a_commit_is_not_taken_back(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n"})
    first = git(folder, "rev-parse", "HEAD").strip()
    write(folder, {"cart.py": "a2\n"})
    made = (await do(runner, work(folder, "commit-work", "", "cart.py"))).commit

    async def why(commit: str = made) -> str:
        plan = await runner.plan(AGENT, work(folder, "take-commit-back", commit))
        assert isinstance(plan, CannotPlan)
        return plan.why

    assert "unknown which commit" in await why("--hard")
    assert "newer commit on top" in await why(first)
    git(folder, "tag", "v1")
    assert "has a tag (v1)" in await why()
    git(folder, "tag", "-d", "v1")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert "is pushed (origin/main has it)" in await why()
    git(folder, "update-ref", "-d", "refs/remotes/origin/main")
    git(folder, "checkout", "-q", "-b", "other", first)
    assert "not on the current branch" in await why()
    assert "not have exactly one parent" in await why(first)
    git(folder, "checkout", "-q", "main")
    (folder / ".git" / "MERGE_HEAD").write_text(first)
    assert "A merge is in progress" in await why()


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
