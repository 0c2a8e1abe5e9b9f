"""One-time codes: trying wrong ones refuses nobody, and hits nothing."""

from datetime import timedelta
from pathlib import Path

import pytest

from hub.contract.access import PairingRequest
from hub.io.access import codes
from hub.io.access.codes import (
    CODE_LASTS,
    CODE_LETTERS,
    CODES_MAX,
    LETTERS,
    TRIES_MAX,
    BadCodeError,
    CodeEndedError,
    Codes,
    Purpose,
)
from hub.io.access.terminals import Terminals
from hub.io.agents.own_screen import NoScreen
from hub.io.api.sessions import invite
from hub.io.home.agents_connected import AgentsConnected
from hub.io.home.redirect_file import write_redirect_file
from tests.fakes.hub_api import NOON
from tests.io.api.running import Api, Behind, problem, running

HIT_MAX = 2**-20
ANSWERED_PER_S = 30_000
"""Far more than any hub on this kind of machine answers."""


def minted(some: Codes) -> str:
    return some.mint(profile="browser", title="", scopes=("read",), now=NOON)[0]


PURPOSES: tuple[Purpose, ...] = ("sign-in", "sign-in", "sign-in", "confirm")


class PlainScreen(NoScreen):
    """A terminal of the hub's own that no other program reads."""

    def trouble(self) -> str:
        return ""


def is_good(some: Codes, code: str, purpose: Purpose) -> bool:
    try:
        some.take(code, NOON, purpose)
    except BadCodeError:
        return False
    return True


def test_the_chance_to_hit_one_of_all_open_codes() -> None:
    assert TRIES_MAX * CODES_MAX / len(LETTERS) ** CODE_LETTERS < HIT_MAX
    assert ANSWERED_PER_S * CODE_LASTS.total_seconds() < TRIES_MAX


def test_codes_use_all_their_letters() -> None:
    some = Codes()
    seen = {letter for _ in range(200) for letter in minted(some)}
    assert seen == set(LETTERS)
    assert len(minted(some)) == CODE_LETTERS


@pytest.mark.parametrize("jump", [CODE_LASTS, -CODE_LASTS, -timedelta(days=365)], ids=str)
def test_no_jump_of_the_clock_makes_a_code_last_longer(jump: timedelta) -> None:
    some = Codes()
    right = minted(some)
    with pytest.raises(BadCodeError):
        some.take(right, NOON + jump)


def test_a_clock_that_is_put_right_by_a_moment_ends_no_code() -> None:
    some = Codes()
    assert some.take(minted(some), NOON - timedelta(minutes=1))


def test_thousands_of_wrong_ones_do_not_refuse_the_right_one() -> None:
    some = Codes()
    right = minted(some)
    for number in range(5_000):
        with pytest.raises(BadCodeError):
            some.take(f"WRONG{number}", NOON)
    assert some.take(right, NOON).profile == "browser"


def test_too_many_tries_end_every_open_code_and_a_new_one_is_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "TRIES_MAX", 3)
    some = Codes()
    right = minted(some)
    for _ in range(3):
        with pytest.raises(BadCodeError):
            some.take("WRONG", NOON)
    with pytest.raises(BadCodeError):
        some.take(right, NOON)
    assert some.take(minted(some), NOON)


def test_tries_are_counted_while_a_code_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "TRIES_MAX", 3)
    some = Codes()
    minted(some)
    for _ in range(2):
        with pytest.raises(BadCodeError):
            some.take("WRONG", NOON)
    later = NOON + CODE_LASTS + timedelta(seconds=1)
    right, _ = some.mint(profile="browser", title="", scopes=(), now=later)
    with pytest.raises(BadCodeError):
        some.take("WRONG", later)
    assert some.take(right, later)


async def test_a_right_code_after_twenty_wrong_ones(api: Api) -> None:
    made = (await api.http.post("/api/v1/pairing", json={"profile": "phone"})).json()
    for _ in range(20):
        wrong = await api.http.post("/api/v1/pair", json={"code": "WRONG-WRONG"})
        assert problem(wrong).code == "bad-code"
    assert (await api.http.post("/api/v1/pair", json={"code": made["code"]})).status_code == 201


@pytest.mark.parametrize("is_own_screen", [True, False])
async def test_the_first_agent_ends_each_link_but_that_on_the_hubs_own_screen(
    tmp_path: Path, *, is_own_screen: bool
) -> None:
    """The others stand in a file, or in a pane, where the agent reads them."""
    async with running(Behind(home=tmp_path)) as api:
        services = api.running.services
        led = write_redirect_file(tmp_path, "http://127.0.0.1/#pair=CODE")
        screen = PlainScreen() if is_own_screen else NoScreen()
        terminals = Terminals(AgentsConnected(tmp_path), services.codes, screen, led)
        request = PairingRequest()
        own, piped = api.running.invite(), api.running.invite(is_seen=False)
        opened, confirming = invite(services, request), invite(services, PairingRequest(purpose="confirm"))
        terminals.note_agent()
        assert not led.exists()
        codes_of = [one.partition("=")[2] for one in (own, piped)] + [opened.code, confirming.code]
        good = [is_good(services.codes, code, purpose) for code, purpose in zip(codes_of, PURPOSES, strict=True)]
        assert good == [is_own_screen, False, False, False]
        for code, purpose in list(zip(codes_of, PURPOSES, strict=True))[1:]:
            with pytest.raises(CodeEndedError):
                services.codes.take(code, NOON, purpose)
        later = invite(services, request).code
        terminals.note_agent()
        assert is_good(services.codes, later, "sign-in")
