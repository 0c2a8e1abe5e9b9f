"""How an agent is made to ask Pulse: what stands in its settings, put in beside what is there, and taken out again.

Pure: documents in, documents out. An entry is ours by the program that it starts, `pulse-AGENT` in a folder `hooks` of
some Pulse's home, wherever it stands and whatever the agent's own rewriting made of it.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value

Json = dict[str, object]
FOLDER = "hooks"
PREFIX = "pulse-"
OWN_NAME = "pulse"
"""What our hooks are called where an agent has names for hooks."""
GATE_S, QUIET_S = 10, 10
"""How long an agent waits for a quick answer, and for a note to be taken."""
ASK_BEFORE_S = 2
"""The program gives up so much earlier than the agent does, so that it is the one to say what follows."""
WAIT_S_DEFAULT, WAIT_S_MIN, WAIT_S_MAX = 3_600, 10, 86_400
"""How long an agent waits for a person; where it waits for none, it would go on unanswered."""
WAIT = re.compile(r"--wait=([0-9]{1,6})\b")

Fail = Literal["open", "closed"]


class HookWish(Value):
    """How an agent is to be connected: which program it starts, what follows when Pulse is away, how long it waits.

    With `own_tools` it need not ask before it uses Pulse's tools, by which it asks.
    """

    program: str
    own_tools: bool = False
    fail: Fail = "open"
    wait_s: int = WAIT_S_DEFAULT


class PlacedHooks(Value):
    """What stands in a document of settings: our own entries by event, of this program or of another Pulse's.

    `wait_s` is how long the agent waits for a person by them.
    """

    events: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    closed: bool = False
    wait_s: int = WAIT_S_DEFAULT


def program_line(wish: HookWish, *options: str) -> str:
    """Return the program and its options as a line for a shell, for agents that take nothing else."""
    return shlex.join([wish.program, *options])


def gate_options(wish: HookWish) -> list[str]:
    """Return the options of the program where an agent waits for a person: it gives up before the agent does."""
    return [f"--wait={wish.wait_s}", *(["--closed"] if wish.fail == "closed" else [])]


def asking_entries(
    wish: HookWish, notes: Iterable[str], entry: Callable[[HookWish, list[str], int], Json]
) -> dict[str, Json]:
    """Return the entries of an agent that asks for leave by one event, and tells what happens by others."""
    quiet = [f"--within={QUIET_S - ASK_BEFORE_S}"]
    return {
        "PermissionRequest": entry(wish, gate_options(wish), wish.wait_s),
        **{event: entry(wish, quiet, QUIET_S) for event in notes},
    }


def program_name(agent: str) -> str:
    """Return how the program is called that an agent's hooks start."""
    return f"{PREFIX}{agent}"


def put_in(document: Json, entries: Mapping[str, Json], agent: str, extra: Mapping[str, object]) -> Json:
    """Return the settings with our entries in them, once each; all else stays as it is, in its order."""
    clean = taken_out(document, agent)
    hooks = dict(_object(clean.get("hooks")))
    for event, entry in entries.items():
        hooks[event] = [*_list(hooks.get(event)), entry]
    return {**extra, **clean, "hooks": hooks}


def rule_put_in(document: Json, rule: str) -> Json:
    """Return the settings with a rule that lets tools be used unasked, once; in a form that is not known they stay."""
    permissions = document.get("permissions", {})
    allowed = permissions.get("allow", []) if isinstance(permissions, dict) else None
    if not isinstance(permissions, dict) or not isinstance(allowed, list) or rule in allowed:
        return document
    return {**document, "permissions": {**permissions, "allow": [*allowed, rule]}}


def rule_taken_out(document: Json, rule: str) -> Json:
    """Return the settings without that rule; what was there for it alone goes with it."""
    permissions = _object(document.get("permissions"))
    allowed = _list(permissions.get("allow"))
    if rule not in allowed:
        return document
    left = [one for one in allowed if one != rule]
    rest = (
        {**permissions, "allow": left} if left else {name: permissions[name] for name in permissions if name != "allow"}
    )
    return (
        {**document, "permissions": rest}
        if rest
        else {name: document[name] for name in document if name != "permissions"}
    )


def taken_out(document: Json, agent: str) -> Json:
    """Return the settings without our entries; an event or list that was there for us alone goes with them."""
    hooks = _object(document.get("hooks"))
    if not any(_mentions(entry, agent) for entry in hooks.values()):
        return document
    kept = {event: _without(entry, agent) if _mentions(entry, agent) else entry for event, entry in hooks.items()}
    left = {event: entry for event, entry in kept.items() if entry or entry == hooks[event]}
    rest = {name: value for name, value in document.items() if name != "hooks"}
    return {name: left if name == "hooks" else value for name, value in document.items()} if left else rest


