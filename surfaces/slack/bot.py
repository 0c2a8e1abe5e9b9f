"""Slack as a chat: messages posted and changed in a direct message with the app, and a word to whoever pressed."""

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping

from hub.kit.chat.heard import ChatHeard, Sender, Wrote
from hub.kit.chat.post import ChatPost
from hub.kit.chat.service import ChatService, Posted
from hub.kit.gateway.outcome import Accepted, Gone, Outcome, Undeliverable
from hub.kit.http_session import http_session
from hub.kit.setup_faults import fault_of
from surfaces.slack.reading import room_of
from surfaces.slack.render import message, plain
from surfaces.slack.settings import APP_TOKEN, BOT_TOKEN, SLACK, Config
from surfaces.slack.socket import SocketMode
from surfaces.slack.web import PAIR_AGAIN, SlackWeb


class SlackBot:
    """One app in one direct message. Use it as `async with bot_of(…)`."""

    def __init__(self, web: SlackWeb, socket: SocketMode, config: Config, bot_token: str) -> None:
        self._web = web
        self._socket = socket
        self._channel_id = config.channel_id
        self._bot_token = bot_token
        self.trouble = socket.trouble

    async def post(self, key: str, post: ChatPost) -> Posted | Outcome:  # noqa: ARG002  Slack takes no key of ours
        """Post a message; it may come twice where nobody knows whether the first was taken."""
        body = {"channel": self._channel_id, "unfurl_links": False, "unfurl_media": False, **message(post)}
        found = await self._tried("chat.postMessage", body)
        if isinstance(found, Gone):
            return Undeliverable(why="Slack posts nothing in its chat", fix=PAIR_AGAIN)
        return Posted(message_id=str(found["ts"])) if isinstance(found, dict) else found

    async def edit(self, message_id: str, post: ChatPost) -> Outcome:
        """Show something else in a message."""
        found = await self._tried("chat.update", {"channel": self._channel_id, "ts": message_id, **message(post)})
        return found if isinstance(found, Outcome) else Accepted()

    async def tell(self, heard: ChatHeard, text: str) -> None:
        """Say it to them alone, without a sound, in the thread that they wrote in."""
        if not text:
            return
        channel = heard.sender.room.rpartition("/")[2]
        body = {"channel": channel, "user": heard.sender.person, "text": plain(text)}
        thread = {"thread_ts": heard.reply_to} if isinstance(heard, Wrote) and heard.reply_to else {}
        await self._tried("chat.postEphemeral", {**body, **thread})

    def heard(self) -> AsyncGenerator[ChatHeard, None]:
        """Yield what is done in any direct message with the app."""
        return self._socket.heard()

    async def name(self, app_token: str) -> tuple[str, str]:
        """Return the app's own name and its workspace's, once both tokens are good.

        Raises:
            SetupError: Slack does not take one of them, lacks a scope, or does not answer.
        """
        bot_field, app_field = SLACK.asks
        found = await self._tried("auth.test", {})
        if not isinstance(found, dict):
            raise fault_of(found, "Slack", bot_field)
        connecting = await self._web.tried("apps.connections.open", app_token, {})
        if not isinstance(connecting, dict):
            raise fault_of(connecting, "Slack", app_field)
        return str(found.get("user", "")), str(found.get("team", ""))

    async def _tried(self, method: str, body: Mapping[str, object]) -> dict[str, object] | Outcome:
        return await self._web.tried(method, self._bot_token, body)


def paired_with(config: Config) -> Sender:
    """Return who alone may answer, and where."""
    return Sender(room=room_of(config.team_id, config.channel_id), person=config.person_id)


@contextlib.asynccontextmanager
async def opened(config: Config, secrets: Mapping[str, str]) -> AsyncIterator[ChatService]:
    """Open the one session with Slack: no cookies, bounded connections."""
    async with bot_of(config, secrets, only=paired_with(config)) as bot:
        yield bot


@contextlib.asynccontextmanager
async def bot_of(config: Config, secrets: Mapping[str, str], only: Sender | None = None) -> AsyncIterator[SlackBot]:
    """Return the bot behind the two tokens; with `only` others find little room."""
    async with http_session() as session:
        web = SlackWeb(session, config.api)
        socket = SocketMode(session, web, secrets[APP_TOKEN], is_secure=config.api.startswith("https:"), only=only)
        yield SlackBot(web, socket, config, secrets[BOT_TOKEN])
