"""A person who answers what agents ask, as a script says; without one they never do."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.control import PermissionReply
from hub.contract.permission import PermissionAnswer, PermissionRequest
from hub.contract.words import HumanInput, Status, Verb
from hub.domain.requests import Refused
from tests.fakes.hub_api import NOON, a_prediction

Answer = Callable[[PermissionRequest], PermissionReply | Refused]


class ScriptedPerson:
    """Answers by a script. `asked` is what was asked, `withdrawn` the keys of what was taken back.

    `grants` are by a command what lets it go on unasked.
    """

    def __init__(self, answer: Answer | None = None) -> None:
        self.asked: list[PermissionRequest] = []
        self.withdrawn: list[str] = []
        self.heard = asyncio.Event()
        self.grants: dict[str, str] = {}
        self.until: asyncio.Future[PermissionReply] | None = None
        """Where it is there, the answer that is yet to come."""
        self._answer = answer

    async def ask(self, asked: PermissionRequest, *, key: str, is_linked: bool = True) -> PermissionReply | Refused:
        grant = "" if is_linked else self.grants.get(asked.text, "")
        if grant:
            shown = replace(a_prediction(status=Status.CONFIRMED), outcome=grant)
            return PermissionReply(prediction=shown, answered=False, approved=True)
        self.asked.append(asked)
        self.heard.set()
        if self._answer is not None:
            return self._answer(asked)
        coming = self.until or asyncio.get_running_loop().create_future()
        try:
            return await coming
        except asyncio.CancelledError:
            self.withdrawn.append(key)
            raise


def replied(verb: Verb, *, reason: str = "", answer: PermissionAnswer | None = None) -> PermissionReply:
    """Return what comes of a person's word."""
    approved = verb is Verb.APPROVE
    settled = Settlement(
        verb=verb, by="me", surface="web", device="page", human_input=HumanInput.TAP, at=NOON, reason=reason
    )
    shown = replace(a_prediction(status=Status.CONFIRMED if approved else Status.REJECTED), settled=settled)
    return PermissionReply(prediction=shown, answered=True, approved=approved, answer=answer)
