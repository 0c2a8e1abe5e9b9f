"""What Codex 0.169.0 sent its clients, as it sent it, and how a person answers."""

from typing import Any

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.control import PermissionReply
from hub.contract.permission import PermissionAnswer
from hub.contract.words import HumanInput, Status, Verb
from tests.fakes.hub_api import NOON, a_prediction

COMMAND: dict[str, Any] = {
    "kind": "command",
    "threadId": "t1",
    "turnId": "u1",
    "itemId": "call_1",
    "startedAtMs": 1795417096363,
    "environmentId": "local",
    "reason": "needs a file",
    "command": "/bin/bash -lc 'touch made.txt'",
    "cwd": "/shop",
    "commandActions": [{"type": "unknown", "command": "touch made.txt"}],
    "proposedExecpolicyAmendment": ["touch", "made.txt"],
    "availableDecisions": [
        "accept",
        {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["touch", "made.txt"]}},
        "cancel",
    ],
}
FILE_CHANGE: dict[str, Any] = {
    "threadId": "t1",
    "turnId": "u1",
    "itemId": "call_2",
    "startedAtMs": 1795417329069,
    "reason": None,
    "grantRoot": None,
}
CHANGES: tuple[dict[str, Any], ...] = (
    {"path": "/shop/a.txt", "kind": {"type": "update", "move_path": None}, "diff": "@@ -1 +1 @@\n-one\n+two\n"},
    {"path": "/shop/hello.txt", "kind": {"type": "add"}, "diff": "hi\nthere\n"},
)


def a_reply(*, approved: bool, reason: str = "", verb: Verb | None = None, **answer: Any) -> PermissionReply:  # noqa: ANN401  the fields of an answer
    """The hub's reply when a person has answered; `answer` is what they answered besides."""
    said = PermissionAnswer(**answer) if answer else None
    settled = Settlement(
        verb=verb or (Verb.APPROVE if approved else Verb.REJECT),
        by="anna",
        surface="phone",
        device="p1",
        human_input=HumanInput.TAP,
        at=NOON,
        reason=reason,
        permission=said,
    )
    status = Status.CONFIRMED if approved else Status.REJECTED
    prediction = replace(a_prediction(status=status), settled=settled)
    return PermissionReply(prediction=prediction, answered=True, approved=approved, answer=said)


def unanswered(status: Status) -> PermissionReply:
    """The hub's reply when nobody has answered."""
    return PermissionReply(prediction=a_prediction(status=status), answered=False, approved=False)
