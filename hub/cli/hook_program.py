"""The small program that an agent's hooks start: what stands in it, and whether it still does."""

import os
import sys
from pathlib import Path
from shlex import quote

from hub.io.agents.hooks.connections import AgentConnection
from hub.io.sensors.bounded import head

SHEBANG_BYTES_MAX = 120
"""Linux before 5.1 cuts a first line after 127 bytes."""
CLIENT = Path(__file__).with_name("hook_client.py")

DIRECT = """#!{python} -IS
# Made by `pulse connect {agent}`; see docs/connect.md.
import sys
sys.path.insert(0, {folder!r})
from hook_client import run
run([{agent!r}, {home!r}, *sys.argv[1:]])
"""
BY_SHELL = """#!/bin/sh
# Made by `pulse connect {agent}`; see docs/connect.md.
exec {python} -I -S {client} {agent} {home} "$@"
"""


def program_text(home: Path, which: AgentConnection, python: str = sys.executable) -> str:
    """Return the program, as it must be for this installation."""
    fits = len(os.fsencode(f"#!{python} -IS")) <= SHEBANG_BYTES_MAX and " " not in python
    if fits:
        return DIRECT.format(python=python, folder=str(CLIENT.parent), agent=which.agent, home=str(home))
    return BY_SHELL.format(python=quote(python), client=quote(str(CLIENT)), agent=which.agent, home=quote(str(home)))


def is_as_written(path: Path, home: Path, which: AgentConnection) -> bool:
    """Return True if a program is as Pulse writes it, by whichever of this installation's names for Python.

    Raises:
        OSError: it is missing, unreadable, or no regular file.
    """
    own = Path(sys.executable)
    version = sys.version_info
    names = (own.name, "python", "python3", f"python{version.major}.{version.minor}")
    written = {program_text(home, which, str(own.with_name(name))).encode() for name in names}
    return head(path, max(map(len, written)) + 1) in written
