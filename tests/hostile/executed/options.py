"""Options as the installed programs list them themselves, each with a value that would show what it does.

Nothing here says which option is dangerous: the line is read, then run, and what happens decides.
"""

import re
import shutil
import subprocess
from contextlib import suppress
from functools import lru_cache

HELP_S_MAX = 5.0
PROGRAMS = (
    *(
        "ls",
        "cat",
        "head",
        "tail",
        "wc",
        "grep",
        "sed",
        "awk",
        "cut",
        "sort",
        "uniq",
        "tr",
        "diff",
        "cmp",
        "comm",
        "find",
    ),
    *(
        "stat",
        "file",
        "du",
        "df",
        "basename",
        "dirname",
        "realpath",
        "readlink",
        "echo",
        "printf",
        "date",
        "uname",
        "id",
    ),
    *(
        "nproc",
        "seq",
        "md5sum",
        "sha256sum",
        "cksum",
        "base64",
        "xxd",
        "od",
        "hexdump",
        "strings",
        "nl",
        "tac",
        "rev",
        "fold",
    ),
    *(
        "fmt",
        "paste",
        "column",
        "expand",
        "join",
        "jq",
        "which",
        "ps",
        "free",
        "tar",
        "unzip",
        "zip",
        "zipinfo",
        "gzip",
        "xz",
    ),
    *(
        "bzip2",
        "zstd",
        "tee",
        "touch",
        "mkdir",
        "cp",
        "mv",
        "ln",
        "split",
        "csplit",
        "shuf",
        "tsort",
        "ptx",
        "pr",
        "numfmt",
    ),
    *(
        "truncate",
        "install",
        "dd",
        "env",
        "timeout",
        "nice",
        "xargs",
        "stdbuf",
        "curl",
        "wget",
        "man",
        "less",
        "more",
        "nm",
    ),
    *(
        "objdump",
        "readelf",
        "size",
        "ldd",
        "lsof",
        "ss",
        "ip",
        "lscpu",
        "lsblk",
        "findmnt",
        "uptime",
        "who",
        "w",
        "last",
    ),
    *(
        "openssl",
        "sqlite3",
        "bc",
        "gpg",
        "ssh-keygen",
        "getent",
        "locale",
        "iconv",
        "look",
        "cal",
        "tput",
        "hostname",
        "patch",
    ),
    *(
        "make",
        "cmake",
        "gcc",
        "python3",
        "node",
        "perl",
        "tclsh",
        "yq",
        "xmllint",
        "tidy",
        "sdiff",
        "diff3",
        "dircolors",
    ),
)
GIT = (
    *(
        "status",
        "diff",
        "log",
        "show",
        "blame",
        "branch",
        "tag",
        "rev-parse",
        "ls-files",
        "grep",
        "remote",
        "stash",
        "describe",
    ),
    *(
        "shortlog",
        "cat-file",
        "merge-base",
        "reflog",
        "config",
        "worktree",
        "check-ignore",
        "rev-list",
        "add",
        "commit",
        "mv",
    ),
    *(
        "switch",
        "fetch",
        "ls-remote",
        "ls-tree",
        "name-rev",
        "for-each-ref",
        "diff-tree",
        "whatchanged",
        "archive",
        "apply",
    ),
    *(
        "format-patch",
        "var",
        "count-objects",
        "fsck",
        "check-attr",
        "hash-object",
        "notes",
        "show-ref",
        "range-diff",
        "am",
    ),
)
LONG = re.compile(r"(?<![\w-])--(?:\[no-\])?([a-z][\w-]*)")
LISTED_MAX = 200

LETTERS = tuple(f"-{letter}" for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Options that no help names: most programs have some."""


@lru_cache(maxsize=512)
def options_of(program: str) -> tuple[str, ...]:
    """Return the options that a program's own help names, at most `LISTED_MAX`, and every single letter."""
    name, _, verb = program.partition(" ")
    if shutil.which(name) is None:
        return ()
    asked = [[name, verb, "-h"], ["git", "range-diff", "-h"]] if name == "git" else [[name, "--help"], [name, "-h"]]
    asked += [["curl", "--help", "all"]] if name == "curl" else []
    text = "\n".join(_answer(words) for words in asked)
    found = dict.fromkeys([f"--{match[1]}" for match in LONG.finditer(text)])
    return (*tuple(found)[:LISTED_MAX], *LETTERS)


def _answer(words: list[str]) -> str:
    contained = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-all"]  # noqa: S108  its own
    with suppress(subprocess.TimeoutExpired):
        done = subprocess.run(
            [*contained, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=HELP_S_MAX,
            check=False,
        )
        return done.stdout
    return ""
