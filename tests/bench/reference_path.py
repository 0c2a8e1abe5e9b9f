"""The reference for answers: a throw-away path with nothing around it, as its own process.

POST → one SQLite transaction (a compare-and-set and an outbox row, synchronous FULL, grouped) → the answer → a QoS 1
publish → the outbox row deleted. FastAPI on uvicorn, stdlib sqlite3 and paho as they come; no rails, tokens or ledger.
`python -m tests.bench.reference_path DATABASE HTTP_PORT MQTT_PORT`
"""

import asyncio
import queue
import sqlite3
import sys
import threading
from concurrent.futures import Future

import fastapi
import uvicorn
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

GROUP_MAX = 64
SCHEMA = """
CREATE TABLE cards (id TEXT PRIMARY KEY, status TEXT NOT NULL);
CREATE TABLE outbox (id TEXT PRIMARY KEY, body TEXT NOT NULL);
"""


class Writer:
    """SQLite on its own thread, committing in groups."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._jobs: queue.Queue[tuple[list[tuple[str, tuple[str, ...]]], Future[int]]] = queue.Queue()
        threading.Thread(target=self._work, daemon=True).start()

    def run(self, statements: list[tuple[str, tuple[str, ...]]]) -> "Future[int]":
        done: Future[int] = Future()
        self._jobs.put((statements, done))
        return done

    def _work(self) -> None:
        database = sqlite3.connect(self._path, isolation_level=None)
        database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;" + SCHEMA)
        while True:
            group = [self._jobs.get()]
            while len(group) < GROUP_MAX and not self._jobs.empty():
                group.append(self._jobs.get())
            database.execute("BEGIN IMMEDIATE")
            counts = [[database.execute(*one).rowcount for one in statements] for statements, _ in group]
            database.execute("COMMIT")
            for (_, done), rows in zip(group, counts, strict=True):
                done.set_result(rows[0])


def application(writer: Writer, client: Client) -> fastapi.FastAPI:
    """Build the two endpoints: make a card, answer a card."""
    app = fastapi.FastAPI()

    @app.post("/cards/{card_id}")
    async def make(card_id: str) -> dict[str, str]:
        await asyncio.wrap_future(writer.run([("INSERT INTO cards VALUES (?, 'pending')", (card_id,))]))
        return {"id": card_id}

    @app.post("/cards/{card_id}/confirm")
    async def confirm(card_id: str) -> dict[str, str]:
        statements = [
            ("UPDATE cards SET status = 'confirmed' WHERE id = ? AND status = 'pending'", (card_id,)),
            ("INSERT INTO outbox VALUES (?, ?)", (card_id, "{}")),
        ]
        changed = await asyncio.wrap_future(writer.run(statements))
        client.publish("pulse/v1/me/event/prediction/settled", f'{{"subject":"{card_id}"}}', qos=1)
        writer.run([("DELETE FROM outbox WHERE id = ?", (card_id,))])
        return {"id": card_id, "status": "confirmed" if changed else "conflict"}

    return app


def main() -> None:
    database, http_port, mqtt_port = sys.argv[1:]
    client = Client(CallbackAPIVersion.VERSION2, client_id="reference")
    client.max_inflight_messages_set(1_000)
    client.connect("127.0.0.1", int(mqtt_port))
    client.loop_start()
    uvicorn.run(application(Writer(database), client), host="127.0.0.1", port=int(http_port), log_level="error")


if __name__ == "__main__":
    main()
