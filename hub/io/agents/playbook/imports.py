"""Which parts of a Python project import which, read from the syntax, never by importing anything."""

import ast
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

SOURCE_BYTES_MAX = 262_144
DEPTH = 2
"""Modules are grouped by this many names: `hub.io.agents.git` belongs to `hub.io`."""


def python_edges(workspace: Path, names: Iterable[str]) -> Counter[tuple[str, str]]:
    """Count imports between parts of the project itself; a file that cannot be parsed is left out."""
    modules = {_module(name): name for name in names}
    tops = {module.partition(".")[0] for module in modules}
    edges: Counter[tuple[str, str]] = Counter()
    for module, name in modules.items():
        package = module if PurePosixPath(name).name == "__init__.py" else module.rpartition(".")[0]
        for target in _imports(_parse(workspace / name), package):
            edge = (_part(module), _part(target))
            if target.partition(".")[0] in tops and edge[0] != edge[1]:
                edges[edge] += 1
    return edges


def _module(name: str) -> str:
    """Turn a path into a module's name; a `src` folder on top is no package."""
    parts = PurePosixPath(name).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" and len(parts) > 1 else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _part(module: str) -> str:
    """Name the part that a module belongs to."""
    return ".".join(module.split(".")[:DEPTH])


def _parse(path: Path) -> ast.Module:
    """Parse a source file; an unreadable or broken one counts as empty."""
    try:
        with path.open("rb") as file:
            source = file.read(SOURCE_BYTES_MAX)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what its authors wrote is not ours to complain about
            return ast.parse(source)
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """Give the full names of what a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from _from_names(node, package)


def _from_names(node: ast.ImportFrom, package: str) -> Iterator[str]:
    """Resolve `from … import …`; what is imported may itself be a module, so its name belongs to it."""
    if not node.level:
        base = node.module or ""
    else:
        parents = package.split(".")
        kept = parents[: len(parents) - node.level + 1]
        base = ".".join([*kept, node.module] if node.module else kept)
    if base:
        yield from (f"{base}.{alias.name}" for alias in node.names)
