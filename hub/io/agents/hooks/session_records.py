"""Where each agent writes its sessions down, and how a line of that says that a tool was used.

Written after what Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102 and OpenCode 1.18.34
write. A session counts under the name that the agent's hooks give it. Left out is what an agent's own server runs
(Codex), for Pulse may be attached to that, and what subagents do.

The files are an agent's, so they are held to what they are: plain files, no links, written lately by the system's own
mark (a file's times can be set, its change of state cannot); a bounded part of them is read.
"""

import contextlib
import json
import os
import re
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from hub.contract.base import Value
from hub.io.sensors.bounded import entries, head, tail
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of

FOLDERS_MAX, FILES_MAX = 4_096, 64
READ_BYTES_MAX = 1_048_576
"""Of a file's beginning, and of its end."""
PATH_BYTES_MAX = 4_096
SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CODEX_TOOLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
CODEX_ALONE = frozenset({"cli", "exec"})
"""Where a session of Codex's comes from that no server of its runs."""
SQL_S_MAX, SQL_STEPS_MAX = 0.5, 1_000_000


class Times(Value):
    """Which sessions count: those that began `after_s`, wrote something since `grown_s`, used a tool until `used_s`."""

    after_s: float
    grown_s: float
    used_s: float


class UsedTool(Value):
    """That a session used a tool: in which folder, and when the session began."""

    session: str
    folder: str
    began_s: float


IsHeard = Callable[[str], bool]
"""Whether a hook of the session of this name was heard; such a one is not read."""
Look = Callable[[Path, Times, IsHeard], Iterator[UsedTool]]


class LineRecord(Value):
    """How an agent writes one file for each session, a line of JSON for each event.

    `up` is how far above its settings its folder is, and `below` where in that the files are, each part a pattern.
    `session` names a session by its file and the file's first line, and `folder` where it works, by the line that tells
    of the tool as well. `used`: this line says that a tool was used, by the session itself. `counts`: by its first
    line, the session is one of those that ask by hooks.
    """

    below: tuple[str, ...]
    session: Callable[[Path, LooseJson], str]
    folder: Callable[[Path, LooseJson, LooseJson], str]
    used: Callable[[LooseJson], bool]
    counts: Callable[[LooseJson], bool] = lambda _: True
    up: int = 1


def _of_lines(record: LineRecord, settings: Path, times: Times, is_heard: IsHeard) -> Iterator[UsedTool]:
    """Yield the sessions that used a tool, the one written to last first."""
    top = settings.parents[record.up - 1]
    for path in _grown(top, record.below, times):
        with contextlib.suppress(OSError):  # gone, or not ours to read: the next look is soon
            yield from _used(record, path, times, is_heard)


def _used(record: LineRecord, path: Path, times: Times, is_heard: IsHeard) -> Iterator[UsedTool]:
    named = record.session(path, {})
    if named and is_heard(named):
        return
    beginning = tuple(_lines(head(path, READ_BYTES_MAX, follow=False)))
    first = beginning[0] if beginning else {}
    session = record.session(path, first)
    began_s = next((at for at in map(_time_s, beginning) if at is not None), None)
    if began_s is None or began_s < times.after_s or SESSION.fullmatch(session) is None:
        return
    if is_heard(session) or not record.counts(first):
        return
    for line in _lines(tail(path, READ_BYTES_MAX, follow=False)):
        at_s = _time_s(line)
        if at_s is not None and at_s <= times.used_s and record.used(line):
            folder = record.folder(path, first, line).replace("\0", "").encode("utf-8", "replace").decode()
            yield UsedTool(session=session, folder=folder, began_s=began_s)
            return


def _grown(top: Path, below: tuple[str, ...], times: Times) -> list[Path]:
    """Return the files that were written to lately, the last first, in folders that got a new one since."""
    folders = [str(top)]
    *above, last, named = below
    for pattern, is_last in (*((one, False) for one in above), (last, True)):
        found = (one for each in folders for one in entries(each) if fnmatchcase(one.name, pattern))
        dated = ((_changed_s(one, stat.S_ISDIR), one.path) for one in found)
        kept = sorted((at, path) for at, path in dated if at is not None and (at >= times.after_s or not is_last))
        folders = [path for _, path in kept[-FOLDERS_MAX:]]
    files_in = (one for each in folders for one in entries(each) if fnmatchcase(one.name, named))
    dated_files = ((_changed_s(one, stat.S_ISREG), Path(one.path)) for one in files_in)
    grown = [(at_s, path) for at_s, path in dated_files if at_s is not None and at_s >= times.grown_s]
    return [path for _, path in sorted(grown, reverse=True)[:FILES_MAX]]


