"""JSON with comments: what is in a string is no comment, and nothing takes long."""

import pytest

from hub.kit.jsonc import object_in


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("// nothing yet\n", {}),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('{"a": "http://x/*y*/", /* b */ "c": [1, 2,], // d\n}', {"a": "http://x/*y*/", "c": [1, 2]}),
        ('{"a": "\\",}//", }', {"a": '",}//'}),
    ],
)
def test_comments_and_trailing_commas_are_passed_over(text: str, found: object) -> None:
    assert object_in(text) == found


@pytest.mark.parametrize("text", ["[1]", "{", '{"a": }', "[" * 100_000, '{"a": "b', '{"a": 1 /* b'])
def test_what_is_no_object_says_so(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        object_in(text)


@pytest.mark.parametrize("text", ["/*" * 500_000, '"' + '\\"' * 500_000 + "\\", "," * 1_000_000, '"' * 999_999])
def test_a_megabyte_that_never_closes_is_looked_at_once(text: str) -> None:
    # were it not, this test would never end
    try:
        assert object_in(text) == {}
    except ValueError:
        return
