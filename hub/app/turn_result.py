"""Reports of work from a file, such as OpenClaw's `turn_result.json`: read when it changes, each report once.

A report is a request like any other. What makes it one of its own is its content and the turn that it names;
where it names none, the file's time and number, so that two turns with the same to say count twice, and a restart
counts nothing again.
"""

import hashlib
import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from hub.app.handed_in import SAID_CHARS_MAX, HandedIn, HandedInFile, body_of
from hub.contract.drives import ADDRESSED_MAX, SUMMARY_CHARS_MAX, DriveName
from hub.domain.drives import Feedback
from hub.domain.requests import TakeFeedback
from hub.io.sensors.file_stamps import stamp_of
from hub.kit.text import cut, one_line
from hub.ports import HubApi

NO_TURN = frozenset({b"", b"null", b'""'})
Found = Feedback | str | None


class _Report(msgspec.Struct):
    """What of the file counts; more may stand beside it."""

    drives_addressed: Annotated[tuple[DriveName, ...], Meta(min_length=1, max_length=ADDRESSED_MAX)]
    outcome: Literal["success", "partial", "blocked", "failure"]
    summary: str = ""
    turn: msgspec.Raw = msgspec.Raw(b"")


class TurnResultFile(HandedInFile):
    """Hears of changes of one file, and hands what it reports to the loop."""

    def __init__(self, path: Path, hub_api: HubApi) -> None:
        super().__init__(path, hub_api, "reports", _handed_in)


def _handed_in(path: Path) -> HandedIn:
    found = read_report(path)
    return HandedIn(TakeFeedback(feedback=found)) if isinstance(found, Feedback) else HandedIn(wrong=found or "")


def read_report(path: Path) -> Found:
    """Return what a file reports: None where there is none, and a sentence where it is no report."""
    body = body_of(path, "one report: drives_addressed, outcome, summary")
    if isinstance(body, str):
        return body or None
    raw, status = body
    try:
        said = msgspec.json.decode(raw, type=_Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"is no report ({one_line(str(error), SAID_CHARS_MAX)}). Write drives_addressed, outcome and summary."
    return Feedback(
        drives=said.drives_addressed,
        outcome="blocked" if said.outcome == "failure" else said.outcome,
        summary=cut(said.summary, SUMMARY_CHARS_MAX),
        key=f"file/turn/{hashlib.sha256(raw + _which(said, status)).hexdigest()}",
    )


def _which(said: _Report, status: os.stat_result) -> bytes:
    """Return what tells two reports of the same content apart: nothing more where the content names its turn."""
    return b"" if bytes(said.turn) not in NO_TURN else repr(stamp_of(status)).encode()
