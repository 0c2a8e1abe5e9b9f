"""What agents, and the person, may change of the drives while Pulse runs (DRIVES 4; docs/drives.md).

Theory: an agent may ask for less at once and for more by a card (a spike is more where it could wake an agent outside
without one); nothing it asks for leaves the limits, goes further
than a step at a time, or takes from a protected drive what it needs to wake anybody. So no row of mutations, however
long, switches the drives off. There is no kind of mutation for code, for a rail, or for the switch itself.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.drives import MutationKind, MutationStatus
from hub.domain.drive_limits import (
    BATCH_MAX,
    LIMITS,
    MUTATIONS_PER_HOUR_MAX,
    NAME,
    NEW_WEIGHT,
    REASON_CHARS_MAX,
    Limit,
)
from hub.domain.drives import DRIVES_MAX, PROTECTED, DriveRules, Drives
from hub.domain.mutations import Mutation
from hub.kit.text import counted

HOUR = timedelta(hours=1)
PLACES = 6
"""Values are kept to so many decimal places."""
WEIGHT_STEP = 0.0001
"""To this a weight is rounded up that is just enough to wake by."""

OF_A_DRIVE: frozenset[MutationKind] = frozenset(
    {"adjust_weight", "add_drive", "remove_drive", "spike_drive", "decay_drive"}
)
AT_ONCE: frozenset[MutationKind] = frozenset({"remove_drive", "spike_drive", "decay_drive"})
LESS_IS_MORE: frozenset[MutationKind] = frozenset({"adjust_threshold", "adjust_cooldown"})
"""Of these a lower value lets Pulse wake more often."""


class MutationRuling(Value):
    """What becomes of a mutation: made at once, a card first, or refused with a code and what to do.

    `mutation` is how it may be made: the fields that count, and the value within the limits; `asked_value` what was
    asked for where that differs, and `note` says why. `code`, `reason` and `fix` are of a refusal.
    """

    outcome: MutationStatus
    mutation: Mutation
    asked_value: float | None = None
    note: str = ""
    code: str = ""
    reason: str = ""
    fix: str = ""


class MutationsTaken(Value):
    """Those of a batch that are looked at, one after the other, and one answer for all the rest."""

    mutations: tuple[Mutation, ...]
    refusal: MutationRuling | None = None


def judge_mutation(
    asked: Mutation, drives: Drives, rules: DriveRules, now: datetime, *, is_person: bool
) -> MutationRuling:
    """Say what becomes of a mutation.

    Args:
        asked: what was handed in, unchecked.
        drives: as they are now, with the mutations of the last hour.
        rules: the rules in force, with what mutations changed of them.
        now: the present moment.
        is_person: whether the person themselves asks; then only the limits hold, and no card is needed.
    """
    mutation = _what_counts(asked)
    closed = None if is_person else _closed(mutation, drives, rules, now)
    refusal = closed or _malformed(asked, mutation) or _misplaced(mutation, drives)
    if refusal is not None:
        return refusal
    if mutation.kind == "remove_drive":
        return _allowed(mutation, mutation, rules, is_person=is_person, note="", loosens=False)
    return _judge_value(mutation, drives, rules, is_person=is_person)


def taken(
    batch: Sequence[Mutation], drives: Drives, rules: DriveRules, now: datetime, *, is_person: bool
) -> MutationsTaken:
    """Split what was handed in at once into those there is room for this hour, and one answer for the others."""
    closed = None if is_person or not batch else _closed(batch[0], drives, rules, now)
    room = 0 if closed else BATCH_MAX if is_person else MUTATIONS_PER_HOUR_MAX - len(_lately(drives, now))
    if len(batch) <= room:
        return MutationsTaken(mutations=tuple(batch))
    first, left = tuple(batch[:room]), len(batch) - room
    reason = f"{counted(left, 'change', 'changes')} of {len(batch)} too many at once: they were ignored."
    refusal = closed or refused(
        batch[room], code="mutations-too-many", reason=reason, fix="Submit the rest later, the most useful first."
    )
    return MutationsTaken(mutations=first, refusal=refusal)


def after_mutation(drives: Drives, now: datetime) -> Drives:
    """Return the drives once an agent's mutation was looked at: it counts, also where it was refused."""
    return replace(drives, mutated_at=(*_lately(drives, now), now)[-MUTATIONS_PER_HOUR_MAX:])


def refused(mutation: Mutation, *, code: str, reason: str, fix: str) -> MutationRuling:
    """Build a refusal; what it shows of the mutation is bounded."""
    shown = replace(mutation, drive=mutation.drive[:32], reason=mutation.reason[:REASON_CHARS_MAX])
    return MutationRuling(outcome="refused", mutation=shown, code=code, reason=reason, fix=fix)


