"""Which files a snippet of Python names, and which part of it is not understood.

Theory: a name is believed only where all of it is known. A module of Python's own is one of a list, and so is each name
taken from it; a method is one that computes, prints or reads. What writes, sends or deletes counts only as the function
of a direct call whose arguments are written out: taken as a value it could go anywhere. What comes from a module of no
list is the project's own, and its names are judged by their words.
"""

import ast
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase

from hub.screening.commands.limits import WORD_CHARS_MAX
from hub.screening.commands.snippet_emptied import emptied_by_python
from hub.screening.commands.snippet_names import (
    DYNAMIC,
    SNIPPET_CHARS_MAX,
    SnippetDeed,
    is_deed_name,
    is_hidden_pattern,
    is_plain_address,
    joined_path,
    members,
    names,
)

_STDLIB = names("stdlib")
_POWERFUL = names("powerful_packages")
"""Packages of others that run, send, delete or tell secrets."""
_SHARED_NAMES = names("shared_names")
"""Names of such packages that others use for what is none."""
_BUILTINS = names("python_builtins")
_BAD_BUILTINS = names("bad_builtins")
_CALLED_ONLY = frozenset({"open", "getattr"})
_METHODS = names("python_methods")
_DEED_METHODS = names("python_deed_methods")
"""Methods that are known, but only as the function of a call."""
_TELLING_MODULES = names("telling_modules")
"""Modules of Python's whose names mean nothing else: what else is called so is that module."""
_OF_ITSELF = names("plain_dunders")
_ALWAYS_LOADED = frozenset({"sys", "builtins", "itertools", "time", "marshal", "errno", "__future__"})
"""Modules that are part of the interpreter: no file in the folder stands for them."""
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
_OPENERS = {
    **dict.fromkeys(("open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open", "tarfile.open"), 1),
    **dict.fromkeys(("gzip.GzipFile", "bz2.BZ2File", "lzma.LZMAFile", "zipfile.ZipFile"), 1),
}
"""What opens the file that its first argument names, and where its mode stands."""
_READERS = frozenset(
    {"sqlite3.connect", "xml.etree.ElementTree.parse", "xml.dom.minidom.parse", "os.listdir", "os.walk"}
)
_MAKERS = frozenset({"os.makedirs", "os.mkdir"})
_COPIERS = frozenset({"shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.move"})
_ASKERS = frozenset({"urllib.request.urlopen", "requests.get", "requests.head", "httpx.get", "httpx.head"})
_ASKING = frozenset({"timeout", "verify", "allow_redirects", "follow_redirects", "stream"})
_ENVIRONMENT = "os.environ"
_PARTED = frozenset({_ENVIRONMENT, "sys.path"})
"""What may be asked for each of its parts by its name."""
_EFFECTFUL = frozenset({*_OPENERS, *_READERS, *_MAKERS, *_COPIERS, *_ASKERS}) | {
    *("shutil.rmtree", "shutil.unpack_archive", "logging.basicConfig", "os.getenv", "yaml.load", "site.addsitedir"),
}
"""What counts only as the function of a call."""
_FILE_READERS = frozenset({"read_text", "read_bytes"})
_LOOKS = frozenset({"glob", "rglob", "iglob", "iterdir", "exists", "is_file", "is_dir", "stat"})
_FILE_WRITERS = frozenset({"write_text", "write_bytes", "touch", "mkdir"})
_SAVERS = frozenset(
    {"to_csv", "to_json", "to_excel", "to_parquet", "to_html", "to_markdown", "savefig", "savetxt", "tofile"}
)
_RENAMERS = frozenset({"rename", "replace", "symlink_to", "hardlink_to"})
"""With one argument these are a path's; strings and tables have others of these names."""
_UNPACKERS = frozenset({"extractall", "extract"})
_WRITING_METHODS = _SAVERS | _RENAMERS | _UNPACKERS | _FILE_WRITERS
_LISTERS = frozenset({"listdir", "walk", "scandir"})
_TOP = frozenset({".", "./", "", DYNAMIC})
_PATTERNED = frozenset({"glob", "rglob", "iglob"})
_PATHS = names("python_paths")
"""What a path may be made with, so that it still says where it leads."""
_HERE = frozenset({"os.getcwd", "pathlib.Path.cwd"})
_PATH_MAKERS = frozenset(
    {"os.path.join", *(f"pathlib.{name}" for name in ("Path", "PurePath", "PosixPath", "PurePosixPath"))}
)
_SHOWN_BY = frozenset({"print", "len", "list", "sorted", "pprint", "repr", "str", "enumerate"})
_ABOUT = frozenset({"hasattr", "dir", "type", "id", "repr", "print", "getattr", "pprint"})
"""What may be told a module as a whole."""
_OF_FRAME = re.compile(r"(?:f|gi|cr|ag|tb|co|func)_\w+")
"""What leads from a function or an error to all that is loaded."""
_LOGGED = frozenset({"level", "format", "datefmt", "stream", "force", "style"})
_PATH_CHANGES = frozenset({"insert", "append"})
_ASKS_IN_SQL = re.compile(r"\s*(?:select|pragma|explain|with|show)\b", re.IGNORECASE)


