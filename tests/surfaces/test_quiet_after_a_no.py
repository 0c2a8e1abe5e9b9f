"""What follows from a no stands on the card where it was dismissed, on each surface that settles it in place."""

from datetime import UTC, timedelta

import pytest

from hub.contract.phrasing import Phrasing
from hub.contract.words import Status, Verb
from hub.kit.chat.card import ChatCard
from hub.kit.chat.writing import ChatWriter, card_post
from hub.kit.phrase_files import phrases
from hub.kit.wordings import follows_said
from hub.loop.mutes import QUIET_CODE, QUIET_NOW
from surfaces.terminal.view import Shown
from surfaces.terminal.words import state_line
from tests.surfaces.shown import NOW, prediction, settlement

DISMISSED = prediction(
    status=Status.REJECTED,
    settled=settlement(Verb.REJECT),
    outcome=QUIET_NOW,
    outcome_worded=Phrasing(code=QUIET_CODE),
)


@pytest.mark.parametrize(("language", "said"), [("en", QUIET_NOW), ("de", "Ab jetzt still")])
def test_a_chat_says_it_in_its_language(language: str, said: str) -> None:
    card = ChatCard(prediction=DISMISSED, opened_at=NOW, phase="settled")
    post = card_post(card, ChatWriter(words=phrases(language), zone=UTC, room=2_000, most=4_000))
    assert any(part.text.startswith(said) for part in post.parts)


def test_the_terminal_says_it_behind_who_dismissed_it() -> None:
    line, _ = state_line(
        Shown(prediction=DISMISSED, opened_at=NOW, phase="settled", since=NOW), NOW + timedelta(minutes=1)
    )
    assert line.endswith(QUIET_NOW)


def test_of_other_noes_and_other_ends_nothing_follows() -> None:
    plain = prediction(status=Status.REJECTED, settled=settlement(Verb.REJECT))
    failed = prediction(status=Status.FAILED, outcome="exit code 1")
    assert [follows_said(one, phrases("en")) for one in (plain, failed)] == ["", ""]
