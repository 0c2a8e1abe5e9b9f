"""What an agent asks leave for, as the rails judge it and as a person reads it, and which of its answers says what.

An agent names the kind of a tool and what the tool is given. Neither is taken for more than it is: a command is one
because the tool executes and is given it, an edit because it edits and its files are named. What is neither, such as a
server's tool with a field `command`, is shown whole by its own name, and asked. So is every tool of an agent that is
not known to keep the kinds for tools of its own: others have them from a server's hint, or from a part of a name.
A title says nothing, for it may be the model's or the server's words. A call without `rawInput` has not said with what
(`session.py` waits for it), so no yes is taken to it.
"""

import os
import shlex
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.permission import (
    CALL_FIELDS_MAX,
    OPTIONS_MAX,
    REASON_CHARS_MAX,
    TEXT_CHARS_MAX,
    Act,
    Lasts,
    PermissionAnswer,
    PermissionRequest,
    request_in,
)
from hub.domain.calls import AgentCall, LedTo
from hub.domain.execution import Job
from hub.io.agents.acp.known import OPENCODES_NAMES, known_agent, tells_in_words
from hub.io.agents.hooks.call_fields import CallFields, fields_among, tool_fields
from hub.io.agents.hooks.claude_tools import replacement, searched
from hub.io.agents.hooks.links import where_led
from hub.io.agents.hooks.step import LABEL_CHARS_MAX, NAME_CHARS_MAX, ToolFields, ToolInput, Wanted, name_of, plain_json
from hub.kit.line_diff import blanks_told
from hub.kit.loose_json import object_of, objects_of, text_of
from hub.screening.acts import read_act

ANSWER_S_MAX = 3_600
"""So long a run waits for a person; afterwards the answer is no."""
CUT = frozenset({Act.EDIT, Act.PLAN, Act.OTHER})
"""What may be shown shortened; a command is shown whole or not at all."""
TOOLS: dict[str, tuple[str, ...]] = {
    "read": ("read",),
    "search": ("read",),
    "edit": ("edit", "write"),
    "delete": ("edit", "write"),
    "move": ("edit", "write"),
    "execute": ("exec",),
    "fetch": ("web_fetch", "web_search"),
}
"""What the session's lists of tools call each kind of the protocol's."""
KIND_CHARS_MAX = 24
TITLE_CHARS_MAX = NAME_CHARS_MAX - KIND_CHARS_MAX - len(": ")
"""A longer title of a tool stands in the text, whole."""
OPTION_KINDS = ("allow_once", "allow_always", "reject_once", "reject_always")
FOLDERS = ("cwd", "workdir", "directory", "dir_path")
GLOBS = ("glob", "include")
PATHS = ("file_path", "filePath", "filepath", "absolute_path", "path", "fileName", "notebook_path")
COMMANDS = ("command", "cmd")
PARTS = "commands"
"""The commands that Copilot finds in a command."""
CHANGES = "changes"
"""What Codex's patch would do, by the path of each file."""
PATCH, NO_LINE_END = "diff", "\\"
TEXTS = (
    *("old_string", "new_string", "oldString", "newString", "old_str", "new_str"),
    *("content", "file_text", "new_source"),
)
"""What of an edit may stand in its diff as well."""
UNNAMED = frozenset({"", "other", "execute"})
"""Kinds that say nothing of what a tool does that is no command."""
_SAID = "description|reason call_id turn_id parsed_cmd patterns"
_LISTS = "parsed_cmd patterns call_id turn_id"
_BOUNDS = "timeout timeout_ms is_background run_in_background offset limit"
FIELDS: Mapping[Act, ToolFields] = {
    Act.COMMAND: tool_fields(
        f"{COMMANDS[0]} {_SAID}",
        f"{_BOUNDS} dangerouslyDisableSandbox sandbox_permissions with_escalated_permissions justification"
        " proposed_execpolicy_amendment additional_permissions login tty mode async detach initial_wait shellId",
        folder=FOLDERS,
        lists=f"{COMMANDS[0]} {_LISTS}",
    ),
    Act.EDIT: tool_fields(
        f"{PATHS[0]} {' '.join(TEXTS)} {PATCH} filediff {CHANGES} instruction {_SAID}",
        "replace_all replaceAll expected_replacements allow_multiple cell_id cell_type edit_mode",
        lists=f"diff filediff {CHANGES} {_LISTS}",
    ),
    Act.READ: tool_fields(
        f"{PATHS[0]} pattern query regex glob {_SAID}", f"{_BOUNDS} output_mode include exclude", lists=_LISTS
    ),
    Act.FETCH: tool_fields(f"url query prompt {_SAID}", "format timeout max_length", lists=_LISTS),
    Act.PLAN: tool_fields(f"plan {_SAID}", lists=f"plan {_LISTS}"),
}
"""What is known of a tool's input by what it would do, whatever the agent; of several names for one thing the first."""
Real = Callable[[str], str]
Change = tuple[str, str]
"""A text before it is changed, and after."""


