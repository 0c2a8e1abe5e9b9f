"""All that the drives remember, as the four files of the source, to be moved to another machine.

What the public implementation knows has its names there; the rest is ours. Reading: `portable_import`.
"""

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.drives import MutationKind
from hub.domain.drives import Drive, Drives, Tuning, Wake
from hub.domain.mutations import Mutation, MutationRecord
from hub.when.drives.engine import finite
from hub.when.drives.mutate import TUNED

STATE, WAKES, QUEUE, AUDIT = "pulse-state.json", "trigger-history.jsonl", "mutations.json", "audit-log.jsonl"
THEIR_AUDIT = "mutations.jsonl"
"""Where the public implementation writes its audit, whatever its documents call it."""
BYTES_MAX: dict[str, int] = {
    STATE: 1_000_000,
    QUEUE: 1_000_000,
    WAKES: 64_000_000,
    AUDIT: 64_000_000,
    THEIR_AUDIT: 64_000_000,
}
"""The files, and how large each may be; whoever reads them need read no further."""
FORMAT = "pulse-drives-1"
OVERRIDES: dict[MutationKind, str] = {
    "adjust_threshold": "trigger_threshold",
    "adjust_rate": "pressure_rate",
    "adjust_cooldown": "min_trigger_interval",
    "adjust_turns_per_hour": "max_turns_per_hour",
}
"""What the source calls what mutations change of the rules."""
NOT_MOVED = frozenset({"drives", "tuning", "away_since", "away_tries"})
"""Of what is remembered: told in another form, or of this machine only (whether the agent outside can be reached)."""


def exported(
    drives: Drives, wakes: Iterable[Wake], queue: Iterable[Mutation], records: Iterable[MutationRecord], now: datetime
) -> dict[str, bytes]:
    """Return the four files by their names."""
    return {
        STATE: msgspec.json.format(msgspec.json.encode(_state_of(drives, now)), indent=2) + b"\n",
        WAKES: _lines(_wake_line(wake) for wake in wakes),
        QUEUE: msgspec.json.format(msgspec.json.encode([_queued(one) for one in queue]), indent=2) + b"\n",
        AUDIT: _lines(map(_plain, records)),
    }


def _state_of(drives: Drives, now: datetime) -> dict[str, object]:
    tuned = {OVERRIDES[kind]: getattr(drives.tuning, name) for kind, name in TUNED.items()}
    rest = msgspec.to_builtins(replace(drives, drives=(), tuning=Tuning()))
    return {
        "_format": FORMAT,
        "_saved_at": now.timestamp(),
        "drives": {drive.name: _drive_of(drive) for drive in drives.drives},
        "config_overrides": {name: value for name, value in tuned.items() if value is not None},
        "pulse": {name: value for name, value in rest.items() if name not in NOT_MOVED},
    }


def _drive_of(drive: Drive) -> dict[str, object]:
    return {
        "name": drive.name,
        "category": drive.name,
        "pressure": finite(drive.pressure),
        "weight": finite(drive.weight),
        "last_addressed": 0.0 if drive.addressed_at is None else drive.addressed_at.timestamp(),
        "at": None if drive.at is None else drive.at.timestamp(),
        "wants": [_plain(want) for want in drive.wants],
    }


def _plain(value: Value) -> object:
    return msgspec.to_builtins(value, order="deterministic")


def _wake_line(wake: Wake) -> dict[str, object]:
    """Return a wake with what the source's own history calls it, and all of ours."""
    is_handed = wake.ended not in {"undelivered", "interrupted"}
    theirs = {"timestamp": wake.at.timestamp(), "top_drive": wake.drive, "success": is_handed}
    return {**theirs, "reason": wake.note or f"{wake.rule} pressure", **msgspec.to_builtins(wake)}


def _queued(mutation: Mutation) -> dict[str, object]:
    return {"type": mutation.kind, "drive": mutation.drive, "value": mutation.value, "reason": mutation.reason}


def _lines(rows: Iterable[object]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
