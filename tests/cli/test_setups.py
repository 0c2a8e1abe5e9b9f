"""Every set-up, with each fault in turn: it says which, asks again, keeps nothing meanwhile, ends in a seen test."""

import asyncio
import contextlib
import json
import ssl
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

from edge import cli as edge_cli
from edge import doctor
from edge.doctor import Finding
from hub.cli import surface_setup
from hub.contract.access import DeviceList, DeviceTest, DeviceView, OutsideProof, OutsideView, SurfaceRenewed
from hub.contract.api import HealthAnswer
from hub.contract.words import DeliveryState
from hub.io.home.folder import Home
from hub.kit.setup_dialog import TRIES_MAX
from hub.kit.setup_faults import SetupMalformedError
from hub.kit.surface import SurfaceSpec
from tests.cli import setup_services as services
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.surfaces.apprise.real_apprise import apprise_folder
from tests.surfaces.slack import slack_server as slack
from tests.surfaces.terminal.scenes import NOW, status
from tests.web.loopback_certificate import make_certificate

pytestmark = pytest.mark.filterwarnings("ignore:'audioop' is deprecated:DeprecationWarning")  # discord.py brings it
MALFORMED, NO_NETWORK = "[setup-malformed]", "[setup-no-network]"
WRONG, PERMISSION = "[setup-wrong-token]", "[setup-missing-permission]"
SEEN = "Do you see the test there?"
ARRIVED = "Suggestions arrive there now."
REFUSED = f"http://127.0.0.1:{services.refused_port()}"
PROGRAM = """
import runpy, secrets, sys
secrets.choice = lambda signs: signs[0]
if "{surface}" == "discord":
    from discord.http import Route
    Route.BASE = open({place!r}).read()
sys.argv[0] = "{surface}"
runpy.run_module("surfaces.{surface}", run_name="__main__", alter_sys=True)
"""


class Answers:
    """A person at the terminal: what they type at which question, in this order, and what they do before it.

    At every question it is seen that nothing was kept yet.
    """

    def __init__(self, home: Path, *typed: "str | Callable[[], str | bool]") -> None:
        self._home = home
        self._typed = list(typed)
        self.asked: list[str] = []

    def __call__(self, title: str, **_: object) -> str | bool:
        self.asked.append(title)
        answer = self._typed.pop(0)
        if title == SEEN:
            return answer if isinstance(answer, str) else answer()
        assert not (self._home / "set-up.json").exists(), "something was kept before it worked"
        assert not any(self._home.glob("secrets/PULSE_*")), "a secret was kept before it worked"
        return answer if isinstance(answer, str) else answer()


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)


@pytest.fixture(autouse=True)
def no_secret_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec in surface_setup.SPECS.values():
        for name in spec.secrets:
            monkeypatch.delenv(name, raising=False)


def lay_out(hub: SmallHub, monkeypatch: pytest.MonkeyPatch, device: DeviceView, state: DeliveryState) -> None:
    """Let the hub begin a surface, and show its test after a moment."""
    path = f"/api/v1/devices/{device.surface}/{device.device}/test"
    hub.answer(f"POST /api/v1/surfaces/{device.surface}/renew", SurfaceRenewed(surface=device.surface, runs=True))
    hub.answer("GET /api/v1/devices", DeviceList(devices=(device,), count=1))
    health = HealthAnswer(status="ok", version="1", parts=(), cross_poll_status=status(), timestamp=NOW)
    hub.answer("GET /api/v1/health", health)
    hub.answer(f"POST {path}", device)
    hub.answer(f"GET {path}", DeviceTest())

    def shown(_seconds: float) -> None:
        if ("POST", path) in {(method, asked) for method, asked, _ in hub.asked}:
            hub.answer(f"GET {path}", DeviceTest(state=state, at=NOW))

    monkeypatch.setattr(time, "sleep", shown)


def view(surface: str, device: str) -> DeviceView:
    return DeviceView(surface=surface, device=device, title="", profile=surface, online=True, reachable=True)


class Scene(NamedTuple):
    """What a set-up is tried with: its home, and how the world changes between two tries."""

    home: Path
    config: Path
    base: Path
    url: str

    def reaches(self, text: str) -> bool:
        """The network is there again: the settings name the service where it answers."""
        self.config.write_text(text)
        return True


class Case(NamedTuple):
    """A surface: its service, what is typed until all is well, and which faults are said on the way."""

    service: Callable[[], contextlib.AbstractAsyncContextManager[Any]]
    device: str
    typed: Callable[[Scene], tuple["str | Callable[[], str | bool]", ...]]
    faults: tuple[str, ...]
    first: str = ""
    """The settings before the network is there."""


def telegram_typed(scene: Scene) -> tuple[Any, ...]:
    there = partial(scene.reaches, f'[telegram]\napi = "{scene.url}"\n')
    return "my bot", f"123456789:{'x' * 35}", there, services.TELEGRAM_TOKEN


def slack_typed(scene: Scene) -> tuple[Any, ...]:
    there = partial(scene.reaches, f'[slack]\napi = "{scene.url}/api"\n')
    return slack.APP_TOKEN, "xoxb-9-wrong", slack.APP_TOKEN, there, slack.BOT_TOKEN


