"""What an operand is: a secret, a place outside the workspace, another machine, production, a package's name."""

import posixpath
import re
from collections.abc import Callable
from fnmatch import fnmatchcase

from hub.screening.commands.spellings import PLAIN, matched_secrets

_PLAIN = r"(?:example|sample|template|dist|test|tests|schema|defaults?)"
_DATA = r"(?:ya?ml|json|txt|env|toml|ini|csv|enc|cfg|conf|properties|xml|db|tfvars)"
_SECRET_PATH = re.compile(
    rf"""(?:^|[/\\=@:'"\s])\.env(?:\.(?!{_PLAIN}\b)[\w-]+)*$ | (?:^|/)[\w.*-]*\.env(?:\.(?:local|prod\w*))?$
    | \.(?:pem|p12|pfx|jks|keystore|kdbx|ppk|asc|p8|key|agekey|ovpn)$ | (?:^|/)id_(?:rsa|dsa|ecdsa|ed25519)\w*$
    | [~/]\.ssh(?:/(?!known_hosts|config$|[\w.-]*\.pub$).*)?$ | \.aws(?:/(?!config$).*)?$ | \.gnupg
    | \.kube(?:/config)?$ | (?:^|[/_.-])(?:gcp|gcloud|firebase|google|iam|sa)[_-]key\.json$
    | \.docker/config\.json | (?:^|/)[._]netrc$ | \.?pgpass(?:\.conf)?$ | (?:^|/)\.?my\.cnf$
    | ~/\.npmrc$ | \.pypirc$ | \.git-credentials
    | \.config/(?:gcloud|gh|op|doppler|rclone)\b | \.azure\b | \.vault-token | (?:^|[/.])htpasswd | \.gem/credentials
    | (?:^|[/_.-])credentials?(?:\.{_DATA})?$ | (?:^|[/_.-])secrets?(?:\.(?!{_PLAIN}){_DATA})?(?:/[^/]+)?$
    | (?:^|[/_.-])(?:passwords?|(?<!etc/)passwd|tokens?|api_?keys?|private_?keys?|master\.key)(?:\.{_DATA})?$
    | service[-_]?account[\w-]*\.json | client_secret[\w.-]*\.json | /etc/(?:g?shadow|sudoers|krb5\.keytab|ssl/private)
    | /proc/(?:\S+/)?environ | keychains? | login\sdata | cookies\.sqlite
    | logins\.(?:db|json)$ | key[34]\.db$
    | wallet\.dat | \.tfstate(?:\.backup)?$ | \.tfvars(?:\.json)?$ | \.shada$
    | (?:^|/)\.(?:npmrc|dev\.vars|s3cfg|boto|envrc|flaskenv|sentryclirc)$
    | (?:^|/)\.(?:terraformrc|dockercfg|dockerconfigjson|ftpconfig)$
    | (?:^|/)\.?(?:(?:ms|es)mtp|fetchmail)rc$ | (?:^|/)\.?rclone\.conf$ | (?:^|/)\.auth/ | storage_?state[\w.-]*\.json$
    | (?:^|/)\.?s?ftp(?:-config)?\.json$ | (?:^|/)(?:recentservers|sitemanager|webServers|dataSources\.local)\.xml$
    | (?:^|/)(?:database|(?:[\w-]+[_-])?vault)\.ya?ml$ | credentials\.ya?ml\.enc$ | (?:^|/)local\.settings\.json$
    | (?:^|/)appsettings\.(?!{_PLAIN}\.)[\w-]+\.json$
    | (?:^|/)application-(?:prod\w*|staging|live)\.(?:properties|ya?ml)$
    | google-services\.json$ | GoogleService-Info\.plist$ | adminsdk[\w-]*\.json$ | gha-creds-[\w-]+\.json$
    | (?:^|/)key\.properties$ | (?:^|/)\.?cookies\.txt$ | token\.pickle$ | (?:^|/)sites/[\w.-]+/settings\.php$
    | (?:^|/)(?:\.?vault[_-]pass(?:word)?(?:\.txt)?|wp-config\.php)$
    | (?:^|/)(?:LocalSettings|config\.inc|settings\.local)\.php$
    | (?:^|[/.])kubeconfig(?:-[\w-]+)?(?:\.{_DATA})?$ | \.password-store/ | \.keyring$
    | code-server/config\.ya?ml$
    | (?:state/pulse|\.pulse|PULSE_HOME\W?)/(?:pulse\.db[\w-]*|logins|broker)(?:/|$)
    | (?:^|[/_.-])(?:creds?|oauth|keystore)\.{_DATA}$ | (?:^|[/_.-])(?:deploy|signing|host|encryption|ssh_host_\w+)_key$
    | (?:^|/\.[^/]+/(?:[^/]+/){{0,2}})auth\.(?:json|toml)$ | (?:^|[/.])mcp(?:_\w+)?\.json$
    | /etc/(?:kubernetes|rancher/k3s)/[\w.-]+\.(?:conf|ya?ml)$
    | /run/secrets | ntds\.dit | (?:system32/config/)?\bsam$""",
    re.IGNORECASE | re.VERBOSE,
)
_SPARE = re.compile(r"(?:~|\.(?:bak|backup|orig|old|save|copy|sw[op]))$")
"""How a copy of a file ends: it holds what the file held."""
_KEPT = re.compile(
    r"[\w.-]*(?:history|histfile|lesshst|viminfo)(?:\.(?:jsonl?|db|sqlite3?|txt))?|.*\.jsonl", re.IGNORECASE
)
_TALK = re.compile(
    r"/\.(?:claude|codex|gemini|copilot|cursor|opencode)/(?:[^/]+/)*?(?:chats|sessions|transcripts)/", re.IGNORECASE
)
"""Where agents keep what was said to them."""
_OPEN_NAME = re.compile(r"\$\(\w*\)|\$\{?\w+\}?|\{\}")
_HELD = ("config", "config.json", "credentials", "hosts.yml", "settings.xml", "auth.json", "x.toml")
"""Names under which programs keep their keys in a folder of their own."""
_SHOWN_TO_ALL = re.compile(
    r"\.pub$|(?:^|[/_.-])(?<!\.cloudflared/)(?:ca|cacert|(?:full)?chain|cert|certificate|public)\.pem$|\.(?:tar|tgz|gz|xz|zip|deb|jar|txt)\.asc$"
)
"""Public keys, certificates, and signatures of what is downloaded."""
_FULL = frozenset("/~$")
_IN_HOME = re.compile(
    r"(?:~|\$HOME|\$\{HOME\}|/home/[^/]+|/Users/[^/]+|/root)/(?P<config>\.config/)?(?P<top>[^/]+)(?P<rest>.*)"
)
_PLAIN_AT_HOME = re.compile(
    r"(?:ba|z|k|c|tc|fi)?sh(?:rc|env|_profile|_login|_logout|_aliases)?|z(?:profile|login|logout|sh\w*)|profile|login|inputrc"
    r"|aliases|functions|exports|dircolors|p10k\.zsh|oh-my-zsh|fzf(?:\.\w+)?|hushlogin|lesshst|viminfo|n?vim(?:rc)?|gvimrc"
    r"|ideavimrc|exrc|nano(?:rc)?|emacs(?:\.d)?|tmux(?:\.conf)?|screenrc|git(?:config|ignore\w*|attributes|message)?"
    r"|editorconfig|(?:eslint|prettier|pylint|flake8|psql|sqlite|ack|ripgrep|direnv|gdbinit|lldbinit|irb|pry|conda|yarn)(?:rc)?"
    r"|Rprofile|Xresources|xinitrc|xprofile|xsession\w*|cache|local|config|ssh|aws|docker|cargo|rustup|nvm|pyenv|rbenv|nodenv"
    r"|goenv|jenv|asdf(?:rc)?|sdkman|volta|bun|deno|npm|node-gyp|ivy2|sbt|ghcup|stack|jupyter|ipython|matplotlib|keras|nltk_data"
    r"|claude|codex|gemini|copilot|cursor|openclaw|opencode|agents|vscode[\w-]*|tool-versions|default-\w+|dotfiles"
    r"|worktrees|te?mp|logs?|trash|fonts|themes|icons|java|android|alacritty|kitty|wezterm|ghostty|helix|zed|code"
    r"|htop|btop|bat|i3|sway|hypr|waybar|polybar|rofi|dunst|fontconfig|gtk-[\d.]+|systemd|autostart|environment\.d|mise"
    r"|lazygit|starship(?:\.toml)?|yamllint|ruff|black|mypy|yapf|fd|user-dirs\.\w+|mimeapps\.list",
    re.IGNORECASE,
)
"""Settings in a home of shells, editors and agents, caches, and installed programs: no keys lie there by themselves."""
_SETTINGS_FILE = re.compile(rf"|\.?[\w@*?-]+(?:\.\w+rc)?|.*\.(?:{_DATA}|gpg|key|token|sqlite3?|config)", re.IGNORECASE)
_SETTINGS_DEPTH = 2
"""Deeper in a folder of a home no program has its settings."""
_SECRET_NAME = re.compile(
    r"secret|token|AKIA|PRIVATE KEY|passw(?:or)?d|passphrase|api_?key|private_?key|credential|access_?key|auth_?key"
    r"|database_url|\bpgpass",
    re.IGNORECASE,
)
_SECRET_VARIABLE = re.compile(
    r"(?!(?:\w+_)?(?:PUBLIC|CACHE|PRIMARY|FOREIGN|SORT|HASH|PARTITION|PROJECT|ISSUE|JIRA|STATE)_KEY$|(?:OLD|ORIG)_PWD$)"
    r"[A-Z0-9_]+_(?:KEY|PAT|PASS|PWD|PW|AUTH|DSN|CREDS?|JWT|COOKIE)S?"
)
"""How settings are called that hold a key; in small letters it is any variable of a script."""
_SHOWN_VARIABLE = re.compile(r"\$\{?(\w+)(?!\w|:?\+)")
"""A variable whose value a word holds: `${X:+set}` only says whether there is one."""
_SYSTEM = re.compile(
    r"""(?:of=)?(?:/$|/\*$|/(?:etc|usr|bin|sbin|lib\w*|boot|root|sys|proc|opt|var|srv|System|Library|Applications|Windows)
    (?:/|$)|/dev/(?!null|std|tty|zero|fd/|shm/|urandom)|(?:~|\$HOME|\$\{HOME\})(?:/?$|/\.(?!cache|claude|config/\w+$))
    |[A-Za-z]:[\\/]?(?:Windows|Program|$)|%(?:SystemRoot|WinDir)%)""",
    re.VERBOSE,
)
_PRIVATE = re.compile(r"(?:~|\$HOME|\$\{HOME\})/?(?:\.|$)|/(?:etc|root|home|Users|var/log)(?:/[^/]+)?/?$|/proc/")
_OUTSIDE = re.compile(r"[/~]|\$HOME|\$\{HOME\}|[A-Za-z]:[\\/]")
_WIDE = re.compile(
    r"(?:/|~/?|\$HOME/?|\$\{HOME\}|/home(?:/.*)?|/Users(?:/.*)?|/etc.*|/root.*|/var.*|/opt.*|~/.*|[A-Z]:\\?)"
)
_REMOTE = re.compile(r"(?:(?:[\w.$-]+@)?[\w.$\[\]-]+:(?!//)|\w+://|[\w.-]+::).*")
_FILE_SCHEME = "file:"
_URL = re.compile(r"(?:\w+://|www\.).*")
_HOST = re.compile(r"(?:\w+://)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/?#]*).*", re.DOTALL)
_LOCAL_HOST = re.compile(
    r"localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[?::1?\]?|(?:[\w-]+\.)*(?:localhost|local|test|internal)|host\.docker\.internal"
)
_LOOPBACK = re.compile(r"(?:tcp://)?(?:localhost|127(?:\.\d+){3}|::1|\[::1\])(?::\d+)?/?", re.IGNORECASE)
"""An address to listen on that only this machine reaches."""
_PROD = re.compile(r"(?:^|[^a-z])(?:prod|production|prd|live)(?:[^a-z]|$)", re.IGNORECASE)
_TEMPORARY = re.compile(
    r"(?:/tmp/|/var/tmp/|/dev/shm/|~/downloads/|\$tmpdir|\$\{?tmp|%temp%|\$env:temp|/private/tmp/)", re.IGNORECASE
)
_METADATA = re.compile(r"169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200")
_PLACE = re.compile(r"[./~$]|.*\.(?:whl|tar\.gz|tgz|zip|gem|txt|toml)$|[a-z]:\\|file:|link:|workspace:", re.IGNORECASE)

