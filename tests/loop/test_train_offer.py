"""A training that is due: a card with what is sent and what it costs, a person's yes, a model, and the way back."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.words import Risk, Status, Verb
from hub.domain.lessons import MarkExported
from hub.domain.policy import Policy, TwinService
from hub.domain.storage import AddCard
from hub.domain.suggestion import Card
from hub.domain.training import TrainingOffer
from hub.loop.commands import Command, StopTraining, TrainModel
from hub.loop.events import ModelTrained, TrainingDue
from hub.loop.train_offer import BEGUN, KIND, STOPPED
from tests.fakes.world import World
from tests.loop.stage import NOON, a_policy, a_world, refused, taken

OFFER = TrainingOffer(
    url="https://api.example.org",
    model="me/base",
    epochs=1,
    pairs=60,
    through=61,
    size_bytes=48_000,
    sha256="ab" * 32,
    price_microusd=50_000,
)
WEEK = timedelta(days=7)
SERVICE = TwinService(name="first", url="http://127.0.0.1:1", model="base")


def where_it_may(pending_max: int = 100) -> Policy:
    return a_policy(dpo_export=True, twins=(SERVICE,), pending_max=pending_max)


class Seen:
    """The commands of a world that are for the trainer."""

    def __init__(self, world: World) -> None:
        self.commands: list[Command] = []
        world.holding = self.hold

    def hold(self, command: Command) -> bool:
        if isinstance(command, TrainModel | StopTraining):
            self.commands.append(command)
            return True
        return False


async def offers(world: World) -> list[Card]:
    made = [change.card.id for change in world.changes if isinstance(change, AddCard)]
    cards = [await world.card(card_id) for card_id in made]
    return [card for card in cards if card.training is not None]


async def offered(world: World, offer: TrainingOffer = OFFER) -> Card:
    await world.happen(TrainingDue(offer=offer))
    return (await offers(world))[-1]


async def agreed(world: World) -> Card:
    card = await offered(world)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    return await world.card(card.id)


async def test_the_card_says_what_is_sent_where_to_and_what_it_costs_and_begins_nothing() -> None:
    world = await a_world(where_it_may())
    seen = Seen(world)
    card = await offered(world)
    proposal = card.proposal
    assert card.prompt == "Train a model on 60 pairs of your answers at api.example.org, for about $0.05?"
    assert "48,000 bytes" in proposal.details
    assert "me/base" in proposal.details
    assert (proposal.risk, proposal.kind, proposal.cost_estimate_microusd) == (Risk.HIGH, KIND, 50_000)
    assert seen.commands == []


async def test_a_yes_begins_it_and_its_model_is_asked_until_that_is_undone() -> None:
    world = await a_world(where_it_may())
    seen = Seen(world)
    card = await agreed(world)
    assert (card.status, card.outcome) == (Status.CONFIRMED, BEGUN)
    assert seen.commands == [TrainModel(card_id=card.id, offer=OFFER)]
    assert world.state.mind.ledger.spending.day_microusd == 50_000
    await world.happen(ModelTrained(card_id=card.id, name="me/base-pulse-1"))
    done = await world.card(card.id)
    assert (done.status, world.state.policy.twins[0].model) == (Status.EXECUTED, "me/base-pulse-1")
    assert [one.through for one in world.changes if isinstance(one, MarkExported)] == [OFFER.through]
    taken(await world.answer(done, Verb.UNDO, in_person=True))
    assert world.state.policy.twins[0].model == "base"
    assert (await world.card(card.id)).undone


async def test_one_that_fails_says_why_and_changes_nothing() -> None:
    world = await a_world(where_it_may())
    Seen(world)
    card = await agreed(world)
    await world.happen(ModelTrained(card_id=card.id, wrong="It would cost $9.00; you agreed to $0.05."))
    failed = await world.card(card.id)
    assert (failed.status, failed.outcome) == (Status.FAILED, "It would cost $9.00; you agreed to $0.05.")
    assert world.state.policy.twins[0].model == "base"


@pytest.mark.parametrize("verb", [Verb.UNDO, Verb.STOP])
async def test_one_under_way_can_be_stopped_and_what_comes_of_it_later_counts_for_nothing(verb: Verb) -> None:
    world = await a_world(where_it_may())
    seen = Seen(world)
    card = await agreed(world)
    taken(await world.answer(card, verb, in_person=True))
    stopped = await world.card(card.id)
    assert (stopped.status, stopped.outcome, seen.commands[-1]) == (
        Status.CANCELLED,
        STOPPED,
        StopTraining(card_id=card.id),
    )
    await world.happen(ModelTrained(card_id=card.id, name="me/late"))
    assert world.state.policy.twins[0].model == "base"


async def test_a_yes_that_may_be_a_programs_begins_nothing() -> None:
    world = await a_world(where_it_may())
    seen = Seen(world)
    card = await offered(world)
    assert refused(await world.answer(card, Verb.APPROVE)).code == "yes-of-your-own"
    other = replace(card, card_hash="0" * 32)
    assert refused(await world.answer(other, Verb.APPROVE, in_person=True)).code in {"yes-of-your-own", "card-changed"}
    assert refused(await world.answer(card, Verb.EDIT, prompt="Send all", in_person=True)).code == "not-editable"
    assert seen.commands == []


async def test_another_file_or_price_is_another_card() -> None:
    hashes = set()
    for changed in (
        {},
        {"sha256": "cd" * 32},
        {"price_microusd": 60_000},
        {"model": "me/other"},
        {"url": "https://x.org"},
    ):
        world = await a_world(where_it_may())
        hashes.add((await offered(world, replace(OFFER, **changed))).card_hash)
    assert len(hashes) == 5


@pytest.mark.slow
async def test_who_says_no_is_asked_again_by_the_schedule_and_not_sooner() -> None:
    world = await a_world(where_it_may())
    taken(await world.answer(await offered(world), Verb.REJECT))
    await world.happen(TrainingDue(offer=replace(OFFER, pairs=70)))
    assert len(await offers(world)) == 1
    await world.happen(TrainingDue(offer=replace(OFFER, pairs=160)))
    assert len(await offers(world)) == 2
    await world.until(NOON + 2 * WEEK)
    await world.happen(TrainingDue(offer=replace(OFFER, pairs=160)))
    assert len(await offers(world)) == 2
    await world.happen(TrainingDue(offer=replace(OFFER, pairs=161)))
    assert len(await offers(world)) == 3


async def test_nothing_is_offered_where_it_is_not_wanted() -> None:
    for policy in (a_policy(), where_it_may(pending_max=0)):
        world = await a_world(policy)
        await world.happen(TrainingDue(offer=OFFER))
        assert await offers(world) == []
    world = await a_world(where_it_may())
    taken(await world.answer(await offered(world), Verb.NEVER, in_person=True))
    await world.happen(TrainingDue(offer=replace(OFFER, pairs=500)))
    assert len(await offers(world)) == 1


async def test_it_teaches_nothing_about_what_is_suggested() -> None:
    world = await a_world(where_it_may())
    taken(await world.answer(await offered(world), Verb.REJECT))
    assert world.state.mind.lessons.rejected == ()
