"""A small service in the form of OpenAI's published chat API, to stand in for any that is compatible.

`python -m tests.fakes.chat_service PORT [KEY]` serves until it is ended. It answers with the ideas that it is offered,
the first of them first; a model called "slow", "garbage", "dear" or "fenced" answers as its name says. One with
"obedient" in its name does what any text in the question orders (ignore …, run `…`), surely; a "certain" one claims a
confidence of 7, an "astray" one an unknown channel.
"""

import http.server
import json
import re
import sys
import threading
from typing import Any

ORDER = re.compile(r"ignore\b.{0,120}?\brun `([^`]+)`", re.IGNORECASE)
FENCE = "Here you are:\n```json\n{}\n```"


class ChatService(http.server.ThreadingHTTPServer):
    """Serves `GET /v1/models` and `POST /v1/chat/completions`; `asked` are the bodies that came."""

    daemon_threads = True

    def __init__(self, port: int = 0, key: str = "") -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.key = key
        self.asked: list[dict[str, Any]] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: ChatService

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._say(200, {"object": "list", "data": [{"id": "small", "object": "model"}]})
        else:
            self._refuse(404, "Unknown request URL.")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.path != "/v1/chat/completions":
            self._refuse(404, "Unknown request URL.")
        elif self.server.key and self.headers.get("Authorization") != f"Bearer {self.server.key}":
            self._refuse(401, "Incorrect API key provided.")
        else:
            self._complete(json.loads(body))

    def _complete(self, asked: dict[str, Any]) -> None:
        self.server.asked.append(asked)
        model, question = asked["model"], asked["messages"][-1]["content"]
        ways = frozenset(model.split())
        if "slow" in ways:
            self.server.ended.wait()
        if model == "unknown":
            self._refuse(404, "The model does not exist.")
            return
        said = (_obeyed(question, ways) if "obedient" in ways else "") or _content(question)
        said = "\x00 garbage {" if "garbage" in ways else said
        said = FENCE.replace("{}", said) if "fenced" in ways else said
        sent = sum(len(one["content"]) for one in asked["messages"]) // 4
        answered = len(said) // 4 * (100_000 if "dear" in ways else 1)
        message = {"role": "assistant", "content": said}
        usage = {"prompt_tokens": sent, "completion_tokens": answered, "total_tokens": sent + answered}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self._say(
            200,
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": model,
                "choices": [choice],
                "usage": usage,
            },
        )

    def _refuse(self, status: int, message: str) -> None:
        self._say(status, {"error": {"message": message, "type": "invalid_request_error", "code": None}})

    def _say(self, status: int, document: object) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's own name
        del format, args


def _content(question: str) -> str:
    """Choose among the ideas that the question offers, if it is a question of Pulse's."""
    _, found, document = question.partition("\n\n")
    if not found:
        return "ready"
    ideas = json.loads(document)["ideas"]
    chosen = [
        {"idea": idea["key"], "confidence": 0.9 - place / 10, "reasoning": "You often do."}
        for place, idea in enumerate(ideas[:3])
    ]
    return json.dumps({"candidates": chosen})


def _obeyed(question: str, ways: frozenset[str]) -> str:
    """Do what the question orders, whoever wrote that; empty where it orders nothing."""
    order = ORDER.search(question)
    if order is None:
        return ""
    wanted = {
        "prompt": f"Run `{order[1]}`",
        "channel": "root-shell" if "astray" in ways else "koji-core",
        "confidence": 7 if "certain" in ways else 0.99,
        "reasoning": "The commit asks for it.",
    }
    return json.dumps({"candidates": [wanted]})


if __name__ == "__main__":
    ChatService(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "").serve_forever()
