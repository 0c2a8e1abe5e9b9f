"""A real hub whose agent writes down each time that it runs, and clients that answer its cards."""

import contextlib
import http.client
import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hub.contract.words import Verb
from hub.where import Grant, mint
from tests.bench.hub_process import HubProcess

CONFIG = """
[crosspoll]
pending_max = 100000
[costs]
per_run_usd = 0
[session]
running_max = 16
[sensors]
transcripts = false
[agents.once]
kind = "command"
argv = ["/bin/sh", "-c", {code}]
stdin = "none"
[channels.koji-core]
agent = "once"
affinities = ["code"]
"""
PATHS = {Verb.APPROVE: "confirm"}


class Arena:
    """One home, a hub in it that can be ended and started again, and the file in which its agent leaves a trace."""

    def __init__(self, folder: Path, run_s: float) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self._folder = folder
        self._ran = folder / "ran"
        self._ran.touch()
        code = f'echo "$PULSE_EXECUTION" >> "{self._ran}"; sleep {run_s}'
        (self.home / "config.toml").write_text(CONFIG.format(code=json.dumps(code)))
        self.hub = HubProcess(self.home, folder)

    def restart(self) -> None:
        """End the hub as by a kill -9, and start it again."""
        self.hub.kill()
        self.hub = HubProcess(self.home, self._folder)

    def runs(self) -> Counter[str]:
        """Return how often each card was run."""
        return Counter(line.rpartition("_")[0].replace("exec_", "pred_", 1) for line in self._ran.read_text().split())

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, dict[str, Any]]:
        """Call the API as whoever holds the token; return the status and the document."""
        api = self.hub.api
        connection = http.client.HTTPConnection(api.hostname or "", api.port or 0, timeout=30)
        headers = {"Authorization": f"Bearer {token or self.hub.token}", "Content-Type": "application/json"}
        try:
            connection.request(method, f"/api/v1{path}", json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"{}")
        finally:
            connection.close()


@contextlib.contextmanager
def arena(run_s: float = 0.0) -> Iterator[Arena]:
    """Run a hub for as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="pulse-trial-") as name:
        made = Arena(Path(name), run_s)
        try:
            yield made
        finally:
            made.hub.stop()


@dataclass(frozen=True, slots=True)
class Phone:
    """An app that was paired, and answers with what it was pushed."""

    token: str
    device: str
    pairing: str
    secret: bytes

    def said(self, card: dict[str, Any], verb: Verb, key: str) -> dict[str, Any]:
        """Return what it sends for a tap on a notification about this card."""
        grant = Grant(
            card_id=card["id"],
            card_hash=card["cardHash"],
            surface="phone",
            device=self.device,
            verbs=(Verb.APPROVE, Verb.REJECT, Verb.SNOOZE),
            expires_at=datetime.now(UTC) + timedelta(hours=1),
            round=card["round"],
            pairing=self.pairing,
        )
        return {"token": mint(self.secret, grant), "decisionId": key, "verb": verb.value}


def a_phone(arena: Arena) -> Phone:
    """Pair an app; its notifications' tokens are signed here, as the hub signs them."""
    _, code = arena.ask("POST", "/pairing", {"profile": "phone"})
    _, paired = arena.ask("POST", "/pair", {"code": code["code"], "title": "Trial"})
    with contextlib.closing(sqlite3.connect(f"file:{arena.home / 'pulse.db'}?mode=ro", uri=True)) as store:
        ((body,),) = store.execute("SELECT body FROM devices WHERE device = ?", (paired["device"],)).fetchall()
    secret = (arena.home / "secrets" / "hub.key").read_bytes()
    return Phone(token=paired["token"], device=paired["device"], pairing=json.loads(body)["pairing"], secret=secret)


def a_client(arena: Arena, name: str) -> str:
    """Return the token of one more client that may answer."""
    return str(arena.ask("POST", "/tokens", {"name": name, "scopes": ["answer", "read"]})[1]["token"])
