"""Whatever Pulse runs, and whatever a person answers to a card, stands in the world log."""

from msgspec.structs import replace

from hub.contract.events import PredictionNew
from hub.contract.words import Status, Verb
from hub.contract.world import AgentStatus
from hub.domain.execution import RunResult
from hub.domain.provenance import LogText
from hub.domain.world import HUB, WORLD_CLIENT, AgentLine, WorldEvent, WorldSession
from hub.domain.world_rules import WorldRules
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.events import WorldRead
from hub.loop.world_views import session_view, world_status
from tests.fakes.world import World
from tests.loop.asking_sessions import questions
from tests.loop.stage import HOUR, a_card, a_policy, a_question, a_world, finish_proven, never, refused, running, taken
from tests.loop.world_log import logged

BROKEN = RunResult(ended="exited", exit_code=1, output="ValueError: no such thing\n")


def session_of(world: World, name: str) -> WorldSession:
    return world.state.world.sessions[name]


async def test_a_run_that_is_proven_is_a_session_from_its_start_to_its_proof() -> None:
    world = await a_world()
    card = await running(world)
    await finish_proven(world, card)
    name = card.id
    assert logged(world) == [
        f"[event:user][{name}] approved: Write down what was decided",
        f"[agent:start][{name}] Write down what was decided | need: {card.proposal.need.text}",
        f"[agent:active][{name}] worker works on it.",
        f"[agent:finish][{name}] {(await world.card(name)).outcome}",
        f"[agent:verified][{name}] It ended without an error. 'passed' found in the output: '24 passed in 1.2s'.",
    ]
    session = session_of(world, name)
    assert (session.owner, session.agent, session.of_card, session.checked_by) == (HUB, "worker", True, "proof")
    assert session.proven


async def test_what_pulse_does_by_a_playbook_is_its_own_work() -> None:
    world = await a_world()
    card = await a_card(world)
    policy = world.state.policy
    own = tuple(replace(agent, kind="playbook") for agent in policy.agents)
    world.state = replace(world.state, policy=replace(policy, agents=own))
    taken(await world.answer(card, Verb.APPROVE))
    assert f"[agent:active][{card.id}] Pulse works on it." in logged(world)


async def test_what_was_only_handed_over_is_verified_by_nobody_and_asked_about_by_nobody() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.APPROVE))
    session = session_of(world, card.id)
    assert (session.status, session.left_at, session.checked_by) == (AgentStatus.FINISH, world.now, "")
    assert logged(world)[-1].startswith(f"[agent:finish][{card.id}]")
    shown = world_status(world.state)
    assert shown is not None
    assert (shown.active, shown.pending, shown.failed, shown.verified_at) == (0, 0, 0, None)
    await world.reopen()
    assert await questions(world) == []


async def test_a_run_that_fails_is_a_failed_session_about_which_nothing_more_is_asked() -> None:
    world = await a_world()
    card = await running(world)
    cards = len(world.told(PredictionNew))
    await world.finish((await world.card(card.id)).execution_id or "", BROKEN)
    session = session_of(world, card.id)
    assert session.status is AgentStatus.FAILED
    view = session_view(session)
    assert view.left
    assert worded(view.said_worded, view.said, phrases("de")) == (
        "Es endete mit einem Fehler (Code 1). Letzte Zeile: 'ValueError: no such thing'."
    )
    theirs = replace(session, said=LogText("It ended without an error."))
    assert session_view(theirs).said_worded is None, "another line has other words"
    assert logged(world)[-2:] == [
        f"[agent:finish][{card.id}] {(await world.card(card.id)).outcome}",
        f"[agent:failed][{card.id}] It ended with an error (code 1). Last line: 'ValueError: no such thing'.",
    ]
    await world.until(world.now + 48 * HOUR, HOUR)
    assert len(world.told(PredictionNew)) == cards, "the card is the question"


async def test_a_session_of_a_card_is_called_in_the_readers_language_what_the_card_proposes() -> None:
    world = await a_world()
    card = await running(world)
    await world.finish((await world.card(card.id)).execution_id or "", BROKEN)
    taken(await world.answer(await world.card(card.id), Verb.FIX))
    told = world.told(PredictionNew)[-1]
    assert isinstance(told, PredictionNew)
    fix = await world.card(told.prediction.id)
    taken(await world.answer(fix, Verb.APPROVE))
    view = session_view(session_of(world, fix.id))
    assert view.task.startswith("Find out why this failed")
    assert worded(view.task_worded, "", phrases("de")).startswith("Herausfinden, warum das fehlgeschlagen ist")
    other = session_view(replace(session_of(world, fix.id), task=LogText("Run the tests")))
    assert other.task_worded is None, "another task has other words"


