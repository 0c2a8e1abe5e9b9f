"""Which hooks beside Pulse's stand in the settings that a session of an agent reads.

Claude Code takes the first of its hooks that decides about a request for leave. Where another's stands, to tell Claude
to ask is to leave the tool to that hook; so the tool is held before it, where the strictest of all answers counts. Any
hook before a tool may change what the tool is given, and of several inputs the last one that is given runs. Where a
request for leave follows, that shows what the tool has become. Where none does, because nobody sits there, no answer of
Pulse's is a guarantee, so nothing risky goes on beside such a hook. A file that cannot be read may hold one of either.
"""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.domain.canonical import visible
from hub.domain.lookalikes import reveal
from hub.domain.provenance import AgentText, Wording, say
from hub.io.agents.hooks.around import LATE, NOWHERE, read_bounded
from hub.io.agents.hooks.links import LINKS
from hub.io.agents.hooks.step import Dialect, HookStep
from hub.kit.loose_json import object_of, text_of

FILES = ("settings.json", "settings.local.json")
PLAIN_TOOLS = frozenset({"Bash", "Edit", "MultiEdit", "NotebookEdit", "Read", "WebFetch", "WebSearch", "Write"})
"""Tools that have no second name: a matcher that names others of them alone does not match."""
COMMAND_CHARS_MAX = 200
PROJECTS = "projects"
"""The folder, beside the settings, in which transcripts are kept."""
UNREADABLE = "it cannot be read, so it may hold hooks"


async def with_other_hooks(dialect: Dialect, step: HookStep, own: str, home: str = "") -> HookStep:
    """Return a step that would ask with the hooks of others that may answer in the person's place, or change it.

    `own` is Pulse's program, by its path.
    """
    if not dialect.decides_at:
        return step
    folders = tuple(dict.fromkeys(one for one in (step.folder, step.project) if one))
    places = tuple(_places(folders, home or str(Path.home()), step.transcript))
    events = (dialect.decides_at, dialect.changes_at)
    found = await LINKS.beside(lambda: tuple(_hooks(places, folders, events, step.tool, own)))
    if found is None:
        return replace(step, other_hooks=((FILES[0], LATE),), changers=((FILES[0], LATE),))
    decides, changes = (
        tuple(dict.fromkeys((path, said) for path, event, said in found if event in {"", at})) for at in events
    )
    return replace(step, other_hooks=decides, changers=changes)


def refusal_of(dialect: Dialect, step: HookStep) -> Wording:
    """Say why nothing risky goes on beside the hooks that may change it, and what the person can do."""
    (path, said), more = step.changers[0], len(step.changers) - 1
    sit_there = say("Remove it, or run {title} at a terminal.", title=dialect.title)
    return say(
        "{file} has another hook ({hook}), so Pulse cannot promise that what you approve is what runs. {what}",
        file=reveal(path),
        hook=AgentText(f"{visible(said)}, +{more}" if more else visible(said)),
        what=say("Remove it.") if step.other_hooks else sit_there,
    )


def _places(folders: Sequence[str], home: str, transcript: str) -> Iterator[str]:
    """Yield the files of settings around these folders and in the homes; the transcript tells of a home elsewhere."""
    around = dict.fromkeys(
        str(path) for one in folders if one.startswith("/") for path in (Path(one), *Path(one).parents)
    )
    homes = [str(one.parent) for one in Path(transcript).parents if one.name == PROJECTS]
    holders = dict.fromkeys((*(f"{one.rstrip('/')}/.claude" for one in (*around, home)), *homes))
    yield from (f"{one}/{name}" for one in holders for name in FILES)


def _hooks(
    places: Sequence[str], folders: Sequence[str], events: Sequence[str], tool: str, own: str
) -> Iterator[tuple[str, str, str]]:
    """Yield the file, the event and what is said of each hook; without an event it may be at any."""
    if any(not one.startswith("/") or "\0" in one for one in folders):
        yield FILES[0], "", NOWHERE
    for path in places:
        if "\0" not in path and os.path.lexists(path):
            yield from ((path, event, said) for event, said in _others_in(path, events, tool, own))


def _others_in(path: str, events: Sequence[str], tool: str, own: str) -> Iterator[tuple[str, str]]:
    file = read_bounded(path)
    try:
        settings = None if file.doubt else json.loads(file.text)
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        yield "", UNREADABLE
        return
    hooks = object_of(settings, "hooks")
    for event in events:
        groups = hooks.get(event)
        for group in groups if isinstance(groups, list) else ():
            if isinstance(group, dict) and not _is_for_others(group.get("matcher"), tool):
                inner = group.get("hooks")
                for hook in inner if isinstance(inner, list) else ():
                    if not (isinstance(hook, dict) and hook.get("command") == own):
                        command = text_of(hook if isinstance(hook, dict) else {}, "command", "url", "prompt", "type")
                        yield event, f"{event}: {command[:COMMAND_CHARS_MAX]}"


def _is_for_others(matcher: object, tool: str) -> bool:
    """Return True if it is certain that hooks with this matcher are not asked about this tool."""
    names = set(matcher.split("|")) if isinstance(matcher, str) and matcher else set()
    return bool(names) and names <= PLAIN_TOOLS and tool in PLAIN_TOOLS - names
