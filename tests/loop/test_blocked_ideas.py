"""An idea that a budget or a loop kept from being done is not spent: it comes again when the reason is over."""

from msgspec.structs import replace

from hub.contract.api import TriggerAnswer
from hub.contract.words import Status, Verb
from hub.domain.judgement import ChainLink, Ledger
from hub.domain.mind import Mind
from hub.domain.policy import USD, Caps
from hub.domain.readings import GitReading, Reading
from hub.domain.requests import Resume, Trigger
from hub.domain.storage import SaveMind
from tests.fakes.world import World, a_state
from tests.loop.stage import HOUR, NOON, PROFILES, a_card, a_policy, a_world
from tests.loop.test_cycle import changed_tests, trigger

POOR = Caps(hour_microusd=USD // 100)


def red_ci() -> Reading:
    """Return what takes an agent, whose run counts; a playbook's costs nothing."""
    reading = changed_tests()
    assert isinstance(reading.body, GitReading)
    failing = replace(reading.body.repositories[0], changed_modules=(), ci="failed")
    return replace(reading, body=GitReading(repositories=(failing,)))


async def test_over_the_budget_it_is_proposed_again_once_there_is_room() -> None:
    world = await a_world(a_policy(caps=POOR))
    world.readings["git"] = red_ci()
    blocked = await trigger(world)
    assert blocked.prediction is not None
    assert blocked.prediction.status is Status.CANCELLED
    rich = replace(world.state.policy, caps=Caps())
    world.restart_with(rich)
    await world.reopen()
    await world.ask(Resume())
    again = [card for card in await world.cards() if card.prompt == blocked.prediction.prompt]
    assert [card.status for card in again] == [Status.PENDING]


async def test_after_a_loop_it_is_proposed_by_the_next_cycle_of_its_own() -> None:
    link = ChainLink(from_channel="koji-core", to_channel="koji-core", card_id="pred_x", at=NOON, depth=2)
    policy = replace(a_policy(), channels=a_policy().channels[:1])
    world = World(a_state(policy, PROFILES), NOON)
    await world.store.commit([(SaveMind(user="me", mind=Mind(ledger=Ledger(links=(link,)))),)])
    await world.open()
    card = await a_card(world)
    world.readings["git"] = changed_tests()
    await world.answer(card, Verb.APPROVE)
    blocked = [move.card for move in world.moves if move.card.status is Status.CANCELLED]
    assert len(blocked) == 1
    await world.until(NOON + HOUR)
    assert [card.prompt for card in await world.cards()] == [blocked[0].prompt]


async def test_what_the_content_filter_blocked_stays_spent() -> None:
    world = await a_world()
    first = await world.ask(Trigger(hint="rm -rf / --no-preserve-root", force=True))
    assert isinstance(first, TriggerAnswer)
    assert len(world.state.known) == 1
