"""The agents whose hooks Pulse understands, by name: what `pulse hook NAME` and `pulse connect NAME` take."""

from collections.abc import Mapping

from hub.io.agents.front.claude_code import CLAUDE_CODE
from hub.io.agents.front.codex import CODEX
from hub.io.agents.front.copilot import COPILOT
from hub.io.agents.front.cursor import CURSOR
from hub.io.agents.front.gemini import GEMINI
from hub.io.agents.front.opencode import OPENCODE
from hub.io.agents.front.step import Dialect

DIALECTS: Mapping[str, Dialect] = {one.name: one for one in (CLAUDE_CODE, CODEX, COPILOT, CURSOR, GEMINI, OPENCODE)}
