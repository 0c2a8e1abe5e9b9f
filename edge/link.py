"""The glasses' own connection to the hub: a login kept on this machine, and answers that outlive a loss of the network.

Unlike a screen, a voice cannot show that an answer is still on its way, so answers are kept in a file with their time
until the hub has judged them, and handed in again after every reconnect and now and then in between: the answer may
have been lost with the broker, and so may the verdict. The hub judges each on arrival and knows it by its id; what came
too late is told as such.
"""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from hub.contract import topics
from hub.contract.access import Login
from hub.contract.base import Value
from hub.contract.surface import Decision, Presence
from hub.kit.backoff import RetryPolicy
from hub.kit.files import FOLDER_MODE, replace_file
from hub.kit.mqtt.device import DeviceLink
from hub.kit.mqtt.messages import Notice

SURFACE = "glasses"
KEPT_ANSWERS_MAX = 50
AGAIN = RetryPolicy(base_s=1.0, cap_s=60.0)
"""An answer that the hub has not judged is handed in again after so long, then after twice as long, and so on."""
K = TypeVar("K")


class Body(Value):
    """How these glasses are: `worn` and `battery_percent` are None where nothing tells."""

    is_there: bool = True
    """Whether they can be heard and answered just now."""
    worn: bool | None = None
    battery_percent: int | None = None


class Kept:
    """What outlives this process: the login and the answers that the hub has not judged yet. Closed to other users."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
        self._login, self._answers = folder / "login.json", folder / "answers.json"

    def login(self) -> Login | None:
        """Return the login, if there is one that can be read."""
        return self._read(self._login, Login)

    def keep_login(self, login: Login) -> None:
        """Keep a login."""
        replace_file(self._login, msgspec.json.encode(login), lasting=True)

    def answers(self) -> tuple[Decision, ...]:
        """Return the answers that wait, oldest first."""
        return self._read(self._answers, tuple[Decision, ...]) or ()

    def keep_answers(self, answers: tuple[Decision, ...]) -> None:
        """Keep answers; of more than `KEPT_ANSWERS_MAX` the oldest are dropped, for they say the least."""
        replace_file(self._answers, msgspec.json.encode(answers[-KEPT_ANSWERS_MAX:]), lasting=True)

    def _read(self, path: Path, kind: type[K]) -> K | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError):
            return None


class GlassesLink(DeviceLink):
    """One connection: `async with GlassesLink(login, kept) as link`, then `async for item in link.items()`."""

    def __init__(self, login: Login, kept: Kept) -> None:
        """Prepare; nothing is opened yet."""
        self._kept = kept
        self._waiting = list(kept.answers())
        self._body = Body()
        self._handed_in = asyncio.Event()
        self._repeater: asyncio.Task[None] | None = None
        self.state_topic = topics.state(login.user)
        super().__init__(login, also=(self.state_topic,))

    async def __aenter__(self) -> Self:
        """Begin to connect, and keep at it."""
        self._repeater = asyncio.create_task(self._repeat(), name="answers-again")
        return await super().__aenter__()

    async def __aexit__(self, *error: object) -> None:
        """Say good-bye and disconnect."""
        if self._repeater is not None:
            self._repeater.cancel()
            await asyncio.gather(self._repeater, return_exceptions=True)
        await super().__aexit__(*error)

    def answer(self, decision: Decision) -> bool:
        """Keep a person's answer and hand it in; False when it has to wait for the connection."""
        self._waiting = [*self._waiting, decision][-KEPT_ANSWERS_MAX:]
        self._kept.keep_answers(tuple(self._waiting))
        self._handed_in.set()
        return self.send_decision(decision)

    def judged(self, decision_id: str) -> Decision | None:
        """Forget an answer that the hub has judged, and return it."""
        found = next((one for one in self._waiting if one.decision_id == decision_id), None)
        if found is not None:
            self._waiting.remove(found)
            self._kept.keep_answers(tuple(self._waiting))
        return found

    def awaits(self, card_id: str) -> bool:
        """Say whether an answer to that card waits for the hub's verdict."""
        return any(one.card_id == card_id for one in self._waiting)

    def set_body(self, body: Body) -> None:
        """Tell the hub, where it has changed, whether we are worn and how much power is left.

        Glasses that lie on a table are as good as not there.
        """
        if body != self._body:
            self._body = body
            self.send_presence()

    def presence(self) -> Presence:
        """Say how they are worn."""
        body = self._body
        worn, percent = body.worn, body.battery_percent
        return Presence(online=body.is_there, at=datetime.now(UTC), worn=worn, battery_percent=percent)

    def first_words(self) -> Sequence[Notice]:
        """Answers first: else the hub hands out anew, as still open, the cards that they answer."""
        self._handed_in.set()
        return (*map(self.decision_notice, self._waiting), *super().first_words())

    async def _repeat(self) -> None:
        """Hand in again, ever less often, what the hub has not judged."""
        tries = 0
        while True:
            try:
                async with asyncio.timeout(AGAIN.ceiling_s(tries) if self._waiting else None):
                    await self._handed_in.wait()
            except TimeoutError:
                tries += 1
                for decision in tuple(self._waiting):
                    self.send_decision(decision, again=True)
            else:
                self._handed_in.clear()
                tries = 0
