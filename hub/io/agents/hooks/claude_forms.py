"""What a server of tools asks the person through Claude Code: its hook `Elicitation`.

Seen with Claude Code 2.1.330. The hook holds Claude's own dialog back until it is done, and says what the server is
told: that the form was filled in, or declined. Without a word of it the dialog opens. What is answered there comes with
`ElicitationResult`, so the person sits there. An address to open is left to the dialog, for it is opened there.
"""

from collections.abc import Mapping

from hub.contract.permission import Act, AgentQuestion
from hub.io.agents.hooks.step import HookStep, ToolInput, Unreadable, Wanted, Word, name_of
from hub.kit.foreign_names import is_reserved, name_in_quotes
from hub.kit.forms import DECLINED, fields_of_form, filled_in
from hub.kit.loose_json import object_of, text_of

ASKED, ANSWERED = "Elicitation", "ElicitationResult"
SCHEMA = "requestedSchema"


def form_in(fields: ToolInput) -> ToolInput | Unreadable:
    """Return the form as the protocol has it, and which server asks."""
    server = name_of(fields, "mcp_server_name")
    if not server:
        return Unreadable(why=f"{ASKED} does not say which server asks.")
    shown = {"mode": text_of(fields, "mode"), "message": text_of(fields, "message"), "server": server}
    return {**shown, SCHEMA: object_of(fields, "requested_schema")}


def wanted_of(step: HookStep) -> Wanted:
    """Say what is asked: questions, or where the form has no fields, only whether the person agrees."""
    server = text_of(step.input, "server")
    by = f"The server of tools {name_in_quotes(server)} asks."
    if _is_plain(step) and not is_reserved(server):
        return Wanted(act=Act.OTHER, text=text_of(step.input, "message"), reason=by)
    return Wanted(act=Act.QUESTION, reason=by)


def questions_of(step: HookStep) -> tuple[AgentQuestion, ...]:
    """Return the questions of the form; none where a person could not be shown it, or its server has a name of ours."""
    if is_reserved(text_of(step.input, "server")):
        return ()
    return tuple(one.question for one in fields_of_form(step.input))


def answered(step: HookStep, answers: Mapping[str, tuple[str, ...]]) -> ToolInput:
    """Return what the server is told."""
    return filled_in(fields_of_form(step.input), answers)


def told(word: Word) -> ToolInput | None:
    """Return what a person's word is to the server; None where it is left to Claude's own dialog."""
    if word.says == "deny":
        return DECLINED
    return (word.input or {"action": "accept", "content": {}}) if word.says == "allow" else None


def _is_plain(step: HookStep) -> bool:
    form = step.input
    has_fields = bool(object_of(object_of(form, SCHEMA), "properties"))
    return text_of(form, "mode") in {"", "form"} and not has_fields and bool(text_of(form, "message"))
