"""The agents whose hooks Pulse understands, by name: what `pulse hook NAME` and `pulse connect NAME` take."""

from collections.abc import Mapping

from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.codex import CODEX
from hub.io.agents.hooks.copilot import COPILOT
from hub.io.agents.hooks.cursor import CURSOR
from hub.io.agents.hooks.gemini import GEMINI
from hub.io.agents.hooks.opencode import OPENCODE
from hub.io.agents.hooks.step import Dialect

DIALECTS: Mapping[str, Dialect] = {one.name: one for one in (CLAUDE_CODE, CODEX, COPILOT, CURSOR, GEMINI, OPENCODE)}
