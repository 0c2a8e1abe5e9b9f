"""Steps of git that a person says yes to: commit what is named, push, take over what was fetched.

Each starts git as the person would, in their repository: its hooks run, as they do for them. What is started stands on
the card; before a commit each file is held to what the person saw.
"""

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from pathlib import Path

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.domain.plan import AnyPlan, CannotPlan, DefiningFile, Plan
from hub.io.agents.containment import described
from hub.io.agents.deciding import held
from hub.io.agents.defining import DEFINING_BYTES_MAX, DefiningFiles, find_program, real
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace

NO_GIT = "The program git was not found. Install it, or add its folder to PATH."
NOTHING_LEFT = "None of these files differs from the last commit any more, so there is nothing to commit."
TOO_LONG = f"One of the files is longer than {DEFINING_BYTES_MAX // 1024} KiB, so it cannot be held to what you see."
KEYS = ("SSH_AUTH_SOCK",)
"""What git needs of the environment to reach a remote, beside the everyday."""
QUIET = "GIT_TERMINAL_PROMPT=0"
LITERAL = "GIT_LITERAL_PATHSPECS=1"
"""A file called `*` is a file, not all of them."""
GONE = hashlib.sha256(b"").hexdigest()


async def plan_commit(asked: Asked) -> AnyPlan:
    """Tell which commit would be made; its files are held to what they are now."""
    git = find_program("git", asked.search_path)
    message, *paths = asked.work.args or ("",)
    if git is None or not message or not paths:
        return CannotPlan(why=NO_GIT if git is None else NOTHING_LEFT)
    status = await asked.git.ask("status", "--porcelain", "-z", "--untracked-files=all", "--", *paths)
    if not status.ok or not status.text:
        return CannotPlan(why=NOTHING_LEFT)
    files = DefiningFiles(asked.folder)
    there = {each.path: each for each in files.digests(paths)}
    if files.too_long:
        return CannotPlan(why=TOO_LONG)
    plan = Plan(
        playbook=COMMIT,
        argv=(git, "commit", "--message", message, "--", *paths),
        environment=(LITERAL,),
        folder=real(asked.folder),
        defined_by=tuple(there.get(path, DefiningFile(path=path, sha256=GONE)) for path in paths),
    )
    return await asyncio.to_thread(held, plan, asked.search_path)


async def commit(place: Workplace) -> RunResult:
    """Make git know the files, and commit them and nothing else."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.argv:
        return not_started(NOTHING_LEFT if plan is None or isinstance(plan, Plan) else plan.why)
    paths = plan.argv[plan.argv.index("--") + 1 :]
    added = await _started(place, (plan.argv[0], "add", "--all", "--", *paths), plan)
    return added if added.exit_code != 0 else await _started(place, plan.argv, plan)


def _planned(playbook: str, *arguments: str) -> Callable[[Path, str | None], AnyPlan]:
    def plan(folder: Path, search_path: str | None) -> AnyPlan:
        git = find_program("git", search_path)
        if git is None:
            return CannotPlan(why=NO_GIT)
        plan = Plan(playbook=playbook, argv=(git, *arguments), folder=real(folder), environment=(QUIET, *KEYS))
        return held(plan, search_path)

    return plan


async def run_step(place: Workplace) -> RunResult:
    """Run the command of the plan that was permitted."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.argv:
        return not_started(NO_GIT if plan is None or isinstance(plan, Plan) else plan.why)
    return await _started(place, plan.argv, plan)


async def _started(place: Workplace, argv: tuple[str, ...], plan: Plan) -> RunResult:
    own = (line.partition("=") for line in plan.environment)
    values = {name: value if sign else place.environ.get(name, "") for name, sign, value in own}
    ending = await place.run(argv, {name: value for name, value in values.items() if value})
    return RunResult(
        ended=ending.ended,
        exit_code=ending.exit_code,
        output=ending.output,
        truncated=ending.truncated,
        detail=ending.detail,
        containment=described(place.job.agent, plan.folder),
    )


COMMIT, PUSH, CATCH_UP = "commit-work", "push-work", "catch-up"
Work = Callable[[Workplace], Coroutine[None, None, RunResult]]
PLAYBOOKS = (
    Playbook(
        name=COMMIT,
        description="Commit the files that the card names, with the message that it shows.",
        risk=Risk.LOW,
        needs="a git repository, and git itself",
        work=commit,
        plan_work=plan_commit,
    ),
    Playbook(
        name=PUSH,
        description="Push the current branch to where it belongs (`git push`).",
        risk=Risk.MEDIUM,
        needs="an upstream branch, and git itself",
        work=run_step,
        plan=_planned(PUSH, "push"),
    ),
    Playbook(
        name=CATCH_UP,
        description="Take over the upstream's commits that were fetched, if the branch has none of its own.",
        risk=Risk.LOW,
        needs="an upstream branch, and git itself",
        work=run_step,
        plan=_planned(CATCH_UP, "merge", "--ff-only", "@{upstream}"),
    ),
)
