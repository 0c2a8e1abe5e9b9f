"""Whether a file of code that starts the tests says all that it does, and which other files of the project it takes in.

A program may read anything and start anything. So it is only understood where it uses a short list of modules, none of
which starts a program or loads code by a name that is computed; everything else makes it unclear.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from hub.domain.provenance import say
from hub.io.agents.deciding.look import DecidingFiles

PLAIN_MODULES = frozenset({
    "__future__", "argparse", "collections", "dataclasses", "datetime", "doctest", "enum", "functools", "itertools",
    "json", "logging", "math", "os", "pathlib", "pytest", "re", "string", "sys", "textwrap", "time", "typing",
    "unittest", "warnings",
})  # fmt: skip
PLAIN_OF = {
    "os": frozenset({"path", "getcwd", "sep", "name", "cpu_count", "linesep"}),
    "sys": frozenset({"argv", "exit", "stdout", "stderr", "version_info", "platform", "executable"}),
    "pytest": frozenset({"mark", "fixture", "raises", "skip", "fail", "ExitCode"}),
}
COMPUTING = frozenset({
    "__builtins__", "__import__", "__loader__", "breakpoint", "compile", "delattr", "eval", "exec", "getattr",
    "globals", "locals", "open", "setattr", "vars",
})  # fmt: skip
"""Names with which a program does what its text does not say."""
REACHING = frozenset({
    "builtins", "chmod", "hardlink_to", "importlib", "main", "modules", "open", "os", "popen", "rename", "rmdir",
    "subprocess", "symlink_to", "sys", "system", "touch", "unlink", "write_bytes", "write_text",
})  # fmt: skip
"""Attributes that lead to such modules, or write files from which a later command may take what it runs."""
PLAIN_SUBMODULES = frozenset({"collections.abc", "os.path", "unittest.mock"})
JAVASCRIPT = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx", ".json")
_JAVASCRIPT_COMPUTES = re.compile(
    r"child_process|worker_threads|createRequire|\beval\b|\bFunction\b|\bprocess\s*[.\[]\s*(?!env\b)|readFile|"
    r"\b(require|import)\s*(\.\w+\s*)?\(\s*(?!['\"][^'\"`]*['\"]\s*\))|`[^`]*\$\{|\\[ux]"
)
_QUOTED = re.compile(r"""(['"`])([^'"`\n]{1,300})\1""")
ROOT_DIR = "<rootDir>/"
_PLUGINS = "pytest_plugins"


def module_files(folder: Path, name: str) -> tuple[Path, ...]:
    """Return the files of the project that `python -m NAME` or an import in this folder would take, in any form."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return ()
    packages = [folder.joinpath(*parts[:count], "__init__.py") for count in range(1, len(parts) + 1)]
    here = folder.joinpath(*parts)
    forms = (*packages, here / "__main__.py", here.with_name(f"{parts[-1]}.py"))
    others = here.parent.glob(f"{parts[-1]}.*.so") if here.parent.is_dir() else ()
    return tuple(path for path in (*forms, *others, here.with_name(f"{parts[-1]}.pyc")) if path.is_file())


def follow_python(look: DecidingFiles, path: Path, folder: Path) -> None:
    """Read a Python program with what it imports of the project; `folder` is where it finds that."""
    waiting, seen = [path], set[Path]()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        waiting += _imported(look, file, folder)


def _imported(look: DecidingFiles, file: Path, folder: Path) -> tuple[Path, ...]:
    name = look.name_of(file)
    text = look.text(file)
    try:
        tree = ast.parse(text or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        look.doubt(say("{name} cannot be read as Python", name=name))
        return ()
    found: list[Path] = []
    plainly_used = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        why = _computes(node)
        if isinstance(node, ast.Name) and node.id in PLAIN_OF and id(node) not in plainly_used:
            why = node.id
        if why:
            look.doubt(say("{name} uses {why}, so it could start anything", name=name, why=why))
            return tuple(found)
        for module in _modules(node):
            own = (*module_files(folder, module), *module_files(file.parent, module))
            found += own
            if not own and module not in PLAIN_MODULES | PLAIN_SUBMODULES:
                look.doubt(say("{name} uses {module}, so it could start anything", name=name, module=module))
        found += (path for each in _members(node) for path in module_files(folder, each))
    return tuple(found)


def _modules(node: ast.AST) -> Iterator[str]:
    """Give the modules that a statement needs."""
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module


def _members(node: ast.AST) -> Iterator[str]:
    """Give what may be modules, or names in one."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{each.name}" for each in node.names)


