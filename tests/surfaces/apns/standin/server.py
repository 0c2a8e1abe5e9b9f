"""A stand-in for APNs: HTTP/2 over TLS on the library h2, as strict as Apple's published rules, faulty on demand.

Each token has a plan: what happens to its first, second, … push; the last step is repeated. Without one, the beginning
of the token names the step. Steps: `ok`; a reason such as `503 ServiceUnavailable`; `gone` and `gone-before` (410,
since now or since long ago); `hang`; `reset`; `refuse`; `cut` (the connection, before it was taken) and `cut-after`
(taken, the answer lost); `goaway` (this one answered, no more after it), `goaway-early` (not worked on), `bare500`,
`html500`, `split`, `empty-frame`, `no-id`, `upper-id`, `garbage`.
"""

import asyncio
import contextlib
import socket
import ssl
import time
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Self

import msgspec

from hub.contract.base import Value
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.connection import Settings, Talk
from tests.surfaces.apns.standin.rules import (
    Refusal,
    Request,
    check_headers,
    check_size,
    payload_faults,
    read_request,
)
from tests.surfaces.apns.standin.team import HELD_ANSWERS, Team

STEPS = (
    *("ok", "hang", "reset", "refuse", "cut-after", "cut", "goaway-early", "goaway", "bare500", "html500", "split"),
    *("empty-frame", "no-id", "upper-id", "garbage", "gone-before", "gone"),
)
HANDSHAKE_S_MAX = 10
LONG_AGO_MS = 1_500_000_000_000
BUNDLES = ("org.example.acc", "org.example.acc.watchkitapp")


class Taken(Value):
    """One push that was taken. `answered` is false where the answer was cut off."""

    apns_id: str
    token: str
    headers: dict[str, str]
    payload: bytes
    connection: int
    answered: bool
    environment: str


