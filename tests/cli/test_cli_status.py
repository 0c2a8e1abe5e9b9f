"""`pulse status`: what waits, what failed, what is connected and what reaches the person; `--all` shows the rest."""

import json

from msgspec.structs import replace

from hub.contract.access import DeviceList, DeviceView
from hub.contract.api import HealthAnswer, HealthPart
from hub.contract.coding_agents import CodingAgentList, CodingAgentView
from hub.contract.control import PredictionList
from hub.contract.words import Status, Verb
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.cli.test_cli_reached import BARRED, CHAT, NTFY
from tests.surfaces.terminal.scenes import NOW, prediction, status

SCREEN_LINES = 24
WELL = tuple(HealthPart(name=f"sensor {number}", status="ok") for number in range(30))
ILL = HealthPart(name="store", status="degraded", detail="The disk is full.", fix="Make room.")


def laid_out(hub: SmallHub, *parts: HealthPart, **changes: object) -> None:
    told = status(**{"pending": 0, **changes})
    health = HealthAnswer(status="ok", version="1", parts=parts, cross_poll_status=told, timestamp=NOW)
    hub.answer("GET /api/v1/health", health)


def rows(out: str) -> dict[str, str]:
    """Return each row by its heading, with single spaces."""
    return {name: " ".join(rest) for name, *rest in (line.split() for line in out.splitlines() if line[:1].strip())}


def test_a_new_set_up_fits_a_screen_and_names_the_next_step(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, *WELL)
    out = pulse("status").out
    assert len(out.splitlines()) <= SCREEN_LINES / 2
    assert "sensor" not in out
    assert "none connected: `pulse connect claude-code`" in rows(out)["agents"]
    assert "All 30 parts work. `pulse status --all` shows each, and what was spent." in out


def test_what_does_not_work_is_named_with_what_to_do(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, *WELL, ILL)
    out = pulse("status").out
    assert "store" in out
    assert "The disk is full. Make room." in " ".join(out.split())
    assert "The other 30 parts work." in out


def test_all_shows_each_part_and_the_spending(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, *WELL, ILL)
    short, whole = pulse("status").out, pulse("status", "--all").out
    assert "sensor 29" in whole
    assert "this month" in whole
    assert "this month" not in short
    assert "--all" not in whole


def test_runs_that_failed_are_counted_until_they_are_seen_to(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub)
    failed = prediction("a", status=Status.FAILED, offers=(Verb.RETRY, Verb.IGNORE))
    seen_to = prediction("b", status=Status.FAILED)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(failed, seen_to), count=2))
    assert rows(pulse("status").out)["failed"] == "1 run: `pulse why pred_a`"
    assert any(path.startswith("/api/v1/predictions?status=failed") for _, path, _ in hub.asked)
    hub.answer("GET /api/v1/predictions", PredictionList(predictions=(seen_to,), count=1))
    assert "failed" not in rows(pulse("status").out)


def test_it_says_which_devices_are_reached(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub)
    fresh = DeviceView(surface="browser", device="x", profile="browser", online=True)
    hub.answer("GET /api/v1/devices", DeviceList(devices=(NTFY, replace(CHAT, unreached=BARRED), fresh), count=3))
    assert rows(pulse("status").out)["devices"] == "ntfy and browser/x"


def test_it_says_which_agents_are_connected(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub)
    claude = CodingAgentView(agent="claude-code", title="Claude Code", state="connected", command="")
    gemini = CodingAgentView(agent="gemini", title="Gemini CLI", state="incomplete", command="")
    cursor = CodingAgentView(agent="cursor", title="Cursor", state="not-connected", command="")
    hub.answer("GET /api/v1/coding-agents", CodingAgentList(agents=(claude, cursor), count=2))
    assert rows(pulse("status").out)["agents"] == "Claude Code"
    hub.answer("GET /api/v1/coding-agents", CodingAgentList(agents=(claude, gemini), count=2))
    shown = rows(pulse("status").out)["agents"]
    assert shown == "Claude Code, Gemini CLI (incomplete: `pulse connect --status`)"


def test_a_script_gets_the_same_document_as_before(pulse: Pulse, hub: SmallHub) -> None:
    laid_out(hub, *WELL)
    assert json.loads(pulse("status", "--json").out) == json.loads(hub.answers["GET /api/v1/health"][1])
