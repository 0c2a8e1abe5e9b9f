"""Whether a script of sed leaves anything of the file that it edits.

Theory: a pattern may say "each line" in any number of ways. So it is tried on a few lines as code has them: one that
fits all of those fits all. Patterns are tried only in a form that cannot take long: groups are not repeated.
Source: the manual of GNU sed 4.9.
"""

import re

from hub.screening.commands.scripts import bracket_end, sed_commands, sed_substitution

_LINES = ("import os", "    return total(x, 1)", "}", "# what it is: a-b", 'name = "shop/1.5"', "\tif a != b && !c {")
"""Lines as most languages have them."""
_PATTERN_CHARS_MAX, _REPETITIONS_MAX = 60, 4
"""A pattern that is longer, or repeats more, is not tried."""
_NEARLY_ALL = re.compile(r"|[012]\s*,\s*\$|[01]~1|(?:\d+|\$)(?:\s*,\s*\d+)?\s*!")
"""Addresses of all lines, or of all but some that are named by their numbers."""
_FEW = re.compile(r"(?:\d+|\$)(?:\s*,\s*\+?\d+)?")
"""Addresses of lines by their numbers, up to another one: the rest of the file is not among them."""
_TO_END = re.compile(r"\s*,\s*\$\s*")
_REFERS = re.compile(r"(?<!\\)(?:\\\\)*(?:&|\\\d)")
"""A replacement that holds what was matched."""
_CLASSES = {
    "print": r" -~",
    "graph": r"!-~",
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9a-fA-F",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
}
_CLASS = re.compile(r"\[:(\w+):\]|\\([nt])|(.)", re.DOTALL)


def keeps_no_line(script: str, *, quiet: bool, extended: bool, in_place: bool) -> bool:
    """Return True if a script leaves no line as it was, or none but those that it names by their numbers.

    Args:
        script: what sed is told to do with each line.
        quiet: it prints only what the script prints.
        extended: its patterns are extended ones.
        in_place: what it prints takes the place of what it read; else a text of the script's own is something, too.
    """
    blocks: list[str] = []
    for address, command in sed_commands(script):
        name, scope = command[:1], [*blocks, address]
        if name == "{":
            blocks.append(address)
        elif name == "}":
            blocks[-1:] = []
        elif name in "hHxGbtTnr:" or _prints(command, scope, quiet=quiet, in_place=in_place):
            return False  # it keeps lines for later, goes on elsewhere, or prints them as they are
        elif name in "qQ" and address == "1":
            return True
        elif not quiet and all(_is_all(one, extended=extended) for one in scope):
            if name in "dDqQzg" or (name == "c" and in_place):
                return True
            if name == "s" and _takes_all(command, extended=extended, in_place=in_place):
                return True
    return quiet


def _prints(command: str, scope: list[str], *, quiet: bool, in_place: bool) -> bool:
    """Return True if a command prints lines, and in place more than those whose numbers it names."""
    if quiet and not in_place and command[:1] in "aicl=w":
        return True
    prints = command[:1] in "pP" or (command[:1] == "s" and "p" in sed_substitution(command)[2])
    return prints and not (in_place and any(map(_FEW.fullmatch, scope)))


def _is_all(address: str, *, extended: bool) -> bool:
    """Return True if an address is that of each line, or of all but a few."""
    if _NEARLY_ALL.fullmatch(address):
        return True
    address = _TO_END.sub("", address)
    mark = address[1:2] if address[:1] == "\\" else "/"
    begin = address.find(mark) + 1
    pattern, _, flags = address[begin:].rpartition(mark)
    if not begin or not {*flags.strip()} <= {"I", "M"}:
        return False
    tried = _translated(pattern, extended=extended)
    return tried is not None and all(map(tried.search, _LINES))


def _takes_all(command: str, *, extended: bool, in_place: bool) -> bool:
    """Return True if a substitution leaves nothing of a line, whatever stands there."""
    pattern, replacement, flags = sed_substitution(command)
    tried = _translated(pattern, extended=extended)
    if tried is None or _REFERS.search(replacement) or (replacement.strip() and not in_place):
        return False
    return not any(tried.sub("", line, count=0 if "g" in flags else 1).strip() for line in _LINES)


def _translated(text: str, *, extended: bool) -> re.Pattern[str] | None:
    """Return a pattern of sed as one of Python; None for one that is not tried."""
    found, at = [""], 0
    while at < len(text) <= _PATTERN_CHARS_MAX:
        escaped = text[at] == "\\"
        sign = text[at + escaped : at + escaped + 1]
        end = bracket_end(text, at) if sign == "[" and not escaped else at + escaped + 1
        is_operator = escaped != extended
        if sign == "*" and not escaped:
            found[-1] += "*"
        elif sign and sign in "+?" and is_operator:
            found[-1] += sign
        elif sign and sign in "(){}" and is_operator:
            found.append({"(": "(?:", ")": ")"}.get(sign, "{"))
        elif sign == "[" and not escaped:
            found.append(_class(text[at:end]))
        elif escaped and sign.isalnum():
            found.append(f"\\{sign}" if sign in "sSwWnt" else "{")
        elif (sign and sign in "^$." and not escaped) or (sign == "|" and is_operator):
            found.append(sign)
        else:
            found.append(re.escape(sign))
        at = end
    repeated = [one for one in found if one[-1:] in {"*", "+", "?"} and one[-2:-1] != "\\"]
    is_plain = "{" not in found and all(len(one) > 1 and one[-2] not in "*+?|^:)" for one in repeated)
    if not text or len(text) > _PATTERN_CHARS_MAX or len(repeated) > _REPETITIONS_MAX or not is_plain:
        return None
    try:
        return re.compile("".join(found))
    except re.error:
        return None  # sed refuses it, too


def _class(text: str) -> str:
    """Return what stands in the brackets of a pattern of sed as Python has it; a lone `{` where they have no end."""
    inner, negated = text[1:-1].removeprefix("^"), text[1:2] == "^"
    if not inner or text[-1:] != "]" or "--" in inner:
        return "{"
    parts = [
        _CLASSES.get(known, "") or (f"\\{control}" if control else letter if letter == "-" else re.escape(letter))
        for known, control, letter in _CLASS.findall(inner)
    ]
    return f"[{'^' * negated}{''.join(parts)}]"
