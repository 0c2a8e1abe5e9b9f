"""What the drives remember as files: there and back, from the public implementation, and from files in any state."""

import json
import math
import re
import string
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.drives import WakeEnd
from hub.contract.words import TextSource
from hub.domain.drives import DRIVES_MAX, WANTS_MAX, Drive, Drives, Tuning, Want
from hub.domain.provenance import AgentText, RepositoryText, say
from hub.may import linked, verify
from hub.when.drives import exported, imported, pressure_at
from hub.when.drives.portable import AUDIT, BYTES_MAX, OVERRIDES, QUEUE, STATE, WAKES
from hub.when.drives.portable_end import wrong_end
from hub.when.drives.portable_reading import COMPLAINTS_MAX
from tests.rooms.when.drives.drive_files_at_hand import ASKED, RECORD, WAKE, read, state
from tests.rooms.when.drives.drives_at_hand import HOUR, MINUTE, NOW, RULES, drive, drives, want

AGENTS = frozenset({TextSource.AGENT})
MOMENTS = st.datetimes(NOW.replace(tzinfo=None) - timedelta(days=900), NOW.replace(tzinfo=None)).map(
    lambda at: at.replace(tzinfo=NOW.tzinfo)
)
NAMES = st.text(string.ascii_letters + string.digits + "_-", min_size=1, max_size=32)
WANTS = st.builds(
    Want,
    key=st.text(max_size=20),
    sensor=NAMES,
    strength=st.floats(0.0, 1.0),
    says=st.text(max_size=20).map(lambda words: say("{a} {b}", a=RepositoryText(words), b=AgentText("x"))),
    since=MOMENTS,
    brought_at=st.none() | MOMENTS,
    until=st.none() | MOMENTS.map(lambda at: at + HOUR),
)
DRIVE = st.builds(
    Drive,
    name=NAMES,
    weight=st.floats(0.0, 3.0),
    pressure=st.floats(0.0, RULES.pressure_max),
    at=st.none() | MOMENTS,
    addressed_at=st.none() | MOMENTS,
    wants=st.lists(WANTS, max_size=3).map(tuple),
)
DRIVES = st.builds(
    Drives,
    drives=st.lists(DRIVE, max_size=4, unique_by=lambda one: one.name).map(tuple),
    tuning=st.builds(
        Tuning,
        threshold=st.none() | st.floats(2.0, 9.5),
        rate_per_min=st.none() | st.floats(0.001, 0.1),
        cooldown_s=st.none() | st.floats(60.0, 3600.0),
        turns_per_hour_max=st.none() | st.integers(1, 30),
    ),
    woke_at=st.lists(MOMENTS, max_size=3).map(tuple),
    mutated_at=st.lists(MOMENTS, max_size=3).map(tuple),
    audit_hash=st.text("0123456789abcdef", max_size=64),
    audit_count=st.integers(0, 10**6),
    heard=st.lists(st.text(max_size=10), max_size=3).map(tuple),
    removed=st.lists(NAMES, max_size=2).map(tuple),
)


@pytest.mark.slow
@settings(max_examples=200)
@given(DRIVES)
def test_there_and_back_is_the_same(drawn: Drives) -> None:
    remembered = replace(drawn, audit_hash=linked(RECORD, "").hash, audit_count=1)
    files = exported(remembered, [WAKE], [ASKED], [linked(RECORD, "")], NOW)
    back = imported(files, RULES, NOW)
    assert back.drives == remembered
    assert (back.wakes, back.queue, back.records) == ((WAKE,), (ASKED,), (linked(RECORD, ""),))
    assert (back.is_theirs, back.notes, back.problems) == (False, (), ())
    assert verify(back.records) is None
    assert exported(back.drives, back.wakes, back.queue, back.records, NOW) == files


