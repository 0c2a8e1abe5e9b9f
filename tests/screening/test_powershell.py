"""Lines of PowerShell: read as a reader of bash may read them, and asked about where that could differ."""

import json

import pytest

from hub.contract.effects import Effect
from hub.contract.permission import Act
from hub.screening.acts import ActReading, read_act
from hub.screening.effects import HARMLESS

SHOP = "/home/anna/shop"


def read(tool: str, line: str) -> ActReading:
    if tool == "PowerShell":
        return read_act(Act.COMMAND, line, "", SHOP, tool)
    return read_act(Act.OTHER, json.dumps({"command": line}), "", SHOP, tool)


def asks(found: ActReading) -> bool:
    return not found.understood or not HARMLESS.issuperset(found.effects)


@pytest.mark.parametrize(
    "line",
    [
        'echo "\\" ; Remove-Item -Recurse src ; echo "',
        "cat <<'E'\nri src -r\nE",
        "ls | where { ri src -r }",
        'echo `" ; ri src',
        'echo "a\u201d ; Remove-Item src ; echo "b"',
        "echo a <# b #> ; ri src",
        "echo @(ri src)",
        "echo $((ri src))",
        "echo a\rri src",
        "rmdir -r src",
        "echo @'\n'@ ; ri src ; echo '\n'@'",
    ],
)
def test_what_powershell_would_part_otherwise_is_not_understood(line: str) -> None:
    for tool in ("PowerShell", "mcp__win__run_powershell", "mcp__win__pwsh_exec"):
        found = read(tool, line)
        assert asks(found)
        assert not found.is_surely_harmless


@pytest.mark.parametrize("line", ["Get-ChildItem src\\app", "git status", 'git log --format="%h" | sort', "npm test"])
def test_an_ordinary_line_of_powershell_is_read(line: str) -> None:
    assert not asks(read("PowerShell", line))


def test_a_backslash_of_powershells_parts_folders() -> None:
    assert Effect.READS_SECRETS in read("PowerShell", r"cat .ssh\id_rsa").effects
