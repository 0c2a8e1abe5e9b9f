"""Who may do what: bearer tokens, kept only as hashes, each with its scopes.

Theory: a token is 256 random bits, so its plain SHA-256 is as good as a slow hash. Looking the hash up in a table tells
an attacker's clock nothing about a token: to learn a hash's digits one must already be able to choose them.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime

from hub.contract.access import Scope
from hub.domain.requests import LOCAL_CLIENT, UNPROVEN_CLIENT
from hub.domain.storage import Client
from hub.io.access.wake_passes import WakePasses, drive_of
from hub.io.http.errors import FromARunError, NotSignedInError, NotYourSurfaceError, OutOfScopeError
from hub.io.http.session_errors import ProofMissingError
from hub.io.http.terminal_errors import TerminalNotLetInError

NO_MORE = "Do the rest with the `pulse` command, or on the page."
ONLY_STOPS = "A surface process can only pair its own devices and stop Pulse."
ONLY_SWITCHES = "A phone or watch can switch Pulse on and off, but cannot undo your choices or let anyone in."
ONLY_ANSWERS = "This phone or watch was paired to view and answer, not to change what Pulse may do."
EVERYTHING: tuple[Scope, ...] = ("read", "answer", "ask", "admin", "deliver")
UNPROVEN: tuple[Scope, ...] = ("read", "ask")
"""What may be done over the hub's socket where nothing shows that a person did it."""
LOCAL_ID = LOCAL_CLIENT
UNPROVEN_ID = UNPROVEN_CLIENT
"""What came over the hub's socket where nothing shows that a person did it: no agent's, as far as is known."""
RUN_ID = "local_run"
"""What one of our own runs started; see lineage.py."""
AGENT_ID = "local_agent"
"""What a coding agent of the person's started, and its hooks."""
TOKEN_CHARS_MAX = 512
WAKE_TOKEN_BYTES = 32
ONLY_ITS_PAGE = "Use a token of your own (`POST /api/v1/tokens`), or the page that signed in."
_BEARER = "bearer "


class Access:
    """The table of valid tokens. It changes when a client is added or revoked, at once."""

    def __init__(self, clients: Iterable[Client]) -> None:
        self._by_hash: dict[str, Client] = {}
        self._wakes = WakePasses()
        for client in clients:
            self.put(client)

    def put(self, client: Client) -> None:
        """Let a client in; a revoked one is shut out."""
        self.drop(client.id)
        if client.revoked_at is None:
            self._by_hash[client.token_sha256] = client

    def drop(self, client_id: str) -> None:
        """Shut a client out."""
        self._by_hash = {hashed: one for hashed, one in self._by_hash.items() if one.id != client_id}

    def pass_for(self, wake_id: str, drive: str, *, user: str, now: datetime) -> str:
        """Return a token for an agent that is woken for a drive; it is kept in memory alone (`wake_passes.py`)."""
        token = secrets.token_urlsafe(WAKE_TOKEN_BYTES)
        self._wakes.add(wake_id, drive, sha256(token), user=user, now=now)
        return token

    def clients(self) -> tuple[Client, ...]:
        """Return everybody who is let in."""
        return tuple(self._by_hash.values())

    def of_id(self, client_id: str) -> Client | None:
        """Return the client of this id, if it is let in."""
        return next((one for one in self._by_hash.values() if one.id == client_id), None)

    def of_token(self, token: str) -> Client:
        """Return whose token this is; for tokens that need nothing else.

        Raises:
            NotSignedInError: nobody's.
            ProofMissingError: a browser's session, which needs a proof too.
        """
        client = self.find(token)
        if client is not None and client.key:
            raise ProofMissingError(fix=ONLY_ITS_PAGE)
        if client is not None:
            return client
        raise NotSignedInError("This token is not valid, or was revoked.", fix="Ask for a new one and send that.")

    def find(self, token: str) -> Client | None:
        """Return whose token this is, or None. It says nothing about whether a session's proof is there."""
        if not 0 < len(token) <= TOKEN_CHARS_MAX:
            return None
        hashed = sha256(token)
        client = self._by_hash.get(hashed) or self._wakes.find(hashed)
        return client if client is not None and hmac.compare_digest(client.token_sha256, hashed) else None

    def of_header(self, authorization: str | None) -> Client:
        """Return who sent an Authorization header.

        Raises:
            NotSignedInError: nobody that is let in.
        """
        if authorization is None or authorization[: len(_BEARER)].lower() != _BEARER:
            raise NotSignedInError(fix="Send the header `Authorization: Bearer TOKEN`.")
        return self.of_token(authorization[len(_BEARER) :].strip())


