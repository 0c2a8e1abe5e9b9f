"""A signal, a rail, a setting and a surface are added as their howto says, by nothing but that, in a copy of the tree.

The howtos are the recipes: `New file **path**:` with the file, and ``In `path`, after `anchor`:`` (the line that begins
so, or the first or last of several) with lines to add. So what they promise is true, and stays as cheap as they say.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Timer
from typing import IO, NamedTuple

import pytest

from tests.cli.real_hub import ENDED_WELL, PULSE, RealHub, environment_of
from tests.house.source import ROOT, project_files

STEP = re.compile(
    r"^(?:New file \*\*(?P<new>[^*]+)\*\*"
    r"|In `(?P<old>[^`]+)`, after (?:the (?P<which>first|last) )?(?P<tick>`+)(?P<anchor>.+?)(?P=tick)):\n\n"
    r"```\w+\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


LAMP_S_MAX = 280.0
"""A lamp that hangs is ended then, and the test fails."""
HOLD_RAILS = ("rooms/may/test_may_documented", "rooms/may/test_may_pipeline", "house/test_documented_errors")


class Edit(NamedTuple):
    """One step of a recipe; a new file has no anchor."""

    path: str
    text: str
    anchor: str = ""
    which: str = ""


def recipe(name: str) -> tuple[Edit, ...]:
    page = (ROOT / "docs" / "howto" / f"{name}.md").read_text(encoding="utf-8")
    return tuple(
        Edit(
            path=found["new"] or found["old"],
            text=found["text"] if found["new"] else re.sub(r"(?m)^\+", "", found["text"]),
            anchor=found["anchor"] or "",
            which=found["which"] or "",
        )
        for found in STEP.finditer(page)
    )


def files_of(edits: tuple[Edit, ...]) -> set[str]:
    return {edit.path for edit in edits}


def a_copy(folder: Path) -> Path:
    """The tree, as links: a changed file is written anew, so the original stays as it is."""
    for path in project_files():
        name = path.relative_to(ROOT).as_posix()
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(path, target)
        except OSError:  # another disk
            shutil.copy2(path, target)
    for path in (ROOT / "hub").iterdir():  # the folders that a wheel has within the package
        if path.is_symlink():
            (folder / "hub" / path.name).symlink_to(path.readlink())
    return folder


def apply(edit: Edit, folder: Path) -> None:
    path = folder / edit.path
    if not edit.anchor:
        assert not path.exists(), f"{edit.path} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(edit.text, encoding="utf-8")
        return
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if line.strip().startswith(edit.anchor)]
    assert places, f"no line of {edit.path} begins with {edit.anchor!r}"
    assert edit.which or len(places) == 1, f"{edit.anchor!r} begins several lines of {edit.path}"
    place = places[-1 if edit.which == "last" else 0] + 1
    path.unlink()
    path.write_text("".join([*lines[:place], edit.text, *lines[place:]]), encoding="utf-8")


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{arguments}:\n{done.stdout[-4_000:]}\n{done.stderr[-4_000:]}"
    return done.stdout


def added(name: str, folder: Path, *tests: str) -> tuple[Edit, ...]:
    """Follow one howto in a copy, and run the tests that hold what was added; return what was done."""
    edits = recipe(name)
    a_copy(folder)
    for edit in edits:
        apply(edit, folder)
    python = sorted(path for path in files_of(edits) if path.endswith(".py"))
    run(folder, "ruff", "check", "--no-cache", *python)
    run(folder, "ruff", "format", "--check", "--no-cache", *python)
    run(folder, "pytest", "-q", "-m", "", *tests, *(path for path in python if "/test_" in path))
    return edits


@pytest.mark.slow
def test_a_signal_touches_five_files(tmp_path: Path) -> None:
    edits = added("signal", tmp_path, "tests/rooms/what")
    assert len(files_of(edits)) == 5, files_of(edits)


@pytest.mark.slow
def test_a_rail_touches_six_files(tmp_path: Path) -> None:
    edits = added("rail", tmp_path, *(f"tests/{path}.py" for path in HOLD_RAILS))
    assert len(files_of(edits)) == 6, files_of(edits)


@pytest.mark.slow
def test_a_setting_touches_three_files(tmp_path: Path) -> None:
    edits = added(
        "setting", tmp_path, "tests/settings/test_settings_policy.py", "tests/house/test_documented_settings.py"
    )
    assert len(files_of(edits)) == 3, files_of(edits)
    default = re.compile(r"\b1_?200\b")
    assert sum(len(default.findall(edit.text)) for edit in edits if edit.path.endswith(".py")) == 1, "it stands once"


@pytest.mark.slow
def test_a_surface_touches_its_own_files_and_one_line(tmp_path: Path) -> None:
    edits = added("surface", tmp_path, "tests/rooms/where", "tests/house/test_documented_links.py")
    own = re.compile(r"surfaces/lamp/|device_profiles/lamp\.toml$|docs/howto/lamp\.md$|tests/surfaces/lamp/")
    elsewhere = [edit for edit in edits if not own.match(edit.path)]
    assert [edit.text.count("\n") for edit in elsewhere] == [1], elsewhere
    usage = run(tmp_path, "hub", "surface", "--help")
    assert "|lamp|" in "".join(usage.split()), "a long path before it breaks the list wherever the line ends"


def lines_until(said: IO[str], text: str) -> None:
    """Read on until a line has the text."""
    for line in said:
        if text in line:
            return
    pytest.fail(f"it ended without {text!r}")


@pytest.mark.slow
def test_the_surface_of_the_howto_shows_a_card_and_settles_it(tmp_path: Path) -> None:
    copy, empty = a_copy(tmp_path / "copy"), tmp_path / "empty"
    for edit in recipe("surface"):
        apply(edit, copy)
    empty.mkdir()  # a workspace without a repository: no card comes but the one that is asked for
    hub = RealHub(tmp_path / "home", empty, {**environment_of(tmp_path), "PYTHONPATH": str(copy)})
    hub.code = copy
    hub.start()
    with subprocess.Popen(
        [*PULSE, "surface", "lamp"],
        cwd=copy,
        env=hub.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as lamp:
        assert lamp.stdin
        assert lamp.stdout
        limit = Timer(LAMP_S_MAX, lamp.kill)
        limit.start()
        lines_until(lamp.stdout, "the connection is up")
        asking = hub.begin("ask", "Go on?", "--timeout", "10m")
        lines_until(lamp.stdout, "amber: Go on?")
        lamp.stdin.write("yes\n")
        lamp.stdin.flush()
        lines_until(lamp.stdout, "Approved.")
        assert "approved by you on lamp" in asking.communicate()[0]
        lamp.stdin.close()
        assert lamp.wait() == 0, "it ends with its input"
        limit.cancel()
    assert hub.stop() == ENDED_WELL
