"""Which addresses are still to be told of which tasks, kept until they were: a file that only its owner may read.

It holds the tokens by which the tasks are watched, for this process has no rights of its own; each leaves it with its
task, which is open for a day at most.
"""

import logging
from pathlib import Path

import msgspec

from hub.contract.base import Value
from hub.io.agents.a2a_server.wire import PushConfig
from hub.io.home.private_files import private_folder, write_private

LOG = logging.getLogger(__name__)


class KeptPush(Value):
    """One address of one task: by which token the task is watched, which card it is, until when at most (Unix time)."""

    token: str
    card_id: str
    context_id: str
    until: float
    config: PushConfig


class PushFile:
    """The file; without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def read(self) -> tuple[KeptPush, ...]:
        """Return what is kept; a file that cannot be read is said and left as it is."""
        if self._path is None or not self._path.exists():
            return ()
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=tuple[KeptPush, ...])
        except (OSError, msgspec.DecodeError) as error:
            LOG.warning("%s cannot be read, so what was to be told is not known: %s", self._path.name, error)
            return ()

    def write(self, kept: tuple[KeptPush, ...]) -> None:
        """Keep exactly these.

        Raises:
            OSError: they could not be kept; what was kept is kept still.
        """
        if self._path is None:
            return
        private_folder(self._path.parent)
        write_private(self._path, msgspec.json.encode(kept).decode())
