"""Lines of one day in, lanes out: spans, waits, silences, and what nobody should be able to make of a day."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import AgentLine, WorldEvent, WorldLine, WorldSession
from hub.domain.world_day import EVENTS_MAX, LANES_MAX, PARTS_MAX, SILENCE, DayBounds, DayLane, WorldDay
from hub.domain.world_lines import digest_of, read_line
from hub.domain.world_queries import KnownOwnLines
from hub.sense import day_of

SINCE = datetime(2026, 1, 9, tzinfo=UTC)
BOUNDS = DayBounds(since=SINCE, until=SINCE + timedelta(days=1), now=SINCE + timedelta(days=3))
ESCALATION = """\
# A day
[2026-01-09T12:00:00Z][agent:start][ghi789] Book a table | need: confirmation email
[2026-01-09T12:00:05Z][agent:active][ghi789] opening the page
[2026-01-09T12:03:00Z][event:chrome][table.example] opened
[2026-01-09T12:05:00Z][agent:failed][ghi789] captcha required | need: solve captcha
[2026-01-09T12:05:01Z][event:system][ghi789] asked for the captcha
[2026-01-09T12:10:00Z][event:user][ghi789] captcha text: XKCD42
[2026-01-09T12:10:05Z][agent:retry][ghi789] Retrying with user input
[2026-01-09T12:10:10Z][agent:active][ghi789] going on
[2026-01-09T12:45:10Z][agent:active][ghi789] still there
[2026-01-09T12:50:00Z][agent:finish][ghi789] Reserved 7pm
what is this
[2026-01-09T12:50:30Z][agent:verified][ghi789] success criteria met
[2026-01-09T12:51:00Z][agent:active][ghi789] and on
"""


def lines(text: str) -> list[WorldLine]:
    return [read_line(raw) for raw in text.encode().splitlines()]


def day(text: str, *known: WorldSession, bounds: DayBounds = BOUNDS, search: str = "") -> WorldDay:
    return day_of(lines(text), {one.id: one for one in known}, bounds, search=search)


def clocks(lane: DayLane) -> list[tuple[str, str, str]]:
    return [(span.status or "?", f"{span.begin:%H:%M:%S}", f"{span.end:%H:%M:%S}") for span in lane.spans]


def pauses(lane: DayLane) -> list[tuple[str, str, str]]:
    return [(one.kind, f"{one.begin:%H:%M:%S}", f"{one.end:%H:%M:%S}") for one in lane.pauses]


def session(status: AgentStatus, *, started: int, moved: int, heard: int | None = None) -> WorldSession:
    """A session as the hub knows it, by hours of the day."""
    at = [SINCE + timedelta(hours=hours) for hours in (started, moved, moved if heard is None else heard)]
    return WorldSession(
        id="abc",
        status=status,
        started_at=at[0],
        moved_at=at[1],
        heard_at=at[2],
        task=LogText("Task"),
        said=LogText("x"),
    )


def test_a_day_says_how_long_each_part_took() -> None:
    found = day(ESCALATION)
    [lane] = found.lanes
    assert clocks(lane) == [
        ("start", "12:00:00", "12:00:05"),
        ("active", "12:00:05", "12:05:00"),
        ("failed", "12:05:00", "12:10:05"),
        ("retry", "12:10:05", "12:10:10"),
        ("active", "12:10:10", "12:50:00"),
        ("finish", "12:50:00", "12:50:30"),
        ("verified", "12:50:30", "12:50:30"),
    ]
    assert [untrusted(span.said) for span in lane.spans][4] == "still there"


def test_a_day_says_what_was_waited_for_and_where_nothing_was_heard() -> None:
    [lane] = day(ESCALATION).lanes
    assert pauses(lane) == [
        ("answer", "12:05:00", "12:10:00"),
        ("silence", "12:10:10", "12:45:10"),
        ("check", "12:50:00", "12:50:30"),
    ]
    assert not any(one.is_open for one in lane.pauses)


def test_facts_of_no_session_stand_by_themselves_and_what_is_no_entry_is_counted() -> None:
    found = day(ESCALATION)
    assert [(one.source, untrusted(one.text)) for one in found.events] == [("chrome", "opened")]
    assert [one.source for one in found.lanes[0].events] == ["system", "user", ""]
    assert found.lanes[0].events[-1].refused is AgentStatus.ACTIVE
    assert (found.lines, found.unparsed, found.unknown, found.undated) == (13, 1, 0, 0)


def test_what_still_waits_is_open_up_to_now_and_not_beyond() -> None:
    now = SINCE + timedelta(hours=12, minutes=8)
    bounds = replace(BOUNDS, now=now)
    [lane] = day("\n".join(ESCALATION.splitlines()[:5]), bounds=bounds).lanes
    assert lane.spans[-1].end == now
    assert [(one.kind, one.end, one.is_open) for one in lane.pauses] == [("answer", now, True)]


def test_what_had_begun_before_goes_on_at_midnight() -> None:
    text = """\
