"""Asking a model outside a cycle: a test call, or a chat that a program sends. Both are booked like every other."""

from collections.abc import Callable

from hub.domain.provenance import as_worded
from hub.domain.requests import Refused
from hub.domain.twin import TwinChat, TwinReply, TwinSaid, TwinTrial, not_used, reply_of
from hub.loop.events import ModelCalled
from hub.loop.refusals import unknown_twin
from hub.loop.state import State
from hub.may import has_room
from hub.ports import Clock, Twin
from hub.runner.sensor_reader import Post


class ModelCalls:
    """Asks while the budgets have room, and tells the loop what it cost."""

    def __init__(self, twin: Twin, *, state: Callable[[], State], clock: Clock, post: Post) -> None:
        self._twin = twin
        self._state = state
        self._clock = clock
        self._post = post

    async def test(self, name: str) -> tuple[TwinTrial, ...] | Refused:
        """Make a small real call to each model, or to the one of this name; whether any is switched on or not."""
        policy = self._state().policy
        chosen = tuple(one for one in policy.twins if name in {"", one.name})
        if not chosen:
            return unknown_twin(name, policy)
        refused = self._refused(sum(one.estimate_microusd for one in chosen))
        if refused is not None:
            return refused
        trials = await self._twin.test(policy, name)
        failed = [not_used(one.name, as_worded(one.detail, one.detail_worded)) for one in trials if not one.is_well]
        reply = reply_of(sum(one.cost_microusd for one in trials), failed)
        self._post(ModelCalled(reply=reply))
        return trials

    async def chat(self, chat: TwinChat) -> TwinSaid | Refused:
        """Pass a chat on."""
        state = self._state()
        if not state.policy.twin:
            return unknown_twin(chat.service.name, state.policy)
        refused = self._refused(chat.estimate_microusd)
        if refused is not None:
            return refused
        said = await self._twin.chat(chat)
        wrong, worded = said.wrong, said.wrong_worded
        reply = TwinReply(cost_microusd=said.cost_microusd, trouble=wrong, trouble_worded=worded)
        self._post(ModelCalled(reply=reply))
        return said

    def _refused(self, estimate_microusd: int) -> Refused | None:
        state = self._state()
        if has_room(state.mind.ledger, state.policy, self._clock.now(), estimate_microusd):
            return None
        return Refused(
            code="no-budget-for-model",
            status=409,
            detail="The budgets do not allow asking a model now, or Pulse is stopped.",
            fix="`pulse status --all` shows the spending; `pulse resume --emergency` lifts a stop.",
        )
