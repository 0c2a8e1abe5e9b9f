"""What `pulse phone`, `pulse agent setup` and the set-ups of surfaces set up, in files beside the person's settings.

The person's `config.toml` is theirs and is never written; what it says is stronger. Deleting `set-up.json` undoes all.
Secrets stand apart from it, each in a file of the folder `secrets`; what the environment says is stronger.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from hub.io.home.folder import Home
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


def keep_secret(home: Home, name: str, value: str) -> None:
    """Keep a surface's secret where only its owner can read it; an empty one is forgotten."""
    path = home.secret_path(name)
    if not value:
        path.unlink(missing_ok=True)
        return
    private_folder(path.parent)
    write_private(path, value)


def forget(home: Home, table: str, secrets: Iterable[str]) -> None:
    """Take back what was set up in a table, and its secrets."""
    set_up(home.set_up, table, {})
    for name in secrets:
        keep_secret(home, name, "")


def kept_secret(home: Home, name: str) -> str:
    """Return a surface's secret: from the environment, else as it is kept; empty where there is none.

    Raises:
        OSError: it is there and cannot be read.
    """
    path = home.secret_path(name)
    return os.environ.get(name, "") or (path.read_text(encoding="utf-8").strip() if path.exists() else "")
