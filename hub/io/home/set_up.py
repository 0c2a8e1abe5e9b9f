"""What `pulse phone` and `pulse discord setup` set up, in a file of its own beside the person's settings.

The person's `config.toml` is theirs and is never written; what it says is stronger. Deleting `set-up.json` undoes all.
"""

from pathlib import Path
from typing import Any

import msgspec

from hub.io.home.private_files import private_folder, write_private


def set_up(path: Path, table: str, values: dict[str, Any]) -> None:
    """Keep these settings of one table, and no others of it. A damaged file is replaced."""
    tables = {**kept_at(path), table: values}
    private_folder(path.parent)
    text = msgspec.json.format(msgspec.json.encode({name: kept for name, kept in tables.items() if kept}), indent=2)
    write_private(path, text.decode() + "\n")


def kept_at(path: Path) -> dict[str, dict[str, Any]]:
    """Return what is set up, by table."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, Any]])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}
