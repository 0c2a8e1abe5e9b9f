"""What variables of a shell text hold: one value, several that it may be, or what is only known when it runs.

Theory: the text is read once, from its head to its end, and a shell does not run it so. An assignment that may not be
made leaves the value before it possible; one in a loop is met by what stands before it in the loop; a function runs
where it is called. Several values of one variable stand in a word as alternatives, until the whole call is known.
"""

import re
from collections import Counter
from fnmatch import translate
from itertools import product
from typing import TYPE_CHECKING

from hub.screening.commands.arithmetic import Evaluated
from hub.screening.commands.limits import ALTERNATIVES_MAX, WORD_CHARS_MAX

if TYPE_CHECKING:
    from tree_sitter import Node

SPLIT = "\0"
"""Where an expansion splits a word."""
_EITHER = re.compile("\2(\\w+)\4([^\3]*)\3")
_ONLY_LATER = re.compile(r"[$`]")
_PLAIN = re.compile(r"\$(\w+)|\$\{(\w+)\}")
_INDIRECT = re.compile(r"\$\{!(\w+)\}")
_ELEMENTS = re.compile(r"\$\{(\w+)\[[@*]\]\}")
_CHANGED = re.compile(r"\$\{(\w+)(:?[-=+?]|##?|%%?|//?|\^\^?|,,?|:)(.*)\}", re.DOTALL)
_ALWAYS_SET = re.compile(r"HOME|PWD|OLDPWD|USER|LOGNAME|SHELL|PATH|TMPDIR|XDG_\w+")
_SETS = re.compile(r"\b(\w+)\+?=")
_EVALUATES = re.compile(r"\b(?:eval|trap)\b")
_MAY_NAME_ANY = re.compile(r"[$`]|\b(?:read|printf|mapfile|readarray|getopts|unset)\b")
"""What has a text that is evaluated later name any variable."""
_LITERAL = frozenset({"word", "string_content", "raw_string", "ansi_c_string", "heredoc_body"})


def is_varied(word: str) -> bool:
    """Return True if a word holds alternatives."""
    return "\2" in word


def spread(words: list[str]) -> list[list[str]]:
    """Return the words once for each value that the variables in them may have; one more than the limit if cut."""
    names: dict[str, list[str]] = {}
    for word in words:
        for name, values in _EITHER.findall(word):
            names.setdefault(name, values.split("\1"))
    if not names:
        return [words]
    meant: list[list[str]] = []
    for values in product(*names.values()):
        chosen = dict(zip(names, values, strict=True))
        meant.append([part for word in words for part in _parts(_filled(word, chosen))])
        if len(meant) > ALTERNATIVES_MAX:
            break
    return meant


def _filled(word: str, chosen: dict[str, str]) -> str:
    return _EITHER.sub(lambda match: chosen[match[1]], word)


def _parts(word: str) -> list[str]:
    return [part for part in word.split(SPLIT) if part] if SPLIT in word else [word]


