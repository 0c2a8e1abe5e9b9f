"""What a text itself brings into files: content from elsewhere, or words of its own that a later step would load.

Theory: what a step runs is the project's own only as long as the same text did not write it. From elsewhere it may be
anything. Words of the text are read where something runs that may load them, whichever file they are in: a build, a
test, a script. Only a file that holds data by its name is loaded by nothing that does not name it.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import NamedTuple

from hub.screening.commands.limits import COMMAND_CHARS_MAX, PIECES_MAX
from hub.screening.commands.run import name_of
from hub.screening.commands.table import program

_GLOB = re.compile(r"[*?\[]")
_LATER = re.compile(r"[$`]")
_DATA = re.compile(
    r".*[^/.]\.(?:csv|tsv|txt|log|md|rst|html?|pdf|png|jpe?g|gif|svg|webp|ico|bmp|woff2?|ttf|otf|mp[34]|wav|ogg|webm|parquet"
    r"|arrow|feather|npy|geojson|jsonl|ndjson|json|xlsx?|docx?|pptx?|xml|srt|vtt|bib|ipynb|db|sqlite3?|bin|dat|out|err"
    r"|bak|orig|diff|patch|lock|sum|gz|tgz|bz2|xz|zst|zip|tar|whl|sha256|sig|asc|pem|crt)",
    re.IGNORECASE,
)
_DECIDING = re.compile(
    r"(?:.*[-_.])?(?:requirements|constraints|cmakelists|cmakepresets|package|package-lock|composer|deno|tsconfig|jsconfig|project"
    r"|nx|turbo|lerna|workspace|angular|bower|manifest|tasks|launch|settings|biome|vercel|cypress|babel|jest|config|conf|rc"
    r"|plugins?|extensions?|pom|build|ivy|app|cargo|poetry|uv|yarn|bun|gemfile|pipfile|flake|go)(?:[-_.].*)?"
    r"|.*\.(?:proj|props|targets)|\..*",
    re.IGNORECASE,
)
"""Names of files that a build, a runner or an installer reads, although they end like data."""
_CONTAINER = re.compile(r"(?:docker|container)file.*|.*\.(?:docker|container)file", re.IGNORECASE)
"""What it has run is run in the container that is built."""
_LANGUAGES = {
    **dict.fromkeys(("py", "pyi", "pyw"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"), "js"),
    **dict.fromkeys(("rb", "pl", "pm", "php", "lua", "go", "rs", "java", "kt", "swift"), "code"),
    **dict.fromkeys(("c", "h", "cc", "cpp", "cs"), "code"),
    **dict.fromkeys(("sh", "bash", "zsh", "ksh"), "shell"),
    "sql": "sql",
}
_NOT_READ = {"go", "rs", "java", "kt", "swift", "c", "h", "cc", "cpp", "cs", "scala", "ex", "exs", "hs", "zig", "nim"}
_REACHES = re.compile(
    r"\b(?:\w*(?:remove|delete|unlink|truncate|rename|exec|spawn|fork|popen|syscall|socket|dlopen|write|create)\w*|system|Command"
    r"|ProcessBuilder|Process|Runtime|plugin|unsafe|https?|net|TcpStream|UdpSocket|reqwest|hyper|curl|Files|FileStream|File)\b",
    re.IGNORECASE,
)
"""What a name says that deletes, writes, starts or sends something, in a language of which no more is read."""
_RUN_BY = re.compile(r"#!\s*\S*?(?:env\s+(?:-\S+\s+)*)?(python|node|deno|bun|ruby|perl|php|lua|\w*sh)\b")
_RUNNERS = {"python": "python", "node": "js", "deno": "js", "bun": "js"}
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'')
_ESCAPED = re.compile(r"\\([nt\"'\\/])")
_CONTROL = {"n": "\n", "t": " "}
_PREFIX = re.compile(r"^[\s@+-]*")
_KEY = re.compile(r"^[\w.$(){}/%-]+\s*(?:::?=|[!+?]=|[:=])\s*(?:[\w./%$(){}-]+\s*;)?[\s@+-]*")
_OPERATOR = re.compile(r"[;&|]|\bthen\b|\bdo\b")
_EDIT = re.compile(r"^(?:\d+|\$|/[^/]*/)?\s*[aic]\\?\s*")
"""How a line is added by sed: `1i text`."""
_BRACKETS = re.compile(r"[(\[{]|[)\]}]+.*|:!")
"""What a command stands in that a file of another language names: `execute_process(COMMAND rm x)`, `{cmd: rm x}`."""
_OPENING = re.compile(r"^\s*+(?:[A-Z_]{3,}\s++)?")
_CSS = re.compile(r".*\.(?:css|s[ac]ss|less|styl|vue|svelte|astro)", re.IGNORECASE)
_COMPOSE = re.compile(r"(?:docker-)?compose.*\.ya?ml")
_MOUNTS = re.compile(
    r"(?:^|[\s\"'\[-])(?:/|~|\$\{?HOME)[^\s:\"']{0,200}+:/|\bprivileged:\s*true|docker\.sock", re.MULTILINE
)
_PARTS = re.compile(r"[/|,#;\n]")
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_MEANT = {"RM": "rm -f"}
"""What such a variable holds if nobody says otherwise."""
_SHELL_CALL = re.compile(r"\$\(shell\s+([^()]*(?:\([^()]*\)[^()]*)*)\)|`([^`]*)`")


class ContentOrigin(StrEnum):
    """Where the content of a file comes from that a text writes."""

    ELSEWHERE = "elsewhere"
    COMPUTED = "computed"
    """By a command of the text, so that only its words are known."""
    OWN = "own"
    """It stands in the text."""


class Content(NamedTuple):
    """What a file holds that a text writes."""

    origin: ContentOrigin
    text: str = ""


def computed(text: str) -> Content:
    """Return what these words would make; where they are too many to be read, that may be anything."""
    return Content(ContentOrigin.COMPUTED, text) if len(text) <= COMMAND_CHARS_MAX else Content(ContentOrigin.ELSEWHERE)


class Arrivals:
    """The files that a text has written so far, by their names without folder."""

    def __init__(self) -> None:
        self.files: dict[str, Content] = {}
        self._seen: set[str] = set()

    def add(self, path: str, content: Content) -> None:
        """Remember what a file holds; it may hold as well what it held before."""
        name = name_of(path.rstrip("/"))
        before = self.files.get(name)
        if before is not None and ContentOrigin.ELSEWHERE in {before.origin, content.origin}:
            content = Content(ContentOrigin.ELSEWHERE)
        elif before is not None and content.text not in before.text:
            is_own = before.origin is content.origin is ContentOrigin.OWN
            both = computed(f"{before.text}\n{content.text}")
            content = (
                Content(ContentOrigin.OWN, both.text) if is_own and both.origin is ContentOrigin.COMPUTED else both
            )
        elif before is not None:
            content = before
        self.files[name] = content

    def of(self, word: str) -> list[Content]:
        """Return what the files hold that a word may name: a name, a pattern, or what is only known when it runs."""
        name = name_of(word.rstrip("/"))
        if _LATER.search(name) or "{}" in name:
            return list(self.files.values())
        if not _GLOB.search(name):
            return [self.files[name]] if name in self.files else []
        return [content for each, content in self.files.items() if fnmatchcase(each, name)]

    def is_elsewhere(self, word: str) -> bool:
        """Return True if a file that a word may name holds what came from elsewhere."""
        return any(content.origin is ContentOrigin.ELSEWHERE for content in self.of(word))

    def unread(self) -> Iterator[tuple[str, str]]:
        """Yield, once each, the names and the texts of files that a build or a runner may load."""
        for name, content in self.files.items():
            if content.text and content.text not in self._seen and not is_data(name) and not _CONTAINER.fullmatch(name):
                self._seen.add(content.text)
                yield name, content.text


def is_data(name: str) -> bool:
    """Return True if nothing loads a file of this name unless it is told to."""
    return _DATA.fullmatch(name) is not None and _DECIDING.fullmatch(name) is None


def language_of(name: str, text: str) -> str:
    """Return in which language a file is written, by its ending or its first line; empty where it is none."""
    runner = _RUN_BY.match(text)
    if runner:
        return _RUNNERS.get(runner[1], "shell" if runner[1].endswith("sh") else "code")
    return _LANGUAGES.get(name.rpartition(".")[2], "")


def is_code(name: str) -> bool:
    """Return True if a file is called like one of a program."""
    return name.rpartition(".")[2] in _LANGUAGES.keys() | _NOT_READ


def is_out_of_reach(name: str, text: str) -> bool:
    """Return True if a file in a language that nobody reads here names something that may do more than compute."""
    return name.rpartition(".")[2] in _NOT_READ and _REACHES.search(text) is not None


def is_styled(name: str) -> bool:
    """Return True if a file says how a page looks; its words are those of people."""
    return _CSS.fullmatch(name) is not None


def mounts_outside(name: str, text: str) -> bool:
    """Return True if a file that says which containers run gives one of them what is outside the project."""
    return _COMPOSE.fullmatch(name) is not None and _MOUNTS.search(text) is not None


def commands_in(text: str) -> list[str] | None:
    """Return what of a file that a build or a runner reads may be commands; None where that is too much to read.

    Its lines without what stands before them (`@`, a tab, a key, a target), what is in quotes, and the parts of what an
    editor puts into another file. A name in `$(...)` is a variable there.
    """
    pieces = dict.fromkeys(text.splitlines())
    for said in _quoted(text):
        pieces |= dict.fromkeys([*said.splitlines(), *_PARTS.split(said), *_quoted(said)])
    pieces |= dict.fromkeys(called[1] or called[2] for called in _SHELL_CALL.finditer(text))
    found: dict[str, None] = {}
    for piece in pieces:
        line = _VARIABLE.sub(lambda named: _MEANT.get(named[1], named[1].lower()), _PREFIX.sub("", piece, count=1))
        lines = (line, _KEY.sub("", line, count=1), _EDIT.sub("", line, count=1))
        found |= dict.fromkeys(one for one in lines if _may_be_command(one))
        inner = (_OPENING.sub("", _KEY.sub("", one, count=1)) for one in _BRACKETS.split(piece)[1:])
        found |= dict.fromkeys(one for one in inner if _begins_command(one))
    return list(found) if len(found) <= PIECES_MAX else None


def _quoted(text: str) -> list[str]:
    said = (match[1] or match[2] or "" for match in _STRING.finditer(text))
    return [_ESCAPED.sub(lambda escaped: _CONTROL.get(escaped[1], escaped[1]), one) for one in said]


def _begins_command(text: str) -> bool:
    words = text.split(maxsplit=1)
    return len(words) > 1 and program(name_of(words[0])) is not None


def _may_be_command(text: str) -> bool:
    words = text.split(maxsplit=1)
    return len(words) > 1 and (program(name_of(words[0])) is not None or _OPERATOR.search(text) is not None)
