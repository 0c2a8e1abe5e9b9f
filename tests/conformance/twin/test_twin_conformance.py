"""What every twin keeps to, the fake included: guesses as the models gave them, or none; never an exception."""

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest

from hub.domain.policy import Policy, TwinService
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Guess
from hub.domain.twin import ChatLine, TwinChat, TwinQuestion
from hub.ports import Twin
from tests.fakes.plain_words import plain
from tests.fakes.twin import ScriptedTwin
from tests.io.agents.model_server import (
    GUESS,
    SITUATION,
    answer,
    policy_of,
    response,
    running_model,
    service_of,
    twins_here,
)

QUESTION = TwinQuestion(situation=SITUATION)
Make = Callable[[list[Guess | None]], tuple[Twin, Policy]]


@pytest.fixture(params=["scripted", "http"])
async def make(request: pytest.FixtureRequest) -> AsyncIterator[Make]:
    """A twin whose model will say these things, one after the other; None is an answer that is none."""
    if request.param == "scripted":
        service = TwinService(name="first", url="", model="scripted")
        yield lambda guesses: (ScriptedTwin(guesses), policy_of(service))
        return
    async with running_model() as model:

        def over_http(guesses: list[Guess | None]) -> tuple[Twin, Policy]:
            for guess in guesses:
                model.responses.append(response(b"nonsense") if guess is None else said(guess))
            return twins_here(), policy_of(service_of(model))

        yield over_http


def said(guess: Guess) -> bytes:
    return answer(
        prompt=plain(guess.prompt),
        channel=guess.channel,
        confidence=guess.confidence,
        reasoning=plain(guess.reasoning),
        idea=guess.idea,
    )


@pytest.mark.slow
async def test_an_answer_comes_back_as_it_was_given(make: Make) -> None:
    twin, policy = make([GUESS])
    assert (await twin.predict(QUESTION, policy)).guesses == (GUESS,)


@pytest.mark.slow
async def test_no_answer_is_none_is_said_and_may_be_followed_by_one(make: Make) -> None:
    twin, policy = make([None, GUESS])
    nothing = await twin.predict(QUESTION, policy)
    assert nothing.guesses == ()
    assert nothing.trouble
    assert (await twin.predict(QUESTION, policy)).guesses == (GUESS,)


@pytest.mark.slow
async def test_it_may_be_asked_several_things_at_once(make: Make) -> None:
    guesses = [msgspec.structs.replace(GUESS, prompt=ModelText(f"Do {number}")) for number in range(5)]
    twin, policy = make(list(guesses))
    heard = await asyncio.gather(*(twin.predict(QUESTION, policy) for _ in guesses))
    assert {guess.prompt for reply in heard for guess in reply.guesses} == {guess.prompt for guess in guesses}


async def test_a_chat_without_an_answer_says_so(make: Make) -> None:
    twin, policy = make([None])
    lines = (ChatLine(role="user", content="What now?"),)
    said = await twin.chat(TwinChat(service=policy.twins[0], lines=lines, temperature=0.3, tokens_max=10))
    assert not said.words
    assert said.wrong.startswith("The model “first” did not answer")


async def test_each_model_has_a_part_of_health_with_its_name(make: Make) -> None:
    twin, policy = make([])
    assert [part.name for part in twin.health(policy)] == ["model first"]
    assert await twin.test(policy, "nobody") == ()
