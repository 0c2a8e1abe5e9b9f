"""One command of a session's need, run for real: as it was shown, without a shell, in its bounds."""

import hashlib
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.do import hold
from hub.domain.plan import AnyPlan, CannotPlan, Plan
from hub.domain.policy import BUILT_IN
from hub.domain.suggestion import CHECK_COMMAND, Work
from hub.io.agents.playbook.runner import PlaybookRunner
from tests.io.agents.agent_work import Heard, job, run, write

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


@pytest.fixture
async def runner(tmp_path: Path) -> AsyncIterator[PlaybookRunner]:
    made = PlaybookRunner(tmp_path / "home", {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}, lambda: NOW)
    yield made
    await made.close()


def a_folder(tmp_path: Path, name: str = "shop") -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


async def plan(runner: PlaybookRunner, folder: Path | None, *args: str) -> AnyPlan:
    where = None if folder is None else str(folder)
    return await runner.plan(BUILT_IN, Work(playbook=CHECK_COMMAND, workspace=where, args=args))


@pytest.mark.slow
async def test_it_runs_in_the_folder_without_a_shell_and_its_exit_code_comes_back(
    runner: PlaybookRunner, tmp_path: Path
) -> None:
    folder = a_folder(tmp_path)
    write(folder, {"look": '#!/bin/sh\npwd\necho "$1"\nexit 3\n'})
    (folder / "look").chmod(0o700)
    work = job(playbook=CHECK_COMMAND, workspace=folder, args=("./look", "$HOME; rm -rf x"), agent=BUILT_IN)
    result = await run(runner, work, Heard())
    assert (result.ended, result.exit_code) == ("exited", 3)
    assert result.output.split("\n")[:2] == [str(folder), "$HOME; rm -rf x"]
    assert not (tmp_path / "home" / "test-runs.jsonl").exists()


@pytest.mark.slow
async def test_what_hangs_is_ended(runner: PlaybookRunner, tmp_path: Path) -> None:
    work = job(
        playbook=CHECK_COMMAND,
        workspace=a_folder(tmp_path),
        args=("sleep", "60"),
        agent=BUILT_IN,
        duration_s_max=0.2,
    )
    assert (await run(runner, work, Heard())).ended == "timeout"


async def test_a_makefile_or_a_folder_that_is_another_by_now_is_noticed(runner: PlaybookRunner, tmp_path: Path) -> None:
    folder, link = a_folder(tmp_path), tmp_path / "link"
    write(folder, {"Makefile": "test:\n\ttrue\n"})
    link.symlink_to(folder)
    seen = await plan(runner, link, "make", "test")
    assert isinstance(seen, Plan)
    assert (seen.argv[1:], seen.folder, seen.script) == (("test",), str(folder), "true")
    permitted = job(playbook=CHECK_COMMAND, workspace=link, args=("make", "test"), agent=BUILT_IN)
    permitted = replace(permitted, plan=seen)
    assert hold(permitted, await plan(runner, link, "make", "test")) is None
    write(folder, {"Makefile": "test:\n\trm -rf /\n"})
    changed = hold(permitted, await plan(runner, link, "make", "test"))
    assert changed is not None
    assert "Makefile" in changed.detail
    other = a_folder(tmp_path, "other")
    write(other, {"Makefile": "test:\n\ttrue\n"})
    link.unlink()
    link.symlink_to(other)
    swapped = hold(permitted, await plan(runner, link, "make", "test"))
    assert swapped is not None
    assert "the folder" in swapped.detail


@pytest.mark.parametrize("args", [(), ("",), ("no-such-program-here",), ("../run",), ("/no/such",), ("./missing",)])
async def test_what_cannot_be_started_is_told(runner: PlaybookRunner, tmp_path: Path, args: tuple[str, ...]) -> None:
    assert isinstance(await plan(runner, a_folder(tmp_path), *args), CannotPlan)


async def test_without_a_folder_nothing_is_planned(runner: PlaybookRunner) -> None:
    assert isinstance(await plan(runner, None, "true"), CannotPlan)


async def test_nobody_learns_by_a_digest_what_stands_in_a_file_that_they_named(
    runner: PlaybookRunner, tmp_path: Path
) -> None:
    write(tmp_path, {"pin": "1234"})
    seen = await plan(runner, a_folder(tmp_path), "cat", str(tmp_path / "pin"))
    assert isinstance(seen, Plan)
    digests = {one.path: one.sha256 for one in seen.defined_by}
    assert str(tmp_path / "pin") in digests, "it is held to what it was all the same"
    assert hashlib.sha256(b"1234").hexdigest() not in digests.values()
    again = await plan(runner, tmp_path / "shop", "cat", str(tmp_path / "pin"))
    assert again == seen
    write(tmp_path, {"pin": "4321"})
    assert await plan(runner, tmp_path / "shop", "cat", str(tmp_path / "pin")) != seen
