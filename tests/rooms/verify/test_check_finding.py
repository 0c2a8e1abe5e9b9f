import time
from typing import Literal

import pytest
from msgspec.structs import replace

from hub.contract.words import RunState
from hub.domain.execution import Finding, RunResult
from hub.domain.suggestion import Need
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.verify import check


def checked(need: Need, result: RunResult) -> Finding:
    """Check work of Pulse's own."""
    return check(need, result, by_agent=False)


def ended(
    output: str = "",
    exit_code: int | None = 0,
    changed: tuple[str, ...] = (),
    *,
    truncated: bool = False,
    detail: str = "",
) -> RunResult:
    return RunResult(
        ended="exited", exit_code=exit_code, output=output, changed_files=changed, truncated=truncated, detail=detail
    )


def need(exit_code: int | None = 0, changed: tuple[str, ...] = (), text: str = "") -> Need:
    return Need(text="it works", exit_code=exit_code, changed_files=changed, expected_text=text)


def test_everything_needed_is_there() -> None:
    finding = checked(need(0, ("*.md",), "passed"), ended("first\n12 passed in 1 s\n", 0, ("notes/a.md",)))
    assert finding.state is RunState.VERIFIED
    assert finding.proof == (
        "It ended without an error. Changed: '*.md'. 'passed' found in the output: '12 passed in 1 s'."
    )


def test_everything_needed_is_missing() -> None:
    finding = checked(need(0, ("a.md", "b.md"), "passed"), ended("first\n3 failed\n\n", 1, ("a.md",)))
    assert finding.state is RunState.FAILED
    assert finding.proof == (
        "It ended with an error (code 1). No change to 'b.md'. 'passed' is not in the output. Last line: '3 failed'."
    )


@pytest.mark.parametrize(
    ("how", "state", "words"),
    [
        ("timeout", RunState.FAILED, "longer than its time limit"),
        ("stopped", RunState.STOPPED, "was stopped"),
        ("lost", RunState.FAILED, "lost track"),
        ("failed-to-start", RunState.FAILED, "did not start"),
    ],
)
def test_runs_that_did_not_finish(
    how: Literal["timeout", "stopped", "failed-to-start", "lost"], state: RunState, words: str
) -> None:
    finding = checked(need(None), RunResult(ended=how, exit_code=0, output="passed", detail="the disk is full"))
    assert finding.state is state
    assert words in finding.proof
    assert finding.proof.endswith(". The disk is full.")


@pytest.mark.parametrize(
    ("wanted", "got", "state"),
    [
        (0, 0, RunState.VERIFIED),
        (3, 3, RunState.VERIFIED),
        (0, 1, RunState.FAILED),
        (1, 0, RunState.FAILED),
        (0, None, RunState.FAILED),
        (None, 5, RunState.VERIFIED),
        (None, None, RunState.VERIFIED),
    ],
)
def test_exit_codes(wanted: int | None, got: int | None, state: RunState) -> None:
    assert checked(need(wanted), ended(exit_code=got)).state is state


def test_signals_are_named() -> None:
    assert checked(need(), ended(exit_code=-9)).proof == "It was stopped by signal 9."


def test_nothing_needed_is_said_so() -> None:
    assert checked(need(None), ended()).proof == "It ended, and nothing more was needed."


@pytest.mark.parametrize(
    ("pattern", "path", "met"),
    [
        ("README.md", "README.md", True),
        ("./README.md", "README.md", True),
        ("README.md", "docs/README.md", True),
        ("*.md", "docs/deep/x.md", True),
        ("docs/*.md", "docs/x.md", True),
        ("notes/*.md", "/home/me/.pulse/notes/2025-07-29-pulse.md", True),
        ("/home/me/a.txt", "/home/me/a.txt", True),
        ("[a].txt", "[a].txt", True),
        ("README.md", "readme.md", False),
        ("README.md", "XREADME.md", False),
        ("docs/*.md", "other/x.md", False),
        ("*.py", "x.pyc", False),
    ],
)
def test_changed_file_patterns(pattern: str, path: str, *, met: bool) -> None:
    assert (checked(need(changed=(pattern,)), ended(changed=(path,))).state is RunState.VERIFIED) is met


@pytest.mark.parametrize(
    ("text", "output", "met"),
    [
        ("passed", "12 passed", True),
        ("a.c", "abc", False),
        ("two\nlines", "has two\nlines here", True),
        (r"/\d+ passed/", "12 passed", True),
        (r"/^\d+ passed$/", "x\n12 passed\ny", True),
        (r"/(ok|done)/", "all done", True),
        (r"/[0-9a-f]{7,}/", "commit 0123abc", True),
        (r"/\(\d+\)/", "(12)", True),
        (r"/passed/", "failed", False),
        ("//", "a // b", True),
        ("/", "a/b", True),
    ],
)
def test_expected_text(text: str, output: str, *, met: bool) -> None:
    assert (checked(need(text=text), ended(output)).state is RunState.VERIFIED) is met


