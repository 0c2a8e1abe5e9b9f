"""An answer without a verdict: handed in again under the same id, a bounded number of times, and then given up."""

from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from hub.contract.events import ExecutionStarted
from hub.contract.surface import Decision, DeliveredVerdict, Verdict
from hub.contract.words import RunState, Status, Verb
from hub.kit.answer_retry import AGAIN, GIVE_UP
from surfaces.terminal.keys import press
from surfaces.terminal.story import hear, hear_link, next_change, pass_time
from surfaces.terminal.view import View
from tests.surfaces.terminal.scenes import NOW, delivered, later, prediction, shown, view


def approved(**changes: Any) -> tuple[View, Decision]:  # noqa: ANN401  any field of a card
    after, (answer,) = press(view(shown(**changes)), "a", NOW)
    assert isinstance(answer, Decision)
    return after, answer


def answers(before: View, seconds: float) -> tuple[View, list[Decision]]:
    after, intents = pass_time(before, later(seconds))
    return after, [one for one in intents if isinstance(one, Decision)]


def verdict(answer: Decision, code: str = "taken") -> DeliveredVerdict:
    return DeliveredVerdict(
        verdict=Verdict(decision_id=answer.decision_id, accepted=True, code=code, message="Running.")
    )


def test_when_the_connection_is_back_it_is_handed_in_at_once_with_the_same_id() -> None:
    after, answer = approved()
    lost = hear_link(after, "lost", "away")
    assert answers(lost, 60)[1] == []
    back = hear_link(lost, "up", "")
    after, (again,) = answers(back, 61)
    assert again == answer
    assert answers(after, 61)[1] == []


def test_a_verdict_ends_it() -> None:
    after, answer = approved()
    after, _ = hear(after, verdict(answer), NOW, NOW)
    assert answers(hear_link(after, "up", ""), 60)[1] == []


def test_a_silent_hub_is_asked_less_and_less_often_and_not_for_ever() -> None:
    after, _ = approved()
    at, seconds = [], 0
    while seconds < 2 * GIVE_UP.total_seconds():
        after, again = answers(after, seconds)
        at += [seconds] * len(again)
        seconds += 1
    gaps = [after - before for before, after in zip([0, *at], at, strict=False)]
    assert gaps[0] <= AGAIN.base_s + 1
    assert gaps == sorted(gaps)
    assert max(gaps) <= AGAIN.cap_s + 1
    assert at[-1] < GIVE_UP.total_seconds()
    assert (after.sent, after.cards[0].phase) == ((), "open")


def test_what_is_given_up_is_said() -> None:
    after, _ = approved()
    after, _ = answers(after, GIVE_UP.total_seconds())
    assert "never confirmed" in after.notices[-1].text


def test_a_card_that_expires_sooner_ends_it() -> None:
    after, _ = approved(expires_at=later(20))
    after, again = answers(hear_link(after, "up", ""), 20)
    assert again == []
    assert answers(after, 21)[0].cards[0].prediction.status is Status.EXPIRED


def test_what_is_seen_to_be_done_is_not_handed_in_again() -> None:
    after, _ = approved()
    card = prediction(status=Status.CONFIRMED, run_state=RunState.ACTIVE)
    event = ExecutionStarted(prediction=card, execution_id="exec_abc_1", autonomous=False)
    after, _ = hear(after, delivered(event), NOW, NOW)
    after, again = answers(hear_link(after, "up", ""), 5)
    assert (again, after.sent) == ([], ())


def test_the_verdict_on_a_repetition_says_nothing_twice() -> None:
    after, answer = approved()
    after, _ = hear(after, verdict(answer), NOW, NOW)
    again, intents = hear(after, verdict(answer, "repeated"), NOW, NOW)
    assert (again, intents) == (after, ())


def test_the_screen_wakes_for_it() -> None:
    after, _ = approved(created_at=later(-7_200))
    after, _ = pass_time(after, later(0.2))
    due = next_change(after, later(0.2))
    assert due is not None
    assert due <= later(0.2) + timedelta(seconds=AGAIN.base_s)


def test_a_stop_is_repeated_while_it_runs_only() -> None:
    running = shown(phase="running", verbs=(Verb.STOP,), status=Status.CONFIRMED)
    after, (answer,) = press(view(running), "x", NOW)
    _, (again,) = answers(hear_link(after, "up", ""), 1)
    assert again == answer
    ended = replace(after, cards=(replace(after.cards[0], phase="settled"),))
    assert answers(hear_link(ended, "up", ""), 1)[1] == []
