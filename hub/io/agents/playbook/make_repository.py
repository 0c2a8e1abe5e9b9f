"""Makes a folder a repository with a first commit, and takes it away again while nothing but that commit is in it.

What is removed is what was made: `.git`, whose one commit holds what lies in the folder or lay there then, and the
`.gitignore`, if it still says what it was given. No file of the person's is touched.
"""

import asyncio
import shutil
import stat
from pathlib import Path

from msgspec.structs import replace

from hub.contract.words import Risk
from hub.domain.execution import RunResult, not_started
from hub.domain.first_version import FIRST_MESSAGE, IGNORED, MAKE_REPOSITORY, UNMAKE_REPOSITORY
from hub.domain.plan import AnyPlan, CannotPlan, Plan, cannot
from hub.domain.provenance import Wording, say
from hub.io.agents.deciding import held
from hub.io.agents.defining import find_program, read_regular, real
from hub.io.agents.git import GitFolder
from hub.io.agents.playbook.git_steps import NO_GIT, QUIET, run_planned
from hub.io.agents.playbook.shape import Asked, Playbook
from hub.io.agents.playbook.workplace import Workplace, done
from hub.io.sensors.git_program import knows_author
from hub.io.sensors.tree import is_versioned

IS_ONE = say("This folder is already under version control, or lies in one that is.")
CHANGED = say("Files have changed since, and only the repository has the earlier versions, so it is not removed.")
NOT_AS_MADE = say("The repository now holds more than its first commit, so it is not removed.")
GONE = say("There is no longer a repository here.")
IGNORE = ".gitignore"
CONFIG_BYTES_MAX = 65_536
MADE_BY_GIT = frozenset(
    {"HEAD", "config", "description", "branches", "hooks", "info", "index", "logs", "objects", "refs", "packed-refs"}
    | {"COMMIT_EDITMSG", "ORIG_HEAD", "gc.log"}
)
"""What `git init`, a commit and git's own tidying up put into `.git`."""
AUTHOR = ("GIT_AUTHOR_NAME=Pulse", "GIT_AUTHOR_EMAIL=pulse@localhost")
COMMITTER = ("GIT_COMMITTER_NAME=Pulse", "GIT_COMMITTER_EMAIL=pulse@localhost")


async def plan_make(asked: Asked) -> AnyPlan:
    """Tell what would be started: `git init`, then a commit of all that is not left out.

    Where the person never told git who they are, git would refuse to commit: then it is Pulse that does.
    """
    git = find_program("git", asked.search_path)
    if git is None:
        return cannot(NO_GIT)
    if await asyncio.to_thread(is_versioned, asked.folder):
        return cannot(IS_ONE)
    author = () if await knows_author() else (*AUTHOR, *COMMITTER)
    folder = real(asked.folder)
    commit = Plan(
        playbook=MAKE_REPOSITORY,
        argv=(git, "commit", "--quiet", "--message", FIRST_MESSAGE),
        environment=(QUIET, *author),
        folder=folder,
    )
    begin = Plan(playbook=MAKE_REPOSITORY, argv=(git, "init"), environment=(QUIET,), folder=folder)
    first, then = await asyncio.gather(
        asyncio.to_thread(held, begin, asked.search_path), asyncio.to_thread(held, commit, asked.search_path)
    )
    if isinstance(first, CannotPlan) or isinstance(then, CannotPlan):
        return first if isinstance(first, CannotPlan) else then
    return replace(first, then=then)


async def make(place: Workplace) -> RunResult:
    """Run the commands of the plan that was permitted, with the files made known to git in between."""
    plan = place.job.plan
    if not isinstance(plan, Plan) or plan.then is None:
        return not_started(NO_GIT if plan is None or isinstance(plan, Plan) else plan.told)
    if await asyncio.to_thread(is_versioned, place.workspace):
        return not_started(IS_ONE)
    begun = await run_planned(place, plan)
    if begun.exit_code != 0:
        return begun
    await asyncio.to_thread(_write_ignored, place.workspace / IGNORE)
    added = await run_planned(place, replace(plan, argv=(plan.argv[0], "add", "--all")))
    result = added if added.exit_code != 0 else await run_planned(place, plan.then)
    if result.exit_code != 0:  # a repository without a commit keeps nothing, and would not be offered again
        await asyncio.to_thread(_take_away, place.workspace)
        return result
    made = await place.git.ask("rev-parse", "HEAD")
    return replace(result, output=f"{begun.output}{result.output}", commit=made.text.strip() if made.ok else "")


