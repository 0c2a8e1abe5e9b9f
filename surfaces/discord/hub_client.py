"""Asking the hub over HTTP: for what a card has become, and for the commands. Each call runs on a thread of its own."""

import asyncio
from typing import TypeVar

import msgspec

from hub.contract.api import AnswerReply, AskReply, CrossPollStatus, Prediction, TaskView, TriggerAnswer
from hub.contract.base import Message
from hub.contract.control import PredictionList
from hub.contract.errors import PulseError
from hub.contract.words import HumanInput, Verb
from hub.kit.hub_api import HubAddress, NotPairedError, NotRunningError, ask_hub
from surfaces.discord.limits import CONTENT_CHARS_MAX
from surfaces.discord.text import plain

UNKNOWN_CARD = "no-such-card"
CARDS_SHOWN_MAX = 10
API = "/api/v1"
T = TypeVar("T", bound=Message)


class HubClient:
    """The hub's HTTP API, as far as this surface needs it."""

    def __init__(self, hub: HubAddress, device: str) -> None:
        self._hub = hub
        self._device = device

    async def told(self, card_id: str) -> Prediction | None:
        """Return a card as it is; None when the hub does not know it.

        Raises:
            PulseError: the hub is not running, or refused.
        """
        try:
            return await self._ask("GET", f"/predictions/{card_id}", Prediction)
        except NotPairedError as error:
            if error.refusal == UNKNOWN_CARD:
                return None
            raise

    async def status(self) -> CrossPollStatus:
        """Return the autonomous state and the budgets."""
        return await self._ask("GET", "/crosspoll/status", CrossPollStatus)

    async def cards(self) -> PredictionList:
        """Return the open cards, newest first."""
        return await self._ask("GET", f"/predictions?status=pending&limit={CARDS_SHOWN_MAX}", PredictionList)

    async def pause(self, reason: str) -> CrossPollStatus:
        """Stop acting by itself."""
        return await self._ask("POST", "/crosspoll/pause", CrossPollStatus, {"reason": reason})

    async def resume(self) -> CrossPollStatus:
        """Act by itself again."""
        return await self._ask("POST", "/crosspoll/resume", CrossPollStatus)

    async def kill(self) -> None:
        """Stop everything at once."""
        await self._document("PATCH", "/crosspoll/config", {"emergencyStop": True})

    async def ask(self, question: str, key: str) -> AskReply:
        """Ask everybody a question, as a card."""
        body = {"question": question, "asker": "discord", "timeoutS": 3_600, "idempotencyKey": key}
        return await self._ask("POST", "/ask", AskReply, body)

    async def keep(self, sentence: str) -> TaskView:
        """Keep a sentence as a task."""
        return await self._ask("POST", "/tasks", TaskView, {"title": sentence})

    async def drop(self, task_id: str) -> None:
        """Drop a task that was just kept."""
        await self._document("DELETE", f"/tasks/{task_id}")

    async def propose(self, prompt: str) -> TriggerAnswer:
        """Have work that failed proposed again: it passes the rails and is voted on like anything else."""
        return await self._ask("POST", "/crosspoll/trigger", TriggerAnswer, {"hint": prompt, "force": True})

    async def answer(self, verb: Verb, card_id: str, key: str) -> AnswerReply:
        """Undo or stop a card that was settled before this surface was started."""
        body = {"humanInput": HumanInput.TAP, "surface": "discord", "device": self._device, "idempotencyKey": key}
        return await self._ask("POST", f"/predictions/{card_id}/{verb}", AnswerReply, body)

    async def _ask(self, method: str, path: str, kind: type[T], body: object = None) -> T:
        document = await self._document(method, path, body)
        try:
            return msgspec.json.decode(document, type=kind)
        except msgspec.DecodeError as error:
            raise NotPairedError(f"The hub's answer cannot be read: {error}.") from error

    async def _document(self, method: str, path: str, body: object = None) -> bytes:
        return await asyncio.to_thread(ask_hub, self._hub, method, f"{API}{path}", body)


def in_words(error: PulseError) -> str:
    """Say to a person on Discord why the hub did not do it."""
    if isinstance(error, NotRunningError):
        return "Pulse is not reachable right now. Try again in a moment."
    return plain(f"{error.detail} {error.fix}", CONTENT_CHARS_MAX)
