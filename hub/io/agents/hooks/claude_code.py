"""Claude Code's hooks: what it sends on standard input, and what it takes as an answer.

Written after `sdk.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.330 and what Claude Code 2.1.330 does. Unknown events and
unknown fields are passed over; a missing name of the event or of the tool is unreadable. Claude Code throws away an
answer whose `hookEventName` is not the event's, and one that is no JSON object.
"""

import re
from collections.abc import Mapping
from typing import Literal

from hub.contract.permission import AgentQuestion
from hub.io.agents.hooks import call_fields, claude_forms, claude_tools, own_tools
from hub.io.agents.hooks.step import (
    LABEL_CHARS_MAX,
    NAME_CHARS_MAX,
    AgentOffer,
    At,
    Dialect,
    HookOutput,
    HookStep,
    ToolInput,
    Unreadable,
    Wanted,
    Word,
    fields_of,
    name_of,
    plain_json,
)
from hub.kit.forms import question_of
from hub.kit.given_answers import Deed
from hub.kit.loose_json import object_of, objects_of, text_of

EVENTS: Mapping[str, At] = {
    "PreToolUse": At.BEFORE,
    "PermissionRequest": At.LEAVE,
    claude_forms.ASKED: At.LEAVE,
    claude_forms.ANSWERED: At.ANSWERED,
    "PermissionDenied": At.DENIED,
    "PostToolUse": At.AFTER,
    "PostToolUseFailure": At.FAILED,
    "Notification": At.NOTICE,
    "UserPromptSubmit": At.PROMPT,
    "Stop": At.TURN_END,
    "StopFailure": At.TURN_FAILED,
    "SubagentStop": At.SUB_END,
    "SessionStart": At.BEGIN,
    "SessionEnd": At.END,
}
BEGUN_BY_PERSON = frozenset({"startup", "resume", "clear"})
"""Where a session's beginning comes from; it also starts over by itself, when it has become too long."""
NEEDS_TOOL = frozenset({At.BEFORE, At.LEAVE, At.DENIED, At.AFTER, At.FAILED})
TYPED_FORMS = frozenset({"command-name", "command-message", "command-args", "bash-input"})
"""Elements in which Claude Code wraps what a person typed."""
OPENS = re.compile(r"\s*<([a-z]+(?:-[a-z]+)+)(?:\s[^<>]*)?>")
"""How an element begins in which Claude Code puts what no person typed; its names have a hyphen, as HTML's have not."""
LIMIT_IS_OVER = "Your claude.ai usage limit has reset."
"""How the prompt begins with which Claude Code goes on by itself."""
OFFERS_MAX = 8
COPILOTS = "hookName"
"""Copilot starts the hooks of a project's Claude settings, too, and names a request for leave so: its own to answer."""
BY_TOOL = "asked_by_tool"
"""What our own server of the prompt tool says beside a request: its answer is none that reaches the model."""
DENIAL, BY_PERSON = b"toolDenialKind", "user-rejected"
"""What stands in its transcript beside the result of a call that its person refused, or broke off."""
QUESTIONS_TOOL, PLAN_TOOL = "AskUserQuestion", "ExitPlanMode"
SERVERS = "mcp__"
"""How the name of a server's tool begins; a server that a program brings along may leave it out."""
MODES = {
    "acceptEdits": "accept all edits",
    "plan": "only plan",
    "default": "ask for everything",
    "auto": "decide by itself",
}
HOLDS = {
    "session": "in this session",
    "localSettings": "in this project, for you",
    "projectSettings": "in this project, for everybody",
    "userSettings": "in all projects",
}


