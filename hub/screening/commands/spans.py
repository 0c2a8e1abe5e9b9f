"""Find the commands within prose: fenced blocks, backticks, lines after a prompt sign, and what reads like one.

What is not set apart counts only from a known program's name on, with an option or a subcommand of it behind, and up
to the next word of plain English: "run rm -rf build and start over" holds `rm -rf build`, "find the cause" nothing.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from hub.screening.commands import sql
from hub.screening.commands.limits import PROSE_CHARS_MAX, READINGS_KEPT_MAX, SPAN_CHARS_MAX, SPANS_MAX
from hub.screening.commands.reader import PROMPT_SIGN, read_command
from hub.screening.commands.reading import CommandSpan
from hub.screening.commands.table import ProgramEntry, fitting, program

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(?P<shell>.*?)(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_TICKS = re.compile(r"(?<!`)(`{1,2})(?!`)(?P<shell>[^`]{2,2000})\1(?!`)")
_PROMPTED = re.compile(rf"{PROMPT_SIGN}[ \t]+(?P<shell>\S[^\n]*)", re.MULTILINE)
_LINE = re.compile(r"^[a-z./~][^\n]*", re.MULTILINE)
_TOKEN = re.compile(r"(?<![\w./@-])[a-zA-Z][\w.+-]*(?= +\S)|(?<!\S)/(?:usr/)?s?bin/\w+(?= +\S)")
_STATEMENT = re.compile(
    r"\b(?:drop|truncate|alter)\s+(?:table|database|schema|user|role)\s+(?!the\b|a\b|an\b|of\b|in\b|from\b)[\w.`\"\[]+[^\n.]{0,200}"
    r"|\bdelete\s+from\s+(?!the\b|a\b|an\b|my\b|our\b|all\b|this\b|that\b|each\b)[\w.`\"\[]+(?:\s+where\b[^\n]{0,300}|\s*;|\s*$)"
    r"|\bupdate\s+[\w.`\"]+\s+set\s+[\w.`\"]+\s*=[^\n]{0,300}|\bgrant\s+all\b[^\n]{0,200}\bto\b[^\n]{0,80}|\btruncate\s+[A-Z_a-z]+\s*;",
    re.IGNORECASE | re.MULTILINE,
)
_ENGLISH = re.compile(
    r"\s(?:the|an?|my|our|your|their|his|her|its?|this|that|these|those|all|any|every|each|some|to|of|in|for|with|and|or|but|"
    r"on|from|by|as|at|is|are|was|be|so|then|when|if|unless|until|because|before|after|afterwards|please|now|again|first|instead|"
    r"does|do|did|will|would|should|can|must|not|never|me|us|them|you|we|i|und|der|die|das|den|dem|ein|eine|auf|mit|für|aus)(?=[\s.,;:!?]|$)"
    r"|[,;:!?](?=\s|$)|\.(?=\s|$)|[)\]\u201d\u2019\"](?=\s*$)|\s[\u2013\u2014-]\s|\?$",
    re.IGNORECASE | re.MULTILINE,
)
_ALONE = frozenset({"reboot", "shutdown", "halt", "poweroff", "printenv"})
_OPERATOR = re.compile(r"\s(?:&&|\|\|?|>>?|2>|<<?)\s|;\s|\$\(|\s\|")
_OPERATOR_SIGNS = re.compile(r"[&|<>;$]")
"""Looked for first: most words of a text have none behind them, and each may be where a command begins."""
_OPTION = re.compile(r"\s-\w")
_TOLD_WORDS_MAX = 12
"""So many words behind a program tell whether one of its subcommands is meant."""


def find_commands(text: str) -> tuple[CommandSpan, ...]:
    """Return the commands in ``text``, in its order and none within another; at most ``SPANS_MAX``. Pure and total."""
    taken: list[CommandSpan] = []
    for start, end, marked in _candidates(text[:PROSE_CHARS_MAX]):
        if len(taken) >= SPANS_MAX:
            break
        if end > start and not any(start < span.end and span.start < end for span in taken):
            reading = read_command(text[start:end])
            if reading.effects:
                taken.append(CommandSpan(start=start, end=end, reading=reading, marked=marked))
    return tuple(sorted(taken, key=lambda span: span.start))


def _candidates(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where a command may stand, what is set apart first."""
    for pattern in (_FENCE, _PROMPTED):
        yield from ((*match.span("shell"), True) for match in pattern.finditer(text))
    for match in _TICKS.finditer(text):
        if _reads_like_one(match.group("shell")):
            yield *match.span("shell"), True
    for match in _LINE.finditer(text):
        if _reads_like_one(match.group()) and not _ENGLISH.search(match.group()):
            yield *match.span(), True
    for match in _STATEMENT.finditer(text):
        yield match.start(), match.end(), False
    yield from ((start, end, False) for start, end in _named(text))


def _named(text: str) -> Iterator[tuple[int, int]]:
    """Yield where a command may stand that nothing but its program's name marks."""
    done = 0
    cuts = [found.start() for found in _ENGLISH.finditer(text)]
    for match in _TOKEN.finditer(text):
        if match.start() >= done and (match.group() == match.group().lower() or "-" in match.group()):
            rest = text[match.start() : match.start() + SPAN_CHARS_MAX].partition("\n")[0]
            if not _may_begin(match.group(), rest):
                continue
            cut = bisect_left(cuts, match.start())
            shown = rest[: cuts[cut] - match.start()] if cut < len(cuts) else rest
            if _reads_like_one(shown):
                done = match.start() + len(shown)
                yield match.start(), done


def _may_begin(word: str, rest: str) -> bool:
    """Return False if no command begins with this word, whatever part of what follows belongs to it."""
    known = program(_base_name(word))
    says_more = known is not None and (" -" in rest or _is_told_by_words(known))
    return says_more or _has_operator(rest) or sql.STARTS.match(rest) is not None or word in _ALONE


def _has_operator(text: str) -> bool:
    return _OPERATOR_SIGNS.search(text) is not None and _OPERATOR.search(text) is not None


def _is_told_by_words(known: ProgramEntry) -> bool:
    """Return True if what stands behind a program's name can show that the program is meant, and not the word."""
    return "spoken" not in known.is_ or any(rule.words for rule in known.rules)


def _base_name(word: str) -> str:
    return re.split(r"[/\\]", word)[-1]


@lru_cache(maxsize=READINGS_KEPT_MAX)
def _reads_like_one(text: str) -> bool:
    """Return True if a text starts with a known program and goes on with what only a command has."""
    words = text.split(maxsplit=_TOLD_WORDS_MAX)
    if not words or sql.STARTS.match(text):
        return bool(words)
    name = _base_name(words[0])
    known = program(name)
    if known is None:
        return _has_operator(text) or words[0].startswith(("./", "../"))
    if len(words) == 1:
        return name in _ALONE
    if "spoken" not in known.is_ or _OPTION.search(text.lstrip()) or _has_operator(text):
        return True
    told = words[1:_TOLD_WORDS_MAX]
    return _is_told_by_words(known) and any(rule.words for rule in fitting(known, known.arguments(told)))
