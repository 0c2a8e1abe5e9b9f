"""The calls of programs in a shell text, by tree-sitter's grammar of bash.

The parser takes any text and marks what no shell would take. Its tree becomes a flat list of calls: words after
quoting, simple variables, braces and `$(echo ...)`; redirects; what is fed to standard input; what runs inside a word.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from hub.screening.commands.arithmetic import evaluated_in
from hub.screening.commands.continuation import continued, is_quoted
from hub.screening.commands.limits import ALTERNATIVES_MAX, BRACES_MAX, CALLS_MAX, TREE_DEPTH_MAX, WORD_CHARS_MAX
from hub.screening.commands.script import ProgramCall, Redirect, Script
from hub.screening.commands.variables import SPLIT, Variables, is_varied, spread

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_CONTROL_LETTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\xa0]|\r(?!\n)|\\\r")
"""Letters of a word for a shell, blanks for the grammar, or marks of this reader."""
_ESCAPED_RETURN = b"\\\r\n"
"""The grammar joins such lines. For a shell the letter before the line's end is escaped, and the next line its own."""
_BRACES = re.compile(r"(.*)\{([^{},]*,[^{}]*|[A-Za-z]\.\.[A-Za-z](?:\.\.\d+)?)\}(.*)", re.DOTALL)
_GIVEN = re.compile(r"\$\{(\w+(?:\[[^\]]*\])?):?=(.*)\}", re.DOTALL)
_DESCRIPTOR = re.compile(r"\{[A-Za-z_]\w*\}")
_TIMED = re.compile(r"(?<![\w.])time(?=\s*[({])")
"""A word of the shell before a group, which the grammar does not have."""
_WIDE = re.compile(r"[^\x00-\xff]")
_STAND_IN = "\xff"
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[0-7]{1,3}|.)", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r"}
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_TICKS = re.compile(r"(?<!\\)`((?:[^`\\]|\\.)*)`", re.DOTALL)
_OPENS = re.compile(r"\$\(|`")
_BLANKS = re.compile(r"(\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`)|\s+")
_GLOB = re.compile(r"[*?\[]")
_LATER = re.compile(r"[*?\[$`]")
_SHELLS_OWN = re.compile(r"\$(?:[#?!$]|\{#\w*\}|\{?(?:PWD|HOME|USER|UID|PPID|RANDOM|SECONDS|LINENO)\}?)")
"""What the shell itself sets, to nothing that another shell would run."""
_EXPANDS = re.compile(r"(?<!\\)(?:\$[\w{(@*]|`)")
_PROCESS = re.compile(r"[<>]\(")
_PLAIN = frozenset({"word", "string_content"})
_PATTERNS = frozenset({"regex", "extglob_pattern", "word", "ERROR"})
_UNTICKED = re.compile(r"\\([`$\\])")
_COMMANDS = frozenset({"command", "declaration_command", "unset_command", "test_command"})
_EXPANSIONS = frozenset({"simple_expansion", "expansion"})
_COMPARISONS = frozenset({"binary_expression", "unary_expression", "parenthesized_expression"})
_QUOTED = frozenset({"raw_string", "string", "ansi_c_string"})
MOVERS = frozenset({"cd", "pushd", "popd"})
"""Built-in commands that move to another folder."""
_SIGNS = frozenset({">", ">>", "<", ">|", "&>", "&>>", ">&", "<&", "<>"})


@cache
def _parser() -> "Parser":
    import tree_sitter_bash  # noqa: PLC0415  loaded with the first command: an idle hub needs no parser
    from tree_sitter import Language, Parser  # noqa: PLC0415  as above

    return Parser(Language(tree_sitter_bash.language()))


def parse(text: str) -> Script:
    """Return every call in ``text``. Never raises, whatever the text."""
    # The grammar's scanner asks C's isdigit about any character, whose table ends at 255: beyond it, it may crash.
    raw = _WIDE.sub(_STAND_IN, _TIMED.sub("", text)).encode("utf-8").replace(_ESCAPED_RETURN, b"\\r\n")
    tree = _parser().parse(raw)
    # Behind a comment a line that the grammar could not place may have been joined to it, or taken from it.
    broken = tree.root_node.has_error and b"#" in raw and b"\\\n" in raw
    if b"\\\n" in raw:
        raw = continued(raw, tree.root_node)
        tree = _parser().parse(raw)
    broken |= tree.root_node.has_error or _CONTROL_LETTERS.search(text) is not None
    evaluated = evaluated_in(tree.root_node)
    walk = _Walk(Script(broken=broken, evaluated=evaluated), raw, Variables(tree.root_node, evaluated))
    walk.node(tree.root_node, 0)
    return walk.script


