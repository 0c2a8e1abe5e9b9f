"""Which programs a project checks its types and style with, and what one of them found. Pure: whoever looks hands in.

Most of them run what the project's files say (a plug-in, a build script, a configuration that is a program), so that
they are run when a person says yes. Ruff reads its configuration and the files, and runs nothing: it is asked before.
"""

from collections import Counter
from collections.abc import Collection, Iterable

import msgspec

from hub.contract.base import Value
from hub.domain.provenance import RepositoryText
from hub.domain.situation import CodeError
from hub.kit.text import one_line

ERRORS_MAX = 50
ERROR_CHARS_MAX = 160
PYPROJECT = "pyproject.toml"
RUFF_JSON = ("check", "--no-fix", "--no-cache", "--exit-zero", "--force-exclude", "--output-format=json")


class Checker(Value):
    """A program that checks: its arguments, the files of which any says that it is used, and its table in pyproject."""

    name: str
    arguments: tuple[str, ...]
    files: tuple[str, ...]
    table: str = ""


CHECKERS = (
    Checker(
        name="ruff",
        arguments=("check", "--no-fix", "--no-cache", "--output-format=concise"),
        files=("ruff.toml", ".ruff.toml"),
        table="[tool.ruff",
    ),
    Checker(name="mypy", arguments=(".",), files=("mypy.ini", ".mypy.ini"), table="[tool.mypy"),
    Checker(name="pyright", arguments=(), files=("pyrightconfig.json",), table="[tool.pyright"),
    Checker(name="tsc", arguments=("--noEmit",), files=("tsconfig.json",)),
    Checker(
        name="eslint",
        arguments=(".",),
        files=(
            *("eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts"),
            *(".eslintrc", ".eslintrc.json", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.yml"),
        ),
    ),
    Checker(name="cargo", arguments=("check", "--quiet"), files=("Cargo.toml",)),
    Checker(name="go", arguments=("vet", "./..."), files=("go.mod",)),
)
"""In the order in which the first that is used and there is proposed."""


def used(listing: Collection[str], pyproject: str) -> tuple[Checker, ...]:
    """Return the checkers that the files in a project's top folder speak for."""
    return tuple(
        each for each in CHECKERS if set(each.files) & set(listing) or (each.table and each.table in pyproject)
    )


class _Place(msgspec.Struct):
    row: int = 0


class _RuffError(msgspec.Struct):
    filename: str
    message: str = ""
    code: str | None = None
    location: _Place = msgspec.field(default_factory=_Place)


class FoundError(Value):
    """An error as the checker told it; `path` is relative to the work tree."""

    path: str
    line: int
    text: str


def ruff_errors(raw: bytes, top: str) -> tuple[FoundError, ...]:
    """Read `ruff check --output-format=json`; anything else says nothing."""
    try:
        found = msgspec.json.decode(raw, type=list[_RuffError])
    except msgspec.DecodeError:
        return ()
    return tuple(
        FoundError(
            path=each.filename.removeprefix(f"{top.rstrip('/')}/"),
            line=each.location.row,
            text=one_line(f"{each.code or 'syntax'} {each.message}", ERROR_CHARS_MAX),
        )
        for each in found
    )


def new_errors(now: Iterable[FoundError], before: Iterable[FoundError], tool: str) -> tuple[CodeError, ...]:
    """Return the errors that the last commit had not; the same words in the same file are the same error."""
    known = Counter((each.path, each.text) for each in before)
    found: list[FoundError] = []
    for each in now:
        if known[each.path, each.text] > 0:
            known[each.path, each.text] -= 1
        else:
            found.append(each)
    return tuple(
        CodeError(tool=tool, path=RepositoryText(each.path), line=each.line, text=RepositoryText(each.text))
        for each in found[:ERRORS_MAX]
    )
