"""How far the drives can be changed while Pulse runs (DRIVES 4), as data; docs/drives.md shows the same table.

The scale is the source's: pressures from 0 to 10, a threshold of 5. What the settings file says is a person's own and
may lie outside; then a mutation can only bring it nearer.
"""

import re

from hub.contract.base import Value
from hub.contract.drives import MutationKind

MUTATIONS_PER_HOUR_MAX = 10
"""So many mutations by agents are looked at in an hour, all of them together."""
BATCH_MAX = 100
"""So many mutations by a person are looked at in one go."""
REASON_CHARS_MAX = 500
NEW_WEIGHT = 0.5
"""The weight of a drive that is added without one, and what the step to its weight is counted from."""
NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""What a drive may be called; to be matched in full."""


class Limit(Value):
    """Between what a value stays, whoever asks, and the most that an agent changes it by at a time (None: any)."""

    low: float
    high: float
    step: float | None = None
    is_whole: bool = False


LIMITS: dict[MutationKind, Limit] = {
    "adjust_weight": Limit(low=0.05, high=3.0, step=0.5),
    "adjust_threshold": Limit(low=2.0, high=9.5, step=1.5),
    "adjust_rate": Limit(low=0.001, high=0.1, step=0.02),
    "adjust_cooldown": Limit(low=60.0, high=3_600.0),
    "adjust_turns_per_hour": Limit(low=1.0, high=30.0, is_whole=True),
    "add_drive": Limit(low=0.05, high=3.0, step=0.5),
    "spike_drive": Limit(low=0.0, high=3.0),
    "decay_drive": Limit(low=0.0, high=3.0),
}
"""The limits by kind of mutation; spike and decay are amounts of pressure, and more than 0."""
