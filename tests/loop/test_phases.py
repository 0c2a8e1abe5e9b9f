"""How far Pulse has come in acting alone, by what was really answered and allowed."""

import pytest
from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.drives import DriveRules
from hub.domain.policy import Agent, Earning
from hub.loop.phases import progress_of
from tests.fakes.world import World
from tests.loop.stage import a_card, a_policy, a_world, taken
from tests.loop.test_earned import ENOUGH, offers, yes
from tests.loop.test_grants_renewed import with_older_grants


def says(world: World) -> tuple[str, str]:
    progress = progress_of(world.state, world.now)
    return progress.phase, progress.says


@pytest.mark.slow
async def test_the_phases_follow_what_was_answered_and_allowed() -> None:
    world = await a_world(a_policy(earning=Earning(yeses_to_offer=ENOUGH)))
    first = "Pulse asks about everything. After 5 more answers it learns from how you answered similar suggestions."
    assert says(world) == ("new", first)
    assert progress_of(world.state, world.now).left == 5
    await yes(world, 4)
    assert says(world)[1].startswith("Pulse asks about everything. After 1 more answer ")
    await yes(world)
    learning = "Pulse asks about everything. After 11 approvals in a row for the same work it offers autopilot"
    assert says(world) == ("learning", f"{learning}; your longest streak so far is 5.")
    made_of = progress_of(world.state, world.now)
    assert (made_of.answers, made_of.row, made_of.needed, made_of.left, made_of.allowed) == (5, 5, ENOUGH, 0, 0)
    await yes(world, ENOUGH - 5)
    (offer,) = await offers(world)
    taken(await world.answer(offer, Verb.APPROVE, in_person=True))
    assert says(world) == ("trusted", "You allowed 1 thing to run without asking.")
    assert progress_of(world.state, world.now).allowed == 1
    off = replace(world.state.policy, autonomous=False)
    assert progress_of(replace(world.state, policy=off), world.now).says.endswith("so Pulse asks about that, too.")
    (given,) = world.state.mind.ledger.standing
    assert progress_of(world.state, given.expires_at).phase == "learning"


async def test_what_a_permission_covers_is_not_asked_about() -> None:
    world = await with_older_grants()
    assert says(world)[1].startswith("Pulse asks about everything that no permission covers. ")
    ends = max(one.expires_at for one in world.state.mind.grants)
    assert progress_of(world.state, ends).says.startswith("Pulse asks about everything. ")


async def test_the_setting_that_lets_an_agent_be_woken_alone_counts_as_the_persons_word() -> None:
    claw = Agent(name="claw", kind="openclaw", url="http://127.0.0.1:1")
    rules = DriveRules(agent="claw", wakes="alone")
    policy = a_policy(autonomous=True)
    world = await a_world(replace(policy, agents=(*policy.agents, claw), drives=rules))
    assert says(world) == ("trusted", "You allowed 1 thing to run without asking.")


async def test_a_model_of_the_person_begins_later_and_what_is_never_offered_is_said() -> None:
    world = await a_world(a_policy(twin=True, earning=Earning(yeses_to_offer=0)))
    await a_card(world)
    assert says(world) == (
        "learning",
        "Pulse asks about everything. It never offers autopilot (`autonomous.yeses_to_offer`).",
    )
