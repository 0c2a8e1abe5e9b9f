"""The plugin that connects an agent whose settings name no programs: a file of ours in its folder of plugins."""

import json
import re
from importlib.resources import files
from pathlib import Path

from hub.contract.errors import UserError
from hub.io.agents import hooks
from hub.io.agents.hooks.connections import AgentConnection
from hub.io.agents.hooks.wiring import HookWish

MARK = "// Made by `pulse connect"
PROGRAM_LINE = "const PROGRAM = "
WAIT_LINE = re.compile(r'const WAIT_MS = 1000 \* Number\("([0-9]{1,6})"\);')


class SettingsUnreadableError(UserError):
    """The agent's settings cannot be read, so nothing was changed. The message says why."""

    code = "agent-settings-unreadable"


def plugin_text(which: AgentConnection, wish: HookWish) -> str:
    """Return the plugin, with the program that it starts and how long that may wait."""
    plain = files(hooks).joinpath(which.plugin).read_text(encoding="utf-8")
    return plain.replace('"@PROGRAM@"', json.dumps(wish.program)).replace("@WAIT_S@", str(wish.wait_s))


def is_of_this_pulse(text: str, which: AgentConnection) -> bool:
    """Return True if a plugin is the one that this Pulse makes, whatever it starts and however long that may wait."""
    program, wait_s = _program(text), wait_in_plugin(text)
    if program is None or wait_s is None:
        return False
    return text.splitlines() == plugin_text(which, HookWish(program=program, wait_s=wait_s)).splitlines()


def wait_in_plugin(text: str) -> int | None:
    """Return how many seconds a plugin of ours waits for a person; None where it does not say so as ours does."""
    found = next((one for line in text.splitlines() if (one := WAIT_LINE.fullmatch(line))), None)
    return None if found is None else int(found[1])


def program_in_plugin(path: Path, text: str, which: AgentConnection) -> str:
    """Return the program that a plugin of ours starts.

    Raises:
        SettingsUnreadableError: the file is somebody else's.
    """
    program = _program(text)
    if not text.startswith(MARK) or program is None:
        raise SettingsUnreadableError(
            f"{path} is not the plugin that Pulse creates for {which.title}.", fix="Move it away, and try again."
        )
    return program


def _program(text: str) -> str | None:
    line = next((one for one in text.splitlines() if one.startswith(PROGRAM_LINE)), "")
    try:
        program = json.loads(line.removeprefix(PROGRAM_LINE).rstrip(";"))
    except (ValueError, RecursionError):
        return None
    return program if isinstance(program, str) else None
