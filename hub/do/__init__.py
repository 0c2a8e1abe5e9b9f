"""The room that answers: how is this run, inside its bounds? (CROSSPOLL 2.4 and 5.5).

A permit goes in, a job for a runner comes out. What cannot become a job is a `CannotRun`, never an exception. Just
before the start, `hold` compares what was permitted with what would run now.
"""

from msgspec.structs import replace

from hub.contract.base import Value
from hub.do.fixing import fixer_of, is_ignored, offers_of
from hub.do.line import clip_line
from hub.domain.canonical import conversation_of
from hub.domain.execution import Job, RunResult
from hub.domain.judgement import Permit
from hub.domain.plan import AnyPlan, CannotPlan, Plan, difference
from hub.domain.policy import Agent, Policy
from hub.domain.provenance import for_agent
from hub.domain.suggestion import Need

__all__ = [
    "CannotRun",
    "clip_line",
    "fixer_of",
    "hold",
    "in_time",
    "is_ignored",
    "looked_again",
    "offers_of",
    "prepare",
    "tester_of",
]


class CannotRun(Value):
    """The permitted work has nobody to do it; `fix` says what would change that."""

    reason: str
    fix: str


def prepare(permit: Permit, policy: Policy) -> Job | CannotRun:
    """Make a permit into a job with a session of its own and the policy's bounds.

    Args:
        permit: what may be run, once.
        policy: where the agent and the bounds are found.

    Returns:
        A job whose session is `auto_{execution}` when Pulse acts alone and `run_{execution}` when a person said so;
        `CannotRun` when no agent of that name is configured.
    """
    agent = policy.agent(permit.agent)
    if agent is None:
        names = ", ".join(known.name for known in policy.agents) or "none"
        return CannotRun(
            reason=f"There is no agent {clip_line(permit.agent)!r}, so nothing was started.",
            fix=f"Add it to the agents in the settings, or give the channel another agent (configured: {names}).",
        )
    return Job(
        execution_id=permit.execution_id,
        session_id=f"{'auto' if permit.autonomous else 'run'}_{permit.execution_id}",
        agent=agent,
        prompt=permit.prompt if permit.work.playbook else for_agent(permit.prompt, permit.quotes),
        channel=permit.channel,
        bounds=policy.bounds if permit.autonomous else replace(policy.bounds, duration_s_max=agent.duration_s_max),
        playbook=permit.work.playbook,
        workspace=permit.work.workspace,
        args=permit.work.args,
        need=permit.need,
        plan=permit.plan,
        tester=tester_of(permit.need, policy),
        conversation=permit.work.conversation or conversation_of(permit.execution_id),
        resumes=permit.work.resumes,
    )


def tester_of(need: Need, policy: Policy) -> Agent | None:
    """Return the agent that runs the project's tests, or the need's command, afterwards, where that is wanted."""
    return policy.playbook_agent if need.tests == "after" or need.command else None


def in_time(result: RunResult, permit: Permit) -> RunResult:
    """Return a run's result; of one that took too long with the setting that says how long it may take."""
    if result.ended != "timeout":
        return result
    setting = "session.duration_s_max" if permit.autonomous else f"agents.{permit.agent}.duration_s_max"
    said = result.detail.rstrip(".") or "It timed out"
    return replace(result, detail=f"{said}; `{setting}` in the settings file says how long it may take")


def hold(job: Job, now: AnyPlan) -> RunResult | None:
    """Compare what was permitted with what would run now.

    Returns:
        None when it may start: it is the same, or nothing could be told before and nothing can be told now, so that its
        runner says why it cannot. Else the end of a run that did not begin, with what would run now.
    """
    if job.plan == now or (not isinstance(job.plan, Plan) and isinstance(now, CannotPlan)):
        return None
    if not isinstance(job.plan, Plan):
        return _not_begun("Pulse checked again, and this is what would run", now)
    return _not_begun(f"what would run has changed since you looked: {difference(job.plan, now)}", now)


def looked_again(job: Job, now: AnyPlan) -> RunResult | None:
    """Compare as `hold` does; a yes to what could not be told only had it looked at again, so the card comes back."""
    if isinstance(job.plan, CannotPlan) and isinstance(now, CannotPlan):
        return _not_begun(now.why, now)
    return hold(job, now)


def _not_begun(why: str, now: AnyPlan) -> RunResult:
    detail = f"Nothing was run: {why}"
    return RunResult(ended="changed", exit_code=None, output="", cost_microusd=0, detail=detail, plan=now)
