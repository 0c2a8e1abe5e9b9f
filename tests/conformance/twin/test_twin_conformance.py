"""What every twin keeps to, the fake included: a guess as the model gave it, or None; never an exception."""

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest

from hub.domain.policy import Policy
from hub.domain.provenance import ModelText
from hub.domain.suggestion import Guess
from hub.ports import Twin
from tests.fakes.plain_words import plain
from tests.fakes.twin import ScriptedTwin
from tests.io.agents.model_server import GUESS, SITUATION, answer, response, running_model, twin_of

POLICY = Policy()
Make = Callable[[list[Guess | None]], Twin]


@pytest.fixture(params=["scripted", "http"])
async def make(request: pytest.FixtureRequest) -> AsyncIterator[Make]:
    """A twin whose model will say these things, one after the other; None is an answer that is none."""
    if request.param == "scripted":
        yield ScriptedTwin
        return
    async with running_model() as model:

        def over_http(guesses: list[Guess | None]) -> Twin:
            for guess in guesses:
                model.responses.append(response(b"nonsense") if guess is None else said(guess))
            return twin_of(model)

        yield over_http


def said(guess: Guess) -> bytes:
    return answer(
        prompt=plain(guess.prompt),
        channel=guess.channel,
        confidence=guess.confidence,
        reasoning=plain(guess.reasoning),
        idea=guess.idea,
    )


async def test_an_answer_comes_back_as_it_was_given(make: Make) -> None:
    assert await make([GUESS]).predict(SITUATION, POLICY) == GUESS


@pytest.mark.parametrize("confidence", [-3.0, 0.0, 1.0, 17.5])
async def test_a_guess_is_not_judged_here(make: Make, confidence: float) -> None:
    """Whether channel and confidence are any good is for `what` and `may` to say."""
    strange = msgspec.structs.replace(GUESS, channel="no such channel", confidence=confidence, prompt=ModelText(""))
    assert await make([strange]).predict(SITUATION, POLICY) == strange


async def test_no_answer_is_none(make: Make) -> None:
    assert await make([None]).predict(SITUATION, POLICY) is None


async def test_after_no_answer_it_may_be_asked_again(make: Make) -> None:
    twin = make([None, GUESS])
    assert await twin.predict(SITUATION, POLICY) is None
    assert await twin.predict(SITUATION, POLICY) == GUESS


async def test_it_may_be_asked_several_things_at_once(make: Make) -> None:
    guesses = [msgspec.structs.replace(GUESS, prompt=ModelText(f"Do {number}")) for number in range(5)]
    twin = make(list(guesses))
    heard = await asyncio.gather(*(twin.predict(SITUATION, POLICY) for _ in guesses))
    assert {guess.prompt for guess in heard if guess is not None} == {guess.prompt for guess in guesses}
