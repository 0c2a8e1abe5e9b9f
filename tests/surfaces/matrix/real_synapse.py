"""The real Matrix server Synapse, as its own package on PyPI brings it along, on loopback and alone."""

import base64
import contextlib
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.hub_process import free_port
from tests.fetched import fetched, install

PACKAGE = "matrix-synapse==1.163.2"
PYTHON = Path("bin") / "python"
START_S_MAX = 60.0
CALL_S_MAX = 40
LOOK_S = 0.1
SETTINGS = """
server_name: "home.test"
pid_file: "{folder}/synapse.pid"
listeners: [{{port: {port}, bind_addresses: ["127.0.0.1"], type: http, tls: false, resources: [{{names: [client]}}]}}]
database: {{name: sqlite3, args: {{database: "{folder}/synapse.db"}}}}
media_store_path: "{folder}/media"
signing_key_path: "{folder}/signing.key"
log_config: "{folder}/log.yaml"
report_stats: false
trusted_key_servers: []
federation_domain_whitelist: []
enable_registration: true
enable_registration_without_verification: true
registration_shared_secret: "test"
macaroon_secret_key: "test"
form_secret: "test"
rc_message: {{per_second: 1000, burst_count: 1000}}
rc_registration: {{per_second: 1000, burst_count: 1000}}
"""
QUIET = "version: 1\nroot: {level: ERROR}\ndisable_existing_loggers: true\n"


def synapse_python() -> Path:
    """Return the Python that has Synapse, fetched once; the test is skipped, by name, where it cannot be had."""
    return fetched(PACKAGE, _fetch) / PYTHON


def _fetch(folder: Path) -> None:
    install(sys.executable, "-m", "venv", "--without-pip", folder)
    # Ours installs there; what is imported is compiled then, which is a small part of it.
    pip = (sys.executable, "-m", "pip", "--python", folder / PYTHON)
    install(*pip, "install", "--quiet", "--no-compile", PACKAGE)


class Account:
    """One account on the server: a person with an app, or the bot."""

    def __init__(self, base: str, token: str, user_id: str) -> None:
        self.token = token
        self.user_id = user_id
        self._base = base

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        return call(self._base, method, path, body, self.token)

    def react(self, room_id: str, message_id: str, sign: str) -> None:
        relation = {"rel_type": "m.annotation", "event_id": message_id, "key": sign}
        self._send(room_id, "m.reaction", {"m.relates_to": relation})

    def write(self, room_id: str, text: str, reply_to: str = "") -> None:
        relation = {"m.relates_to": {"m.in_reply_to": {"event_id": reply_to}}} if reply_to else {}
        self._send(room_id, "m.room.message", {"msgtype": "m.text", "body": text, **relation})

    def messages(self, room_id: str) -> list[dict[str, Any]]:
        """The latest messages and reactions, oldest first."""
        found = self.call("GET", f"/rooms/{quoted(room_id)}/messages?dir=b&limit=100")["chunk"]
        return list(reversed(found))

    def _send(self, room_id: str, kind: str, content: object) -> None:
        self.call("PUT", f"/rooms/{quoted(room_id)}/send/{kind}/{time.monotonic_ns()}", content)


class Synapse:
    """The server, and new accounts on it."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._base = f"{self.url}/_matrix/client/v3"

    def account(self, name: str) -> Account:
        body = {"username": name, "password": "pw12345678", "auth": {"type": "m.login.dummy"}}
        found = call(self._base, "POST", "/register?kind=user", body)
        return Account(self._base, found["access_token"], found["user_id"])


def call(base: str, method: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
    raw = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    request = urllib.request.Request(base + path, raw, headers, method=method)  # noqa: S310  our own loopback
    with urllib.request.urlopen(request, timeout=CALL_S_MAX) as reply:  # noqa: S310  the same
        found: dict[str, Any] = json.loads(reply.read())
    return found


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


@contextlib.contextmanager
def synapse(folder: Path) -> Iterator[Synapse]:
    """Run the server until the block ends."""
    python, port = synapse_python(), free_port()
    settings = folder / "homeserver.yaml"
    settings.write_text(SETTINGS.format(folder=folder, port=port))
    (folder / "log.yaml").write_text(QUIET)
    program = [str(python), "-m", "synapse.app.homeserver", "-c", str(settings)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    key = base64.b64encode(bytes(range(32))).decode().rstrip("=")
    (folder / "signing.key").write_text(f"ed25519 a_test {key}\n")
    with subprocess.Popen(program, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as own:
        try:
            _until_it_answers(port, own)
            yield Synapse(port)
        finally:
            own.terminate()


def _until_it_answers(port: int, own: subprocess.Popen[bytes]) -> None:
    end_s = time.monotonic() + START_S_MAX
    while True:
        assert own.poll() is None, "Synapse ended before it listened"
        assert time.monotonic() < end_s, "Synapse does not answer"
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            call(f"http://127.0.0.1:{port}", "GET", "/_matrix/client/versions")
            return
        time.sleep(LOOK_S)
