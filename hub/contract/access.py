"""Who may talk to Pulse: devices with their way to the broker, and API clients with their tokens."""

from typing import Annotated, Literal

from msgspec import Meta

from hub.contract.address import AnyAddress
from hub.contract.api import Aware, Count, Key, Prompt, Reason, Unreached, Word
from hub.contract.base import HubMessage, Message
from hub.contract.permission import PermissionAnswer
from hub.contract.phrasing import Phrasing
from hub.contract.surface import Privacy
from hub.contract.words import DeliveryState, HumanInput, Verb

Scope = Literal["read", "answer", "ask", "admin", "deliver"]
"""What a token allows: look; answer and steer; ask a person; change settings, devices and tokens; carry deliveries."""
CODE_CHARS_MAX = 32
CARRIES_MAX = 8
URL_CHARS_MAX = 300
CREDENTIAL_CHARS_MAX = 20_000
PUSHED_CHARS_MAX = 4_096
"""No push message is longer, so neither is what stands in a notification."""

Name = Annotated[str, Meta(min_length=1, max_length=80)]


class DeviceRequest(Message):
    """Body of `POST /api/v1/devices`: pair a device; `profile` names one of the device profiles."""

    surface: Word
    device: Word
    profile: Word


class Login(HubMessage):
    """How a paired device reaches the broker. The password is told this once and kept only as a hash.

    `signing` is the secret that it signs its answers with; empty where that is the password.
    """

    url: str
    username: str
    password: str
    client_id: str
    user: str
    surface: str
    device: str
    signing: str = ""

    def __repr__(self) -> str:
        return f"Login({self.client_id} at {self.url})"


class DeviceView(HubMessage):
    """One paired device.

    `arrives_since` is when the first message arrived of those that arrive there now; None where none has, or the last
    did not. `unreached` says why nothing reaches the person there now; None where nothing is known against it.
    `paired_at` tells devices of one name apart; None for one that was paired before that was kept.
    """

    surface: str
    device: str
    profile: str
    online: bool
    person_active_at: Aware | None = None
    title: str = ""
    privacy: Privacy = "full"
    reachable: bool = False
    this: bool = False
    arrives_since: Aware | None = None
    unreached: Unreached | None = None
    paired_at: Aware | None = None


class DeviceTest(HubMessage):
    """The answer of `GET /api/v1/devices/{surface}/{device}/test`: what became of the last test, null before any."""

    state: DeliveryState | None = None
    detail: Reason = ""
    at: Aware | None = None
    fix: Reason = ""


class DevicePatch(Message):
    """Body of `PATCH /api/v1/devices/{surface}/{device}`; a missing field keeps its value."""

    title: Name | None = None
    privacy: Privacy | None = None


class AddressRequest(Message):
    """Body of `PUT /api/v1/devices/{surface}/{device}/address`."""

    address: AnyAddress


class AddressView(HubMessage):
    """One device that is reached through a push service."""

    device: str
    address: AnyAddress


class AddressList(HubMessage):
    """The answer of `GET /api/v1/addresses/{surface}`: for the gateway of that surface."""

    user: str
    addresses: tuple[AddressView, ...]


class GatewayRequest(Message):
    """Body of `POST /api/v1/gateways`: a process that carries deliveries for all devices of one surface."""

    surface: Word


class PairingRequest(Message):
    """Body of `POST /api/v1/pairing`: a one-time code for one more browser, phone or watch; it lasts ten minutes.

    With the purpose `confirm` it lets nobody in, but confirms what a page that is signed in asks again; with `terminal`
    it is the word that lets in the `terminal` that asks, and only a page or an app that is signed in is shown it.
    `here` is for a browser on this machine: it needs no address with a certificate of ours.
    """

    profile: Word = "browser"
    purpose: Literal["sign-in", "confirm", "terminal"] = "sign-in"
    title: Name | None = None
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=5)] = ("read", "answer", "admin")
    here: bool = False
    terminal: Word | None = None


class PairingAnswer(HubMessage):
    """The code, the address to open, and that address as the rows of a QR code (`1` is dark).

    An address that only this machine knows has none: no phone could do anything with it. `certificates` are beginnings
    of SHA-256 fingerprints, of which one is Pulse's own: where there are some, the browser that uses the code waits
    until the person has said which of them it shows. Empty where the code alone lets a device in.
    """

    code: str
    url: str
    expires_at: Aware
    qr: tuple[str, ...]
    certificates: tuple[str, ...] = ()


class WaitingBrowser(HubMessage):
    """A browser that used a code and waits to be let in.

    Its page shows the same `number`; `host` is the address that it opened.
    """

    id: str
    title: str
    number: str
    host: str


