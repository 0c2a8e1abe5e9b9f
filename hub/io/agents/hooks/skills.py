"""What a skill or a slash command has Claude do beside what its model is told: read from its file. Pure.

Claude runs what stands in one as `` !`…` `` or ```` ```! ```` before its model sees the text, and its `hooks:` at later
tools; no hook of ours is asked about either. A file harms nobody only if all at its top is known to say nothing of the
kind. Claude puts what the model adds into the text first, so that this can run something as well.

A call is harmless only if all that decides is known: a file was found under the very name that is called, each that may
have it was read whole, and none was written since Claude read it. What else is true is said on the card.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import PurePath

import msgspec

from hub.contract.permission import Act
from hub.contract.words import Risk
from hub.io.agents.hooks.step import HookStep, SkillFile, Wanted, plain_json
from hub.kit.loose_json import text_of
from hub.screening.acts import read_act
from hub.screening.commands.operands import is_secret

SKILL_TOOLS = frozenset({"Skill", "SlashCommand"})
HELPER_TOOLS = frozenset({"Agent", "Task"})
"""By these it starts a helper, whose file may bring skills, hooks and servers along."""
HELPER = "general-purpose"
"""Which is started where none is named."""
OWN_HELPERS = frozenset(
    ("generalpurpose", "explore", "plan", "fork", "worker", "claude", "claudecodeguide", "statuslinesetup", "webfetch")
)
"""Those that come with Claude, as `squeezed`: no file brings anything along for them unless it has their name."""
HELPER_SETTINGS = frozenset(
    ("name", "description", "tools", "disallowedTools", "model", "color", "effort", "maxTurns", "background")
)
"""What stands at the top of a helper's file and runs and allows nothing that is not asked about."""
SETTINGS = frozenset(
    (
        *("name", "description", "when_to_use", "argument-hint", "arguments", "version", "license", "compatibility"),
        *("metadata", "model", "effort", "paths"),
        *("user-invocable", "disable-model-invocation", "disallowed-tools"),
    )
)
"""What stands at the top of such a file and runs, allows and starts nothing."""
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_PLACEHOLDER = re.compile(r"\$(?:\{[^}]*\}|[\w-]+(?:\[\d+\])?)")
"""What Claude fills in, also with nothing, before it looks for what to run."""
_FILE = re.compile(r"(?<!\S)@\S+")
"""How a text names a file that Claude reads along with it."""
_MARK = "---"
_CONTINUES = (" ", "\t", "-")


def name_in(step: HookStep) -> str:
    """Return the name of the skill, command or helper that is called; empty for one that no file here can have."""
    if step.tool in HELPER_TOOLS:
        return text_of(step.input, "subagent_type").strip() or HELPER
    first = next(iter(_said(step)), "").lstrip("/")
    return first if _NAME.fullmatch(first) else ""


def runs_nothing(step: HookStep) -> bool:
    """Return True if the skill is surely known, and has nothing run, allowed or read without being asked."""
    return is_known(step) and not commands_of(step) and not unknown_in(step) and not _adds_code(step)


def is_known(step: HookStep) -> bool:
    """Return True if what was read is what Claude goes by: found under its own name, whole, and as Claude read it."""
    return is_found(step) and not step.unseen and not any(one.doubt for one in step.skills)


def is_found(step: HookStep) -> bool:
    """Return True if one of the files has the name as its own, or it is a helper that comes with Claude.

    One that only mentions a name may lie beside the file that is meant.
    """
    name = name_in(step)
    if step.tool in HELPER_TOOLS:
        return squeezed(name) in OWN_HELPERS.union(*(map(squeezed, _names_in(one.text)) for one in step.skills))
    return any(name in {_place_name(one.path), *_names_in(one.text)} for one in step.skills)


def has_name(file: SkillFile, name: str) -> bool:
    """Return True if this file may be the one that is called so: by its place, or by what stands at its top."""
    top = _top(file.text)
    path = PurePath(file.path)
    own = path.parent.name if path.name.casefold() == "skill.md" else path.stem
    return squeezed(own) == squeezed(name) or squeezed(name) in squeezed(top) or "\\" in top


def file_kind(step: HookStep) -> str:
    """Return what a card calls the file that says what this call would do."""
    return "subagent file" if step.tool in HELPER_TOOLS else "skill file"


def doubt_in(step: HookStep) -> str:
    """Say why it is not known what this call would do, and of which file; nothing where it is."""
    doubts = [one.doubt for one in step.skills if one.doubt] or ([] if is_found(step) else ["not found"])
    return next((f"{file_kind(step)}: {one}" for one in (step.unseen, *doubts) if one), "")


def read_in(step: HookStep) -> tuple[tuple[str, str], ...]:
    """Return which files were read for a skill or helper, and what is not known of them, as fields of a card."""
    files = [f"{one.path} ({one.doubt})" if one.doubt else one.path for one in step.skills]
    missing = [] if is_found(step) or any(one.left_out for one in step.skills) else ["not found"]
    return tuple((file_kind(step), one) for one in (*files, *([step.unseen] if step.unseen else missing)))


