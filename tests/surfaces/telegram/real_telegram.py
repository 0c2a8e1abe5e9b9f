"""A server for Telegram's Bot API that is not ours, from npm, and the app of a person at its other end."""

import contextlib
import json
import os
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.fetched import fetched, npm_install

PACKAGE = "telegram-test-api@4.2.1"
CALL_S_MAX = 20
TOKEN = "123:abc"
PROGRAM = """
const TelegramServer = require('telegram-test-api');
const server = new TelegramServer({port: 0, host: '127.0.0.1'});
const wait = require('net').createServer().listen(0, '127.0.0.1', async function () {
  const port = this.address().port;
  this.close();
  server.config.port = port;
  server.config.apiURL = `http://127.0.0.1:${port}`;
  await server.start();
  console.log(port);
});
process.stdin.on('end', () => process.exit(0)).resume();
"""


def telegram_packages() -> Path:
    """Return where the server is installed, fetched once; the test is skipped, by name, where it cannot be had."""
    return fetched(PACKAGE, lambda folder: npm_install(folder, PACKAGE))


class TelegramApp:
    """The person's own app: what they do, and what the server has of the bot's messages."""

    def __init__(self, url: str, person: int) -> None:
        self.url = url
        self._person = person

    def press(self, message: dict[str, Any], data: str, *, person: int = 0) -> None:
        shown = {"message_id": message["messageId"], "chat": self._chat()}
        body = {"botToken": TOKEN, "date": 0, "from": self._who(person), "message": shown, "data": data}
        self._call("sendCallback", body)

    def write(self, text: str, *, person: int = 0, date: float = 0, reply_to: int = 0) -> None:
        body = {"botToken": TOKEN, "date": date, "from": self._who(person), "chat": self._chat(), "text": text}
        reply = {"reply_to_message": {"message_id": reply_to}} if reply_to else {}
        self._call("sendMessage", {**body, **reply})

    def messages(self) -> list[dict[str, Any]]:
        """The bot's messages as they are now, oldest first."""
        history = self._call("getUpdatesHistory", {"token": TOKEN})["result"]
        ours = [one for one in history if "chat_id" in one.get("message", {})]
        return sorted(ours, key=lambda one: one["messageId"])

    def _chat(self) -> dict[str, Any]:
        return {"id": self._person, "type": "private", "first_name": "Anna"}

    def _who(self, person: int) -> dict[str, Any]:
        return {"id": person or self._person, "is_bot": False, "first_name": "Anna"}

    def _call(self, path: str, body: object) -> Any:  # noqa: ANN401  JSON
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/{path}", json.dumps(body).encode(), headers)  # noqa: S310  our own loopback
        with urllib.request.urlopen(request, timeout=CALL_S_MAX) as reply:  # noqa: S310  the same
            return json.loads(reply.read())


@contextlib.contextmanager
def telegram_server(person: int) -> Iterator[TelegramApp]:
    """Run the server until the block ends."""
    folder = telegram_packages()
    with subprocess.Popen(
        ["node", "-e", PROGRAM],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as server:
        assert server.stdout is not None
        assert server.stdin is not None
        try:
            line = server.stdout.readline()
            assert line, "the server ended before it listened"
            yield TelegramApp(f"http://127.0.0.1:{int(line)}", person)
        finally:
            server.terminate()
