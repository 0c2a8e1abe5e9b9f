"""A cycle, and every way in which it ends without a card; whoever asked for it is always told."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch, TriggerAnswer
from hub.contract.events import Paused, PredictionNew, Resumed
from hub.contract.words import Autonomy, Badge, MoveReason, Source, Status, Verb
from hub.domain.episode import Decided, Judged, Proposed, Sensed
from hub.domain.judgement import ChainLink, Ledger
from hub.domain.mind import Mind, Tally
from hub.domain.policy import USD, Caps, Policy, TwinService
from hub.domain.provenance import ModelText, RepositoryText
from hub.domain.readings import GitReading, Reading
from hub.domain.requests import Configure, Pause, ResetConfig, Spoke, Trigger
from hub.domain.situation import Module, Repository, Situation
from hub.domain.storage import LogSince, SaveMind
from hub.domain.suggestion import Guess, Work
from hub.domain.twin import TwinReply
from hub.kit.phrase_files import phrases
from hub.kit.phrasebook import sentence_code
from hub.kit.wordings import worded
from hub.loop.commands import AskTwin, Command, Look
from hub.loop.events import CycleBroke, ModelCalled, RequestArrived, SensorsRead, TwinAnswered
from hub.loop.views import status_of
from hub.may import judge
from hub.settings import Settings, policy_of
from hub.what import why_nothing
from tests.fakes.agent import allowed, consent
from tests.fakes.world import World, a_state
from tests.loop.stage import HOUR, MINUTE, NOON, PROFILES, a_card, a_policy, a_world, refused

TESTS = "Run the tests: 2 test files changed since the last run"
OWN = "Run the tests of gateway: the code has changed"
"""What Pulse makes of `changed_tests`; the model's words above mean it."""
GUESS = Guess(
    prompt=ModelText(TESTS), channel="koji-core", confidence=0.9, reasoning=ModelText("it says so"), model="twin"
)


def changed_tests(head: str = "abc", module: str = "tests") -> Reading:
    repository = Repository(
        path="/home/me/gateway",
        name=RepositoryText("gateway"),
        branch=RepositoryText("main"),
        head=head,
        head_at=NOON - MINUTE,
        changed_modules=(Module(path=RepositoryText(module), files=2),),
        last_test_run_at=NOON - HOUR,
        last_test_run_passed=True,
        playbooks=("run-tests",),
    )
    return Reading(sensor="git", at=NOON, body=GitReading(repositories=(repository,)))


async def trigger(world: World, **fields: object) -> TriggerAnswer:
    reply = await world.ask(Trigger(**fields))  # type: ignore[arg-type]  # the test names fields of Trigger
    assert isinstance(reply, TriggerAnswer), reply
    return reply


async def with_ledger(ledger: Ledger, policy: Policy | None = None, tallies: dict[str, Tally] | None = None) -> World:
    world = World(a_state(policy or a_policy(), PROFILES), NOON)
    await world.store.commit([(SaveMind(user="me", mind=Mind(ledger=ledger, tallies=tallies or {})),)])
    await world.open()
    return world


async def test_a_card_and_its_episode() -> None:
    world = await a_world()
    world.readings["git"] = changed_tests()
    answer = await trigger(world)
    assert answer.triggered
    assert answer.message == "Pulse has a suggestion: see the card."
    assert answer.prediction is not None
    assert answer.prediction.source is Source.TEMPLATE
    assert answer.status.pending == 1
    kinds = [type(body) for body in await world.story(answer.prediction.id)]
    assert kinds == [Sensed, Proposed, Judged]
    assert len(world.told(PredictionNew)) == 1


async def test_a_decision_can_be_made_again_from_its_episode() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.answer(card, Verb.APPROVE)
    story = await world.story(card.id)
    judged = [body for body in story if isinstance(body, Judged)][-1]
    decided = next(body for body in story if isinstance(body, Decided))
    assert judged.asked is not None
    assert judged.asked.answer == decided.answer
    again = judge(card.proposal, policy=judged.policy, ledger=judged.ledger, now=NOON, asked=judged.asked)
    assert (again.verdicts, type(again.outcome).__name__) == (judged.verdicts, judged.conclusion)