def _changed_s(entry: "os.DirEntry[str]", is_kind: Callable[[int], bool]) -> float | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return status.st_ctime if is_kind(status.st_mode) else None


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
        return datetime.fromisoformat(text_of(line, "timestamp", "startTime")).timestamp()
    except (ValueError, OverflowError):
        return None


def _claude_used(line: LooseJson) -> bool:
    used = any(one.get("type") == "tool_use" for one in objects_of(object_of(line, "message"), "content"))
    return used and line.get("isSidechain") is False


def _codex_used(line: LooseJson) -> bool:
    return line.get("type") == "response_item" and object_of(line, "payload").get("type") in CODEX_TOOLS


def _gemini_folder(path: Path, first: LooseJson, line: LooseJson) -> str:
    """Return the folder that Gemini notes beside a project's sessions, which name it nowhere."""
    del first, line
    return head(path.parent.parent / ".project_root", PATH_BYTES_MAX, follow=False).decode("utf-8", "replace").strip()


def _of_opencode(_settings: Path, times: Times, is_heard: IsHeard) -> Iterator[UsedTool]:
    """Yield the sessions in OpenCode's database that used a tool; one that cannot be read yields none."""
    base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    path = base / "opencode" / "opencode.db"
    query = files(__package__).joinpath("opencode_sessions.sql").read_text(encoding="utf-8")
    asked = {"after": times.after_s * 1_000, "grown": times.grown_s * 1_000, "used": times.used_s * 1_000}
    if not path.is_file() or path.is_symlink():
        return
    try:
        with contextlib.closing(
            sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=SQL_S_MAX)
        ) as database:
            database.set_progress_handler(lambda: 1, SQL_STEPS_MAX)
            database.execute("PRAGMA trusted_schema = OFF")
            found = database.execute(query, asked).fetchall()
    except sqlite3.Error:
        return  # busy, or none of a version that is known: the next look is soon
    for session, folder, began_ms in found:
        if isinstance(session, str) and isinstance(folder, str) and not is_heard(session):
            yield UsedTool(session=session, folder=folder, began_s=float(began_ms) / 1_000)


CLAUDE = LineRecord(
    below=("projects", "*", "*.jsonl"),
    session=lambda path, _: path.stem,
    folder=lambda _path, _first, line: text_of(line, "cwd"),
    used=_claude_used,
)
CODEX = LineRecord(
    below=("sessions", "*", "*", "*", "rollout-*.jsonl"),
    session=lambda path, _: path.stem[-36:],
    folder=lambda _path, first, _line: text_of(object_of(first, "payload"), "cwd"),
    used=_codex_used,
    counts=lambda first: object_of(first, "payload").get("source") in CODEX_ALONE,
)
COPILOT = LineRecord(
    below=("session-state", "*", "events.jsonl"),
    session=lambda path, _: path.parent.name,
    folder=lambda _path, first, _line: text_of(object_of(object_of(first, "data"), "context"), "cwd"),
    used=lambda line: line.get("type") == "tool.execution_start",
    up=2,
)
GEMINI = LineRecord(
    below=("tmp", "*", "chats", "session-*.jsonl"),
    session=lambda _, first: text_of(first, "sessionId"),
    folder=_gemini_folder,
    used=lambda line: bool(objects_of(line, "toolCalls")),
    counts=lambda first: first.get("kind") == "main",
)
LOOKS: Mapping[str, Look] = {
    "claude-code": partial(_of_lines, CLAUDE),
    "codex": partial(_of_lines, CODEX),
    "copilot": partial(_of_lines, COPILOT),
    "gemini": partial(_of_lines, GEMINI),
    "opencode": _of_opencode,
}
"""How the sessions of each agent are looked at that writes them down where Pulse can read it."""
