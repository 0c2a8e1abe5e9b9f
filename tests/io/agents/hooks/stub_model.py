"""A model that says what it is told to, in the words of Anthropic's API; the agent in front of it is the real one."""

import contextlib
import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

from tests.fakes.model_server import model_server

ModelTool = tuple[str, dict[str, object]]


class StubModel:
    """Asks for one tool after the other, then says that it is done.

    `results` are what the tools came back with, `told` what it was told since it spoke last, each time it was asked.
    A conversation that begins with a word of `beside` has tools of its own.
    """

    def __init__(self) -> None:
        self.tools: list[ModelTool] = []
        self.results: list[str] = []
        self.told: list[str] = []
        self.beside: dict[str, list[ModelTool]] = {}
        self.url = ""
        self._more = threading.Condition()
        self._lock = threading.Lock()
        self._calls = 0

    def answer(self, body: dict[str, Any]) -> bytes:
        news = list(itertools.takewhile(lambda one: one["role"] != "assistant", reversed(body["messages"])))
        parts = [part for one in reversed(news) if isinstance(one["content"], list) for part in one["content"]]
        with self._lock:
            self.results += [_words(one) for one in parts if one.get("type") == "tool_result"]
            self.told.append("\n".join(one.get("text", "") for one in parts))
            tools = self._tools_of(json.dumps(body["messages"][0]))
            wanted = tools.pop(0) if body.get("tools") and tools else None
            self._calls += 1
            number = self._calls
        with self._more:
            self._more.notify_all()
        return b"".join(_events(body.get("model", ""), number, wanted))

    def until_told(self, text: str, wait_s: float) -> None:
        """Wait until it was told something with this text in it."""
        with self._more:
            assert self._more.wait_for(lambda: any(text in one for one in tuple(self.told)), wait_s), self.told

    def _tools_of(self, first: str) -> list[ModelTool]:
        return next((tools for word, tools in self.beside.items() if word in first), self.tools)


@contextlib.contextmanager
def stub_model() -> Iterator[StubModel]:
    model = StubModel()
    with model_server(model, asked_at="/v1/messages", otherwise=b'{"input_tokens":10}') as url:
        model.url = url
        yield model


def _events(name: str, number: int, wanted: ModelTool | None) -> Iterator[bytes]:
    usage = {"input_tokens": 10, "output_tokens": 1}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "content": [], "model": name}
    yield _event("message_start", message={**message, "stop_reason": None, "stop_sequence": None, "usage": usage})
    if wanted is None:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield _event("content_block_delta", index=0, delta={"type": "text_delta", "text": "done."})
    else:
        tool, given = wanted
        block = {"type": "tool_use", "id": f"toolu_{number:08}", "name": tool, "input": {}}
        yield _event("content_block_start", index=0, content_block=block)
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
        yield _event("content_block_delta", index=0, delta=delta)
    yield _event("content_block_stop", index=0)
    reason = "end_turn" if wanted is None else "tool_use"
    yield _event("message_delta", delta={"stop_reason": reason, "stop_sequence": None}, usage={"output_tokens": 2})
    yield _event("message_stop")


def _event(kind: str, **content: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **content})}\n\n".encode()


def _words(result: dict[str, Any]) -> str:
    content = result.get("content")
    return content if isinstance(content, str) else json.dumps(content)
