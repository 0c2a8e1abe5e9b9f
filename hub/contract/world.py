r"""The lines of the world log, a plain text file that people, scripts and agents share (WORLD 1; docs/world.md).

Theory: a line is `[timestamp][event:source][identifier] output`, `[timestamp][agent:status][session-id] output |
need: criteria` or `[timestamp][read:reader][entries]`. Whoever writes one with `echo` thinks of no escapes, so reading
is lenient: the timestamp may be missing, and a backslash that begins no escape stands for itself. Whoever writes by
`written` loses nothing: a backslash is doubled, a new line is `\n`, a `]` within brackets `\]`, a `|` that could be
taken for the one before `need:` is `\|`, and what a terminal obeys instead of showing is `\u{1b}` or the like. So
`entry_of(written(entry)) == entry` for every text, but that a lone surrogate, which is no character, becomes `U+FFFD`.

Bytes in, plain values out: whose words they are, and what they mean, is for `hub/domain/world.py`.
"""

import re
from datetime import UTC, datetime
from enum import StrEnum

from hub.contract.base import Value
from hub.contract.errors import UserError

LINE_BYTES_MAX = 65_536
"""With its new line. A longer one is not read as an entry; what is kept of it is its size and its beginning."""
SOURCES = frozenset({"chrome", "bash", "file", "api", "system", "user"})
"""Where events come from unless more are registered."""
OLD_MARKER = "=================READ-MARKER================="
"""The one marker for all readers that logs held before each reader had its own; it is read and written as it stands."""


class AgentStatus(StrEnum):
    """Where a session is; which may follow which is in `hub/domain/world_states.py`."""

    START = "start"
    ACTIVE = "active"
    FINISH = "finish"
    VERIFIED = "verified"
    RETRY = "retry"
    FAILED = "failed"


class EntryKind(StrEnum):
    """What a line is about: a fact, a session's status, how far somebody has read."""

    EVENT = "event"
    AGENT = "agent"
    READ = "read"


class LineFault(StrEnum):
    """Why a line is no entry."""

    NO_ENTRY = "no-entry"
    BAD_TIME = "bad-time"
    BAD_SOURCE = "bad-source"
    BAD_STATUS = "bad-status"
    BAD_NAME = "bad-name"
    TOO_LONG = "too-long"
    NOT_TAKEN = "not-taken"
    """An entry, but by a bug of Pulse's it could not be taken in."""


class WorldEntry(Value):
    """The parts of one line. `tag` is the source, status or reader, `name` what stands in the last brackets.

    `at` is in UTC; None where the line has no timestamp. Only a session's line has a `need`; an empty one is none.
    """

    kind: EntryKind
    tag: str
    name: str
    at: datetime | None = None
    text: str = ""
    need: str = ""


class BadWorldEntryError(UserError):
    """This cannot be written to the world log as it is. Nothing was written; the message says what to change."""

    code = "bad-world-entry"


class UnknownSourceError(BadWorldEntryError):
    """This event source is unknown. Nothing was written; use one of those listed, or `system`."""

    code = "unknown-world-source"


class WorldLineTooLongError(BadWorldEntryError):
    """A line of the world log is limited to 64 KiB. Nothing was written; shorten it, or name a file with the text."""

    code = "world-line-too-long"
    status = 413