Check = Callable[[list[str], list[str]], bool]

_ESCAPED = re.compile(r"%([0-9a-f]{2})", re.IGNORECASE)
UNCLEAR_NAME = re.compile(r"\A[\s\ufeff\"']|[\s\ufeff\"']\Z|[\x00-\x1f\x7f\u2028\u2029]")
"""A name that an agent or a server may take for another one: many trim blanks, and some quotes, around it."""


def unescaped(address: str) -> str:
    """Return a part of an address with its `%2F` and the like decoded."""
    return _ESCAPED.sub(lambda escaped: chr(int(escaped[1], 16)), address)


def path_of(uri: str) -> str:
    """Return the path of an address of a file; empty for any other address."""
    is_file = uri[: len(_FILE_SCHEME)].lower() == _FILE_SCHEME
    return unescaped(uri[len(_FILE_SCHEME) :]).removeprefix("//") if is_file else ""


def is_secret(path: str) -> bool:
    """Return True if a file of this name holds keys, passwords or tokens."""
    plain = _SPARE.sub("", path)
    is_named = bool(_SECRET_PATH.search(plain)) and not _SHOWN_TO_ALL.search(plain)
    is_kept = _is_kept(plain) or bool(matched_secrets(path))
    return is_named or is_kept or (path[:1] in _FULL and _is_setting_at_home(path))


