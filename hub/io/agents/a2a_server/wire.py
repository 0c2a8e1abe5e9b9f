"""A2A 1.0 on the wire, as far as a server speaks it whose every task is one question. Pure.

The specification's `a2a.proto` in its JSON form: camelCase, enums by name, no `kind`. What a client sends that we do
not know is passed over, as the protocol has it.
"""

from typing import Any, Literal

from msgspec import UNSET, Raw, UnsetType, field

from hub.contract.base import Value

VERSION = "1.0"
VERSION_HEADER = "A2A-Version"
State = Literal[
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
]
Role = Literal["ROLE_USER", "ROLE_AGENT"]


class Wire(Value, rename="camel", omit_defaults=True):
    """The base of all that is sent: a field that says nothing is left out."""


class Part(Wire):
    """A piece of a message: text, or data; other kinds have neither."""

    text: str = ""
    data: Any = None


class Spoken(Wire):
    """A message of either side (`Message` in the specification)."""

    message_id: str
    role: Role
    parts: tuple[Part, ...]
    context_id: str = ""
    task_id: str = ""


class SendConfiguration(Wire):
    """How a message is to be taken; with `returnImmediately` nobody waits for the answer."""

    return_immediately: bool = False


class SendParams(Wire):
    """Parameters of `SendMessage` and `SendStreamingMessage`."""

    message: Spoken
    configuration: SendConfiguration | None = None


class NamedTask(Wire):
    """Parameters of what is about one task."""

    id: str


class TaskStatus(Wire):
    """Where a task is, since when, and what is to be said of it."""

    state: State
    timestamp: str
    message: Spoken | None = None


class Artifact(Wire):
    """What came of a task: the person's answer."""

    artifact_id: str
    name: str
    parts: tuple[Part, ...]


class WireTask(Wire):
    """One question (`Task` in the specification)."""

    id: str
    context_id: str
    status: TaskStatus
    artifacts: tuple[Artifact, ...] = ()
    history: tuple[Spoken, ...] = ()


class WireCall(Wire):
    """One JSON-RPC request."""

    method: str
    jsonrpc: Literal["2.0"] = field(default="2.0")
    id: str | int | UnsetType | None = UNSET
    params: Raw = Raw(b"{}")


class WireError(Value):
    """Why a call was refused, with the code that JSON-RPC or A2A has for it."""

    code: int
    message: str


PARSE = WireError(code=-32700, message="This is no JSON.")
INVALID = WireError(code=-32600, message="This is no JSON-RPC request.")
NO_METHOD = WireError(code=-32601, message="There is no such method.")
NO_TASK = WireError(code=-32001, message="There is no such task.")
NOT_CANCELABLE = WireError(code=-32002, message="This task is over; it cannot be canceled.")
NO_PUSH = WireError(code=-32003, message="Push notifications are not supported: stream, subscribe, or look again.")
UNSUPPORTED = -32004
NO_VERSION = WireError(code=-32009, message=f"This server speaks A2A {VERSION}; send the header {VERSION_HEADER}.")
PARAMS = -32602
INTERNAL = -32603


def agent_card(address: str, version: str) -> dict[str, Any]:
    """Return who we are, as everybody may read it."""
    return {
        "name": "Pulse",
        "description": "Puts a question before the person, wherever they are, and returns their answer.",
        "version": version,
        "supportedInterfaces": [{"url": address, "protocolBinding": "JSONRPC", "protocolVersion": VERSION}],
        "capabilities": {"streaming": True, "pushNotifications": False, "extendedAgentCard": False},
        "defaultInputModes": ["text/plain", "application/json"],
        "defaultOutputModes": ["text/plain"],
        "securitySchemes": {"pulse": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"pulse": {"list": []}}}],
        "skills": [
            {
                "id": "ask",
                "name": "Ask the person",
                "description": "The text is the question; data may hold options, several, own_words, why, open_s.",
                "tags": ["human", "approval", "question"],
                "examples": ["Deploy version 4.2 to production?"],
            }
        ],
    }