def placed(document: Json, agent: str) -> PlacedHooks:
    """Say what of ours stands in the settings."""
    hooks = _object(document.get("hooks"))
    ours = {event: tuple(_ours(entry, agent)) for event, entry in hooks.items()}
    commands = [command for found in ours.values() for command in found]
    waits = (WAIT.search(text) for event, found in ours.items() if found for text in _texts(hooks[event]))
    return PlacedHooks(
        events=tuple(event for event, found in ours.items() if found),
        programs=tuple(dict.fromkeys(_program_in(command, agent) for command in commands)),
        closed=any(_mentions_text(entry, "--closed") for event, entry in hooks.items() if ours[event]),
        wait_s=next((int(found[1]) for found in waits if found), WAIT_S_DEFAULT),
    )


def altered(
    document: Json,
    agent: str,
    entries_of: Callable[[HookWish], Mapping[str, Json]],
    wishes: Sequence[HookWish] = (),
) -> tuple[str, ...]:
    """Return the events at which our entry is another than Pulse writes for one of these wishes, whatever it starts.

    Without wishes nobody knows how long the person had it wait and whether it was to fail closed: what stands there
    counts. A hook that is given a matcher, a condition or other options is asked less, or says less in time.
    """
    there, hooks = placed(document, agent), _object(document.get("hooks"))
    if not there.programs:
        return ()
    found = HookWish(program="", fail="closed" if there.closed else "open", wait_s=max(there.wait_s, WAIT_S_MIN))
    written = [entries_of(replace(wish, program=there.programs[0])) for wish in wishes or (found,)]
    return tuple(
        event
        for event in there.events
        if event in written[0] and not _are_as(hooks[event], agent, [entries[event] for entries in written])
    )


def _are_as(entry: object, agent: str, written: Sequence[Json]) -> bool:
    """Return True if each of our entries at an event is as it may be written: one that is not may come first."""
    ours = [_alone(one, agent) for one in _list(entry) if _mentions(one, agent)]
    return bool(ours) and all(any(_is_as(one, wanted) for wanted in written) for one in ours)


def _alone(entry: object, agent: str) -> object:
    """Return an entry with no hooks in it but ours."""
    hooks = _object(entry).get("hooks")
    if not isinstance(hooks, list):
        return entry
    return {**_object(entry), "hooks": [one for one in hooks if _mentions(one, agent)]}


def is_switched_off(settings: Mapping[str, object], agent: str) -> bool:
    """Return True if settings of an agent's switch hooks off, all or ours, by the names that one agent or another has.

    Claude Code and Copilot: `disableAllHooks`; Codex: `features.hooks`; Gemini: `hooksConfig`.
    """
    features, config = _object(settings.get("features")), _object(settings.get("hooksConfig"))
    named = (*_list(config.get("disabled")), *_list(_object(settings.get("hooks")).get("disabled")))
    return (
        settings.get("disableAllHooks") is True
        or any(features.get(name) is False for name in ("hooks", "codex_hooks"))
        or config.get("enabled") is False
        or any(name == OWN_NAME or _mentions(name, agent) for name in named)
    )


def _is_as(found: object, written: object) -> bool:
    """Return True if an entry is as it was written; an empty matcher means all."""
    if isinstance(written, dict):
        there = {name: value for name, value in _object(found).items() if name != "matcher" or value not in ("", "*")}
        return there.keys() == written.keys() and all(_is_as(there[name], written[name]) for name in written)
    if isinstance(written, list) and any(isinstance(one, dict) for one in written):
        listed = _list(found)
        return len(listed) == len(written) and all(any(_is_as(one, wanted) for one in listed) for wanted in written)
    return found == written


def _texts(entry: object) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    inner = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    for one in inner:
        yield from _texts(one)


def _ours(entry: object, agent: str) -> list[str]:
    """Return every text in an entry that names our program."""
    return [text for text in _texts(entry) if f"/{FOLDER}/{program_name(agent)}" in text]


def _mentions(entry: object, agent: str) -> bool:
    return bool(_ours(entry, agent))


def _mentions_text(entry: object, text: str) -> bool:
    return any(text in one for one in _texts(entry))


def _program_in(command: str, agent: str) -> str:
    end = f"/{FOLDER}/{program_name(agent)}"
    return command[: command.index(end) + len(end)].strip("'\"")


def _without(entry: object, agent: str) -> object:
    """Leave our hooks out of an event's list, and groups that held nothing else."""
    if not isinstance(entry, list):
        return entry
    left: list[object] = []
    for one in entry:
        if not _mentions(one, agent):
            left.append(one)
            continue
        others = [hook for hook in _list(_object(one).get("hooks")) if not _mentions(hook, agent)]
        if others:
            left.append({**_object(one), "hooks": others})
    return left


def _object(found: object) -> Json:
    return found if isinstance(found, dict) else {}


def _list(found: object) -> list[object]:
    return found if isinstance(found, list) else []