async def test_the_ledger_that_was_looked_at_is_the_one_from_before() -> None:
    policy = a_policy(caps=Caps(month_microusd=1))
    world = await a_world(policy)
    answer = await trigger(world, hint="Spend it")
    assert answer.prediction is not None
    judged = [body for body in await world.story(answer.prediction.id) if isinstance(body, Judged)][-1]
    assert world.state.mind.ledger.month_stopped == "2026-03"
    assert judged.ledger.month_stopped == ""


async def test_nothing_new_is_no_card() -> None:
    world = await a_world()
    answer = await trigger(world)
    assert (answer.triggered, answer.prediction) == (False, None)
    assert answer.message.startswith("Nothing worth suggesting")


async def test_a_hint_without_a_card_says_why() -> None:
    world = await a_world()
    assert (await trigger(world, hint="Do it")).triggered
    assert "already waiting for you" in (await trigger(world, hint=" Do it ", force=True)).message
    unable = await a_world(policy_of(Settings(), "UTC"))
    said = (await trigger(unable, hint="Write a poem")).message
    assert "Pulse cannot do this on its own" in said
    assert "`pulse agent setup`" in said  # a connected agent asks, and does no work for Pulse
    assert "add it as a task" in said


async def test_the_same_reason_is_not_suggested_twice() -> None:
    world = await a_world()
    world.readings["git"] = changed_tests()
    assert (await trigger(world)).triggered
    assert not (await trigger(world, force=True)).triggered
    assert len(await world.cards()) == 1


async def test_too_soon_is_no_card_and_no_trace() -> None:
    world = await a_world()
    world.readings["git"] = changed_tests()
    first = await trigger(world)
    assert first.prediction is not None
    await world.answer(await world.card(first.prediction.id), Verb.REJECT)
    world.readings["git"] = changed_tests(module="hub")
    answer = await trigger(world)
    assert not answer.triggered
    assert "is the minimum between two" in answer.message
    assert await world.cards() == ()
    assert (await trigger(world, force=True)).triggered


def is_paused(world: World) -> bool:
    return world.autonomy is Autonomy.PAUSED


