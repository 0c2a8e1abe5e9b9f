"""A grant held to some files covers what it covered of them before, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.permission import Act, Permission
from hub.domain.permission_grant import PermissionPattern
from hub.domain.worded import Worded
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.may import covers, narrowed, paths_proposed, patterns_for
from tests.rooms.may.test_may_granted import NOW, SHOP, asked


def wide(said: str) -> PermissionPattern:
    return patterns_for(asked(said))[0]


def held(said: str | PermissionPattern, *paths: str) -> PermissionPattern:
    found = narrowed(wide(said) if isinstance(said, str) else said, paths)
    assert isinstance(found, PermissionPattern)
    return found


def edit(target: str) -> Permission:
    return asked("x", act=Act.EDIT, target=target, tool="Edit")


@pytest.mark.parametrize(
    ("said", "paths", "then"),
    [
        ("pytest -q", ["tests"], "pytest -q tests/unit"),
        ("pytest -q", ["tests", "docs/a.py"], "pytest -q tests/a.py docs/a.py | tail -3"),
        ("rm -rf build dist", ["build"], "rm -rf build"),
        ("rm -rf build dist", ["build/cache"], "rm -rf build/cache/a"),
    ],
)
def test_it_covers_what_is_in_them(said: str, paths: list[str], then: str) -> None:
    assert covers(held(said, *paths), asked(then), NOW)


@pytest.mark.parametrize(
    ("said", "paths", "then"),
    [
        ("pytest -q", ["tests"], "pytest"),
        ("pytest -q", ["tests"], "pytest -q"),
        ("pytest -q", ["tests"], "pytest -q tests src"),
        ("pytest -q", ["tests"], "pytest -q tests --junitxml=out.xml"),
        ("pytest -q", ["tests"], "pytest tests -o out"),
        ("pytest -q", ["tests"], "pytest tests -oout.xml"),
        ("pytest -q", ["tests"], "pytest tests/../src"),
        ("pytest -q", ["tests"], "pytest testsuite"),
        ("pytest -q", ["tests"], "cd sub && pytest tests"),
        ("rm -rf build dist", ["build"], "rm -rf dist"),
        ("rm -rf build dist", ["build/cache"], "rm -rf build"),
    ],
)
def test_and_nothing_else(said: str, paths: list[str], then: str) -> None:
    assert not covers(held(said, *paths), asked(then), NOW)


def test_files_may_be_one_of_those_in_the_folder() -> None:
    (pattern,) = patterns_for(edit("src/shop/cart.py"))
    assert paths_proposed(pattern) == (f"{SHOP}/src/shop",)
    only = held(pattern, "src/shop/cart.py")
    assert covers(only, edit("src/shop/cart.py"), NOW)
    assert not covers(only, edit("src/shop/cart.pyc"), NOW)
    assert not covers(only, edit("src/shop/other.py"), NOW)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("..", "outside"),
        ("/etc", "outside"),
        ("src/../../other", "outside"),
        ("src", "outside"),
        ("build/*", "unclear"),
        ("~/x", "unclear"),
        ("$HOME", "unclear"),
        (" ", "unclear"),
        ("build/\u202ex", "unclear"),
        ("build/.env", "secret"),
    ],
)
def test_nothing_wider_unclear_or_secret_is_taken(path: str, code: str) -> None:
    why = narrowed(wide("rm -rf build"), [path])
    assert isinstance(why, Worded)
    assert why.wording.code == f"grant_path.{code}"
    for language in ("en", "de"):
        assert worded(why.wording, "", phrases(language))
    assert worded(why.wording, "", phrases("en")) == why.text


@pytest.mark.parametrize("said", ["git push origin main", "git reset --hard", "npm install left-pad"])
def test_what_names_no_files_cannot_be_held_to_some(said: str) -> None:
    assert paths_proposed(wide(said)) == ()
    assert isinstance(narrowed(wide(said), ["src"]), Worded)


SAID = st.sampled_from(["pytest -q", "rm -rf build dist", "ruff check src && rm build/a"])
PATHS = st.lists(
    st.sampled_from(["build", "build/a", "dist", "src", "tests", ".", "..", "x/y"]), min_size=1, max_size=3
)
THEN = st.sampled_from(
    [
        "pytest",
        "pytest tests",
        "pytest src -q",
        "rm build/a",
        "rm -rf dist",
        "ruff check src",
        "rm -rf build",
        "pytest ..",
    ]
)


@given(SAID, PATHS, THEN)
def test_it_never_covers_more_than_was_proposed(said: str, paths: list[str], then: str) -> None:
    less = narrowed(wide(said), paths)
    if isinstance(less, PermissionPattern) and covers(less, asked(then), NOW):
        assert covers(wide(said), asked(then), NOW)
