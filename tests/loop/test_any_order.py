"""Anything, from anywhere, in any order, with stops in between: what must always hold, holds."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from datetime import timedelta
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from hub.contract.api import AnswerReply, ConfigPatch
from hub.contract.errors import PulseError
from hub.contract.events import ExecutionFailed, PredictionExecuted, PredictionExpired, PredictionSettled
from hub.contract.words import MoveReason, Risk, RunState, Status, Verb
from hub.domain.card_states import MOVES
from hub.domain.episode import Decided
from hub.domain.execution import Execution
from hub.domain.requests import Ask, Configure, Pause, Resume, Spoke, Trigger, Withdraw
from hub.domain.storage import AddExecution, CountOpen, CountOpenAsks, ExecutionsOf, OpenExecutions, RecentCards
from hub.domain.suggestion import Card
from hub.loop.asks import ask_id
from hub.loop.views import status_of
from tests.fakes.world import DONE
from tests.loop.stage import DISCORD, PHONE, WATCH, a_policy, a_world, never

T = TypeVar("T")
SURFACES = ("phone", "watch", "discord", "web")
PROMPTS = ("Write down the plan", "Sort the notes", "Compare the two drafts", "Run the tests")
VERBS = (*Verb, Verb.APPROVE, Verb.APPROVE, Verb.EDIT)
STALE = (False, False, False, False, True)
TICK = timedelta(minutes=5)
"""Nothing but what the loop asks for itself makes it look more often: what is due must not need more."""
OFF, ON = ConfigPatch(enabled=False), ConfigPatch(enabled=True)
PATCHES = (OFF, ON, ON, ON, ConfigPatch(emergency_stop=True))
SETTLED = {Status.REJECTED, Status.EXPIRED, Status.CANCELLED, Status.EXECUTED, Status.FAILED}
SETTLING = (PredictionSettled, PredictionExpired, PredictionExecuted, ExecutionFailed)


class AnyOrder(RuleBasedStateMachine):
    """One person with several surfaces, agents that end when the machine says so, a hub that is stopped at times."""

    @initialize()
    def open(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.world = self.do(a_world(a_policy(pending_max=6), running_max=2))
        self.world.results = never
        self.do(self.world.pair(PHONE, WATCH, DISCORD))
        self.stops = 0

    def teardown(self) -> None:
        if hasattr(self, "loop"):
            self.loop.close()

    def do(self, work: Coroutine[object, object, T]) -> T:
        return self.loop.run_until_complete(work)

    def cards(self) -> tuple[Card, ...]:
        return self.do(self.world.store.read(RecentCards(user="me", limit=500)))

    def runs_of(self, card: Card) -> tuple[Execution, ...]:
        return self.do(self.world.store.read(ExecutionsOf(user="me", card_id=card.id)))

    @rule(prompt=st.sampled_from(PROMPTS))
    def trigger(self, prompt: str) -> None:
        self.do(self.world.ask(Trigger(hint=prompt, force=True)))

    @rule(key=st.sampled_from("abc"), timeout_s=st.sampled_from([30, 3_600]))
    def ask(self, key: str, timeout_s: int) -> None:
        asked = Ask(key=key, asker="script", question="May I?", details="", risk=Risk.LOW, timeout_s=timeout_s)
        self.do(self.world.ask(asked))

    @rule(key=st.sampled_from("abc"))
    def withdraw(self, key: str) -> None:
        self.do(self.world.ask(Withdraw(card_id=ask_id("local", key))))

    @precondition(lambda self: self.cards())
    @rule(data=st.data(), verb=st.sampled_from(VERBS), surface=st.sampled_from(SURFACES), stale=st.sampled_from(STALE))
    def answer(self, data: st.DataObject, verb: Verb, surface: str, stale: bool) -> None:  # noqa: FBT001  hypothesis passes it
        card = data.draw(st.sampled_from(self.cards()))
        shown = replace(card, card_hash="0" * 32) if stale else card
        more = {"prompt": data.draw(st.sampled_from(PROMPTS))} if verb is Verb.EDIT else {}
        reply = self.do(self.world.answer(shown, verb, surface=surface, **more))
        if stale and verb in {Verb.APPROVE, Verb.EDIT, Verb.REJECT, Verb.SNOOZE} and card.status is Status.PENDING:
            assert not isinstance(reply, AnswerReply)

    @precondition(lambda self: self.world.state.running)
    @rule(data=st.data(), exit_code=st.sampled_from([0, 1]), cost=st.sampled_from([None, 0, 40_000, 400_000]))
    def end_a_run(self, data: st.DataObject, exit_code: int, cost: int | None) -> None:
        execution_id = data.draw(st.sampled_from(self.world.state.running))
        self.do(self.world.finish(execution_id, replace(DONE, exit_code=exit_code, cost_microusd=cost)))

    @rule(seconds=st.sampled_from([1, 1, 45, 45, 700, 4_000, 30_000]))
    def let_time_pass(self, seconds: int) -> None:
        self.do(self.world.until(self.world.now + timedelta(seconds=seconds), TICK))

    @rule(
        patch=st.sampled_from([ConfigPatch(enabled=False), ConfigPatch(enabled=True), ConfigPatch(emergency_stop=True)])
    )
    def configure(self, patch: ConfigPatch) -> None:
        self.do(self.world.ask(Configure(patch=patch, by="me")))
        if patch.emergency_stop:
            self.do(self.world.ask(Configure(patch=ConfigPatch(emergency_stop=False), by="me")))

    @rule(request=st.sampled_from([Pause(reason="x"), Resume()]))
    def pause_or_resume(self, request: Pause | Resume) -> None:
        try:
            self.do(self.world.ask(request))
        except PulseError as error:
            assert error.code == "illegal-happening"  # noqa: PT017  refused while disabled, and nothing changes

    @rule()
    def speak(self) -> None:
        self.do(self.world.ask(Spoke(at=self.world.now, source="api")))

    @rule()
    def stop_and_start(self) -> None:
        self.stops += 1
        self.do(self.world.reopen())
        self.do(self.world.pair(PHONE, WATCH, DISCORD))

    @invariant()
    def one_execution_at_most_per_card(self) -> None:
        alive = self.do(self.world.store.read(OpenExecutions(user="me", limit=500)))
        assert max(Counter(run.card_id for run in alive).values(), default=0) <= 1
        active = {run.id for run in alive if run.state is RunState.ACTIVE}
        assert active == set(self.world.state.running)
        assert {run.id for run in alive} - active == set(self.world.state.queued)
        assert len(active) <= self.world.state.limits.running_max

    @invariant()
    def every_execution_has_a_permit_for_its_own_card(self) -> None:
        for change in self.world.changes:
            if isinstance(change, AddExecution):
                run, permit = change.execution, change.execution.permit
                card = self.do(self.world.card(run.card_id))
                runs = self.runs_of(card)
                assert (permit.execution_id, permit.card_id, permit.attempt) == (run.id, card.id, run.attempt)
                assert not permit.autonomous
                if runs[-1].id == run.id:
                    assert (permit.card_hash, permit.prompt) == (card.card_hash, card.prompt)

    @invariant()
    def every_job_was_permitted(self) -> None:
        permits = {c.execution.id: c.execution.permit for c in self.world.changes if isinstance(c, AddExecution)}
        for job in self.world.jobs:
            assert permits[job.execution_id].prompt == job.prompt
        assert len({job.execution_id for job in self.world.jobs}) == len(self.world.jobs)

    @invariant()
    def every_change_of_status_is_in_the_table(self) -> None:
        for move in self.world.moves:
            if move.expect_status is not move.card.status:
                assert move.card.status_reason is not None
                assert MOVES[move.expect_status, move.card.status_reason] is move.card.status

    @invariant()
    def the_count_of_open_cards_is_the_stores(self) -> None:
        assert self.world.state.open_count == self.do(self.world.store.read(CountOpen(user="me")))
        asks = {client: count for client, count in self.world.state.open_asks.items() if count}
        assert asks == self.do(self.world.store.read(CountOpenAsks(user="me")))
        assert self.world.state.open_suggestions <= 6 + len(self.world.jobs) + self.stops
        assert sum(asks.values()) <= len("abc")

    @invariant()
    def what_is_spent_is_counted(self) -> None:
        cards = self.cards()
        runs = [
            run for card in cards for run in self.do(self.world.store.read(ExecutionsOf(user="me", card_id=card.id)))
        ]
        recent = [run for run in runs if self.world.now - run.queued_at < timedelta(hours=1)]
        ended = {RunState.VERIFIED, RunState.FAILED, RunState.STOPPED}
        costs = sum(run.cost_microusd if run.state in ended or run.ended_at else 50_000 for run in recent)
        assert status_of(self.world.state, self.world.now).cost_this_hour >= costs / 1_000_000 - 1e-9

    @invariant()
    def no_card_is_decided_twice(self) -> None:
        for card in self.cards():
            steps = self.do(self.world.story(card.id))
            granting = [
                one for one in steps if isinstance(one, Decided) and one.answer.verb in {Verb.APPROVE, Verb.EDIT}
            ]
            back = [
                move
                for move in self.world.moves
                if move.card.id == card.id
                and move.expect_status is not move.card.status
                and move.card.status_reason in {MoveReason.INTERRUPTED, MoveReason.UNDONE}
            ]
            assert len(granting) <= 1 + len(back)

    @invariant()
    def each_device_is_told_each_outcome_once(self) -> None:
        outcomes = Counter(
            move.card.id
            for move in self.world.moves
            if move.expect_status is not move.card.status
            and move.card.status in SETTLED | {Status.CONFIRMED}
            and move.card.status_reason is not MoveReason.BLOCKED
        )
        outcomes.update(card.id for card in self.cards() if card.mended_at is not None)  # told once more as over
        for address in (PHONE, WATCH, DISCORD):
            told = Counter(
                event.card_id if isinstance(event, PredictionExpired) else event.prediction.id
                for _, to, delivery in self.world.deliveries
                if to == address and isinstance(event := delivery.event, SETTLING)
            )
            assert told == outcomes


SHORT = settings(max_examples=10, stateful_step_count=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
AnyOrder.TestCase.settings = SHORT
TestAnyOrder = AnyOrder.TestCase


@pytest.mark.slow
class TestAnyOrderForLong(AnyOrder.TestCase):  # type: ignore[misc,valid-type]  # made by hypothesis
    settings = settings(SHORT, max_examples=50, stateful_step_count=50)
