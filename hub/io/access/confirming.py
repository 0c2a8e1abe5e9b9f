"""Asking again: what loosens Pulse takes a person who has shown, a short while ago, that they are there.

A browser's session lasts for weeks, and whoever sits down at it is that person as far as a session can tell. So what
changes what Pulse may do takes a confirmation that is at most some minutes old: signing in with a code, another code
from the terminal, or the passkey. Who has a passkey confirms with that alone, everywhere: a program on the same machine
may get hold of a token or a code, but not of a finger on a key. Stopping and taking back is never asked again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Literal

from hub.contract.access import PairingRequest
from hub.contract.api import ConfigPatch
from hub.contract.base import Value
from hub.contract.words import Risk, Verb
from hub.domain.storage import Client
from hub.domain.suggestion import Card
from hub.io.access.passkeys import Passkeys
from hub.io.access.tokens import LOCAL_ID
from hub.io.http.confirm_errors import ConfirmAgainError
from hub.io.http.judged_card import judged_card
from hub.io.http.parts import ApiParts
from hub.kit.bounded import BoundedMap

FRESH_FOR = timedelta(minutes=10)
HELD_MAX = 200
RUNS_WORK = frozenset({Verb.APPROVE, Verb.EDIT, Verb.RETRY})
NEVER_ASKED = frozenset(
    {
        "dnd_until",
        "dnd_off",
        "needless_interruption",
        "missed_help",
        "interruptions_per_day",
        "digest_times",
        "digest_on_return",
    }
)
"""Fields of the configuration that say when to be quiet and how to tell, and nothing about what may be done."""
STOPS: dict[str, object] = {"enabled": False, "autonomous": False, "emergency_stop": True}
IN_THE_PAGE = "Open the page and do it there: it asks for the passkey."
How = Literal["code", "passkey"]
Level = Literal["nobody", "passkey-pages", "pages", "everybody"]
"""Who is asked again: pages, only those of a person with a passkey, or also every token of such a person."""
Judge = Callable[[Any], Level]
"""Says by a request's body who is asked again."""


class Confirmation(Value):
    """When and how a person confirmed."""

    at: datetime
    how: How


class Confirmations:
    """The last confirmation of each session; they end with the process."""

    def __init__(self, passkeys: Passkeys) -> None:
        self._passkeys = passkeys
        self._held: BoundedMap[str, Confirmation] = BoundedMap(HELD_MAX)

    def note(self, client_id: str, how: How, now: datetime) -> None:
        """Take a confirmation; of too many the oldest is forgotten."""
        self._held[client_id] = Confirmation(at=now, how=how)

    def require(self, client: Client | None, level: Level, now: datetime) -> None:
        """Check that this client may do what is asked of `level`.

        Raises:
            ConfirmAgainError: the person has to confirm first.
        """
        has_passkey = self._passkeys.any()
        if client is None or not self._is_asked(client, level):
            return
        if not client.key:
            raise ConfirmAgainError("You have a passkey, so this needs the passkey, not a token.", fix=IN_THE_PAGE)
        held = self._held.get(client.id)
        is_fresh = held is not None and timedelta() <= now - held.at <= FRESH_FOR
        if held is None or not is_fresh or (has_passkey and held.how != "passkey"):
            raise ConfirmAgainError(
                fix="Confirm with your passkey." if has_passkey else "`pulse confirm` shows a code that confirms it."
            )

    async def require_for_risk(
        self, parts: ApiParts, client: Client | None, card_id: str, verb: Verb, *, option: str, words: str | None
    ) -> None:
        """Check an approval: work of high risk takes the passkey of a person who has one, or a device of theirs.

        `words` are what the answer puts in the place of the card's. What lets something run without asking is asked
        again like any other loosening of what Pulse may do.

        Raises:
            ConfirmAgainError: the person has to confirm first.
        """
        if verb not in RUNS_WORK or _is_device(client) or client is None or not self._is_asked(client, "everybody"):
            return  # whatever the card is: it need not be read
        card = await judged_card(parts, card_id, words)
        is_high = card.proposal.risk is Risk.HIGH and self._passkeys.any()
        loosens = card.offer or card.mutation or card.grant_offer or _takes(card, option)
        if is_high or loosens:
            self.require(client, "everybody", parts.clock.now())

    def _is_asked(self, client: Client, level: Level) -> bool:
        """Return True if this client has to confirm what is asked of `level`, if it has not lately."""
        has_passkey = level in {"everybody", "passkey-pages"} and self._passkeys.any()
        match level:
            case "nobody":
                return False
            case "passkey-pages":
                return bool(client.key) and has_passkey
            case "pages" | "everybody":
                return bool(client.key) or has_passkey


def _takes(card: Card, option: str) -> bool:
    """Return True if an answer lets an agent do something without asking from now on."""
    return any(one.id == option for one in card.grants)


def _is_device(client: Client | None) -> bool:
    """Return True if this is a phone or watch, or a surface of ours that speaks for one; a page has a key."""
    return client is not None and not client.key and (bool(client.device) or client.id.startswith(f"{LOCAL_ID}_"))


def nobody(_body: object) -> Level:
    """Ask nobody."""
    return "nobody"


def pages(_body: object) -> Level:
    """Ask pages."""
    return "pages"


def everybody(_body: object) -> Level:
    """Ask pages, and everybody where there is a passkey."""
    return "everybody"


def for_config(patch: ConfigPatch) -> Level:
    """Ask before anything is loosened or changed; never before something is stopped."""
    loosening = [
        name for name, value in _said(patch).items() if name not in NEVER_ASKED and STOPS.get(name) is not value
    ]
    return "everybody" if loosening else "nobody"


def only_stops(patch: ConfigPatch) -> bool:
    """Return True if nothing is said but to stop: not even when to be quiet."""
    return all(STOPS.get(name) is value for name, value in _said(patch).items())


def _said(patch: ConfigPatch) -> dict[str, object]:
    return {name: value for name in patch.__struct_fields__ if (value := getattr(patch, name)) is not None}


def for_pairing(request: PairingRequest) -> Level:
    """Ask pages; a person with a passkey is also asked before an app gets a token, as a browser's code loosens nothing.

    The word for a terminal takes no code: that would come from a terminal, which may be the very one that waits for it.
    """
    if request.purpose == "terminal":
        return "passkey-pages"
    return "pages" if request.profile == "browser" else "everybody"
