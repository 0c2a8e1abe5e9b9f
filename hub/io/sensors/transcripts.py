"""Agent session transcripts on disk: who spoke last, and is a question open? Only the ends of recent files are read."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hub.contract.base import Value
from hub.domain.readings import AnyReading, ConversationReading
from hub.domain.situation import Conversation
from hub.io.sensors.bounded import entries, head, tail
from hub.io.sensors.guard import DiskSensor
from hub.sense.transcripts import Gist, Reader, Source, claude_line, codex_line, conversation, gist

RECENT = timedelta(hours=24)
RESCAN_AFTER = timedelta(minutes=5)
"""Between two looks at all folders only the known recent files are looked at; so an old session that is taken up again
is noticed this late. A new one is noticed at once, by its folder's time."""
FILES_MAX = 64
FOLDERS_MAX = 2_000
ENTRIES_MAX = 20_000
DEPTH_MAX = 4
HEAD_BYTES_MAX = 32 * 1024
TAIL_BYTES_MAX = 128 * 1024
READERS: Mapping[Source, Reader] = {"claude-code": claude_line, "codex": codex_line}
SUBAGENT_PREFIX = "agent-"
UUID_CHARS = 36


class TranscriptFolder(Value):
    """Where one kind of agent keeps its transcripts."""

    source: Source
    path: Path


def default_folders(home: Path) -> tuple[TranscriptFolder, ...]:
    """Return where the agents keep their transcripts unless told otherwise."""
    return (
        TranscriptFolder(source="claude-code", path=home / ".claude" / "projects"),
        TranscriptFolder(source="codex", path=home / ".codex" / "sessions"),
    )


class _Known(Value):
    """A file as it was when last read."""

    stamp: tuple[int, int]
    beginning: Gist
    found: Conversation | None


class TranscriptSensor(DiskSensor):
    """Looks at each tick at the times of the recent files, and reads only those that changed."""

    name = "transcripts"
    read_s_max = 10.0

    def __init__(self, folders: Sequence[TranscriptFolder]) -> None:
        super().__init__()
        self._folders = tuple(folders)
        self._files: dict[Path, Source] = {}
        self._known: dict[Path, _Known] = {}
        self._folder_times: dict[Path, int] = {}
        self._scanned_at: datetime | None = None

    def look(self, now: datetime) -> AnyReading:
        """Tell of the conversations of the last 24 hours, newest first."""
        if self._must_scan(now):
            self._scan(now)
        known = {path: each for path, source in self._files.items() if (each := self._read_file(path, source))}
        self._known = known
        recent = [each.found for each in known.values() if each.found and each.found.last_at > now - RECENT]
        return ConversationReading(
            conversations=tuple(sorted(recent, key=lambda each: (each.last_at, each.id), reverse=True))
        )

    def _must_scan(self, now: datetime) -> bool:
        if self._scanned_at is None or abs(now - self._scanned_at) >= RESCAN_AFTER:
            return True
        return any(_folder_time(folder) != seen for folder, seen in self._folder_times.items())

    def _scan(self, now: datetime) -> None:
        self._scanned_at, self._folder_times = now, {}
        oldest = (now - RECENT).timestamp()
        found: list[tuple[float, Path, Source]] = []
        for each in self._folders:
            for path, changed_at in self._transcripts(each.path):
                if changed_at >= oldest:
                    found.append((changed_at, path, each.source))
        found.sort(reverse=True)
        self._files = {path: source for _, path, source in found[:FILES_MAX]}

    def _transcripts(self, top: Path) -> Iterator[tuple[Path, float]]:
        """Walk one agent's folders; links are not followed, and depth, folders and entries are bounded."""
        waiting, seen = [(top, 0)], 0
        while waiting and len(self._folder_times) < FOLDERS_MAX and seen < ENTRIES_MAX:
            folder, depth = waiting.pop()
            self._folder_times[folder] = _folder_time(folder)
            for entry in entries(folder):
                seen += 1
                if entry.is_dir(follow_symlinks=False) and depth < DEPTH_MAX:
                    waiting.append((Path(entry.path), depth + 1))
                elif entry.name.endswith(".jsonl") and not entry.name.startswith(SUBAGENT_PREFIX):
                    yield Path(entry.path), _changed_at(entry)

    def _read_file(self, path: Path, source: Source) -> _Known | None:
        known = self._known.get(path)
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if known is not None and known.stamp == stamp:
                return known
            return _reread(path, source, stamp, known)
        except OSError:
            return None  # gone, or not ours to read: there are others


def _reread(path: Path, source: Source, stamp: tuple[int, int], known: _Known | None) -> _Known:
    # The first words do not change, so a long session's beginning is read until they are known, and never again.
    beginning = known.beginning if known else Gist()
    if not (beginning.topic or beginning.automated):
        beginning = gist(head(path, HEAD_BYTES_MAX).splitlines(), READERS[source])
    end = gist(tail(path, TAIL_BYTES_MAX).splitlines(), READERS[source])
    return _Known(stamp=stamp, beginning=beginning, found=conversation(_name(path), source, beginning, end))


def _name(path: Path) -> str:
    # Codex puts a time before the session's own id.
    return path.stem[-UUID_CHARS:] if path.stem.startswith("rollout-") else path.stem


def _folder_time(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def _changed_at(entry: os.DirEntry[str]) -> float:
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return datetime.min.replace(tzinfo=UTC).timestamp()
