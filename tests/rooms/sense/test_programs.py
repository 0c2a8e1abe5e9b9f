"""By which names a process goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sense.programs import names_of


@pytest.mark.parametrize(
    ("stat", "cmdline", "names"),
    [
        (b"7 (nginx) S 1 7", b"nginx: master process\0", {"nginx", "nginx: master process"}),
        (b"7 (python3) S 1", b"/usr/bin/python3\0-u\0/srv/bot.py\0--fast\0", {"python3", "bot.py"}),
        (b"7 (a) b (c) R 1", b"", {"a) b (c"}),
        (
            b"7 (a-name-cut-at-15) S",
            b"/opt/a-name-cut-at-15-characters\0",
            {"a-name-cut-at-15", "a-name-cut-at-15-characters"},
        ),
        (b"7 (kthreadd) S 0", b"", {"kthreadd"}),
        (b"7 (nginx) Z 1", b"", set()),
        (b"7 (nginx) X 1", b"nginx\0", set()),
        (b"", b"nginx\0", set()),
        (b"7 (nginx", b"nginx\0", set()),
    ],
)
def test_a_process_goes_by_its_own_name_its_program_and_its_script(
    stat: bytes, cmdline: bytes, names: set[str]
) -> None:
    assert names_of(stat, cmdline) == names


@given(st.binary(max_size=100), st.binary(max_size=100))
def test_anything_is_read(stat: bytes, cmdline: bytes) -> None:
    assert isinstance(names_of(stat, cmdline), frozenset)
