"""An agent's question on a phone and a watch: answered by the number of a choice or in own words, or said where."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.address import ApnsAddress
from hub.contract.api import Prediction
from hub.contract.events import PredictionNew
from hub.contract.words import Verb
from surfaces.apns.category import CATEGORIES, VERSION
from surfaces.apns.render import render_alert
from tests.surfaces.apns.cards import PHONE_TOKEN, delivery, to
from tests.surfaces.apns.test_apns_phone import phone, said
from tests.surfaces.shown import NOW, TOKEN, hubs_own_question, question

NEWEST = ApnsAddress(token=PHONE_TOKEN, categories=VERSION)
QUESTION_VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE)


def asked(card: Prediction, address: ApnsAddress = NEWEST, **changes: object) -> dict[str, Any]:
    return said(phone(delivery(PredictionNew(prediction=card), **{"verbs": QUESTION_VERBS, **changes}), address))


def buttons(shown: dict[str, Any]) -> list[str]:
    """What can be pressed: the identifiers of the notification's category."""
    name = shown["aps"].get("category", "")
    return next(([one.identifier for one in kind.actions] for kind in CATEGORIES if kind.name == name), [])


@pytest.mark.parametrize(
    ("card", "pressed"),
    [
        (question("Red"), ["CHOICE_1", "ANSWER", "REJECT"]),
        (question("Red", "Blue"), ["CHOICE_1", "CHOICE_2", "ANSWER", "REJECT"]),
        (question("Red", "Blue", own_words=False), ["CHOICE_1", "CHOICE_2", "REJECT"]),
        (question("Red", "Blue", "Green"), ["CHOICE_1", "CHOICE_2", "CHOICE_3", "ANSWER"]),
        (question(*"abcd"), ["CHOICE_1", "CHOICE_2", "CHOICE_3", "CHOICE_4"]),
        (question(), ["ANSWER", "REJECT"]),
    ],
)
def test_a_question_is_answered_by_the_numbers_of_its_choices_or_in_own_words(
    card: Prediction, pressed: list[str]
) -> None:
    shown = asked(card)
    assert card.permission is not None
    labels = [one.label for one in card.permission.questions[0].choices]
    assert (buttons(shown), shown["question"], shown.get("choices", [])) == (pressed, "q1", labels)
    body = shown["aps"]["alert"]["body"]
    assert body.startswith("\n".join(["Which colour?", *(f"{at}. {one}" for at, one in enumerate(labels, start=1))]))
    assert ("on the page and in `pulse watch`" in body) is (len(labels) == 4)
    assert (shown["actions"][0], shown["token"]) == ("approve", TOKEN)


def test_what_a_choice_means_stands_beside_its_number() -> None:
    card = question("Yes", "No", own_words=False)
    assert card.permission is not None
    (one,) = card.permission.questions
    choices = (replace(one.choices[0], description="and wipe the disk"), one.choices[1])
    whole = replace(one, heading="Cache", choices=choices)
    shown = asked(replace(card, permission=replace(card.permission, questions=(whole,))))
    assert shown["aps"]["alert"]["body"] == "Cache\nWhich colour?\n1. Yes: and wipe the disk\n2. No"


@pytest.mark.parametrize(
    "card",
    [
        question(*"abcde"),
        question("Red", "Blue", several=True),
        question("Red", "Blue", count=2),
        question("R" * 1_500, "B" * 1_500),
    ],
)
def test_a_question_that_no_button_answers_says_first_where_it_is_answered(card: Prediction) -> None:
    shown = asked(card)
    assert shown["aps"]["alert"]["body"].startswith("Answer it on the page or in `pulse watch`\nWhich colour?")
    assert buttons(shown) == ["REJECT", "SNOOZE"]
    assert not {"question", "choices"} & shown.keys()


def test_an_app_that_knows_no_numbers_is_offered_no_answer_and_nobody_a_plain_yes() -> None:
    card = question("Red", "Blue")
    for address in (ApnsAddress(token=PHONE_TOKEN), ApnsAddress(token=PHONE_TOKEN, categories=1)):
        assert buttons(asked(card, address)) == ["REJECT", "SNOOZE"]
    for privacy in ("title", "nothing"):
        shown = asked(card, privacy=privacy)
        assert "CHOICE_1" not in buttons(shown)
        assert not {"question", "choices"} & shown.keys()
        assert "Red" not in json.dumps(shown)


def test_a_watch_takes_no_own_words_and_says_where_they_are_written() -> None:
    event = PredictionNew(prediction=question("Red", "Blue"))
    card = delivery(event, verbs=QUESTION_VERBS)
    push = render_alert("watch", card, to(NEWEST), was_shown=True, at=NOW, now=NOW)
    assert push is not None
    shown = said(push)
    assert buttons(shown) == ["CHOICE_1", "CHOICE_2", "REJECT"]
    assert shown["aps"]["alert"]["body"].endswith("All answers are on the page and in `pulse watch`")


@given(st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=4, unique=True), st.integers(900, 4_096))
def test_the_labels_behind_the_numbers_are_whole_or_not_there(labels: list[str], bytes_max: int) -> None:
    card = delivery(PredictionNew(prediction=question(*labels)), verbs=QUESTION_VERBS)
    shown = said(phone(card, NEWEST, bytes_max=bytes_max))
    assert shown.get("choices") in (None, labels)
    assert ("CHOICE_1" in buttons(shown)) is ("choices" in shown)


def test_choices_of_the_hubs_own_are_told_in_the_language_of_the_device_and_answered_as_they_are() -> None:
    card = delivery(PredictionNew(prediction=hubs_own_question()), verbs=QUESTION_VERBS)
    shown = said(phone(card, NEWEST, lang="de"))
    assert "1. Ja, es ist erledigt\n2. Noch nicht" in shown["aps"]["alert"]["body"]
    assert shown["choices"] == ["Yes, it's done", "Not yet"]