async def test_a_persons_retry_is_a_retry_of_the_same_session() -> None:
    world = await a_world()
    card = await running(world)
    await world.finish((await world.card(card.id)).execution_id or "", BROKEN)
    world.results = never
    taken(await world.answer(card, Verb.RETRY, attempt=1))
    assert logged(world)[-3:] == [
        f"[event:user][{card.id}] tried again: Write down what was decided",
        f"[agent:retry][{card.id}] It will be tried again.",
        f"[agent:active][{card.id}] worker works on it.",
    ]
    assert session_of(world, card.id).left_at is None


async def test_a_stopped_run_has_failed_and_so_has_one_that_the_hub_was_stopped_in() -> None:
    world = await a_world()
    stopped = await running(world)
    taken(await world.answer(stopped, Verb.STOP))
    assert session_of(world, stopped.id).status is AgentStatus.FAILED
    assert logged(world)[-1].startswith(f"[agent:failed][{stopped.id}] It was stopped before it was done")
    world = await a_world()
    cut_off = await running(world)
    await world.reopen()
    assert session_of(world, cut_off.id).status is AgentStatus.FAILED
    assert logged(world)[-1].startswith(f"[agent:failed][{cut_off.id}] Interrupted: Pulse was stopped while this ran")
    assert (await world.card(cut_off.id)).status is Status.PENDING
    taken(await world.answer(await world.card(cut_off.id), Verb.APPROVE))
    assert session_of(world, cut_off.id).status is AgentStatus.ACTIVE


async def test_who_began_a_session_in_the_name_of_a_card_does_not_keep_its_run_from_the_log() -> None:
    world = await a_world()
    card = await a_card(world)
    forged = AgentLine(status=AgentStatus.START, session=card.id, text=LogText("mine"))
    done = WorldEvent(source="user", identifier=LogText(card.id), text=LogText("approved"))
    await world.happen(WorldRead(lines=(forged, done), cursor=b"1"))
    assert session_of(world, card.id).owner == ""
    world.results = never
    taken(await world.answer(card, Verb.APPROVE))
    await finish_proven(world, card)
    session = session_of(world, card.id)
    assert (session.owner, session.status, session.proven) == (HUB, AgentStatus.VERIFIED, True)
    await world.happen(WorldRead(lines=(forged, replace(forged, status=AgentStatus.FAILED)), cursor=b"2"))
    assert session_of(world, card.id).status is AgentStatus.VERIFIED


async def test_a_question_about_what_others_began_in_the_name_of_a_card_goes_when_its_run_begins() -> None:
    world = await a_world()
    card = await a_card(world)
    begun = AgentLine(status=AgentStatus.START, session=card.id, text=LogText("mine"))
    await world.happen(WorldRead(lines=(begun, replace(begun, status=AgentStatus.FAILED)), cursor=b"1"))
    assert await questions(world) == [card.id]
    taken(await world.answer(card, Verb.APPROVE))
    assert await questions(world) == []
    assert world.state.open_asks.get(WORLD_CLIENT, 0) == 0


async def test_secrets_are_masked_and_prompts_are_shortened() -> None:
    world = await a_world()
    card = await a_card(world, f"Write notes with token=ab12CD34ef56GH78 {'and more ' * 200}")
    taken(await world.answer(card, Verb.REJECT))
    card = await a_card(world, f"Sort notes with token=ab12CD34ef56GH78 {'and more ' * 200}")
    taken(await world.answer(card, Verb.APPROVE))
    assert not any("ab12CD34ef56GH78" in line for line in logged(world))
    assert all(len(line) < 600 for line in logged(world))
    assert [line for line in logged(world) if "dismissed: Write notes with token=⟨hidden" in line]


async def test_answers_to_questions_stand_there_once_and_refused_ones_do_not() -> None:
    world = await a_world()
    question = await a_question(world)
    taken(await world.answer(question, Verb.APPROVE))
    assert taken(await world.answer(question, Verb.APPROVE)).repeated
    refused(await world.answer(question, Verb.REJECT))
    assert logged(world) == [f"[event:user][{question.id}] approved: May I?"]


async def test_without_a_log_nothing_is_written_and_all_else_goes_on() -> None:
    world = await a_world(replace(a_policy(), world=WorldRules(enabled=False)))
    card = await a_card(world)
    taken(await world.answer(card, Verb.APPROVE))
    assert (await world.card(card.id)).status is Status.EXECUTED
    assert logged(world) == []
    assert not world.state.world.sessions
