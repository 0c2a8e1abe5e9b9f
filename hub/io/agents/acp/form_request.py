"""A form of an agent that Pulse runs, as it is put before its person."""

import msgspec

from hub.contract.permission import Act, PermissionRequest, request_in
from hub.domain.execution import Job
from hub.io.agents.acp.permission_request import ANSWER_S_MAX
from hub.kit.forms import FormField


def form_request(fields: tuple[FormField, ...], job: Job) -> PermissionRequest | None:
    """Return the questions for a person; None where they cannot be put to them."""
    said = {
        "agent": job.agent.name,
        "tool": "question",
        "act": Act.QUESTION,
        "folder": job.workspace or "",
        "session": job.session_id,
        "questions": [msgspec.to_builtins(one.question) for one in fields],
        "timeoutS": ANSWER_S_MAX,
        "withdrawWhenGone": True,
    }
    return request_in(said)
