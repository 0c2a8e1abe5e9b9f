"""What a skill or a slash command has Claude do beside what its model is told: read from its file. Pure.

Claude runs what stands in one as `` !`…` `` or ```` ```! ```` before its model sees the text, and its `hooks:` at later
tools; no hook of ours is asked about either. A file harms nobody only if all at its top is known to say nothing of the
kind. Claude puts what the model adds into the text first, so that this can run something as well.
"""

import re
from collections.abc import Iterator

from hub.contract.permission import Act
from hub.io.agents.hooks.step import HookStep, SkillFile, Wanted, plain_json
from hub.kit.loose_json import text_of
from hub.screening.commands.operands import is_secret

SKILL_TOOLS = frozenset({"Skill", "SlashCommand"})
HELPER_TOOLS = frozenset({"Agent", "Task"})
"""By these it starts a helper, whose file may bring skills, hooks and servers along."""
HELPER = "general-purpose"
"""Which is started where none is named."""
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
_IGNORED = re.compile(r"[\s_\u2010-\u2015-]+")
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
    """Return True if the skill was found and read, and has nothing run, allowed or read without being asked."""
    is_found = any(name_in(step).casefold() in _names_of(one) for one in step.skills)
    return is_found and not commands_of(step) and not unknown_in(step) and not _adds_code(step)


def _names_of(file: SkillFile) -> set[str]:
    """Return the names that are surely its own: one that only mentions a name may lie beside the file that is meant."""
    *_, folder, name = ("", *file.path.casefold().split("/"))
    given = {said.strip("\"' ").casefold() for key, said in _entries(_top(file.text)) if key == "name"}
    return {folder if name == "skill.md" else name.removesuffix(".md"), *given}


def wanted_of(step: HookStep) -> Wanted:
    """Return the commands that would run at once or by its hooks; where it has none, the call itself."""
    commands = commands_of(step)
    if not commands:
        return Wanted(act=Act.OTHER, text=plain_json(step.input))
    return Wanted(act=Act.COMMAND, text="\n".join(commands))


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
    return _IGNORED.sub("", name.casefold())


def mentions(text: str, name: str) -> bool:
    """Return True if a file's top names this skill, or may do so in a spelling of its own."""
    top = _top(text)
    return squeezed(name) in squeezed(top) or "\\" in top


def _said(step: HookStep) -> list[str]:
    return text_of(step.input, "skill", "command").split(maxsplit=1)


def _added(step: HookStep) -> str:
    return " ".join((*_said(step)[1:], text_of(step.input, "args")))


def _adds_code(step: HookStep) -> bool:
    """Return True if what the model adds could, with what stands around it in the file, become a command."""
    return any(mark in _added(step) for mark in "!`")


def _inline(text: str) -> list[str]:
    """Return what would run, as it stands; with the placeholders gone where only that shows some of it."""
    plain, filled = (list(_marked(one)) for one in (text, _PLACEHOLDER.sub("", text)))
    return plain if len(plain) >= len(filled) else filled


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
