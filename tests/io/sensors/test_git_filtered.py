"""Files that git stores otherwise than they lie there: what they hold may be a secret, and goes nowhere."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from hub.domain.provenance import WorldText
from hub.domain.readings import GitReading
from hub.domain.situation import Repository
from hub.io.agents.changes import look_before
from hub.io.agents.diffs import diff_since
from hub.io.agents.git import GitFolder
from hub.io.sensors import git_read
from hub.io.sensors.git import GitSensor
from hub.sense.git_config import NOT_SHOWN
from tests.fakes.plain_words import plain
from tests.io.sensors.git_repo import Repo

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
EARLIER = NOW - timedelta(hours=5)
SECRET = 's3cr3t = "TODO: hunter2"  # TODO: rotate hunter2'
pytestmark = pytest.mark.slow


async def read(repo: Repo) -> Repository:
    body = (await GitSensor([repo.path], zone=UTC).read(NOW)).body
    assert isinstance(body, GitReading), body
    return body.repositories[0]


def words_of(value: object) -> Iterator[str]:
    """Yield every text in a value, at any depth."""
    if isinstance(value, WorldText | str):
        yield plain(value)
    elif isinstance(value, msgspec.Struct):
        yield from words_of(msgspec.structs.astuple(value))
    elif isinstance(value, tuple):
        for each in value:
            yield from words_of(each)


def with_filter(repo: Repo, attributes: str = ".gitattributes", line: str = "config.py filter=git-crypt") -> None:
    """Set up a filter as git-crypt does, in the repository's own configuration, and commit a file that it changes."""
    program = repo.path.with_name("clean.sh")
    program.write_text("#!/bin/sh\nprintf 'ENCRYPTED:'; base64 -w0\n")
    program.chmod(0o755)
    for key in ("clean", "smudge"):
        repo.git("config", f"filter.git-crypt.{key}", str(program))
    repo.git("config", "filter.git-crypt.required", "true")
    repo.write(attributes, f"{line}\n")
    repo.commit("config.py", f"{SECRET}\n", at=NOW)
    assert "hunter2" not in repo.git("show", "HEAD:config.py")


def touched(repo: Repo) -> None:
    """Write the same again, as an editor or a backup does."""
    os.utime(repo.path / "config.py", (EARLIER.timestamp(), EARLIER.timestamp()))


@pytest.mark.parametrize("attributes", [".gitattributes", ".git/info/attributes"])
async def test_a_file_that_is_the_same_to_git_is_no_work(repo: Repo, attributes: str) -> None:
    with_filter(repo, attributes)
    touched(repo)
    assert repo.git("--no-optional-locks", "status", "--porcelain") == ""
    found = await read(repo)
    assert (found.uncommitted, found.to_commit, plain(found.diff)) == ((), (), "")
    assert not [each for each in words_of(found) if "hunter2" in each]


@pytest.mark.parametrize("line", ["*.py filter=git-crypt", "[attr]secret filter=git-crypt\n*.py secret"])
async def test_beside_it_other_work_is_offered_and_shown(repo: Repo, line: str) -> None:
    with_filter(repo, line=line)
    repo.write("config.py", f"{SECRET}\nmore\n", at=EARLIER)
    repo.write("new.py", f"{SECRET}\n", at=EARLIER)
    repo.write("README.md", "changed\n", at=EARLIER)
    found = await read(repo)
    assert (plain(found.to_commit), found.added, plain(found.message)) == (("README.md",), 1, "Update README.md")
    assert "+changed" in plain(found.diff)
    assert (found.todos_added, found.changed_modules) == ((), ()), "no run is known, so what was committed is no news"
    assert not [each for each in words_of(found) if "hunter2" in each]


async def test_a_filter_that_is_set_up_nowhere_is_none_that_ran(repo: Repo) -> None:
    repo.commit(".gitattributes", "*.bin filter=lfs\n")
    repo.write("large.bin", "hunter2\n", at=EARLIER)
    assert (await read(repo)).uncommitted == ()


async def test_a_filter_of_the_persons_own_runs_and_its_files_are_work(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "person.gitconfig"
    own.write_text('[filter "upper"]\n\tclean = tr a-z A-Z\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    repo.write(".gitattributes", "*.txt filter=upper\n")
    repo.commit("note.txt", "one\n", at=NOW)
    repo.write("note.txt", "two\n", at=EARLIER)
    found = await read(repo)
    assert plain(found.to_commit) == ("note.txt",)
    assert "+TWO" in plain(found.diff)
    repo.git("config", "filter.upper.clean", "cat")
    assert (await read(repo)).to_commit == (), "the repository has another one in its place"


async def test_a_conflict_in_such_a_file_is_one(repo: Repo) -> None:
    with_filter(repo)
    (repo.path / ".git/config").write_text((repo.path / ".git/config").read_text().partition("[filter")[0])
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("config.py", "theirs hunter2\n", at=NOW)
    repo.git("checkout", "-q", "main")
    repo.commit("config.py", "ours hunter2!\n", at=NOW)
    with pytest.raises(Exception, match="merge"):
        repo.git("merge", "side")
    found = await read(repo)
    assert plain(found.conflicts) == ("config.py",)
    assert not [each for each in words_of(found) if "hunter2" in each]


async def test_more_changed_files_than_are_asked_about(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_read, "FILTERED_MAX", 2)
    for name in ("a.py", "b.py", "c.py"):
        repo.write(name)
    found = await read(repo)
    assert (plain(found.uncommitted), found.truncated) == (("a.py", "b.py"), True)


@pytest.fixture
def folder(repo: Repo, tmp_path: Path) -> GitFolder:
    return GitFolder(tmp_path / "home", dict(os.environ), repo.path)


async def test_no_question_to_git_shows_what_lies_there(repo: Repo, folder: GitFolder) -> None:
    with_filter(repo)
    repo.write("config.py", f"{SECRET}\nmore\n", at=EARLIER)
    said = await folder.ask("diff", "--no-ext-diff", "HEAD")
    assert said.ok, said
    assert "hunter2" not in said.text
    assert NOT_SHOWN in said.text


async def test_what_a_session_changed_is_shown_without_it(repo: Repo, folder: GitFolder, tmp_path: Path) -> None:
    with_filter(repo, line="*.py filter=git-crypt")
    before = await look_before(folder, tmp_path)
    repo.write("config.py", f"{SECRET}\nmore\n")
    repo.write("new.py", f"{SECRET}\n")
    repo.write("README.md", "changed\n")
    shown = await diff_since(folder, repo.path, before, ("README.md", "config.py", "new.py"))
    assert [plain(each.path) for each in shown.files] == ["README.md", "config.py", "new.py"]
    assert "+changed" in shown.text
    assert "hunter2" not in shown.text
