"""`pulse phone`: from nothing to a notification on a phone, each step looked at before the next."""

import sys
from typing import Any
from urllib.parse import urlsplit

import click

from hub.app.surfaces import keep_set_up, settings_at
from hub.cli import phone_steps as steps
from hub.cli import ways
from hub.cli.api import HubClient, open_api, read
from hub.cli.command import CommandContext, command
from hub.contract.access import OutsideRequest, OutsideView, PairingRequest
from hub.contract.errors import PulseError, UserError
from hub.io.home.folder import Home
from hub.io.home.networks import PORT, lan_addresses
from hub.io.home.set_up import kept_at
from hub.kit.setup_dialog import settle

TABLE = "api"
HOW = """Choose one: --telegram (everywhere; needs the Telegram app), --tailscale (everywhere; needs Tailscale on both),
  --url URL (your own tunnel or proxy), --own-certificate (this Wi-Fi only; you install a certificate on the phone)."""
CHOICES: tuple[tuple[ways.Kind, str, str], ...] = (
    ("telegram", "Telegram", "5 steps; works everywhere. Needs the Telegram app; Telegram can read what is sent."),
    ("tailscale", "Tailscale", "5 steps on an iPhone, 3 on Android; works everywhere. Needs Tailscale on both."),
    (
        "own-certificate",
        "this Wi-Fi",
        "4 steps; at home only. Needs nothing else; a certificate for notifications.",
    ),
    (
        "url",
        "an address",
        "5 steps on an iPhone, 3 on Android; works everywhere. Needs your own tunnel or proxy, with https.",
    ),
)
"""What is offered where nothing is set up yet, the shortest first; docs/howto/phone.md counts the steps."""
NOT_HERE = "not from here: this machine has no address in a private network."


class SetElsewhereError(UserError):
    """Your settings file names the address for others; it is stronger than what this command sets up."""

    code = "set-in-config"


@command()
@click.option("--telegram", "kind", flag_value="telegram", help="By Telegram, in a private chat with your own bot.")
@click.option("--tailscale", "kind", flag_value="tailscale", help="By `tailscale serve`, in your own network.")
@click.option(
    "--own-certificate", "kind", flag_value="own-certificate", help="On this Wi-Fi, with a certificate from Pulse."
)
@click.option("--url", metavar="URL", help="By your own tunnel or proxy: its https address.")
@click.option("--address", help="With --own-certificate: which address of this machine.")
@click.option("--port", type=click.IntRange(1, 65_535), default=PORT, show_default=True, help="Its port.")
@click.option("--iphone/--android", default=None, help="Which phone it is; else you are asked.")
@click.option("--yes", is_flag=True, help="Do not ask before listening on this network.")
@click.option("--off", is_flag=True, help="Make Pulse reachable from this machine only again.")
@click.pass_obj
def phone(
    context: CommandContext,
    kind: ways.Kind | None,
    url: str | None,
    address: str | None,
    port: int,
    *,
    iphone: bool | None,
    yes: bool,
    off: bool,
) -> None:
    """Let a phone in: Telegram or an address, codes to scan, a test.

    Pulse must be running. Nothing is restarted, and what is set up holds for later starts. Example: pulse phone
    """
    api = open_api(context.home)
    if off:
        _close(context, api)
        return
    if not (kind or url or address):
        kind = _chosen(context)
    if kind == "telegram":
        steps.by_telegram(context)
        return
    by_page = steps.is_code_on_page(context, api)
    if url or kind == "url":
        _require_not_written(context, url or "")

        def lead(values: dict[str, str]) -> tuple[ways.Way, OutsideView]:
            named = ways.named_way(values["url"])
            return named, _lead_here(context, api, named)

        _, (way, view) = settle((ways.URL,), {"url": url or ""}, lead, context.say, ask=not context.as_json)
    else:
        way = _way(context, api, kind, address=address, port=port, yes=yes)
        view = _lead_here(context, api, way)
    if context.as_json:
        context.document(api.call("POST", "/pairing", PairingRequest()))
        return
    context.say(f"✓ {way.url} leads to this Pulse.", "green")
    is_iphone = click.confirm("Is it an iPhone or iPad?", default=False) if iphone is None else iphone
    own = way.kind == "own-certificate"
    device = steps.sign_in(context, api, way.url, iphone=is_iphone and not own, by_page=by_page)
    if own:
        if not steps.wants_notifications(context):
            return
        steps.trust(context, way.url, view.fingerprint, iphone=is_iphone)
        if is_iphone:  # what is on the Home Screen shares nothing with Safari
            device = steps.sign_in(context, api, way.url, iphone=True, by_page=by_page)
    steps.switch_on(context, api, device)
    steps.test(context, api, device)


