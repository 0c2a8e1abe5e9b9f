"""What a client sent before under a key: a line that comes again is not taken twice.

Theory: who got no answer sends the same again, with the key it had. Of each client the last keys are remembered, and
of all clients those that were heard of last. That is memory of the loop's, which ends with the process. The last keys
of a session are stored with it, in the same change, so they outlive a restart and cost no write of their own; of a fact
that names no session a repeat after a restart is what it would be without a key.
"""

import hashlib
from typing import TypeVar

from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.domain.canonical import digest
from hub.domain.world import SentUnder
from hub.domain.world_lines import session_of, write_line
from hub.domain.world_log_state import KEYS_MAX, SENDERS_MAX, SentLine
from hub.domain.world_requests import SayWorld
from hub.loop.draft import Draft

DIGEST_CHARS = 32
SESSION_KEYS_MAX = 8
"""So many of the last keys are stored with a session."""
T = TypeVar("T")


class ReusedKeyError(UserError):
    """This key was already used for something else; nothing was changed."""

    code = "key-reused"
    status = 409


def said_before(draft: Draft, request: SayWorld) -> str | None:
    """Return the session of a line that was taken before under its key, empty for none; None where it is new.

    Raises:
        ReusedKeyError: another line was taken under that key.
    """
    if not request.key:
        return None
    before = draft.state.world.sent.get(request.client, {}).get(request.key) or _stored(draft, request)
    if before is None:
        return None
    if before.digest != _digest(request):
        raise ReusedKeyError(fix="Use a new key for a new request, and reuse a key only to repeat the same one.")
    return before.session


def _stored(draft: Draft, request: SayWorld) -> SentLine | None:
    """Return the line that the session which this one is about had under the key."""
    name = session_of(request.line)
    session = draft.world.sessions.get(name) or draft.facts.sessions.get(name)
    sent = () if session is None else session.sent
    found = next((one for one in sent if one.name == _name(request)), None)
    return None if found is None else SentLine(digest=found.content, session=name)


def remember(draft: Draft, request: SayWorld) -> None:
    """Remember that a line was taken under its key; of too many the oldest is forgotten."""
    if not request.key:
        return
    world = draft.state.world
    others = {name: lines for name, lines in world.sent.items() if name != request.client}
    lines = {**world.sent.get(request.client, {}), request.key: _sent(request)}
    session = draft.world.sessions.get(session_of(request.line))
    if session is not None:
        entry = SentUnder(name=_name(request), content=_digest(request))
        draft.world.put(replace(session, sent=(*session.sent, entry)[-SESSION_KEYS_MAX:]))
    sent = {**_last(others, SENDERS_MAX - 1), request.client: _last(lines, KEYS_MAX)}
    draft.state = replace(draft.state, world=replace(world, sent=sent))


def _sent(request: SayWorld) -> SentLine:
    return SentLine(digest=_digest(request), session=session_of(request.line))


def _name(request: SayWorld) -> str:
    return digest(request.client, request.key)


def _digest(request: SayWorld) -> str:
    return hashlib.sha256(write_line(replace(request.line, at=None))).hexdigest()[:DIGEST_CHARS]


def _last(found: dict[str, T], most: int) -> dict[str, T]:
    return dict(list(found.items())[-most:]) if len(found) > most else found
