"""Where a file is that a command names, seen from the folder in which the command runs."""

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Sequence
from enum import StrEnum

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_temporary, unescaped
from hub.screening.commands.spellings import spellings

FOLDERS_MAX = 16
"""A command that may be in more folders than this after its `cd` may be anywhere."""
ELSEWHERE = "/elsewhere"
"""Stands for a folder that is only known when the command runs."""
SOME_FOLDER = "/somewhere/project"
"""Stands for the folder where that is not known: what is relative is inside, what is written out in full is not."""
_RULES = re.compile(
    r"(?:^|/)(?:\.(?:git|husky|claude|codex|copilot|cursor|gemini|openclaw|opencode|github/(?:copilot|hooks|workflows))(?:/|$)"
    r"|\.(?:mcp(?:\.json)?|gitmodules|gitconfig|vscode/tasks(?:\.json)?)(?:\.[\w~-]*)*$)",
    re.IGNORECASE,
)
"""Files that say what runs by itself, or what an agent may do, also packed (`.mcp.json.gz`) or yet to be renamed."""
_HOLDER = re.compile(
    r"(?:^|/)\.(?:github|vscode|idea|continue|windsurf|kiro|roo|direnv|ssh|gnupg|config|circleci|devcontainer"
    r"|git-?hooks|hooks|lefthook|hg|jj|mise|bundle|mvn|vs|zed|buildkite|tekton|gitlab|gitea|forgejo|amazonq|qwen|factory|agents"
    r"|clinerules)$",
    re.IGNORECASE,
)
"""Folders in which such files lie directly, beside the one at the top."""
_STARTS = re.compile(
    r"(?:^|/)(?:\.(?:vscode|idea|continue|windsurf|kiro|roo|direnv|ssh|gnupg)/|\.aider"
    r"|\.config/(?:git|fish|autostart|systemd|environment\.d|nvim|direnv)/"
    r"|(?:\.(?:gitattributes|envrc|npmrc|yarnrc(?:\.yml)?|pnpmfile\.cjs|pre-commit-config\.ya?ml|gitlab-ci\.yml|travis\.yml"
    r"|circleci/config\.yml|devcontainer(?:/devcontainer)?\.json|(?:bash|zsh|k|c|tc|fish)(?:rc|env|_profile|_login|_logout|_aliases)"
    r"|zprofile|zlogin|zlogout|profile|login|inputrc|(?:n?vim|ex)rc|emacs|gdbinit|lldbinit|pdbrc|pythonrc(?:\.py)?"
    r"|pythonstartup|irbrc|Rprofile|tmux\.conf|xinitrc|xprofile|xsession)"
    r"|\.?opencode\.jsonc?|\.claude\.json|\.?mcp\.json|\.roomodes|\.?mise(?:\.local)?\.toml|\.nvim\.lua|\.zed/settings\.json"
    r"|site-packages/[^/]+\.pth|HEAD|\.cargo/config(?:\.toml)?|\.?lefthook\.ya?ml|Jenkinsfile|(?:site|user)customize\.py)$)",
    re.IGNORECASE,
)
"""Files inside a project that a shell, an editor, an interpreter, git's hooks or a service read as they start."""
_SERVICES = (
    r"(?:^|/)(?:\.(?:buildkite|circleci|tekton|teamcity|semaphore|woodpecker|gitlab/(?:ci|\.?gitlab-ci)|(?:gitea|forgejo)/workflows"
    r"|github/actions)/|\.?(?:azure|bitbucket)-pipelines\.ya?ml$|\.?(?:appveyor|drone|woodpecker|cirrus|wercker|bitrise|codemagic)\.ya?ml$"
    r"|(?:cloudbuild|buildspec)\.ya?ml$)"
)
"""What services that build and deploy a project read, each a list of commands."""
_TOOLS = (
    r"(?:^|/)(?:\.(?:git-?hooks|hooks|lefthook|hg|jj|mise|bundle|mvn|vs|fleet|codesandbox|run)/|\.yarn/(?:releases|plugins)/"
    r"|\.zed/|lefthook-local\.ya?ml$|\.?mise/config\.toml$|pip\.conf$|nuget\.config$|bunfig\.toml$|[^/]+\.code-workspace$|[^/]*\.sublime-project$"
    r"|\.(?:overcommit\.ya?ml|lfsconfig|rtx\.toml|autoenv(?:\.zsh)?|in|gitpod\.ya?ml|replit|dir-locals(?:-2)?\.el|l(?:ocal)?\.?vimrc"
    r"|lazy\.lua|screenrc|pnp\.c?js|pypirc|netrc|hgrc)$)"
)
"""What other tools read as they start: hooks, tasks, settings that name programs, where packages come from."""
_START_UP = (
    r"(?:^|/)(?:\.devcontainer/|\.github/(?!(?:issue|pull_request|discussion)_template/)[^/]+/(?!.*\.(?:md|txt|png|svg|jpe?g|gif)$)"
    r"|\.github/copilot-instructions\.md$|gradle/wrapper/|\.helix/|\.byobu/|\.jenkins/|\.ipython/|\.jupyter/|\.swiftpm/"
    r"|\.(?:pry|psql|sqlite|sbcl|wget|curl|ack|direnv|husky|prove|perltidy|con|bazel|yarn|ripgrep|nvim)rc$|\.iex\.exs$|\.Renviron$"
    r"|\.pdbrc\.py$|\.pnp\.[\w.]+$|\.pnpmfile\.mjs$|\.tool-versions$|\.simple-git-hooks\.\w+$|\.(?:ghci|ocamlinit|ycm_extra_conf\.py)$"
    r"|\.(?:bazelversion|jvmopts|sbtopts|buckconfig|clangd|perldb|user\.ini|htaccess|xcode\.env(?:\.local)?)$|tools/bazel$)"
)
"""What a container, a wrapper of a build, a console or a version manager reads before it does what it is called for."""
_AGENTS = (
    r"(?:^|/)(?:\.(?:amazonq|qwen|factory|agents|augment|zencoder|warp|tabnine|junie|kilocode|trae|goose|crush|clinerules)/"
    r"|\.(?:cursorrules|windsurfrules|clinerules|goosehints)$|\.?crush\.json$)"
)
"""What agents are told, or may do. `CLAUDE.md`, `AGENTS.md` and `GEMINI.md` are documents, edited every day."""
_READ_BY_ITSELF = re.compile(f"{_SERVICES}|{_TOOLS}|{_START_UP}|{_AGENTS}", re.IGNORECASE)
_TOOLS_OWN = re.compile(
    r"(?:^|/)(?:node_modules/\.bin|vendor/bin|(?:\.?v?env|\.?venv[\w.-]*|\.?virtualenv|\.(?:tox|nox)/[^/]+|\.direnv/[^/]+)"
    r"/(?:bin|Scripts))(?:/|$)|(?:^|/)(?:node_modules|site-packages|bower_components)/[^/]+/."
    r"|^/(?:[^/]+/)?vendor/[^/]+(?:/.+|\.\w+)(?<!\.md)$",
    re.IGNORECASE,
)
"""Where the programs are that a project's tasks run by name, and the code of others that they load."""
_HOMES = re.compile(r"/(?:home|Users)/[^/]+|/root")
_OWN_IN_HOME = re.compile(r"\.|bin/")
_SYSTEM = re.compile(
    r"/|/(?:etc|bin|sbin|lib\w*|boot|sys|proc|dev(?!/shm/)|usr/(?:bin|sbin|lib\w*|share|local/(?:bin|sbin|lib|etc)))(?:/.*)?"
)
"""Folders that are no project, wherever an agent was started."""
_IGNORED = re.compile("[\u00ad\u034f\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
_NAME_ENDS = re.compile(r"(?<![. ])[. ]++(?=/|$)|::?\$[^/]*")
"""What some file systems leave out of a name: characters that nobody sees, dots and blanks at its end, its streams."""
_OTHER_DISK = re.compile(r"[A-Za-z]:[\\/]")
_SHORT_GIT = re.compile(r"(?<=/)git~\d(?=/|$)", re.IGNORECASE)
_GIT_DATA = re.compile(r"(?:^|/)\.git/(?:[A-Z_]*MSG|info/exclude)$")
"""Files of git's that only hold a text."""
_WORKTREE = re.compile(r"/\.(?:claude|codex|copilot|cursor|gemini|opencode)/worktrees/[^/]+/")
"""Where agents keep checkouts of their own, whose files are a project's."""
_NUMBERS = re.compile(
    r"\$\(\(.*?\)\)|\$\(seq(?: \d+)+\)|\$\(date (?:-u )?\+['\"]?[%\w:.-]+['\"]?\)|\$(?:RANDOM|\$|#|\?)|\$\{RANDOM\}",
    re.DOTALL,
)
"""What is only known when the command runs, but no more than a number or a date."""
_SCRATCH = re.compile(
    r"(?:\$\(mktemp(?: -[dqut]+| --directory| [\w-]+\.X+)*\)|`mktemp(?: -d)?`)(?:/(?!.*\.\.)[\w./-]*)?$"
)
"""A file or a folder that `mktemp` makes."""
_NAME_ONLY = re.compile(r"(?<=\w/)\$\(basename \"?\$\{?\w+\}?\"?(?: \.\w+)?\)[\w.-]*$")
"""A name in a folder, without one before it."""
_DYNAMIC = re.compile(r"[$`]|<\(|>\(")
_BEHIND_PATH = re.compile(r"[?#].*", re.DOTALL)
"""What stands behind the path of an address."""
GIT_TOP = re.compile(r"\$\(git rev-parse --show-toplevel\)|\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`")
_QUIET = frozenset(
    {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "nul", "$null", "-", "/dev/fd/1", "/dev/fd/2"}
)


class FilePlace(StrEnum):
    """Where a file is."""

    QUIET = "quiet"
    """No file: standard input or output, or nothing at all."""
    INSIDE = "inside"
    TEMPORARY = "temporary"
    RULES = "rules"
    """It says what runs by itself or what an agent may do, wherever it is."""
    OUTSIDE = "outside"
    UNKNOWN = "unknown"
    """It is only known when the command runs."""


WRITING: dict[FilePlace, Effect] = {
    FilePlace.INSIDE: Effect.WRITES_IN_WORKSPACE,
    FilePlace.TEMPORARY: Effect.WRITES_IN_WORKSPACE,
    FilePlace.RULES: Effect.CHANGES_PERMISSIONS,
    FilePlace.OUTSIDE: Effect.CHANGES_SYSTEM,
    FilePlace.UNKNOWN: Effect.WRITES_IN_WORKSPACE,
}
"""What it is to write there."""
LOSES = frozenset({FilePlace.INSIDE, FilePlace.UNKNOWN})
"""Where a file that is emptied is lost."""


def place_of(path: str, root: str, folders: Iterable[str]) -> FilePlace:
    """Return where a file is.

    Args:
        path: as the command names it.
        root: the folder that the agent works in, in full.
        folders: where the command may run, in full.
    """
    if path.lower() in _QUIET:
        return FilePlace.QUIET
    path = GIT_TOP.sub(".", unescaped(_BEHIND_PATH.sub("", path)) if "://" in path else path)
    path = _NUMBERS.sub("0", path)
    if path.startswith(("~", "$HOME", "${HOME}")) and not root.startswith("~"):
        return (
            FilePlace.RULES if _RULES.search(path) else FilePlace.TEMPORARY if is_temporary(path) else FilePlace.OUTSIDE
        )
    full = [posixpath.normpath(posixpath.join(folder, path)) for folder in folders]
    spelled = [spelling for each in full for spelling in spellings(each)]
    if any(map(_says_rules, spelled)):
        return FilePlace.RULES
    if _SCRATCH.match(path):
        return FilePlace.TEMPORARY
    path = _NAME_ONLY.sub("x", path)
    if _DYNAMIC.search(path):
        return FilePlace.UNKNOWN
    if _OTHER_DISK.match(path):
        return FilePlace.OUTSIDE
    if all(is_within(one, root) for one in full):
        return FilePlace.RULES if _starts(spelled, root) else _within(full, root)
    return FilePlace.TEMPORARY if all(map(is_temporary, full)) or is_temporary(path) else FilePlace.OUTSIDE


def written_place(path: str, root: str, folders: Sequence[str]) -> FilePlace:
    """Return where a file is that is written: a program that tasks run by its name is a rule for what they do."""
    found = place_of(path, root, folders)
    if found is not FilePlace.INSIDE:
        return found
    full = (posixpath.normpath(posixpath.join(folder, path)) for folder in folders)
    is_tool = any(map(_TOOLS_OWN.search, _below((one for each in full for one in spellings(each)), root)))
    return FilePlace.RULES if is_tool else found


def _starts(paths: Sequence[str], root: str) -> bool:
    """Return True if something reads one of these files by itself, whatever the project's own folder is called."""
    return any(map(_STARTS.search, paths)) or any(map(_READ_BY_ITSELF.search, _below(paths, root)))


def _below(paths: Iterable[str], root: str) -> list[str]:
    """Return paths without the folder that the agent works in."""
    return [one.removeprefix(root) for one in paths]


def _says_rules(path: str) -> bool:
    """Return True if a file says what runs by itself, also where a file system takes another spelling for its name."""
    if _GIT_DATA.search(path):
        return False
    path = _WORKTREE.sub("/", path)
    plain = _NAME_ENDS.sub("", _IGNORED.sub("", unicodedata.normalize("NFKC", path.replace("\\", "/"))))
    return any(map(_RULES.search, (path, _SHORT_GIT.sub(".git", plain))))


def is_project(folder: str) -> bool:
    """Return True unless a folder is a home or one of the system's."""
    plain = posixpath.normpath(folder) if folder else ""
    return bool(plain) and not (_HOMES.fullmatch(plain) or _SYSTEM.fullmatch(plain))


def _within(full: Sequence[str], root: str) -> FilePlace:
    """Return where files in the folder are: a home's own settings and the system's folders are no project's."""
    is_home = _HOMES.fullmatch(root) is not None
    own = is_home and any(_OWN_IN_HOME.match(posixpath.relpath(one, root)) for one in full if one != root)
    return FilePlace.OUTSIDE if own or _SYSTEM.fullmatch(root) else FilePlace.INSIDE


def holds_rules(path: str, root: str) -> bool:
    """Return True if files that say what runs by itself lie directly in a folder, written out in full, or below it."""
    return is_within(root, path) or (is_within(path, root) and _HOLDER.search(path) is not None)


def is_within(path: str, folder: str) -> bool:
    """Return True if a path is a folder or in it, both written out in full."""
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")