async def plan_unmake(asked: Asked) -> AnyPlan:
    """Tell that the repository would be taken away, or why not; its one argument is the first commit."""
    wrong = await _not_as_made(asked.git, asked.folder, asked.work.args[0] if asked.work.args else "")
    return cannot(wrong) if wrong is not None else Plan(playbook=UNMAKE_REPOSITORY, folder=real(asked.folder))


async def unmake(place: Workplace) -> RunResult:
    """Take the repository away, if it is still as it was made."""
    folder = place.workspace
    wrong = await _not_as_made(place.git, folder, place.job.args[0] if place.job.args else "")
    if wrong is not None:
        return not_started(wrong)
    place.say(f"Removing {folder / '.git'}")
    await asyncio.to_thread(_take_away, folder)
    return done("The repository is gone; your files are as they were.\n")


async def _not_as_made(git: GitFolder, folder: Path, commit: str) -> Wording | None:
    """Say why a repository is not as it was made, if so: one commit, one branch, nothing from or for elsewhere."""
    tree = await git.work_tree()
    if tree is None or not await asyncio.to_thread(_is_top, folder, tree.top):
        return GONE
    refs = await git.ask("for-each-ref", "--format=%(objectname)")
    commits = await git.ask("rev-list", "--all", "--reflog", "--max-count=2")
    is_alone = refs.ok and commits.ok and set(refs.fields()) == {commit} == set(commits.fields())
    more = await asyncio.to_thread(_holds_more, folder / ".git")
    if not (commit and tree.head == commit and is_alone) or more:
        return NOT_AS_MADE
    status = await git.ask("status", "--porcelain", "--untracked-files=no")
    return None if status.ok and not status.text else CHANGED


def _is_top(folder: Path, top: Path) -> bool:
    """Return True if the repository's top is this folder, and its `.git` lies there itself."""
    try:
        return stat.S_ISDIR((folder / ".git").lstat().st_mode) and top.resolve() == folder.resolve()
    except OSError:
        return False


def _holds_more(made: Path) -> bool:
    """Return True if there is a remote, a hook of the person's, or anything that `init` and `commit` do not make."""
    own = {entry.name for entry in made.iterdir()} - MADE_BY_GIT
    hooks = made / "hooks"
    added = [hook for hook in hooks.iterdir() if hook.suffix != ".sample"] if hooks.is_dir() else []
    return bool(own or added) or _may_hold(made / "config", "[remote")


def _may_hold(path: Path, words: str) -> bool:
    """Return True unless the whole file could be read and does not hold these words in any case of letters."""
    raw = read_regular(path, CONFIG_BYTES_MAX)
    return raw is None or len(raw) == CONFIG_BYTES_MAX or words.encode() in raw.lower()


def _write_ignored(path: Path) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(IGNORED)
    except FileExistsError:  # the person's own stays
        return


def _take_away(folder: Path) -> None:
    """Remove what was made; a `.gitignore` that the person has changed stays."""
    shutil.rmtree(folder / ".git")
    ignore = folder / IGNORE
    if not ignore.is_symlink() and read_regular(ignore, len(IGNORED) + 1) == IGNORED.encode():
        ignore.unlink()


PLAYBOOKS = (
    Playbook(
        name=MAKE_REPOSITORY,
        description="Make the folder a git repository, with a `.gitignore` and a first commit of what lies in it.",
        risk=Risk.LOW,
        needs="git itself, and a folder that is not a repository",
        work=make,
        plan_work=plan_make,
    ),
    Playbook(
        name=UNMAKE_REPOSITORY,
        description="Remove such a repository again, as `undo` of its card asks; all files stay as they are.",
        risk=Risk.LOW,
        needs="a repository with nothing but its first commit",
        work=unmake,
        plan_work=plan_unmake,
    ),
)
