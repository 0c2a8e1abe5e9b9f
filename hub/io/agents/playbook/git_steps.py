"""Steps of git that a person says yes to: commit what is named, push, take over what was fetched.

Each starts git as the person would, in their repository: its hooks run, as they do for them. What is started stands on
the card; before a commit each file is held to what the person saw. Branches move while a card is open, so what is
pushed or taken over is named by its commit, and where a branch stood is compared before the start. A commit can be
taken back while nobody else has it.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.deploying import COMMIT as COMMIT_ID
from hub.domain.execution import RunResult, not_started
from hub.domain.plan import AnyPlan, CommitFile, DefiningFile, PinnedRef, Plan, PlannedCommit, cannot, is_message
from hub.domain.provenance import say
from hub.domain.suggestion import TAKE_COMMIT_BACK
from hub.io.agents.changes import printable
from hub.io.agents.containment import described
from hub.io.agents.deciding import held
from hub.io.agents.defining import find_program, kept_digest, real
from hub.io.agents.playbook.pinned_commits import SHORT, TrackedBranch, passed, position, tracked_branch
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace
from hub.io.sensors.workspace import operation
from hub.sense.changes import FileChange, message_of

NO_GIT = say("The program git was not found. Install it, or add its folder to PATH.")
NOTHING_LEFT = say("These files no longer differ from the last commit, so there is nothing to commit.")
NO_MESSAGE = say("A commit message is text; this one contains characters it cannot have.")
NO_COMMIT = say("It is unknown which commit that was, so it cannot be undone.")
NO_REPOSITORY = say("Its repository can no longer be read.")
NO_UPSTREAM = say("This branch follows no branch of a remote. Push it once by hand: `git push --set-upstream`.")
GOES_ELSEWHERE = say("git would not push this branch to its upstream, so it is yours to push.")
NONE_NEW = say("There are no commits to pass on, or both sides have new ones.")
REMOTE_DIFFERS = say(
    "The remote has other commits than the card showed. Run `git fetch`; the next card shows what is missing."
)
ALONE = ("--no-follow-tags", "--no-recurse-submodules")
"""Nothing goes along with the commits, whatever is configured: what the card does not show stays."""
COMMIT_CHARS = 40
WHOLE_NAMES = ("-c", f"core.abbrev={COMMIT_CHARS}")
UPSTREAM = "@{upstream}"
KEYS = ("SSH_AUTH_SOCK",)
"""What git needs of the environment to reach a remote, beside the everyday."""
QUIET = "GIT_TERMINAL_PROMPT=0"
LITERAL = "GIT_LITERAL_PATHSPECS=1"
"""A file called `*` is a file, not all of them."""


async def plan_commit(asked: Asked) -> AnyPlan:
    """Tell which commit would be made; its files are held to what they are now.

    The work's first argument is the message; where it is empty, one is proposed from what is there.
    """
    git = find_program("git", asked.search_path)
    message, *paths = asked.work.args or ("",)
    if git is None or not paths:
        return cannot(NO_GIT if git is None else NOTHING_LEFT)
    if not is_message(message):
        return cannot(NO_MESSAGE)
    refs, work = await position(asked.git), await asked.git.work(paths)
    if work is None or not work.changes:
        return cannot(NOTHING_LEFT)
    digests = await asyncio.to_thread(_digests, asked.folder, paths)
    if unreadable := [file.path for file in digests if not file.sha256]:
        return cannot(
            say(
                "{name} cannot be read, or is too long, so Pulse could not check that it is what you see.",
                name=unreadable[0],
            )
        )
    words = message or message_of(work.changes)
    plan = Plan(
        playbook=COMMIT,
        argv=(git, "commit", "--message", words, "--", *paths),
        environment=(LITERAL,),
        folder=real(asked.folder),
        defined_by=digests,
        commit=PlannedCommit(
            message=words, files=tuple(map(_commit_file, work.changes)), diff=printable(work.diff), is_cut=work.is_cut
        ),
        refs=refs,
    )
    return await asyncio.to_thread(held, plan, asked.search_path)


def _digests(folder: Path, paths: Sequence[str]) -> tuple[DefiningFile, ...]:
    return tuple(DefiningFile(path=path, sha256=kept_digest(folder / path)) for path in paths)


def _commit_file(change: FileChange) -> CommitFile:
    return CommitFile(
        path=change.path,
        became=change.became,
        was=change.was,
        added=change.added,
        removed=change.removed,
        size=change.size,
        size_before=change.size_before,
    )


async def commit(place: Workplace) -> RunResult:
    """Make git know the files, and commit them and nothing else; the commit that was made is named."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.argv:
        return not_started(NOTHING_LEFT if plan is None or isinstance(plan, Plan) else plan.told)
    paths = plan.argv[plan.argv.index("--") + 1 :]
    before = await place.git.ask("rev-parse", "HEAD")
    added = await _started(place, (plan.argv[0], "add", "--all", "--", *paths), plan)
    result = added if added.exit_code != 0 else await _started(place, plan.argv, plan)
    if result.exit_code != 0:
        return result
    made = await place.git.ask("rev-parse", "HEAD", "HEAD^")
    now, parent, *_ = (*made.fields(), "", "")
    return replace(result, commit=now) if made.ok and parent == before.text.strip() else result


