from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.sense.git_output import (
    BranchRef,
    branches,
    commits,
    default_branch,
    filters,
    moment,
    names,
    stale,
    status,
)
from tests.fakes.plain_words import plain

NOW = datetime(2026, 3, 1, tzinfo=UTC)
HASH = "a" * 40
ORDINARY = f"1 .M N... 100644 100644 100644 {HASH} {HASH} "
HEADERS = f"# branch.oid {HASH}\0# branch.head main\0# branch.upstream origin/main\0# branch.ab +3 -1\0"


def test_status_reads_headers_and_all_kinds_of_paths() -> None:
    unmerged = f"u UU N... 100644 100644 100644 100644 {HASH} {HASH} {HASH} both.py"
    raw = f"{HEADERS}{ORDINARY}a b/ü.py\0{unmerged}\0? new file\n.txt\0".encode()
    found = status(raw)
    assert (found.branch, found.head, found.upstream, found.ahead) == ("main", HASH, "origin/main", 3)
    assert found.tracked == ("a b/ü.py", "both.py")
    assert found.untracked == ("new file\n.txt",)


def test_status_of_an_empty_and_of_a_detached_repository() -> None:
    empty = status(b"# branch.oid (initial)\0# branch.head main\0")
    assert (empty.head, empty.branch, empty.ahead) == (None, "main", None)
    assert status(f"# branch.oid {HASH}\0# branch.head (detached)\0".encode()).branch is None


def test_a_cut_record_is_left_out() -> None:
    assert status(f"{HEADERS}{ORDINARY}whole.py\0{ORDINARY}hal".encode()).tracked == ("whole.py",)
    assert names(b"a\0b\0c") == ("a", "b")


@pytest.mark.slow
@given(st.binary(max_size=300))
def test_garbage_never_raises(raw: bytes) -> None:
    status(raw)
    commits(raw)
    branches(raw)
    default_branch(raw)


def test_dates_that_are_none() -> None:
    assert moment("0") == datetime(1970, 1, 1, tzinfo=UTC)
    assert [moment(each) for each in ("", "-5", "9" * 30, "x", "²")] == [None] * 5


def test_the_remote_names_the_default_branch() -> None:
    said = b"refs/heads/main \nrefs/remotes/origin/HEAD refs/remotes/origin/develop\nrefs/remotes/origin/develop \n"
    assert default_branch(said) == "refs/remotes/origin/develop"
    assert default_branch(b"refs/remotes/origin/main \nrefs/heads/master \n") == "refs/heads/master"
    assert default_branch(b"") is None


def test_stale_branches_are_old_and_neither_current_nor_default() -> None:
    old, new = NOW - timedelta(days=40), NOW
    refs = [BranchRef(name=name, at=at) for name, at in (("b", old), ("now", old), ("main", old), ("fresh", new))]
    older = BranchRef(name="a/b", at=old - timedelta(days=1))
    found = stale([*refs, older], current="now", default="refs/heads/main", before=NOW - timedelta(days=30))
    assert [plain(each.name) for each in found] == ["a/b", "b"]


def test_filters_that_files_are_named_for() -> None:
    raw = b"a b.py\0filter\0git-crypt\0c\0filter\0unspecified\0d\0filter\0unset\0e\0filter\0set\0cut\0filt"
    assert filters(raw) == (("a b.py", "git-crypt"), ("e", "set"))