class AcpOption(Value):
    """One of the answers that the agent takes."""

    id: str
    label: str
    kind: Literal["allow_once", "allow_always", "reject_once", "reject_always"]

    @property
    def refuses(self) -> bool:
        """Whether it is a no."""
        return self.kind.startswith("reject")


class AcpOptions(Value):
    """The answers that the agent takes; `yes` and `no` are those of a person who just says so, empty if there is none.

    `once` is whether that yes is for this one time.
    """

    yes: str
    no: str
    once: bool
    others: tuple[AcpOption, ...]


def options_in(offered: tuple[ToolInput, ...]) -> AcpOptions:
    """Read the answers; without one for this time alone a plain yes is the least lasting that there is.

    A lasting yes whose name does not fit on the card is not offered: what is cut off would hold as well.
    """
    found: dict[str, AcpOption] = {}
    for one in offered:
        number, kind = text_of(one, "optionId"), text_of(one, "kind")
        name = text_of(one, "name")
        is_shown = len(name) <= LABEL_CHARS_MAX or kind != "allow_always"
        if number and len(number) <= NAME_CHARS_MAX and kind in OPTION_KINDS and is_shown:
            label = name[:LABEL_CHARS_MAX].strip() or kind.replace("_", " ")
            found.setdefault(number, msgspec.convert({"id": number, "label": label, "kind": kind}, AcpOption))
    yes, no = (_first(found, f"{word}_once") or _first(found, f"{word}_always") for word in ("allow", "reject"))
    others = tuple(one for one in found.values() if one.id not in {yes, no})[:OPTIONS_MAX]
    return AcpOptions(yes=yes, no=no, once=bool(yes) and found[yes].kind == "allow_once", others=others)


def call_of(call: ToolInput, job: Job, real: Real = os.path.realpath) -> AgentCall:
    """Return one use of a tool as the rails judge it; `real` follows links, which a repository may bring along."""
    wanted, workspace = wanted_of(call, job.agent.argv), real(job.workspace or "/nowhere")
    fields = _fields(call, wanted)
    folder = real(os.path.join(workspace, _folder(call)))  # noqa: PTH118  a repository's own words, and no path yet
    places = tuple(_real_place(folder, place, real) for place in _places(call, wanted))
    led_to = _led_to(wanted, places, folder)
    return AgentCall(
        act=wanted.act,
        tool=text_of(call, "title")[:NAME_CHARS_MAX],
        text=wanted.text,
        places=places,
        folder=folder,
        workspace=workspace if job.workspace else "",
        tools=TOOLS.get(text_of(call, "kind"), ()),
        told_whole=led_to is not None and (wanted.act is not Act.COMMAND or len(wanted.text) <= TEXT_CHARS_MAX),
        says_more=fields.asks or _is_early(call, wanted, job.agent.argv),
        led_to=led_to or (),
    )


def request_of(call: ToolInput, options: AcpOptions, judged: AgentCall, job: Job) -> PermissionRequest | None:
    """Return the question for a person; None for what cannot be put to them whole."""
    wanted = wanted_of(call, job.agent.argv)
    text = wanted.text[:TEXT_CHARS_MAX] if wanted.act in CUT else wanted.text
    outside = [place for place in judged.places if not f"{place}/".startswith(f"{judged.workspace}/")]
    target = (outside or judged.places or (wanted.target,))[0] if wanted.act is not Act.FETCH else wanted.target
    fields = _fields(call, wanted)
    is_early = _is_early(call, wanted, job.agent.argv)
    lasting = "" if options.once or not options.yes else "A yes lasts for more than this one time. "
    said = {
        "agent": job.agent.name,
        "tool": _name_of_tool(call) if wanted.act is Act.OTHER else name_of(call, "kind"),
        "act": wanted.act,
        "text": text,
        "target": target,
        "folder": judged.folder if job.workspace else "",
        "settings": msgspec.to_builtins(fields.settings),
        "unknownFields": msgspec.to_builtins((*fields.unknown, *judged.brought)[:CALL_FIELDS_MAX]),
        "otherFiles": [one for one in judged.places if one != target] if wanted.act is Act.EDIT else [],
        "reason": f"{lasting}{wanted.reason}"[:REASON_CHARS_MAX],
        "session": job.session_id,
        "call": name_of(call, "toolCallId"),
        "leftOut": len(wanted.text) - len(text) + fields.left_out + is_early,
        "asksEarly": is_early,
        "options": [
            {
                "id": one.id,
                "label": one.label,
                "lasts": Lasts.ALWAYS if one.kind.endswith("always") else Lasts.ONCE,
                "refuses": one.refuses,
            }
            for one in options.others
        ],
        "timeoutS": ANSWER_S_MAX,
        "withdrawWhenGone": True,
    }
    return request_in(said)


