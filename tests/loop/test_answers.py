"""Every verb on every status: first answer wins, the same again is a success, another is told who was first."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.events import PredictionExpired, PredictionReturned, PredictionSettled, PredictionSnoozed
from hub.contract.words import HumanInput, RunState, Status, Verb
from hub.domain.episode import Decided, Judged, Learned
from hub.domain.execution import RunResult
from hub.domain.requests import Refused, Reply
from hub.domain.storage import AddExecution, ExecutionsOf
from hub.domain.suggestion import Answer, Card
from hub.loop.asks import ask_id
from tests.fakes.world import DONE, World
from tests.loop.stage import DAY, HOUR, MINUTE, NOON, a_card, a_question, a_world, never, refused, running, taken

SECOND = timedelta(seconds=1)
FAILED = RunResult(ended="exited", exit_code=1, output="2 failed")


async def pending(world: World) -> Card:
    return await a_card(world)


async def rejected(world: World) -> Card:
    card = await a_card(world)
    taken(await world.answer(card, Verb.REJECT, surface="watch"))
    return card


async def expired(world: World) -> Card:
    card = await a_card(world)
    await world.until(card.expires_at)
    return card


async def executed(world: World) -> Card:
    card = await running(world)
    await world.finish(card.execution_id or "", DONE)
    return card


async def failed(world: World) -> Card:
    card = await running(world)
    await world.finish(card.execution_id or "", FAILED)
    return card


async def cancelled(world: World) -> Card:
    card = await running(world)
    taken(await world.answer(card, Verb.STOP))
    return card


Setting = Callable[[World], Awaitable[Card]]
SETTINGS: dict[Status, Setting] = {
    Status.PENDING: pending,
    Status.CONFIRMED: running,
    Status.REJECTED: rejected,
    Status.EXPIRED: expired,
    Status.CANCELLED: cancelled,
    Status.EXECUTED: executed,
    Status.FAILED: failed,
}
NOTHING = ("nothing-runs", "nothing-failed")
LATE = ("already-settled",) * 3
TABLE = {
    Status.PENDING: (*("taken",) * 4, "too-late-to-undo", *NOTHING, *("not-a-suggestion",) * 2, *NOTHING[1:] * 2),
    Status.CONFIRMED: ("repeated", *LATE, "taken", "taken", "nothing-failed", *LATE[:2], *NOTHING[1:] * 2),
    Status.REJECTED: ("already-settled", "repeated", *LATE[:2], "taken", *NOTHING, *LATE[:2], *NOTHING[1:] * 2),
    Status.EXPIRED: (*("expired",) * 4, "too-late-to-undo", *NOTHING, *("expired",) * 2, *NOTHING[1:] * 2),
    Status.CANCELLED: ("repeated", *LATE, "too-late-to-undo", *NOTHING, *LATE[:2], *NOTHING[1:] * 2),
    Status.EXECUTED: ("repeated", *LATE, "taken", *NOTHING, *LATE[:2], *NOTHING[1:] * 2),
    Status.FAILED: ("repeated", *LATE, "too-late-to-undo", "nothing-runs", "taken", *LATE[:2], "taken", "taken"),
}
VERBS = tuple(Verb)
"""In its order. What a person asked for (as these cards were) cannot be wanted less; see also test_mutes.py."""


def test_the_table_is_complete() -> None:
    assert set(TABLE) == set(Status) == set(SETTINGS)
    assert set(VERBS) == set(Verb)
    assert {len(row) for row in TABLE.values()} == {len(VERBS)}


def word(reply: Reply) -> str:
    if isinstance(reply, Refused):
        return reply.code
    assert isinstance(reply, AnswerReply)
    return "repeated" if reply.repeated else "taken"


SLOW = {Status.EXPIRED: pytest.mark.slow}  # hours pass until it is
PAIRS = [
    pytest.param(status, verb, row[place], id=f"{verb}-on-{status}", marks=SLOW.get(status, ()))
    for status, row in TABLE.items()
    for place, verb in enumerate(VERBS)
]


@pytest.mark.parametrize(("status", "verb", "expected"), PAIRS)
async def test_each_verb_on_each_status(status: Status, verb: Verb, expected: str) -> None:
    world = await a_world()
    card = await SETTINGS[status](world)
    before = await world.card(card.id)
    assert before.status is status
    runs = await world.store.read(ExecutionsOf(user="me", card_id=card.id))
    world.results = never
    more = {"prompt": "Write something else"} if verb is Verb.EDIT else {}
    reply = await world.answer(before, verb, surface="discord", **more)
    assert word(reply) == expected
    if expected != "taken":
        assert replace(await world.card(card.id), version=before.version, answered=before.answered) == before
        assert await world.store.read(ExecutionsOf(user="me", card_id=card.id)) == runs
    attempts = await world.store.read(ExecutionsOf(user="me", card_id=card.id))
    assert len(attempts) <= len(runs) + (status is Status.PENDING or verb is Verb.RETRY)


async def test_a_conflict_names_who_was_first_where_and_when() -> None:
    world = await a_world()
    card = await rejected(world)
    await world.until(NOON + MINUTE)
    reply = refused(await world.answer(card, Verb.APPROVE, surface="discord"))
    assert reply.detail.startswith("This was already dismissed by you on watch/mine at 12:00;")
    assert reply.settled is not None
    assert (reply.settled.verb, reply.settled.by, reply.settled.surface, reply.settled.at) == (
        Verb.REJECT,
        "me",
        "watch",
        NOON,
    )
    assert reply.prediction is not None
    assert reply.prediction.status is Status.REJECTED


async def test_the_settlement_names_surface_device_person_and_human_input() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.REJECT, surface="watch", reason="not now"))
    settled = (await world.card(card.id)).settled
    assert settled is not None
    assert (settled.surface, settled.device, settled.by, settled.human_input, settled.reason) == (
        "watch",
        "mine",
        "me",
        HumanInput.TAP,
        "not now",
    )


async def test_an_answer_to_another_text_is_refused_with_the_card_as_it_is() -> None:
    world = await a_world()
    card = await a_card(world)
    for verb in (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT):
        other = replace(card, card_hash="0" * 32)
        reply = refused(await world.answer(other, verb, prompt="x"))
        assert (reply.code, reply.status) == ("card-changed", 409)
        assert reply.prediction is not None
        assert reply.prediction.card_hash == card.card_hash
    assert (await world.card(card.id)) == card


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT])
async def test_exactly_at_the_expiry_it_is_expired(verb: Verb) -> None:
    world = await a_world()
    card = await a_card(world)
    await world.clock.sleep_until(card.expires_at)
    reply = refused(await world.answer(card, verb, prompt="y"))
    assert (reply.code, reply.status) == ("expired", 410)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert world.state.open_count == 0
    assert len(world.told(PredictionExpired)) == 1


async def test_an_instant_before_the_expiry_it_is_taken() -> None:
    world = await a_world()
    card = await a_card(world)
    await world.clock.sleep_until(card.expires_at - timedelta(microseconds=1))
    taken(await world.answer(card, Verb.APPROVE))


async def test_three_snoozes_and_no_fourth() -> None:
    world = await a_world()
    card = await a_card(world)
    for left in (2, 1, 0):
        reply = taken(await world.answer(card, Verb.SNOOZE))
        assert reply.prediction.snoozes_left == left
        assert reply.prediction.snoozed_until == world.now + HOUR
        await world.until(world.now + HOUR)
        assert len(world.told(PredictionReturned)) == 3 - left
    assert refused(await world.answer(card, Verb.SNOOZE)).code == "snoozed-too-often"
    assert len(world.told(PredictionSnoozed)) == 3


async def test_a_snooze_beyond_the_expiry_moves_the_expiry() -> None:
    world = await a_world()
    card = await a_card(world)
    until = card.expires_at + 2 * HOUR
    taken(await world.answer(card, Verb.SNOOZE, until=until))
    assert (await world.card(card.id)).expires_at == until + HOUR
    await world.until(until)
    assert [one.id for one in await world.cards()] == [card.id]


async def test_a_snooze_well_before_the_expiry_leaves_it_alone() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.SNOOZE))
    assert (await world.card(card.id)).expires_at == card.expires_at


@pytest.mark.parametrize(
    ("until", "code"),
    [
        (NOON, "snooze-in-the-past"),
        (NOON - DAY, "snooze-in-the-past"),
        (NOON + 7 * DAY + SECOND, "snooze-too-long"),
        (NOON.replace(year=9999, month=12, day=31, hour=23), "snooze-too-long"),
    ],
)
async def test_a_snooze_ends_in_the_future_and_within_a_week(until: object, code: str) -> None:
    world = await a_world()
    card = await a_card(world)
    assert refused(await world.answer(card, Verb.SNOOZE, until=until)).code == code
    assert (await world.card(card.id)) == card


async def test_an_edit_runs_the_new_text_and_is_judged_anew() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.EDIT, prompt="Write down what was not decided"))
    assert [job.prompt for job in world.jobs] == ["Write down what was not decided"]
    after = await world.card(card.id)
    assert after.card_hash != card.card_hash
    permit = next(change.execution.permit for change in world.changes if isinstance(change, AddExecution))
    assert (permit.prompt, permit.card_hash) == (after.prompt, after.card_hash)
    judged = [body for body in await world.story(card.id) if isinstance(body, Judged)]
    assert [one.conclusion for one in judged] == ["AskHuman", "Permit"]


async def test_an_edit_to_something_forbidden_is_refused_and_the_card_stays() -> None:
    world = await a_world()
    card = await a_card(world)
    reply = refused(await world.answer(card, Verb.EDIT, prompt="rm -rf / --no-preserve-root"))
    assert reply.code == "rail-content"
    assert (await world.card(card.id)) == card
    assert world.jobs == []
    taken(await world.answer(card, Verb.APPROVE))


@pytest.mark.parametrize("prompt", [None, "", "   \n"])
async def test_an_edit_without_text_is_refused(prompt: str | None) -> None:
    world = await a_world()
    card = await a_card(world)
    assert refused(await world.answer(card, Verb.EDIT, prompt=prompt)).code == "empty-prompt"


async def test_the_same_edit_again_is_a_success_another_edit_is_not() -> None:
    world = await a_world()
    card = await a_card(world)
    taken(await world.answer(card, Verb.EDIT, prompt="One"))
    after = await world.card(card.id)
    assert taken(await world.answer(after, Verb.EDIT, prompt="One")).repeated
    assert refused(await world.answer(after, Verb.EDIT, prompt="Two")).code == "already-settled"
    assert len(world.jobs) == 1


@pytest.mark.parametrize(("after", "code"), [(60 * SECOND, "taken"), (61 * SECOND, "too-late-to-undo")])
async def test_a_dismissal_can_be_undone_for_a_minute(after: timedelta, code: str) -> None:
    world = await a_world()
    card = await rejected(world)
    await world.clock.sleep_until(NOON + after)
    assert word(await world.answer(card, Verb.UNDO)) == code
    back = await world.card(card.id)
    assert back.status is (Status.PENDING if code == "taken" else Status.REJECTED)
    assert (back.settled is None) is (code == "taken")
    assert world.state.open_count == (1 if code == "taken" else 0)


async def test_an_undone_dismissal_can_be_answered_again() -> None:
    world = await a_world()
    card = await rejected(world)
    assert world.state.mind.ledger.rejections_in_row == 1
    taken(await world.answer(card, Verb.UNDO))
    assert world.state.mind.ledger.rejections_in_row == 0
    assert len(world.told(PredictionReturned)) == 1
    taken(await world.answer(card, Verb.APPROVE))
    assert (await world.card(card.id)).status is Status.EXECUTED


async def test_undo_of_a_run_stops_it() -> None:
    world = await a_world()
    card = await running(world)
    taken(await world.answer(card, Verb.UNDO))
    assert (await world.card(card.id)).status is Status.CANCELLED


async def test_regret_marks_finished_work_once_and_leaves_it() -> None:
    world = await a_world()
    card = await executed(world)
    await world.until(NOON + 3 * HOUR)
    assert not taken(await world.answer(card, Verb.UNDO)).repeated
    assert taken(await world.answer(card, Verb.UNDO)).repeated
    after = await world.card(card.id)
    assert (after.status, after.undone) == (Status.EXECUTED, True)
    signals = [body for body in await world.story(card.id) if isinstance(body, Learned)]
    assert [(one.signal, one.value) for one in signals] == [("approved", "chosen"), ("undone", "rejected")]


async def test_stop_reaches_a_run_that_still_waits_for_its_turn() -> None:
    world = await a_world(running_max=1)
    first = await running(world, "First")
    second = await running(world, "Second")
    assert len(world.jobs) == 1
    assert taken(await world.answer(second, Verb.STOP)).prediction.status is Status.CANCELLED
    await world.finish(first.execution_id or "")
    assert [job.prompt for job in world.jobs] == ["First"]
    assert world.state.queued == ()
    runs = await world.store.read(ExecutionsOf(user="me", card_id=second.id))
    assert [(run.state, run.cost_microusd) for run in runs] == [(RunState.STOPPED, 0)]


async def hand_in_twice(world: World, card: Card, verb: Verb, **more: object) -> tuple[Reply, Reply]:
    """The very same answer, twice: a broker hands in again what it does not know to be done."""
    answer = Answer(
        key="k",
        card_id=card.id,
        verb=verb,
        by="me",
        surface="phone",
        device="mine",
        human_input=HumanInput.TAP,
        card_hash=card.card_hash,
        **more,  # type: ignore[arg-type]  # the test names fields of Answer
    )
    return await world.ask(answer), await world.ask(answer)


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT, Verb.SNOOZE])
async def test_the_very_same_answer_handed_in_again_counts_once(verb: Verb) -> None:
    world = await a_world()
    card = await a_card(world)
    first, again = await hand_in_twice(world, card, verb)
    assert (word(first), word(again)) == ("taken", "repeated")
    assert (await world.card(card.id)).snoozes == (1 if verb is Verb.SNOOZE else 0)


async def test_an_undo_handed_in_again_is_a_success() -> None:
    world = await a_world()
    card = await rejected(world)
    assert tuple(map(word, await hand_in_twice(world, card, Verb.UNDO))) == ("taken", "repeated")


async def test_an_answer_handed_in_again_after_a_crash_in_its_run_does_not_run_it_again() -> None:
    world = await a_world()
    world.results = never
    card = await a_card(world)
    answer = Answer(
        key="k", card_id=card.id, verb=Verb.APPROVE, by="me", surface="phone", device="mine", human_input=HumanInput.TAP
    )
    taken(await world.ask(answer))
    await world.reopen()
    assert (await world.card(card.id)).status is Status.PENDING
    again = taken(await world.ask(answer))
    assert again.repeated
    assert "answer it again" in again.message
    assert len(world.jobs) == 1
    taken(await world.ask(replace(answer, key="k2")))
    assert len(world.jobs) == 2


async def test_an_unknown_card() -> None:
    world = await a_world()
    card = await a_card(world)
    for verb in Verb:
        reply = refused(await world.answer(replace(card, id="pred_none"), verb))
        assert (reply.code, reply.status) == ("unknown-card", 404)


async def test_what_is_written_down_of_an_answer() -> None:
    world = await a_world()
    card = await rejected(world)
    story = await world.story(card.id)
    assert [body.accepted for body in story if isinstance(body, Decided)] == [True]
    assert [(body.value, body.weight) for body in story if isinstance(body, Learned)] == [("rejected", 1.0)]
    assert len(world.told(PredictionSettled)) == 1


async def test_a_question_teaches_nothing_and_ends_no_onboarding() -> None:
    world = await a_world()
    for key in ("q1", "q2", "q3"):
        taken(await world.answer(await a_question(world, key), Verb.REJECT))
    taken(await world.answer(await a_question(world, "q4"), Verb.APPROVE))
    ledger = world.state.mind.ledger
    assert (ledger.decisions, ledger.rejections_in_row, world.state.mind.tallies) == (0, 0, {})
    assert [body for body in await world.story(ask_id("local", "q1")) if isinstance(body, Learned)] == []
