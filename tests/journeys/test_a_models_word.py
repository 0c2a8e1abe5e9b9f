"""A model at a service in OpenAI's form: from what is seen, through its word, to the card and the books."""

import asyncio
import threading
from collections.abc import Iterator
from datetime import datetime

import pytest
from msgspec.structs import replace

from hub.contract.api import TriggerAnswer
from hub.contract.events import PredictionNew
from hub.contract.words import Source
from hub.domain.policy import TwinService
from hub.domain.readings import Reading
from hub.domain.requests import Trigger
from hub.domain.suggestion import Card
from hub.io.agents import twin_worker
from hub.io.agents.twin import HttpTwins
from tests.fakes.chat_service import ChatService
from tests.loop.stage import a_policy
from tests.loop.test_cycle import changed_tests
from tests.runner.running_hub import House, living

KEY = "k1"


class Eye:
    """Sees two changed modules."""

    name = "git"

    async def read(self, now: datetime) -> Reading:
        return replace(changed_tests(), at=now)

    async def close(self) -> None:
        return


@pytest.fixture
def service() -> Iterator[ChatService]:
    serving = ChatService(key=KEY)
    threading.Thread(target=serving.serve_forever, args=(0.01,), daemon=True).start()
    yield serving
    serving.ended.set()
    serving.shutdown()
    serving.server_close()


def house_with(service: ChatService, *models: str, key: str = KEY) -> House:
    priced = TwinService(name="m", url=service.url, model="", key_env="K", output_microusd=15_000_000)
    twins = tuple(
        replace(priced, name=f"m{at}", model=model, timeout_s=0.5 if model == "slow" else 20.0)
        for at, model in enumerate(models)
    )
    house = House(a_policy(twin=True, twins=twins))
    house.sensors = (Eye(),)
    house.twin = HttpTwins(now=house.clock.now, environ={"K": key}, ask=twin_worker.answer)
    house.opens = False
    return house


async def asked(house: House) -> TriggerAnswer:
    async with asyncio.timeout(30):
        await house.settle()
        reply = await house.hub.submit(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer)
    return reply


async def cards(house: House) -> list[Card]:
    """The cards that were put before the person."""
    new = [event for event in house.events if isinstance(event, PredictionNew)]
    return [await house.stored(event.prediction.id) for event in new]


@pytest.mark.slow
@pytest.mark.parametrize("model", ["small", "fenced"])
async def test_it_chooses_and_its_price_is_booked(service: ChatService, model: str) -> None:
    async with living(house_with(service, model)) as house:
        await asked(house)
        (card,) = await cards(house)
        assert (card.proposal.source, card.proposal.kind) == (Source.TWIN, "run-tests")
        assert card.proposal.factors.twin == 0.9
        assert house.hub.state().mind.ledger.spending.day_microusd > 0
        assert house.hub.status().model_trouble == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "why"),
    [
        ("slow", "did not answer in time"),
        ("garbage", "was not the JSON asked for"),
        ("unknown", "there is no unknown at that address"),
        ("dear", "no more than 10 times that is booked"),
    ],
)
async def test_one_that_is_of_no_use_is_named_and_the_next_is_asked(service: ChatService, model: str, why: str) -> None:
    async with living(house_with(service, model, "small")) as house:
        await asked(house)
        assert why in house.hub.status().model_trouble
        assert [part.status for part in house.hub.health() if part.name.startswith("model m0")] == ["degraded"]
        assert await cards(house)


@pytest.mark.slow
async def test_a_wrong_key_is_named_by_its_variable_and_pulse_goes_on_alone(service: ChatService) -> None:
    async with living(house_with(service, "small", key="wrong")) as house:
        await asked(house)
        assert "it does not accept the key in K (401)" in house.hub.status().model_trouble
        (card,) = await cards(house)
        assert card.proposal.source is Source.TEMPLATE
