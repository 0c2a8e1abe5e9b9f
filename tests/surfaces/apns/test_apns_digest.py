"""Several suggestions in one notification: its lines, the leave to answer each, within 4,096 bytes."""

import json
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.alone import AwaySummary
from hub.contract.api import Prediction
from hub.contract.events import DIGEST_CARDS_MAX, DigestReady
from hub.contract.permission import Act, Permission
from hub.contract.surface import CardDelivery, DigestItem, Privacy
from hub.kit.text import ELLIPSIS
from surfaces.apns.board import Board
from surfaces.apns.push import PAYLOAD_BYTES_MAX
from surfaces.apns.render import render_alert
from tests.surfaces.apns.cards import delivery, prediction, status, to
from tests.surfaces.apns.standin.rules import payload_faults
from tests.surfaces.shown import NOW, OPEN_VERBS, TOKEN

AWAY = AwaySummary(says="…", since=NOW - timedelta(hours=2), until=NOW, alone=2, approved=1)
REAL_TOKEN = TOKEN + "t" * 130
"""As long as those that the hub signs."""


def digest(*cards: Prediction, more: int = 0, away: AwaySummary | None = None, **changes: Any) -> CardDelivery:  # noqa: ANN401  a delivery's fields
    items = tuple(
        DigestItem(delivery_id=f"dlv_{card.id}", card_id=card.id, verbs=OPEN_VERBS, token=REAL_TOKEN) for card in cards
    )
    event = DigestReady(digest_id="dg_1", cards=cards, more=more, away=away)
    return delivery(event, verbs=(), token="", items=items, **changes)


def some(number: int, prompt: str = "Run the tests") -> tuple[Prediction, ...]:
    return tuple(prediction(f"{prompt} {n}", card_id=f"pred_{n}", card_hash="h" * 32) for n in range(1, number + 1))


def said(card: CardDelivery, *, surface: str = "phone", lang: str = "en") -> dict[str, Any]:
    push = render_alert(surface, card, to(lang=lang), was_shown=False, at=NOW, now=NOW)
    assert push is not None
    assert len(push.payload) <= PAYLOAD_BYTES_MAX
    assert payload_faults("alert", push.payload) == []
    shown: dict[str, Any] = json.loads(push.payload)
    return shown


def test_it_lists_what_happened_and_what_waits_in_the_language_of_the_device() -> None:
    card = digest(*some(2), more=1, away=AWAY)
    alert = said(card)["aps"]["alert"]
    assert alert["title"] == "🔮 3 things are waiting for you"
    assert alert["body"].split("\n") == [
        "While you were away (2 h): 2 done on autopilot, 1 approved by you.",
        "1. Run the tests 1",
        "2. Run the tests 2",
        "and one more",
    ]
    assert said(card, lang="de")["aps"]["alert"]["title"] == "🔮 3 Dinge warten auf dich"


def test_each_card_has_its_own_leave_in_the_order_of_the_lines() -> None:
    shown = said(digest(*some(3)))
    assert [item["predictionId"] for item in shown["items"]] == ["pred_1", "pred_2", "pred_3"]
    assert shown["items"][0]["actions"] == ["approve", "reject", "snooze"]
    assert (shown["items"][0]["token"], shown["aps"]["category"]) == (REAL_TOKEN, "CROSSPOLL_DIGEST")
    assert "token" not in shown


def test_of_requests_that_are_alike_each_short_one_is_approved_in_its_line() -> None:
    asked = Permission(
        agent="claude-code", tool="Bash", act=Act.COMMAND, text="rm -rf build", folder="/home/anna/shop", target="build"
    )
    plain, odd = (
        prediction(asked.text, card_id=f"pred_{place}", card_hash="h" * 32, permission=replace(asked, unusual=unusual))
        for place, unusual in enumerate(((), ("A folder that it does not run in.",)))
    )
    card = digest(plain, odd)
    alike = replace(card, event=DigestReady(digest_id="alike_pred_0", alike="kind", cards=(plain, odd)))
    shown = said(alike)
    assert shown["aps"]["alert"]["title"] == "🔮 2 similar requests"
    assert shown["aps"]["alert"]["body"].startswith("Claude wants to run a command in shop\n1. rm -rf build")
    assert [item["actions"] for item in shown["items"]] == [["approve", "reject", "snooze"], ["reject", "snooze"]]
    assert [item["actions"] for item in said(card)["items"]] == [["reject", "snooze"]] * 2


def test_of_eight_the_first_that_fit_whole_can_be_answered_and_all_are_listed() -> None:
    shown = said(digest(*some(DIGEST_CARDS_MAX, "Update the lock file of the workspace")))
    assert 3 <= len(shown["items"]) < DIGEST_CARDS_MAX
    assert all(item["token"] == REAL_TOKEN for item in shown["items"])
    assert shown["aps"]["alert"]["body"].count("\n") == DIGEST_CARDS_MAX - 1


def test_lines_that_fill_the_message_leave_no_card_to_answer() -> None:
    shown = said(digest(*some(DIGEST_CARDS_MAX, "\U0001f469\u200d\U0001f680" * 120)))
    assert "items" not in shown
    assert shown["aps"]["alert"]["body"]


def test_nobody_approves_a_line_that_was_cut() -> None:
    shown = said(digest(prediction("word " * 60)))
    assert shown["aps"]["alert"]["body"].endswith(ELLIPSIS)
    assert shown["items"][0]["actions"] == ["reject", "snooze"]


@pytest.mark.parametrize("privacy", ["title", "nothing"])
def test_what_others_may_not_see_is_not_sent_and_cannot_be_answered(privacy: Privacy) -> None:
    shown = said(digest(*some(2), away=AWAY, privacy=privacy))
    assert "items" not in shown
    assert "Run" not in json.dumps(shown)
    assert "away" not in json.dumps(shown)


@pytest.mark.parametrize("surface", ["phone", "watch"])
def test_what_happened_meanwhile_is_shown_silently(surface: str) -> None:
    shown = said(digest(away=AWAY, loudness="silent"), surface=surface)
    assert shown["aps"]["alert"]["title"] == "👋 While you were away"
    assert (shown["aps"]["interruption-level"], "sound" in shown["aps"], "haptic" in shown) == ("passive", False, False)


def test_the_watch_keeps_the_leave_to_answer_each_card() -> None:
    board, cards = Board(), some(2)
    board.start(status(), cards, NOW)
    board.grant("wrist", digest(*cards))
    assert {card.id: (card.token, card.verbs) for card in board.face("wrist").cards} == {
        card.id: (REAL_TOKEN, OPEN_VERBS) for card in cards
    }
