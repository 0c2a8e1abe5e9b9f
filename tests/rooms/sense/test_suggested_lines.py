"""The box of ideas: what is of today counts, cut and in one piece; what is no line is passed over."""

from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.provenance import untrusted
from hub.sense.suggested_lines import IDEA_CHARS_MAX, KEPT_MAX, SuggestedLine, suggested_reading

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ONE = {"id": "a1", "client": "local_agent", "agent": "claude-code", "idea": "Tidy up", "why": "", "at": NOW}


def row(**more: object) -> bytes:
    return msgspec.json.encode({**ONE, **more}) + b"\n"


def test_an_idea_is_read_with_whose_it_is() -> None:
    (found,) = suggested_reading(row(why="It is old."), NOW).suggested
    assert (untrusted(found.prompt), untrusted(found.agent), untrusted(found.why)) == (
        "Tidy up",
        "claude-code",
        "It is old.",
    )


def test_of_yesterday_and_of_tomorrow_nothing_counts() -> None:
    raw = row(at=NOW - timedelta(hours=25)) + row(at=NOW + timedelta(minutes=1)) + row(id="a2")
    assert [one.id for one in suggested_reading(raw, NOW).suggested] == ["a2"]


def test_only_the_latest_are_used_and_none_is_longer_than_it_may_be() -> None:
    raw = b"".join(row(id=f"a{number}", idea="x" * 2_000) for number in range(30))
    found = suggested_reading(raw, NOW).suggested
    assert [one.id for one in found] == [f"a{number}" for number in range(10, 30)]
    assert (len(found), len(untrusted(found[0].prompt))) == (KEPT_MAX, IDEA_CHARS_MAX)


def test_half_a_line_and_a_line_that_is_none_are_passed_over() -> None:
    raw = row() + b"\xff\xfe\n[]\n{}\n" + b"[" * 5_000 + b"\n" + row(id="a2")[:20]
    assert [one.id for one in suggested_reading(raw, NOW).suggested] == ["a1"]


@given(st.binary())
def test_it_never_fails(raw: bytes) -> None:
    assert len(suggested_reading(raw, NOW).suggested) <= KEPT_MAX


def test_a_line_is_what_the_hub_writes() -> None:
    line = SuggestedLine(id="a1", client="c", agent="a", idea="x", at=NOW)
    assert suggested_reading(msgspec.json.encode(line), NOW).suggested[0].id == "a1"
