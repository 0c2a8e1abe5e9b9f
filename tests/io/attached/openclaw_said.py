"""What OpenClaw 2026.9.6 said when its agents asked, as it was recorded, shortened to what is read."""

from typing import Any

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.control import PermissionReply
from hub.contract.permission import PermissionAnswer
from hub.contract.words import HumanInput, Status, Verb
from tests.fakes.hub_api import NOON, a_prediction

NOW_MS = 1_795_417_665_647
EXEC: dict[str, Any] = {
    "approvalKind": "exec",
    "id": "2fb2df32-3109-45c5-a2aa-9a18a2fbfd5c",
    "request": {
        "command": "rm -rf build",
        "cwd": "/home/ana/shop",
        "nodeId": None,
        "host": "gateway",
        "ask": "always",
        "warningText": None,
        "unavailableDecisions": ["allow-always"],
        "allowedDecisions": ["allow-once", "deny"],
        "agentId": "main",
        "resolvedPath": "/usr/bin/rm",
        "sessionKey": "agent:main:main",
        "toolCallId": "call1",
    },
    "createdAtMs": NOW_MS,
    "expiresAtMs": NOW_MS + 1_800_000,
}
PLUGIN: dict[str, Any] = {
    "approvalKind": "plugin",
    "id": "plugin:42b450bc-1564-465a-860c-5eac846945ef",
    "request": {
        "pluginId": "mailer",
        "title": "Send the mail",
        "description": "to everybody",
        "detail": None,
        "severity": "warning",
        "toolName": "mail",
        "sessionKey": "agent:main:main",
    },
    "createdAtMs": NOW_MS,
    "expiresAtMs": NOW_MS + 120_000,
}
QUESTION: dict[str, Any] = {
    "id": "3bd6bb84-a943-4ad8-bfac-08894e4990a7",
    "questions": [
        {
            "questionId": "q1",
            "header": "DB",
            "question": "Which database?",
            "options": [{"label": "Postgres"}, {"label": "SQLite", "description": "small"}],
        }
    ],
    "agentId": "main",
    "sessionKey": "agent:main:main",
    "createdAtMs": NOW_MS,
    "expiresAtMs": NOW_MS + 30_000,
    "status": "pending",
}


def answered(verb: Verb, said: PermissionAnswer | None = None) -> PermissionReply:
    """Return what the hub replies once a person has answered."""
    settled = Settlement(verb=verb, by="me", surface="web", device="d", human_input=HumanInput.TAP, at=NOON)
    approved = verb is Verb.APPROVE
    card = replace(a_prediction(status=Status.CONFIRMED if approved else Status.REJECTED), settled=settled)
    return PermissionReply(prediction=card, answered=True, approved=approved, answer=said or PermissionAnswer())
