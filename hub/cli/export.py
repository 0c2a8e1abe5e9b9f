"""`pulse export`: everything suggested, decided, executed and blocked, as a file."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from hub.cli.api import HubClient, open_api
from hub.cli.command import CommandContext, command
from hub.contract.errors import UserError, WorldError
from hub.contract.training import ExportedRequest, TrainingView
from hub.kit.text import counted

PAIR_FORMS = ("dpo", "chat", "together")
FORMS = ("jsonl", "csv", *PAIR_FORMS)
FILE_MODE = 0o600
STDOUT = Path("-")


class FileThereError(UserError):
    """A file with that name already exists. Choose another name, or add --force."""

    code = "file-there"


class CannotWriteError(WorldError):
    """The file cannot be written. Choose another place, or free some space."""

    code = "cannot-write"


@command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMS), help="The format; by default from the file name, else jsonl."
)
@click.option("--new", is_flag=True, help="Only training pairs that were not exported before.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.pass_obj
def export(context: CommandContext, file: Path, form: str | None, *, new: bool, force: bool) -> None:
    """Export every suggestion and its outcome to a file.

    jsonl: one JSON object for each suggestion, with its whole story and its runs. csv: one row each, for a
    spreadsheet. dpo: training pairs as TRL reads them, chat: as the chat in which a model is asked, together: that as
    Together takes it; 50 pairs at least, and `training.export` must be on. Secrets are masked. FILE may be - for
    standard output.

    Example: pulse export pulse.csv
    """
    form = form or ("csv" if file.suffix.lower() == ".csv" else "jsonl")
    if new and form not in PAIR_FORMS:
        raise click.UsageError("--new belongs to --format dpo, chat or together.")
    api = open_api(context.home)
    if form in PAIR_FORMS:
        _export_pairs(context, api, file, form, new=new, force=force)
        return
    if file == STDOUT:
        api.download(f"/export?format={form}", sys.stdout.buffer)
        return
    with _written(file, force=force) as target:
        count = api.download(f"/export?format={form}", target)
    if context.printed({"file": str(file), "format": form, "bytes": count}):
        return
    context.say(f"✓ {file}: {count:,} bytes of {form}.", "green")


def _export_pairs(context: CommandContext, api: HubClient, file: Path, form: str, *, new: bool, force: bool) -> None:
    """Write the training pairs that there are now; they count as exported once the file is whole."""
    through = api.get("/training", TrainingView).last_pair
    path = f"/training/pairs?format={form}&through={through}" + ("&new=true" if new else "")
    if file == STDOUT:
        api.download(path, sys.stdout.buffer)
    else:
        with _written(file, force=force) as target:
            count = api.download(path, target)
    api.call("POST", "/training/exported", ExportedRequest(through=through))
    if file == STDOUT:
        return
    with file.open("rb") as written:
        rows = sum(1 for _ in written)
    if context.printed({"file": str(file), "format": form, "bytes": count, "pairs": rows}):
        return
    context.say(f"✓ {file}: {counted(rows, 'training pair')}, {count:,} bytes.", "green")


@contextlib.contextmanager
def _written(file: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Open a file that only its owner can read; it takes its name once it is whole.

    Raises:
        FileThereError, CannotWriteError: it cannot be, or not without --force.
    """
    if file.exists() and not force:
        raise FileThereError(f"{file} already exists.", fix="Choose another name, or add --force.")
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)  # of one that was killed, or a link that somebody else left in this folder
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE), "wb") as target:
            yield target
        part.replace(file)
    except OSError as error:
        raise CannotWriteError(f"{file}: {error.strerror}.", fix="Choose another location.") from error
    finally:
        part.unlink(missing_ok=True)
