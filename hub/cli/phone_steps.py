"""The steps of `pulse phone` in which the phone has a part: what is shown, and how it is seen that it was done."""

import time
from collections.abc import Callable
from typing import TypeVar

import click

from hub.cli.api import HubClient, read
from hub.cli.beginning import arrived, not_arrived, tested, until
from hub.cli.chats import set_up_chat
from hub.cli.command import CommandContext
from hub.cli.letting_in import ReadElsewhereError, require_own_eyes
from hub.cli.person_clock import here
from hub.contract.access import (
    DeviceList,
    DeviceView,
    LetInRequest,
    OutsideView,
    PairingAnswer,
    PairingRequest,
    WaitingBrowser,
    WaitingList,
)
from hub.contract.errors import UserError, WorldError
from hub.io.server.tls_proxy import PROFILE_PATH
from hub.kit.qr import painted, qr_of
from hub.kit.setup_dialog import can_ask, settle
from hub.kit.setup_faults import SetupError, SetupField

BROWSER = "browser"
BOTFATHER = "https://t.me/BotFather"
SIGN_IN_S_MAX = 600.0
"""As long as a code is good."""
SWITCH_ON_S_MAX = 600.0
SILENT_S = 45.0
"""After this long without a sign of the phone it is said what may be in the way."""
PAIRS_TYPED = 8
"""So many pairs of the fingerprint are typed: 64 bits, more than anybody finds by trying while a phone is set up."""
FINGERPRINT = SetupField(
    name="fingerprint",
    title="The beginning of its fingerprint",
    where=f"Type the first {PAIRS_TYPED} pairs that the phone shows.",
    looks=f"AB 12 CD …, at least {PAIRS_TYPED} pairs",
    shape=r"[0-9A-Fa-f:\s]{16,200}",
    is_secret=False,
)
CERTIFICATE_WARNING = "If the phone warns you about the certificate, stop there."
T = TypeVar("T")


class PhoneWaitError(WorldError):
    """The phone did not do its part in time. Run `pulse phone` again; what was set up stays."""

    code = "phone-not-seen"


class WrongFingerprintError(SetupError):
    """That is not the fingerprint of this Pulse: someone on this network may be interfering."""

    code = "wrong-fingerprint"


class TurnedAwayError(UserError):
    """It was turned away. If it was your phone, someone on this network may be interfering."""

    code = "turned-away-here"
    FIX = "Close the page on the phone. Use another network, or another way: `pulse phone`."


def by_telegram(context: CommandContext) -> None:
    """Lead to a private chat with a bot of the person's own, and to a test in it.

    Raises:
        NotBegunError: all is kept, but the chat does not come up, or the test was not shown.
    """
    show_qr(context, BOTFATHER)
    context.say(
        "Scan it with the phone: BotFather is the one in Telegram that makes bots. Send it /newbot, then a name,"
    )
    context.say("then a user name that ends in “bot”. It answers with a token: a number, a colon, and many letters.")
    context.say("Copy that here; https://web.telegram.org shows you the same chat on this machine.", bold=True)
    set_up_chat(context, "telegram")


def wants_notifications(context: CommandContext) -> bool:
    """Ask, once a phone is in, whether it is to be given the certificate, without which it cannot notify."""
    context.say("Notifications and the Home Screen also need Pulse's certificate on the phone: two or three minutes.")
    if can_ask() and click.confirm("Set that up now?", default=False):
        return True
    context.hint("Whenever you like: on the phone, Settings, Devices, Notifications, or `pulse phone` again.")
    return False


def trust(context: CommandContext, url: str, fingerprint: str, *, iphone: bool) -> None:
    """Have the phone trust our certificate, and see by what it shows that it is ours.

    Raises:
        WrongFingerprintError: it is somebody else's.
    """
    if click.confirm("Is this Pulse's certificate already on the phone?", default=False):
        return
    plain = url.replace("https:", "http:") + (PROFILE_PATH if iphone else "")
    show_qr(context, plain)
    context.say(f"Scan this with the phone on the same Wi-Fi: {plain}", bold=True)
    if iphone:
        context.say(
            "Allow the download. Settings: Profile Downloaded, More Details. It holds one certificate and nothing"
        )
        context.say("else; open it, its fingerprint is the one called SHA-256. Do not install it yet.")
    else:
        context.say("Get the certificate. Settings: search “CA certificate”, install the file from your downloads. Its")
        context.say("fingerprint is under Trusted credentials, User: SHA-256.")
    settle(
        (FINGERPRINT,),
        {},
        lambda values: _require_same(values[FINGERPRINT.name], fingerprint),
        context.say,
        ends="Ctrl-C ends this.",  # the way to the phone is open already, and stays so
    )
    context.say("✓ That is the right certificate.", "green")
    if iphone:
        context.say("Install it. Then Settings: General, About, Certificate Trust Settings: switch it on.", bold=True)
        click.pause("Press any key when it is on.")


