"""The ways on which a phone can reach this machine: what is there, and what each needs."""

import http.client
import json
import secrets
import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from hub.cli.api import HubClient
from hub.contract.access import OutsideProof
from hub.contract.base import Value
from hub.contract.errors import UserError, WorldError
from hub.io.home.certificate import FILE
from hub.io.home.networks import host_is_private, lan_addresses
from hub.kit.setup_faults import SetupError, SetupField, SetupNoNetworkError

PROOF = "/outside/proof"
NONCE_BYTES = 16
HTTPS_S_MAX = 15.0
PROGRAM_S_MAX = 60.0
"""The first `tailscale serve` fetches a certificate."""
ANSWER_BYTES_MAX = 65_536
SAID_CHARS_MAX = 600
URL = SetupField(
    name="url",
    title="The address for phones",
    where="Your tunnel or proxy names it; it has to lead to this machine, over https: phones notify on https alone.",
    looks="https://pulse.example.org, without a path",
    shape=r"https://[^\s/?#@]+",
    is_secret=False,
)
Kind = Literal["own-certificate", "tailscale", "telegram", "url"]


class NoWayError(UserError):
    """A phone cannot reach this machine yet. docs/howto/phone.md shows four ways."""

    code = "no-way-for-phones"


class TailscaleError(WorldError):
    """Tailscale is not ready to connect a phone. Its own message says why."""

    code = "tailscale-not-ready"


class NotThisHubError(SetupError):
    """The program at that address is not this Pulse."""

    code = "leads-elsewhere"


class Way(Value):
    """How a phone reaches this hub: the https address, and who listens there."""

    kind: Kind
    url: str


class _TailscaleSelf(Value, rename="pascal"):
    dns_name: str = msgspec.field(default="", name="DNSName")


class _TailscaleStatus(Value, rename="pascal"):
    backend_state: str = ""
    self: _TailscaleSelf = msgspec.field(default=_TailscaleSelf(), name="Self")


def own_way(address: str | None, port: int) -> Way:
    """Return the way over a door of our own, at this machine's address in its network.

    Raises:
        NoWayError: there is none, or only one on the internet; more than one are named.
    """
    if address is None:
        found = lan_addresses()
        private = tuple(one for one in found if host_is_private(one))
        if len(private) != 1:
            raise NoWayError(_which(found, private), fix=_instead(found, private))
        (address,) = private
    if address in {"localhost", "::1"} or address.startswith("127."):
        raise NoWayError(f"{address} is only reachable on this machine itself.", fix="Leave out --address.")
    return Way(kind="own-certificate", url=f"https://{f'[{address}]' if ':' in address else address}:{port}")


def _which(found: tuple[str, ...], private: tuple[str, ...]) -> str:
    if len(private) > 1:
        return f"This machine is on several networks: {', '.join(private)}."
    if found:
        return f"{found[0]} is a public internet address, not one on your own network."
    return "This machine is not on a network."


def _instead(found: tuple[str, ...], private: tuple[str, ...]) -> str:
    """Say what to type next: which network is meant, or a way that needs no address here."""
    named = f"`pulse phone --own-certificate --address {(private or found or ('ADDRESS',))[0]}`"
    if private:
        return f"Choose the one your phone is on: {named}"
    others = "Use a way that works from anywhere: `pulse phone` with --telegram, --tailscale or --url URL."
    return f"{others} If your phone reaches this address all the same: {named}" if found else others


def has_private_address() -> bool:
    """Return True if a phone in the same network could reach this machine."""
    return any(map(host_is_private, lan_addresses()))


def has_tailscale() -> bool:
    """Return True if Tailscale is there and connected."""
    try:
        return bool(_tailscale_name())
    except TailscaleError:
        return False


def serve_by_tailscale(api: HubClient) -> Way:
    """Let Tailscale serve the hub's port over https, within the person's own network of devices.

    Raises:
        TailscaleError: it cannot; says why and what to do.
    """
    name = _tailscale_name()
    port = urlsplit(api.address).port
    done = _tailscale("serve", "--bg", str(port))
    if done.returncode:
        said = (done.stderr or done.stdout).strip()[:SAID_CHARS_MAX]
        fix = "Do as it says, then `pulse phone` again. Often: `sudo tailscale set --operator=$USER`."
        raise TailscaleError(f"`tailscale serve --bg {port}` said: {said}", fix=fix)
    return Way(kind="tailscale", url=f"https://{name}")


def _tailscale_name() -> str:
    done = _tailscale("status", "--json")
    try:
        status = msgspec.json.decode(done.stdout.encode(), type=_TailscaleStatus)
    except msgspec.DecodeError as error:
        raise TailscaleError("`tailscale status` did not report its state.", fix="Run it to see why.") from error
    name = status.self.dns_name.rstrip(".")
    if status.backend_state != "Running" or not name:
        raise TailscaleError(
            "Tailscale is installed, but not connected.", fix="`tailscale up`, then `pulse phone` again."
        )
    return name


def _tailscale(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = shutil.which("tailscale")
    if program is None:
        raise TailscaleError(
            "`tailscale` is not installed.",
            fix="Install it (https://tailscale.com/download), or choose another way: `pulse phone`.",
        )
    try:
        return subprocess.run(  # noqa: S603  the person's own program, found on their path, no shell
            [program, *arguments], capture_output=True, text=True, timeout=PROGRAM_S_MAX, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TailscaleError(f"`tailscale {arguments[0]}` does not answer.", fix="Run it to see why.") from error


def named_way(url: str) -> Way:
    """Return the way over a proxy or tunnel of the person's.

    Raises:
        SetupMalformedError: no phone can use such an address.
    """
    URL.require_shape(url.rstrip("/"))
    return Way(kind="url", url=f"https://{urlsplit(url).netloc}")


def require_this_hub(way: Way, api: HubClient, home: Path) -> None:
    """See, as a phone would, that the address leads to this very hub.

    Raises:
        SetupNoNetworkError: it leads nowhere.
        NotThisHubError: it leads somewhere else.
    """
    path = f"{PROOF}?nonce={secrets.token_hex(NONCE_BYTES)}"
    expected = api.get(path, OutsideProof)
    context = ssl.create_default_context()
    if way.kind == "own-certificate":
        context.load_verify_locations(home / "secrets" / FILE)
    parts = urlsplit(way.url)
    connection = http.client.HTTPSConnection(parts.netloc, timeout=HTTPS_S_MAX, context=context)
    try:
        connection.request("GET", f"/api/v1{path}")
        answer = connection.getresponse()
        said = json.loads(answer.read(ANSWER_BYTES_MAX))
    except (ssl.SSLError, http.client.HTTPException, ValueError) as error:
        fix = f"It must lead to {api.address}, keep the Host header, and have a certificate that phones trust."
        raise NotThisHubError(f"{way.url} does not lead to this Pulse: {error}.", fix=fix, field=URL.name) from error
    except OSError as error:
        fix = "Does the tunnel or proxy run? Is its name right?"
        raise SetupNoNetworkError(f"{way.url} does not answer: {error}.", fix=fix, field=URL.name) from error
    finally:
        connection.close()
    if said.get("proof") != expected.proof:
        detail = f"{way.url} leads somewhere else: it answered {answer.status} {said.get('code', '')}".rstrip()
        raise NotThisHubError(f"{detail}.", fix=f"It must forward to {api.address}.", field=URL.name)
