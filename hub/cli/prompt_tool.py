"""`pulse hook claude-code --tool`: an MCP server on standard input and output, for Claude Code without hooks.

Claude starts it and ends it. Each prompt waits on a thread of its own; when Claude goes away this process ends with
all of them, and the hub sees their connections close and takes their cards back.
"""

import os
import sys
import threading
from pathlib import Path

import msgspec

from hub.cli.api import open_api
from hub.contract.errors import PulseError
from hub.contract.hooks import HookRequest
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.prompt_tool import PromptCall, answer, read_line, refusal

LINE_BYTES_MAX = 1_048_576
WAITING_MAX = 32
ANSWER_S_MAX = 86_400.0
BUSY = "Too many prompts are already waiting."


class PromptTool:
    """Replies to Claude line by line; `home` is where the hub is looked for."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._folder, self._session = str(Path.cwd()), f"claude-p-{os.getpid()}"
        self._waiting = threading.Semaphore(WAITING_MAX)
        self._writing = threading.Lock()

    def run(self) -> int:
        """Serve until Claude closes its end."""
        while line := sys.stdin.buffer.readline(LINE_BYTES_MAX):
            found = read_line(line, self._folder, self._session)
            if isinstance(found, bytes):
                self._write(found)
            elif found is not None and self._waiting.acquire(blocking=False):
                threading.Thread(target=self._ask, args=(found,), daemon=True).start()
            elif found is not None:
                self._write(refusal(found, BUSY))
        return 0

    def _ask(self, call: PromptCall) -> None:
        body = HookRequest(dialect=CLAUDE_CODE.name, input=msgspec.Raw(call.said), unattended=True)
        try:
            printed = open_api(self._home).call("POST", "/hooks", body, timeout_s=ANSWER_S_MAX)
        except PulseError as error:
            self._write(refusal(call, f"Pulse could not be asked, so this was refused: {error.detail} {error.fix}"))
        else:
            self._write(answer(call, printed))
        finally:
            self._waiting.release()

    def _write(self, line: bytes) -> None:
        with self._writing:
            sys.stdout.buffer.write(line + b"\n")
            sys.stdout.buffer.flush()
