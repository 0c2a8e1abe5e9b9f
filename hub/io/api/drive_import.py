"""Takes on what the drives remembered elsewhere, from the texts of its files.

The files are read here and not in the loop, which would wait for that; what is long is handed in piece by piece.
"""

import asyncio

from msgspec.structs import replace

from hub.contract.drives import DrivesImportAnswer, DrivesImportRequest
from hub.domain.drive_requests import DrivesShown, DrivesTaken, ImportDrives, LookAtDrives
from hub.domain.drives import DriveRules
from hub.domain.requests import Refused
from hub.io.access.in_person import is_in_person
from hub.io.api.call import Call, Nothing
from hub.io.http.loop_requests import ask_loop
from hub.kit.text import counted
from hub.loop.refusals import import_of_your_own
from hub.when.drives import DrivesImported, imported
from hub.when.drives.portable import STATE

BODY_BYTES_MAX = 4_194_304
"""A state of 1 MB has room, also where each of its quotes takes a backslash."""
ROWS_MAX = 1_000
"""So many wakes and changes are taken at a time, so that nothing else waits for long."""
TOLD_MAX = 3


async def take(call: Call[DrivesImportRequest, Nothing]) -> DrivesImportAnswer | Refused:
    """Replace what presses by what the files say, and add their wakes and changes that are not there yet."""
    if not is_in_person(call.client):
        return import_of_your_own()
    shown = await ask_loop(call.parts.hub_api, LookAtDrives(), DrivesShown)
    if isinstance(shown, Refused):
        return shown
    read = await asyncio.to_thread(_read, call, shown.rules)
    refusal = _refusal(read, call.body)
    if refusal is not None:
        return refusal
    drives = None if call.body.only_history else read.drives
    request = ImportDrives(is_person=True, drives=drives, wakes=read.wakes, records=read.records)
    taken = await ask_loop(call.parts.hub_api, request, DrivesTaken)
    return taken if isinstance(taken, Refused) else _answer(replace(read, drives=drives), taken)


def _read(call: Call[DrivesImportRequest, Nothing], rules: DriveRules) -> DrivesImported:
    files = {name: text.encode() for name, text in call.body.files.items()}
    return imported(files, rules, call.parts.clock.now(), threshold=call.body.threshold)


def _refusal(read: DrivesImported, body: DrivesImportRequest) -> Refused | None:
    """Return why nothing is taken: too much at once, or a state that is none."""
    rows = len(read.wakes) + len(read.records)
    if rows > ROWS_MAX:
        detail = f"{rows:,} wakes and changes came at once, and {ROWS_MAX:,} are the most. Nothing was changed."
        return Refused(code="import-too-large", status=413, detail=detail, fix="Hand them in in several requests.")
    found = read.drives is not None or read.wakes or read.records
    is_broken = STATE in body.files and read.drives is None
    if body.only_history or (found and not is_broken):
        return None
    return _unreadable(" ".join(read.problems[:TOLD_MAX]) or "None of the files contains what the drives remember.")


def _unreadable(why: str) -> Refused:
    detail = f"{why} Nothing was changed."
    fix = "Export it again, or fix what is named; docs/drives.md describes each file."
    return Refused(code="import-unreadable", status=422, detail=detail, fix=fix)


def _answer(read: DrivesImported, taken: DrivesTaken) -> DrivesImportAnswer:
    return DrivesImportAnswer(
        drives=0 if read.drives is None else len(read.drives.drives),
        replaced=read.drives is not None,
        wakes=taken.wakes,
        changes=taken.records,
        changes_linked_anew=taken.linked_anew,
        notes=(*read.notes, *_queue(read)),
        problems=(*read.problems, *_left_out(taken)),
    )


def _queue(read: DrivesImported) -> tuple[str, ...]:
    """Say that changes that waited are an agent's to hand in again, so that limits and cards hold for them."""
    waiting = counted(len(read.queue), "change")
    return (f"mutations.json: {waiting} waited there. Agents hand them in again.",) if read.queue else ()


def _left_out(taken: DrivesTaken) -> tuple[str, ...]:
    left = counted(taken.left_out, "line")
    return (f"{left} were left out: their ids are none that can be meant.",) if taken.left_out else ()
