"""The room that answers: was it really done? (WORLD, level 2 supervisor: does the finish satisfy `need:`?).

A run that finished is verified only if everything its need names is there; the proof says what was looked at. Where the
tests are the proof, they alone decide: an agent's own word, its exit code, proves nothing of them. `outcome_of` says
the end of a run for a person.
"""

from functools import reduce

from hub.contract.words import RunState
from hub.domain.execution import Finding, FoundState, RunResult
from hub.domain.provenance import Wording, say
from hub.domain.suggestion import Need
from hub.kit.phrasebook import capital
from hub.verify.files import missing
from hub.verify.outcome import INTERRUPTED, interrupted, outcome_of
from hub.verify.runners import found_none, output_of
from hub.verify.text import Unusable, find, last_line

__all__ = ["INTERRUPTED", "check", "interrupted", "outcome_of"]

SHOWN_FILES_MAX = 5
HANDED_OVER = say("Nothing shows whether it is done")

UNFINISHED = {
    "timeout": say("It ran longer than its time limit and was stopped"),
    "failed-to-start": say("It did not start"),
    "changed": say("It did not start, because what would run had changed"),
    "lost": say("Pulse lost track of it, so its outcome is unknown"),
}


def check(need: Need, result: RunResult, *, by_agent: bool) -> Finding:
    """Compare how a run ended with what was needed.

    Args:
        need: what must be true; each part that is given must hold.
        result: how the run ended, as its runner saw it.
        by_agent: whether an agent did it, and not Pulse itself. That one ended without an error, or took a message,
            says nothing of the work.

    Returns:
        `VERIFIED` with the evidence, `STOPPED` when somebody stopped it, `FAILED` with what is missing, `FINISHED`
        where nothing is missing and nothing shows that it is done. A run that was only accepted (no exit code) cannot
        meet a need that names one.
    """
    if result.ended == "stopped":
        return _found(RunState.STOPPED, say("It was stopped before it was done"), _detail(result))
    if result.ended != "exited":
        return _found(RunState.FAILED, UNFINISHED[result.ended], _detail(result))
    points = (
        _tests(need, result) if need.tests else _exit_code(need, result),
        _changed_files(need, result),
        _expected_text(need, result),
    )
    failures = [words for met, words in filter(None, points) if not met]
    if failures:
        return _found(RunState.FAILED, *failures, _hint(result))
    proofs = [words for _, words in filter(None, points)]
    if by_agent and not (need.tests or need.changed_files or need.expected_text):
        return _found(RunState.FINISHED, *(proofs or [say("It was handed over")]), HANDED_OVER)
    return _found(RunState.VERIFIED, *(proofs or [say("It ended, and nothing more was needed")]))


def _tests(need: Need, result: RunResult) -> tuple[bool, Wording]:
    """Return True if the tests ran and passed; where none are found, nothing is proven."""
    run = result.proof if need.tests == "after" else result
    if run is None or run.ended != "exited":
        if run is None or not run.detail:
            return False, say("The tests could not be run afterwards")
        return False, say("The tests could not be run afterwards: {why}", why=run.detail.rstrip("."))
    if found_none(output_of(run.output, truncated=run.truncated)):
        return False, say("No tests were found, which proves nothing")
    if run.exit_code == 0:
        return True, say("The tests ran and pass")
    return False, say("The tests ran and do not pass")


def _exit_code(need: Need, result: RunResult) -> tuple[bool, Wording] | None:
    """Say whether the exit code is the one needed; None when none is."""
    if need.exit_code is None:
        return None
    if result.exit_code is None:
        return False, say("It did not report how it ended, so its outcome is unknown")
    if need.exit_code == 0:
        return result.exit_code == 0, _ending(result.exit_code)
    if result.exit_code == need.exit_code:
        return True, _ending(result.exit_code)
    return False, say("{how}, where {code} was needed", how=_ending(result.exit_code), code=need.exit_code)


def _ending(exit_code: int) -> Wording:
    """Put an exit code into words; the system reports a signal as a negative one."""
    if exit_code < 0:
        return say("It was stopped by signal {number}", number=-exit_code)
    return (
        say("It ended with an error (code {code})", code=exit_code) if exit_code else say("It ended without an error")
    )


def _changed_files(need: Need, result: RunResult) -> tuple[bool, Wording] | None:
    """Say whether each file or pattern needed is among the changed files; None when none is needed."""
    if not need.changed_files:
        return None
    absent = missing(need.changed_files, result.changed_files)
    if absent:
        return False, say("No change to {files}", files=_listed(absent))
    return True, say("Changed: {files}", files=_listed(need.changed_files))


def _expected_text(need: Need, result: RunResult) -> tuple[bool, Wording] | None:
    """Say where the expected text is; None when none is expected."""
    if not need.expected_text:
        return None
    found = find(need.expected_text, result.output)
    if isinstance(found, Unusable):
        return False, say("The expected pattern cannot be used: {reason}", reason=found.reason)
    expected = repr(need.expected_text)
    if found is not None:
        return True, say("{expected} found in the output: {line}", expected=expected, line=repr(found))
    if result.truncated:
        return False, say("{expected} is not in what was kept of the output, which was too long", expected=expected)
    return False, say("{expected} is not in the output", expected=expected)


def _detail(result: RunResult) -> Wording:
    return say("{detail}", detail=capital(result.detail.rstrip(".")))


def _hint(result: RunResult) -> Wording:
    """Give what helps a person to see why: the runner's detail, else the last thing that was said."""
    last = last_line(result.output)
    return _detail(result) if result.detail or not last else say("Last line: {line}", line=repr(last))


def _listed(names: tuple[str, ...]) -> Wording:
    """Name some files, and how many more there are."""
    shown = ", ".join(repr(name) for name in names[:SHOWN_FILES_MAX])
    rest = len(names) - SHOWN_FILES_MAX
    return say("{shown} and {rest} more", shown=shown, rest=rest) if rest > 0 else say("{shown}", shown=shown)


def _found(state: FoundState, *parts: Wording) -> Finding:
    """Return a finding that says these parts, each as a sentence of its own."""
    said = [part for part in parts if part.text]
    return Finding(state=state, says=reduce(lambda before, one: say("{before}. {one}", before=before, one=one), said))
