"""`pulse trigger`: a refusal is said as one, and ends as one."""

import json

import pytest
from msgspec.structs import replace

from hub.contract.api import TriggerAnswer
from hub.contract.words import Status
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.fakes.hub_api import a_prediction, a_status

TRIGGER = "POST /api/v1/crosspoll/trigger"
WAITS_ALREADY = "This is already waiting for you: see `pulse cards`."
CAPPED = "This would go over what you let Pulse spend in an hour."


def answered(*, triggered: bool, card: bool, message: str, status: Status = Status.CANCELLED) -> TriggerAnswer:
    shown = a_prediction(status=Status.PENDING if triggered else status)
    return TriggerAnswer(
        triggered=triggered,
        prediction=shown if card else None,
        target_channel=None,
        message=message,
        status=a_status(),
    )


def test_a_card_is_a_success(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(TRIGGER, answered(triggered=True, card=True, message="Pulse has a suggestion: see the card."))
    said = pulse("trigger", "--hint", "Mend it")
    assert (said.code, said.out.splitlines()[0]) == (0, "✓ Pulse has a suggestion: see the card.")


def test_what_a_rule_refuses_is_no_success(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(TRIGGER, answered(triggered=False, card=True, message=CAPPED))
    said = pulse("trigger", "--hint", "Mend it")
    assert (said.code, said.out.splitlines()[0]) == (1, f"✗ Refused: {CAPPED}")
    assert "Nothing runs." in said.out
    as_json = pulse("trigger", "--hint", "Mend it", "--json")
    assert (as_json.code, json.loads(as_json.out)["triggered"]) == (1, False)


def test_a_kill_switch_refuses_also_where_nothing_was_wanted_in_particular(pulse: Pulse, hub: SmallHub) -> None:
    killed = replace(a_status(), killed_by="emergency")
    refused = answered(triggered=False, card=False, message="The emergency stop is on.")
    hub.answer(TRIGGER, replace(refused, status=killed))
    said = pulse("trigger")
    assert (said.code, said.out.splitlines()[0]) == (1, "✗ Refused: The emergency stop is on.")


def test_a_card_that_waits_already_is_shown_and_not_called_refused(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer(TRIGGER, answered(triggered=False, card=True, message=WAITS_ALREADY, status=Status.PENDING))
    said = pulse("trigger", "--hint", "Mend it")
    assert (said.code, said.out.splitlines()[0]) == (1, f"- {WAITS_ALREADY}")
    assert "Nothing runs." not in said.out


@pytest.mark.parametrize(("words", "code"), [(("--hint", "Fly to the moon"), 1), ((), 0)])
def test_nothing_new_is_no_failure_unless_something_was_wanted(
    pulse: Pulse, hub: SmallHub, words: tuple[str, ...], code: int
) -> None:
    hub.answer(TRIGGER, answered(triggered=False, card=False, message="Pulse cannot do this on its own."))
    said = pulse("trigger", *words)
    assert (said.code, said.out.splitlines()[0]) == (code, "- Pulse cannot do this on its own.")