def is_secret_in(folder: str, path: str) -> bool:
    """Return True if a file holds secrets because of the folder it is in, or a pattern fits one that does there."""
    full = posixpath.normpath(posixpath.join(folder, path))
    if is_secret(full) or "/." not in f"/{folder}".replace("/..", ""):
        return is_secret(full)
    pattern = "*" if path in {".", "./"} else _OPEN_NAME.sub("*", path)
    names = [name for name in _HELD if pattern != name and fnmatchcase(name, pattern)]
    return any(is_secret(posixpath.join(folder, name)) for name in names)


def _is_kept(path: str) -> bool:
    """Return True if a program keeps in a file what was typed or said, in which there may be passwords."""
    is_hidden = "/." in f"/{path}".replace("/./", "/").replace("/../", "/")
    return is_hidden and (_KEPT.fullmatch(path.rpartition("/")[2]) is not None or _TALK.search(f"/{path}") is not None)


def _is_setting_at_home(path: str) -> bool:
    """Return True if a path is that of a program's settings in a home, in which it may keep its keys."""
    found = _IN_HOME.match(path)
    if found is None or (found["config"] is None and found["top"][0] != "."):
        return False
    deep = found["rest"].strip("/").split("/")
    is_known = _PLAIN_AT_HOME.fullmatch(found["top"].removeprefix(".")) is not None
    return not is_known and len(deep) <= _SETTINGS_DEPTH and _SETTINGS_FILE.fullmatch(deep[-1]) is not None


