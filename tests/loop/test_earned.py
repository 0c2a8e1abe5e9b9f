"""Acting alone is earned: yeses in a row bring an offer, a person's yes to it lets it run, one regret ends that."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch, TriggerAnswer
from hub.contract.events import PredictionNew
from hub.contract.words import HumanInput, Status, Verb
from hub.domain.policy import Earning
from hub.domain.reports import GrantEvents
from hub.domain.requests import AddMute, AllowKind, Configure, DropGrant, Noted, RestoreGrant, Spoke, Trigger
from hub.domain.suggestion import RUNS_ALONE, Answer, Card
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.earned import ASKS_AGAIN, KIND, STREAKS_MAX
from hub.loop.standing_views import end_of, grants_of, kinds_of
from hub.loop.views import status_of
from hub.what.signals import ALL
from tests.fakes.stopped import StoppedClock
from tests.fakes.world import World
from tests.loop.stage import HOUR, NOON, PHONE, a_policy, a_world, handed, never, refused, taken
from tests.loop.test_mutes import changed

DAY = timedelta(days=1)
ENOUGH = 11
"""Yeses in a row that these tests ask for, the least that make 80 % certain."""


async def a_beginner(*, autonomous: bool = False) -> World:
    return await a_world(a_policy(earning=Earning(yeses_to_offer=ENOUGH), autonomous=autonomous))


async def suggested(world: World) -> Card:
    """Put another suggestion of the same kind before the person."""
    world.readings["git"] = changed(world.turns)
    reply = await world.ask(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer), reply
    assert reply.prediction is not None, reply.message
    return await world.card(reply.prediction.id)


async def yes(world: World, times: int = 1) -> Card:
    for _ in range(times):
        card = await suggested(world)
        taken(await world.answer(card, Verb.APPROVE, in_person=True))
    return await world.card(card.id)


async def offers(world: World) -> list[Card]:
    return [card for card in await world.cards() if card.offer is not None]


async def an_offer(world: World) -> Card:
    await yes(world, ENOUGH)
    (card,) = await offers(world)
    return card


async def allowed(world: World) -> Card:
    card = await an_offer(world)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    return await world.card(card.id)


async def alone(world: World) -> Card:
    """Let the person go, and something worth doing come; return what ran by itself."""
    world.readings["git"] = changed(world.turns)
    before = len(world.jobs)
    await world.ask(Spoke(at=world.now, source="api"))
    world.readings["git"] = changed(world.turns)
    await world.until(world.now + HOUR)
    assert len(world.jobs) == before + 1
    return await world.card(world.jobs[-1].execution_id.replace("exec_", "pred_").rpartition("_")[0])


@pytest.mark.slow
async def test_a_row_of_yeses_brings_an_offer_that_runs_nothing() -> None:
    world = await a_beginner()
    await yes(world, ENOUGH - 1)
    assert await offers(world) == []
    await yes(world)
    (card,) = await offers(world)
    assert card.prompt == f"You approved “Run the tests of shop” {ENOUGH} of {ENOUGH} times. Put it on autopilot?"
    assert "Autopilot does nothing yet" in card.proposal.reasoning
    said, why = card.proposal.prompt_worded, card.proposal.reasoning_worded
    assert said is not None
    assert why is not None
    assert worded(said.wording, "", phrases("de")).endswith(
        f"{ENOUGH} von {ENOUGH} Mal genehmigt. Dafür den Autopiloten einschalten?"
    )
    assert "Noch tut der Autopilot nichts" in worded(why.wording, "", phrases("de"))
    assert (card.plan, card.is_editable) == (None, False)
    assert world.state.mind.ledger.standing == ()
    assert not world.state.policy.autonomous


@pytest.mark.slow
async def test_a_yes_to_it_lets_it_run_and_nothing_else() -> None:
    world = await a_beginner()
    jobs = len((await allowed(world), world.jobs)[1])
    card = await allowed_card(world)
    assert (card.status, card.execution_id) == (Status.EXECUTED, None)
    assert card.outcome == "Runs on autopilot while you are away, until 8 June 2026."
    german = worded(card.outcome_worded, "", phrases("de"))
    assert german == "Läuft im Autopiloten, während du weg bist, bis 8. Juni 2026."
    assert len(world.jobs) == jobs
    assert world.state.policy.autonomous
    (given,) = grants_of(world.state.mind, "UTC", world.now).grants
    assert (given.summary, given.runs) == ("“Run the tests of shop” in shop", 0)
    ran = await alone(world)
    assert ran.autonomous
    (given,) = grants_of(world.state.mind, "UTC", world.now).grants
    assert given.runs == 1


async def allowed_card(world: World) -> Card:
    return await world.card(world.state.mind.ledger.standing[0].card_id)


@pytest.mark.slow
async def test_it_outlives_a_restart() -> None:
    world = await a_beginner()
    await allowed(world)
    await world.reopen()
    assert (await alone(world)).autonomous


@pytest.mark.slow
async def test_without_an_answer_to_the_offer_nothing_runs_alone() -> None:
    world = await a_beginner(autonomous=True)
    await an_offer(world)
    jobs = len(world.jobs)
    world.readings["git"] = changed(world.turns)
    await world.until(world.now + 2 * HOUR)
    assert len(world.jobs) == jobs


@pytest.mark.slow
@pytest.mark.parametrize("verb", [Verb.REJECT, Verb.LESS, Verb.UNDO])
async def test_a_no_or_a_regret_begins_the_row_anew(verb: Verb) -> None:
    world = await a_beginner()
    last = await yes(world, ENOUGH - 1)
    card = last if verb is Verb.UNDO else await suggested(world)
    taken(await world.answer(card, verb, in_person=True))
    await yes(world)
    assert await offers(world) == []


@pytest.mark.slow
async def test_a_token_says_nothing_about_a_person() -> None:
    """An agent that holds a token earns nothing, and cannot answer the offer, whatever surface it claims."""
    world = await a_beginner()
    for _ in range(ENOUGH):
        taken(await world.answer(await suggested(world), Verb.APPROVE))
    assert await offers(world) == []
    card = await an_offer(world)
    for more in ({}, {"card_hash": None, "in_person": True}):
        answer = Answer(
            key=f"agent {len(more)}",
            card_id=card.id,
            verb=Verb.APPROVE,
            by="me",
            surface="phone",
            device="mine",
            human_input=HumanInput.TAP,
            **{"card_hash": card.card_hash, **more},  # type: ignore[arg-type]  # fields of Answer by name
        )
        assert refused(await world.ask(answer)).code == "yes-of-your-own"
    assert world.state.mind.ledger.standing == ()
    assert (await world.card(card.id)).status is Status.PENDING


@pytest.mark.slow
async def test_other_words_are_no_yes_to_it() -> None:
    world = await a_beginner()
    card = await an_offer(world)
    reply = refused(await world.answer(card, Verb.EDIT, prompt="Let everything run alone", in_person=True))
    assert reply.code == "not-editable"


@pytest.mark.slow
async def test_a_paired_device_may_say_yes() -> None:
    world = await a_beginner()
    await world.pair(PHONE)
    card = await an_offer(world)
    delivery = handed(world, PHONE)
    assert Verb.EDIT not in delivery.verbs
    await world.hand_in(delivery, PHONE, Verb.APPROVE, card.card_hash)
    assert [one.by for one in world.state.mind.ledger.standing] == ["phone/mine"]


@pytest.mark.slow
async def test_a_repeated_answer_counts_once() -> None:
    world = await a_beginner()
    await yes(world, ENOUGH - 2)
    card = await suggested(world)
    answer = Answer(
        key="same",
        card_id=card.id,
        verb=Verb.APPROVE,
        by="me",
        surface="page",
        device="mine",
        human_input=HumanInput.TAP,
        card_hash=card.card_hash,
        in_person=True,
    )
    for _ in range(5):
        taken(await world.ask(answer))
    assert [row.yeses for row in world.state.mind.streaks.values()] == [ENOUGH - 1]


@pytest.mark.slow
@pytest.mark.parametrize("verb", [Verb.UNDO, Verb.STOP])
async def test_one_regret_takes_it_back(verb: Verb) -> None:
    world = await a_beginner()
    await allowed(world)
    if verb is Verb.STOP:
        world.results = never
    card = await alone(world)
    reply = taken(await world.answer(card, verb))
    assert reply.message.endswith(ASKS_AGAIN.text)
    assert world.state.mind.ledger.standing == ()
    assert world.state.mind.streaks == {}
    if verb is Verb.STOP:
        await world.finish(card.execution_id or "")
    jobs = len(world.jobs)
    world.readings["git"] = changed(world.turns)
    await world.until(world.now + HOUR)
    assert len(world.jobs) == jobs


@pytest.mark.slow
async def test_a_regret_of_what_was_approved_takes_nothing_back() -> None:
    world = await a_beginner()
    await allowed(world)
    card = await yes(world)
    assert ASKS_AGAIN.text not in taken(await world.answer(card, Verb.UNDO)).message
    assert len(world.state.mind.ledger.standing) == 1


@pytest.mark.slow
async def test_undo_of_the_yes_takes_it_back_at_any_time() -> None:
    world = await a_beginner()
    card = await allowed(world)
    await world.until(world.now + DAY, tick=4 * HOUR)
    assert taken(await world.answer(card, Verb.UNDO)).message == ASKS_AGAIN.text
    assert world.state.mind.ledger.standing == ()
    assert taken(await world.answer(await world.card(card.id), Verb.UNDO)).repeated


@pytest.mark.slow
async def test_the_list_takes_it_back() -> None:
    world = await a_beginner()
    card = await allowed(world)
    (given,) = world.state.mind.ledger.standing
    assert refused(await world.ask(DropGrant(grant_id="yes_of_another"))).code == "unknown-grant"
    assert isinstance(await world.ask(DropGrant(grant_id=given.id)), Noted)
    assert grants_of(world.state.mind, "UTC", world.now).count == 0
    assert (await world.card(card.id)).outcome == "Removed. Pulse asks about this again."
    assert isinstance(await world.ask(RestoreGrant(grant_id=given.id, by="browser/desk")), Noted)
    assert await world.card(card.id) == replace(card, version=card.version + 2)


@pytest.mark.slow
async def test_another_command_is_asked_about() -> None:
    world = await a_beginner()
    await allowed(world)
    plan = world.plans
    world.plans = lambda agent, work: replace(plan(agent, work), argv=("curl", "x"))
    jobs = len(world.jobs)
    world.readings["git"] = changed(world.turns)
    await world.until(world.now + HOUR)
    assert len(world.jobs) == jobs


@pytest.mark.slow
async def test_it_ends_by_itself_and_no_clock_brings_it_back() -> None:
    world = await a_world(a_policy(earning=Earning(yeses_to_offer=ENOUGH, standing_yes_s=14_400.0)))
    await allowed(world)
    began = world.now
    await world.until(began + 4 * HOUR, tick=HOUR)
    assert world.state.mind.ledger.standing == ()
    world.clock = StoppedClock(began + HOUR)
    jobs = len(world.jobs)
    world.readings["git"] = changed(world.turns)
    await world.until(began + 3 * HOUR)
    assert len(world.jobs) == jobs


@pytest.mark.slow
async def test_an_offer_comes_once_a_day_and_after_as_many_yeses_more() -> None:
    world = await a_beginner()
    card = await an_offer(world)
    taken(await world.answer(card, Verb.REJECT, in_person=True))
    await yes(world, ENOUGH)
    assert await offers(world) == []
    await world.until(world.now + DAY, tick=HOUR)
    await yes(world)
    assert len(await offers(world)) == 1


@pytest.mark.slow
async def test_never_is_never_and_less_is_a_day_at_least() -> None:
    world = await a_beginner()
    taken(await world.answer(await an_offer(world), Verb.NEVER, in_person=True))
    await world.until(world.now + 2 * DAY, tick=HOUR)
    await yes(world, 2 * ENOUGH)
    assert await offers(world) == []
    assert [mute.kind for mute in world.state.mind.mutes] == [KIND]


@pytest.mark.slow
async def test_it_can_be_switched_off_in_the_settings() -> None:
    world = await a_world(a_policy(earning=Earning(yeses_to_offer=0)))
    await yes(world, 20)
    assert await offers(world) == []


@pytest.mark.slow
async def test_what_failed_offers_nothing() -> None:
    world = await a_beginner()
    await yes(world, ENOUGH - 1)
    result = world.results
    world.results = lambda job: replace(result(job), exit_code=1)  # type: ignore[type-var]  # they all end
    await yes(world)
    assert await offers(world) == []


@pytest.mark.slow
async def test_what_was_switched_off_again_stays_off() -> None:
    world = await a_beginner()
    await allowed(world)
    await world.ask(Configure(patch=ConfigPatch(autonomous=False), by="me"))
    jobs = len(world.jobs)
    world.readings["git"] = changed(world.turns)
    await world.until(world.now + HOUR)
    assert len(world.jobs) == jobs


async def test_rows_are_kept_up_to_a_bound() -> None:
    world = await a_beginner()
    await yes(world)
    (row,) = world.state.mind.streaks.values()
    many = {f"{number}:x": row for number in range(STREAKS_MAX)}
    world.state = replace(world.state, mind=replace(world.state.mind, streaks=many))
    await yes(world)
    assert len(world.state.mind.streaks) == STREAKS_MAX


@pytest.mark.slow
async def test_the_offer_is_told_like_any_card() -> None:
    world = await a_beginner()
    card = await an_offer(world)
    told = [event.prediction.id for event in world.told(PredictionNew) if isinstance(event, PredictionNew)]
    assert told.count(card.id) == 1
    assert world.now >= NOON


@pytest.mark.slow
async def test_what_always_asks_ends_the_grant_and_is_not_offered_until_a_newer_yes() -> None:
    world = await a_beginner()
    await allowed(world)
    card = await suggested(world)
    assert isinstance(await world.ask(AddMute(degree="ask", card_id=card.id)), Noted)
    assert world.state.mind.ledger.standing == ()
    await world.until(world.now + DAY)
    await yes(world, ENOUGH)
    assert await offers(world) == []


@pytest.mark.slow
async def test_a_yes_to_an_offer_from_before_is_the_newer_word() -> None:
    world = await a_beginner()
    offer = await an_offer(world)
    assert isinstance(await world.ask(AddMute(degree="ask", kind="run-tests")), Noted)
    taken(await world.answer(offer, Verb.APPROVE, in_person=True))
    assert (len(world.state.mind.ledger.standing), world.state.mind.mutes) == (1, ())


@pytest.mark.slow
async def test_a_devices_yes_to_an_offer_takes_no_wish_always_to_be_asked_away() -> None:
    world = await a_beginner()
    await world.pair(PHONE)
    offer = await an_offer(world)
    delivery = handed(world, PHONE)
    assert isinstance(await world.ask(AddMute(degree="ask", kind="run-tests")), Noted)
    await world.hand_in(delivery, PHONE, Verb.APPROVE, offer.card_hash)
    assert (len(world.state.mind.ledger.standing), len(world.state.mind.mutes)) == (0, 1)
    assert (await world.card(offer.id)).status is Status.PENDING


async def test_a_kind_that_is_let_runs_alone_once_it_was_seen_and_one_undo_ends_it() -> None:
    world = await a_beginner()
    await yes(world)
    asked = AllowKind(kind="run-tests", folder="", threshold=0.0, for_s=30 * 86_400, by="browser/desk")
    assert isinstance(await world.ask(asked), Noted)
    assert not world.state.policy.autonomous  # only its own switch does that
    await world.ask(Configure(patch=ConfigPatch(autonomous=True), by="me"))
    (given,) = world.state.mind.ledger.standing
    assert given.expires_at == world.now + 30 * DAY
    (shown,) = grants_of(world.state.mind, "UTC", world.now).grants
    assert (shown.summary, shown.threshold) == ("Every time: Run the tests", 0.0)
    card = await alone(world)
    assert card.autonomous
    reply = taken(await world.answer(card, Verb.UNDO))
    assert ASKS_AGAIN.text in reply.message
    assert world.state.mind.ledger.standing == ()
    record = await world.store.read(GrantEvents(user=world.state.user, limit=9))
    until = end_of(given.expires_at, given.made_at, "UTC")
    end = worded(until.wording, until.text, phrases("de"))
    said = [(one.what, one.by, worded(one.text_worded, one.text, phrases("de"))) for one in reversed(record)]
    assert said == [
        ("made", "browser/desk", f"Auf Autopilot: Jedes Mal: Die Tests ausführen, bis {end}"),
        ("ended", "", "Auf Autopilot: Jedes Mal: Die Tests ausführen"),
    ]


async def test_only_kinds_of_which_work_was_approved_are_offered() -> None:
    world = await a_beginner()
    assert kinds_of(world.state.mind) == ()
    await yes(world)
    assert [(one.kind, one.name) for one in kinds_of(world.state.mind)] == [("run-tests", "Run the tests")]


async def test_what_may_never_run_alone_is_refused_with_what_may() -> None:
    world = await a_beginner()
    reply = refused(await world.ask(AllowKind(kind="push-work", folder="", threshold=0.0, for_s=3_600, by="you")))
    assert reply.code == "never-alone"
    assert "run-tests" in reply.fix
    assert set(RUNS_ALONE) <= {signal.KIND for signal in ALL}


async def test_three_noes_in_a_row_are_told_to_hold_everything_back() -> None:
    world = await a_beginner(autonomous=True)
    said = [taken(await world.answer(await suggested(world), Verb.REJECT)).message for _ in range(3)]
    assert ["autopilot is off" in one for one in said] == [False, False, True]
    status = status_of(world.state, world.now)
    assert status.reason == "You said no 3 times in a row, so autopilot is off until you say yes to something."
    assert worded(status.reason_worded, "", phrases("en")) == status.reason
    await yes(world)
    assert status_of(world.state, world.now).reason_worded != status.reason_worded
