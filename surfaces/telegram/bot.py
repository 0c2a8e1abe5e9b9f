"""Telegram's Bot API as this surface needs it: long polls for what is pressed and written, messages posted and edited.

The address of every request holds the token, so no error of the HTTP library is ever told or logged as it is.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Mapping
from http import HTTPStatus
from typing import Any

import aiohttp

from hub.kit.chat.answer import read_object
from hub.kit.chat.heard import ChatHeard, Pressed, Relayed, Sender, Wrote
from hub.kit.chat.post import ChatPost, read_button_data
from hub.kit.chat.service import Posted
from hub.kit.chat.trouble import chat_trouble
from hub.kit.gateway.outcome import (
    Accepted,
    Doubtful,
    Gone,
    Misconfigured,
    Outcome,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from hub.kit.http_session import http_session
from hub.kit.setup_faults import fault_of
from hub.kit.unreachable import why_unreachable
from surfaces.telegram.render import Body, message
from surfaces.telegram.settings import TELEGRAM, TOKEN, Config, TelegramTokenError

POLL_S = 50
CALL_S_MAX = 20.0
ANSWER_BYTES_MAX = 4_194_304
TOAST_CHARS_MAX = 190
AWAY_S, CONFLICT_S, BLOCKED_S = 2.0, 15.0, 60.0
EMPTY_S_MIN = 0.2
"""A poll that returns nothing sooner than this was no long one; the next waits a little."""
OLD_S = 600.0
"""A message that was written longer ago, while nobody listened, is no answer any more."""
HEARD = ("message", "callback_query")
RELAYED = frozenset(
    {
        "is_automatic_forward",
        "via_bot",
        "sender_business_bot",
        "guest_bot_caller_user",
        "guest_bot_caller_chat",
        "sender_chat",
        "external_reply",
        "reply_to_story",
    }
)
"""What a message has that is not, or not only, in its sender's own words; with each `forward_…`, old and new."""
NO_CHAT = ("chat not found", "peer_id_invalid", "user not found")
OPEN_CHAT = "Open the bot's chat in Telegram and press Start, or Unblock."
RENEW = "Ask BotFather for a new token, then: `pulse telegram setup`."
BAD_TOKEN = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND})
Fields = Mapping[str, Any]


class Refusal(Exception):  # noqa: N818  Telegram's own no, which this module turns into an outcome
    """Telegram said no: its code, why, and how long to wait."""

    def __init__(self, status: int, why: str, after_s: float) -> None:
        super().__init__(why)
        self.status = status
        self.why = why
        self.after_s = after_s


class TelegramBot:
    """One bot in one private chat. Use it as `async with bot_of(…)`."""

    def __init__(self, session: aiohttp.ClientSession, config: Config, token: str, clock: Callable[[], float]) -> None:
        self._session = session
        self._base = f"{config.api}/bot{token}"
        self._chat_id = config.person_id
        self._clock = clock
        self._offset = 0
        self.trouble = chat_trouble()

    async def post(self, key: str, post: ChatPost) -> Posted | Outcome:  # noqa: ARG002  Telegram takes no key of ours
        """Post a message; it may come twice where nobody knows whether the first was taken."""
        body = {"chat_id": self._chat_id, "disable_notification": post.is_silent, **message(post)}
        found = await self._tried("sendMessage", body)
        return Posted(message_id=str(found["message_id"])) if isinstance(found, dict) else found

    async def edit(self, message_id: str, post: ChatPost) -> Outcome:
        """Show something else in a message."""
        body = {"chat_id": self._chat_id, "message_id": int(message_id), **message(post)}
        found = await self._tried("editMessageText", body)
        return found if isinstance(found, Outcome) else Accepted()

    async def tell(self, heard: ChatHeard, text: str) -> None:
        """Say it above the chat, for a press; each press is acknowledged, or its button would go on waiting."""
        if isinstance(heard, Pressed):
            body = {"callback_query_id": heard.event_id, "text": text[:TOAST_CHARS_MAX]}
            await self._tried("answerCallbackQuery", body)
        elif text:
            note: Body = {"chat_id": heard.sender.room, "text": text, "disable_notification": True}
            await self._tried("sendMessage", note)

    async def heard(self) -> AsyncIterator[ChatHeard]:
        """Yield what is done in the chat, from where Telegram was told that we are."""
        while True:
            began_s = self._clock()
            for update in await self._updates():
                self._offset = max(self._offset, int(update.get("update_id", 0)) + 1)
                found = read_update(update, time.time())
                if found is not None:
                    yield found
            if self._clock() - began_s < EMPTY_S_MIN:
                await asyncio.sleep(EMPTY_S_MIN)

    async def name(self) -> str:
        """Return the bot's own name, by which it is found.

        Raises:
            SetupError: Telegram does not take the token, or does not answer.
        """
        found = await self._tried("getMe", {})
        if not isinstance(found, dict):
            raise fault_of(found, "Telegram", TELEGRAM.asks[0])
        return str(found.get("username", ""))

    async def _updates(self) -> list[dict[str, Any]]:
        body = {"offset": self._offset, "timeout": POLL_S, "allowed_updates": HEARD}
        try:
            found = await self._call("getUpdates", body, POLL_S + CALL_S_MAX)
        except Refusal as refused:
            await self._wait_for(refused)
            return []
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            self.trouble.say("hearing", f"Telegram is not reachable ({why_unreachable(error)})")
            await asyncio.sleep(AWAY_S)
            return []
        self.trouble.say("hearing", "")
        return found if isinstance(found, list) else []

    async def _wait_for(self, refused: Refusal) -> None:
        """Wait after a refusal.

        Raises:
            TelegramTokenError: there is no use in waiting.
        """
        if refused.status in BAD_TOKEN:
            raise TelegramTokenError(
                fix="Ask BotFather for a new token, run `pulse telegram setup` with it, and start Pulse again."
            )
        conflict = refused.status == HTTPStatus.CONFLICT
        why = "Another program reads this bot's messages" if conflict else f"Telegram says: {refused.why}"
        self.trouble.say("hearing", why)
        await asyncio.sleep(max(refused.after_s, CONFLICT_S if conflict else AWAY_S))

    async def _tried(self, method: str, body: Fields) -> Any | Outcome:  # noqa: ANN401  whatever Telegram answers
        try:
            return await self._call(method, body, CALL_S_MAX)
        except Refusal as refused:
            return outcome_of(refused.status, refused.why, refused.after_s)
        except (TimeoutError, aiohttp.ServerDisconnectedError):
            return Doubtful(why="Telegram did not answer in time")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            return RetryLater(why=f"Telegram is not reachable ({why_unreachable(error)})", after_s=AWAY_S)

    async def _call(self, method: str, body: Fields, wait_s: float) -> Any:  # noqa: ANN401  whatever Telegram answers
        timeout = aiohttp.ClientTimeout(total=wait_s)
        async with self._session.post(
            f"{self._base}/{method}", json=body, timeout=timeout, allow_redirects=False
        ) as answer:
            said = await read_object(answer, ANSWER_BYTES_MAX)
        if said.get("ok") is True:
            return said.get("result")
        after_s = float((said.get("parameters") or {}).get("retry_after", 0))
        raise Refusal(int(said.get("error_code", answer.status)), str(said.get("description", "")), after_s)


