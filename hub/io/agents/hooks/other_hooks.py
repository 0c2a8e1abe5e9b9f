"""Which hooks beside Pulse's stand in the files that a session of an agent reads.

Claude Code takes the first of its hooks that decides about a request for leave, Copilot the last, Codex any that says
yes where none says no, Cursor a project's before its person's. Where another's stands, to leave the question to the
agent is to leave the tool to that hook; so the tool is held, as far as the agent lets Pulse hold it, until a person's
answer. Any hook before a tool may change what the tool is given, and of several inputs the last one that is given runs.
Where a request for leave follows, that shows what the tool has become; where Pulse waits before the tool, it is held.
Where nobody sits there, no answer of Pulse's is a guarantee, so nothing risky goes on beside such a hook. A file that
cannot be read may hold one of either.
"""

import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.domain.canonical import visible
from hub.domain.lookalikes import reveal
from hub.domain.provenance import AgentText, Wording, say
from hub.io.agents.hooks.around import LATE, NOWHERE, TOO_MUCH, TooMuchError, read_bounded
from hub.io.agents.hooks.claude_plugins import LIST, OWN, is_off, run_in_place
from hub.io.agents.hooks.hook_places import PLACES, HookPlaces, files_of, homes_of
from hub.io.agents.hooks.links import LINKS
from hub.io.agents.hooks.step import Dialect, HookStep
from hub.io.agents.hooks.wiring import program_name
from hub.kit.jsonc import object_in
from hub.kit.loose_json import object_of, text_of

PLAIN_TOOLS = frozenset({"Bash", "Edit", "MultiEdit", "NotebookEdit", "Read", "WebFetch", "WebSearch", "Write"})
"""Tools that have no second name: a matcher that names others of them alone does not match."""
COMMAND_CHARS_MAX = 200
UNREADABLE = "it cannot be read, so it may hold hooks"
DOUBTS = frozenset({UNREADABLE, NOWHERE, TOO_MUCH})
"""What is said where nobody can tell whether there is one."""
VARIABLE = "env: "
"""Begins what is said of a variable that settings set for hooks."""
IN_FRONT = "hooks in its first lines"
_FRONT = re.compile(r"\A\ufeff?---[^\S\n]*\n(.*?)^---[^\S\n]*$", re.DOTALL | re.MULTILINE)
_FRONT_HOOKS = re.compile(r"^[\"']?hooks[\"']?\s*:", re.MULTILINE)
_LOADS = re.compile(
    r"LD_\w+|DYLD_\w+|GLIBC_TUNABLES|CLAUDE_CODE_(?:SIMPLE|SHELL_PREFIX)|CLAUDE_(?:CONFIG|PROJECT)_DIR"
    r"|HOME|PATH|SHELL|BASH_ENV|ENV|PYTHON\w+|NODE_OPTIONS"
)
"""Variables by which settings keep hooks from running, or have something else run in their place."""
_OPTION = re.compile(r"--[a-z]+(?:=[0-9]{1,6})?")
SETTINGS = re.compile(r"settings(?:\.local)?\.json\Z|/managed-settings\.d/")
NAMING = (".claude-plugin/plugin.json", LIST)
CLAUDE = "claude-code"
_PLUGIN = re.compile(r"/plugins/cache/([^/]+)/([^/]+)/[^/]+/")
OtherHook = tuple[str, str, str]
"""Its file, its event, and what is said of it; without an event it may be at any."""


async def with_other_hooks(dialect: Dialect, step: HookStep, own: str, home: str = "") -> HookStep:
    """Return a step that would ask with the hooks of others that may answer in the person's place, or change it.

    `own` is Pulse's program, by its path.
    """
    events = tuple(dict.fromkeys((*dialect.decides_at, *dialect.changes_at)))
    if not events:
        return step
    folders = tuple(dict.fromkeys(one for one in (step.folder, step.project) if one))
    person = home or str(Path.home())
    look = HookLook(dialect.name, events, own, step.tool)
    found = await LINKS.beside(lambda: tuple(look.around(folders, person, step.transcript)))
    found = ((dialect.title, "", LATE),) if found is None else found
    holding = dialect.decides_at + (dialect.changes_at if step.unattended or dialect.waits_before else ())
    return replace(step, other_hooks=_at(found, holding), changers=_at(found, dialect.changes_at))


def _at(found: Sequence[OtherHook], events: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((path, said) for path, event, said in found if not event or event in events))


def refusal_of(dialect: Dialect, step: HookStep) -> Wording:
    """Say why nothing risky goes on beside the hooks that may change it, and what the person can do."""
    (path, said), more = step.changers[0], len(step.changers) - 1
    sit_there = say("Remove it, or run {title} at a terminal.", title=dialect.title)
    decides = [one for one in step.other_hooks if one not in step.changers]
    return say(
        "{file} has another hook ({hook}), so Pulse cannot promise that what you approve is what runs. {what}",
        file=reveal(path),
        hook=AgentText(f"{visible(said)}, +{more}" if more else visible(said)),
        what=say("Remove it.") if decides else sit_there,
    )


