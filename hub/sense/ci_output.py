"""The last result of continuous integration, from a JSON document, a JUnit report or one word."""

import re
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.kit.text import one_line

CiState = Literal["passed", "failed", "running", "unknown"]

STATES: dict[str, CiState] = {
    **dict.fromkeys(("passed", "pass", "success", "successful", "succeeded", "ok", "green", "fixed"), "passed"),
    **dict.fromkeys(("failed", "fail", "failure", "error", "errored", "broken", "red", "timed_out"), "failed"),
    **dict.fromkeys(("running", "in_progress", "queued", "pending", "waiting", "created"), "running"),
}
"""Words of the usual services; any other word is unknown."""
DETAIL_CHARS_MAX = 200
SUITE = re.compile(r"<testsuite\b([^>]*)>")
ATTRIBUTE = re.compile(r"\b(tests|failures|errors)\s*=\s*[\"'](\d{1,9})[\"']")


class CiResult(Value):
    """How the last run ended, and a few words about it."""

    state: CiState = "unknown"
    detail: str = ""


class CiDocument(Value):
    """What is looked for in a JSON document: `status` says how far, `conclusion` (if any) how it ended."""

    status: str | None = None
    conclusion: str | None = None
    detail: str | None = None
    name: str | None = None


def ci_result(raw: bytes) -> CiResult:
    """Read JSON (`{"status": …}`, or a list with the newest first), JUnit XML, or a single word; never raises."""
    text = raw.decode("utf-8", "replace").strip()
    if text.startswith("<"):
        return _junit(text)
    if text.startswith(("{", "[")):
        return _json(text)
    return CiResult(state=STATES.get(text.lower(), "unknown"), detail=one_line(text, DETAIL_CHARS_MAX))


def _json(text: str) -> CiResult:
    try:
        found = msgspec.json.decode(text, type=CiDocument | list[CiDocument])
    except msgspec.DecodeError as wrong:
        return CiResult(detail=one_line(f"The CI document is not as expected: {wrong}", DETAIL_CHARS_MAX))
    document = (found[0] if found else CiDocument()) if isinstance(found, list) else found
    word = (document.conclusion or document.status or "").lower()
    return CiResult(
        state=STATES.get(word, "unknown"), detail=one_line(document.detail or document.name or word, DETAIL_CHARS_MAX)
    )


def _junit(text: str) -> CiResult:
    # Only the opening tags matter, so no XML parser meets a document from outside.
    totals = {"tests": 0, "failures": 0, "errors": 0}
    for suite in SUITE.finditer(text):
        for name, number in ATTRIBUTE.findall(suite[1]):
            totals[name] += int(number)
    if not totals["tests"]:
        return CiResult(detail="The report holds no test.")
    bad = totals["failures"] + totals["errors"]
    return CiResult(state="failed" if bad else "passed", detail=f"{bad} of {totals['tests']} tests failed")
