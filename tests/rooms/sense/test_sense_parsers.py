from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.kit.text import one_line
from hub.sense.ci_output import ci_result
from hub.sense.modules import modules
from hub.sense.playbooks import available
from hub.sense.run_record import TRACE_LATE, RecordedRun, last_runs
from hub.sense.todos import in_diff, in_file
from tests.fakes.plain_words import plain

DIFF = """diff --git a/x.py b/x.py
--- a/x.py
+++ b/x.py
@@ -3 +3,2 @@ def f():
-# TODO: gone
+# TODO: first
+y = 1  # FIXME(ann) second
@@ -20,0 +22 @@
+TODO = "a name, not a comment"
+++ b/liar.py
+// FIXME third
diff --git a/img.png b/img.png
Binary files a/img.png and b/img.png differ
"""


def test_todos_of_a_diff_are_the_added_comments() -> None:
    found = [(each.path, each.line, each.text) for each in in_diff(DIFF)]
    assert plain(found) == [
        ("x.py", 3, "# TODO: first"),
        ("x.py", 4, "# FIXME(ann) second"),
        ("x.py", 24, "// FIXME third"),
    ]


def test_todos_of_a_new_file() -> None:
    content = (
        "ok\n/* TODO a */\n * FIXME b\n<!-- TODO c -->\nmethodology of TODOs\n-- TODO d\n" + "#" * 3000 + " TODO\n"
    )
    assert [each.line for each in in_file("f", content)] == [2, 3, 4, 6]


@pytest.mark.slow
@given(st.text())
def test_any_text_is_a_diff(text: str) -> None:
    list(in_diff(text))


def test_modules_count_source_files_once() -> None:
    found = modules(["a/x.py", "a/x.py", "a/y.ts", "b/z.go", "README.md", "top.rs", "a/b/deep.c"], limit=3)
    assert plain([(each.path, each.files) for each in found]) == [("a", 2), (".", 1), ("a/b", 1)]


@pytest.mark.parametrize("name", ["style.css", "theme.scss", "index.html", "page/print.less", "Card.vue"])
def test_what_a_page_is_made_of_counts(name: str) -> None:
    assert modules([name, "notes.md"], limit=3) == modules([name], limit=3) != ()


@pytest.mark.parametrize(
    ("raw", "state"),
    [
        (b'{"status": "success"}', "passed"),
        (b'{"status": "completed", "conclusion": "failure"}', "failed"),
        (b'[{"status": "in_progress"}, {"status": "failed"}]', "running"),
        (b"[]", "unknown"),
        (b'{"status": 5}', "unknown"),
        (b"{", "unknown"),
        (b"", "unknown"),
        (b"PASSED\n", "passed"),
        (b"whatever", "unknown"),
        (b'<testsuites><testsuite name="a" tests="3" failures="1" errors="0">', "failed"),
        (b'<?xml version="1.0"?><testsuite errors="0" failures="0" tests="4"/>', "passed"),
        (b"<html>", "unknown"),
        (b'<testsuite tests="0">', "unknown"),
    ],
)
def test_ci_results(raw: bytes, state: str) -> None:
    assert ci_result(raw).state == state


@pytest.mark.slow
@given(st.binary(max_size=200))
def test_ci_garbage_never_raises(raw: bytes) -> None:
    ci_result(raw)
    ci_result(b"<" + raw)
    ci_result(b"{" + raw)


def test_playbooks_of_usual_projects() -> None:
    git = (
        *("summarise-commits", "stale-branches", "list-todos"),
        *("commit-work", "push-work", "catch-up", "update-lock", "review-work", "show-pull-request"),
        *("check-code", "install-packages", "approve-deployment", "reject-deployment"),
    )
    assert available([], can_test=False) == ("prepare-meeting", "show-certificate")
    assert available([".git"], can_test=False) == (*git, "prepare-meeting", "show-certificate")
    python = available([".git", "pyproject.toml", "tests"], can_test=True)
    assert python == ("run-tests", *git, "dependency-graph", "prepare-meeting", "show-certificate")


def test_the_last_recorded_run_is_of_this_repository() -> None:
    lines = [
        b'{"repo":"/a","at":"2026-01-01T10:00:00Z","head":"abc","passed":true}',
        b'{"repo":"/a","at":"2026-01-01T12:00:00+01:00","head":null,"passed":false,"fingerprint":"f","extra":1}',
        b'{"repo":"/b","at":"2026-01-02T10:00:00Z","head":"abc","passed":true}',
        b'{"repo":"/a","at":"2026-01-03T10:00:00","head":"no zone","passed":true}',
        b"garbage",
        b'{"repo":"/a","at":"2026-01-0',
    ]
    (found,) = last_runs(b"\n".join(lines), "/a")
    assert (found.at, found.passed) == (datetime(2026, 1, 1, 11, tzinfo=UTC), False)
    assert last_runs(b"", "/a") == ()


def test_of_each_project_the_last_run_counts_until_all_of_it_is_tested() -> None:
    def line(hour: int, within: str) -> bytes:
        return (
            f'{{"repo":"/a","at":"2026-01-01T{hour:02}:00:00Z","head":null,"passed":true,"within":"{within}"}}'.encode()
        )

    hours = {1: "api", 2: "", 3: "web", 4: "api/v1", 5: "api", 6: "web"}
    found = last_runs(b"\n".join(line(hour, within) for hour, within in hours.items()), "/a")
    assert [(run.at.hour, run.within) for run in found] == [(6, "web"), (5, "api"), (2, "")]
    assert [run.covers("api/x.py") for run in found] == [False, True, True]
    assert not found[1].covers("apis/x.py")


def test_what_a_test_program_writes_as_it_ends_is_the_trace_of_that_run() -> None:
    began, ended = datetime(2026, 1, 1, 11, tzinfo=UTC), datetime(2026, 1, 1, 11, 5, tzinfo=UTC)
    run = RecordedRun(repo="/a", at=began, head=None, passed=False, ended=ended)
    assert run.left(began)
    assert run.left(ended)
    assert run.left(ended + TRACE_LATE)
    assert not run.left(ended + 2 * TRACE_LATE), "somebody ran them since"
    older = RecordedRun(repo="/a", at=began, head=None, passed=False)
    assert not older.left(ended), "of a line without its end nothing is known but when it began"


@pytest.mark.slow
@given(st.text(max_size=300), st.integers(min_value=2, max_value=50))
def test_short_is_short_and_printable(text: str, chars_max: int) -> None:
    found = one_line(text, chars_max)
    assert len(found) <= chars_max
    assert found.isprintable()


def test_short_marks_what_it_cut() -> None:
    assert one_line("a  b\n\tc", 10) == "a b c"
    assert one_line("abcdefgh", 4) == "abc…"
    assert one_line("rtl\u202eevil", 20) == "rtlevil"


def test_settings_of_pages_are_no_module_that_tests_are_about() -> None:
    pages = ("docs/conf.py", "doc/source/conf.py", "docs/.vitepress/config.ts", "site/docusaurus.config.js")
    assert modules(pages, limit=9) == ()
    tested = ("conf.py", "docs/extension.py", "src/docs/api.py", "docs/conf.pyi")
    assert sum(each.files for each in modules(tested, limit=9)) == len(tested)
