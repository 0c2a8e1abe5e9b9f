"""The WebSocket at `/pulse` (CROSSPOLL 8.2 and 8.3): what a client may send, what the hub sends beside the events.

Events themselves are in `hub/contract/events.py`; here they carry one more field, `seq`, their place in the live feed.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hub.contract.api import COUNT_MAX, AnswerRequest, Aware, CrossPollStatus, Problem, Prompt, Word
from hub.contract.base import HubMessage, Message

Seq = Annotated[int, Meta(ge=0, le=2**53)]
PATH = "/pulse"


class FromClient(Message, tag_field="type"):
    """Base of what a client says that is no JSON-RPC."""


class Authenticate(FromClient, tag="auth"):
    """The first message of a client that could not send an Authorization header; a browser's page adds its proof."""

    token: Annotated[str, Meta(max_length=512)]
    proof: Annotated[str, Meta(max_length=2_048)] = ""


class Subscribe(FromClient, tag="subscribe"):
    """Begin to receive events. `since` and `feed` (from an earlier hello) ask for what was missed meanwhile."""

    channels: tuple[Literal["crosspoll"], ...] = ("crosspoll",)
    since: Seq | None = None
    feed: Word | None = None


class Unsubscribe(FromClient, tag="unsubscribe"):
    """Receive no more events; the connection stays."""


class Watching(FromClient, tag="presence"):
    """Whether a person can see this page, and when they last touched it (a time, never what they did)."""

    visible: bool
    active_at: Aware | None = None


AnyFromClient = Authenticate | Subscribe | Unsubscribe | Watching


class FromHub(HubMessage, tag_field="type"):
    """Base of what the hub says beside events."""


class Hello(FromHub, tag="hello"):
    """The first thing that a client hears: where the feed is. `feed` changes when the hub starts anew."""

    seq: Seq
    feed: str
    status: CrossPollStatus


class Subscribed(FromHub, tag="subscribed"):
    """Events follow: first those that were missed, `replayed` in number, then each as it happens."""

    seq: Seq
    feed: str
    replayed: int


class Resync(FromHub, tag="resync"):
    """Some of what was missed is no longer kept: read the cards anew over HTTP, then go on from `seq`."""

    reason: str
    seq: Seq
    feed: str


Beside = Literal["terminals", "coding-agents", "tasks"]
"""What a page shows beside the cards, and reads over HTTP."""


class LookAgain(FromHub, tag="look-again"):
    """Something beside the cards changed and is to be read again; it carries none of it, and is not kept for later."""

    what: Beside


class Trouble(FromHub, tag="problem"):
    """What a client sent was not taken."""

    problem: Problem


class RpcCall(Message, rename=None):
    """A JSON-RPC 2.0 request; without `id` it is a notification and is not answered."""

    jsonrpc: Literal["2.0"]
    method: Annotated[str, Meta(min_length=1, max_length=128)]
    params: msgspec.Raw = msgspec.field(default_factory=lambda: msgspec.Raw(b"{}"))
    id: int | float | str | UnsetType | None = UNSET


class RpcError(HubMessage, rename=None):
    """What went wrong: the standard codes, and -32000 with a problem document for everything of our own."""

    code: int
    message: str
    data: Problem | UnsetType | None = UNSET


class RpcResult(HubMessage, rename=None):
    """The answer to a call that went well."""

    result: msgspec.Raw
    id: int | float | str | None
    jsonrpc: Literal["2.0"] = "2.0"


class RpcFailure(HubMessage, rename=None):
    """The answer to a call that did not."""

    error: RpcError
    id: int | float | str | None
    jsonrpc: Literal["2.0"] = "2.0"


class TriggerParams(Message):
    """Params of `pulse.crosspoll.trigger` (CROSSPOLL 8.3)."""

    channel: Word | None = None
    hint: Prompt | None = None
    force: bool = False


class LatestParams(Message):
    """Params of `pulse.predictions.latest` (CROSSPOLL 8.3)."""

    count: Annotated[int, Meta(ge=1, le=COUNT_MAX)] = 3
    channel: Word | None = None


class NoParams(Message):
    """Params of a method that takes none."""


class AnswerParams(AnswerRequest, kw_only=True):
    """Params of `pulse.predictions.confirm`, `reject`, `snooze`, `edit`, `undo`, `stop`, `less` and `never`."""

    id: Word
