"""`pulse devices` and `pulse broker`: who reaches the broker, and what it must let them do."""

import sys
from pathlib import Path
from typing import get_args
from urllib.parse import quote

import click
import msgspec

from hub.app.surfaces import settings_at
from hub.cli import draw, letting_in
from hub.cli.api import open_api, read
from hub.cli.beginning import arrived, not_arrived, tested, what_arrived
from hub.cli.command import EXIT_FAILED, CommandContext, group
from hub.cli.failure import NoTerminalError
from hub.cli.person_clock import here
from hub.cli.reached import reach_lines, reason
from hub.contract.access import (
    DeviceList,
    DevicePatch,
    DeviceRequest,
    DeviceView,
    Login,
    TerminalAnswer,
    TerminalList,
    TerminalView,
)
from hub.contract.api import CrossPollStatus
from hub.contract.surface import Privacy
from hub.domain.lookalikes import reveal
from hub.io.broker.acl import acl_for
from hub.io.broker.pairing import Logins
from hub.io.broker.passwords import password_file_for
from hub.io.home.folder import Home
from hub.io.home.private_files import private_folder, write_private
from hub.io.http.errors import UnknownDeviceError
from hub.kit.called import as_called


@group(invoke_without_command=True)
@click.pass_context
def devices(ctx: click.Context) -> None:
    """List, pair, test and revoke devices."""
    if ctx.invoked_subcommand is None:
        _list(ctx.obj)


@devices.command("list")
@click.pass_obj
def list_devices(context: CommandContext) -> None:
    """List the paired devices."""
    _list(context)


@devices.command("pair")
@click.argument("surface")
@click.argument("device")
@click.option("--profile", help="A profile from device_profiles; default: the surface's own.")
@click.option("--show-password", is_flag=True, help="Print the password instead of saving it to a file.")
@click.pass_obj
def pair(context: CommandContext, surface: str, device: str, profile: str | None, *, show_password: bool) -> None:
    """Pair a device: give it a login for the broker.

    The login is written to a file that only you can read. Copy it to the device, then delete it. With --json it is
    printed to a file or pipe instead. Once agents are connected it is only shown on screen, as they could read a file.

    Example: pulse devices pair glasses pi
    """
    body = DeviceRequest(surface=surface, device=device, profile=profile or surface)
    api = open_api(context.home)
    show_password |= letting_in.require_own_eyes(context, api)
    document = api.call("POST", "/devices", body)
    login = read(document, Login)
    kept = None if show_password or (context.as_json and not sys.stdout.isatty()) else _keep(context, login)
    if context.printed(document if kept is None else {"login": str(kept)}):
        return
    context.say(f"✓ {surface}/{device} is paired.", "green")
    for name, value in (
        ("broker", login.url),
        ("user", login.username),
        ("password", login.password if kept is None else f"is in {kept}"),
        *((("signs with", login.signing),) if login.signing and kept is None else ()),
        ("client id", login.client_id),
        ("topics", f"pulse/v1/{login.user}/…/{login.surface}/{login.device}"),
    ):
        context.say(f"  {name:<10} {value}")


def _keep(context: CommandContext, login: Login) -> Path:
    """Write a login to a file of its owner's, as the device reads it; return where."""
    folder = Home(context.home).logins
    private_folder(folder)
    path = folder / f"{login.surface}-{login.device}.json"
    write_private(path, msgspec.json.format(msgspec.json.encode(login), indent=2).decode() + "\n")
    return path


@devices.command("revoke")
@click.argument("surface")
@click.argument("device")
@click.pass_obj
def revoke(context: CommandContext, surface: str, device: str) -> None:
    """Revoke a device's access immediately."""
    document = open_api(context.home).call("DELETE", _path(surface, device))
    if not context.printed(document):
        context.say(f"✓ {surface}/{device} no longer has access.", "green")


@devices.command("test")
@click.argument("surface")
@click.argument("device", default="")
@click.pass_context
def test(ctx: click.Context, surface: str, device: str) -> None:
    """Send a test notification to a device, and report whether it arrived.

    Without DEVICE it is the only one of that surface. Exit status: 0 it arrived, as far as that kind of device says; 1
    it did not, and why.
    """
    context: CommandContext = ctx.obj
    api = open_api(context.home)
    found = _named(api.get("/devices", DeviceList).devices, surface, device)
    outcome = tested(api, found)
    is_there = arrived(found, outcome)
    if not context.printed(outcome):
        line = reveal(what_arrived(outcome) if is_there else not_arrived(outcome))
        mark, tone = ("✓", "green") if is_there else ("✗", "red")
        context.say(f"{mark} {surface}/{found.device}: {line}", tone)
        if outcome.fix:
            context.say(f"  → {reveal(as_called(outcome.fix))}")
    ctx.exit(0 if is_there else EXIT_FAILED)


def _named(known: tuple[DeviceView, ...], surface: str, device: str) -> DeviceView:
    fitting = [one for one in known if one.surface == surface and device in {"", one.device}]
    if len(fitting) == 1:
        return fitting[0]
    several = f"{surface} has several devices: {', '.join(one.device for one in fitting)}."
    name = f"{surface}/{device}" if device else f"of {surface}"
    raise UnknownDeviceError(several if fitting else f"There is no device {name}.", fix="`pulse devices` lists them.")


