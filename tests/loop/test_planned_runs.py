"""What would run, as everybody outside sees it: the line, and which part of it is the command."""

import pytest

from hub.domain.plan import Plan
from hub.loop.views import runs_of

TESTS = Plan(argv=("/p/.venv/bin/python", "-m", "pytest"), folder="/p")


@pytest.mark.parametrize(
    ("plan", "command", "line"),
    [
        (TESTS, "./.venv/bin/python -m pytest", "./.venv/bin/python -m pytest in p"),
        (Plan(argv=("git", "commit", "-m", "a in p"), folder="/p", then=TESTS), "git commit -m 'a in p'",
         "git commit -m 'a in p' in p, then ./.venv/bin/python -m pytest in p"),
        (Plan(address="https://example.org/x"), "POST https://example.org/x", "POST https://example.org/x"),
        (Plan(playbook="summary", folder="/p"), "", "Pulse's own summary in p"),
    ],
)  # fmt: skip
def test_the_command_is_the_beginning_of_the_line(plan: Plan, command: str, line: str) -> None:
    shown = runs_of(plan)
    assert (shown.command, shown.summary) == (command, line)
    assert shown.summary.startswith(shown.command)
