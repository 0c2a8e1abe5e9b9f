"""Waking by need: against a clock over weeks of real histories, in silence, in an outage, and with a long past.

`PULSE_BENCH_HISTORIES` names git repositories, separated by colons; without it, this checkout's own history is used.
"""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.drives import Drive, DriveRules, Drives, PutWake, Wake, Want
from hub.domain.mind import Mind
from hub.domain.policy import Timing
from hub.domain.provenance import say
from hub.domain.reports import Wakes
from hub.domain.situation import Situation
from hub.domain.storage import Committed, MindOf
from hub.io.store.sqlite import open_store
from hub.what import ideas, wants
from hub.when.drives import (
    addressed,
    brought,
    changed,
    decayed,
    evaluate,
    looked,
    next_crossing,
    spiked,
    with_built_in,
)
from tests.bench import look_ahead, outage
from tests.bench.figures import Figure, MissingError, median
from tests.bench.histories import Happened, Saved, WorkTree, busiest_weeks, happenings
from tests.bench.public_drives import wakes_of

BENCH: Final = "drives"
CHECKOUT: Final = Path(__file__).resolve().parents[2]
CLOCK: Final = timedelta(minutes=30)
RULES: Final = replace(DriveRules(), cooldown_s=Timing().interval_s)
"""Between two suggestions that come unasked the rate limiter keeps longer than the drives' own cooldown."""
QUIET: Final = timedelta(seconds=Timing().edit_quiet_s)
"""How long a saved file is left to itself before it is looked at."""
IN_TIME: Final = timedelta(hours=2)
"""A wake led to something done if what it brought up was done within this time."""
DAY: Final = timedelta(days=1)
WAKES: Final = 100_000
GROUP: Final = 10_000
ONES: Final = 200
TRIES: Final = 5
STREAMS: Final = 10_000
SILENT_AT: Final = datetime(2026, 3, 2, tzinfo=UTC)


