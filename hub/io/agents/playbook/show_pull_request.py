"""Shows a pull request with its checks and comments, by GitHub's own program."""

from hub.contract.words import Risk
from hub.domain.plan import AnyPlan, Plan, cannot
from hub.domain.provenance import say
from hub.io.agents.defining import find_program, real
from hub.io.agents.playbook.git_steps import run_step
from hub.io.agents.playbook.shape import Asked, Playbook

SHOW = "show-pull-request"
NO_GH = say("The program gh was not found. Install it, and sign in with `gh auth login`.")


async def plan_show(asked: Asked) -> AnyPlan:
    """Tell what would be started; the work names the number."""
    number = asked.work.args[0] if asked.work.args else ""
    program = find_program("gh", asked.search_path)
    if program is None or not number.isdecimal():
        return cannot(NO_GH)
    return Plan(
        playbook=SHOW,
        argv=(program, "pr", "view", number, "--comments"),
        folder=real(asked.folder),
        environment=("GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1"),
    )


PLAYBOOK = Playbook(
    name=SHOW,
    description="Show a pull request with its comments (`gh pr view`).",
    risk=Risk.LOW,
    needs="gh, signed in",
    work=run_step,
    plan_work=plan_show,
)
