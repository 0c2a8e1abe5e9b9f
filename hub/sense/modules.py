"""Changed source files grouped to modules: a module is the folder of a source file, tests included."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath

from hub.domain.first_version import PRIVATE_WORDS
from hub.domain.provenance import RepositoryText
from hub.domain.situation import LeftOutFor, Module

SOURCE_NAME = re.compile(
    r"\.(?:py|pyi|pyx|[cm]?[jt]s|jsx|tsx|vue|svelte|rs|go|c|h|cc|cpp|hpp|java|kts?|swift|mm?|rb|php|cs|fs|scala|clj"
    r"|exs?|erl|hs|mli?|lua|p[lm]|r|jl|dart|zig|nim|sh|bash|sql|proto|p?css|s[ac]ss|less|styl|html?|astro)$",
    re.IGNORECASE,
)
"""How names of files with program text end; what a page is made of, its styles included, is program text, too."""


WRITTEN_NAME = re.compile(
    r"(?:^|/)(?:Makefile|Dockerfile|LICENSE|\.gitignore|[^/]*\.(?:md|rst|txt|adoc|toml|ya?ml|json|html?|s?css|cfg|ini|svg))$",
    re.IGNORECASE,
)
"""How names of other files end that people write and commit."""
PRIVATE_NAME = re.compile(rf"(?:^|/)(?:\.env[^/]*|[^/]*(?:{'|'.join(PRIVATE_WORDS)}|token)[^/]*)$", re.IGNORECASE)
"""Names of files that may hold secrets: they are never proposed for a commit."""


DRAWN_NAME = re.compile(r"\.(?:png|jpe?g|gif|webp|avif|ico|bmp|woff2?)$", re.IGNORECASE)
"""How names of files end that pages and texts show, and people commit beside them."""
PAGES_SETTINGS = re.compile(
    r"(?:^|/)docs?/(?:source/)?conf\.py$|(?:^|/)docs?/\.vitepress/|(?:^|/)docusaurus\.config\.[jt]s$"
)
"""Names of program text that only says how a project's pages are made: no test of the project runs it."""
UNREADABLE = "\ufffd"
"""What stands in a path for bytes that are no text: such a file cannot be named to git again."""


def is_written(path: str) -> bool:
    """Return True if a new file looks like one that belongs in a commit: text or a picture, nothing private."""
    if UNREADABLE in path:
        return False
    is_work = WRITTEN_NAME.search(path) or DRAWN_NAME.search(path)
    return is_source(path) or (is_work is not None and PRIVATE_NAME.search(path) is None)


def left_out_for(path: str, size: int | None, size_max: int) -> LeftOutFor | None:
    """Return why a new file is no part of a commit that Pulse proposes; None where it is one."""
    if not is_written(path):
        return "name" if UNREADABLE in path else "private" if PRIVATE_NAME.search(path) else "kind"
    return "size" if size is not None and size > size_max else None


def is_source(path: str) -> bool:
    """Return True if a path looks like program text."""
    return SOURCE_NAME.search(path) is not None


def is_tested(path: str) -> bool:
    """Return True if a path looks like program text that a project's tests could be about."""
    return is_source(path) and PAGES_SETTINGS.search(path) is None


def modules(paths: Iterable[str], *, limit: int) -> tuple[Module, ...]:
    """Count the files that tests could be about per folder, most first; one named twice counts once, the top is "."."""
    folders = Counter(str(PurePosixPath(path).parent) for path in set(paths) if is_tested(path))
    ranked = sorted(folders.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Module(path=RepositoryText(folder), files=files) for folder, files in ranked[:limit])
