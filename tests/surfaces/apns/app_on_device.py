"""An app on a phone or watch, as its author would write it: code, address, notifications, and answers over HTTP."""

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import httpx

from tests.fakes.plain_http import plain_client
from tests.surfaces.apns.standin.server import Standin, Taken
from tests.web.live_hub import LiveHub

ARRIVES_S_MAX = 90.0


class App:
    """One installed app; `push_token` is what Apple gave it, `token` its way into the hub."""

    def __init__(self, hub: LiveHub, apns: Standin, profile: str, push_token: str) -> None:
        self.hub = hub
        self.apns = apns
        self.profile = profile
        self.push_token = push_token
        self.token = self.surface = self.device = ""

    async def pair(self) -> None:
        """Turn a one-time code, which can be used once, into a token of its own."""
        code = (await self.hub.call("POST", "/api/v1/pairing", {"profile": self.profile}))["code"]
        said = await self.call("POST", "/api/v1/pair", {"code": code, "title": f"My {self.profile}"})
        assert said.is_success, said.text
        told = said.json()
        self.token, self.surface, self.device = told["token"], told["surface"], told["device"]
        again = await self.call("POST", "/api/v1/pair", {"code": code})
        assert again.json()["code"] == "bad-code"

    async def register(self, **more: object) -> None:
        """Tell where Apple finds it."""
        address = {"kind": "apns", "token": self.push_token, "registeredAt": now().isoformat(), **more}
        said = await self.call("PUT", f"/api/v1/devices/{self.surface}/{self.device}/address", {"address": address})
        assert said.is_success, said.text

    async def call(self, method: str, path: str, body: object = None) -> httpx.Response:
        """Call the hub as this app; nothing but its own token is used."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        async with plain_client(self.hub.api, headers) as client:
            return await client.request(method, path, json=body)

    def pushes(self, card_id: str = "", event: str = "") -> list[Taken]:
        """Return the notifications that it got, of one card and of one event where they are named."""
        mine = [one for one in self.apns.taken if one.token == self.push_token]
        return [one for one in mine if _fits(content(one), card_id, event)]

    async def notified(self, card_id: str, event: str = "prediction.new") -> Taken:
        """Wait for a notification about a card."""
        await self.apns.until(lambda _: bool(self.pushes(card_id, event)), ARRIVES_S_MAX)
        return self.pushes(card_id, event)[-1]

    async def answer(self, shown: Taken, verb: str, **more: object) -> httpx.Response:
        """Press a button of a notification: the card's own token, and the app's beside it."""
        body = {
            "token": content(shown)["token"],
            "decisionId": uuid.uuid4().hex,
            "verb": verb,
            "at": now().isoformat(),
            **more,
        }
        return await self.call("POST", "/api/v1/actions", body)


def content(taken: Taken) -> dict[str, Any]:
    """Return a notification's payload."""
    read: dict[str, Any] = json.loads(taken.payload)
    return read


def now() -> datetime:
    return datetime.now(UTC)


def _fits(payload: dict[str, Any], card_id: str, event: str) -> bool:
    return (not card_id or payload.get("predictionId") == card_id) and (not event or payload.get("event") == event)
