"""What may be another the next time in a command that was granted: the value of an option that is data, and files.

One line for each command whose options and operands are known from its manual. Whatever else stands in a call (another
option, another spelling, an operand that is no file) leaves only the very same words alike. A value that a program
would load, run, write to or send to is never in this table.
"""

import re
from functools import cache, lru_cache

from hub.contract.base import Value

SLOT = " …"
"""Stands behind an option whose value is free: `-k …`."""
_DATA = re.compile(r"[^-\x00-\x08\x0b-\x1f\x7f][^\x00-\x08\x0b-\x1f\x7f]*")
CALLS_KEPT_MAX = 512
_NUMBER = re.compile(r"\d{1,9}")
_NUMBERED = re.compile(r"-\d{1,9}")

_PYTEST = (
    "-q -qq -v -vv -vvv -x -s -l -rA -ra -rf -rs --lf --ff --nf --sw --co --quiet --verbose --exitfirst --last-failed "
    "--failed-first --stepwise --collect-only --no-header --no-summary --showlocals --disable-warnings "
    "--strict-markers --tb=short --tb=long --tb=line --tb=native --tb=no --tb=auto --color=no "
    "| -k=data -m=data -n=number --maxfail=number --durations=number | files"
)
_JEST = (
    "--run --silent --bail --no-coverage --coverage --runInBand -i | -t=data --testNamePattern=data "
    "--maxWorkers=number | files"
)
_WRITTEN = {
    "pytest": _PYTEST,
    "ruff check": "--fix --no-fix --show-fixes --diff --quiet -q --no-cache --exit-zero --statistics | | files",
    "ruff format": "--check --diff --quiet -q --no-cache | | files",
    "black": "--check --diff --quiet -q --verbose --fast --safe | | files",
    "isort": "--check --check-only --diff -c -q --quiet --profile=black | | files",
    "mypy": "--strict --pretty --no-error-summary --show-error-codes --ignore-missing-imports | | files",
    "flake8": "-q --quiet | | files",
    "pyright": "| | files",
    "pylint": "-E --errors-only | | files",
    "prettier": "--write --check -w -c -l --list-different | | files",
    "eslint": "--fix --quiet --cache | --max-warnings=number | files",
    "jest": _JEST,
    "vitest run": _JEST,
    "gofmt": "-w -l -s -d | | files",
    "rustfmt": "--check | | files",
    "mkdir": "-p -v --parents --verbose | | files",
    "touch": "| | files",
    "rm": "-r -R -f -v -rf -fr -Rf --recursive --force --verbose | | seen",
    "rmdir": "-p -v --parents | | seen",
    "unlink": "| | seen",
    "git add": "-A -u -v -N --all --update --verbose | | files",
    "git commit": (
        "-a -q -s -v --all --quiet --signoff --verbose --allow-empty | -m=data -am=data --message=data | same"
    ),
    "git log": (
        "--oneline --stat --graph --all --no-merges --decorate --reverse --name-only --name-status --no-color -p "
        "--patch --no-ext-diff | -n=number --max-count=number | same"
    ),
    "git stash push": "-q -u --include-untracked | -m=data --message=data | same",
}
_PYTHON = ("python -m", "python3 -m", "uv run", "poetry run", "uv run python -m", "poetry run python -m")
_NODE = ("npx", "pnpm exec", "yarn")
_RUN_BY = {
    **dict.fromkeys(("pytest", "ruff check", "ruff format", "black", "isort", "mypy", "flake8"), _PYTHON),
    **dict.fromkeys(("prettier", "eslint", "jest", "vitest run"), _NODE),
}
"""Programs that start another one of these by its name in the project, with the rest of the line."""


class Variation(Value):
    """What is known of one command: options that stand alone, options with a value, and what its operands are.

    `values` says of each such option whether its value is `data` or a `number`. Operands are `files` within the
    chosen places, files that were `seen`, or the `same` ones.
    """

    flags: frozenset[str]
    values: dict[str, str]
    operands: str


class VariedCall(Value):
    """A call split into what has to be the same and what may differ.

    `options` are sorted, one with a free value as `-k …`; `files` are the operands that are files, `operands` those
    that have to be the same. `kind` says which files may stand there: those in the chosen places, or those `seen`.
    """

    words: tuple[str, ...]
    options: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    kind: str = "same"


@lru_cache(maxsize=CALLS_KEPT_MAX)
def varied(words: tuple[str, ...]) -> VariedCall | None:
    """Return what may differ in a call; None where only the same words are like it."""
    depth = next((depth for depth in range(min(len(words), _depth()), 0, -1) if " ".join(words[:depth]) in _known()), 0)
    if not depth:
        return None
    known = _known()[" ".join(words[:depth])]
    options: list[str] = []
    operands: list[str] = []
    rest = iter(words[depth:])
    for word in rest:
        if not word.startswith("-"):
            operands.append(word)
            continue
        name, equals, value = word.partition("=")
        is_long = equals and name.startswith("--") and name in known.values
        if word in known.flags or (
            _NUMBERED.fullmatch(word) and known.values.get("-n") == "number" and words[0] == "git"
        ):
            options.append("-n" + SLOT if _NUMBERED.fullmatch(word) else word)
        elif is_long or word in known.values:
            name, value = (name, value) if is_long else (word, next(rest, ""))
            if not _is_free(known.values[name], value):
                return None
            options.append(name + SLOT)
        else:
            return None
    files = known.operands != "same"
    return VariedCall(
        words=words[:depth],
        options=tuple(sorted(options)),
        operands=() if files else tuple(operands),
        files=tuple(operands) if files else (),
        kind=known.operands,
    )


def _is_free(kind: str, value: str) -> bool:
    if kind == "number":
        return _NUMBER.fullmatch(value) is not None
    return _DATA.fullmatch(value) is not None


@cache
def _known() -> dict[str, Variation]:
    names = {name: name for name in _WRITTEN}
    names |= {f"{by} {name}": name for name, starters in _RUN_BY.items() for by in starters}
    return {called: _variation(_WRITTEN[name]) for called, name in names.items()}


@cache
def _depth() -> int:
    return max(len(name.split()) for name in _known())


def _variation(written: str) -> Variation:
    flags, values, operands = written.split("|")
    return Variation(
        flags=frozenset(flags.split()),
        values=dict(each.split("=") for each in values.split()),
        operands=operands.strip(),
    )
