"""One-time codes: how a person lets one more browser, phone or watch in (design section 7).

Theory: a code is `CODE_LETTERS` random letters of 32 and good for ten minutes and one use. Strangers may try as many as
they like: a limit on wrong ones would let any of them refuse the right one. What protects a code is its length: in its
ten minutes at most `TRIES_MAX` are looked at, several times what a hub can answer, and with `CODES_MAX` codes open the
chance that one of them is hit stays below 2^-20. Should that many ever be tried, every open code ends.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final, Literal

from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.bounded import BoundedMap

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
CODE_LETTERS: Final = 10
CODE_LASTS: Final = timedelta(minutes=10)
CODES_MAX: Final = 50
TRIES_MAX: Final = 20_000_000
"""Wrong codes while one is open: 33,000 a second, for ten minutes."""
Purpose = Literal["sign-in", "confirm", "terminal"]


class BadCodeError(UserError):
    """This code is wrong, already used, or older than ten minutes. `pulse open` makes a new one."""

    code = "bad-code"
    status = 403


class CodeEndedError(BadCodeError):
    """This code ended when an agent was connected, because agents could have read it."""

    code = "code-ended"
    FIX = "Run `pulse open` in a terminal outside tmux, screen and recorders, or pair this device on one of your pages."


class Invitation(Value):
    """What a code lets in: a device of this profile, with these scopes, called `title` unless it says otherwise.

    One whose purpose is to confirm lets nobody in. `by_hub`: the hub itself showed it, in its own terminal. `waits`: it
    leads over a connection that nobody vouches for, so the person lets in who used it (newcomers.py).
    """

    purpose: Purpose
    profile: str
    title: str
    scopes: tuple[str, ...]
    expires_at: datetime
    by_hub: bool = False
    waits: bool = False

    def is_good(self, now: datetime) -> bool:
        """Return True until it expires; a clock that is set back makes it last no longer."""
        return timedelta() < self.expires_at - now < 2 * CODE_LASTS


class Codes:
    """The codes that are good at the moment; they end with the process."""

    def __init__(self) -> None:
        self._open: BoundedMap[str, Invitation] = BoundedMap(CODES_MAX)
        self._ended: BoundedMap[str, None] = BoundedMap(CODES_MAX)
        """Those that `end_all` ended: who still holds one is told why."""
        self._tries = 0
        """Wrong ones since no code was open."""

    def mint(
        self,
        *,
        profile: str,
        title: str,
        scopes: tuple[str, ...],
        now: datetime,
        purpose: Purpose = "sign-in",
        by_hub: bool = False,
        waits: bool = False,
    ) -> tuple[str, Invitation]:
        """Return a new code and what it lets in; of too many the oldest is forgotten."""
        self._drop_old(now)
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))
        expires_at = now + CODE_LASTS
        invitation = Invitation(
            purpose=purpose,
            profile=profile,
            title=title,
            scopes=scopes,
            expires_at=expires_at,
            by_hub=by_hub,
            waits=waits,
        )
        self._open[code] = invitation
        return code, invitation

    def take(self, code: str, now: datetime, purpose: Purpose = "sign-in") -> Invitation:
        """Use a code up. A person may type it in small letters and with dashes or spaces.

        One that was made for another purpose is wrong, and stays.

        Raises:
            BadCodeError: it is not good, or not any more.
            CodeEndedError: it ended before its time.
        """
        self._drop_old(now)
        found = self._open.get(plain(code))
        if found is not None and found.purpose == purpose:
            del self._open[plain(code)]
            return found
        self._tries += 1
        if self._tries >= TRIES_MAX:
            self._open.clear()
        if plain(code) in self._ended:
            raise CodeEndedError(fix=CodeEndedError.FIX)
        raise BadCodeError

    def end_all(self, *, but_by_hub: bool) -> None:
        """End every open code, or every one that the hub did not show in its own terminal."""
        kept = {code: one for code, one in self._open.items() if but_by_hub and one.by_hub}
        self._ended.update(dict.fromkeys(self._open.keys() - kept.keys()))
        self._open = BoundedMap(CODES_MAX, kept.items())

    def _drop_old(self, now: datetime) -> None:
        if not all(one.is_good(now) for one in self._open.values()):
            good = ((code, one) for code, one in self._open.items() if one.is_good(now))
            self._open = BoundedMap(CODES_MAX, good)
        if not self._open:
            self._tries = 0


def shown(code: str) -> str:
    """Return a code as a person reads it: in two halves."""
    return f"{code[: len(code) // 2]}-{code[len(code) // 2 :]}"


def plain(code: str) -> str:
    """Return a code as it was made, however a person typed it."""
    return "".join(letter for letter in code.upper() if letter.isalnum())
