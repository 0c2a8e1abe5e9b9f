"""What the hub says, as it changes the view."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.alone import AwaySummary
from hub.contract.events import (
    AnyEvent,
    CostApproaching,
    DigestReady,
    ExecutionFailed,
    ExecutionProgress,
    ExecutionStarted,
    Paused,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
    Resumed,
)
from hub.contract.surface import Decision, DeliveredVerdict, DigestItem, Verdict
from hub.contract.words import DeliveryState, Source, Status, Verb
from surfaces.terminal.keys import press
from surfaces.terminal.plain import event_line
from surfaces.terminal.story import FOLD_S, VERDICT_S, hear, hear_link, hear_progress, next_change, pass_time
from surfaces.terminal.view import CARDS_MAX, NOTICES_MAX, Report, Ring, View
from tests.surfaces.terminal.scenes import NOW, OPEN_VERBS, delivered, later, prediction, settled_by_phone, shown, view


def told(before: View, *events: AnyEvent, **changes: Any) -> View:  # noqa: ANN401  any field of a delivery
    for number, event in enumerate(events):
        before, _ = hear(before, delivered(event, str(number), **changes), NOW, NOW)
    return before


def confirmed(**changes: Any) -> AnyEvent:  # noqa: ANN401  any field of a prediction
    card = prediction(status=Status.CONFIRMED, settled=settled_by_phone(Verb.APPROVE), **changes)
    return PredictionSettled(prediction=card)


def test_a_new_card_is_focused_when_nothing_else_is() -> None:
    after = told(view(), PredictionNew(prediction=prediction("a")), PredictionNew(prediction=prediction("b")))
    assert [card.id for card in after.cards] == ["pred_a", "pred_b"]
    assert after.focus == "pred_a"


def test_the_same_card_again_stays_one() -> None:
    event = PredictionNew(prediction=prediction())
    assert len(told(view(), event, event).cards) == 1


def test_approved_elsewhere_runs_and_ends_in_place() -> None:
    running = prediction(status=Status.CONFIRMED)
    after = told(view(shown()), confirmed())
    assert after.cards[0].phase == "waiting"
    after = told(after, ExecutionStarted(prediction=running, execution_id="x", autonomous=False), verbs=(Verb.STOP,))
    assert (after.cards[0].phase, after.cards[0].verbs) == ("running", (Verb.STOP,))
    progress = ExecutionProgress(card_id="pred_abc", execution_id="x", number=1, line="40 passed")
    after = hear_progress(after, progress, NOW, NOW)
    assert after.cards[0].lines == ("40 passed",)
    executed = prediction(status=Status.EXECUTED)
    after = told(after, PredictionExecuted(card_id="pred_abc", task_id="t", result="fine", prediction=executed))
    assert (after.cards[0].phase, after.cards[0].result) == ("settled", "fine")
    assert pass_time(after, later(FOLD_S - 1))[0].cards
    folded, intents = pass_time(after, later(FOLD_S))
    assert folded.cards == ()
    assert intents == (Report(delivery_id="dlv_new_0", state=DeliveryState.CLEARED),)


def test_a_late_settled_does_not_take_a_running_card_back() -> None:
    running = replace(shown(phase="running", status=Status.CONFIRMED, verbs=(Verb.STOP,)), heard_at=later(1))
    assert told(view(running), confirmed()).cards[0].phase == "running"


def test_a_question_is_over_when_it_is_answered() -> None:
    assert told(view(shown(source=Source.ASK)), confirmed(source=Source.ASK)).cards[0].phase == "settled"


def test_failed_work_says_why() -> None:
    failed = prediction(status=Status.FAILED)
    event = ExecutionFailed(card_id="pred_abc", execution_id="x", kind="failed", error="exit 2", prediction=failed)
    assert told(view(shown()), event).cards[0].result == "exit 2"


def test_a_snoozed_card_goes_everywhere_and_comes_back() -> None:
    snoozed = prediction(snoozed_until=later(600))
    after = told(view(shown()), PredictionSnoozed(prediction=snoozed))
    assert after.cards == ()
    assert "14:40" in after.notices[-1].text
    assert told(after, PredictionNew(prediction=snoozed)).cards == ()
    assert told(after, PredictionReturned(prediction=prediction(), reason="over")).cards[0].phase == "open"


def test_an_expired_card_can_not_be_answered() -> None:
    for after in (
        told(view(shown()), PredictionExpired(card_id="pred_abc")),
        pass_time(view(shown(expires_at=NOW)), NOW)[0],
    ):
        assert after.cards[0].prediction.status is Status.EXPIRED
        assert press(after, "a", later(5))[1] == ()
    assert told(view(), PredictionExpired(card_id="pred_x")).cards == ()


def test_a_card_that_changed_under_the_finger_is_not_answered() -> None:
    event = PredictionReturned(prediction=prediction(card_hash="other"), reason="changed")
    after = told(view(shown()), event, verbs=OPEN_VERBS, token="t")
    assert press(after, "a", NOW)[1] == ()
    assert press(after, "a", later(5))[1] != ()


def test_another_focus_is_not_answered_at_once() -> None:
    after = told(view(shown("a"), shown("b")), PredictionExpired(card_id="pred_a"))
    assert after.focus == "pred_b"
    assert press(after, "a", NOW)[1] == ()


def test_a_settled_card_can_be_looked_at() -> None:
    before, _ = press(view(shown("a"), shown("b", phase="settled", fold_at=later(20))), "j", NOW)
    looked, _ = pass_time(before, later(1))
    assert looked.focus == "pred_b"
    assert pass_time(looked, later(20))[0].focus == "pred_a"


def sent(verb_key: str = "a") -> tuple[View, str]:
    after, _ = press(view(shown()), verb_key, NOW)
    return after, after.sent[0].decision.decision_id


def verdict(decision_id: str, **changes: object) -> DeliveredVerdict:
    taken = Verdict(decision_id=decision_id, accepted=True, code="taken", message="Running.")
    return DeliveredVerdict(verdict=replace(taken, **changes))


def test_an_accepted_answer_is_reported_as_acted() -> None:
    after, decision_id = sent()
    after, intents = hear(after, verdict(decision_id), NOW, NOW)
    assert intents == (Report(delivery_id="dlv_abc", state=DeliveryState.ACTED),)
    assert after.sent == ()
    assert after.notices[-1].text == "Running."


def test_a_refused_answer_shows_who_won() -> None:
    after, decision_id = sent("d")
    won = prediction(status=Status.CONFIRMED, settled=settled_by_phone(Verb.APPROVE))
    refusal = verdict(decision_id, accepted=False, code="already-settled", message="me was first.", prediction=won)
    after, intents = hear(after, refusal, NOW, NOW)
    assert intents == ()
    assert (after.cards[0].phase, after.notices[-1].tone) == ("waiting", "bad")


def test_a_changed_card_comes_back_open_with_its_new_text() -> None:
    after, decision_id = sent()
    new = prediction(card_hash="other", prompt="Something else")
    refusal = verdict(decision_id, accepted=False, code="card-changed", message="changed", prediction=new)
    after, _ = hear(after, refusal, NOW, NOW)
    assert (after.cards[0].phase, after.cards[0].prediction.prompt) == ("open", "Something else")
    assert press(after, "a", NOW)[1] == ()


def test_a_silent_hub_is_named_once() -> None:
    after, _ = sent()
    assert not pass_time(after, later(VERDICT_S - 0.1))[0].notices
    after, _ = pass_time(after, later(VERDICT_S))
    assert "pulse status" in after.notices[-1].text
    assert len(pass_time(after, later(VERDICT_S + 1))[0].notices) == 1


def test_notices_are_few_and_end() -> None:
    events: list[AnyEvent] = [
        CostApproaching(window="hour", spent_usd=1.6, cap_usd=2.0),
        CostApproaching(window="day", spent_usd=16, cap_usd=20),
        Paused(reason="3 rejections"),
        Resumed(),
    ]
    after = told(view(), *events)
    assert len(after.notices) == NOTICES_MAX
    assert pass_time(after, later(120))[0].notices == ()


def test_an_alert_rings_and_a_notification_does_not() -> None:
    event = Paused(reason="x")
    assert hear(view(), delivered(event, loudness="alert"), NOW, NOW)[1] == (Ring(),)
    assert hear(view(), delivered(event), NOW, NOW)[1] == ()


def test_what_needs_no_place_on_the_screen_is_cleared_at_once() -> None:
    event = PredictionNew(prediction=prediction(snoozed_until=later(60)))
    cleared = Report(delivery_id="dlv_new_1", state=DeliveryState.CLEARED)
    assert hear(view(), delivered(event), NOW, NOW)[1] == (cleared,)


def test_each_card_of_a_digest_is_there_and_is_answered_by_itself() -> None:
    cards = (prediction("a"), prediction("b"))
    items = tuple(
        DigestItem(delivery_id=f"dlv_{card.id}", card_id=card.id, verbs=OPEN_VERBS, token=f"t_{card.id}")
        for card in cards
    )
    event = DigestReady(digest_id="d", cards=cards)
    after, intents = hear(view(), delivered(event, verbs=(), token="", items=items), NOW, NOW)
    assert (after.focus, intents) == ("pred_a", ())
    assert after.notices[-1].text == "2 things are waiting for you."
    after, (answer,) = press(after, "d", later(2))
    assert isinstance(answer, Decision)
    assert (answer.card_id, answer.token) == ("pred_a", "t_pred_a")
    assert after.focus == "pred_b"


def test_what_happened_meanwhile_is_said_once() -> None:
    away = AwaySummary(says="…", since=later(-7200), until=NOW, alone=1, failed=1)
    after = told(view(), DigestReady(digest_id="d", away=away))
    assert [one.text for one in after.notices] == ["While you were away (2 h): 1 done on autopilot, 1 failed."]


def test_a_lost_connection_keeps_what_is_there() -> None:
    after = hear_link(view(shown()), "lost", "gone")
    assert (after.link, after.cards[0].id, after.broker) == ("lost", "pred_abc", "mqtt://127.0.0.1:1883")


def test_cards_are_bounded_and_open_ones_stay_longest() -> None:
    before = view(*(shown(str(n), phase="settled" if n % 2 else "open") for n in range(CARDS_MAX)))
    after = told(before, PredictionNew(prediction=prediction("new")), verbs=OPEN_VERBS)
    assert len(after.cards) == CARDS_MAX
    assert "pred_1" not in {card.id for card in after.cards}


def test_an_empty_screen_never_wakes() -> None:
    assert next_change(view(), NOW) is None


def test_a_card_wakes_the_screen_when_its_age_changes_and_at_most_once_a_second() -> None:
    assert next_change(view(shown(created_at=later(-130))), NOW) == later(50)
    assert next_change(view(shown(created_at=later(-5))), NOW) == later(1)
    assert next_change(view(shown(phase="running")), NOW) == later(1)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (PredictionNew(prediction=prediction(prompt="a\nb")), "prediction.new        pred_abc  a b"),
        (PredictionExpired(card_id="pred_x"), "prediction.expired    pred_x"),
        (Paused(reason="x\x1b[2J"), "crosspoll.paused        x⟨U+001B⟩[2J"),
        (Resumed(), "crosspoll.resumed"),
        (
            DigestReady(digest_id="d", cards=(prediction(),), more=2),
            "digest.ready            3 things are waiting for you",
        ),
        (CostApproaching(window="day", spent_usd=1, cap_usd=2), "cost.approaching        $1.00 of $2.00 this day"),
    ],
)
def test_a_line_for_a_pipe(event: AnyEvent, said: str) -> None:
    assert event_line(event, NOW) == f"14:30:00  {said}"
