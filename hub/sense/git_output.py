"""Readers of what the `git` program prints. Formats: git-status(1) "Porcelain Format Version 2", gitrevisions(7).

Output may be cut anywhere by the sensor's size limit, and paths are bytes: a record that makes no sense is left out,
a path that is no UTF-8 gets replacement characters. Nothing here raises.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from hub.contract.base import Value
from hub.domain.provenance import RepositoryText
from hub.domain.situation import Branch
from hub.sense.installed_files import made_by_tools, written_by_people

FIELDS_BEFORE_PATH = {"1 ": 8, "2 ": 9, "u ": 10}
"""Ordinary: `1 XY sub mH mI mW hH hI path`; renamed: with a score; unmerged: with a third mode and name."""
DEFAULT_BRANCHES = ("main", "master", "trunk", "develop")
DETACHED = "(detached)"
NO_COMMIT = "(initial)"
NO_FILTER = frozenset({"unspecified", "unset"})
"""What `git check-attr` says where an attribute has no value (gitattributes(5))."""


class GitStatus(Value):
    """`git status --porcelain=v2 --branch -z`; `ahead` and `behind` are None without an upstream.

    An upstream that is configured but gone, as after its branch was deleted on the server, is none.
    `tracked` has the unmerged ones, too; `untracked` leaves out what was installed or made by tools, which
    `tool_folders` names.
    """

    branch: str | None = None
    head: str | None = None
    upstream: str | None = None
    ahead: int | None = None
    behind: int | None = None
    unmerged: tuple[str, ...] = ()
    tracked: tuple[str, ...] = ()
    untracked: tuple[str, ...] = ()
    tool_folders: tuple[str, ...] = ()


class Commit(Value):
    """A commit's name and when it was committed."""

    id: str
    at: datetime


class BranchRef(Value):
    """A local branch as `for-each-ref` tells it."""

    name: str
    at: datetime


def text(raw: bytes) -> str:
    """Read bytes that are UTF-8 most of the time."""
    return raw.decode("utf-8", "replace")


def names(raw: bytes) -> tuple[str, ...]:
    """Read a list of NUL-ended names; a last one without its NUL was cut and is dropped."""
    return tuple(text(each) for each in raw.split(b"\0")[:-1] if each)


def sizes(raw: bytes) -> dict[str, int]:
    """Read the sizes of files from `git ls-tree -l -z`: `mode type object size`, a tab, the path."""
    found = (record.partition("\t") for record in names(raw))
    sized = ((path, facts.split()[-1]) for facts, _, path in found if path and facts.split())
    return {path: int(size) for path, size in sized if size.isascii() and size.isdigit()}


def status(raw: bytes) -> GitStatus:
    """Read the branch headers and the changed paths."""
    records = names(raw)
    new = new_files(raw)
    headers = dict(_header(record) for record in records if record.startswith("# "))
    head, branch = headers.get("branch.oid"), headers.get("branch.head")
    ahead, _, behind = headers.get("branch.ab", "").partition(" ")
    return GitStatus(
        branch=None if branch == DETACHED else branch,
        head=None if head == NO_COMMIT else head,
        upstream=headers.get("branch.upstream") if "branch.ab" in headers else None,
        ahead=_count(ahead, "+"),
        behind=_count(behind, "-"),
        tracked=tuple(_changed(records)),
        unmerged=tuple(_changed([record for record in records if record.startswith("u ")])),
        untracked=written_by_people(new),
        tool_folders=made_by_tools(new),
    )


def new_files(raw: bytes) -> tuple[str, ...]:
    """Read the paths that git does not know from the same output, whoever made the files."""
    return tuple(record[2:] for record in names(raw) if record.startswith("? "))


def _header(record: str) -> tuple[str, str]:
    key, _, value = record[2:].partition(" ")
    return key, value


def _count(value: str, sign: str) -> int | None:
    number = value.removeprefix(sign)
    return int(number) if number.isascii() and number.isdigit() else None


def _changed(records: Sequence[str]) -> Iterator[str]:
    for record in records:
        before_path = FIELDS_BEFORE_PATH.get(record[:2])
        parts = record.split(" ", before_path) if before_path else []
        if len(parts) - 1 == before_path:
            yield parts[-1]


def commits(raw: bytes) -> tuple[Commit, ...]:
    """Read `git log --format=%H %ct`, newest first."""
    found = (_commit(line) for line in text(raw).splitlines())
    return tuple(each for each in found if each is not None)


def _commit(line: str) -> Commit | None:
    name, _, seconds = line.partition(" ")
    at = moment(seconds)
    return None if at is None else Commit(id=name, at=at)


def moment(seconds: str) -> datetime | None:
    """Read Unix seconds; None for anything that is no date (git accepts commits from any year)."""
    if not (seconds.isascii() and seconds.isdigit()):
        return None
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (OverflowError, ValueError, OSError):
        return None


def filters(raw: bytes) -> tuple[tuple[str, str], ...]:
    """Read `git check-attr -z filter`: each path that a filter is named for, and its name."""
    fields = names(raw)
    found = zip(fields[::3], fields[2::3], strict=False)
    return tuple((path, name) for path, name in found if name not in NO_FILTER)


def branches(raw: bytes) -> tuple[BranchRef, ...]:
    """Read `git for-each-ref --format=%(refname) %(committerdate:unix) refs/heads`."""
    found: list[BranchRef] = []
    for line in text(raw).splitlines():
        name, _, seconds = line.rpartition(" ")
        at = moment(seconds)
        if at is not None and name.startswith("refs/heads/"):
            found.append(BranchRef(name=name.removeprefix("refs/heads/"), at=at))
    return tuple(found)


def default_branch(raw: bytes) -> str | None:
    """Choose the default branch from `git for-each-ref --format=%(refname) %(symref)` of the candidates.

    What the remote says comes first, then a local branch with a usual name, then such a remote branch.

    Returns:
        A full reference name (refs/…), or None when there is none of them.
    """
    refs = dict(line.partition(" ")[::2] for line in text(raw).splitlines())
    remote_says = refs.get("refs/remotes/origin/HEAD", "")
    if remote_says in refs:
        return remote_says
    usual = [f"{place}/{name}" for place in ("refs/heads", "refs/remotes/origin") for name in DEFAULT_BRANCHES]
    return next((ref for ref in usual if ref in refs), None)


def stale(
    unmerged: Sequence[BranchRef], *, current: str | None, default: str | None, before: datetime
) -> tuple[Branch, ...]:
    """Return the unmerged branches without a commit since `before`, oldest first, never the current or default one."""
    kept_out = {current, (default or "").removeprefix("refs/heads/")}
    old = (each for each in unmerged if each.at < before and each.name not in kept_out)
    return tuple(Branch(name=RepositoryText(each.name), last_commit_at=each.at) for each in sorted(old, key=_age))


def _age(ref: BranchRef) -> tuple[datetime, str]:
    return ref.at, ref.name
