"""`pulse phone`: which ways it takes and which it refuses; the whole way is in tests/web/test_journey_phone.py."""

import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click import termui

from hub.cli import phone_steps, surface_setup, ways
from hub.cli.api import open_api
from hub.cli.beginning import not_arrived
from hub.cli.command import CommandContext
from hub.contract.access import (
    DeviceList,
    DeviceTest,
    DeviceView,
    OutsideProof,
    OutsideView,
    SurfaceRenewed,
    TerminalList,
    WaitingBrowser,
    WaitingList,
)
from hub.contract.api import HealthAnswer, HealthPart
from hub.contract.words import DeliveryState
from hub.io.home.networks import lan_addresses
from hub.kit.setup_faults import SetupMalformedError
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW, status

FINGERPRINT = ":".join(f"{number:02X}" for number in range(32))
TAILSCALE = """#!/bin/sh
echo "$@" >> "$SAID"
if [ "$1" = status ]; then
  echo '{"BackendState": "'$STATE'", "Self": {"DNSName": "laptop.tail1.ts.net.", "Other": 1}}'
else
  echo "Serve is not enabled on your tailnet." >&2
  exit 1
fi
"""


@pytest.fixture
def tailscale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = tmp_path / "bin" / "tailscale"
    program.parent.mkdir()
    program.write_text(TAILSCALE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setenv("SAID", str(tmp_path / "said"))
    monkeypatch.setenv("STATE", "Running")
    return tmp_path / "said"


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "localhost", "::1"])
def test_there_is_never_a_way_over_loopback(address: str) -> None:
    with pytest.raises(ways.NoWayError, match="only reachable on this machine"):
        ways.own_way(address, 8443)
    assert not any(one.startswith("127.") for one in lan_addresses())


@pytest.mark.parametrize(
    ("found", "says"),
    [((), "not on a network"), (("8.8.8.8",), "public internet"), (("10.0.0.5", "192.168.1.5"), "several networks")],
)
def test_an_address_that_is_not_plain_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, found: tuple[str, ...], says: str
) -> None:
    monkeypatch.setattr(ways, "lan_addresses", lambda: found)
    with pytest.raises(ways.NoWayError, match=says):
        ways.own_way(None, 8443)


def test_the_own_way_and_a_named_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "lan_addresses", lambda: ("192.168.1.5",))
    assert ways.own_way(None, 8443).url == "https://192.168.1.5:8443"
    assert ways.own_way("fd00::5", 8443).url == "https://[fd00::5]:8443"
    assert ways.named_way("https://pulse.example.org/").url == "https://pulse.example.org"
    for wrong in ("http://pulse.example.org", "pulse.example.org", "https://x/path"):
        with pytest.raises(SetupMalformedError):
            ways.named_way(wrong)


def test_what_tailscale_says_is_passed_on(pulse: Pulse, hub: SmallHub, tailscale: Path) -> None:
    assert not any(method == "POST" for method, _, _ in hub.asked)
    said = pulse("phone", "--tailscale")
    assert said.code == 1
    assert "Serve is not enabled on your tailnet." in said.err
    assert tailscale.read_text().split("\n")[:2] == ["status --json", "serve --bg 1"]