def _require_same(typed: str, fingerprint: str) -> None:
    if not is_same(typed, fingerprint):
        fix = "If you did not mistype it, remove the certificate from the phone now, and use another network or way."
        raise WrongFingerprintError(fix=fix, field=FINGERPRINT.name)


def is_same(typed: str, fingerprint: str) -> bool:
    """Return True if this is the fingerprint's beginning, or all of it, however it was written."""
    letters = "".join(char for char in typed.upper() if char.isalnum())
    ours = fingerprint.replace(":", "")
    return len(letters) >= 2 * PAIRS_TYPED and ours.startswith(letters)


def is_code_on_page(context: CommandContext, api: HubClient) -> bool:
    """Return True if the person's page has to show the code, as agents could read it in this terminal; say so.

    Raises:
        ReadElsewhereError: no browser is signed in that could show it.
    """
    try:
        require_own_eyes(context, api)
    except ReadElsewhereError:
        if not _browsers(api):
            raise
        context.say("Agents are connected and could read a code here, so your page will show it.")
        return True
    return False


def sign_in(context: CommandContext, api: HubClient, url: str, *, iphone: bool, by_page: bool) -> DeviceView:
    """Show a code, or where the page shows it, and wait until a browser has used it; offer a new one in time.

    Raises:
        PhoneWaitError: none did, and no other code is wanted.
    """
    known = {one.device for one in _browsers(api)}
    watch, check = _Watch(context, api), _WaitingPhones(context, api)

    def signed_in() -> DeviceView | None:
        watch.look()
        check.look()
        return next((one for one in _browsers(api) if one.device not in known), None)

    while True:
        if by_page:
            _lead_to_page(context, url, iphone=iphone, is_own=watch.is_own)
        else:
            check.certificates = _show_code(context, api, url, iphone=iphone)
        if (device := until(signed_in, SIGN_IN_S_MAX)) is not None:
            context.say(f"✓ Signed in: {device.title}.", "green")
            return device
        if by_page:
            fix = "It can at any time, with a code from your page: Settings, Devices, Pair a device."
            raise PhoneWaitError("No phone has signed in yet.", fix=fix)
        if not (can_ask() and click.confirm("That code has expired. Show a new one?", default=True)):
            raise PhoneWaitError("No phone used the code before it expired.", fix="`pulse phone` shows a new code.")


def _show_code(context: CommandContext, api: HubClient, url: str, *, iphone: bool) -> tuple[str, ...]:
    """Show a new code, and what the person does with it on the phone; return which certificates it may show."""
    title = "iPhone" if iphone else "Phone"
    invitation = read(api.call("POST", "/pairing", PairingRequest(title=title)), PairingAnswer)
    show_qr(context, url if iphone else invitation.url)
    if iphone:
        context.say(
            "Scan it. In Safari: Share, Add to Home Screen. Open Pulse from there, and type the code:", bold=True
        )
        context.say(f"    {invitation.code}", bold=True)
    else:
        context.say(f"Scan it, or open {url} and type {invitation.code}", bold=True)
    if invitation.certificates:
        _say_how_to_look(context)
    else:
        context.say(CERTIFICATE_WARNING)
    context.say(
        f"Waiting for the phone… The code lets one browser in, until {here(invitation.expires_at):%H:%M}. Ctrl-C stops."
    )
    return invitation.certificates


def _say_how_to_look(context: CommandContext) -> None:
    """Say where the phone's browser shows the certificate that it warns of."""
    context.say("Without Pulse's certificate on the phone, its browser warns once. Look at the certificate there:")
    context.say("Android: Advanced, continue; then tap the sign left of the address, and open the certificate.")
    context.say("iPhone: in the warning tap Show Details, “view the certificate”, Details; then visit the website.")


def _lead_to_page(context: CommandContext, url: str, *, iphone: bool, is_own: bool) -> None:
    """Say that the page shows the code, and what the person does with it on the phone."""
    context.say(
        "✓ Your phone can reach Pulse now. The code is on your page: Settings, Devices, Pair a device.", "green"
    )
    if iphone:
        show_qr(context, url)
        context.say(
            "Scan this. In Safari: Share, Add to Home Screen. Open Pulse from there, and type the code.", bold=True
        )
    else:
        context.say("Scan the code on your page with the phone.", bold=True)
    if not is_own:  # else the page says what to look at
        context.say(CERTIFICATE_WARNING)
    context.say("Waiting for the phone… Ctrl-C stops waiting; the phone can still sign in later.")


