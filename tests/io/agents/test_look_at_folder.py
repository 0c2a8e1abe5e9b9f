"""The notes on a folder of texts and pictures; nothing in it is changed."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.io.agents.playbook.runner import PlaybookRunner
from tests.io.agents.agent_work import Heard, job, run

NOW = datetime(2029, 12, 31, 9, tzinfo=UTC)


def put(path: Path, text: str, days_ago: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    at = (NOW - timedelta(days=days_ago)).timestamp()
    os.utime(path, (at, at))


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("links", "gone.png"), ("`gone.png` is not there",)),
        (("links", "elsewhere/"), ("Nothing is missing there anymore.",)),
        (
            ("links", "/"),
            ("`news.md`, line 2: `gone.png` is not there; perhaps it is `moved/gone.png` now", "Nothing was"),
        ),
        (
            ("versions", "plan final.md"),
            (
                "`plan v2.md`, 2029-12-30",
                "differs: the newest version adds 2 lines and drops 1 line",
                "the same as",
            ),
        ),
        (("backup", "2029-12-29T12:00:00+00:00"), ("1 file (14 B), the largest first.", "`plan v2.md`")),
    ],
)
async def test_a_note_says_what_was_found(tmp_path: Path, args: tuple[str, ...], words: tuple[str, ...]) -> None:
    work = tmp_path / "work"
    put(work / "news.md", "# News\n![x](gone.png)\n", 3)
    put(work / "moved/gone.png", "a picture", 5)
    put(work / "plan final.md", "one\n", 3)
    put(work / "plan v2.md", "two\nand three\n", 1)
    put(work / "plan v2 (1).md", "two\nand three\n", 2)
    before = {path: path.read_bytes() for path in work.rglob("*") if path.is_file()}
    runner = PlaybookRunner(tmp_path / "home", {"PATH": os.environ["PATH"]}, lambda: NOW)
    done = await run(runner, job(playbook="look-at-folder", workspace=work, args=args), Heard())
    assert done.exit_code == 0, done.detail
    for each in words:
        assert each in done.output
    assert {path: path.read_bytes() for path in work.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("args", [(), ("moon",), ("backup", "soon"), ("links",), ("links", "a", "b")])
async def test_it_looks_at_one_thing_that_it_knows(tmp_path: Path, args: tuple[str, ...]) -> None:
    runner = PlaybookRunner(tmp_path / "home", {"PATH": os.environ["PATH"]}, lambda: NOW)
    done = await run(runner, job(playbook="look-at-folder", workspace=tmp_path, args=args), Heard())
    assert done.ended == "failed-to-start"
    assert "links or versions" in done.detail


async def test_a_document_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    runner = PlaybookRunner(tmp_path / "home", {"PATH": os.environ["PATH"]}, lambda: NOW)
    asked = job(playbook="look-at-folder", workspace=tmp_path, args=("versions", "../../etc/passwd"))
    assert "It no longer exists." in (await run(runner, asked, Heard())).output
