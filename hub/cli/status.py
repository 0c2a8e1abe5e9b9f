"""`pulse status`: what waits, what failed, what is connected and what reaches the person; with --all, everything."""

from collections.abc import Iterator
from datetime import UTC, datetime

import click
from rich.text import Text

from hub.cli import draw
from hub.cli.api import HubClient, health_of, open_api
from hub.cli.command import CommandContext, command
from hub.cli.reached import reach_lines
from hub.contract.access import DeviceList
from hub.contract.api import HealthAnswer, HealthPart, Prediction
from hub.contract.coding_agents import CodingAgentList, ConnectionState
from hub.contract.control import PredictionList
from hub.contract.words import Status
from hub.kit.called import as_called
from hub.kit.text import counted, listed

CARDS_MAX = 200
DEVICES_SHOWN = 4
TONES = {"ok": "green", "degraded": "yellow", "down": "red", "unknown": "bright_black"}
REST = frozenset({"alone", "attention", "drives", "spent"})
"""Rows that ask nothing of the person, so only --all shows them."""
SAID: dict[ConnectionState, str] = {
    "incomplete": "incomplete: `pulse connect --status`",
    "another-pulse": "connected to another Pulse: `pulse connect --status`",
    "unreadable": "its settings cannot be read: `pulse connect --status`",
}
"""How an agent stands that is not simply connected, and what tells more."""
Row = tuple[str | Text, ...]


@command()
@click.option("--all", "whole", is_flag=True, help="Also show autopilot, attention, drives, spending and every part.")
@click.pass_obj
def status(context: CommandContext, *, whole: bool) -> None:
    """Show what waits, what failed, what is connected and what reaches you.

    With --json: the answer of GET /api/v1/health.
    """
    api = open_api(context.home)
    document = api.call("GET", "/health")
    if context.printed(document):
        return
    health = health_of(document)
    told = health.cross_poll_status
    lines = draw.status_lines(told, snoozed=_snoozed(api) if told.pending else 0)
    rows: list[Row] = [
        ("" if number else "reach", Text(line, "yellow")) for number, line in enumerate(reach_lines(told.reach))
    ]
    rows += [row for row in lines if whole or row[0] not in REST]
    rows += [*_failed(api), ("agents", _agents(api)), *_devices(api)]
    rows.append(("api", f"{api.address}  (version {health.version})"))
    out = draw.console(context)
    draw.show(out, draw.table((), rows))
    _show_parts(context, health, whole=whole)


def _cards(api: HubClient, state: Status) -> tuple[Prediction, ...]:
    """Return the newest suggestions in one state, at most `CARDS_MAX`."""
    return api.get(f"/predictions?status={state}&limit={CARDS_MAX}", PredictionList).predictions


def _snoozed(api: HubClient) -> int:
    now = datetime.now(UTC)
    return sum(card.snoozed_until is not None and card.snoozed_until > now for card in _cards(api, Status.PENDING))


def _failed(api: HubClient) -> Iterator[Row]:
    """Yield how many runs failed that nobody has retried, fixed or ignored since, and where to read of the newest."""
    if failed := [card for card in _cards(api, Status.FAILED) if card.offers]:
        said = as_called(f"{counted(len(failed), 'run')}: `pulse why {failed[0].id}`")
        yield "failed", Text(said, "yellow")


def _agents(api: HubClient) -> str | Text:
    there = [one for one in api.get("/coding-agents", CodingAgentList).agents if one.state != "not-connected"]
    said = [one.title if one.state == "connected" else f"{one.title} ({SAID[one.state]})" for one in there]
    if not said:
        return as_called("none connected: `pulse connect claude-code`")
    is_well = all(one.state == "connected" for one in there)
    return Text(as_called(", ".join(said)), "" if is_well else "yellow")


def _devices(api: HubClient) -> Iterator[Row]:
    devices = api.get("/devices", DeviceList).devices
    names = [one.title or f"{one.surface}/{one.device}" for one in devices if one.unreached is None]
    if names:
        yield "devices", listed(names, shown_max=DEVICES_SHOWN)


def _show_parts(context: CommandContext, health: HealthAnswer, *, whole: bool) -> None:
    shown = [part for part in health.parts if whole or part.status != "ok" or part.fix]
    if shown:
        draw.show(draw.console(context), draw.table((), [_part(part) for part in shown]))
    if not whole:
        rest = len(health.parts) - len(shown)
        work = f"The other {counted(rest, 'part')} work." if shown else f"All {counted(rest, 'part')} work."
        context.hint(f"{work} `pulse status --all` shows each, and what was spent.")


def _part(part: HealthPart) -> Row:
    tone = TONES[part.status].replace("bright_black", "dim")
    detail = f"{part.detail} {as_called(part.fix)}" if part.status != "ok" else part.detail or as_called(part.fix)
    return Text(f"  {part.name}"), Text(part.status, tone), detail.strip()