def unescape(text: str) -> str:
    """Decode the escapes of `$'...'` and of `printf`."""

    def one(match: re.Match[str]) -> str:
        body = match.group(1)
        if body[0] in "xu" and len(body) > 1:
            return chr(int(body[1:], 16))
        return chr(int(body, 8) & 0xFF) if body[0] in "01234567" else _CONTROL.get(body, body)

    return _ESCAPE.sub(one, text)


_CONVERSION = re.compile(r"%(?:%|\([^)]{0,40}\)T|[^a-zA-Z%]*[a-zA-Z]?)")
_PLAIN_CONVERSIONS = frozenset({"%%", "%s", "%b", "%c", "%d", "%i"})
"""What `printf` puts in the place of a value, as that stands."""


def _text(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _braces(word: str) -> list[str]:
    """Return `a{b,c}` as `ab` and `ac`."""
    found = [word]
    while len(found) < BRACES_MAX:
        matches = [(at, _BRACES.fullmatch(one)) for at, one in enumerate(found)]
        at, match = next(((at, match) for at, match in matches if match), (0, None))
        if match is None:
            break
        head, body, tail = match.groups()
        first, last = sorted((ord(body[0]), ord(body[3]))) if ".." in body and "," not in body else (1, 0)
        parts = [chr(letter) for letter in range(first, last + 1)] or body.split(",")
        found[at : at + 1] = [head + part + tail for part in parts]
    return found[:BRACES_MAX]


def echoed(calls: list[ProgramCall]) -> str | None:
    """Return what ``calls`` print where that stands in the text: `echo rm`, `printf 'r%s' m`, `which rm`."""
    if len(calls) != 1 or calls[0].fed_by or not calls[0].words or calls[0].inside:
        return None
    name, words = calls[0].words[0], calls[0].words[1:]
    if name == "printf" and words[words[:1] == ["--"] :]:
        form, *values = words[words[:1] == ["--"] :]
        return _printed(form, values)
    if name == "echo":
        plain = [word for word in words if word not in {"-n", "-e", "-E", "-ne", "-en"}]
        return unescape(" ".join(plain)) if len(plain) < len(words) else " ".join(plain)
    if name == "nproc":
        return "1"
    if (name in {"which", "type", "whereis"} and words) or (name == "command" and words[:1] == ["-v"]):
        return words[-1]
    return None


def _printed(form: str, values: list[str]) -> str | None:
    """Return what `printf` prints, which begins again while values are left; None where it changes them, or is long."""
    conversions = _CONVERSION.findall(form)
    if any(one not in _PLAIN_CONVERSIONS for one in conversions):
        return None
    pieces, taken = _CONVERSION.split(form), sum(one != "%%" for one in conversions)
    text = ""
    for start in range(0, max(len(values), 1), taken) if taken else (0,):
        if len(text) > WORD_CHARS_MAX:
            return None
        left = iter(values[start : start + taken])
        text += unescape(pieces[0])
        for conversion, piece in zip(conversions, pieces[1:], strict=True):
            value = "%" if conversion == "%%" else next(left, "")
            text += (unescape(value) if conversion == "%b" else value[:1] if conversion == "%c" else value) + unescape(
                piece
            )
    return text


def _below(node: "Node") -> "list[Node]":
    found = [node]
    for one in found:
        found += one.children
    return found


def _operands(node: "Node") -> "list[Node]":
    """Return the parts of a comparison, as they stand; any other word is its own only part."""
    found, waiting = [], [node]
    while waiting:
        part = waiting.pop()
        if part.type in _COMPARISONS:
            waiting += part.children[::-1]
        else:
            found.append(part)
    return found


class _Walk:
    """Goes through a tree once; variables are known from their assignment on."""

    def __init__(self, script: Script, raw: bytes, variables: Variables) -> None:
        self.script = script
        self.raw = raw
        self.variables = variables
        self.sinks: list[list[ProgramCall]] = [script.calls]
        self.subshells: tuple[int, ...] = ()
        self.is_certain, self.is_repeated = True, False
        self.is_in_function, self.opened = False, 0
        self.statements: dict[str, Callable[[Node, int], None]] = {
            "redirected_statement": self.redirected,
            "variable_assignment": self.assignment,
            "for_statement": self.loop,
            "function_definition": self.defined,
            "list": self.listed,
            "if_statement": self.perhaps,
            "while_statement": self.repeated,
            "case_statement": self.perhaps,
            "c_style_for_statement": self.repeated,
        }

    def collect(self, call: ProgramCall) -> None:
        """Add a call, once for each value that a variable in it may have."""
        call.subshells, call.is_certain, call.is_repeated = self.subshells, self.is_certain, self.is_repeated
        call.is_early = not self.is_in_function and call.words[:1] != [] and call.words[0] not in self.script.functions
        meant = spread(call.words)
        self.script.cut |= len(meant) > ALTERNATIVES_MAX
        for words in meant[:-1]:
            self.sinks[-1].append(replace(call, words=words, redirects=[]))
            call.is_instead = True
        call.words = meant[-1]
        self.sinks[-1].append(call)

    def node(self, node: "Node", depth: int) -> None:
        """Collect the calls below ``node``."""
        if depth > TREE_DEPTH_MAX or len(self.script.calls) >= CALLS_MAX:
            self.script.cut = True
        elif node.type in _COMMANDS:
            self.command(node, depth)
        elif node.type == "pipeline":
            self.pipeline(node, depth)
        elif node.type in self.statements:
            self.statements[node.type](node, depth)
        elif node.type in _SUBSTITUTIONS or node.type == "string":
            self.word(node, depth, quoted=False)
        elif node.type.endswith("redirect"):
            owner = ProgramCall(words=[], source=_text(node))
            self.collect(owner)
            self.redirect(node, owner, [], depth)
        elif node.type == "ERROR" and any(child.type == "word" for child in node.children):
            self.broken(node, depth)
        elif node.type == "subshell":
            around, self.subshells = self.subshells, (*self.subshells, node.start_byte)
            self.rest(node, depth)
            self.subshells = around
        else:
            self.rest(node, depth)

    def defined(self, node: "Node", depth: int) -> None:
        """Note the name of a function, and collect the calls in it."""
        before, around = self.variables.hide(), self.is_in_function
        self.is_in_function = True
        self.perhaps(node, depth)
        self.variables.show(before)
        self.is_in_function = around
        self.script.functions.add(_text(node.child_by_field_name("name") or node))

    def perhaps(self, node: "Node", depth: int) -> None:
        """Collect calls that may not be made."""
        before, self.is_certain = self.is_certain, False
        self.rest(node, depth)
        self.is_certain = before

    def repeated(self, node: "Node", depth: int) -> None:
        """Collect calls that may not be made, or more than once."""
        before, self.is_repeated = self.is_repeated, True
        self.variables.repeat(node)
        self.perhaps(node, depth)
        self.is_repeated = before

    def listed(self, node: "Node", depth: int) -> None:
        """Collect `a && b` or `a || b`: whether `b` is called is certain only behind what moves to a folder."""
        before = self.is_certain
        left: list[ProgramCall] = []
        for child in node.children:
            if not child.is_named:
                moves = all(call.words[:1] and call.words[0] in MOVERS for call in left)
                self.is_certain &= moves and child.type == "&&"
            left += self.gathered([child], depth)
        self.is_certain = before

    def rest(self, node: "Node", depth: int) -> None:
        """Collect the calls below the parts of ``node``; what is left to run beside the rest is for itself."""
        before = self.is_certain
        for child, following in zip_longest(node.children, node.children[1:]):
            self.is_certain = before and (following is None or following.type != "&")
            self.node(child, depth + 1)
        self.is_certain = before

    def loop(self, node: "Node", depth: int) -> None:
        """Collect a loop's calls; its variable stands for each of the words behind `in`."""
        call = ProgramCall(words=[], source=_text(node))
        words = [word for one in node.children_by_field_name("value") for word in self.words(one, call, depth)]
        values = [value for meant in spread(words) for value in meant]
        name = node.child_by_field_name("variable")
        if name is not None:
            self.variables.set(_text(name), values, is_certain=True)
        if name is not None:
            self.script.assigned += [f"{_text(name)}={value}" for value in values]
        for child in node.children:
            if child.type in {"do_group", "compound_statement"}:
                self.repeated(child, depth + 1)

    def within(self, node: "Node", depth: int) -> list[ProgramCall]:
        """Collect what runs anywhere inside a part that is no word of a command: a value, a subscript, a body."""
        found, waiting = [], [node]
        while waiting:
            inner = waiting.pop()
            if inner.type in _SUBSTITUTIONS:
                found += self.word(inner, depth + 1, quoted=False)[1]
            elif not inner.children and inner.type in _PATTERNS and _OPENS.search(_text(inner)):
                self.script.broken = True  # the grammar does not open what runs in a pattern
            waiting += inner.children[::-1] if inner.type not in _SUBSTITUTIONS else []
        return found

    def ticked(self, text: str, depth: int) -> list[ProgramCall]:
        """Collect what stands between backticks that the grammar does not open: nested ones, and in a here-document."""
        if depth > TREE_DEPTH_MAX:
            self.script.cut = True
            return []
        inner = parse(_UNTICKED.sub(r"\1", text)) if len(text) < WORD_CHARS_MAX else Script(cut=True)
        self.script.cut |= inner.cut
        self.script.broken |= inner.broken
        self.script.assigned += inner.assigned
        self.script.functions |= inner.functions
        self.script.evaluated.add(inner.evaluated)
        for call in inner.calls:
            call.subshells, call.is_certain = self.subshells, False
        self.sinks[-1].extend(inner.calls)
        return inner.calls

    def gathered(self, nodes: "list[Node]", depth: int) -> list[ProgramCall]:
        """Collect the calls below ``nodes`` and return them apart; they are part of the script all the same."""
        mine: list[ProgramCall] = []
        self.sinks.append(mine)
        for node in nodes:
            self.node(node, depth + 1)
        self.sinks.pop()
        self.sinks[-1].extend(mine)
        return mine

    def pipeline(self, node: "Node", depth: int, before: list[ProgramCall] | None = None) -> None:
        """Collect a pipeline's stages, each in a shell of its own, and tell each what feeds it."""
        certain, self.is_certain = self.is_certain, False
        for stage in node.children:
            if not stage.is_named:
                continue
            calls = self.gathered([stage], depth)
            _connect(before or [], calls)
            before = calls
        self.is_certain = certain

    def redirected(self, node: "Node", depth: int) -> None:
        """Collect a statement and give it its redirects and here-documents."""
        body = [child for child in node.children if not child.type.endswith("redirect")]
        calls = self.gathered(body, depth)
        redirects = [child for child in node.children if child.type.endswith("redirect")]
        owner = calls[-1] if calls else ProgramCall(words=[], source=_text(node))
        if not calls:
            self.collect(owner)
        if any(child.type not in _COMMANDS for child in body):
            owner.beside = calls[:-1]
        for child in redirects:
            self.redirect(child, owner, calls, depth)

    def redirect(self, node: "Node", owner: ProgramCall, calls: list[ProgramCall], depth: int) -> None:
        """Read one redirect; the rest of the line after `<<EOF` hangs below it in the grammar."""
        for child in node.children:
            if child.type == "heredoc_body":
                text = _text(child) or _under(node)
                self.document(child, text, (calls or [owner])[0], depth, quoted=is_quoted(node))
            elif child.type == "pipeline":
                self.pipeline(child, depth, before=calls)
            elif child.type.endswith("redirect"):
                self.redirect(child, owner, calls, depth)
            elif node.type == "herestring_redirect" and child.is_named:
                owner.fed_text = "\n".join(" ".join(words) for words in spread(self.words(child, owner, depth)))
            elif node.type == "file_redirect" and child.is_named and child.type not in {"file_descriptor", "ERROR"}:
                sign = next((_text(one) for one in node.children if one.type in _SIGNS), ">")
                if child != next(one for one in node.named_children if one.type != "file_descriptor"):
                    owner.words += [word for words in spread(self.words(child, owner, depth)) for word in words]
                    continue  # the grammar takes the words behind a file for more of them
                before = len(owner.inside)
                meant = spread(self.words(child, owner, depth))
                number = next((_text(one) for one in node.children if one.type == "file_descriptor"), "")
                owner.redirects += [Redirect(sign, word, number, node.start_byte) for words in meant for word in words]
                if sign == "<" and child.type == "process_substitution":
                    _connect(owner.inside[before:], [owner])
            elif node.type == "heredoc_redirect" and child.type not in {"heredoc_start", "heredoc_end"}:
                self.node(child, depth + 1)

    def document(self, node: "Node", text: str, call: ProgramCall, depth: int, *, quoted: bool) -> None:
        """Read a here-document: what it feeds, and what runs in it."""
        call.fed_text = text
        if not quoted:
            call.open_words |= {call.fed_text} if _EXPANDS.search(call.fed_text) else set()
            opened = self.within(node, depth)
            self.script.broken |= not opened and "$(" in call.fed_text
            for ticked in _TICKS.findall(call.fed_text):
                self.ticked(ticked, depth + 1)

    def assignment(self, node: "Node", depth: int) -> None:
        """Remember a variable."""
        name, _, value = _text(node).partition("=")
        found = node.child_by_field_name("value")
        call = ProgramCall(words=[], source=_text(node))
        subscript = node.child_by_field_name("name")
        if subscript is not None:
            self.within(subscript, depth)
        is_added, name = name.endswith("+"), name.rstrip("+")
        self.script.assigned.append(_text(node))
        is_certain = self.is_certain and not self.subshells
        if found and found.type == "array":
            elements = [word for one in found.named_children for word in self.words(one, call, depth)]
            is_plain = not call.inside and not is_added and not any(one.startswith("[") for one in elements)
            self.variables.set_array(name, elements if is_plain and is_certain else None)
            return
        known = self.word(found, depth, quoted=True)[0] if found else value
        if "[" in name:
            self.variables.set_array(name.partition("[")[0], None)
        else:
            self.variables.set(name, [known], is_certain=is_certain, is_added=is_added)

    def command(self, node: "Node", depth: int) -> None:
        """Collect one call."""
        call, end = ProgramCall(words=[], source=_text(node)), -1
        for child in node.children:
            # the grammar splits `export A'B'=c`
            glued, end = child.start_byte == end and node.type == "declaration_command", child.end_byte
            if glued and call.words:
                call.words[-1] += "".join(self.words(child, call, depth))
            elif child.type == "variable_assignment":
                if node.type == "declaration_command":
                    self.assignment(child, depth)
                else:
                    self.within(child, depth)
                (call.words if node.type == "declaration_command" else call.settings).append(_text(child))
            elif child.type.endswith("redirect"):
                self.redirect(child, call, [call], depth)
            elif child.type == "command_name" and child.children:
                call.words += self.words(child.children[0], call, depth)
            elif child.is_named or node.type in {"declaration_command", "unset_command"}:
                call.words += [word for part in _operands(child) for word in self.words(part, call, depth)]
        if node.type == "test_command":
            call.words = ["test", *call.words]
            single = not call.source.startswith("[[") and any(sign in call.source for sign in "<>")
            self.script.broken |= single and any(one.type in _SIGNS for one in _below(node))  # they redirect
        self.collect(call)
        if call.words:  # `$_` is the last word of the command before
            self.variables.set("_", call.words[-1:], is_certain=self.is_certain and not self.subshells)

    def broken(self, node: "Node", depth: int) -> None:
        """Read what the grammar could not place as one call."""
        call = ProgramCall(words=[], source=_text(node))
        for child in node.children:
            if child.is_named:
                call.words += self.words(child, call, depth)
        self.collect(call)

    def words(self, node: "Node", call: ProgramCall, depth: int) -> list[str]:
        """Return the words that one argument becomes; `{fd}` before a redirect is none."""
        redirects = self.raw[node.end_byte : node.end_byte + 1] in {b"<", b">"}
        if redirects and _DESCRIPTOR.fullmatch(_text(node)):
            return []
        opened = self.opened
        whole, inside = self.word(node, depth, quoted=False)
        call.inside += inside
        is_pattern = node.type in {"word", "concatenation"} and _GLOB.match(whole)
        if self.opened > opened or is_pattern:
            call.open_words.add(whole.replace(SPLIT, " "))
        if self.opened > opened and any(one.type in _EXPANSIONS | _SUBSTITUTIONS for one in (node, *node.children)):
            call.bare_words |= {whole.replace(SPLIT, " ")} if node.type != "string" else set()
        if is_varied(whole):
            return [whole]
        parts = [part for part in whole[:WORD_CHARS_MAX].split(SPLIT) if part] if SPLIT in whole else [whole]
        if node.type == "process_substitution" and _text(node).startswith(">("):
            _connect([call], inside)
        if (
            node.type not in {"concatenation", "brace_expression"}
            or "{" not in whole
            or not ("," in whole or ".." in whole)
        ):
            return parts
        bare = "".join(_text(one) for one in node.children if one.type not in _QUOTED)
        if "{" not in bare:
            return parts  # within quotes it is what it says
        self.script.cut |= whole.count("{") > bare.count("{")
        return [word for part in parts for word in _braces(part)]

    def word(self, node: "Node", depth: int, *, quoted: bool) -> tuple[str, list[ProgramCall]]:
        """Return an argument's text, with marks where an expansion splits it, and what runs inside."""
        kind, text = node.type, _text(node)
        if depth > TREE_DEPTH_MAX:
            self.script.cut = True
            return text, []
        if kind in {"raw_string", "ansi_c_string"}:
            return (text[1:-1] if kind == "raw_string" else unescape(text[2:-1])), []
        if kind in _PLAIN:
            return re.sub(r"\\([\"$`\\])" if quoted else r"\\(.)", r"\1", text), []
        if kind in _EXPANSIONS:
            return self.expansion(node, depth, quoted=quoted)
        if kind in _SUBSTITUTIONS:
            return self.substitution(node, depth, quoted=quoted)
        if kind in {"concatenation", "string", "command_name", "translated_string"}:
            return self.joined(node, depth, quoted=quoted or kind == "string")
        found = self.gathered([child for child in node.children if child.is_named], depth) if node.children else []
        return text, found

    def substitution(self, node: "Node", depth: int, *, quoted: bool) -> tuple[str, list[ProgramCall]]:
        """Return what a substitution prints where the text says it, and what runs in it where not."""
        text = _text(node)
        if text[:1] == "`" and "\\`" in text:
            return text, self.ticked(text[1:-1], depth + 1)
        around, self.subshells = self.subshells, (*self.subshells, node.start_byte)
        calls = self.gathered([child for child in node.children if child.is_named], depth)
        self.subshells = around
        printed = echoed(calls) if node.type == "command_substitution" else None
        self.opened += printed is None
        return (text if printed is None else printed if quoted else _split(printed)), calls if printed is None else []

    def joined(self, node: "Node", depth: int, *, quoted: bool) -> tuple[str, list[ProgramCall]]:
        """Return the text of an argument that has parts."""
        text, inside, at = "", [], node.start_byte
        for child in node.children:
            if quoted and child.start_byte > at and text:
                text += _blanks(node, at, child.start_byte)  # before an expansion they are no node of their own
            at = child.end_byte
            if (quoted and child.type == '"') or (node.type == "translated_string" and child.type == "$"):
                continue
            part, calls = self.word(child, depth + 1, quoted=quoted)
            text += part
            inside += calls
        return text, inside

    def expansion(self, node: "Node", depth: int, *, quoted: bool) -> tuple[str, list[ProgramCall]]:
        """Return a variable's value where the text itself gives one, and its name where not."""
        text = _text(node)
        inside = self.within(node, depth)
        if quoted and "'" in text and _OPENS.search(text) and not inside:
            self.script.broken = True  # within double quotes a single one hides nothing
        self.script.broken |= not inside and _PROCESS.search(text) is not None  # the grammar does not open it there
        self.script.broken |= text.endswith("@P}")  # expanded like a prompt: what its value holds is run
        if given := _GIVEN.match(text):
            self.script.assigned.append(f"{given[1]}={given[2]}")
        value = self.variables.value(text)
        if value is None or _LATER.search(value):
            self.opened += not _SHELLS_OWN.fullmatch(text)
        return (text if value is None else value if quoted else _split(value)), inside


def _blanks(node: "Node", start: int, end: int) -> str:
    """Return what stands between two parts of a text in quotes; the end of a line there may end a comment."""
    between = (node.text or b"")[start - node.start_byte : end - node.start_byte]
    return "\n" if b"\n" in between and b"\\" not in between else " "


def _split(value: str) -> str:
    """Split a value as a shell does; a substitution in it is no text yet."""
    return _BLANKS.sub(lambda match: match[1] or SPLIT, value)


def _under(node: "Node") -> str:
    """Return what stands below a here-document's sign, where the grammar takes a leading backslash for a word."""
    _, _, text = _text(node).partition("\n")
    end = next((_text(child) for child in node.children if child.type == "heredoc_end"), "")
    return text.removesuffix(end) if end else text


def _connect(before: list[ProgramCall], calls: list[ProgramCall]) -> None:
    """Say that ``before`` feeds ``calls``, beside what feeds each within: the first call reads the pipe, others may."""
    for call in calls:
        call.fed_by = [*before, *call.fed_by]
    if before and calls:
        before[-1].feeds = calls[0]
