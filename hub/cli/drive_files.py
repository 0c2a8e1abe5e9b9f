"""`pulse drives export`: what the drives remember, as files of plain JSON in a folder of yours."""

import io
from pathlib import Path

import click
import msgspec

from hub.cli.api import HubClient, open_api
from hub.cli.command import CommandContext, command
from hub.cli.export import CannotWriteError, FileThereError
from hub.kit.files import FOLDER_MODE, replace_file
from hub.when.drives.portable import BYTES_MAX


@command("export")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.pass_obj
def export(context: CommandContext, folder: Path, *, force: bool) -> None:
    """Export what the drives remember to a folder, as plain JSON.

    Pressures, open needs, wakes and the whole audit log. Only you can read the folder and its files.

    Example: pulse drives export ~/pulse-drives
    """
    files = _fetched(open_api(context.home))
    _require_room(folder, files, force=force)
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        for name, content in files.items():
            replace_file(folder / name, content.encode(), lasting=True)
    except OSError as error:
        raise CannotWriteError(
            f"{folder} cannot be written: {error.strerror}.", fix="Choose another folder."
        ) from error
    sizes = {name: len(content.encode()) for name, content in files.items()}
    if context.printed({"folder": str(folder), "bytes": sizes}):
        return
    for name, size in sizes.items():
        context.say(f"✓ {folder / name}: {size:,} bytes", "green")


def _fetched(api: HubClient) -> dict[str, str]:
    """Return the files that there are; a name that is none of them is written nowhere."""
    document = io.BytesIO()
    api.download("/drives/export", document)
    found = msgspec.json.decode(document.getvalue(), type=dict[str, str])
    return {name: found[name] for name in BYTES_MAX if name in found}


def _require_room(folder: Path, files: dict[str, str], *, force: bool) -> None:
    """Check that nothing is lost and no link is followed.

    Raises:
        FileThereError, CannotWriteError: something else is there.
    """
    for path in (folder, *(folder / name for name in files)):
        if path.is_symlink():
            raise CannotWriteError(f"{path} is a link.", fix="Name a separate folder.")
    there = [name for name in files if (folder / name).exists()]
    if there and not force:
        raise FileThereError(f"{folder / there[0]} already exists.", fix="Choose another folder, or add --force.")
