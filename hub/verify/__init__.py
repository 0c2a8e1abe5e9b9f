"""The room that answers: was it really done? (WORLD, level 2 supervisor: does the finish satisfy `need:`?).

A run that finished is verified only if everything its need names is there; the proof says what was looked at. Where the
tests are the proof, they alone decide: an agent's own word, its exit code, proves nothing of them. `outcome_of` says
the end of a run for a person.
"""

from hub.contract.words import RunState
from hub.domain.execution import Finding, RunResult
from hub.domain.suggestion import Need
from hub.verify.files import missing
from hub.verify.outcome import in_one_line, interrupted, outcome_of
from hub.verify.runners import found_none, output_of
from hub.verify.text import Unusable, find, last_line

__all__ = ["check", "in_one_line", "interrupted", "outcome_of"]

SHOWN_FILES_MAX = 5
HANDED_OVER = "nothing shows whether it is done"

UNFINISHED = {
    "timeout": "It ran longer than its time limit and was stopped",
    "failed-to-start": "It did not start",
    "changed": "It did not start, because what would run had changed",
    "lost": "Pulse lost track of it, so its outcome is unknown",
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
        return Finding(state=RunState.STOPPED, proof=_sentence("It was stopped before it was done", result.detail))
    if result.ended != "exited":
        return Finding(state=RunState.FAILED, proof=_sentence(UNFINISHED[result.ended], result.detail))
    points = (
        _tests(need, result) if need.tests else _exit_code(need, result),
        _changed_files(need, result),
        _expected_text(need, result),
    )
    failures = [words for met, words in filter(None, points) if not met]
    if failures:
        return Finding(state=RunState.FAILED, proof=_sentence("; ".join(failures), _hint(result)))
    proofs = [words for _, words in filter(None, points)]
    if by_agent and not (need.tests or need.changed_files or need.expected_text):
        return Finding(state=RunState.FINISHED, proof=_sentence("; ".join(proofs) or "it was handed over", HANDED_OVER))
    return Finding(
        state=RunState.VERIFIED, proof=_sentence("; ".join(proofs) or "it ended, and nothing more was needed")
    )


def _tests(need: Need, result: RunResult) -> tuple[bool, str]:
    """Return True if the tests ran and passed; where none are found, nothing is proven."""
    run = result.proof if need.tests == "after" else result
    if run is None or run.ended != "exited":
        why = f": {run.detail.rstrip('.')}" if run is not None and run.detail else ""
        return False, f"the tests could not be run afterwards{why}"
    if found_none(output_of(run.output, truncated=run.truncated)):
        return False, "no tests were found, which proves nothing"
    if run.exit_code == 0:
        return True, "the tests ran and pass"
    return False, "the tests ran and do not pass"


def _exit_code(need: Need, result: RunResult) -> tuple[bool, str] | None:
    """Say whether the exit code is the one needed; None when none is."""
    if need.exit_code is None:
        return None
    if result.exit_code is None:
        return False, "it did not report how it ended, so its outcome is unknown"
    if need.exit_code == 0:
        return result.exit_code == 0, _ending(result.exit_code)
    if result.exit_code == need.exit_code:
        return True, _ending(result.exit_code)
    return False, f"{_ending(result.exit_code)}, where {need.exit_code} was needed"


def _ending(exit_code: int) -> str:
    """Put an exit code into words; the system reports a signal as a negative one."""
    if exit_code < 0:
        return f"it was stopped by signal {-exit_code}"
    return f"it ended with an error (code {exit_code})" if exit_code else "it ended without an error"


def _changed_files(need: Need, result: RunResult) -> tuple[bool, str] | None:
    """Say whether each file or pattern needed is among the changed files; None when none is needed."""
    if not need.changed_files:
        return None
    absent = missing(need.changed_files, result.changed_files)
    if absent:
        return False, f"no change to {_listed(absent)}"
    return True, f"{_listed(need.changed_files)} changed"


def _expected_text(need: Need, result: RunResult) -> tuple[bool, str] | None:
    """Say where the expected text is; None when none is expected."""
    if not need.expected_text:
        return None
    found = find(need.expected_text, result.output)
    if isinstance(found, Unusable):
        return False, f"the expected pattern cannot be used: {found.reason}"
    if found is None:
        where = "the kept parts of the output (it was too long to keep whole)" if result.truncated else "the output"
        return False, f"{need.expected_text!r} is not in {where}"
    return True, f"{need.expected_text!r} found in the output: {found!r}"


def _hint(result: RunResult) -> str:
    """Give what helps a person to see why: the runner's detail, else the last thing that was said."""
    last = last_line(result.output)
    return result.detail or (f"Last line: {last!r}" if last else "")


def _listed(names: tuple[str, ...]) -> str:
    """Name some files, and how many more there are."""
    shown = ", ".join(repr(name) for name in names[:SHOWN_FILES_MAX])
    rest = len(names) - SHOWN_FILES_MAX
    return f"{shown} and {rest} more" if rest > 0 else shown


def _sentence(text: str, more: str = "") -> str:
    """Begin with a capital letter and end with a full stop; append `more` as a sentence of its own."""
    first = f"{text[:1].upper()}{text[1:].rstrip('.')}."
    return f"{first} {more[:1].upper()}{more[1:].rstrip('.')}." if more else first
