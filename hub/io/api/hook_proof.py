"""The proof that an answer to a hook is the hub's: signed together with what was asked (ADR 159)."""

import asyncio
from pathlib import Path

from hub.contract.hooks import HookRequest
from hub.io.api.call import Services
from hub.io.home.folder import Home
from hub.io.home.hook_key import HookKey

TRUTH = {True: b"true", False: b"false"}


class HookProver:
    """Signs with the key of this home."""

    def __init__(self, home: Path) -> None:
        self._key = HookKey(Home(home))

    async def proof(self, asked: HookRequest, status: int, answer: bytes) -> str:
        """Return the signature of an answer to just this question; `hook_client.py` checks the same bytes."""
        flags, given = (TRUTH[asked.shortened], TRUTH[asked.unattended]), asked.given
        where = (b"%d" % len(asked.project), asked.project) if asked.project else ()
        version = b"pulse-hook-2" if where else b"pulse-hook-1"  # programs that were connected before know only this
        head = (version, asked.nonce.encode(), asked.dialect.encode(), *flags, *where)
        text = b"\n".join((*head, b"%d" % len(given), given, b"%d" % status, answer))
        return await asyncio.to_thread(self._key.sign, text)

    async def close(self) -> None:
        """End with the API; nothing is open."""


def prover_of(services: Services) -> HookProver | None:
    """Return what signs for this API; None where it has no home."""
    home = services.parts.home
    return None if home is None else services.late.one(HookProver, lambda: HookProver(home))
