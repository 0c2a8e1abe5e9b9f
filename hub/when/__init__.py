"""Is now the moment to think, and may we act alone? (CROSSPOLL 3.6, 5)."""

from hub.when.change import (
    OF_THE_PERSON,
    WEIGHTY,
    WORTHWHILE,
    due,
    full_until,
    notice,
    put_off,
    shown,
    taken_up,
    worth_saying,
)
from hub.when.cycle import next_cycle, next_wake
from hub.when.decide import after_thinking, decide, settle, why_so
from hub.when.machine import Happening, IllegalHappeningError, advance
from hub.when.quiet import is_quiet, open_until, quiet_ended, quiet_ends

__all__ = [
    "OF_THE_PERSON",
    "WEIGHTY",
    "WORTHWHILE",
    "Happening",
    "IllegalHappeningError",
    "advance",
    "after_thinking",
    "decide",
    "due",
    "full_until",
    "is_quiet",
    "next_cycle",
    "next_wake",
    "notice",
    "open_until",
    "put_off",
    "quiet_ended",
    "quiet_ends",
    "settle",
    "shown",
    "taken_up",
    "why_so",
    "worth_saying",
]
