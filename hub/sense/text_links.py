"""Which files a text of Markdown or HTML shows or links to, and which of them are not there.

Only what unmistakably means a file of the same folder counts: a relative path with the ending of a picture, a text or a
document. Addresses, anchors, templates, paths from the root of a site and code are passed over.
"""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from hub.domain.provenance import RepositoryText
from hub.domain.situation import MissingLink
from hub.kit.text import one_line

MARKDOWN = (".md", ".markdown")
HTML = (".html", ".htm")
TEXTS = (*MARKDOWN, *HTML)
"""How names of texts end in which links are looked for."""
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".tif", ".tiff", ".heic", ".bmp", ".ico")
DOCUMENTS = (
    *(".txt", ".rtf", ".pdf", ".doc", ".docx", ".odt", ".pages", ".xls", ".xlsx", ".ods", ".csv", ".ppt", ".pptx"),
    *(".odp", ".key", ".psd", ".ai", ".indd", ".eps", ".sketch", ".fig", ".xd", ".afdesign", ".afphoto", ".epub"),
)
LINKED = (*TEXTS, *PICTURES, *DOCUMENTS, ".mp4", ".mov", ".webm", ".mp3", ".wav", ".m4a", ".zip", ".woff", ".woff2")
LINE_CHARS_MAX = 4_000
LINKS_MAX = 500
TARGET_CHARS_MAX = 300

_INLINE = re.compile(
    r"\]\(\s*(?:<(?P<angle>[^<>\n]{1,300})>|(?P<plain>[^\s()<>]{1,300}(?:\([^\s()]{0,80}\)[^\s()<>]{0,80})?))"
)
_REFERENCE = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:\s*(?:<(?P<angle>[^<>\n]{1,300})>|(?P<plain>\S{1,300}))")
_ATTRIBUTE = re.compile(
    r"""(?<![\w-])(?:src|href|poster)\s{0,4}=\s{0,4}(?:"(?P<angle>[^"\n]{1,300})"|'(?P<plain>[^'\n]{1,300})')""",
    re.IGNORECASE,
)
_CODE = re.compile(r"(?P<ticks>`{1,3})(?!`)[^\n]{1,1000}?(?<!`)(?P=ticks)(?!`)")
_FENCE = re.compile(r"^\s{0,3}(```|~~~)")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,300}")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
_NO_PATH = frozenset("{}<>$*|\\")
_HIDDEN = (("<!--", "-->"), ("<script", "</script"), ("<style", "</style"))


class Link(NamedTuple):
    """A link to a file: its line, its target as written, and the path that it means, from the top of the folder."""

    line: int
    target: str
    path: str


def links_in(path: str, content: str) -> tuple[Link, ...]:
    """Return the links of a text to files of its folder, in their order, at most `LINKS_MAX`; each target once.

    Args:
        path: the text's own, from the top of the folder.
        content: what it says; anything at all.
    """
    is_page = path.lower().endswith(HTML)
    if is_page and re.search(r"<base\s", content, re.IGNORECASE):
        return ()  # all of its links mean another place
    found: dict[str, Link] = {}
    for number, line in enumerate(_without_hidden(content).split("\n"), start=1):
        for target in _targets(line, is_page=is_page):
            meant = meant_by(path, target)
            if meant is not None and len(found) < LINKS_MAX:
                found.setdefault(meant, Link(line=number, target=target, path=meant))
    return tuple(found.values())


def meant_by(text: str, target: str) -> str | None:
    """Return the path, from the top of the folder, of the file that a target in a text means; None for no such file."""
    bare = re.split(r"[#?]", target.strip(), maxsplit=1)[0]
    if not bare or bare.startswith("/") or _SCHEME.match(bare) or not _NO_PATH.isdisjoint(bare):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(text), _ESCAPED.sub(_unescaped, bare)))
    is_inside = not path.startswith(("../", "/")) and path not in {"..", "."}
    is_plain = path.isprintable() and path.lower().endswith(LINKED)
    return path if is_inside and is_plain else None


def missing(
    path: str,
    written_at: datetime,
    links: tuple[Link, ...],
    has: Callable[[str], bool],
    *,
    by_name: Mapping[str, tuple[str, ...]],
    formerly: Mapping[str, str],
) -> Iterator[MissingLink]:
    """Yield the links of a text whose files are not there.

    Args:
        path: the text's own, from the top of the folder.
        written_at: when it was last written.
        links: what it links to.
        has: tells whether there is something at a path.
        by_name: the files of the folder by `name_key`.
        formerly: files that were there before and are not now, and where each lies by now; empty where that is nowhere.
    """
    for link in links:
        page = link.path.lower().endswith(HTML)
        if has(link.path) or (page and has(f"{link.path.rpartition('.')[0]}.md")):  # a page that is made of a text
            continue
        alike = by_name.get(name_key(link.path), ())
        yield MissingLink(
            text=RepositoryText(path),
            written_at=written_at,
            line=link.line,
            target=RepositoryText(one_line(link.target, TARGET_CHARS_MAX)),
            path=RepositoryText(link.path),
            was_there=link.path in formerly,
            perhaps=RepositoryText(formerly.get(link.path) or (alike[0] if len(alike) == 1 else "")),
        )


def name_key(path: str) -> str:
    """Return the key under which files of one name are found, whatever their folder, case or Unicode form."""
    return unicodedata.normalize("NFC", path.rpartition("/")[2]).casefold()


def _unescaped(found: re.Match[str]) -> str:
    return bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace")


def _targets(line: str, *, is_page: bool) -> Iterator[str]:
    if len(line) > LINE_CHARS_MAX and not is_page:
        return
    bare = line if is_page else _CODE.sub("", line)
    patterns = (_ATTRIBUTE,) if is_page else (_INLINE, _REFERENCE, _ATTRIBUTE)
    for pattern in patterns:
        for found in pattern.finditer(bare):
            yield found["angle"] or found["plain"]


def _without_hidden(content: str) -> str:
    """Return the text without comments, scripts, styles and fenced code; its lines keep their numbers."""
    for begins, ends in _HIDDEN:
        content = _without(content, begins, ends)
    lines, fence = [], ""
    for line in content.split("\n"):
        mark = _FENCE.match(line)
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
            lines.append("")
        else:
            lines.append("" if fence else line)
    return "\n".join(lines)


def _without(content: str, begins: str, ends: str) -> str:
    """Leave out all from each `begins` to the next `ends`, or to the end, but for line breaks."""
    lowered, kept, place = content.lower(), [], 0
    if len(lowered) != len(content):  # some letters become two in lower case; then places would differ
        lowered = content
    while (start := lowered.find(begins, place)) >= 0:
        stop = lowered.find(ends, start + len(begins))
        stop = len(content) if stop < 0 else stop + len(ends)
        kept += [content[place:start], "\n" * content.count("\n", start, stop)]
        place = stop
    return "".join((*kept, content[place:]))
