"""What lies in `node_modules` and `.venv`, looked at for real."""

from pathlib import Path

from hub.io.sensors.packages import packages_missing
from tests.fakes.plain_words import plain


def put(top: Path, name: str, text: str = "") -> None:
    path = top / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def missing(top: Path, *changed: str) -> list[tuple[str, list[str]]]:
    return [(each.manifest, [plain(name) for name in each.names]) for each in packages_missing(top, changed)]


def test_packages_of_npm(tmp_path: Path) -> None:
    put(tmp_path, "package.json", '{"dependencies": {"left-pad": "1", "@a/b": "2"}}')
    assert missing(tmp_path) == [], "a fresh clone is nobody's trouble"
    assert missing(tmp_path, "package.json") == [("package.json", ["left-pad", "@a/b"])]
    put(tmp_path, "node_modules/@a/b/package.json", "{}")
    assert missing(tmp_path) == [("package.json", ["left-pad"])]
    put(tmp_path, "node_modules/left-pad/package.json", "{}")
    assert missing(tmp_path, "package.json") == []


def test_packages_of_an_environment(tmp_path: Path) -> None:
    put(
        tmp_path, "pyproject.toml", '[project]\ndependencies = ["Rich>=1", "ruamel.yaml", "x; sys_platform == \'a\'"]\n'
    )
    put(tmp_path, "requirements.txt", "rich\n")
    assert missing(tmp_path, "pyproject.toml") == []
    put(tmp_path, ".venv/lib/python3.12/site-packages/ruamel.yaml-0.18.dist-info/METADATA")
    assert missing(tmp_path) == [("pyproject.toml", ["rich"]), ("requirements.txt", ["rich"])]
    put(tmp_path, ".venv/lib/python3.12/site-packages/rich-14.0.dist-info/METADATA")
    assert missing(tmp_path) == []
