"""Signing in to a gateway as a device, over a real WebSocket, and what follows when it does not go well."""

import base64
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from websockets.asyncio.server import ServerConnection, serve

from hub.io.attached.openclaw.connection import (
    CallRefused,
    OpenClawAwayError,
    OpenClawRefusedError,
    open_gateway,
    require_private,
)
from hub.io.attached.openclaw.device import device_id, new_key
from hub.io.attached.openclaw.kept_device import OpenClawDevice, device_at, forget_device, keep_device
from tests.io.attached.openclaw_said import EXEC

CHALLENGE = {"nonce": "n-1", "ts": 1_795_417_253_117}
HELLO = {"type": "hello-ok", "auth": {"role": "operator", "deviceToken": "given"}}
Answer = Callable[[dict[str, Any]], dict[str, Any]]


@contextlib.asynccontextmanager
async def gateway(answer: Answer) -> AsyncIterator[str]:
    """Run a gateway that replies as `answer` says; `tell` as a method is followed by an event."""

    async def speak(socket: ServerConnection) -> None:
        await socket.send(json.dumps({"type": "event", "event": "connect.challenge", "payload": CHALLENGE}))
        async for raw in socket:
            said = json.loads(raw)
            await socket.send("no JSON")
            await socket.send(json.dumps({"type": "event", "event": "tick", "payload": {}}))
            await socket.send(json.dumps({"type": "res", "id": said["id"], **answer(said)}))
            if said["method"] == "tell":
                event = {"type": "event", "event": "exec.approval.requested", "payload": EXEC}
                await socket.send(json.dumps(event))
                await socket.close()

    async with serve(speak, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


def welcome(said: dict[str, Any]) -> dict[str, Any]:
    match said["method"]:
        case "connect":
            return {"ok": True, "payload": HELLO}
        case "no":
            return {"ok": False, "error": {"code": "INVALID_REQUEST", "message": "not so"}}
    return {"ok": True, "payload": [1]}


async def test_a_device_proves_with_each_connection_that_it_has_the_key() -> None:
    seen: list[dict[str, Any]] = []

    def note(said: dict[str, Any]) -> dict[str, Any]:
        seen.append(said)
        return welcome(said)

    async with gateway(note) as url:
        device = OpenClawDevice(url=url, key=new_key(), token="mine")
        async with open_gateway(device) as line:
            assert line.token == "given"
    params = seen[0]["params"]
    proof = params["device"]
    public = base64.urlsafe_b64decode(proof["publicKey"] + "=")
    assert proof["id"] == device_id(device.key) == hashlib.sha256(public).hexdigest()
    signed = (
        f"v3|{proof['id']}|gateway-client|ui|operator|{','.join(params['scopes'])}|{CHALLENGE['ts']}|mine|n-1|linux|"
    )
    signature = base64.urlsafe_b64decode(proof["signature"] + "==")
    Ed25519PublicKey.from_public_bytes(public).verify(signature, signed.encode())
    assert "approvals" in params["caps"]


async def test_calls_have_replies_and_events_end_with_the_connection() -> None:
    async with gateway(welcome) as url, open_gateway(OpenClawDevice(url=url, key=new_key(), token="t")) as line:
        assert await line.call("list", {}) == [1]
        assert await line.call("no", {}) == CallRefused(why="not so")
        await line.call("tell", {})
        assert [one.event async for one in line.events()] == ["exec.approval.requested"]
        with pytest.raises(OpenClawAwayError):
            await line.call("list", {})


@pytest.mark.parametrize(
    ("error", "raised", "fix"),
    [
        ({"code": "UNAVAILABLE", "message": "gateway starting"}, OpenClawAwayError, ""),
        ({"code": "UNAUTHORIZED", "message": "bad token"}, OpenClawRefusedError, "pulse connect openclaw"),
        (
            {"code": "NOT_PAIRED", "message": "x", "details": {"code": "PAIRING_REQUIRED", "requestId": "r-7"}},
            OpenClawRefusedError,
            "openclaw devices approve r-7",
        ),
    ],
)
async def test_a_gateway_that_lets_nobody_in_says_why(
    error: dict[str, Any], raised: type[OpenClawAwayError | OpenClawRefusedError], fix: str
) -> None:
    async with gateway(lambda _: {"ok": False, "error": error}) as url:
        with pytest.raises(raised) as found:
            async with open_gateway(OpenClawDevice(url=url, key=new_key())):
                pass
    assert fix in found.value.fix


async def test_nobody_there_is_said() -> None:
    with pytest.raises(OpenClawAwayError, match="does not answer"):
        async with open_gateway(OpenClawDevice(url="ws://127.0.0.1:9", key=new_key())):
            pass


@pytest.mark.parametrize(
    "url", ["ws://192.168.1.7:18789", "http://127.0.0.1:1", "ws://", "ws://localhost.example.org:1"]
)
def test_nothing_crosses_a_network_in_the_clear(url: str) -> None:
    with pytest.raises(OpenClawRefusedError):
        require_private(url)


def test_the_device_is_kept_for_its_owner_alone(tmp_path: Any) -> None:  # noqa: ANN401  pytest's path
    device = OpenClawDevice(url="ws://127.0.0.1:1", key=new_key(), token="t")
    assert device_at(tmp_path) is None
    keep_device(tmp_path, device)
    assert device_at(tmp_path) == device
    assert (tmp_path / "secrets" / "openclaw.json").stat().st_mode & 0o077 == 0
    assert device.token not in repr(device)
    assert device.key not in repr(device)
    forget_device(tmp_path)
    assert device_at(tmp_path) is None
