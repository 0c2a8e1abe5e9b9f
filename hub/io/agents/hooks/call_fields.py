"""The fields of a call that a card shows beside its text: what changes how it runs, and what nobody here knows.

For each tool of an agent's own stands which fields the text, target and reason already show, and which change how it
runs. Every other field is unknown: shown as such, asked about, and covered by nothing that was granted. Of a tool that
does not stand here all are.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.permission import CALL_FIELDS_MAX, FIELD_CHARS_MAX, Act, CallField
from hub.io.agents.hooks import skills
from hub.io.agents.hooks.own_tools import PULSE, own_effect
from hub.io.agents.hooks.step import NAME_CHARS_MAX, Dialect, HookStep, ToolFields, ToolInput, Wanted, plain_json
from hub.kit.loose_json import objects_of, text_of
from hub.screening.tool_input import is_loose

CUT = 40
"""Characters kept for saying how much of a value was cut."""
_CUT_VALUE = re.compile(r" … (\d{1,9}) more characters")
_MORE = "…"
PIECES = "edits"
NOTHING_KNOWN = ToolFields(shown=frozenset())


class CallFields(Value):
    """What else a call says: its settings, what is unknown in it, and the folder that it runs in.

    `is_from_file`: what it would do stands in a file that the call only names, and is not known to be harmless.
    """

    settings: tuple[CallField, ...] = ()
    unknown: tuple[CallField, ...] = ()
    folder: str = ""
    is_from_file: bool = False

    @property
    def asks(self) -> bool:
        """True where it is not as harmless as its text alone."""
        return self.is_from_file or bool(self.unknown) or any(is_loose(one) for one in self.settings)

    @property
    def left_out(self) -> int:
        """How much of them, at least, is not shown: what was cut of names and values, and fields of too many."""
        fields = (*self.settings, *self.unknown)
        cut = sum(int(left) for one in fields for left in _CUT_VALUE.findall(one.value))
        return cut + sum(one.name == _MORE or len(one.name) == NAME_CHARS_MAX for one in fields)


def fields_of_call(dialect: Dialect, step: HookStep, wanted: Wanted) -> CallFields:
    """Return what else the call of this step says, which files git brings, and which hooks of others have a say."""
    fields = _fields_of_call(dialect, step, wanted)
    others = _fields((*((one.path, one.deed) for one in step.brought), *step.other_hooks))
    return replace(fields, unknown=(*fields.unknown, *others)[:CALL_FIELDS_MAX]) if others else fields


def _fields_of_call(dialect: Dialect, step: HookStep, wanted: Wanted) -> CallFields:
    known = dialect.fields.get(step.tool, NOTHING_KNOWN)
    if step.tool in skills.SKILL_TOOLS:
        return _of_skill(step, known)
    is_servers = wanted.act is Act.OTHER and own_effect(dialect.own_tools, step) is None
    if is_servers or wanted.act is Act.QUESTION or known.free:
        return CallFields(folder=step.folder)
    fields = fields_among(step.input, known, step.folder)
    if step.tool not in skills.HELPER_TOOLS:
        return fields
    brings = skills.unknown_in(step)
    if skills.is_known(step) and not brings:
        return fields
    settings = (*fields.settings, *_fields(skills.read_in(step)))
    return replace(fields, settings=settings, unknown=(*fields.unknown, *_fields(brings)), is_from_file=True)


def _of_skill(step: HookStep, known: ToolFields) -> CallFields:
    """Return which skill is called, with which file, and what that file brings along beside its commands."""
    plain = fields_among(step.input, known, step.folder)
    said = [(name, value) for name, value in step.input.items() if name in known.shown]
    return CallFields(
        settings=_fields((*said, *skills.read_in(step))),
        unknown=(*plain.unknown, *_fields(skills.unknown_in(step))),
        folder=step.folder,
        is_from_file=not skills.runs_nothing(step),
    )


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
                *(
                    (name, given[name])
                    for name in given
                    if name not in read or name in second or _is_odd(name, given, known)
                ),
                *((name, given[name]) for name in known.folder if name in given and not isinstance(given[name], str)),
                *_of_pieces(pieces, known, is_known=False),
            )
        ),
        folder=posixpath.normpath(posixpath.join(folder, moved)) if moved else folder,
    )


def _is_odd(name: str, given: ToolInput, known: ToolFields) -> bool:
    """Return True if what should be a text is none, so that nobody has read it."""
    return name in known.shown and name not in known.lists and not isinstance(given[name], str | None)


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
    return tuple(fields) if more <= 1 else (*fields[: CALL_FIELDS_MAX - 1], CallField(name=_MORE, value=f"{more} more"))


def _name(name: str) -> str:
    return name[:NAME_CHARS_MAX] or '""'


def _value(value: object) -> str:
    text = plain_json(value)
    left = len(text) - (FIELD_CHARS_MAX - CUT)
    return text if len(text) <= FIELD_CHARS_MAX else f"{text[: FIELD_CHARS_MAX - CUT]} … {left} more characters"


def tool_fields(
    shown: str,
    settings: str = "",
    *,
    folder: tuple[str, ...] = (),
    pieces: str = "",
    lists: str = "",
    before_only: str = "",
) -> ToolFields:
    """Return what is known of a tool's fields, their names with spaces between; those for one thing with `|`."""
    names = [tuple(one.split("|")) for one in shown.split()]
    return ToolFields(
        shown=frozenset(name for one in names for name in one),
        settings=tuple(settings.split()),
        folder=folder,
        pieces=frozenset(pieces.split()),
        instead=tuple(one for one in names if len(one) > 1),
        lists=frozenset(lists.split()),
        before_only=frozenset(before_only.split()),
    )


