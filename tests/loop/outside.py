"""A stage for needs that wake an agent outside: one of OpenClaw that is there, or is not."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.words import Verb
from hub.domain.drives import DriveRules, Wake
from hub.domain.execution import Job, RunResult
from hub.domain.plan import AnyPlan, Plan
from hub.domain.policy import Agent, Policy
from hub.domain.reports import Wakes
from hub.domain.suggestion import WAKE_AGENT, Card, Work
from tests.fakes.agent import a_plan
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, a_policy, a_world, taken
from tests.loop.test_drives import AHEAD, look, pressed, see

CARD = DriveRules(rate_per_min=0.01, agent="claw", wakes="card")
ALONE = replace(CARD, wakes="alone", pressure_max=100.0)
CLAW = Agent(name="claw", kind="openclaw", url="http://127.0.0.1:18789", token_env="CLAW_TOKEN")
DOWN = RunResult(
    ended="failed-to-start", exit_code=None, output="", cost_microusd=0, detail="OpenClaw cannot be reached"
)
ACCEPTED = RunResult(ended="exited", exit_code=0, output="OpenClaw: accepted")
OUTAGE = timedelta(hours=2, minutes=16)


def plan_of(agent: Agent, work: Work) -> AnyPlan:
    if agent.kind == "openclaw":
        return Plan(address=agent.url, prompt="argument", environment=(agent.token_env,))
    return a_plan(agent, work)


def outside(rules: DriveRules = CARD) -> Policy:
    """A policy under which needs wake an agent outside, at any hour, and nothing else begins a cycle for a day."""
    policy = a_policy(drives=rules, autonomous=True)
    timing = replace(policy.timing, cycle_s=86_400.0, card_ttl_s=86_400.0, quiet_start_hour=0, quiet_end_hour=0)
    return replace(policy, agents=(*policy.agents, CLAW), timing=timing)


async def a_need(rules: DriveRules = CARD, pressure: float = 6.0) -> World:
    """A world in which commits wait to be pushed and press that much."""
    world = await a_world(outside(rules))
    world.plans = plan_of
    see(world, AHEAD)
    await look(world)
    pressed(world, pressure)
    return world


async def wakes(world: World) -> list[Wake]:
    found = await world.store.read(Wakes(user=world.state.user, limit=99))
    return list(reversed(found))


async def the_card(world: World) -> Card:
    """Go on until the message to the agent is before the person."""
    await world.until(world.now + 5 * MINUTE)
    (card,) = [one for one in await world.cards() if one.proposal.kind == WAKE_AGENT]
    return card


async def used_to_it(world: World) -> None:
    """Let the person say yes to the first message, so that the next may go alone; and let it be long ago."""
    taken(await world.answer(await the_card(world), Verb.APPROVE))
    world.jobs.clear()
    await world.until(world.now + 9 * HOUR, tick=HOUR)


def messages(world: World) -> list[Job]:
    return [job for job in world.jobs if job.playbook == WAKE_AGENT]


async def on_its_way(rules: DriveRules, result: RunResult) -> World:
    """A world in which a message has just been handed to the agent, or was to be."""
    world = await a_need(rules)
    if rules is ALONE:
        await used_to_it(world)
    world.results = lambda _job: result
    world.jobs.clear()
    world.events.clear()
    if rules is ALONE:
        await world.until(world.now + 9 * HOUR, tick=HOUR)
    else:
        taken(await world.answer(await the_card(world), Verb.APPROVE))
    assert messages(world)
    return world
