"""Lines of the world log to values and back: each other's inverse, but for lines that are no entry.

Both stand below the rooms, since one room reads lines and another has some to write. `hub/contract/world.py` has the
grammar; here the parts get their meaning, and free text its type.
"""

import hashlib
import re

from msgspec.structs import replace

from hub.contract.world import (
    LINE_BYTES_MAX,
    AgentStatus,
    BadWorldEntryError,
    EntryKind,
    LineFault,
    WorldEntry,
    WorldLineTooLongError,
    entry_of,
    escaped,
    is_session_id,
    plain,
    written,
)
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import (
    UNPARSED_CHARS_MAX,
    AgentLine,
    ReadMarker,
    Remark,
    SessionProcess,
    Unparsed,
    WorldEntryLine,
    WorldEvent,
    WorldLine,
)

USER_SOURCE, SYSTEM_SOURCE = "user", "system"
DIGEST_CHARS = 32
_REMARK = b"#"
_PROCESS = re.compile(r"process ([1-9][0-9]{0,9}) since ([0-9]{1,18})")
_WAIT = re.compile(r"wait ([1-9]\d{0,6}) s")
LEFT_ALONE_S_MAX = 30 * 86_400
"""The longest that a session may ask to be left alone; the settings allow no more either."""
_FOLDER = re.compile(r"folder (/[^\x00-\x1f\x7f]{0,1023})")


def read_line(raw: bytes) -> WorldLine:
    """Return what a line says, without its new line; one that is no entry is kept as what it is."""
    entry = entry_of(raw)
    if isinstance(entry, LineFault):
        if raw.startswith(_REMARK) and entry is LineFault.NO_ENTRY:
            return Remark(text=LogText(plain(_text(raw[len(_REMARK) :]))))
        return unparsed(entry, len(raw), raw[: 4 * UNPARSED_CHARS_MAX])
    match entry.kind:
        case EntryKind.EVENT:
            return WorldEvent(at=entry.at, source=entry.tag, identifier=LogText(entry.name), text=LogText(entry.text))
        case EntryKind.AGENT:
            return AgentLine(
                at=entry.at,
                status=AgentStatus(entry.tag),
                session=entry.name,
                text=LogText(entry.text),
                need=LogText(entry.need),
            )
        case EntryKind.READ:
            return ReadMarker(at=entry.at, reader=entry.tag, entries=int(entry.name))


def unparsed(fault: LineFault, size_bytes: int, beginning: bytes) -> Unparsed:
    """Keep of a line that is no entry how long it was and how it began."""
    return Unparsed(fault=fault, size_bytes=size_bytes, text=LogText(_text(beginning)[:UNPARSED_CHARS_MAX]))


def not_taken(line: WorldLine) -> Unparsed:
    """Keep of a line that could not be taken in, though it may be an entry, how long it is and how it begins."""
    if isinstance(line, Unparsed):
        return replace(line, fault=LineFault.NOT_TAKEN)
    try:
        raw = write_line(line).removesuffix(b"\n")
    except BadWorldEntryError:  # written again it may be longer than it was
        raw = b""
    return unparsed(LineFault.NOT_TAKEN, len(raw), raw[: 4 * UNPARSED_CHARS_MAX])


def write_line(line: WorldEntryLine) -> bytes:
    """Return the line for the file, with its new line: `read_line(write_line(line)[:-1]) == line`.

    Raises:
        BadWorldEntryError: no line can say this; the message says what to change.
        WorldLineTooLongError: it does not fit.
    """
    match line:
        case Remark():
            return _remark(line)
        case WorldEvent():
            name, text = untrusted(line.identifier), untrusted(line.text)
            entry = WorldEntry(at=line.at, kind=EntryKind.EVENT, tag=line.source, name=name, text=text)
        case AgentLine():
            entry = WorldEntry(
                at=line.at,
                kind=EntryKind.AGENT,
                tag=line.status,
                name=line.session,
                text=untrusted(line.text),
                need=untrusted(line.need),
            )
        case ReadMarker():
            entry = WorldEntry(at=line.at, kind=EntryKind.READ, tag=line.reader, name=str(line.entries))
    return written(entry)


def digest_of(line: WorldEntryLine) -> str:
    """Return a digest of a line as Pulse would write it; empty for one that it could not have written."""
    try:
        return hashlib.sha256(write_line(line)).hexdigest()[:DIGEST_CHARS]
    except (BadWorldEntryError, WorldLineTooLongError):
        return ""


def session_of(line: WorldLine) -> str:
    """Return the id of the session that a line is about, as far as a line can say; empty if it names none."""
    if isinstance(line, AgentLine):
        return line.session
    if isinstance(line, WorldEvent) and line.source in {USER_SOURCE, SYSTEM_SOURCE}:
        name = untrusted(line.identifier)
        return name if is_session_id(name) else ""
    return ""


def process_of(event: WorldEvent) -> SessionProcess | None:
    """Return the process that a line `[event:system][session-id] process PID since STARTED` names."""
    found = _PROCESS.fullmatch(untrusted(event.text)) if event.source == SYSTEM_SOURCE else None
    return SessionProcess(pid=int(found[1]), started=int(found[2])) if found else None


def process_words(process: SessionProcess) -> LogText:
    """Return the words by which `process_of` knows a process again."""
    return LogText(f"process {process.pid} since {process.started}")


def folder_of(event: WorldEvent) -> str:
    """Return the folder that a line `[event:system][session-id] folder PATH` names; empty if it names none.

    It is an absolute path without control characters, as its line has it: nobody has looked whether it is there.
    """
    found = _FOLDER.fullmatch(untrusted(event.text)) if event.source == SYSTEM_SOURCE else None
    return found[1] if found else ""


def folder_words(folder: str) -> LogText:
    """Return the words by which `folder_of` knows a folder again."""
    return LogText(f"folder {folder}")


def wait_of(event: WorldEvent) -> float | None:
    """Return the seconds that a line `[event:system][session-id] wait SECONDS s` gives a session; None without one."""
    found = _WAIT.fullmatch(untrusted(event.text)) if event.source == SYSTEM_SOURCE else None
    return float(found[1]) if found and int(found[1]) <= LEFT_ALONE_S_MAX else None


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace").removesuffix("\r")


def _remark(line: Remark) -> bytes:
    raw = f"#{escaped(untrusted(line.text))}\n".encode()
    if len(raw) > LINE_BYTES_MAX:
        raise WorldLineTooLongError(
            f"This remark has {len(raw)} bytes; at most {LINE_BYTES_MAX} fit.", fix="Shorten it."
        )
    return raw
