"""An agent that was connected and no longer asks is told of once, and until a person has seen it."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.events import PredictionExpired, PredictionNew
from hub.contract.permission import PermissionAnswer
from hub.contract.surface import LOUD, Presence
from hub.contract.words import MoveReason, Status, Verb
from hub.domain.cut_off import ConnectedAgent, CutOffAgent
from hub.domain.provenance import say
from hub.domain.requests import Refused, RegisterDevice, ReportPresence
from hub.domain.suggestion import Card
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.cut_off import KIND
from hub.loop.events import AgentsSeen
from hub.loop.notices import QUESTION_ID, UNDERSTOOD
from tests.fakes.world import World
from tests.loop.stage import DISCORD, HOUR, MINUTE, a_world, taken

WHY = say("Nothing in {file} starts Pulse anymore. To connect it again: {command}", file="/s.json", command="pulse c")
CLAUDE = CutOffAgent(agent="claude-code", title="Claude Code", why=WHY)
GEMINI = CutOffAgent(agent="gemini", title="Gemini CLI", why=WHY)
GONE = AgentsSeen(cut_off=(CLAUDE,))
WELL = AgentsSeen(asking=(ConnectedAgent(agent="claude-code", title="Claude Code"),))
DISCONNECTED = AgentsSeen()


async def notices(world: World) -> list[Card]:
    return [card for card in await world.cards() if card.proposal.kind == KIND]


async def understood(world: World, card: Card) -> None:
    said = PermissionAnswer(answers={QUESTION_ID: (UNDERSTOOD.text,)})
    taken(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))


def rings(world: World) -> list[str]:
    """Return how loudly a notice was sent, each time that it made a sound."""
    return [sent.loudness for _, _, sent in world.deliveries if sent.loudness in LOUD]


async def test_it_is_told_once_with_what_to_do() -> None:
    world = await a_world()
    await world.happen(WELL)
    assert await notices(world) == []
    for _ in range(3):
        await world.happen(GONE)
        await world.until(world.now + timedelta(minutes=5))
    (card,) = await notices(world)
    assert len(world.told(PredictionNew)) == 1
    said = "Claude Code no longer asks Pulse as it did. Nothing in /s.json starts Pulse anymore. To connect it again:"
    assert card.prompt == f"{said} pulse c"


async def test_it_reaches_a_device_that_is_asked_for_no_command() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=True)))
    await world.happen(GONE)
    ((_, _, sent),) = world.deliveries
    assert isinstance(sent.event, PredictionNew)
    assert (sent.loudness, Verb.EDIT in sent.verbs) == ("notify", False)


async def test_it_is_german_on_a_german_page() -> None:
    world = await a_world()
    await world.happen(GONE)
    (card,) = await notices(world)
    assert card.permission is not None
    (question,) = card.permission.questions
    german = worded(question.text_worded, question.text, phrases("de"))
    assert german == (
        "Claude Code fragt Pulse nicht mehr wie zuvor. In /s.json startet nichts mehr Pulse. "
        "Um es wieder zu verbinden: pulse c"
    )
    (choice,) = question.choices
    assert worded(choice.label_worded, choice.label, phrases("de")) == "Verstanden"


async def test_what_is_repaired_stays_with_that_it_asks_again_until_a_person_answers() -> None:
    world = await a_world()
    await world.happen(AgentsSeen(cut_off=(CLAUDE, GEMINI)))
    assert len(await notices(world)) == 2
    for _ in range(2):
        await world.happen(AgentsSeen(cut_off=(GEMINI,), asking=WELL.asking))
        claude = next(card for card in await notices(world) if "Claude" in card.prompt)
        assert claude.prompt.startswith("Claude Code had stopped asking Pulse as it did; it asks again since ")
        await world.until(world.now + MINUTE)
    assert len(await notices(world)) == 2
    await understood(world, claude)
    await world.happen(AgentsSeen(cut_off=(GEMINI,), asking=WELL.asking))
    (left,) = await notices(world)
    assert "Gemini" in left.prompt
    await world.happen(AgentsSeen(cut_off=(CLAUDE, GEMINI)))
    assert len(await notices(world)) == 2


async def test_an_agent_that_goes_on_and_off_has_one_card_and_rings_once_an_hour() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=True)))
    for _ in range(5):
        for seen, text in ((GONE, "no longer asks"), (WELL, "asks again since")):
            await world.happen(seen)
            (card,) = await notices(world)
            assert text in card.prompt
            await world.until(world.now + MINUTE)
    assert len(rings(world)) == 1
    await world.until(world.now + HOUR)
    await world.happen(GONE)
    assert len(rings(world)) == 2


async def test_one_that_is_repaired_while_the_person_wants_quiet_is_told_of_after_it() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=True)))
    world.state = replace(world.state, mind=replace(world.state.mind, dnd_until=world.now + HOUR))
    await world.happen(GONE)
    await world.happen(WELL)
    assert rings(world) == []
    await world.until(world.now + HOUR + MINUTE)
    (card,) = await notices(world)
    assert "asks again since" in card.prompt
    assert len(rings(world)) == 1


async def test_whom_the_person_disconnects_is_taken_back_and_is_news_another_time() -> None:
    world = await a_world()
    await world.happen(GONE)
    await world.happen(DISCONNECTED)
    assert await notices(world) == []
    (gone,) = world.told(PredictionExpired)
    assert isinstance(gone, PredictionExpired)
    assert gone.reason == MoveReason.PASSED
    await world.happen(GONE)
    assert len(await notices(world)) == 1


@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.SNOOZE])
async def test_no_device_puts_it_away_without_a_signature(verb: Verb) -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    await world.happen(GONE)
    (card,) = await notices(world)
    refused = await world.answer(card, verb, by_device=True)
    assert isinstance(refused, Refused)
    assert len(await notices(world)) == 1


async def test_it_is_not_told_again_after_a_restart_or_an_answer() -> None:
    world = await a_world()
    await world.happen(GONE)
    await world.reopen()
    await world.happen(GONE)
    (card,) = await notices(world)
    await understood(world, card)
    await world.happen(GONE)
    assert await notices(world) == []


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.LESS, Verb.NEVER])
async def test_only_a_person_puts_it_out_of_sight(verb: Verb) -> None:
    world = await a_world()
    await world.happen(GONE)
    (card,) = await notices(world)
    said = PermissionAnswer(answers={QUESTION_ID: (UNDERSTOOD.text,)}) if verb is Verb.APPROVE else None
    refused = await world.answer(card, verb, permission=said)
    assert isinstance(refused, Refused)
    assert refused.code == "yes-of-your-own"
    (still,) = await notices(world)
    assert still.status is Status.PENDING


async def test_while_the_person_wants_quiet_it_waits() -> None:
    world = await a_world()
    world.state = replace(world.state, mind=replace(world.state.mind, dnd_until=world.now + HOUR))
    await world.happen(GONE)
    (card,) = await notices(world)
    assert card.held is not None
    await world.until(world.now + HOUR + MINUTE)
    (card,) = await notices(world)
    assert card.held is None
