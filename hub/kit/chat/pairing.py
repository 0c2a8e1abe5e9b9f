"""Who may answer in a chat: whoever sends the code that Pulse showed its owner on their own screen. Within minutes.

The chat vouches for who somebody is; the code shows that this one is the owner. It is long enough that nobody guesses
it in the tries that are allowed, and nobody is told whether they were near.
"""

import asyncio
import hmac
from collections.abc import AsyncIterator, Callable

from hub.contract.errors import UserError
from hub.kit.chat.heard import START, ChatHeard, Sender, Wrote

CODE_CHARS = 10
ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
"""Without letters and digits that look alike."""
WAIT_S_MAX = 600.0
WRONG_MAX = 20


class NotPairedInTimeError(UserError):
    """The code was not sent in time, or too many wrong ones were. Run the set-up again for a new code."""

    code = "chat-not-paired"


def new_code(choose: Callable[[str], str]) -> str:
    """Return a new code; `choose` picks one sign of several by chance, such as `secrets.choice`."""
    return "".join(choose(ALPHABET) for _ in range(CODE_CHARS))


def is_code(text: str, code: str) -> bool:
    """Say whether somebody sent the code, by itself or behind the `/start` that a link writes for them."""
    said = text.strip().removeprefix(START).strip().upper()
    return hmac.compare_digest(said.encode(), code.encode())


async def paired_by(heard: AsyncIterator[ChatHeard], code: str) -> tuple[Sender, Wrote]:
    """Wait for the person who sends the code, and return who and where that was.

    Raises:
        NotPairedInTimeError: nobody did.
    """
    wrong = 0
    try:
        async with asyncio.timeout(WAIT_S_MAX):
            async for one in heard:
                if isinstance(one, Wrote) and is_code(one.text, code):
                    return one.sender, one
                wrong += isinstance(one, Wrote) and len(one.text.strip()) >= CODE_CHARS
                if wrong > WRONG_MAX:
                    break
    except TimeoutError:
        pass
    raise NotPairedInTimeError