class WaitingList(HubMessage):
    """The answer of `GET /api/v1/pairing/waiting`."""

    waiting: tuple[WaitingBrowser, ...]
    count: int


class LetInRequest(Message):
    """Body of `POST /api/v1/pairing/waiting/{id}`: what the browser there showed of the connection's certificate.

    `certificate` is one of those that came with the code; with `warned` false the browser trusted it without a word.
    """

    certificate: Annotated[str, Meta(max_length=200)] = ""
    warned: bool = True


class WaitingAnswer(HubMessage):
    """The answer of `POST /api/v1/session` with status 202: ask again with the same code and key until it is another.

    The computer shows the same `number` for this browser.
    """

    number: str


class SurfaceRenewed(HubMessage):
    """Answer of `POST /api/v1/surfaces/{surface}/renew`: whether it runs beside the hub, as it is set up now."""

    surface: str
    runs: bool


class OutsideRequest(Message):
    """Body of `POST /api/v1/outside`: at which https address others reach this Pulse from now on; empty for none.

    With `own_certificate` Pulse itself listens there; else a proxy or tunnel of the person's leads here.
    """

    public_url: Annotated[str, Meta(max_length=URL_CHARS_MAX)] = ""
    own_certificate: bool = False


class OutsideView(HubMessage):
    """How others reach this Pulse. The figures count what came to its own door since it was opened.

    `fingerprint` is the SHA-256 of the certificate that a phone is given. `refused` are those that would not go on with
    it, `opened` those that did. `wifi` is where Pulse could be opened to phones in this machine's network, as long as
    others do not reach it; `tailscale` says that Tailscale is installed.
    """

    public_url: str
    own_certificate: bool
    fingerprint: str = ""
    trouble: str = ""
    pages: Count = 0
    certificates: Count = 0
    refused: Count = 0
    opened: Count = 0
    wifi: str = ""
    tailscale: bool = False


class OutsideProof(HubMessage):
    """The answer of `GET /api/v1/outside/proof`: the same nonce gives the same proof at this hub, and at no other."""

    proof: str


class PairRequest(Message):
    """Body of `POST /api/v1/pair`: a code from pairing, used by an app, and what its device is to be called."""

    code: Annotated[str, Meta(min_length=1, max_length=CODE_CHARS_MAX)]
    title: Name = "Phone"


class PairAnswer(HubMessage):
    """An app's way in. The token is told this once and kept only as a hash."""

    token: str
    user: str
    surface: str
    device: str
    title: str
    scopes: tuple[str, ...]
    version: str


class SessionRequest(Message):
    """Body of `POST /api/v1/session`: a code from pairing, and what this browser is to be called."""

    code: Annotated[str, Meta(min_length=1, max_length=CODE_CHARS_MAX)]
    title: Name = "Browser"


class SessionAnswer(HubMessage):
    """Who is signed in here. `token` is told once, when a browser signs in; it is good only with proofs of its key.

    `command` is how Pulse's command was called on the computer that runs it.
    """

    user: str
    surface: str
    device: str
    title: str
    scopes: tuple[str, ...]
    vapid_key: str
    version: str
    token: str = ""
    command: str = "pulse"


class ConfirmRequest(Message):
    """Body of `POST /api/v1/session/confirm`: a code from `pulse confirm`, or a passkey's answer as JSON text."""

    code: Annotated[str, Meta(max_length=CODE_CHARS_MAX)] = ""
    credential: Annotated[str, Meta(max_length=CREDENTIAL_CHARS_MAX)] = ""


class ConfirmAnswer(HubMessage):
    """How the person confirmed, and until when that is enough."""

    how: Literal["code", "passkey"]
    until: Aware


class PasskeyOptionsRequest(Message):
    """Body of `POST /api/v1/passkeys/options`: what a passkey is wanted for."""

    purpose: Literal["add", "confirm"]


class PasskeyOptions(HubMessage):
    """What the browser is to ask the authenticator for: WebAuthn's options as JSON text."""

    options: str


class PasskeyRequest(Message):
    """Body of `POST /api/v1/passkeys`: what the authenticator made, as JSON text, and what it is to be called."""

    credential: Annotated[str, Meta(min_length=1, max_length=CREDENTIAL_CHARS_MAX)]
    title: Name = "Passkey"


class PasskeyView(HubMessage):
    """One passkey; it works at addresses of this `host`."""

    id: str
    title: str
    host: str
    created_at: Aware


class PasskeyList(HubMessage):
    """The answer of `GET /api/v1/passkeys`."""

    passkeys: tuple[PasskeyView, ...]
    count: Count