@pytest.mark.parametrize(
    "pattern",
    [
        "/(a+)+$/",
        "/(a|a)*$/",
        r"/(a)\1/",
        "/(?=a)/",
        "/(?P<n>a)/",
        "/.*a.*b.*c/",
        "/[/",
        "/a{99999999999}/",
        f"/{'x' * 300}/",
    ],
)
def test_patterns_that_could_take_for_ever_are_refused(pattern: str) -> None:
    finding = checked(need(text=pattern), ended("a" * 5000))
    assert finding.state is RunState.FAILED
    assert "expected pattern cannot be used" in finding.proof


@pytest.mark.slow
def test_worst_search_is_bounded() -> None:
    started = time.thread_time()  # its own work, whatever else the machine does
    checked(need(text=r"/\d+ \d+x/"), ended(("1" * 400 + "\n") * 5000))
    assert time.thread_time() - started < 20, "unbounded, it takes minutes"


def test_quoted_proof_is_short() -> None:
    finding = checked(need(text="needle"), ended("x" * 100_000 + "needle" + "y" * 100_000))
    assert len(finding.proof) < 300


def test_truncated_output_is_said_so() -> None:
    assert "what was kept of the output" in checked(need(text="passed"), ended("…", truncated=True)).proof


def test_many_missing_files_are_counted() -> None:
    finding = checked(need(changed=tuple(f"f{n}" for n in range(9))), ended())
    assert "and 4 more" in finding.proof


TESTS_AFTER = Need(text="the tests pass", tests="after")


@pytest.mark.parametrize("agents_exit_code", [0, 1])
def test_where_the_tests_are_the_proof_only_they_decide(agents_exit_code: int) -> None:
    good, bad = ended("3 passed in 1.0s"), ended("1 failed in 1.0s", 1)
    worked = ended("I fixed it", agents_exit_code)
    assert checked(TESTS_AFTER, replace(worked, proof=good)).state is RunState.VERIFIED
    assert checked(TESTS_AFTER, replace(worked, proof=bad)).state is RunState.FAILED
    assert checked(TESTS_AFTER, worked).proof.startswith("The tests could not be run afterwards.")


@pytest.mark.parametrize("printed", ["no tests ran in 0.01s", "Ran 0 tests in 0.000s\n\nOK"])
def test_no_tests_prove_nothing(printed: str) -> None:
    found = checked(Need(text="the tests pass", tests="itself"), ended(printed))
    assert found.state is RunState.FAILED
    assert found.proof.startswith("No tests were found, which proves nothing.")


@pytest.mark.parametrize("result", [ended(), ended(exit_code=None)])
def test_that_an_agent_ended_without_an_error_proves_nothing(result: RunResult) -> None:
    wanted = need(None) if result.exit_code is None else need()
    finding = check(wanted, result, by_agent=True)
    assert finding.state is RunState.FINISHED
    assert finding.proof.endswith("Nothing shows whether it is done.")


def test_what_was_looked_at_proves_it_whoever_did_it() -> None:
    assert check(need(text="passed"), ended("12 passed"), by_agent=True).state is RunState.VERIFIED
    assert check(need(changed=("a.md",)), ended(changed=("a.md",)), by_agent=True).state is RunState.VERIFIED
    good = ended("1 passed")
    assert check(TESTS_AFTER, replace(ended(), proof=good), by_agent=True).state is RunState.VERIFIED
    assert check(need(), ended(exit_code=1), by_agent=True).state is RunState.FAILED


GERMAN = [
    (
        checked(need(0, ("*.md",), "passed"), ended("12 passed in 1 s\n", 0, ("notes/a.md",))),
        "Es endete ohne Fehler. Geändert: '*.md'. 'passed' steht in der Ausgabe: '12 passed in 1 s'.",
    ),
    (
        checked(need(0, ("b.md",)), ended("3 failed\n", 1)),
        "Es endete mit einem Fehler (Code 1). Nicht geändert: 'b.md'. Letzte Zeile: '3 failed'.",
    ),
    (checked(need(2), ended(exit_code=1)), "Es endete mit einem Fehler (Code 1), nötig war 2."),
    (
        check(need(), ended(), by_agent=True),
        "Es endete ohne Fehler. Nichts zeigt, ob es erledigt ist.",
    ),
    (checked(TESTS_AFTER, ended()), "Die Tests konnten danach nicht ausgeführt werden."),
]


@pytest.mark.parametrize(("finding", "words"), GERMAN)
def test_a_proof_is_german_but_for_what_a_program_printed(finding: Finding, words: str) -> None:
    assert finding.proof_worded is not None
    assert finding.proof_worded.text == finding.proof
    assert worded(finding.proof_worded.wording, "", phrases("de")) == words
