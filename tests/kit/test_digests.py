"""A digest taken apart: each card comes as if it had come alone, with its own leave to be answered."""

from hub.contract.events import DigestReady, PredictionNew
from hub.contract.surface import DigestItem
from hub.contract.words import Verb
from hub.kit.digests import cards_of
from tests.surfaces.shown import OPEN_VERBS, delivery, prediction

FIRST, SECOND = prediction(), prediction("Push it", card_id="card_2")


def item(number: int, *verbs: Verb) -> DigestItem:
    return DigestItem(delivery_id=f"dlv_{number}", card_id=f"card_{number}", verbs=verbs, token=f"t{number}")


def test_each_card_of_a_digest_comes_silently_with_its_own_token() -> None:
    event = DigestReady(digest_id="dg", cards=(FIRST, SECOND))
    whole = delivery(event, token="", verbs=(), items=(item(2, Verb.REJECT), item(1, *OPEN_VERBS)))
    first, second = cards_of(whole)
    assert (first.event, first.token, first.delivery_id) == (PredictionNew(prediction=FIRST), "t1", "dlv_1")
    assert (second.verbs, second.loudness, second.items) == ((Verb.REJECT,), "silent", ())


def test_a_card_without_leave_to_be_answered_is_left_out_and_what_is_no_digest_has_none() -> None:
    assert cards_of(delivery(DigestReady(digest_id="dg", cards=(FIRST,)))) == ()
    assert cards_of(delivery()) == ()
