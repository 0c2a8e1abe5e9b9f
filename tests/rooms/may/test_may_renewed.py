"""A grant from when options were free is held to what would be offered for it today, or it ends."""

import pytest
from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import Act
from hub.domain.permission_grant import FORM, CallPattern, PermissionPattern
from hub.may import covers, patterns_for, renewed
from tests.rooms.may.test_may_granted import NOW, SHOP, asked

RUNS = (Effect.RUNS_PROJECT_CODE,)
BOTH = (Effect.WRITES_IN_WORKSPACE, Effect.RUNS_PROJECT_CODE)
PLAIN = PermissionPattern(agent="claude-code", act=Act.COMMAND, tool="Bash", place=SHOP, effects=RUNS)


def older(*calls: CallPattern, **more: object) -> PermissionPattern:
    return replace(PLAIN, calls=calls, **more)


PYTEST = older(CallPattern(words=("pytest",), rest="inside", effects=RUNS))
CLEAN = older(
    CallPattern(
        words=("rm",), rest="paths", effects=(Effect.DELETES,), options=("-f=", "-r=", "-rf="), paths=(f"{SHOP}/build",)
    ),
    effects=(Effect.DELETES,),
)
PUSH = older(
    CallPattern(
        words=("git", "push"), rest="names", effects=(Effect.LEAVES_THE_MACHINE,), operands=("origin",), options=()
    ),
    effects=(Effect.LEAVES_THE_MACHINE,),
)


@pytest.mark.parametrize("pattern", [PYTEST, CLEAN, replace(PLAIN, text="pytest"), replace(PLAIN, act=Act.EDIT)])
def test_as_it_was_it_covers_nothing(pattern: PermissionPattern) -> None:
    for text in ("pytest", "rm -rf build"):
        assert not covers(pattern, asked(text), NOW)


@pytest.mark.parametrize(
    ("pattern", "covered", "asks"),
    [
        (PYTEST, "pytest tests/a.py", "pytest -q tests/a.py"),
        (CLEAN, "rm -rf build/cache", "rm -rf src"),
        (replace(PLAIN, effects=BOTH, text="pytest -q | tee a"), "pytest -q | tee a", "pytest -v | tee a"),
        (
            older(CallPattern(words=("npm", "run"), rest="same", effects=RUNS, operands=("build",))),
            "npm run build",
            "npm run x",
        ),
    ],
)
def test_what_is_left_covers_no_more_than_today_would_be_offered(
    pattern: PermissionPattern, covered: str, asks: str
) -> None:
    left = renewed(pattern)
    assert left is not None
    assert left.form == FORM
    assert covers(left, asked(covered), NOW)
    assert not covers(left, asked(asks), NOW)


@pytest.mark.parametrize(
    "pattern",
    [
        PUSH,
        older(CallPattern(words=("sed",), rest="inside", effects=(Effect.READS,))),
        older(CallPattern(words=("python",), rest="inside", effects=RUNS)),
        older(CallPattern(words=("git", "config"), rest="same", effects=RUNS, operands=("core.hooksPath", "x"))),
        replace(PLAIN, text="cp x .git/hooks/pre-commit"),
        replace(PLAIN, text="git push"),
        replace(PLAIN, text="pytest -p x | tee a"),
        replace(PLAIN, act=Act.EDIT, tool="Edit", paths=(SHOP,)),
        replace(PLAIN, act=Act.EDIT, tool="Edit", paths=(f"{SHOP}/.claude",)),
        older(),
    ],
)
def test_what_was_too_free_ends(pattern: PermissionPattern) -> None:
    assert renewed(pattern) is None


def test_folders_and_pages_go_on_without_what_is_never_covered() -> None:
    files = renewed(replace(PLAIN, act=Act.EDIT, tool="Edit", paths=(f"{SHOP}/src", SHOP)))
    assert files is not None
    assert files.paths == (f"{SHOP}/src",)
    edit = asked("x", act=Act.EDIT, target="src/a.py", tool="Edit")
    assert not covers(files, edit, NOW)  # it did not write files
    site = renewed(replace(PLAIN, act=Act.FETCH, site="https://docs.example.org"))
    assert site is not None
    assert site.form == FORM


def test_what_is_of_today_stays_as_it_is() -> None:
    (today, *_) = patterns_for(asked("pytest -q"))
    assert renewed(today) is today
