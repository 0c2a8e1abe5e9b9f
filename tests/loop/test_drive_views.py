"""What everybody sees of the drives: bars with reasons, why Pulse wakes or does not, and the lines of a chart."""

from datetime import timedelta
from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from hub.contract.drives import DrivesView, RestRule, WakeRule
from hub.contract.phrasing import Phrasing
from hub.domain.drive_requests import DrivesShown, LookAtDrives
from hub.domain.drives import DriveRules, DriveVerdict, Feedback, Wake
from hub.domain.provenance import ModelText
from hub.domain.reports import DriveSamples
from hub.domain.requests import Pause, TakeFeedback
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.drive_views import view_of_wake
from hub.loop.drive_words import of_verdict, of_wake
from hub.loop.views import status_of
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, NOON, a_world
from tests.loop.test_drives import a_need, look, of_needs, pressed, see

ENOUGH = "The pressure is high enough (6.0 of 5.0), but"
RESTING: tuple[tuple[RestRule, str], ...] = (
    ("off", "Open work does not wake Pulse: that is turned off."),
    ("paused", "Pulse is paused or off, so open work does not wake it."),
    ("silent", "Everything open was suggested recently, so nothing wakes Pulse."),
    ("below", "The total pressure is 6.0 of 5.0; on its own it gets there by 12:30."),
    (
        "full",
        f"{ENOUGH} the most suggestions allowed at once are already waiting; answer some first; not before 12:30.",
    ),
    ("conversation", f"{ENOUGH} you were just typing or talking to an agent; not before 12:30."),
    ("turns", f"{ENOUGH} this hour's limit has been reached; not before 12:30."),
    ("cooldown", f"{ENOUGH} something was raised just now; not before 12:30."),
    ("away", f"{ENOUGH} the agent cannot be reached, so the pressure stays as it is; not before 12:30."),
    ("model-no", f"{ENOUGH} the model sees no need; not before 12:30."),
)
AT_REST = DriveVerdict(at=NOON, drive="goals", pressure=4.2, total=6.0, threshold=5.0, single_threshold=4.5)


def in_english(wording: Phrasing) -> str:
    return worded(wording, "", phrases("en"), "{:%H:%M}".format)


def in_german(wording: Phrasing) -> str:
    return worded(wording, "", phrases("de"), "{:%H:%M}".format)


async def shown(world: World) -> DrivesView:
    reply = await world.ask(LookAtDrives())
    assert isinstance(reply, DrivesShown)
    return reply.view


async def samples(world: World) -> list[tuple[float, float]]:
    """Return the line of the one drive that presses, oldest first: pressure and growth."""
    found = await world.store.read(DriveSamples(user=world.state.user, limit=99, since=NOON - HOUR))
    lines = (one.lines[0] if one.lines else None for one in reversed(found))
    return [(round(one.pressure, 2), one.grows_per_min) if one else (0.0, 0.0) for one in lines]


@pytest.mark.parametrize(("rule", "says"), RESTING)
def test_each_reason_to_rest_is_one_sentence_with_its_numbers(rule: RestRule, says: str) -> None:
    verdict = replace(AT_REST, held_by=rule, until=NOON + 30 * MINUTE)
    told = of_verdict(verdict, "UTC")
    assert told.text == in_english(told.wording) == says
    assert in_german(told.wording) not in {"", says}


@pytest.mark.parametrize("rule", ["full", "conversation", "away", "asking", "model-no"])
def test_the_code_of_a_rest_says_in_english_what_the_sentence_says(rule: RestRule) -> None:
    cases = product(("", "They are asleep."), ("goals", "my-own"), (6.0, 1.0), (None, NOON + 30 * MINUTE))
    for said, drive, total, until in cases:
        verdict = replace(AT_REST, held_by=rule, said=ModelText(said), drive=drive, total=total, until=until)
        told = of_verdict(verdict, "UTC")
        assert in_english(told.wording) == told.text, verdict
        assert in_german(told.wording) not in {"", told.text}, verdict


@pytest.mark.parametrize("rule", get_args(WakeRule))
@pytest.mark.parametrize("drive", ["goals", "my-own"])
def test_the_code_of_a_wake_says_in_english_what_the_sentence_says(rule: WakeRule, drive: str) -> None:
    made = Wake(id="w1", at=NOON, rule=rule, drive=drive, pressure=4.2, total=6.0, threshold=5.0)
    verdict = replace(AT_REST, woken_by=rule, drive=drive)
    for told in (of_wake(made), of_verdict(verdict, "UTC")):
        assert in_english(told.wording) == told.text
        assert in_german(told.wording) not in {"", told.text}
    assert view_of_wake(made).says_worded == of_wake(made).wording


def test_in_german_numbers_and_drives_are_german() -> None:
    verdict = replace(AT_REST, woken_by="total")
    said = "Pulse wacht auf: der Druck ist insgesamt 6,0 von 5,0, am meisten von „Ziele“ (4,2)."
    assert in_german(of_verdict(verdict, "UTC").wording) == said


