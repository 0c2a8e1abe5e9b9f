"""The record of long commands that a person's shell ran: JSON lines, newest last, in their own home."""

import os
from pathlib import Path

COMMANDS_FILE = "commands.jsonl"
RECORD_BYTES_MAX = 256 * 1024


def append_command(home: Path, line: bytes) -> None:
    """Append one line in one write; a record that has grown long starts over, for only the last hour counts."""
    path = home / COMMANDS_FILE
    if path.exists() and path.stat().st_size > RECORD_BYTES_MAX:
        path.unlink()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, line + b"\n")
    finally:
        os.close(descriptor)
