"""What is asked of the drives as a whole, and answered: to show them, and to take on what was read from files."""

from hub.contract.base import Value
from hub.contract.drives import DrivesView
from hub.domain.drives import DriveRules, Drives, Wake
from hub.domain.mutations import MutationRecord


class ImportDrives(Value, tag="import-drives"):
    """Take on what was read from files: `drives` replaces all that presses, wakes and records come in addition.

    Without `drives` what presses stays as it is. Only the person may do it.
    """

    is_person: bool
    drives: Drives | None = None
    wakes: tuple[Wake, ...] = ()
    records: tuple[MutationRecord, ...] = ()


class LookAtDrives(Value, tag="look-at-drives"):
    """Show what presses, as the loop sees it now; nothing changes by it."""


class DrivesShown(Value, tag="drives-shown"):
    """What presses; the last wake is a row, which the loop does not remember. `rules` are the person's own."""

    view: DrivesView
    rules: DriveRules = DriveRules()


class DrivesTaken(Value, tag="drives-taken"):
    """What was taken of an import: how many wakes and records were new, and how many of these were linked anew."""

    wakes: int = 0
    records: int = 0
    linked_anew: int = 0
    left_out: int = 0
    """Wakes and records whose id is none that Pulse would give."""
