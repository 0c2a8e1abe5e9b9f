"""What people read and hear has no jargon: no word that one has to have read the source, or a protocol, to know."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.source import ROOT, at, nodes, python_files, short

JARGON = re.compile(
    r"\b(?:cross-?pollinat\w*|crosspoll|koji\w*|dream-weaver|twin|verdicts?|outbox|episodes?|rails?|playbooks?|ledger|"
    r"candidates?|permits?|autonom\w*|payloads?|idempoten\w*|retained|tombstones?|QoS|debounc\w*|upsert\w*|horizon|"
    r"exit code|stdout|stderr|stdin|daemon|nonce|TTL|heuristics?|inference|embeddings?|"
    r"Schranken?|Episoden?|Zwilling|Exit-?[Cc]ode|Nutzlast|autonom\w*)\b",
    re.IGNORECASE,
)
"""English and German."""
WORDS = ("hub/kit/phrases/*.toml", "surfaces/web/page/words/*.json")
NOT_FOR_PEOPLE = {
    "hub/contract/documents.py": "the contract's documents, for who writes a program",
    "hub/io/broker/mosquitto_conf.py": "a broker's own settings",
    "hub/screening/tool_input.py": "names of fields, as programs give them",
}
LOGGING = {"debug", "info", "warning", "error", "exception", "log"}
OFFERED = {"command", "group"}
"""What makes a function a command, whose docstring is its help."""
QUOTED = re.compile(r"`[^`]*`|/api/\S+|docs/\S+|\[[a-z_.]+\]|\bpulse [a-z-]+(?: [a-z]+ \S+:\S+)?")
"""What is to be typed, asked for or looked up is named as it is."""


def texts(found: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a file of words, with its key."""
    if isinstance(found, dict):
        for name, inner in found.items():
            yield from texts(inner, f"{key}.{name}".strip("."))
    elif isinstance(found, list):
        for inner in found:
            yield from texts(inner, key)
    elif isinstance(found, str):
        yield key, found


def words_of(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    yield from texts(tomllib.loads(text) if path.suffix == ".toml" else json.loads(text))


def is_command(node: ast.AST) -> bool:
    if not isinstance(node, ast.FunctionDef):
        return False
    made = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    return any((one.attr if isinstance(one, ast.Attribute) else getattr(one, "id", "")) in OFFERED for one in made)


def is_error(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and node.name.endswith("Error")


def shown_docstrings(path: Path) -> set[int]:
    """The docstrings that people read: the help of a command, and what an error says of itself."""
    first = (
        node.body[0]
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.body
        if is_command(node) or is_error(node)
    )
    return {id(one.value) for one in first if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)}


def unspoken(path: Path) -> set[int]:
    """The texts of a file that no person reads: docstrings, and what is logged."""
    found: set[int] = set()
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.add(id(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOGGING:
            found |= {id(inner) for inner in ast.walk(node)}
    return found - shown_docstrings(path)


def sentences_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every text of a Python file with a blank in it that a person may read."""
    left_out = unspoken(path)
    for node in nodes(path):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in left_out:
            continue
        if " " in node.value.strip():
            yield node.lineno, node.value


def test_no_word_of_any_surface_is_jargon() -> None:
    files = [path for pattern in WORDS for path in sorted(ROOT.glob(pattern))]
    assert len(files) >= len(WORDS) * 2
    said = [f"{short(path)} {key}: {text}" for path in files for key, text in words_of(path) if is_jargon(text)]
    assert said == []


@pytest.mark.slow
def test_no_sentence_that_pulse_writes_is_jargon() -> None:
    speaking = [path for path in python_files("hub", "surfaces", "edge") if short(path) not in NOT_FOR_PEOPLE]
    assert [name for name in NOT_FOR_PEOPLE if not (ROOT / name).is_file()] == []
    said = [
        f"{at(path, line)}: {text.strip()}" for path in speaking for line, text in sentences_of(path) if is_jargon(text)
    ]
    assert said == []


def is_jargon(text: str) -> bool:
    return JARGON.search(re.sub(r"\{=?[\w.]+\}", "", QUOTED.sub("", text))) is not None


def test_jargon_is_seen() -> None:
    assert is_jargon("Cross-pollination is off.")
    assert is_jargon("the agent ends with exit code 0")
    assert not is_jargon("Run `pulse rails check` first.")
    assert not is_jargon("Permitted by you")
