"""Which values of a shell text are evaluated as arithmetic, and whether each of them is surely a number.

Theory: arithmetic takes the value of a name for an expression in its turn, and runs a command that stands in a
subscript: with `a[$(rm -r src)]` in a file, `read x < file; echo $((x))` deletes. `$((…))`, `((…))`, `let`, `-eq`, a
subscript, `${x:n}`, `declare -i` and `${!x}` all evaluate. So a name counts as a number only if everything that the
text assigns to it, anywhere, is one: what a loop or a function assigns later may be evaluated by what stands before.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

Needs = frozenset[str] | None
"""What must be a number for a value to be one: names, `$name` where its text is only copied, `name()` where no function
of that name may be defined, `!name` where its subscripts must be numbers. None: the value may be any text."""
ANY_PROGRAM = "*"
"""Stands among the functions where any name may have another meaning."""

_NAME = re.compile(r"(?<![\w#$])[A-Za-z_]\w*")
_OPENS = re.compile(r"[$`\\]")
_LITERAL = re.compile(r"(?:[\w\s+.:,-]|\{\d+\.\.\d+(?:\.\.\d+)?\})*")
_SEVERAL = re.compile(r"[{*?]")
_INDEX = re.compile(r"\[([^\]]*)\]$")
_FLOAT = re.compile(r"[FE]")
_GLOB = re.compile(r"[*?\[]")
_QUOTES = re.compile(r"[\"']")
_SPECIAL = re.compile(r"\$(?:[#?!$]|\{[#?!$]\}|\{#.*\})", re.DOTALL)
_EXPANSION = re.compile(r"\$\{(\w+)(?:\[[^\]]*\])?(?:(:?[-=+])(.*)|[%#:].*)?\}", re.DOTALL)
_INDIRECT = re.compile(r"\$\{!(\w+)(?:\[[^\]@*]*\])?(?![*@\[])[^}]*\}", re.DOTALL)
_KEYS = re.compile(r"\$\{!(\w+)\[[@*]\]\}")
_SLICE = re.compile(r"\$\{[\w@*]+(?:\[[^\]]*\])?:(?![-=+?])(.*)\}", re.DOTALL)
_KEYED = re.compile(r"\[([^\]]*)\]\+?=", re.DOTALL)
_SETS = re.compile(
    r"\b([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|([A-Za-z_]\w*)\s*(?:\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)"
)
_EXPANSIONS = frozenset({"simple_expansion", "expansion"})
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_COMPARES = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_BEFORE = frozenset({"builtin", "command", "time", "-p", "--", "!"})
"""What may stand before a built-in command."""
_DECLARES = frozenset({"declare", "typeset", "local", "export", "readonly", "integer"})
_LEAVES = frozenset({"exit", "return", "shift", "break", "continue", "logout"})
"""Built-in commands whose operand zsh evaluates."""
_ANSWERS = {"read": "REPLY", "mapfile": "MAPFILE", "readarray": "MAPFILE", "getopts": "OPTARG"}
"""What built-in commands fill where they are given no name."""
_NUMBERED = frozenset({"RANDOM", "SRANDOM", "SECONDS", "EPOCHSECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID"}) | {
    *("BASH_SUBSHELL", "SHLVL", "OPTIND", "HISTCMD", "COLUMNS", "LINES", "PIPESTATUS", "BASH_VERSINFO"),
}
"""Names to which the shell itself gives numbers."""
_VALUED = re.compile(r"-\w*[pditnNuOsc]")
"""Options of `read` and its relatives that have a value which is no name."""
_NAMES_IT = {"printf": "-v", "wait": "-p"}
"""Options with the name that a built-in command fills."""
_FILE = r"""(?:[\w./-]+|"[^"*?\[]*")"""
_ASKS_PAGE = r"""(?: -[sSkLfI]+| -o /dev/null| -w ?["']?%\{http_code\}["']?| (?:--max-time|-m|--connect-timeout) \d+)"""
_PRINTS_NUMBER = re.compile(
    rf"wc(?: -[lwcm]+)+(?: [\w./-]+)?|grep -(?=\w*c)[a-qs-zA-GI-QS-Z]+ \S+(?: {_FILE})?|nproc(?: --all)?"
    r"|date(?: -u| --utc| -d \S+)* \+[\"']?(?:%-?[sYmdHMSjuNyVwk])+[\"']?|id -[ug]|tput (?:cols|lines)|seq(?: \S+)+"
    r"|git rev-list(?: [\w./@^~:=-]+)* --count(?: [\w./@^~:=-]+)*|pgrep -c .*|getconf _NPROCESSORS_ONLN"
    r"|sysctl -n hw\.\w+"
    rf"|stat (?:-c|-f|--format) ?[\"']?%[sYzmXWhab][\"']? {_FILE}|jq(?: -r)? '(?:[^']*\| *)?length'(?: {_FILE})?"
    rf"|du(?: -[bchkmx]*s[bchkmx]*)+ [\w./-]+|awk 'END *\{{ *print NR *\}}'(?: {_FILE})?"
    rf"|expr \S+ ['\"]?\\?[-+*/%]['\"]? \S+"
    rf"|(?=.* -o /dev/null)(?=.*%\{{http_code)curl{_ASKS_PAGE}* [\"']?https?://[^ \"']+[\"']?{_ASKS_PAGE}*",
)
"""Commands that print numbers, and names of files that stand in the text."""
_OF_NUMBERS = frozenset({"seq", "expr"})
"""Commands that print numbers if they are given none but numbers."""
_PASSES_ON = re.compile(
    r"tr -d ['\"\w \\]+|xargs|(?:head|tail) -?n? ?\d+|cut -f ?1|cut -d ?['\"]? ?['\"]? -f ?1|awk '\{ *print \$1 *\}'"
)
"""What leaves numbers numbers."""


@dataclass(slots=True)
class Evaluated:
    """What a text assigns, and what it evaluates, each with what must be a number for it."""

    assigned: list[tuple[str, Needs]] = field(default_factory=list)
    evaluated: list[tuple[Needs, str]] = field(default_factory=list)
    filled: set[str] = field(default_factory=set)
    """Names that a built-in command sets to what is only known when it runs."""
    keyed: set[str] = field(default_factory=set)
    """Names of arrays whose subscripts may be any text."""
    named: list[tuple[str, str]] = field(default_factory=list)
    """Names whose values are taken for names, with the words that say so."""

    def add(self, other: "Evaluated") -> None:
        """Add what another text assigns and evaluates."""
        self.assigned += other.assigned
        self.evaluated += other.evaluated
        self.named += other.named
        self.filled |= other.filled
        self.keyed |= other.keyed

    def doubt(self, functions: set[str]) -> str:
        """Return the first words that evaluate what may be no number; empty where there are none."""
        if not self.evaluated and not self.named:
            return ""
        words = self._sure(functions, copied=True)
        numbers = self._sure(functions, copied=False)
        for needs, source in self.evaluated:
            if needs is None or not all(self._is_sure(one, numbers, functions) for one in needs):
                return source
        return next((source for name, source in self.named if name not in words), "")

    def _sure(self, functions: set[str], *, copied: bool) -> set[str]:
        """Return the names whose every value is sure: a number, or, where names in it do not count, a plain word."""
        values: dict[str, list[Needs]] = {}
        for name, needs in self.assigned:
            values.setdefault(name, []).append(needs)
        sure = {name for name, needs in values.items() if None not in needs} | (_NUMBERED - values.keys())
        while True:
            lost = {
                name
                for name in sure & values.keys()
                for needs in values[name]
                for one in needs or ()
                if (one[0] in "$!" or one[-1] == ")" or not copied) and not self._is_sure(one, sure, functions)
            }
            if not lost:
                return sure
            sure -= lost

    def _is_sure(self, need: str, sure: set[str], functions: set[str]) -> bool:
        if need.endswith("()"):
            return functions.isdisjoint({need[:-2], ANY_PROGRAM})
        return need[1:] not in self.keyed if need[0] == "!" else need.lstrip("$") in sure


def evaluated_in(root: "Node") -> Evaluated:
    """Return what a text assigns and evaluates."""
    finder = _Finder(root)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += node.children[::-1]
        finder.note(node)
    return finder.found


class _Finder:
    """Notes what each node of a text evaluates and assigns by itself."""

    def __init__(self, root: "Node") -> None:
        self.found = Evaluated()
        self.keyed = _keyed_arrays(root)
        self.nodes: dict[str, Callable[[Node], None]] = {
            "arithmetic_expansion": self.expression,
            "command_substitution": self.substitution,
            "compound_statement": self.compound,
            "c_style_for_statement": self.counted,
            "binary_expression": self.comparison,
            "subscript": self.subscript,
            "expansion": self.expansion,
            "variable_assignment": self.assignment,
            "for_statement": self.loop,
            "declaration_command": lambda node: self.declared(node.children[1:], _text(node)),
            "command": self.command,
            "unset_command": lambda node: self.fills("unset", node.named_children, _text(node)),
        }
        self.commands: dict[str, Callable[[list[Node], str], None]] = {
            "let": self.let,
            **dict.fromkeys(("test", "["), self.test),
            **dict.fromkeys(_LEAVES, self.leaves),
            **dict.fromkeys(_DECLARES, self.declared),
            **{name: partial(self.fills, name) for name in (*_ANSWERS, "unset")},
            **{name: partial(self.names_one, option) for name, option in _NAMES_IT.items()},
            "coproc": lambda words, _text: self.fill(map(_said, words)),
        }

    def note(self, node: "Node") -> None:
        """Note one node."""
        if node.type in self.nodes:
            self.nodes[node.type](node)

    def evaluate(self, needs: Needs, text: str) -> None:
        """Note an expression; the names that it sets hold numbers from then on."""
        self.found.evaluated.append((needs, text))
        self.found.assigned += [(name, frozenset()) for names in _SETS.findall(text) for name in names if name]

    def fill(self, names: Iterable[str]) -> None:
        """Note names that are set to what is only known when it runs."""
        for name in names:
            self.found.assigned.append((name, None))
            self.found.filled.add(name.partition("[")[0])

    def expression(self, node: "Node") -> None:
        """Note `$((...))`."""
        self.evaluate(_needs(node), _text(node))

    def substitution(self, node: "Node") -> None:
        """Note `$((...))` in a here-document, where the grammar takes it for a substitution."""
        if _text(node).startswith("$(("):
            self.expression(node)

    def compound(self, node: "Node") -> None:
        """Note `((...))`, which is called as a group of commands is."""
        if _text(node).startswith("(("):
            self.expression(node)

    def counted(self, node: "Node") -> None:
        """Note the head of `for ((...))`."""
        body = node.child_by_field_name("body")
        for child in node.named_children:
            if body is None or child.start_byte < body.start_byte:
                self.expression(child)

    def comparison(self, node: "Node") -> None:
        """Note both sides of `-eq` and its like."""
        if any(_text(one) in _COMPARES for one in node.children):
            for side in ("left", "right"):
                for child in node.children_by_field_name(side):
                    self.found.evaluated.append((_needs(child, literal=True), _text(node)))

    def subscript(self, node: "Node") -> None:
        """Note what stands in brackets behind a name."""
        name, index = node.child_by_field_name("name"), node.child_by_field_name("index")
        if index is None or _text(index) in {"@", "*"}:
            return
        if name is None or not self.is_keyed(_text(name), node):
            self.found.evaluated.append((_needs(index), _text(node)))

    def is_keyed(self, name: str, node: "Node") -> bool:
        """Return True if the subscripts of an array are surely words where a node stands."""
        return name in self.keyed and self.keyed[name] <= node.start_byte

    def expansion(self, node: "Node") -> None:
        """Note `${!x}`, `${x:n}` and `${x:=y}`."""
        text = _text(node)
        if named := _INDIRECT.fullmatch(text):
            self.found.named.append((named[1], text))
        if sliced := _SLICE.fullmatch(text):
            start = node.start_byte + len(text[: sliced.start(1)].encode())
            parts = [one for one in node.children if one.start_byte >= start]
            self.found.evaluated.append((_needs_of(sliced[1], start, parts), text))
        given = _EXPANSION.fullmatch(text)
        if given and given[2] in {"=", ":="}:
            self.found.assigned.append((given[1], _literal(given[3])))
            self.found.filled.add(given[1])

    def assignment(self, node: "Node") -> None:
        """Note `x=y`, and the subscripts in `x=([y]=z)`."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        plain = _text(name).partition("[")[0] if name is not None else ""
        is_array = value is not None and value.type == "array"
        elements = value.named_children if value is not None and is_array else [value]
        for element in elements:
            needs: Needs = frozenset() if element is None else _needs(element, literal=True)
            self.found.assigned.append((plain, needs))
            key = _KEYED.match(_text(element)) if element is not None and is_array else None
            if key and not self.is_keyed(plain, node):
                self.found.evaluated.append((_literal(key[1]), _text(node)))

    def loop(self, node: "Node") -> None:
        """Note what the variable of a loop may be; without words these are the arguments."""
        name = node.child_by_field_name("variable")
        values = node.children_by_field_name("value")
        needs = _together(_needs(one, literal=True) for one in values) if values else None
        self.found.assigned += [(_text(name), needs)] if name is not None else []

    def declared(self, words: "list[Node]", text: str) -> None:
        """Note what is made an integer, or another name of a variable, and names that do not stand in the text."""
        options = "".join(_text(one) for one in words if _text(one)[:1] == "-")
        for word in words:
            said = _QUOTES.sub("", _text(word))
            if said[:1] in {"-", "+"}:
                continue
            name, equals, value = said.partition("=")
            if _OPENS.search(name):
                self.found.evaluated.append((None, text))
            plain = name.rstrip("+").partition("[")[0]
            self.found.keyed |= {plain} if "A" in options else set()
            if "i" in options or text.startswith("integer") or (equals and _FLOAT.search(options)):
                self.found.evaluated.append((frozenset({plain}), text))
            if "n" in options and not text.startswith("export"):
                self.fill((plain, value))
                self.found.evaluated += [(None, text)] if not re.fullmatch(r"\w+", value) else []
            if word.type != "variable_assignment" and equals:
                self.found.assigned.append((plain, _literal(value)))

    def command(self, node: "Node") -> None:
        """Note what a built-in command evaluates in its words, and which names it fills."""
        words = [one for one in node.named_children if not one.type.endswith(("redirect", "_assignment"))]
        while words and _said(words[0]) in _BEFORE:
            words = words[1:]
        if words and _said(words[0]) in self.commands:
            self.commands[_said(words[0])](words[1:], _text(node))

    def let(self, words: "list[Node]", _text_of_call: str) -> None:
        """Note `let`, whose words may be patterns that files fit."""
        for word in words:
            is_pattern = word.type not in {"string", "raw_string"} and _GLOB.search(_text(word))
            self.evaluate(None if is_pattern else _needs(word), _text(word))

    def test(self, words: "list[Node]", text: str) -> None:
        """Note what `test` compares as numbers: bash takes nothing else, zsh evaluates."""
        for at, word in enumerate(words):
            if _said(word) in _COMPARES:
                beside = [*words[max(at - 1, 0) : at], *words[at + 1 : at + 2]]
                self.found.evaluated += [(_needs(operand, literal=True), text) for operand in beside]

    def leaves(self, words: "list[Node]", text: str) -> None:
        """Note how often or with what is left."""
        self.found.evaluated += [(_needs(word, literal=True), text) for word in words]

    def fills(self, name: str, words: "list[Node]", text: str) -> None:
        """Note the names that `read` and its relatives fill, which are evaluated if they have subscripts."""
        said = [_said(word) for word in words]
        names = [at for at in range(len(said)) if at == 0 or name == "unset" or not _VALUED.fullmatch(said[at - 1])]
        self.fill([*said, _ANSWERS[name]] if name in _ANSWERS else said)
        for at in names:
            index = _INDEX.search(said[at])
            needs = None if _is_name_open(words[at]) else _literal(index[1]) if index else frozenset()
            self.found.evaluated.append((needs, text))

    def names_one(self, name_option: str, words: "list[Node]", text: str) -> None:
        """Note the name behind an option: `printf -v x`."""
        for option, word in pairwise(words):
            if _text(option) == name_option:
                self.fill([_text(word)])
                self.found.evaluated += [(None, text)] if _is_name_open(word) else []


def _is_name_open(word: "Node") -> bool:
    """Return True if a word may be a name, or have a subscript, that the text does not hold."""
    text = _text(word)
    is_pattern = word.type not in {"string", "raw_string"} and _SEVERAL.search(text) is not None
    return is_pattern or _OPENS.search(text) is not None


def _keyed_arrays(root: "Node") -> dict[str, int]:
    """Return the arrays whose subscripts are words and no arithmetic, with the place from which on that is certain."""
    if b"unset" in (root.text or b""):
        return {}
    return {
        _text(name).partition("=")[0]: node.start_byte
        for node in root.children
        if node.type == "declaration_command" and any(re.fullmatch(r"-g?A", _text(one)) for one in node.children)
        for name in node.children[1:]
    }


def _needs(node: "Node", *, literal: bool = False) -> Needs:
    """Return what must be a number for a part of an expression, or, `literal`, for a value."""
    if node.type == "array":
        return None
    parts = [node] if node.type in _EXPANSIONS | _SUBSTITUTIONS | {"arithmetic_expansion"} else node.children
    if node.type == "arithmetic_expansion" or (node.type == "command_substitution" and _text(node)[:3] == "$(("):
        if literal:
            return frozenset()  # a number by itself; what is in it is judged where it stands
        parts = node.children
        return _needs_of(_text(node)[2:], node.start_byte + 2, parts)
    return _needs_of(_text(node), node.start_byte, parts, literal=literal)


def _needs_of(text: str, start: int, parts: "list[Node]", *, literal: bool = False) -> Needs:
    """Return what must be a number for a text with these parts in it; `start` is its place in bytes."""
    raw = text.encode()
    needs: list[Needs] = []
    waiting = list(parts)
    while waiting:
        part = waiting.pop()
        if part.type in _EXPANSIONS:
            needs.append(_expanded(_text(part)))
        elif part.type == "arithmetic_expansion":
            needs.append(frozenset())  # a number by itself; what is in it is judged where it stands
        elif part.type in _SUBSTITUTIONS:
            needs.append(_printed(part))
        else:
            waiting += part.children
            continue
        at, end = part.start_byte - start, part.end_byte - start
        raw = raw[: max(at, 0)] + b"0" * (end - max(at, 0)) + raw[end:]
    left = _QUOTES.sub("", raw.decode("utf-8", "replace"))
    return _together([*needs, _literal(left) if literal else _names(left)])


def _names(text: str) -> Needs:
    return None if _OPENS.search(text) else frozenset(_NAME.findall(text))


def _literal(text: str) -> Needs:
    """Return what a value needs that stands in the text: it is no pattern, and has no subscript."""
    text = _QUOTES.sub("", text)
    return frozenset(_NAME.findall(text)) if _LITERAL.fullmatch(text) else None


def _together(needs: Iterable[Needs]) -> Needs:
    every: set[str] = set()
    for one in needs:
        if one is None:
            return None
        every |= one
    return frozenset(every)


def _expanded(text: str) -> Needs:
    """Return what an expansion of a variable needs."""
    if _SPECIAL.fullmatch(text):
        return frozenset()
    if re.fullmatch(r"\$[A-Za-z_]\w*", text):
        return frozenset({text})
    if keys := _KEYS.fullmatch(text):
        return frozenset({f"!{keys[1]}"})
    given = _EXPANSION.fullmatch(text)
    if given is None or given[1].isdigit():
        return None
    return _together([frozenset({f"${given[1]}"}), _literal(given[3] or "")])


def _printed(node: "Node") -> Needs:
    """Return what the commands in a substitution need to print numbers."""
    inner = node.named_children
    if len(inner) != 1 or node.type != "command_substitution":
        return None
    stages = inner[0].named_children if inner[0].type == "pipeline" else inner
    names: set[str] = set()
    for stage in reversed(stages):
        body = stage.child_by_field_name("body") if stage.type == "redirected_statement" else stage
        if body is None or body.type != "command":
            return None
        said = " ".join(_text(body).split())
        names.add(f"{said.partition(' ')[0]}()")
        if _PRINTS_NUMBER.fullmatch(said):
            parts = body.named_children[1:] if said.partition(" ")[0] in _OF_NUMBERS else []
            return _together([frozenset(names), *(_needs(part) for part in parts)])
        if not _PASSES_ON.fullmatch(said):
            return None
    return None


def _said(word: "Node") -> str:
    return re.sub(r"[\\\"']", "", _text(word))


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")
