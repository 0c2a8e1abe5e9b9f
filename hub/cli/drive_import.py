"""`pulse drives import`: goes on with what the drives remembered elsewhere."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from hub.cli.api import HubClient, open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.drives import DrivesImportAnswer, DrivesImportRequest
from hub.contract.errors import UserError
from hub.domain.lookalikes import reveal
from hub.kit.text import counted
from hub.when.drives.portable import AUDIT, BYTES_MAX, QUEUE, STATE, THEIR_AUDIT, WAKES
from hub.when.drives.portable_end import wrong_end

AT_ONCE_BYTES_MAX, AT_ONCE_LINES_MAX = 4_000_000, 1_000
"""Up to this all is handed in at once, and taken or not taken as a whole."""
PIECE_BYTES_MAX, PIECE_LINES_MAX = 1_000_000, 500
"""Of more than that, so much of a history is handed in at a time."""
TIMEOUT_S = 60.0
HISTORIES = (AUDIT, THEIR_AUDIT, WAKES)
TOLD_MAX = 20


class CannotReadImportError(UserError):
    """A folder or file to import cannot be read. The message says which and why."""

    code = "import-not-read"


@command("import")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--yes", is_flag=True, help="Replace the current pressures without asking.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1000, min_open=True),
    help="The threshold of the public implementation, if you changed it there.",
)
@click.pass_obj
def import_(context: CommandContext, folder: Path, threshold: float | None, *, yes: bool) -> None:
    """Import what the drives remembered on another machine.

    DIR is a folder that `pulse drives export` wrote, or that of the public implementation. Pressures are replaced;
    wakes and audit entries are added, each once.

    Example: pulse drives import ~/pulse-drives
    """
    files = _files(folder)
    api = open_api(context.home)
    if not _agreed(context, files, yes=yes):
        return
    answers = [_handed_in(api, request) for request in _requests(files, threshold)]
    taken = _summed(answers)
    _tell(context, replace(taken, problems=tuple(dict.fromkeys((*taken.problems, *_wrong_end(files))))))


def _files(folder: Path) -> dict[str, str]:
    """Return the text of the files that there are.

    Raises:
        CannotReadImportError: there is none, or one is a link, a pipe, too large or no text.
    """
    if folder.is_symlink():
        raise CannotReadImportError(f"{folder} is a link.", fix="Name the folder itself.")
    found = {name: text for name, most in BYTES_MAX.items() if (text := _text(folder / name, most)) is not None}
    if not found:
        names = ", ".join(BYTES_MAX)
        raise CannotReadImportError(
            f"{folder} has none of the files {names}.", fix="Name the folder that contains them."
        )
    return found


def _text(path: Path, bytes_max: int) -> str | None:
    try:
        body = _body(path, bytes_max + 1)
        if body is not None and len(body) > bytes_max:
            raise CannotReadImportError(f"{path} is larger than {bytes_max // 1_000_000} MB.", fix="Shorten it.")
        return None if body is None else body.decode()
    except UnicodeDecodeError as error:
        raise CannotReadImportError(f"{path} is not UTF-8 text.", fix="Export it again.") from error
    except OSError as error:
        why = error.strerror or "it cannot be opened"
        raise CannotReadImportError(f"{path} cannot be read: {why}.", fix="Check that it is your own file.") from error


def _body(path: Path, bytes_max: int) -> bytes | None:
    """Return the beginning of a plain file; no link is followed, and no pipe is waited for."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise CannotReadImportError(f"{path} is not a regular file.", fix="Use the file itself.")
        return file.read(bytes_max)


def _agreed(context: CommandContext, files: dict[str, str], *, yes: bool) -> bool:
    if yes or STATE not in files:
        return True
    if context.as_json:
        raise UserError("--json cannot ask for confirmation.", fix="Run it without --json, or add --yes.")
    if click.confirm("This replaces the pressures here. Continue?", default=False):
        return True
    context.say("Nothing was changed.")
    return False


