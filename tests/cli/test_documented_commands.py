"""No page of the docs names a command or an option that there is not."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hub.cli.root import pulse
from tests.house.source import ROOT

PAGES = (*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "howto").glob("*.md"), ROOT / "README.md")
WRITTEN = re.compile(r"(?:^\s*|\$ |&& |exec |\()(?:\./)?pulse ([a-z][\w-]*(?: [^\n|;&`$()]+)?)")
OTHERS = frozenset({"test", "bench", "edge", "decision"})
"""What the bootstrap and programs of their own take; `pulse decision` is what a key is made of, and no command."""


def in_code(text: str) -> Iterator[str]:
    """Yield what stands between backticks, and each line of a block of code."""
    yield from re.findall(r"`([^`\n]+)`", text)
    yield from (line for line in text.splitlines() if line.startswith("    "))
    for block in re.findall(r"(?ms)^```.*?^```", text):
        yield from block.splitlines()


def trouble(written: str) -> str:
    """Return which word of a written command there is not; empty where all of them are."""
    words = written.split()
    if words[0] in OTHERS:
        return ""
    command: click.Command = pulse
    context = click.Context(command)
    while words and isinstance(command, click.Group) and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        if found is None:
            return words[0] if command is pulse else ""
        command, context = found, click.Context(found, parent=context)
        words.pop(0)
    options = [each for each in command.params if isinstance(each, click.Option)]
    known = {name for each in options for name in (*each.opts, *each.secondary_opts)}
    given = (word.partition("=")[0] for word in words if re.fullmatch(r"--[a-z][a-z-]*(=.*)?", word))
    return next((name for name in given if name not in known | {"--help"}), "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_says_to_type_there_is(page: Path) -> None:
    written = [match for code in in_code(page.read_text(encoding="utf-8")) for match in WRITTEN.findall(code)]
    assert {one: word for one in written if (word := trouble(one))} == {}


def test_it_would_see_what_is_wrong() -> None:
    assert trouble("crads") == "crads"
    assert trouble("devices revoke phone mine --all") == "--all"
    assert trouble("world agent start abc123 --pid 7") == ""
