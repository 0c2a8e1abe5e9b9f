"""An application of ours, served in a thread of the test, and the hub's API as the person's terminal has it."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from hub.cli.api import record_of
from hub.kit.hub_api import HubAddress, SocketConnection, unix_socket
from tests.bench.hub_process import free_port
from tests.cli.real_hub import RealHub


def api(hub: RealHub, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask the hub over its socket, and answer it on the person's page where there is one."""
    if hub.page is not None and method == "POST":
        answered = hub.page.post(path, body)
        answered.raise_for_status()
        return dict(answered.json())
    record = record_of(hub.home)
    assert record is not None
    connection = SocketConnection(lambda: unix_socket(record.socket))
    content = None if body is None else json.dumps(body)
    connection.request(method, f"/api/v1{path}", content, {"Content-Type": "application/json"})
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return dict(answer)


def finder(home: Path) -> Callable[[str], HubAddress | None]:
    """Return what says where the hub is, as the commands do."""

    def find(token: str) -> HubAddress | None:
        record = record_of(home)
        return None if record is None else HubAddress(api=record.api, token=token)

    return find


@contextlib.contextmanager
def served(make: Callable[[str], ASGIApp]) -> Iterator[str]:
    """Serve what `make` makes for its address; give that."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    config = uvicorn.Config(make(address), port=port, log_level="error", http="h11", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.05)
    yield address
    server.should_exit = True
    thread.join()
