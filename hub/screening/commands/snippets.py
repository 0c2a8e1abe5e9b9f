"""Which part of a snippet of code is not understood: a call, a name or an import that may do anything.

Python is read by its own grammar, JavaScript by its words; of other languages only the plainest lines are understood.
What is understood does no more than `code.effects_of` says of it, beside running what the project itself holds.
"""

import ast
import posixpath
import re
import warnings
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

Language = Literal["python", "js", "mongo", "code"]
Deed = Literal["reads", "writes", "fills", "unknown"]
Found = tuple[Deed, str]
SNIPPET_CHARS_MAX = 8_192
DYNAMIC = "$"
"""Stands for a file that is only known when the code runs."""


@cache
def _sections() -> dict[str, frozenset[str]]:
    """Read snippet_names.txt."""
    text = files(__package__).joinpath("snippet_names.txt").read_text(encoding="utf-8")
    lines = (line for line in text.replace("\n ", " ").splitlines() if line and not line.startswith("#"))
    return {name: frozenset(names.split()) for name, _, names in (line.partition(":") for line in lines)}


def _names(section: str) -> frozenset[str]:
    return _sections()[section]


_STDLIB = _names("stdlib")
_SAFE_MODULES = _names("safe_modules")
"""Modules that compute, parse and print; what they write is seen by the names of their calls."""
_OF_MODULE = {key.removeprefix("module "): names for key, names in _sections().items() if key.startswith("module ")}
"""Modules that can do more than compute: what of them is harmless."""
_SUBMODULES = _names("submodules")
_BAD_BUILTINS = _names("bad_builtins")
_PLAIN_DUNDERS = _names("plain_dunders")
_SAID_OF_ITSELF = frozenset({"__version__", "__file__", "__name__", "__doc__"})
_RISKY_ATTRIBUTE = re.compile(
    r"os|sys|subprocess|builtins|importlib|system|popen|Popen|spawn\w*|exec\w*|fork\w*|run_module|run_path|\w*_module|modules|_\w+"
)
"""Ways from one module to another, and what runs something, wherever it is found."""
_FILE_READERS = frozenset(
    {"read_text", "read_bytes", "exists", "is_file", "is_dir", "glob", "rglob", "iterdir", "stat"}
)
_FILE_COPIERS = frozenset({"copy", "copyfile", "copy2", "move"})
_FILE_WRITERS = frozenset({"write_text", "write_bytes", "touch", "mkdir"})
_RENAMERS = frozenset({"rename", "replace", "symlink_to", "hardlink_to"})
"""With one argument these are a path's; strings and tables have others of these names."""
_UNPACKERS = frozenset({"extractall", "extract", "unpack_archive"})


def python_snippet(text: str) -> Iterator[Found]:
    """Yield the files that a snippet of Python names, and `unknown` with the word that is not understood."""
    if len(text) > SNIPPET_CHARS_MAX:
        yield "unknown", text
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            nodes = list(ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield "unknown", text
        return
    modules: dict[str, str] = {}
    for node in nodes:
        yield from _imported(node, modules)
    for node in nodes:
        if isinstance(node, ast.Name) and (node.id in _BAD_BUILTINS or _is_hidden(node.id)):
            yield "unknown", node.id
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, modules)
        elif isinstance(node, ast.Call):
            yield from _call(node)


def _imported(node: ast.AST, modules: dict[str, str]) -> Iterator[Found]:
    if isinstance(node, ast.Import):
        for one in node.names:
            modules[one.asname or one.name.partition(".")[0]] = one.name if one.asname else one.name.partition(".")[0]
            if _is_risky(one.name) and one.name not in _OF_MODULE and one.name not in _SUBMODULES:
                yield "unknown", one.name
    elif isinstance(node, ast.ImportFrom) and not node.level:
        module = node.module or ""
        allowed = _OF_MODULE.get(module)
        if _is_risky(module) and allowed is None and module not in _SUBMODULES:
            yield "unknown", module
        for one in node.names:
            modules[one.asname or one.name] = f"{module}.{one.name}"
            if allowed is not None and one.name not in allowed:
                yield "unknown", f"{module}.{one.name}"


def _is_risky(module: str) -> bool:
    """Return True for what comes with Python, or talks to others, and is not known to only compute."""
    top = module.partition(".")[0]
    return top not in _SAFE_MODULES and (top in _STDLIB or top in _OF_MODULE)


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and name not in _PLAIN_DUNDERS


def _attribute(node: ast.Attribute, modules: dict[str, str]) -> Iterator[Found]:
    if _is_hidden(node.attr) or _RISKY_ATTRIBUTE.fullmatch(node.attr):
        yield "unknown", node.attr
    if isinstance(node.value, ast.Name):
        module = modules.get(node.value.id, "")
        allowed = _OF_MODULE.get(module)
        if allowed is not None and node.attr not in allowed and node.attr not in _SAID_OF_ITSELF:
            yield "unknown", f"{module}.{node.attr}"


