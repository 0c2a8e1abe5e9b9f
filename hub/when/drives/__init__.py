"""What presses, and whether that is reason enough to wake (DRIVES 2, 3; docs/drives.md)."""

from hub.when.drives.engine import (
    addressed,
    changed,
    decayed,
    finite,
    in_force,
    is_open,
    pressure_at,
    sampled,
    settled,
    slope,
    slope_at,
    spiked,
    with_built_in,
)
from hub.when.drives.evaluate import evaluate, next_crossing, next_try, undelivered
from hub.when.drives.heard import heard_with
from hub.when.drives.model import QUESTION_CHARS_MAX, ModelOpinion, earlier, opinion, question
from hub.when.drives.mutate import CannotUndo, MutationUndone, applied, undone
from hub.when.drives.portable import exported
from hub.when.drives.portable_import import DrivesImported, imported, mutations_in
from hub.when.drives.wants import brought, handed_in, looked, reopened, waiting, without, without_ended

__all__ = [
    "QUESTION_CHARS_MAX",
    "CannotUndo",
    "DrivesImported",
    "ModelOpinion",
    "MutationUndone",
    "addressed",
    "applied",
    "brought",
    "changed",
    "decayed",
    "earlier",
    "evaluate",
    "exported",
    "finite",
    "handed_in",
    "heard_with",
    "imported",
    "in_force",
    "is_open",
    "looked",
    "mutations_in",
    "next_crossing",
    "next_try",
    "opinion",
    "pressure_at",
    "question",
    "reopened",
    "sampled",
    "settled",
    "slope",
    "slope_at",
    "spiked",
    "undelivered",
    "undone",
    "waiting",
    "with_built_in",
    "without",
    "without_ended",
]
