"""Which files a snippet of JavaScript names, and which part of it is not understood.

Theory: as in snippet_python, a name is believed only where all of it is known. A global and a module of Node's own
count only with a member that a list holds, and never as a value; what writes or reads a file counts only as the
function of a direct call. What is taken from any other value is data, unless it is called: then it is one of a list.
What comes from a package or from a file of the project's is the project's own, and its names are judged by their words.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from hub.screening.commands.limits import WORD_CHARS_MAX
from hub.screening.commands.snippet_names import (
    DYNAMIC,
    SNIPPET_CHARS_MAX,
    SnippetDeed,
    is_deed_name,
    is_plain_address,
    members,
    names,
)
from hub.screening.commands.snippet_tokens import Token, UnclearTokenError, pairs, parts, tokens

_KEYWORDS = names("js_keywords")
_PLAIN = names("js_plain_globals")
"""Globals that may stand alone: what they make is data."""
_KNOWN = names("js_known_globals")
"""Globals of which a list holds what is harmless."""
_RISKY = names("js_risky")
"""What leads from any value to all that is loaded, or has a text run as code."""
_NODES = names("js_node_modules")
_PACKAGES = names("js_powerful_packages")
_METHODS = names("js_methods")
_READERS = names("js_readers")
_READ_OPTIONS = frozenset(
    {"encoding", "withFileTypes", "recursive", "bigint", "throwIfNoEntry", "start", "end", "highWaterMark", "type", "}"}
)
"""What those may be told that opens no file to write."""
_WRITERS = names("js_writers")
_TIMERS = frozenset({"setTimeout", "setInterval", "setImmediate"})
_DECLARES = frozenset({"const", "let", "var", "function", "class", "function*"})
_DOTS = frozenset({".", "?."})
_ASSIGNS = frozenset({"=", "+=", "||=", "??=", "&&=", "-="})
_IMPORT_SIGNS = frozenset({"{", "}", ",", "*"})
_CALLED_BY_ITSELF = frozenset({"toString", "valueOf", "toJSON", "then", "next", "inspect"})
_RUNS_WHAT_IT_IS_TOLD = frozenset(
    {"map", "forEach", "filter", "find", "findIndex", "some", "every", "reduce", "flatMap", "sort", "then", "catch"}
) | {"finally", "on", "once", "from", "replace", "replaceAll", "Promise", "queueMicrotask", "parse", *_TIMERS}
_DATA_FIRST = frozenset({"from", "parse", "replace", "replaceAll", "on", "once"})
_STREAMS = frozenset({"stdout", "stderr"})
_PATH_SIGNS = frozenset({".", "+", ",", "(", ")", "[", "]"})
_PIECE = re.compile(
    r"(?:^|/)\.(?!(?:js|ts|md|py|go|rb|rs|sh|c|h|cc|css|txt|tsx|jsx|mjs|cjs|vue|yml|csv|log|xml|svg|png|map|sql|git)$)\w{0,3}$"
)
"""A text that may begin the name of a hidden file."""
_BUILDERS = frozenset({"Buffer", "atob", "decodeURIComponent", "unescape", "fromCharCode", "fromCodePoint", "reverse"})
"""What makes texts of something else."""


def js_snippet(text: str) -> Iterator[SnippetDeed]:
    """Yield the files that a snippet of JavaScript names, and `unknown` with the word that is not understood."""
    if len(text) > SNIPPET_CHARS_MAX:
        yield "unknown", text
        return
    try:
        read = tokens(text)
    except UnclearTokenError as error:
        yield "unknown", str(error)
        return
    yield from _JsReader(read).deeds()


class _JsReader:
    """Reads one snippet."""

    def __init__(self, read: list[Token]) -> None:
        self.read = read
        self.pair = pairs(read)
        self.modules: dict[str, str] = {}
        """Names that stand for a module of Node's own."""
        self.taken: dict[str, str] = {}
        """Names that stand for something of one, with the module's name before it."""
        self.own: set[str] = set()
        """Names of what is the project's own."""
        self.made: set[str] = set()
        self.functions: set[str] = set()
        self.keys: set[str] = set()
        """Names that the text itself gives to parts of its objects."""
        self.texts: dict[str, str] = {}
        """What a name is, where that is written out."""
        self.hidden: set[str] = set()
        """Names of what the text makes of other things."""
        self.has_class = any(token.text == "class" for token in read)
        self.judged: set[int] = set()
        """Names that were judged with what stands before them."""
        self.has_own = self.is_open = False
        """Whether something is the project's own; whether something is taken by a name that is only known later."""
        self.passed = ""
        """What calls a value, or is told one to call."""
        self.is_overgrown = False
        """Whether a text grows beyond what is read: `x=x+x` doubles it with each line."""

    def deeds(self) -> Iterator[SnippetDeed]:
        """Yield what is found."""
        self._declare()
        self._note_texts()
        for at, token in enumerate(self.read):
            if token.text in {"require", "import"} and token.kind == "name" and self.at(at - 1) not in _DOTS:
                yield from self._required(at)
        for at in range(len(self.read)):
            yield from self._emptied(at)
        for at, token in enumerate(self.read):
            if token.kind == "name":
                yield from self._name(at, token.text)
            elif token.text == "[":
                yield from self._bracket(at)
            elif token.text == "(" and at:
                yield from self._group(at)
            elif token.kind == "string" and self.at(at + 1) == "+":
                yield from self._joined(at)
        if (self.is_open and self.passed) or self.is_overgrown:
            yield "unknown", self.passed or "+"

    def _closing(self, at: int) -> int:
        return self.pair.get(at, len(self.read) - 1)

    def _opening(self, at: int) -> int:
        return self.pair.get(at, 0)

    def at(self, place: int) -> str:
        """Return the sign or the name that stands at a place; a text of the snippet's is none."""
        inside = 0 <= place < len(self.read)
        return self.read[place].text if inside and self.read[place].kind in {"name", "mark"} else ""

    def string(self, place: int) -> str | None:
        """Return the text that stands at a place, or None."""
        inside = 0 <= place < len(self.read)
        if not inside or self.read[place].kind != "string":
            return None
        return DYNAMIC if self.read[place].is_open else self.read[place].text

    def _declare(self) -> None:
        """Note the names that the text itself makes."""
        for at, token in enumerate(self.read):
            after = self.at(at + 1)
            if token.kind == "name":
                self._declare_at(at, token.text, after)
            elif (token.text == "=>" and self.at(at - 1) == ")") or (token.text == "}" and after == "="):
                end = at - (token.text == "=>")
                self.made.update(self._pattern(self._opening(end), end))

    def _declare_at(self, at: int, name: str, after: str) -> None:
        if after == "=>" or (after == "=" and self.at(at - 1) not in _DOTS):
            self.made.add(name)
            if after == "=" and self._is_function(at + 2):
                self.functions.add(name)
        if name in {"function", "class"} and self.read[at + 1 : at + 2] and after != "(":
            self._declare_function(at + 1)
        elif name in {"const", "let", "var"}:
            self._declare_variables(at + 1)
        elif name in {"catch", "function"} and after == "(":
            self.made.update(self._pattern(at + 1, self._closing(at + 1)))
        elif after == ":" and self.at(at - 1) in {"{", ","}:
            self.keys.add(name)
        elif after == "(" and self.at(self._closing(at + 1) + 1) == "{" and name not in _KEYWORDS:
            self._declare_method(at)

    def _declare_function(self, at: int) -> None:
        at += self.at(at) == "*"
        name = self.at(at)
        self.made.add(name)
        self.functions.add(name)
        if self.at(at + 1) == "(":
            self.made.update(self._pattern(at + 1, self._closing(at + 1)))

    def _declare_method(self, at: int) -> None:
        """Note a method of an object or a class, but no global that is called before a block."""
        name = self.at(at)
        if self.at(at - 1) in {"{", ",", "}", ";", "async", "static", "get", "set", "*"} and not self._is_global(name):
            self.keys.add(name)
            self.functions.add(name)
            self.made.add(name)
            self.made.update(self._pattern(at + 1, self._closing(at + 1)))

    def _declare_variables(self, at: int) -> None:
        if self.at(at) in {"{", "["}:
            self.made.update(self._pattern(at, self._closing(at)))
        elif self.at(at):
            self.made.add(self.at(at))
            for place in range(at + 1, len(self.read)):  # `let a, b;`
                if self.at(place) != "," or self.read[place + 1 : place + 2] == []:
                    break
                if self.read[place + 1].kind == "name" and self.at(place + 2) in {",", ";", "", "="}:
                    self.made.add(self.at(place + 1))

    def _pattern(self, start: int, end: int) -> Iterator[str]:
        """Yield the names that a pattern fills: `(a, {b: c, ...d}, [e] = [])`."""
        for place in range(start + 1, end):
            before, after = self.at(place - 1), self.at(place + 1)
            if (
                self.read[place].kind == "name"
                and before in {"(", ",", "{", "[", "...", ":"}
                and after in {",", ")", "}", "]", "=", ":", "?"}
                and not (after == ":" and before in {"{", ","} and self.at(start) == "{")
            ):
                yield self.at(place)

    def _is_function(self, at: int) -> bool:
        if self.at(at) in {"async", "function", "class"}:
            return True
        if self.at(at + 1) == "=>":
            return True
        return self.at(at) == "(" and self.at(self._closing(at) + 1) == "=>"

    def _is_global(self, name: str) -> bool:
        is_module = name in _NODES and (name == "fs" or members("js", name) is None)
        return is_module or name in _KNOWN or name in _RISKY or name in names("js_other_globals")

    def _name(self, at: int, name: str) -> Iterator[SnippetDeed]:
        """Judge a name by what it is: a part of a value, a key, a global, a module, or the text's own."""
        if name in _RISKY:
            if name != "constructor" or not self._is_method(at):
                yield "unknown", name
        elif name == "fetch" and self.at(at - 1) not in _DOTS and name not in self.made | self.own:
            yield from self._fetched(at)
        elif at in self.judged or (name in {"require", "import"} and self.at(at - 1) not in _DOTS):
            return
        elif self.at(at - 1) in _DOTS:
            yield from self._part(at, name)
        elif self.at(at + 1) == ":" and self.at(at - 1) in {"{", ","}:
            self.passed = name if name in _CALLED_BY_ITSELF else self.passed
        elif name in self.taken:
            yield from self._use_taken(at, self.taken[name])
        elif name in self.modules or (name not in self.made and (name in _NODES or name in _KNOWN)):
            yield from self._member(at + 1, self.modules.get(name, name), at)
        elif name in self.own and not self._is_global(name):
            yield from self._use_own(at)
        else:
            yield from self._value(at, name)
        self._note_passed(at, name)

    def _is_method(self, at: int) -> bool:
        """Return True where a class says how its objects are made."""
        is_first = self.at(at - 1) in {"{", "}", ";"} and self.has_class
        return is_first and self.at(at + 1) == "(" and self.at(self._closing(at + 1) + 1) == "{"

    def _fetched(self, at: int) -> Iterator[SnippetDeed]:
        """Judge what is asked for of another machine, or of a program here: without anything that is sent."""
        address = self.string(at + 2) if self.at(at + 1) == "(" and self.at(at + 3) == ")" else None
        if address is None or not is_plain_address(address):
            yield "unknown", "fetch"
        else:
            yield "asks", address

    def _value(self, at: int, name: str) -> Iterator[SnippetDeed]:
        """Judge a name that stands for a value."""
        after = self.at(at + 1)
        is_own = name in self.made or name in self.own
        if name == "this":
            part = self.at(at + 2)
            is_set = part in self.keys or any(
                self.at(place) == "this" and self.at(place + 2) == part and self.at(place + 3) == "="
                for place in range(len(self.read))
            )
            if after != "." or not is_set or self._is_global(part):
                yield "unknown", name
        elif is_own and (self._is_global(name) or name in _PLAIN):
            yield "unknown", name
        elif is_own or name in _KEYWORDS:
            if after in {"(", "?."} and name not in self.functions and name not in _KEYWORDS:
                self.passed = name
        elif name in _PLAIN:
            if (name in _TIMERS and self.string(at + 2) is not None) or after in _ASSIGNS:
                yield "unknown", name
        elif not self._is_key(at):
            yield "unknown", name

    def _note_passed(self, at: int, name: str) -> None:
        """Note what is told to run something that is only known when the code runs."""
        if name not in _RUNS_WHAT_IT_IS_TOLD or self.at(at + 1) != "(":
            return
        for place, part in enumerate(parts(self.read, at + 1, self._closing(at + 1))):
            token = self.read[part.start]
            is_known = token.text in self.functions | self.own | _PLAIN | self.taken.keys() | _KEYWORDS
            is_empty = token.text in {"{", "["} and len(part) == len("{}")
            is_data = is_empty or token.kind in {"string", "number", "regex"} or (place == 0 and name in _DATA_FIRST)
            if not is_data and not is_known and not self._is_function(part.start):
                self.passed = name

    def _joined(self, at: int) -> Iterator[SnippetDeed]:
        """Judge texts that are put together: as a word, what they name is hidden."""
        word, place = self.read[at].text, at
        while self.at(place + 1) == "+" and self.string(place + 2) is not None:
            place += 2
            word += self.read[place].text
        if place > at and word.replace("$", "_").isidentifier():
            yield "unknown", word
        elif place > at:
            yield "says", word

    def _emptied(self, at: int) -> Iterator[SnippetDeed]:
        """Judge `const { readFileSync } = fs`, before what it fills is used."""
        name = self.at(at)
        module = self.modules.get(name, name if name in _NODES and name not in self.made else "")
        if module and self.at(at - 1) == "=" and self.at(at - 2) == "}" and self.at(at + 1) not in {*_DOTS, "[", "("}:
            self.judged.add(at)
            yield from self._parts_of(self._opening(at - 2), at - 2, module)

    def _is_key(self, at: int) -> bool:
        """Return True for the name of a field of a class: `class A { x = 1 }`."""
        return (
            self.has_class
            and self.at(at - 1) in {"{", ";", "static"}
            and (self.at(at + 1) == ";" and not self._is_global(self.at(at)))
        )

    def _part(self, at: int, name: str) -> Iterator[SnippetDeed]:
        """Judge what is taken from a value."""
        is_called = self.at(at + 1) == "(" or (self.at(at + 1) == "?." and self.at(at + 2) == "(")
        is_known = name in _METHODS or name in self.keys
        is_deed = is_deed_name(name) and name not in _METHODS
        is_hidden = name.startswith("_") and name not in self.keys
        is_strange = is_called and not is_known and not self.has_own
        is_done = is_deed and (is_called or self.has_own or name.endswith("Sync"))
        if is_hidden or is_strange or is_done or name in {"process", "require"}:
            yield "unknown", name

    def _required(self, at: int) -> Iterator[SnippetDeed]:
        """Judge `require('x')`, `import('x')` and `import a from 'x'`."""
        name = self.at(at)
        if name == "import" and self.at(at + 1) == "." and self.at(at + 2) == "meta":
            yield from self._of_meta(at + 3)
            return
        if self.at(at + 1) == "." and self.at(at + 2) == "resolve" and self.string(at + 4) is not None:
            self.judged.add(at + 2)
            return
        if name == "import" and self.at(at + 1) != "(":
            yield from self._imported(at)
            return
        module = self.string(at + 2)
        if self.at(at + 1) != "(" or module is None or self.at(at + 3) != ")":
            yield "unknown", name
            return
        end = at + 4
        start = at - (self.at(at - 1) == "await")
        while self.at(start - 1) == "(" and self.at(end) == ")" and self.at(start - 2) not in {")", "]"}:
            if start > 1 and self.read[start - 2].kind == "name" and self.at(start - 2) not in _KEYWORDS:
                break
            start, end = start - 1, end + 1
        yield from self._loaded(module)
        plain = module.removeprefix("node:")
        if plain in _NODES:
            yield from self._bound(start, end, plain)
        elif not module.endswith(".json"):
            self._bind_own(start, end)
            yield from self._own_parts(end)

    def _loaded(self, module: str) -> Iterator[SnippetDeed]:
        """Judge what is loaded by its name."""
        plain = module.removeprefix("node:")
        top = "/".join(plain.split("/")[: 2 if plain.startswith("@") else 1])
        if plain in _NODES:
            if members("js", plain) is None:
                yield "unknown", plain
        elif module in {DYNAMIC, ""} or ":" in module or "\\" in module or top in _PACKAGES or "!" in module:
            yield "unknown", module
        elif module.endswith(".json"):
            yield "reads", module if module[:1] in {".", "/"} else f"node_modules/{module}"
        else:
            self.has_own = True
            yield "imports", module if module[:1] in {".", "/"} else f"node_modules/{module}"

    def _bound(self, start: int, end: int, module: str) -> Iterator[SnippetDeed]:
        """Judge what becomes of a module of Node's own: it is given a name, or something of it is used."""
        if self.at(start - 1) == "=" and self.at(end) not in _DOTS and self.at(end) not in {"[", "("}:
            yield from self._named(start - 1, module)
        elif self.at(start - 1) == "=" and self.at(end) in _DOTS and self.at(end + 2) not in {*_DOTS, "(", "["}:
            self.judged.add(end + 1)
            part = self.at(end + 1)
            if members("js", f"{module}/{part}") is not None:
                yield from self._named(start - 1, f"{module}/{part}")
            elif (
                part in (members("js", module) or ())
                and self.read[start - 2].kind == "name"
                and self._may_be_called(self.at(start - 2), f"{module}.{part}")
            ):
                self.taken[self.at(start - 2)] = f"{module}.{part}"
            else:
                yield "unknown", f"{module}.{part}"
        else:
            yield from self._member(end, module, start)

    def _named(self, equals: int, module: str) -> Iterator[SnippetDeed]:
        """Note under which name, or names of its parts, a module is known from now on."""
        if self.at(equals - 1) == "}":
            yield from self._parts_of(self._opening(equals - 1), equals - 1, module)
        elif self.read[equals - 1].kind == "name" and self.at(equals - 2) not in {".", "?."}:
            name = self.at(equals - 1)
            if self.modules.setdefault(name, module) != module or not self._may_be_called(name, module):
                yield "unknown", name
        else:
            yield "unknown", module

    def _may_be_called(self, name: str, what: str) -> bool:
        """Return True if a name may stand for something else than what it is everywhere."""
        is_same = name in what.replace(".", "/").split("/")
        return is_same or not (self._is_global(name) or name in _PLAIN or name in _RISKY)

    def _parts_of(self, start: int, end: int, module: str) -> Iterator[SnippetDeed]:
        """Judge `{ readFileSync: read, statSync } = ...`, and note what the names stand for."""
        for part in parts(self.read, start, end):
            texts = [token.text for token in self.read[part.start : part.stop]]
            is_plain = all(token.kind in {"name", "mark"} for token in self.read[part.start : part.stop])
            if not is_plain or (texts[1:2] and texts[1] not in {":", "as"}) or texts[3:] or len(texts[1:]) == 1:
                yield "unknown", " ".join(texts)
                continue
            name = texts[-1]
            self.judged.update(part)
            if not self._may_be_called(name, f"{module}.{texts[0]}"):
                yield "unknown", name
            elif members("js", f"{module}/{texts[0]}") is not None:
                self.modules[name] = f"{module}/{texts[0]}"
            elif texts[0] not in (members("js", module) or ()):
                yield "unknown", f"{module}.{texts[0]}"
            elif (module, texts[0]) == ("process", "env"):
                yield "secrets", "process.env"
            elif self.taken.setdefault(name, f"{module}.{texts[0]}") != f"{module}.{texts[0]}":
                yield "unknown", name

    def _imported(self, at: int) -> Iterator[SnippetDeed]:
        """Judge `import a, { b as c } from 'x'`."""
        end = at + 1
        while self.at(end) in _IMPORT_SIGNS or (
            self.at(end) != "import" and self.read[end : end + 1] and self.read[end].kind == "name"
        ):
            end += 1
        if self.string(end) is None or self.at(end - 1) not in {"from", "import"}:
            yield "unknown", "import"
            return
        module, plain = self.string(end) or "", (self.string(end) or "").removeprefix("node:")
        yield from self._loaded(module)
        self.judged.update(range(at + 1, end))
        place = at + 1
        while place < end:
            name = self.at(place)
            if name == "{":
                close = self._closing(place)
                if plain in _NODES:
                    yield from self._parts_of(place, close, plain)
                else:
                    yield from self._own_names(place, close)
                place = close
            elif self.read[place].kind == "name" and name not in {"from", "as", "type"}:
                if not self._may_be_called(name, plain):
                    yield "unknown", name
                elif plain in _NODES:
                    self.modules[name] = plain
                elif module.endswith(".json"):
                    self.made.add(name)
                else:
                    self.own.add(name)
            place += 1

    def _own_names(self, start: int, end: int) -> Iterator[SnippetDeed]:
        for part in parts(self.read, start, end):
            texts = [token.text for token in self.read[part.start : part.stop]] or [""]
            self.own.add(texts[-1])
            self.made.add(texts[-1])
            if is_deed_name(texts[0]):
                yield "unknown", texts[0]

    def _bind_own(self, start: int, end: int) -> None:
        if self.at(start - 1) == "=" and self.at(end) not in _DOTS:
            name = self.at(start - 2)
            self.own.update([name] if name != "}" else self._pattern(self._opening(start - 2), start - 2))
        elif self.at(start - 1) == "=" and self.read[start - 2].kind == "name":
            self.own.add(self.at(start - 2))

    def _own_parts(self, end: int) -> Iterator[SnippetDeed]:
        """Judge what is taken from something of the project's own, and what that is told."""
        while self.at(end) in _DOTS and self.read[end + 1 : end + 2] and self.read[end + 1].kind == "name":
            if is_deed_name(self.at(end + 1)):
                yield "unknown", self.at(end + 1)
            self.judged.add(end + 1)
            end += 2
        if self.at(end) == "(" and self.at(end - 1) not in _METHODS:
            for token in self.read[end : self._closing(end)]:
                if token.kind == "string" and not token.is_open:
                    yield "takes", token.text

    def _use_own(self, at: int) -> Iterator[SnippetDeed]:
        if is_deed_name(self.at(at)):
            yield "unknown", self.at(at)
        yield from self._own_parts(at + 1)

    def _use_taken(self, at: int, taken: str) -> Iterator[SnippetDeed]:
        """Judge a name that stands for something of a module of Node's own."""
        if self.at(at + 1) == "(":
            yield from self._call(taken, at + 1)
        elif self.at(at + 1) in _ASSIGNS:
            if self.at(at - 1) not in {*_DECLARES, ","}:
                yield "unknown", taken
        elif taken.rpartition(".")[2] in _WRITERS | _READERS:
            yield "unknown", taken

    def _member(self, at: int, module: str, start: int) -> Iterator[SnippetDeed]:
        """Judge a global or a module with what is taken from it; alone it could go anywhere."""
        if self.at(at) == "=" and module in self.modules.values() and self.at(start) in self.modules:
            return  # where it is given its name
        if self.at(at) not in _DOTS or not self.read[at + 1 : at + 2] or self.read[at + 1].kind != "name":
            if module not in _PLAIN or self.at(at) == "[" or self.at(at) in _ASSIGNS:
                yield "unknown", module
            return
        name = self.at(at + 1)
        self.judged.add(at + 1)
        if members("js", f"{module}/{name}") is not None:
            yield from self._member(at + 2, f"{module}/{name}", start)
        elif name not in (members("js", module) or ()):
            yield "unknown", f"{module}.{name}"
        elif module == "process":
            yield from self._of_process(at, name)
        elif self.at(at + 2) in _ASSIGNS:
            yield "unknown", f"{module}.{name}"
        elif self.at(at + 2) == "(":
            yield from self._call(f"{module}.{name}", at + 2)
        elif name in _WRITERS | _READERS:
            yield "unknown", f"{module}.{name}"

    def _of_process(self, at: int, name: str) -> Iterator[SnippetDeed]:
        if name == "env":
            yield from self._environment(at + 2)
        elif name in _STREAMS and self.at(at + 3) == "write":
            self.judged.add(at + 3)
        elif self.at(at + 2) in _ASSIGNS and name != "exitCode":
            yield "unknown", f"process.{name}"

    def _of_meta(self, at: int) -> Iterator[SnippetDeed]:
        """Judge what is asked of `import.meta`, whose `env` is the environment of the process."""
        if self.at(at) not in _DOTS:
            yield "unknown", "import.meta"
        elif self.at(at + 1) == "env":
            yield from self._environment(at + 2)

    def _environment(self, at: int) -> Iterator[SnippetDeed]:
        name = self.at(at + 1) if self.at(at) in _DOTS else self.string(at + 1) if self.at(at) == "[" else None
        self.judged.add(at + 1)
        end = at + 2 + (self.at(at) == "[")
        if name is None:
            yield "secrets", "process.env"
        elif self.at(end) == "=":
            yield "sets", f"{name}={self.string(end + 1) if self.string(end + 1) is not None else DYNAMIC}"
        else:
            yield "secrets", name

    def _call(self, called: str, at: int) -> Iterator[SnippetDeed]:
        """Judge a call of something of a module: a file that is read or written is to be written out."""
        name = called.rpartition(".")[2]
        given = list(parts(self.read, at, self._closing(at)))
        if name in _WRITERS:
            which = 1 if name.startswith("copyFile") else 0
            yield "writes", self._path(given[which]) if len(given) > which else DYNAMIC
            if which:
                yield "reads", self._path(given[0])
            elif name.startswith("write") and len(given) > 1 and self._path(given[1]) == "":
                yield "empties", self._path(given[0])
        elif name in _READERS and given:
            path = self._path(given[0])
            if path == DYNAMIC and not self._is_spelled(given[0]):
                yield "unknown", called
            if any(map(self._may_open_to_write, given[1:])):
                yield "unknown", called
            yield "reads", path
        elif called.partition(".")[0] in _TIMERS or (called == "crypto.createHash" and not given):
            yield "unknown", called

    def _may_open_to_write(self, part: range) -> bool:
        """Return True unless an argument is known to hold no `flag` by which a file that is read is opened to write."""
        given = self.read[part.start : part.stop]
        if len(given) == 1:
            return given[0].kind == "name" and given[0].text not in self.texts
        if given[0].text != "{":
            return not self._is_function(part.start)
        keys = [key for before, key in pairwise(given) if before.text in {"{", ","}]
        return any(key.text not in _READ_OPTIONS for key in keys)

    def _path(self, part: range) -> str:
        """Return the path that stands as an argument, where it is written out; else `DYNAMIC`."""
        given = self.read[part.start : part.stop]
        texts = [self.texts.get(token.text, token.text) for token in given if self._is_text(token)]
        signs = [token.text for token in given if not self._is_text(token)]
        if signs in (["0"], ["process", ".", "stdin", ".", "fd"]):
            return "-"
        if not texts or any(token.is_open for token in given):
            return DYNAMIC
        if sum(map(len, texts)) > WORD_CHARS_MAX:
            self.is_overgrown = True
            return DYNAMIC
        if all(sign == "+" for sign in signs):
            return "".join(texts)
        joins = signs[:4] in (["path", ".", "join", "("], ["path", ".", "resolve", "("])
        return "/".join(texts) if joins and all(sign in {",", ")"} for sign in signs[4:]) else DYNAMIC

    def _is_text(self, token: Token) -> bool:
        return token.kind == "string" or (token.kind == "name" and token.text in self.texts)

    def _is_spelled(self, part: range) -> bool:
        """Return True if a path is one of those that a folder holds, or that the caller names; none that is hidden."""
        given = self.read[part.start : part.stop]
        has_open = any(token.is_open for token in given)
        return not (
            any(token.is_open and not token.is_template for token in self.read)
            or any(token.kind == "string" and _PIECE.search(token.text) for token in self.read)
            or (has_open and sum(token.kind == "string" for token in given) > 1)
            or any(token.kind == "mark" and token.text not in _PATH_SIGNS for token in given)
            or any(token.kind == "name" and token.text in self.hidden - self.modules.keys() for token in given)
            or not _BUILDERS.isdisjoint(token.text for token in self.read if token.kind == "name")
        )

    def _note_texts(self) -> None:
        """Note what names are, where that is written out, and those of which it is not known."""
        count = Counter(self.at(at - 1) for at in range(1, len(self.read)) if self.at(at) in _ASSIGNS)
        for at in range(1, len(self.read)):
            name = self.at(at - 1)
            if self.at(at) not in _ASSIGNS or self.read[at - 1].kind != "name" or self.at(at - 2) in _DOTS:
                continue
            end = next(
                (place for place in range(at + 1, len(self.read)) if self.at(place) in {";", ","}), len(self.read)
            )
            is_call = any(self.at(place) == "(" for place in range(at + 1, end))
            text = self._path(range(at + 1, end)) if not is_call else DYNAMIC
            if text != DYNAMIC and self.at(at) == "=" and count[name] == 1:
                self.texts[name] = text
            elif [self.at(at + 1), self.at(at + 2), self.at(at + 3)] != [
                "process",
                ".",
                "argv",
            ] and not self._is_function(at + 1):
                self.hidden.add(name)

    def _bracket(self, at: int) -> Iterator[SnippetDeed]:
        """Judge what is taken by a name that stands in brackets."""
        end = self._closing(at)
        inner = self.read[at + 1 : end]
        before = self.read[at - 1] if at else None
        is_key = self.at(end + 1) == ":" and self.at(at - 1) in {"{", ","}
        is_value = before is not None and (
            (before.kind == "name" and before.text not in _KEYWORDS - {"this", "super"})
            or before.kind in {"string", "regex"}
            or before.text in {")", "]", "}", "?."}
        )
        if not is_value and not is_key:
            return
        if self.at(end + 1) == "(" or (self.string(end + 1) is not None and self.read[end + 1].is_template):
            yield "unknown", "]("
        texts = [token for token in inner if token.kind == "string"]
        if len(inner) == 1 and texts:
            name = DYNAMIC if texts[0].is_open else texts[0].text
            is_hidden = name in _RISKY or name.startswith("_") or name == DYNAMIC
            if is_hidden or is_key or (is_deed_name(name) and self.has_own):
                yield "unknown", name
        elif texts:
            yield "unknown", "".join(token.text for token in inner)
        elif not all(token.kind == "number" for token in inner):
            self.is_open = True

    def _group(self, at: int) -> Iterator[SnippetDeed]:
        """Judge a call of what stands in brackets itself: only a function that is written there."""
        if self.at(at - 1) != ")":
            return
        start = self._opening(at - 1)
        first = start + 1
        is_function = self._is_function(first) or (self.at(first) == "async")
        is_control = self.at(start - 1) in {"if", "while", "for", "catch", "switch"}
        if not is_control and not (
            is_function and self.at(start - 1) in {"", ";", "{", "}", "(", "await", "return", "=", "!"}
        ):
            yield "unknown", ")("
