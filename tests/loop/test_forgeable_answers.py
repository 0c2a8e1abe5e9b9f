"""Beside a connected agent, a place whose login lies in the person's files says no and later, and hardly a yes."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionNew, PredictionSettled
from hub.contract.surface import CardDelivery, Decision, Verdict
from hub.contract.topics import DeviceAddress
from hub.contract.words import GRANTING, HumanInput, Origin, Risk, Status, Verb
from hub.domain.requests import DeviceDecision
from hub.domain.storage import MoveCard
from hub.domain.suggestion import Card
from hub.loop.events import AgentConnected
from hub.where import Grant, beside_agents, mint
from tests.fakes.world import World
from tests.loop.stage import DISCORD, HOUR, NOON, PROFILES, a_card, a_question, a_world, handed

NTFY = DeviceAddress(surface="ntfy", device="phone")
HOME = DeviceAddress(surface="homeassistant", device="home")
FORGEABLE = (NTFY, HOME)


async def press(world: World, at: DeviceAddress, card: Card, verb: Verb, token: str = "") -> Verdict:
    """Hand in what a button says; without its own token, one that the hub's key signs for any verb."""
    device = next(one for one in world.state.devices if one.surface == at.surface)
    grant = Grant(
        card_id=card.id,
        card_hash=card.card_hash,
        surface=at.surface,
        device=at.device,
        verbs=(verb,),
        expires_at=NOON + HOUR,
        pairing=device.pairing,
        round=card.round,
        attempt=card.attempts,
    )
    said = Decision(
        decision_id=f"{at}-{verb}",
        card_id=card.id,
        verb=verb,
        card_hash=card.card_hash,
        token=token or mint(world.state.secret, grant),
        human_input=HumanInput.TAP,
        at=NOON,
        shown="whole",
        prompt="Other words" if verb is Verb.EDIT else None,
        until=NOON + timedelta(minutes=30) if verb is Verb.SNOOZE else None,
    )
    await world.ask(DeviceDecision(sender=at, decision=said))
    return world.verdicts[-1][1]


def offered(delivery: CardDelivery) -> set[Verb]:
    return set(delivery.verbs)


@pytest.mark.parametrize("at", FORGEABLE, ids=str)
async def test_what_an_agent_asks_gets_no_yes_there(at: DeviceAddress) -> None:
    world = await a_world()
    await world.pair(at)
    await world.happen(AgentConnected())
    card = await a_question(world)
    assert not offered(handed(world, at)) & GRANTING
    assert Verb.REJECT in offered(handed(world, at))
    for verb in (Verb.APPROVE, Verb.EDIT):
        verdict = await press(world, at, card, verb)
        assert (verdict.accepted, verdict.code) == (False, "approve-in-pulse")
        assert verdict.message.endswith("Approve in Pulse.")
    assert (await world.card(card.id)).status is Status.PENDING


@pytest.mark.parametrize("at", FORGEABLE, ids=str)
async def test_a_button_that_was_offered_before_the_agent_came_gives_no_yes_either(at: DeviceAddress) -> None:
    world = await a_world()
    await world.pair(at)
    card = await a_question(world)
    before = handed(world, at)
    assert Verb.APPROVE in before.verbs
    await world.happen(AgentConnected())
    assert (await press(world, at, card, Verb.APPROVE, before.token)).code == "approve-in-pulse"


@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.SNOOZE])
async def test_no_and_later_count_there(verb: Verb) -> None:
    world = await a_world()
    await world.pair(HOME)
    await world.happen(AgentConnected())
    card = await a_question(world)
    assert (await press(world, HOME, card, verb)).accepted


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.EDIT])
async def test_a_suggestion_in_others_words_gets_no_yes_there(verb: Verb) -> None:
    world = await a_world()
    await world.pair(HOME)
    await world.happen(AgentConnected())
    card = await a_card(world)
    assert card.proposal.origin not in {Origin.PULSE, Origin.CHOSEN}
    assert not offered(handed(world, HOME)) & GRANTING
    assert (await press(world, HOME, card, verb)).code == "approve-in-pulse"
    assert world.jobs == []


async def its_own(world: World, risk: Risk = Risk.LOW) -> Card:
    """Put a card before the person that Pulse itself worded."""
    card = await a_card(world)
    proposal = replace(card.proposal, origin=Origin.PULSE, quotes=(), risk=risk)
    own = replace(card, proposal=proposal, version=card.version + 1)
    stored = MoveCard(card=own, expect_version=card.version, expect_status=card.status)
    await world.store.commit([(stored,)])
    return own


@pytest.mark.parametrize(("risk", "is_taken"), [(Risk.LOW, True), (Risk.MEDIUM, False)])
async def test_what_pulse_itself_worded_is_approved_there_at_low_risk(risk: Risk, *, is_taken: bool) -> None:
    world = await a_world()
    await world.pair(HOME)
    await world.happen(AgentConnected())
    card = await its_own(world, risk)
    assert (await press(world, HOME, card, Verb.APPROVE)).accepted is is_taken


async def test_nor_is_it_changed_there() -> None:
    world = await a_world()
    await world.pair(HOME)
    await world.happen(AgentConnected())
    assert (await press(world, HOME, await its_own(world), Verb.EDIT)).code == "approve-in-pulse"


async def test_nothing_is_undone_there() -> None:
    """An undo gives back what was taken away, and starts work that takes back a commit."""
    world = await a_world()
    await world.pair(HOME)
    await world.happen(AgentConnected())
    card = await a_card(world)
    await world.answer(card, Verb.REJECT)
    assert Verb.UNDO not in offered(handed(world, HOME, PredictionSettled))
    assert (await press(world, HOME, await world.card(card.id), Verb.UNDO)).code == "approve-in-pulse"


@pytest.mark.parametrize("at", [*FORGEABLE, DISCORD], ids=str)
async def test_without_an_agent_all_is_as_before(at: DeviceAddress) -> None:
    world = await a_world()
    await world.pair(at)
    card = await a_question(world)
    assert Verb.APPROVE in handed(world, at).verbs
    assert (await press(world, at, card, Verb.APPROVE)).accepted


async def test_where_an_answer_is_proven_an_agent_changes_nothing() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await world.happen(AgentConnected())
    card = await a_question(world, risk=Risk.MEDIUM)
    assert Verb.APPROVE in handed(world, DISCORD, PredictionNew).verbs
    assert (await press(world, DISCORD, card, Verb.APPROVE)).accepted


def test_it_is_the_two_whose_login_is_all_that_is_asked_for() -> None:
    assert {name for name, one in beside_agents(PROFILES).items() if one.own_ideas_only} == {"ntfy", "homeassistant"}


def test_who_was_allowed_to_approve_there_may() -> None:
    allowed = {name: replace(one, login_in_files=False) for name, one in PROFILES.items()}
    assert beside_agents(allowed) == allowed