class Standin:
    """One environment of APNs on loopback. Tokens of `elsewhere` belong to the other one."""

    def __init__(self, certificates: Certificates, *, environment: str = "production", **settings: int) -> None:
        self.certificates = certificates
        self.environment = environment
        self.settings = Settings(**settings)
        self.team = Team(certificates.team_key)
        self.retry_after = "0"
        self.broken: set[int] = set()
        """Connections that were cut, so that answers may not have arrived."""
        self.wall_s: Callable[[], float] = time.time
        self.taken: list[Taken] = []
        self.answers: Counter[str] = Counter()
        self.tries: Counter[str] = Counter()
        self.accepted: Counter[str] = Counter()
        self.plans: dict[str, tuple[str, ...]] = {}
        self.when_taken: dict[int, Callable[[], None]] = {}
        self.elsewhere: set[str] = set()
        self.unknown: set[str] = set()
        self.faults: list[str] = []
        self.connections: list[Talk] = []
        self.opened = 0
        self.arrived = asyncio.Condition()
        self.host = ""
        self.port = 0
        self._held: Counter[int] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._handshakes: set[asyncio.Task[None]] = set()
        self._listener: socket.socket | None = None

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def listen(self) -> None:
        """Listen, on the port of last time if there was one."""
        self._listener = socket.create_server(("127.0.0.1", self.port), backlog=1_000)
        self._listener.settimeout(0)
        self.port = self._listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        context = self.certificates.server_context()
        asyncio.get_running_loop().add_reader(self._listener, self._accept, self._listener, context)

    async def stop(self) -> None:
        """Listen no more and cut all connections, also those that were just being made."""
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None
            await asyncio.gather(*self._handshakes)
            self.cut()

    def _accept(self, listener: socket.socket, context: ssl.SSLContext) -> None:
        """Begin with a client as a task of ours: a server of asyncio's forgets those that are not done when it ends."""
        try:
            client, _ = listener.accept()
        except OSError:  # it went away again
            return
        task = asyncio.ensure_future(self._shake_hands(client, context))
        self._handshakes.add(task)
        task.add_done_callback(self._handshakes.discard)

    async def _shake_hands(self, client: socket.socket, context: ssl.SSLContext) -> None:
        with contextlib.suppress(OSError):  # a client that went away, or trusts us not
            await asyncio.get_running_loop().connect_accepted_socket(
                self._talk, client, ssl=context, ssl_handshake_timeout=HANDSHAKE_S_MAX
            )

    def cut(self) -> None:
        """Cut all connections, as a network does."""
        for talk in list(self.connections):
            self.broken.add(talk.number)
            talk.abort()

    def go_away(self) -> None:
        """Ask all clients, politely, to connect anew."""
        for talk in list(self.connections):
            talk.go_away(talk.last_id)

    def go_away_at_once(self) -> None:
        """Work on nothing any more that is not answered yet."""
        for talk in list(self.connections):
            talk.go_away(talk.answered_id)

    async def until(self, enough: Callable[["Standin"], bool], wait_s: float = 15) -> None:
        """Wait until something is so; it is looked at after each push."""
        async with asyncio.timeout(wait_s), self.arrived:
            await self.arrived.wait_for(lambda: enough(self))

    def _talk(self) -> Talk:
        self.opened += 1
        return Talk(self.settings, self._answer, self.faults, self.connections, self.opened)

    def _answer(self, talk: Talk, stream_id: int, fields: list[tuple[str, str]], body: bytes) -> None:
        request = read_request(fields, body)
        apns_id = dict(fields).get("apns-id") or str(uuid.uuid4())
        if isinstance(request, Refusal):
            self._refuse(talk, stream_id, apns_id, request)
            return
        refusal = self._judge(talk, request)
        if refusal is not None:
            self._refuse(talk, stream_id, apns_id, refusal)
            return
        talk.welcome()
        self._act(talk, stream_id, apns_id, request)

    def _judge(self, talk: Talk, request: Request) -> Refusal | None:
        now_s = self.wall_s()
        if self._held[talk.number] > 0:
            self._held[talk.number] -= 1
            return Refusal(status=429, reason="TooManyProviderTokenUpdates")
        by_team = self.team.judge(request.headers.get("authorization", ""), now_s)
        if by_team is not None:
            if by_team.reason == "TooManyProviderTokenUpdates":
                self._held[talk.number] = HELD_ANSWERS
            return by_team
        return check_headers(request, BUNDLES, now_s) or check_size(request.body) or self._judge_token(request)

    def _judge_token(self, request: Request) -> Refusal | None:
        if request.token in self.elsewhere or request.token in self.unknown or request.token.startswith("bad"):
            return Refusal(status=400, reason="BadDeviceToken")
        return None

    def _act(self, talk: Talk, stream_id: int, apns_id: str, request: Request) -> None:
        step = self._step(request.token)
        self.tries[request.token] += 1
        status, _, reason = step.partition(" ")
        if status.isdigit():
            self._refuse(talk, stream_id, apns_id, Refusal(status=int(status), reason=reason))
        elif step in {"gone", "gone-before"}:
            stamp = LONG_AGO_MS if step == "gone-before" else int(time.time() * 1_000)
            self._refuse(talk, stream_id, apns_id, Refusal(status=410, reason="Unregistered"), stamp)
        elif step in {"ok", "cut-after", "goaway", "upper-id", "no-id", "empty-frame"}:
            self._take(talk, stream_id, apns_id, request, step)
        else:
            self.answers[step] += 1
            if step in {"cut", "garbage"}:
                self.broken.add(talk.number)
            talk.fail(stream_id, apns_id, step)

    def _step(self, token: str) -> str:
        plan = self.plans.get(token)
        if plan:
            return plan[min(self.tries[token], len(plan) - 1)]
        return next((step for step in STEPS if token.startswith(step)), "ok")

    def _take(self, talk: Talk, stream_id: int, apns_id: str, request: Request, step: str) -> None:
        self.faults += payload_faults(request.headers["apns-push-type"], request.body)
        self.accepted[apns_id] += 1
        self.taken.append(
            Taken(
                apns_id=apns_id,
                token=request.token,
                headers=request.headers,
                payload=request.body,
                connection=talk.number,
                answered=step != "cut-after",
                environment=self.environment,
            )
        )
        self.answers["200" if step != "cut-after" else step] += 1
        if step == "cut-after":
            self.broken.add(talk.number)
            talk.abort()
        else:
            talk.accept(stream_id, apns_id, step)
        self.when_taken.pop(len(self.taken), lambda: None)()
        self._tell()

    def _refuse(self, talk: Talk, stream_id: int, apns_id: str, refusal: Refusal, stamp_ms: int = 0) -> None:
        self.answers[f"{refusal.status} {refusal.reason}"] += 1
        body: dict[str, object] = {"reason": refusal.reason} | ({"timestamp": stamp_ms} if stamp_ms else {})
        extra = {"retry-after": self.retry_after} if refusal.status in {429, 503} else {}
        talk.refuse(stream_id, apns_id, refusal.status, msgspec.json.encode(body), extra)
        self._tell()

    def _tell(self) -> None:
        task = asyncio.ensure_future(self._notify())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _notify(self) -> None:
        async with self.arrived:
            self.arrived.notify_all()
