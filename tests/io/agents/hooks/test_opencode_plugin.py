"""The plugin for OpenCode in Node itself: which reply it tells Pulse of, and which it does not."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from hub.cli.plugin_file import plugin_text
from hub.io.agents.hooks.connections import CONNECTIONS
from hub.io.agents.hooks.wiring import HookWish

pytestmark = [pytest.mark.slow, pytest.mark.needs_node]
PROBE = Path(__file__).with_name("opencode_probe.mjs")
S_MAX = 30
PROGRAM = """#!/bin/sh
said=$(cat)
printf '%s\\n' "$said" >> {heard}
case "$said" in *permission.asked*) read -r line < {pipe}; printf '%s' "$line" ;; esac
"""
"""It hands on what it is told, and of a request prints what comes by the pipe."""
ONCE, REJECT = '{"reply":"once"}', '{"reply":"reject","message":"No."}'


@pytest.mark.parametrize(
    ("printed", "taken", "told"),
    [
        ("", "once", ["permission.asked", "permission.replied once"]),  # it still waited: the dialog was first
        ("", "reject", ["permission.asked", "permission.replied reject"]),
        (ONCE, "reject", ["permission.asked", "permission.replied reject"]),  # ours came too late
        (REJECT, "always", ["permission.asked", "permission.replied always"]),
        (ONCE, "once", ["permission.asked"]),  # ours counted
        (REJECT, "reject", ["permission.asked"]),
    ],
)
def test_of_a_reply_that_was_not_ours_pulse_is_told(tmp_path: Path, printed: str, taken: str, told: list[str]) -> None:
    heard, pipe, program, plugin = (tmp_path / name for name in ("heard", "pipe", "program", "pulse.mjs"))
    os.mkfifo(pipe)
    program.write_text(PROGRAM.format(heard=heard, pipe=pipe))
    program.chmod(0o755)
    plugin.write_text(plugin_text(CONNECTIONS["opencode"], HookWish(program=str(program))))
    words = ["node", str(PROBE), str(plugin), str(pipe), printed, taken]
    ran = subprocess.run(words, capture_output=True, text=True, timeout=S_MAX, check=True)
    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert [f"{one['event']} {one['properties'].get('reply', '')}".strip() for one in lines] == told
    assert all(one["properties"]["id"] == "per_1" for one in lines)
    handed = [json.loads(line)["body"] for line in ran.stdout.splitlines()]
    assert handed == ([json.loads(printed)] if printed else [])