def _each(tools: str, known: ToolFields) -> Mapping[str, ToolFields]:
    return dict.fromkeys(tools.split(), known)


_FREE = ToolFields(shown=frozenset(), free=True)
_PULSES = _each(" ".join(PULSE), _FREE)
_SHELL = tool_fields("command description", "timeout run_in_background dangerouslyDisableSandbox")
CLAUDE: Mapping[str, ToolFields] = {
    **_PULSES,
    "Bash": _SHELL,
    "PowerShell": _SHELL,
    "Monitor": tool_fields("command description", "timeout_ms persistent"),
    "Edit": tool_fields("file_path old_string new_string", "replace_all"),
    "MultiEdit": tool_fields("file_path edits", "replace_all", pieces="old_string new_string", lists="edits"),
    "Write": tool_fields("file_path content"),
    "NotebookEdit": tool_fields("notebook_path new_source", "cell_id cell_type edit_mode"),
    "Read": tool_fields("file_path", "offset limit pages allow_large"),
    "NotebookRead": tool_fields("notebook_path", "cell_id"),
    "LSP": tool_fields("filePath", "operation line character query"),
    "LS": tool_fields("path", "ignore"),
    "Glob": tool_fields("pattern path"),
    "Grep": tool_fields("pattern path glob", "output_mode -A -B -C -i -n -o context type head_limit offset multiline"),
    **_each("ReadMcpResourceTool ReadMcpResource", tool_fields("server uri")),
    "WebFetch": tool_fields("url prompt", "offset"),
    "WebSearch": tool_fields("query", "allowed_domains blocked_domains"),
    "ExitPlanMode": tool_fields(
        "plan planFilePath", "allowedPrompts pushToRemote remoteSessionId remoteSessionUrl launchSwarm teammateCount"
    ),
    **_each(
        "Task Agent",
        tool_fields(
            "description prompt subagent_type",
            "model effort run_in_background name team_name mode isolation resume max_turns",
        ),
    ),
    "Skill": tool_fields("skill|command args"),
    "SlashCommand": tool_fields("command"),
    "EnterWorktree": tool_fields("name"),
    "ExitWorktree": tool_fields("action", "discard_changes"),
    "SendMessage": tool_fields(
        "to|recipient message|content summary type request_id",
        "approve",
        lists="message content",
        before_only="recipient recipient_kind content type request_id",
    ),
    "TeamCreate": tool_fields("team_name description agent_type"),
    "TeamDelete": tool_fields(""),
    "CronDelete": tool_fields("id"),
    "PushNotification": tool_fields("message status"),
    **_each("TaskStop KillShell KillBash", tool_fields("task_id shell_id bash_id")),
    **_each(
        "BashOutput TaskOutput AgentOutputTool TaskGet TaskList TaskCreate TaskUpdate TodoRead TodoWrite ToolSearch"
        " ListMcpResourcesTool ListMcpResources CronList StructuredOutput Sleep Brief EnterPlanMode",
        _FREE,
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
    "view_image": tool_fields("path"),
    "read_mcp_resource": tool_fields("server uri"),
    **_each("list_mcp_resources list_mcp_resource_templates update_plan", _FREE),
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
            "path|file_path diff|file_text|old_str|old_string diff|file_text|new_str|new_string",
            "command insert_line replace_all view_range",
        ),
    ),
    **dict.fromkeys(("WebFetch", "web_fetch"), tool_fields("url|query prompt", "max_length start_index raw")),
    **dict.fromkeys(("WebSearch", "web_search"), tool_fields("url|query")),
    **_each("Read view", tool_fields("path|file_path", "view_range offset limit forceReadLargeFiles")),
    **_each(
        "Grep grep rg Glob glob",
        tool_fields(
            "path|file_path pattern|query glob include",
            "output_mode -A -B -C -i -n -o context type head_limit offset multiline",
        ),
    ),
    "task": tool_fields("description prompt agent_type", "name model mode"),
    "skill": tool_fields("skill|name args"),
    **_each(
        "report_intent read_bash list_bash read_powershell list_powershell fetch_copilot_cli_documentation read_agent"
        " list_agents ask_user exit_plan_mode task_complete update_todo sql stop_bash stop_powershell",
        _FREE,
    ),
}
_WAITS = "wait_for_previous"
"""Gemini lets each of its tools wait for those before it."""
GEMINI: Mapping[str, ToolFields] = {
    "run_shell_command": tool_fields(
        "command description",
        f"is_background delay_ms additional_permissions {_WAITS}",
        folder=("dir_path", "directory"),
    ),
    "write_file": tool_fields("file_path content", f"modified_by_user ai_proposed_content {_WAITS}"),
    "replace": tool_fields(
        "file_path old_string new_string instruction", f"expected_replacements allow_multiple modified_by_user {_WAITS}"
    ),
    "read_file": tool_fields("file_path|path|absolute_path", f"start_line end_line offset limit {_WAITS}"),
    "list_directory": tool_fields(
        "dir_path|path", f"ignore file_filtering_options respect_git_ignore respect_gemini_ignore {_WAITS}"
    ),
    "glob": tool_fields("pattern dir_path|path", f"case_sensitive respect_git_ignore respect_gemini_ignore {_WAITS}"),
    "grep_search": tool_fields(
        "pattern dir_path|path include_pattern include",
        "exclude_pattern names_only max_matches_per_file total_max_matches case_sensitive fixed_strings context after"
        f" before no_ignore {_WAITS}",
    ),
    "read_many_files": tool_fields(
        "paths include", f"exclude recursive useDefaultExcludes file_filtering_options {_WAITS}", lists="paths include"
    ),
    "activate_skill": tool_fields("name", _WAITS),
    "codebase_investigator": tool_fields("objective", _WAITS),
    "cli_help": tool_fields("question", _WAITS),
    "google_web_search": tool_fields("query", _WAITS),
    "get_internal_docs": tool_fields("path", _WAITS),
    **_each("ask_user enter_plan_mode exit_plan_mode complete_task write_todos delegate_to_agent", _FREE),
}
OPENCODE: Mapping[str, ToolFields] = {
    "bash": tool_fields("command patterns description", "timeout", folder=("workdir", "cwd"), lists="patterns"),
    "edit": tool_fields("filepath|filePath diff patterns filediff files", lists="patterns filediff files"),
    "webfetch": tool_fields("url|query patterns", "format timeout", lists="patterns"),
    "websearch": tool_fields("url|query patterns", "numResults livecrawl type contextMaxCharacters", lists="patterns"),
    **_each(
        "read list external_directory",
        tool_fields("filepath|filePath|path patterns", "offset limit parentDir", lists="patterns"),
    ),
    **_each("glob grep", tool_fields("path pattern include patterns", "limit", lists="patterns")),
    "task": tool_fields("description prompt subagent_type patterns", lists="patterns"),
    **_each("lsp codesearch todoread todowrite skill", _FREE),
}
CURSOR: Mapping[str, ToolFields] = {"Shell": tool_fields("command", folder=("cwd",))}
