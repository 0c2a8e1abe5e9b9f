"""A card in a German chat is German throughout: also what the hub itself says of an agent's request."""

from datetime import UTC, date

import pytest

from hub.contract.permission import Lasts, PermissionOption
from hub.contract.phrasing import Phrasing
from hub.contract.runs import PlannedRun
from hub.contract.words import Verb
from hub.kit.chat.card import ChatCard
from hub.kit.chat.writing import ChatWriter, card_post
from hub.kit.phrase_files import phrases
from tests.kit.chat.a_chat import asking, now
from tests.kit.test_changed import CHANGED
from tests.surfaces.shown import OPEN_VERBS, prediction

GAPS = "It has long blank stretches: read to the end."
DAY = Phrasing(code="grant_end.day", day=date(2026, 6, 8))
LABEL = Phrasing(code="grant.label", values={"place": "shop"}, parts={"end": DAY}, about=Phrasing(code="grant.command"))


def test_what_the_hub_says_of_a_request_is_told_in_the_readers_language() -> None:
    label = "Allow this line word for word in shop, until 8 June 2026"
    ours = PermissionOption(id="pulse-1", label=label, lasts=Lasts.ALWAYS, label_worded=LABEL)
    worded = (Phrasing(code="unusual.gaps"), Phrasing(code="a.b"))
    asked = asking(unusual=(GAPS, "Plain."), unusual_worded=worded, options=(ours,))
    card = ChatCard(prediction=asked, opened_at=now(), verbs=(Verb.APPROVE, Verb.REJECT))
    post = card_post(card, ChatWriter(words=phrases("de"), zone=UTC, room=2_000, most=4_000))
    text = "\n".join(part.text for part in post.parts)
    assert "Neu hier: Darin sind große Lücken: Lies bis zum Ende." in text
    assert "Plain." in text, "what has no phrase is said as the hub says it"
    assert GAPS not in text
    assert any("Künftig diese Zeile Wort für" in one.label for row in post.rows for one in row)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Always asks, because some of the files"), ("de", "Fragt immer, weil nicht alle Dateien")],
)
def test_that_not_all_is_known_of_what_decides_is_told(language: str, said: str) -> None:
    runs = PlannedRun(summary="make test in shop", unclear="the Makefile asks a shell what it reads")
    card = ChatCard(prediction=prediction(runs=runs), opened_at=now(), verbs=OPEN_VERBS)
    post = card_post(card, ChatWriter(words=phrases(language), zone=UTC, room=2_000, most=4_000))
    assert any(said in part.text and runs.unclear in part.text for part in post.parts)


@pytest.mark.parametrize(
    ("language", "ran", "asked"), [("en", "Ran: ", "Asked: "), ("de", "Ausgeführt: ", "Angefragt: ")]
)
def test_what_a_person_changed_is_shown_as_it_ran_beside_what_was_asked(language: str, ran: str, asked: str) -> None:
    card = ChatCard(prediction=CHANGED, opened_at=now(), phase="settled")
    post = card_post(card, ChatWriter(words=phrases(language), zone=UTC, room=2_000, most=4_000))
    texts = [part.text for part in post.parts]
    assert texts[1:3] == [f"{ran}git status", f"{asked}git push --force"]
    assert not any("git push" in text for text in (*texts[:1], *texts[3:]))
