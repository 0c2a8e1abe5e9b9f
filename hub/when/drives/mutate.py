"""Makes a mutation that was allowed, and takes one back (DRIVES 4). Whether it may be made is not decided here."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.drives import MutationKind
from hub.domain.canonical import visible
from hub.domain.drives import BUILT_IN_DRIVES, DRIVES_MAX, Drive, DriveRules, Drives, Want
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.provenance import AgentText, Wording, quoted, say
from hub.kit.text import one_line
from hub.when.drives.engine import changed, finite, in_force, settled
from hub.when.drives.wants import handed_in

SENSOR = "mutation"
"""Who saw what a spike brings."""
SPIKE_LASTS = timedelta(hours=24)
SPIKE_STRENGTH = 0.5
"""How much it matters: never so much as an alert, whatever an agent asks for."""
SAID_CHARS_MAX = 120
"""So much of an agent's reason stands with what a spike brings, in one line: nothing of it looks like ours."""
TUNED: dict[MutationKind, str] = {
    "adjust_threshold": "threshold",
    "adjust_rate": "rate_per_min",
    "adjust_cooldown": "cooldown_s",
    "adjust_turns_per_hour": "turns_per_hour_max",
}
"""The rule that each of these changes."""
INVERSE: dict[MutationKind, MutationKind] = {
    "add_drive": "remove_drive",
    "remove_drive": "add_drive",
    "spike_drive": "decay_drive",
    "decay_drive": "spike_drive",
}
"""What takes each of these back; the others by the same kind with the value from before."""

Changed = tuple[Drives, float | None, float | None]
"""The drives after a mutation, and what it changed: from what, to what."""


class MutationUndone(Value):
    """A mutation that was taken back: the drives then, and what did it, for the audit."""

    drives: Drives
    mutation: Mutation
    before: float | None
    after: float | None


class CannotUndo(Value):
    """Why a mutation cannot be taken back, and what to do; nothing was changed."""

    code: str
    reason: str
    fix: str


def applied(drives: Drives, mutation: Mutation, rules: DriveRules, now: datetime, *, by: str) -> Changed:
    """Return the drives with a mutation made, and its value before and after.

    Args:
        drives: as they are now.
        mutation: as it was allowed, its value within the limits.
        rules: the person's rules, without what mutations changed of them.
        now: the present moment.
        by: the name of who asked; a spike's want shows it.
    """
    ruled = in_force(rules, drives.tuning)
    match mutation.kind:
        case "adjust_weight":
            return _weighted(drives, mutation.drive, _value(mutation), ruled, now)
        case "add_drive":
            return _added(drives, mutation.drive, _value(mutation))
        case "remove_drive":
            return _removed(drives, mutation.drive, rules)
        case "spike_drive":
            want = _want(mutation, ruled, now, by)
            amount = _value(mutation)
            return _pressed(drives, mutation.drive, ruled, now, lambda one: handed_in(one, want, ruled, now, amount))
        case "decay_drive":
            amount = _value(mutation)
            return _pressed(drives, mutation.drive, ruled, now, lambda one: _moved(one, ruled, now, -amount))
        case _:
            return _tuned(drives, mutation.kind, _value(mutation), rules, now)


def undone(
    drives: Drives, records: Sequence[MutationRecord], record_id: str, rules: DriveRules, now: datetime
) -> MutationUndone | CannotUndo:
    """Take one mutation back.

    What it brings back may be looser: where an agent asks, the `mutation` of what is returned has to be allowed first,
    as it stands; one that the limits change is no undoing.

    Args:
        drives: as they are now.
        records: the audit from that record on, or all of it, oldest first.
        record_id: which one.
        rules: the person's rules, without what mutations changed of them.
        now: the present moment.
    """
    place = next((place for place, one in enumerate(records) if one.id == record_id), None)
    if place is None:
        return _cannot(reason=f"No change has the id {record_id[:64]}.", fix="`pulse drives audit` lists them.")
    record = records[place]
    against = _against(record, records[place + 1 :]) or _moved_on(drives, record, rules)
    return against or _taken_back(drives, record, rules, now)


def _value(mutation: Mutation) -> float:
    if mutation.value is None:
        raise ValueError(f"{mutation.kind} without a value was let through")
    return mutation.value


def _weighted(drives: Drives, name: str, weight: float, rules: DriveRules, now: datetime) -> Changed:
    there = drives.named(name)
    if there is None:
        return drives, None, None
    after = changed(drives, name, lambda one: replace(settled(one, rules, now), weight=weight))
    return after, there.weight, weight


def _added(drives: Drives, name: str, weight: float) -> Changed:
    """Add a drive that was not looked at yet: what lies there at its first look is no news."""
    if drives.named(name) is not None or len(drives.drives) >= DRIVES_MAX:
        return drives, None, None
    removed = tuple(one for one in drives.removed if one != name)
    return replace(drives, drives=(*drives.drives, Drive(name=name, weight=weight)), removed=removed), None, weight


def _removed(drives: Drives, name: str, rules: DriveRules) -> Changed:
    there = drives.named(name)
    if there is None:
        return drives, None, None
    comes_back = name in {**dict(BUILT_IN_DRIVES), **dict(rules.weights)} and name not in drives.removed
    kept = tuple(one for one in drives.drives if one.name != name)
    removed = (*drives.removed, name) if comes_back else drives.removed
    return replace(drives, drives=kept, removed=removed), there.weight, None