async def test_over_the_hour_is_kept_for_review_and_pauses() -> None:
    world = await a_world(a_policy(caps=Caps(hour_microusd=USD // 100)))
    answer = await trigger(world, hint="Do it")
    assert answer.prediction is not None
    assert answer.prediction.status is Status.CANCELLED
    assert is_paused(world)
    assert len(world.told(Paused)) == 1
    assert world.told(PredictionNew) == []
    log = await world.store.read(LogSince(user="me", since=NOON, limit=9))
    assert [(line.blocked, line.block_reason, line.cost_microusd) for line in log] == [(True, "cost.hour", 0)]
    await world.ask(Configure(patch=ConfigPatch(cost_cap_per_day=30.0), by="me"))
    assert is_paused(world)
    await world.ask(Configure(patch=ConfigPatch(cost_cap_per_hour=3.0), by="me"))
    assert not is_paused(world)
    assert len(world.told(Resumed)) == 1


async def test_a_month_that_is_enabled_again_ends_the_pause_it_brought_and_a_persons_own_pause_stays() -> None:
    world = await a_world(a_policy(caps=Caps(month_microusd=USD // 100)))
    await trigger(world, hint="Do it")
    await trigger(world, hint="Do that", force=True)
    assert is_paused(world)
    raised = ConfigPatch(cost_cap_per_month=9.0)
    await world.ask(Configure(patch=raised, by="me"))
    assert is_paused(world)
    await world.ask(Configure(patch=ConfigPatch(reenable_month=True), by="me"))
    assert not is_paused(world)
    await world.ask(Pause(reason="enough"))
    await world.ask(Configure(patch=ConfigPatch(cost_cap_per_month=10.0), by="me"))
    assert is_paused(world)


async def test_a_forbidden_wish_is_kept_for_review_with_its_verdicts() -> None:
    world = await a_world()
    answer = await trigger(world, hint="rm -rf / --no-preserve-root")
    assert not answer.triggered
    assert answer.prediction is not None
    card = await world.card(answer.prediction.id)
    assert (card.status, card.outcome) == (Status.CANCELLED, answer.message)
    judged = [body for body in await world.story(card.id) if isinstance(body, Judged)]
    assert [one.conclusion for one in judged] == ["Refusal"]
    assert any(verdict.rule.startswith("content.") for verdict in judged[0].verdicts)
    assert world.told(PredictionNew) == []
    assert world.state.open_count == 0


async def test_a_loop_is_kept_for_review_and_counted() -> None:
    link = ChainLink(from_channel="koji-core", to_channel="koji-core", card_id="pred_x", at=NOON, depth=2)
    world = await with_ledger(Ledger(links=(link,)), replace(a_policy(), channels=a_policy().channels[:1]))
    card = await a_card(world)
    world.readings["git"] = changed_tests()
    await world.answer(card, Verb.APPROVE)
    blocked = [move for move in world.moves if move.card.status is Status.CANCELLED]
    assert [move.card.status_reason for move in blocked] == [MoveReason.BLOCKED]
    assert world.state.mind.ledger.loop_detections == 1


async def test_too_many_open_cards_end_a_cycle() -> None:
    world = await a_world(a_policy(pending_max=2))
    await a_card(world, "One")
    await a_card(world, "Another")
    answer = await trigger(world, hint="One more")
    assert not answer.triggered
    assert answer.message.startswith("2 suggestions are already waiting")


async def test_who_asks_again_too_soon_is_told_what_to_do() -> None:
    world = await a_world()
    world.readings["git"] = changed_tests()
    assert (await trigger(world)).triggered
    reading = changed_tests()
    assert isinstance(reading.body, GitReading)
    failing = replace(reading.body.repositories[0], ci="failed")
    world.readings["git"] = replace(reading, body=GitReading(repositories=(failing,)))
    again = await world.ask(Trigger())
    assert isinstance(again, TriggerAnswer)
    assert (again.triggered, "pulse trigger --force" in again.message) == (False, True)


async def test_one_cycle_at_a_time() -> None:
    world = await a_world()
    world.holding = lambda command: isinstance(command, Look)
    await world.happen(RequestArrived(request=Trigger(), reply_to="first"))
    reply = refused(await world.ask(Trigger()))
    assert (reply.code, reply.status) == ("cycle-running", 409)
    assert "first" not in world.replies


async def test_a_cycle_that_nobody_answers_ends_and_says_so() -> None:
    world = await a_world()
    world.holding = lambda command: isinstance(command, Look)
    await world.happen(RequestArrived(request=Trigger(), reply_to="first"))
    await world.until(NOON + 2 * MINUTE)
    assert world.state.cycle is None
    reply = world.replies["first"]
    assert isinstance(reply, TriggerAnswer)
    assert "did not answer in time" in reply.message
    world.holding = lambda _command: False
    assert (await trigger(world, hint="Again")).triggered


async def test_a_cycle_that_broke_ends_and_says_so() -> None:
    world = await a_world()
    world.holding = lambda command: isinstance(command, Look)
    await world.happen(RequestArrived(request=Trigger(), reply_to="first"))
    cycle = world.state.cycle
    assert cycle is not None
    await world.happen(CycleBroke(cycle_id="cyc_other", why="a bug"))
    assert world.state.cycle == cycle
    await world.happen(CycleBroke(cycle_id=cycle.id, why="a bug"))
    reply = world.replies["first"]
    assert isinstance(reply, TriggerAnswer)
    assert reply.message == "Pulse could not check what is going on: a bug"


async def test_late_readings_and_answers_of_a_cycle_that_is_over_change_nothing() -> None:
    world = await a_world()
    before = world.state
    await world.happen(SensorsRead(cycle_id="cyc_gone", readings={}))
    await world.happen(TwinAnswered(cycle_id="cyc_gone"))
    assert world.state == before


async def test_an_unknown_channel_is_refused_before_anything_is_looked_at() -> None:
    world = await a_world()
    reply = refused(await world.ask(Trigger(channel="nowhere")))
    assert (reply.code, reply.status) == ("unknown-channel", 404)
    assert "koji-core" in reply.fix


async def test_a_wish_goes_to_the_channel_that_was_named() -> None:
    world = await a_world()
    answer = await trigger(world, channel="research", hint="Look up the weather")
    assert answer.target_channel == "research"
    assert answer.prediction is not None
    assert answer.prediction.badges == (Badge.NEW,)


async def test_the_kill_switch_ends_a_cycle() -> None:
    world = await a_world()
    await world.ask(Configure(patch=ConfigPatch(enabled=False), by="me"))
    answer = await trigger(world, hint="Do it")
    assert not answer.triggered
    assert answer.status.enabled is False


async def test_the_model_has_the_say_and_its_price_is_booked() -> None:
    world = await a_world(a_policy(twin=True))
    world.guesses.append(GUESS)
    world.model_price_microusd = 1_234
    answer = await trigger(world)
    assert answer.prediction is not None
    assert (answer.prediction.prompt, answer.prediction.source) == (TESTS, Source.TWIN)
    assert world.state.mind.ledger.spending.day_microusd == 1_234


async def test_a_silent_model_leaves_it_to_the_signals() -> None:
    world = await a_world(a_policy(twin=True))
    world.readings["git"] = changed_tests()
    world.guesses.append(None)
    answer = await trigger(world)
    assert answer.prediction is not None
    assert answer.prediction.source is Source.TEMPLATE


async def test_the_best_guess_that_is_new_is_taken_and_all_are_kept() -> None:
    world = await a_world(a_policy(twin=True))
    world.twin = lambda _asked: GUESS
    first = await trigger(world)
    assert first.prediction is not None
    other = replace(GUESS, prompt=ModelText("Tidy the shed"), confidence=0.8)
    world.holding = lambda command: isinstance(command, AskTwin)
    await world.ask_unheard(Trigger(force=True))
    assert world.state.cycle is not None
    reply = TwinReply(guesses=(GUESS, other), trouble="The model “home” is not used: it cannot be reached.")
    await world.happen(TwinAnswered(cycle_id=world.state.cycle.id, reply=reply))
    cards = [event.prediction for event in world.told(PredictionNew) if isinstance(event, PredictionNew)]
    assert cards[-1].prompt == "Tidy the shed"
    (proposed,) = [body for body in await world.story(cards[-1].id) if isinstance(body, Proposed)]
    assert (proposed.guess, proposed.guesses) == (other, (GUESS, other))
    assert status_of(world.state, world.now).model_trouble == reply.trouble
    await world.happen(TwinAnswered(cycle_id="cyc_gone"))
    assert status_of(world.state, world.now).model_trouble == ""


async def test_the_first_model_is_changed_while_pulse_runs_and_the_file_holds_again_after_a_reset() -> None:
    services = tuple(TwinService(name=name, url="u", model="old") for name in ("first", "cloud"))
    world = await a_world(a_policy(twin=True, twins=services))
    await world.ask(Configure(patch=ConfigPatch(twin_model="ft:new"), by="me"))
    assert [one.model for one in world.state.policy.twins] == ["ft:new", "old"]
    await world.reopen()
    assert world.state.policy.twins[0].model == "ft:new"
    await world.ask(ResetConfig(name="twin_model"))
    assert world.state.policy.twins == services
    without = await a_world()
    reply = await without.ask(Configure(patch=ConfigPatch(twin_model="m"), by="me"))
    assert refused(reply).detail == "There is no model to change."


async def test_without_room_in_a_budget_no_model_with_a_price_is_asked_and_one_without_is() -> None:
    priced = TwinService(name="first", url="u", model="m", input_microusd=USD)
    policy = a_policy(twin=True, twins=(priced,), caps=Caps(hour_microusd=1_000))
    world = await a_world(policy)
    world.guesses.append(GUESS)
    await trigger(world)
    assert len(world.guesses) == 1
    free = await a_world(replace(policy, twins=(replace(priced, input_microusd=0),)))
    free.guesses.append(GUESS)
    await trigger(free)
    assert len(free.guesses) == 0


async def test_what_was_asked_outside_a_cycle_is_booked_all_the_same() -> None:
    world = await a_world()
    await world.happen(ModelCalled(reply=TwinReply(cost_microusd=77, trouble="x")))
    assert (world.state.mind.ledger.spending.day_microusd, world.state.model_trouble) == (77, "x")


async def test_a_wish_does_not_ask_the_model() -> None:
    world = await a_world(a_policy(twin=True))
    world.guesses.append(GUESS)
    answer = await trigger(world, hint="Mine")
    assert answer.prediction is not None
    assert answer.prediction.prompt == "Mine"


async def slow_model(hindrance: Callable[[World], object]) -> World:
    """A cron cycle that may act alone waits for its model, while something happens."""
    policy = a_policy(twin=True, autonomous=True)
    work = Work(playbook="run-tests", workspace="/home/me/gateway")
    seen = consent("run-tests", policy.playbook_agent, work)
    alone = allowed("run-tests", policy.playbook_agent, work)
    ledger = Ledger(decisions=40, seen_combos=("start>koji-core>built-in",), known_plans=(seen,), standing=(alone,))
    world = await with_ledger(ledger, policy, {"run-tests": Tally(approved=18)})
    world.readings["git"] = changed_tests()
    await world.ask(Spoke(at=NOON, source="api"))
    kept: list[Command] = []

    def hold(command: Command) -> bool:
        kept.extend([command] if isinstance(command, AskTwin) else [])
        return isinstance(command, AskTwin)

    world.holding = hold
    await world.until(NOON + 31 * MINUTE)
    assert world.autonomy is Autonomy.PRIMING
    asked = kept[-1]
    assert isinstance(asked, AskTwin)
    await hindrance(world)  # type: ignore[misc]  # each hindrance is a request
    reply = TwinReply(guesses=(replace(GUESS, confidence=1.0),))
    await world.happen(TwinAnswered(cycle_id=asked.cycle_id, reply=reply))
    return world


HINDRANCES: dict[str, Callable[[World], object]] = {
    "spoke": lambda world: world.ask(Spoke(at=world.now, source="api")),
    "paused": lambda world: world.ask(Pause(reason="enough")),
    "dnd": lambda world: world.ask(Configure(patch=ConfigPatch(dnd_until=world.now + HOUR), by="me")),
    "killed": lambda world: world.ask(Configure(patch=ConfigPatch(enabled=False), by="me")),
    "not-autonomous": lambda world: world.ask(Configure(patch=ConfigPatch(autonomous=False), by="me")),
}


@pytest.mark.parametrize("hindrance", HINDRANCES)
async def test_what_happens_while_the_model_thinks_is_heeded(hindrance: str) -> None:
    world = await slow_model(HINDRANCES[hindrance])
    assert world.jobs == []
    assert world.state.cycle is None


async def test_who_let_nothing_run_alone_is_not_told_that_pulse_acts_alone() -> None:
    world = await with_ledger(Ledger(decisions=40), a_policy(autonomous=True))
    world.readings["git"] = changed_tests()
    await world.ask(Spoke(at=NOON, source="api"))
    await world.until(NOON + 31 * MINUTE)
    assert len(await world.cards()) == 1
    status = status_of(world.state, world.now)
    assert (status.state, status.reason) == (
        Autonomy.WATCHING,
        "You have not allowed anything to run on autopilot yet.",
    )
    assert worded(status.reason_worded, "", phrases("en")) == status.reason


async def test_without_any_of_that_it_acts() -> None:
    world = await slow_model(lambda world: world.ask(Spoke(at=NOON, source="api")))
    assert [job.prompt for job in world.jobs] == [OWN]
    log = await world.store.read(LogSince(user="me", since=NOON, limit=9))
    assert [line.trigger for line in log] == ["autonomous"]


async def test_why_nothing_is_suggested_is_told_in_the_readers_language() -> None:
    world = await a_world()
    reply = await world.ask(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is None
    said = worded(reply.message_worded, reply.message, phrases("de"))
    assert said == "Es gibt nichts vorzuschlagen: Seit dem letzten Blick ist nichts Neues geschehen."
    for hint in ("What is the weather like?", "Write a poem"):
        code = sentence_code(why_nothing(hint, Situation(at=NOON, local=NOON)))
        assert phrases("de").say(code).startswith("Das kann Pulse nicht allein")
