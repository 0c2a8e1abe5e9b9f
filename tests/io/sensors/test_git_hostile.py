"""A repository may come from anywhere. Each test first shows that plain git would run its program."""

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.domain.readings import BrokenReading, GitReading
from hub.io.sensors.git import GitSensor
from hub.io.sensors.git_program import git_environment
from tests.io.sensors.git_repo import Repo

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A program that leaves a mark when it runs."""
    program = tmp_path / "trap.sh"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    program.chmod(0o755)
    return program


def is_sprung(trap: Path) -> bool:
    mark = trap.with_name("sprung")
    was = mark.exists()
    mark.unlink(missing_ok=True)
    return was


async def look(repo: Repo) -> None:
    body = (await GitSensor([repo.path], zone=UTC).read(NOW)).body
    assert isinstance(body, GitReading), body


def plainly(repo: Repo, *arguments: str) -> None:
    nothing = subprocess.DEVNULL
    subprocess.run(("git", *arguments), cwd=repo.path, check=False, stdin=nothing, capture_output=True, timeout=20)


def modify(repo: Repo) -> None:
    repo.write("README.md", "modified # TODO\n")
    repo.write("new.py", "# TODO\n")


@pytest.mark.slow
async def test_fsmonitor_is_not_run(repo: Repo, trap: Path) -> None:
    repo.git("config", "core.fsmonitor", str(trap))
    plainly(repo, "status")
    assert is_sprung(trap)
    await look(repo)
    assert not is_sprung(trap)


@pytest.mark.slow
async def test_hooks_are_not_run(repo: Repo, trap: Path) -> None:
    for folder in (repo.path / ".git/hooks", repo.path / "own-hooks"):
        folder.mkdir(exist_ok=True)
        for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
            (folder / hook).symlink_to(trap)
    repo.git("config", "core.hooksPath", str(repo.path / "own-hooks"))
    plainly(repo, "add", "-A")
    assert is_sprung(trap)
    modify(repo)
    await look(repo)
    assert not is_sprung(trap)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["evil", "a=b", "Mixed.Case"])
async def test_content_filters_of_the_repository_are_not_run(repo: Repo, trap: Path, name: str) -> None:
    repo.write(".git/info/attributes", f"* filter={name}\n")
    repo.commit("README.md", "second, same size\n")
    for key in ("clean", "smudge", "process"):
        repo.git("config", f"filter.{name}.{key}", str(trap))
    repo.git("config", f"filter.{name}.required", "true")
    repo.write("README.md", "another same size\n")
    plainly(repo, "status")
    assert is_sprung(trap)
    await look(repo)
    assert not is_sprung(trap)


@pytest.mark.slow
async def test_filters_that_are_included_are_not_run(repo: Repo, trap: Path) -> None:
    repo.write(".git/info/attributes", "* filter=evil\n")
    repo.commit("README.md", "second, same size\n")
    repo.write(".git/more", f'[filter "evil"]\n\tclean = {trap}\n')
    repo.git("config", "include.path", "more")
    repo.write("README.md", "another same size\n")
    plainly(repo, "status")
    assert is_sprung(trap)
    await look(repo)
    assert not is_sprung(trap)


@pytest.mark.slow
async def test_diff_programs_are_not_run(repo: Repo, trap: Path) -> None:
    repo.write(".git/info/attributes", "* diff=evil\n")
    repo.git("config", "diff.evil.textconv", str(trap))
    repo.git("config", "diff.evil.command", str(trap))
    repo.git("config", "diff.external", str(trap))
    modify(repo)
    plainly(repo, "diff")
    assert is_sprung(trap)
    await look(repo)
    assert not is_sprung(trap)


@pytest.mark.slow
async def test_signature_programs_and_pagers_are_not_run(repo: Repo, trap: Path) -> None:
    tree, parent = repo.git("rev-parse", "HEAD^{tree}"), repo.git("rev-parse", "HEAD")
    signed = (
        f"tree {tree}\nparent {parent}\nauthor a <a@example.com> 1780000000 +0000\n"
        "committer a <a@example.com> 1780000000 +0000\n"
        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n"
    )
    written = repo.write(".git/signed", signed)
    head = repo.git("hash-object", "-t", "commit", "-w", str(written))
    repo.git("reset", "-q", "--hard", head)
    for key in ("gpg.program", "core.pager", "core.editor", "core.askPass", "core.sshCommand"):
        repo.git("config", key, str(trap))
    repo.git("config", "log.showSignature", "true")
    plainly(repo, "log")
    assert is_sprung(trap)
    await look(repo)
    assert not is_sprung(trap)


@pytest.fixture
def helper(trap: Path) -> Path:
    """The same, for a place where a program that waits for its input would wait for ever."""
    trap.write_text(f"#!/bin/sh\ntouch {trap.with_name('sprung')}\n")
    return trap


@pytest.mark.slow
async def test_missing_objects_are_not_fetched(repo: Repo, helper: Path) -> None:
    modify(repo)
    blob = repo.git("rev-parse", "HEAD:README.md")
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.partialClone", "origin")
    repo.git("config", "remote.origin.promisor", "true")
    repo.git("config", "remote.origin.url", f"ext::{helper}")
    repo.git("config", "protocol.ext.allow", "always")
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    plainly(repo, "diff")
    assert is_sprung(helper)
    await GitSensor([repo.path], zone=UTC).read(NOW)
    assert not is_sprung(helper)


@pytest.mark.slow
async def test_submodules_are_not_entered(repo: Repo, make_repo: Callable[[str], Repo], trap: Path) -> None:
    inner = make_repo("inner")
    inner.commit("x.py")
    repo.git("submodule", "--quiet", "add", str(inner.path), "sub")
    repo.git("commit", "-q", "-m", "submodule")
    repo.git("config", "core.fsmonitor", str(trap), cwd=repo.path / "sub")
    plainly(repo, "status")
    assert is_sprung(trap)
    await look(repo)
    assert not is_sprung(trap)


async def test_a_work_tree_elsewhere_is_refused(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    repo.git("config", "core.worktree", str(tmp_path / "private"))
    body = (await GitSensor([repo.path], zone=UTC).read(NOW)).body
    assert isinstance(body, BrokenReading)
    assert "core.worktree" in body.detail


async def test_a_foreign_repository_is_refused_with_advice(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    # Git's own switch for trying the ownership check; our environment drops GIT_*, so it is handed in by a wrapper.
    real = git_environment

    def foreign(environment: dict[str, str]) -> dict[str, str]:
        return {**real(environment), "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}

    monkeypatch.setattr("hub.io.sensors.git_program.git_environment", foreign)
    body = (await GitSensor([repo.path], zone=UTC).read(NOW)).body
    assert isinstance(body, BrokenReading)
    assert "safe.directory" in body.detail


def test_variables_that_point_elsewhere_are_dropped() -> None:
    found = git_environment({"GIT_DIR": "/x", "GIT_WORK_TREE": "/y", "GIT_CONFIG_GLOBAL": "/g", "HOME": "/h"})
    assert "GIT_DIR" not in found
    assert "GIT_WORK_TREE" not in found
    assert (found["GIT_CONFIG_GLOBAL"], found["HOME"]) == ("/g", "/h")


@pytest.mark.slow
async def test_a_configuration_that_never_ends_is_bounded(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.sensors.git_program.COMMAND_S_MAX", 0.3)
    os.mkfifo(repo.path / ".git/pipe")
    repo.write(".git/config", (repo.path / ".git/config").read_text() + "[include]\n\tpath = pipe\n")
    body = (await GitSensor([repo.path], zone=UTC).read(NOW)).body
    assert isinstance(body, BrokenReading)
    assert "took longer" in body.detail