def _tuned(drives: Drives, kind: MutationKind, value: float, rules: DriveRules, now: datetime) -> Changed:
    """Change a rule; pressure up to now has grown by the one before. As the settings say is no change of them."""
    name, ruled = TUNED[kind], in_force(rules, drives.tuning)
    before = float(getattr(ruled, name))
    new = int(value) if kind == "adjust_turns_per_hour" else value
    tuning = replace(drives.tuning, **{name: None if new == getattr(rules, name) else new})
    there = tuple(settled(one, ruled, now) for one in drives.drives) if kind == "adjust_rate" else drives.drives
    return replace(drives, drives=there, tuning=tuning), before, float(new)


def _pressed(drives: Drives, name: str, rules: DriveRules, now: datetime, change: Callable[[Drive], Drive]) -> Changed:
    there = drives.named(name)
    if there is None:
        return drives, None, None
    after = change(there)
    return changed(drives, name, lambda _: after), settled(there, rules, now).pressure, after.pressure


def _moved(drive: Drive, rules: DriveRules, now: datetime, amount: float) -> Drive:
    there = settled(drive, rules, now)
    return replace(there, pressure=min(max(there.pressure + amount, 0.0), finite(rules.pressure_max)))


def _want(mutation: Mutation, rules: DriveRules, now: datetime, by: str) -> Want:
    """Make what a spike brings to a drive: one for each who asks, so that nobody crowds out what others saw."""
    return Want(
        key=f"{SENSOR}:{by}",
        sensor=SENSOR,
        strength=min(SPIKE_STRENGTH, rules.alert_strength / 2),
        says=_says(mutation, by),
        since=now,
        until=now + SPIKE_LASTS,
    )


def _says(mutation: Mutation, by: str) -> Wording:
    if not mutation.reason:
        return say("{by} asks for attention to {drive}", by=by, drive=mutation.drive)
    reason = quoted(AgentText(one_line(mutation.reason, SAID_CHARS_MAX)))
    return say("{by} asks for attention to {drive}: {reason}", by=by, drive=mutation.drive, reason=reason)


def _against(record: MutationRecord, later: Sequence[MutationRecord]) -> CannotUndo | None:
    """Say what in the audit speaks against taking a record back."""
    if record.status != "applied":
        return _cannot(reason="That change was never made.", fix="Nothing has to be undone.")
    made = [one for one in later if one.status == "applied"]
    if any(one.undoes == record.id for one in made):
        return _cannot(reason="That change was already undone.", fix="Undo the undo to get it back.")
    target = _target(record.mutation)
    since = next((one for one in reversed(made) if _target(one.mutation) == target), None)
    if since is None or target[0] == "pressure":
        return None
    fix = f"Undo {since.id} first, or set the value you want."
    return _cannot(reason=f"It has been changed again since, by {since.by} ({since.id}).", fix=fix)


def _cannot(*, reason: str, fix: str) -> CannotUndo:
    return CannotUndo(code="mutation-not-undone", reason=reason, fix=fix)


def _target(mutation: Mutation) -> tuple[str, str]:
    match mutation.kind:
        case "adjust_weight" | "add_drive" | "remove_drive":
            return "drive", mutation.drive
        case "spike_drive" | "decay_drive":
            return "pressure", mutation.drive
        case kind:
            return kind, ""


def _moved_on(drives: Drives, record: MutationRecord, rules: DriveRules) -> CannotUndo | None:
    """Say whether what the record left is no longer there, whatever the audit tells."""
    kind, there = record.mutation.kind, drives.named(record.mutation.drive)
    if record.before is None and INVERSE.get(kind, kind) not in {"remove_drive", "spike_drive", "decay_drive"}:
        return _cannot(reason="The previous value is unknown.", fix="Set the value you want.")
    if kind == "remove_drive":
        is_full = there is None and len(drives.drives) >= DRIVES_MAX
        full = _cannot(reason=f"There are {DRIVES_MAX} drives, which is the limit.", fix="Remove one first, then undo.")
        return full if is_full else _is_other(there is not None)
    if kind in TUNED:
        return _is_other(getattr(in_force(rules, drives.tuning), TUNED[kind]) != record.after)
    if kind in {"adjust_weight", "add_drive"}:
        return _is_other(there is None or there.weight != record.after)
    return _is_other(there is None)


def _is_other(is_other: bool) -> CannotUndo | None:  # noqa: FBT001  the one thing that it is asked
    fix = "Check the current value, and set the one you want."
    return _cannot(reason="What it changed has been changed again since.", fix=fix) if is_other else None


def _taken_back(drives: Drives, record: MutationRecord, rules: DriveRules, now: datetime) -> MutationUndone:
    mutation = _inverse(record)
    if mutation.kind in {"spike_drive", "decay_drive"}:
        ruled = in_force(rules, drives.tuning)
        amount = (record.before or 0.0) - (record.after or 0.0)
        change = _pressed(
            drives, mutation.drive, ruled, now, lambda one: _moved(_unasked(one, record), ruled, now, amount)
        )
    else:
        change = applied(drives, mutation, rules, now, by=record.by)
    return MutationUndone(drives=change[0], mutation=mutation, before=change[1], after=change[2])


def _inverse(record: MutationRecord) -> Mutation:
    kind = INVERSE.get(record.mutation.kind, record.mutation.kind)
    if kind in {"spike_drive", "decay_drive"}:
        value: float | None = abs((record.before or 0.0) - (record.after or 0.0))
    else:
        value = None if kind == "remove_drive" else record.before
    return Mutation(kind=kind, drive=record.mutation.drive, value=value, reason=f"Undo of {record.id}")


def _unasked(drive: Drive, record: MutationRecord) -> Drive:
    """Return the drive without the want that a spike brought, where that is still the one from then."""
    key = f"{SENSOR}:{visible(record.by)}"
    return replace(drive, wants=tuple(one for one in drive.wants if (one.key, one.since) != (key, record.at)))
