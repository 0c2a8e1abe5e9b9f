"""What the agents of our own runs ask, and what becomes of it when nobody answers."""

import asyncio
from datetime import timedelta

from hub.contract.control import PermissionReply
from hub.contract.effects import Effect
from hub.contract.events import PredictionNew
from hub.contract.permission import Act, PermissionRequest
from hub.contract.words import Risk, Status
from hub.domain.requests import Refused
from hub.runner import RunQuestions
from tests.runner.running_hub import House, living

ASKED = PermissionRequest(
    agent="coder", tool="execute", act=Act.COMMAND, text="rm -rf ~", timeout_s=60, session="run_1"
)


async def test_it_is_a_card_as_pulse_reads_it_and_nobodys_silence_is_a_yes() -> None:
    house, questions = House(), RunQuestions()
    async with living(house):
        questions.begin(house.hub, house.store)
        asking = asyncio.ensure_future(questions.ask(ASKED, key="k1"))
        await house.until_told_of(PredictionNew)
        new = next(event for event in house.events if isinstance(event, PredictionNew))
        card = await house.stored(new.prediction.id)
        assert card.permission is not None
        assert (card.proposal.risk, card.asker, card.is_attended) == (Risk.HIGH, "coder", True)
        assert Effect.DELETES in card.permission.effects
        await house.clock.let_pass(timedelta(seconds=61))
        await house.settle()
        reply = await asyncio.wait_for(asking, 20)
        assert isinstance(reply, PermissionReply)
        assert (reply.answered, reply.approved, reply.prediction.status) == (False, False, Status.EXPIRED)


async def test_before_the_hub_is_there_nobody_is_asked() -> None:
    assert isinstance(await RunQuestions().ask(ASKED, key="k1"), Refused)
