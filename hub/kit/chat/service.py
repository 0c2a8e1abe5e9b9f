"""What a chat brings: posting, changing and hearing messages. Everything else is done once for all chats."""

from collections.abc import AsyncIterator
from typing import Protocol

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.chat.heard import ChatHeard
from hub.kit.chat.post import ChatPost
from hub.kit.gateway.outcome import Outcome
from hub.kit.trouble import ServiceTrouble


class ChatRefusedError(UserError):
    """The chat no longer accepts Pulse's token or membership. Set up the chat again."""

    code = "chat-refused"


class Posted(Value):
    """It is in the chat, under this id."""

    message_id: str


class ChatService(Protocol):
    """One chat with one person. A failure is an outcome; the connection is its own to keep."""

    trouble: ServiceTrouble
    """Where the service reports that it hears nothing; `ChatSurface` reports for it that nothing can be posted."""

    async def post(self, key: str, post: ChatPost) -> Posted | Outcome:
        """Post a message; `key` is the same on every try."""

    async def edit(self, message_id: str, post: ChatPost) -> Outcome:
        """Show something else in a message; `Gone` when it no longer exists."""

    def heard(self) -> AsyncIterator[ChatHeard]:
        """Yield what is done in the chat, without end, by whomever; each thing once."""

    async def tell(self, heard: ChatHeard, text: str) -> None:
        """Answer the person who did that in a few words, as quietly as the chat can; a failure is let go."""
