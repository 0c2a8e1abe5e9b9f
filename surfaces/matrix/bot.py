"""Matrix's client API as this surface needs it: long polls for reactions and replies, messages posted and edited.

What the signs below a message mean changes with its text. So when a message is changed, the reactions that stood below
its old choices are taken away, the person's own too, and the new signs are put there.
"""

import asyncio
import contextlib
import hashlib
import itertools
import json
import urllib.parse
import uuid
from collections.abc import AsyncIterator, Iterable, Mapping
from http import HTTPStatus
from typing import Any

import aiohttp

from hub.kit.bounded import BoundedMap
from hub.kit.chat.answer import read_object
from hub.kit.chat.heard import ChatHeard, Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import ChatPost
from hub.kit.chat.service import Posted
from hub.kit.chat.trouble import chat_trouble
from hub.kit.gateway.outcome import Accepted, Doubtful, Misconfigured, Outcome, RetryLater, TooLarge, Undeliverable
from hub.kit.http_session import http_session
from hub.kit.setup_faults import fault_of
from hub.kit.tasks import BackgroundTasks
from hub.kit.unreachable import why_unreachable
from surfaces.matrix.render import Body, edited, message
from surfaces.matrix.settings import MATRIX, TOKEN, Config, MatrixTokenError

SYNC_S = 30
CALL_S_MAX = 20.0
AWAY_S, BARRED_S = 2.0, 60.0
ANSWER_BYTES_MAX = 8_388_608
REACTIONS_KEPT_MAX = 400
EVENTS_MAX = 50
OFFERED_MAX = 6
"""Signs that are put below a message; servers take only so many events at once, and the others can be chosen freely."""
OLD_MS = 600_000
HEARD = ("m.reaction", "m.room.message")
INVITE = "Invite the bot there again and let it write, or make another room: `pulse matrix setup`."
RENEW = "Create a new access token, then: `pulse matrix setup`."
API = "/_matrix/client/v3"


class MatrixRefusal(Exception):  # noqa: N818  Matrix' own no, which this module turns into an outcome
    """The server said no: its HTTP status, Matrix' own code, and how long to wait."""

    def __init__(self, status: int, code: str, after_s: float) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.after_s = after_s


