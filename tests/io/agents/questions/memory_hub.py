"""A hub that keeps the questions of agents in memory, and forgets how they are told."""

import asyncio
from datetime import timedelta
from urllib.parse import parse_qsl

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.control import PermissionList, PermissionReply
from hub.contract.permission import Permission, PermissionAnswer, PermissionRequest
from hub.contract.words import HumanInput, Status, Verb
from hub.io.agents.questions.hub_client import AWAY, AgentHubClient
from hub.kit.hub_client import HubSaysNo
from tests.fakes.hub_api import a_prediction

UNKNOWN = HubSaysNo(detail="There is no such question.", code="unknown-card", status=404)


class MemoryHub(AgentHubClient):
    """A hub of questions only."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.cards: dict[str, PermissionReply] = {}
        self.asked: list[PermissionRequest] = []
        self.queries: list[dict[str, str]] = []
        self.away = False
        self.settled = asyncio.Condition()

    async def ask(self, request: PermissionRequest, key: str) -> PermissionReply | HubSaysNo:
        self.asked.append(request)
        if self.away:
            return AWAY
        asked = Permission(
            agent=request.agent,
            tool=request.tool,
            act=request.act,
            session=request.session,
            call=request.call,
            questions=request.questions,
        )
        shown = replace(a_prediction(key), permission=asked)
        fresh = PermissionReply(prediction=shown, answered=False, approved=False)
        return self.cards.setdefault(key, fresh)

    async def look(self, ask_id: str) -> PermissionReply | HubSaysNo:
        return self.cards.get(ask_id, UNKNOWN)

    async def listed(self, query: str) -> PermissionList | HubSaysNo:
        """Return all of them, the last asked first; the queries are kept for the test to look at."""
        self.queries.append(dict(parse_qsl(query)))
        if self.away:
            return AWAY
        return PermissionList(permissions=tuple(self.cards.values())[::-1], count=len(self.cards))

    async def wait(self, ask_id: str, *, withdraws: bool) -> PermissionReply | HubSaysNo:
        if self.away:
            self.away = False
            return AWAY
        try:
            async with self.settled:
                await self.settled.wait_for(lambda: self.cards[ask_id].prediction.status is not Status.PENDING)
        except asyncio.CancelledError:
            if withdraws:
                self._move(ask_id, Status.CANCELLED)
            raise
        return self.cards[ask_id]

    async def withdraw(self, ask_id: str) -> PermissionReply | HubSaysNo:
        self._move(ask_id, Status.CANCELLED)
        return self.cards[ask_id]

    async def answer(self, ask_id: str, said: str) -> None:
        self._move(ask_id, Status.CONFIRMED, said)
        async with self.settled:
            self.settled.notify_all()

    def _move(self, ask_id: str, status: Status, said: str = "") -> None:
        before = self.cards[ask_id].prediction
        how = PermissionAnswer(answers={"answer": (said,)})
        settled = Settlement(
            verb=Verb.APPROVE,
            by="you",
            surface="web",
            device="phone",
            human_input=HumanInput.TAP,
            at=before.created_at + timedelta(seconds=1),
            permission=how,
        )
        shown = replace(before, status=status, settled=settled if said else None)
        self.cards[ask_id] = PermissionReply(
            prediction=shown, answered=bool(said), approved=bool(said), answer=how if said else None
        )