_STATUSES = frozenset(AgentStatus)
_KINDS = {kind.value: kind for kind in EntryKind}
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_ENTRY = re.compile(
    r"(?:\[([0-9][^\[\]\\]*)\] ?)?\[(event|agent|read):([^\[\]\\]*)\] ?\[([^\]\\]*(?:\\.[^\]\\]*)*)\] ?(.*)",
    re.DOTALL,
)
_OLD_MARK = WorldEntry(kind=EntryKind.READ, tag="", name="0")
SHOWN_CHARS_MAX = 40
_RULES = {
    LineFault.BAD_SOURCE: "a source is a word of a-z, 0-9, _ and -, up to 32 characters.",
    LineFault.BAD_STATUS: f"a status is one of {', '.join(AgentStatus)}.",
    LineFault.BAD_NAME: "a session or reader is named by A-Z, a-z, 0-9 and . _ : @ -, at most 128 long; "
    "behind a reader stands a count.",
}
_SOURCE = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}")
_COUNT = re.compile(r"[0-9]{1,12}")
_NEED = re.compile(r" ?(?<!\\)\| *need: ?", re.IGNORECASE)
_NEED_LIKE = re.compile(r"\|(?= *need:)", re.IGNORECASE)
_BAR = re.compile(r"\\\|(?= *need:)", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:([\\nr\]|])|u\{([0-9a-f]{1,6})\})")
_STEERING = re.compile(
    "[\\\\\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""The backslash, and what a terminal, an editor or a splitter into lines obeys; a tab is harmless."""
_SHORT = {"n": "\n", "r": "\r"}
_SHORT_FOR = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
_SURROGATES = range(0xD800, 0xE000)
_CODE_POINT_MAX = 0x10FFFF


def is_session_id(text: str) -> bool:
    """Say whether `text` can name a session or a reader: 1 to 128 of `A-Z a-z 0-9 . _ : @ -`, the first no sign."""
    return _NAME.fullmatch(text) is not None


def check_source(source: str, registered: frozenset[str] = SOURCES) -> None:
    """Refuse the source of an event that nobody registered.

    Raises:
        UnknownSourceError: it is none of `registered`; names them.
    """
    if source not in registered:
        named = ", ".join(sorted(registered))
        raise UnknownSourceError(f"There is no source {source[:32]!r}.", fix=f"Use one of: {named}.")


def entry_of(raw: bytes) -> WorldEntry | LineFault:
    """Read one line, without its new line, or say why it is no entry. Bytes that are no UTF-8 become `U+FFFD`."""
    if len(raw) >= LINE_BYTES_MAX:
        return LineFault.TOO_LONG
    line = raw.decode("utf-8", "replace").removesuffix("\r")
    if line == OLD_MARKER:
        return _OLD_MARK
    found = _ENTRY.fullmatch(line)
    if found is None:
        return LineFault.NO_ENTRY
    time, kind, tag, name, text = found.groups()
    at = _time(time) if time else None
    if time and at is None:
        return LineFault.BAD_TIME
    return _checked(_KINDS[kind], at, tag, plain(name), text)


def split_need(text: str) -> tuple[str, str]:
    r"""Divide `output | need: criteria` as somebody says it: the one escape is `\|`, for a bar that divides nothing."""
    split = _NEED.search(text)
    output, need = (text[: split.start()], text[split.end() :]) if split else (text, "")
    return _BAR.sub("|", output), _BAR.sub("|", need)


def _checked(kind: EntryKind, at: datetime | None, tag: str, name: str, text: str) -> WorldEntry | LineFault:
    fault = _fault(kind, tag, name)
    if fault is not None:
        return fault
    split = _NEED.search(text) if kind is EntryKind.AGENT else None
    output, need = (text[: split.start()], text[split.end() :]) if split else (text, "")
    name = str(int(name)) if kind is EntryKind.READ else name
    return WorldEntry(at=at, kind=kind, tag=tag, name=name, text=plain(output), need=plain(need))


def _fault(kind: EntryKind, tag: str, name: str) -> LineFault | None:
    if kind is EntryKind.EVENT:
        return None if _SOURCE.fullmatch(tag) else LineFault.BAD_SOURCE
    if kind is EntryKind.READ:
        return None if is_session_id(tag) and _COUNT.fullmatch(name) else LineFault.BAD_NAME
    if tag not in _STATUSES:
        return LineFault.BAD_STATUS
    return None if is_session_id(name) else LineFault.BAD_NAME


def written(entry: WorldEntry) -> bytes:
    """Return the one line that reads as this entry, with its new line.

    Raises:
        BadWorldEntryError: a source, status, session or reader that no line can have, or a time without a zone.
        WorldLineTooLongError: it would be longer than `LINE_BYTES_MAX`.
    """
    if entry == _OLD_MARK:
        return f"{OLD_MARKER}\n".encode()
    _refuse(entry)
    text = escaped(entry.text)
    if entry.kind is EntryKind.AGENT:
        need = f" | need: {escaped(entry.need)}" if entry.need else ""
        text = _NEED_LIKE.sub(r"\\|", text) + need
    time = f"[{stamp(entry.at)}]" if entry.at else ""
    name = escaped(entry.name).replace("]", "\\]")
    line = f"{time}[{entry.kind}:{entry.tag}][{name}]{' ' if text else ''}{text}\n".encode()
    if len(line) > LINE_BYTES_MAX:
        detail = f"This line has {len(line)} bytes; at most {LINE_BYTES_MAX} fit."
        raise WorldLineTooLongError(detail, fix="Shorten it, or name a file with the text.")
    return line


def _refuse(entry: WorldEntry) -> None:
    if entry.at is not None and entry.at.tzinfo is None:
        raise BadWorldEntryError("A time without a time zone is ambiguous.", fix="Give it in UTC.")
    fault = _fault(entry.kind, entry.tag, entry.name)
    if fault is not None:
        shown = f"[{entry.kind}:{entry.tag[:SHOWN_CHARS_MAX]}][{entry.name[:SHOWN_CHARS_MAX]}]"
        raise BadWorldEntryError(f"{shown} is no entry: {_RULES[fault]}", fix="Correct it and write it again.")


def stamp(at: datetime) -> str:
    """Return a time as the log has it: `2026-01-09T10:00:00Z`, with a fraction where there is one."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def escaped(text: str) -> str:
    """Return `text` on one line, with nothing in it that steers whoever shows it."""
    return _STEERING.sub(_escape, text)


def plain(text: str) -> str:
    """Return what an escaped text stands for; `plain(escaped(text)) == text`."""
    return _ESCAPE.sub(_meant, text) if "\\" in text else text


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if ord(char) in _SURROGATES:
        return "\N{REPLACEMENT CHARACTER}"
    return _SHORT_FOR.get(char) or f"\\u{{{ord(char):x}}}"


def _meant(found: re.Match[str]) -> str:
    short, code = found.groups()
    if short:
        return _SHORT.get(short, short)
    number = int(code, 16)
    return found[0] if number > _CODE_POINT_MAX or number in _SURROGATES else chr(number)


def _time(text: str) -> datetime | None:
    """Read a timestamp; one without a zone is in UTC, as all times of the log are."""
    if not _TIME.fullmatch(text):
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is None:
            return at.replace(tzinfo=UTC)
        return at if at.tzinfo is UTC else at.astimezone(UTC)  # nearly every one is, and to convert it costs as much
    except (ValueError, OverflowError):
        return None
