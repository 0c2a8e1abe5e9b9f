"""The server of a stub in a model's place, on loopback: whatever is posted, the stub answers as a stream of events."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol


class AnyModel(Protocol):
    """A stub of one API's form."""

    def answer(self, body: dict[str, Any]) -> bytes:
        """Return the events that answer a request."""


@contextlib.contextmanager
def model_server(
    model: AnyModel, *, asked_at: str = "", otherwise: bytes = b'{"models": [], "data": []}'
) -> Iterator[str]:
    """Serve a stub, and yield where; what is not posted to a path with `asked_at` in it is told `otherwise`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._say(b"", "text/plain")

        def do_GET(self) -> None:
            self._say(otherwise, "application/json")

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.path.partition("?")[0].endswith(asked_at):
                self._say(model.answer(json.loads(raw)), "text/event-stream")
            else:
                self._say(otherwise, "application/json")

        def _say(self, content: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
