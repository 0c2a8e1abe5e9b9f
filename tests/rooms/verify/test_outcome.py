"""What came of a run, for a person: one line, what failed, what the agent says, what it changed."""

import json

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState
from hub.domain.execution import Execution, RunResult
from hub.domain.outcome import FileLines, WorkOutcome
from hub.domain.plan import Plan
from hub.domain.provenance import RepositoryText, untrusted
from hub.domain.suggestion import RUN_TESTS, Need, Work
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.views import result_of
from hub.verify import check, outcome_of
from tests.conformance.store.samples import after, run

PYTEST = Plan(argv=("/p/.venv/bin/python", "-m", "pytest", "-q"), folder="/p", environment=("VIRTUAL_ENV=/p/.venv",))
BARE = Plan(argv=("/usr/bin/python3", "-m", "pytest", "-q"), folder="/p")
ITSELF, AFTER = Need(text="", tests="itself"), Need(text="", tests="after")
TESTED = Work(playbook=RUN_TESTS, workspace="/p")
BROKEN = """ERROR tests/test_a.py - ModuleNotFoundError: No module named 'flask'
!!!!!! Interrupted: 1 error during collection !!!!!!
1 error in 0.1s
"""
CLOSING = json.dumps({"type": "result", "result": "I looked.\n\nThe sum was **off by one**; it is right now."})


def ended(output: str = "", exit_code: int | None = 0, **more: object) -> RunResult:
    return replace(RunResult(ended="exited", exit_code=exit_code, output=output), **more)


def said(
    result: RunResult, need: Need | None = None, work: Work | None = None, plan: Plan | None = None
) -> WorkOutcome:
    """Say what came of a run of claude, or of a playbook, that took twelve seconds."""
    need, base = need or Need(text=""), run("x", card_id="a", state=RunState.ACTIVE)
    permit = replace(base.permit, need=need, work=work or Work(workspace="/p"), plan=plan)
    execution: Execution = replace(base, agent="claude", need=need, permit=permit, started_at=after(0))
    return outcome_of(
        execution, result, check(need, result, by_agent=execution.permit.work.playbook is None), after(12)
    )


@pytest.mark.parametrize(
    ("outcome", "ended_as", "line"),
    [
        (said(ended("1991 passed in 14.0s"), ITSELF, TESTED, PYTEST), "done", "1,991 passed in 14 s"),
        (said(ended("all is well"), ITSELF, TESTED, PYTEST), "done", "Tests passed in 12 s: all is well"),
        (said(ended("", 0), ITSELF, TESTED, PYTEST), "done", "Tests passed in 12 s"),
        (said(ended("no tests ran in 0.1s", 5), ITSELF, TESTED, PYTEST), "failed", "No tests were found"),
        (said(ended("boom: it broke", 2), ITSELF, TESTED, PYTEST), "failed", "Tests failed in 12 s: boom: it broke"),
        (said(ended(BROKEN, 2), ITSELF, TESTED, PYTEST), "failed", "1 error; tests did not start"),
        (said(ended("Done."), None), "done", "claude finished after 12 s"),
        (said(ended("", 0, changed_files=("a", "b"))), "done", "claude finished after 12 s, 2 files changed"),
        (said(ended("Error: no credit\nbye", 1)), "failed", "claude ended with an error after 12 s: Error: no credit"),
        (said(ended("Done.", proof=ended("3 passed in 1.0s")), AFTER), "done", "3 passed in 1 s"),
        (said(ended("Done.", proof=ended("1 failed in 1.0s", 1)), AFTER), "failed", "1 failed in 1 s"),
        (said(ended("Done."), AFTER), "failed", "claude ended, but the tests could not be run afterwards"),
        (said(ended("# Commits of today\n- a"), None, Work(playbook="n")), "done", "Commits of today"),
        (said(RunResult(ended="timeout", exit_code=None, output="", detail="The limit was 120 s")), "timeout",
         "Timed out and was stopped after 12 s. The limit was 120 s"),
    ],
)  # fmt: skip
def test_one_line_says_what_came_of_it(outcome: WorkOutcome, ended_as: str, line: str) -> None:
    assert (outcome.ended, outcome.in_one_line.text) == (ended_as, line)
    assert "xit code" not in line


