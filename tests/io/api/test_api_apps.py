"""A phone or watch that was stolen: it may answer and switch Pulse on and off, and leaves nothing behind."""

from collections.abc import AsyncIterator

import httpx
import pytest

from hub.io.api.endpoints import ENDPOINTS
from tests.fakes.plain_http import plain_client
from tests.io.api.running import Api, problem

CONFIG = "/api/v1/crosspoll/config"
ADMINS = [one for one in ENDPOINTS if one.scope == "admin" and not one.of_apps]
LETS_IN = [(method, one.path) for one in ADMINS for method in one.methods]
NAMES = {"{surface}": "watch", "{device}": "w1", "{id}": "x"}


@pytest.fixture
async def phone(api: Api) -> AsyncIterator[httpx.AsyncClient]:
    code = (await api.http.post("/api/v1/pairing", json={"profile": "phone"})).json()["code"]
    told = (await api.http.post("/api/v1/pair", json={"code": code, "title": "Pixel"})).json()
    assert "admin" in told["scopes"]
    async with plain_client(api.address, {"Authorization": f"Bearer {told['token']}"}) as http:
        yield http


def named(path: str) -> str:
    for name, value in NAMES.items():
        path = path.replace(name, value)
    return path


def test_what_lets_in_is_among_what_is_tried() -> None:
    assert {("POST", f"/api/v1/{one}") for one in ("tokens", "devices", "passkeys", "agents/attached")} <= set(LETS_IN)


@pytest.mark.parametrize(("method", "path"), LETS_IN)
async def test_it_lets_nobody_in_and_shuts_nobody_out(phone: httpx.AsyncClient, method: str, path: str) -> None:
    assert problem(await phone.request(method, named(path), json={})).code == "out-of-scope"


@pytest.mark.parametrize("said", [{}, {"profile": "phone"}, {"purpose": "confirm"}], ids=str)
async def test_it_makes_no_code(phone: httpx.AsyncClient, said: dict[str, str]) -> None:
    assert problem(await phone.post("/api/v1/pairing", json=said)).code == "out-of-scope"


async def test_it_keeps_no_notification_from_another_device(phone: httpx.AsyncClient) -> None:
    assert problem(await phone.delete("/api/v1/devices/watch/w1/address")).code == "out-of-scope"


async def test_it_switches_pulse_off_and_on(phone: httpx.AsyncClient) -> None:
    assert (await phone.patch(CONFIG, json={"emergencyStop": True})).is_success
    assert (await phone.patch(CONFIG, json={"autonomous": True})).is_success
