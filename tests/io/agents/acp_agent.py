"""A small agent that speaks ACP, for what a real one does not do on demand. Its prompt is what it does, line by line.

say TEXT          a message        loud         a lot of them
run COMMAND       asks leave for a command, then says what it was told
edit PATH         the same for a change of a file
tool COMMAND      the same for a tool of a server that is given a command
early JSON        asks before it says with what, which it then says, unless it is nothing
form              asks a question with two answers, then says what it was told
which             says which session it goes on with
plan              tells a plan, a tool that works and one that fails, and what it cost
hang              says "started", and waits to be cancelled
leave CODE        ends its program
raw JSON          prints this line
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

OPTIONS = [
    {"optionId": "once", "kind": "allow_once", "name": "Allow once"},
    {"optionId": "always", "kind": "allow_always", "name": "Always allow"},
    {"optionId": "reject", "kind": "reject_once", "name": "Reject"},
]
SESSION = "ses_1"


def send(**said: Any) -> None:  # noqa: ANN401  JSON
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **said}) + "\n")
    sys.stdout.flush()


def update(sort: str, **said: Any) -> None:  # noqa: ANN401  JSON
    send(method="session/update", params={"sessionId": SESSION, "update": {"sessionUpdate": sort, **said}})


def say(text: str) -> None:
    update("agent_message_chunk", content={"type": "text", "text": text})


def heard() -> Iterator[dict[str, Any]]:
    for line in sys.stdin:
        yield json.loads(line)


class TinyAgent:
    """Answers its client; `modes` are those that its session offers, and how it goes on with one of before."""

    def __init__(self, modes: list[str]) -> None:
        self._ways = [one for one in modes if one in {"resume", "load", "forget"}]
        self._modes = [one for one in modes if one not in self._ways] or [""]
        self._lines = heard()
        self._asked = 0

    def serve(self) -> None:
        for said in self._lines:
            method, number = said.get("method"), said.get("id")
            if method == "initialize":
                methods = [{"id": "login", "name": "Sign in", "description": "Run `tiny login` in a terminal"}]
                can: dict[str, Any] = {"loadSession": "load" in self._ways}
                if "resume" in self._ways:
                    can["sessionCapabilities"] = {"resume": {}}
                send(id=number, result={"protocolVersion": 1, "authMethods": methods, "agentCapabilities": can})
            elif method in {"session/load", "session/resume"}:
                self.go_on(method, number, said["params"])
            elif method == "session/new":
                modes = {"currentModeId": self._modes[0], "availableModes": [{"id": one} for one in self._modes]}
                send(id=number, result={"sessionId": SESSION, **({"modes": modes} if self._modes[0] else {})})
            elif method == "session/set_mode":
                say(f"mode {said['params']['modeId']}\n")
                send(id=number, result={})
            elif method == "session/prompt":
                reason = "end_turn"
                for step in said["params"]["prompt"][0]["text"].splitlines():
                    reason = self.do(*step.partition(" ")[::2]) or reason
                send(id=number, result={"stopReason": reason, "usage": {"totalTokens": 12}})

    def go_on(self, method: str, number: object, about: dict[str, Any]) -> None:
        if "forget" in self._ways:
            send(id=number, error={"code": -32_002, "message": "No such session"})
            return
        if method == "session/load":
            say("what was said before\n")
        send(id=number, result=None)
        self._gone_on_with = about["sessionId"]

    def do_which(self, _: str) -> None:
        say(f"going on with {getattr(self, '_gone_on_with', 'nothing')}\n")

    def do(self, word: str, rest: str) -> str:
        step = getattr(self, f"do_{word}", None)
        if step is None:
            say(f"{word} {rest}\n")
            return ""
        return step(rest) or ""

    def do_say(self, rest: str) -> None:
        say(f"{rest}\n")

    def do_loud(self, _: str) -> None:
        say("loud " * 2_000 + "\nx\x1b]0;t\x07y\n")
        for number in range(5_000):
            say(f"line {number}\n")

    def do_run(self, rest: str) -> None:
        self.ask_leave({"kind": "execute", "title": rest, "rawInput": {"command": rest}})

    def do_edit(self, rest: str) -> None:
        diff = {"type": "diff", "path": rest, "oldText": "a\n", "newText": "b\n"}
        self.ask_leave({"kind": "edit", "title": f"Edit {rest}", "content": [diff]})

    def do_tool(self, rest: str) -> None:
        self.ask_leave({"kind": "other", "title": "prod-server: run_on_all_hosts", "rawInput": {"command": rest}})

    def do_early(self, rest: str) -> None:
        call = {"toolCallId": "c1", "kind": "other", "title": "prod_run"}
        update("tool_call", **call, status="pending", rawInput={})
        given = {"status": "in_progress", "rawInput": json.loads(rest or "{}")}
        self.ask_leave(
            {**call, "rawInput": {}}, then=lambda: update("tool_call_update", **call, **given) if rest else None
        )

    def do_form(self, _: str) -> None:
        size = {"type": "string", "title": "Size", "enum": ["small", "large"]}
        schema = {"type": "object", "properties": {"size": size}}
        given = self.ask("elicitation/create", mode="form", message="How big?", requestedSchema=schema)
        say(f"told {given}\n")

    def do_plan(self, _: str) -> None:
        tell_of_a_plan()

    def do_hang(self, _: str) -> str:
        say("started\n")
        return next(("cancelled" for said in self._lines if said.get("method") == "session/cancel"), "")

    def do_leave(self, rest: str) -> None:
        sys.stderr.write("no network here\n")
        sys.exit(int(rest))

    def do_raw(self, rest: str) -> None:
        sys.stdout.write(rest + "\n")
        sys.stdout.flush()

    def ask_leave(self, call: dict[str, Any], then: Callable[[], object] = lambda: None) -> None:
        asked = {"toolCall": {"toolCallId": "c1", **call}, "options": OPTIONS}
        told = self.ask("session/request_permission", then, **asked)
        say(f"told {told['outcome']}\n")

    def ask(
        self,
        method: str,
        then: Callable[[], object] = lambda: None,
        **about: Any,  # noqa: ANN401  JSON
    ) -> dict[str, Any]:
        self._asked += 1
        send(id=f"r{self._asked}", method=method, params={"sessionId": SESSION, **about})
        then()
        for said in self._lines:
            if said.get("id") == f"r{self._asked}" and "method" not in said:
                answer: dict[str, Any] = said.get("result") or said["error"]
                return answer
        sys.exit(0)


def tell_of_a_plan() -> None:
    steps: list[object] = [{"content": "Look", "status": "completed"}, {"content": "Write", "status": "pending"}]
    update("plan", entries=steps)
    update("tool_call", toolCallId="t1", title="grep", kind="search", status="in_progress")
    update("tool_call_update", toolCallId="t1", status="completed")
    update("tool_call", toolCallId="t2", title="make", kind="execute", status="failed")
    update("plan", entries=[steps[0], {"content": "Write", "status": "in_progress"}])
    update("usage_update", used=1, size=2, cost={"amount": 0.25, "currency": "USD"})


if __name__ == "__main__":
    TinyAgent(sys.argv[1:] or [""]).serve()
