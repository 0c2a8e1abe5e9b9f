"""Steps of git after a yes: just what the card showed, in a real repository."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.execution import RunResult
from hub.domain.plan import CannotPlan, Plan, difference, in_words, shape_of
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


def tracking(folder: Path, files: dict[str, str]) -> Path:
    """Return a repository whose branch follows one of a remote, which lies beside it."""
    one, origin = repository(folder / "one", files), folder / "origin.git"
    git(one, "clone", "-q", "--bare", ".", str(origin))
    git(one, "remote", "add", "origin", str(origin))
    git(one, "fetch", "-q", "origin")
    git(one, "branch", "-q", "--set-upstream-to=origin/main")
    return one


def commit(folder: Path, message: str, files: dict[str, str], *options: str) -> str:
    """Commit all that is there; return the commit."""
    write(folder, files)
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "-q", "-m", message, *options, environment=CLEAN_GIT)
    return git(folder, "rev-parse", "HEAD").strip()


async def planned(runner: PlaybookRunner, asked: Work) -> Plan:
    plan = await runner.plan(AGENT, asked)
    assert isinstance(plan, Plan), plan
    return plan


async def do_planned(runner: PlaybookRunner, asked: Work, plan: Plan) -> RunResult:
    made = job(playbook=asked.playbook, workspace=Path(asked.workspace or ""), args=asked.args, agent=AGENT)
    return await runner.run(replace(made, plan=plan), Heard())


@pytest.mark.slow
async def test_push_and_catch_up(runner: PlaybookRunner, tmp_path: Path) -> None:
    one = tracking(tmp_path, {"a.py": "a\n"})
    head = commit(one, "More", {"a.py": "a2\n"})
    pushing = await planned(runner, work(one, "push-work"))
    assert (await do_planned(runner, work(one, "push-work"), pushing)).exit_code == 0
    assert git(tmp_path / "origin.git", "rev-parse", "main").strip() == head
    git(one, "reset", "-q", "--hard", "HEAD~1")
    git(one, "fetch", "-q", "origin")
    catching_up = await planned(runner, work(one, "catch-up"))
    assert catching_up.argv[1:] == ("merge", "--ff-only", head)
    assert not catching_up.unclear
    assert not pushing.unclear
    assert "1 commit touching a.py" in in_words(catching_up)
    assert (await do_planned(runner, work(one, "catch-up"), catching_up)).exit_code == 0
    assert git(one, "rev-parse", "HEAD").strip() == head


@pytest.mark.slow
async def test_only_the_commits_that_the_card_showed_are_pushed(runner: PlaybookRunner, tmp_path: Path) -> None:
    one, asked = tracking(tmp_path, {"a.py": "a\n"}), work(tmp_path / "one", "push-work")
    shown = commit(one, "Say more", {"a.py": "a2\n", "b c.py": "b\n"})
    plan = await planned(runner, asked)
    assert plan.argv[-2:] == ("origin", f"{shown}:refs/heads/main")
    assert in_words(plan).endswith(f"one: 1 commit touching a.py, 'b c.py' ('{shown[:7]} Say more')")
    commit(one, "Say more", {".env": "KEY=1\n"}, "--amend")
    assert difference(plan, await runner.plan(AGENT, asked)) == "refs/heads/main"
    assert (await do_planned(runner, asked, plan)).exit_code == 0
    assert git(tmp_path / "origin.git", "rev-parse", "main").strip() == shown


@pytest.mark.slow
async def test_a_push_names_each_file_of_each_commit(runner: PlaybookRunner, tmp_path: Path) -> None:
    one = tracking(tmp_path, {"a.py": "a\n"})
    commit(one, "Add it", {".env": "KEY=1\n"})
    (one / ".env").unlink()
    commit(one, "Remove it", {})
    git(one, "checkout", "-q", "-b", "side", "HEAD~2")
    commit(one, "Beside", {"side.py": "s\n"})
    git(one, "checkout", "-q", "main")
    git(one, "merge", "-q", "--no-commit", "side", environment=CLEAN_GIT)
    commit(one, "Merge side", {"slipped-in.py": "x\n"})
    for number in range(8):
        commit(one, f"More {number}", {f"more{number}.py": "m\n"})
    plan = await planned(runner, work(one, "push-work"))
    assert plan.passes is not None
    assert (plan.passes.count, len(plan.passes.newest)) == (12, 5)
    assert plan.passes.files[0] == ".env"
    assert (len(plan.passes.files), plan.passes.files_more) == (8, 3)
    assert "and '3 more" not in in_words(plan)
    assert ", 3 more files ('" in in_words(plan)
    assert in_words(plan).endswith(", 7 older)")


@pytest.mark.slow
async def test_what_the_remote_has_is_asked_of_the_remote(runner: PlaybookRunner, tmp_path: Path) -> None:
    one, asked = tracking(tmp_path, {"a.py": "a\n"}), work(tmp_path / "one", "push-work")
    before = git(one, "rev-parse", "HEAD").strip()
    hidden = commit(one, "Hidden", {".env": "KEY=1\n"})
    commit(one, "Shown", {"a.py": "a2\n"})
    git(one, "update-ref", "refs/remotes/origin/main", hidden)
    result = await do(runner, asked)
    assert "has other commits than the card showed" in result.detail, result
    assert git(tmp_path / "origin.git", "rev-parse", "main").strip() == before


@pytest.mark.slow
async def test_a_replaced_commit_is_shown_as_it_is_pushed(runner: PlaybookRunner, tmp_path: Path) -> None:
    one = tracking(tmp_path, {"a.py": "a\n"})
    real = commit(one, "Hidden", {".env": "KEY=1\n"})
    git(one, "reset", "-q", "--hard", "HEAD~1")
    git(one, "replace", real, commit(one, "Harmless", {"a.py": "a2\n"}))
    git(one, "update-ref", "refs/heads/main", real)
    told = in_words(await planned(runner, work(one, "push-work")))
    assert ".env" in told
    assert "Hidden" in told


@pytest.mark.slow
async def test_a_push_goes_only_where_git_would_push_it(runner: PlaybookRunner, tmp_path: Path) -> None:
    one = tracking(tmp_path, {"a.py": "a\n"})
    commit(one, "More", {"a.py": "a2\n"})
    git(one, "config", "remote.origin.push", "HEAD:refs/for/main")
    assert isinstance(await runner.plan(AGENT, work(one, "push-work")), CannotPlan)
    git(one, "config", "--unset", "remote.origin.push")
    git(one, "remote", "add", "fork", str(tmp_path / "fork.git"))
    git(one, "config", "remote.pushDefault", "fork")
    assert isinstance(await runner.plan(AGENT, work(one, "push-work")), CannotPlan)
    git(one, "config", "--unset", "remote.pushDefault")
    git(one, "checkout", "-q", "-b", "feature", "--track", "origin/main")
    commit(one, "Other", {"a.py": "a3\n"})
    assert isinstance(await runner.plan(AGENT, work(one, "push-work")), CannotPlan)
    git(one, "checkout", "-q", "--detach")
    assert isinstance(await runner.plan(AGENT, work(one, "push-work")), CannotPlan)


@pytest.mark.slow
async def test_only_the_commits_that_the_card_showed_are_taken_over(runner: PlaybookRunner, tmp_path: Path) -> None:
    one, asked = tracking(tmp_path, {"a.py": "a\n"}), work(tmp_path / "one", "catch-up")
    git(one, "config", "branch.main.rebase", "true")
    start = git(one, "rev-parse", "HEAD").strip()
    shown = commit(one, "Theirs", {"a.py": "a2\n"})
    other = commit(one, "Slipped in", {"a.py": "a3\n"})
    git(one, "update-ref", "refs/remotes/origin/main", shown)
    git(one, "reset", "-q", "--hard", start)
    plan = await planned(runner, asked)
    git(one, "update-ref", "refs/remotes/origin/main", other)
    after = await planned(runner, asked)
    assert difference(plan, after) == "@{upstream}"
    assert shape_of(plan) == shape_of(after)
    assert (await do_planned(runner, asked, plan)).exit_code == 0
    assert git(one, "rev-parse", "HEAD").strip() == shown


@pytest.mark.slow
async def test_a_commit_is_for_the_branch_and_the_commit_below_it(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder = repository(tmp_path / "shop", {"cart.py": "a\n"})
    write(folder, {"cart.py": "a2\n"})
    asked = work(folder, "commit-work", MESSAGE, "cart.py")
    before = await planned(runner, asked)
    git(folder, "checkout", "-q", "-b", "release")
    assert difference(before, await runner.plan(AGENT, asked)) == "refs/heads/release"
    git(folder, "checkout", "-q", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Below", environment=CLEAN_GIT)
    assert difference(before, await runner.plan(AGENT, asked)) == "refs/heads/main"
    made = (await do(runner, asked)).commit
    undoing = work(folder, "take-commit-back", made)
    undo = await planned(runner, undoing)
    git(folder, "checkout", "-q", "-b", "other")
    assert difference(undo, await runner.plan(AGENT, undoing)) == "refs/heads/other"


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
