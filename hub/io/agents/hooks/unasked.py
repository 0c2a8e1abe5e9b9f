"""Notices an agent by its work: a session of which no hook was ever heard uses tools, by what it writes down itself.

Theory: there are more ways to keep an agent's hooks from running than a look at its settings can know (a value that
the agent refuses, an option, a variable, a program exchanged). All of them end in the same: its transcript grows, and
Pulse hears nothing. So that is looked at, and said only where it is sure: the session began after its agent was
connected, and what it used it used a while ago.

The files are an agent's, so they are held to what they are: plain files, no links, named by a session, written lately
by the system's own mark (a file's times can be set, its change of state cannot); a bounded part of them is read.
"""

import json
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from hub.contract.base import Value
from hub.domain.cut_off import CutOffAgent
from hub.domain.lookalikes import reveal
from hub.domain.provenance import say
from hub.io.agents.heard_sessions import HEARD, HeardSessions
from hub.io.agents.hooks.connections import CONNECTIONS, AgentConnection
from hub.io.sensors.bounded import entries, head, tail
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of

GROWN_WITHIN_S = 300.0
SETTLED_S = 10.0
"""A hook may take as long to be heard, and so long after it was connected an agent may not have read its settings."""
FOLDERS_MAX, FILES_MAX = 2_000, 64
READ_BYTES_MAX = 1_048_576
"""Of a file's beginning, and of its end."""
FOLDER_CHARS_MAX = 200
CLAUDE = CONNECTIONS["claude-code"]
"""The one agent whose files bear the name that its hooks give their session, and which has hooks in each session."""
SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class UsedTool(Value):
    """That a session used a tool of which Pulse heard nothing: in which folder, and when the session began."""

    session: str
    folder: str
    began_s: float


class UnaskedWork:
    """Remembers the session that was found until it is heard, or its agent is connected again."""

    def __init__(self, heard: HeardSessions = HEARD, *, now_s: Callable[[], float] = time.time) -> None:
        self._heard, self._now_s = heard, now_s
        self._found: UsedTool | None = None

    def look(self, transcripts: Path, since_s: Mapping[str, float]) -> tuple[CutOffAgent, ...]:
        """Return the agent that works unasked, if it does; it reads files, so call it in a thread.

        `since_s` says since when each connected agent is known to be.
        """
        began_after_s = since_s.get(CLAUDE.agent)
        if began_after_s is None:
            self._found = None
            return ()
        after_s = began_after_s + SETTLED_S
        if self._found is None or self._is_over(self._found, after_s):
            found = (self._used(path, after_s) for path in _grown(transcripts, after_s, self._now_s()))
            self._found = next((one for one in found if one is not None), None)
        return () if self._found is None else (_told(CLAUDE, self._found),)

    def _is_over(self, found: UsedTool, after_s: float) -> bool:
        return found.began_s < after_s or self._heard.is_heard(CLAUDE.agent, found.session)

    def _used(self, path: Path, after_s: float) -> UsedTool | None:
        if self._heard.is_heard(CLAUDE.agent, path.stem):
            return None
        try:
            began_s = _began_s(head(path, READ_BYTES_MAX, follow=False))
            end = b"" if began_s is None or began_s < after_s else tail(path, READ_BYTES_MAX, follow=False)
        except OSError:
            return None  # gone, or not ours to read: the next look is soon
        folder = _folder_of_use(end, self._now_s() - SETTLED_S)
        if began_s is None or folder is None or self._heard.is_ours(folder):
            return None
        return UsedTool(session=path.stem, folder=folder, began_s=began_s)


def transcripts_of(settings: Path) -> Path:
    """Return where the sessions are written down, beside the agent's settings."""
    return settings.parent / "projects"


def _told(which: AgentConnection, found: UsedTool) -> CutOffAgent:
    why = say(
        "A session of it works in {folder} without asking Pulse. To connect it again: {command}, then restart it.",
        folder=reveal(found.folder[:FOLDER_CHARS_MAX]),
        command=f"pulse connect {which.agent}",
    )
    return CutOffAgent(agent=which.agent, title=which.title, why=why)


def _grown(transcripts: Path, after_s: float, now_s: float) -> Iterator[Path]:
    """Yield the transcripts that were written to lately, the last first, in folders that got a new one since."""
    found: list[tuple[float, Path]] = []
    for folder in entries(transcripts)[:FOLDERS_MAX]:
        if (_changed_s(folder, stat.S_ISDIR) or 0.0) < after_s:
            continue
        for entry in entries(folder.path):
            changed_s = _changed_s(entry, stat.S_ISREG) if _is_named_by_session(entry.name) else None
            if changed_s is not None and changed_s >= now_s - GROWN_WITHIN_S:
                found.append((changed_s, Path(entry.path)))
    yield from (path for _, path in sorted(found, reverse=True)[:FILES_MAX])


def _is_named_by_session(name: str) -> bool:
    return name.endswith(".jsonl") and SESSION.fullmatch(name.removesuffix(".jsonl")) is not None


def _changed_s(entry: "os.DirEntry[str]", is_kind: Callable[[int], bool]) -> float | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return status.st_ctime if is_kind(status.st_mode) else None


def _began_s(beginning: bytes) -> float | None:
    """Return the first time that a transcript names."""
    times = (_time_s(line) for line in _lines(beginning))
    return next((one for one in times if one is not None), None)


def _folder_of_use(end: bytes, until_s: float) -> str | None:
    """Return the folder in which a session itself used a tool until then; what its subagents do is not its own."""
    for line in _lines(end):
        used = any(one.get("type") == "tool_use" for one in objects_of(object_of(line, "message"), "content"))
        at_s = _time_s(line)
        if used and line.get("isSidechain") is False and at_s is not None and at_s <= until_s:
            return text_of(line, "cwd").replace("\0", "").encode("utf-8", "replace").decode()
    return None


def _lines(text: bytes) -> Iterator[LooseJson]:
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue  # half a line, or none of a transcript
        if isinstance(found, dict):
            yield found


def _time_s(line: LooseJson) -> float | None:
    try:
        return datetime.fromisoformat(text_of(line, "timestamp")).timestamp()
    except (ValueError, OverflowError):
        return None
