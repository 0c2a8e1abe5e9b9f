"""The world log as commands use it while Pulse is not running: the file itself, and what each reader has read of it."""

import tomllib
from datetime import UTC, datetime

import msgspec
from msgspec.structs import replace

from hub.cli.command import CommandContext
from hub.contract.world import SOURCES, check_source
from hub.contract.world_api import WorldAgentBody, WorldEventBody, WorldLines
from hub.domain.provenance import LogText
from hub.domain.world import WorldEvent
from hub.domain.world_bodies import line_of
from hub.domain.world_lines import USER_SOURCE
from hub.io.home.folder import Home
from hub.io.world.checks import WorldChecks
from hub.io.world.place import WorldFiles, world_files
from hub.io.world.recent import recent
from hub.io.world.shown import line_view
from hub.io.world.writing import WorldLog
from hub.kit.files import FOLDER_MODE
from hub.settings.schema import WorldSettings


class FileLog:
    """The log of a home whose Pulse does not run."""

    def __init__(self, context: CommandContext) -> None:
        """Read where it is.

        Raises:
            SettingsError: the settings cannot be read.
        """
        self.settings = _settings(context)
        self.files: WorldFiles = world_files(context.home, self.settings.log)
        self._checks = WorldChecks(self.files, _now)

    def say(self, body: WorldEventBody | WorldAgentBody) -> None:
        """Append a fact or a status.

        Raises:
            WorldOffError: there is no log.
            BadWorldEntryError: no line can say this; nothing was written.
            WorldLogError: the file cannot be written.
        """
        line = line_of(body)
        if isinstance(line, WorldEvent):
            check_source(line.source, SOURCES | frozenset(self.settings.sources))
        self._log().append(replace(line, at=_now()))

    def respond(self, session: str, text: str) -> None:
        """Append a person's answer.

        Raises:
            WorldLogError: the file cannot be written.
        """
        said = WorldEvent(at=_now(), source=USER_SOURCE, identifier=LogText(session), text=LogText(text))
        self._log().append(said)

    def recent(self, count: int) -> WorldLines:
        """Return the last lines, oldest first.

        Raises:
            WorldLogError: the file cannot be read.
        """
        return WorldLines(lines=tuple(map(line_view, recent(self.files.log, count))))

    def check(self, reader: str, *, most: int, done: str) -> WorldLines:
        """Note that a batch was read, and return what is new for a reader.

        Raises:
            BadWorldEntryError: nobody can be called that.
            WorldLogError: the file cannot be read.
        """
        found = self._checks.check(reader, most=most, done=done)
        return WorldLines(lines=tuple(map(line_view, found.lines)), has_more=found.has_more, batch=found.batch)

    def _log(self) -> WorldLog:
        if not self.settings.enabled:
            from hub.loop.world import WorldOffError  # noqa: PLC0415  it brings the whole loop along

            raise WorldOffError(fix="Set `world.enabled = true` in the settings file.")
        self.files.log.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        return WorldLog(self.files.log)


def _now() -> datetime:
    return datetime.now(UTC)


def _settings(context: CommandContext) -> WorldSettings:
    """Read the part of the settings that is about the log; only where that fails, all of them, which tells why."""
    path = Home(context.home).config
    try:
        text = path.read_text(encoding="utf-8")
        return msgspec.convert(tomllib.loads(text).get("world", {}), WorldSettings)
    except FileNotFoundError:
        return WorldSettings()
    except (OSError, ValueError):
        from hub.app.surfaces import settings_at  # noqa: PLC0415  it costs a second, and says what is wrong

        return settings_at(path).world
