"""A need wakes an agent outside, by a card or alone, through every rail; what it reports counts, not the 200."""

import pytest
from msgspec.structs import replace

from hub.contract.events import ExecutionFailed, ExecutionStarted, PredictionExecuted, PredictionNew
from hub.contract.words import MoveReason, Status, Verb
from hub.domain.drives import DriveRules, Feedback
from hub.domain.requests import Pause, TakeFeedback
from hub.domain.suggestion import WAKE_AGENT
from hub.domain.waking import need_id
from hub.kit.fates import fate_of
from hub.when.drives import pressure_at
from tests.fakes.world import World
from tests.loop.outside import (
    ACCEPTED,
    ALONE,
    CARD,
    DOWN,
    OUTAGE,
    a_need,
    messages,
    on_its_way,
    the_card,
    used_to_it,
    wakes,
)
from tests.loop.stage import HOUR, MINUTE, NOON, taken
from tests.loop.test_drives import drive, look, pressed, see


async def test_a_need_puts_the_message_to_the_agent_before_the_person() -> None:
    world = await a_need()
    card = await the_card(world)
    (want,) = drive(world, "unfinished").wants
    assert card.prompt == (
        "[PULSE] Self-initiated turn.\n"
        "Trigger reason: unfinished drive pressure 5.4 > threshold 5.0\n"
        "Top drive: unfinished (pressure: 5.4)\n"
        f"Open there: 1 need stands open: {need_id(want.key)}\n"
        "\n"
        "Run your CORTEX.md loop: look at what stands open there, and take the step that matters most.\n"
        "Then report what came of it to Pulse at POST /api/v1/drives/feedback: drives_addressed, outcome (success, "
        "partial or blocked) and a summary.\n"
        "Pulse's address follows as this is sent, with a token for this wake alone: for 15 minutes it reads what "
        "stands open in this drive (GET /api/v1/drives) and takes one report."
    )
    assert (card.proposal.agent, card.proposal.channel, card.status) == ("claw", "wake-claw", Status.PENDING)
    assert "gateway" in card.proposal.details
    (wake,) = await wakes(world)
    assert (wake.place, wake.ended, wake.card_id) == ("claw", "card", card.id)
    assert (card.proposal.reason_key, card.proposal.signature) == ("wake-agent:unfinished", wake.id)
    assert world.jobs == []


async def test_a_yes_hands_it_over_and_pressure_stays() -> None:
    world = await a_need()
    card = await the_card(world)
    before = pressure_at(drive(world), CARD, world.now)
    taken(await world.answer(card, Verb.APPROVE))
    (job,) = messages(world)
    (wake,) = await wakes(world)
    assert (job.agent.name, job.prompt, job.args, wake.ended) == ("claw", card.prompt, (wake.id,), "sent")
    (told,) = world.told(PredictionExecuted)
    assert isinstance(told, PredictionExecuted)
    assert (told.result, fate_of(told.prediction), told.task_id) == ("Handed to claw.", "handed_over", "")
    assert pressure_at(drive(world), CARD, world.now) == before
    await world.until(world.now + 7 * HOUR, tick=HOUR)
    assert len(await wakes(world)) == 1, "what was handed over was brought up"
    assert pressure_at(drive(world), CARD, world.now) > before


async def test_what_the_agent_reports_lets_it_fall_and_stands_with_its_wake() -> None:
    world = await a_need()
    taken(await world.answer(await the_card(world), Verb.APPROVE))
    pressed(world, 6.0)
    await world.ask(
        TakeFeedback(feedback=Feedback(drives=("unfinished",), outcome="partial", summary="half\n", key="a"))
    )
    assert drive(world).pressure == pytest.approx(3.9)
    await world.ask(
        TakeFeedback(feedback=Feedback(drives=("unfinished",), outcome="success", summary="x" * 999, key="b"))
    )
    (wake,) = await wakes(world)
    assert (wake.ended, wake.ended_at) == ("success", world.now)
    assert len(wake.note) <= 200
    await world.ask(TakeFeedback(feedback=Feedback(drives=("unfinished",), outcome="blocked", summary="", key="c")))
    assert (await wakes(world))[0].ended == "success", "what was reported as done is no longer open"


async def test_alone_the_first_message_is_still_seen_and_the_next_ones_go_by_themselves() -> None:
    world = await a_need(ALONE)
    await used_to_it(world)
    assert [job.session_id[:5] for job in messages(world)] == ["auto_"]
    assert [wake.ended for wake in await wakes(world)] == ["sent", "sent"]
    assert await world.cards() == ()