@pytest.mark.parametrize("ended", get_args(WakeEnd))
def test_what_was_not_handed_over_is_no_success_to_the_sources_own_readers(ended: WakeEnd) -> None:
    line = json.loads(exported(drives(), [replace(WAKE, ended=ended)], [], [], NOW)[WAKES])
    assert line["success"] is (ended not in {"undelivered", "interrupted"})


def test_words_that_came_in_a_file_count_as_an_agents() -> None:
    """Whoever could write the file could have left out that it quotes somebody."""
    back = imported(exported(drives(drive("goals", want())), [], [], [], NOW), RULES, NOW)
    assert back.drives is not None
    assert back.drives.drives[0].wants[0].says.quotes == AGENTS
    assert back.drives.drives[0].wants[0].says.text == "Something is open"
    assert back.drives.drives[0].wants[0].says.wording is None, "a file does not say how another language has it"


def test_whether_an_agent_can_be_reached_stays_on_its_machine() -> None:
    away = replace(drives(drive()), away_since=NOW - HOUR, away_tries=7)
    back = imported(exported(away, [], [], [], NOW), RULES, NOW)
    assert back.drives == drives(drive())


def test_it_goes_on_where_it_was() -> None:
    one = drive("goals", want(), pressure=4.0, weight=1.5)
    later = NOW + 90 * MINUTE
    back = imported(exported(drives(one), [], [], [], NOW), RULES, later)
    assert back.drives is not None
    assert pressure_at(back.drives.drives[0], RULES, later) == pressure_at(one, RULES, later)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not complete JSON"),
        (b'{"drives": {"goals": {"pressure": 0.', "not complete JSON"),
        (b"\xff\xfe{}", "not UTF-8 text"),
        (b"[1]", "not an object"),
        (b"7" * 5_000, "too long"),
        (b"7" * 30, "not an object"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": "\\ud800"}', "not UTF-8 text"),
        (b" " * (BYTES_MAX[STATE] + 1), "larger than 1 MB"),
        (b" " * 10_000_000, "larger than 1 MB"),
    ],
)
def test_a_state_that_is_none_is_told_and_nothing_is_made_of_it(body: bytes, words: str) -> None:
    back = read(state=body, wakes=exported(Drives(), [WAKE], [], [], NOW)[WAKES])
    assert back.drives is None
    assert words in back.problems[0]
    assert back.problems[0].startswith(STATE)
    assert back.wakes == (WAKE,)


@pytest.mark.parametrize("wrong", ["NaN", "Infinity", "-Infinity", "1e999", "1e300", '"5"', "true", "[]", "{}"])
def test_a_number_that_is_none_is_told_and_the_rest_is_read(wrong: str) -> None:
    body = f'{{"drives": {{"goals": {{"pressure": {wrong}, "weight": 1.5}}, "system": {{"pressure": 0.14}}}}}}'
    back = read(state=body.encode())
    assert back.drives is not None
    goals, system = back.drives.drives
    assert (goals.pressure, goals.weight) == (0.0, 1.5)
    assert system.pressure == pytest.approx(1.0)
    assert back.problems == (f"{STATE}, drive goals: pressure is not a plausible number; it was skipped.",)


def test_what_is_out_of_range_is_brought_within_and_said() -> None:
    body = {"drives": {"goals": {"pressure": -3, "weight": 99}}, "config_overrides": {"min_trigger_interval": 1}}
    back = read(state=state(**body))
    assert back.drives is not None
    assert (back.drives.drives[0].pressure, back.drives.drives[0].weight) == (0.0, 3.0)
    assert back.drives.tuning.cooldown_s == 60.0
    assert sum("was read as" in note for note in back.notes) == 3


def test_a_clock_that_was_ahead_holds_nothing_up() -> None:
    ahead = replace(drive("goals", want()), at=NOW + 10 * HOUR)
    (goals,) = (imported(exported(drives(ahead), [], [], [], NOW), RULES, NOW).drives or Drives()).drives
    assert goals.at == NOW
    for at in (NOW + 900 * HOUR, NOW - timedelta(days=365 * 70)):
        back = imported(exported(drives(replace(ahead, at=at)), [], [], [], NOW), RULES, NOW)
        assert "at is too far in the future, or before 1970" in back.problems[0]


