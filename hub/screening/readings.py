"""Other readings of the same text: letters pulled together, digits read as letters, encodings decoded.

Each reading is only made when the text shows a sign of it, so a plain prompt is read once.
"""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator

from hub.kit.fold import by_sound, fold

READING_CHARS_MAX = 65_536
"""A reading that grows beyond this by decoding is cut."""
_SINGLES_MIN = 4
_SPACED = re.compile(r"(?<![^\s])(?:[^\s] ){2,}[^\s](?![^\s])")
_JOINED_BY_MARKS = re.compile(
    r"(?<![\w.])(?:[A-Za-z](?:([.\-_*~|+])[A-Za-z](?:\1[A-Za-z])+)|[rR]([.\-_*~|+])[mM])(?!\w)"
)
_WIDE_GAP = re.compile(r"\s{2,16}")
_OPTION = re.compile(r"(?<=[A-Za-z])(?=-)")
_GLUED_SENTENCE = re.compile(r"[A-Za-z]{1,20}(?:[_\-.+]{1,4}[A-Za-z]{1,20}){2,20}")
_CONTINUATION = re.compile(r"[\\^`][ \t]*\n[ \t]*")
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4})\}?|\\([0-3][0-7]{2})")
_LEET_WORD = re.compile(
    r"(?<![\w.])(?<!\w-)(?=[\w@$!|]{0,24}[0134578@$!|])(?=[\w@$!|]{0,24}[A-Za-z])[\w@$!|]{3,24}(?![\w-])"
)
_LEET = str.maketrans("013457@$!|8", "oieastasilb")
_BASE64 = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{12,4096}={0,2}(?![\w+/=])")
_HEX = re.compile(r"(?<![\w])(?:0x)?((?:[0-9a-fA-F]{2}[ :]?){6,2048})(?![\w])")
_PERCENT = re.compile(r"(?:%[0-9a-fA-F]{2}|[\w.+~-]){2,4096}")
_PRINTABLE = re.compile(r"[ -~\n\t]{4,}")


def readings(text: str) -> Iterator[str]:
    """Yield ``text`` folded, and every other reading that differs from it."""
    plain = fold(text)
    seen: set[str] = set()
    for candidate in (plain, *_obscured(plain), *(() if text.isascii() else (by_sound(text),))):
        reading = candidate[:READING_CHARS_MAX]
        if reading not in seen:
            seen.add(reading)
            yield reading


def _obscured(plain: str) -> Iterator[str]:
    """Yield the readings that undo an obscured spelling."""
    yield continued(plain)
    yield decoded(plain)
    yield despaced(plain)
    yield unleeted(plain)
    yield unleeted(plain.replace("1", "l"))
    if _GLUED_SENTENCE.fullmatch(plain.strip()):
        yield re.sub(r"[_\-.+]+", " ", plain)
    yield from _turned(plain)


def continued(text: str) -> str:
    """Join lines that a backslash, a caret or a backtick continues."""
    return _CONTINUATION.sub(" " if "`\n" in text else "", text)


def despaced(text: str) -> str:
    """Join letters that stand apart (``r m  - r f``, ``d.r.o.p``); unchanged when there are none."""
    pieces = text.split()
    single = sum(len(piece) == 1 for piece in pieces)
    if single >= _SINGLES_MIN and 2 * single > len(pieces) and _WIDE_GAP.search(text.strip()):
        return " ".join(_pulled(group) for group in _WIDE_GAP.split(text))
    joined = _SPACED.sub(lambda match: _pulled(match.group()), text)
    return _JOINED_BY_MARKS.sub(lambda match: match.group().replace(match.group(1) or match.group(2), ""), joined)


def _pulled(group: str) -> str:
    return _OPTION.sub(" ", group.replace(" ", "")) if all(len(piece) == 1 for piece in group.split()) else group


def unleeted(text: str) -> str:
    """Read digits inside words as the letters they imitate (``dr0p``)."""
    return _LEET_WORD.sub(lambda match: match.group().translate(_LEET), text)


def decoded(text: str) -> str:
    """Decode base64, hex, percent and entity encodings in place when what comes out is readable text."""
    if "\\" in text:
        text = _ESCAPE.sub(_from_escape, text)
    if "&#" in text:
        import html  # noqa: PLC0415  its table of names is large, and hardly any text needs it

        text = html.unescape(text)
    if "%" in text:
        text = _PERCENT.sub(_from_percent, text)
    return _HEX.sub(_from_hex, _BASE64.sub(_from_base64, text))


def _shown(raw: bytes) -> str | None:
    """Return decoded bytes when they are plain readable text."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if _PRINTABLE.fullmatch(text) and " " in text.strip() else None


def _from_base64(match: re.Match[str]) -> str:
    body = match.group().rstrip("=").replace("-", "+").replace("_", "/")
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return match.group()
    shown = _shown(raw)
    return f"; {shown} ;" if shown else match.group()


def _from_hex(match: re.Match[str]) -> str:
    digits = re.sub(r"[^0-9a-fA-F]", "", match.group(1))
    shown = _shown(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    return f"; {shown} ;" if shown else match.group()


def _from_percent(match: re.Match[str]) -> str:
    return re.sub(r"%([2-7][0-9a-fA-F])", lambda found: chr(int(found.group(1), 16)), match.group())


def _from_escape(match: re.Match[str]) -> str:
    digits = match.group(1) or match.group(2)
    char = chr(int(digits, 16) if digits else int(match.group(3), 8))
    return char if " " <= char <= "~" else match.group()


def _turned(text: str) -> Iterator[str]:
    """Yield the reading under rot13 or reversal when the text speaks of it."""
    lowered = text.lower()
    if "rot13" in lowered or "rot-13" in lowered or "n-za-m" in lowered:
        yield codecs.decode(text, "rot13")
    if re.search(r"\brev\b|\breverse|\bbackwards?\b|\[::-1\]", lowered):
        yield text[::-1]
        yield re.sub(r"\w+", lambda match: match.group()[::-1], text)
