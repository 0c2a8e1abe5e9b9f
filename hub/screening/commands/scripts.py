"""What the scripts of sed and awk do beside printing: they run commands, read and write files, ask other machines.

Each reader yields what it finds as (deed, text); `unknown` where the script is not understood. Pure and total.
Sources: the manuals of GNU sed 4.9 and gawk 5.2.
"""

import re
from collections.abc import Iterator
from typing import Literal

Deed = Literal["runs", "reads", "writes", "leaves", "unknown"]
Found = tuple[Deed, str]

_SED_ALONE = frozenset("=dDgGhHnNpPxzF{}")
_SED_TO_LINE_END = {"r": "reads", "R": "reads", "w": "writes", "W": "writes", "e": "runs"}  # type: dict[str, Deed]
_SED_ADDRESS = re.compile(r"\s*(?:\d+(?:~\d+)?|\$|[+~]\d+)I?M?")
_SED_BLANKS = re.compile(r"[ \t]*")
_BRACKETS_BEGIN = re.compile(r"\[\^?\]?")
_BRACKETS_GO_ON = re.compile(r"[\]\[\n]")
_CLASS_SIGNS = frozenset(":.=")
_SED_GAP = re.compile(r"[\s;]*")
_SED_NUMBER = re.compile(r"[ \t]*\d*")
_SED_LABEL = re.compile(r"[ \t]*[^;\n}]*")
_SED_FLAGS = re.compile(r"[gpiImM0-9]*")
_SED_TEXT = re.compile(r"(?:[^\n\\]|\\.)*", re.DOTALL)

_SED_REST = dict.fromkeys("aic", _SED_TEXT) | dict.fromkeys("btT:v", _SED_LABEL) | dict.fromkeys("lqQL", _SED_NUMBER)
"""Commands that take what follows them as a text, a label or a number."""

_AWK_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_AWK_REGEX = re.compile(r"(^|[\s(,~!&|{};=])/(?:\\.|\[(?:\\.|[^\]\n\\])+\]|[^/\n\\\[])+/")
_AWK_COMMENT = re.compile(r"#[^\n]*")
_AWK_CALL = re.compile(r"(?<![A-Za-z_])([A-Za-z_]\w*+)\s*+\(")
_AWK_DEFINED = re.compile(r"\bfunc(?:tion)?\s+(\w+)")
_AWK_PRINT = re.compile(r"\bprintf?\b([^;}\n]*)")
_AWK_PARENTHESES = re.compile(r"\([^()]*\)")
_AWK_LITERAL = re.compile(r"\s*\0(\d+)\0\s*")
_AWK_PIPED_FROM = re.compile(r"\0(\d+)\0\s*\|&?\s*getline")
_AWK_GETLINE_FILE = re.compile(r"getline\s*\w*\s*<\s*(\S+)")
_AWK_FUNCTIONS = re.compile(
    r"length|substr|split|index|match|sub|gsub|gensub|sprintf|tolower|toupper|int|rand|srand|sqrt|exp"
    r"|log|sin|cos|atan2|strftime|systime|mktime|printf|print|asort|asorti|if|while|for|switch|close"
    r"|fflush|and|or|xor|lshift|rshift|compl|strtonum|isarray|typeof|delete|return|in|getline|patsplit"
    r"|else|do|exit|case"
)


def sed_script(text: str) -> Iterator[Found]:
    """Yield what a script of sed does beside editing lines."""
    yield from (found for *_, found in _sed_parts(text) if found)