def outcome_of(status: int, why: str, after_s: float) -> Outcome:
    """Say what a refusal of a message means."""
    reason = why.lower()
    if "not modified" in reason:
        return Accepted()
    if "message to edit not found" in reason or "message_id_invalid" in reason or "can't be edited" in reason:
        return Gone()
    if status in BAD_TOKEN:
        return Misconfigured(why="Telegram does not accept the bot's token", fix=RENEW, stops_all=True)
    if status == HTTPStatus.FORBIDDEN or any(one in reason for one in NO_CHAT):
        return RetryLater(why=f"The bot may not write to you in Telegram: {why}", fix=OPEN_CHAT, after_s=BLOCKED_S)
    if status == HTTPStatus.BAD_REQUEST:
        return TooLarge() if "too long" in reason else Undeliverable(why=f"Telegram does not accept it: {why}")
    return RetryLater(why=f"Telegram says: {why or status}", after_s=after_s)


def read_update(update: Fields, now_s: float) -> ChatHeard | None:
    """Read what somebody did in a private chat; None for everything else."""
    press = update.get("callback_query")
    said = update.get("message")
    if isinstance(press, dict):
        shown = press.get("message") or {}
        sender = _sender(shown, press)
        choice, binding = read_button_data(str(press.get("data", "")))
        if sender is None:
            return None
        return Pressed(
            sender=sender,
            event_id=str(press.get("id", "")),
            message_id=str(shown.get("message_id", "")),
            choice=choice,
            binding=binding,
        )
    if isinstance(said, dict) and isinstance(said.get("text"), str):
        sender = _sender(said, said)
        reply_to = str((said.get("reply_to_message") or {}).get("message_id", ""))
        is_old = now_s - float(said.get("date", 0)) > OLD_S
        if sender is None or is_old:
            return None
        event_id = f"{update.get('update_id')}-{said.get('message_id')}"
        if _is_relayed(said):
            return Relayed(sender=sender, event_id=event_id)
        return Wrote(sender=sender, event_id=event_id, text=said["text"], reply_to=reply_to)
    return None


@contextlib.asynccontextmanager
async def bot_of(config: Config, secrets: Mapping[str, str]) -> AsyncIterator[TelegramBot]:
    """Return the bot behind the token."""
    async with http_session() as session:
        yield TelegramBot(session, config, secrets[TOKEN], time.monotonic)


def _is_relayed(said: Fields) -> bool:
    """Return True if a message holds what somebody else wrote; a reply may quote what it answers in this chat."""
    quotes_elsewhere = "quote" in said and "reply_to_message" not in said
    return quotes_elsewhere or any(name in RELAYED or name.startswith("forward_") for name in said)


def _sender(shown: Fields, done: Fields) -> Sender | None:
    """Return who did something in their private chat; there the chat has its person's id."""
    chat, person = shown.get("chat") or {}, done.get("from") or {}
    if chat.get("type", "private") != "private" or person.get("is_bot"):
        return None
    return Sender(room=str(chat.get("id", "")), person=str(person.get("id", "")))
