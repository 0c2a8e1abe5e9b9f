"""Bytes from a terminal, read as keys: `a`, `left`, `enter`, `ctrl-c`, `text:…` for what was pasted. Pure."""

import re

_SEQUENCES = {
    b"[A": "up",
    b"[B": "down",
    b"[C": "right",
    b"[D": "left",
    b"OA": "up",
    b"OB": "down",
    b"OC": "right",
    b"OD": "left",
    b"[H": "home",
    b"OH": "home",
    b"[1~": "home",
    b"[F": "end",
    b"OF": "end",
    b"[4~": "end",
    b"[3~": "delete",
    b"[5~": "page-up",
    b"[6~": "page-down",
    b"[Z": "shift-tab",
}
_CONTROLS = {0x09: "tab", 0x0A: "enter", 0x0D: "enter", 0x08: "backspace", 0x7F: "backspace"}
_PASTE, _PASTE_END = b"[200~", b"\x1b[201~"
_SEQUENCE = re.compile(rb"(\[[0-9;?]*[ -/]*[@-~]|O[@-~])")
_UNFINISHED = re.compile(rb"(\[[0-9;?]*[ -/]*|O)?\Z")
PASTE_BYTES_MAX = 65_536
LETTERS = 26


def decode(data: bytes, *, final: bool = False) -> tuple[list[str], bytes]:
    """Return the keys in `data` and the unfinished rest; `final` takes a lone escape for the key itself."""
    keys: list[str] = []
    while data:
        key, rest = _escape(data[1:], final=final) if data[0] == 0x1B else _plain(data, final=final)  # noqa: PLR2004  ESC
        if key is None:
            return keys, data
        if key:
            keys.append(key)
        data = rest
    return keys, b""


def _escape(rest: bytes, *, final: bool) -> tuple[str | None, bytes]:
    if rest.startswith(_PASTE):
        return _pasted(rest[len(_PASTE) :])
    found = _SEQUENCE.match(rest)
    if found:
        return _SEQUENCES.get(found[0], ""), rest[found.end() :]
    if not final and _UNFINISHED.match(rest):
        return None, rest
    return "escape", rest


def _pasted(rest: bytes) -> tuple[str | None, bytes]:
    body, end, after = rest.partition(_PASTE_END)
    if not end and len(rest) <= PASTE_BYTES_MAX:
        return None, rest
    text = body.decode("utf-8", errors="replace")
    return f"text:{' '.join(text.split())}", after


def _plain(data: bytes, *, final: bool) -> tuple[str | None, bytes]:
    first = data[0]
    if first in _CONTROLS:
        return _CONTROLS[first], data[1:]
    if first < 0x20:  # noqa: PLR2004  the control characters, as Ctrl with a letter
        return (f"ctrl-{chr(first + 0x60)}" if 0 < first <= LETTERS else ""), data[1:]
    length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4  # noqa: PLR2004  UTF-8's first byte
    if len(data) < length:
        return ("", data[1:]) if final else (None, data)
    char = data[:length].decode("utf-8", errors="ignore")
    return (char if char.isprintable() else ""), data[length:]
