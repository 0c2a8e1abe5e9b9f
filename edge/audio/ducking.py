"""Other sound on this machine, where its sound server is PulseAudio or PipeWire: asks `pactl` of it, and lowers it.

Elsewhere nothing happens. What was lowered is put back as it was; what has ended meanwhile is let go.
"""

import os
import shutil
import subprocess
import threading

import msgspec

from hub.contract.base import Value

LOWERED = "30%"
ANSWER_S_MAX = 2.0
STREAMS_MAX = 20
OWNER, ROLE = "application.process.id", "media.role"
PIPES = frozenset({"filter", "abstract"})


class _Channel(msgspec.Struct):
    value: int


class _Stream(msgspec.Struct):
    """One line of `pactl -f json list sink-inputs`; further keys are let go."""

    index: int
    client: str | int | None = None
    volume: dict[str, _Channel] = {}
    corked: bool = False
    properties: dict[str, str] = {}

    @property
    def is_others(self) -> bool:
        """Whether another program plays now. What no program owns is the server's own piping.

        Our voice goes through such a pipe where the server cancels its echo.
        """
        is_ours = self.properties.get(OWNER) == str(os.getpid())
        is_pipe = self.client is None or self.properties.get(ROLE) in PIPES
        return not self.corked and not is_ours and not is_pipe


class Lowered(Value):
    """A stream that was lowered, and how loud it was (65536 is full)."""

    index: int
    volume: int


class Ducker:
    """One of these for a process. Whatever it is asked may take tens of milliseconds and belongs off the loop."""

    def __init__(self) -> None:
        self._program = shutil.which("pactl") or ""
        self._lock = threading.Lock()
        self._lowered: tuple[Lowered, ...] = ()

    def others_play(self) -> bool:
        """Say whether another program plays now; False where nobody can tell."""
        return any(one.is_others for one in self._streams())

    def lower(self) -> None:
        """Lower every stream but our own."""
        with self._lock:
            if self._lowered:
                return
            self._lowered = tuple(
                Lowered(index=one.index, volume=max(channel.value for channel in one.volume.values()))
                for one in self._streams()
                if one.volume and one.is_others
            )
            for one in self._lowered:
                self._ask("set-sink-input-volume", str(one.index), LOWERED)

    def restore(self) -> None:
        """Put every stream back as it was."""
        with self._lock:
            for one in self._lowered:
                self._ask("set-sink-input-volume", str(one.index), str(one.volume))
            self._lowered = ()

    def _streams(self) -> list[_Stream]:
        try:
            return msgspec.json.decode(self._ask("-f", "json", "list", "sink-inputs"), type=list[_Stream])[:STREAMS_MAX]
        except msgspec.DecodeError:
            return []

    def _ask(self, *arguments: str) -> bytes:
        if not self._program:
            return b""
        try:
            return subprocess.run(  # noqa: S603  a program found on PATH, with our own words
                [self._program, *arguments], capture_output=True, check=False, timeout=ANSWER_S_MAX
            ).stdout
        except (OSError, subprocess.TimeoutExpired):
            return b""
