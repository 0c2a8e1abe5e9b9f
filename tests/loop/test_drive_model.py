"""Model mode: a short question without words of the world, a yes or a no, and the rules where the model fails."""

from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.drives import Drive, Want
from hub.domain.policy import TwinService
from hub.domain.provenance import ModelText, say
from hub.domain.reports import Wakes
from hub.domain.twin import TwinSaid
from hub.loop.drive_verdict import next_look
from hub.loop.state import DriveModel
from tests.fakes.world import World
from tests.loop import outside
from tests.loop.stage import HOUR, MINUTE, taken
from tests.loop.test_drives import FAST, a_need, drive, pressed

LOCAL = TwinService(name="local", url="http://127.0.0.1:11434/v1", model="small")
DAY = 24 * HOUR
ASKING = replace(FAST, mode="model")


def says(words: str, wrong: str = "", cost: int = 0) -> TwinSaid:
    return TwinSaid(words=ModelText(words), wrong=wrong, cost_microusd=cost)


async def a_model(*answers: TwinSaid, services: tuple[TwinService, ...] = (LOCAL,)) -> World:
    """A world with a need and a model that answers so, the last answer again and again."""
    world = await a_need(ASKING)
    policy = replace(world.state.policy, twins=services)
    world.state = replace(world.state, policy=policy)
    world.judge = lambda _asked: answers[min(len(world.questions), len(answers)) - 1]
    return world


async def rules(world: World) -> list[str]:
    return [wake.rule for wake in await world.store.read(Wakes(user=world.state.user, limit=9))]


async def test_a_yes_wakes_before_the_rules_would() -> None:
    world = await a_model(says("YES, the work waits"))
    pressed(world, 2.8)
    await world.until(world.now + 10 * MINUTE)
    assert await rules(world) == ["model"]


async def test_a_no_holds_for_half_an_hour_and_then_it_is_asked_again() -> None:
    world = await a_model(says("No. They are asleep."), says("yes"))
    pressed(world, 8.0)
    await world.until(world.now + 25 * MINUTE)
    assert (await rules(world), len(world.questions)) == ([], 1)
    assert world.state.verdict is not None
    assert world.state.verdict.rule == "model-no"
    await world.until(world.now + 10 * MINUTE)
    assert (await rules(world), len(world.questions)) == (["model"], 2)


async def test_after_three_failures_the_rules_decide_alone_for_an_hour() -> None:
    world = await a_model(says("", wrong="no answer"), says("Perhaps?"), says("", wrong="no answer"))
    pressed(world, 8.0)
    await world.until(world.now + 5 * MINUTE)
    assert len(world.questions) == 3
    assert await rules(world) == ["total"]


async def test_without_a_model_of_that_name_the_rules_decide() -> None:
    world = await a_model(says("no"), services=())
    pressed(world, 8.0)
    await world.until(world.now + 5 * MINUTE)
    assert (await rules(world), world.questions) == (["total"], [])


async def test_where_the_budget_has_no_room_the_rules_decide() -> None:
    dear = replace(LOCAL, output_microusd=10**15)
    world = await a_model(says("no"), services=(dear,))
    pressed(world, 8.0)
    await world.until(world.now + 5 * MINUTE)
    assert (await rules(world), world.questions) == (["total"], [])


async def test_without_room_in_the_budget_pressure_that_only_a_model_would_be_asked_about_is_slept_on() -> None:
    dear = replace(LOCAL, output_microusd=10**15)
    world = await a_model(says("no"), services=(dear,))
    pressed(world, 2.8)
    await world.until(world.now + 10 * MINUTE)
    following = next_look(world.state, world.now)
    assert (await rules(world), world.questions) == ([], [])
    assert following is not None
    assert following > world.now + 5 * MINUTE


async def test_what_is_asked_is_short_and_quotes_nobody() -> None:
    world = await a_model(says("no"))
    pressed(world, 8.0)
    await world.until(world.now + 5 * MINUTE)
    ((line,),) = [asked.chat.lines for asked in world.questions]
    assert len(line.content) <= 500
    assert "unfinished" in line.content
    assert "gateway" in drive(world).wants[0].says.text
    assert "gateway" not in line.content


