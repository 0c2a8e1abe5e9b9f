"""A browser as the hub sees it, without a browser: signs in by a code, subscribes, and decrypts what it is sent."""

import base64
import contextlib
import json
import os
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import http_ece  # type: ignore[import-untyped]  # comes without types
import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.fakes.browser_key import BrowserKey
from tests.fakes.plain_http import plain_client
from tests.web.live_hub import LiveHub
from tests.web.push_service import Push, PushService
from tests.web.vapid_check import to_base64url

AUTH_BYTES = 16
ANSWER_S_MAX = 30


class Subscriber:
    """One signed-in browser with a subscription; `http` signs with its key and carries its origin."""

    def __init__(self, http: httpx.AsyncClient, service: PushService) -> None:
        self.http = http
        self.http.auth = self.key = BrowserKey()
        self.device = ""
        self.endpoint = ""
        self.bodies: dict[str, str] = {}
        """What stood beside each token that was pushed."""
        self._service = service
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(AUTH_BYTES)

    async def sign_in(self, hub: LiveHub) -> None:
        """Use a fresh pairing link up."""
        code = urlsplit(await hub.pairing_link()).fragment.removeprefix("pair=")
        session = await self.ok("POST", "/api/v1/session", {"code": code, "title": "Subscriber"})
        self.device = session["device"]
        self.key.token = session["token"]
        self.endpoint = self._service.subscribe(session["vapidKey"])

    async def subscribe(self) -> httpx.Response:
        """Tell the hub where we are found."""
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": to_base64url(point), "auth": to_base64url(self._auth)}
        origin = str(self.http.base_url).rstrip("/")
        address = {"kind": "web-push", "origin": origin, "endpoint": self.endpoint, **keys}
        return await self.http.put(f"/api/v1/devices/browser/{self.device}/address", json={"address": address})

    async def ok(self, method: str, path: str, body: object = None) -> Any:  # noqa: ANN401  whatever JSON the API answers
        """Call the API as the page does; fail on anything but success."""
        answer = await self.http.request(method, path, json=body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json() if answer.content else None

    async def act(self, token: str, verb: str, decision_id: str) -> httpx.Response:
        """Answer with a token, as a service worker does, which is signed in as the page is."""
        return await self.http.post("/api/v1/actions", json=self._said(token, verb, decision_id))

    async def act_signed_out(self, token: str, verb: str, decision_id: str) -> httpx.Response:
        """Answer with a token alone, as whoever carried it could."""
        async with plain_client(str(self.http.base_url)) as bare:
            return await bare.post("/api/v1/actions", json=self._said(token, verb, decision_id))

    def _said(self, token: str, verb: str, decision_id: str) -> dict[str, str]:
        return {
            "token": token,
            "verb": verb,
            "decisionId": decision_id,
            "humanInput": "tap",
            "shown": self.bodies.get(token, ""),
        }

    async def pushed(self, card_id: str, *, after: int = 0) -> dict[str, Any]:
        """Wait for the push about a card; return what it says."""
        push = await self._service.pushes.first(
            lambda one: self.endpoint.endswith(one.token) and card_id in str(self.read(one)), after=after
        )
        return self.read(push)

    def read(self, push: Push) -> dict[str, Any]:
        """Decrypt a push (RFC 8291)."""
        text = http_ece.decrypt(push.body, private_key=self._private, auth_secret=self._auth, version="aes128gcm")
        said: dict[str, Any] = json.loads(text)
        note = said["notification"]
        self.bodies[note.get("data", {}).get("token", "")] = note.get("body", "")
        return said


@contextlib.asynccontextmanager
async def subscribed(hub: LiveHub, service: PushService) -> AsyncIterator[Subscriber]:
    """Sign a browser in and subscribe it, for as long as the block lasts."""
    headers = {"Origin": hub.api}
    async with plain_client(hub.api, headers) as http:
        made = Subscriber(http, service)
        await made.sign_in(hub)
        answer = await made.subscribe()
        assert answer.is_success, answer.text
        yield made


def changed(token: str) -> str:
    """Return a token whose grant was changed after it was signed."""
    body, _, signature = token.partition(".")
    grant = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    grant[4] = ["approve", "edit", "reject"]
    return f"{to_base64url(json.dumps(grant).encode())}.{signature}"
