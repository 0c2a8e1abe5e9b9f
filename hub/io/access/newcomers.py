"""Browsers that used a code over a connection that nobody vouches for: each waits until the person has looked.

Theory: a browser that warns of a certificate and is told to go on shows whatever page the other side sends. If somebody
on the network stands between, that page is theirs: it has the code, a key of its own, and can show any number that the
computer shows. So nothing that a page says proves anything, nor does a number that both sides show. What it cannot
change is the browser's own window about the certificate. The person says which of several beginnings of a fingerprint
stands there. One of them is ours; the others share its first and last pairs, so that the middle has to be read, and
none of them is a certificate's. Who looks at nothing is right once in `CHOICES`, and who is wrong ends the code.

The number is for another danger: somebody who read the code and was faster. Then the person's own phone shows none.
"""

import secrets
from datetime import datetime
from typing import Final, Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.io.access.codes import Invitation
from hub.io.access.proofs import Holder
from hub.kit.bounded import BoundedMap

PAIRS: Final = 8
"""So many pairs of a fingerprint are compared: 64 bits, more than anybody finds by trying while a phone is let in."""
SHARED: Final = 2
"""So many pairs at either end are the same in all that can be chosen."""
CHOICES: Final = 4
NUMBERS: Final = range(100, 1000)
WAITING_MAX: Final = 20
ID_BYTES: Final = 8


class WrongCertificateError(UserError):
    """That is not Pulse's certificate, so someone on this network may be interfering. The browser was not let in."""

    code = "wrong-certificate"
    status = 409
    FIX = "Close the page on the phone. Use another network, or another way: `pulse phone`."


class NotWaitingError(UserError):
    """This browser does not wait any more: its code has expired, or it was answered."""

    code = "not-waiting"
    status = 404


class NotLetInHereError(UserError):
    """You did not let this browser in. Get a new code to try again."""

    code = "turned-away"
    status = 403


class Newcomer(Value):
    """One that waits: the code that it used, its key, and what the person has said of it."""

    id: str
    code: str
    holder: Holder
    title: str
    number: str
    invitation: Invitation
    said: Literal["nothing", "no", "compared", "trusted"] = "nothing"


class Newcomers:
    """Those that wait at the moment; they end with the process, and with their codes."""

    def __init__(self) -> None:
        self._waiting: BoundedMap[str, Newcomer] = BoundedMap(WAITING_MAX)

    def begin(self, code: str, holder: Holder, title: str, invitation: Invitation) -> Newcomer:
        """Have one more wait; of too many the oldest is forgotten."""
        made = Newcomer(
            id=secrets.token_hex(ID_BYTES),
            code=code,
            holder=holder,
            title=title,
            number=str(secrets.choice(NUMBERS)),
            invitation=invitation,
        )
        self._waiting[made.id] = made
        return made

    def of(self, code: str, holder: Holder, now: datetime) -> Newcomer | None:
        """Return the one that used this code with this key; None if nobody waits with the code and key."""
        same = (one for one in self.waiting(now, answered=True) if (one.code, one.holder) == (code, holder))
        return next(same, None)

    def waiting(self, now: datetime, *, answered: bool = False) -> tuple[Newcomer, ...]:
        """Return those that wait for the person; with `answered` also those that have not heard yet what was said."""
        for one in [one for one in self._waiting.values() if not one.invitation.is_good(now)]:
            del self._waiting[one.id]
        return tuple(one for one in self._waiting.values() if answered or one.said == "nothing")

    def answer(self, waiting_id: str, now: datetime, said: Literal["no", "compared", "trusted"]) -> Newcomer:
        """Take what the person says; once.

        Raises:
            NotWaitingError: nobody waits under this name.
        """
        one = next((one for one in self.waiting(now) if one.id == waiting_id), None)
        if one is None:
            raise NotWaitingError
        self._waiting[one.id] = replace(one, said=said)
        return one

    def let_go(self, one: Newcomer) -> None:
        """Forget one that was told what was said."""
        self._waiting.pop(one.id, None)


def beginning_of(fingerprint: str) -> str:
    """Return the pairs of a fingerprint that are compared, with blanks between them."""
    return " ".join(fingerprint.upper().split(":")[:PAIRS])


def choices_for(fingerprint: str) -> tuple[str, ...]:
    """Return the beginning of a fingerprint among others that are alike, in any order."""
    ours = beginning_of(fingerprint).split()
    choices = {" ".join(ours)}
    while len(choices) < CHOICES:
        middle = [f"{byte:02X}" for byte in secrets.token_bytes(PAIRS - 2 * SHARED)]
        if all(theirs != own for theirs, own in zip(middle, ours[SHARED:-SHARED], strict=True)):
            choices.add(" ".join([*ours[:SHARED], *middle, *ours[-SHARED:]]))
    return tuple(secrets.SystemRandom().sample(sorted(choices), CHOICES))
