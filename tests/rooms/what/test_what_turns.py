"""When time alone brings or ends a matter: what the signals name is what asking all of them at each minute finds."""

import inspect
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.mentions import OpenMentions
from hub.domain.provenance import NoteText, RepositoryText
from hub.domain.situation import (
    DocumentFolder,
    DriveItem,
    MissingLink,
    Repository,
    SeenCertificate,
    SinceBackup,
    Situation,
)
from hub.domain.suggestion import Candidate
from hub.what import next_turn
from hub.what.signals import ALL, TIMED, certificates, commits
from tests.rooms.what.scenes import AFTERNOON, BERLIN, HOUR, meeting, quiet_repository, situation, talk, task

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
BOUNDS = (
    timedelta(0),
    MINUTE,
    10 * MINUTE,
    HOUR / 2,
    HOUR,
    4 * HOUR,
    8 * HOUR,
    DAY,
    3 * DAY,
    7 * DAY,
    14 * DAY,
    -HOUR,
    -DAY,
    -7 * DAY,
    -21 * DAY,
)
"""The ages at which signals see something else; a negative one lies ahead."""
OFFSETS = st.one_of(st.integers(-90, 3_700), st.integers(-1, 61).map(lambda minutes: 60 * minutes))
AGES = st.builds(lambda bound, offset: bound - timedelta(seconds=offset), st.sampled_from(BOUNDS), OFFSETS)
MOMENTS = st.builds(
    lambda hour, minute, s: AFTERNOON.replace(hour=hour, minute=minute, second=s),
    st.integers(0, 23),
    st.sampled_from((0, 1, 30, 59)),
    st.sampled_from((0, 59)),
)
CODE = quiet_repository()
LIES = replace(CODE, to_commit=(RepositoryText("a.py"),))
CERTIFICATE = SeenCertificate(
    path=RepositoryText("/home/mo/a.pem"), workspace="/home/mo", name=RepositoryText("a.pem"), ends_at=AFTERNOON
)
FOLDER = DocumentFolder(path="/home/mo/design", name=RepositoryText("design"))
MISSING = MissingLink(
    text=RepositoryText("a.md"),
    written_at=AFTERNOON,
    line=1,
    target=RepositoryText("b.png"),
    path=RepositoryText("b.png"),
)
GOAL = DriveItem(kind="goals", path="/g.json", id=NoteText("g"), text=NoteText("Go"), weight=0.5)


def _in(at: datetime, repository: Repository) -> Situation:
    return situation(at, repository)


THINGS: dict[str, Callable[[datetime, datetime], Situation]] = {
    "commits to push": lambda at, then: _in(at, replace(CODE, head_at=then, unpushed=2)),
    "files to commit": lambda at, then: _in(at, replace(LIES, uncommitted_since=then)),
    "files to commit, of a page": lambda at, then: _in(at, replace(LIES, uncommitted_since=then, playbooks=())),
    "commits of today": lambda at, then: _in(at, replace(CODE, head_at=then, commits_today=4)),
    "an agent that ended": lambda at, then: replace(
        _in(at, LIES), conversations=(replace(talk(HOUR, ""), last_at=then, folder=CODE.path, is_done=True),)
    ),
    "a question": lambda at, then: situation(at, conversations=(replace(talk(HOUR), last_at=then),)),
    "a task": lambda at, then: situation(at, tasks=(replace(task(age=DAY), updated_at=then),)),
    "a deadline": lambda at, then: situation(at, tasks=(replace(task(age=DAY), updated_at=at, deadline=then),)),
    "a meeting": lambda at, then: situation(
        at, meetings=(replace(meeting(HOUR), starts_at=then, ends_at=then + HOUR),)
    ),
    "mentions": lambda at, then: replace(
        situation(at), mentions=(OpenMentions(channel="100000000000000001", count=1, last_at=then),)
    ),
    "a certificate": lambda at, then: replace(situation(at), certificates=(replace(CERTIFICATE, ends_at=then),)),
    "a missing picture": lambda at, then: replace(
        situation(at), folders=(replace(FOLDER, missing_links=(replace(MISSING, written_at=then),)),)
    ),
    "a backup": lambda at, then: replace(
        situation(at), folders=(replace(FOLDER, since_backup=SinceBackup(backup_at=then, files=40, size=1)),)
    ),
    "a deadline in a text": lambda at, then: replace(
        situation(at), drive_items=(replace(GOAL, kind="deadlines", due_at=then),)
    ),
    "a goal by a date": lambda at, then: replace(situation(at), drive_items=(replace(GOAL, due_at=then),)),
}