def _call(node: ast.Call) -> Iterator[Found]:
    function = node.func
    if isinstance(function, ast.Name):
        yield from _plain_call(node, function.id)
    elif isinstance(function, ast.Attribute):
        yield from _method(node, function)
    elif not isinstance(function, ast.Lambda):
        yield "unknown", ast.unparse(function)


def _plain_call(node: ast.Call, name: str) -> Iterator[Found]:
    if name == "getattr":
        of, named = [*node.args, None, None][:2]
        said = named.value if isinstance(named, ast.Constant) else None
        if isinstance(of, ast.Name) or not isinstance(said, str) or _is_hidden(said) or said in _BAD_BUILTINS:
            yield "unknown", "getattr"
    elif name == "open" and (node.args or node.keywords):
        yield _opened(node, _literal(node.args[0]) if node.args else DYNAMIC, node.args[1:2])


def _method(node: ast.Call, function: ast.Attribute) -> Iterator[Found]:
    of = function.value
    literal = _literal(of)
    if function.attr in _FILE_COPIERS and isinstance(of, ast.Name) and of.id == "shutil":
        yield from _copied(*[*map(_literal, node.args), DYNAMIC, DYNAMIC][:2])
    elif function.attr in _RENAMERS and len(node.args) == 1 and not node.keywords:
        yield "writes", _literal(node.args[0])
    elif function.attr in _UNPACKERS:
        at = int(function.attr != "extractall")
        named = [each.value for each in node.keywords if each.arg in {"path", "extract_dir"}]
        yield "fills", _literal([*named, *node.args[at:], ast.Constant(".")][0])
    elif function.attr in _FILE_WRITERS:
        yield "writes", literal
    elif function.attr in _FILE_READERS and literal != DYNAMIC:
        yield "reads", literal
    elif function.attr == "open" and not (isinstance(of, ast.Name) and of.id in _OF_MODULE):
        yield _opened(node, literal, node.args[:1])


def _opened(node: ast.Call, path: str, mode: list[ast.expr]) -> Found:
    given = mode + [one.value for one in node.keywords if one.arg == "mode"]
    how = _literal(given[0]) if given else "r"
    return ("writes" if how == DYNAMIC or set(how) & set("wax+") else "reads"), path


def _copied(source: str, target: str) -> Iterator[Found]:
    """Yield what a copy writes: its target, or in a folder the name of what is copied."""
    yield "writes", target
    if "." not in posixpath.basename(target).strip("."):
        yield ("fills", target) if source == DYNAMIC else ("writes", posixpath.join(target, posixpath.basename(source)))


def _literal(node: ast.expr) -> str:
    """Return the text that an expression surely is: a string, a path made of some; `DYNAMIC` for any other."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.BinOp(left=left, op=ast.Add() | ast.Div() as op, right=right):
            between = "/" if isinstance(op, ast.Div) else ""
            return _joined([left, right], between)
        case ast.Call(func=ast.Name(id="open" | "Path" | "PurePath" | "PosixPath"), args=[first, *_]):
            return _literal(first)
        case ast.Call(func=ast.Attribute(attr="open" | "Path"), args=[first, *_]):
            return _literal(first)
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Attribute(attr="path")), args=parts):
            return _joined(parts, "/")
    return DYNAMIC


def _joined(parts: list[ast.expr], between: str) -> str:
    texts = [_literal(part) for part in parts]
    return DYNAMIC if DYNAMIC in texts else between.join(texts)


_JS_STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`""")
_JS_REGEX = re.compile(
    r"(?<=[(,=:!&|?{};\s])/(?:\\.|\[(?:\\.|[^\]\n\\])+\]|[^/\n\\\[*])(?:\\.|\[(?:\\.|[^\]\n\\])+\]|[^/\n\\\[])*/[gimsuy]*"
)
_JS_CALL = re.compile(r"(?<![A-Za-z_$])([A-Za-z_$][\w$]*+(?:\s*+\??\.\s*+[A-Za-z_$][\w$]*+){0,32})\s*+(?:\?\.)?\(")
_JS_REQUIRED = re.compile(
    r"""\b(?:require|import)\s*\(\s*(['"])([^'"]*)\1\s*\)|\bfrom\s*(['"])([^'"]*)\3|\bimport\s*(['"])([^'"]*)\5"""
)
_JS_NAMED = re.compile(
    r"\b(?:const|let|var|function|class)\s+([A-Za-z_$][\w$]*)|(?<![A-Za-z_$])([A-Za-z_$][\w$]*+)\s*+=>|[(,{]\s*+([A-Za-z_$][\w$]*+)\s*+(?=[,)}=])"
)
_JS_BAD = re.compile(
    r"\b(?:eval|Function|constructor|__proto__|prototype|globalThis|global|module|binding|dlopen|mainModule|Reflect|Proxy|WebAssembly|child_process|vm|worker_threads"
    r"|cluster|inspector|net|dgram|tls|http2?|https|fetch|XMLHttpRequest|WebSocket|Deno|Bun|\$)\b|\]\s*\(|\)\s*\(|`"
)
_JS_POWERFUL = _names("js_powerful")
"""Modules of Node's own that do more than compute, and read or write files."""
_JS_FUNCTIONS = _names("js_functions")
_JS_METHODS = _names("js_methods")


