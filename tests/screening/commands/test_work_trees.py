"""Which calls of git change files of a work tree by what git holds, where, and by which names of commits."""

import pytest

from hub.screening.commands import read_command
from hub.screening.commands.work_trees import SEVERAL_STASHES, TreeChange

FOLDER = "/home/me/shop"


def changes(text: str) -> tuple[TreeChange, ...]:
    return read_command(text, FOLDER).tree_changes


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("git checkout evil", ("evil",)),
        ("git checkout -", ("@{-1}",)),
        ("git checkout -b new origin/main", ("origin/main",)),
        ("git switch --detach v1.0", ("v1.0",)),
        ("git merge --no-ff a b", ("a", "b")),
        ("git merge", ("@{upstream}",)),
        ("git rebase -", ("@{-1}",)),
        ("git cherry-pick main..evil", ("main..evil",)),
        ("git revert HEAD", ("HEAD",)),
        ("git stash pop", ("stash@{0}",)),
        ("git stash apply 2", ("stash@{2}",)),
        ("git stash branch new stash@{1}", ("stash@{1}",)),
        ("git worktree add .wt/x evil", ("evil",)),
        ("git reset --hard evil", ("evil",)),
        ("sh -c 'git checkout evil'", ("evil",)),
        ("git -c advice.detachedHead=false checkout evil", ("evil",)),
        ("git checkout $(git rev-parse evil)", ("$(git rev-parse evil)",)),
    ],
)
def test_it_is_told_which_commits_a_call_brings_files_of(text: str, targets: tuple[str, ...]) -> None:
    assert [one.targets for one in changes(text)] == [targets]
    assert [one.folders for one in changes(text)] == [(FOLDER,)]
    assert not any(one.is_open for one in changes(text))


@pytest.mark.parametrize("text", ["git stash", "git stash push -m x", "git stash -u", "git checkout-index -a"])
def test_what_puts_back_the_last_commit_says_so(text: str) -> None:
    assert [(one.targets, one.restores) for one in changes(text)] == [((), True)]


@pytest.mark.parametrize(
    "text",
    [
        "git pull",
        "git pull --rebase origin main",
        "git fetch && git merge origin/main",
        "git remote update; git checkout x",
        "git rm -r --cached . && git commit -m x && git checkout x",
        "git bisect bad",
        "git submodule update --init",
        "git sparse-checkout disable",
        "git switch --orphan empty",
        "gh pr checkout 12",
    ],
)
def test_what_it_brings_is_open_where_only_the_run_shows_it(text: str) -> None:
    assert [one.is_open for one in changes(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "git status",
        "git checkout -b new",
        "git checkout -- src",
        "git commit -am x",
        "git fetch origin",
        "git stash list",
        "git stash drop",
        "git rebase --continue",
        "git merge --abort",
        "git reset HEAD src/a.py",
        "git restore --staged .",
        "git worktree list",
        "git submodule status",
        "git bisect log",
        "git checkout --help",
        "gh pr view 12",
        "echo git checkout x",
        "make checkout",
    ],
)
def test_what_leaves_the_files_alone_is_none(text: str) -> None:
    assert changes(text) == ()


def test_a_stash_that_the_text_itself_puts_away_needs_no_other() -> None:
    away, back = changes("git stash && npm test; git stash pop")
    assert (away.restores, back.targets, back.names) == (True, (), ("pop", "stash@{0}"))
    for text in ("git stash; git stash pop 1", "git stash pop; git stash pop", "git stash; git stash; git stash pop"):
        assert changes(text)[-1].targets == (SEVERAL_STASHES,), text


def test_other_names_of_commits_in_the_text_are_told_as_well() -> None:
    (change,) = changes("git log evil && git checkout x")
    assert (change.targets, change.names) == (("x",), ("evil",))


def test_a_branch_that_the_text_makes_is_what_it_begins_at_or_was_there_before() -> None:
    (change,) = changes("git branch x evil && git checkout x")
    assert (change.targets, change.names) == (("evil",), ("x", "evil"))
    assert changes("git branch x; git checkout x")[0].targets == ("HEAD",)


def test_it_is_told_where_a_call_may_run() -> None:
    assert [one.folders for one in changes("cd sub && git checkout x")] == [(FOLDER, f"{FOLDER}/sub")]
    assert [one.folders for one in changes("git -C ../other checkout x")] == [("/home/me/other",)]
    assert [one.folders for one in changes("cd $X && git checkout x")] != [(FOLDER,)]