def read(raw: bytes) -> HookStep | Unreadable:
    """Read what one hook was given."""
    fields = fields_of(raw)
    if isinstance(fields, Unreadable):
        return fields
    event = name_of(fields, "hook_event_name")
    if not event and name_of(fields, COPILOTS):
        return HookStep(at=At.ELSE, event=name_of(fields, COPILOTS))
    if not event:
        return Unreadable(why="It does not say which event this is.")
    at = EVENTS.get(event, At.ELSE)
    if at is At.PROMPT and not is_typed(text_of(fields, "prompt")):
        at = At.ELSE
    form = claude_forms.form_in(fields) if event == claude_forms.ASKED else None
    if isinstance(form, Unreadable):
        return form
    tool = _tool(fields) if form is None else name_of(form, "server")
    if at in NEEDS_TOOL and not tool:
        return Unreadable(why=f"{event} does not name the tool.")
    return HookStep(
        at=at,
        event=event,
        session=name_of(fields, "session_id"),
        subagent=name_of(fields, "agent_id"),
        subagent_type=name_of(fields, "agent_type"),
        folder=text_of(fields, "cwd"),
        tool=tool,
        call=name_of(fields, "tool_use_id"),
        input=object_of(fields, "tool_input") if form is None else form,
        hides_dialog=form is not None,
        offers=tuple(_offers(objects_of(fields, "permission_suggestions"))),
        message=text_of(fields, "message", "last_assistant_message"),
        mode=name_of(fields, "permission_mode"),
        by_person=at is At.ANSWERED or name_of(fields, "source") in BEGUN_BY_PERSON,
        transcript=text_of(fields, "transcript_path"),
        untold=fields.get(BY_TOOL) is True,
        error=name_of(fields, "error"),
        source=name_of(object_of(fields, "mcp_server"), "source"),
    )


def _tool(fields: ToolInput) -> str:
    """Return the tool's name; a server's is told from Claude Code's own, also where the server gave it no prefix."""
    name, server = name_of(fields, "tool_name"), fields.get("mcp_server")
    if not name or server is None or name.startswith(SERVERS):
        return name
    return f"{SERVERS}{text_of(object_of(fields, 'mcp_server'), 'name')}__{name}"[:NAME_CHARS_MAX]


def is_typed(prompt: str) -> bool:
    """Return True unless a prompt is one that Claude Code gave itself: that a task has ended, or a limit is over.

    Those are elements of their own and nothing beside them. A person who pastes just such a thing is not taken for
    present, which leaves what is asked as loud as ever.
    """
    if prompt.startswith(LIMIT_IS_OVER):
        return False
    at, end = 0, len(prompt.rstrip())
    while at < end:
        opened = OPENS.match(prompt, at)
        closes = f"</{opened[1]}>" if opened is not None else ""
        place = prompt.find(closes, opened.end()) if opened is not None else -1
        if opened is None or place < 0 or opened[1] in TYPED_FORMS:
            return True
        at = place + len(closes)
    return end == 0


def write(step: HookStep, word: Word) -> HookOutput:
    """Say it so that Claude Code understands; with nothing to say its own rules and its own dialog go on."""
    if step.at in {At.AFTER, At.FAILED} and word.context:
        return _printed(step, {"additionalContext": word.context})
    if word.says == "none":
        return HookOutput()
    if step.at in {At.AFTER, At.FAILED} and word.says == "deny":
        return HookOutput(text=plain_json({"continue": False, "stopReason": word.reason}))
    if step.event == claude_forms.ASKED:
        said_to_server = claude_forms.told(word)
        return HookOutput() if said_to_server is None else _printed(step, dict(said_to_server))
    if step.at is At.BEFORE:
        said: dict[str, object] = {"permissionDecision": word.says, "permissionDecisionReason": word.reason}
        changed = {} if word.input is None else {"updatedInput": word.input}
        told = {"additionalContext": word.context} if word.context else {}
        return _printed(step, {**said, **changed, **told})
    if step.at is not At.LEAVE or word.says == "ask":
        return HookOutput()
    if word.says == "deny":
        return _printed(step, {"decision": {"behavior": "deny", "message": word.reason}})
    decision: dict[str, object] = {"behavior": "allow"}
    if word.input is not None:
        decision["updatedInput"] = word.input
    if word.echoes:
        decision["updatedPermissions"] = word.echoes
    return _printed(step, {"decision": decision})


def questions_of(step: HookStep) -> tuple[AgentQuestion, ...]:
    """Return the questions that the agent asks by its tool for questions, none for another tool."""
    if step.event == claude_forms.ASKED:
        return claude_forms.questions_of(step)
    asked = objects_of(step.input, "questions") if step.tool == QUESTIONS_TOOL else ()
    return tuple(question_of(one, f"q{number}") for number, one in enumerate(asked))


