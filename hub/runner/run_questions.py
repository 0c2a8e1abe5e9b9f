"""What the agents of our own runs ask: put to the loop like every other question, and awaited in this process."""

import asyncio

from msgspec.structs import replace

from hub.contract.api import AnswerReply, Prediction
from hub.contract.control import PermissionReply
from hub.contract.errors import BusyError, PulseError
from hub.contract.events import PredictionExpired, PredictionSettled
from hub.contract.permission import PermissionRequest
from hub.contract.words import Risk, Status
from hub.domain.requests import RUNS_CLIENT, Ask, Refused, Withdraw
from hub.domain.storage import CardById
from hub.loop.asks import ask_id
from hub.loop.events import RequestArrived
from hub.loop.permissions import permission_of, reply_of, title_of
from hub.ports import Numbered, Store
from hub.runner.hub import Hub

OVER = "The agent is no longer waiting for an answer."


class RunQuestions:
    """Asks the person, and hears of the answer through the live feed. It can ask once it has been told of the hub."""

    def __init__(self) -> None:
        self._hub: Hub | None = None
        self._store: Store | None = None
        self._waiting: dict[str, asyncio.Future[Prediction | None]] = {}

    def begin(self, hub: Hub, store: Store) -> None:
        """Ask this hub from now on."""
        self._hub, self._store = hub, store
        hub.feed.add(self._hear)

    async def ask(self, asked: PermissionRequest, *, key: str, is_linked: bool = True) -> PermissionReply | Refused:
        """Put it before the person and wait until it is settled; cancelling takes it back."""
        if self._hub is None or self._store is None:
            return _refused("Pulse is not ready yet.")
        card_id = ask_id(RUNS_CLIENT, key)
        settled: asyncio.Future[Prediction | None] = asyncio.get_running_loop().create_future()
        self._waiting[card_id] = settled
        try:
            reply = await self._hub.submit(_request(asked, key, is_linked=is_linked))
            if not isinstance(reply, AnswerReply):
                return reply if isinstance(reply, Refused) else _refused("The question was not accepted.")
            shown = reply.prediction
            if shown.status is Status.PENDING:
                shown = await settled or replace(shown, status=Status.EXPIRED)
            return reply_of(shown, await self._store.read(CardById(user=self._hub.state().user, card_id=card_id)))
        except asyncio.CancelledError:
            # nobody waits for this one's reply: it may be a closing hub that cancels
            self._hub.post(RequestArrived(request=Withdraw(card_id=card_id, client=RUNS_CLIENT, why=OVER), reply_to=""))
            raise
        except (PulseError, TimeoutError) as error:
            return _refused(error.detail if isinstance(error, PulseError) else "Pulse took too long to ask.")
        finally:
            del self._waiting[card_id]

    def _hear(self, numbered: Numbered) -> None:
        match numbered.event:
            case PredictionSettled(prediction=shown):
                self._settle(shown.id, shown)
            case PredictionExpired(card_id=card_id):
                self._settle(card_id, None)
            case _:
                return

    def _settle(self, card_id: str, shown: Prediction | None) -> None:
        waiting = self._waiting.get(card_id)
        if waiting is not None and not waiting.done():
            waiting.set_result(shown)


def _request(asked: PermissionRequest, key: str, *, is_linked: bool) -> Ask:
    permission = permission_of(asked)
    return Ask(
        key=key,
        client=RUNS_CLIENT,
        share=asked.session,
        asker=asked.agent,
        question=title_of(permission),
        details=asked.reason,
        risk=Risk.MEDIUM,
        timeout_s=asked.timeout_s,
        permission=permission,
        is_attended=True,
        seen_folder=asked.folder,  # the hub itself started the program, so this is no word of the agent's
        is_linked=is_linked,
    )


def _refused(why: str) -> Refused:
    return Refused(code=BusyError.code, status=BusyError.status, detail=why, fix="Try again in a moment.")
