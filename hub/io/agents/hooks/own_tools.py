"""Tools that agents bring along themselves and that do nothing a person need be asked about, with what they do.

What an agent's tools for commands, files and addresses would do is read from their input; a server's tool is read by
its fields. Here are the others, by their exact names: whatever is in no table is unknown, and asks. A helper that an
agent starts asks for each of its tools itself; what may be allowed to it, `mode`, is looked at (`effects_beside`). A
skill runs what stands in its file, which is read (`skills.py`).
"""

from collections.abc import Mapping

from hub.contract.effects import Effect
from hub.io.agents.hooks import skills
from hub.io.agents.hooks.step import HookStep, ToolInput

OwnTools = Mapping[str, Effect]
"""By a tool's name the gravest that it does."""
ASKS_NOBODY = frozenset({"bypassPermissions", "auto", "yolo"})
"""Modes in which an agent runs commands without asking its person."""
ASKING_MODES = ("default", "plan", "", None, "sync", "async", "background", "foreground")
"""Modes in which a helper asks no less than its agent, or which say when it works; any other may ask less."""
STAYING = (None, "", "none", "worktree")
"""Where a helper works that stays on this machine."""


def _table(*, looks: str, keeps: str) -> OwnTools:
    """Return a table of tools that look, and of those that keep something of the agent's own."""
    return {
        **dict.fromkeys(looks.split(), Effect.READS),
        **dict.fromkeys(keeps.split(), Effect.WRITES_IN_WORKSPACE),
    }


PULSE = _table(
    looks="mcp__pulse__check_answer mcp__pulse__world_check mcp__pulse__world_query",
    keeps="mcp__pulse__ask_human mcp__pulse__notify_human mcp__pulse__suggest mcp__pulse__world_agent"
    " mcp__pulse__world_event",
)
"""Pulse's own: by them an agent asks. They are that only where the person has named this server (`is_claimed`)."""
PERSONS = frozenset({"user", "local", "sdk"})
"""Where Claude has a server from that its person named: their own `~/.claude.json`, or the program they work in."""
CLAUDE = {
    **PULSE,
    **_table(
        looks="BashOutput TaskOutput AgentOutputTool TaskGet TaskList TodoRead ToolSearch"
        " ListMcpResourcesTool ListMcpResources CronList"
        " StructuredOutput Sleep Brief",
        keeps="Task Agent TodoWrite TaskCreate TaskUpdate TaskStop KillShell KillBash EnterPlanMode"
        " EnterWorktree ExitWorktree SendMessage TeamCreate TeamDelete CronDelete PushNotification",
    ),
}
CODEX = {
    **PULSE,
    **_table(looks="list_mcp_resources list_mcp_resource_templates", keeps="update_plan"),
}
COPILOT = _table(
    looks="report_intent read_bash list_bash read_powershell list_powershell fetch_copilot_cli_documentation read_agent"
    " list_agents ask_user exit_plan_mode task_complete",
    keeps="update_todo task skill sql stop_bash stop_powershell",
)
GEMINI = _table(
    looks="get_internal_docs ask_user enter_plan_mode exit_plan_mode complete_task google_web_search",
    keeps="write_todos activate_skill delegate_to_agent codebase_investigator cli_help",
)
OPENCODE = _table(looks="lsp codesearch todoread", keeps="todowrite task skill")


def own_effect(own_tools: OwnTools, step: HookStep) -> Effect | None:
    """Return the gravest that a tool of the agent's own does; None for any other tool, which its input tells of."""
    if step.tool in skills.SKILL_TOOLS:
        return Effect.WRITES_IN_WORKSPACE if skills.runs_nothing(step) else None
    return None if step.is_claimed else own_tools.get(step.tool)


def effects_beside(given: ToolInput) -> tuple[Effect, ...]:
    """Return what such a tool would do beyond that: ask less than its agent, work elsewhere, throw changes away."""
    asks_less = _asks_less(given)
    is_away = given.get("isolation") not in STAYING
    discards = given.get("discard_changes") not in (None, False)
    return (
        *(Effect.DELETES,) * discards,
        *(Effect.LEAVES_THE_MACHINE,) * is_away,
        *(Effect.CHANGES_PERMISSIONS,) * asks_less,
    )


def _asks_less(given: ToolInput) -> bool:
    return any(given.get(name, "default") not in ASKING_MODES for name in ("mode", "permission_mode", "permissionMode"))
