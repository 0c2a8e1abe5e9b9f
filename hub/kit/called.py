"""How this command was called, so that what a person is told to type works as they typed it before.

Every text of ours writes a command as `pulse NAME`. Where it is shown to the person who called us it goes through
`as_called`; what others wrote, and what somebody is asked to approve, never does.
"""

import os
import re
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path

CALLED = "PULSE_CALLED_AS"
"""Set by the `pulse` script of a checkout to what was typed; processes that are started for a person inherit it."""
NAME = "pulse"
MODULE = "__main__.py"
DOCS = Path(__file__).parents[1] / "docs"
GUIDE = re.compile(r"(?<![\w/.-])docs/([a-z/-]+\.md)\b")
COMMAND = re.compile(r"(?<![\w/.:-])pulse(?= (?:[a-z][a-z0-9-]+|--[a-z]+|COMMAND|NAME)\b)")
"""A command of ours in a text of ours."""


def called_as() -> str:
    """Return how a person here calls this command: as it was called just now."""
    return _called_as(os.environ.get(CALLED, ""), sys.argv[0] if sys.argv else "", os.environ.get("PATH", ""))


@cache
def _called_as(by_script: str, program: str, path: str) -> str:
    if Path(program).name == NAME:
        return _shortest(program, path)
    if by_script:
        return _shortest(by_script, path)
    if Path(program).name == MODULE and Path(program).parent.name == "hub":
        return f"{_shortest(sys.executable, path)} -m hub"
    return NAME


def _shortest(program: str, path: str) -> str:
    """Return a program's name where the path leads to it, else how it was written, without detours."""
    name = Path(program).name
    found = shutil.which(name, path=path)
    if found is not None and Path(program).exists() and Path(found).samefile(program):
        return name
    direct = Path(os.path.normpath(program))
    is_there = direct.is_absolute() and direct.exists() and Path(program).exists()
    return shlex.quote(str(direct) if is_there and direct.samefile(program) else program)  # a link may lead elsewhere


def as_called(text: str) -> str:
    """Return a text of ours with each command as it was called, and each guide where it is here."""
    name = called_as()
    if not _leads_to_guides():
        text = GUIDE.sub(lambda guide: str(DOCS.resolve() / guide[1]), text)
    return text if name == NAME else COMMAND.sub(lambda _: name, text)


def _leads_to_guides() -> bool:
    """Return True if the person finds a guide by the path that texts name: they are in the checkout's own folder."""
    try:
        return Path("docs").samefile(DOCS)
    except OSError:
        return False