def discord_typed(scene: Scene) -> tuple[Any, ...]:
    from tests.surfaces.discord.standin import server as discord  # noqa: PLC0415  importing it warns of audioop

    wrong = discord.TOKEN.replace("only", "wrong")

    def there() -> bool:
        scene.base.write_text(scene.url)
        return True

    return "123456789", wrong, there, discord.TOKEN, yes


def matrix_typed(scene: Scene) -> tuple[Any, ...]:
    return "example.org", REFUSED, services.PERSON, f"{services.MATRIX_TOKEN}x", scene.url, services.MATRIX_TOKEN, yes


def home_typed(scene: Scene) -> tuple[Any, ...]:
    wrong = f"{services.HOME_TOKEN}x"
    return "homeassistant", REFUSED, wrong, scene.url, services.HOME_TOKEN, yes, yes


def ntfy_typed(scene: Scene) -> tuple[Any, ...]:
    wrong = services.NTFY_TOKEN.replace("n", "w")
    return "ntfy", REFUSED, scene.url, wrong, services.NTFY_TOKEN, yes


def apprise_typed(scene: Scene) -> tuple[Any, ...]:
    there = scene.url.replace("http:", "json:")
    away = f"{REFUSED.replace('http:', 'json:')}/x"
    return "me@example.org", away, "", f"{there}/x", "you@example.org", "", f"{there}/secret", "", "", yes


def yes() -> bool:
    return True


@contextlib.asynccontextmanager
async def a_slack() -> Any:  # noqa: ANN401  an iterator of its address
    async with slack.slack_server() as workspace:

        async def person() -> None:
            await workspace.until(1, workspace.opened)
            await workspace.write(services.CODE)

        writing = asyncio.create_task(person())
        yield workspace.url
        await writing


@contextlib.asynccontextmanager
async def a_discord() -> Any:  # noqa: ANN401  an iterator of its address
    from tests.surfaces.discord.standin import server as discord  # noqa: PLC0415  importing it warns of audioop

    async with discord.standing_in() as standin:
        yield f"http://127.0.0.1:{standin.port}/api/v10"


CASES = {
    "telegram": Case(
        services.telegram,
        "chat",
        telegram_typed,
        (MALFORMED, NO_NETWORK, WRONG),
        first=f'[telegram]\napi = "{REFUSED}"\n',
    ),
    "slack": Case(
        a_slack, "chat", slack_typed, (MALFORMED, NO_NETWORK, WRONG), first=f'[slack]\napi = "{REFUSED}/api"\n'
    ),
    "discord": Case(a_discord, "bridge", discord_typed, (MALFORMED, NO_NETWORK, WRONG)),
    "matrix": Case(services.matrix, "chat", matrix_typed, (MALFORMED, NO_NETWORK, WRONG, PERMISSION)),
    "homeassistant": Case(services.home_assistant, "home", home_typed, (MALFORMED, NO_NETWORK, WRONG, PERMISSION)),
    "ntfy": Case(services.ntfy, "phone", ntfy_typed, (MALFORMED, NO_NETWORK, PERMISSION, WRONG)),
    "apprise": Case(
        services.hook(401, 403), "services", apprise_typed, (MALFORMED, NO_NETWORK, MALFORMED, WRONG, PERMISSION)
    ),
}


