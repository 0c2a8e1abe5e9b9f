"""import-linter holds the layers; this holds import-linter: nothing may be left out of its contracts."""

import tomllib
from typing import Any

import pytest
from importlinter import api

from tests.house.source import ROOMS, ROOT

PURE_KIT = ("kit.backoff", "kit.bounded", "kit.mqtt.messages")
PURE_MODULES = tuple(f"hub.{name}" for name in (*ROOMS, "loop", "ports", "domain", "contract", "errors", *PURE_KIT))
NEVER_IN_PURE = {
    "asyncio",
    "socket",
    "sqlite3",
    "time",
    "random",
    "os",
    "logging",
    "subprocess",
    "threading",
    "secrets",
}


def config() -> Any:  # noqa: ANN401  TOML
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]


def contract(name: str) -> Any:  # noqa: ANN401  TOML
    return next(contract for contract in config()["contracts"] if contract["id"] == name)


def exists(module: str) -> bool:
    path = ROOT.joinpath(*module.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def layer_of(module: str) -> int:
    layers = contract("layers")["layers"]
    return next(n for n, layer in enumerate(layers) if module in layer.replace("(", " ").replace(")", " ").split())


def test_the_rules_cover_every_module() -> None:
    assert contract("layers")["exhaustive"] is True
    assert config()["include_external_packages"] is True


def test_rooms_are_one_layer_that_never_looks_sideways() -> None:
    rooms = contract("layers")["layers"][layer_of("sense")]
    assert sorted(rooms.replace("(", "").replace(")", "").split(" | ")) == sorted(ROOMS)


def test_what_exists_is_no_longer_optional() -> None:
    layers = " ".join(contract("layers")["layers"])
    optional = {part.strip("()") for part in layers.split() if part.startswith("(")}
    assert {module for module in optional if exists(f"hub.{module}")} == set(), "take it out of its parentheses"


@pytest.mark.parametrize("module", [one for one in (*PURE_MODULES, "edge.speaker", "edge.speech") if exists(one)])
def test_every_pure_module_is_under_the_purity_rule(module: str) -> None:
    assert module in contract("pure")["source_modules"], "add it to the contract `pure` in pyproject.toml"


def test_the_purity_rule_names_what_it_must() -> None:
    assert set(contract("pure")["forbidden_modules"]) >= NEVER_IN_PURE


@pytest.mark.parametrize("folder", ["hub", "surfaces", "edge"])
def test_every_folder_with_code_is_a_package(folder: str) -> None:
    """import-linter does not see a folder without ``__init__.py``."""
    folders = {path.parent for path in (ROOT / folder).rglob("*.py")}
    assert [str(path.relative_to(ROOT)) for path in folders if not (path / "__init__.py").exists()] == []


def test_the_settings_are_where_import_linter_looks() -> None:
    assert api.read_configuration(str(ROOT / "pyproject.toml"))["session_options"]["root_packages"]