def test_what_was_proven_says_by_what_and_an_agents_word_is_no_proof() -> None:
    proven = said(ended("3 passed in 1.0s"), ITSELF, TESTED, PYTEST)
    assert proven.proven_by == "./.venv/bin/python -m pytest -q in p"
    assert said(ended("All tests pass, I am sure")).proven_by == ""


@pytest.mark.parametrize(
    ("outcome", "seconds"),
    [
        (said(ended("1991 passed in 14.0s"), ITSELF, TESTED, PYTEST), 14.0),
        (said(ended("Done.", proof=ended("3 passed in 1.0s")), AFTER), 1.0),
        (said(ended("all is well"), ITSELF, TESTED, PYTEST), 12.0),
        (said(ended("Done.")), 12.0),
    ],
)
def test_the_duration_is_the_one_that_the_line_names(outcome: WorkOutcome, seconds: float) -> None:
    assert outcome.duration_s == seconds


def test_of_a_failure_the_lines_that_matter_are_kept() -> None:
    outcome = said(ended(BROKEN, 2), ITSELF, TESTED, BARE)
    assert [untrusted(line) for line in outcome.trouble] == [BROKEN.splitlines()[0]]
    assert "python3 -m venv .venv" in outcome.advice
    german = worded(result_of(outcome).advice_worded, "", phrases("de"))
    assert german.startswith("Dieses Projekt hat keine eigene Umgebung.")
    assert said(ended(BROKEN, 2), ITSELF, TESTED, PYTEST).advice == ""
    lines = "\n".join(f"line {number} of the log" for number in range(99))
    assert [untrusted(line) for line in said(ended(lines, 1)).trouble][-1] == "line 98 of the log"
    assert len(said(ended(lines, 1)).trouble) == 12


@pytest.mark.parametrize("output", ["I looked.\n\nThe sum was **off by one**; it is right now.\n", f"log\n{CLOSING}\n"])
def test_an_agents_last_paragraph_is_kept(output: str) -> None:
    outcome = said(ended(output))
    assert untrusted(outcome.said) == "The sum was **off by one**; it is right now."
    assert outcome.form == "markdown"


def test_a_note_is_named_with_its_form_and_counts_as_no_changed_file() -> None:
    outcome = said(ended("%% Graph\n", changed_files=("/n/x.mmd",)), None, Work(playbook="dependency-graph"))
    assert (outcome.note, outcome.form, outcome.files_changed) == ("/n/x.mmd", "mermaid", 0)


def test_changed_files_are_listed_up_to_a_bound() -> None:
    lines = tuple(FileLines(path=RepositoryText(f"f{number}"), added=1, removed=0) for number in range(50))
    outcome = said(ended(changes=lines, changed_files=tuple(f"f{number}" for number in range(60)), diff="+x"))
    assert (len(outcome.files), outcome.files_changed, outcome.has_diff) == (20, 60, True)


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (said(ended("1991 passed in 14.0s"), ITSELF, TESTED, PYTEST), "1,991 bestanden in 14 s"),
        (said(ended("1 failed, 2 passed, 3 skipped in 0.2s", 1), ITSELF, TESTED, PYTEST),
         "1 fehlgeschlagen, 2 bestanden, 3 übersprungen in weniger als einer Sekunde"),
        (said(ended("boom: it broke", 2), ITSELF, TESTED, PYTEST), "Tests fehlgeschlagen in 12 s: boom: it broke"),
        (said(ended(BROKEN, 2), ITSELF, TESTED, PYTEST), "1 Fehler; die Tests haben nicht begonnen"),
        (said(ended("", 0, changed_files=("a", "b"))), "claude ist nach 12 s fertig, 2 Dateien geändert"),
        (said(ended("Error: no credit\nbye", 1)), "claude endete nach 12 s mit einem Fehler: Error: no credit"),
    ],
)  # fmt: skip
def test_what_came_of_a_run_is_german_but_for_what_a_program_printed(outcome: WorkOutcome, line: str) -> None:
    assert worded(outcome.in_one_line.wording, "", phrases("de")) == line
