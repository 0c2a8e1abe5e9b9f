"""A digest: what waits is told at once, each card with its own token, and is answered by itself."""

from msgspec.structs import replace

from hub.contract.events import DIGEST_CARDS_MAX, DigestReady, PredictionSettled
from hub.contract.surface import CardDelivery, Decision
from hub.contract.words import HumanInput, Risk, Status, Verb
from hub.domain.moment import Change
from hub.domain.requests import DeviceDecision, DigestGiven, GiveDigest
from hub.domain.storage import DeliveryById
from hub.kit.digests import cards_of
from hub.loop.digests import NOTE_AFTER, digest_of
from hub.loop.events import Changed
from hub.loop.views import prediction_of
from tests.fakes.world import World
from tests.loop.stage import DISCORD, HOUR, NOON, PHONE, a_card, a_question, a_world, handed, taken
from tests.loop.test_open_again import NEXT, an_open_card


async def given(world: World) -> DigestReady:
    reply = await world.ask(GiveDigest())
    assert isinstance(reply, DigestGiven)
    return reply.digest


def decision(delivery: CardDelivery, verb: Verb, key: str = "d1") -> Decision:
    card = delivery.event.prediction  # type: ignore[union-attr]  # a card of a digest
    return Decision(
        decision_id=key,
        card_id=card.id,
        verb=verb,
        card_hash=card.card_hash,
        token=delivery.token,
        human_input=HumanInput.TAP,
        at=NOON,
    )


async def test_what_waits_is_told_at_once_with_questions_first() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card, question = await a_card(world), await a_question(world)
    made = await given(world)
    assert [one.id for one in made.cards] == [question.id, card.id]
    delivery = handed(world, PHONE, DigestReady)
    assert (delivery.event, delivery.loudness, delivery.token) == (made, "notify", "")
    assert delivery.expires_at == max(card.expires_at, question.expires_at)


async def test_each_card_of_a_digest_is_answered_by_its_own_token_and_the_first_answer_wins() -> None:
    world = await a_world()
    await world.pair(PHONE, DISCORD)
    one, other = await a_card(world), await a_card(world, "Write a note")
    await given(world)
    on_phone = {item.event.prediction.id: item for item in cards_of(handed(world, PHONE, DigestReady))}  # type: ignore[union-attr]  # new
    elsewhere = {item.event.prediction.id: item for item in cards_of(handed(world, DISCORD, DigestReady))}  # type: ignore[union-attr]  # new
    crossed = decision(on_phone[one.id], Verb.REJECT)
    stolen = decision(on_phone[other.id], Verb.REJECT, "d0")
    await world.ask(DeviceDecision(sender=DISCORD, decision=stolen))
    await world.ask(DeviceDecision(sender=PHONE, decision=crossed))
    await world.ask(DeviceDecision(sender=DISCORD, decision=decision(elsewhere[one.id], Verb.APPROVE, "d2")))
    assert [verdict.accepted for _, verdict in world.verdicts] == [False, True, False]
    assert (await world.card(one.id)).status is Status.REJECTED
    assert (await world.card(other.id)).status is Status.PENDING
    undoing = handed(world, PHONE, PredictionSettled)
    assert Verb.UNDO in undoing.verbs


async def test_the_ledger_has_an_entry_for_each_card() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    await given(world)
    (item,) = handed(world, PHONE, DigestReady).items
    entry = await world.store.read(DeliveryById(user=world.state.user, delivery_id=item.delivery_id))
    assert entry is not None
    assert (entry.card_id, entry.event_type) == (card.id, "digest.ready")


async def test_a_digest_offers_what_each_card_would_offer_alone() -> None:
    world = await a_world()
    await world.pair(PHONE)
    await a_question(world, risk=Risk.HIGH)
    alone = handed(world, PHONE).verbs
    await given(world)
    assert handed(world, PHONE, DigestReady).items[0].verbs == alone


async def test_more_than_eight_are_counted_and_what_was_snoozed_is_left_out() -> None:
    world = await a_world()
    for number in range(DIGEST_CARDS_MAX + 2):
        await a_question(world, key=f"q{number}")
    taken(await world.answer(await a_card(world), Verb.SNOOZE))
    made = await given(world)
    assert (len(made.cards), made.more) == (DIGEST_CARDS_MAX, 2)


async def test_cards_that_would_fill_a_message_wait_for_the_next() -> None:
    world = await a_world()
    long = [await a_question(world, key=f"q{number}") for number in range(3)]
    views = [replace(prediction_of(card, world.state.policy), details="\x01" * 20_000) for card in long]
    made = digest_of(views, "dg")
    assert (len(made.cards), made.more) == (1, 2)
    assert len(digest_of(views[:1] * 2, "dg").cards) == 1
    assert len(digest_of([replace(one, details="") for one in views], "dg").cards) == 3


async def test_nobody_is_told_of_nothing() -> None:
    world = await a_world()
    assert (await given(world)).cards == ()
    assert world.told(DigestReady) == []


async def test_who_comes_back_is_told_silently_what_happened() -> None:
    world, _ = await an_open_card()
    await world.pair(PHONE)
    await world.until(NEXT)
    await world.happen(Changed(change=Change.EDIT))
    assert world.told(DigestReady) == []  # what waits for a return would come now, and say it
    await world.until(NEXT + NOTE_AFTER)
    (note,) = world.told(DigestReady)
    assert isinstance(note, DigestReady)
    assert (note.cards, note.away is None) == ((), False)
    assert handed(world, PHONE, DigestReady).loudness == "silent"
    await world.until(NEXT + HOUR)
    assert len(world.told(DigestReady)) == 1


async def test_the_first_digest_after_a_return_says_what_happened_and_only_who_asks_hears_it_again() -> None:
    world, _ = await an_open_card()
    await world.until(NEXT)
    await world.happen(Changed(change=Change.EDIT))
    assert (await given(world)).away is not None
    await world.until(NEXT + NOTE_AFTER)
    assert len(world.told(DigestReady)) == 1
    assert (await given(world)).away is not None