def sed_commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a script of sed: the addresses before each, and the command with what belongs to it."""
    yield from ((address.strip(), command) for address, command, _ in _sed_parts(text))


def sed_substitution(command: str) -> tuple[str, str, str]:
    """Return pattern, replacement and flags of a command `s/a/b/g`; empty ones where it has no end."""
    pattern_end, end = (_delimited(command, 1, patterns=1, others=others) for others in (0, 1))
    if end < 0:
        return "", "", ""
    return command[2 : pattern_end - 1], command[pattern_end : end - 1], command[end:]


def _sed_parts(text: str) -> Iterator[tuple[str, str, Found | None]]:
    """Yield addresses and text of each command, and what it does beside editing lines."""
    at = 0
    while 0 <= at < len(text):
        at = _end(_SED_GAP, text, at)
        if at >= len(text):
            return
        if text[at] == "#":
            at = _line_end(text, at)
            continue
        start, begin = at, _past_addresses(text, at)
        at, found = _sed_command(text, begin) if 0 <= begin < len(text) else (-1, ("unknown", text))
        yield text[start : max(begin, start)], text[max(begin, start) : at if at >= 0 else len(text)], found


def _sed_command(text: str, at: int) -> tuple[int, Found | None]:
    """Return where a command of sed ends and what it does; -1 where it is not understood."""
    command, at = text[at], at + 1
    if command in _SED_ALONE:
        return at, None
    if command in _SED_REST:
        return _end(_SED_REST[command], text, at), None
    if command in _SED_TO_LINE_END:
        end = _line_end(text, at)
        rest = text[at:end].strip()
        if command == "e" and rest[:1] in {"", "}", ";", "#"}:
            return -1, ("runs", "")  # it runs the lines that it is fed
        return (end, (_SED_TO_LINE_END[command], rest)) if rest else (-1, ("unknown", text))
    if command == "y":
        at = _delimited(text, at, patterns=0, others=2)
        return at, None if at >= 0 else ("unknown", text)
    return _sed_substitution(text, at) if command == "s" else (-1, ("unknown", text))


def _sed_substitution(text: str, at: int) -> tuple[int, Found | None]:
    at = _delimited(text, at, patterns=1, others=1)
    at = _end(_SED_FLAGS, text, at) if at >= 0 else at
    flag = text[at : at + 1]
    if at < 0:
        return -1, ("unknown", text)
    if flag == "e":
        return -1, ("runs", "")
    if flag == "w":
        end = _line_end(text, at)
        return end, ("writes", text[at + 1 : end].strip())
    return at, None


def _past_addresses(text: str, at: int) -> int:
    """Return where the command stands behind its addresses; -1 where that cannot be told."""
    for _ in range(2):
        found = _SED_ADDRESS.match(text, at)
        if found:
            at = found.end()
        elif text[at : at + 1] in {"/", "\\"}:
            at = _delimited(text, at if text[at] == "/" else at + 1, patterns=1)
            if at < 0:
                return -1
            while text[at : at + 1] in {"I", "M"}:
                at += 1
        else:
            break
        at = _end(_SED_BLANKS, text, at)
        if text[at : at + 1] != ",":
            break
        at = _end(_SED_BLANKS, text, at + 1)
    at = _end(_SED_BLANKS, text, at)
    while text[at : at + 1] in {"!", " "}:
        at += 1
    return at


def _delimited(text: str, at: int, *, patterns: int, others: int = 0) -> int:
    """Return what follows `/a/` or `/a/b/`, whatever stands for the slash; -1 where it has no end.

    Within the brackets of a pattern the delimiter is a letter like any other; brackets that nothing closes sed refuses.
    """
    mark = text[at : at + 1]
    if not mark or mark in "\n\\":
        return -1
    at += 1
    for part in range(patterns + others):
        while at < len(text) and text[at] != mark:
            if part < patterns and text[at] == "[":
                at = bracket_end(text, at)
            else:
                at += 2 if text[at] == "\\" else 1
        if at >= len(text):
            return -1
        at += 1
    return at


def bracket_end(text: str, at: int) -> int:
    """Return what follows the brackets of a pattern, `[^]/[:alpha:]]`; the end of the text where nothing closes them.

    Each letter is met once: a pattern with a choice in a repetition would try all of them for what nothing closes.
    """
    at = _end(_BRACKETS_BEGIN, text, at)
    while found := _BRACKETS_GO_ON.search(text, at):
        at = found.end()
        if found[0] == "]":
            return at
        if found[0] == "\n":
            break
        if text[at : at + 1] in _CLASS_SIGNS:
            end = text.find(f"{text[at]}]", at + 1)
            if end < 0:
                break
            at = end + len(":]")
    return len(text)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def awk_program(text: str) -> Iterator[Found]:
    """Yield what a program of awk does beside printing."""
    strings: list[str] = []

    def kept(match: re.Match[str]) -> str:
        strings.append(match.group(1))
        return f"\0{len(strings) - 1}\0"

    plain = _AWK_STRING.sub(kept, text)
    plain = _AWK_REGEX.sub(r"\1 ", _AWK_COMMENT.sub("", plain)) if '"' not in plain else plain
    if '"' in plain or "@" in plain:
        yield "unknown", text
        return
    yield from _awk_calls(plain, strings, text)
    yield from _awk_pipes(plain, strings, text)
    for match in _AWK_GETLINE_FILE.finditer(plain):
        literal = _AWK_LITERAL.fullmatch(match.group(1))
        yield ("reads", strings[int(literal.group(1))]) if literal else ("unknown", text)
    for match in _AWK_PRINT.finditer(plain):
        said = match.group(1)
        while _AWK_PARENTHESES.search(said):
            said = _AWK_PARENTHESES.sub("", said)
        _, sign, target = said.partition(">")
        if sign:
            literal = _AWK_LITERAL.fullmatch(target.lstrip(">").partition("|")[0])
            yield ("writes", strings[int(literal.group(1))]) if literal else ("unknown", text)
    if re.search(r"\bARGV\s*\[[^\]]*\]\s*=", plain):
        yield "unknown", text
    if any(one.startswith("/inet") for one in strings):
        yield "leaves", text


def _awk_calls(plain: str, strings: list[str], text: str) -> Iterator[Found]:
    known = set(_AWK_DEFINED.findall(plain))
    for match in _AWK_CALL.finditer(plain):
        name = match.group(1)
        if name == "system":
            literal = re.match(r"\s*\0(\d+)\0\s*\)", plain[match.end() :])
            yield ("runs", strings[int(literal.group(1))]) if literal else ("unknown", text)
        elif name not in known and not _AWK_FUNCTIONS.fullmatch(name):
            yield "unknown", text


def _awk_pipes(plain: str, strings: list[str], text: str) -> Iterator[Found]:
    for at in (match.start() for match in re.finditer(r"(?<!\|)\|(?!\|)", plain)):
        to = re.match(r"\|&?\s*\0(\d+)\0\s*(?=[;}\n]|$)", plain[at:])
        source = next((one for one in _AWK_PIPED_FROM.finditer(plain) if one.start() < at < one.end()), None)
        found = to or source
        yield ("runs", strings[int(found.group(1))]) if found else ("unknown", text)