async def test_wakes_of_long_ago_are_not_told_as_those_of_the_last_hour() -> None:
    world = await a_model(says("no"))
    pressed(world, 8.0)
    drives = replace(world.state.mind.drives, woke_at=(world.now - 9 * HOUR, world.now - 30 * MINUTE))
    world.state = replace(world.state, mind=replace(world.state.mind, drives=drives))
    await world.until(world.now + 10 * MINUTE)
    ((line,),) = [asked.chat.lines for asked in world.questions]
    assert "1 wakes in the last hour" in line.content


async def test_what_asking_cost_is_booked() -> None:
    world = await a_model(says("no", cost=1_234))
    before = world.state.mind.ledger
    pressed(world, 8.0)
    await world.until(world.now + 5 * MINUTE)
    assert world.state.mind.ledger != before


async def test_a_yes_is_not_kept_for_later() -> None:
    world = await a_model(says("yes"))
    pressed(world, 8.0)
    await world.until(world.now + 10 * MINUTE)
    await world.until(world.now + HOUR)
    assert len(await rules(world)) == 1
    assert not world.state.drive_model.yes


async def an_undelivered_message(*answers: TwinSaid) -> World:
    """A world whose agent could not be reached a moment ago, and in which something else presses, too."""
    world = await outside.a_need(replace(outside.CARD, mode="model", threshold=2.0, single_threshold=2.0))
    world.state = replace(world.state, policy=replace(world.state.policy, twins=(LOCAL,)))
    world.judge = lambda _asked: answers[min(len(world.questions), len(answers)) - 1]
    world.results = lambda _job: outside.DOWN
    taken(await world.answer(await outside.the_card(world), Verb.APPROVE))
    drives = world.state.mind.drives
    want = Want(key="g", sensor="drive-files", strength=0.1, says=say("A goal"), since=world.now, until=world.now + DAY)
    goals = Drive(name="goals", pressure=9.0, at=world.now, wants=(want,))
    others = tuple(one for one in drives.drives if one.name != "goals")
    mind = replace(world.state.mind, drives=replace(drives, drives=(*others, goals)))
    world.state = replace(world.state, mind=mind)
    world.results = lambda _job: outside.ACCEPTED
    return world


async def test_nobody_is_asked_in_the_turn_that_a_second_try_takes() -> None:
    world = await an_undelivered_message(says("yes"))
    asked, began = len(world.questions), world.now
    await world.until(began + 6 * MINUTE)
    assert len(outside.messages(world)) == 2, "the message was tried again"
    assert len(world.questions) == asked
    await world.until(began + 12 * MINUTE)
    assert len(world.questions) == asked + 1, "once the pause after it is over"


async def test_a_yes_outlasts_the_turn_that_a_second_try_takes() -> None:
    world = await an_undelivered_message(says("yes"), says("no"))
    asked, began = len(world.questions), world.now
    stands = DriveModel(yes=True, reason=ModelText("it is time"), yes_until=began + 15 * MINUTE)
    await world.until(began + 4 * MINUTE)
    world.state = replace(world.state, drive_model=stands)
    world.wake_at = None
    await world.until(began + 12 * MINUTE, tick=MINUTE)
    assert len(outside.messages(world)) == 2
    assert [(wake.rule, wake.drive) for wake in await outside.wakes(world)] == [
        ("model", "unfinished"),
        ("model", "goals"),
    ]
    assert len(world.questions) == asked


async def test_a_yes_that_a_pause_outlasts_is_asked_for_again() -> None:
    world = await a_model(says("no"))
    pressed(world, 8.0)
    spent = replace(world.state.mind.drives, woke_at=(world.now,))
    policy = replace(world.state.policy, drives=replace(ASKING, cooldown_s=1_200.0))
    stands = DriveModel(yes=True, yes_until=world.now + 10 * MINUTE)
    mind = replace(world.state.mind, drives=spent)
    world.state = replace(world.state, mind=mind, policy=policy, drive_model=stands)
    await world.until(world.now + 25 * MINUTE)
    assert (await rules(world), len(world.questions)) == ([], 1)
