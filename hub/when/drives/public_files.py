"""What the files of the public implementation say, in our values. Facts about its formats; nothing of its code.

Its pressures stand on another scale: a threshold of 0.7 where ours is 5. So what is a pressure or a threshold is
multiplied by ours / theirs. Its rate has the same default and limits as ours, and stays as it is. Whoever set it up on
the scale of its own documents (a threshold above 1, which its mutations cannot reach) is read by their default of 5.
"""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.drives import MutationKind
from hub.domain.canonical import digest
from hub.domain.drive_limits import REASON_CHARS_MAX
from hub.domain.drives import DriveRules, Wake
from hub.domain.mutations import Mutation, MutationRecord
from hub.when.drives.portable_reading import JsonObject, Place, moment_of, number_of, text_of

THRESHOLD = 0.7
"""Its default, on its own scale."""
DOCUMENTED_THRESHOLD = 5.0
"""The default on the scale of its documents."""
PLACE = "openclaw"
"""Where it wakes somebody."""
NAME_CHARS_MAX = 64
ID_CHARS = 12
DEFAULT_AMOUNT = 0.3
"""How much a spike or decay of its is where none is named, on its scale."""
SCALED: frozenset[MutationKind] = frozenset({"adjust_threshold", "spike_drive", "decay_drive"})
KINDS: dict[str, MutationKind] = {
    "weight": "adjust_weight",
    "threshold": "adjust_threshold",
    "rate": "adjust_rate",
    "cooldown": "adjust_cooldown",
    "turns_per_hour": "adjust_turns_per_hour",
    "drive_add": "add_drive",
    "drive_create": "add_drive",
    "drive_remove": "remove_drive",
    "spike": "spike_drive",
    "decay": "decay_drive",
}
"""The kinds of its audit."""


def their_threshold(overrides: JsonObject) -> float:
    """Return the threshold that its pressures are measured by, as far as its state tells."""
    found = overrides.get("trigger_threshold")
    is_documented = isinstance(found, int | float) and found > 1
    return DOCUMENTED_THRESHOLD if is_documented else THRESHOLD


def their_wake(entry: JsonObject, scale: float, rules: DriveRules, now: datetime, place: Place) -> Wake | None:
    """Return a line of its trigger history; its success says that the message was taken, not what came of it."""
    at = moment_of(entry, "timestamp", now, place)
    if at is None:
        place.tell("it does not say when it woke.")
        return None
    pressure = (number_of(entry, "pressure", place) or 0.0) * scale
    return Wake(
        id=f"public-{digest(entry)[:ID_CHARS]}",
        at=at,
        rule="total",
        drive=text_of(entry, "top_drive", NAME_CHARS_MAX),
        pressure=pressure,
        total=pressure,
        threshold=rules.threshold,
        place=PLACE,
        ended="sent" if entry.get("success") is True else "undelivered",
        note=text_of(entry, "reason", REASON_CHARS_MAX),
    )


def their_record(entry: JsonObject, scale: float, now: datetime, place: Place) -> MutationRecord | None:
    """Return a line of its audit; it is in no chain of ours yet."""
    kind = KINDS.get(text_of(entry, "mutation_type"))
    at = moment_of(entry, "timestamp", now, place)
    if kind is None or at is None:
        place.tell("it does not say what was changed, or when.")
        return None
    by = scale if kind in SCALED else 1.0
    before, after, asked = (_scaled(entry, name, by, place) for name in ("before", "after", "clamped_from"))
    amount = abs((after or 0.0) - (before or 0.0)) if kind in {"spike_drive", "decay_drive"} else after
    mutation = Mutation(
        kind=kind,
        drive=_drive_in(text_of(entry, "target")),
        value=amount,
        reason=text_of(entry, "reason", REASON_CHARS_MAX),
    )
    return MutationRecord(
        id=f"public-{digest(entry)[:ID_CHARS]}",
        at=at,
        by=text_of(entry, "source", NAME_CHARS_MAX) or "agent",
        mutation=mutation,
        status="applied",
        before=before,
        after=after,
        asked_value=asked,
        note="From the public implementation.",
    )


def their_mutation(mutation: Mutation, scale: float) -> Mutation:
    """Return a mutation that waited in its queue, on our scale."""
    if mutation.kind not in SCALED:
        return mutation
    is_amount = mutation.kind in {"spike_drive", "decay_drive"}
    value = DEFAULT_AMOUNT if mutation.value is None and is_amount else mutation.value
    return replace(mutation, value=None if value is None else value * scale)


def _scaled(entry: JsonObject, name: str, scale: float, place: Place) -> float | None:
    """Return a value of its audit: a number, or the weight of a drive that came or went."""
    found = entry.get(name)
    fields, key = (found, "weight") if isinstance(found, dict) else (entry, name)
    number = number_of(fields, key, place)
    return None if number is None else number * scale


def _drive_in(target: str) -> str:
    """Return the drive that a target names: `drives.goals.weight` is of `goals`, `drives.pressure_rate` of none."""
    parts = target.split(".")
    is_drive = parts[0] == "drives" and len(parts) > 1 and parts[1] not in {"trigger_threshold", "pressure_rate"}
    return parts[1][:NAME_CHARS_MAX] if is_drive else ""
