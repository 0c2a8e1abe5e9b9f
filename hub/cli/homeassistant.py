"""`pulse homeassistant setup`: from a token to a notification on the phone, with what Home Assistant itself has."""

from urllib.parse import urlsplit

import click
import msgspec

from hub.cli.command import CommandContext, group
from hub.cli.surface_setup import (
    SPECS,
    Found,
    Values,
    ask_surface,
    begin_surface,
    forget_surface,
    parted,
    set_up_surface,
)
from hub.io.home.folder import Home
from hub.io.home.set_up import keep_secret, kept_at, kept_secret
from hub.kit.setup_dialog import can_ask
from hub.kit.setup_faults import SetupMalformedError
from hub.kit.text import listed

FIND_S_MAX = 40.0
SPEC = SPECS["homeassistant"]
TOKEN, BROKER_PASSWORD = SPEC.secrets
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
NAMED = ("phone", "satellite", "broker", "broker_user")


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
    See docs/howto/homeassistant.md.
    """
    home = Home(context.home)
    if remove:
        forget_surface(context, SPEC, "Delete the token in Home Assistant, too.")
        return
    before = kept_at(home.set_up).get(SPEC.table, {})

    def find(values: Values) -> Found:
        named, secrets = parted(SPEC, values)
        _say_if_open(context, named["url"])
        found = ask_surface(SPEC, "discover", table={"url": named["url"]}, secrets=secrets, wait_s_max=FIND_S_MAX)
        return _table(context, {**before, **named}, given, found)

    known = {"url": given["url"] or before.get("url", ""), TOKEN: kept_secret(home, TOKEN)}
    set_up_surface(context, SPEC, known, find)
    if kept_at(home.set_up)[SPEC.table].get("broker_user") and not kept_secret(home, BROKER_PASSWORD) and can_ask():
        keep_secret(home, BROKER_PASSWORD, click.prompt("The password of that login", hide_input=True))
    begin_surface(context, SPEC)


def _table(context: CommandContext, before: Found, given: Values, found: Found) -> Found:
    """Return the table to keep: what was given, else what was kept, else what is there and was chosen."""
    table = {**before, **{name: given[name] for name in NAMED if given[name]}}
    table["phone"] = given["phone"] or _chosen(context, "phone", found["phones"], before.get("phone", ""))
    table["person"] = found["person"] or before.get("person", "")
    kept = {name: value for name, value in table.items() if value}
    if wrong := SPEC.lines(msgspec.convert(kept, SPEC.config)):
        raise SetupMalformedError("\n".join(wrong), fix=f"See {SPEC.howto}.", field="url")
    _say_satellites(context, kept.get("satellite", ""), found["satellites"])
    return kept


def _say_if_open(context: CommandContext, url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        context.say("That address is not encrypted: anyone on your network can read the token.", "yellow")


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
