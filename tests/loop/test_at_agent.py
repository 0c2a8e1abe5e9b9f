"""Presence at an agent's own terminal: its dialog comes first, then everything else makes a sound."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionNew, PredictionSettled
from hub.contract.surface import Loudness
from hub.contract.words import Status, Verb
from hub.domain.at_agent import AtAgent, AtAgentSeen, LookAtAgent
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.suggestion import Card
from hub.loop.at_agent import STAYS
from tests.fakes.world import World
from tests.loop.stage import DISCORD, a_policy, a_world, taken
from tests.loop.test_permissions import COMMAND, asking

HERE = AtAgent(asker=LOCAL_CLIENT, agent="claude-code", session="s1")
LOOK = LookAtAgent(asker=LOCAL_CLIENT, agent="claude-code", session="s1")


def sounds(world: World) -> list[Loudness]:
    """Return how loudly Discord was told of new cards, in order."""
    return [
        one.loudness
        for _, address, one in world.deliveries
        if address == DISCORD and isinstance(one.event, PredictionNew)
    ]


async def asked(world: World, key: str = "k1") -> Card:
    return await world.card(taken(await world.ask(asking(COMMAND, key=key))).prediction.id)


async def before_the_agent() -> World:
    world = await a_world()
    await world.pair(DISCORD)
    await world.ask(HERE)
    return world


async def test_before_the_agent_nothing_else_buzzes_at_first_and_then_it_does() -> None:
    world = await before_the_agent()
    card = await asked(world)
    assert (sounds(world), card.held is not None, card.status) == ([], True, Status.PENDING)
    assert len(world.told(PredictionNew)) == 1, "a page shows it at once"
    await world.until(world.now + timedelta(seconds=60))
    assert len(sounds(world)) == 1
    assert sounds(world)[0] != "silent"
    assert (await world.card(card.id)).held is None


async def test_what_is_answered_in_time_is_never_heard() -> None:
    world = await before_the_agent()
    card = await asked(world)
    taken(await world.answer(card, Verb.APPROVE))
    await world.until(world.now + timedelta(seconds=60))
    assert sounds(world) == []
    assert len(world.told(PredictionSettled)) == 1


@pytest.mark.parametrize("gone", [replace(HERE, session="s2"), replace(HERE, agent="codex")])
async def test_before_another_agent_everything_buzzes_at_once(gone: AtAgent) -> None:
    world = await a_world()
    await world.pair(DISCORD)
    await world.ask(gone)
    await asked(world)
    assert len(sounds(world)) == 1


async def test_another_programs_word_keeps_nothing_quiet() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    mine, other = ("local_agent#7-70", "local_agent#")
    await world.ask(AtAgent(asker=other, agent="claude-code", session="s1"))
    for asker, is_there in ((mine, False), (other, True)):
        look = LookAtAgent(asker=asker, agent="claude-code", session="s1")
        assert await world.ask(look) == AtAgentSeen(is_there=is_there)
    await world.ask(asking(COMMAND, client="local_agent", share="7-70"))
    assert len(sounds(world)) == 1
    await world.ask(AtAgent(asker=mine, agent="claude-code", session="s1"))
    await world.ask(asking(COMMAND, key="k2", client="local_agent", share="7-70"))
    assert len(sounds(world)) == 1


async def test_a_card_that_is_over_soon_is_told_at_once_whoever_sits_there() -> None:
    world = await before_the_agent()
    await world.ask(replace(asking(COMMAND), timeout_s=10))
    assert len(sounds(world)) == 1


async def test_what_is_said_again_and_again_of_a_person_puts_no_sound_off_twice() -> None:
    world = await before_the_agent()
    await asked(world)
    for _ in range(12):
        await world.ask(HERE)
        await world.until(world.now + timedelta(seconds=1))
    assert len(sounds(world)) == 1


async def test_a_hook_that_hides_its_dialog_asks_who_sits_there() -> None:
    world = await before_the_agent()
    looks = (replace(LOOK, session=one) for one in ("s1", "s2", ""))
    assert [await world.ask(look) for look in looks] == [AtAgentSeen(is_there=there) for there in (True, False, False)]
    await world.until(world.now + STAYS + timedelta(minutes=1))
    assert await world.ask(LOOK) == AtAgentSeen(is_there=False)


async def test_who_wants_to_be_told_at_once_is_never_left_to_a_dialog() -> None:
    policy = a_policy()
    world = await a_world(replace(policy, timing=replace(policy.timing, dialog_first_s=0)))
    await world.ask(HERE)
    assert await world.ask(LOOK) == AtAgentSeen(is_there=False)


async def test_who_wrote_long_ago_has_left() -> None:
    world = await before_the_agent()
    await world.until(world.now + STAYS + timedelta(minutes=1))
    await asked(world)
    assert len(sounds(world)) == 1


async def test_the_time_can_be_set_and_switched_off() -> None:
    policy = a_policy()
    world = await a_world(replace(policy, timing=replace(policy.timing, dialog_first_s=0.0)))
    await world.pair(DISCORD)
    await world.ask(HERE)
    await asked(world)
    assert len(sounds(world)) == 1


async def test_what_a_subagent_asks_is_told_at_once_for_its_dialog_waits_for_the_card() -> None:
    world = await before_the_agent()
    asked_by = replace(COMMAND, subagent="a95", subagent_type="general-purpose")
    card = await world.card(taken(await world.ask(asking(asked_by))).prediction.id)
    assert (card.held, len(sounds(world))) == (None, 1)
    assert card.permission is not None
    assert (card.permission.subagent, card.permission.subagent_type) == ("a95", "general-purpose")