class Tally(Value):
    """What became of the wakes of some weeks."""

    wakes: int = 0
    led: int = 0
    matters: int = 0
    found: int = 0
    looks_s: tuple[float, ...] = ()
    """How long each matter stood open before it was first seen."""
    brought_s: tuple[float, ...] = ()
    """And before it was brought up, of those that were."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            wakes=self.wakes + other.wakes,
            led=self.led + other.led,
            matters=self.matters + other.matters,
            found=self.found + other.found,
            looks_s=(*self.looks_s, *other.looks_s),
            brought_s=(*self.brought_s, *other.brought_s),
        )

    @property
    def precision(self) -> float:
        return self.led / max(self.wakes, 1)

    @property
    def recall(self) -> float:
        return self.found / max(self.matters, 1)


class Week:
    """A week that is lived through, with a way of waking."""

    def __init__(self, happened: list[Happened], rules: DriveRules | None) -> None:
        """Take what happens, and the rules of the drives; without, a clock wakes every half hour."""
        self._happened, self._rules = happened, rules
        self._tree = WorkTree(happened[0].at)
        self._known: dict[str, str] = {}
        self._drives = with_built_in(Drives(), rules or DriveRules())
        self._at = happened[0].at
        self._saved_at: datetime | None = None
        self._saving_since: datetime | None = None
        self._since: dict[str, datetime] = {}
        self._noticed: dict[str, datetime] = {}
        self._brought: dict[str, datetime] = {}
        self.tally = Tally()

    def live(self) -> Tally:
        """Go through it, from what happens to what happens, with a look every half hour."""
        slots = _slots(self._happened[0].at, self._happened[-1].at)
        moments = [*((one.at, one) for one in self._happened), *((at, None) for at in slots)]
        for at, happened in sorted(moments, key=lambda one: one[0]):
            self._until(at)
            if happened is not None:
                self._take(happened)
            self._look(at, is_slot=happened is None)
        return self.tally

    def _take(self, happened: Happened) -> None:
        self._tree.take(happened)
        if isinstance(happened, Saved):
            pause = timedelta(seconds=DriveRules().conversation_s)
            if self._saved_at is None or happened.at - self._saved_at >= pause:
                self._saving_since = happened.at
            self._saved_at = happened.at

    def _situation(self, at: datetime) -> Situation:
        return Situation(at=at, local=at, repositories=(self._tree.seen(),))

    def _look(self, at: datetime, *, is_slot: bool) -> None:
        situation = self._situation(at)
        found = ideas(situation, Mind())
        self._settle({idea.reason_key for idea in found}, at)
        if self._rules is None:
            if is_slot:
                self._notice(at)
                self._wake(at, None)
            return
        self._notice(at if is_slot else at + QUIET)
        seen = wants(found, Mind(), self._known, (), at)
        self._drives = looked(self._drives, seen, self._rules, at, blind=())
        self._until(at)

    def _settle(self, open_now: set[str], at: datetime) -> None:
        """Keep what stands open; of what is done, count whether it was brought up before."""
        for key in open_now - set(self._since):
            self._since[key] = at
        for key in set(self._since) - open_now:
            since, noticed = self._since.pop(key), self._noticed.pop(key, None)
            brought_at = self._brought.pop(key, None)
            self.tally += Tally(
                matters=1,
                found=brought_at is not None,
                led=brought_at is not None and at - brought_at <= IN_TIME,
                looks_s=() if noticed is None else ((noticed - since).total_seconds(),),
                brought_s=() if brought_at is None else ((brought_at - since).total_seconds(),),
            )
            self._known.pop(key, None)
            self._done(key, at)

    def _done(self, key: str, at: datetime) -> None:
        rules = self._rules
        if rules is None:
            return
        done = [drive for drive in self._drives.drives if any(want.key == key for want in drive.wants)]
        for drive in done:
            after = addressed(drive, rules, at, "success")
            self._drives = changed(self._drives, drive.name, partial(_become, after))

    def _notice(self, at: datetime) -> None:
        for key in self._since:
            self._noticed.setdefault(key, at)

    def _until(self, at: datetime) -> None:
        """Wake as often as the drives cross a threshold before `at`, as the loop does: by asking when to look again."""
        rules = self._rules
        while rules is not None and self._at < at:
            since = self._saving_since
            verdict = evaluate(self._drives, rules, self._at, talked_at=self._saved_at, talking_since=since)
            if verdict.wakes:
                lately = tuple(one for one in self._drives.woke_at if self._at - one < timedelta(hours=1))
                self._drives = replace(self._drives, woke_at=(*lately, self._at))
                self._wake(self._at, verdict.drive)
                self._drives = changed(self._drives, verdict.drive, partial(brought, now=self._at))
                continue
            following = next_crossing(self._drives, rules, self._at)
            waits = verdict.until if following is not None and following <= self._at else following
            self._at = at if waits is None else min(waits, at)

    def _wake(self, at: datetime, drive: str | None) -> None:
        """Bring up the best idea that is new, as a cycle does."""
        self.tally += Tally(wakes=1)
        found = ideas(self._situation(at), Mind())
        fresh = wants(found, Mind(), self._known, (), at)
        keys = {want.key for name, each in fresh.items() if drive in {None, name} for want in each}
        best = next((idea for idea in found if idea.reason_key in keys), None)
        if best is not None:
            self._known[best.reason_key] = best.signature
            self._brought.setdefault(best.reason_key, at)


def _become(after: Drive, _before: Drive) -> Drive:
    return after


def _slots(start: datetime, end: datetime) -> Iterator[datetime]:
    at = start.replace(minute=0, second=0, microsecond=0)
    while at <= end:
        if at > start:
            yield at
        at += CLOCK


def run() -> list[Figure]:
    """Measure."""
    past = asyncio.run(_with_a_long_past())
    looks = [look_ahead.figure(BENCH)]
    return [*_against_a_clock(), *_in_silence(), *_closed_form(), *past, *looks, *asyncio.run(outage.figures(BENCH))]


def _against_a_clock() -> list[Figure]:
    named = os.environ.get("PULSE_BENCH_HISTORIES", "")
    paths = [Path(path) for path in named.split(":") if path] or [CHECKOUT]
    weeks = [happenings(week) for path in paths for week in busiest_weeks(path)]
    if not weeks:
        raise MissingError("no week with ten commits is in these histories; name others in PULSE_BENCH_HISTORIES")
    clock = sum((Week(week, None).live() for week in weeks), Tally())
    needs = sum((Week(week, RULES).live() for week in weeks), Tally())
    what = f"{len(weeks)} weeks of git histories"
    reference = "a wake every half hour"

    ours = Figure(bench=BENCH, what=what, value=needs.wakes, unit="wakes", reference=reference)

    def share(name: str, value: float, theirs: float, goal: float) -> Figure:
        said = f"{what}: {name}"
        return replace(ours, what=said, value=value, goal=goal, reference_value=theirs, unit="", better="higher")

    def delay(name: str, value: float, theirs: float, goal: float | None) -> Figure:
        return replace(ours, what=f"{what}: {name}, mean", value=value, goal=goal, reference_value=theirs, unit="s")

    looks, theirs = _mean(needs.looks_s), _mean(clock.looks_s)
    return [
        replace(ours, what=f"{what}: wakes", reference_value=clock.wakes),
        share("wakes that led to something done in two hours", needs.precision, clock.precision, 2 * clock.precision),
        share("what was done and was brought up before", needs.recall, clock.recall, clock.recall),
        delay("delay of the first look", looks, theirs, theirs / 3),
        delay("delay until it is brought up", _mean(needs.brought_s), _mean(clock.brought_s), None),
    ]


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / max(len(values), 1)


def _in_silence() -> list[Figure]:
    rules, at, wakes = DriveRules(), SILENT_AT, 0
    drives = looked(with_built_in(Drives(), rules), {}, rules, at, blind=())
    while (moment := next_crossing(drives, rules, at)) is not None and moment <= SILENT_AT + DAY:
        at, wakes = moment, wakes + evaluate(drives, rules, moment, talked_at=None).wakes
    what = "wakes in 24 h without any input"
    reference = "the public implementation's formulas, example settings"
    ours = Figure(
        bench=BENCH,
        what=what,
        value=wakes,
        unit="wakes",
        goal=0,
        reference=reference,
        reference_value=wakes_of(int(DAY.total_seconds())),
    )
    return [ours]


def _closed_form() -> list[Figure]:
    worst = max(_difference(Random(seed)) for seed in range(STREAMS))  # noqa: S311  streams to try, no secrets
    what = f"closed form against ticks of 30 s, {STREAMS:,} random streams: largest difference"
    return [Figure(bench=BENCH, what=what, value=worst, unit="pressure", goal=1e-9)]


def _difference(draw: Random) -> float:
    rules = replace(DriveRules(), rate_per_min=draw.uniform(0.001, 0.1))
    weight = draw.uniform(0.05, 3.0)
    want = Want(key="one", sensor="git", strength=0.5, says=say("Something is open"), since=SILENT_AT)
    ours = theirs = Drive(name="goals", weight=weight, at=SILENT_AT, wants=(want,))
    at, worst = SILENT_AT, 0.0
    for _ in range(draw.randint(1, 12)):
        ticks, amount, share = draw.randint(1, 240), draw.uniform(0.0, 4.0), draw.choice([0.0, 0.35, 0.7])
        for _ in range(ticks):
            more = rules.rate_per_min * 0.5 * weight
            theirs = replace(theirs, pressure=min(rules.pressure_max, theirs.pressure + more))
        at += ticks * timedelta(seconds=30)
        ours = decayed(spiked(ours, rules, at, amount), rules, at, share)
        theirs = replace(theirs, pressure=min(rules.pressure_max, theirs.pressure + amount) * (1.0 - share), at=at)
        worst = max(worst, abs(ours.pressure - theirs.pressure))
    return worst


async def _with_a_long_past() -> list[Figure]:
    """Measure what 100,000 wakes cost a start, and one more wake."""
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder, "empty.db"), Path(folder, "full.db")
        await (await open_store(empty)).close()
        await _fill(full)
        starts = [await _start_s(empty) for _ in range(TRIES)], [await _start_s(full) for _ in range(TRIES)]
        one, of_empty = await _one_s(full), await _one_s(empty)
    more = (median(starts[1]) - median(starts[0])) * 1000
    return [
        Figure(bench=BENCH, what="a start with 100,000 wakes, beyond one with none", value=more, unit="ms", goal=50),
        Figure(
            bench=BENCH,
            what="one more wake after 100,000, stored",
            value=one * 1000,
            unit="ms",
            goal=2,
            reference="the same in an empty store",
            reference_value=of_empty * 1000,
        ),
    ]


async def _fill(path: Path) -> None:
    store = await open_store(path)
    for first in range(0, WAKES, GROUP):
        group = tuple(PutWake(user="me", wake=_a_wake(number)) for number in range(first, first + GROUP))
        done = await store.commit([group])
        if done != (Committed(),):
            raise MissingError(f"the store refused: {done}")
    await store.close()


async def _start_s(path: Path) -> float:
    start = time.perf_counter()
    store = await open_store(path)
    await store.read(MindOf(user="me"))
    await store.read(Wakes(user="me", limit=1))
    took = time.perf_counter() - start
    await store.close()
    return took


async def _one_s(path: Path) -> float:
    """Return how long a wake takes to be stored, the middle of many."""
    store, took = await open_store(path), []
    for number in range(WAKES, WAKES + ONES):
        start = time.perf_counter()
        await store.commit([(PutWake(user="me", wake=_a_wake(number)),)])
        took.append(time.perf_counter() - start)
    await store.close()
    return median(took)


def _a_wake(number: int) -> Wake:
    at = SILENT_AT + timedelta(minutes=5) * number
    return Wake(id=f"wake_{number}", at=at, rule="total", drive="goals", pressure=6.0, total=6.0, threshold=5.0)