def names_secret(text: str) -> bool:
    """Return True if a variable or a pattern of this name is about a secret."""
    return bool(_SECRET_NAME.search(text))


def is_secret_variable(name: str) -> bool:
    """Return True if a setting of this name holds a key, a password or a token."""
    return names_secret(name) or _SECRET_VARIABLE.fullmatch(name) is not None


def shown_variables(word: str) -> list[str]:
    """Return the variables whose values a word holds."""
    return _SHOWN_VARIABLE.findall(word)


def is_system(path: str) -> bool:
    """Return True if a path belongs to the computer and not to a project."""
    return bool(_SYSTEM.match(path))


def is_private(path: str) -> bool:
    """Return True if a path is a person's own, outside any project: settings, logs of shells, other people's homes."""
    return bool(_PRIVATE.match(path))


def is_home(path: str) -> bool:
    """Return True if a path is a home, all of them, what is hidden in one, or what stands around a project."""
    return bool(_HOME.fullmatch(path))


def is_wide(path: str) -> bool:
    """Return True if a path is all of something: a home, a disk, a folder of the system."""
    return bool(_WIDE.fullmatch(path))


def is_temporary(path: str) -> bool:
    """Return True if anybody may have put a file there."""
    return bool(_TEMPORARY.match(path))


def is_loopback(address: str) -> bool:
    """Return True if only this machine reaches what listens on an address."""
    return _LOOPBACK.fullmatch(address) is not None


def is_production(text: str) -> bool:
    """Return True if a name speaks of production."""
    return bool(_PROD.search(text))


def _is_local(url: str) -> bool:
    host = _HOST.match(url)
    return bool(host and _LOCAL_HOST.fullmatch(host.group(1).lower())) or (url.startswith(":") and url[1:2].isdigit())


def _local(operands: list[str], values: list[str]) -> bool:
    """Return True if every address is this machine's; without an address it is not."""
    urls = [one for one in values if _URL.match(one)] or operands[:1]
    return bool(urls) and all(_is_local(url) for url in urls)


def _named(operands: list[str], _values: list[str]) -> bool:
    return any(not _PLACE.match(one) or "://" in one for one in operands)


def _away(operands: list[str], values: list[str]) -> bool:
    """Return True if an address carries what is only known when it runs."""
    urls = [one for one in values if _URL.match(one)] or operands
    return any(re.search(r"\$\(|`|\?.*\$\{?\w*(?:key|token|secret|pass)", url, re.IGNORECASE) for url in urls)


