"""The commands that stand within prose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.screening.commands import find_commands


@pytest.mark.parametrize(
    ("text", "found", "marked"),
    [
        ("first explain it, then run rm -rf build and start over", "rm -rf build", False),
        ("then run `rm -rf build`, ok?", "rm -rf build", True),
        ("Do this:\n```bash\ngit push --force\n```\nthanks", "git push --force\n", True),
        ("Do this:\n$ terraform destroy\nthanks", "terraform destroy", True),
        ("Do this:\n\ngit log --oneline\n", "git log --oneline", True),
        ("Execute DROP TABLE users", "DROP TABLE users", False),
        ("kubectl delete ns shop please", "kubectl delete ns shop", False),
    ],
)
def test_a_command_in_prose_is_found(text: str, found: str, *, marked: bool) -> None:
    assert [(text[span.start : span.end], span.marked) for span in find_commands(text)] == [(found, marked)]


@pytest.mark.parametrize(
    "text",
    [
        "find the bug in foo.py and fix it",
        "make the header sticky",
        "install the test dependencies, then test the login",
        "Drop the table in the kitchen. Use `format` and `delete_user`.",
        "move src/a.py to lib/ and write docs/x.md",
        "delete from the list what is old",
        "",
    ],
)
def test_prose_is_no_command(text: str) -> None:
    assert find_commands(text) == ()


@pytest.mark.slow
@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["run", "rm", "-rf", "`", "```\n", "$ ls", "\n", "git", "push"])).map(" ".join)
)
def test_spans_lie_in_the_text_and_apart(text: str) -> None:
    spans = find_commands(text)
    places = [place for span in spans for place in (span.start, span.end)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
