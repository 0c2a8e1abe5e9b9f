"""What answers teach, in the loop: learnt at once, kept in rows, taken back with them, felt in the next cycle."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import Likelihood
from hub.contract.surface import Presence
from hub.contract.words import DeliveryState, Status, Verb
from hub.domain.delivery import LedgerEntry
from hub.domain.episode import Proposed
from hub.domain.reports import TaughtLately
from hub.domain.requests import ReportPresence
from hub.domain.storage import StepsOf
from hub.domain.teaching import Taught, YesModel
from hub.learn.yes import LEARNT_ANSWERS_MIN, estimate
from hub.loop.events import YesModelArrived
from hub.loop.habits import SINCE_MAX, taken_up
from hub.loop.likelihood import WORDS_CHARS_MAX, in_figures
from hub.loop.state import Habits
from hub.loop.views import prediction_of
from tests.bench.habits import HABITS, dice, history
from tests.fakes.world import World
from tests.loop.stage import HOUR, PHONE, a_card, a_world, never, taken
from tests.loop.test_mutes import by_itself, suggested


async def rows(world: World) -> tuple[Taught, ...]:
    return await world.store.read(TaughtLately(user=world.state.user, limit=99))


@pytest.mark.parametrize(
    ("verb", "word", "yes", "weight"),
    [
        (Verb.APPROVE, "approved", True, 1.0),
        (Verb.REJECT, "rejected", False, 1.0),
        (Verb.LESS, "less-wanted", False, 1.0),
        (Verb.NEVER, "never-wanted", False, 1.0),
    ],
)
async def test_an_answer_is_a_row_with_what_was_known_when_it_was_made(
    verb: Verb, word: str, weight: float, *, yes: bool
) -> None:
    world = await a_world()
    world.results = never
    card = await suggested(world)
    assert card.proposal.likelihood is not None
    taken(await world.answer(card, verb))
    (row,) = await rows(world)
    assert (row.signal, row.yes, row.weight, row.about) == (word, yes, weight, card.proposal.likelihood.about)
    assert (row.about.kind, row.about.happened, row.about.repository) == ("run-tests", "manual", "/home/me/shop")
    assert (row.about.meaning, row.about.prior) == in_figures(card.proposal.prompt, card.proposal.reasoning)
    assert any(row.about.meaning)
    p = card.proposal.likelihood.p
    assert (estimate(world.state.habits.model, row.about).p > p) == yes


def test_of_a_long_text_the_beginning_is_read() -> None:
    offer, seen = "Run the tests of shop " * 20, "Three modules changed.\n" * 20
    assert in_figures(offer, seen) == in_figures(offer[:WORDS_CHARS_MAX] + "push", seen[:WORDS_CHARS_MAX] + "push")
    assert in_figures("", "")[0] == (0.0,) * len(in_figures(offer, seen)[0])


async def test_the_figure_of_the_beginning_becomes_what_was_learnt() -> None:
    world = await a_world()
    for run in range(LEARNT_ANSWERS_MIN):
        card = await suggested(world, run)
        assert card.proposal.confidence == 0.4
        taken(await world.answer(card, Verb.REJECT))
    after = await suggested(world, LEARNT_ANSWERS_MIN)
    said = after.proposal.likelihood
    assert said is not None
    assert (said.is_learnt, said.yes, said.answers) == (True, 0, 5)
    assert after.proposal.confidence == said.p < 0.2
    shown = prediction_of(after, world.state.policy)
    assert shown.likelihood == Likelihood(p=said.p, low=said.low, high=said.high, yes=0, answers=5)
    assert shown.confidence_learnt
    early = prediction_of(card, world.state.policy)
    assert (early.likelihood, early.confidence_learnt) == (None, False)


@pytest.mark.slow
async def test_what_is_always_refused_is_never_suggested_unasked_again() -> None:
    world = await a_world()
    for run in range(8):
        taken(await world.answer(await suggested(world, run), Verb.REJECT))
    assert await by_itself(world, 8, 72) == 0
    assert (await suggested(world, 9)).proposal.confidence < 0.2  # who asks is told


async def test_an_answer_taken_back_teaches_nothing_more() -> None:
    world = await a_world()
    fresh = world.state.habits.model
    card = await suggested(world)
    taken(await world.answer(card, Verb.REJECT))
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    (row,) = await rows(world)
    assert row.undone
    assert world.state.habits.model == fresh
    taken(await world.answer(await world.card(card.id), Verb.APPROVE))
    (row,) = await rows(world)
    assert (row.undone, row.yes) == (False, True)


async def test_regret_and_failure_count_and_a_later_yes_is_a_weaker_one() -> None:
    world = await a_world()
    card = await suggested(world)
    taken(await world.answer(card, Verb.SNOOZE))
    assert await rows(world) == ()
    taken(await world.answer(await world.card(card.id), Verb.APPROVE))
    assert [(row.signal, row.weight) for row in await rows(world)] == [("approved-later", 0.7)]
    assert (await world.card(card.id)).status is Status.EXECUTED
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    assert [(row.signal, row.yes) for row in await rows(world)] == [("undone", False)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "is_there", "words"),
    [
        (DeliveryState.SHOWN, True, [("expired", False)]),
        (DeliveryState.SHOWN, False, []),
        (DeliveryState.QUEUED, True, []),
    ],
)
async def test_an_expiry_counts_where_the_person_was_at_a_device_that_showed_the_card(
    state: DeliveryState,
    is_there: bool,  # noqa: FBT001  a parametrised circumstance
    words: list[tuple[str, bool]],
) -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await suggested(world)
    entry = LedgerEntry(
        id="d1",
        user=card.user,
        card_id=card.id,
        surface=PHONE.surface,
        device=PHONE.device,
        event_type="prediction.new",
        state=state,
        at=world.now,
    )
    await world.store.commit([(entry,)])
    if is_there:
        await world.until(world.now + timedelta(minutes=5))
        presence = Presence(online=True, person_active_at=world.now)
        await world.ask(ReportPresence(sender=PHONE, presence=presence))
    await world.until(card.expires_at + timedelta(minutes=5))
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert [(row.signal, row.is_answer) for row in await rows(world)] == words


async def test_what_a_person_wrote_themselves_teaches_nothing() -> None:
    world = await a_world()
    taken(await world.answer(await a_card(world), Verb.REJECT))
    assert await rows(world) == ()


async def test_a_restart_takes_up_what_was_taught() -> None:
    world = await a_world()
    for run in range(6):
        taken(await world.answer(await suggested(world, run), Verb.REJECT))
    model = world.state.habits.model
    await world.reopen()
    assert world.state.habits.model == model


async def test_the_episode_is_enough_to_estimate_again() -> None:
    world = await a_world()
    model = world.state.habits.model
    card = await suggested(world)
    steps = await world.store.read(StepsOf(user=card.user, card_id=card.id, limit=99))
    (proposed,) = (step.body for step in steps if isinstance(step.body, Proposed))
    said = proposed.proposal.likelihood
    assert said is not None
    assert estimate(model, said.about) == said


@pytest.mark.slow
def test_what_can_be_taken_back_is_bounded() -> None:
    told = tuple(history(HABITS["by kind"], dice(1), SINCE_MAX + 7, 0.05))
    habits = taken_up(told)
    assert len(habits.since) == SINCE_MAX
    assert habits.base.answers == 7
    assert habits.model.answers == len(told)


async def with_history(answers: int) -> World:
    world = await a_world()
    told = history(HABITS["by kind"], dice(2), answers, 0.05)
    rows = [replace(one, user=world.state.user, at=world.now - HOUR) for one in told]
    await world.store.commit([tuple(one for one in rows)])
    await world.reopen()
    return world


async def test_a_training_goes_out_and_its_model_is_taken_on_with_what_came_since() -> None:
    world = await with_history(60)
    began = world.state.habits.training_at
    assert began is not None
    model = YesModel(name="trained", answers=60)
    card = await suggested(world)
    taken(await world.answer(card, Verb.REJECT))
    await world.happen(YesModelArrived(before=began - HOUR, model=YesModel(name="of another training")))
    assert world.state.habits.model.name == "first"
    await world.happen(YesModelArrived(before=began, model=model))
    habits = world.state.habits
    assert (habits.base, habits.model.name, habits.model.answers, habits.training_at) == (model, "trained", 61, None)
    assert [one.card_id for one in habits.since] == [card.id]


async def test_a_training_that_failed_leaves_what_was_learnt() -> None:
    world = await with_history(60)
    before = world.state.habits
    assert before.training_at is not None
    await world.happen(YesModelArrived(before=before.training_at, model=None))
    assert world.state.habits == replace(before, training_at=None)


async def test_an_answer_that_is_in_the_base_is_left_out_of_the_next_model() -> None:
    world = await with_history(60)
    card = await suggested(world)
    taken(await world.answer(card, Verb.REJECT))
    base = Habits(base=world.state.habits.model, model=world.state.habits.model)
    world.state = replace(world.state, habits=base)
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    assert world.state.habits.training_at == world.now
    assert (await rows(world))[-1].undone


@pytest.mark.slow
async def test_a_device_that_rejects_everything_quietens_what_it_rejects_and_nothing_else() -> None:
    """It may be broken, or in a child's hands: what it does is bounded, told by its name, and can be taken back."""
    world = await a_world()
    world.results = never
    before = world.state.policy
    for run in range(9):
        card = await suggested(world, run)
        taken(await world.answer(card, Verb.REJECT, surface="watch"))
    rejected = await world.card(card.id)
    assert (rejected.status, rejected.settled and rejected.settled.surface) == (Status.REJECTED, "watch")
    said = rejected.proposal.likelihood
    assert said is not None
    place, prior = in_figures("Finish “Taxes”: it is due tomorrow", "The task “Taxes” is due tomorrow.")
    other = replace(
        said.about, kind="deadline", reason="d:1", repository="", channel="research", meaning=place, prior=prior
    )
    model = world.state.habits.model
    assert estimate(model, said.about).p < estimate(model, other).p / 2
    assert world.state.policy == before
    assert world.jobs == []
    assert (await suggested(world, 9)).status is Status.PENDING  # a person who asks is still told