_DOTTED = re.compile(r"\w+://(?:[^@/]*@)?(?:\[|(?:0x[\da-f]+|\d+)(?=[/:?#]|$)|[^/:?#]*[.$`])", re.IGNORECASE)
"""A name without a dot is of this network: a container's, a machine's at home. A number is an address."""
_PLAIN_QUERY = re.compile(
    r"(?:(?:page|per_page|limit|offset|size|count|page_size|sort|order|raw|dl|download|export)"
    r"=(?:\d{1,6}|true|asc|desc)(?:&|$))*"
)
_LABEL_CHARS = 24
"""A name of a machine with a longer part may hold more than a name."""
_SCP_LIKE = re.compile(r"[\w.-]+@[\w.$-]+:(?!//)")
_LOGIN = re.compile(r"\w+://[^/@]*(?::|\$)[^/@]*@")
"""An address with a password or a token in it."""
_LABELS, _BELOW_CHARS, _REGISTERED = 4, 40, 2
"""So many parts, and so many characters, a name may have below the two parts that somebody registered."""
_CODED = re.compile(r"(?=.*\d)(?=.*[a-f])[0-9a-f]{6,}", re.IGNORECASE)
_FILLED_NAME = re.compile(r"(?:\$\{?\w+\}?|\$\(.*\)|`.*`)[^.]*\.[\w-]+")
"""A name of which a part is only known when it runs: `$x.example.org`."""
_STARTED = re.compile(
    r"\.(?:desktop|app|command|terminal|tool|workflow|pkg|dmg|exe|msi|com|bat|cmd|lnk|url|webloc|scpt|vbs|hta|ps1|jnlp|action"
    r"|inetloc|fileloc|mobileconfig|prefpane|appref-ms|reg|scr)/?$",
    re.IGNORECASE,
)
"""What a desktop starts, installs or follows when it is opened."""
_TALKS = re.compile(
    r"(?:gopher|dict|telnet|smtps?|ldaps?|tftp|smbs?|rtsp|mqtt|pop3s?|imaps?|scp|sftp|ftps?|ws|wss)://.*", re.IGNORECASE
)


_PATH_PIECE = re.compile(r"[A-Za-z0-9+=_~%-]+")
_PIECE_CHARS, _DIGITS, _WORD_CHARS, _ESCAPES = 20, 2, 48, 4
"""A part of a path that is so long, with so many digits, is no name; nor is a longer one without digits."""
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{60}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What a forge or a registry calls a commit, a file or an entry: one of them is a name, two are data."""


def _is_coded(address: str) -> bool:
    """Return True if the path of an address has parts that nobody would give as a name: they may be data."""
    path = re.split(r"[?#]", address.partition("://")[2].partition("/")[2])[0]
    pieces = [piece for part in path.split("/") for piece in _PATH_PIECE.findall(part)]
    names = [piece for piece in pieces if _COMMIT.fullmatch(piece)]
    return (
        len(names) > 1
        or path.count("%") > _ESCAPES
        or any(_is_no_name(piece) for piece in pieces if piece not in names)
    )


def _is_no_name(piece: str) -> bool:
    """Return True if a part of a path is long, and made of letters and digits that no word separates."""
    runs = re.split(r"[-_~]", piece)
    longest = max(runs, key=len)
    digits = sum(letter.isdigit() for letter in longest)
    is_mixed = digits >= _DIGITS and any(letter.isalpha() for letter in longest)
    return (len(longest) >= _PIECE_CHARS and (is_mixed or longest.isupper())) or len(longest) >= _WORD_CHARS


def _query(_operands: list[str], values: list[str]) -> bool:
    """Return True if an address carries data to another machine, or speaks a protocol that sends its path."""
    away = [one for one in values if "://" in one and not _is_local(one) and _DOTTED.match(one)]
    queries = [one.partition("?")[2].partition("#")[0] for one in away]
    hosts = [host[1] for host in map(_HOST.match, [*away, *filter(_SCP_LIKE.match, values)]) if host]
    return (
        any(not _PLAIN_QUERY.fullmatch(one) for one in queries)
        or any(map(_is_coded, away))
        or any(map(_TALKS.match, away))
        or any(map(_carries, hosts))
        or any(map(_FILLED_NAME.search, hosts))
        or any(map(_LOGIN.match, away))
    )


def _addresses(operands: list[str], _values: list[str]) -> bool:
    """Return True if an operand that is an address without its protocol carries data: `example.org/?k=1`."""
    bare = [f"http://{one.lstrip('/')}" for one in operands if "://" not in one]
    return _query(bare, bare) or any(re.match(r"[{\[]|\w+:\\", one) for one in operands)


def is_far(word: str) -> bool:
    """Return True if a word is an address on another machine, which has a name with a dot."""
    address = word.partition("=")[2] if re.match(r"-*[\w.-]+=\w+://", word) else word
    return re.match(r"\w[\w+.-]*://", address) is not None and not _is_local(address) and bool(_DOTTED.match(address))


def _carries(name: str) -> bool:
    """Return True if a name of a machine is longer, or has more parts, than a name needs: it may hold data."""
    labels = name.split(".")
    below = labels[:-_REGISTERED]
    coded = [one for one in below if _CODED.fullmatch(one)]
    return (
        any(len(label) > _LABEL_CHARS for label in labels)
        or (len(below) > _LABELS and not name.endswith(".arpa"))
        or sum(map(len, below)) > _BELOW_CHARS
        or len(coded) > 1
    )


def _longname(operands: list[str], _values: list[str]) -> bool:
    return any(_carries(one) or "$" in one or "`" in one for one in operands)


def _shown(operands: list[str], _values: list[str]) -> bool:
    """Return True if what is to be opened with the program registered for it would start something by itself."""
    return any(_STARTED.search(one) or (_URL.match(one) and not _is_local(one)) for one in operands)


_HOME = re.compile(
    r"/|/\*|(?:~|\$HOME|\$\{HOME\}|/home/[^/]+|/Users/[^/]+|/root)/?(?:\*|\.[\w*-].*)?|/home/?|/Users/?|(?:\.\./)*\.\./?|/etc.*|/var.*"
)
"""A home, all of them, what is hidden in one, or what stands around a project."""
_THIRD_PARTY = re.compile(r"(?!localhost)[a-z0-9][\w.-]*/[\w./:@-]+$")
"""An image that somebody in particular made, not one of the registry's own."""
_PLUS = re.compile(r"\+(?:\d*|\d*[FGg]|/[^!|]*)")