def chosen(options: AcpOptions, *, approved: bool, answer: PermissionAnswer | None) -> ToolInput:
    """Return the outcome that the agent is told; without an answer that fits, that nobody chose one."""
    taken = next((one for one in options.others if answer and one.id == answer.option), None)
    plain = options.yes if approved else options.no
    number = taken.id if taken is not None and taken.refuses is not approved else plain
    return {"outcome": {"outcome": "selected", "optionId": number} if number else {"outcome": "cancelled"}}


def wanted_of(call: ToolInput, argv: tuple[str, ...]) -> Wanted:
    """Say what would be done by the agent of this argv."""
    given, title = object_of(call, "rawInput"), text_of(call, "title")
    is_own = known_agent(argv) is not None and title.casefold() not in OPENCODES_NAMES
    kind = text_of(call, "kind") if is_own else ""
    reason = text_of(given, "description", "reason", "instruction", "prompt")
    if kind == "execute" and (command := _command(given)):
        return Wanted(act=Act.COMMAND, text=command, reason=reason)
    if kind == "switch_mode":
        plan = text_of(given, "plan") or _told(call) or title
        return Wanted(act=Act.PLAN if plan else Act.OTHER, text=plan, reason=reason)
    diff, place = _diff(call), _place(call)
    if kind == "edit" and place and (given or _sides(call)):
        return Wanted(act=Act.EDIT, target=place, text=diff or plain_json(given or call), reason=reason)
    if kind in {"read", "search"} and place and not _command(given):
        sought = text_of(given, "pattern", "query", "regex")
        return replace(searched(place, sought, *(text_of(given, name) for name in GLOBS)), reason=reason)
    if kind == "fetch" and text_of(given, "url"):
        return Wanted(act=Act.FETCH, target=text_of(given, "url"), reason=reason)
    if not given or not _is_named(call):
        told = plain_json(given) if given else ""
        return Wanted(act=Act.OTHER, text=_lines(title, told, diff or _told(call)), target=place)
    return Wanted(act=Act.OTHER, text=_lines(plain_json(given), diff), target=place, reason=_told(call))


def _is_early(call: ToolInput, wanted: Wanted, argv: tuple[str, ...]) -> bool:
    """Return True if nobody knows what the tool would be given."""
    return wanted.act is Act.OTHER and not _says_with_what(call, argv)


def _says_with_what(call: ToolInput, argv: tuple[str, ...]) -> bool:
    return "rawInput" in call or bool(_sides(call)) or tells_in_words(argv, text_of(call, "kind"), _told(call))


def _is_named(call: ToolInput) -> bool:
    """Return True if a card can name the tool as the agent does; its input then stands alone, so that it is read."""
    return bool(title := text_of(call, "title")) and len(title) <= TITLE_CHARS_MAX


def _name_of_tool(call: ToolInput) -> str:
    kind, title = text_of(call, "kind"), text_of(call, "title")
    named = title if _is_named(call) and object_of(call, "rawInput") else ""
    return ": ".join(filter(None, ("" if kind in UNNAMED else kind[:KIND_CHARS_MAX], named))) or "a tool"


