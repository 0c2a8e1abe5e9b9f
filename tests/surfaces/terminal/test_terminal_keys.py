"""What each key does to a view, and which answers leave."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.surface import Decision
from hub.contract.words import AFTER_FAILURE, Risk, Source, Status, Verb
from surfaces.terminal.keys import SETTLING_S, press, snooze_until
from surfaces.terminal.render import render
from surfaces.terminal.view import Quit, Shown, View
from tests.surfaces.terminal.plain import plain_text
from tests.surfaces.terminal.scenes import NOW, later, shown, view


def answers(before: View, *keys: str) -> tuple[View, list[Decision]]:
    given: list[Decision] = []
    for number, key in enumerate(keys):
        before, intents = press(before, key, later(number * 2))
        given += [intent for intent in intents if isinstance(intent, Decision)]
    return before, given


@pytest.mark.parametrize(
    ("keys", "verb"),
    [
        (("a",), Verb.APPROVE),
        (("right",), Verb.APPROVE),
        (("d",), Verb.REJECT),
        (("left",), Verb.REJECT),
        (("s", "1"), Verb.SNOOZE),
        (("up", "2"), Verb.SNOOZE),
        (("e", "!", "enter"), Verb.EDIT),
        (("e", "enter"), Verb.APPROVE),
    ],
)
def test_a_key_answers_the_focused_card(keys: tuple[str, ...], verb: Verb) -> None:
    after, given = answers(view(shown()), *keys)
    assert [(one.verb, one.card_id, one.card_hash, one.token) for one in given] == [
        (verb, "pred_abc", "hash-abc", "token-abc")
    ]
    assert after.cards[0].sending


@pytest.mark.parametrize("key", ["z", "y", "1", "enter", "i", "j", "k", "?", " ", "escape", "", "text:a", "ctrl-l"])
def test_no_other_key_answers(key: str) -> None:
    assert answers(view(shown()), key)[1] == []


@pytest.mark.parametrize(("key", "verb"), [("l", Verb.LESS), ("n", Verb.NEVER)])
def test_less_and_never_are_keys_where_the_card_offers_them(key: str, verb: Verb) -> None:
    assert [one.verb for one in answers(view(shown(verbs=(Verb.REJECT, verb))), key)[1]] == [verb]
    assert answers(view(shown()), key)[1] == []


def test_a_second_press_does_not_answer_twice() -> None:
    assert len(answers(view(shown()), "a", "a", "d")[1]) == 1


def test_the_next_card_is_not_answered_by_a_finger_that_stays_down() -> None:
    after, intents = press(view(shown("a"), shown("b")), "a", NOW)
    assert [one.card_id for one in intents if isinstance(one, Decision)] == ["pred_a"]
    assert after.focus == "pred_b"
    assert press(after, "a", NOW + timedelta(seconds=SETTLING_S / 2))[1] == ()
    assert len(press(after, "a", NOW + timedelta(seconds=SETTLING_S))[1]) == 1


def test_a_risky_card_needs_a_second_key() -> None:
    risky = view(shown(risk=Risk.HIGH))
    assert answers(risky, "a")[1] == []
    assert answers(risky, "a", "n")[1] == []
    assert answers(risky, "a", "a")[1] == []
    assert [one.verb for one in answers(risky, "a", "y")[1]] == [Verb.APPROVE]
    assert [one.prompt for one in answers(risky, "e", "ctrl-u", "x", "enter", "y")[1]] == ["x"]


def test_what_was_not_read_to_its_end_is_not_approved() -> None:
    after, given = answers(view(shown(), clipped=True), "a")
    assert given == []
    assert after.details
    assert answers(view(shown(), clipped=True), "d")[1] != []


def test_what_was_not_read_to_its_end_is_not_approved_by_way_of_an_edit() -> None:
    after, given = answers(view(shown(), clipped=True), "e")
    assert (after.mode, after.details, given) == ("cards", True, [])


def test_nothing_leaves_without_a_connection() -> None:
    after, given = answers(view(shown(), link="lost"), "a")
    assert given == []
    assert after.cards[0].phase == "open"
    assert "not sent" in after.notices[0].text


def test_only_offered_verbs_are_sent() -> None:
    assert answers(view(shown(verbs=(Verb.REJECT,))), "a")[1] == []
    assert answers(view(shown(token="")), "a")[1] == []


def test_the_words_of_a_fixed_command_are_not_edited() -> None:
    after, given = answers(view(shown(editable=False)), "e")
    assert (after.mode, given) == ("cards", [])
    assert after.notices[-1].text == "This runs a fixed command; changing the text would have no effect."


def test_a_question_cannot_be_edited() -> None:
    after, given = answers(view(shown(source=Source.ASK)), "e")
    assert (after.mode, given) == ("cards", [])


def test_snoozed_often_enough() -> None:
    assert answers(view(shown(snoozes_left=0)), "s", "1")[1] == []


def test_snooze_choices() -> None:
    assert [snooze_until(key, NOW) for key in ("1", "2")] == [later(600), later(3_600)]
    evening, tomorrow = snooze_until("3", NOW), snooze_until("4", NOW)
    assert evening is not None
    assert tomorrow is not None
    assert (evening.hour, evening.date()) == (19, NOW.date())
    assert (tomorrow.hour, tomorrow.day) == (8, NOW.day + 1)
    late = NOW.replace(hour=22)
    assert snooze_until("3", late) == late + timedelta(hours=2)
    assert snooze_until("x", NOW) is None


def test_stop_and_undo_belong_to_their_phases() -> None:
    running = view(shown(phase="running", verbs=(Verb.STOP,), status=Status.CONFIRMED))
    assert [one.verb for one in answers(running, "x")[1]] == [Verb.STOP]
    assert answers(view(shown()), "x")[1] == []
    settled = shown("old", phase="settled", verbs=(Verb.UNDO,), status=Status.REJECTED)
    assert [(one.verb, one.card_id) for one in answers(view(shown("new"), settled), "u")[1]] == [
        (Verb.UNDO, "pred_old")
    ]
    assert answers(view(shown()), "u")[1] == []


def test_moving_between_cards() -> None:
    three = view(shown("a"), shown("b"), shown("c"))
    assert answers(three, "j")[0].focus == "pred_b"
    assert answers(three, "k")[0].focus == "pred_c"
    assert answers(three, "tab", "tab", "tab")[0].focus == "pred_a"
    assert answers(view(), "j", "a")[1] == []


def test_leaving() -> None:
    assert press(view(shown()), "q", NOW)[1] == (Quit(),)
    assert press(view(shown(), mode="edit"), "ctrl-c", NOW)[1] == (Quit(),)
    after, intents = press(view(shown(), mode="edit"), "q", NOW)
    assert intents == ()
    assert after.draft == "q"


def test_editing_keeps_letters_and_escape_sends_nothing() -> None:
    after, given = answers(view(shown()), "e", "ctrl-u", *"ru", "text:n the tests", "backspace", "escape")
    assert (after.draft, after.mode, given) == ("run the test", "cards", [])
    assert answers(view(shown()), "e", "ctrl-u", "enter")[1] == []


def test_each_decision_has_an_id_of_its_own() -> None:
    first = answers(view(shown()), "a")[1][0]
    second = answers(view(shown(), decisions=1), "a")[1][0]
    assert first.decision_id != second.decision_id
    assert len(first.decision_id) <= 128


def failed(**changes: Any) -> Shown:  # noqa: ANN401  any field of a card
    return shown(phase="settled", status=Status.FAILED, verbs=(Verb.RETRY,), result="Exit code 1", **changes)


def test_failed_work_is_tried_again() -> None:
    after, (answer,) = press(view(failed()), "r", NOW)
    assert isinstance(answer, Decision)
    assert (answer.verb, answer.token, after.sent[0].decision.verb) == (Verb.RETRY, "token-abc", Verb.RETRY)
    assert press(after, "r", NOW)[1] == ()


def test_risky_work_is_tried_again_with_a_second_key() -> None:
    asked, intents = press(view(failed(risk=Risk.HIGH)), "r", NOW)
    assert (asked.mode, intents) == ("confirm", ())
    _, (answer,) = press(asked, "y", NOW)
    assert isinstance(answer, Decision)
    assert answer.verb is Verb.RETRY
    assert press(asked, "n", NOW)[1] == ()


def test_what_did_not_fail_is_not_tried_again() -> None:
    for card in (
        shown(),
        shown(phase="running", status=Status.CONFIRMED),
        shown(phase="settled", status=Status.EXECUTED),
    ):
        after, intents = press(view(card), "r", NOW)
        assert intents == ()
        assert "has not failed" in after.notices[-1].text


def test_a_card_that_came_under_the_finger_is_not_tried_again() -> None:
    assert press(view(failed(), focus_since=NOW), "r", NOW)[1] == ()


def test_where_a_yes_has_to_be_the_persons_own_the_screen_says_where() -> None:
    card = shown(in_person=True, risk=Risk.HIGH, verbs=(Verb.REJECT, Verb.SNOOZE, Verb.EDIT))
    after, sent = answers(view(card), "a", "y")
    assert (sent, after.mode) == ([], "cards")
    assert [one.text for one in after.notices] == ["Approve it on the page, or with `pulse approve pred_abc`."]
    assert "`pulse approve pred_abc`" in plain_text(render(view(card), 80, 24, NOW))


@pytest.mark.parametrize(("key", "verb"), [("f", Verb.FIX), ("g", Verb.IGNORE)])
def test_what_failed_is_handed_to_an_agent_or_put_aside(key: str, verb: Verb) -> None:
    card = replace(failed(), verbs=AFTER_FAILURE)
    after, sent = answers(view(card), key, key)
    assert [one.verb for one in sent] == [verb]
    assert after.notices[-1].text == "That was already sent."
    assert answers(view(shown()), key)[1] == []


def test_without_an_agent_the_key_says_so() -> None:
    after, sent = answers(view(replace(failed(), verbs=(Verb.RETRY, Verb.IGNORE))), "f")
    assert (sent, "No connected agent" in after.notices[-1].text) == ([], True)