def test_without_tailscale_it_says_where_it_is_and_how_else(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = pulse("phone", "--tailscale")
    assert "Install it (https://tailscale.com/download), or choose another way: `pulse phone`." in said.err
    assert not any(method == "POST" for method, _, _ in hub.asked)


def test_a_tailscale_that_is_not_connected_is_no_way(tailscale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ways.has_tailscale()
    monkeypatch.setenv("STATE", "Stopped")
    assert not ways.has_tailscale()
    assert tailscale.exists()


@pytest.mark.slow
def test_an_address_that_leads_elsewhere_is_taken_back_and_not_kept(pulse: Pulse, hub: SmallHub, home: Path) -> None:
    before = OutsideView(public_url="", own_certificate=False)
    hub.answer("GET /api/v1/outside", before)
    hub.answer("POST /api/v1/outside", before)
    hub.answer("GET /api/v1/outside/proof", OutsideProof(proof="ours"))
    said = pulse("phone", "--url", "https://localhost:1")
    assert said.code == 1
    assert "[setup-no-network]" in said.err
    told = [json.loads(body) for method, path, body in hub.asked if (method, path) == ("POST", "/api/v1/outside")]
    assert [one["publicUrl"] for one in told] == ["https://localhost:1", ""]
    assert not (home / "set-up.json").exists()


def test_what_the_settings_file_says_is_stronger(pulse: Pulse, hub: SmallHub, home: Path) -> None:
    (home / "config.toml").write_text('[api]\npublic_url = "https://pulse.example.org"\n')
    said = pulse("phone", "--own-certificate", "--address", "192.168.1.5", "--yes")
    assert "[set-in-config]" in said.err
    assert not any(method == "POST" for method, _, _ in hub.asked)


def test_it_is_taken_back(pulse: Pulse, hub: SmallHub, home: Path) -> None:
    (home / "set-up.json").write_text('{"api": {"public_url": "https://a.example"}, "discord": {"guild_id": "1"}}')
    hub.answer("POST /api/v1/outside", OutsideView(public_url="", own_certificate=False))
    assert "Only this machine" in pulse("phone", "--off").out
    assert json.loads((home / "set-up.json").read_text()) == {"discord": {"guild_id": "1"}}


def test_nothing_is_opened_without_a_yes(pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert "Nothing was changed" in pulse("phone", "--own-certificate", "--address", "192.168.1.5").err
    assert not any(method == "POST" for method, _, _ in hub.asked)
    monkeypatch.setattr(ways, "lan_addresses", lambda: ("192.168.1.5",))
    monkeypatch.setattr(ways, "has_tailscale", lambda: False)
    assert "--own-certificate" in pulse("phone").err


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        ("00 01 02 03 04 05 06 07", True),
        ("00:01:02:03:04:05:06:07:08", True),
        ("0001020304050607", True),
        (FINGERPRINT.lower(), True),
        ("00 01 02 03", False),
        ("00 01 02 03 04 05 06 08", False),
        ("", False),
    ],
)
def test_a_fingerprint_is_the_same_however_it_is_written_and_never_by_its_first_digits(
    typed: str, *, same: bool
) -> None:
    assert phone_steps.is_same(typed, FINGERPRINT) is same


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (DeliveryState.ACCEPTED, "has not shown"),
        (DeliveryState.QUEUED, "machine online"),
        (DeliveryState.DEAD, "no longer accepts its address"),
        (DeliveryState.UNKNOWN, "no reason was given"),
        (None, "machine online"),
    ],
)
def test_a_test_that_is_not_shown_is_said_to_be_where_it_is(state: DeliveryState | None, says: str) -> None:
    assert says in not_arrived(DeviceTest(state=state, at=NOW))


def test_the_picture_is_refused_where_a_phone_could_do_nothing_with_it(pulse: Pulse, hub: SmallHub) -> None:
    invitation = {"code": "A", "url": "http://127.0.0.1:1/#pair=A", "expiresAt": NOW.isoformat(), "qr": []}
    hub.answer("POST /api/v1/pairing", json.dumps(invitation).encode())
    said = pulse("open", "--qr")
    assert "[only-on-this-machine]" in said.err
    assert "pulse phone" in said.err


CHAT = DeviceView(surface="telegram", device="chat", title="", profile="telegram", online=True, reachable=True)
FOUND = """import os; assert os.environ["PULSE_TELEGRAM_TOKEN"]; print('{"person_id": "4242"}')"""
RENEWED = ("POST", "/api/v1/surfaces/telegram/renew")
TESTED = "/api/v1/devices/telegram/chat/test"


