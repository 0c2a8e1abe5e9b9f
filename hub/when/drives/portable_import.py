"""Reads the files that `portable` wrote, and those of the public implementation.

A part that cannot be read is named, with its place, and leaves the others as they are; whether to go on with what
could be read is for whoever called to decide. Whoever could write the files could write anything into them: every
moment, number and length is looked at, and the words in them count as an agent's from here on.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import get_args

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.drives import MutationKind
from hub.domain.drive_limits import LIMITS, NAME
from hub.domain.drives import DRIVES_MAX, WANTS_MAX, Drive, DriveRules, Drives, Tuning, Wake, Want
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.provenance import AgentText, say
from hub.when.drives.engine import WEIGHT_MAX, finite
from hub.when.drives.mutate import TUNED
from hub.when.drives.portable import AUDIT, BYTES_MAX, FORMAT, OVERRIDES, QUEUE, STATE, THEIR_AUDIT, WAKES
from hub.when.drives.portable_end import wrong_end
from hub.when.drives.portable_reading import (
    Complaints,
    JsonObject,
    Place,
    json_of,
    lines_of,
    moment_of,
    number_of,
    text_of,
    value_of,
)
from hub.when.drives.public_files import their_mutation, their_record, their_threshold, their_wake

QUEUE_MAX = 1_000
MOMENTS_MAX = 1_000
LEFT_OUT_SHOWN = 10
OF_STATE = frozenset({"_format", "_saved_at", "drives", "config_overrides", "pulse"})


class DrivesImported(Value):
    """What could be read. `drives` is None where there was no state, or none that can be read.

    `is_theirs` says that the files are the public implementation's: their `records` are in no chain yet. `notes` tell
    what was changed on the way, `problems` what could not be read.
    """

    drives: Drives | None = None
    wakes: tuple[Wake, ...] = ()
    queue: tuple[Mutation, ...] = ()
    records: tuple[MutationRecord, ...] = ()
    is_theirs: bool = False
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class _Reading:
    """What every part of the reading needs: the rules here, the moment, the scale, and where to complain."""

    def __init__(self, rules: DriveRules, now: datetime) -> None:
        self.rules, self.now, self.scale, self.is_theirs = rules, now, 1.0, False
        self.problems, self.notes = Complaints(), Complaints()

    def at(self, file: str) -> Place:
        """Return a file as a place for problems."""
        return Place(file, self.problems)


def imported(
    files: Mapping[str, bytes], rules: DriveRules, now: datetime, *, threshold: float | None = None
) -> DrivesImported:
    """Return what the files hold, ours or the public implementation's.

    Args:
        files: their content by their names; any may be missing.
        rules: the person's rules on this machine.
        now: the present moment.
        threshold: the threshold that the public implementation's pressures are measured by, where its files do not
            tell (its settings are in none of them).
    """
    reading = _Reading(rules, now)
    bodies = {name: body for name, body in files.items() if _is_small(name, body, reading)}
    state = _state(bodies, reading)
    _measure(reading, state or {}, threshold)
    if AUDIT in bodies and (wrong := wrong_end(state or {}, bodies[AUDIT])):
        reading.at(AUDIT).tell(wrong)
    return DrivesImported(
        drives=None if state is None else _drives(state, reading),
        wakes=_wakes(bodies, reading),
        queue=_queue(bodies, reading),
        records=_records(bodies, reading),
        is_theirs=reading.is_theirs,
        notes=reading.notes.told(),
        problems=reading.problems.told(),
    )


def mutations_in(body: bytes) -> tuple[tuple[Mutation, ...], tuple[str, ...]]:
    """Return the changes that an agent wrote down, one or a list of them, and what of it could not be read."""
    complaints = Complaints()
    return _queued(body, Place("its content", complaints)), complaints.told()


def mutation_of(entry: object, place: Place) -> Mutation | None:
    """Return a mutation as an agent writes it (`type`, `drive` or `name`, `value`, `weight` or `amount`, `reason`)."""
    kind = entry.get("type") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or kind not in get_args(MutationKind):
        place.tell(f"its type is none of {', '.join(get_args(MutationKind))}.")
        return None
    value = next((name for name in ("value", "weight", "amount") if name in entry), "value")
    return Mutation(
        kind=entry["type"],
        drive=text_of(entry, "drive") or text_of(entry, "name"),
        value=number_of(entry, value, place),
        reason=text_of(entry, "reason"),
    )


def _is_small(name: str, body: bytes, reading: _Reading) -> bool:
    if name not in BYTES_MAX:
        reading.notes.tell(name, "it is not a file that is imported; it was skipped.")
        return False
    if len(body) > BYTES_MAX[name]:
        reading.problems.tell(name, f"it is larger than {BYTES_MAX[name] // 1_000_000} MB; it was skipped.")
        return False
    return True


def _state(bodies: Mapping[str, bytes], reading: _Reading) -> JsonObject | None:
    if STATE not in bodies:
        return None
    found = json_of(bodies[STATE], reading.at(STATE))
    if isinstance(found, dict):
        return found
    if found is not None:
        reading.at(STATE).tell("it is not an object.")
    return None


def _measure(reading: _Reading, state: JsonObject, threshold: float | None) -> None:
    """Find out whose files these are, and by what their pressures are measured."""
    reading.is_theirs = state.get("_format") != FORMAT
    if not reading.is_theirs:
        return
    overrides = state.get("config_overrides")
    theirs = threshold or their_threshold(overrides if isinstance(overrides, dict) else {})
    reading.scale = reading.rules.threshold / theirs
    reading.notes.tell(
        "Public implementation",
        f"its pressures are measured by a threshold of {theirs:g}, here {reading.rules.threshold:g}: "
        f"all were multiplied by {reading.scale:.4g}.",
    )


def _drives(state: JsonObject, reading: _Reading) -> Drives:
    file = reading.at(STATE)
    _tell_unknown(state, reading)
    rest = value_of(Drives, state.get("pulse") or {}, reading.now, file.within("pulse")) or Drives()
    each = [_drive(name, entry, reading) for name, entry in _object(state, "drives", file).items()]
    kept = [drive for drive in each if drive is not None]
    if len(kept) > DRIVES_MAX:
        file.tell(f"of {len(kept)} drives the first {DRIVES_MAX} were read, which is the limit.")
    return Drives(
        drives=tuple(kept[:DRIVES_MAX]),
        tuning=_tuning(_object(state, "config_overrides", file), reading),
        woke_at=rest.woke_at[-MOMENTS_MAX:],
        mutated_at=rest.mutated_at[-MOMENTS_MAX:],
        audit_hash=rest.audit_hash,
        audit_count=rest.audit_count,
        heard=rest.heard[-MOMENTS_MAX:],
        removed=tuple(name for name in rest.removed[:MOMENTS_MAX] if NAME.fullmatch(name)),
    )


def _tell_unknown(state: JsonObject, reading: _Reading) -> None:
    unknown = sorted(str(name) for name in state if name not in OF_STATE)
    if unknown:
        shown = ", ".join(name[:40] for name in unknown[:LEFT_OUT_SHOWN])
        reading.notes.tell(STATE, f"{len(unknown)} unknown fields were skipped: {shown}.")


def _object(fields: JsonObject, name: str, place: Place) -> dict[str, object]:
    found = fields.get(name)
    if isinstance(found, dict):
        return found
    if found is not None:
        place.tell(f"{name} is not an object; it was skipped.")
    return {}


def _drive(name: str, entry: object, reading: _Reading) -> Drive | None:
    place = reading.at(STATE).within(f"drive {name[:40]}")
    if not NAME.fullmatch(name) or not isinstance(entry, dict):
        place.tell("it is not a drive: a name has letters, digits, _ and -, at most 32.")
        return None
    weight, pressure = number_of(entry, "weight", place), number_of(entry, "pressure", place) or 0.0
    at = moment_of(entry, "at", reading.now, place) or (reading.now if reading.is_theirs else None)
    return Drive(
        name=name,
        weight=_bounded(1.0 if weight is None else weight, WEIGHT_MAX, place.within("weight"), reading),
        pressure=_bounded(pressure * reading.scale, reading.rules.pressure_max, place.within("pressure"), reading),
        at=None if at is None else min(at, reading.now),
        addressed_at=moment_of(entry, "last_addressed", reading.now, place),
        wants=_wants(entry.get("wants"), place, reading),
    )


def _bounded(number: float, most: float, place: Place, reading: _Reading) -> float:
    kept = min(max(number, 0.0), most)
    if kept != number:
        reading.notes.tell(place.where, f"{number:g} was read as {kept:g}.")
    return kept


def _wants(found: object, place: Place, reading: _Reading) -> tuple[Want, ...]:
    if found is not None and not isinstance(found, list):
        place.tell("wants is not a list; it was skipped.")
    each = found if isinstance(found, list) else []
    if len(each) > WANTS_MAX:
        place.tell(f"of {len(each)} wants the first {WANTS_MAX} were read.")
    wants = [value_of(Want, one, reading.now, place.within("a want")) for one in each[:WANTS_MAX]]
    return tuple(_as_an_agents(want) for want in wants if want is not None)


def _as_an_agents(want: Want) -> Want:
    says = say("{was}{mark}", was=replace(want.says, wording=None), mark=AgentText(""))
    return replace(want, says=says, strength=min(finite(want.strength), 1.0))


def _tuning(overrides: JsonObject, reading: _Reading) -> Tuning:
    """Return what mutations changed of the rules, within the limits.

    The public implementation writes all of them once one was changed: what is as the settings say is no change.
    """
    tuned = {name: _override(overrides, kind, reading) for kind, name in TUNED.items()}
    if reading.is_theirs:
        tuned = {name: value for name, value in tuned.items() if value != getattr(reading.rules, name)}
    turns = tuned.pop("turns_per_hour_max", None)
    return Tuning(**tuned, turns_per_hour_max=None if turns is None else int(turns))


def _override(overrides: JsonObject, kind: MutationKind, reading: _Reading) -> float | None:
    place = reading.at(STATE).within("config_overrides")
    number = number_of(overrides, OVERRIDES[kind], place)
    if number is None:
        return None
    scaled, limit = number * (reading.scale if kind == "adjust_threshold" else 1.0), LIMITS[kind]
    value = min(max(scaled, limit.low), limit.high)
    if value != scaled:
        reading.notes.tell(place.within(OVERRIDES[kind]).where, f"{scaled:g} was read as {value:g}.")
    return value


def _wakes(bodies: Mapping[str, bytes], reading: _Reading) -> tuple[Wake, ...]:
    lines = lines_of(bodies.get(WAKES, b""), reading.at(WAKES))
    wakes = [
        their_wake(entry, reading.scale, reading.rules, reading.now, place)
        if reading.is_theirs and "rule" not in entry
        else value_of(Wake, entry, reading.now, place)
        for place, entry in lines
    ]
    return tuple(wake for wake in wakes if wake is not None)


def _queue(bodies: Mapping[str, bytes], reading: _Reading) -> tuple[Mutation, ...]:
    kept = _queued(bodies.get(QUEUE, b""), reading.at(QUEUE))
    return tuple(their_mutation(one, reading.scale) for one in kept) if reading.is_theirs else kept


def _queued(body: bytes, place: Place) -> tuple[Mutation, ...]:
    found = json_of(body, place) if body.strip() else None
    each = found if isinstance(found, list) else [] if found is None else [found]
    if len(each) > QUEUE_MAX:
        place.tell(f"of {len(each)} changes the first {QUEUE_MAX} were read.")
    read = [mutation_of(one, place.within(f"change {number}")) for number, one in enumerate(each[:QUEUE_MAX], start=1)]
    return tuple(one for one in read if one is not None)


def _records(bodies: Mapping[str, bytes], reading: _Reading) -> tuple[MutationRecord, ...]:
    lines = (
        line
        for name in ((AUDIT, THEIR_AUDIT) if reading.is_theirs else (AUDIT,))
        for line in lines_of(bodies.get(name, b""), reading.at(name))
    )
    records = [
        their_record(entry, reading.scale, reading.now, place)
        if reading.is_theirs and "mutation" not in entry
        else value_of(MutationRecord, entry, reading.now, place)
        for place, entry in lines
    ]
    return tuple(record for record in records if record is not None)
