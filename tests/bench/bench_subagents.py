"""Cards of a subagent while its agent's own turn and other tasks end, with the real Claude Code at a terminal.

A stub stands in the place of its model, and a hub runs. Each time Claude starts a subagent in the background, which
asks for leave, and a task that ends; its own turn ends twice meanwhile. Then the card is answered, and what was done is
compared with the answer. Last, a hundred reports of tasks come by the hook's own program, and a form shows whether
anybody was taken to sit there. Run with `./pulse bench subagents`; five minutes.
"""

import contextlib
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

from hub.cli import connecting
from hub.cli.api import open_api
from hub.contract.api import Prediction
from hub.contract.words import Status
from hub.io.agents.hooks.connections import CONNECTIONS
from tests.bench.figures import Figure, percentile
from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.hooks.real_claude import Desk, claude_program
from tests.io.agents.hooks.stub_model import StubModel, stub_model
from tests.io.agents.hooks.test_real_claude import BESIDE_A_TASK, DELETES, NOTIFIED, SUBTASK, go
from tests.io.agents.questions.served import api

BENCH: Final = "subagents"
WHAT: Final = "a subagent's card while the main turn and a task end"
RUNS: Final = 50
NOTIFICATIONS: Final = 100
TURN_S_MAX: Final = 40.0
OPEN_S_MAX: Final = 3.0
"""A form whose hook still waits after that is a card: else Claude's own dialog had opened at once."""


def run() -> list[Figure]:
    program = claude_program()
    with (
        tempfile.TemporaryDirectory(prefix="pulse-") as folder,
        running_hub(Path(folder)) as hub,
        stub_model() as model,
    ):
        desk = Desk(hub, model, program)
        with contextlib.closing(desk):
            hub.sit_down()
            hub.pulse("connect", "claude-code", "--yes")
            results = [_one(desk, model, is_yes=bool(number % 2)) for number in range(RUNS)]
            taken_for_present = _present_after_notifications(hub)
    late = [late_s for _, late_s in results if late_s]
    right = sum(is_right for is_right, _ in results)
    return [
        Figure(
            bench=BENCH, what=f"{WHAT}: open and rightly answered", value=right, unit="runs", goal=RUNS, better="higher"
        ),
        Figure(bench=BENCH, what=f"{WHAT}: runs", value=RUNS, unit="runs"),
        Figure(
            bench=BENCH, what=f"{WHAT}: yes → the subagent is done, p50", value=percentile(late, 0.5) * 1e3, unit="ms"
        ),
        Figure(bench=BENCH, what="presence noted from 100 reports of tasks", value=taken_for_present, unit="", goal=0),
    ]


def _one(desk: Desk, model: StubModel, *, is_yes: bool) -> tuple[bool, float]:
    """Ask once; return whether card and deed agree with the answer, and how long after a yes the subagent was done."""
    build = desk.build()
    model.told.clear()
    model.tools, model.beside = list(BESIDE_A_TASK), {SUBTASK: [DELETES]}
    with desk.terminal("--permission-mode", "default") as terminal:
        go(terminal)
        card_id = desk.told("new")["id"]
        model.until_told(NOTIFIED, TURN_S_MAX)
        began = time.monotonic()
        api(desk.hub, "POST", f"/predictions/{card_id}/{'confirm' if is_yes else 'reject'}")
        model.until_told("<result>done.", TURN_S_MAX)
        late_s = time.monotonic() - began if is_yes else 0.0
    card = open_api(desk.hub.home).get(f"/predictions/{card_id}", Prediction)
    wanted = Status.CONFIRMED if is_yes else Status.REJECTED
    return card.status is wanted and build.exists() is not is_yes, late_s


def _present_after_notifications(hub: RealHub) -> float:
    """Say with one where a form is left to Claude's dialog after a hundred reports, which is for who sits there."""
    program = str(connecting.program_of(hub.home, CONNECTIONS["claude-code"]))
    base = {"session_id": "s1", "transcript_path": "/none/s1.jsonl", "cwd": str(hub.repository)}
    for number in range(NOTIFICATIONS):
        prompt = f"<task-notification>\n<task-id>b{number}</task-id>\n<status>completed</status>\n</task-notification>"
        _hook(program, {**base, "hook_event_name": "UserPromptSubmit", "prompt": prompt}, TURN_S_MAX)
    fields = {"type": "object", "properties": {"size": {"type": "string", "enum": ["S", "L"]}}, "required": ["size"]}
    form = {"mcp_server_name": "shop", "message": "Which size?", "mode": "form", "requested_schema": fields}
    return 0.0 if _hook(program, {**base, "hook_event_name": "Elicitation", **form}, OPEN_S_MAX) else 1.0


def _hook(program: str, given: dict[str, object], wait_s: float) -> bool:
    """Have the hook's program hand this on; say whether it still waits after so long."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLAUDE")}
    asked = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=kept)
    with asked:
        try:
            asked.communicate(json.dumps(given).encode(), timeout=wait_s)
        except subprocess.TimeoutExpired:
            asked.terminate()
            return True
    return False