class MatrixBot:
    """One bot in one room. Use it as `async with bot_of(…)`."""

    def __init__(self, session: aiohttp.ClientSession, config: Config, token: str) -> None:
        self._session = session
        self._config = config
        self._token = token
        self._since = ""
        self._own = ""
        self._is_out = False
        self.trouble = chat_trouble()
        self._reactions: BoundedMap[str, dict[str, str]] = BoundedMap(REACTIONS_KEPT_MAX)
        self._unsigned: BoundedMap[str, tuple[str, ...]] = BoundedMap(REACTIONS_KEPT_MAX)
        """The signs that are to stand below messages, and do not yet."""
        self._is_signing = False
        self._bugs: list[BaseException] = []
        self._beside = BackgroundTasks(self._bugs.append)

    async def post(self, key: str, post: ChatPost) -> Posted | Outcome:
        """Post a message, and soon its signs below it; by its key the server knows a repeat."""
        body = message(post, self._config.person)
        found = await self._tried("PUT", self._event("m.room.message", _transaction(key, post)), body)
        if not isinstance(found, dict):
            return found
        message_id = str(found.get("event_id", ""))
        self._sign_soon(message_id, post)
        return Posted(message_id=message_id)

    async def edit(self, message_id: str, post: ChatPost) -> Outcome:
        """Show something else in a message, and soon the signs below it that it has now."""
        body = edited(message_id, post)
        found = await self._tried("PUT", self._event("m.room.message", _transaction(message_id, post)), body)
        if not isinstance(found, dict):
            return found
        self._sign_soon(message_id, post)
        return Accepted()

    async def close(self) -> None:
        """End the background tasks."""
        await self._beside.close()

    async def tell(self, heard: ChatHeard, text: str) -> None:
        """Say it as a notice, which makes no sound."""
        if text:
            notice = {"msgtype": "m.notice", "body": text, "m.mentions": {}}
            path = self._event("m.room.message", f"tell-{heard.event_id}", heard.sender.room)
            await self._tried("PUT", path, notice)

    async def heard(self) -> AsyncIterator[ChatHeard]:
        """Yield what is done in the room; of what was done while nobody listened, the reactions that still stand."""
        self._own = self._own or await self.name()
        while True:
            is_first = not self._since
            events = await self._events()
            for bug in self._bugs:
                raise bug
            for event in events:
                self._note(event)
                found = read_event(event, self._config.room_id)
                if found is None or found.sender.person == self._own or (is_first and _is_past(event, found)):
                    continue
                if found.sender.person == self._config.person:
                    self._beside.spawn(self._seen(found.event_id))
                yield found

    async def name(self) -> str:
        """Return the bot's own id.

        Raises:
            MatrixTokenError: the server does not take the token.
        """
        while not isinstance(found := await self._tried("GET", "/account/whoami"), dict):
            if isinstance(found, Misconfigured):
                raise MatrixTokenError(fix=RENEW)
            self.trouble.say("hearing", getattr(found, "why", "The Matrix server does not answer"))
            await asyncio.sleep(AWAY_S)
        return str(found.get("user_id", ""))

    async def who_am_i(self) -> str:
        """Return the bot's own id.

        Raises:
            SetupError: the server does not take the token, or does not answer.
        """
        found = await self._tried("GET", "/account/whoami")
        if not isinstance(found, dict):
            raise fault_of(found, "The Matrix server", MATRIX.asks[-1], "server")
        return str(found.get("user_id", ""))

    async def open_room(self, person: str) -> str:
        """Make a room with one person, who is invited and may do there what the bot may; return its id.

        Raises:
            SetupError: the server does not let the bot do that, or does not answer.
        """
        body = {"preset": "trusted_private_chat", "is_direct": True, "invite": [person], "name": "Pulse"}
        found = await self._tried("POST", "/createRoom", body)
        if not isinstance(found, dict):
            raise fault_of(found, "The Matrix server", MATRIX.asks[-1], "server")
        return str(found["room_id"])

    async def has_joined(self, room_id: str, person: str) -> bool:
        """Return True if a person is in a room."""
        found = await self._tried("GET", f"/rooms/{_quoted(room_id)}/joined_members")
        return isinstance(found, dict) and person in found.get("joined", {})

    async def _events(self) -> list[dict[str, Any]]:
        """Wait for what happens in the room."""
        room = {"rooms": [self._config.room_id], "timeline": {"types": list(HEARD), "limit": EVENTS_MAX}}
        nothing: Body = {"types": []}
        chosen = {
            "room": {**room, "state": nothing, "ephemeral": nothing},
            "presence": nothing,
            "account_data": nothing,
        }
        asked = {"timeout": str(SYNC_S * 1_000 if self._since else 0), "filter": json.dumps(chosen)}
        if self._since:
            asked["since"] = self._since
        found = await self._tried("GET", f"/sync?{urllib.parse.urlencode(asked)}", wait_s=SYNC_S + CALL_S_MAX)
        if isinstance(found, Misconfigured):
            raise MatrixTokenError(fix=RENEW)
        if not isinstance(found, dict):
            self.trouble.say("hearing", getattr(found, "why", "The Matrix server does not answer as it should"))
            await asyncio.sleep(max(AWAY_S, getattr(found, "after_s", 0.0)))
            return []
        rooms, room_id = found.get("rooms") or {}, self._config.room_id
        self._is_out = room_id not in (rooms.get("join") or {}) and (
            self._is_out or room_id in (rooms.get("leave") or {})
        )
        self.trouble.say("hearing", "The bot is no longer in its Matrix room" if self._is_out else "", INVITE)
        self._since = str(found.get("next_batch", ""))
        joined = (rooms.get("join") or {}).get(room_id) or {}
        return [one for one in (joined.get("timeline") or {}).get("events", []) if isinstance(one, dict)]

    def _note(self, event: Mapping[str, Any]) -> None:
        """Remember which reactions stand below which message, so that they can be taken away."""
        relation = (event.get("content") or {}).get("m.relates_to") or {}
        if event.get("type") == "m.reaction" and isinstance(relation.get("event_id"), str):
            self._keep(relation["event_id"], str(event.get("event_id", "")), str(event.get("sender", "")))

    def _keep(self, message_id: str, reaction_id: str, sender: str) -> None:
        known = self._reactions.get(message_id, {})
        self._reactions[message_id] = {**known, reaction_id: sender}

    async def _seen(self, event_id: str) -> None:
        """Send a read receipt at once, so that the person sees that what they did has arrived."""
        room = _quoted(self._config.room_id)
        await self._tried("POST", f"/rooms/{room}/receipt/m.read/{_quoted(event_id)}", {})

    def _sign_soon(self, message_id: str, post: ChatPost) -> None:
        """Put the signs of a message below it, beside everything else: no other message waits for them."""
        self._unsigned.pop(message_id, None)
        self._unsigned[message_id] = tuple(itertools.islice((one.sign for one in post.choices), OFFERED_MAX))
        if not self._is_signing:
            self._is_signing = True
            self._beside.spawn(self._sign())

    async def _sign(self) -> None:
        """Bring the signs of each message up to date, the newest message first."""
        try:
            while self._unsigned:
                message_id, signs = self._unsigned.popitem()
                await self._clear(message_id)
                await self._offer(message_id, signs)
        finally:
            self._is_signing = False

    async def _clear(self, message_id: str) -> None:
        for reaction_id in tuple(self._reactions.pop(message_id, {})):
            path = f"/rooms/{_quoted(self._config.room_id)}/redact/{_quoted(reaction_id)}/{uuid.uuid4().hex}"
            await self._tried("PUT", path, {})

    async def _offer(self, message_id: str, signs: Iterable[str]) -> None:
        for sign in signs:
            if message_id in self._unsigned:
                return  # it shows something else by now
            relation = {"rel_type": "m.annotation", "event_id": message_id, "key": sign}
            found = await self._tried("PUT", self._event("m.reaction", uuid.uuid4().hex), {"m.relates_to": relation})
            if isinstance(found, dict):
                self._keep(message_id, str(found.get("event_id", "")), self._own)
            elif isinstance(found, RetryLater):
                return  # the server wants a pause; the signs stand in the text, too

    def _event(self, kind: str, transaction: str, room_id: str = "") -> str:
        room = _quoted(room_id or self._config.room_id)
        return f"/rooms/{room}/send/{kind}/{_quoted(transaction)}"

    async def _tried(
        self, method: str, path: str, body: Body | None = None, wait_s: float = CALL_S_MAX
    ) -> Any | Outcome:  # noqa: ANN401  whatever the server answers
        try:
            return await self._call(method, path, body, wait_s)
        except MatrixRefusal as refused:
            return outcome_of(refused)
        except TimeoutError:
            return Doubtful(why="The Matrix server did not answer in time")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return RetryLater(why=f"The Matrix server is not reachable ({why_unreachable(error)})", after_s=AWAY_S)

    async def _call(self, method: str, path: str, body: Body | None, wait_s: float) -> Any:  # noqa: ANN401  whatever the server answers
        headers = {"Authorization": f"Bearer {self._token}"}
        async with self._session.request(
            method,
            f"{self._config.server}{API}{path}",
            json=body,
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=wait_s),
            allow_redirects=False,
        ) as answer:
            said = await read_object(answer, ANSWER_BYTES_MAX)
        if answer.status == HTTPStatus.OK:
            return said
        after_s = float(said.get("retry_after_ms", 0)) / 1_000
        raise MatrixRefusal(answer.status, str(said.get("errcode", answer.status)), after_s)