class Variables:
    """Variables of one text, from their assignment on."""

    def __init__(self, root: "Node", evaluated: Evaluated) -> None:
        self._values: dict[str, str] = {"IFS": " "}
        self._arrays: dict[str, str] = {}
        self._hidden: dict[str, str] = {}
        self._filled = evaluated.filled
        self._times = Counter(name for name, _ in evaluated.assigned)
        text = (root.text or b"").decode("utf-8", "replace")
        later = _EVALUATES.search(text)
        if later and _MAY_NAME_ANY.search(text, later.end()):
            self._filled = self._filled | self._times.keys()
        elif later:
            self._filled = self._filled | {name for part in _texts(root) for name in _SETS.findall(part)}

    def set(self, name: str, values: list[str], *, is_certain: bool, is_added: bool = False) -> None:
        """Remember what is assigned; where that may not be done, what was there before may be there still."""
        before = self._alternatives(name)
        if is_added:
            values = [f"{head}{value}" for head in before for value in values]
        if not is_certain or any(map(is_varied, values)):
            values = [one for value in values for one in _alternatives(value)]
            values += [] if is_certain else before
        values = list(dict.fromkeys(value[:WORD_CHARS_MAX] for value in values))  # x=$x$x doubles
        self._arrays.pop(name, None)
        self._values.pop(name, None)
        if 0 < len(values) <= ALTERNATIVES_MAX:
            self._values[name] = _either(name, values)

    def set_array(self, name: str, elements: list[str] | None) -> None:
        """Remember an array; None where its elements are only known when it runs."""
        self._values.pop(name, None)
        self._arrays.pop(name, None)
        if elements is not None:
            self._arrays[name] = SPLIT.join(elements)[:WORD_CHARS_MAX]

    def hide(self) -> dict[str, str]:
        """Forget, for the body of a function, what is assigned more than once; return what was known."""
        before = self._values
        self._values = {name: value for name, value in before.items() if self._times[name] <= 1}
        self._arrays = {name: value for name, value in self._arrays.items() if self._times[name] <= 1}
        self._hidden = dict(self._values)
        return before

    def show(self, before: dict[str, str]) -> None:
        """Go back to what was known before a function."""
        hidden, after, self._values = self._hidden, self._values, before
        for name in hidden.keys() - after.keys():
            self._values.pop(name, None)
        for name, value in after.items():
            if value != hidden.get(name):
                self.set(name, _alternatives(value), is_certain=False)

    def repeat(self, body: "Node") -> None:
        """Add to what is known what a loop assigns later on in its body."""
        waiting = [body]
        while waiting:
            node = waiting.pop()
            waiting += node.children
            if node.type != "variable_assignment":
                continue
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            key = _text(name).partition("[")[0] if name is not None else ""
            if key in self._values:
                is_known = value is None or (value.type in {"word", "number", "raw_string"} and "+=" not in _text(node))
                if is_known:
                    self.set(key, [_text(value).strip("'") if value is not None else ""], is_certain=False)
                else:
                    self._values.pop(key, None)
            self._arrays.pop(key, None)

    def value(self, text: str) -> str | None:
        """Return what an expansion stands for, or None where that is only known when it runs."""
        elements = _ELEMENTS.fullmatch(text)
        if elements:
            return self._arrays.get(elements[1]) if elements[1] not in self._filled else None
        if named := _INDIRECT.fullmatch(text):
            meant = [self._values.get(one, f"${one}") for one in self._alternatives(named[1])]
            return _either(named[1], meant) if meant and named[1] not in self._filled else None
        plain, changed = _PLAIN.fullmatch(text), _CHANGED.fullmatch(text)
        name = (plain[1] or plain[2]) if plain else changed[1] if changed else ""
        if name in self._filled or not name:
            return None
        value = self._values.get(name)
        if changed is None:
            return value
        if changed[2].lstrip(":") in {"-", "="} and value is None and not _ALWAYS_SET.fullmatch(name):
            return _unquoted(changed[3])
        if value is None or _ONLY_LATER.search(changed[3]):
            return None
        found = [_change(one, changed[2], _unquoted(changed[3])) for one in _alternatives(value)]
        if None in found:
            return None
        return _either(f"{name}_{len(text)}", [one for one in found if one is not None])

    def _alternatives(self, name: str) -> list[str]:
        return _alternatives(self._values[name]) if name in self._values else []


def _either(name: str, values: list[str]) -> str:
    """Return a value that is one of several."""
    known = list(dict.fromkeys(values))
    return known[0] if len(known) == 1 else f"\2{name}\4" + "\1".join(known) + "\3"


def _alternatives(value: str) -> list[str]:
    return [one for meant in spread([value]) for one in meant] if is_varied(value) else [value]


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", re.sub(r"[\"']", "", text))


def _change(value: str, sign: str, word: str) -> str | None:
    """Return a value as an expansion changes it; None where that is not worked out."""
    if sign.lstrip(":") in {"-", "=", "?"}:
        return word if not value and ":" in sign and sign[-1] != "?" else value
    if sign.lstrip(":") == "+":
        return word if value or ":" not in sign else ""
    if _ONLY_LATER.search(value):
        return None
    if sign[0] in "^,":
        whole = value.upper() if sign[0] == "^" else value.lower()
        return None if word else whole if len(sign) > 1 else whole[:1] + value[1:]
    if sign == ":":
        place = re.fullmatch(r"\s*(\d+)(?::(\d+))?", word)
        return None if place is None else value[int(place[1]) :][: int(place[2]) if place[2] else None]
    if sign[0] == "/":
        pattern, _, other = word.partition("/")
        return (
            value.replace(pattern, other, -1 if sign == "//" else 1) if re.fullmatch(r"[\w. ,:@=-]+", pattern) else None
        )
    return _cut(value, sign, word)


def _cut(value: str, sign: str, pattern: str) -> str:
    """Return a value without what a pattern fits at its head or its end, the shortest of it or the longest."""
    fits = re.compile(translate(pattern)).match
    ends = range(len(value) + 1) if len(sign) == 1 else range(len(value), -1, -1)
    if sign[0] == "#":
        return next((value[end:] for end in ends if fits(value[:end])), value)
    return next((value[: len(value) - end] for end in ends if fits(value[len(value) - end :])), value)


def _texts(root: "Node") -> list[str]:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if node.type in _LITERAL:
            found.append(_text(node))
        waiting += node.children
    return found


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
