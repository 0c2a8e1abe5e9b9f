"""What an agent tells while it works: its words, its plan, its tools and what it used. Bounded, whatever it sends."""

import math
from collections.abc import Iterator

import msgspec

from hub.domain.policy import USD
from hub.io.agents.acp.moves import AgentDid, AgentSpoke, Move
from hub.io.agents.cost import COST_USD_MAX, TOKENS_MAX
from hub.io.agents.hooks.step import ToolInput, name_of
from hub.kit.bounded import BoundedMap
from hub.kit.loose_json import object_of, objects_of, text_of

CALLS_MAX = 200
"""So many uses of tools are remembered; the oldest is forgotten first."""
STEPS_MAX = 50
TITLE_CHARS_MAX = 400
KEPT = ("title", "kind", "locations", "content", "rawInput")
"""What is remembered of the use of a tool: a request for leave may repeat only a part of it."""
KEPT_BYTES_MAX = 65_536
"""A larger one is not remembered, and must be whole in the request itself."""
STEP_MARKS = {"pending": "☐", "in_progress": "▸", "completed": "☑"}
CALL_MARKS = {"in_progress": "▸", "completed": "✓", "failed": "✗"}


class SessionNews:
    """What was told so far in one session."""

    def __init__(self) -> None:
        self.cost_microusd: int | None = None
        self.tokens: int | None = None
        self._calls: BoundedMap[str, dict[str, object]] = BoundedMap(CALLS_MAX)
        self._began: set[str] = set()
        self._shown: dict[str, str] = {}
        self._steps: dict[str, str] = {}

    def take(self, update: ToolInput) -> Iterator[Move]:
        """Take one update of the session; what is unknown, and what the agent only thinks, is passed over."""
        match text_of(update, "sessionUpdate"):
            case "agent_message_chunk":
                yield AgentSpoke(text=text_of(object_of(update, "content"), "text"))
            case "tool_call" | "tool_call_update":
                yield from self._call(update)
            case "plan":
                yield from self._plan(objects_of(update, "entries"))
            case "usage_update":
                self._cost(object_of(update, "cost"))

    def whole(self, call: ToolInput) -> ToolInput:
        """Return a use of a tool with what was told of it before; what is told now counts."""
        before = self._calls.get(name_of(call, "toolCallId"), {})
        whole = {**before, **{name: told for name, told in call.items() if told}}
        if "rawInput" in before or "rawInput" in call:
            whole["rawInput"] = {**object_of(before, "rawInput"), **object_of(call, "rawInput")}
        return whole

    def has_begun(self, call: ToolInput) -> bool:
        """Return True if this use of a tool is known to be under way, and all that the tool is given is remembered."""
        return name_of(call, "toolCallId") in self._began

    def count(self, usage: ToolInput) -> None:
        """Add what a turn used."""
        total = usage.get("totalTokens")
        if isinstance(total, int) and 0 < total <= TOKENS_MAX:
            self.tokens = (self.tokens or 0) + total

    def _call(self, update: ToolInput) -> Iterator[Move]:
        number = name_of(update, "toolCallId")
        whole = self.whole(update)
        kept = {name: whole[name] for name in KEPT if name in whole}
        is_kept = len(msgspec.json.encode(kept)) <= KEPT_BYTES_MAX
        for old, _ in self._calls.put(number, kept if is_kept else {}):
            self._shown.pop(old, None)
            self._began.discard(old)
        if is_kept and text_of(update, "status") == "in_progress" and "rawInput" in update:
            self._began.add(number)
        mark = CALL_MARKS.get(text_of(update, "status"), "")
        line = f"{mark} {text_of(whole, 'title', 'kind')[:TITLE_CHARS_MAX] or 'a tool'}"
        if mark and self._shown.get(number) != line:
            self._shown[number] = line
            yield AgentDid(line=line)

    def _plan(self, entries: tuple[ToolInput, ...]) -> Iterator[Move]:
        """Show a plan when it is new, and afterwards what of it has changed."""
        steps = {text_of(one, "content")[:TITLE_CHARS_MAX]: text_of(one, "status") for one in entries[:STEPS_MAX]}
        for step, status in steps.items():
            if step and self._steps.get(step) != status:
                yield AgentDid(line=f"{STEP_MARKS.get(status, '☐')} {step}")
        self._steps = steps

    def _cost(self, cost: ToolInput) -> None:
        """Take the cost of the session so far; another currency than dollars is not reckoned."""
        amount = cost.get("amount")
        if text_of(cost, "currency") == "USD" and isinstance(amount, int | float):
            possible = math.isfinite(amount) and 0 < amount <= COST_USD_MAX
            self.cost_microusd = round(amount * USD) if possible else self.cost_microusd