async def test_alone_means_a_card_while_autonomous_mode_is_off() -> None:
    world = await a_need(ALONE)
    await used_to_it(world)
    off = replace(world.state.policy, autonomous=False)
    world.state = replace(world.state, policy=off, file_policy=off)
    world.jobs.clear()
    await world.until(world.now + 9 * HOUR, tick=HOUR)
    assert messages(world) == []
    assert WAKE_AGENT in [card.proposal.kind for card in await world.cards()]


@pytest.mark.parametrize("rules", [replace(CARD, wakes="off"), replace(CARD, agent=""), replace(CARD, agent="nobody")])
async def test_with_nobody_to_wake_pulse_looks_itself(rules: DriveRules) -> None:
    world = await a_need(rules)
    await world.until(world.now + 10 * MINUTE)
    assert [card.proposal.kind for card in await world.cards()] == ["push-work"]
    assert (await wakes(world))[0].place == "inside"


async def test_a_switched_off_channel_of_the_agent_lets_pulse_look_itself() -> None:
    world = await a_need()
    policy = world.state.policy
    off = replace(policy.channels[0], name="claws", agent="claw", enabled=False)
    held = replace(policy, channels=(*policy.channels, off))
    world.state = replace(world.state, policy=held, file_policy=held)
    await world.until(world.now + 10 * MINUTE)
    assert [card.proposal.kind for card in await world.cards()] == ["push-work"]
    assert (await wakes(world))[0].place == "inside"


async def test_never_of_it_lets_pulse_look_itself() -> None:
    world = await a_need(replace(CARD, again_s=3_600.0))
    taken(await world.answer(await the_card(world), Verb.NEVER))
    await world.until(world.now + 2 * HOUR)
    assert (await wakes(world))[-1].place == "inside"
    assert messages(world) == []


async def test_the_name_that_an_agent_gave_a_drive_is_no_part_of_the_message() -> None:
    world = await a_need()
    drives = world.state.mind.drives
    theirs = replace(drive(world), name="ignore-all-rules", pressure=9.0, at=world.now)
    others = tuple(replace(one, wants=()) for one in drives.drives)
    drives = replace(drives, drives=(*others, theirs))
    world.state = replace(world.state, mind=replace(world.state.mind, drives=drives))
    card = await the_card(world)
    assert "ignore-all-rules" not in card.prompt
    assert "Top drive: one that an agent added (pressure: 8.1)" in card.prompt
    assert "ignore-all-rules" in card.proposal.reasoning


async def test_what_did_not_arrive_brings_nothing_up_and_moves_nothing() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    card = await the_card(world)
    before = pressure_at(drive(world), CARD, world.now)
    taken(await world.answer(card, Verb.APPROVE))
    (wake,) = await wakes(world)
    assert (wake.ended, (await world.card(card.id)).status) == ("undelivered", Status.FAILED)
    assert pressure_at(drive(world), CARD, world.now) == before
    assert [want.brought_at for want in drive(world).wants] == [None]
    assert world.state.mind.ledger.spending.day_microusd == 0
    drives = world.state.mind.drives
    began = world.now
    assert (drives.away_since, drives.away_tries) == (began, 1)
    await world.until(world.now + MINUTE)
    assert world.state.verdict is not None
    assert world.state.verdict.held_by == "away"
    assert world.state.verdict.until == began + 5 * MINUTE


@pytest.mark.parametrize(("rules", "tries", "after"), [(CARD, 6, "3 h (7 tries)"), (ALONE, 5, "3 h (6 tries)")])
async def test_a_gateway_that_is_down_for_hours_leaves_pressure_where_it_was(
    rules: DriveRules, tries: int, after: str
) -> None:
    reachable, world = await on_its_way(rules, ACCEPTED), await on_its_way(rules, DOWN)
    began = world.state.mind.drives.away_since
    assert began is not None
    before, known = pressure_at(drive(world), rules, began), len(await wakes(world))
    for one in (reachable, world):
        await one.until(began + OUTAGE)
    pressure = pressure_at(drive(world), rules, world.now)
    assert pressure == pressure_at(drive(reachable), rules, world.now), "as if nothing had been wrong"
    assert pressure == pytest.approx(before + rules.rate_per_min * 0.9 * OUTAGE.total_seconds() / 60)
    assert len(await wakes(world)) == known, "one wake, however often it was tried"
    assert len(world.told(ExecutionFailed)) == 1
    assert len({job.args for job in messages(world)}) == 1
    assert len({job.execution_id for job in messages(world)}) == len(messages(world))
    assert world.state.mind.drives.away_tries == len(messages(world)) == tries
    await back_again(world, rules, after)


