"""What stands open, drive by drive: what a look found, what was handed in, and what was brought up of it."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.drives import WANTS_MAX, Drive, DriveRules, Drives, Want
from hub.when.drives.engine import AHEAD_MAX, finite, settled, spiked

STRENGTH_STEP = 0.005
"""A matter that counts for less than so much more than before is as it was: most grow a little with every minute."""


def looked(
    drives: Drives, seen: Mapping[str, Iterable[Want]], rules: DriveRules, now: datetime, *, blind: Collection[str]
) -> Drives:
    """Return the drives after a look.

    Each want that is new, or matters more than before, spikes its drive by as much as it (now) matters; what lay there
    at the first look is no news. What is gone takes its part of the pressure along; what a sensor saw that could not
    read this time stays.

    Args:
        drives: as they were.
        seen: what stands open now, by the name of its drive.
        rules: the rules in force.
        now: when the look was.
        blind: the names of the sensors that could not read.
    """
    return replace(
        drives, drives=tuple(_looked(one, seen.get(one.name, ()), rules, now, blind) for one in drives.drives)
    )


def handed_in(drive: Drive, want: Want, rules: DriveRules, now: datetime, amount: float) -> Drive:
    """Return the drive with a want from outside, and so much more pressure."""
    there = spiked(drive, rules, now, amount)
    others = tuple(one for one in there.wants if one.key != want.key)
    return replace(there, wants=_strongest((*others, want)))


def brought(drive: Drive, now: datetime) -> Drive:
    """Return the drive with all that is open in it brought up: it wakes nobody for a while."""
    return replace(drive, wants=tuple(replace(want, brought_at=now) for want in drive.wants))


def reopened(drive: Drive, brought_at: datetime) -> Drive:
    """Return the drive with what was brought up at that moment, or later, open again: nobody heard of it."""
    wants = (
        replace(want, brought_at=None) if want.brought_at is not None and want.brought_at >= brought_at else want
        for want in drive.wants
    )
    return replace(drive, wants=tuple(wants))


def waiting(drive: Drive, keys: Collection[str], rules: DriveRules, now: datetime) -> Drive:
    """Return the drive with what waits for the person's answer counted as brought up, for as long as it waits."""
    stale = timedelta(seconds=rules.again_s / 2)
    wants = tuple(
        replace(want, brought_at=now)
        if want.key in keys and (want.brought_at is None or abs(now - want.brought_at) >= stale)
        else want
        for want in drive.wants
    )
    return drive if wants == drive.wants else replace(drive, wants=wants)


def without(drive: Drive, key: str) -> Drive:
    """Return the drive without what is settled; what it had of the pressure was let go with the outcome."""
    return replace(drive, wants=tuple(want for want in drive.wants if want.key != key))


def without_ended(drives: Drives, rules: DriveRules, now: datetime) -> Drives:
    """Return the drives without what was handed in and has ended; pressure stays as it is, and grows no more for it."""
    if not any(_has_ended(want, now) for drive in drives.drives for want in drive.wants):
        return drives
    return replace(drives, drives=tuple(_without_ended(drive, rules, now) for drive in drives.drives))


def _looked(drive: Drive, seen: Iterable[Want], rules: DriveRules, now: datetime, blind: Collection[str]) -> Drive:
    before = {want.key: want for want in drive.wants}
    found = {want.key: _as_kept(want, before.get(want.key)) for want in seen}
    kept = {key: want for key, want in before.items() if key not in found and (want.sensor in blind or want.until)}
    wants = _strongest((*kept.values(), *found.values()))
    if wants == drive.wants and drive.at is not None and drive.at - now <= AHEAD_MAX:
        return drive
    after = replace(settled(drive, rules, now), wants=wants)
    gone = len(before) - len(kept) - sum(key in before for key in found)
    if gone:
        after = replace(after, pressure=after.pressure * (len(before) - gone) / len(before))
    return after if drive.at is None else spiked(after, rules, now, rules.spike * _news(before, wants))


def _news(before: Mapping[str, Want], wants: Iterable[Want]) -> float:
    """Return how much more matters than before, summed over what is new and what has grown, of what is kept."""
    return sum(max(_matters(want) - _matters(before.get(want.key)), 0.0) for want in wants)


def _matters(want: Want | None) -> float:
    return 0.0 if want is None else min(finite(want.strength), 1.0)


def _as_kept(want: Want, before: Want | None) -> Want:
    if before is None:
        return want
    is_alike = abs(want.strength - before.strength) < STRENGTH_STEP
    strength = before.strength if is_alike else want.strength
    return replace(want, strength=strength, since=before.since, brought_at=before.brought_at)


def _strongest(wants: Iterable[Want]) -> tuple[Want, ...]:
    return tuple(sorted(wants, key=lambda want: (-finite(want.strength), want.key))[:WANTS_MAX])


def _without_ended(drive: Drive, rules: DriveRules, now: datetime) -> Drive:
    there = settled(drive, rules, now)
    return replace(there, wants=tuple(want for want in there.wants if not _has_ended(want, now)))


def _has_ended(want: Want, now: datetime) -> bool:
    return want.until is not None and want.until <= now
