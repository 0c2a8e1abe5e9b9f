"""No difference between two texts goes unseen: not of a line's end, of blanks, or of what no editor shows."""

from hypothesis import given
from hypothesis import strategies as st

from hub.domain.canonical import visible
from hub.kit.line_diff import (
    DIFFED_CHARS_MAX,
    GOES_ON,
    NO_NEWLINE,
    as_new_file,
    blanks_told,
    line_diff,
    lines_of,
    whole,
)

PIECES = st.lists(
    st.sampled_from(("a", "b", "# ", " ", "\t", "\n", "\r", "\x0c", "\x1c", "\x85", "\u2028", "\u200b", "\u00a0")),
    max_size=8,
).map("".join)


def diff(before: str, after: str) -> list[str]:
    return [visible(line) for line in line_diff("f", before, after)[2:]]


def test_what_differs_stands_in_lines_with_those_around_it() -> None:
    assert line_diff("/a.py", "a\nb\n", "a\nc\n") == ["--- /a.py", "+++ /a.py", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]
    assert diff("one", "two") == ["@@ -1 +1 @@", "-one", "+two"], "two pieces of a line"
    assert line_diff("f", "a\n", "a\n") == []


def test_the_end_of_the_last_line_is_part_of_what_differs() -> None:
    assert diff("# old: ", "# old: \n")[1:] == ["-# old: ", GOES_ON, "+# old: "]
    assert diff("# only\n", "# only")[1:] == ["-# only", "+# only", GOES_ON]
    assert diff("\n", "")[1:] == ["-"]
    assert diff("", "x")[1:] == ["+x", GOES_ON]
    assert diff("a\nb", "a\nb\nc")[1:] == [" a", " b", "+c"]


def test_what_no_editor_shows_is_marked() -> None:
    assert diff("# x\x0c", "# x\n")[1:] == ["-# x⟨U+000C⟩", GOES_ON, "+# x"]
    assert diff("a\r\n", "a\n")[1:] == ["-a⟨U+000D⟩", "+a"]
    assert diff("# a\u2028b\n", "# a\nb\n")[1:] == ["-# a⟨U+2028⟩b", "+# a", "+b"]
    assert diff("a\u200b\n", "a\n")[1:] == ["-a⟨U+200B⟩", "+a"]


def test_blanks_are_marked_where_nothing_else_differs() -> None:
    assert diff("\tx\n", "    x\n")[1:] == ["-⟨U+0009⟩x", "+    x"]
    assert diff("x\n", "x  \n")[1:] == ["-x", "+x⟨U+0020⟩⟨U+0020⟩"]
    assert diff("a\u00a0b\n", "a b\n")[1:] == ["-a⟨U+00A0⟩b", "+a b"]
    assert diff("\tx\n", "\ty\n")[1:] == ["-\tx", "+\ty"]


@given(PIECES, PIECES)
def test_two_texts_that_differ_never_look_the_same(before: str, after: str) -> None:
    lines = diff(before, after)
    gone = [line[1:] for line in lines if not line.startswith(("+", "@@"))]
    come = [line[1:] for line in lines if not line.startswith(("-", "@@"))]
    signs = {line[0] for line in lines} - {"@"}
    assert (before == after) is (lines == [])
    assert before == after or (signs & {"+", "-"} and (gone != come or GOES_ON in lines))


@given(PIECES, PIECES)
def test_long_texts_are_given_whole(before: str, after: str) -> None:
    long = "y" * DIFFED_CHARS_MAX
    lines = line_diff("f", f"{before}{long}\n", f"{after}{long}\nz\n")
    assert sum(line.endswith(long) for line in lines) == 2
    assert "+z" in lines


def test_a_diff_of_others_and_a_new_file_hide_nothing_either() -> None:
    assert blanks_told("--- a\n+++ a\n-\tx\n+ x\n \ty") == "--- a\n+++ a\n-⟨U+0009⟩x\n+ x\n \ty"
    assert as_new_file("n", "a\x0cb\n\nc").endswith(f"@@ -0,0 +1,3 @@\n+a\x0cb\n+\n+c\n{NO_NEWLINE}\n")


def test_a_whole_text_is_told_line_by_line() -> None:
    assert list(whole("+", "a\n\nb")) == ["+a", "+", "+b", NO_NEWLINE]
    assert list(whole("-", "")) == []
    assert lines_of("a\x0cb\n\n") == ["a\x0cb", ""]
