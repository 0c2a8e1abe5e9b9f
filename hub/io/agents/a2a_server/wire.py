"""A2A 1.0 on the wire, as far as a server speaks it whose every task is one question. Pure.

The specification's `a2a.proto` in its JSON form: camelCase, enums by name, no `kind`. What a client sends that we do
not know is passed over, as the protocol has it.
"""

from datetime import datetime
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Raw, UnsetType, field

from hub.contract.base import Value
from hub.contract.control import PLACE_PATTERN

VERSION = "1.0"
VERSION_HEADER = "A2A-Version"
NAME_CHARS_MAX = 128
PAGE_SIZE_MAX = 100
URL_CHARS_MAX, SECRET_CHARS_MAX, SCHEME_CHARS_MAX = 1_024, 2_048, 32
NAME_PATTERN = r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+\Z"
"""A token of HTTP's: what a name in a header can be made of (RFC 9110, 5.6.2)."""
VISIBLE_PATTERN = r"^[\x20-\x7e]*\Z"
"""What a header's value can hold, so that nothing in it begins another header."""
HistoryLength = Annotated[int, Meta(ge=0, le=2**31 - 1)]
ANY_STATE: Final = "TASK_STATE_UNSPECIFIED"
State = Literal[
    "TASK_STATE_WORKING",
    "TASK_STATE_COMPLETED",
    "TASK_STATE_FAILED",
    "TASK_STATE_CANCELED",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_REJECTED",
    "TASK_STATE_AUTH_REQUIRED",
]
Role = Literal["ROLE_USER", "ROLE_AGENT"]


class Wire(Value, rename="camel", omit_defaults=True):
    """The base of all that is sent: a field that says nothing is left out."""


class Part(Wire):
    """A piece of a message: text, data, or a file (`raw`, `url`), of which we read none."""

    text: str = ""
    data: Any = None
    raw: str = ""
    url: str = ""


class Spoken(Wire):
    """A message of either side (`Message` in the specification)."""

    message_id: str
    role: Role
    parts: tuple[Part, ...]
    context_id: str = ""
    task_id: str = ""


class PushAuthentication(Wire):
    """What an address wants to see in `Authorization`."""

    scheme: Annotated[str, Meta(pattern=NAME_PATTERN, max_length=SCHEME_CHARS_MAX)]
    credentials: Annotated[str, Meta(pattern=VISIBLE_PATTERN, max_length=SECRET_CHARS_MAX)] = ""


class PushConfig(Wire):
    """Where a task is to be told of (`TaskPushNotificationConfig` in the specification)."""

    url: Annotated[str, Meta(min_length=1, max_length=URL_CHARS_MAX)]
    id: Annotated[str, Meta(max_length=NAME_CHARS_MAX)] = ""
    task_id: str = ""
    token: Annotated[str, Meta(pattern=VISIBLE_PATTERN, max_length=SECRET_CHARS_MAX)] = ""
    authentication: PushAuthentication | None = None


class SendConfiguration(Wire):
    """How a message is to be taken; with `returnImmediately` nobody waits for the answer."""

    return_immediately: bool = False
    history_length: HistoryLength | None = None
    task_push_notification_config: PushConfig | None = None


class SendParams(Wire):
    """Parameters of `SendMessage` and `SendStreamingMessage`."""

    message: Spoken
    configuration: SendConfiguration | None = None


class NamedTask(Wire):
    """Parameters of what is about one task."""

    id: str
    history_length: HistoryLength | None = None


class ListParams(Wire):
    """Parameters of `ListTasks`; an unspecified state is any."""

    context_id: Annotated[str, Meta(max_length=NAME_CHARS_MAX)] = ""
    status: State | Literal["TASK_STATE_UNSPECIFIED", "TASK_STATE_SUBMITTED"] = ANY_STATE
    page_size: Annotated[int, Meta(ge=1, le=PAGE_SIZE_MAX)] | None = None
    page_token: Annotated[str, Meta(pattern=f"{PLACE_PATTERN}|^\\Z")] = ""
    history_length: HistoryLength | None = None
    status_timestamp_after: Annotated[datetime, Meta(tz=True)] | None = None
    include_artifacts: bool | None = None


class NamedPushConfig(Wire):
    """Parameters of what is about one address of a task."""

    task_id: str
    id: str


class PushConfigsOf(Wire):
    """Parameters of what is about all addresses of a task."""

    task_id: str


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


PARSE = WireError(code=-32700, message="This is not JSON.")
INVALID = WireError(code=-32600, message="This is not a JSON-RPC request.")
NO_METHOD = WireError(code=-32601, message="There is no such method.")
NO_TASK = WireError(code=-32001, message="There is no such task.")
NOT_CANCELABLE = WireError(code=-32002, message="This task is over; it cannot be canceled.")
NO_PUSH = WireError(code=-32003, message="Push notifications are switched off: stream, subscribe, or look again.")
UNSUPPORTED = -32004
NO_OPERATION = WireError(code=UNSUPPORTED, message="There is no extended card here.")
NO_FILES = WireError(code=-32005, message="Only text and data are read here, no files.")
NO_VERSION = WireError(code=-32009, message=f"This server speaks A2A {VERSION}; send the header {VERSION_HEADER}.")
PARAMS = -32602
INTERNAL = -32603
REASONS = {
    NO_TASK.code: "TASK_NOT_FOUND",
    NOT_CANCELABLE.code: "TASK_NOT_CANCELABLE",
    NO_PUSH.code: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    UNSUPPORTED: "UNSUPPORTED_OPERATION",
    NO_FILES.code: "CONTENT_TYPE_NOT_SUPPORTED",
    NO_VERSION.code: "VERSION_NOT_SUPPORTED",
}
ERROR_INFO, DOMAIN = "type.googleapis.com/google.rpc.ErrorInfo", "a2a-protocol.org"


def speaks(version: str) -> bool:
    """Return True if a client's version is ours; the third number of one does not count, and none at all means 0.3."""
    return ".".join(version.split(".")[:2]) == VERSION


def error_of(error: WireError) -> dict[str, Any]:
    """Return an error as JSON-RPC has it, with the details that A2A asks for (9.5)."""
    plain = {"code": error.code, "message": error.message}
    reason = REASONS.get(error.code)
    if reason is None:
        return plain
    return {
        **plain,
        "data": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": DOMAIN}],
    }


def agent_card(address: str, version: str, *, pushes: bool) -> dict[str, Any]:
    """Return who we are, as everybody may read it."""
    return {
        "name": "Pulse",
        "description": "Asks the user a question, wherever they are, and returns their answer.",
        "version": version,
        "supportedInterfaces": [{"url": address, "protocolBinding": "JSONRPC", "protocolVersion": VERSION}],
        "capabilities": {"streaming": True, "pushNotifications": pushes, "extendedAgentCard": False},
        "defaultInputModes": ["text/plain", "application/json"],
        "defaultOutputModes": ["text/plain"],
        "securitySchemes": {"pulse": {"httpAuthSecurityScheme": {"scheme": "Bearer"}}},
        "securityRequirements": [{"schemes": {"pulse": {"list": []}}}],
        "skills": [
            {
                "id": "ask",
                "name": "Ask the user",
                "description": "The text is the question; data may hold options, several, own_words, why, open_s.",
                "tags": ["human", "approval", "question"],
                "examples": ["Deploy version 4.2 to production?"],
            }
        ],
    }