def _what_counts(asked: Mutation) -> Mutation:
    drive = asked.drive if asked.kind in OF_A_DRIVE else ""
    value = NEW_WEIGHT if asked.kind == "add_drive" and asked.value is None else asked.value
    return replace(asked, drive=drive, value=None if asked.kind == "remove_drive" else value)


def _lately(drives: Drives, now: datetime) -> tuple[datetime, ...]:
    """Return the mutations that count for this hour; a clock that jumped far back forgets them."""
    return tuple(at for at in drives.mutated_at if abs(now - at) < HOUR)


def _closed(mutation: Mutation, drives: Drives, rules: DriveRules, now: datetime) -> MutationRuling | None:
    """Refuse what no agent may ask for at present."""
    if rules.mutations == "off":
        return refused(
            mutation,
            code="mutations-off",
            reason="Agents may not change the drives here.",
            fix="The user can allow it with `drives.mutations` in the settings file.",
        )
    lately = _lately(drives, now)
    if len(lately) < MUTATIONS_PER_HOUR_MAX:
        return None
    minutes = math.ceil((min(lately) + HOUR - now) / timedelta(minutes=1))
    return refused(
        mutation,
        code="mutations-too-many",
        reason=f"Agents asked for {MUTATIONS_PER_HOUR_MAX} changes within the last hour, which is the limit.",
        fix=f"Ask again in {counted(minutes, 'minute')}.",
    )


def _malformed(asked: Mutation, mutation: Mutation) -> MutationRuling | None:
    """Refuse what cannot be meant: a name that is no word, a reason too long to read, a value that is no number."""
    problem = fix = ""
    if mutation.kind in OF_A_DRIVE and not NAME.fullmatch(mutation.drive):
        problem, fix = "That is not a valid drive name.", "Use letters, digits, _ and -, 32 at most."
    elif len(asked.reason) > REASON_CHARS_MAX or not _is_text(asked.reason):
        problem, fix = "The reason cannot be read.", f"Give plain text of {REASON_CHARS_MAX} characters at most."
    elif mutation.kind != "remove_drive" and (mutation.value is None or not math.isfinite(mutation.value)):
        problem, fix = "The value is missing, or not a number.", "Give the new value as a plain number."
    elif mutation.kind in {"spike_drive", "decay_drive"} and (mutation.value or 0.0) <= 0.0:
        problem, fix = "The amount has to be more than 0.", "Give the amount of pressure to add or remove, such as 1.5."
    return refused(mutation, code="bad-mutation", reason=problem, fix=fix) if problem else None


