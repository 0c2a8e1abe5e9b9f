"""The red flags of review that a parser can see."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.source import ROOMS, ROOT, SHIPPED, at, name_of, python_files, walk

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "models", "manager", "managers", "misc"}
PURE = tuple(f"hub/{name}" for name in (*ROOMS, "loop", "domain", "contract", "ports.py", "errors.py"))
CLOCKS = {"now", "utcnow", "today", "monotonic", "perf_counter"}
CHANCE = {"uuid1", "uuid4", "uuid6", "uuid7"}
FILE_IO = {"open", "read_text", "write_text", "read_bytes", "write_bytes", "mkdir", "iterdir", "glob", "rglob", "stat"}
SPAN_WORDS = ("timeout", "delay", "interval", "duration", "ttl", "lease", "latency", "backoff", "age", "elapsed")
SQL = re.compile(r"\s*(SELECT\s.+\sFROM\s|INSERT\s+INTO\s|UPDATE\s.+\sSET\s|DELETE\s+FROM\s)", re.DOTALL)
BARE_SPAN = re.compile(rf"(?:^|_)(?:{'|'.join(SPAN_WORDS)})$")


def is_pure(path: str) -> bool:
    return path.startswith(tuple(f"{pure}/" for pure in PURE)) or path in PURE or path.endswith("/render.py")


def pure_calls() -> Iterator[tuple[str, ast.Call]]:
    for path, node in walk(*SHIPPED):
        if isinstance(node, ast.Call) and is_pure(path.relative_to(ROOT).as_posix()):
            yield at(path, node.lineno), node


def test_no_file_is_named_for_nothing() -> None:
    assert [str(path.relative_to(ROOT)) for path in python_files() if path.stem in VAGUE_NAMES] == []


@pytest.mark.slow
def test_nothing_pure_asks_for_the_time_or_throws_dice() -> None:
    forbidden = CLOCKS | CHANCE
    assert [f"{place} {name_of(call.func)}" for place, call in pure_calls() if name_of(call.func) in forbidden] == []


@pytest.mark.slow
def test_nothing_pure_touches_a_file() -> None:
    assert [f"{place} {name_of(call.func)}" for place, call in pure_calls() if name_of(call.func) in FILE_IO] == []


def goes_on(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    everything = any(kind is None or name_of(kind) in {"Exception", "BaseException"} for kind in caught)
    return everything and not any(isinstance(node, ast.Raise) for node in ast.walk(handler))


@pytest.mark.slow
def test_nothing_catches_everything_and_goes_on() -> None:
    """The few outermost handlers that must do so say why on the line."""
    found = [
        at(path, node.lineno)
        for path, node in walk(*SHIPPED)
        if isinstance(node, ast.ExceptHandler)
        and goes_on(node)
        and not re.search(r"# .*\w{3}", path.read_text(encoding="utf-8").splitlines()[node.lineno - 1])
    ]
    assert found == []


def is_number(annotation: ast.expr | None) -> bool:
    return annotation is not None and bool(re.search(r"\b(float|int)\b", ast.unparse(annotation)))


def bare_spans(node: ast.AST) -> Iterator[str]:
    """Names of numbers that mean a time span and do not say in which unit."""
    if isinstance(node, ast.AnnAssign) and is_number(node.annotation) and BARE_SPAN.search(name_of(node.target)):
        yield name_of(node.target)
    if isinstance(node, ast.arg) and is_number(node.annotation) and BARE_SPAN.search(node.arg):
        yield node.arg


@pytest.mark.slow
def test_a_number_of_seconds_says_so() -> None:
    found = [
        f"{at(path, getattr(node, 'lineno', 0))} {name}" for path, node in walk(*SHIPPED) for name in bare_spans(node)
    ]
    assert found == []


def test_the_unit_check_sees_them() -> None:
    assert list(bare_spans(ast.parse("retry_delay: float = 3").body[0])) == ["retry_delay"]
    assert list(bare_spans(ast.parse("retry_delay_s: float = 3").body[0])) == []


def is_sql(node: ast.AST) -> bool:
    """Say whether it is SQL on our tables; a look into SQLite's own catalogue is no query worth a name."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and bool(SQL.match(text)) and "sqlite_" not in text


@pytest.mark.slow
def test_sql_lives_in_named_files() -> None:
    assert [at(path, getattr(node, "lineno", 0)) for path, node in walk(*SHIPPED) if is_sql(node)] == []


@pytest.mark.slow
def test_nothing_is_left_for_later() -> None:
    later = re.compile(r"#\s*(TODO|FIXME|XXX|HACK)\b")
    lines = [
        (at(path, number), line)
        for path in python_files(*SHIPPED)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    ]
    assert [place for place, line in lines if later.search(line)] == []


@pytest.mark.slow
def test_nothing_is_a_stub() -> None:
    named = [(path, node) for path, node in walk(*SHIPPED) if isinstance(node, ast.Name)]
    assert [at(path, node.lineno) for path, node in named if node.id == "NotImplementedError"] == []
