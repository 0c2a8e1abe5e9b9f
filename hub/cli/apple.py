"""`pulse apns setup`: from Apple's key to a test on the phone; and what is sent there, to look at."""

from pathlib import Path

import click

from hub.app.surfaces import settings_at
from hub.cli.api import HubClient, read
from hub.cli.beginning import NotBegunError, begin_gateway, try_out, until
from hub.cli.command import CommandContext, group
from hub.cli.letting_in import require_own_eyes
from hub.cli.phone_steps import show_qr
from hub.cli.surface_setup import (
    SPECS,
    Found,
    Values,
    ask_surface,
    forget_surface,
    kept_table,
    set_up_surface,
)
from hub.cli.watching import replace_by, told_to
from hub.contract.access import DeviceList, DeviceView, OutsideView, PairingAnswer, PairingRequest
from hub.io.home.folder import Home
from hub.io.home.set_up import kept_at
from hub.kit.setup_faults import SetupMalformedError

SPEC = SPECS["apns"]
(KEY,) = SPEC.secrets
SERVICE = "Apple's push service"
FIND_S_MAX = 60.0
"""Both of Apple's environments, each as long as it may take."""
APP_S_MAX = 600.0
"""As long as a code is good."""


@group()
def apns() -> None:
    """Set up Apple's push service: your app on an iPhone and an Apple Watch."""


@apns.command("setup")
@click.option("--key-file", default="", help="The .p8 file of the key; a copy of it is kept.")
@click.option("--key-id", default="", help="The key's ID, ten capital letters or digits.")
@click.option("--team-id", default="", help="Your team's ID, ten capital letters or digits.")
@click.option("--topic", default="", help="The app's bundle ID, such as org.example.acc.")
@click.option("--watch", is_flag=True, help="Pair the app on the watch, and send the test there.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def apns_setup(context: CommandContext, /, *, watch: bool, remove: bool, **given: str) -> None:
    """From Apple's key to a test on your iPhone or watch.

    It asks for the key's file, its ID, your team's ID and the app's bundle ID, asks Apple whether it accepts them, and
    keeps them, the key in a file that only you can read. Then it pairs the app, if it is not paired yet, and sends a
    test. See docs/howto/ios.md.
    """
    if remove:
        forget_surface(context, SPEC, "If nothing else uses the key, revoke it at Apple, too.")
        return
    home = Home(context.home)
    kept = kept_at(home.set_up).get(SPEC.table, {})

    def find(values: Values) -> Found:
        table = {**kept_table(context, SPEC), **values}
        ask_surface(SPEC, "discover", table=table, secrets={}, wait_s_max=FIND_S_MAX)
        values[KEY] = _text_of(values["key_file"])
        named = {field.name: values[field.name] for field in SPEC.asks}
        return {**kept, **named, "key_file": str(home.secret_path(KEY))}

    known = {field.name: given[field.name] or kept.get(field.name, "") for field in SPEC.asks}
    set_up_surface(context, SPEC, known, find)
    api = begin_gateway(context, SPEC.name, SERVICE)
    if api is None:
        context.hint("Then pair the app, and see a test arrive: pulse apns setup", bold=True)
    elif (device := _app(context, api, "watch" if watch else "phone")) is not None:
        try_out(context, device, SPEC.howto)


@apns.command("check")
@click.pass_obj
def apns_check(context: CommandContext) -> None:
    """Check with Apple that the key in `[apns]` is valid."""
    replace_by("apns", ("check",), told_to(context, settings_at(Home(context.home).config)))


@apns.command("inspect")
@click.pass_obj
def apns_inspect(context: CommandContext) -> None:
    """Print the exact request that a delivery (JSON on standard input) would become.

    Example: echo '{"card": {…}, "surface": "phone"}' | pulse apns inspect
    """
    replace_by("apns", ("inspect",), told_to(context, settings_at(Home(context.home).config)))


def _text_of(key_file: str) -> str:
    """Return the key, to be kept where it stays; its program has just read it."""
    try:
        return Path(key_file).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SetupMalformedError(f"{key_file} cannot be read any more.", field="key_file") from error


def _app(context: CommandContext, api: HubClient, surface: str) -> DeviceView | None:
    """Return an app that can be notified; where there is none, show a code for one, and wait until it is.

    Raises:
        NotBegunError: no app came.
    """
    if (there := _reachable(api, surface)) is not None or context.as_json:
        return there
    require_own_eyes(context, api)
    invitation = read(api.call("POST", "/pairing", PairingRequest(profile=surface)), PairingAnswer)
    if not api.get("/outside", OutsideView).public_url:
        context.hint("The app needs an https address at which it reaches Pulse; `pulse phone` sets one up.", bold=True)
    show_qr(context, invitation.url)
    context.say(f"Open your app on the {surface}, and scan this or type: {invitation.code}", bold=True)
    context.say("Allow notifications there. Waiting for the app …")
    device = until(lambda: _reachable(api, surface), APP_S_MAX)
    if device is None:
        raise NotBegunError(f"The key works and is kept, but no app on a {surface} came.", fix="`pulse apns setup`")
    context.say(f"✓ Paired: {device.title or device.device}. It can be notified.", "green")
    return device


def _reachable(api: HubClient, surface: str) -> DeviceView | None:
    devices = api.get("/devices", DeviceList).devices
    return next((device for device in devices if device.surface == surface and device.reachable), None)
