"""The reader of makefiles beside the real make: where nothing is unclear to it, it foretells every line that runs."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from hub.io.agents.deciding.lines import read_line
from hub.io.agents.deciding.look import DecidingFiles
from hub.io.agents.deciding.makefiles import Makefile, chosen

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")]

SEED = 165
ROUNDS = 400
SHARE_UNDERSTOOD_MIN = 0.1
"""Of the makefiles that are made up here so many have to be understood, or the comparison says nothing."""
PIECES = (
    "test: unit\n",
    "test: | lint unit\n",
    "test::\n\ttrue T1\n",
    "test:\n\t@true T2\n",
    "unit:\n\ttrue U1 \\\n\t  U2\n",
    "unit:\n\n# c\n\ttrue U3\n",
    "unit: ; true U4\n",
    "lint: sub/x\n\t-true L1\n",
    "lint:\n\ttrue $(A) L2\n",
    "sub/%:\n\ttrue P1 $@\n",
    "A = a\n",
    "A := b\n",
    "A += c\n",
    "A ?= d\n",
    "B = $(A)\n",
    "lint:\n\ttrue $(B)\n",
    "export CI = 1\n",
    "ifeq (1,1)\nlint: extra\nelse\nlint: other\nendif\n",
    "test:\nifdef A\n\ttrue I1\nelse\n\ttrue I2\nendif\n\ttrue I3\n",
    "extra:\n\ttrue E1\n",
    "other:\n\ttrue O1\n",
    "-include more.mk\n",
    "include more.mk\n",
    "include $(A).mk\n",
    "-include *.mk\n",
    ".PHONY: test unit lint\n",
    "# c \\\n\ttrue C1\n",
    "# c \\\\\ntest: extra\n",
    "test: unit # c\n",
    "test: \\\n unit \\\n lint\n",
    "\ttrue lost\n",
    "%: %.x\n\ttrue X1\n",
    ".x:\n\ttrue X2\n",
    "test unit: extra\n",
    "define D\ntrue D1\nendef\n",
    "test: A = z\n",
    "test:\n\t# c \\\n\ttrue C2\n",
    "$(A): extra\n",
    "unit: a.o\n",
    "VPATH = sub\n",
    "SHELL = /bin/true\n",
    "test: unit;true S1\n",
    "test: ; true a#b; true S3\n",
    ".DEFAULT_GOAL = extra\n",
    "all: test\n",
    ".ONESHELL:\n",
    "override A = o\n",
    "unit:\n\ttrue 'q \\\n\tr'\n",
    "test:; # c\n\ttrue S2\n",
    "endif\n",
    "else\n",
    "test: $(B)\n",
    "a b: extra\n",
    "unit: a\n",
    "test : unit\n",
    " lint: extra\n",
)
FILES = ("more.mk", "Makefile.sh", "a.mk", "a.c", "lint.sh", "test.x", "sub/y", "GNUmakefile")


def test_what_make_runs_was_foretold(tmp_path: Path) -> None:
    chance = random.Random(SEED)  # noqa: S311  no secret
    understood = 0
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        text = made_up(folder, chance)
        goals = tuple(chance.sample(("test", "unit", "lint"), chance.randint(0, 1)))
        look, foretold = DecidingFiles(folder), set[str]()
        makefile = Makefile(look, folder, {})
        makefile.read(chosen(look, folder))
        makefile.run(goals, foretold.add)
        if look.unclear.text or any(
            read_line(line).unclear.text for line in foretold if line[:1] != "#" or "\\" in line
        ):
            continue
        understood += 1
        ran = subprocess.run(["make", "-n", *goals], cwd=folder, capture_output=True, text=True, check=False).stdout
        ran_lines = {squeezed(line) for line in ran.replace("\\\n", "").splitlines() if not line.startswith("make")}
        assert ran_lines <= {squeezed(line) for line in foretold} | {""}, text
    assert understood >= ROUNDS * SHARE_UNDERSTOOD_MIN


def made_up(folder: Path, chance: random.Random) -> str:
    (folder / "sub").mkdir(parents=True)
    for name in (each for each in FILES if chance.random() < 0.1):
        (folder / name).write_text("".join(chance.sample(PIECES, 2)))
    text = "".join(chance.choices(PIECES, k=chance.randint(1, 6)))
    (folder / "Makefile").write_text(text)
    return text


def squeezed(line: str) -> str:
    return " ".join(line.split())