@pytest.mark.parametrize(
    "moment", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "2026-03-02T14:30:00", "soon", 5]
)
def test_a_want_with_a_moment_that_cannot_be_is_left_out_and_told(moment: object) -> None:
    files = exported(drives(drive("goals", want("one"), want("two"))), [], [], [], NOW)
    found = json.loads(files[STATE])
    found["drives"]["goals"]["wants"][0]["brought_at"] = moment
    back = read(state=json.dumps(found).encode())
    assert back.drives is not None
    assert [one.key for one in back.drives.drives[0].wants] == ["two"]
    assert "a want" in back.problems[0]


def test_nothing_is_read_without_end() -> None:
    many = {f"d{number}": {"pressure": 0.1} for number in range(100)}
    back = read(state=state(drives=many))
    assert back.drives is not None
    assert len(back.drives.drives) == DRIVES_MAX
    assert "of 100 drives the first 15" in back.problems[0]
    crowded = drives(drive("goals", *(want(f"{number}") for number in range(WANTS_MAX + 5))))
    back = imported(exported(crowded, [], [], [], NOW), RULES, NOW)
    assert back.drives is not None
    assert len(back.drives.drives[0].wants) == WANTS_MAX
    back = read(queue=json.dumps([{"type": "spike_drive", "drive": "goals", "amount": 1}] * 10_000).encode())
    assert len(back.queue) == 1_000
    back = read(wakes=b"{broken\n" * 10_000)
    assert len(back.problems) == COMPLAINTS_MAX + 1
    assert back.problems[-1] == "and 9950 more"
    assert all(len(problem) <= 300 for problem in read(state=state(drives={"\n" * 900_000: 1})).problems)


def test_lines_that_cannot_be_read_are_told_by_number_and_the_others_stay() -> None:
    line = exported(Drives(), [WAKE], [], [], NOW)[WAKES].strip()
    files = {
        STATE: exported(Drives(), [], [], [], NOW)[STATE],
        WAKES: b"\n".join([line, b"[1]", line[:40], b'{"id": "x"}', b"", b" " * 70_000 + b"1", line]),
    }
    back = imported(files, RULES, NOW)
    assert back.wakes == (WAKE, WAKE)
    assert [problem.split(":")[0] for problem in back.problems] == [
        "trigger-history.jsonl, line 2",
        "trigger-history.jsonl, line 3",
        "trigger-history.jsonl, line 4",
        "trigger-history.jsonl, line 6",
    ]


def test_lines_and_changes_that_say_too_little_are_told() -> None:
    back = read(
        wakes=b'{"success": true}\n{"timestamp": 1e300}',
        queue=b'[1, {}, {"type": []}, {"type": "exec", "value": "rm"}]',
        audit=b'{"mutation_type": "weight"}\n{"mutation_type": "code", "timestamp": 1700000000}',
    )
    assert (back.wakes, back.queue, back.records) == ((), (), ())
    assert sum("its type is none of" in problem for problem in back.problems) == 4
    assert sum("it does not say" in problem for problem in back.problems) == 4


def test_an_audit_that_does_not_end_as_its_state_says_is_told() -> None:
    first = linked(RECORD, "")
    last = linked(replace(RECORD, id="m2"), first.hash)
    remembers = replace(drives(), audit_hash=last.hash, audit_count=2)
    files = exported(remembers, (), (), (first, last), NOW)
    assert imported(files, RULES, NOW).problems == ()
    one, two = files[AUDIT].splitlines(keepends=True)
    cut = imported({**files, AUDIT: one}, RULES, NOW)
    assert cut.problems == ("audit-log.jsonl: its end is missing: 1 of 2 changes are there.",)
    assert len(cut.records) == 1
    other = imported({**files, AUDIT: two + one}, RULES, NOW)
    assert "change 2 is not the one named in the state" in other.problems[0]
    later = exported(remembers, (), (), (first, last, linked(replace(RECORD, id="m3"), last.hash)), NOW)
    assert imported(later, RULES, NOW).problems == ()
    assert imported({AUDIT: one}, RULES, NOW).problems == ()


