"""What a surface is stands in its folder, its profile and one line of hub/app: no room and no kit names one."""

import ast
from pathlib import Path

import pytest

from hub.app.surfaces import SURFACES
from hub.io.home.profiles import read_profiles
from tests.house.source import ROOT

ROOMS = ("loop", "where", "domain", "what", "when", "do", "verify", "learn", "sense", "kit", "runner", "settings")
FILES = sorted(path for room in ROOMS for path in (ROOT / "hub" / room).rglob("*.py"))
TOOL = "browser"
"""A tool of agents as well."""
NAMES = {profile.surface for profile in read_profiles().values()} | {spec.table for spec in SURFACES}
ADDRESSES = {"ApnsAddress", "WebPushAddress"}


def named_in(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return (texts & (NAMES - {TOOL})) | ({node.id for node in nodes if isinstance(node, ast.Name)} & ADDRESSES)


def test_no_room_names_a_surface() -> None:
    assert FILES
    assert {str(path.relative_to(ROOT)): named for path in FILES if (named := named_in(path))} == {}


def test_a_name_would_be_found() -> None:
    assert {"phone", "discord", "glasses", "web"} <= NAMES
    assert named_in(ROOT / "surfaces" / "apns" / "settings.py") >= {"apns", "phone", "watch"}


@pytest.mark.parametrize("spec", SURFACES, ids=lambda spec: spec.table)
def test_each_surface_has_its_folder_profile_and_documents(spec: object) -> None:
    assert isinstance(spec, type(SURFACES[0]))
    assert (ROOT / "surfaces" / spec.table / "__main__.py").is_file()
    assert (ROOT / spec.howto).is_file()
    assert set(spec.serves) <= {profile.surface for profile in read_profiles().values()}
