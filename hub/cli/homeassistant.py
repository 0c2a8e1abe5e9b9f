"""`pulse homeassistant setup`: from a token to a notification on the phone, with what Home Assistant itself has."""

from typing import Any
from urllib.parse import urlsplit

import click
import msgspec

from hub.app.surfaces import SURFACES
from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import ask_surface, begin_surface, forget_surface
from hub.contract.errors import UserError
from hub.io.home.folder import Home
from hub.io.home.set_up import keep_secret, kept_at, kept_secret, set_up
from hub.kit.surface import SurfaceSpec
from hub.kit.text import listed

FIND_S_MAX = 40.0
SPEC: SurfaceSpec[Any] = next(spec for spec in SURFACES if spec.table == "homeassistant")
TOKEN, BROKER_PASSWORD = SPEC.secrets
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class HomeSetupError(UserError):
    """Home Assistant cannot be set up so. The message says what does not fit."""

    code = "homeassistant-setup"


@group()
def homeassistant() -> None:
    """Set up Home Assistant: buttons on phones and watches, questions by voice, entities."""


@homeassistant.command("setup")
@click.option("--url", default="", help="Where it is, such as http://homeassistant.local:8123.")
@click.option("--phone", default="", help="The phone that is told: its service, such as mobile_app_annas_iphone.")
@click.option("--satellite", default="", help="What asks aloud while you are at home: assist_satellite.NAME.")
@click.option("--broker", default="", help="Its broker for entities, such as mqtt://homeassistant.local:1883.")
@click.option("--broker-user", default="", help="The login there; its password is asked for.")
@click.option("--remove", is_flag=True, help="Forget all of it.")
@click.pass_obj
def homeassistant_setup(context: CommandContext, /, *, remove: bool, **given: str) -> None:
    """Look what Home Assistant has, choose the phone, and keep both; nothing changes there.

    It asks for a long-lived token (or takes PULSE_HOMEASSISTANT_TOKEN) and keeps it where only you can read it.
    docs/howto/homeassistant.md tells more.
    """
    home = Home(context.home)
    if remove:
        forget_surface(context, SPEC, "Delete the token in Home Assistant, too.")
        return
    before = kept_at(home.set_up).get(SPEC.table, {})
    url = given["url"] or before.get("url", "") or click.prompt("Where is Home Assistant (http://…)")
    _say_if_open(context, url)
    token = kept_secret(home, TOKEN) or click.prompt(
        "A long-lived token (your profile there, Security)", hide_input=True
    )
    found = _found(url, token)
    satellite = given["satellite"] or before.get("satellite", "")
    values = {
        **before,
        "url": url,
        "phone": given["phone"] or _chosen(context, "phone", found["phones"], before.get("phone", "")),
        "person": found["person"] or before.get("person", ""),
        "satellite": satellite,
        "broker": given["broker"] or before.get("broker", ""),
        "broker_user": given["broker_user"] or before.get("broker_user", ""),
    }
    kept = {name: value for name, value in values.items() if value}
    if wrong := SPEC.lines(msgspec.convert(kept, SPEC.config)):
        raise HomeSetupError("\n".join(wrong), fix=f"See {SPEC.howto}.")
    if values["broker_user"] and not kept_secret(home, BROKER_PASSWORD):
        keep_secret(home, BROKER_PASSWORD, click.prompt("The password of that login", hide_input=True))
    _say_satellites(context, satellite, found["satellites"])
    keep_secret(home, TOKEN, token)
    set_up(home.set_up, SPEC.table, kept)
    context.say(f"✓ Kept in {home.set_up}; the token in a file that only you can read.", "green")
    begin_surface(context, SPEC, "home")


def _say_if_open(context: CommandContext, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        context.say(
            "That address is not encrypted: whoever is in your network can read the token on its way.", "yellow"
        )


def _say_satellites(context: CommandContext, chosen: str, there: list[str]) -> None:
    """Say what could ask aloud, where none of it was chosen."""
    if there and chosen not in there:
        context.say(
            f"{f'{chosen} is not there. ' if chosen else ''}What could ask aloud (--satellite): {listed(there)}."
        )


def _chosen(context: CommandContext, what: str, there: list[str], before: str) -> str:
    """Let the person choose where there are several; nothing where there is none."""
    if before in there:
        return before
    if len(there) <= 1:
        context.say(f"✓ The {what}: {there[0]}." if there else f"Home Assistant knows no {what} with its app yet.")
        return there[0] if there else ""
    return str(click.prompt(f"Which {what}", type=click.Choice(there)))


def _found(url: str, token: str) -> dict[str, Any]:
    """Ask Home Assistant, in a process of its own, which is handed the token over its environment."""
    said = ask_surface(SPEC.table, "discover", "--url", url, told={TOKEN: token}, wait_s_max=FIND_S_MAX)
    return msgspec.json.decode(said, type=dict[str, Any])
