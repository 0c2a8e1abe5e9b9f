"""Which commits a step of git is about: a branch moves as long as a card is open, a commit never does.

So a plan names commits, read when the card is made and read again before the start. What is told of them comes from
the objects themselves, never from what stands in their place (`git replace`).
"""

from hub.contract.base import Value
from hub.domain.plan import PassedCommits, PinnedRef
from hub.io.agents.changes import printable
from hub.io.agents.git import GitFolder
from hub.kit.text import one_line

NEWEST_MAX = 5
FILES_MAX = 8
SUBJECT_CHARS_MAX = 72
SHORT = 7
_BRANCH = "%00".join(
    f"%({name})" for name in ("refname", "objectname", "upstream", "push", "upstream:remotename", "upstream:remoteref")
)


class TrackedBranch(Value):
    """The branch that is checked out, and what it follows: `there` is the upstream's name at its `remote`.

    `pushes` is where a bare `git push` would put it, as it is known here; empty where nobody can tell.
    """

    here: PinnedRef
    upstream: PinnedRef
    pushes: str
    remote: str
    there: str


async def position(git: GitFolder) -> tuple[PinnedRef, ...]:
    """Return what is checked out, and the commit that it stands for; empty where there is no commit yet."""
    named, commit = await git.ask("symbolic-ref", "--quiet", "HEAD"), await git.ask("rev-parse", "--verify", "HEAD")
    name = printable(named.text.removesuffix("\n")) if named.ok else "HEAD"
    return (PinnedRef(name=name, commit=commit.text.strip()),) if commit.ok else ()


async def tracked_branch(git: GitFolder) -> TrackedBranch | None:
    """Return the branch that is checked out; None where there is none, or it follows none that is known."""
    named = await git.ask("symbolic-ref", "--quiet", "HEAD")
    name = named.text.removesuffix("\n")
    listed = await git.ask("for-each-ref", f"--format={_BRANCH}", name) if named.ok else named
    rows = (line.split("\0") for line in listed.fields())
    found = next((row for row in rows if row[0] == name), None)
    if not listed.ok or found is None:
        return None
    _, here, upstream, pushes, remote, there = found
    seen = await git.ask("rev-parse", "--verify", "--quiet", f"{upstream}^{{commit}}")
    if (
        not (upstream and seen.ok and there)
        or remote.startswith("-")
        or f"{remote}{there}{name}" != printable(f"{remote}{there}{name}")
    ):
        return None
    return TrackedBranch(
        here=PinnedRef(name=name, commit=here),
        upstream=PinnedRef(name=upstream, commit=seen.text.strip()),
        pushes=pushes,
        remote=remote,
        there=there,
    )


async def passed(git: GitFolder, base: PinnedRef, tip: PinnedRef) -> PassedCommits | None:
    """Return the commits that one has beyond another; None where it has none, does not build on it, or git fails.

    Each commit's files count, including files that a later commit removes: they go out all the same.
    """
    builds_on = await git.ask("merge-base", "--is-ancestor", base.commit, tip.commit)
    between = (f"{base.commit}..{tip.commit}", "--")
    counted = await git.ask("rev-list", "--count", *between)
    newest = await git.ask("log", f"--max-count={NEWEST_MAX}", "--format=%H %s", *between)
    shown = ("--format=", "--name-only", "-z", "--no-renames", "--no-relative", "--diff-merges=first-parent")
    touched = await git.ask("log", *shown, "--ignore-submodules=none", *between)
    count = int(counted.text) if counted.ok else 0
    if not (builds_on.ok and newest.ok and touched.ok and count):
        return None
    files = sorted(set(map(printable, touched.fields("\0"))))
    return PassedCommits(
        count=count,
        newest=tuple(map(_named, newest.fields())),
        files=tuple(files[:FILES_MAX]),
        files_more=max(0, len(files) - FILES_MAX),
    )


def _named(line: str) -> str:
    commit, _, subject = line.partition(" ")
    return f"{commit[:SHORT]} {one_line(printable(subject), SUBJECT_CHARS_MAX)}".rstrip()
