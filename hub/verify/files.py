"""Which of the needed files were changed."""

from fnmatch import fnmatchcase


def missing(needed: tuple[str, ...], changed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the needed names and patterns that no changed file matches.

    A name counts in any folder (`README.md` is met by `docs/README.md` and by `/home/me/README.md`), one with
    folders from any folder on; `*` also crosses folders, as the shell's `**` does. Letter case counts.
    """
    return tuple(pattern for pattern in needed if not any(_meets(path, pattern) for path in changed))


def _meets(path: str, pattern: str) -> bool:
    """Say whether one path is, or ends in, the pattern."""
    wanted = pattern.removeprefix("./")
    return path == wanted or fnmatchcase(path, wanted) or fnmatchcase(path, f"*/{wanted}")
