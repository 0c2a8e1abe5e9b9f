"""No exemption from lint or types without its code and its reason on the line."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT, at, python_files

CODES = r"[A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)*"
WELL_FORMED = (
    re.compile(rf"#\s*noqa: {CODES}\s+#?\s*\w.*"),
    re.compile(rf"#\s*ruff: noqa: {CODES}\s+#?\s*\w.*"),
    re.compile(r"#\s*type: ignore\[[a-z-]+(?:, ?[a-z-]+)*\]\s+#\s*\w.*"),
)
EXEMPTION = re.compile(r"#\s*(ruff: noqa|noqa|type:\s*ignore|mypy:|pragma|pylint|pyright)", re.IGNORECASE)


def comments(path: Path) -> Iterator[tuple[int, str]]:
    with tokenize.open(path) as source:
        for token in tokenize.generate_tokens(source.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def with_exemptions() -> Iterator[Path]:
    """The files that may have one: to read every file's tokens takes seconds, to look for the words does not."""
    return (path for path in python_files() if EXEMPTION.search(path.read_text(encoding="utf-8")))


def is_unexplained(comment: str) -> bool:
    found = EXEMPTION.search(comment)
    return found is not None and not any(form.match(comment, found.start()) for form in WELL_FORMED)


@pytest.mark.slow
def test_every_exemption_has_its_reason() -> None:
    bare = [
        f"{at(path, line)}  {text}"
        for path in with_exemptions()
        for line, text in comments(path)
        if is_unexplained(text)
    ]
    assert bare == []


@pytest.mark.parametrize(
    ("comment", "unexplained"),
    [
        ("# noqa: S603  our own interpreter", False),
        ("# type: ignore[arg-type]  # the stub is older than the library", False),
        ("# an ordinary comment", False),
        ("# noqa", True),
        ("# noqa: S603", True),
        ("# type: ignore", True),
        ("# type: ignore[arg-type]", True),
        ("# pragma: no cover", True),
    ],
)
def test_the_check_tells_them_apart(comment: str, *, unexplained: bool) -> None:
    assert is_unexplained(comment) is unexplained


def test_every_ignored_rule_in_pyproject_has_its_reason() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if re.match(r'\s+"[A-Z]+[0-9]*",', line)]
    assert rules
    assert [line for line in rules if not re.search(r"# \w", line)] == []
