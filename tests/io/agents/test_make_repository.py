"""A folder is made a repository by a yes, and is none again by an undo, as long as that loses nothing."""

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.domain.execution import RunResult
from hub.domain.first_version import IGNORED, MAKE_REPOSITORY, UNMAKE_REPOSITORY
from hub.domain.plan import CannotPlan, Plan, in_words
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from hub.io.agents.playbook.runner import PlaybookRunner
from tests.io.agents.agent_work import CLEAN_GIT, Heard, job, run

NOW = datetime(2029, 12, 31, 9, tzinfo=UTC)
AGENT = Agent(name="tester", kind="playbook")
pytestmark = pytest.mark.slow


class Folder:
    """A folder of a designer's, and the built-in agent beside it."""

    def __init__(self, tmp_path: Path, home: Path) -> None:
        self.top = tmp_path / "design"
        self.top.mkdir()
        self.write("news.md", "# News\n")
        self.write("film.mp4", "a film")
        self.write(".env", "KEY=1")
        environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
        self.runner = PlaybookRunner(tmp_path / "pulse", environ, lambda: NOW)

    def write(self, name: str, text: str) -> None:
        (self.top / name).write_text(text)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ("git", *arguments),
            cwd=self.top,
            env={**os.environ, **CLEAN_GIT},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    async def make(self) -> RunResult:
        return await run(self.runner, job(playbook=MAKE_REPOSITORY, workspace=self.top), Heard())

    async def unmake(self, commit: str) -> RunResult:
        return await run(self.runner, job(playbook=UNMAKE_REPOSITORY, workspace=self.top, args=(commit,)), Heard())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    home = tmp_path / "someone"
    home.mkdir()
    for name in ("GIT_CONFIG_GLOBAL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    return Folder(tmp_path, home)


async def test_the_card_shows_both_commands_and_who_commits(folder: Folder) -> None:
    plan = await folder.runner.plan(AGENT, Work(playbook=MAKE_REPOSITORY, workspace=str(folder.top)))
    assert isinstance(plan, Plan)
    assert plan.then is not None
    assert plan.argv[1:] == ("init",)
    assert plan.then.argv[1:] == ("commit", "--quiet", "--message", "The folder as it is")
    assert "GIT_AUTHOR_NAME=Pulse" in plan.then.environment
    assert " in design, then " in in_words(plan)
    (Path(os.environ["HOME"]) / ".gitconfig").write_text("[user]\nname = Mo\nemail = mo@example.org\n")
    known = await folder.runner.plan(AGENT, Work(playbook=MAKE_REPOSITORY, workspace=str(folder.top)))
    assert isinstance(known, Plan)
    assert known.then is not None
    assert not any(name.startswith("GIT_AUTHOR") for name in known.then.environment)


async def test_it_is_made_without_what_is_large_or_private_and_taken_away_again(folder: Folder) -> None:
    made = await folder.make()
    assert made.exit_code == 0, (made.output, made.detail)
    assert folder.git("ls-files").split() == [".gitignore", "news.md"]
    assert (folder.top / ".gitignore").read_text() == IGNORED
    assert made.commit == folder.git("rev-parse", "HEAD").strip()
    folder.write("later.md", "written since")
    gone = await folder.unmake(made.commit)
    assert gone.exit_code == 0, gone.detail
    assert sorted(path.name for path in folder.top.iterdir()) == [".env", "film.mp4", "later.md", "news.md"]


async def test_what_may_be_secret_is_left_out_however_it_is_written(folder: Folder) -> None:
    for name in ("Passwords.txt", "my passwords.txt", "SECRETS.md", "Credentials.csv", "a.pem", "b.kdbx", "id_ecdsa"):
        folder.write(name, "hunter2")
    folder.write("talk.key", "a presentation")
    made = await folder.make()
    assert made.exit_code == 0, (made.output, made.detail)
    assert folder.git("ls-files").split() == [".gitignore", "news.md", "talk.key"]


async def test_a_gitignore_of_the_persons_stays_as_it_is(folder: Folder) -> None:
    folder.write(".gitignore", "*.md\n")
    made = await folder.make()
    assert folder.git("ls-files").split() == [".env", ".gitignore", "film.mp4"]
    assert (await folder.unmake(made.commit)).exit_code == 0
    assert (folder.top / ".gitignore").read_text() == "*.md\n"


async def test_where_git_will_not_commit_no_repository_is_left(folder: Folder) -> None:
    hooks = Path(os.environ["HOME"]) / "template/hooks"
    hooks.mkdir(parents=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    (Path(os.environ["HOME"]) / ".gitconfig").write_text(f"[init]\ntemplateDir = {hooks.parent}\n")
    made = await folder.make()
    assert made.exit_code == 1
    assert sorted(path.name for path in folder.top.iterdir()) == [".env", "film.mp4", "news.md"]


@pytest.mark.parametrize("sign", [".hg", ".svn", ".jj"])
async def test_a_folder_that_others_keep_the_versions_of_is_left_to_them(folder: Folder, sign: str) -> None:
    (folder.top / sign).mkdir()
    assert isinstance(
        await folder.runner.plan(AGENT, Work(playbook=MAKE_REPOSITORY, workspace=str(folder.top))), CannotPlan
    )
    assert (await folder.make()).ended == "failed-to-start"


async def test_a_repository_is_not_made_again(folder: Folder) -> None:
    folder.git("init", "-q")
    assert isinstance(
        await folder.runner.plan(AGENT, Work(playbook=MAKE_REPOSITORY, workspace=str(folder.top))), CannotPlan
    )
    assert (await folder.make()).ended == "failed-to-start"
    inner = folder.top / "inner"
    inner.mkdir()
    assert isinstance(await folder.runner.plan(AGENT, Work(playbook=MAKE_REPOSITORY, workspace=str(inner))), CannotPlan)


def _commits(folder: Folder) -> None:
    folder.write("more.md", "more")
    folder.git("add", "more.md")
    folder.git("commit", "-q", "-m", "More")


def _commits_and_goes_back(folder: Folder) -> None:
    _commits(folder)
    folder.git("reset", "-q", "--hard", "HEAD^")


def _changes(folder: Folder) -> None:
    folder.write("news.md", "other news")


def _deletes(folder: Folder) -> None:
    (folder.top / "news.md").unlink()


def _stashes(folder: Folder) -> None:
    _changes(folder)
    folder.git("stash", "-q")


def _names_a_remote(folder: Folder) -> None:
    folder.git("remote", "add", "origin", "https://example.org/design.git")


def _names_a_remote_by_hand(folder: Folder) -> None:
    with (folder.top / ".git/config").open("a") as config:
        config.write('[Remote "origin"]\n\turl = https://example.org/design.git\n')


def _names_a_remote_far_below(folder: Folder) -> None:
    with (folder.top / ".git/config").open("a") as config:
        config.write("# a note\n" * 10_000)
    _names_a_remote(folder)


def _puts_another_there(folder: Folder) -> None:
    (folder.top / ".git").rename(folder.top.parent / "elsewhere")
    (folder.top / ".git").symlink_to(folder.top.parent / "elsewhere")


def _writes_a_hook(folder: Folder) -> None:
    (folder.top / ".git/hooks").mkdir(exist_ok=True)
    (folder.top / ".git/hooks/pre-commit").write_text("#!/bin/sh\nmake check\n")


def _works_elsewhere_too(folder: Folder) -> None:
    folder.git("worktree", "add", "--detach", "-q", str(folder.top.parent / "second"))


def _keeps_something_beside(folder: Folder) -> None:
    (folder.top / ".git/annex").mkdir()


@pytest.mark.parametrize(
    "since",
    [
        *(_writes_a_hook, _works_elsewhere_too, _keeps_something_beside),
        *(_commits, _commits_and_goes_back, _changes, _deletes, _stashes),
        *(_names_a_remote, _names_a_remote_by_hand, _names_a_remote_far_below, _puts_another_there),
    ],
)
async def test_nothing_is_taken_away_that_would_be_lost(folder: Folder, since: Callable[[Folder], None]) -> None:
    made = await folder.make()
    since(folder)
    assert (await folder.unmake(made.commit)).ended == "failed-to-start"
    assert folder.git("log", "--format=%H").split()[-1] == made.commit


async def test_only_the_commit_that_was_made_is_meant(folder: Folder) -> None:
    await folder.make()
    for other in ("", "HEAD", "0" * 40):
        assert (await folder.unmake(other)).ended == "failed-to-start"
    assert (folder.top / ".git").is_dir()
