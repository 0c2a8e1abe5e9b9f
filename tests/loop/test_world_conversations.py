"""An agent that knows its conversation again goes on with it in its next try."""

from msgspec.structs import replace

from hub.contract.words import Status
from hub.domain.plan import AnyPlan, Plan
from hub.domain.policy import Agent
from hub.domain.suggestion import Work
from tests.fakes.agent import a_plan
from tests.loop.spawned import UNDONE, at_work, tried
from tests.loop.stage import a_policy, a_world


def resumable(agent: Agent, work: Work) -> AnyPlan:
    """A command that goes on with its conversation by other arguments, as `claude --resume` does."""
    plan = a_plan(agent, work)
    assert isinstance(plan, Plan)
    return replace(plan, argv=agent.resume) if work.resumes else plan


async def test_an_agent_that_knows_its_conversation_again_goes_on_with_it_on_the_same_yes() -> None:
    policy = a_policy()
    argv, resume = ("work", "--session-id", "{conversation}"), ("work", "--resume", "{conversation}")
    policy = replace(policy, agents=(replace(policy.agents[0], argv=argv, resume=resume),))
    world = await a_world(policy)
    world.plans = resumable
    card = await at_work(world)
    assert "Later tries continue its conversation: work --resume {conversation}" in card.proposal.reasoning
    second = await tried(world, UNDONE)
    assert second.status is Status.CONFIRMED
    first_job, second_job = world.jobs
    assert (first_job.resumes, second_job.resumes) == (False, True)
    assert first_job.conversation == second_job.conversation
    third = await tried(world, UNDONE)
    assert third.status is Status.CONFIRMED
    assert not world.jobs[-1].resumes, "going on did not help, so the next one begins anew"
    assert world.jobs[-1].conversation != first_job.conversation


async def test_the_conversation_that_an_agent_names_itself_is_gone_on_with() -> None:
    world = await a_world()
    await at_work(world)
    await tried(world, replace(UNDONE, conversation="its-own-id"))
    assert (world.jobs[-1].resumes, world.jobs[-1].conversation) == (True, "its-own-id")
