"""A file in which an agent reports its work: read when it changes, each content once, and nothing of it can hurt."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from hub.app.handed_in import FILE_BYTES_MAX
from hub.app.turn_result import TurnResultFile, read_report
from hub.contract.errors import BusyError
from hub.domain.drives import Feedback
from hub.domain.requests import FeedbackTaken, Refused, Reply, Request, TakeFeedback
from tests.fakes.hub_api import ScriptedHubApi

REPORT = {"drives_addressed": ["goals"], "outcome": "success", "summary": "Launched InvoiceFlow"}


class Heard:
    """A loop that takes reports, and a signal for each."""

    def __init__(self, reply: Reply | None = None) -> None:
        self.hub_api, self.reports = ScriptedHubApi(), list[Feedback]()
        self.happened = asyncio.Event()
        self.reply = FeedbackTaken() if reply is None else reply
        self.hub_api.on(TakeFeedback, self._take)

    def _take(self, request: Request) -> Reply:
        assert isinstance(request, TakeFeedback)
        self.reports.append(request.feedback)
        self.happened.set()
        return self.reply


def replaced(path: Path, text: str) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)


@pytest.mark.slow
async def test_what_is_there_and_what_comes_is_handed_in(tmp_path: Path) -> None:
    path, heard = tmp_path / "turn_result.json", Heard()
    path.write_text(json.dumps(REPORT))
    file = TurnResultFile(path, heard.hub_api)
    await file.start()
    async with asyncio.timeout(20):
        await heard.happened.wait()
        heard.happened.clear()
        replaced(path, json.dumps({**REPORT, "outcome": "failure", "more": {"beside": "it"}}))
        await heard.happened.wait()
    await file.close()
    first, second = heard.reports
    assert (first.drives, first.outcome, first.summary) == (("goals",), "success", "Launched InvoiceFlow")
    assert second.outcome == "blocked"
    assert first.key != second.key
    assert file.health().status == "ok"


@pytest.mark.slow
async def test_a_folder_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path, heard = tmp_path / "later" / "turn_result.json", Heard()
    file = TurnResultFile(path, heard.hub_api)
    await file.start()
    path.parent.mkdir()
    replaced(path, json.dumps(REPORT))
    async with asyncio.timeout(20):
        await heard.happened.wait()
    await file.close()


@pytest.mark.parametrize(("turn", "counts"), [({}, 2), ({"turn": None}, 2), ({"turn": ""}, 2), ({"turn": 7}, 1)])
async def test_the_same_report_of_two_turns_counts_twice_unless_both_name_the_same_turn(
    tmp_path: Path, turn: dict[str, object], counts: int
) -> None:
    path, heard = tmp_path / "turn_result.json", Heard()
    file = TurnResultFile(path, heard.hub_api)
    for _ in range(2):
        replaced(path, json.dumps(REPORT | turn))
        await file.look()
        await file.look()
    assert len(heard.reports) == 4
    assert len({one.key for one in heard.reports}) == counts


async def test_a_restart_counts_nothing_again(tmp_path: Path) -> None:
    path, heard = tmp_path / "turn_result.json", Heard()
    path.write_text(json.dumps(REPORT))
    for _ in range(2):
        await TurnResultFile(path, heard.hub_api).look()
    assert len({one.key for one in heard.reports}) == 1


async def test_what_another_turn_says_is_another_report(tmp_path: Path) -> None:
    path, heard = tmp_path / "turn_result.json", Heard()
    file = TurnResultFile(path, heard.hub_api)
    for turn in ("a", "b", ["of", {"any": "kind"}]):
        path.write_text(json.dumps({**REPORT, "turn": turn}))
        await file.look()
    assert len({one.key for one in heard.reports}) == 3


async def test_what_the_loop_does_not_take_is_said(tmp_path: Path) -> None:
    path = tmp_path / "turn_result.json"
    path.write_text(json.dumps(REPORT))
    refused = Refused(code="unknown-drive", status=422, detail="No drive is called goals.", fix="Name some of: x.")
    file = TurnResultFile(path, Heard(refused).hub_api)
    await file.look()
    assert (file.health().status, "Name some of" in file.health().detail) == ("degraded", True)

    hub_api = ScriptedHubApi()
    hub_api.on(TakeFeedback, lambda _: BusyError())
    file = TurnResultFile(path, hub_api)
    await file.look()
    assert "not accepted" in file.health().detail


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"drives_addressed": ["goals"], "outc', "is no report"),
        (b"[" * 60_000, "is no report"),
        (b'{"drives_addressed": [], "outcome": "success"}', "is no report"),
        (b'{"drives_addressed": ["a b"], "outcome": "success"}', "is no report"),
        (b'{"drives_addressed": ["goals"], "outcome": "great"}', "is no report"),
        (b'{"drives_addressed": "goals", "outcome": "success"}', "is no report"),
        (b"\xff\xfe", "is no report"),
        (b"x" * (FILE_BYTES_MAX + 1), "is larger"),
        (b"", None),
        (b" \n", None),
    ],
)
def test_what_is_no_report_is_said_and_moves_nothing(tmp_path: Path, raw: bytes, said: str | None) -> None:
    path = tmp_path / "turn_result.json"
    path.write_bytes(raw)
    found = read_report(path)
    assert (found is None) if said is None else (isinstance(found, str) and said in found)


def test_pipes_folders_and_nothing_are_no_reports(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "cannot be read" in str(read_report(tmp_path / "pipe"))
    assert "cannot be read" in str(read_report(tmp_path))
    assert read_report(tmp_path / "none") is None


def test_a_long_summary_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "turn_result.json"
    path.write_text(json.dumps({**REPORT, "summary": "x" * 9_000}))
    found = read_report(path)
    assert isinstance(found, Feedback)
    assert len(found.summary) == 500
