"""A real HTTP server with answers laid out beforehand, and a home that points to it."""

import http.server
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from hub.contract.access import DeviceList, TerminalList
from hub.contract.api import Problem
from hub.contract.base import Message
from hub.contract.coding_agents import CodingAgentList
from hub.contract.control import PredictionList
from hub.io.home.armed import ArmedFile
from hub.io.home.folder import Home, RunRecord
from hub.io.server.peer_credentials import started
from hub.io.server.unix_socket import LocalSocket


class SmallHub:
    """What was asked, and what is answered: `METHOD path` without query → status and document."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.answer("GET /api/v1/terminals", TerminalList(terminals=(), count=0))
        self.answer("GET /api/v1/devices", DeviceList(devices=(), count=0))
        self.answer("GET /api/v1/coding-agents", CodingAgentList(agents=(), count=0))
        self.answer("GET /api/v1/predictions", PredictionList(predictions=(), count=0))
        self.asked: list[tuple[str, str, bytes]] = []
        self.stopped = 0
        """How often it was notified by a signal to stop everything."""
        self.during: dict[str, Callable[[], None]] = {}
        """What happens while a request waits for its first answer, which then never comes."""

    def answer(self, request: str, document: Message | bytes, status: int = 200) -> None:
        body = document if isinstance(document, bytes) else msgspec.json.encode(document)
        self.answers[request] = (status, body)

    def refuse(self, request: str, status: int, code: str, detail: str, fix: str = "") -> None:
        problem = Problem(type=f"urn:pulse:error:{code}", title="x", status=status, code=code, detail=detail, fix=fix)
        self.answer(request, problem, status)


@contextmanager
def small_hub(home: Path) -> Iterator[SmallHub]:
    hub = SmallHub(home)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            hub.asked.append((self.command, self.path, body))
            request = f"{self.command} {self.path.partition('?')[0]}"
            if (happens := hub.during.pop(request, None)) is not None:
                happens()
                self.rfile.read()  # until whoever asked has gone
                return
            status, document = hub.answers.get(request, (500, b"nothing laid out"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(document)))
            self.end_headers()
            self.wfile.write(document)

        do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815  the names that http.server looks for

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

        def address_string(self) -> str:
            """Name nobody: a Unix socket's caller has no address."""
            return ""

    def told(*_: object) -> None:
        hub.stopped += 1

    before = signal.signal(signal.SIGUSR1, told)
    place = Home(home)
    place.prepare()
    ArmedFile(place).set_up()
    local = LocalSocket(home)
    local.socket.setblocking(True)  # noqa: FBT003  the standard library's own signature
    server = http.server.ThreadingHTTPServer(("", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = local.socket
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    place.write_record(record_of(local))
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        signal.signal(signal.SIGUSR1, before)
        local.close()


def record_of(local: LocalSocket) -> RunRecord:
    """Say that this process is the hub that listens there."""
    return RunRecord(
        pid=os.getpid(),
        api="http://127.0.0.1:1",
        broker="",
        started_at="",
        workspaces=(),
        socket=str(local.path),
        process_started=started(os.getpid()),
    )