@pytest.mark.slow
@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize("surface", CASES)
def test_a_set_up_says_which_fault_it_is_and_asks_again_until_a_test_is_seen(
    surface: str, pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    case, base, home = CASES[surface], tmp_path / "base", hub.home
    base.write_text(REFUSED)
    (home / "config.toml").write_text(case.first)
    program = PROGRAM.format(surface=surface, place=str(base))
    monkeypatch.setattr(surface_setup, "program_of", lambda _surface: [sys.executable, "-c", program])
    if surface == "apprise":
        monkeypatch.setenv("PYTHONPATH", str(apprise_folder()))
    monkeypatch.setattr(click, "pause", lambda _text: None)
    state = DeliveryState.SHOWN if case.device == "chat" else DeliveryState.ACCEPTED
    lay_out(hub, monkeypatch, view(surface, case.device), state)
    with services.in_thread(case.service()) as url:
        person = Answers(home, *case.typed(Scene(home, home / "config.toml", base, url)))
        monkeypatch.setattr(click, "prompt", person)
        monkeypatch.setattr(click, "confirm", person)
        said = pulse(surface, "setup")
    assert said.code == 0, (said, person.asked)
    assert [word for word in said.out.split() if word.startswith("[setup-")] == list(case.faults), said.out
    assert ARRIVED in said.out
    assert surface in json.loads((home / "set-up.json").read_text())


@contextlib.contextmanager
def outside(certificate: Path, proof: str) -> Iterator[str]:
    """A tunnel's end that phones reach: https, and a hub behind it that proves itself so."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"proof": proof}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"https://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.slow
@pytest.mark.usefixtures("at_a_terminal")
def test_a_phones_address_is_asked_for_until_it_leads_here_and_a_test_is_seen(
    pulse: Pulse, hub: SmallHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    certificate = make_certificate(tmp_path).path
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    device = view("browser", "1")
    lay_out(hub, monkeypatch, device, DeliveryState.SHOWN)
    hub.answer("GET /api/v1/devices", DeviceList(devices=(), count=0))
    hub.answer("GET /api/v1/outside", OutsideView(public_url="", own_certificate=False))
    hub.answer("POST /api/v1/outside", OutsideView(public_url="", own_certificate=False))
    hub.answer("GET /api/v1/outside/proof", OutsideProof(proof="ours"))
    invitation = {"code": "A", "url": "https://localhost/#pair=A", "expiresAt": NOW.isoformat(), "qr": []}
    hub.answer("POST /api/v1/pairing", json.dumps(invitation).encode())
    moments, shown = iter(range(1)), time.sleep

    def sleep(seconds: float) -> None:
        if next(moments, None) is not None:  # the phone has opened its page
            hub.answer("GET /api/v1/devices", DeviceList(devices=(device,), count=1))
        shown(seconds)

    monkeypatch.setattr(time, "sleep", sleep)
    with outside(certificate, "ours") as url, outside(certificate, "theirs") as elsewhere:
        away = REFUSED.replace("http:", "https:")
        person = Answers(hub.home, "http://pulse.example.org", away, elsewhere, url)
        monkeypatch.setattr(click, "prompt", person)
        said = pulse("phone", "--url", "localhost", "--android")
    assert said.code == 0, said
    faults = [word for word in said.out.split() if word.startswith(("[setup-", "[leads-"))]
    assert faults == [MALFORMED, MALFORMED, NO_NETWORK, "[leads-elsewhere]"]
    assert ARRIVED in said.out


@pytest.mark.slow
@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize("hears", [True, False])
def test_the_glasses_ask_for_another_model_until_one_fits_and_play_a_tone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, *, hears: bool
) -> None:
    no_model, model = tmp_path / "text.zip", tmp_path / "model.zip"
    no_model.write_bytes(b"no model")
    with zipfile.ZipFile(model, "w") as packed:
        packed.writestr("a-model/am/final.mdl", b"x")

    async def examine(*_: object) -> list[Finding]:
        return [Finding(part="speaker", status="ok", detail="played a test tone")]

    monkeypatch.setattr(doctor, "examine", examine)
    person = Answers(tmp_path, REFUSED.replace("http:", "https:"), str(no_model), str(model), lambda: hears)
    monkeypatch.setattr(click, "prompt", person)
    monkeypatch.setattr(click, "confirm", person)
    arguments = ["--home", str(tmp_path), "setup", "--from", "ftp://example.org/model.zip"]
    with pytest.raises(SystemExit) as ended:
        edge_cli.main(arguments)
    said = capsys.readouterr().err
    faults = [word for word in said.split() if word.startswith(("[setup-", "[bad-"))]
    assert faults == [MALFORMED, NO_NETWORK, "[bad-model]"]
    assert ("The test was heard" in said, ended.value.code) == (hears, 0 if hears else 1)
    assert ("did not arrive" in said) is not hears


@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize("ends", ["", "Ctrl-C"])
def test_a_set_up_ends_kindly_and_keeps_nothing(
    pulse: Pulse, home: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    def prompt(_title: str, **_: object) -> str:
        if ends:
            raise click.Abort
        return ""

    monkeypatch.setattr(click, "prompt", prompt)
    said = pulse("telegram", "setup")
    assert "Nothing was set up" in said.out + said.err
    assert "Traceback" not in said.err
    assert said.code == (130 if ends else 1)
    assert not (home / "set-up.json").exists()
    assert not Home(home).secret_path("PULSE_TELEGRAM_TOKEN").exists()


@pytest.mark.usefixtures("at_a_terminal")
def test_a_set_up_asks_only_so_often(pulse: Pulse, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def prompt(title: str, **_: object) -> str:
        asked.append(title)
        return "no token"

    monkeypatch.setattr(click, "prompt", prompt)
    said = pulse("telegram", "setup")
    assert (said.code, len(asked), MALFORMED in said.err) == (1, TRIES_MAX, True)


@pytest.mark.parametrize(
    "surface", [name for name, spec in surface_setup.SPECS.items() if spec.asks and name != "ntfy"]
)
def test_where_nobody_can_be_asked_one_error_says_what_is_missing_and_where_it_comes_from(
    pulse: Pulse, surface: str
) -> None:
    said = pulse(surface, "setup")
    assert said.code == 1
    assert said.err.count("✗") == 1
    assert "[setup-nobody-to-ask]" in said.err


@pytest.mark.parametrize("spec", surface_setup.SPECS.values(), ids=lambda spec: spec.table)
def test_a_secret_is_never_repeated(spec: SurfaceSpec[Any]) -> None:
    for field in spec.asks:
        with pytest.raises(SetupMalformedError) as refused:
            field.require_shape("s3cret not of that shape")
        assert "s3cret" not in refused.value.detail + refused.value.fix
        assert field.where
        assert field.looks