@pytest.mark.parametrize(
    ("pulse", "audit"),
    [(None, b"x"), ({"audit_count": "2"}, b""), ({"audit_count": -4}, b""), ({"audit_count": 1}, b"[1]\n"), ([], b"")],
)
def test_whatever_a_state_says_of_its_audit_it_is_looked_at(pulse: object, audit: bytes) -> None:
    assert isinstance(wrong_end({"pulse": pulse}, audit), str)


def test_a_single_change_and_an_empty_queue_are_read_as_the_source_does() -> None:
    assert [one.kind for one in read(queue=b'{"type": "remove_drive", "drive": "art"}').queue] == ["remove_drive"]
    assert read(queue=b"").queue == read(queue=b"[]").queue == ()
    assert read(queue=b"").problems == ()


def test_names_that_are_none_and_files_that_are_others_are_told() -> None:
    back = imported({STATE: state(drives={"../etc": {}, "goals": 5}), "passwords.txt": b"x"}, RULES, NOW)
    assert back.drives == Drives()
    assert sum("it is not a drive" in problem for problem in back.problems) == 2
    assert back.notes[0].startswith("passwords.txt")


def test_what_is_no_number_here_is_written_as_one() -> None:
    broken = drives(replace(drive(), pressure=math.nan, weight=math.inf))
    back = imported(exported(broken, [], [], [], NOW), RULES, NOW)
    assert back.drives == drives(replace(drive(), pressure=0.0, weight=0.0))


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
FIELDS = ["pressure", "weight", "last_addressed", "at", "wants"]
THEIRS = st.fixed_dictionaries(
    {},
    optional={
        "drives": st.dictionaries(NAMES, st.dictionaries(st.sampled_from(FIELDS), JUNK) | JUNK, max_size=3) | JUNK,
        "config_overrides": st.dictionaries(st.sampled_from([*OVERRIDES.values()]), JUNK) | JUNK,
        "pulse": st.dictionaries(st.sampled_from(list(Drives.__struct_fields__)), JUNK) | JUNK,
        "_format": st.just("pulse-drives-1") | JUNK,
    },
)


@pytest.mark.slow
@settings(max_examples=300)
@given(THEIRS, JUNK, JUNK)
def test_whatever_stands_in_the_files_it_is_read_or_told(found: dict[str, object], line: object, queue: object) -> None:
    files = {
        STATE: json.dumps(found).encode(),
        WAKES: json.dumps(line).encode(),
        QUEUE: json.dumps(queue).encode(),
        AUDIT: json.dumps(line).encode(),
    }
    back = imported(files, RULES, NOW)
    assert back.drives is not None
    assert all(0.0 <= one.pressure <= RULES.pressure_max and 0.0 <= one.weight <= 3.0 for one in back.drives.drives)


@pytest.mark.slow
@given(st.binary(max_size=200))
def test_whatever_bytes_they_are_it_is_read_or_told(body: bytes) -> None:
    imported(dict.fromkeys(BYTES_MAX, body), RULES, NOW)


def test_the_documented_sizes_are_those_of_the_code() -> None:
    text = (Path(__file__).resolve().parents[4] / "docs" / "drives.md").read_text(encoding="utf-8")
    told = {
        name: int(size) * 1_000_000
        for name, size in re.findall(r"^\| `([a-z-]+\.jsonl?)` \|[^|]*\| (\d+) MB", text, re.MULTILINE)
    }
    assert told == {name: BYTES_MAX[name] for name in (STATE, WAKES, QUEUE, AUDIT)}