def _matters(seen: Situation, at: datetime) -> set[tuple[str, str]]:
    later = replace(seen, at=at, local=at.astimezone(BERLIN))
    return {
        (idea.reason_key, idea.signature) for signal in ALL for idea in signal.look(later) if idea.comes != "when asked"
    }


def _asked_each_minute(seen: Situation, minutes: int) -> datetime | None:
    now = _matters(seen, seen.at)
    later = (seen.at + number * MINUTE for number in range(1, minutes + 1))
    return next((at for at in later if _matters(seen, at) != now), None)


@pytest.mark.parametrize("thing", THINGS)
@settings(max_examples=12)
@given(at=MOMENTS, age=AGES, minutes=st.integers(0, 60))
def test_it_is_what_asking_all_signals_at_each_minute_finds(
    thing: str, at: datetime, age: timedelta, minutes: int
) -> None:
    seen = THINGS[thing](at, at - age)
    assert next_turn(seen, at + minutes * MINUTE) == _asked_each_minute(seen, minutes)


@pytest.mark.parametrize("thing", THINGS)
def test_each_of_them_turns_somewhere(thing: str) -> None:
    """So that the test above compares more than nothing with nothing."""
    starts = [AFTERNOON.replace(hour=15, minute=59), AFTERNOON.replace(hour=12)]
    seen = [THINGS[thing](at, at - bound + 30 * MINUTE) for at in starts for bound in BOUNDS]
    assert any(next_turn(each, each.at + HOUR) for each in seen)


def test_a_signal_that_reads_the_time_says_when_it_turns() -> None:
    reads = re.compile(r"situation\.(?:at|local)\b(?!\.tzinfo)")
    sources = {signal.KIND: inspect.getsource(inspect.getmodule(signal.look) or signal.look) for signal in ALL}
    reading = {kind for kind, source in sources.items() if reads.search(source)}
    timed = {signal.KIND for signal in TIMED}
    assert not reading - timed, "they read the time: give them `turns`, and a place in TIMED (hub/what/signals)"
    assert not timed - reading, "they do not read the time: take them out of TIMED (hub/what/signals)"


def test_each_signal_with_turns_is_looked_at_here() -> None:
    starts = [AFTERNOON + hours * HOUR for hours in range(24)]
    seen = [THINGS[thing](at, at - bound) for thing in THINGS for at in starts for bound in BOUNDS]
    unseen = [signal.KIND for signal in TIMED if not any(tuple(signal.look(each)) for each in seen)]
    assert not unseen, "put a situation that they see something in into THINGS, which holds their `turns`"


def test_the_first_of_several_counts() -> None:
    near, later = AFTERNOON + HOUR + 20 * MINUTE, AFTERNOON + DAY + 10 * MINUTE
    seen = replace(THINGS["a goal by a date"](AFTERNOON, later), meetings=(replace(meeting(HOUR), starts_at=near),))
    assert next_turn(seen, AFTERNOON + HOUR) == AFTERNOON + 10 * MINUTE
    assert next_turn(replace(seen, drive_items=()), AFTERNOON + HOUR) == AFTERNOON + 20 * MINUTE


@pytest.mark.parametrize("then", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize("thing", sorted(set(THINGS) - {"a meeting"}))
def test_moments_at_the_ends_of_time_turn_nothing(thing: str, then: datetime) -> None:
    assert next_turn(THINGS[thing](AFTERNOON, then), AFTERNOON + HOUR) is None


def test_only_signals_with_a_moment_in_reach_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def nothing(kind: str, _: Situation) -> Iterator[Candidate]:
        asked.append(kind)
        return iter(())

    for signal in (commits, certificates):
        monkeypatch.setattr(signal, "look", partial(nothing, signal.KIND))
    seen = THINGS["a certificate"](AFTERNOON, AFTERNOON + 7 * DAY + 10 * MINUTE)
    next_turn(seen, AFTERNOON + HOUR)
    assert set(asked) == {certificates.KIND}
