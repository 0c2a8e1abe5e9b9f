"""A push service on loopback (RFC 8030), as strict as the real ones; each subscription chooses its own faults."""

import asyncio
import re
from collections import Counter, defaultdict
from typing import Self

from aiohttp import web
from cryptography.exceptions import InvalidSignature

from hub.contract.address import WebPushAddress
from hub.contract.base import Value
from tests.surfaces.web.receiver import Browser, check_vapid

TOPIC = re.compile(r"[A-Za-z0-9_-]{1,32}")
URGENCIES = {"very-low", "low", "normal", "high"}
TTL_MAX = 2_592_000
BODY_BYTES_MAX = 4_096


class Message(Value):
    """One message that was taken."""

    name: str
    plain: bytes
    ttl: int
    topic: str
    urgency: str
    claims: dict[str, object]


class PushService:
    """Each subscription has a plan: what happens to its first, second, … message; the last step is repeated.

    Steps: `ok`, a status such as `503`, `429:2` (with Retry-After), `hang`, `reset`, `redirect`.
    """

    def __init__(self) -> None:
        self.taken: list[Message] = []
        self.tries: Counter[str] = Counter()
        self.seen: dict[str, list[str]] = defaultdict(list)
        self.browsers: dict[str, Browser] = {}
        self.plans: dict[str, tuple[str, ...]] = {}
        self.arrived = asyncio.Condition()
        self.origin = ""
        self.in_flight = self.in_flight_most = 0
        self._runner: web.AppRunner | None = None
        self._ended = asyncio.Event()

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 20)
        app.router.add_post("/push/{name}", self._post)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._ended.set()
        if self._runner is not None:
            await self._runner.cleanup()

    def subscribe(self, name: str, *plan: str, lang: str = "en", browser: Browser | None = None) -> WebPushAddress:
        self.browsers[name] = browser or Browser()
        self.plans[name] = plan or ("ok",)
        return self.browsers[name].address(f"{self.origin}/push/{name}", lang=lang)

    async def until(self, count: int) -> list[Message]:
        """Wait until so many messages were taken."""
        async with asyncio.timeout(30), self.arrived:
            await self.arrived.wait_for(lambda: len(self.taken) >= count)
        return self.taken

    async def _post(self, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.in_flight_most = max(self.in_flight, self.in_flight_most)
        try:
            return await self._answer(request)
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        name, body = request.match_info["name"], await request.read()
        plan = self.plans.get(name, ("410",))
        step = plan[min(self.tries[name], len(plan) - 1)]
        self.tries[name] += 1
        self.seen[name].append(request.headers.get("Topic", ""))
        if step == "hang":
            await self._ended.wait()
        if step == "reset" and request.transport is not None:
            request.transport.abort()
        if step == "redirect":
            return web.Response(status=307, headers={"Location": f"{self.origin}/push/elsewhere"})
        if step != "ok":
            status, _, wait_s = step.partition(":")
            return web.Response(status=int(status) if status.isdigit() else 500, headers=_retry(wait_s))
        return await self._take(request, name, body)

    async def _take(self, request: web.Request, name: str, body: bytes) -> web.Response:
        head = request.headers
        ttl, urgency, topic = head.get("TTL", ""), head.get("Urgency", "normal"), head.get("Topic", "")
        if not ttl.isdigit() or int(ttl) > TTL_MAX or urgency not in URGENCIES or not TOPIC.fullmatch(topic):
            return web.Response(status=400)
        if len(body) > BODY_BYTES_MAX:
            return web.Response(status=413)
        try:
            claims, _ = check_vapid(head["Authorization"])
        except (KeyError, ValueError, InvalidSignature, AssertionError):
            return web.Response(status=401)
        if claims["aud"] != self.origin:
            return web.Response(status=403)
        if head.get("Content-Encoding") != "aes128gcm":
            return web.Response(status=400)
        plain = self.browsers[name].decrypt(body)
        message = Message(name=name, plain=plain, ttl=int(ttl), topic=topic, urgency=urgency, claims=claims)
        async with self.arrived:
            self.taken.append(message)
            self.arrived.notify_all()
        return web.Response(status=201, headers={"TTL": ttl, "Location": f"{self.origin}/m/{len(self.taken)}"})


def _retry(wait_s: str) -> dict[str, str]:
    return {"Retry-After": wait_s} if wait_s else {}