class ActionRequest(Message):
    """Body of `POST /api/v1/actions`: a device's answer to what it was pushed, by the action token that came with it.

    The device signs in as itself beside it, so that a carrier of the token cannot answer with it. `permission` is what
    is answered to an agent beyond yes or no, such as the choice that was taken. `shown` is the text beside which it was
    pressed: a browser's yes is taken only where that is the card's own.
    """

    token: Annotated[str, Meta(min_length=1, max_length=1024)]
    decision_id: Key
    verb: Verb
    human_input: HumanInput = HumanInput.TAP
    at: Aware | None = None
    prompt: Prompt | None = None
    reason: Reason = ""
    minutes: Annotated[int, Meta(ge=1, le=10_080)] | None = None
    until: Aware | None = None
    permission: PermissionAnswer | None = None
    shown: Annotated[str, Meta(max_length=PUSHED_CHARS_MAX)] = ""


class ReceiptRequest(Message):
    """Body of `POST /api/v1/receipts`: this device says what became of a delivery."""

    delivery_id: Key
    state: DeliveryState
    at: Aware | None = None
    detail: Reason = ""


class DeviceList(HubMessage):
    """The answer of `GET /api/v1/devices`."""

    devices: tuple[DeviceView, ...]
    count: Count


class TokenRequest(Message):
    """Body of `POST /api/v1/tokens`: a token of its own for one more client.

    The scope `deliver` is for the surfaces that `carries` names, and no others.
    """

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=4)]
    carries: Annotated[tuple[Word, ...], Meta(max_length=CARRIES_MAX)] = ()


class TokenView(HubMessage):
    """One API client, without its token."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created_at: Aware
    carries: tuple[str, ...] = ()


class TokenAnswer(HubMessage):
    """A new token. It is shown this once and kept only as a hash."""

    token: str
    client: TokenView


class TokenList(HubMessage):
    """The answer of `GET /api/v1/tokens`."""

    tokens: tuple[TokenView, ...]
    count: Count


class TerminalRequest(Message):
    """Body of `POST /api/v1/terminals`: let the terminal in at which this was typed.

    `word` is one that a page or a phone has shown, or the terminal of `pulse up`. `agent` is the one that is being
    connected: the first needs no word. `wait_s` says that it is connected everywhere, not for one project alone, and
    how long it waits for a person, `closed` that it is refused while Pulse is away. With `removes` it is being
    disconnected, or all are without it, which lets nothing in and takes a terminal that counts. `other` is another
    terminal that asks, let in from one that counts already.
    """

    word: Annotated[str, Meta(max_length=CODE_CHARS_MAX)] = ""
    agent: Word | None = None
    wait_s: Annotated[int, Meta(ge=1, le=86_400)] | None = None
    closed: bool = False
    removes: bool = False
    other: Annotated[str, Meta(max_length=64)] = ""


class TerminalView(HubMessage):
    """One terminal that was let in: its shell, how, and when; `this` is the one that asks."""

    id: str
    title: str
    how: str
    let_in_at: Aware
    this: bool = False
    how_worded: Phrasing | None = None


class AskingTerminal(HubMessage):
    """One terminal that asks to be let in, as a page and an app are told."""

    id: str
    title: str


class TerminalList(HubMessage):
    """The answer of `GET /api/v1/terminals`. `needed`: agents are connected, so only these count as the person's.

    `links_end`: connecting the first agent ends every link that the hub has shown where agents can read it, and no page
    or phone is signed in.
    """

    terminals: tuple[TerminalView, ...]
    count: Count
    needed: bool = False
    links_end: bool = False
    asking: tuple[AskingTerminal, ...] = ()


class TerminalAnswer(HubMessage):
    """The terminal that was let in; none if the command was typed at no terminal.

    `links_ended`: this connected the first agent, which ended every link that the hub had shown where agents can read
    it, and no page or phone is signed in. `trouble`: why the terminal that connected the first agent is not let in, and
    `fix` what to do about it.
    """

    terminal: TerminalView | None = None
    links_ended: bool = False
    trouble: str = ""
    fix: str = ""


class TerminalWord(HubMessage):
    """The answer of `POST /api/v1/terminals/word`: where a word for this terminal is shown now, and never the word.

    `title` is what the terminal is called where the word is shown. `by_page`: a page or a phone is signed in that can
    show it. `by_terminal`: a terminal counts already, at which this one can be let in by its `id`.
    """

    title: str
    shown_by_hub: bool
    trouble: str = ""
    id: str = ""
    by_page: bool = True
    by_terminal: bool = False
