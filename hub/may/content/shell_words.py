"""Find program calls in a text that is half prose, half shell.

Prose and commands are mixed ("run rm -rf build"), so any word may be a program name; what follows it up to the
next operator is its argument list. Wrappers (sudo, env, nohup, xargs, ``sh -c "..."``) need no rule of their own:
the wrapped program is simply the next word, and quoted text is read again as a command of its own.
"""

import re
from collections.abc import Iterator

from hub.contract.base import Value
from hub.may.content.limits import MAX_ARGV_WORDS, MAX_NESTING, MAX_QUOTED_CHARS

_QUOTED = (
    rf"\"(?:(?<=\w\")[^\"\s]{{0,64}}|(?<!\w\")[^\"]{{0,{MAX_QUOTED_CHARS}}})\""
    rf"|'(?:(?<=\w')[^'\s]{{0,64}}|(?<!\w')[^']{{0,{MAX_QUOTED_CHARS}}})'"
)
_TOKEN = re.compile(rf"(?P<op>[;|&\n`()]|\$\(|<\(|>>?|<)|(?P<word>(?:{_QUOTED}|\\.|[^\s\"'`|&;()<>\\])+)|(?P<other>\S)")
_QUOTE_MARKS = re.compile(r"[\"']")
_ENDS = frozenset({"not", "never", "without", "instead", "don't", "avoid", "which", "that", "because", "whereas"})
_FEEDERS = frozenset({"xargs", "parallel", "-exec", "-execdir", "-x", "-X"})
_EDGES = ".,:;!?*[]{}"


class Word(Value):
    """One shell word: ``text`` without quotes and escapes, where it stands, and its quoted content if it has any."""

    text: str
    start: int
    end: int
    quoted: str = ""


class Call(Value):
    """A program and its words: ``name`` is lower-case without its path, ``start``..``end`` covers all of it."""

    name: str
    args: tuple[str, ...]
    start: int
    end: int
    before: str = ""
    piped: bool = False


def _word(raw: str, start: int, end: int) -> Word:
    """Make a word of the raw span."""
    bare = _QUOTE_MARKS.sub("", raw) if '"' in raw or "'" in raw else raw
    spaced = bare is not raw and (" " in bare or "\n" in bare)
    opening = _QUOTE_MARKS.search(raw) if spaced else None
    inner = _QUOTE_MARKS.sub("", raw[opening.start() :]) if opening else ""
    return Word(text=bare, start=start, end=end, quoted=inner)


def segments(text: str) -> Iterator[tuple[list[Word], str]]:
    """Yield the words between two operators, with the operator before them."""
    words: list[Word] = []
    before = ""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "word":
            words.append(_word(match.group(), match.start(), match.end()))
        elif kind == "op" and match.group() in "<>>":
            words.append(Word(text=match.group(), start=match.start(), end=match.end()))
        elif kind == "op":
            if words:
                yield words, before
                words = []
            before = match.group()
    if words:
        yield words, before


def program_name(text: str) -> str:
    r"""Return the program a word names: no path, no escapes, no ``.exe``, lower-case (``/bin/r\m`` is ``rm``)."""
    name = text.replace("\\", "/" if ":" in text[:3] else "").strip(_EDGES).lower()
    name = name.rsplit("/", 1)[-1]
    return name.removesuffix(".exe").removesuffix(".com")


def _arguments(words: list[Word], at: int) -> tuple[tuple[str, ...], int]:
    """Return the argument words after ``at`` and where the last one ends."""
    name = words[at].text
    args: list[str] = []
    end = words[at].end
    for word in words[at + 1 : at + 1 + MAX_ARGV_WORDS]:
        if word.text == name or word.text.lower() in _ENDS:
            break
        args.append(word.text.replace("\\", "") if "\\" in word.text and ":" not in word.text else word.text)
        end = word.end
    return tuple(args), end


def calls(text: str, known: frozenset[str], base: int = 0, depth: int = 0) -> Iterator[Call]:
    """Yield every call of a ``known`` program in ``text``; positions are shifted by ``base``."""
    for words, before in segments(text):
        piped = False
        for at, word in enumerate(words):
            piped = piped or word.text in _FEEDERS
            name = program_name(word.text)
            if name in known:
                args, end = _arguments(words, at)
                previous = words[at - 1].text if at else before
                yield Call(name=name, args=args, start=base + word.start, end=base + end, before=previous, piped=piped)
            if word.quoted and depth < MAX_NESTING:
                yield from calls(word.quoted, known, base + word.start, depth + 1)
