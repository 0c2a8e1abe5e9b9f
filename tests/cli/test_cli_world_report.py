"""`pulse world report`, against a real HTTP server with answers laid out."""

import json
from datetime import UTC, date, datetime, timedelta

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.contract.world_day import WorldDayAnswer, WorldFact, WorldLane, WorldPause, WorldSpan
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub

DAY = "GET /api/v1/world/day"
TEN = datetime(2026, 1, 9, 9, tzinfo=UTC)


def minute(number: int) -> datetime:
    return TEN + timedelta(minutes=number)


LANE = WorldLane(
    session="abc123",
    task="Book Tokyo flight\u202e",
    need="confirmation number",
    status=AgentStatus.VERIFIED,
    said="Booked",
    asks="",
    tries=2,
    proven=False,
    worked_s=3_000,
    waited_s=300,
    checked_s=30,
    silent_s=1_500,
    agent="claude",
    checked_by="proof",
    spans=(
        WorldSpan(status=AgentStatus.ACTIVE, begin=minute(0), end=minute(30), said="searching"),
        WorldSpan(status=AgentStatus.FAILED, begin=minute(30), end=minute(35), said="captcha required"),
        WorldSpan(status=AgentStatus.RETRY, begin=minute(35), end=minute(59), said="again"),
        WorldSpan(status=AgentStatus.VERIFIED, begin=minute(60), end=minute(60), said="number found"),
    ),
    pauses=(
        WorldPause(kind="silence", begin=minute(2), end=minute(27)),
        WorldPause(kind="answer", begin=minute(30), end=minute(35)),
    ),
    events=(
        WorldFact(at=minute(35), source="user", identifier="abc123", text="XKCD42"),
        WorldFact(at=minute(61), source="", text="and on", refused=AgentStatus.ACTIVE),
    ),
)
ANSWER = WorldDayAnswer(
    day=date(2026, 1, 9),
    zone="Europe/Berlin",
    since=datetime(2026, 1, 8, 23, tzinfo=UTC),
    until=datetime(2026, 1, 9, 23, tzinfo=UTC),
    now=datetime(2026, 2, 1, tzinfo=UTC),
    lanes=(LANE,),
    events=(WorldFact(at=minute(5), source="chrome", identifier="kayak.com", text="found\n15 \x1b[31mflights"),),
    lines=12,
)


def test_a_day_is_told_in_its_order_and_in_the_persons_time(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(DAY, ANSWER)
    said = pulse("world", "report", "--day", "2026-01-09", "--search", "flight & co")
    assert said.code == 0, said.err
    assert hub.asked[-1][1] == "/api/v1/world/day?day=2026-01-09&search=flight+%26+co"
    assert "Friday 2026-01-09 (Europe/Berlin)\n1 session · 1 verified · 1 other event · 12 lines\n" in said.out
    story = [" ".join(line.split()) for line in said.out.splitlines() if line.startswith("  ")]
    assert story == [
        "needs: confirmation number",
        "10:00 active searching",
        "10:02 to 10:27 … nothing heard for 25 min",
        "10:30 failed captcha required",
        "10:30 to 10:35 … waited 5 min for an answer",
        "10:35 retry again",
        "10:35 you XKCD42",
        "11:00 verified number found (checked by proof)",
        "11:01 not taken active: and on",
    ]
    row = " ".join(next(line for line in said.out.splitlines() if line.startswith("abc123   ")).split())
    assert row.startswith("abc123 10:00 11:00 50 min 5 min 30 s 25 min verified Book Tokyo flight")


def test_a_day_is_safe_to_show(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(DAY, ANSWER)
    said = pulse("world", "report")
    assert hub.asked[-1][1] == "/api/v1/world/day"
    assert "\x1b" not in said.out
    assert "\u202e" not in said.out
    assert "not confirmed: any program can write to the file" in said.out


def test_what_was_left_out_is_said(pulse: Pulse, hub: SmallHub) -> None:
    counts = replace(ANSWER, unparsed=1, unknown=2, undated=3, more=4, cut_at=minute(0))
    hub.answer(DAY, counts)
    said = pulse("world", "report").out
    assert "1 line is no entry; `pulse world tail` says why." in said
    assert "2 lines name sessions that never began with `start`." in said
    assert "3 lines have no time, and nothing says when they were written." in said
    assert "4 more sessions or events are not shown; --search narrows it." in said
    assert "this day starts here at 10:00" in said


def test_what_still_waits_and_what_it_needs(pulse: Pulse, hub: SmallHub) -> None:
    failed = replace(
        LANE,
        status=AgentStatus.FAILED,
        asks="solve captcha",
        checked_by="",
        spans=LANE.spans[:2],
        pauses=(WorldPause(kind="answer", begin=minute(30), end=minute(35), is_open=True),),
        more=7,
    )
    hub.answer(DAY, replace(ANSWER, lanes=(failed,)))
    said = pulse("world", "report").out
    assert "0 verified · 1 failed" in said
    assert "captcha required (needs: solve captcha)" in said
    assert "waited 5 min for an answer, and still does" in said
    assert "7 more of its lines are not shown." in said


def test_a_day_on_which_nothing_was(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(DAY, replace(ANSWER, lanes=(), events=()))
    assert "Nothing happened on this day." in pulse("world", "report").out
    assert "Nothing on this day contains 'x'." in pulse("world", "report", "--search", "x").out


def test_many_events_are_cut_and_that_is_said(pulse: Pulse, hub: SmallHub) -> None:
    many = tuple(replace(ANSWER.events[0], text=str(number)) for number in range(60))
    hub.answer(DAY, replace(ANSWER, events=many))
    assert "The last 50 of 60 events" in pulse("world", "report").out


def test_json_is_the_answer_and_a_bad_day_is_refused_before_asking(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(DAY, ANSWER)
    assert json.loads(pulse("world", "report", "--json").out)["lanes"][0]["checkedBy"] == "proof"
    count = len(hub.asked)
    assert pulse("world", "report", "--day", "tomorrow").code == 2
    assert pulse("world", "report", "--search", "x" * 201).code == 2
    assert len(hub.asked) == count
