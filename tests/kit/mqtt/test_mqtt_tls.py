"""TLS to a real mosquitto with a certificate of our own."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hub.io.broker.loopback import LOOPBACK, free_port
from hub.kit.mqtt.address import BrokerAddress
from hub.kit.mqtt.connection import LinkOptions
from hub.kit.mqtt.link import MqttLink
from tests.conformance.bus.world import PROMPT
from tests.fakes.bus import Inbox

WAIT_S = 30

pytestmark = pytest.mark.needs_mosquitto
KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
NAMES = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]


def make_certificate(certificate: Path, key: Path) -> None:
    command = ["openssl", "req", "-x509", "-days", "2", *KEY, *NAMES, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
async def tls_broker(program: Path, tmp_path: Path) -> AsyncIterator[BrokerAddress]:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    certificate, key, port = tmp_path / "cert.pem", tmp_path / "key.pem", free_port()
    make_certificate(certificate, key)
    for path in (tmp_path, certificate, key):
        path.chmod(0o755 if path.is_dir() else 0o644)
    conf = tmp_path / "tls.conf"
    conf.write_text(
        f"user root\nlistener {port} {LOOPBACK}\ncertfile {certificate}\nkeyfile {key}\nallow_anonymous true\n"
    )
    broker = await asyncio.create_subprocess_exec(program, "-c", conf, stderr=asyncio.subprocess.DEVNULL)
    yield BrokerAddress(host=LOOPBACK, port=port, tls=True, ca_file=certificate)
    broker.terminate()
    await broker.wait()


@pytest.mark.slow
async def test_messages_of_every_size_pass_over_tls(tls_broker: BrokerAddress) -> None:
    inbox = Inbox()
    bus = MqttLink(LinkOptions(address=tls_broker, client_id="tls"), tuning=PROMPT)
    await bus.listen(["a/#"], inbox)
    bus.start()
    assert await bus.until_connected(5), bus.health()
    sizes = [0, 1, 100, 16_384, 16_385, 100_000, 262_144, 1]
    answers = await asyncio.gather(*(bus.publish("a/b", b"x" * size) for size in sizes))
    assert all(answers)
    await inbox.wait_count(len(sizes))
    assert [len(payload) for payload in inbox.payloads] == sizes
    await bus.close()


@pytest.mark.slow
async def test_an_unknown_certificate_is_not_trusted_and_says_so(tls_broker: BrokerAddress) -> None:
    address = BrokerAddress(host=tls_broker.host, port=tls_broker.port, tls=True)
    is_refused = asyncio.Event()
    bus = MqttLink(LinkOptions(address=address, client_id="tls"), tuning=PROMPT, on_loss=lambda _: is_refused.set())
    bus.start()
    async with asyncio.timeout(WAIT_S):
        await is_refused.wait()
    assert not bus.health().connected
    assert "certificate" in bus.health().detail
    await bus.close()