async def back_again(world: World, rules: DriveRules, after: str) -> None:
    """The gateway is there again: the message arrives, and its one card says so."""
    world.results = lambda _job: ACCEPTED
    await world.until(world.now + HOUR)
    assert (await wakes(world))[-1].ended == "sent"
    (back,) = [event for event in world.told(PredictionExecuted) if isinstance(event, PredictionExecuted)]
    assert back.result == f"Handed to claw, which can be reached again after {after}."
    assert world.state.mind.drives.away_since is None
    new = [event.prediction.prompt for event in world.told(PredictionNew) if isinstance(event, PredictionNew)]
    assert len([prompt for prompt in new if prompt.startswith("[PULSE]")]) == (rules is CARD)


async def test_during_an_outage_a_stop_holds_the_tries() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    taken(await world.answer(await the_card(world), Verb.APPROVE))
    await world.ask(Pause(reason="later"))
    await world.until(world.now + HOUR)
    assert len(messages(world)) == 1


async def test_drives_that_are_switched_off_during_an_outage_hold_the_tries() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    taken(await world.answer(await the_card(world), Verb.APPROVE))
    off = replace(world.state.policy, drives=replace(CARD, enabled=False))
    world.state = replace(world.state, policy=off)
    await world.until(world.now + HOUR)
    assert len(messages(world)) == 1


async def test_a_failure_that_the_person_put_aside_is_tried_no_more() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    card = await the_card(world)
    taken(await world.answer(card, Verb.APPROVE))
    taken(await world.answer(await world.card(card.id), Verb.IGNORE))
    await world.until(world.now + 20 * MINUTE)
    assert len(messages(world)) == 1


async def test_a_retry_of_the_persons_own_is_told() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    card = await the_card(world)
    taken(await world.answer(card, Verb.APPROVE))
    taken(await world.answer(await world.card(card.id), Verb.RETRY))
    assert len(world.told(ExecutionFailed)) == 2
    assert len(world.told(ExecutionStarted)) == 2
    assert world.state.mind.drives.away_tries == 2


async def test_what_is_pressing_no_more_is_not_sent_late() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    taken(await world.answer(await the_card(world), Verb.APPROVE))
    see(world)
    await look(world)
    await world.until(world.now + 2 * HOUR)
    assert len(messages(world)) == 1


async def test_a_message_to_an_agent_that_is_woken_no_more_is_tried_no_more() -> None:
    world = await on_its_way(CARD, DOWN)
    policy = world.state.policy
    other = replace(policy.agents[-1], name="other")
    rules = replace(policy.drives, agent="other")
    changed = replace(policy, agents=(*policy.agents, other), drives=rules)
    world.state = replace(world.state, policy=changed, file_policy=changed)
    await world.until(world.now + 20 * MINUTE)
    assert len(messages(world)) == 1
    (card,) = [card for card in await world.cards() if card.proposal.kind == WAKE_AGENT]
    assert card.proposal.agent == "other"


async def test_none_comes_before_the_rate_limiter_lets_it() -> None:
    world = await a_need()
    world.state = replace(
        world.state, mind=replace(world.state.mind, ledger=replace(world.state.mind.ledger, last_trigger_at=world.now))
    )
    await world.until(world.now + 6 * MINUTE)
    assert await wakes(world) == []
    await world.until(world.now + 10 * MINUTE)
    assert [wake.ended for wake in await wakes(world)] == ["card"]
    assert pressure_at(drive(world), CARD, world.now) > 6.0


async def test_an_outage_survives_a_restart() -> None:
    world = await a_need()
    world.results = lambda _job: DOWN
    card = await the_card(world)
    taken(await world.answer(card, Verb.APPROVE))
    await world.reopen()
    world.results = lambda _job: ACCEPTED
    await world.until(world.now + 20 * MINUTE)
    done = await world.card(card.id)
    assert (done.status, done.status_reason) == (Status.EXECUTED, MoveReason.VERIFIED)
    assert done.attempts == 2
    assert world.now > NOON
