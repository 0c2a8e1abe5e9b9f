"""What a session of the world log needs, read part by part (WORLD 3: does the finish satisfy `need:`?).

Theory: a need is what people write, so most of it is free text, and stays that. A part that begins with one of a few
words and a colon says how it can be proven: `file:`, `url:`, `says:`, `exit 0:`. Reading is total, and errs towards
free text, which a model or a person judges: a sentence that is taken for a proof would be looked for in vain.
"""

import re
from collections.abc import Sequence

from hub.domain.provenance import LogText, say, untrusted
from hub.domain.world import NO_TEXT, WorldSession
from hub.domain.world_proof import (
    CommandNeed,
    FileNeed,
    NeedPart,
    ProofFinding,
    SaysNeed,
    UrlNeed,
    WordsNeed,
)
from hub.kit.globbing import matcher

PARTS_MAX = 16
"""What comes behind so many parts is one of free text."""
_KEY = re.compile(r"(file|url|says|command|exit[ \t]{1,8}([0-9]{1,3}))[ \t]{0,8}:", re.IGNORECASE)
_PATH_CONTAINS = re.compile(r'file[ \t]{1,8}("[^"]{1,512}"|[^\s"]{1,512})[ \t]{1,8}contains[ \t]', re.IGNORECASE)
_CONTAINS = re.compile(r"[ \t]contains[ \t]", re.IGNORECASE)
_AND = re.compile(r"[ \t]and[ \t]{1,8}", re.IGNORECASE)
_LOOKS_LIKE_A_PATH = re.compile(r"[./*~]")
_BETWEEN = " \t\r\n;"
_QUOTE, _BLANK = '"', " "


def needs_of(need: LogText) -> tuple[NeedPart, ...]:
    """Return the parts of a need in order; nothing for one that says nothing."""
    rest, parts = untrusted(need).strip(_BETWEEN), list[NeedPart]()
    while rest and len(parts) < PARTS_MAX:
        part, rest = _next(rest)
        parts.append(part)
        rest = rest.strip(_BETWEEN)
    if rest:
        parts.append(WordsNeed(text=LogText(rest)))
    return tuple(parts)


def heard(part: SaysNeed, session: WorldSession) -> ProofFinding:
    """Look for a pattern in what a session said at its end; letter case and the number of blanks do not count."""
    said = _plain(untrusted(session.said))
    if matcher(f"*{_plain(untrusted(part.pattern))}*")(said):
        return ProofFinding(part=part, state="there", words=LogText(say("It said “{it}”", it=part.pattern).text))
    return ProofFinding(part=part, state="missing", words=LogText(say("It did not say “{it}”", it=part.pattern).text))


def in_words(findings: Sequence[ProofFinding]) -> LogText:
    """Return what was found as one text."""
    return LogText("; ".join(untrusted(one.words) for one in findings))


def _next(text: str) -> tuple[NeedPart, str]:
    """Return the first part of a need, and what is left of it."""
    found = _KEY.match(text)
    if found is not None and found[1].lower().startswith(("command", "exit")):
        return _command(text, found)
    chunk, rest = _cut(text)
    return _part(chunk), rest


def _command(text: str, found: re.Match[str]) -> tuple[NeedPart, str]:
    """Take a command to the end of the need, or, in quotes, to the last quote: a command has semicolons of its own."""
    command, rest = text[found.end() :].strip(), ""
    if command.startswith(_QUOTE) and (end := command.find(_QUOTE, 1)) > 0:
        command, rest = command[1:end], command[end + 1 :]
    if not command.strip():
        return WordsNeed(text=LogText(text)), ""
    return CommandNeed(command=LogText(command.strip()), exit_code=int(found[2] or 0)), rest


def _cut(text: str) -> tuple[str, str]:
    """Return what comes up to the next `;`, new line, or `and` before a part that can be proven, outside of quotes."""
    at = 0
    while at < len(text):
        if text[at] == _QUOTE and (end := text.find(_QUOTE, at + 1)) > 0:
            at = end
        elif text[at] in ";\n":
            return text[:at], text[at + 1 :]
        elif text[at] in " \t" and (joined := _AND.match(text, at)) and _begins(text, joined.end()):
            return text[:at], text[joined.end() :]
        at += 1
    return text, ""


def _begins(text: str, at: int) -> bool:
    """Say whether a part that can be proven begins there."""
    if _KEY.match(text, at):
        return True
    found = _PATH_CONTAINS.match(text, at)
    return found is not None and _is_path(found[1])


def _part(chunk: str) -> NeedPart:
    chunk = chunk.strip()
    return _with_key(chunk) or _named_file(chunk) or WordsNeed(text=LogText(chunk))


def _with_key(chunk: str) -> NeedPart | None:
    """Read a part that begins with a key; None if what follows is more likely a sentence."""
    found = _KEY.match(chunk)
    if found is None:
        return None
    key, given = found[1].lower(), chunk[found.end() :].strip()
    value, text = _contains(given)
    if key == "says" and _bare(given):
        return SaysNeed(pattern=LogText(_bare(given)))
    is_one = _BLANK not in value
    if key == "file" and value and (is_one or _is_path(value) or given.startswith(_QUOTE)):
        return FileNeed(pattern=LogText(value), text=text)
    return UrlNeed(url=LogText(value), text=text) if key == "url" and value and is_one else None


def _named_file(chunk: str) -> NeedPart | None:
    """Read `file PATH contains TEXT`."""
    found = _PATH_CONTAINS.match(chunk)
    if found is None or not _is_path(found[1]) or not (text := _bare(chunk[found.end() :])):
        return None
    return FileNeed(pattern=LogText(_bare(found[1])), text=LogText(text))


def _contains(value: str) -> tuple[str, LogText]:
    """Divide `PATH contains TEXT`; what stands in quotes is not looked into."""
    start = value.find(_QUOTE, 1) if value.startswith(_QUOTE) else 0
    found = _CONTAINS.search(value, max(start, 0))
    if found is None or not _bare(value[found.end() :]):
        return _bare(value), NO_TEXT
    return _bare(value[: found.start()]), LogText(_bare(value[found.end() :]))


def _bare(text: str) -> str:
    """Return a text without the blanks and the quotes around it."""
    stripped = text.strip()
    if len(stripped) > 1 and stripped.startswith(_QUOTE) and stripped.endswith(_QUOTE):
        return stripped[1:-1].strip()
    return stripped


def _is_path(word: str) -> bool:
    """Say whether a word is meant as a path: in quotes, or with a sign that words of a sentence do not have."""
    return word.startswith(_QUOTE) or _LOOKS_LIKE_A_PATH.search(word[:-1]) is not None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
