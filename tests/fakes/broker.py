"""A real mosquitto that a test stops and starts, and what the hub would say and hear there."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from hub.contract.access import Login
from hub.io.broker.choose import find_mosquitto
from tests.bench.hub_process import free_port

WAIT_S_MAX = 60.0
KINDS = ("decision", "presence", "receipt")


class PlainBroker:
    """One broker on one port; it forgets everything when it is stopped."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._conf = folder / "plain.conf"
        self._conf.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def login(self) -> Login:
        url = f"mqtt://127.0.0.1:{self.port}"
        return Login(
            url=url, username="u", password="p", client_id="glasses", user="me", surface="glasses", device="pi"
        )

    def start(self) -> None:
        """Start it; whoever connects meanwhile tries again."""
        program = str(find_mosquitto())
        self._process = subprocess.Popen([program, "-c", str(self._conf)], stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(WAIT_S_MAX)
            self._process = None


@contextlib.contextmanager
def plain_broker(folder: Path) -> Iterator[PlainBroker]:
    """Run a broker for as long as the block lasts."""
    broker = PlainBroker(folder)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


@contextlib.contextmanager
def hub_side(broker: PlainBroker, heard: "mqtt.CallbackOnMessage") -> Iterator[mqtt.Client]:
    """Be the hub's connection: hear what the glasses say, and publish to them."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="hub", clean_session=True)
    client.reconnect_delay_set(1, 1)
    client.on_connect = lambda one, *_: one.subscribe([(f"pulse/v1/me/{kind}/#", 1) for kind in KINDS])
    client.on_message = heard
    client.connect_async("127.0.0.1", broker.port)
    client.loop_start()
    try:
        yield client
    finally:
        client.on_connect = client.on_message = None
        client.disconnect()
        client.loop_stop()