@devices.command("set")
@click.argument("surface")
@click.argument("device")
@click.option("--title", help="Its new name.")
@click.option(
    "--privacy", type=click.Choice(get_args(Privacy)), help="How much of a suggestion its lock screen may show."
)
@click.pass_obj
def change(context: CommandContext, surface: str, device: str, title: str | None, privacy: Privacy | None) -> None:
    """Rename a device, or show more or less on its lock screen.

    Example: pulse devices set browser 4ced056b338f --title "Kitchen" --privacy title
    """
    if title is None and privacy is None:
        raise click.UsageError("Give --title or --privacy.")
    body = DevicePatch(title=title, privacy=privacy)
    document = open_api(context.home).call("PATCH", _path(surface, device), body)
    if context.printed(document):
        return
    shown = read(document, DeviceView)
    context.say(f"✓ {surface}/{device} is called {shown.title!r}; its lock screen shows: {shown.privacy}.", "green")


@devices.command("let-in")
@click.argument("terminal_id", metavar="[ID]", default="")
@click.pass_obj
def let_this_in(context: CommandContext, terminal_id: str) -> None:
    """Let this terminal in, with a code word from your page, your phone or the `pulse up` terminal; or another by ID.

    Once agents are connected, only a terminal you let in can answer them or change what they may do. This applies to
    this shell, for as long as it lasts and no agent runs in it. Example: pulse devices let-in
    """
    if not terminal_id and not letting_in.can_ask():
        raise NoTerminalError
    api = open_api(context.home)
    made = letting_in.let_other_in(api, terminal_id) if terminal_id else letting_in.ask_for_word(api)
    which = f"The terminal {made.title}" if terminal_id else f"This terminal ({made.title})"
    if not context.printed(TerminalAnswer(terminal=made)):
        context.say(f"✓ {which} is let in.", "green")


@devices.command("shut-out")
@click.argument("terminal_id", metavar="ID")
@click.pass_obj
def shut_out(context: CommandContext, terminal_id: str) -> None:
    """Shut a terminal out; `pulse devices` shows its ID."""
    document = open_api(context.home).call("DELETE", f"/terminals/{quote(terminal_id, safe='')}")
    if not context.printed(document):
        context.say(f"✓ {read(document, TerminalView).title} is shut out.", "green")


def _path(surface: str, device: str) -> str:
    return f"/devices/{quote(surface, safe='')}/{quote(device, safe='')}"


@group()
def broker() -> None:
    """Print what your own broker must allow. See docs/howto/broker.md."""


@broker.command("acl")
@click.pass_obj
def acl(context: CommandContext) -> None:
    """Print the access list for all logins, in mosquitto's format."""
    home = Home(context.home)
    settings = settings_at(home.config)
    text = acl_for(Logins(home.broker_users, settings.person.name).all())
    if not context.printed({"format": "mosquitto", "acl": text}):
        click.echo(text, nl=False)


@broker.command("passwords")
@click.pass_obj
def passwords(context: CommandContext) -> None:
    """Print the devices' passwords, hashed, in mosquitto's format.

    For the owner of the broker at mqtt.url, who adds them once.
    """
    home = Home(context.home)
    settings = settings_at(home.config)
    users = Logins(home.broker_users, settings.person.name).all()
    text = password_file_for([user for user in users if user.role == "device"])
    if not context.printed({"format": "mosquitto", "passwords": text}):
        click.echo(text, nl=False)


def _list(context: CommandContext) -> None:
    api = open_api(context.home)
    document = api.call("GET", "/devices")
    if context.printed(document):
        return
    found = read(document, DeviceList).devices
    for line in reach_lines(api.get("/crosspoll/status", CrossPollStatus).reach):
        context.say(f"! {line}", "yellow")
    if found:
        rows = [
            (f"{one.surface}/{one.device}", one.title, "online" if one.online else "away", _reaches(one))
            for one in found
        ]
        draw.show(draw.console(context), draw.table(("device", "called", "now", "reaches you"), rows))
    else:
        context.hint("No device is paired yet. `pulse watch` pairs this terminal automatically.")
    _list_terminals(context, api.get("/terminals", TerminalList))


def _reaches(device: DeviceView) -> str:
    """Say in a few words whether something arrives there; the lines above say what to do."""
    if device.unreached is not None:
        return f"no: {reason(device.unreached)}"
    return f"yes, since {draw.until_moment(device.arrives_since)}" if device.arrives_since else "not tested yet"


def _list_terminals(context: CommandContext, known: TerminalList) -> None:
    if not known.needed:
        return
    context.say()
    if not known.count:
        context.hint("No terminal is let in, so none can answer agents. To let this one in: pulse devices let-in")
        return
    rows = [
        (one.id, f"{one.title} (this one)" if one.this else one.title, f"{one.how}, {here(one.let_in_at):%H:%M}")
        for one in known.terminals
    ]
    draw.show(draw.console(context), draw.table(("terminal", "which", "let in by"), rows))
    context.hint("To shut one out: pulse devices shut-out ID")