def _pluscommand(operands: list[str], _values: list[str]) -> bool:
    """Return True if an editor or a pager is told to do more than to go to a place: `+!rm`."""
    return any(one.startswith("+") and not _PLUS.fullmatch(one) for one in operands)


_SUBSTITUTED = re.compile(r"(?:s|y|tr)/([^/\\]*(?:\\[^/\\][^/\\]*)*)/([^/\\]*)/[gi]*")
_ENDING = re.compile(r"\\\.[\w|()]+\$?")
_ENDS_NAME = re.compile(r"[\w.\- ]+")
_STARTS_NAME = re.compile(r"\w[\w\- ]*")


def _hiding(operands: list[str], _values: list[str]) -> bool:
    """Return True if a renaming may make of a name one that begins with a dot, or that stands in another folder."""
    first, second = [*operands, "", ""][:2]
    parts = _SUBSTITUTED.fullmatch(first)
    old, new = parts.groups() if parts else (re.escape(first), second)
    names = operands[1:] if parts else operands[2:]
    if any(name.startswith((".", "{", "[")) or "/." in name for name in names):
        return True
    if parts is None and _ENDS_NAME.fullmatch(first) is None:
        return bool(first)
    if any(name in new.lower() for name in PLAIN):
        return True
    is_ending = _ENDING.fullmatch(old) is not None and _ENDS_NAME.fullmatch(new) is not None
    return not is_ending and _STARTS_NAME.fullmatch(new) is None


_ENVIRONMENT = re.compile(
    r"(?:\$ENV|(?<![\w.\"'$@{/-])env)(?:\.(?P<key>\w+)|\s*\[\s*\"(?P<index>\w+)\"\s*\])?(?![\w:\"'(=/.-])"
    r"|(?<![\w.])(?:str)?env\(\s*(?P<call>\w+)\s*[,)]|\benvsubst\b"
)
_ENVIRON = re.compile(r"\bENVIRON\b(?:\[\s*\"(?P<element>\w+)\"\s*\])?")
"""What jq and yq, and what awk, call the settings that they are run with, and one of them."""
_LOADED = re.compile(r"\bload\w*\(([^)]*)\)")
_QUOTED = re.compile(r"\s*(['\"])([^'\"]*)\1\s*")


def _looks_at_settings(pattern: re.Pattern[str]) -> Check:
    """Return the test that a program looks at all settings, or at one that is named like a secret."""

    def test(_operands: list[str], values: list[str]) -> bool:
        keys = (next(filter(None, match.groups()), "") for one in values for match in pattern.finditer(one))
        return any(not key or names_secret(key) for key in keys)

    return test


def _loaded(operands: list[str], _values: list[str]) -> bool:
    """Return True if an expression loads a file that holds a secret, lies outside, or is not named by a plain text."""
    named = (_QUOTED.fullmatch(one) for operand in operands for one in _LOADED.findall(operand))
    return any(one is None or is_secret(one[2]) or bool(_OUTSIDE.match(one[2])) or ".." in one[2] for one in named)


