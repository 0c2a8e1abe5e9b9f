"""The fields of a call that a card shows beside its text: what changes how it runs, and what nobody here knows.

For each tool whose text is not its whole input stands which fields the text, target and reason already show, and which
change how it runs. Every other field is unknown: shown as such, asked about, and covered by nothing that was granted.
"""

import posixpath
from collections.abc import Iterable, Mapping

from hub.contract.base import Value
from hub.contract.permission import CALL_FIELDS_MAX, FIELD_CHARS_MAX, Act, CallField
from hub.io.agents.hooks.step import NAME_CHARS_MAX, Dialect, HookStep, ToolFields, ToolInput, Wanted, plain_json
from hub.kit.loose_json import objects_of, text_of
from hub.screening.tool_input import is_loose

CUT = 40
"""Characters kept for saying how much of a value was cut."""
PIECES = "edits"


class CallFields(Value):
    """What else a call says: its settings, what is unknown in it, and the folder that it runs in."""

    settings: tuple[CallField, ...] = ()
    unknown: tuple[CallField, ...] = ()
    folder: str = ""

    @property
    def asks(self) -> bool:
        """True where it is not as harmless as its text alone."""
        return bool(self.unknown) or any(is_loose(one) for one in self.settings)


def fields_of_call(dialect: Dialect, step: HookStep, wanted: Wanted) -> CallFields:
    """Return what else the call of this step says."""
    known = dialect.fields.get(step.tool) if wanted.act not in {Act.OTHER, Act.QUESTION} else None
    return CallFields(folder=step.folder) if known is None else fields_among(step.input, known, step.folder)


def fields_among(given: ToolInput, known: ToolFields, folder: str) -> CallFields:
    """Return what else is said in a tool's input, of which this is known."""
    moved = text_of(given, *known.folder) if known.folder else ""
    read = {*known.shown, *known.folder, *known.settings}
    pieces = objects_of(given, PIECES) if PIECES in known.shown else ()
    second = {name for names in (known.folder, *known.instead) for name in [one for one in names if one in given][1:]}
    return CallFields(
        settings=_fields((*_settings(given, known), *_of_pieces(pieces, known, is_known=True))),
        unknown=_fields(
            (
                *((name, given[name]) for name in given if name not in read or name in second),
                *((name, given[name]) for name in known.folder if name in given and not isinstance(given[name], str)),
                *_of_pieces(pieces, known, is_known=False),
            )
        ),
        folder=posixpath.normpath(posixpath.join(folder, moved)) if moved else folder,
    )


def _settings(given: ToolInput, known: ToolFields) -> Iterable[tuple[str, object]]:
    return ((name, given[name]) for name in known.settings if name in given)


def _of_pieces(pieces: tuple[ToolInput, ...], known: ToolFields, *, is_known: bool) -> Iterable[tuple[str, object]]:
    """Yield the fields of each of several edits, by their place."""
    for number, piece in enumerate(pieces, start=1):
        for name in piece:
            if name not in known.pieces and (name in known.settings) is is_known:
                yield f"{PIECES} {number}: {name}", piece[name]


def _fields(found: Iterable[tuple[str, object]]) -> tuple[CallField, ...]:
    """Return fields as they are shown; of too many the last says how many more there are."""
    fields = [CallField(name=_name(name), value=_value(value)) for name, value in found]
    more = len(fields) - CALL_FIELDS_MAX + 1
    return tuple(fields) if more <= 1 else (*fields[: CALL_FIELDS_MAX - 1], CallField(name="…", value=f"{more} more"))


def _name(name: str) -> str:
    return name[:NAME_CHARS_MAX] or '""'


def _value(value: object) -> str:
    text = plain_json(value)
    left = len(text) - (FIELD_CHARS_MAX - CUT)
    return text if len(text) <= FIELD_CHARS_MAX else f"{text[: FIELD_CHARS_MAX - CUT]} … {left} more characters"


def tool_fields(shown: str, settings: str = "", *, folder: tuple[str, ...] = (), pieces: str = "") -> ToolFields:
    """Return what is known of a tool's fields, their names with spaces between; those for one thing with `|`."""
    names = [tuple(one.split("|")) for one in shown.split()]
    return ToolFields(
        shown=frozenset(name for one in names for name in one),
        settings=tuple(settings.split()),
        folder=folder,
        pieces=frozenset(pieces.split()),
        instead=tuple(one for one in names if len(one) > 1),
    )


_SHELL = tool_fields("command description", "timeout run_in_background dangerouslyDisableSandbox")
CLAUDE: Mapping[str, ToolFields] = {
    "Bash": _SHELL,
    "PowerShell": _SHELL,
    "Monitor": tool_fields("command description", "timeout_ms persistent"),
    "Edit": tool_fields("file_path old_string new_string", "replace_all"),
    "MultiEdit": tool_fields("file_path edits", "replace_all", pieces="old_string new_string"),
    "Write": tool_fields("file_path content"),
    "NotebookEdit": tool_fields("notebook_path new_source", "cell_id cell_type edit_mode"),
    "WebFetch": tool_fields("url prompt"),
    "WebSearch": tool_fields("query", "allowed_domains blocked_domains"),
    "ExitPlanMode": tool_fields(
        "plan planFilePath", "allowedPrompts pushToRemote remoteSessionId remoteSessionUrl launchSwarm teammateCount"
    ),
}
CODEX: Mapping[str, ToolFields] = {
    **CLAUDE,
    "Bash": tool_fields(
        "command description",
        "timeout timeout_ms sandbox_permissions with_escalated_permissions justification prefix_rule login tty shell",
        folder=("workdir", "cwd"),
    ),
    "apply_patch": tool_fields("command description"),
}
_COPILOT_SHELL = tool_fields(
    "command description", "mode async detach timeout initial_wait sessionId shellId", folder=("cwd", "workdir")
)
COPILOT: Mapping[str, ToolFields] = {
    **dict.fromkeys(("Bash", "bash", "powershell"), _COPILOT_SHELL),
    **dict.fromkeys(("Write", "create"), tool_fields("path|file_path file_text|content")),
    **dict.fromkeys(
        ("Edit", "edit", "str_replace_editor"),
        tool_fields(
            "path|file_path file_text|old_str|old_string new_str|new_string",
            "command insert_line replace_all view_range",
        ),
    ),
    **dict.fromkeys(("WebFetch", "web_fetch"), tool_fields("url|query prompt", "max_length start_index raw")),
    **dict.fromkeys(("WebSearch", "web_search"), tool_fields("url|query")),
}
GEMINI: Mapping[str, ToolFields] = {
    "run_shell_command": tool_fields(
        "command description", "is_background delay_ms additional_permissions", folder=("dir_path", "directory")
    ),
    "write_file": tool_fields("file_path content", "modified_by_user ai_proposed_content"),
    "replace": tool_fields(
        "file_path old_string new_string instruction", "expected_replacements allow_multiple modified_by_user"
    ),
}
OPENCODE: Mapping[str, ToolFields] = {
    "bash": tool_fields("command patterns description", "timeout", folder=("workdir", "cwd")),
    "edit": tool_fields("filepath|filePath diff patterns filediff files"),
    "webfetch": tool_fields("url|query patterns", "format timeout"),
    "websearch": tool_fields("url|query patterns", "numResults livecrawl type contextMaxCharacters"),
}