def is_by_hand(client: Client) -> bool:
    """Return True if this came over the hub's socket, and from no run or agent: it may be the person's command line."""
    return client.id in {LOCAL_ID, UNPROVEN_ID}


def is_surface(client: Client) -> bool:
    """Return True if this is the process of a surface, which the hub started itself, and no device."""
    return bool(client.surface) and not client.device


def is_app(client: Client) -> bool:
    """Return True for a phone or watch: a device with nothing but a token, which comes with it when it is stolen."""
    return bool(client.device) and not client.key


def require(
    client: Client,
    scope: Scope,
    *,
    of_surfaces: bool = False,
    of_apps: bool = False,
    of_agents: bool = False,
    of_wakes: bool = False,
) -> None:
    """Check that a client's token allows something.

    `admin` lets the process of a surface do only what is marked `of_surfaces`, and that without any other scope (so a
    chat keeps tasks, and cannot answer). It lets a phone or watch do only what is marked `of_apps`. With `of_agents`
    the person's agents and runs on this machine need no scope: they could do it without Pulse. With `of_wakes` an
    agent that was woken may use the pass that came with the message, which opens nothing else.

    Raises:
        FromARunError: a run asks for more than to ask.
        TerminalNotLetInError: it came over the socket, and from no terminal that was let in.
        OutOfScopeError: it does not.
    """
    if client.id in {RUN_ID, AGENT_ID} and of_agents:
        return
    if of_wakes and drive_of(client):
        return
    if of_surfaces and is_surface(client) and "admin" in client.scopes:
        return
    if scope not in client.scopes and is_by_hand(client):
        raise TerminalNotLetInError(fix=TerminalNotLetInError.FIX)
    if scope not in client.scopes and client.id in {RUN_ID, AGENT_ID}:
        raise FromARunError(fix=FromARunError.FIX)
    if scope not in client.scopes:
        given = ", ".join(client.scopes)
        raise OutOfScopeError(f"This needs the scope {scope!r}; the token has: {given}.", fix="Use another token.")
    if scope == "admin" and is_surface(client):
        raise OutOfScopeError(ONLY_STOPS, fix=NO_MORE)
    if scope == "admin" and is_app(client) and not of_apps:
        raise OutOfScopeError(ONLY_SWITCHES, fix=NO_MORE)


def require_to_loosen(client: Client | None, *, of_surfaces: bool = False, of_apps: bool = False) -> None:
    """Check that a device's token loosens nothing but what is marked so, whatever scope that takes.

    A phone or watch needs `admin` for it: one that was paired only to look and answer loosens nothing.

    Raises:
        OutOfScopeError: it would.
    """
    if client is None:
        return
    if is_app(client) and not (of_apps and "admin" in client.scopes):
        raise OutOfScopeError(ONLY_SWITCHES if "admin" in client.scopes else ONLY_ANSWERS, fix=NO_MORE)
    if is_surface(client) and not (of_surfaces or of_apps):
        raise OutOfScopeError(ONLY_STOPS, fix=NO_MORE)


def require_carrier(client: Client | None, surface: str) -> None:
    """Check that a client carries the deliveries of a surface. The person's own command line may start any gateway.

    Raises:
        NotYourSurfaceError: it does not.
    """
    if client is None or (client.id != LOCAL_ID and surface not in client.carries):
        carried = ", ".join(client.carries) if client and client.carries else "none"
        raise NotYourSurfaceError(f"This token does not carry for {surface!r}; it carries for: {carried}.")


def sha256(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
