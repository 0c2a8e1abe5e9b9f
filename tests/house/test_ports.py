"""Ports stay small, have one suite for every implementation, and are in the architecture document."""

import ast
import re

import pytest

from tests.house.source import ROOT, name_of, tree

METHODS_MAX = 5
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PORTS = {
    node.name: node
    for node in tree(ROOT / "hub" / "ports.py").body
    if isinstance(node, ast.ClassDef) and "Protocol" in {name_of(base) for base in node.bases}
}


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def test_there_are_ports() -> None:
    assert {"Clock", "Store", "Bus"} <= set(PORTS)


@pytest.mark.parametrize("port", PORTS)
def test_a_port_has_few_methods(port: str) -> None:
    methods = [n for n in PORTS[port].body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert 0 < len(methods) <= METHODS_MAX


@pytest.mark.parametrize("port", PORTS)
def test_a_port_has_a_conformance_suite(port: str) -> None:
    """In a folder named for the port, or for the first word of its name."""
    folders = [ROOT / "tests" / "conformance" / name for name in (snake(port), snake(port).split("_")[0])]
    suites = [suite for folder in folders for suite in folder.glob("test_*.py")]
    assert suites, f"no conformance suite in tests/conformance/{snake(port)}"


@pytest.mark.skipif(not ARCHITECTURE.exists(), reason="docs/architecture.md is not written yet")
@pytest.mark.parametrize("port", PORTS)
def test_a_port_is_in_the_architecture_document(port: str) -> None:
    assert f"`{port}`" in ARCHITECTURE.read_text(encoding="utf-8")
