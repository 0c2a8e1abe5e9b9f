"""A form of an agent that Pulse runs, as it is put before its person."""

import msgspec

from hub.contract.permission import REASON_CHARS_MAX, Act, PermissionRequest, request_in
from hub.domain.execution import Job
from hub.io.agents.acp.permission_request import ANSWER_S_MAX
from hub.io.agents.hooks.forms import FormField
from hub.io.agents.hooks.step import ToolInput
from hub.kit.loose_json import text_of


def form_request(form: ToolInput, fields: tuple[FormField, ...], job: Job) -> PermissionRequest | None:
    """Return the questions for a person; None where they cannot be put to them."""
    said = {
        "agent": job.agent.name,
        "tool": "question",
        "act": Act.QUESTION,
        "folder": job.workspace or "",
        "reason": text_of(form, "message")[:REASON_CHARS_MAX] if len(fields) > 1 else "",
        "session": job.session_id,
        "questions": [msgspec.to_builtins(one.question) for one in fields],
        "timeoutS": ANSWER_S_MAX,
        "withdrawWhenGone": True,
    }
    return request_in(said)