def wanted_of(step: HookStep) -> Wanted:
    """Say what the tool of this step would do, or what a server of tools asks."""
    return claude_forms.wanted_of(step) if step.event == claude_forms.ASKED else claude_tools.wanted_of(step)


def answered(step: HookStep, answers: Mapping[str, tuple[str, ...]]) -> ToolInput:
    """Return the tool's input with the answers in it, by the words of their questions, as Claude Code wants them."""
    if step.event == claude_forms.ASKED:
        return claude_forms.answered(step, answers)
    said = {one.text: ", ".join(answers[one.id]) for one in questions_of(step) if answers.get(one.id)}
    return {**step.input, "answers": said}


def deed_in(lines: bytes, call: str) -> Deed | None:
    """Find in these lines of its transcript that this call was refused in its dialog, or broken off while it ran.

    No hook tells of either. An older Claude Code did not write which of the two it was; the second then covers both.
    """
    return next((deed for line in lines.splitlines() if DENIAL in line and (deed := _denial(line, call))), None)


def _denial(line: bytes, call: str) -> Deed | None:
    fields = fields_of(line)
    if isinstance(fields, Unreadable) or text_of(fields, DENIAL.decode()) != BY_PERSON:
        return None
    results = objects_of(object_of(fields, "message"), "content")
    if not any((one.get("type"), one.get("tool_use_id")) == ("tool_result", call) for one in results):
        return None
    began = fields.get("toolDenialBeforeRun") is not True
    return Deed(went_on=began, broken_off=began)


def _printed(step: HookStep, output: dict[str, object]) -> HookOutput:
    return HookOutput(text=plain_json({"hookSpecificOutput": {"hookEventName": step.event, **output}}))


def _offers(suggestions: tuple[ToolInput, ...]) -> list[AgentOffer]:
    found = []
    for number, one in enumerate(suggestions[:OFFERS_MAX]):
        label = _label(one)
        lasts: Literal["session", "always"] = "session" if one.get("destination") == "session" else "always"
        if label and len(label) <= LABEL_CHARS_MAX:
            found.append(AgentOffer(id=f"offer{number}", label=label, lasts=lasts, echo=one))
    return found


def _label(suggestion: ToolInput) -> str:
    """Say in words all that an offer would do; empty for one that cannot be said whole, which is then not offered."""
    where = HOLDS.get(text_of(suggestion, "destination"), "")
    if not where:
        return ""
    match text_of(suggestion, "type"):
        case "addRules" if suggestion.get("behavior") == "allow":
            rules = [_rule(one) for one in _listed(suggestion, "rules")]
            return f"Always allow {', '.join(rules)}, {where}" if rules and all(rules) else ""
        case "setMode":
            mode = MODES.get(text_of(suggestion, "mode"), "")
            return f"Yes, and {mode} {where}" if mode else ""
        case "addDirectories":
            folders = [one if isinstance(one, str) else "" for one in _listed(suggestion, "directories")]
            return f"Yes, and let it work in {', '.join(folders)} {where}" if folders and all(folders) else ""
    return ""


def _listed(suggestion: ToolInput, name: str) -> list[object]:
    listed = suggestion.get(name)
    return listed if isinstance(listed, list) else []


def _rule(rule: object) -> str:
    fields = rule if isinstance(rule, dict) else {}
    tool, content = text_of(fields, "toolName"), text_of(fields, "ruleContent")
    return f"{tool}({content})" if tool and content else f"all of {tool}" if tool else ""


CLAUDE_CODE = Dialect(
    name="claude-code",
    title="Claude",
    read=read,
    write=write,
    wanted=wanted_of,
    fields=call_fields.CLAUDE,
    own_tools=own_tools.CLAUDE,
    events=EVENTS,
    before="PreToolUse",
    decides_at=("PermissionRequest",),
    changes_at=("PreToolUse",),
    questions=questions_of,
    answered=answered,
    asks_beside=True,
    stops_after=True,
    tells_before=True,
    session_variable="CLAUDE_CODE_SESSION_ID",
    deed_in=deed_in,
)
