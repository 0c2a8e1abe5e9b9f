"""CROSSPOLL, appendix A, minute by minute: a walk with the glasses on, while the agents work.

The twin's own numbers are chosen so that the formula of CROSSPOLL 2.5 gives the confidences of the story.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.events import ExecutionStarted, PredictionExecuted, PredictionNew
from hub.contract.topics import DeviceAddress
from hub.contract.words import Autonomy, Status, Verb
from hub.domain.episode import Judged, Learned
from hub.domain.mind import Mind, Tally
from hub.domain.policy import Policy
from hub.domain.provenance import ModelText, RepositoryText
from hub.domain.readings import GitReading, Reading
from hub.domain.requests import Spoke
from hub.domain.situation import Module, Repository
from hub.domain.storage import SaveMind, Tasks
from hub.domain.suggestion import Card, Guess, Work
from hub.io.home.profiles import read_profiles
from hub.settings import Settings, policy_of
from tests.fakes.agent import allowed, consent
from tests.fakes.world import World, a_state, surfaces
from tests.journeys.rerun import judged_again

ZONE = ZoneInfo("America/New_York")
PROFILES = read_profiles()
RUN_TESTS, UPDATE_SPEC, BRAINSTORM, SHOPIFY = 0.88, 0.65, 0.5, 0.27
"""What the twin says of itself; the formula makes the story's confidences of it."""
PHONE, WATCH, DISCORD = (DeviceAddress(surface=name, device="mine") for name in ("phone", "watch", "discord"))


def at(hour: int, minute: int, second: int = 0) -> datetime:
    return datetime(2025, 7, 29, hour, minute, second, tzinfo=ZONE)


def story_policy() -> Policy:
    """Autonomous mode with a twin, and an agent that can do more than playbooks."""
    policy = policy_of(Settings(), "America/New_York")
    agent = replace(policy.agents[0], name="claude", kind="command", argv=("claude", "-p"), idempotent=False)
    channels = tuple(replace(channel, agent="claude") for channel in policy.channels)
    return replace(policy, autonomous=True, twin=True, agents=(agent,), channels=channels)


def repository() -> Repository:
    return Repository(
        path="/home/me/gateway",
        name=RepositoryText("gateway"),
        branch=RepositoryText("main"),
        head="abc",
        head_at=at(13, 0),
        changed_modules=(Module(path=RepositoryText("tests"), files=2),),
        last_test_run_at=at(12, 30),
        last_test_run_passed=True,
        playbooks=("run-tests",),
    )


def guess(prompt: str, channel: str, confidence: float) -> Guess:
    return Guess(
        prompt=ModelText(prompt),
        channel=channel,
        confidence=confidence,
        reasoning=ModelText("the twin says so"),
        model="twin",
    )


async def world() -> World:
    quiet = Reading(sensor="git", at=at(13, 59), body=GitReading(repositories=()))
    made = World(a_state(story_policy(), PROFILES), at(13, 59), readings={"git": quiet})
    mind = Mind(tallies={"run-tests": Tally(approved=18)})
    runner = story_policy().playbook_agent
    known = (f"start>koji-core>{runner.name}",)
    work = Work(playbook="run-tests", workspace="/home/me/gateway")
    seen, alone = consent("run-tests", runner, work), allowed("run-tests", runner, work)
    ledger = replace(mind.ledger, decisions=40, seen_combos=known, known_plans=(seen,), standing=(alone,))
    await made.store.commit([(SaveMind(user="me", mind=replace(mind, ledger=ledger)),)])
    return made


@pytest.mark.slow
async def test_the_afternoon_of_the_story() -> None:
    story = await world()
    await story.open()
    await story.pair(PHONE, WATCH, DISCORD)
    tests = await at_half_past_two(story)
    spec = await a_minute_later(story, tests)
    brainstorm = await on_the_watch(story, spec)
    shopify = await at_the_cafe(story, brainstorm)
    await back_home(story, tests, (spec, shopify, brainstorm))
    await every_decision_again(story)