_OCTAL = re.compile(r"0*([0-7]?)[0-7]{2}([0-7])")
_SYMBOLIC = re.compile(r"([ugoa]*)([-+=])([rwxXst]*)")
_SETS_ID, _WORLD_WRITES = 6, 2
"""Bits of a mode: run as its owner or its group, and written by everybody."""


def _is_open(mode: str) -> bool:
    """Return True if a mode lets everybody write, or has a program run as its owner."""
    octal = _OCTAL.fullmatch(mode)
    if octal:
        return bool(int(octal[1] or "0") & _SETS_ID or int(octal[2]) & _WORLD_WRITES)
    return any(
        sign != "-" and ("s" in bits or ("w" in bits and (not who or bool({"o", "a"} & {*who}))))
        for who, sign, bits in _SYMBOLIC.findall(mode)
    )


_FILE_NAME = re.compile(
    r".*[*?\[].*|\{\}|(?:\./|\.\./).*|(?:src|lib|tests?)(?:/[\w./-]+)?|.*\.(?:py|pyi|m?[jt]sx?|cjs|vue|svelte|rs|go|rb|java|kts?|c|h"
    r"|cc|cpp|hpp|cs|php|swift|scala|sh|md|rst|txt|json|ya?ml|toml|ini|cfg|lock|html?|s?css|less|sql|xml|svg|ipynb|proto|tf)"
)
"""How a word looks that git takes for a file: a branch is called otherwise."""

_UNENDED_NAME = re.compile(
    r"(?:[\w.-]+/)*(?:[A-Z]\w*file|justfile|makefile|README|LICEN[CS]E|COPYING|CHANGELOG|CHANGES|NOTICE|AUTHORS|CONTRIBUTORS"
    r"|CONTRIBUTING|CODEOWNERS|MAINTAINERS|VERSION|TODO|BUILD|WORKSPACE|SCons(?:truct|cript)|configure|gradlew|mvnw)"
)
_NO_BRANCH = re.compile(
    r"(?:[.:/~].|\$PWD\b|\$\{PWD\}|[$`]\(?(?:pwd|git rev-parse --show-toplevel)\b).*|.+/", re.DOTALL
)
"""What git lets no branch be called: it is a file, or a folder."""
_MAGIC = re.compile(r":(?:\([^)]*\)|[!/^]+)?")
_EXCLUDED = re.compile(r":(?:\((?:[a-z]+,)*exclude[,)]|[!^])")
_LINES_OF = re.compile(r"(?:[^:,]*,[^:]*|:[^:]+):(.+)", re.DOTALL)
"""A range of lines, or a function, of a file."""


def _plain_spec(word: str) -> str:
    """Return the file that git is told of: `HEAD:.env`, `:(icase).ENV`, `10,20:.env`; empty if it is left out."""
    if _EXCLUDED.match(word):
        return ""
    lines = _LINES_OF.fullmatch(word)
    path = lines[1] if lines else word
    magic = _MAGIC.match(path)
    return path[magic.end() :] if magic else path.partition(":")[2] or path


def _secret_spec(operands: list[str], values: list[str]) -> bool:
    """Return True if git is told of a file with secrets: by its path, in a revision, or by a range of lines."""
    ranges = filter(_LINES_OF.fullmatch, values)
    return any(is_secret(path) or is_secret(word) for word in (*operands, *ranges) if (path := _plain_spec(word)))


_OWN_JOB = re.compile(r"%.*|\$!|\$\{!\}|\$\$|\$BASHPID|\$\(jobs -[a-z]*p[a-z]*\)")
"""How a shell names what it started itself; any other process may be anybody's, Pulse's as well."""

_DESCRIBES = re.compile(
    r"(?:name|version|description|license|author|private|type|main|module|types|typings|browser|homepage|sideEffects|funding"
    r"|packageManager|(?:keywords|files|contributors|engines|bugs|browserslist|repository|exports|os|cpu)(?:[.\[].*)?"
    r"|publishConfig\.access)=(?!.*\.\./).*",
    re.DOTALL,
)
"""What a package says of itself, by which nothing runs and nothing is fetched."""

_TAME = re.compile(
    r"\$\(\([^()]*\)\)|\$\((?:date\b"
    r"|git (?:rev-parse|describe|branch|symbolic-ref|tag|remote|merge-base)\b|uname\b|arch\b|nproc\b"
    r"|basename\b|npm (?:pkg get|prefix|root)\b"
    r"|jq -r '?\.(?:name|version)'? |cat [\w./-]*(?:version|\.nvmrc)\b)[^()`]*\)",
    re.IGNORECASE,
)
"""What a shell puts into a word that is no more than a number, a date, a name or a version of the project."""
_TOLD = re.compile(r"\$\(|`|\$\{?\w+\}?\.[\w-]+\.[a-z]")


