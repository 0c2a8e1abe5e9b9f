"""One answer, one effect: an answer handed in again does nothing again, in whatever state the card is by then."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.surface import Decision
from hub.contract.words import GRANTING, HumanInput, Status, Verb
from hub.domain.execution import RunResult
from hub.domain.requests import DeviceDecision, RegisterDevice, Reply, RevokeDevice
from hub.domain.storage import MoveCard
from hub.domain.suggestion import Answer, Card
from hub.loop.answered import KEYS_PER_CARD_MAX
from hub.loop.commands import Stop
from tests.fakes.world import DONE, World
from tests.loop.stage import HOUR, NOON, PHONE, a_card, a_world, handed, never, refused, running, taken

FAILED = RunResult(ended="exited", exit_code=1, output="2 failed")
STEPS_MAX = 14


def said(card: Card, key: str, verb: Verb = Verb.APPROVE, **more: object) -> Answer:
    """An answer as an API client sends it that names nothing but the card."""
    return Answer(
        key=key,
        card_id=card.id,
        verb=verb,
        by="me",
        surface="api",
        device="client_1",
        human_input=HumanInput.TAP,
        **more,  # type: ignore[arg-type]  # the test names fields of Answer
    )


async def give(world: World, answer: Answer) -> Reply:
    return await world.ask(answer)


async def test_an_approval_repeated_after_a_crash_and_a_snooze_runs_nothing() -> None:
    world = await a_world()
    world.results = never
    card = await a_card(world)
    first = said(card, "K")
    taken(await give(world, first))
    await world.reopen()
    taken(await give(world, said(card, "L", Verb.SNOOZE)))
    assert taken(await give(world, first)).repeated
    assert len(world.jobs) == 1


async def test_a_dismissal_repeated_after_it_was_undone_leaves_the_card_open() -> None:
    world = await a_world()
    card = await a_card(world)
    first = said(card, "K", Verb.REJECT)
    taken(await give(world, first))
    taken(await give(world, said(card, "L", Verb.UNDO)))
    taken(await give(world, said(card, "M", Verb.SNOOZE)))
    assert taken(await give(world, first)).repeated
    assert (await world.card(card.id)).status is Status.PENDING


async def test_a_second_yes_that_was_told_it_was_done_already_does_not_run_it_after_a_crash() -> None:
    world = await a_world()
    card = await running(world)
    second = said(card, "second")
    assert taken(await give(world, second)).repeated
    await world.reopen()
    assert taken(await give(world, second)).repeated
    assert len(world.jobs) == 1


async def test_a_stop_repeated_does_not_stop_the_next_run() -> None:
    world = await a_world()
    card = await running(world)
    world.holding = lambda command: isinstance(command, Stop)
    stop = said(card, "K", Verb.STOP)
    taken(await give(world, stop))
    world.holding = lambda _command: False
    await world.reopen()
    taken(await give(world, said(card, "L")))
    assert taken(await give(world, stop)).repeated
    assert (await world.card(card.id)).status is Status.CONFIRMED


@pytest.mark.parametrize("other", [{"verb": Verb.REJECT}, {"reason": "because"}, {"verb": Verb.EDIT, "prompt": "x"}])
async def test_a_key_is_good_for_one_answer_only(other: dict[str, object]) -> None:
    world = await a_world()
    card = await a_card(world)
    first = said(card, "K", Verb.SNOOZE)
    taken(await give(world, first))
    assert refused(await give(world, replace(first, **other))).code == "key-reused"
    assert world.jobs == []


async def test_two_devices_with_the_same_key_do_not_meet() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await give(world, said(card, "1", Verb.SNOOZE)))
    reply = taken(await give(world, replace(said(card, "1"), device="client_2")))
    assert not reply.repeated
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_an_answer_to_an_earlier_round_is_not_taken_under_a_new_key() -> None:
    world = await a_world()
    card = await running(world)
    await world.reopen()
    for verb in (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT):
        reply = refused(await give(world, said(card, f"new {verb}", verb, round=card.round, prompt="x")))
        assert (reply.code, reply.status) == ("answer-too-old", 409)
        assert reply.prediction is not None
        assert reply.prediction.round == card.round + 1
    taken(await give(world, said(card, "now", round=card.round + 1)))
    assert len(world.jobs) == 2


async def test_a_token_of_before_the_crash_approves_nothing_after_it() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    before = handed(world, PHONE)
    world.results = never
    taken(await world.answer(card, Verb.APPROVE, surface="watch"))
    await world.reopen()
    await world.hand_in(before, PHONE, Verb.APPROVE, card.card_hash)
    assert world.verdicts[-1][1].code == "answer-too-old"
    assert len(world.jobs) == 1


async def test_a_token_of_an_earlier_pairing_of_the_same_name_opens_nothing() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    before = handed(world, PHONE)
    await world.ask(RevokeDevice(address=PHONE))
    await world.pair(PHONE)
    await world.hand_in(before, PHONE, Verb.APPROVE, card.card_hash)
    assert world.verdicts[-1][1].code == "bad-token"
    assert world.jobs == []
    await world.hand_in(handed(world, PHONE), PHONE, Verb.APPROVE, card.card_hash)
    assert world.verdicts[-1][1].code == "taken"


async def test_pairing_a_device_again_that_was_never_revoked_keeps_what_it_was_handed() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    await world.ask(RegisterDevice(address=PHONE, profile="phone"))
    await world.hand_in(handed(world, PHONE), PHONE, Verb.APPROVE, card.card_hash)
    assert world.verdicts[-1][1].code == "taken"


async def test_the_key_of_a_card_stored_by_an_earlier_version_is_still_known() -> None:
    world = await a_world()
    card = await a_card(world)
    old = replace(card, version=card.version + 1, settled_key="approve:K")
    move = MoveCard(card=old, expect_version=card.version, expect_status=card.status)
    await world.store.commit([(move,)])
    assert taken(await give(world, said(card, "K"))).repeated
    assert world.jobs == []


async def test_a_card_takes_so_many_answers_and_can_then_only_be_dismissed() -> None:
    world = await a_world()
    card = await a_card(world)
    for number in range(KEYS_PER_CARD_MAX):
        taken(await give(world, said(card, f"k{number}", Verb.UNDO if number % 2 else Verb.SNOOZE)))
    assert refused(await give(world, said(card, "yes"))).code == "answered-too-often"
    taken(await give(world, said(card, "no", Verb.REJECT)))
    assert refused(await give(world, said(card, "back", Verb.UNDO))).code == "answered-too-often"
    assert len((await world.card(card.id)).answered) == KEYS_PER_CARD_MAX + 1
    assert world.jobs == []


STEPS = st.tuples(st.sampled_from(["say", "say", "repeat", "crash", "finish", "fail", "wait"]), st.sampled_from(Verb))


class History:
    """One card, whatever happens to it, and what was said of each answer that was taken."""

    def __init__(self, world: World, card: Card) -> None:
        self.world = world
        self.card = card
        self.taken: list[Answer] = []
        self.granted = 0

    async def say(self, verb: Verb) -> None:
        prompt = "Write something else" if verb is Verb.EDIT else None
        answer = said(self.card, f"k{len(self.taken)}-{self.world.turns}", verb, prompt=prompt)
        reply = await give(self.world, answer)
        if isinstance(reply, AnswerReply):
            self.taken.append(answer)
            self.granted += verb in GRANTING and not reply.repeated

    async def repeat_all(self) -> None:
        before, jobs = await self.world.card(self.card.id), list(self.world.jobs)
        for answer in self.taken:
            reply = await give(self.world, answer)
            assert taken(reply).repeated, answer.verb
        assert await self.world.card(self.card.id) == before
        assert self.world.jobs == jobs

    async def happen(self, what: str, verb: Verb) -> None:
        world, card = self.world, await self.world.card(self.card.id)
        match what:
            case "say":
                await self.say(verb)
            case "repeat":
                await self.repeat_all()
            case "crash":
                await world.reopen()
            case "wait":
                await world.until(world.now + timedelta(minutes=40))
            case _ if card.execution_id is not None and card.status is Status.CONFIRMED:
                await world.finish(card.execution_id, DONE if what == "finish" else FAILED)


@pytest.mark.slow
@given(st.lists(STEPS, min_size=3, max_size=STEPS_MAX))
@settings(max_examples=60, deadline=None)
async def test_every_earlier_key_in_every_later_state_does_nothing(steps: list[tuple[str, Verb]]) -> None:
    world = await a_world(now=NOON)
    world.results = never
    history = History(world, await a_card(world))
    for what, verb in steps:
        await history.happen(what, verb)
    await history.repeat_all()
    ran = [job for job in world.jobs if job.execution_id.startswith(history.card.id.replace("pred_", "exec_"))]
    assert len(ran) == len({job.execution_id for job in ran}) <= history.granted
    await world.reopen()
    await history.repeat_all()
    await world.until(world.now + HOUR)
    await history.repeat_all()


async def test_a_decision_handed_in_again_under_its_own_id_after_the_card_came_back() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await a_card(world)
    world.results = never
    decision = Decision(
        decision_id="d",
        card_id=card.id,
        verb=Verb.APPROVE,
        card_hash=card.card_hash,
        token=handed(world, PHONE).token,
        human_input=HumanInput.TAP,
        at=NOON,
    )
    for code in ("taken", "repeated"):
        await world.ask(DeviceDecision(sender=PHONE, decision=decision))
        assert world.verdicts[-1][1].code == code
        await world.reopen()
        world.deliveries.clear()
    await world.ask(DeviceDecision(sender=PHONE, decision=replace(decision, verb=Verb.REJECT)))
    assert world.verdicts[-1][1].code == "key-reused"
    assert len(world.jobs) == 1
