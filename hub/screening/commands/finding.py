"""What `find` may find: the file that stands for all that it hands to a command."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import pairwise

from hub.screening.commands.operands import is_home, is_secret
from hub.screening.commands.table import program

FINDERS = frozenset({"find", "gfind", "fd", "fdfind", "fd-find"})
LISTERS = FINDERS | {"ls", "git"}
_STARTS = frozenset({"-", "(", "!", ")", ","})
"""How the first word behind the folders begins that `find` goes through."""
_NAMED = frozenset({"-name", "-iname"})
_NAMES = _NAMED | {"-path", "-ipath", "-wholename"}
_EXCLUDES = frozenset({"-prune", "-not", "!"})
_REGEX_SIGNS = re.compile(r"[\\^$]")
_PART_CHARS = 3
_HERE = frozenset({".", "./", ""})
_APART = re.compile(r"[\s'\"`$(){}\[\]<>|&;=,]+")
_OPENED = re.compile(r"[$`]")
_KNOWN_FOLDER = re.compile(r"\$(?:HOME|PWD|TMPDIR)\b|\$\{(?:HOME|PWD|TMPDIR)\}")
SHOWERS = frozenset(
    {"cat", "bat", "batcat", "tac", "nl", "head", "tail", "less", "more", "base64", "base32", "basenc", "xxd", "od"}
) | {"hexdump", "hd", "hexyl", "strings", "rev", "paste", "sed", "gsed", "pbcopy", "xclip"}
"""Programs that show all of a file, or most of it."""
_IN_PLACE = ("-i", "--in-place")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})
PACKERS = frozenset({"tar", "gtar", "bsdtar", "zip", "7z", "cpio"})
_WORDS = re.compile(r"[\w.-]+")
_BY_REGEX = frozenset({"-regex", "-iregex"})
_PLAIN_REGEX = re.compile(r"[\w.*/\\^-]*\\\.(?:\w+|\\?\([\w\\|]+\\?\))\$?", re.DOTALL)
"""A regular expression that says how a name ends."""
_ENDINGS = frozenset({"-e", "--extension"})
_FD_VALUES = _ENDINGS | {
    *("-t", "--type", "-d", "--max-depth", "-E", "--exclude", "-S", "--size", "-c", "--color", "-j", "-g"),
}
HANDS_OVER = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
PASSES_ON = frozenset(
    {"head", "tail", "sort", "uniq", "shuf", "tac", "sponge", "cut", "sed", "awk", "gawk", "tr", "tee", "rev"}
)
_HIDDEN_TOO = re.compile(r"--(?:hidden|unrestricted|no-ignore)|-[A-Za-z]*[Hu][A-Za-z]*")
_OTHERS, _IGNORED = re.compile(r"-[a-z]*o[a-z]*"), re.compile(r"-[A-Za-z]*[ixX][A-Za-z]*")
_WALKS = {"tree": re.compile(r"-[A-Za-z]*a[A-Za-z]*"), "du": re.compile(r"-[A-Za-z]*a[A-Za-z]*|--all")}
"""What else lists all files of a folder, and by which option hidden ones."""
_EITHER = frozenset({"-o", "-or"})
_GREPS = frozenset({"grep", "egrep", "fgrep"})
_SEARCHES = frozenset({"rg", "ag", "ack", "ugrep"})
_RECURSES = frozenset({"-r", "-R", "--recursive", "--dereference-recursive"})
_HIDDEN_SEARCHED = frozenset({"--hidden", "-.", "-u", "-uu", "-uuu", "--unrestricted"})
_LISTS_ONLY = frozenset(
    {
        *("-l", "-L", "-c", "-q", "--files-with-matches", "--files-without-match", "--count", "--quiet"),
        *("--include", "-f"),
    }
)
"""With these no line of what is found is printed, or the pattern and the files are named otherwise."""
_ANY_LINE = frozenset({"", ".", ".*", "^", "$", "^.*$", ".+", "^.*", ".*$"})
_CLASSES = re.compile(r"\\[A-Za-z]|\[[^\]]*\]")
_LETTER = re.compile(r"\w")
"""A pattern without a letter or a digit of its own (`=`, `[A-Z]+=`) is about nothing in particular."""
_LIKELY = (".env", ".env.local", "id_rsa", "credentials.json", "server.pem")
"""Names of secrets, one of which a pattern matches that is not about something else."""
_DECIDING = (
    ".git/hooks/pre-commit",
    ".git/config",
    ".git/hooks",
    ".claude/settings.json",
    ".github/workflows/ci.yml",
    ".vscode/tasks.json",
    ".mcp.json",
)
"""Files that say what runs by itself, as they are called in most projects."""


def found_files(words: list[str]) -> str:
    """Return one file for all that may be found, where it matters most if that is written; empty if it is no such."""
    folders = list(_folders(words)) or ["."]
    names = [name.lower() for option, name in pairwise(words) if option in _NAMED] or ["*"]
    elsewhere = next((one for one in folders if one not in _HERE and _leads_out(one)), "")
    if elsewhere:
        return posixpath.join(elsewhere, names[0])
    if not _HERE.intersection(folders):
        return ""
    is_all = not any(word in _EXCLUDES for word in words) and "-maxdepth" not in words
    for path in _DECIDING if is_all else ():
        if any(fnmatchcase(posixpath.basename(path), name) for name in names):
            return path
    return ""


def searched_folders(words: list[str]) -> list[str]:
    """Return the folders with which each name begins that a search lists, `grep -rl x src`; empty if it may be any."""
    name, *rest = [*words, ""]
    known = program(name) if name in _GREPS | _SEARCHES else None
    if known is None:
        return []
    arguments = known.arguments(rest[:-1])
    is_list = not {"-l", "-L", "--files-with-matches", "--files-without-match"}.isdisjoint(arguments.options)
    return arguments.operands[int("-e" not in arguments.options) :] if is_list else []


def finds_secret(words: list[str]) -> str:
    """Return a name of a secret that is looked for; empty if there is none."""
    behind = len(words) - words[::-1].index("-prune") if "-prune" in words else 0
    is_out = False
    for before, word in pairwise(["", *words[behind:]]):
        if before in _NAMES and is_secret(word) and not is_out:
            return word
        is_out = before in {"-not", "!"} if word in _NAMES else is_out and before not in _NAMES
    return ""


def matches_secret(pattern: str) -> bool:
    """Return True if the pattern that `fd` looks for is a name of a secret, or a part of `.env`."""
    plain = _REGEX_SIGNS.sub("", pattern)
    return is_secret(plain) or (len(plain) >= _PART_CHARS and plain in ".env")


def shows_all(words: list[str]) -> bool:
    """Return True if a command shows what stands in the files that it is given."""
    is_shower = bool(words) and words[0].rpartition("/")[2] in SHOWERS
    return is_shower and not (words[0].endswith("sed") and any(one.startswith(_IN_PLACE) for one in words))


def passes_on(words: list[str]) -> bool:
    """Return True if a filter lets the name of a secret through: all names, or those with a part that one has."""
    name = words[0].rpartition("/")[2] if words else ""
    if name not in _GREPS:
        return name in PASSES_ON
    named = [part for word in words[1:] if word[:1] != "-" for part in _WORDS.findall(word.lower())]
    is_out = any(re.fullmatch(r"-\w*v\w*|--invert-match", word) for word in words)
    return is_out or not named or any(part in secret for part in named for secret in _LIKELY)


def lists_hidden(words: list[str]) -> bool:
    """Return True if a command lists, or packs, files that nobody named, of which one may hold secrets."""
    name, rest = (posixpath.basename(words[0]), words[1:]) if words else ("", [])
    if name == "ls":
        return any(re.fullmatch(r"--(?:almost-)?all|-\w*[aA]\w*", one) or is_secret(one) for one in rest)
    if name == "git":
        is_other = any(one == "--others" or _OTHERS.fullmatch(one) for one in rest) and "--exclude-standard" not in rest
        is_ignored = any(one.startswith("--ignored") or _IGNORED.fullmatch(one) for one in rest)
        return ("ls-files" in rest and (is_other or is_ignored)) or (
            not {"status", "clean"}.isdisjoint(rest) and is_ignored
        )
    if name in _WALKS:
        return any(map(_WALKS[name].fullmatch, rest))
    if name in PACKERS:
        return not _HERE.isdisjoint(rest)
    return name in FINDERS and (_fd_finds_hidden(rest) if name.startswith("fd") else _finds_hidden(rest))


def hands_over_hidden(words: list[str]) -> bool:
    """Return True if `find` or `fd` has a program show all that it finds, and that may be a secret."""
    at = next((at for at, one in enumerate(words) if one in HANDS_OVER), len(words))
    handed = words[at + 1 :]
    is_shell = bool(handed) and handed[0].rpartition("/")[2] in _SHELLS
    told = [one for word in handed for one in _WORDS.findall(word)] if is_shell else []
    return (shows_all(handed) or not SHOWERS.isdisjoint(told)) and lists_hidden(words)


def _fd_finds_hidden(words: list[str]) -> bool:
    """Return True if `fd` goes through hidden files, too, and looks for no name that leaves secrets out."""
    own = words[: next((at for at, one in enumerate(words) if one in HANDS_OVER), None)]
    if not any(map(_HIDDEN_TOO.fullmatch, own)):
        return False
    endings = [word for before, word in pairwise(own) if before in _ENDINGS]
    named = (word for before, word in pairwise(["", *own]) if word[:1] != "-" and before not in _FD_VALUES)
    plain = _REGEX_SIGNS.sub("", next(named, "")).removesuffix("*")
    is_open = plain in _HERE or plain in ".env"
    return any(is_secret(f"x.{one}") for one in endings) if endings else is_open


def _finds_hidden(words: list[str]) -> bool:
    """Return True if `find` goes through a project or a home, and no name that it looks for leaves secrets out."""
    folders = list(_folders(words)) or ["."]
    if not any(one in _HERE or is_home(one) or one == "$PWD" for one in folders):
        return False
    behind = len(words) - words[::-1].index("-prune") if "-prune" in words else 0
    wanted: list[list[bool]] = []
    is_left_out = False
    for at, (option, word) in enumerate(pairwise(words)):
        if option not in _NAMES and option not in _BY_REGEX:
            continue
        matches = [_matches(option, word, name) for name in _LIKELY]
        if at < behind or words[at - 1 : at] in (["!"], ["-not"]):
            is_left_out |= matches[0]
        else:
            wanted.append(matches)
    joined = any if not _EITHER.isdisjoint(words[behind + 1 :]) else all
    return not is_left_out and (not wanted or any(map(joined, zip(*wanted, strict=True))))


def _matches(option: str, pattern: str, name: str) -> bool:
    """Return True if a test of `find` may let a name pass; a regular expression does that does not end plainly."""
    if option in _BY_REGEX:
        return _PLAIN_REGEX.fullmatch(pattern) is None or fnmatchcase(name, f"*.{_WORDS.findall(pattern)[-1]}")
    return fnmatchcase(name if option in _NAMED else f"./{name}", pattern.lower())


def searches_all(name: str, options: Mapping[str, list[str]], operands: list[str]) -> bool:
    """Return True if every line of a project is printed, those of hidden files, too: `grep -r '' .`."""
    given = frozenset(options)
    operands = [*options.get("-e", []), *operands]
    wide = _RECURSES if name in _GREPS else _HIDDEN_SEARCHED if name in _SEARCHES else frozenset[str]()
    if wide.isdisjoint(given) or not _LISTS_ONLY.isdisjoint(given) or operands[:1] == []:
        return False
    is_here = len(operands) == 1 or not _HERE.isdisjoint(operands[1:])
    return is_here and (operands[0] in _ANY_LINE or _LETTER.search(_CLASSES.sub("", operands[0])) is None)


def _folders(words: list[str]) -> Iterator[str]:
    skipping = True
    for word in words:
        if skipping and word in {"-H", "-L", "-P"}:
            if word == "-L":
                yield "/"  # a link may lead anywhere
            continue
        skipping = False
        if word[:1] in _STARTS:
            return
        yield word


def _leads_out(folder: str) -> bool:
    return folder[:1] in {"/", "~", "$", "`"} or ".." in folder.split("/") or folder.startswith(".")


def named_secrets(text: str) -> bool:
    """Return True if a file with secrets is named anywhere in a text: in an array, a here-string, a pattern."""
    return any(map(is_secret, {*_APART.split(text)}))


def may_stand_for_any(word: str) -> bool:
    """Return True if what a word names is only known when it runs, beside the folders that a shell always knows."""
    return _OPENED.search(_KNOWN_FOLDER.sub("", word)) is not None
