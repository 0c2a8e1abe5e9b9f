"""The port of all mouths: text in, blocks of sound out as soon as they are made."""

from collections.abc import Iterator
from typing import Protocol

from edge.engines.ear import Samples
from hub.contract.errors import WorldError


class NoMouthError(WorldError):
    """A speech engine cannot start: a part, its voice or its language is missing. The message says which."""

    code = "no-mouth"
    retryable = False


class Mouth(Protocol):
    """Turns a text into sound. A caller that stops iterating stops the making; a mouth plays nothing itself."""

    name: str
    rate: int
    """Samples a second of what it yields."""

    def speak(self, text: str) -> Iterator[Samples]:
        """Yield the sound of a text, block by block, the first one as soon as there is one."""

    def close(self) -> None:
        """Let go of what it holds ready; it speaks no more."""
