"""`pulse apns setup` against a strict stand-in for Apple: each fault in turn, then a test that is seen on the app."""

import contextlib
import sys
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import click
import msgspec
import pytest

from hub.contract.access import DeviceList, DeviceTest, OutsideView
from hub.contract.api import HealthAnswer, HealthPart
from hub.contract.words import DeliveryState
from hub.io.home.folder import Home
from surfaces.apns.check import NOBODY
from surfaces.apns.settings import KEY
from tests.cli import setup_services as services
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.cli.test_setups import (
    ARRIVED,
    MALFORMED,
    NO_NETWORK,
    PERMISSION,
    SEEN,
    WRONG,
    Answers,
    Scene,
    lay_out,
    view,
    yes,
)
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin
from tests.surfaces.terminal.scenes import NOW, status

pytestmark = [pytest.mark.slow]
TEAM, KEY_ID, TOPIC = "TEAM123456", "KEY1234567", "org.example.acc"
ENTER = ""


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return Certificates(tmp_path)


@contextlib.asynccontextmanager
async def apple(certificates: Certificates) -> AsyncIterator[str]:
    async with Standin(certificates) as standin:
        standin.unknown.add(NOBODY)
        yield standin.host


def settings_for(certificates: Certificates, host: str) -> str:
    return f'[apns]\nhost = "{host}"\nsandbox_host = "{host}"\nca_file = "{certificates.ca_file}"\n'


def lay_out_apple(hub: SmallHub, monkeypatch: pytest.MonkeyPatch, *, surface: str = "phone") -> None:
    """Let the hub run the gateway, and have an app that confirms nothing."""
    device = view(surface, "1")
    lay_out(hub, monkeypatch, device, DeliveryState.ACCEPTED)
    hub.answer("POST /api/v1/surfaces/apns/renew", b'{"surface": "apns", "runs": true}')
    runs = HealthPart(name="surface apns", status="ok", detail="running")
    health = HealthAnswer(status="ok", version="1", parts=(runs,), cross_poll_status=status(), timestamp=NOW)
    hub.answer("GET /api/v1/health", health)


class Person(Answers):
    """Enter alone keeps what was typed before."""

    def __call__(self, title: str, **more: object) -> str | bool:
        return super().__call__(title, **more) or str(more.get("default", ""))


@pytest.mark.usefixtures("at_a_terminal")
def test_each_fault_is_told_apart_and_asked_again_until_a_test_is_seen(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, certificates: Certificates, tmp_path: Path
) -> None:
    home = hub.home
    lay_out_apple(hub, monkeypatch)
    away = f"127.0.0.1:{services.refused_port()}"
    (home / "config.toml").write_text(settings_for(certificates, away))
    with services.in_thread(apple(certificates)) as host:
        scene = Scene(home, home / "config.toml", tmp_path, host)
        there = partial(scene.reaches, settings_for(certificates, host))
        typed = (
            *("my key", str(certificates.key_file), KEY_ID, "OTHER12345", "com.example.other", there),
            *(ENTER, ENTER, TEAM),
            *(TOPIC, yes),
        )
        person = Person(home, *typed)
        monkeypatch.setattr(click, "prompt", person)
        monkeypatch.setattr(click, "confirm", person)
        said = pulse("apns", "setup")
    assert said.code == 0, (said, person.asked)
    faults = [word for word in said.out.split() if word.startswith("[setup-")]
    assert faults == [MALFORMED, NO_NETWORK, WRONG, PERMISSION], said.out
    assert person.asked[-1] == SEEN
    assert ARRIVED in said.out
    kept = msgspec.json.decode((home / "set-up.json").read_bytes())["apns"]
    secret = Home(home).secret_path(KEY)
    assert kept == {"team_id": TEAM, "key_id": KEY_ID, "topic": TOPIC, "key_file": str(secret)}
    assert secret.read_bytes() == certificates.key_file.read_bytes()
    assert secret.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("option", "text"), [("--key-file", "/nowhere/AuthKey.p8"), ("--key-id", "key1234567"), ("--topic", "acc")]
)
def test_what_cannot_be_right_is_refused_and_nothing_is_kept(
    pulse: Pulse, hub: SmallHub, certificates: Certificates, option: str, text: str
) -> None:
    given = {"--key-file": str(certificates.key_file), "--key-id": KEY_ID, "--team-id": TEAM, "--topic": TOPIC}
    said = pulse("apns", "setup", *(word for pair in (given | {option: text}).items() for word in pair))
    assert (said.code, MALFORMED in said.err) == (1, True), said
    assert not (hub.home / "set-up.json").exists()
    assert not Home(hub.home).secret_path(KEY).exists()


@pytest.mark.usefixtures("at_a_terminal")
def test_the_app_is_paired_first_and_a_second_time_nothing_is_asked(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, certificates: Certificates
) -> None:
    lay_out_apple(hub, monkeypatch, surface="watch")
    device = view("watch", "1")
    hub.answer("GET /api/v1/devices", DeviceList(devices=(), count=0))
    hub.answer("GET /api/v1/outside", OutsideView(public_url="", own_certificate=False))
    invitation = {"code": "ABCD", "url": "https://localhost/#pair=A", "expiresAt": NOW.isoformat(), "qr": []}
    hub.answer("POST /api/v1/pairing", msgspec.json.encode(invitation))
    shown = time.sleep

    def sleep(seconds: float) -> None:
        if ("POST", "/api/v1/pairing") in {(method, path) for method, path, _ in hub.asked}:
            hub.answer("GET /api/v1/devices", DeviceList(devices=(device,), count=1))
        shown(seconds)

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(click, "confirm", lambda *_a, **_k: True)
    with services.in_thread(apple(certificates)) as host:
        (hub.home / "config.toml").write_text(settings_for(certificates, host))
        given = ("--key-file", str(certificates.key_file), "--key-id", KEY_ID, "--team-id", TEAM, "--topic", TOPIC)
        said = pulse("apns", "setup", "--watch", *given)
        assert said.code == 0, said
        assert "ABCD" in said.out
        assert "https address" in said.out
        assert ARRIVED in said.out
        certificates.key_file.unlink()
        hub.asked.clear()
        hub.answer("GET /api/v1/devices/watch/1/test", DeviceTest())
        again = pulse("apns", "setup", "--watch")
    assert again.code == 0, again
    assert ARRIVED in again.out
    assert pulse("apns", "setup", "--remove").code == 0
    assert not Home(hub.home).secret_path(KEY).exists()
    assert "apns" not in msgspec.json.decode((hub.home / "set-up.json").read_bytes())