@pytest.fixture
def nobody_knows_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody at a terminal, without Tailscale, who has set up nothing yet."""
    monkeypatch.setattr(ways, "has_tailscale", lambda: False)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)


@pytest.mark.slow
@pytest.mark.usefixtures("nobody_knows_the_way")
def test_telegram_is_the_first_way_and_begins_in_the_running_pulse(
    pulse: Pulse, hub: SmallHub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surface_setup, "program_of", lambda _surface: [sys.executable, "-c", FOUND])
    typed = iter([1, f"12345:{'x' * 35}"])
    monkeypatch.setattr(click, "prompt", lambda *_, **__: next(typed))
    hub.answer("POST /api/v1/surfaces/telegram/renew", SurfaceRenewed(surface="telegram", runs=True))
    hub.answer("GET /api/v1/devices", DeviceList(devices=(CHAT,), count=1))
    trouble = HealthPart(name="surface telegram", status="degraded", detail="Another program reads this bot's messages")
    health = HealthAnswer(status="ok", version="1", parts=(trouble,), cross_poll_status=status(), timestamp=NOW)
    hub.answer("GET /api/v1/health", health)
    hub.answer(f"POST {TESTED}", CHAT)
    hub.answer(f"GET {TESTED}", DeviceTest())

    def shown() -> None:
        hub.answer(f"GET {TESTED}", DeviceTest(state=DeliveryState.SHOWN, at=NOW))

    monkeypatch.setattr(time, "sleep", lambda _: shown())
    said = pulse("phone")
    assert said.code == 0, said.err
    assert "  1  Telegram" in said.out
    for told in ("/newbot", "Telegram is running now", "! Another program reads", "The test is there"):
        assert told in said.out
    assert json.loads((home / "set-up.json").read_text()) == {"telegram": {"person_id": "4242"}}
    asked = [(method, path) for method, path, _ in hub.asked]
    assert RENEWED in asked
    assert ("POST", "/api/v1/outside") not in asked, "nothing is opened for a phone that needs no way here"


@pytest.mark.usefixtures("nobody_knows_the_way")
@pytest.mark.parametrize(("number", "code"), [("2", "tailscale-not-ready"), ("3", "no-way-for-phones")])
def test_the_other_ways_are_offered_with_it(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, number: str, code: str
) -> None:
    monkeypatch.setattr(ways, "lan_addresses", tuple)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(click, "prompt", lambda *_, **__: int(number))
    said = pulse("phone")
    assert f"[{code}]" in said.err
    assert not any(method == "POST" for method, _, _ in hub.asked)


@pytest.mark.usefixtures("nobody_knows_the_way")
def test_a_number_that_is_not_in_the_list_is_asked_for_again(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    typed = iter(["9", "two", "2"])
    monkeypatch.setattr(termui, "visible_prompt_func", lambda _: next(typed))
    said = pulse("phone")
    assert said.out.count("Error: Type a number from 1 to 4.") == 2
    assert "[tailscale-not-ready]" in said.err
    assert not any(method == "POST" for method, _, _ in hub.asked)


@pytest.mark.usefixtures("nobody_knows_the_way")
def test_without_a_private_address_the_ways_that_need_none_are_named(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways, "lan_addresses", lambda: ("192.0.2.7",))
    monkeypatch.setattr(ways, "host_is_private", lambda _: False)
    monkeypatch.setattr(click, "prompt", lambda *_, **__: 3)
    said = pulse("phone")
    assert "not from here: this machine has no address in a private network" in said.out
    for way in ("--telegram", "--tailscale", "--url URL"):
        assert way in said.err
    assert "--address 192.0.2.7" in said.err, "a phone on the same public network may still reach it"
    assert not any(method == "POST" for method, _, _ in hub.asked)


def test_of_several_networks_one_is_named_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "lan_addresses", lambda: ("10.0.0.5", "192.168.1.5"))
    with pytest.raises(ways.NoWayError) as raised:
        ways.own_way(None, 8443)
    assert "`pulse phone --own-certificate --address 10.0.0.5`" in raised.value.fix


PAIRED = DeviceView(surface="browser", device="pixel", profile="browser", online=True, title="Phone")


class Phone:
    """A phone that signs in with the n-th code that it is shown, and what the person answers when one has expired."""

    def __init__(self, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, *, with_code: int, wants_more: bool) -> None:
        self.hub, self.codes, self.questions = hub, 0, list[str]()
        self._with_code, self._wants_more = with_code, wants_more
        hub.answer("GET /api/v1/outside", OutsideView(public_url="https://a.example", own_certificate=False))
        monkeypatch.setattr(phone_steps, "until", self.wait)
        monkeypatch.setattr(phone_steps, "can_ask", lambda: True)
        monkeypatch.setattr(click, "confirm", self.confirm)

    def wait(self, look: Callable[[], DeviceView | None], _wait_s: float) -> DeviceView | None:
        self.codes += 1
        if self.codes == self._with_code:
            self.hub.answer("GET /api/v1/devices", DeviceList(devices=(PAIRED,), count=1))
        return look()

    def confirm(self, question: str, **_: object) -> bool:
        self.questions.append(question)
        return self._wants_more

    def invitation(self) -> dict[str, object]:
        return {"code": "ABCDE-FGHIJ", "url": "https://a.example/#pair=A", "expiresAt": NOW.isoformat(), "qr": []}

    def sign_in(self, *, iphone: bool = False, by_page: bool = False) -> DeviceView:
        self.hub.answer("POST /api/v1/pairing", json.dumps(self.invitation()).encode())
        context = CommandContext(home=self.hub.home, as_json=False, colour=False)
        api = open_api(self.hub.home)
        return phone_steps.sign_in(context, api, "https://a.example", iphone=iphone, by_page=by_page)


def test_it_waits_and_says_when_the_phone_has_paired(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = Phone(hub, monkeypatch, with_code=1, wants_more=False)
    assert phone.sign_in() == PAIRED
    out = capsys.readouterr().out
    assert "Waiting for the phone" in out
    assert "✓ Signed in: Phone." in out
    assert phone.questions == []


def test_when_the_code_has_expired_it_offers_a_new_one(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    phone = Phone(hub, monkeypatch, with_code=2, wants_more=True)
    assert phone.sign_in() == PAIRED
    assert phone.questions == ["That code has expired. Show a new one?"]
    asked = [path for method, path, _ in hub.asked if method == "POST"]
    assert asked == ["/api/v1/pairing", "/api/v1/pairing"]
    assert capsys.readouterr().out.count("Scan it") == 2


def test_a_person_who_wants_no_new_code_is_told_how_to_go_on(hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone(hub, monkeypatch, with_code=0, wants_more=False)
    with pytest.raises(phone_steps.PhoneWaitError) as raised:
        phone.sign_in()
    assert "`pulse phone` shows a new code" in raised.value.fix
    assert len(phone.questions) == 1


def agents_could_read(hub: SmallHub, monkeypatch: pytest.MonkeyPatch, *browsers: DeviceView) -> CommandContext:
    """Connect an agent, and run in a terminal that it could read."""
    monkeypatch.setenv("TMUX", "tmux-0/default,1,0")
    hub.answer("GET /api/v1/terminals", TerminalList(terminals=(), count=0, needed=True))
    hub.answer("GET /api/v1/devices", DeviceList(devices=browsers, count=len(browsers)))
    return CommandContext(home=hub.home, as_json=False, colour=False)


def test_where_agents_could_read_the_code_it_says_first_that_the_page_shows_it(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    context = agents_could_read(hub, monkeypatch, PAIRED)
    assert phone_steps.is_code_on_page(context, open_api(hub.home))
    assert capsys.readouterr().out == "Agents are connected and could read a code here, so your page will show it.\n"


def test_where_no_page_could_show_the_code_it_ends_before_anything_is_opened(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents_could_read(hub, monkeypatch)
    said = pulse("phone", "--url", "https://a.example")
    assert (said.code, "[agents-could-read-it]" in said.err) == (1, True)
    assert [method for method, _, _ in hub.asked if method != "GET"] == []


@pytest.mark.parametrize(
    ("iphone", "does"), [(False, "Scan the code on your page with the phone."), (True, "and type the code.")]
)
def test_with_the_code_on_the_page_it_asks_for_none_and_waits_for_the_phone(
    hub: SmallHub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, iphone: bool, does: str
) -> None:
    phone = Phone(hub, monkeypatch, with_code=1, wants_more=False)
    assert phone.sign_in(iphone=iphone, by_page=True) == PAIRED
    out = capsys.readouterr().out
    assert "✓ Your phone can reach Pulse now. The code is on your page" in out
    assert does in out
    assert "✓ Signed in: Phone." in out
    assert [method for method, _, _ in hub.asked if method == "POST"] == []


def test_a_phone_that_does_not_come_can_still_sign_in_later(hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone(hub, monkeypatch, with_code=0, wants_more=False)
    with pytest.raises(phone_steps.PhoneWaitError, match="No phone has signed in yet") as raised:
        phone.sign_in(by_page=True)
    assert "Pair a device" in raised.value.fix
    assert phone.questions == []


CERTIFICATES = ("AB 12 00 01 02 03 CD 34", "AB 12 10 11 12 13 CD 34")
WAITS = WaitingBrowser(id="w1", title="Chrome on Android", number="417", host="192.168.1.5:8443")


class WarnedPhone(Phone):
    """One whose browser does not know the certificate, so that it waits."""

    def wait(self, look: Callable[[], DeviceView | None], wait_s: float) -> DeviceView | None:
        self.hub.answer("GET /api/v1/pairing/waiting", WaitingList(waiting=(WAITS,), count=1))
        self.hub.answer("POST /api/v1/pairing/waiting/w1", WAITS)
        self.hub.answer("DELETE /api/v1/pairing/waiting/w1", WAITS)
        return super().wait(look, wait_s)

    def invitation(self) -> dict[str, object]:
        return {**super().invitation(), "certificates": CERTIFICATES}


@pytest.mark.parametrize(
    ("number", "said"),
    [(2, {"certificate": CERTIFICATES[1], "warned": True}), (3, {"certificate": "", "warned": False})],
)
def test_a_phone_that_warns_is_let_in_by_what_it_shows(
    hub: SmallHub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    number: int,
    said: dict[str, object],
) -> None:
    monkeypatch.setattr(click, "prompt", lambda *_, **__: number)
    phone = WarnedPhone(hub, monkeypatch, with_code=1, wants_more=False)
    assert phone.sign_in() == PAIRED
    out = capsys.readouterr().out
    assert "Chrome on Android is waiting, opened at 192.168.1.5:8443. Its page shows 417." in out
    assert "  2  AB 12 10 11 12 13 CD 34" in out
    assert phone_steps.CERTIFICATE_WARNING not in out
    told = [json.loads(body) for method, path, body in hub.asked if (method, path[-2:]) == ("POST", "w1")]
    assert told == [said]


def test_a_phone_that_shows_none_of_them_is_turned_away(hub: SmallHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(click, "prompt", lambda *_, **__: 4)
    with pytest.raises(phone_steps.TurnedAwayError, match="may be interfering"):
        WarnedPhone(hub, monkeypatch, with_code=1, wants_more=False).sign_in()
    assert ("DELETE", "/api/v1/pairing/waiting/w1") in [(method, path) for method, path, _ in hub.asked]