async def plan_take_back(asked: Asked) -> AnyPlan:
    """Tell how a commit is taken back: the branch goes one back, and every file stays as it is.

    Only while nothing lies on it, and no remote that is known has it.
    """
    git = find_program("git", asked.search_path)
    commit = asked.work.args[0] if asked.work.args else ""
    if git is None or COMMIT_ID.fullmatch(commit) is None:
        return cannot(NO_GIT if git is None else NO_COMMIT)
    tree = await asked.git.work_tree()
    if tree is None:
        return cannot(NO_REPOSITORY)
    if operation(tree.git_folder):
        return cannot(
            say("A {what} is in progress. Finish it first, then undo the commit.", what=operation(tree.git_folder))
        )
    if tree.head != commit:
        on_it = await asked.git.ask("merge-base", "--is-ancestor", commit, "HEAD")
        return cannot(
            say(
                "There is a newer commit on top of {commit}, so it cannot be undone; use `git revert {commit}`.",
                commit=commit[:SHORT],
            )
            if on_it.ok
            else say("{commit} is not on the current branch, so it cannot be undone from here.", commit=commit[:SHORT])
        )
    parents = await asked.git.ask("rev-list", "--parents", "--max-count=1", commit)
    pushed = await asked.git.ask("for-each-ref", "--contains", commit, "--format=%(refname:short)", "refs/remotes")
    named = await asked.git.ask("for-each-ref", "--points-at", commit, "--format=%(refname:short)", "refs/tags")
    before = parents.text.split()[1:]
    if not (parents.ok and pushed.ok and named.ok) or len(before) != 1:
        return cannot(say("{commit} does not have exactly one parent, so it is not undone.", commit=commit[:SHORT]))
    if pushed.fields():
        return cannot(
            say(
                "{commit} is pushed ({where} has it), so it is not undone; "
                "`git revert {commit}` reverts it for everyone.",
                commit=commit[:SHORT],
                where=printable(pushed.fields()[0]),
            )
        )
    if named.fields():
        return cannot(
            say(
                "{commit} has a tag ({tag}), so it is not undone.",
                commit=commit[:SHORT],
                tag=printable(named.fields()[0]),
            )
        )
    argv, refs = (git, "reset", "--soft", before[0]), await position(asked.git)
    plan = Plan(playbook=TAKE_BACK, argv=argv, folder=real(asked.folder), environment=(QUIET,), refs=refs)
    return await asyncio.to_thread(held, plan, asked.search_path)


async def plan_push(asked: Asked) -> AnyPlan:
    """Tell which commits would be pushed, and where to; only to where git itself would push the branch."""
    git, branch = find_program("git", asked.search_path), await tracked_branch(asked.git)
    if git is None or branch is None:
        return cannot(NO_GIT if git is None else NO_UPSTREAM)
    if branch.pushes != branch.upstream.name:
        return cannot(GOES_ELSEWHERE)
    what = (branch.remote, f"{branch.here.commit}:{branch.there}")
    return await _passing(asked, branch, branch.here, PUSH, (git, "push", *ALONE, *what))