def _is_text(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


def _misplaced(mutation: Mutation, drives: Drives) -> MutationRuling | None:
    """Refuse what does not fit the drives as they are."""
    name, kind = mutation.drive, mutation.kind
    if kind not in OF_A_DRIVE:
        return None
    there = drives.named(name)
    if kind == "add_drive":
        return _not_added(mutation, drives)
    if there is None:
        fix = f"There are: {', '.join(drive.name for drive in drives.drives)}."
        return refused(mutation, code="unknown-drive", reason=f"There is no drive “{name}”.", fix=fix)
    if kind == "remove_drive" and name in PROTECTED:
        reason = f"“{name}” is a built-in drive: {', '.join(sorted(PROTECTED))}."
        return refused(mutation, code="drive-protected", reason=reason, fix="Lower its weight instead.")
    return None


def _not_added(mutation: Mutation, drives: Drives) -> MutationRuling | None:
    if drives.named(mutation.drive) is not None:
        return refused(
            mutation,
            code="drive-exists",
            reason=f"There is already a drive “{mutation.drive}”.",
            fix="Change its weight, or choose another name.",
        )
    if len(drives.drives) >= DRIVES_MAX:
        reason = f"There are {len(drives.drives)} drives, and the limit is {DRIVES_MAX}."
        return refused(mutation, code="drives-too-many", reason=reason, fix="Remove one that is no longer needed.")
    return None


def _judge_value(mutation: Mutation, drives: Drives, rules: DriveRules, *, is_person: bool) -> MutationRuling:
    current = _current(mutation, drives, rules)
    value, note = _within(mutation, current, is_person=is_person)
    if not is_person:
        value, note = _still_waking(mutation, value, note, drives, rules)
    made = replace(mutation, value=value)
    if value == current and mutation.kind not in {"add_drive", *AT_ONCE}:
        reason = f"It is {value:g} already. {note}".strip()
        return refused(mutation, code="mutation-changes-nothing", reason=reason, fix="Nothing has to be done.")
    loosens = _loosens(mutation.kind, value, current) or _wakes_alone(mutation.kind, rules)
    return _allowed(mutation, made, rules, is_person=is_person, note=note, loosens=loosens)


def _current(mutation: Mutation, drives: Drives, rules: DriveRules) -> float:
    """Return what the value is now; of a new drive what its step is counted from, of a spike or decay nothing."""
    there = drives.named(mutation.drive)
    return {
        "adjust_weight": there.weight if there else NEW_WEIGHT,
        "adjust_threshold": rules.threshold,
        "adjust_rate": rules.rate_per_min,
        "adjust_cooldown": rules.cooldown_s,
        "adjust_turns_per_hour": float(rules.turns_per_hour_max),
        "add_drive": NEW_WEIGHT,
    }.get(mutation.kind, 0.0)


def _within(mutation: Mutation, current: float, *, is_person: bool) -> tuple[float, str]:
    """Return the value within the limits and a step, and what was done to it in words.

    Where the settings lie outside the limits, what holds now is one: a mutation brings it no further out.
    """
    asked, limit = mutation.value or 0.0, LIMITS[mutation.kind]
    low, high = (limit.low, limit.high) if mutation.kind in AT_ONCE else _around(limit, current)
    value, notes = _clamped(asked, low, high), []
    if value != asked:
        notes.append(f"{asked:g} was asked for; it stays between {low:g} and {high:g}.")
    if not is_person and limit.step is not None:
        stepped = _clamped(value, current - limit.step, current + limit.step)
        if stepped != value:
            notes.append(f"An agent changes it by {limit.step:g} at most at a time, from {current:g}.")
        value = stepped
    value = math.floor(value) if limit.is_whole else round(value, PLACES)
    if limit.is_whole and asked != math.floor(asked) and not notes:
        notes.append("It is rounded to a whole number.")
    return _clamped(float(value), low, high), " ".join(notes)


def _around(limit: Limit, current: float) -> tuple[float, float]:
    return min(limit.low, current), max(limit.high, current)


def _clamped(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _still_waking(mutation: Mutation, value: float, note: str, drives: Drives, rules: DriveRules) -> tuple[float, str]:
    """Return the value with which each protected drive can still wake by itself, if it can now.

    A drive alone presses with weight · the most pressure. What presses less than both thresholds never wakes, so an
    agent that lowers weights, or raises the threshold, could otherwise silence everything within the limits.
    """
    weights = {drive.name: drive.weight for drive in drives.drives if drive.name in PROTECTED}
    kept = value
    if mutation.kind == "adjust_weight" and mutation.drive in weights:
        kept = max(value, _least_weight(weights[mutation.drive], rules))
    elif mutation.kind == "adjust_threshold":
        lids = [weight * rules.pressure_max for weight in weights.values()]
        bound = [lid for lid in lids if rules.threshold <= lid < rules.single_threshold]
        kept = max(min([value, *bound]), min(value, rules.threshold))
    more = f"More would keep {', '.join(sorted(PROTECTED))} from waking anyone." if kept != value else ""
    return kept, f"{note} {more}".strip()


def _least_weight(weight: float, rules: DriveRules) -> float:
    """Return the least weight with which a drive can wake alone; 0 where it cannot with the one that it has."""
    lid = weight * rules.pressure_max
    line = next((one for one in (rules.single_threshold, rules.threshold) if one <= lid), None)
    if line is None or rules.pressure_max <= 0:
        return 0.0
    steps = math.ceil(round(line / rules.pressure_max / WEIGHT_STEP, PLACES))
    while round(steps * WEIGHT_STEP, PLACES) * rules.pressure_max < line:
        steps += 1
    return min(round(steps * WEIGHT_STEP, PLACES), weight)


def _loosens(kind: MutationKind, value: float, current: float) -> bool:
    if kind in AT_ONCE:
        return False
    return kind == "add_drive" or (value < current if kind in LESS_IS_MORE else value > current)


def _wakes_alone(kind: MutationKind, rules: DriveRules) -> bool:
    """Say whether a spike may wake the agent outside without anybody seeing it: then no agent gives itself a turn."""
    return kind == "spike_drive" and rules.wakes == "alone" and bool(rules.agent)


def _allowed(
    asked: Mutation, made: Mutation, rules: DriveRules, *, is_person: bool, note: str, loosens: bool
) -> MutationRuling:
    is_theirs = made.kind == "remove_drive" and made.drive in dict(rules.weights)
    why = (
        "Every change by an agent needs a yes here."
        if rules.mutations == "card"
        else "It lets Pulse wake more easily."
        if loosens
        else "It is your own drive."
        if is_theirs
        else ""
    )
    by_card = bool(why) and not is_person
    return MutationRuling(
        outcome="asked" if by_card else "applied",
        mutation=made,
        asked_value=asked.value if asked.value != made.value else None,
        note=f"{note} {why}".strip() if by_card else note,
    )
