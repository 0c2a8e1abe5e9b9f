"""Where each agent reads hooks from: below the folders around its work, in a folder of its own, and for the machine.

Written after Claude Code 2.1.330, Codex 0.171.0, Copilot CLI 1.0.102 and Gemini CLI 0.61.0, and after Cursor's own
reference. OpenCode has no hooks: its plugins are a part of it. In no file here is what an agent is started with
(`--settings`, `--plugin-dir`, `-c`), nor what comes from a server (managed settings, a team's hooks).
"""

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from hub.contract.base import Value
from hub.io.agents.hooks.around import TooMuchError
from hub.io.agents.hooks.claude_plugins import OWN

FILES_MAX = 2_048
PROJECTS = "projects"
"""The folder, beside Claude Code's settings, in which transcripts are kept."""


class HookPlaces(Value):
    """Files, as patterns: `around` below each folder, `own` below its folder `home`, which the variable moves."""

    around: tuple[str, ...]
    home: str
    own: tuple[str, ...]
    variable: str = ""
    machine: tuple[str, ...] = ()


_SETTINGS = ("settings.json", "settings.local.json")
_FRONT = ("skills/*/SKILL.md", "commands/*.md", "agents/*.md")
"""What brings hooks along in its first lines."""
_PLUGIN = "plugins/cache/*/*/*"
_HELD = tuple(f"{folder}/{one}" for folder in ("skills/*", _PLUGIN) for one in OWN)
"""Claude Code takes a folder among the skills that is a plugin for one."""
PLACES: Mapping[str, HookPlaces] = {
    "claude-code": HookPlaces(
        around=tuple(f".claude/{one}" for one in (*_SETTINGS, *_FRONT, *_HELD[: len(OWN)])),
        home=".claude",
        own=(*_SETTINGS, *_FRONT, *_HELD, *(f"{_PLUGIN}/{one}" for one in _FRONT)),
        variable="CLAUDE_CONFIG_DIR",
        machine=("/etc/claude-code/managed-settings.json", "/etc/claude-code/managed-settings.d/*.json"),
    ),
    "codex": HookPlaces(
        around=(".codex/hooks.json", ".codex/config.toml"),
        home=".codex",
        own=("hooks.json", "config.toml", f"{_PLUGIN}/hooks/hooks.json", f"{_PLUGIN}/hooks.json"),
        variable="CODEX_HOME",
        machine=("/etc/codex/hooks.json", "/etc/codex/*.toml"),
    ),
    "copilot": HookPlaces(
        around=(
            ".github/hooks/*.json",
            *(f".github/copilot/{one}" for one in _SETTINGS),
            *(f".claude/{one}" for one in _SETTINGS),
        ),
        home=".copilot",
        own=(
            "hooks/*.json",
            *_SETTINGS,
            "config.json",
            *(f"installed-plugins/*/*/{one}" for one in ("hooks.json", "hooks/hooks.json")),
        ),
        variable="COPILOT_HOME",
        machine=("/etc/github-copilot/policy.d/*.json",),
    ),
    "cursor": HookPlaces(
        around=(".cursor/hooks.json",),
        home=".cursor",
        own=("hooks.json",),
        machine=("/etc/cursor/hooks.json",),
    ),
    "gemini": HookPlaces(
        around=(".gemini/settings.json",),
        home=".gemini",
        own=("settings.json", "extensions/*/hooks/hooks.json"),
        machine=("/etc/gemini-cli/settings.json", "/etc/gemini-cli/system-defaults.json"),
    ),
}


def files_of(places: HookPlaces, folders: Sequence[str], home: str, transcript: str = "") -> list[str]:
    """Return the files that are there around these folders and in the homes; a transcript tells of one elsewhere.

    Raises:
        TooMuchError: there are more than one call is worth.
    """
    found = list(islice(dict.fromkeys(_files_of(places, folders, home, transcript)), FILES_MAX + 1))
    if len(found) > FILES_MAX:
        raise TooMuchError
    return found


def homes_of(places: HookPlaces, home: str, transcript: str = "") -> list[str]:
    """Return the folders of an agent's own: below the person's home, where a variable or a transcript says."""
    moved = os.environ.get(places.variable, "") if places.variable else ""
    by_transcript = [str(one.parent) for one in Path(transcript).parents if one.name == PROJECTS]
    return [one for one in dict.fromkeys((f"{home}/{places.home}", moved, *by_transcript)) if one]


def _files_of(places: HookPlaces, folders: Sequence[str], home: str, transcript: str) -> Iterator[str]:
    around = dict.fromkeys(
        str(path) for one in folders if one.startswith("/") for path in (Path(one), *Path(one).parents)
    )
    for holder, patterns in (
        *((one, places.around) for one in around),
        *((one, places.own) for one in homes_of(places, home, transcript)),
        ("", places.machine),
    ):
        for pattern in patterns:
            yield from _matching(holder.rstrip("/"), pattern)


def _matching(holder: str, pattern: str) -> Iterator[str]:
    path = f"{holder}/{pattern}" if holder or not pattern.startswith("/") else pattern
    if "\0" in path:
        return
    if "*" in pattern:
        yield from sorted(islice(glob.iglob(f"{glob.escape(holder)}/{pattern.lstrip('/')}"), FILES_MAX + 1))  # noqa: PTH207  a text
    elif os.path.lexists(path):
        yield path
