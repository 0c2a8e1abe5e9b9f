"""Answers a deployment that waits at GitHub: approved or rejected, as the person said on the card.

Just before, GitHub is asked whether it is still what the card showed: the same attempt, commit and environment. A run's
number stands for one commit for ever, so what is approved by it cannot become another one on the way.
"""

from collections.abc import Callable, Coroutine

from hub.contract.words import Risk
from hub.domain.deploying import APPROVE_DEPLOYMENT, REJECT_DEPLOYMENT, answering, deployment_named
from hub.domain.execution import RunResult, not_started
from hub.domain.plan import AnyPlan, Plan, cannot
from hub.domain.provenance import as_said, say
from hub.io.agents.defining import find_program, real
from hub.io.agents.environment import scrubbed
from hub.io.agents.playbook.git_steps import run_step
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace
from hub.io.sensors.github_api import LOGIN, QUIET, GithubApi
from hub.sense.deployments import why_not

NO_GH = say("The program gh was not found. Install it, and sign in with `gh auth login`.")
NOT_NAMED = say("The deployment is not named.")
NO_ANSWER = say("GitHub could not be asked whether it is still waiting. Check `gh auth status`, and try again.")
NEEDS = "gh, signed in as somebody who may review the deployment"


def _planned(playbook: str) -> Callable[[Asked], Coroutine[None, None, AnyPlan]]:
    async def plan(asked: Asked) -> AnyPlan:
        one = deployment_named(asked.work.args)
        program = find_program("gh", asked.search_path)
        if one is None or program is None:
            return cannot(NOT_NAMED if one is None else NO_GH)
        return Plan(
            playbook=playbook,
            argv=(program, *answering(playbook, one)),
            folder=real(asked.folder),
            environment=(*(f"{name}={value}" for name, value in QUIET.items()), *LOGIN),
        )

    return plan


async def review(place: Workplace) -> RunResult:
    """Give the answer of the plan that was permitted, if the deployment is still the one that was shown."""
    one, plan = deployment_named(place.job.args), place.job.plan
    if one is None or not isinstance(plan, Plan) or not plan.argv:
        return not_started(NOT_NAMED if one is None else NO_GH)
    api = GithubApi(plan.argv[0], place.home, scrubbed(place.environ, LOGIN))
    at = f"repos/{one.repository}/actions/runs/{one.run}"
    run, pending = await api.get(at, place.now), await api.get(f"{at}/pending_deployments", place.now)
    if run is None or pending is None:
        return not_started(NO_ANSWER)
    problem = why_not(run, pending, one)
    return not_started(as_said(problem)) if problem else await run_step(place)


PLAYBOOKS = (
    Playbook(
        name=APPROVE_DEPLOYMENT,
        description="Approve a deployment that waits at GitHub, if it is still of the commit that the card shows.",
        risk=Risk.HIGH,
        needs=NEEDS,
        work=review,
        plan_work=_planned(APPROVE_DEPLOYMENT),
    ),
    Playbook(
        name=REJECT_DEPLOYMENT,
        description="Reject a deployment that waits at GitHub, if it is still of the commit that the card shows.",
        risk=Risk.MEDIUM,
        needs=NEEDS,
        work=review,
        plan_work=_planned(REJECT_DEPLOYMENT),
    ),
)
