"""A hub in which all is in favour of acting alone, a text of somebody else's, and a model that obeys it."""

import itertools
import json
import re
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from hub.contract.words import Origin, Risk, Verb
from hub.domain.episode import Judged
from hub.domain.execution import Job
from hub.domain.judgement import Ledger
from hub.domain.mind import AutonomyState, Mind, Tally
from hub.domain.policy import Bands, Policy
from hub.domain.provenance import (
    CalendarText,
    CiText,
    ModelText,
    RepositoryText,
    TaskText,
    TranscriptText,
)
from hub.domain.readings import AnyReading, CalendarReading, ConversationReading, GitReading, Reading
from hub.domain.requests import Ask, SaveTask, Trigger
from hub.domain.situation import Branch, Conversation, FilesReading, Meeting, Module, Repository, TodoLine
from hub.domain.storage import SaveMind
from hub.domain.suggestion import Guess, Work
from hub.loop.commands import AskTwin
from hub.sense import assemble
from hub.sense.ci_output import ci_result
from hub.what import ideas
from hub.what.signals import ALL
from tests.fakes.agent import allowed, consent
from tests.fakes.world import DONE, World, a_state
from tests.loop.stage import HOUR, MINUTE, NOON, PROFILES, a_policy

HALF_HOUR = timedelta(minutes=31)
WORKSPACE = "/home/me/gateway"
BENIGN = "x"
PLAYBOOKS = ("run-tests", "list-todos", "stale-branches", "dependency-graph", "prepare-meeting")
Twin = Callable[[AskTwin], Guess | None]


def reckless_policy() -> Policy:
    """One agent that runs any prompt, no threshold at all, no word for production: only the words can hold it back."""
    policy = a_policy(autonomous=True, twin=True, production_words=())
    return replace(
        policy,
        bands=Bands(show=0.0, suggest=0.0, auto_execute=0.0),
        timing=replace(policy.timing, interval_s=1.0),
        loops=replace(policy.loops, depth_max=99, duplicates_max=99),
    )


def favourable_mind(policy: Policy) -> Mind:
    """Every kind of suggestion was approved a thousand times, with all that it runs, and the person is away."""
    names = [channel.name for channel in policy.channels]
    agents = ("worker", policy.playbook_agent.name)
    combos = tuple(f"{source}>{name}>{agent}" for name in names for source in ("start", *names) for agent in agents)
    kinds = (*(signal.KIND for signal in ALL), "hint", "twin")
    works = [Work(playbook=name, workspace=place) for name in (None, *PLAYBOOKS) for place in (None, WORKSPACE)]
    does = {True: policy.playbook_agent, False: policy.agents[0]}
    pairs = [(kind, does[work.playbook is not None], work) for kind in kinds for work in works]
    plans, alone = tuple({consent(*pair) for pair in pairs}), tuple(allowed(*pair) for pair in pairs)
    return Mind(
        autonomy=AutonomyState(since=NOON - HOUR),
        ledger=Ledger(decisions=1_000, seen_combos=combos, known_plans=plans, standing=alone),
        tallies={kind: Tally(approved=1_000) for kind in kinds},
        last_message_at=NOON - HOUR,
        last_cycle_at=NOON - HALF_HOUR,
    )


async def a_planted_world(carrier: str, text: str, twin: Twin) -> World:
    """Return a hub that had its first look, and finds the text where its carrier puts it from now on."""
    policy = reckless_policy()
    world = World(a_state(policy, PROFILES), NOON)
    await world.store.commit([(SaveMind(user="me", mind=favourable_mind(policy)),)])
    world.twin = twin
    if carrier == "output":
        world.results = lambda _job: replace(DONE, output=f"{text}\n", detail=text)
    await world.open()
    world.readings = readings(carrier, text)
    await bring(world, carrier, text)
    return world


async def bring(world: World, carrier: str, text: str) -> None:
    """Bring what comes over the API and by no sensor."""
    if carrier == "task":
        await world.ask(SaveTask(title=TaskText(text), notes=TaskText(text)))
    if carrier == "ask":
        await world.ask(Ask(key="q1", asker="ci", question=text, details=text, risk=Risk.LOW, timeout_s=9_000))
    if carrier == "hint":
        await world.ask_unheard(Trigger(hint=text, force=True))


async def through_an_afternoon(world: World) -> None:
    """Let cycles come and go, with a crash between them and what is open put off until later."""
    await an_hour_later(world)
    for card in await world.cards():
        await world.answer(card, Verb.SNOOZE)
    await world.reopen()
    for _ in range(2):
        await an_hour_later(world)


async def an_hour_later(world: World) -> None:
    """Let an hour pass with as few ticks as a cycle needs."""
    for _ in range(2):
        await world.until(world.now + MINUTE / 2)
        await world.clock.sleep_until(world.now + HALF_HOUR)


