"""The plugin that connects an agent whose settings name no programs: a file of ours in its folder of plugins."""

import json
from importlib.resources import files
from pathlib import Path

from hub.contract.errors import UserError
from hub.io.agents import hooks
from hub.io.agents.hooks.connections import AgentConnection
from hub.io.agents.hooks.wiring import HookWish

MARK = "// Made by `pulse connect"
PROGRAM_LINE = "const PROGRAM = "
FILLED_IN = (PROGRAM_LINE, "const WAIT_MS = ")


class SettingsUnreadableError(UserError):
    """The agent's settings cannot be read, so nothing was changed. The message says why."""

    code = "agent-settings-unreadable"


def plugin_text(which: AgentConnection, wish: HookWish) -> str:
    """Return the plugin, with the program that it starts and how long that may wait."""
    plain = files(hooks).joinpath(which.plugin).read_text(encoding="utf-8")
    return plain.replace('"@PROGRAM@"', json.dumps(wish.program)).replace("@WAIT_S@", str(wish.wait_s))


def is_of_this_pulse(text: str, which: AgentConnection) -> bool:
    """Return True if a plugin is the one that this Pulse makes, whatever it starts and however long that may wait."""
    own = plugin_text(which, HookWish(program=""))
    return [_plain(one) for one in text.splitlines()] == [_plain(one) for one in own.splitlines()]


def _plain(line: str) -> str:
    return next((start for start in FILLED_IN if line.startswith(start)), line)


def program_in_plugin(path: Path, text: str, which: AgentConnection) -> str:
    """Return the program that a plugin of ours starts.

    Raises:
        SettingsUnreadableError: the file is somebody else's.
    """
    line = next((one for one in text.splitlines() if one.startswith(PROGRAM_LINE)), "")
    if not text.startswith(MARK) or not line:
        raise SettingsUnreadableError(
            f"{path} is not the plugin that Pulse creates for {which.title}.", fix="Move it away, and try again."
        )
    program = json.loads(line.removeprefix(PROGRAM_LINE).rstrip(";"))
    return program if isinstance(program, str) else ""
