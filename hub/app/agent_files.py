"""The files in which agents hand in what they did, and what they want changed."""

from hub.app.handed_in import HandedInFile
from hub.app.mutations_file import MutationsFile
from hub.app.turn_result import TurnResultFile
from hub.app.watched import mutations_file_of, report_file_of
from hub.ports import HubApi
from hub.settings.schema import DriveSettings


def files_handed_in(wanted: DriveSettings, hub_api: HubApi) -> tuple[HandedInFile, ...]:
    """Return those that the settings name; nothing is read before they are started."""
    reports, changes = report_file_of(wanted), mutations_file_of(wanted)
    return (
        *(() if reports is None else (TurnResultFile(reports, hub_api),)),
        *(() if changes is None else (MutationsFile(changes, hub_api),)),
    )