def python_snippet(text: str) -> Iterator[SnippetDeed]:
    """Yield the files that a snippet of Python names, and `unknown` with the word that is not understood."""
    if len(text) > SNIPPET_CHARS_MAX:
        yield "unknown", text
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            reader = _PythonReader(tree)
            yield from reader.deeds()
            yield from (("empties", file) for file in emptied_by_python(tree, reader.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield "unknown", text


class _PythonReader:
    """Reads one snippet."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = list(ast.walk(tree))
        self.parent = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}
        self.imported: dict[str, str] = {}
        """What a name stands for: a module, or what is taken from one."""
        self.given: dict[str, list[ast.expr]] = {}
        """What the text puts into a name, where that is all that it does with it."""
        self.made_at = Counter(_stored(self.nodes))
        self.made = set(self.made_at)
        """Names and attributes that the text itself makes."""
        self.plain = {
            node.targets[0].id: node.value
            for node in self.nodes
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        }
        """What is assigned to a name alone."""
        self.own: set[str] = set()
        """Names that hold what a module of the project's own gave."""
        self.has_own = self.has_star = False
        self.grown = {
            node.target.id
            for node in self.nodes
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add)
        }
        """Names of what is put together bit by bit."""
        self.texts: dict[str, str] = {}
        """What a name is, where that is written out and it is nothing else."""
        self.is_overgrown = False
        self.called = {node.func: node for node in self.nodes if isinstance(node, ast.Call)}
        self.callers: dict[str, Callable[[ast.Call, str], Iterator[SnippetDeed]]] = {
            **dict.fromkeys(_OPENERS, self._open),
            **dict.fromkeys(("glob.glob", "glob.iglob"), self._glob),
            **dict.fromkeys(_READERS, self._read),
            **dict.fromkeys(_MAKERS, self._make),
            **dict.fromkeys(_COPIERS, self._copy),
            **dict.fromkeys(_ASKERS, self._ask),
            "shutil.rmtree": self._remove,
            "shutil.unpack_archive": self._unpack,
            "logging.basicConfig": self._log,
            "os.getenv": self._variable,
            "yaml.load": self._yaml,
            "getattr": self._getattr,
        }

    def deeds(self) -> Iterator[SnippetDeed]:
        """Yield what is found."""
        for node in self.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield from self._import(node)
        for _ in range(2):  # what is made of something may stand before it, in a function
            for node in self.nodes:
                self._follow(node)
            for name in self.made - self.imported.keys():
                if self.made_at.get(name) == 1 and name in self.plain and self.text(self.plain[name]) != DYNAMIC:
                    self.texts[name] = self.text(self.plain[name])
        for node in self.nodes:
            yield from self._deeds_of(node)
        if self.is_overgrown:
            yield "unknown", "+"

    def _deeds_of(self, node: ast.AST) -> Iterator[SnippetDeed]:
        match node:
            case ast.Name():
                yield from self._name(node)
            case ast.Attribute(value=of, attr=name):
                yield from self._attribute(node, of, name)
            case ast.Call():
                yield from self._call(node)
            case ast.Subscript(value=of) if self.path_of(of) in _PARTED:
                yield from self._of_list(node)
            case ast.BinOp(op=ast.Add()) if self.text(node) != DYNAMIC:
                yield "says", self.text(node)
            case ast.MatchClass(cls=of, kwd_attrs=[_, *_]):
                yield "unknown", ast.unparse(of)

    def _import(self, node: ast.Import | ast.ImportFrom) -> Iterator[SnippetDeed]:
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from self._module(module, is_relative=bool(node.level))
            for each in node.names:
                path = f"{module}.{each.name}"
                yield from self._bind(each.asname or each.name, path)
                self.has_star |= each.name == "*"
                if not (
                    self._is_own_part(each.name) if self.is_own_module(module) else self.is_member(module, each.name)
                ):
                    yield "unknown", path
        else:
            for each in node.names:
                yield from self._module(each.name)
                top = each.name.partition(".")[0]
                yield from self._bind(each.asname or top, each.name if each.asname else top)

    def _is_own_part(self, name: str) -> bool:
        return name == "*" or (self.is_own_name(name) and name not in _POWERFUL)

    def _bind(self, name: str, path: str) -> Iterator[SnippetDeed]:
        """Note what a name stands for; one that stands for anything else as well is not understood."""
        if self.imported.setdefault(name, path) != path or name in self.made:
            yield "unknown", name

    def _module(self, name: str, *, is_relative: bool = False) -> Iterator[SnippetDeed]:
        top = name.partition(".")[0]
        if is_relative:
            yield "unknown", name
        elif self.is_own_module(name):
            self.has_own = True
            yield "imports", f"{name.replace('.', '/')}.py"
        elif not _listed(name) and top not in _POWERFUL:
            yield "unknown", name
        elif top not in _ALWAYS_LOADED:
            yield "imports", f"{top}.py"

    @staticmethod
    def is_own_module(name: str) -> bool:
        """Return True for a module that neither comes with Python nor is known for what it does."""
        top = name.partition(".")[0]
        return (
            bool(top) and not top.startswith("_") and top not in _STDLIB and top not in _POWERFUL and not _listed(top)
        )

    @staticmethod
    def is_member(module: str, name: str) -> bool:
        """Return True if what is taken from a module that is no project's is known."""
        known = members("python", module)
        if _listed(f"{module}.{name}") or name in {"__version__", "__file__", "__name__", "__doc__", "__path__"}:
            return True
        return known is not None and (name in known or (bool(known) and _CONSTANT.fullmatch(name) is not None))

    def is_own_name(self, name: str) -> bool:
        """Return True if a name of the project's own neither leads to a module of Python's nor tells of a deed."""
        if name.startswith("_"):
            return name in _OF_ITSELF or (name in self.made and not name.startswith("__"))
        is_module = name in _TELLING_MODULES or (name in _POWERFUL and name not in _SHARED_NAMES)
        return not is_module and not is_deed_name(name)

    def _follow(self, node: ast.AST) -> None:
        """Note what a name is given: what the project's own modules gave, an open file, or whatever else."""
        for target, value in _assigned(node):
            filled = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
            for name in filled:
                if value not in self.given.setdefault(name, []):
                    self.given[name].append(value)
            if self.is_own(value):
                self.own.update(filled)

    def text(self, node: ast.expr | None) -> str:
        """Return the text that an expression surely is: a string, a path made of some; `DYNAMIC` for any other."""
        match node:
            case ast.Constant(value=str() as text):
                return text
            case ast.Constant(value=bytes() as text):
                return text.decode("utf-8", "replace")
            case ast.Name(id=name):
                return self.texts.get(name, DYNAMIC)
            case ast.BinOp(left=left, op=ast.Add() | ast.Div() as op, right=right):
                texts = [self.text(left), self.text(right)]
                return self._grown(
                    DYNAMIC if DYNAMIC in texts else ("/" if isinstance(op, ast.Div) else "").join(texts)
                )
            case ast.JoinedStr(values=[ast.Constant(value=str() as text)]):
                return text
            case ast.Call(func=function, args=parts):
                return self._text_of_call(function, parts)
        return DYNAMIC

    def _text_of_call(self, function: ast.expr, parts: list[ast.expr]) -> str:
        """Return the path that a call makes, or that of the file which it opens."""
        path = self.path_of(function)
        if path in _HERE:
            return "."
        if path in _PATH_MAKERS:
            return self._grown(joined_path([self.text(part) for part in parts])) if parts else "."
        if path in _OPENERS and parts:
            return self.text(parts[0])
        if isinstance(function, ast.Attribute) and function.attr == "joinpath":
            return self._grown(joined_path([self.text(function.value), *map(self.text, parts)]))
        if isinstance(function, ast.Attribute) and function.attr in {"open", "resolve", "absolute"}:
            return self.text(function.value)
        return DYNAMIC

    def _grown(self, text: str) -> str:
        """Return a text that is made of several, `DYNAMIC` where it grows beyond what is read: `x + x` doubles one."""
        self.is_overgrown |= len(text) > WORD_CHARS_MAX
        return DYNAMIC if len(text) > WORD_CHARS_MAX else text

    def path_of(self, node: ast.expr | None) -> str:
        """Return what an expression stands for, by its path from a module; empty where it is anything else."""
        if isinstance(node, ast.Name):
            return self.imported.get(node.id, "open" if node.id == "open" else "")
        if isinstance(node, ast.Attribute):
            path = self.path_of(node.value)
            return f"{path}.{node.attr}" if path else ""
        return ""

    def is_own(self, node: ast.expr | None) -> bool:
        """Return True if an expression is what the project's own modules gave."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Await | ast.Starred):
            node = node.func if isinstance(node, ast.Call) else node.value
        if not isinstance(node, ast.Name):
            return False
        return node.id in self.own or self.is_own_module(self.imported.get(node.id, ""))

    def is_file(self, node: ast.expr | None) -> bool:
        """Return True if an expression is a file that was judged where it was opened, or one that the caller gave."""
        match node:
            case ast.Name(id=name):
                given = self.given.get(name, [])
                return bool(given) and self.made_at[name] == len(given) and all(map(self.is_file, given))
            case ast.Attribute(attr="buffer", value=value):
                return self.is_file(value)
            case ast.Attribute():
                return self.path_of(node) in {"sys.stdout", "sys.stderr"}
            case ast.Call(func=ast.Attribute(attr="open")):
                return True
            case ast.Call(func=function):
                return self.path_of(function) in {*_OPENERS, "io.StringIO", "io.BytesIO", "io.TextIOWrapper"}
        return False

    def _name(self, node: ast.Name) -> Iterator[SnippetDeed]:
        path = self.imported.get(node.id)
        if path is not None:
            if isinstance(node.ctx, ast.Load):
                yield from self._used(node, path)
            else:
                yield "unknown", node.id
        elif node.id in _CALLED_ONLY:
            if node not in self.called or node.id in self.made:
                yield "unknown", node.id
        elif (
            node.id in _BAD_BUILTINS
            or _is_hidden(node.id)
            or (
                node.id not in self.made
                and node.id not in _BUILTINS
                and not (self.has_star and self.is_own_name(node.id))
            )
        ):
            yield "unknown", node.id

    def _used(self, node: ast.expr, path: str) -> Iterator[SnippetDeed]:
        """Judge what a module gave, or a module as a whole, where it is used."""
        parent = self.parent.get(node)
        if path in _PARTED:
            yield from self._list(node, path)
        elif path in _EFFECTFUL and node not in self.called:
            yield "unknown", path
        elif _listed(path) or path in _POWERFUL:
            is_about = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in _ABOUT
            if not isinstance(parent, ast.Attribute) and not is_about:
                yield "unknown", path

    def _list(self, node: ast.expr, path: str) -> Iterator[SnippetDeed]:
        """Judge the environment, and where modules are looked for: each of its parts may be asked for by its name."""
        parent = self.parent.get(node)
        if isinstance(parent, ast.Subscript) and parent.value is node:
            return  # judged with what stands in the brackets
        if path == "sys.path":
            is_read = isinstance(parent, ast.For | ast.comprehension | ast.Starred | ast.FormattedValue) or (
                isinstance(parent, ast.Call) and node in parent.args and _last(parent.func) in {*_SHOWN_BY, "join"}
            )
            changes = isinstance(parent, ast.Attribute) and parent.attr in _PATH_CHANGES and parent in self.called
            if not is_read and not changes:
                yield "unknown", path
        elif isinstance(parent, ast.Compare) and node in parent.comparators:
            return
        elif isinstance(parent, ast.Attribute) and parent in self.called and parent.attr in {"get", "setdefault"}:
            yield from self._variable(self.called[parent], parent.attr)
        else:
            yield "secrets", path

    def _of_list(self, node: ast.Subscript) -> Iterator[SnippetDeed]:
        """Judge one part of the environment, or of where modules are looked for."""
        name = self.text(node.slice)
        if self.path_of(node.value) == "sys.path":
            if not isinstance(node.ctx, ast.Load):
                yield "unknown", "sys.path"
        elif isinstance(node.ctx, ast.Load):
            yield "secrets", name
        else:
            parent = self.parent.get(node)
            value = self.text(parent.value) if isinstance(parent, ast.Assign) else DYNAMIC
            yield "sets", f"{name}={value}"

    def _variable(self, node: ast.Call, how: str) -> Iterator[SnippetDeed]:
        name = self.text(node.args[0]) if node.args else DYNAMIC
        if how == "setdefault":
            yield "sets", f"{name}={self.text(node.args[1]) if len(node.args) > 1 else DYNAMIC}"
        yield "secrets", name

    def _attribute(self, node: ast.expr, of: ast.expr, name: str) -> Iterator[SnippetDeed]:
        """Judge what is taken from a module, or from a value."""
        path, full = self.path_of(of), self.path_of(of) and f"{self.path_of(of)}.{name}"
        is_called = node in self.called
        if path and not self.is_own_module(path) and _listed(path):
            if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load) or not self.is_member(path, name):
                yield "unknown", full
            else:
                yield from self._used(node, full)
        elif path.partition(".")[0] in _POWERFUL:
            if not self.is_member(path, name):
                yield "unknown", full
        elif self.is_own(of):
            if not self.is_own_name(name) and not (is_called and name in _METHODS):
                yield "unknown", name
        elif name in _DEED_METHODS:
            if not is_called:
                yield "unknown", name
        elif name not in _METHODS and not (self.is_own_name(name) and self._may_be_taken(name, is_called=is_called)):
            yield "unknown", name

    def _may_be_taken(self, name: str, *, is_called: bool) -> bool:
        """Return True if something that no list holds may be taken from a value: it is data, or the text's own."""
        return self.has_own or name in self.made or not (is_called or _OF_FRAME.fullmatch(name))

    def _call(self, node: ast.Call) -> Iterator[SnippetDeed]:
        function = node.func
        if isinstance(function, ast.Name) and function.id == "getattr":
            yield from self._getattr(node, "getattr")
            return
        path = self.path_of(function)
        if path in self.callers:
            yield from self.callers[path](node, path)
        elif isinstance(function, ast.Name | ast.Attribute):
            if self.is_own(function) and not (isinstance(function, ast.Attribute) and function.attr in _METHODS):
                yield from self._own_call(node)
            if isinstance(function, ast.Attribute):
                yield from self._method(node, function)
        elif not isinstance(function, ast.Lambda):
            yield "unknown", ast.unparse(function)

    def _own_call(self, node: ast.Call) -> Iterator[SnippetDeed]:
        """Yield the texts that something of the project's own is told: one may lead elsewhere."""
        for each in (part for given in [*node.args, *node.keywords] for part in ast.walk(given)):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield "takes", each.value

    def _getattr(self, node: ast.Call, _path: str) -> Iterator[SnippetDeed]:
        name = self.text(node.args[1]) if len(node.args) > 1 else DYNAMIC
        of_module = self.path_of(node.args[0]) if node.args else ""
        is_taken = bool(of_module) and not self.is_own_module(of_module) and name not in _OF_ITSELF
        if name == DYNAMIC or name in _DEED_METHODS or node.keywords or is_taken:
            yield "unknown", "getattr"
        else:
            yield from self._attribute(node, node.args[0], name)

    def _open(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        named = [each.value for each in node.keywords if each.arg in {"file", "filename", "name", "fileobj"}]
        yield from self._opened(node, [*node.args[:1], *named][:1], node.args[_OPENERS[path] :][:1])

    def _opened(self, node: ast.Call, files: list[ast.expr], modes: list[ast.expr]) -> Iterator[SnippetDeed]:
        if any(each.arg in {None, "opener"} for each in node.keywords) or any(map(_is_starred, node.args)):
            yield "unknown", "open"
        modes = modes + [each.value for each in node.keywords if each.arg == "mode"]
        how = self.text(modes[0]) if modes else "r"
        if how == DYNAMIC:
            yield "unknown", ast.unparse(modes[0])
        if how == DYNAMIC or set(how.partition("|")[0]) & set("wax+"):
            yield "writes", self.text(files[0]) if files else DYNAMIC
        elif files:
            yield from self._reads(files[0])

    def _reads(self, node: ast.expr) -> Iterator[SnippetDeed]:
        """Yield what is read; a path that the text puts together of parts hides where it leads."""
        if self.is_file(node):
            return
        if not self.is_spelled(node, set()):
            yield "unknown", ast.unparse(node)
        yield "reads", self.text(node)

    def is_spelled(self, node: ast.expr, seen: set[str]) -> bool:
        """Return True if a path is written out, or is one of those that a pattern or a folder written out holds."""
        if self.text(node) != DYNAMIC:
            return True
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id in self.given and each.id not in seen:
                seen.add(each.id)
                if each.id in self.grown or not all(self.is_spelled(value, seen) for value in self.given[each.id]):
                    return False
            elif isinstance(each, ast.Call):
                name = _last(each.func)
                is_join = name == "join" and self.path_of(each.func) != "os.path.join"
                if is_join or (name not in _PATHS and not self.is_own(each.func)) or self._lists_hidden(each):
                    return False
            elif (
                (isinstance(each, ast.BinOp) and not isinstance(each.op, ast.Div | ast.Add))
                or (
                    isinstance(each, ast.Constant)
                    and isinstance(each.value, str)
                    and re.match(r"\.?/?\.(?![./]|$)", each.value)
                )
                or isinstance(each, ast.Slice | ast.Lambda)
                or (isinstance(each, ast.Attribute) and each.attr == "stdin")
            ):
                return False
        return True

    def _lists_hidden(self, node: ast.Call) -> bool:
        """Return True if a call lists all that lies at the top, or who knows where, among that files with secrets."""
        name, of = _last(node.func), node.func.value if isinstance(node.func, ast.Attribute) else None
        if name in _LISTERS:
            return self.text([*node.args, ast.Constant(".")][0]) in _TOP
        if name not in {"iterdir", "glob", "rglob"} or self.path_of(node.func) or self.text(of) not in _TOP:
            return False
        pattern = self.text(node.args[0]).rpartition("/")[2] if node.args else "*"
        return fnmatchcase(".env", pattern)

    def _read(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        if path.startswith("os.") and not node.args:
            return
        if path == "sqlite3.connect":
            if any(each.arg != "timeout" for each in node.keywords) or len(node.args) != 1:
                yield "unknown", path
            elif self.text(node.args[0]) not in {":memory:", DYNAMIC}:
                yield "writes", self.text(node.args[0])
        if node.args:
            yield from self._reads(node.args[0])
        else:
            yield "unknown", path

    def _glob(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        if not node.args or is_hidden_pattern(self.text(node.args[0])):
            yield "unknown", path

    def _make(self, node: ast.Call, _path: str) -> Iterator[SnippetDeed]:
        yield "writes", self.text(node.args[0]) if node.args else DYNAMIC

    def _remove(self, node: ast.Call, _path: str) -> Iterator[SnippetDeed]:
        yield "deletes", self.text(node.args[0]) if node.args else DYNAMIC

    def _copy(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        """Yield what a copy writes: its target, or in a folder the name of what is copied."""
        source, target = [*map(self.text, node.args), DYNAMIC, DYNAMIC][:2]
        yield "writes", target
        if path == "shutil.move":
            yield ("deletes" if target.startswith(("/", "~", DYNAMIC)) else "writes"), source
        folder, _, name = target.rpartition("/")
        if "." not in name.strip("."):
            last = source.rpartition("/")[2]
            yield ("fills", target) if source == DYNAMIC else ("writes", joined_path([target or folder, last]))

    def _unpack(self, node: ast.Call, _path: str) -> Iterator[SnippetDeed]:
        named = [each.value for each in node.keywords if each.arg == "extract_dir"]
        yield "fills", self.text([*named, *node.args[1:], ast.Constant(".")][0])

    def _ask(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        address = self.text(node.args[0]) if len(node.args) == 1 else DYNAMIC
        if not is_plain_address(address) or any(each.arg not in _ASKING for each in node.keywords):
            yield "unknown", path
        yield "asks", address

    def _log(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        for each in node.keywords:
            if each.arg == "filename":
                yield "writes", self.text(each.value)
            if each.arg not in _LOGGED:  # what a file already holds is written over, or grows by what is logged
                yield "unknown", path

    def _yaml(self, node: ast.Call, path: str) -> Iterator[SnippetDeed]:
        loaders = [*node.args[1:], *(each.value for each in node.keywords if each.arg == "Loader")]
        if len(loaders) != 1 or self.path_of(loaders[0]) not in {"yaml.SafeLoader", "yaml.CSafeLoader"}:
            yield "unknown", path

    def _method(self, node: ast.Call, function: ast.Attribute) -> Iterator[SnippetDeed]:
        """Judge a method that names a file, or that may write to one."""
        of, name, first = function.value, function.attr, [*node.args, None][0]
        if self.path_of(of) == "sys.path" and name in _PATH_CHANGES:
            yield "imports", joined_path([self.text(node.args[-1]) if node.args else DYNAMIC, "x.py"])
        elif name in _WRITING_METHODS:
            yield from self._written(node, of, name)
        elif name in {"write", "writelines"} and not (self.is_file(of) or (first is not None and self.is_file(first))):
            yield "unknown", ast.unparse(function)
        elif name == "open" and not self.path_of(function):
            yield from self._opened(node, [of], node.args[:1])
        elif name in {"execute", "executemany"}:
            yield from self._execute(first)
        else:
            yield from self._looked(node, of, name)

    def _looked(self, node: ast.Call, of: ast.expr, name: str) -> Iterator[SnippetDeed]:
        first = [*node.args, None][0]
        if name in _FILE_READERS:
            yield from self._reads(of)
        elif name == "query" and first is not None and self._hides_query(first):
            yield "unknown", ast.unparse(node)
        elif name in _LOOKS:
            if self.text(of) != DYNAMIC:
                yield "reads", self.text(of)
            if name in _PATTERNED and (first is None or is_hidden_pattern(self.text(first))):
                yield "unknown", ast.unparse(node)

    def _written(self, node: ast.Call, of: ast.expr, name: str) -> Iterator[SnippetDeed]:
        first = [*node.args, None][0]
        is_saved = name in _SAVERS and (first is not None or bool(node.keywords))
        if is_saved or (name in _RENAMERS and len(node.args) == 1 and not node.keywords):
            yield "writes", self.text(first)
        elif name in _UNPACKERS:
            at = int(name != "extractall")
            named = [each.value for each in node.keywords if each.arg == "path"]
            yield "fills", self.text([*named, *node.args[at:], ast.Constant(".")][0])
        elif name in _FILE_WRITERS:
            yield "writes", self.text(of)

    def _hides_query(self, first: ast.expr) -> bool:
        """Return True if a query may name what the text does not: `@x`, or what is only known when it runs."""
        if isinstance(first, ast.Attribute | ast.Name) and self.text(first) == DYNAMIC:
            return isinstance(first, ast.Name) and first.id in self.given and first.id not in self.own
        return self.text(first) == DYNAMIC or "@" in self.text(first)

    def _execute(self, statement: ast.expr | None) -> Iterator[SnippetDeed]:
        start = statement.values[0] if isinstance(statement, ast.JoinedStr) and statement.values else statement
        if start is None or (
            self.text(start) == DYNAMIC or (start is not statement and not _ASKS_IN_SQL.match(self.text(start)))
        ):
            yield "unknown", "execute"


def _assigned(node: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Return what a statement puts into what."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [(target, value) for target in targets]
        case (
            ast.AnnAssign(target=target, value=ast.expr() as value)
            | ast.NamedExpr(target=target, value=value)
            | ast.AugAssign(target=target, value=value)
            | ast.For(target=target, iter=value)
            | ast.AsyncFor(target=target, iter=value)
            | ast.comprehension(target=target, iter=value)
            | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
        ):
            return [(target, value)]
    return []


def _listed(module: str) -> bool:
    return members("python", module) is not None


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and name not in _OF_ITSELF


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _last(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _stored(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names that a text itself makes: variables, functions, classes, parameters, its objects' attributes."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                yield name
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                yield name