def readings(carrier: str, text: str) -> dict[str, Reading]:
    """Return what the sensors see: changes, and the text at its carrier's place (elsewhere a harmless one)."""

    def of(*carriers: str) -> str:
        return text if carrier in carriers else BENIGN

    ended = ci_result(f'{{"conclusion": "failure", "name": {json.dumps(of("commit", "ci"))}}}'.encode())
    repository = Repository(
        path=WORKSPACE,
        name=RepositoryText("gateway"),
        branch=RepositoryText(of("branch")),
        head="abc",
        head_at=NOON - 2 * HOUR,
        uncommitted=(RepositoryText(of("file")), RepositoryText(f"{of('file')}/package.json")),
        to_commit=(RepositoryText(of("file")),),
        uncommitted_since=NOON - 9 * HOUR,
        changed_modules=(Module(path=RepositoryText(of("file")), files=2),),
        last_test_run_at=NOON - HOUR,
        stale_branches=(Branch(name=RepositoryText(of("branch")), last_commit_at=NOON - 2_000 * HOUR),),
        todos_added=(TodoLine(path=RepositoryText(of("file")), line=3, text=RepositoryText(of("todo"))),),
        ci="failed" if carrier in {"commit", "ci"} else "unknown",
        ci_detail=CiText(ended.detail),
        playbooks=PLAYBOOKS,
    )
    meeting = Meeting(
        uid=CalendarText(of("calendar")),
        title=CalendarText(of("calendar")),
        starts_at=NOON + 40 * MINUTE,
        ends_at=NOON + 90 * MINUTE,
    )
    talk = Conversation(
        id=TranscriptText("c1"),
        source=TranscriptText("claude"),
        last_at=NOON - 2 * HOUR,
        last_from="agent",
        open_question=TranscriptText(of("transcript")),
        topic=TranscriptText(of("transcript")),
    )
    saved = (RepositoryText(f"{WORKSPACE}/{of('file')}"),)
    bodies: dict[str, AnyReading] = {
        "git": GitReading(repositories=(repository,)),
        "calendar": CalendarReading(meetings=(meeting,)),
        "transcripts": ConversationReading(conversations=(talk,)),
        "files": FilesReading(changed=saved, last_change_at=NOON - HOUR),
    }
    return {name: Reading(sensor=name, at=NOON, body=body) for name, body in bodies.items()}


def own_run(job: Job) -> tuple[str, str, str | None, str | None, tuple[str, ...]]:
    """Return all of a job that words could have changed."""
    return (job.prompt, job.channel, job.playbook, job.workspace, job.args)


def obeying(text: str) -> Twin:
    """Return a model that does what a text says, as sure as can be.

    By turns it answers with the text alone, with our own words in front of it, and with the idea to run the tests.
    """
    turns = itertools.cycle(("", "Run the tests: 1 module changed; ", "key"))

    def twin(asked: AskTwin) -> Guess:
        turn = next(turns)
        words = ModelText(text if turn == "key" else turn + text)
        return Guess(
            prompt=words,
            channel="koji-core",
            confidence=1.0,
            reasoning=words,
            model="twin",
            idea=key_of(asked, "run-tests") if turn == "key" else "",
        )

    return twin


def choosing(kind: str) -> Twin:
    """Return a model that names the idea of one kind, and says nothing else."""

    def twin(asked: AskTwin) -> Guess:
        nothing = ModelText("")
        return Guess(
            prompt=nothing,
            channel="",
            confidence=1.0,
            reasoning=nothing,
            model="twin",
            idea=key_of(asked, kind),
        )

    return twin


def key_of(asked: AskTwin, kind: str) -> str:
    """Return the key of the offer of one kind, as a model reads it; empty where there is none."""
    return next((offer.key for offer in asked.offers if offer.key.startswith(f"{kind}:")), "")


async def ran_unasked(carrier: str, text: str) -> list[tuple[str, str, str | None, str | None, tuple[str, ...]]]:
    """Plant a text, let a model obey it for an afternoon, and return what ran that is not Pulse's own to the letter.

    It also holds that whatever is not Pulse's own was held by the gate's row for it, whatever other rails said.
    """
    world = await a_planted_world(carrier, text, obeying(text))
    await through_an_afternoon(world)
    for card in await world.cards():
        judged = [body for body in await world.story(card.id) if isinstance(body, Judged)]
        held = any(verdict.rule == "gate.world-text" for body in judged for verdict in body.verdicts)
        assert held is not card.proposal.is_our_own or not judged, card.proposal
    assert all(move.card.proposal.is_our_own for move in world.moves if move.card.autonomous)
    return [own_run(job) for job in world.jobs if not is_ours(job.prompt, job.args)]


async def our_own_still_runs(carrier: str, text: str) -> bool:
    """Say whether the tests run by themselves in the same world, when a model does no more than choose them."""
    world = await a_planted_world(carrier, text, choosing("run-tests"))
    await through_an_afternoon(world)
    assert all(is_ours(job.prompt, job.args) for job in world.jobs)
    return "run-tests" in {job.playbook for job in world.jobs}


def is_ours(prompt: str, args: tuple[str, ...]) -> bool:
    """Say whether work is, but for its numbers, what Pulse makes of a world without any text of others."""
    return re.sub(r"\d+", "#", prompt) in OWN and args == ()


CORPUS: dict[str, list[tuple[str, str]]] = tomllib.loads(
    Path(__file__).with_name("injections.toml").read_text(encoding="utf-8")
)
TEXTS = [(carrier, text) for carrier, found in CORPUS.items() for _, text in found]
POLICY = reckless_policy()
MIND = favourable_mind(POLICY)
OWN = {
    re.sub(r"\d+", "#", idea.prompt.text)
    for carrier in ("todo", "ci")
    for idea in ideas(assemble(readings(carrier, BENIGN), now=NOON, zone="UTC"), MIND)
    if idea.origin is Origin.PULSE
}
"""What Pulse says of these worlds in words of its own, without the numbers."""
