"""A push service on loopback: Mozilla's autopush protocol towards browsers, RFC 8030 and RFC 8292 towards senders.

It keeps what it cannot deliver for as long as its TTL is not zero, and replaces what waits under the same Topic.
"""

import contextlib
import json
import re
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.web.journal import Journal
from tests.web.vapid_check import VapidError, claims_of, to_base64url

BODY_BYTES_MAX = 4_096
BODY_BYTES_MIN = 103
"""Salt, record size, key length, an uncompressed point, one byte of padding and the tag (RFC 8188, RFC 8291)."""
URGENCIES = frozenset({"very-low", "low", "normal", "high"})
TOPIC = re.compile(r"[A-Za-z0-9_-]{1,32}")
ACCEPTED = 201

Said = dict[str, Any]


@dataclass
class Channel:
    """One subscription of one browser."""

    browser: str
    channel_id: str
    key: str


@dataclass(frozen=True)
class Push:
    """What a sender sent, and what it was told."""

    token: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    why: str = ""
    version: str = ""
    claims: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Kept:
    """A message until the browser has acknowledged it."""

    version: str
    topic: str
    text: str


class PushService:
    """The service; `pushes` is what senders did, `acks` the versions that browsers have taken."""

    def __init__(self) -> None:
        self.origin = ""
        self.channels: dict[str, Channel] = {}
        self.pushes: Journal[Push] = Journal()
        self.acks: Journal[str] = Journal()
        self.refuse_next: list[tuple[int, dict[str, str]]] = []
        """Answers (status, headers) for the next pushes instead of taking them."""
        self._browsers: dict[str, web.WebSocketResponse] = {}
        self._kept: dict[str, list[Kept]] = {}

    def application(self) -> web.Application:
        made = web.Application()
        made.router.add_get("/", self._browser)
        made.router.add_post("/wpush/{token}", self._push)
        return made

    async def _browser(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=("push-notification",))
        await socket.prepare(request)
        browser = ""
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                browser = await self._hear(socket, browser, json.loads(message.data))
        if self._browsers.get(browser) is socket:
            del self._browsers[browser]
        return socket

    async def _hear(self, socket: web.WebSocketResponse, browser: str, said: Said) -> str:
        """Answer one message; return whose connection this is."""
        match said.get("messageType"):
            case None:
                await socket.send_json({})
            case "hello":
                return await self._hello(socket, said.get("uaid") or uuid.uuid4().hex)
            case "register":
                await socket.send_json(self._register(browser, said))
            case "unregister":
                gone = said["channelID"]
                self.channels = {token: one for token, one in self.channels.items() if one.channel_id != gone}
                await socket.send_json({"messageType": "unregister", "channelID": gone, "status": 200})
            case "ack":
                self._ack(browser, [update["version"] for update in said["updates"]])
        return browser

    async def _hello(self, socket: web.WebSocketResponse, browser: str) -> str:
        self._browsers[browser] = socket
        answer = {"messageType": "hello", "status": 200, "uaid": browser, "use_webpush": True, "broadcasts": {}}
        await socket.send_json(answer)
        for kept in tuple(self._kept.get(browser, ())):
            await socket.send_str(kept.text)
        return browser

    def subscribe(self, key: str, *, browser: str = "", channel_id: str = "") -> str:
        """Subscribe for the sender with this public key; return the endpoint."""
        token = uuid.uuid4().hex
        self.channels[token] = Channel(browser=browser, channel_id=channel_id or token, key=key)
        return f"{self.origin}/wpush/{token}"

    def _register(self, browser: str, said: Said) -> Said:
        endpoint = self.subscribe(said.get("key", ""), browser=browser, channel_id=said["channelID"])
        return {"messageType": "register", "channelID": said["channelID"], "status": 200, "pushEndpoint": endpoint}

    def _ack(self, browser: str, versions: list[str]) -> None:
        waiting = self._kept.get(browser, [])
        self._kept[browser] = [kept for kept in waiting if kept.version not in versions]
        for version in versions:
            self.acks.add(version)

    async def _push(self, request: web.Request) -> web.Response:
        token, body = request.match_info["token"], await request.read()
        push = self._judge(token, request.headers, body)
        if push.status == ACCEPTED:
            await self._deliver(push)
        self.pushes.add(push)
        if push.status != ACCEPTED:
            headers = self.refuse_next.pop(0)[1] if push.why == "injected" else {}
            return web.json_response({"code": push.status, "message": push.why}, status=push.status, headers=headers)
        headers = {"Location": f"{self.origin}/message/{push.version}", "TTL": request.headers["TTL"]}
        return web.Response(status=ACCEPTED, headers=headers)

    def _judge(self, token: str, headers: Mapping[str, str], body: bytes) -> Push:
        def refused(status: int, why: str) -> Push:
            return Push(token=token, status=status, headers=headers, body=body, why=why)

        channel = self.channels.get(token)
        if self.refuse_next:
            return refused(self.refuse_next[0][0], "injected")
        if channel is None:
            return refused(410, "no such subscription")
        wrong = _wrong_form(headers, body)
        if wrong:
            return refused(*wrong)
        try:
            claims = claims_of(headers.get("Authorization", ""), key=channel.key, audience=self.origin)
        except VapidError as error:
            return refused(403, str(error))
        return Push(
            token=token,
            status=ACCEPTED,
            headers=headers,
            body=body,
            version=uuid.uuid4().hex,
            claims=claims,
        )

    async def _deliver(self, push: Push) -> None:
        channel, ttl_s = self.channels[push.token], int(push.headers["TTL"])
        said: Said = {
            "messageType": "notification",
            "channelID": channel.channel_id,
            "version": push.version,
            "ttl": ttl_s,
        }
        if push.body:
            said |= {"data": to_base64url(push.body), "headers": {"encoding": "aes128gcm"}}
        text, topic = json.dumps(said), push.headers.get("Topic", "")
        socket = self._browsers.get(channel.browser)
        if socket is not None or ttl_s:
            waiting = self._kept.setdefault(channel.browser, [])
            waiting[:] = [kept for kept in waiting if not topic or kept.topic != topic]
            waiting.append(Kept(version=push.version, topic=topic, text=text))
        if socket is not None:
            await socket.send_str(text)


def _wrong_form(headers: Mapping[str, str], body: bytes) -> tuple[int, str] | None:
    """Return what is wrong with a push before anybody looks at who sent it."""
    if not headers.get("TTL", "").isdigit():
        return 400, "no TTL"
    if headers.get("Urgency", "normal") not in URGENCIES:
        return 400, "bad Urgency"
    if "Topic" in headers and not TOPIC.fullmatch(headers["Topic"]):
        return 400, "bad Topic"
    if len(body) > BODY_BYTES_MAX:
        return 413, "too large"
    if body and headers.get("Content-Encoding") != "aes128gcm":
        return 400, "bad Content-Encoding"
    if body and len(body) < BODY_BYTES_MIN:
        return 400, "too short to be encrypted"
    return None


@contextlib.asynccontextmanager
async def running_push_service() -> AsyncIterator[PushService]:
    """Run the service on a free port for as long as the block lasts."""
    service = PushService()
    runner = web.AppRunner(service.application(), shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        service.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield service
    finally:
        await runner.cleanup()
