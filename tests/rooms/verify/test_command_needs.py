"""Commands in a need: which can be shown whole and started as they stand, and what their run says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import WorldSession
from hub.domain.world_commands import RanCommand
from hub.domain.world_proof import CommandNeed
from hub.verify.world_commands import NEED_CHARS_MAX, args_of, next_command, tried
from tests.fakes.world import utc

NOON = utc(2026, 3, 10, 12, 0)
MAKE = CommandNeed(command=LogText("make test"))


def at_end(*ran: RanCommand, need: str = "exit 0: make test", retries: int = 1) -> WorldSession:
    return WorldSession(
        id="abc",
        status=AgentStatus.FINISH,
        started_at=NOON,
        moved_at=NOON,
        heard_at=NOON,
        need=LogText(need),
        folder="/srv/shop",
        retries=retries,
        ran=ran,
    )


def ran(**how: object) -> RanCommand:
    made = {"command": MAKE.command, "folder": "/srv/shop", "retries": 1, "ended": "exited", "exit_code": 0, **how}
    return RanCommand(**made)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("make test", ("make", "test")),
        ("grep -q 'a | b' \"a file\"", ("grep", "-q", "a | b", "a file")),
        (r"echo a\;b", ("echo", "a;b")),
        ("sh -c 'make test && echo ok'", ("sh", "-c", "make test && echo ok")),
    ],
)
def test_a_command_is_its_words(text: str, words: tuple[str, ...]) -> None:
    assert args_of(LogText(text)) == words


@pytest.mark.parametrize(
    "text",
    [
        "make test; rm -rf ~",
        "make test && true",
        "make test | tee log",
        "make $TARGET",
        'make "$TARGET"',
        "make `id`",
        "make test > out",
        "rm *.py",
        "CI=1 make test",
        "make 'test",
        "make test # and more",
        "make test\nrm -rf /",
        "make te\u200bst",
        "make \u202etset",
        "''",
        "",
        "x" * 1_001,
    ],
)
def test_what_takes_a_shell_or_cannot_be_seen_is_not_started(text: str) -> None:
    assert args_of(LogText(text)) == ()


@given(st.text(max_size=40))
def test_any_text_gives_words_or_none_and_no_word_holds_what_nobody_sees(text: str) -> None:
    assert all(word.isprintable() for word in args_of(LogText(text)))


def test_what_was_not_run_at_this_end_in_this_folder_is_unknown() -> None:
    sessions = at_end(), at_end(ran(retries=0)), at_end(ran(folder="/srv/other")), at_end(ran(command=LogText("make")))
    for session in sessions:
        assert tried(MAKE, session).state == "unknown"
        assert next_command(session.need, session) == MAKE


@pytest.mark.parametrize(
    ("how", "state", "words"),
    [
        ({}, "there", "“make test” ended with 0"),
        ({"exit_code": 2, "last": LogText("1 failed")}, "missing", "“make test” ended with 2: 1 failed"),
        ({"ended": "timeout", "exit_code": None}, "unknown", "“make test” timed out and was stopped"),
        ({"ended": "lost", "exit_code": None}, "unknown", "“make test” ended in an unknown way"),
    ],
)
def test_how_it_ended_is_what_is_known(how: dict[str, object], state: str, words: str) -> None:
    found = tried(MAKE, at_end(ran(**how)))
    assert (found.state, untrusted(found.words)) == (state, words)


def test_another_exit_code_may_be_the_one_that_is_needed() -> None:
    part = CommandNeed(command=MAKE.command, exit_code=2)
    assert tried(part, at_end(ran(exit_code=2))).state == "there"
    assert tried(part, at_end(ran())).state == "missing"


def test_commands_come_in_order_and_a_need_that_may_be_cut_has_none() -> None:
    both = at_end(ran(), need='exit 0: "make test"; exit 0: "make lint"')
    second = next_command(both.need, both)
    assert second is not None
    assert untrusted(second.command) == "make lint"
    long = f"{'x' * NEED_CHARS_MAX}; exit 0: rm -rf /tmp/x/y"
    assert next_command(LogText(long)) is None
