"""What became of a card, as one word: what is over is not called failed, and what was not needed has not expired."""

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.api import Prediction, Settlement
from hub.contract.events import PredictionExecuted
from hub.contract.runs import WorkResult
from hub.contract.words import HumanInput, MoveReason, Status, Verb
from hub.kit.announcing import announce, settled
from hub.kit.fates import FATES, Fate, fate_of
from hub.kit.phrase_files import phrases
from tests.fakes.hub_api import NOON, a_prediction

IGNORED = Settlement(verb=Verb.IGNORE, by="anna", surface="watch", device="w", human_input=HumanInput.TAP, at=NOON)
FAILED = a_prediction("p1", status=Status.FAILED)


@pytest.mark.parametrize(
    ("card", "fate"),
    [
        (FAILED, "failed"),
        (replace(FAILED, settled=IGNORED), "ignored"),
        (replace(FAILED, mended_at=NOON), "mended"),
        (replace(FAILED, mended_at=NOON, settled=IGNORED), "mended"),
        (a_prediction("p1", status=Status.EXPIRED), "expired"),
        (replace(a_prediction("p1", status=Status.EXPIRED), status_reason=MoveReason.PASSED), "passed"),
        (a_prediction("p1", status=Status.EXECUTED), "executed"),
        (a_prediction("p1"), "pending"),
    ],
)
def test_one_word_says_what_became_of_it(card: Prediction, fate: Fate) -> None:
    assert fate_of(card) == fate


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("fate", FATES)
def test_every_fate_has_a_phrase(language: str, fate: Fate) -> None:
    assert phrases(language).say(fate)


def test_a_failure_that_is_over_is_told_as_that_and_not_as_the_answer_from_before() -> None:
    yes = replace(IGNORED, verb=Verb.APPROVE)
    assert settled(replace(FAILED, settled=yes, mended_at=NOON)).name == "mended"
    assert settled(replace(FAILED, settled=IGNORED)).name == "ignore.there"


@pytest.mark.parametrize(("handed_over", "fate"), [(True, "handed_over"), (False, "executed")])
def test_what_nothing_proves_is_handed_over_and_not_done(fate: Fate, *, handed_over: bool) -> None:
    result = WorkResult(execution_id="x", ended="done", summary="worker finished", handed_over=handed_over)
    done = replace(a_prediction("p1", status=Status.EXECUTED), result=result)
    told = announce(PredictionExecuted(card_id="p1", task_id="", result="worker finished", prediction=done))
    assert told is not None
    assert (fate_of(done), told.title.name) == (fate, fate)


def test_an_older_hub_that_does_not_say_so_is_still_read() -> None:
    said = b'{"executionId":"x","ended":"done","summary":"worker finished"}'
    assert not msgspec.json.decode(said, type=WorkResult).handed_over
