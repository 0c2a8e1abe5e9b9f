"""The gateway as a process: with a real broker, a stand-in for the hub's two answers, a push service, a browser."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from hub.contract.access import AddressList, AddressView
from hub.contract.envelope import Envelope, encode
from hub.contract.events import PredictionNew
from hub.contract.surface import DeliveredCard
from hub.contract.words import DeliveryState
from hub.io.home.vapid import load_or_make
from tests.surfaces.hub_double import TOKEN, USER, a_hub
from tests.surfaces.shown import delivery, prediction
from tests.surfaces.web.carrying import now
from tests.surfaces.web.push_service import PushService

pytestmark = [pytest.mark.slow, pytest.mark.needs_mosquitto]
WAIT_S_MAX = 40
KNOWN = {"PULSE_API": "http://127.0.0.1:1", "PULSE_TOKEN": "x"}


@pytest.fixture
async def service() -> AsyncIterator[PushService]:
    async with PushService() as running:
        yield running


async def test_it_pairs_carries_and_tells(service: PushService, tmp_path: Path) -> None:
    views = (AddressView(device="phone", address=service.subscribe("p")),)
    known = {"browser": AddressList(user=USER, addresses=views)}
    async with a_hub(tmp_path, known) as hub:
        environment = {
            **os.environ,
            "PULSE_API": hub.api,
            "PULSE_WEB_CONFIG": json.dumps({"push_hosts": [service.origin]}),
            "PULSE_CHILD": "1",
        }
        secrets = {"PULSE_TOKEN": TOKEN, "PULSE_VAPID_KEY": load_or_make(tmp_path / "key.json").private}
        gateway = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "surfaces.web", stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        assert gateway.stdin is not None
        gateway.stdin.write(json.dumps(secrets).encode() + b"\n")
        try:
            async with asyncio.timeout(WAIT_S_MAX):
                await hub.ear.ready.wait()
                assert [await hub.asked.get(), await hub.asked.get()] == [
                    "POST /api/v1/gateways",
                    "GET /api/v1/addresses/browser",
                ]
                hub.ear.client.publish(f"pulse/v1/{USER}/deliver/browser/phone", encode(delivered()), 1)
                topic, receipt = await hub.ear.heard.get()
                assert (topic, receipt.delivery_id) == (f"pulse/v1/{USER}/receipt/browser/phone", "dlv_1")
                assert receipt.state is DeliveryState.ACCEPTED
                assert json.loads(service.taken[0].plain)["notification"]["body"] == "Run the tests"
                gateway.stdin.close()  # the hub is gone
                _, said = await gateway.communicate()
            assert (gateway.returncode, said) == (0, b"")
        finally:
            if gateway.returncode is None:
                gateway.kill()
                await gateway.wait()


def delivered() -> Envelope[DeliveredCard]:
    card = delivery(PredictionNew(prediction=prediction()), expires_at=now() + timedelta(minutes=5))
    return Envelope(id="dlv_1", source="pulse/hub", type="deliver", time=now(), data=DeliveredCard(card=card))


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "not-running"),
        (KNOWN, "bad-push-key"),
        (KNOWN | {"PULSE_WEB_CONFIG": "{}"}, "bad-push-key"),
        (KNOWN | {"PULSE_WEB_CONFIG": "{}", "PULSE_VAPID_KEY": "nonsense"}, "bad-push-key"),
        (KNOWN | {"PULSE_WEB_CONFIG": '{"push_hosts": ["*"]}', "PULSE_VAPID_KEY": "x"}, "bad-push-key"),
    ],
)
def test_what_it_cannot_begin_with_is_said_in_two_lines(environment: dict[str, str], code: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PULSE_")}
    done = subprocess.run(
        [sys.executable, "-m", "surfaces.web"],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=WAIT_S_MAX,
    )
    assert done.returncode in {1, 3}
    assert f"[{code}]" in done.stderr
    assert "Traceback" not in done.stderr