def test_a_time_on_another_day_says_which() -> None:
    for days, said in ((1, "Monday 12:00"), (20, "21 March 12:00")):
        verdict = replace(AT_REST, at=NOON, held_by="below", until=NOON + timedelta(days=days))
        day = (NOON + timedelta(days=days)).strftime("%A" if days == 1 else "%-d %B")
        assert of_verdict(verdict, "UTC").text.endswith(f"on its own it gets there by {day} 12:00."), said
    assert of_verdict(replace(AT_REST, held_by="below"), "UTC").text.endswith("will not get there on its own.")


def test_each_reason_to_wake_is_one_sentence_with_its_numbers() -> None:
    made = Wake(id="w1", at=NOON, rule="total", drive="goals", pressure=4.2, total=6.0, threshold=5.0)
    total = "the total pressure {} 6.0 of 5.0, most of it from goals (4.2)."
    assert view_of_wake(made).says == f"Pulse woke up because {total.format('was')}"
    now = of_verdict(replace(AT_REST, woken_by="total"), "UTC").text
    assert now == f"Pulse is waking up because {total.format('is')}"
    single = replace(made, rule="single", pressure=4.6, threshold=4.5)
    assert view_of_wake(single).says == "Pulse woke up because goals alone had reached 4.6 of 4.5."
    alert = replace(made, rule="alert", drive="system")
    assert view_of_wake(alert).says == "Pulse woke up because something in system is too important to wait."
    model = view_of_wake(replace(made, rule="model")).says
    assert model.startswith("Pulse woke up because the model said it was time;")


def test_words_of_others_are_made_visible() -> None:
    made = Wake(id="w", at=NOON, rule="total", drive="g\u202eoals", pressure=1.0, total=1.0, threshold=1.0)
    view = view_of_wake(replace(made, note="a\u202eb", place="x\u202ey"))
    assert "\u202e" not in f"{view.drive}{view.note}{view.place}{view.says}"
    said = of_verdict(replace(AT_REST, held_by="model-no", said=ModelText("no\u202e")), "UTC").text
    assert "\u202e" not in said
    assert "sees no need" in said


async def test_a_bar_says_what_stands_open_and_how_it_grows() -> None:
    world = await a_need()
    pressed(world, 2.0)
    view = await shown(world)
    top = view.drives[0]
    assert (top.name, top.pressure, top.weight, top.counts, top.open) == ("unfinished", 2.0, 0.9, True, 1)
    assert top.load == pytest.approx(1.8)
    assert top.grows_per_min == pytest.approx(0.09)
    assert "Push" in top.wants[0].says or "push" in top.wants[0].says
    assert [one.load for one in view.drives[1:]] == [0.0] * 6
    assert view.total == pytest.approx(1.8)
    assert (view.verdict.wakes, view.verdict.rule) == (False, "below")
    assert view.next_at == view.verdict.until
    assert view.next_at is not None
    assert view.next_at > world.now


async def test_what_has_reached_the_most_grows_no_more() -> None:
    world = await a_need(DriveRules(single_threshold=9.5, threshold=9.5))
    pressed(world, 10.0)
    view = await shown(world)
    assert (view.drives[0].pressure, view.drives[0].grows_per_min) == (10.0, 0.0)
    assert view.next_at is None


async def test_while_pulse_is_paused_it_says_so() -> None:
    world = await a_need()
    await world.ask(Pause(reason="lunch"))
    view = await shown(world)
    assert (view.verdict.rule, view.next_at) == ("paused", None)


async def test_without_drives_there_is_nothing_in_the_status() -> None:
    world = await a_world(of_needs(DriveRules(enabled=False)))
    assert status_of(world.state, world.now).drives is None
    assert (await shown(world)).verdict.rule == "off"


async def test_the_status_says_what_presses_most() -> None:
    world = await a_need()
    pressed(world, 3.0)
    part = status_of(world.state, world.now).drives
    assert part is not None
    assert (part.top, part.load, part.total, part.threshold, part.rule) == ("unfinished", 2.7, 2.7, 5.0, "below")


async def test_what_the_loop_last_came_to_is_shown_until_it_ends() -> None:
    world = await a_need(DriveRules(conversation_s=0.0, spike=1.5))
    pressed(world, 8.0)
    until = world.now + 10 * MINUTE
    held = DriveVerdict(at=world.now, held_by="model-no", said=ModelText("not now"), until=until)
    world.state = replace(world.state, verdict=held)
    view = await shown(world)
    assert (view.verdict.rule, view.verdict.until) == ("model-no", until)
    assert "“not now”" in view.verdict.says


async def test_the_history_has_a_sample_where_a_line_bends_and_none_between() -> None:
    world = await a_need(DriveRules(spike=1.5, conversation_s=300.0))
    assert await samples(world) == [(0.55, 0.009)]
    await look(world)
    await look(world)
    assert len(await samples(world)) == 1
    pressed(world, 6.0)
    reply = await world.ask(TakeFeedback(feedback=Feedback(drives=("unfinished",), outcome="success")))
    assert not hasattr(reply, "code")
    assert (await samples(world))[1:] == [(1.8, 0.009)]
    see(world)
    await look(world)
    assert (await samples(world))[2:] == [(0.0, 0.0)]
