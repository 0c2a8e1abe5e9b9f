"""Saying what came of a run: one line that a person understands, and what stands behind it.

Theory: counts are read from what a test runner printed; where nobody knows the tool, the last line that matters speaks
for it. A run that failed keeps the last lines that matter; one of an agent keeps the agent's last paragraph. What a
program printed is never taken for a proof of anything: that is `check`'s, and comes in as its finding.
"""

import json
import re
from datetime import datetime
from functools import reduce

from hub.contract.runs import CountedTests, RunEnding
from hub.contract.words import RunState
from hub.domain.execution import Execution, Finding, RunResult
from hub.domain.outcome import WorkOutcome
from hub.domain.plan import AnyPlan, Plan, line_of
from hub.domain.provenance import AgentText, Wording, as_said, counted, say
from hub.domain.suggestion import CHECK_COMMAND, INSTALL_PACKAGES, RUN_TESTS
from hub.kit.text import cut, duration, one_line
from hub.verify.runners import Printed, Said, output_of, read

PROGRAMS = frozenset({RUN_TESTS, CHECK_COMMAND})
"""Playbooks that run a program of the person's, and write no note."""
TROUBLE_LINES_MAX = 12
LINE_CHARS_MAX = 200
SAID_CHARS_MAX = 1_500
FILES_MAX = 20
CLOSING_CHARS_MAX = 65_536
MERMAID_SUFFIX = ".mmd"
NO_ENVIRONMENT = say(
    "This project has no environment of its own. If something is missing: "
    "python3 -m venv .venv && .venv/bin/python -m pip install pytest, and what it needs"
)

NOTHING = Wording()

_WORD = re.compile(r"[^\W\d_]{2}")
_TROUBLE = re.compile(r"^\s*(?:\w+\.)*(?:\w*(?:Error|Exception)|error|fatal|panic)\b[^,;]{0,40}:", re.IGNORECASE)
_AROUND = re.compile(
    r"^(?:npm (?:ERR!|error|warn|notice)|error Command failed|\s*ELIFECYCLE|make(?:\[\d+\])?: |> "
    r"|found \d+ vulnerabilit|(?:added|removed|changed|up to date|audited)\b.* packages?\b|up to date"
    r"|\d+ packages? (?:is|are) looking for funding|\s*run `npm (?:fund|audit)|Done in \d)"
)
"""What npm, yarn, pnpm and make add around the output of what they ran: it says nothing of why."""
_UNFINISHED = {
    "stopped": say("Stopped"),
    "timeout": say("Timed out and was stopped"),
    "lost": say("Pulse lost track of it"),
}
_ENDINGS: dict[str, RunEnding] = {"timeout": "timeout", "failed-to-start": "not-started", "changed": "not-started"}


def outcome_of(execution: Execution, result: RunResult, finding: Finding, now: datetime) -> WorkOutcome:
    """Say what came of a run, with `finding` as the word on whether it was done."""
    ended = _ending(result, finding)
    took_s = None if execution.started_at is None else max(0.0, (now - execution.started_at).total_seconds())
    tested = _tested(execution, result)
    said = read(output_of(tested.output, truncated=tested.truncated)) if tested else None
    is_agent = execution.permit.work.playbook is None
    note = _note(execution, result) if ended == "done" else ""
    proof = _proven_by(execution) if ended == "done" and tested else NOTHING
    advice = _advice(execution, result, said) if ended in {"not-started", "timeout", "failed"} else NOTHING
    return WorkOutcome(
        execution_id=execution.id,
        ended=ended,
        summary=_summary(execution, result, finding, said, took_s),
        tests=said.tests if said else None,
        duration_s=None if ended == "not-started" else _own_s(execution, said, took_s),
        proven_by=proof.text,
        proven_by_worded=proof.worded,
        advice=advice.text,
        advice_worded=advice.worded,
        trouble=() if ended in {"done", "stopped"} else _trouble(tested or result, said),
        said=_last_paragraph(result.output) if is_agent else AgentText(""),
        form=("mermaid" if note.endswith(MERMAID_SUFFIX) else "markdown") if note or is_agent else "text",
        note=note,
        files=() if note else result.changes[:FILES_MAX],
        files_changed=0 if note else len(result.changed_files),
        has_diff=bool(result.diff),
        handed_over=finding.state is RunState.FINISHED,
        commit=result.commit,
    )


INTERRUPTED = say("Interrupted: Pulse was stopped while this ran, so its outcome is unknown")


