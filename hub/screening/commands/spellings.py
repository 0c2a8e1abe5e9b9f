"""Which files that say what runs by itself, or hold a secret, a word of a shell may stand for: `.g*`, `.e*`."""

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import islice, product

_HIDDEN = (
    *(".git", ".husky", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".openclaw", ".opencode", ".github"),
    *(
        ".vscode",
        ".idea",
        ".continue",
        ".windsurf",
        ".kiro",
        ".roo",
        ".direnv",
        ".config",
        ".circleci",
        ".devcontainer",
    ),
    *(".mcp.json", ".gitmodules", ".gitconfig", ".gitattributes", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml"),
    *(".pnpmfile.cjs", ".pre-commit-config.yaml", ".gitlab-ci.yml", ".travis.yml", ".lefthook.yml", ".bashrc"),
    *(".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile", ".vimrc", ".exrc", ".gdbinit", ".lldbinit"),
    *(".githooks", ".lefthook", ".hg", ".jj", ".mise", ".bundle", ".mvn", ".vs", ".zed", ".buildkite", ".gitlab"),
    *(".gitea", ".forgejo", ".agents", ".venv", ".bin", ".cursorrules", ".windsurfrules", ".drone.yml"),
    *(".lfsconfig", ".pnp.cjs"),
    *(".pdbrc", ".irbrc", ".rprofile", ".tmux.conf", ".inputrc", ".emacs", ".ssh", ".gnupg"),
)
_BELOW = ("workflows", "hooks", "copilot", "tasks.json", "config.yml", "git", "fish", "autostart", "systemd", "bin")
PLAIN = ("jenkinsfile", "lefthook.yml", "lefthook.yaml", "sitecustomize.py", "usercustomize.py")
"""Such files that do not begin with a dot: a pattern in the place of them is rarely meant for one."""
_SECRETS = (
    *(".env", ".env.local", ".env.production", ".netrc", ".pgpass", ".htpasswd", ".pypirc"),
    *("prod.env", "id_rsa", "id_ed25519", "id_ecdsa", "credentials.json", "secrets.yml", "secrets.json", "private.key"),
)
"""Names under which secrets lie in most projects and homes."""
_NAMED_CHARS = 3
"""A pattern that does not begin with a dot is meant for a secret if it begins with so much of its name."""
_MANY = ".git/hooks/many"
_BRACED = re.compile(r"\{([^{}]*,[^{}]*)\}")
_RANGE = re.compile(r"\{[^{},/]*\.\.[^{},/]*\}")
_WILD = re.compile(r"[*?\[]")
_OPEN = re.compile(r"[*?\[{]")
_BRACES_MAX = 16
_NAME_CHARS_MAX = 255
_SPELLINGS_MAX = 256


def spellings(path: str) -> list[str]:
    """Return a path as it stands, and with the names of such files that a shell may put into it.

    A word that may stand for too many names stands for a hook as well.
    """
    if not _OPEN.search(path):
        return [path]
    if path.count("{") > _BRACES_MAX:
        return [path, _MANY]
    found = [path, *islice(_spelled(_RANGE.sub("*", path)), _SPELLINGS_MAX + 1)]
    return found if len(found) <= _SPELLINGS_MAX else [path, _MANY]


def matches_plain(pattern: str) -> bool:
    """Return True if a pattern matches one of such files that does not begin with a dot."""
    return bool(_WILD.search(pattern)) and any(fnmatchcase(name, pattern.lower()) for name in PLAIN)


def matched_secrets(path: str) -> list[str]:
    """Return the names of files that hold secrets which a pattern matches: `.e*`, `id_*`."""
    pattern = re.split(r"[/\\]", path)[-1]
    if not _OPEN.search(pattern) or len(pattern) > _NAME_CHARS_MAX or pattern.count("{") > 1:
        return []
    words = [_folded(word) for word in _unbraced(pattern) if word[:1] == "." or _is_meant(word)]
    return [name for name in _SECRETS if any(fnmatchcase(name, word) for word in words)]


def _is_meant(pattern: str) -> bool:
    """Return True if so much of a name stands in a pattern, beside its ending, that it may be meant for a secret."""
    first, *others = _OPEN.split(pattern)
    return len(first) >= _NAMED_CHARS or any(len(one.partition(".")[0]) >= _NAMED_CHARS for one in others)


def _folded(pattern: str) -> str:
    """Return a pattern for names in small letters, with the shell's other sign for "none of these"."""
    return pattern.lower().replace("[^", "[!")


def _spelled(path: str) -> Iterator[str]:
    for word in _unbraced(path):
        parts = ([part, *_matched(part)] for part in word.split("/"))
        yield from map("/".join, product(*parts))


def _unbraced(path: str) -> Iterator[str]:
    """Yield what braces make of a word."""
    pieces = _BRACED.split(path)
    choices = ([piece] if at % 2 == 0 else piece.split(",") for at, piece in enumerate(pieces))
    for chosen in product(*choices):
        word = "".join(chosen)
        yield from _unbraced(word) if _BRACED.search(word) else (word,)


def _matched(part: str) -> list[str]:
    """Return which names a pattern matches; one that does not begin with a dot matches no hidden one."""
    if not _WILD.search(part):
        return []
    names = _HIDDEN if part[0] == "." else _BELOW
    return [name for name in names if len(part) > _NAME_CHARS_MAX or fnmatchcase(name, _folded(part))]