def _told(operands: list[str], _values: list[str]) -> bool:
    """Return True if what is looked for elsewhere has a part that may be data of the project's."""
    return any(_TOLD.search(_TAME.sub("", one)) for one in operands)


_SHORT_TASK = re.compile(r"(?:.*:)?(?:[a-z]{1,2}(?:[A-Z][a-z]?)+|[a-z]+(?:[A-Z][a-z]+)*[A-Z])")
"""A task of Gradle's cut short, of which only the first letters of its parts are left: `pTML`, `flywayC`."""
_SBT_TASK = re.compile(
    r"~?\s*(?:\+{0,2}[\w.:/-]+|(?:[\w.-]+\s?[:/]\s?)*(?:testOnly|testQuick|runMain|run|project|show|inspect|help)\s[\w.*:/\s\"'=,-]+)"
)
_SBT_COMMANDS = frozenset(
    {"eval", "set", "apply", "alias", "addcommandalias", "iflast", "onfailure", "session", "load", "console-project"}
    | {"consoleproject"}
)
"""Commands of sbt that change the build or evaluate their words."""


def _sbt_tasks(operands: list[str], _values: list[str]) -> bool:
    """Return True if every operand is a task of sbt, or some with `;` between them."""
    parts = [part.strip() for one in operands for part in one.split(";")]
    return all(_SBT_TASK.fullmatch(one) and one.lower() not in _SBT_COMMANDS for one in parts if one)


CLASSES: dict[str, Check] = {
    "away": _away,
    "building": lambda operands, _: any(not _DESCRIBES.fullmatch(one) for one in operands),
    "environ": _looks_at_settings(_ENVIRON),
    "environment": _looks_at_settings(_ENVIRONMENT),
    "filenames": lambda operands, _: any(
        pattern.fullmatch(one) for one in operands for pattern in (_FILE_NAME, _UNENDED_NAME, _NO_BRANCH)
    ),
    "loaded": _loaded,
    "openmode": lambda operands, _: any(map(_is_open, operands[:1])),
    "local": _local,
    "loopback": lambda operands, _: all(map(is_loopback, operands)),
    "localhost": lambda operands, _: any(_is_local(one) for one in operands),
    "named": _named,
    "opaque": lambda operands, _: any("$(" in one or "`" in one for one in operands),
    "others": lambda operands, _: any(not _OWN_JOB.fullmatch(one) for one in operands),
    "outside": lambda operands, _: any(bool(_OUTSIDE.match(one)) and not is_temporary(one) for one in operands),
    "privateaddress": lambda _, values: any(_METADATA.search(one) for one in values),
    "prod": lambda _, values: any(is_production(one) for one in values),
    "pluscommand": _pluscommand,
    "pipe": lambda operands, _: any(re.fullmatch(r"(?:\w+:)?\|.*|.*\|", one.strip(), re.DOTALL) for one in operands),
    "hiding": _hiding,
    "home": lambda operands, _: any(map(is_home, operands)),
    "addresses": _addresses,
    "filled": lambda _, values: any(is_far(one) and "$" in one for one in values),
    "far": lambda _, values: any(map(is_far, values)),
    "query": _query,
    "shown": _shown,
    "longname": _longname,
    "remote": lambda operands, _: any(_REMOTE.fullmatch(one) and not re.match(r"[A-Za-z]:\\", one) for one in operands),
    "remotepackage": lambda operands, _: any("@" in one or (one[:1] != "." and "./" in one) for one in operands),
    "sbttasks": _sbt_tasks,
    "shorttask": lambda operands, _: any(map(_SHORT_TASK.fullmatch, operands)),
    "secret": lambda operands, _: any(is_secret(one) for one in operands),
    "secretname": lambda operands, _: any(
        (names_secret(one) and one.isidentifier()) or any(map(is_secret_variable, shown_variables(one)))
        for one in operands
    ),
    "secretspec": _secret_spec,
    "secretvariable": lambda operands, _: any(map(is_secret_variable, operands)),
    "system": lambda operands, _: any(is_system(one) for one in operands),
    "thirdparty": lambda operands, _: bool(operands) and bool(_THIRD_PARTY.match(operands[0])),
    "told": _told,
    "url": lambda operands, _: any(_URL.match(one) for one in operands),
    "wide": lambda operands, _: any(_WIDE.fullmatch(one) for one in operands),
}
"""By name in the table: what the operands that are left, or all values, hold."""