async def plan_catch_up(asked: Asked) -> AnyPlan:
    """Tell which commits would be taken over."""
    git, branch = find_program("git", asked.search_path), await tracked_branch(asked.git)
    if git is None or branch is None:
        return cannot(NO_GIT if git is None else NO_UPSTREAM)
    branch = replace(branch, upstream=replace(branch.upstream, name=UPSTREAM))
    return await _passing(asked, branch, branch.upstream, CATCH_UP, (git, "merge", "--ff-only", branch.upstream.commit))


async def _passing(
    asked: Asked, branch: TrackedBranch, tip: PinnedRef, playbook: str, argv: tuple[str, ...]
) -> AnyPlan:
    base = branch.upstream if tip == branch.here else branch.here
    commits = await passed(asked.git, base, tip)
    if commits is None:
        return cannot(NONE_NEW)
    plan = Plan(
        playbook=playbook,
        argv=argv,
        folder=real(asked.folder),
        environment=(QUIET, *KEYS),
        refs=(branch.here, branch.upstream),
        passes=commits,
    )
    return await asyncio.to_thread(held, plan, asked.search_path)


async def push(place: Workplace) -> RunResult:
    """Push what was permitted, if the remote has just what was shown as already there.

    What is known here of the remote is a ref like any other, which anything in the repository can move.
    """
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.refs:
        return not_started(NO_UPSTREAM if plan is None or isinstance(plan, Plan) else plan.told)
    git, verb, *what = plan.argv
    looked = await _started(place, (git, *WHOLE_NAMES, verb, "--dry-run", "--porcelain", "--no-verify", *what), plan)
    here, there = (ref.commit[:COMMIT_CHARS] for ref in plan.refs)
    if looked.exit_code == 0 and f"{there}..{here}" not in looked.output.split():
        return not_started(REMOTE_DIFFERS)
    return looked if looked.exit_code != 0 else await run_planned(place, plan)


async def run_step(place: Workplace) -> RunResult:
    """Run the command of the plan that was permitted."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or not plan.argv:
        return not_started(NO_GIT if plan is None or isinstance(plan, Plan) else plan.told)
    return await run_planned(place, plan)


async def run_planned(place: Workplace, plan: Plan) -> RunResult:
    """Run the command of a plan, or of a part of one."""
    return await _started(place, plan.argv, plan)


async def _started(place: Workplace, argv: tuple[str, ...], plan: Plan) -> RunResult:
    own = (line.partition("=") for line in plan.environment)
    values = {name: value if sign else place.environ.get(name, "") for name, sign, value in own}
    ending = await place.run(argv, {name: value for name, value in values.items() if value})
    held = described(place.job.agent, plan.folder)
    return RunResult(
        ended=ending.ended,
        exit_code=ending.exit_code,
        output=ending.output,
        truncated=ending.truncated,
        detail=ending.detail,
        containment=held.text,
        containment_worded=held.worded,
    )


COMMIT, TAKE_BACK, PUSH, CATCH_UP = "commit-work", TAKE_COMMIT_BACK, "push-work", "catch-up"
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
        name=TAKE_BACK,
        description="Undo a commit that was just made, as `undo` of its card asks; all files stay as they are.",
        risk=Risk.LOW,
        needs="a commit that is not pushed, and on which nothing lies",
        work=run_step,
        plan_work=plan_take_back,
    ),
    Playbook(
        name=PUSH,
        description="Push the commits that the card shows to the branch's upstream (`git push`).",
        risk=Risk.MEDIUM,
        needs="an upstream branch, and git itself",
        work=push,
        plan_work=plan_push,
    ),
    Playbook(
        name=CATCH_UP,
        description="Take over the upstream's commits that were fetched, if the branch has none of its own.",
        risk=Risk.LOW,
        needs="an upstream branch, and git itself",
        work=run_step,
        plan_work=plan_catch_up,
    ),
)