[2026-01-08T23:00:00Z][agent:start][abc] x
[2026-01-08T23:30:00Z][agent:failed][abc] stuck
[2026-01-09T08:00:00Z][agent:retry][abc] again
[2026-01-09T08:10:00Z][agent:active][abc] on it
[2026-01-10T01:00:00Z][agent:finish][abc] done
"""
    [lane] = day(text).lanes
    assert clocks(lane) == [
        ("failed", "00:00:00", "08:00:00"),
        ("retry", "08:00:00", "08:10:00"),
        ("active", "08:10:00", "00:00:00"),
    ]
    assert pauses(lane)[0] == ("answer", "00:00:00", "08:00:00")
    assert lane.session.status is AgentStatus.ACTIVE


def test_of_a_session_whose_beginning_was_not_read_only_what_is_certain_is_said() -> None:
    known = session(AgentStatus.VERIFIED, started=-30, moved=11)
    [lane] = day("[2026-01-09T10:00:00Z][agent:finish][abc] done", known).lanes
    assert clocks(lane) == [
        ("active", "00:00:00", "10:00:00"),
        ("finish", "10:00:00", "11:00:00"),
        ("verified", "11:00:00", "11:00:00"),
    ]
    [lane] = day("[2026-01-09T10:00:00Z][agent:retry][abc] again", replace(known, status=AgentStatus.RETRY)).lanes
    assert clocks(lane)[0] == ("?", "00:00:00", "10:00:00")


def test_a_session_that_the_hub_alone_knows_has_a_lane() -> None:
    [lane] = day("", session(AgentStatus.FAILED, started=9, moved=10)).lanes
    assert clocks(lane) == [("?", "09:00:00", "10:00:00"), ("failed", "10:00:00", "00:00:00")]
    assert day("", session(AgentStatus.VERIFIED, started=-30, moved=-20)).lanes == ()


def test_lines_without_a_time_have_that_of_the_line_before_or_what_the_hub_knows() -> None:
    text = "[agent:start][abc] Task\n[agent:active][abc] looking\n[agent:finish][abc] x\n[event:bash][make] ok\n"
    assert day(text).undated == 4
    known = session(AgentStatus.FINISH, started=9, moved=11)
    found = day(f"[2026-01-09T09:30:00Z][event:file][a.txt] made\n{text}", known)
    assert clocks(found.lanes[0])[:2] == [("start", "09:00:00", "09:30:00"), ("active", "09:30:00", "11:00:00")]
    assert [(one.source, one.about) for one in found.events] == [("file", False), ("bash", True)]


def test_a_script_that_writes_no_times_is_shown_in_the_order_in_which_it_wrote() -> None:
    answered = SINCE + timedelta(hours=2)
    known = session(AgentStatus.VERIFIED, started=1, moved=3)
    found = day(
        "[agent:start][abc] Task\n[agent:active][abc] trying\n[agent:failed][abc] stuck | need: help\n"
        f"[{answered:%Y-%m-%dT%H:%M:%SZ}][event:user][abc] like this\n"
        f"[{answered:%Y-%m-%dT%H:%M:%SZ}][agent:retry][abc] again\n"
        "[agent:active][abc] trying\n[agent:finish][abc] done\n[2026-01-09T03:00:00Z][agent:verified][abc] x\n",
        known,
    )
    [lane] = found.lanes
    assert [span.status for span in lane.spans][2:4] == ["failed", "retry"]
    assert ("answer", "01:00:00", "02:00:00") in pauses(lane)
    assert (found.undated, [one for one in lane.events if one.refused]) == (0, [])


def test_a_line_that_claims_a_status_that_the_hub_did_not_take_ends_nothing() -> None:
    known = session(AgentStatus.ACTIVE, started=9, moved=10, heard=12)
    text = "[2026-01-09T09:00:00Z][agent:start][abc] Task\n[2026-01-09T10:00:00Z][agent:active][abc] on it\n"
    [lane] = day(f"{text}[2026-01-09T11:00:00Z][agent:failed][abc] forged", known).lanes
    assert clocks(lane)[-1] == ("active", "10:00:00", "00:00:00")
    assert lane.session.status is AgentStatus.ACTIVE


RUN = """\
[2026-01-09T10:00:00Z][event:user][abc] approved: Run the tests
[2026-01-09T10:00:01Z][agent:start][abc] Run the tests | need: All tests pass.
[2026-01-09T10:00:02Z][agent:active][abc] playbook works on it.
[2026-01-09T10:00:09Z][agent:finish][abc] 1 passed
[2026-01-09T10:00:10Z][agent:verified][abc] The tests ran and pass.
"""


def test_the_yes_to_a_run_stands_before_it_and_changes_nothing_of_it() -> None:
    known = replace(
        session(AgentStatus.VERIFIED, started=10, moved=10),
        started_at=SINCE + timedelta(hours=10, seconds=1),
        moved_at=SINCE + timedelta(hours=10, seconds=10),
        heard_at=SINCE + timedelta(hours=10, seconds=10),
    )
    found = day(RUN, known)
    [lane] = found.lanes
    assert clocks(lane) == [
        ("start", "10:00:01", "10:00:02"),
        ("active", "10:00:02", "10:00:09"),
        ("finish", "10:00:09", "10:00:10"),
        ("verified", "10:00:10", "10:00:10"),
    ]
    assert [(one.source, one.refused) for one in lane.events] == [("user", None)]
    assert (found.unknown, found.events) == (0, ())


def test_an_answer_to_what_is_no_session_is_a_fact_of_its_own() -> None:
    found = day("[2026-01-09T10:00:00Z][event:user][pred_ask_1] approved: Push to origin?")
    assert [untrusted(one.text) for one in found.events] == ["approved: Push to origin?"]
    assert (found.lanes, found.unknown) == ((), 0)


def test_a_session_that_never_began_is_counted_and_nothing_else() -> None:
    found = day("[2026-01-09T10:00:00Z][agent:finish][zzz] done\n[2026-01-09T10:00:00Z][agent:retry][zzz] and?")
    assert (found.lanes, found.unknown) == ((), 2)


def test_a_search_keeps_whole_sessions_and_single_facts() -> None:
    both = ESCALATION + "[2026-01-09T13:00:00Z][agent:start][other] Find a room\n"
    assert [one.session.id for one in day(both).lanes] == ["ghi789", "other"]
    found = day(both, search="XKCD")
    assert ([one.session.id for one in found.lanes], found.events) == (["ghi789"], ())
    assert len(found.lanes[0].spans) == 7
    assert len(day(both, search="TABLE.example").events) == 1
    assert day(both, search="no such thing").lanes == ()
    assert day(both, search="x").lines == 14


def test_of_too_much_the_latest_is_kept_and_the_rest_counted() -> None:
    at = [f"[2026-01-09T10:{second // 60 % 60:02}:{second % 60:02}Z]" for second in range(3_000)]
    many = "".join(f"{one}[agent:start][s{number}] x\n" for number, one in enumerate(at[: LANES_MAX + 3]))
    facts = "".join(f"{one}[event:bash][b] {number}\n" for number, one in enumerate(at[: EVENTS_MAX + 5]))
    told = "".join(f"{one}[event:user][s202] {number}\n" for number, one in enumerate(at[300 : 307 + PARTS_MAX]))
    found = day(many + facts + told)
    assert (len(found.lanes), len(found.events), found.more) == (LANES_MAX, EVENTS_MAX, 8)
    assert found.lanes[0].session.id == "s3"
    assert untrusted(found.events[-1].text) == str(EVENTS_MAX + 4)
    assert (len(found.lanes[-1].events), found.lanes[-1].more) == (PARTS_MAX, 7)


STATUSES = st.sampled_from(AgentStatus)
TIMES = st.none() | st.integers(-30 * 3_600, 80 * 3_600).map(lambda second: SINCE + timedelta(seconds=second))
NAMES = st.sampled_from(["a", "b", "c"])
LINES = st.one_of(
    st.builds(AgentLine, status=STATUSES, session=NAMES, at=TIMES, text=st.just(LogText("x"))),
    st.builds(WorldEvent, source=st.sampled_from(["user", "system", "bash"]), identifier=NAMES.map(LogText), at=TIMES),
    st.builds(read_line, st.sampled_from([b"junk", b"# remark", b"[2026-01-09T10:00:00Z][read:r][3]"])),
)
KNOWN = st.builds(
    lambda status, hours: session(status, started=hours[0], moved=hours[1], heard=hours[2]),
    STATUSES,
    st.lists(st.integers(-30, 80), min_size=3, max_size=3).map(sorted),
)


@given(st.lists(LINES, max_size=40), st.lists(KNOWN, max_size=1), st.integers(-1, 80))
def test_whatever_is_written_a_day_is_a_day(some: list[WorldLine], known: list[WorldSession], now: int) -> None:
    bounds = replace(BOUNDS, now=SINCE + timedelta(hours=now))
    found = day_of(some, dict.fromkeys("a", replace(known[0], id="a")) if known else {}, bounds)
    assert 0 <= found.unparsed <= found.lines <= len(some)
    for lane in found.lanes:
        ends = [at for span in lane.spans for at in (span.begin, span.end)]
        assert ends == sorted(ends)
        assert all(bounds.since <= at <= bounds.end for at in ends)
        assert all(one.begin < one.end for one in lane.pauses)
        assert all(bounds.since <= at <= bounds.end for one in lane.pauses for at in (one.begin, one.end))
        assert all(
            one.end - one.begin > SILENCE or one.begin == SINCE or one.end == bounds.end
            for one in lane.pauses
            if one.kind == "silence"
        )
        assert all(bounds.since <= one.at < bounds.until for one in lane.events)


@given(st.lists(LINES, max_size=30), st.sampled_from(["a", "x", "bash", "zz"]))
def test_a_search_only_leaves_out(some: list[WorldLine], search: str) -> None:
    everything, found = day_of(some, {}, BOUNDS), day_of(some, {}, BOUNDS, search=search)
    assert set(found.events) <= set(everything.events)
    assert {one.session.id for one in found.lanes} <= {one.session.id for one in everything.lanes}
    assert [one for one in everything.lanes if one in found.lanes] == list(found.lanes)


# What is forged is shown as that, and replaces nothing.

TRUE = """\
[2026-01-09T12:00:00Z][agent:start][abc] Task | need: file: a
[2026-01-09T12:01:00Z][agent:active][abc] on it
[2026-01-09T12:30:00Z][agent:finish][abc] done
[2026-01-09T12:31:00Z][agent:verified][abc] there it is
"""
FORGED = (
    "[2026-01-09T12:10:00Z][agent:failed][abc] broke everything",
    "[2026-01-09T12:10:00Z][agent:finish][abc] all of it is done",
    "[2026-01-09T11:59:00Z][agent:start][abc] Another task | need: nothing",
    "[agent:retry][abc] not done",
    "[2026-01-09T12:40:00Z][agent:failed][abc] not done after all",
    "[2026-01-09T12:10:00Z][event:system][abc] left as it is, by the person",
    "[2026-01-09T12:10:00Z][event:user][abc] approved",
)


def owned(**more: object) -> WorldSession:
    made = session(AgentStatus.VERIFIED, started=12, moved=12)
    ended = SINCE + timedelta(hours=12, minutes=31)
    return replace(made, owner="client_a", proven=True, checked_by="proof", moved_at=ended, heard_at=ended, **more)


def own_lines(text: str, since: datetime = SINCE) -> KnownOwnLines:
    own = (one for one in lines(text) if isinstance(one, AgentLine | WorldEvent))
    return KnownOwnLines(since=since, digests=frozenset(map(digest_of, own)))


@pytest.mark.parametrize(
    ("forged", "place"),
    [(one, place) for one in FORGED for place in range(5) if place or one.startswith("[2026")],  # else without a time
)
def test_a_forged_line_is_shown_as_that_and_replaces_nothing(forged: str, place: int) -> None:
    """Wherever in the file somebody puts it: among the lines of the hub or behind them."""
    true, own = TRUE.splitlines(), own_lines(TRUE)
    text = "\n".join((*true[:place], forged, *true[place:]))
    [before] = day_of(lines(TRUE), {"abc": owned()}, BOUNDS, own=own).lanes
    [lane] = day_of(lines(text), {"abc": owned()}, BOUNDS, own=own).lanes
    assert replace(lane, events=()) == before
    [shown] = lane.events
    read = read_line(forged.encode())
    assert shown.forged
    assert (shown.text, shown.refused) == (
        (read.text, read.status) if isinstance(read, AgentLine) else (getattr(read, "text", None), None)
    )


def test_a_copy_of_a_true_line_is_forged_too() -> None:
    text = TRUE + TRUE.splitlines()[1] + "\n"
    [lane] = day_of(lines(text), {"abc": owned()}, BOUNDS, own=own_lines(TRUE)).lanes
    assert [one.refused for one in lane.events if one.forged] == [AgentStatus.ACTIVE]
    assert [status for status, _, _ in clocks(lane)] == ["start", "active", "finish", "verified"]


def test_a_line_of_the_file_verifies_nothing_on_its_day_either() -> None:
    began = replace(session(AgentStatus.FINISH, started=12, moved=12), proven=False)
    for known in ({}, {"abc": began}):
        [lane] = day_of(lines(TRUE), known, BOUNDS, own=own_lines("", since=SINCE)).lanes
        assert [status for status, _, _ in clocks(lane)][-1] == "finish"
        assert [one.refused for one in lane.events if one.forged] == [AgentStatus.VERIFIED]


def test_of_what_is_older_than_the_record_nobody_can_say() -> None:
    for own in (KnownOwnLines(), own_lines("", since=SINCE + timedelta(hours=13))):
        [lane] = day_of(lines(TRUE), {"abc": owned()}, BOUNDS, own=own).lanes
        assert (len(lane.spans), lane.events) == (4, ())


def test_a_session_that_was_left_at_its_failure_waits_for_nobody() -> None:
    """Also where the file tells the whole day: a run of a card is left at once, for the card asks."""
    text = """\
[2026-01-09T12:00:00Z][agent:start][abc] Task
[2026-01-09T12:00:05Z][agent:active][abc] it works
[2026-01-09T13:00:00Z][agent:failed][abc] no
"""
    failed = session(AgentStatus.FAILED, started=12, moved=13)
    [waiting] = day(text, failed, bounds=replace(BOUNDS, now=SINCE + timedelta(hours=14))).lanes
    assert pauses(waiting)[-1] == ("answer", "13:00:00", "14:00:00")
    left_at = SINCE + timedelta(hours=13, minutes=10)
    [left] = day(text, replace(failed, left_at=left_at), bounds=replace(BOUNDS, now=SINCE + timedelta(hours=14))).lanes
    assert pauses(left)[-1] == ("answer", "13:00:00", "13:10:00")
    assert left.session.left_at == left_at
