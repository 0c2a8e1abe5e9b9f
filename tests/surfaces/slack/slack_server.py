"""A stand-in for Slack as its published API says: the web methods, Socket Mode, and a person at its other end."""

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import WSMsgType, web

BOT_TOKEN, APP_TOKEN = "xoxb-1-bot", "xapp-1-app"
TEAM, CHANNEL, PERSON, STRANGER = "T0TEAM", "D0ANNA", "U0ANNA", "U0EVE"
ACKNOWLEDGED_S_MAX = 3.0
WAIT_S_MAX = 60.0


class SlackServer:
    """One workspace with one app. `messages` are the app's by their `ts`, `whispers` what it said to one person."""

    def __init__(self) -> None:
        self.messages: dict[str, dict[str, Any]] = {}
        self.whispers: list[dict[str, Any]] = []
        self.refusals: list[web.Response] = []
        self.opened: list[web.WebSocketResponse] = []
        self.whispering = asyncio.Event()
        self.whispering.set()
        self.url = ""
        self._tickets: set[str] = set()
        self._numbers = itertools.count(1)
        self._changed = asyncio.Event()
        self._acknowledged: dict[str, asyncio.Future[None]] = {}

    async def until(self, count: int, what: list[Any] | dict[str, Any]) -> None:
        """Wait until there are so many."""
        async with asyncio.timeout(WAIT_S_MAX):
            while len(what) < count:
                self._changed.clear()
                await self._changed.wait()

    async def until_shown(self, ts: str, text: str) -> None:
        """Wait until a message shows that."""
        async with asyncio.timeout(WAIT_S_MAX):
            while text not in self.shown(ts):
                self._changed.clear()
                await self._changed.wait()

    def shown(self, ts: str) -> str:
        """All text that a message shows."""
        found: list[str] = []

        def walk(node: object) -> None:
            if isinstance(node, dict):
                if node.get("type") == "text":
                    found.append(node["text"])
                for value in node.values():
                    walk(value)
            elif isinstance(node, list):
                for one in node:
                    walk(one)

        walk(self.messages[ts]["blocks"])
        return "".join(found)

    def buttons(self, ts: str) -> dict[str, dict[str, Any]]:
        rows = [one["elements"] for one in self.messages[ts]["blocks"] if one["type"] == "actions"]
        return {one["action_id"]: one for row in rows for one in row}

    async def press(self, ts: str, button: dict[str, Any], *, person: str = PERSON) -> None:
        """Press, and wait until the app has acknowledged it, as Slack does."""
        payload = {
            "type": "block_actions",
            "user": {"id": person, "team_id": TEAM},
            "team": {"id": TEAM},
            "container": {"type": "message", "message_ts": ts, "channel_id": CHANNEL},
            "actions": [{**button, "type": "button", "action_ts": self.now()}],
        }
        await self._send("interactive", payload)

    async def write(self, text: str, *, person: str = PERSON, thread: str = "") -> None:
        """Write to the app, and wait until it has acknowledged it."""
        event = {"type": "message", "channel_type": "im", "channel": CHANNEL, "user": person, "text": text}
        place = {"ts": self.now(), **({"thread_ts": thread} if thread else {})}
        await self.deliver({"team_id": TEAM, "event": {**event, **place}})

    async def deliver(self, payload: dict[str, Any], place: int = -1) -> None:
        """Deliver an event over one of the connections, by default the newest."""
        await self._send("events_api", payload, place)

    async def close(self, place: int) -> int | None:
        """Close a connection; return the code that the app closed it with."""
        await self.opened[place].close()
        return self.opened[place].close_code

    async def refresh(self) -> None:
        """Say that the connection is to be renewed, and wait for the new one; the old one is still there."""
        old, count = self.opened[-1], len(self.opened)
        await old.send_json({"type": "disconnect", "reason": "refresh_requested"})
        await self.until(count + 1, self.opened)

    async def _send(self, kind: str, payload: dict[str, Any], place: int = -1) -> None:
        envelope_id = f"envelope-{next(self._numbers)}"
        acknowledged = self._acknowledged[envelope_id] = asyncio.get_running_loop().create_future()
        envelope = {"type": kind, "envelope_id": envelope_id, "payload": payload, "accepts_response_payload": True}
        await self.opened[place].send_json(envelope)
        async with asyncio.timeout(ACKNOWLEDGED_S_MAX):
            await acknowledged

    def routes(self) -> list[web.RouteDef]:
        return [web.post("/api/{method}", self._method), web.get("/link", self._link)]

    async def _method(self, request: web.Request) -> web.Response:
        method, is_json = request.match_info["method"], request.content_type == "application/json"
        body = json.loads(await request.read()) if is_json else dict(await request.post())
        wanted = APP_TOKEN if method == "apps.connections.open" else BOT_TOKEN
        if request.headers.get("Authorization") != f"Bearer {wanted}":
            return _refused("invalid_auth")
        if self.refusals and method.startswith("chat."):
            return self.refusals.pop(0)
        answer = await self._does(method, body)
        self._changed.set()
        return answer

    async def _does(self, method: str, body: dict[str, Any]) -> web.Response:
        match method:
            case "auth.test":
                return _done(user="pulse", team="Home", team_id=TEAM)
            case "apps.connections.open":
                ticket = f"ticket-{next(self._numbers)}"
                self._tickets.add(ticket)
                return _done(url=f"{self.url.replace('http', 'ws', 1)}/link?ticket={ticket}")
            case "chat.postMessage":
                _check(body)
                ts = self.now()
                self.messages[ts] = body
                return _done(ts=ts, channel=body["channel"])
            case "chat.update":
                if body["ts"] not in self.messages:
                    return _refused("message_not_found")
                _check(body)
                self.messages[body["ts"]] = body
                return _done(ts=body["ts"])
            case "chat.postEphemeral":
                self.whispers.append(body)
                self._changed.set()
                await self.whispering.wait()
                return _done(message_ts=self.now())
            case _:
                return _refused("unknown_method")

    async def _link(self, request: web.Request) -> web.WebSocketResponse:
        ticket = request.query["ticket"]
        assert ticket in self._tickets, "an address is good for once"
        self._tickets.discard(ticket)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}})
        self.opened.append(socket)
        self._changed.set()
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                self._acknowledged.pop(json.loads(message.data)["envelope_id"]).set_result(None)
        return socket

    def now(self) -> str:
        """A new time stamp; no two are alike."""
        return f"{int(time.time())}.{next(self._numbers):06}"


