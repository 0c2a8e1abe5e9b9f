"""What Claude Code's tools would do, by their names and inputs, as a person reads it.

A tool that is not named here is shown with all that it would be given. Nothing is looked up but a skill: a file that
the agent would write is shown as the agent sends it, for what it names may be a file that nobody else should see.
"""

import re
from collections.abc import Callable, Mapping

from hub.contract.permission import Act
from hub.io.agents.hooks import skills
from hub.io.agents.hooks.step import HookStep, ToolInput, Wanted, plain_json
from hub.kit.line_diff import line_diff
from hub.kit.loose_json import objects_of, text_of
from hub.screening.commands.operands import path_of

_BETWEEN = re.compile(r"\s+|,(?![^{}]{0,200}\})")
"""What stands between patterns, but for the commas of a choice."""


def wanted_of(step: HookStep) -> Wanted:
    """Say what the tool of this step would do."""
    if step.tool in skills.SKILL_TOOLS:
        return skills.wanted_of(step)
    make = TOOLS.get(step.tool, other)
    return make(step.input)


def replacement(path: str, before: str, after: str) -> str:
    """Return an edit as a unified diff; the line numbers are those of the piece, for the file is not looked at."""
    return "\n".join(line_diff(path, before, after))


def _bash(given: ToolInput) -> Wanted:
    return Wanted(
        act=Act.COMMAND, text=text_of(given, "command"), reason=text_of(given, "description"), text_in="command"
    )


def _monitor(given: ToolInput) -> Wanted:
    return _bash(given) if text_of(given, "command") else other(given)


def _edit(given: ToolInput) -> Wanted:
    path = text_of(given, "file_path")
    return Wanted(act=Act.EDIT, target=path, text=_piece(path, given))


def _multi_edit(given: ToolInput) -> Wanted:
    path = text_of(given, "file_path")
    diff = "\n".join(_piece(path, one) for one in objects_of(given, "edits"))
    return Wanted(act=Act.EDIT, target=path, text=diff)


def _piece(path: str, given: ToolInput) -> str:
    return replacement(path, text_of(given, "old_string"), text_of(given, "new_string"))


def _write(given: ToolInput) -> Wanted:
    return Wanted(act=Act.EDIT, target=text_of(given, "file_path"), text=text_of(given, "content"), text_in="content")


def _notebook(given: ToolInput) -> Wanted:
    return Wanted(act=Act.EDIT, target=text_of(given, "notebook_path"), text=text_of(given, "new_source"))


def _read(given: ToolInput) -> Wanted:
    return Wanted(act=Act.READ, target=text_of(given, "file_path", "path", "notebook_path", "filePath"))


def _search(given: ToolInput) -> Wanted:
    return searched(text_of(given, "path"), text_of(given, "pattern"), text_of(given, "glob"))


def resource(given: ToolInput) -> Wanted:
    """Say what is read from a server: a file, a page, or what only the server knows."""
    uri = text_of(given, "uri")
    is_page = uri.strip().lower().startswith(("http:", "https:"))
    return Wanted(act=Act.FETCH, target=uri) if is_page else Wanted(act=Act.READ, target=path_of(uri) or uri)


def searched(place: str, pattern: str, *files: str) -> Wanted:
    """Return a search in a place; `files` say in which of its files, which may be a secret's."""
    others = tuple(one for one in map(_sought, files) if one)
    return Wanted(act=Act.READ, target=place, text=pattern, others=others)


def _sought(files: str) -> str:
    """Return what a list of patterns looks into, without those that it leaves out: `*.py,!a.py`."""
    if "!" not in files:
        return files
    return " ".join(one for one in _BETWEEN.split(files) if not one.startswith("!"))


def _fetch(given: ToolInput) -> Wanted:
    return Wanted(act=Act.FETCH, target=text_of(given, "url"), reason=text_of(given, "prompt"))


def _web_search(given: ToolInput) -> Wanted:
    return Wanted(act=Act.FETCH, text=text_of(given, "query"))


def _plan(given: ToolInput) -> Wanted:
    return Wanted(act=Act.PLAN, text=text_of(given, "plan"), target=text_of(given, "planFilePath"))


def _questions(given: ToolInput) -> Wanted:
    del given
    return Wanted(act=Act.QUESTION)


def other(given: ToolInput) -> Wanted:
    """Show a tool that is not known with all that it would be given."""
    return Wanted(act=Act.OTHER, text=plain_json(given))


TOOLS: Mapping[str, Callable[[ToolInput], Wanted]] = {
    "Bash": _bash,
    "PowerShell": _bash,
    "Monitor": _monitor,
    "Edit": _edit,
    "MultiEdit": _multi_edit,
    "Write": _write,
    "NotebookEdit": _notebook,
    "Read": _read,
    "NotebookRead": _read,
    "LSP": _read,
    "LS": _read,
    "ReadMcpResourceTool": resource,
    "ReadMcpResource": resource,
    "Glob": _search,
    "Grep": _search,
    "WebFetch": _fetch,
    "WebSearch": _web_search,
    "ExitPlanMode": _plan,
    "AskUserQuestion": _questions,
}
