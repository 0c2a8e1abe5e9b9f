import ast
from collections import defaultdict
from pathlib import Path

import pytest

from tests.house.source import ROOT, nodes

SURFACES = sorted(folder.name for folder in (ROOT / "surfaces").iterdir() if folder.is_dir())
PACKAGES = ["hub", "edge", *(f"surfaces/{name}" for name in SURFACES)]


def classes_of(package: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(package.rglob("*.py")):
        for node in nodes(file):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{file.relative_to(ROOT)}:{node.lineno}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_one_class_name_means_one_thing_within_a_package(package: str) -> None:
    twice = {name: places for name, places in classes_of(ROOT / package).items() if len(places) > 1}
    assert not twice, "give each its own name, after what it is"


def test_a_name_that_is_used_twice_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.house.test_class_names.ROOT", tmp_path)
    (tmp_path / "a.py").write_text("class Twice: ...\n", encoding="utf-8")
    (tmp_path / "b.py").write_text("def f():\n    class Twice: ...\n", encoding="utf-8")
    assert classes_of(tmp_path)["Twice"] == ["a.py:1", "b.py:2"]