def _check(body: dict[str, Any]) -> None:
    """Hold a message to Slack's limits."""
    assert body["channel"] == CHANNEL
    assert body["text"]
    assert 0 < len(body["blocks"]) <= 50
    for block in body["blocks"]:
        assert block["type"] in {"rich_text", "actions"}
        buttons = block["elements"] if block["type"] == "actions" else []
        assert len(buttons) <= 25
        assert len({one["action_id"] for one in buttons}) == len(buttons)
        assert all(len(one["text"]["text"]) <= 75 for one in buttons)
        assert all(one.get("style", "primary") in {"primary", "danger"} for one in buttons)


def too_many(after_s: int) -> web.Response:
    body = {"ok": False, "error": "ratelimited"}
    return web.json_response(body, status=429, headers={"Retry-After": str(after_s)})


def _done(**said: object) -> web.Response:
    return web.json_response({"ok": True, **said})


def _refused(code: str) -> web.Response:
    return web.json_response({"ok": False, "error": code})


@contextlib.asynccontextmanager
async def slack_server() -> AsyncIterator[SlackServer]:
    """Serve until the block ends."""
    slack = SlackServer()
    app = web.Application()
    app.add_routes(slack.routes())
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        slack.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield slack
    finally:
        for socket in slack.opened:
            await socket.close()
        await runner.cleanup()