def outcome_of(refused: MatrixRefusal) -> Outcome:
    """Say what a refusal of the server means."""
    match refused.code:
        case "M_UNKNOWN_TOKEN" | "M_MISSING_TOKEN" | "M_USER_DEACTIVATED":
            return Misconfigured(
                why="The Matrix server does not accept the bot's access token", fix=RENEW, stops_all=True
            )
        case "M_TOO_LARGE":
            return TooLarge()
        case "M_LIMIT_EXCEEDED":
            return RetryLater(why="The Matrix server asks for a pause", after_s=refused.after_s)
        case "M_DUPLICATE_ANNOTATION":
            return Undeliverable(why="the sign is there")
        case "M_FORBIDDEN" | "M_NOT_FOUND" as code:
            why = f"The bot may not write in its Matrix room ({code})"
            return RetryLater(why=why, fix=INVITE, after_s=BARRED_S, lacks_permission=True)
        case code if refused.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return RetryLater(why=f"The Matrix server says: {code}", after_s=refused.after_s)
        case code:
            return Undeliverable(why=f"The Matrix server does not accept it ({code})")


def read_event(event: Mapping[str, Any], room_id: str) -> ChatHeard | None:
    """Read what somebody did in the room; None for everything else."""
    content = event.get("content") or {}
    relation = content.get("m.relates_to") or {}
    sender = Sender(room=room_id, person=str(event.get("sender", "")))
    event_id = str(event.get("event_id", ""))
    if event.get("type") == "m.reaction" and relation.get("rel_type") == "m.annotation":
        about = str(relation.get("event_id", ""))
        return Pressed(sender=sender, event_id=event_id, message_id=about, sign=str(relation.get("key", "")))
    is_text = event.get("type") == "m.room.message" and content.get("msgtype") == "m.text"
    if is_text and relation.get("rel_type") != "m.replace" and isinstance(content.get("body"), str):
        if any("forward" in name or "per_message_profile" in name for name in content):
            return Relayed(sender=sender, event_id=event_id)
        reply_to = str((relation.get("m.in_reply_to") or {}).get("event_id", ""))
        text = _without_quote(content["body"]) if reply_to else content["body"]
        return Wrote(sender=sender, event_id=event_id, text=text, reply_to=reply_to)
    return None


@contextlib.asynccontextmanager
async def bot_of(config: Config, secrets: Mapping[str, str]) -> AsyncIterator[MatrixBot]:
    """Return the bot behind the access token."""
    async with http_session() as session:
        bot = MatrixBot(session, config, secrets[TOKEN])
        try:
            yield bot
        finally:
            await bot.close()


def _is_past(event: Mapping[str, Any], found: ChatHeard) -> bool:
    """Return True if something from before the start no longer counts as an answer: a message, or what is old."""
    age_ms = float((event.get("unsigned") or {}).get("age", OLD_MS))
    return not isinstance(found, Pressed) or age_ms >= OLD_MS


def _without_quote(text: str) -> str:
    """Leave out the lines that some clients put before a reply: what it answers."""
    lines = text.split("\n")
    while lines and (lines[0] == ">" or lines[0].startswith("> ")):
        lines.pop(0)
    return "\n".join(lines).strip()


def _transaction(key: str, post: ChatPost) -> str:
    """The same post of the same message has the same one; the server answers a repeat with the first."""
    return hashlib.sha256(f"{key}|{post.face}".encode()).hexdigest()[:32]


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")
