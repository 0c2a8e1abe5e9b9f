"""The progress of a running execution, in the thread of its card. Bounded: a talkative agent is cut short."""

import asyncio

import discord

from hub.contract.events import ExecutionProgress
from hub.kit.bounded import BoundedMap
from surfaces.discord.bot import Bot
from surfaces.discord.card_messages import CardMessages
from surfaces.discord.limits import CONTENT_CHARS_MAX
from surfaces.discord.message_sync import FAILURES
from surfaces.discord.text import block

FLUSH_S = 2.0
RUNS_MAX = 50
LINES_MAX = 400
MESSAGES_MAX = 40
LINES_A_MESSAGE = 25


class Threads:
    """What agents say, kept for a moment and written together."""

    def __init__(self, card_messages: CardMessages) -> None:
        self._card_messages = card_messages
        self._lines: dict[str, list[str]] = {}
        self._written: BoundedMap[str, int] = BoundedMap(4 * RUNS_MAX)
        self._dropped: dict[str, int] = {}
        self._there = asyncio.Event()

    def hear(self, event: ExecutionProgress) -> None:
        """Take one line of a running agent."""
        card_id = event.card_id
        if self._card_messages.card(card_id) is None or (card_id not in self._lines and len(self._lines) >= RUNS_MAX):
            return
        lines = self._lines.setdefault(card_id, [])
        if len(lines) >= LINES_MAX:
            self._dropped[card_id] = self._dropped.get(card_id, 0) + 1
            return
        lines.append(event.line)
        self._there.set()

    async def run(self, bot: Bot) -> None:
        """Write what was said, at most every `FLUSH_S`, until cancelled."""
        while True:
            await self._there.wait()
            self._there.clear()
            for card_id in tuple(self._lines):
                await self._write(bot, card_id)
            await asyncio.sleep(FLUSH_S)
            if self._lines:
                self._there.set()

    async def _write(self, bot: Bot, card_id: str) -> None:
        card = self._card_messages.card(card_id)
        known = self._card_messages.known.get(card.key) if card is not None else None
        is_over = card is None or card.phase == "settled"
        if known is None or not known.threaded:
            if is_over:
                self._forget(card_id)
            return
        lines, written = self._lines[card_id], self._written.get(card_id, 0)
        if lines and written < MESSAGES_MAX and not await self._send(bot, card_id, known.message_id, written):
            return
        del lines[:LINES_A_MESSAGE]
        if not lines and is_over:
            self._forget(card_id)
        elif not lines:
            del self._lines[card_id]

    async def _send(self, bot: Bot, card_id: str, message_id: str, written: int) -> bool:
        """Write one message; a line that was left out is counted in the next one."""
        left_out = self._dropped.get(card_id, 0)
        told = self._lines[card_id][:LINES_A_MESSAGE] + ([f"({left_out} lines were left out)"] if left_out else [])
        text = block("\n".join(told), CONTENT_CHARS_MAX)
        try:
            await bot.get_partial_messageable(int(message_id)).send(text, silent=True, nonce=f"{message_id}-{written}")
        except (discord.NotFound, discord.Forbidden):  # gone, or not for us; asking for each line would end in a ban
            self._written[card_id] = MESSAGES_MAX
            return False
        except FAILURES:
            return False  # the lines are kept, and tried again with the same nonce at the next flush
        self._dropped.pop(card_id, None)
        self._written[card_id] = written + 1
        return True

    def _forget(self, card_id: str) -> None:
        self._lines.pop(card_id, None)
        self._written.pop(card_id, None)
        self._dropped.pop(card_id, None)