def interrupted(execution: Execution, now: datetime) -> WorkOutcome:
    """Say that nobody knows how a run ended."""
    took_s = None if execution.started_at is None else max(0.0, (now - execution.started_at).total_seconds())
    return WorkOutcome(execution_id=execution.id, ended="interrupted", summary=INTERRUPTED, duration_s=took_s)


def in_numbers(said: Said, took_s: float | None) -> Wording:
    """Return counts in words: `1,991 passed in 14 s`, `3 failed, 12 passed in 1 s`, `3 errors; tests did not start`."""
    tests = said.tests or CountedTests()
    skipped = say("{count} skipped", count=f"{tests.skipped:,}") if tests.skipped else NOTHING
    told = [one for one in (*_failed_and_passed(tests), skipped) if one.text]
    if not told:
        return say("No tests were found") if said.started else say("Tests did not start")
    words = reduce(lambda first, more: say("{first}, {more}", first=first, more=more), told)
    return (
        say("{words}{took}", words=words, took=_in(took_s))
        if said.started
        else say("{words}; tests did not start", words=words)
    )


def _failed_and_passed(tests: CountedTests) -> tuple[Wording, ...]:
    errors = counted(tests.errors, "error") if tests.errors else NOTHING
    if tests.of == "packages":
        every = counted(tests.failed + tests.errors + tests.passed, "package")
        failed = say("{count} of {every} failed", count=f"{tests.failed:,}", every=every) if tests.failed else NOTHING
        is_well = tests.passed and not tests.failed
        return failed, errors, say("{every} passed", every=counted(tests.passed, "package")) if is_well else NOTHING
    failed = say("{count} failed", count=f"{tests.failed:,}") if tests.failed else NOTHING
    return failed, errors, say("{count} passed", count=f"{tests.passed:,}") if tests.passed else NOTHING


def _ending(result: RunResult, finding: Finding) -> RunEnding:
    if finding.state in {RunState.VERIFIED, RunState.FINISHED}:
        return "done"
    return "stopped" if finding.state is RunState.STOPPED else _ENDINGS.get(result.ended, "failed")


def _tested(execution: Execution, result: RunResult) -> RunResult | None:
    """Return the run of the tests: this one, the one that followed it, or none."""
    if execution.need.tests == "after":
        return result.proof
    is_it = execution.need.tests == "itself" or execution.permit.work.playbook in PROGRAMS
    return result if is_it else None


def _summary(
    execution: Execution, result: RunResult, finding: Finding, said: Said | None, took_s: float | None
) -> Wording:
    if result.ended == "stopped" and execution.started_at is None:
        return say("{why}", why=f"{result.detail[:1].upper()}{result.detail[1:]}")
    if result.ended in _UNFINISHED:
        return say("{how}{took}", how=_UNFINISHED[result.ended], took=_after(took_s))
    if result.ended != "exited":
        return say("Tests could not be run") if execution.need.tests == "itself" else say("It did not start")
    if execution.need.tests:
        return _tests_summary(execution, result, finding, said, took_s)
    if finding.state is RunState.FAILED and not result.exit_code:  # what was needed is not there
        return finding.says
    return _work_summary(execution, result, _after(took_s))


def _work_summary(execution: Execution, result: RunResult, took: Wording) -> Wording:
    """Say how work ended that no tests prove: an agent's, or a playbook's by the title of its note."""
    who = say("It") if execution.permit.work.playbook else say("{agent}", agent=execution.agent)
    if result.exit_code:
        line = last_that_matters(output_of(result.output))
        return _with_line(say("{who} ended with an error{took}", who=who, took=took), line)
    if execution.permit.work.playbook == INSTALL_PACKAGES:  # an installer says at its end what it did
        line = last_that_matters(output_of(result.output))
        return say("{line}", line=AgentText(line)) if line else say("Installed{took}", took=took)
    title = next((line.lstrip("#% ") for line in result.output.splitlines()[:1]), "")
    if execution.permit.work.playbook and title:
        return say("{title}", title=AgentText(one_line(title, LINE_CHARS_MAX)))
    return say("{who} finished{took}{files}", who=who, took=took, files=_files(result))


def _tests_summary(
    execution: Execution, result: RunResult, finding: Finding, said: Said | None, took_s: float | None
) -> Wording:
    tested = _tested(execution, result)
    is_after = execution.need.tests == "after"
    if tested is None or tested.ended != "exited":
        return say("{who} ended, but the tests could not be run afterwards", who=execution.agent)
    if said is not None and (said.tests is not None or not said.started):
        return in_numbers(said, _own_s(execution, said, took_s))
    took = NOTHING if is_after else _in(took_s)
    passed = finding.state is RunState.VERIFIED
    words = say("Tests passed{took}", took=took) if passed else say("Tests failed{took}", took=took)
    return _with_line(words, last_that_matters(output_of(tested.output)))


