"""One-time codes: how a person lets one more browser, phone or watch in (design section 7).

Theory: a code is 40 random bits and good for ten minutes and one use, so guessing it needs 10^12 tries. Ten wrong
ones in a minute close the door for the rest of that minute, for everybody, so nobody gets near that many.
"""

import base64
import secrets
from datetime import datetime, timedelta

from hub.contract.base import Value
from hub.errors import UserError

CODE_BYTES = 5
CODE_LASTS = timedelta(minutes=10)
CODES_MAX = 50
WRONG_MAX = 10
WRONG_SPAN = timedelta(minutes=1)


class BadCodeError(UserError):
    """This code is wrong, was used before, or is older than ten minutes. `pulse open` makes a new one."""

    code = "bad-code"
    status = 403


class TooManyCodesError(UserError):
    """Too many wrong codes were tried in the last minute. Wait a minute, then try again."""

    code = "too-many-codes"
    status = 429


class Invitation(Value):
    """What a code lets in: a device of this profile, with these scopes, called `title` unless it says otherwise."""

    profile: str
    title: str
    scopes: tuple[str, ...]
    expires_at: datetime


class Codes:
    """The codes that are good at the moment; they end with the process."""

    def __init__(self) -> None:
        self._open: dict[str, Invitation] = {}
        self._wrong: list[datetime] = []

    def mint(self, *, profile: str, title: str, scopes: tuple[str, ...], now: datetime) -> tuple[str, Invitation]:
        """Return a new code and what it lets in; of too many the oldest is forgotten."""
        self._drop_old(now)
        while len(self._open) >= CODES_MAX:
            del self._open[next(iter(self._open))]
        code = base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode()
        invitation = Invitation(profile=profile, title=title, scopes=scopes, expires_at=now + CODE_LASTS)
        self._open[code] = invitation
        return code, invitation

    def take(self, code: str, now: datetime) -> Invitation:
        """Use a code up. A person may type it in small letters and with dashes or spaces.

        Raises:
            BadCodeError: it is not good, or not any more.
            TooManyCodesError: too many wrong ones came just now.
        """
        self._drop_old(now)
        if len(self._wrong) >= WRONG_MAX:
            raise TooManyCodesError
        found = self._open.pop(_plain(code), None)
        if found is None:
            self._wrong.append(now)
            raise BadCodeError
        return found

    def _drop_old(self, now: datetime) -> None:
        self._open = {code: one for code, one in self._open.items() if one.expires_at > now}
        self._wrong = [at for at in self._wrong if now - at < WRONG_SPAN]


def shown(code: str) -> str:
    """Return a code as a person reads it: in two halves."""
    return f"{code[: len(code) // 2]}-{code[len(code) // 2 :]}"


def _plain(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter.isalnum())
