"""The gateway as a process of its own, for both surfaces: a real broker, the hub's answers, APNs' stand-in."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.access import AddressList, AddressView
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import DeliveredCard, Receipt
from hub.contract.words import DeliveryState
from tests.surfaces.apns.carrying import address, card, now
from tests.surfaces.apns.sending import config_for
from tests.surfaces.apns.standin.certs import Certificates, pkcs8
from tests.surfaces.apns.standin.server import Standin
from tests.surfaces.hub_double import TOKEN, USER, HubDouble, a_hub

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
WAIT_S_MAX = 40
REPEAT_S = 5
PHONE, WATCH, FACE = "a1" * 32, "b2" * 32, "c3" * 32
ADDRESSES = {
    "phone": AddressList(user=USER, addresses=(AddressView(device="iphone", address=address(PHONE)),)),
    "watch": AddressList(
        user=USER, addresses=(AddressView(device="wrist", address=address(WATCH, widget_token=FACE)),)
    ),
}


@contextlib.asynccontextmanager
async def a_process(
    apns: Standin, hub: HubDouble, folder: Path, key: Path | None = None
) -> AsyncIterator[asyncio.subprocess.Process]:
    config = replace(config_for(apns, key_file=key), day_start_hour=0, day_end_hour=24)
    told = {
        "PULSE_API": hub.api,
        "PULSE_APNS_CONFIG": msgspec.json.encode(config).decode(),
        "PULSE_APNS_STATE": str(folder / "state"),
        "PULSE_ZONE": "Europe/Berlin",
        "PULSE_CHILD": "1",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "surfaces.apns", stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | told
    )
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode({"PULSE_TOKEN": TOKEN}) + b"\n")
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def deliver(hub: HubDouble, place: str, name: str) -> None:
    said = DeliveredCard(card=card(name))
    envelope = Envelope(id=name, source="pulse/hub", type="deliver", time=now(), data=said)
    hub.ear.client.publish(f"pulse/v1/{USER}/deliver/{place}", encode(envelope), 1)


async def until_ready(hub: HubDouble) -> None:
    await hub.ear.ready.wait()
    wanted = {f"GET /api/v1/addresses/{surface}" for surface in ADDRESSES}
    while wanted:
        wanted.discard(await hub.asked.get())


async def test_it_serves_both_surfaces_and_leaves_with_the_hub(certificates: Certificates, tmp_path: Path) -> None:
    async with (
        Standin(certificates) as apns,
        a_hub(tmp_path, ADDRESSES) as hub,
        a_process(apns, hub, tmp_path) as process,
        asyncio.timeout(WAIT_S_MAX),
    ):
        await until_ready(hub)
        heard: dict[str, Receipt] = {}
        while len(heard) < len(ADDRESSES):  # repeated until there is a receipt, as the hub does
            deliver(hub, "phone/iphone", "d1")
            deliver(hub, "watch/wrist", "d2")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REPEAT_S):
                    while len(heard) < len(ADDRESSES):
                        topic, receipt = await hub.ear.heard.get()
                        heard[topic] = receipt
        assert {topic: receipt.state for topic, receipt in heard.items()} == {
            f"pulse/v1/{USER}/receipt/phone/iphone": DeliveryState.ACCEPTED,
            f"pulse/v1/{USER}/receipt/watch/wrist": DeliveryState.ACCEPTED,
        }
        await apns.until(lambda apns: {PHONE, WATCH, FACE} <= {taken.token for taken in apns.taken})
        assert len(apns.team.tokens) == 1
        assert apns.faults == []
        assert process.stdin is not None
        process.stdin.close()  # the hub is gone
        _, said = await process.communicate()
        assert (process.returncode, said) == (0, b"")


async def test_a_key_that_apple_refuses_ends_it_with_the_setting_named(
    certificates: Certificates, tmp_path: Path
) -> None:
    wrong = tmp_path / "Wrong.p8"
    wrong.write_bytes(pkcs8(Certificates(tmp_path).team_key))
    async with (
        Standin(certificates) as apns,
        a_hub(tmp_path, ADDRESSES) as hub,
        a_process(apns, hub, tmp_path, wrong) as process,
        asyncio.timeout(WAIT_S_MAX),
    ):
        await until_ready(hub)
        deliver(hub, "phone/iphone", "d1")
        _, said = await process.communicate()
    assert process.returncode == 1
    assert b"`apns.team_id`, `apns.key_id` and `apns.key_file` do not belong together. [bad-apns-config]" in said
    assert hub.ear.heard.empty()  # without a receipt: it comes again when the key is mended