def _own_s(execution: Execution, said: Said | None, took_s: float | None) -> float | None:
    """Return how long the tests took by themselves where they were counted, else the whole run."""
    if said is None or (said.tests is None and said.started):
        return took_s
    is_after = execution.need.tests == "after"
    return said.duration_s if is_after or said.duration_s is not None else took_s


def _with_line(words: Wording, line: str) -> Wording:
    return say("{words}: {line}", words=words, line=AgentText(line)) if line else words


def _in(took_s: float | None) -> Wording:
    if took_s is None:
        return NOTHING
    return say(" in {time}", time=duration(round(took_s))) if took_s >= 1 else say(" in under a second")


def _after(took_s: float | None) -> Wording:
    if took_s is None:
        return NOTHING
    return say(" after {time}", time=duration(round(took_s))) if took_s >= 1 else say(" after under a second")


def last_that_matters(output: Printed) -> str:
    """Return the last line that names an error, else the last one that has a word; empty if there is none."""
    lines = [line for line in output.lines if _matters(line)]
    named = next((line for line in reversed(lines) if _TROUBLE.match(line)), "")
    return one_line(named or (lines[-1] if lines else ""), LINE_CHARS_MAX)


def _matters(line: str) -> bool:
    return bool(_WORD.search(line)) and not _AROUND.match(line)


def _trouble(result: RunResult, said: Said | None) -> tuple[AgentText, ...]:
    """Return the lines that the runner itself names as what failed, else the last ones that matter."""
    lines = said.trouble if said and said.trouble else ()
    if not lines:
        lines = tuple(filter(_matters, output_of(result.output).lines))[-TROUBLE_LINES_MAX:]
    return tuple(AgentText(cut(line.rstrip(), LINE_CHARS_MAX)) for line in lines[:TROUBLE_LINES_MAX])


def _advice(execution: Execution, result: RunResult, said: Said | None) -> Wording:
    """Return what kept it from running, and how to mend that."""
    proof = _detail(result.proof) if result.proof is not None and result.proof.ended != "exited" else NOTHING
    if result.ended != "exited":
        return _detail(result)
    is_unstarted = said is not None and not said.started
    return NO_ENVIRONMENT if is_unstarted and _is_bare(execution.permit.plan) else proof


def _detail(result: RunResult) -> Wording:
    said = result.detail_worded
    return as_said(result.detail, None if said is None else said.wording)


def _is_bare(plan: AnyPlan | None) -> bool:
    """Say whether pytest ran outside an environment of the project's own."""
    ran = plan.then or plan if isinstance(plan, Plan) else None
    if ran is None or ran.argv[1:3] != ("-m", "pytest"):
        return False
    return not any(one.startswith("VIRTUAL_ENV=") for one in ran.environment)


def _proven_by(execution: Execution) -> Wording:
    plan = execution.permit.plan
    if not isinstance(plan, Plan):
        return NOTHING
    proof = plan.then if execution.need.tests == "after" else plan
    return line_of(proof) if proof is not None else NOTHING


def _last_paragraph(output: str) -> AgentText:
    """Return the last paragraph of an agent's output: what it says at its end."""
    text = "\n".join(output_of(_closing_words(output) or output).lines).rstrip()
    last = text[text.rfind("\n\n") + 2 :] if "\n\n" in text else text
    return AgentText(cut(last.strip(), SAID_CHARS_MAX))


def _closing_words(output: str) -> str:
    """Return the `result` of an agent that closes with a JSON object, as `claude -p --output-format json` does."""
    line = output.rstrip()[-CLOSING_CHARS_MAX:].rpartition("\n")[2]
    try:
        closing = json.loads(line) if line.startswith("{") else None
    except (ValueError, RecursionError):
        return ""
    words = closing.get("result") if isinstance(closing, dict) else None
    return words if isinstance(words, str) else ""


def _files(result: RunResult) -> Wording:
    number = len(result.changed_files)
    return say(", {files} changed", files=counted(number, "file")) if number else NOTHING


def _note(execution: Execution, result: RunResult) -> str:
    """Return the file that a playbook wrote its note to."""
    is_note = execution.permit.work.playbook not in {None, *PROGRAMS}
    return next(iter(result.changed_files), "") if is_note else ""
