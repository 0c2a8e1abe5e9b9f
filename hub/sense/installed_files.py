"""Which new files nobody wrote: what package managers and tools put into a repository that does not ignore it.

A virtual environment of `python -m venv` before Python 3.13 brings no ``.gitignore`` of its own, so that git counts its
thousand modules as new files of the person's.
"""

from collections.abc import Iterable

TOOL_FOLDERS = frozenset(
    {
        *("node_modules", ".venv", "venv", "__pycache__", "site-packages", ".tox", ".nox", ".gradle", ".nyc_output"),
        *(".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".cache"),
    }
)
"""Names of folders that tools alone write to; what builds make is left to git, for people name folders so, too."""
ENVIRONMENT_MARK = "/pyvenv.cfg"
"""The file at the top of a virtual environment, whatever its folder is called (PEP 405)."""


def written_by_people(untracked: Iterable[str]) -> tuple[str, ...]:
    """Leave out of the new files of a repository what was installed or made by a tool; the order stays.

    Args:
        untracked: paths below the top of the repository, parts divided by "/".
    """
    paths = tuple(untracked)
    environments = tuple(path.removesuffix("pyvenv.cfg") for path in paths if path.endswith(ENVIRONMENT_MARK))
    return tuple(path for path in paths if not path.startswith(environments) and not _is_in_tool_folder(path))


def made_by_tools(untracked: Iterable[str]) -> tuple[str, ...]:
    """Return the folders of the new files that `written_by_people` leaves out, each once, with a slash behind it."""
    paths = tuple(untracked)
    kept = frozenset(written_by_people(paths))
    return tuple(dict.fromkeys(_tool_folder(path) for path in paths if path not in kept))


def _tool_folder(path: str) -> str:
    """Return the uppermost folder of a path that tools write to; of an environment by another name, its first."""
    parts = path.split("/")[:-1]
    until = next((number for number, part in enumerate(parts) if part in TOOL_FOLDERS), 0)
    return "/".join(parts[: until + 1]) + "/"


def _is_in_tool_folder(path: str) -> bool:
    return not TOOL_FOLDERS.isdisjoint(path.split("/")[:-1])