class HookLook:
    """A look for hooks of others at some events of an agent's; about one tool, or about any."""

    def __init__(self, agent: str, events: Sequence[str], own: str, tool: str = "") -> None:
        self._places: HookPlaces = PLACES[agent]
        self._events, self._own, self._tool = {one.lower(): one for one in events}, own, tool

    def around(self, folders: Sequence[str], home: str, transcript: str = "") -> Iterator[OtherHook]:
        """Yield those of a session in these folders."""
        if any(not one.startswith("/") or "\0" in one for one in folders):
            yield self._places.home, "", NOWHERE
        try:
            paths = files_of(self._places, folders, home, transcript)
        except TooMuchError:
            yield self._places.home, "", TOO_MUCH
            return
        read = {path: _document(path) for path in paths}
        settings = [one for path, one in read.items() if one is not None and SETTINGS.search(path)]
        for path, document in read.items():
            plugin = _PLUGIN.search(path)
            if plugin is None or not is_off(f"{plugin[2]}@{plugin[1]}", settings):
                yield from self._others_in(path, document, str(Path(path).parents[1]))
        if self._places is PLACES[CLAUDE]:
            for own in homes_of(self._places, home, transcript):
                yield from self._of_marketplaces(own, settings)

    def _of_marketplaces(self, own: str, settings: Sequence[Mapping[str, object]]) -> Iterator[OtherHook]:
        for folder, listed_in, about in run_in_place(own, settings):
            yield from self._others_in(listed_in, about, folder)
            for path in (f"{folder}/{one}" for one in OWN):
                if os.path.lexists(path):
                    yield from self._others_in(path, _document(path), folder)

    def _others_in(self, path: str, document: Mapping[str, object] | None, folder: str) -> Iterator[OtherHook]:
        """Yield those of one file; a plugin's description names files below its folder that have them."""
        if document is None:
            yield path, "", UNREADABLE
            return
        if SETTINGS.search(path):
            yield from (
                (path, "", f"{VARIABLE}{name}") for name in object_of(document, "env") if _LOADS.fullmatch(name)
            )
        if front := text_of(document, IN_FRONT):
            named = (event for name, event in self._events.items() if name in front.lower())
            yield from ((path, event, f"{event}: {IN_FRONT}") for event in named)
        hooks = document.get("hooks")
        for one in hooks if isinstance(hooks, list) else [hooks]:
            if isinstance(one, str) and folder and path.endswith(NAMING):
                further = os.path.normpath(f"{folder}/{one}".replace("\0", ""))
                yield from self._others_in(further, _document(further), "")
            elif isinstance(one, dict):
                yield from ((path, event, said) for event, said in self._in_events(one))

    def _in_events(self, hooks: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        for name, groups in hooks.items():
            event = self._events.get(name.lower(), "")
            for group in groups if event and isinstance(groups, list) else ():
                if isinstance(group, dict) and not _is_for_others(group.get("matcher"), self._tool):
                    inner = group.get("hooks", [group])
                    for hook in inner if isinstance(inner, list) else ():
                        if not (isinstance(hook, dict) and _is_own(hook, self._own)):
                            said = _said(hook if isinstance(hook, dict) else {})
                            yield event, f"{event}: {said[:COMMAND_CHARS_MAX]}"


def _document(path: str) -> Mapping[str, object] | None:
    """Return what a file says, of a text with hooks in its first lines those lines; None where it cannot be read."""
    file = read_bounded(path)
    if path.endswith(".md"):
        front = _FRONT.match(file.text)
        return {IN_FRONT: front[1] if front is not None and _FRONT_HOOKS.search(front[1]) else ""}
    try:
        return None if file.doubt else tomllib.loads(file.text) if path.endswith(".toml") else object_in(file.text)
    except (ValueError, RecursionError):
        return None


def _said(hook: Mapping[str, object]) -> str:
    return text_of(hook, "command", "exec", "bash", "url", "prompt", "type")


def _is_own(hook: Mapping[str, object], own: str) -> bool:
    """Return True if a hook starts Pulse's program, or that for another agent, with nothing but options of its own."""
    line = text_of(hook, "command", "exec")
    programs = {own, *(f"{own.rpartition('/')[0]}/{program_name(one)}" for one in PLACES)}
    if line in programs:
        return True
    try:
        program, *options = shlex.split(line) or [""]
    except ValueError:
        return False
    return program in programs and all(map(_OPTION.fullmatch, options))


def _is_for_others(matcher: object, tool: str) -> bool:
    """Return True if it is certain that hooks with this matcher are not asked about this tool."""
    names = set(matcher.split("|")) if isinstance(matcher, str) and matcher else set()
    return bool(names) and names <= PLAIN_TOOLS and tool in PLAIN_TOOLS - names