def _place_name(path: str) -> str:
    """Return the name that Claude gives a file by where it lies; of deeper places it makes names with a colon."""
    *_, kind, folder, name = ("", "", *path.split("/"))
    if name.casefold() == "skill.md":
        return folder if kind == "skills" else ""
    return name.removesuffix(".md") if folder == "commands" else ""


def _names_in(text: str) -> set[str]:
    return {said.strip("\"' ") for key, said in _entries(_top(text)) if key == "name"}


def wanted_of(step: HookStep) -> Wanted:
    """Return the commands that would run at once or by its hooks; where it has none, the call itself.

    Claude runs each by itself. Where they would be taken for less as one text, or other ones may run, they are shown as
    what a tool is given, so that each is read alone and none is taken for all that there is.
    """
    commands = commands_of(step)
    if not commands:
        return Wanted(act=Act.OTHER, text=plain_json(step.input))
    if is_known(step) and _read_alike(commands, step.folder):
        return Wanted(act=Act.COMMAND, text="\n".join(commands))
    return Wanted(act=Act.OTHER, text=msgspec.json.format(plain_json({"commands": commands}), indent=2))


def _read_alike(commands: Sequence[str], folder: str) -> bool:
    """Return True if all in one are read as no less than the gravest of them."""
    whole, *apart = (read_act(Act.COMMAND, one, "", folder, "") for one in ("\n".join(commands), *commands))
    risks = tuple(Risk)
    return all(
        set(one.effects) <= set(whole.effects)
        and risks.index(one.risk) <= risks.index(whole.risk)
        and (one.understood or not whole.understood)
        for one in apart
    )


def commands_of(step: HookStep) -> tuple[str, ...]:
    """Return the commands in the files and in what the model adds."""
    texts = [one.text for one in step.skills]
    found = [command for text in (*texts, _added(step)) for command in _inline(text)]
    return tuple(dict.fromkeys((*found, *(command for text in texts for command in _of_hooks(text)))))


def unknown_in(step: HookStep) -> tuple[tuple[str, str], ...]:
    """Return by name what stands at the top of the files and is not known, and the secret files that are read along."""
    tops = [entry for one in step.skills for entry in _entries(_top(one.text))]
    if step.tool in HELPER_TOOLS:
        return tuple((name, said) for name, said in tops if name not in HELPER_SETTINGS)
    texts = (*(one.text for one in step.skills), _added(step))
    files = [word[1:].strip("\"'`").rstrip(".,;:)") for text in texts for word in _FILE.findall(text)]
    return (
        *((name, said) for name, said in tops if name not in SETTINGS),
        *(("reads", file) for file in files if is_secret(file)),
    )


def squeezed(name: str) -> str:
    """Return a name as Claude compares those of helpers: without case, blanks, dashes and underscores."""
    plain = unicodedata.normalize("NFKC", name).lower()
    return "".join(one for one in plain if not one.isspace() and one != "_" and unicodedata.category(one) != "Pd")


def _said(step: HookStep) -> list[str]:
    return text_of(step.input, "skill", "command").split(maxsplit=1)


def _added(step: HookStep) -> str:
    return " ".join((*_said(step)[1:], text_of(step.input, "args")))


def _adds_code(step: HookStep) -> bool:
    """Return True if what the model adds could, with what stands around it in the file, become a command."""
    return any(mark in _added(step) for mark in "!`")


def _inline(text: str) -> list[str]:
    """Return what would run, as it stands, and what only shows once the placeholders are filled in with nothing."""
    plain, filled = (list(_marked(one)) for one in (text, _PLACEHOLDER.sub("", text)))
    emptied = {_PLACEHOLDER.sub("", one).strip() for one in plain}
    return [*plain, *(one for one in filled if one not in emptied)]


def _marked(text: str) -> Iterator[str]:
    for opens, closes in (("```!", "```"), ("!`", "`")):
        yield from filter(None, (one.partition(closes)[0].strip() for one in text.split(opens)[1:]))


def _of_hooks(text: str) -> Iterator[str]:
    for line in _top(text).splitlines():
        name, _, said = line.strip().lstrip("- ").partition(":")
        if name.strip("\"' ") == "command" and said.strip():
            yield said.strip().strip("\"'")


def _top(text: str) -> str:
    """Return what stands between the marks at the top; all of a file where it is unclear which mark closes it."""
    text = text.lstrip("\ufeff \t\r\n")
    if not text.startswith(_MARK):
        return ""
    top, _, below = text[len(_MARK) :].partition(_MARK)
    is_closed = top.endswith("\n") and not below.partition("\n")[0].strip(" \t\r")
    return top if is_closed else text[len(_MARK) :]


def _entries(top: str) -> list[tuple[str, str]]:
    """Part it into its entries, by name; one whose parts cannot be told is one entry that nobody knows."""
    lines = [line for line in top.splitlines() if line.strip() and not line.startswith("#")]
    if _MARK in top or (lines and lines[0].startswith(_CONTINUES)):
        return [(_MARK, top)]
    found: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith(_CONTINUES):
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{line}")
        else:
            name, _, said = line.partition(":")
            found.append((name.strip(), said.strip()))
    return found