def _chosen(context: CommandContext) -> ways.Kind | None:
    """Ask which way it is to be; None where one is there already, or nobody can be asked."""
    kept = kept_at(Home(context.home).set_up).get(TABLE, {})
    written = settings_at(Home(context.home).config).api.public_url
    if written or kept.get("public_url") or context.as_json or not sys.stdin.isatty() or ways.has_tailscale():
        return None
    context.say("How should Pulse reach your phone?", bold=True)
    for number, (kind, title, needs) in enumerate(CHOICES, 1):
        is_open = kind != "own-certificate" or ways.has_private_address()
        context.say(f"  {number}  {title:<11} {needs if is_open else NOT_HERE}")
    number = click.prompt("Which", type=_Number(1, len(CHOICES)), default=1)
    return CHOICES[number - 1][0]


class _Number(click.IntRange):
    """One of the numbers that are shown; the prompt asks again for another."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  click's own
        """Return the number, or say what can be typed, instead of click's `1<=x<=4`."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            raise click.BadParameter(f"Type a number from {self.min} to {self.max}.") from error


def _way(
    context: CommandContext,
    api: HubClient,
    kind: ways.Kind | None,
    *,
    address: str | None,
    port: int,
    yes: bool,
) -> ways.Way:
    """Find the way: the one that was asked for, the one that is set up, Tailscale if it is there, else our own."""
    kept = kept_at(Home(context.home).set_up).get(TABLE, {})
    written = _written(context)
    if kind:
        _require_not_written(context, "")
    if written:
        return ways.named_way(written)
    if kind is None and address is None and (again := _again(kept)) is not None:
        return again
    if kind == "tailscale" or (kind is None and address is None and ways.has_tailscale()):
        return ways.serve_by_tailscale(api)
    if kind is None and not sys.stdin.isatty():
        raise ways.NoWayError("No way for your phone to reach Pulse is set up yet.", fix=HOW)
    way = ways.own_way(address, port)
    _ask_first(context, way, yes=yes)
    return way


def _written(context: CommandContext) -> str:
    """Return the address that the person's own settings file names."""
    kept = kept_at(Home(context.home).set_up).get(TABLE, {})
    url = settings_at(Home(context.home).config).api.public_url
    return "" if url == kept.get("public_url", "") else url


def _require_not_written(context: CommandContext, url: str) -> None:
    written = _written(context)
    if written and written != url:
        fix = "Take `api.public_url` out of it, or run `pulse phone` without options."
        raise SetElsewhereError(f"{Home(context.home).config} says {written}.", fix=fix)


def _again(kept: dict[str, object]) -> ways.Way | None:
    """Return the way that was set up before, if it is still one: an address of our own may have changed."""
    url = kept.get("public_url")
    if not isinstance(url, str) or not url:
        return None
    if not kept.get("own_certificate"):
        return ways.Way(kind="url", url=url)
    return ways.Way(kind="own-certificate", url=url) if urlsplit(url).hostname in lan_addresses() else None


def _ask_first(context: CommandContext, way: ways.Way, *, yes: bool) -> None:
    if yes:
        return
    context.say(f"Pulse would listen at {urlsplit(way.url).netloc}, with TLS and a certificate of its own.", bold=True)
    context.say("Anyone on this network can then see that Pulse is there, but needs a code to get in.")
    context.hint("Do it at home, not in a café. `pulse phone --off` ends it.")
    if not click.confirm("Listen on this network?", default=False):
        raise ways.NoWayError("Nothing was changed.", fix=HOW)


def _lead_here(context: CommandContext, api: HubClient, way: ways.Way) -> OutsideView:
    """Tell the running hub its address, see that it leads here, and keep it; what leads elsewhere is taken back."""
    before = api.get("/outside", OutsideView)
    own = way.kind == "own-certificate"
    wanted = OutsideRequest(public_url=way.url, own_certificate=own)
    as_before = (before.public_url, before.own_certificate) == (way.url, own)
    view = before if as_before else read(api.call("POST", "/outside", wanted), OutsideView)
    try:
        ways.require_this_hub(way, api, context.home)
    except PulseError:
        if not as_before:
            old = OutsideRequest(public_url=before.public_url, own_certificate=before.own_certificate)
            api.call("POST", "/outside", old)
        raise
    if settings_at(Home(context.home).config).api.public_url != way.url:
        leads_to = {} if own else {"port": urlsplit(api.address).port}
        keep_set_up(Home(context.home).set_up, TABLE, {"public_url": way.url, "own_certificate": own, **leads_to})
    return view


def _close(context: CommandContext, api: HubClient) -> None:
    document = api.call("POST", "/outside", OutsideRequest())
    keep_set_up(Home(context.home).set_up, TABLE, {})
    if context.printed(document):
        return
    context.say("✓ Only this machine reaches Pulse now; phones that were signed in are out.", "green")
    if written := settings_at(Home(context.home).config).api.public_url:
        context.say(f"! {Home(context.home).config} says {written}: it holds again from the next start.", "yellow")