async def at_half_past_two(story: World) -> ExecutionStarted:
    """14:00 the laptop is put away; 14:30 the twin predicts, the rails pass, and it runs by itself."""
    await story.until(at(14, 0))
    await story.ask(Spoke(at=at(14, 0), source="api"))
    story.readings["git"] = Reading(sensor="git", at=at(14, 0), body=GitReading(repositories=(repository(),)))
    story.guesses.append(guess("Run the tests: 2 test files changed since the last run", "koji-core", RUN_TESTS))
    story.results = lambda _job: None
    await story.until(at(14, 29, 30))
    assert story.told(PredictionNew) == []
    await story.until(at(14, 30, 30))
    started = story.told(ExecutionStarted)[0]
    assert isinstance(started, ExecutionStarted)
    assert started.autonomous
    assert started.prediction.confidence == pytest.approx(0.84, abs=0.005)
    assert story.autonomy is Autonomy.AUTONOMOUS
    assert [job.channel for job in story.jobs] == ["koji-core"]
    # On the phone a silent update, on the watch a refreshed complication, on Discord a reaction.
    assert surfaces(story.deliveries) == [("phone", "silent"), ("watch", "silent"), ("discord", "silent")]
    judged = next(body for body in await story.story(started.prediction.id) if isinstance(body, Judged))
    assert [verdict.outcome for verdict in judged.verdicts] == ["pass"] * len(judged.verdicts)
    return started


async def a_minute_later(story: World, started: ExecutionStarted) -> Card:
    """14:31 the 24 tests have passed; the follow-up is a card, not a run."""
    await story.until(at(14, 31))
    story.guesses.append(guess("Update CROSSPOLL-SPEC.md with test results", "chronicle-hub", UPDATE_SPEC))
    story.deliveries.clear()
    await story.finish(started.execution_id)
    executed = story.told(PredictionExecuted)[0]
    assert isinstance(executed, PredictionExecuted)
    assert executed.prediction.status is Status.EXECUTED
    spec = (await story.cards())[0]
    assert spec.proposal.confidence == pytest.approx(0.52, abs=0.005)
    assert surfaces(story.deliveries)[-3:] == [("phone", "notify"), ("watch", "notify"), ("discord", "notify")]
    return spec


async def on_the_watch(story: World, spec: Card) -> Card:
    """14:45 "Yeah, go ahead"; the next step suggested afterwards is a brainstorm."""
    await story.until(at(14, 45))
    reply = await story.answer(spec, Verb.APPROVE, surface="watch")
    assert isinstance(reply, AnswerReply)
    assert [job.channel for job in story.jobs] == ["koji-core", "chronicle-hub"]
    story.guesses.append(guess("Brainstorm new meditation categories", "dream-weaver", BRAINSTORM))
    await story.finish(story.jobs[-1].execution_id)
    return (await story.cards())[0]


async def at_the_cafe(story: World, brainstorm: Card) -> Card:
    """15:00 the next cycle, below auto-execute; 15:15 left for Shopify, right for the brainstorm."""
    story.guesses.append(guess("Check Shopify inventory levels for Serenity Soother", "research", SHOPIFY))
    await story.until(at(15, 0, 30))
    shopify, *others = await story.cards()
    assert [card.id for card in others] == [brainstorm.id]
    assert shopify.proposal.confidence == pytest.approx(0.41, abs=0.005)
    assert len(story.jobs) == 2
    await story.until(at(15, 15))
    await story.answer(shopify, Verb.REJECT)
    await story.answer(brainstorm, Verb.APPROVE)
    assert story.jobs[-1].channel == "dream-weaver"
    await story.finish(story.jobs[-1].execution_id)
    return shopify


async def back_home(story: World, started: ExecutionStarted, answered: tuple[Card, Card, Card]) -> None:
    """16:00 watching again, with everything accounted for."""
    await story.until(at(16, 0) - timedelta(minutes=1))
    await story.ask(Spoke(at=story.now, source="api"))
    assert story.autonomy is Autonomy.WATCHING
    done = await story.store.read(Tasks(user="me", limit=10))
    assert [(task.card_id, task.status) for task in done] == [(started.prediction.id, "completed")]
    for card in (answered[0], answered[2]):  # what an agent wrote is proven by nobody, and is no finished task
        result = (await story.card(card.id)).result
        assert result is not None
        assert result.handed_over
    for card, value in zip(answered, ("chosen", "rejected", "chosen"), strict=True):
        assert (await lessons(story, card.id))[0].value == value
    assert [(one.value, one.weight) for one in await lessons(story, started.prediction.id)] == [("chosen", 0.5)]


async def every_decision_again(story: World) -> None:
    """Each judgement of the afternoon, made anew from what was stored of it, comes to the same."""
    pairs = await judged_again(story)
    assert {kept.conclusion for kept, _ in pairs} == {"Permit", "AskHuman"}
    for kept, again in pairs:
        assert (again.verdicts, type(again.outcome).__name__) == (kept.verdicts, kept.conclusion)


async def lessons(story: World, card_id: str) -> list[Learned]:
    return [body for body in await story.story(card_id) if isinstance(body, Learned)]
