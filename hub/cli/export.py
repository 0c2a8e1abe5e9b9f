"""`pulse export`: everything suggested, decided, executed and blocked, as a file."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from hub.cli.api import open_api
from hub.cli.command import CommandContext, command
from hub.contract.errors import UserError, WorldError

FORMS = ("jsonl", "csv")
FILE_MODE = 0o600
STDOUT = Path("-")


class FileThereError(UserError):
    """A file of that name is there already. Choose another name, or add --force."""

    code = "file-there"


class CannotWriteError(WorldError):
    """The file cannot be written. Choose another place, or free some space."""

    code = "cannot-write"


@command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMS), help="What it is; else as the name ends, else jsonl.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.pass_obj
def export(here: CommandContext, file: Path, form: str | None, *, force: bool) -> None:
    """Write everything that was suggested, and what came of it, to a file.

    jsonl: one JSON object for each suggestion, with its whole story and its runs. csv: one row each, for a
    spreadsheet. Secrets are masked. FILE may be - for standard output.

    Example: pulse export pulse.csv
    """
    form = form or ("csv" if file.suffix.lower() == ".csv" else "jsonl")
    api = open_api(here.home)
    if file == STDOUT:
        api.download(f"/export?format={form}", sys.stdout.buffer)
        return
    with _written(file, force=force) as target:
        count = api.download(f"/export?format={form}", target)
    if here.as_json:
        here.document(msgspec.json.encode({"file": str(file), "format": form, "bytes": count}))
        return
    here.say(f"✓ {file}: {count:,} bytes of {form}.", "green")


@contextlib.contextmanager
def _written(file: Path, *, force: bool) -> Iterator[BinaryIO]:
    """Open a file that only its owner can read; it takes its name once it is whole.

    Raises:
        FileThereError, CannotWriteError: it cannot be, or not without --force.
    """
    if file.exists() and not force:
        raise FileThereError(f"{file} is there already.", fix="Choose another name, or add --force.")
    part = file.with_name(f"{file.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE), "wb") as target:
            yield target
        part.replace(file)
    except OSError as error:
        raise CannotWriteError(f"{file}: {error.strerror}.", fix="Choose another place.") from error
    finally:
        part.unlink(missing_ok=True)
