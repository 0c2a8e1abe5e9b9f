"""The world log as commands have it: over the hub's API where Pulse runs, else as a file."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from hub.cli.api import HubClient, open_api, read
from hub.cli.command import CommandContext
from hub.contract.base import Message
from hub.contract.world import BadWorldEntryError
from hub.contract.world_api import WorldAgentBody, WorldCheckBody, WorldEventBody, WorldLines, WorldPath
from hub.kit.hub_api import NotRunningError

if TYPE_CHECKING:
    from hub.cli.world_file import FileLog

PATH = "/world"
NAMES = "A session or reader name may use letters, digits and . _ : @ -, up to 128; see `pulse world --help`."
M = TypeVar("M", bound=Message)


class LogAtHand:
    """The log over the hub's API where it runs, else as a file."""

    def __init__(self, context: CommandContext) -> None:
        self._here = context
        self._file: FileLog | None = None
        try:
            self.api: HubClient | None = open_api(context.home)
        except NotRunningError:
            self.api = None

    @property
    def file(self) -> "FileLog":
        """The file itself."""
        if self._file is None:
            from hub.cli.world_file import FileLog  # noqa: PLC0415  only while Pulse is away

            self._file = FileLog(self._here)
        return self._file

    def say(self, where: str, body: WorldEventBody | WorldAgentBody) -> bytes | None:
        """Say one line; return the hub's answer, None where it was appended to the file."""
        if self.api is not None:
            return self.api.call("POST", f"{PATH}/{where}", body)
        self.file.say(body)
        return None

    def check(self, reader: str, most: int, done: str) -> WorldLines:
        """Return what is new for a reader, who has read the batch `done`."""
        body = body_of(WorldCheckBody, reader=reader, most=most, done=done)
        if self.api is not None:
            return read(self.api.call("POST", f"{PATH}/check", body), WorldLines)
        return self.file.check(reader, most=most, done=done)

    def recent(self, count: int) -> WorldLines:
        """Return the last lines."""
        if self.api is not None:
            return self.api.get(f"{PATH}/recent?n={count}", WorldLines)
        return self.file.recent(count)

    def path(self) -> Path:
        """Return where the log lies."""
        if self.api is not None:
            return Path(self.api.get(f"{PATH}/path", WorldPath).path)
        return self.file.files.log


def body_of(kind: type[M], **fields: object) -> M:
    """Make a request's body of what was typed.

    Raises:
        BadWorldEntryError: a part of it cannot be.
    """
    try:
        return msgspec.convert(msgspec.to_builtins(kind(**fields)), kind)
    except msgspec.ValidationError as error:
        raise BadWorldEntryError(f"This cannot be recorded: {error}.", fix=NAMES) from error