def _computes(node: ast.AST) -> str:
    """Return the name by which a piece of a program may do what its text does not say; empty for none."""
    match node:
        case ast.Name(id=name):
            return name if name in COMPUTING else ""
        case ast.Attribute():
            return _reaches(node)
        case ast.MatchClass():
            return "a pattern of classes"
        case ast.Import(names=names):
            return next((each.name for each in names if each.asname and each.name in PLAIN_OF), "")
        case ast.ImportFrom(module=str(module), names=names, level=0):
            allowed = PLAIN_OF.get(module)
            wrong = (each.name for each in names if each.name in REACHING or each.name.startswith(("*", "_")))
            others = (each.name for each in names if allowed is not None and each.name not in allowed)
            return next((f"{module}.{name}" for name in (*wrong, *others)), "")
        case ast.ImportFrom():
            return "an import from beside it"
    return ""


def _reaches(node: ast.Attribute) -> str:
    name = node.attr
    owner = node.value.id if isinstance(node.value, ast.Name) else ""
    if owner in PLAIN_OF and name not in PLAIN_OF[owner]:
        return f"{owner}.{name}"
    if name in REACHING and (owner, name) != ("unittest", "main"):
        return name
    is_own = owner in {"self", "cls"} and not name.startswith("__")
    return name if name.startswith("_") and not is_own else ""


def plugin_modules(look: DecidingFiles, conftest: Path) -> tuple[str, ...]:
    """Return the modules that a conftest.py names as plugins; pytest will not run one that cannot be read."""
    try:
        tree = ast.parse(look.text(conftest) or "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    stored = sum(isinstance(node, ast.Name) and node.id == _PLUGINS for node in ast.walk(tree))
    values = [each.value for each in tree.body if isinstance(each, ast.Assign) and _names(each.targets) == [_PLUGINS]]
    try:
        named = [ast.literal_eval(value) for value in values]
    except ValueError:
        named = []
    if len(named) != stored:
        look.doubt(say("{name} computes which plugins it loads", name=look.name_of(conftest)))
    return tuple(str(name) for value in named for name in ([value] if isinstance(value, str) else value))


def _names(targets: list[ast.expr]) -> list[str]:
    return [each.id for each in targets if isinstance(each, ast.Name)]


def follow_javascript(look: DecidingFiles, path: Path) -> None:
    """Read a file of settings with the files of the project that it names."""
    waiting, seen = [path], set[Path]()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        text = look.text(file) or ""
        is_code = file.suffix in JAVASCRIPT and file.suffix != ".json"
        if is_code and (found := _JAVASCRIPT_COMPUTES.search(text)):
            look.doubt(
                say("{name} uses {word}, so it could load anything", name=look.name_of(file), word=found.group(0)[:20])
            )
        named = (_named(file.parent, match.group(2)) for match in _QUOTED.finditer(text))
        waiting += [each for each in named if each is not None]


def _named(folder: Path, word: str) -> Path | None:
    """Return the file that a quoted word names, as Node would find it."""
    word = word.removeprefix(ROOT_DIR)
    if "\0" in word or not word.strip("./"):
        return None
    base = folder / word
    endings = [base.with_name(f"{base.name}{ending}") for ending in JAVASCRIPT]
    forms = (base, *endings, *(base / f"index{ending}" for ending in JAVASCRIPT))
    try:
        return next((each for each in forms if each.suffix in JAVASCRIPT and each.is_file()), None)
    except OSError:
        return None
