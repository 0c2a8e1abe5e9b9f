"""Which files say what runs by itself or what an agent may do: hooks, settings, rules of agents, start-up files.

This is the only list of them: the place of a path is judged by it, and a grant covers nothing that names one.
"""

import re

_ANYWHERE = re.compile(
    r"(?:^|/)(?:\.(?:git|husky|claude|codex|copilot|cursor|gemini|openclaw|opencode|github/(?:copilot|hooks|workflows))(?:/|$)"
    r"|\.(?:mcp(?:\.json)?|gitmodules|gitconfig|vscode/tasks(?:\.json)?)(?:\.[\w~-]*)*$)",
    re.IGNORECASE,
)
"""Files that say what runs by itself, or what an agent may do, also packed (`.mcp.json.gz`) or yet to be renamed."""
_HOLDERS = (
    r"\.(?:github|vscode|idea|continue|windsurf|kiro|roo|direnv|ssh|gnupg|config|circleci|devcontainer"
    r"|git-?hooks|hooks|lefthook|hg|jj|svn|mise|bundle|mvn|vs|zed|buildkite|tekton|gitlab|gitea|forgejo|amazonq|qwen|factory"
    r"|agents|clinerules)"
)
_HOLDER = re.compile(rf"(?:^|/){_HOLDERS}$", re.IGNORECASE)
"""Folders in which such files lie directly, beside the one at the top."""
_AT_START = re.compile(
    r"(?:^|/)(?:\.(?:vscode|idea|continue|windsurf|kiro|roo|direnv|ssh|gnupg)/|\.aider"
    r"|\.config/(?:git|fish|autostart|systemd|environment\.d|nvim|direnv)/"
    r"|(?:\.(?:gitattributes|envrc|npmrc|yarnrc(?:\.yml)?|pnpmfile\.cjs|pre-commit-config\.ya?ml|gitlab-ci\.yml|travis\.yml"
    r"|circleci/config\.yml|devcontainer(?:/devcontainer)?\.json|(?:bash|zsh|k|c|tc|fish)(?:rc|env|_profile|_login|_logout|_aliases)"
    r"|zprofile|zlogin|zlogout|profile|login|inputrc|(?:n?vim|ex)rc|emacs|gdbinit|lldbinit|pdbrc|pythonrc(?:\.py)?"
    r"|pythonstartup|irbrc|Rprofile|tmux\.conf|xinitrc|xprofile|xsession)"
    r"|\.?opencode\.jsonc?|\.claude\.json|\.?mcp\.json|\.roomodes|\.?mise(?:\.local)?\.toml|\.nvim\.lua|\.zed/settings\.json"
    r"|site-packages/[^/]+\.pth|\.cargo/config(?:\.toml)?|\.?lefthook\.(?:ya?ml|toml|jsonc?)|Jenkinsfile"
    r"|(?:site|user)customize\.py)$)",
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
    r"|\.zed/|\.?lefthook-local\.(?:ya?ml|toml|jsonc?)$|\.claude-plugin/|hooks/hooks\.json$|\.(?:husky|lintstaged)rc\.\w+$|\.?mise/config\.toml$|pip\.conf$|nuget\.config$|bunfig\.toml$|[^/]+\.code-workspace$|[^/]*\.sublime-project$"
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
_BY_ITSELF = re.compile(f"{_SERVICES}|{_TOOLS}|{_START_UP}|{_AGENTS}", re.IGNORECASE)
_BARE_REPOSITORY = re.compile(r"(?:^|/)HEAD$", re.IGNORECASE)
"""What makes a repository of a folder. In a command it is a commit."""
_KEPT_FROM_GRANTS = re.compile(
    rf"(?:^|/)(?:{_HOLDERS}(?:/|$)|(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$)", re.IGNORECASE
)
"""All in a folder that holds some, and the documents in which agents are told what to do."""
_BY_AGENTS_OR_GIT = re.compile(
    rf"{_AGENTS}|(?:^|/)(?:\.(?:continue|windsurf|kiro|roo|git-?hooks|claude-plugin)(?:/|$)|\.aider|hooks/hooks\.json$"
    r"|\.(?:gitattributes|lfsconfig|roomodes|claude\.json)$|\.?(?:opencode\.jsonc?|mcp\.json)$)",
    re.IGNORECASE,
)
_BY_SERVICES_OR_EDITORS = re.compile(r"(?:^|/)\.(?:github/workflows|vscode)(?:/|$)", re.IGNORECASE)
_BETWEEN_PATHS = re.compile(r"[\s'\"`=:(){}\[\]<>|&;,]+")


def is_rule_file(path: str) -> bool:
    """Return True if a file is one wherever it lies."""
    return _ANYWHERE.search(path) is not None


def is_read_at_start(path: str) -> bool:
    """Return True if a shell, an editor, an interpreter or git reads a file of a project as it starts."""
    return _AT_START.search(path) is not None or _BARE_REPOSITORY.search(path) is not None


def is_read_by_itself(path: str) -> bool:
    """Return True if a service or a tool reads a file, named from the top of its project on, without being told to."""
    return _BY_ITSELF.search(path) is not None


def is_read_by_agents_or_git(path: str) -> bool:
    """Return True if an agent or git reads a file of a project as it starts, or takes it up while it runs.

    What services, editors and shells read changes with many a branch, and nothing runs by its being there.
    """
    by_name = _ANYWHERE.search(path) is not None and _BY_SERVICES_OR_EDITORS.search(path) is None
    return by_name or _BY_AGENTS_OR_GIT.search(path) is not None


def holds_rule_files(folder: str) -> bool:
    """Return True if such files lie directly in a folder of this name."""
    return _HOLDER.search(folder) is not None


def names_rules(text: str) -> bool:
    """Return True if a command, a tool's input or a path names such a file, wherever in it, or a folder of them."""
    lists = (_ANYWHERE, _AT_START, _BY_ITSELF, _KEPT_FROM_GRANTS)
    return any(names.search(path) for path in _BETWEEN_PATHS.split(text.replace("\\", "/")) for names in lists)
