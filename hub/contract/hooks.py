"""What an agent's hook hands to the hub."""

from typing import Annotated

import msgspec
from msgspec import Meta

from hub.contract.base import Message
from hub.contract.permission import PATH_CHARS_MAX, WAIT_S_MAX


class HookRequest(Message):
    """Body of `POST /api/v1/hooks`: what an agent said through a hook, in its own dialect, as it said it.

    With `nonce` the answer is signed with the hub's key for hooks, in the header `Pulse-Proof`.

    `given` is what it said byte for byte, in base64, for it need not be JSON that can be read; without it `input` is.
    With `shortened` long texts in it were cut; `unattended`: nobody sits before it, so it has no dialog of its own and
    takes its first answer for the last. Before a tool it waits `wait_s` for a person, and is told to ask, or no, when
    nobody has answered by then. What comes back is what the hook prints, in the same dialect, and the header
    `Pulse-Exit` is the status that it ends with.
    """

    dialect: Annotated[str, Meta(min_length=1, max_length=32)]
    input: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    shortened: bool = False
    unattended: bool = False
    wait_s: Annotated[int, Meta(ge=1, le=WAIT_S_MAX)] = WAIT_S_MAX
    given: bytes = b""
    project: Annotated[bytes, Meta(max_length=PATH_CHARS_MAX)] = b""
    nonce: Annotated[str, Meta(pattern="^(?:[0-9a-f]{32})?$")] = ""
