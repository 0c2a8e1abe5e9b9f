"""The reader of plain lines beside real shells: where a line is plain to it, it foretells every command that runs."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from hub.io.agents.deciding.lines import HARMLESS_SETTINGS, read_line
from tests.io.agents.agent_work import write

pytestmark = pytest.mark.slow

SEED, ROUNDS = 165, 400
PIECES = (
    *(
        "a",
        "b",
        "c",
        " a ",
        " b x",
        " c",
        " ",
        " ",
        "  ",
        "\t",
        "'",
        '"',
        "'x y'",
        '"x y"',
        "''",
        "x",
        "-x",
        "=",
        "CI=1 ",
    ),
    *(
        "&&",
        "||",
        ";",
        "|",
        "&",
        "|&",
        ";;",
        "\\",
        "$",
        "$X",
        "`a`",
        "#",
        " # c",
        "(",
        ")",
        "{",
        "}",
        "!",
        "! ",
        "\r",
        "\n",
    ),
    *("<", ">", ">x", "<<x", "*", "?", "~", "if ", "time ", "exec ", "a=b ", "\x0b", "\u00a0", "\u2003", "é", "\x1f"),
)


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_what_a_shell_runs_was_foretold(tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    log = tmp_path / "log"
    for name in "abc":
        write(tmp_path / "bin", {name: f'#!/bin/sh\nprintf "%s\\037" {name} "$@" >> {log}\necho >> {log}\n'})
        (tmp_path / "bin" / name).chmod(0o755)
    chance, understood = random.Random(SEED), 0  # noqa: S311  no secret
    (tmp_path / "in").mkdir()
    for _ in range(ROUNDS):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 7)))
        read = read_line(text)
        is_of_shell = any(words[0] not in "abc" for words in read.commands)  # a word of the shell is no runner
        if read.unclear.text or is_of_shell:
            continue
        understood += 1
        log.write_text("")
        environment = {"PATH": str(tmp_path / "bin")}
        path = shutil.which(shell)
        assert path is not None
        subprocess.run([path, "-c", text], cwd=tmp_path / "in", env=environment, capture_output=True, check=False)
        ran = {tuple(line.split("\037")[:-1]) for line in log.read_text().splitlines()}
        assert ran <= set(read.commands), text
        assert not list((tmp_path / "in").iterdir())
    assert understood >= ROUNDS // 20


def test_a_setting_that_may_choose_what_runs_is_not_plain() -> None:
    for name in ("PATH", "LD_PRELOAD", "PYTEST_ADDOPTS", "NODE_OPTIONS", "GOFLAGS", "RUSTC_WRAPPER", "BASH_ENV"):
        assert name not in HARMLESS_SETTINGS
        assert name in read_line(f"{name}=x a").unclear.text
