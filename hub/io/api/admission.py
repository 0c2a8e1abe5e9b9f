"""Who sends a request: a token alone for programs, a token with a proof of its key for a browser's session."""

from datetime import timedelta

from msgspec.structs import replace
from starlette.types import Scope

from hub.contract import live
from hub.domain.requests import Noted, SaveClient
from hub.domain.storage import Client
from hub.io.access import wake_passes
from hub.io.access.in_person import is_over
from hub.io.api.call import Services
from hub.io.http.bodies import header_of
from hub.io.http.errors import NotSignedInError, StoppingError
from hub.io.http.loop_requests import ask_loop
from hub.io.http.session_errors import ProofMissingError, SessionOverError

SCHEME = "dpop "
READING = "GET"
NOTED_EVERY = timedelta(hours=1)
"""So often it is written down that a session is in use."""


async def admitted(services: Services, scope: Scope) -> Client:
    """Return who sent a request.

    Raises:
        NotSignedInError, SessionOverError, ProofMissingError, ProofWrongError, ProofStaleError, ProofReplayedError,
        TooManyProofsError: nobody that is let in.
        StoppingError: Pulse is being stopped. A browser whose connection breaks off sends its request once more, with
            the same proof; told that this was used, its page took itself for one that is not paired.
    """
    if services.waiting.is_closing:
        raise StoppingError
    authorization = header_of(scope, b"authorization")
    if authorization is None or authorization[: len(SCHEME)].lower() != SCHEME:
        client = services.access.of_header(authorization)
        if wake_passes.is_over(client, services.parts.clock.now()):
            raise NotSignedInError("The token of this wake has ended.", fix="The next message brings a new one.")
        return client
    token = authorization[len(SCHEME) :].strip()
    path = scope["raw_path"].decode("latin-1").partition("?")[0]
    return await _in_session(services, token, header_of(scope, b"dpop"), scope["method"], path)


async def admitted_to_socket(services: Services, said: live.Authenticate) -> Client:
    """Return who sent the first message of a WebSocket. Its proof is one for `GET` of the socket's own address.

    Raises:
        NotSignedInError and the others: see `admitted`.
    """
    if services.waiting.is_closing:
        raise StoppingError
    if not said.proof:
        return services.access.of_token(said.token)
    return await _in_session(services, said.token, said.proof, READING, live.PATH, is_socket=True)


async def _in_session(
    services: Services, token: str, proof: str | None, method: str, path: str, *, is_socket: bool = False
) -> Client:
    client = services.access.find(token)
    if client is None or not client.key:
        raise NotSignedInError("That session is not signed in.", fix="`pulse open` makes a link that signs you in.")
    _require_open(services, client)
    if proof is None:
        raise ProofMissingError(fix="Send a proof in the header `DPoP`.")
    origin = client.origin.replace("http", "ws", 1) if is_socket else client.origin
    services.proofs.check(proof, client, token, method, origin + path)
    if method == READING:  # nothing that a person does waits for this
        await _note_use(services, client)
    return client


def _require_open(services: Services, client: Client) -> None:
    """Check that a session is neither too old nor forgotten, and that its address is still ours.

    Raises:
        SessionOverError: it is not so.
    """
    if is_over(client, services.parts.clock.now()):
        raise SessionOverError
    if client.origin not in services.addresses:
        raise SessionOverError(f"This browser signed in at {client.origin}, which is no longer this hub's address.")


async def _note_use(services: Services, client: Client) -> None:
    """Write down, now and then, that a session is in use; if that cannot be written, the next request tries again."""
    now = services.parts.clock.now()
    if now - (client.used_at or client.created_at) < NOTED_EVERY:
        return
    used = replace(client, used_at=now)
    reply = await ask_loop(services.parts.hub_api, SaveClient(client=used), Noted)
    still = services.access.of_id(client.id)
    if isinstance(reply, Noted) and still == client:  # it may have been revoked meanwhile
        services.access.put(used)