def _lines(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def _led_to(wanted: Wanted, places: tuple[str, ...], folder: str) -> tuple[LedTo, ...] | None:
    """Return the files of a command or an edit that are reached by links, and where those lead; None for too many."""
    if wanted.act is Act.EDIT:
        return where_led(places, places, folder)
    reading = read_act(Act.COMMAND, wanted.text, "", folder, "")
    return where_led(reading.named, reading.written, folder) if wanted.act is Act.COMMAND else ()


def _real_place(folder: str, place: str, real: Real) -> str:
    """Return a place with links followed; one that only a shell or the agent can find stays as it is, and is asked."""
    return place if place.startswith(("~", "$")) else real(os.path.join(folder, place))  # noqa: PTH118  no path yet


def _fields(call: ToolInput, wanted: Wanted) -> CallFields:
    """Return what a tool's input says beside what is read of it: of several commands or paths, the first."""
    given, known = object_of(call, "rawInput"), FIELDS.get(wanted.act)
    if known is None:
        return CallFields()
    for names in (COMMANDS, PATHS):
        first = next((name for name in names if name in given), names[0])
        again = {name for name in names if name != first and name in given and given[name] == given.get(first)}
        given = {names[0] if name == first else name: given[name] for name in given if name not in again}
    parts, command = given.get(PARTS), _command(given)
    if wanted.act is Act.COMMAND and isinstance(parts, list) and all(isinstance(one, str) for one in parts):
        given = {
            name: told for name, told in given.items() if name != PARTS or not all(one in command for one in parts)
        }
    if wanted.act is Act.EDIT:
        known = replace(known, shown=known.shown - _differing(call))
    return fields_among(given, known, "")


def _differing(call: ToolInput) -> frozenset[str]:
    """Return the fields of an edit that say more than the change that is shown."""
    given = object_of(call, "rawInput")
    sides = _sides(call)
    if not sides:
        return frozenset()  # all of its input is shown
    texts = {name: text_of(given, name) for name in TEXTS}
    changes = _changes(call)
    return frozenset(
        (
            *(name for name in (CHANGES, "filediff") if given.get(name)),
            *(name for name, text in texts.items() if not any(text in side for side in sides)),
            *(PATCH for one in _hunks(text_of(given, PATCH)) if not any(_agrees(one, shown) for shown in changes)),
        )
    )


def _agrees(hunk: Change, shown: Change) -> bool:
    """Return True if a hunk changes no more than what is shown, which may be only a piece of its lines."""
    (before, after), (old, new) = hunk, shown
    return (before in old and after in new) or before.replace(old, new, 1) == after


def _sides(call: ToolInput) -> tuple[str, ...]:
    """Return what the change that is shown has before and after it; nothing where it has no diff."""
    return tuple(side for change in _changes(call) for side in change)


def _changes(call: ToolInput) -> tuple[Change, ...]:
    """Return each piece that is shown as it is before and after the change."""
    diffs = [one for one in objects_of(call, "content") if text_of(one, "type") == "diff"]
    if diffs:
        return tuple((text_of(one, "oldText"), text_of(one, "newText")) for one in diffs)
    return _hunks(text_of(object_of(call, "rawInput"), PATCH))


def _hunks(patch: str) -> tuple[Change, ...]:
    """Return each hunk of a patch as it is before and after it."""
    hunks = [hunk.splitlines()[1:] for hunk in f"\n{patch}".split("\n@@")[1:]] or [patch.splitlines()]
    return tuple((_side(hunk, "+"), _side(hunk, "-")) for hunk in hunks if patch)


def _side(hunk: list[str], other: str) -> str:
    return "\n".join(line[1:] for line in hunk if line[:1] not in {other, NO_LINE_END})


def _command(given: ToolInput) -> str:
    found = next((given[name] for name in COMMANDS if name in given), None)
    if isinstance(found, list) and all(isinstance(word, str) for word in found):
        return shlex.join(found)
    return found if isinstance(found, str) else ""


def _folder(call: ToolInput) -> str:
    return text_of(object_of(call, "rawInput"), *FOLDERS)


def _place(call: ToolInput) -> str:
    given = object_of(call, "rawInput")
    named = text_of(given, *PATHS)
    told = (*objects_of(call, "content"), *objects_of(call, "locations"))
    return named or next((path for one in told if (path := text_of(one, "path"))), "")


def _places(call: ToolInput, wanted: Wanted) -> tuple[str, ...]:
    """Return every file or folder that is named: those of the diffs and of the tool's input alike."""
    if wanted.act not in {Act.EDIT, Act.READ}:
        return (wanted.target,) if wanted.target and wanted.act is Act.OTHER else ()
    told = (*objects_of(call, "content"), *objects_of(call, "locations"))
    changed = object_of(object_of(call, "rawInput"), CHANGES)
    paths = [wanted.target, *wanted.others, *(text_of(one, "path") for one in told), *changed]
    return tuple(dict.fromkeys(path for path in paths if path))


def _diff(call: ToolInput) -> str:
    """Return all changes as one diff."""
    pieces = (
        replacement(text_of(one, "path"), text_of(one, "oldText"), text_of(one, "newText"))
        for one in objects_of(call, "content")
        if text_of(one, "type") == "diff"
    )
    return "\n".join(filter(None, pieces)) or blanks_told(text_of(object_of(call, "rawInput"), PATCH))


def _told(call: ToolInput) -> str:
    pieces = (text_of(object_of(one, "content"), "text") for one in objects_of(call, "content"))
    return "\n".join(filter(None, pieces))


def _first(found: dict[str, AcpOption], kind: str) -> str:
    return next((one.id for one in found.values() if one.kind == kind), "")