def js_snippet(text: str) -> Iterator[Found]:
    """Yield the files that a snippet of JavaScript names, and `unknown` with the word that is not understood."""
    for match in _JS_REQUIRED.finditer(text):
        name = (match.group(2) or match.group(4) or match.group(6) or "").removeprefix("node:")
        if name in _JS_POWERFUL:
            yield "unknown", name
    if re.search(r"`[^`]*\$\{", text):
        text = re.sub(r"`|\$\{", " ", text)
    plain = _JS_REGEX.sub(" 0 ", _JS_STRING.sub('""', text))
    own = {name for match in _JS_NAMED.finditer(plain) for name in match.groups() if name}
    for match in _JS_BAD.finditer(plain):
        yield "unknown", match.group().strip()
    for match in _JS_CALL.finditer(plain):
        called = re.sub(r"[\s?]", "", match.group(1))
        last = called.rpartition(".")[2]
        is_method = "." in called and (last in _JS_METHODS or called.startswith("Math."))
        if called not in _JS_FUNCTIONS and called not in own and not is_method:
            yield "unknown", called
    for match in re.finditer(
        r"""\b(?:writeFile|appendFile|mkdir|copyFile)(?:Sync)?\s*\(\s*(?:(['"])([^'"]*)\1\s*[,)])?""", text
    ):
        yield "writes", match.group(2) or DYNAMIC
    for match in re.finditer(r"""\breadFile(?:Sync)?\s*\(\s*(['"])([^'"]*)\1""", text):
        yield "reads", match.group(2)


MONGO_CHARS_MAX = 1_000
"""A longer query is not understood."""
_MONGO_LOOK = re.compile(
    r"""(?:print(?:json)?\()?(?:db(?:\.getCollection\(['"][\w.]+['"]\)|\.[A-Za-z_]\w*)?\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|getCollectionNames|getCollectionInfos|serverStatus|version|explain|aggregate|hostInfo|currentOp|getName|runCommand)
    \((?:(?!\$out|\$merge|\$where|\$function|function|=>)[^;])*\)[\w.()\s{}:,"'$-]*
    |rs\.status\(\)|sh\.status\(\)|show\s\w+|db|db\.adminCommand\(['"]?[{ ]*ping[^;]*\))\)?;?""",
    re.VERBOSE,
)
_OTHER_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\#$@]|\\.|[#$@](?![{(\[]))*\"""")
_OTHER_BAD = re.compile(
    r"`|%x|\bqx\b|<<|[/|!#,})](?=\w*e)\w++(?=\s*(?:[;)}]|$|if\b|unless\b))|\$\(|&\s*[{$]|<\$|\$\w+\s*\(|[})\]]\s*\(|\$\$|->\(|\|\s*['\"]|::Open"
)
"""What runs a command or a value in Perl, Ruby, Lua, PHP and R, or may."""
_OTHER_WRITES = re.compile(r"\b(?:File|IO)\.\w*write")
_OTHER_NAME = re.compile(r"(?<![\w$@%])[A-Za-z_][\w]*[!?]?")
_POWERFUL = _names("powerful")
_OTHER_NAMES = _names("other_names")
"""Names that in any of these languages compute, print, or read a file that is named."""


def _other(text: str) -> str:
    """Return the first word of a snippet that is not known to do no harm in any of the languages."""
    if re.fullmatch(_PERL_EDIT, text):
        return ""
    plain = _OTHER_STRING.sub("''", text)
    bad = _OTHER_BAD.search(plain) or (re.search(r"[\"']", plain.replace("''", "")))
    if bad:
        return bad.group() or text
    names = (name for name in _OTHER_NAME.findall(plain) if len(name) > 1 and name not in _OTHER_NAMES)
    return next((name for name in names if not name.istitle() or name in _POWERFUL), "")


_PERL_EDIT = re.compile(
    r"\s*+(?:(?:s|tr|y)([/|,#!])(?:\\.|(?!\1)[^\\$@`\n])*\1(?:\\.|(?!\1)[^\\@`\n])*\1[gimsxr]*+\s*+(?:if\s++/[^/$@`(]*+/\s*+)?(?:;\s*+)?"
    r"|print(?:\s++(?:if|unless)\s++(?:/[^/$@`(]*+/|\$\.\s*+[<>=]++\s*+\d++))?\s*+(?:;\s*+)?)+"
)


def snippet(language: Language, text: str) -> Iterator[Found]:
    """Yield what a snippet names and what of it is not understood. Pure and total."""
    if language == "python":
        yield from python_snippet(text)
    elif language == "js":
        yield from js_snippet(text)
    elif language == "mongo":
        if len(text) > MONGO_CHARS_MAX or not _MONGO_LOOK.fullmatch(text.strip()):
            yield "unknown", text
    elif _other(text):
        yield "unknown", _other(text)
    elif _OTHER_WRITES.search(text):
        yield from (("writes", each[1:-1]) for each in _OTHER_STRING.findall(text))
