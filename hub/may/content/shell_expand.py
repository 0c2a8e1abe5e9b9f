"""Undo what a shell would undo before it runs a command: variables, substitutions, escapes, continuations.

This works on the whole prompt, prose included, so it only rewrites what is unmistakable.
"""

import re

from hub.may.content.limits import MAX_ASSIGNMENTS, MAX_EXPANDED_CHARS

_CONTINUATION = re.compile(r"[\\^`][ \t]*\n[ \t]*")
_FIELD_SEPARATOR = re.compile(r"\$\{IFS[^}\n]{0,40}\}|\$IFS(?:\$\d)?", re.IGNORECASE)
_ANSI_QUOTED = re.compile(r"\$'([^'\n]{0,400})'")
_HEX_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4})\}?|\\([0-3][0-7]{2})")
_ECHOED = re.compile(
    r"(?:\$\(|`)\s*(?:echo|printf)\s+(?:-\w+\s+)?(?:'%s'\s+)?[\"']?([\w./ -]{1,80}?)[\"']?\s*(?:\)|`)",
)
_EMPTY_PARAMETER = re.compile(r"\$(?:[@*#!?_]|[1-9]\b|\{[@*0-9]\})(?=\w)|(?<=\w)\$(?:[@*!?]|\{[@*]\})")
_DEFAULTED = re.compile(r"\$\{\w{0,40}:?[-=+]([\w./-]{1,60})\}")
_ASSIGNMENT = re.compile(r"(?<![\w$-])([A-Za-z_]\w{0,30})=(\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|[^\s;|&'\"`]{1,200})")
_BRACES = re.compile(r"(?<![\w$}])\{([\w./~*-]{1,40}(?:,[\w./~*-]{1,40}){1,8})\}")
_SINGLE_CLASS = re.compile(r"\[(\w)\]")
_LIST_COMMA = re.compile(r"([\"'])\s{0,4},\s{0,4}([\"'])")
_EMPTY_QUOTES = re.compile(r"(?<=[\w./-])(?:\"\"|'')(?=[\w./-])")


def _escape(match: re.Match[str]) -> str:
    """Return the character an escape stands for, or the escape itself when it is not printable ASCII."""
    digits = match.group(1) or match.group(2)
    code = int(digits, 16) if digits else int(match.group(3), 8)
    return chr(code) if " " <= chr(code) <= "~" else match.group(0)


def unescape(text: str) -> str:
    r"""Replace ``\x72``, ``\u0072`` and ``\162`` by the character they stand for."""
    return _HEX_ESCAPE.sub(_escape, text)


def _substitute(text: str) -> str:
    """Put the values of variables assigned in ``text`` where they are used."""
    values: dict[str, str] = {}
    for match in _ASSIGNMENT.finditer(text):
        values[match.group(1)] = match.group(2).strip("\"'")
        if len(values) >= MAX_ASSIGNMENTS:
            break
    if not values:
        return text
    names = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    use = re.compile(rf"\$\{{({names})\}}|\$({names})(?!\w)|%({names})%")

    def value(match: re.Match[str]) -> str:
        return values[match.group(1) or match.group(2) or match.group(3)]

    return use.sub(value, use.sub(value, text))[:MAX_EXPANDED_CHARS]


def expand(text: str) -> str:
    """Return ``text`` as a shell would see it after its expansions; unchanged when there is nothing to expand."""
    if "\\" in text or "^" in text or "`" in text:
        text = _CONTINUATION.sub(" " if "`\n" in text else "", text)
    if "\\" in text:
        text = unescape(text)
    if "$" in text or "`" in text:
        text = _FIELD_SEPARATOR.sub(" ", text)
        text = _ANSI_QUOTED.sub(r"\1", text)
        text = _ECHOED.sub(r"\1", text)
        text = _DEFAULTED.sub(r"\1", text)
        text = _EMPTY_PARAMETER.sub("", text)
    if "=" in text and ("$" in text or "%" in text):
        text = _substitute(text)
    if "{" in text:
        text = _BRACES.sub(lambda match: match.group(1).replace(",", " "), text)
    if "[" in text:
        text = _SINGLE_CLASS.sub(r"\1", text)
    if '"' in text or "'" in text:
        text = _EMPTY_QUOTES.sub("", text)
        text = _LIST_COMMA.sub(r"\1 \2", text)
    return text