def switch_on(context: CommandContext, api: HubClient, device: DeviceView) -> None:
    """Wait until the phone can be notified.

    Raises:
        PhoneWaitError: it cannot yet.
    """
    context.say("On the phone: Settings, Devices, switch Notifications on, and allow them.", bold=True)

    def reachable() -> DeviceView | None:
        return next((one for one in _browsers(api) if one.device == device.device and one.reachable), None)

    _until(
        reachable, SWITCH_ON_S_MAX, "Notifications are not switched on there yet; the phone is signed in all the same."
    )
    context.say("✓ It can be notified.", "green")


def test(context: CommandContext, api: HubClient, device: DeviceView) -> None:
    """Send a test, and say what became of it.

    Raises:
        PhoneWaitError: it was not shown.
    """
    context.say(
        "A test is on its way. Lock the phone or close the page: an open page shows its cards itself.", bold=True
    )
    found = tested(api, device)
    if not arrived(device, found):
        again = f"`pulse devices test {BROWSER} {device.device}` sends another."
        fix = found.fix or f"{again} docs/howto/web-push.md says what may be in the way."
        raise PhoneWaitError(not_arrived(found), fix=fix)
    at = here(found.at) if found.at else None
    context.say(
        f"✓ {device.title} has shown it{f' at {at:%H:%M:%S}' if at else ''}. Suggestions arrive there now.", "green"
    )


def show_qr(context: CommandContext, url: str) -> None:
    """Draw an address."""
    click.echo(painted(qr_of(url)), color=context.colours)


def _browsers(api: HubClient) -> list[DeviceView]:
    return [one for one in api.get("/devices", DeviceList).devices if one.surface == BROWSER]


class _WaitingPhones:
    """Asks, once a browser waits, what it shows of the certificate, and lets it in or turns it away."""

    def __init__(self, context: CommandContext, api: HubClient) -> None:
        self._here = context
        self._api = api
        self.certificates: tuple[str, ...] = ()
        """Those that the code came with; none where it lets in at once, or where the page asks."""

    def look(self) -> None:
        """Ask about one that waits.

        Raises:
            RefusedError: what it shows is not Pulse's certificate.
            TurnedAwayError: the person does not let it in.
        """
        if not self.certificates:
            return
        for one in self._api.get("/pairing/waiting", WaitingList).waiting:
            self._ask(one)

    def _ask(self, one: WaitingBrowser) -> None:
        self._here.say(f"{one.title} is waiting, opened at {one.host}. Its page shows {one.number}.", bold=True)
        self._here.say("What does the phone's browser show as SHA-256? Only its own window counts, not the page:")
        choices = (*self.certificates, "It did not warn me", "None of these, or it is not my phone")
        for number, words in enumerate(choices, 1):
            self._here.say(f"  {number}  {words}")
        path = f"/pairing/waiting/{one.id}"
        number = click.prompt("Which", type=click.IntRange(1, len(choices)))
        if number == len(choices):
            self._api.call("DELETE", path)
            raise TurnedAwayError(fix=TurnedAwayError.FIX)
        if number == len(choices) - 1:
            said = LetInRequest(warned=False)
        else:
            said = LetInRequest(certificate=self.certificates[number - 1])
        self._api.call("POST", path, said)


class _Watch:
    """Says once what may be in the way while nothing is seen of the phone, or when it will not go on."""

    def __init__(self, context: CommandContext, api: HubClient) -> None:
        self._here = context
        self._api = api
        self._first = api.get("/outside", OutsideView)
        self.is_own = self._first.own_certificate
        self._since = time.monotonic()
        self._said = False

    def look(self) -> None:
        """Look at what came to our own door; of another's we see nothing."""
        if self._said or not self.is_own:
            return
        now = self._api.get("/outside", OutsideView)
        if now.refused > self._first.refused:
            self._say("The phone was here, but does not trust the certificate (or it was somebody else).")
        elif now.opened == self._first.opened and time.monotonic() - self._since > SILENT_S:
            self._say(f"Nothing came yet. Same Wi-Fi? Does a firewall let in the port of {now.public_url}?")

    def _say(self, text: str) -> None:
        self._said = True
        self._here.say(f"! {text}", "yellow")


def _until(look: Callable[[], T | None], wait_s: float, otherwise: str) -> T:
    found = until(look, wait_s)
    if found is None:
        raise PhoneWaitError(otherwise, fix="`pulse phone` continues where it stopped.")
    return found
