"""What an idle hub needs none of is loaded when it is first used; importing the hub loads none of it."""

import subprocess
import sys

import pytest

LATE = {
    "fastapi": "the OpenAPI document",
    "websockets": "an open page",
    "tree_sitter": "a command to be read",
    "sqlparse": "a statement to be read",
    "hub.io.agents.acp.runner": "an agent that speaks ACP",
    "hub.io.agents.command": "an agent that is a program",
    "hub.io.agents.openclaw": "an agent at OpenClaw",
    "hub.io.agents.playbook.runner": "a playbook",
    "hub.io.agents.hooks.dialects": "a hook of an agent",
    "hub.io.api.story": "somebody who asks why",
    "hub.io.sensors.calendar": "a calendar",
    "hub.io.world.proving": "a session that says it is done",
    "html.entities": "a page opened by the command line",
    "difflib": "a mistake in the settings",
    "statistics": "a bench, which takes medians",
}
"""What is loaded late, and for whom."""


@pytest.mark.slow  # a Python of its own imports the whole hub
def test_importing_the_hub_loads_nothing_that_only_few_need() -> None:
    probe = "import sys, hub.app.start; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True).stdout.split()
    assert "hub.app.start" in loaded
    assert {name: LATE[name] for name in LATE if name in loaded} == {}
