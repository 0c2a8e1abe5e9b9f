"""Which files a snippet of code leaves empty: it opens them to write and writes nothing, or a text that is empty."""

import ast
import re
from collections.abc import Callable, Iterator

from hub.screening.commands.snippet_names import DYNAMIC

_MODE = re.compile(r"[rbt+U]*w[rbt+U]*")
_WRITES_TEXT = frozenset({"write_text", "write_bytes"})
_COPIES = frozenset({"copy", "copy2", "copyfile"})
_NOTHING = "/dev/null"
_WRITES_NOTHING = re.compile(r"\b(?:File|IO)\s*\.\s*(?:bin)?write\s*[( ]\s*(['\"])([^'\"\n]*)\1\s*,\s*(?:''|\"\")")
"""How Ruby writes a text into a file, where that is empty."""


def emptied_by_python(tree: ast.Module, text_of: Callable[[ast.expr | None], str]) -> Iterator[str]:
    """Yield the files that a snippet of Python leaves empty.

    Args:
        tree: the snippet.
        text_of: returns the text that an expression surely is, `DYNAMIC` for any other.
    """

    def is_empty(call: ast.Call) -> bool:
        return bool(call.args) and text_of(call.args[0]) == ""

    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in parents:
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        held = (text_of(each) for each in ast.walk(node) if isinstance(each, ast.Constant | ast.Name))
        texts = [text for text in held if text != DYNAMIC]
        modes = [text for text in texts if _MODE.fullmatch(text)]
        if name == "open" and modes and _is_unused(node, parents, is_empty):
            yield next((text for text in texts if text not in modes), DYNAMIC)
        elif name in _WRITES_TEXT and is_empty(node) and isinstance(node.func, ast.Attribute):
            yield next(filter(None, texts), DYNAMIC)
        elif name in _COPIES and texts[:1] == [_NOTHING]:
            yield [*texts[1:], DYNAMIC][0]


def emptied_by_ruby(text: str) -> Iterator[str]:
    """Yield the files that a snippet of Ruby leaves empty."""
    for match in _WRITES_NOTHING.finditer(text):
        yield match[2]


def _is_unused(node: ast.expr, parents: dict[ast.AST, ast.AST], is_empty: Callable[[ast.Call], bool]) -> bool:
    """Return True if nothing is written to a file that a call has opened."""
    parent = parents[node]
    if isinstance(parent, ast.Attribute):
        call = parents[parent]
        is_blank = parent.attr == "write" and isinstance(call, ast.Call) and is_empty(call)
        return parent.attr == "close" or is_blank
    bound: ast.expr | None = None
    if isinstance(parent, ast.withitem):
        bound = parent.optional_vars
    elif isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        bound = parent.targets[0]
    elif not isinstance(parent, ast.Expr):
        return False
    if bound is None:
        return True
    return isinstance(bound, ast.Name) and all(
        isinstance(parents[each], ast.Attribute) and _is_unused(each, parents, is_empty)
        for each in parents
        if isinstance(each, ast.Name) and each.id == bound.id and isinstance(each.ctx, ast.Load)
    )
