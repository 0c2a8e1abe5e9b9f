"""As whom a client may answer: which surface and device it is, and what a person can do there.

A client that is a device answers as that. Any other has no screen of ours and no person that we know to be there, so it
is the surface `api` (or `script`) and nothing else. The person's own command line is itself, and may start surfaces
whose profile says so (`pulse surface NAME`). What does not fit is refused and never rewritten.
"""

from hub.contract.topics import DeviceAddress
from hub.contract.words import HumanInput
from hub.domain.storage import Client
from hub.io.access.tokens import is_by_hand
from hub.io.http.errors import NotYourSurfaceError, WrongInputError
from hub.io.http.parts import ApiParts

UNSAID = "api"
"""What a request says of its surface and device when it says nothing."""
API_SURFACES = (UNSAID, "script")
CLI = "cli"
INPUTS = {
    UNSAID: (HumanInput.TAP, HumanInput.KEY),
    "script": (HumanInput.TAP, HumanInput.KEY),
    CLI: (HumanInput.KEY, HumanInput.TAP),
}
"""What a person can do where no device profile says so."""


def answering_as(parts: ApiParts, client: Client | None, surface: str, device: str) -> DeviceAddress:
    """Return as whom a client answers that says it is this surface and device.

    Raises:
        NotYourSurfaceError: it is not.
    """
    if client is None or is_by_hand(client):
        by_hand = sorted({one.surface for one in parts.profiles.values() if one.started_by_hand})
        return _one_of((*API_SURFACES, CLI, *by_hand), surface, device)
    if client.device:
        said = (client.surface if surface == UNSAID else surface, client.device if device == UNSAID else device)
        if said != (client.surface, client.device):
            raise NotYourSurfaceError(
                f"This token is {client.surface}/{client.device} and cannot answer as {surface}/{device}.",
                fix="Leave out `surface` and `device`.",
            )
        return DeviceAddress(surface=client.surface, device=client.device)
    if client.surface:
        return _one_of((client.surface,), client.surface if surface == UNSAID else surface, device)
    if device not in {UNSAID, client.id}:
        raise NotYourSurfaceError(f"This token is no device {device!r}.", fix="Leave out `device`.")
    return _one_of(API_SURFACES, surface, client.id)


def place_of(client: Client | None) -> str:
    """Return where a request comes from, as `surface/device`; of a token that is no device, its name."""
    if client is None or is_by_hand(client):
        return f"{CLI}/local"
    return f"{client.surface}/{client.device}" if client.device else client.name


def require_input(parts: ApiParts, surface: str, human_input: HumanInput) -> None:
    """Check that a person can do that on that surface.

    Raises:
        WrongInputError: they cannot.
    """
    of_profiles = tuple(one for p in parts.profiles.values() if p.surface == surface for one in p.inputs)
    possible = INPUTS.get(surface, of_profiles)
    if human_input not in possible:
        raise WrongInputError(
            f"Answers by {human_input} are not possible on {surface!r}.",
            fix=f"There: {', '.join(dict.fromkeys(possible))}.",
        )


def _one_of(allowed: tuple[str, ...], surface: str, device: str) -> DeviceAddress:
    if surface not in allowed:
        raise NotYourSurfaceError(
            f"This token cannot answer as {surface!r}, only as: {', '.join(allowed)}.", fix="Leave out `surface`."
        )
    return DeviceAddress(surface=surface, device=device)
