"""A mode in which an agent asks nobody is never silent about what another mode shows."""

import json
from importlib.resources import files

import pytest

from hub.contract.permission import Act
from hub.domain.calls import AgentCall
from hub.may.unasked import unasked
from hub.screening.acts import read_act

FOLDER = "/home/anna/shop"
UNKNOWN = (
    "compgen -C 'rm -rf src'",
    "mapfile -C 'rm -rf /root;:' -c 1 A < a.py",
    "gawk -e 'BEGIN{system(\"rm x\")}'",
    "git grep -O'rm x' a",
    "less -O.git/hooks/pre-commit a.py",
    "npm test --script-shell=./x",
    "sort -S1 --compress-prog rm a.py",
    "sed -f a.sed a",
    "sort --zap=x a.py",
)


def is_silent(command: str, *, asks_nobody: bool) -> bool:
    call = AgentCall(act=Act.COMMAND, tool="Bash", text=command, folder=FOLDER, has_rules=True, asks_nobody=asks_nobody)
    return unasked(call) is not None


@pytest.mark.parametrize("command", UNKNOWN)
def test_what_is_not_understood_is_shown_in_every_mode(command: str) -> None:
    reading = read_act(Act.COMMAND, command, "", FOLDER, "Bash", workspace=FOLDER)
    assert not (reading.understood and reading.stays), reading
    assert not is_silent(command, asks_nobody=True)


def test_no_everyday_command_is_silent_only_where_nobody_is_asked() -> None:
    text = files("tests.screening.commands.corpus").joinpath("everyday.jsonl").read_text(encoding="utf-8")
    commands = [json.loads(line)["command"] for line in text.splitlines()]
    silent = {one for one in commands if is_silent(one, asks_nobody=True)}
    assert len(silent) > len(commands) / 3
    assert [one for one in silent if not is_silent(one, asks_nobody=False)] == []
