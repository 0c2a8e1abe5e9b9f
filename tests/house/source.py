"""What the house tests look at: the project's own files, parsed."""

import ast
import functools
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("hub", "surfaces", "edge")
ROOMS = ("sense", "when", "who", "what", "may", "where", "do", "verify", "learn")
NOT_OURS = {".venv", ".venv-train", ".git", "__pycache__", "build", "dist", "node_modules", ".hypothesis"}


@functools.cache
def project_files() -> tuple[Path, ...]:
    """Every file that is, or would be, under version control; in a copy without git, every file that is ours."""
    git = shutil.which("git")
    if git and (ROOT / ".git").exists():
        listing = subprocess.run(
            [git, "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
        )
        names = [name for name in listing.stdout.decode().split("\0") if name]
        return tuple(path for path in (ROOT / name for name in sorted(names)) if path.is_file())
    return tuple(path for path in sorted(ROOT.rglob("*")) if path.is_file() and is_ours(path.relative_to(ROOT)))


def is_ours(path: Path) -> bool:
    return not any(part in NOT_OURS or part.endswith(("_cache", ".egg-info")) for part in path.parts)


def python_files(*folders: str) -> tuple[Path, ...]:
    """The Python files below these folders of the checkout; all of them without a folder."""
    python = (path for path in project_files() if path.suffix == ".py")
    return tuple(path for path in python if not folders or path.relative_to(ROOT).parts[0] in folders)


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every syntax node of a file; many tests look at all of them, and walking is what takes time."""
    return tuple(ast.walk(tree(path)))


def walk(*folders: str) -> Iterator[tuple[Path, ast.AST]]:
    """Every syntax node of every Python file below these folders."""
    for path in python_files(*folders):
        for node in nodes(path):
            yield path, node


@functools.cache
def short(path: Path) -> str:
    """A file's name within the checkout."""
    return path.relative_to(ROOT).as_posix()


def at(path: Path, line: int) -> str:
    """How a finding is named: clickable in most terminals."""
    return f"{short(path)}:{line}"


def name_of(node: ast.expr) -> str:
    """The last part of a dotted name, or nothing."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
