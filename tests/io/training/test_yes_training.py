"""A model of a person's habits, made in a process beside the hub; and what is done with one that cannot be used."""

import math

import pytest
from msgspec.structs import replace

from hub.domain.teaching import YesModel
from hub.io.training.yes import train
from hub.learn.yes import fit, trouble_with
from tests.bench.habits import HABITS, dice, history

TOLD = history(HABITS["by kind"], dice(1), 80, 0.05)
MODEL = fit(TOLD)


@pytest.mark.slow
async def test_a_model_comes_back_from_a_process_of_its_own() -> None:
    assert await train(TOLD) == MODEL
    nothing = await train(())
    assert isinstance(nothing, YesModel)
    assert nothing.weights == {}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("print('{}'[:1])", "is not a model"),
        ("print('{\"form\": 7}')", "of form 7"),
        ("import os; os.abort()", "is not a model"),
        ("print('[' * 9_000_000)", "is not a model"),
    ],
)
async def test_what_is_no_model_is_said_and_not_used(code: str, said: str) -> None:
    wrong = await train(TOLD, ("-c", code))
    assert isinstance(wrong, str)
    assert said in wrong


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (replace(MODEL, form=2), "form 2"),
        (replace(MODEL, weights={"kind x": (math.nan, 1.0, 0.0)}), "no numbers"),
        (replace(MODEL, weights={"kind x": (0.0, 0.0, 0.0)}), "no numbers"),
        (replace(MODEL, weights={"kind x": (0.0, 1.0, math.inf)}), "no numbers"),
        (replace(MODEL, weights={str(n): (0.0, 1.0, 0.0) for n in range(4_001)}), "larger"),
        (replace(MODEL, likes={"x": "10101010101"}), "no answers"),
        (replace(MODEL, likes={"x": "yes"}), "no answers"),
        (replace(MODEL, answers=-1), "larger"),
        (replace(MODEL, slope=40.0), "corrects"),
        (replace(MODEL, shift=math.nan), "corrects"),
        (replace(MODEL, lapse=0.5), "corrects"),
    ],
)
def test_a_model_that_comes_from_elsewhere_is_looked_at(broken: YesModel, said: str) -> None:
    assert said in trouble_with(broken)
    assert trouble_with(MODEL) == ""