def _requests(files: dict[str, str], threshold: float | None) -> Iterator[DrivesImportRequest]:
    """Yield all at once; if that is too much the state, and then the histories piece by piece, with whose they are."""
    whole = DrivesImportRequest(files=files, threshold=threshold)
    if _is_taken_at_once(whole):
        yield whole
        return
    first = {name: files[name] for name in (STATE, QUEUE) if name in files}
    if STATE in first:
        yield DrivesImportRequest(files=first, threshold=threshold)
    whose = _whose(files.get(STATE, ""))
    for name in HISTORIES:
        for piece in _pieces(files.get(name, "")):
            yield DrivesImportRequest(files={**whose, name: piece}, threshold=threshold, only_history=True)


def _is_taken_at_once(whole: DrivesImportRequest) -> bool:
    lines = sum(text.count("\n") + 1 for name, text in whole.files.items() if name in HISTORIES)
    return lines <= AT_ONCE_LINES_MAX and len(msgspec.json.encode(whole)) <= AT_ONCE_BYTES_MAX


def _wrong_end(files: dict[str, str]) -> tuple[str, ...]:
    """Return what the hub, which sees the audit piece by piece, or none of it, cannot tell of its end."""
    try:
        state = msgspec.json.decode(files.get(STATE, "{}"))
    except msgspec.DecodeError:  # the hub has told of it, or has read what JSON has not (NaN)
        return ()
    wrong = wrong_end(state, files.get(AUDIT, "").encode()) if isinstance(state, dict) else ""
    return (f"{AUDIT}: {wrong}",) if wrong else ()


def _whose(state: str) -> dict[str, str]:
    """Return of the state what tells whose files these are, and on what scale."""
    try:
        found = msgspec.json.decode(state) if state else {}
    except msgspec.DecodeError:  # the hub has read it, as it reads what JSON has not (NaN)
        return {STATE: state}
    kept = {name: found[name] for name in ("_format", "config_overrides") if name in found}
    return {STATE: msgspec.json.encode(kept).decode()} if kept else {}


def _pieces(text: str) -> Iterator[str]:
    piece: list[str] = []
    size = 0
    for line in text.split("\n"):
        if piece and (len(piece) >= PIECE_LINES_MAX or size + len(line) > PIECE_BYTES_MAX):
            yield "\n".join(piece)
            piece, size = [], 0
        if line.strip():
            piece.append(line)
            size += len(line)
    if piece:
        yield "\n".join(piece)


def _handed_in(api: HubClient, request: DrivesImportRequest) -> DrivesImportAnswer:
    return read(api.call("POST", "/drives/import", request, timeout_s=TIMEOUT_S), DrivesImportAnswer)


def _summed(answers: list[DrivesImportAnswer]) -> DrivesImportAnswer:
    return DrivesImportAnswer(
        drives=sum(one.drives for one in answers),
        replaced=any(one.replaced for one in answers),
        wakes=sum(one.wakes for one in answers),
        changes=sum(one.changes for one in answers),
        changes_linked_anew=sum(one.changes_linked_anew for one in answers),
        notes=tuple(dict.fromkeys(note for one in answers for note in one.notes)),
        problems=tuple(dict.fromkeys(problem for one in answers for problem in one.problems)),
    )


def _tell(context: CommandContext, taken: DrivesImportAnswer) -> None:
    if context.printed(taken):
        return
    if taken.replaced:
        context.say(f"✓ {counted(taken.drives, 'drive')}, restored.", "green")
    context.say(f"✓ {counted(taken.wakes, 'wake')} and {counted(taken.changes, 'change')} added.", "green")
    if taken.changes_linked_anew:
        context.say(f"  {counted(taken.changes_linked_anew, 'change')} added to the audit log, marked as imported.")
    for told in (taken.notes, taken.problems):
        for line in told[:TOLD_MAX]:
            context.say(f"  {reveal(line)}")
        if len(told) > TOLD_MAX:
            context.say(f"  and {len(told) - TOLD_MAX} more (--json has them)")
