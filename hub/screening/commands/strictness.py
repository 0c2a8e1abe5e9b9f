"""Which words of a call are not known: an option that no table lists, and a setting that may name a program.

Theory: what a program does is known for the options that its manual was read for, and for no other. Three kinds of
programs differ in how much of that is needed. Of one whose table lists options, each that is given must stand there.
One that runs the project's code does so with any option, and a suite of subcommands looks with any: there a word is
enough that can hold no place outside, no address and no command. Of any other program no option is known.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_far
from hub.screening.commands.table import Arguments, OptionKind, ProgramEntry, TableRule, program, starts
from hub.screening.effects import HARMLESS

_ASKS = {("--version", ""), ("--help", ""), ("-V", ""), ("-version", "")}
"""Alone behind a program, these have it say something of itself."""
_NUMBER = re.compile(r"([-+])\d+")
_PLAIN = re.compile(r"(?:[\w@%][\w.,:@%=+~^*-]*)?")
_PLAIN_INSIDE = re.compile(r"(?:\.?[\w@%*./]?[\w.,:@%=+~^/*#-]*)")
_PLAIN_WORD = re.compile(r"(?!.*\{[^{}]*:)[\w.,:@%=+~^/*#\\\[\]{}!?-]*|[\w.-]+(?:;\w+=[\w.,:/\\-]*)+|[\w.]+:\w+\(\)")
"""A name, a number, a path or a pattern of paths; also with settings (`trx;LogFileName=x`), or `app:make()`."""
_DOCUMENT = re.compile(r"\w[\w./,-]*+(?>(?: [\w.,-]++)+)(?<=\.tex|\.pdf|\.odt|\.csv|\.png|\.jpg)", re.IGNORECASE)
"""A file with blanks in its name that ends like a document: `my paper.tex`."""
_ROUTE = re.compile(r"(?<=/)\([\w-]+\)(?=/)")
"""A folder that stands for no part of an address: `app/(shop)/page.tsx`."""
_DESCRIBES = re.compile(
    r"-[gkmnt]|--(?:f?grep(?:-invert)?|filter|tags?|match|tests?|test-?name-?pattern|test-?regex|test-?path-?(?:ignore-?)?patterns?"
    r"|test[-_](?:filter|args?|arguments|options)|include|exclude|deselect|name|plain-name|scenario|title|message|description|rule"
    r"|log-(?:cli-|file-)?(?:date-)?format)",
    re.IGNORECASE,
)
_MAY_BE_OPTION = re.compile(
    r"(?!\$\(\(|\$\(mktemp\b|\$[!$?#]|\$(?:PWD|HOME)\b|\$\{(?:PWD|HOME)\}"
    r"|[$`]\(?(?:pwd|git (?:merge-base|rev-parse|describe|symbolic-ref|rev-list|branch --show-current))\b)"
    r"(?:[$`*?]|\[[^\]]*-)"
)
"""How a word begins that may be anything: what is only known when it runs, or a pattern that fits a dash."""
_GLOB_WITH_END = re.compile(r"[^$`]*[\w.]")
_SCRIPTED = frozenset({"interpreter", "module"})
_LEADS_OUT = re.compile(r"(?:^|[=:,])[/~]|\.\.(?:/|$)|://|\$")
OUTPUTS = re.compile(
    r"(?:-o|-O|--output(?:-?(?:file|dir|directory|path))?|--out(?:-?(?:file|dir))?|--dest(?:ination)?|--target-dir|--trace|--log-file|--report)(?:=(.*))?"
)
"""Options that name a file to be written in most programs, where no table says it."""
_TELLING = re.compile(
    r"(?:^|[-_.])(?:exec|execute|command|cmd|shell|eval|editor|pager|wrapper|interpreter|program|askpass|rsh|proxy|registry"
    r"|browser|viewer|credential|runner|helper|index|mirror|chooser|trust[-_]remote[-_]code)(?:$|[-_.])"
)
"""Names of options whose value is a program, or a place where something is sent or comes from."""
_TELLING_LOOKER = re.compile(
    r"(?:^|[-_])(?:out|output|outfile|file|config|kubeconfig|plugin|plugins|load|require|import|hook|hooks|script|upload|push|send|to|dest)(?:$|[-_])"
)

_DATA_NAMED = re.compile(
    r"--?(?:query|format|filters?|jq|template|output|selector|field-selector|fields?|sort(?:-by)?|columns?|labels?|json|limit|since|until|tail|o|l|q)"
)
"""Options that in every suite of subcommands say what is shown, and how."""
_SAFE_VALUE = re.compile(r"[\w.,:@%+-]*")
_SAFE_PROGRAMS = re.compile(
    r"(?:(?:/usr)?/bin/)?(?:true|cat|less|more|most|vim?|nvim|nano|emacs)?(?: -[A-Za-z]+)?|:|code(?: --wait| -w)?"
    r"|(?:gcc|g\+\+|clang|clang\+\+|cc|c\+\+)(?:-\d+)?|ccache|sccache|mold|lld"
    r"|(?:(?:/usr(?:/local)?)?/bin/)?(?:(?:google-)?chrom(?:e|ium)|firefox)[\w-]*"
)
_SHELLS = re.compile(r"(?:(?:/usr(?:/local)?)?/bin/)?(?:ba|z|da|k)?sh")
_PROGRAM_SETTING = re.compile(
    r"(?:.*(?:EDITOR|PAGER|BROWSER|WRAPPER|LINKER|ASKPASS|SHELL|RUNNER|COMMAND|_CMD|_EXEC|_SSH|_PROGRAM|_TOOL|LAUNCHER|PROG"
    r"|_COMPILER|_BIN|(?:_BINARY|_EXECUTABLE)(?:_PATH)?|_EXE|_DIFF|MERGE|_OVERRIDE)"
    r"|VISUAL|GOAUTH|ZIP|ZIPOPT|AUTOM4TE|AUTOCONF|AUTOHEADER|AUTOMAKE|ACLOCAL|M4|LIBTOOLIZE|PKG_CONFIG|CC|CXX|CPP|LD|AR|AS|FC|RUSTC|RUSTDOC|CARGO|PYTHON|NODE|MAKE|PERL|RUBY|JAVACMD|JAVA|GOROOT|LESSOPEN|LESSCLOSE|MANPATH)",
    re.IGNORECASE,
)
"""Settings whose value is a program that is run."""
_UNCHECKED = re.compile(
    r"(?:NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY)=['\"]?0|\w*SSL_NO_VERIFY=(?!['\"]?(?:0|false|no)\b)."
    r"|GOSUMDB=['\"]?off|GO(?:INSECURE|NOSUMCHECK)=."
)
"""Settings by which what is fetched is taken unchecked, from any server."""
_LOADING_SETTING = re.compile(
    r"(?:LD_\w+|DYLD_\w+|PATH|IFS|ENV|BASH_ENV|BASH_CMDS|BASH_ALIASES|PROMPT_COMMAND|PS[0-4]|BASH_FUNC.*|GLOBIGNORE|SHELLOPTS|BASHOPTS|HOME|XDG_(?:CONFIG|DATA)_\w+"
    r"|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PYTHONBREAKPOINT|PYTHONUSERBASE|PERL5OPT|PERL5LIB|PERL5DB|RUBYOPT|RUBYLIB|NODE_PATH|CLASSPATH|LUA_\w*PATH|LUA_INIT\w*"
    r"|\w*(?:_|\b)(?:ADD)?(?:OPTIONS|OPTS|OPT)|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|MAKEFILES|RUSTFLAGS|RUSTDOCFLAGS|CGO_\w+|GOFLAGS|GOTOOLCHAIN|GOPROXY|GONOSUM\w*|GOENV|\w*FLAGS"
    r"|npm_config_\w+|yarn_\w+|pip_\w+|uv_\w+|bundle_\w+|cargo_(?!term|target|incremental|profile|net_offline|home\b)\w+|GIT_(?!author|committer|terminal|merge_autoedit|optional_locks|lfs_skip)\w+"
    r"|UNZIP|UNZIPOPT|GZIP|XZ_DEFAULTS|DOCKER_(?!BUILDKIT$)\w+|KUBECONFIG|SSH_\w+|GPG_\w+|GNUPGHOME|OPENSSL_\w+|SSL_\w+|CURL_\w+|REQUESTS_CA_BUNDLE|\w*_PROXY|\w*_REGISTRY|\w*INDEX_URL|\w+_(?:MIRROR|DOWNLOAD_HOST|DOWNLOAD_BASE_URL)|PYTEST_(?:ADDOPTS|PLUGINS)|MAVEN_ARGS|\w*_CMD_ARGS|GRADLE_USER_HOME|DOTNET_(?:STARTUP_HOOKS|ADDITIONAL_DEPS)"
    r"|COR(?:ECLR)?_\w*PROFILER\w*|DISTCC_\w+|CCACHE_PREFIX\w*|COMPILER_PATH|GCC_EXEC_PREFIX|GTK_(?:MODULES|PATH)|PYLINTRC|R_PROFILE\w*|R_LIBS\w*|JULIA_\w+_PATH|ERL_LIBS|TF_CLI_\w+|TERMINFO\w*|TERMCAP|GCONV_PATH|LOCPATH|NLSPATH|MAGIC|TAR_OPTIONS|GREP_OPTIONS|ZDOTDIR|INPUTRC|WGETRC|LESS|MORE|JAVA_HOME)",
    re.IGNORECASE,
)
"""Settings by which a program loads or runs something, or is sent elsewhere, if their value says so."""
_SETTINGS_NAMED = re.compile(
    r"(?:CONFIG|EXINIT|VIMINIT|[A-Z0-9_]*(?<![SA])RC(?:FILE)?|Custom(?:Before|After)\w+"
    r"|[A-Z0-9_]+_(?:HOME|EXS|INIT|APPNAME|CONFIG(?:_(?:PATH|FILE|DIR))?|TOOLCHAIN(?:_FILE)?|LOADER|PRELOAD|HOOKS?|PLUGINS?|WATCHFILE))"
)
"""Settings that name a file which is loaded, or a home of settings, as their names have it."""
_SWITCH = re.compile(r"|\d+|true|false|yes|no|on|off", re.IGNORECASE)
_MODE = re.compile(r"\w+")
"""What a name that ends in CONFIG holds where it is no file: `BUILD_CONFIG=Release`."""
_COMMANDS = re.compile(r";|&&|\|\s")
_WRITTEN_SETTING = re.compile(
    r"NODE_(?:V8_COVERAGE|REDIRECT_WARNINGS|REPL_HISTORY)|PYTHONPYCACHEPREFIX|LLVM_PROFILE_FILE|GCOV_PREFIX|COVERAGE_FILE"
    r"|MALLOC_TRACE|HISTFILE|SSLKEYLOGFILE|CARGO_TARGET_DIR|TMPDIR|PERLIO_DEBUG|TF_LOG_PATH|DEPENDENCIES_OUTPUT|SUNPRO_DEPENDENCIES"
    r"|MOCHA_FILE|GOCACHE|\w+_TEMPROOT|XDG_(?:CACHE|STATE)_HOME|\w*(?:CACHE|OUTPUT|OUT|REPORTS?|RESULTS?|ARTIFACTS?|LOG|STORAGE|COVERAGE|SNAPSHOTS?|DUMP|SCREENSHOTS?)"
    r"_?(?:DIR|DIRECTORY|FOLDER|FILE|PATH|NAME|LOCATION)"
)
"""Settings that say where a program writes, as their names have it."""
_MACHINE_SETTING = re.compile(
    r"(?:\w+_)?(?:HOST|ENDPOINT(?:_URL|_OVERRIDES?)?(?:_\w+)?|ENDPOINTS|API_URL|BASE_URL|SERVER|ADDR|ADDRESS|NODENAME)|PGHOST\w*"
)
_MACHINE = re.compile(
    r"(?!file:|sqlite)[a-z][\w+.-]*://.|(?:(?:tcp|udp|ssl|tls)\w?:)?(?=[\d.:]*[a-z])[\w.-]+:\d{2,5}(?:/|$)",
    re.IGNORECASE,
)
"""How a value begins that names another machine, whatever the setting is called: an address, or a host with a port."""
_HERE = re.compile(
    r"(?:\w+://|(?:tcp|udp|ssl|tls)\w?:)?(?:[^@/]*@)?(?:(?:[\w-]+\.)*localhost(?![\w.-])|127\.\d|0\.0\.0\.0|\[?::1|\d+$|:\d|$)"
)
_FAR_HOST = re.compile(r"(?:[^@/]*@)?(?:(?:[\w-]+\.)+[a-z]{2,}|\d+(?:\.\d+){3})(?::\d+)?", re.IGNORECASE)
_PLACE_OF_WORDS = re.compile(
    r"(?:TZ|LANG|LANGUAGE|LC_\w+|TERM|COLUMNS|LINES|FORCE_COLOR|NO_COLOR|CI)=(?!['\"]?:?[/~]|.*\.\.).*"
    r"|TMPDIR=['\"]?/(?:var/)?tmp(?:/[\w-]+)*/?['\"]?"
)
_REMOTE_WORK = re.compile(
    r"\w+_REMOTE_(?:ONLY|EXECUTION|CACHE_WRITE)=(?!0|false|no)|TURBO_CACHE=.*\bremote:r?w"
    r"|SCCACHE_(?:BUCKET|GCS_BUCKET|REDIS\w*|MEMCACHED\w*|WEBDAV\w*|AZURE\w*|OSS\w*)=.",
    re.IGNORECASE,
)
"""Settings by which a build tool puts what it makes into a cache of others, or builds on their machines."""
_OWN_ADDRESS = re.compile(r"(?:\w+_)?(?:PUBLIC|SITE|CANONICAL|DOCS)_?URL|HOMEPAGE", re.IGNORECASE)
_SEARCH_PATH = re.compile(
    r"PATH|PYTHONPATH|NODE_PATH|RUBYLIB|PERL5LIB|CLASSPATH|GOPATH|MANPATH|PKG_CONFIG_PATH|CDPATH|LUA_PATH"
    r"|(?!LD_|DYLD_)\w*(?:BIN|PLUGIN|MODULE|LIB|LIBRARY|EXEC|TMAC|LOADABLES)S?_?PATH"
)
_DATA_SETTING = re.compile(
    r"(?!GOMODCACHE$|COVERAGE_PROCESS_START$|TF_DATA_DIR$|\w*RCFILE$|\w*CONFIG)\w*(?:CACHE|DATA|LOG|TMP|TEMP|OUT|DB|DSN|UR[LI]|HOST|ADDR|ENDPOINT|ORIGIN|SOCK|COVERAGE|REPORT|RESULT|ARTIFACT"
    r"|SNAPSHOT|FIXTURE|STORAGE|UPLOAD|MEDIA|STATIC|BACKUP|TITLE|MESSAGE|MSG|DISPLAY|CREDENTIALS|CERT|KEY)\w*|TZ|LANG|LC_\w+|TERM",
    re.IGNORECASE,
)
"""Settings that say where data is, or are data themselves, as their names have it."""
_LOADS_BY = re.compile(
    r"--?(?:[\w.-]*(?:config|conf|rulesdir|plugin|setup|require|preset|rootdir|root-dir|root|init|load|policy-pack|template|import|resolver|transform"
    r"|runner|reporter|formatter|format|syntax|executable|engine|adapter|schema|parser|rules|extends|preload|module|script|justfile|taskfile|makefile|file|project|prefix|cwd|chdir"
    r"|directory|dir|extension|hook|include|lib|path|settings|source|workspace|manifest|app)[\w.-]*|[cflrmpILCSAWX])"
)
_CODE_BY = re.compile(r"--[a-z-]*(?:setup|environment|serializers?|processor|sequencer|plugins?|runner|resolver)")
"""Options whose value is a module, whatever else their names say: `--testResultsProcessor`, `--snapshotSerializers`."""
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PUTS_OUT = re.compile(
    r"(?i)out|report(?!ers?$)|cov|cache|log|dest|target[-_]?dir|junit|artifact|result|tmp|temp(?!l)|xml|html|data|screenshot|snapshot|dump|trace"
    r"|install|cert|key|ignore|exclude|worktree"
)
_GLUED_SHORT = re.compile(r"-[A-Za-z](?=[/~.])")
_PIECE = re.compile(r"[\s=:,;\"'{}\[\]()]+")
_HARMLESS_FLAGS = re.compile(
    r"\s*+(?>(?:-[nCWDA] ?[\w:=-]+|-p(?:=?\d+| ?no:\w+)|\d+|true|false|-j\d*"
    r"|-(?![MmreIp][a-z])[A-Za-z]{1,6}|-[OWg][\w=,-]*|--tb=\w+"
    r"|--(?:max[-_]old[-_]space[-_]size|no-warnings|experimental-vm-modules|trace-\w+|no-deprecation|enable-source-maps"
    r"|stack-trace-limit)(?:=\d+)?|-Xm[xs]\d+[kmgKMG]?|-short|-mod=(?:mod|vendor|readonly)|-count=\d+|-race)(?:\s++|\Z))*"
)


def unknown_options(
    known: ProgramEntry, arguments: Arguments, effects: set[Effect], *, runs_words: bool
) -> Iterator[str]:
    """Yield the options that are not known to do no more than the call does without them.

    Args:
        known: the program.
        arguments: its words.
        effects: what the table says that the call does.
        runs_words: it runs the words behind it, so an option that is not known may hide where those begin.
    """
    if asks_about_itself(arguments):
        return
    listed, own = known.harmless_options(arguments), known.harmless_options(arguments, early=True)
    is_runner = Effect.RUNS_PROJECT_CODE in effects and not runs_words
    for at, (name, value) in enumerate(arguments.given):
        kind = _kind(name, value, own if at < arguments.early else listed)
        if name == "--" or kind is not None or known.says_of(name, arguments) or (name == "--help" and not runs_words):
            continue
        if "tame" in known.is_ and not _is_valued_elsewhere(name, known, arguments):
            continue
        is_plain = not may_hide(name) and (describes(name) or not may_hide(value))
        if is_runner and not _TELLING.search(name) and not leads_out(name, value) and is_plain:
            continue
        if known.has_subcommands and "strict" not in known.is_ and not runs_words and _is_plain_look(name, value):
            continue
        yield f"{name}={value}" if value else name


def may_be_option(
    known: ProgramEntry, words: list[str], arguments: Arguments, unknown: set[str], bare: set[str]
) -> str:
    """Return an operand that may be an option once it is known, where the program has one that does harm.

    A file may be called `--compress-program=x`: a pattern that begins a word stands for it, as does a variable. With a
    letter at its end a pattern stands for no option but one that has a value.

    Args:
        known: the program.
        words: those behind it.
        arguments: the same, read.
        unknown: the words in which something stands that is only known when it runs.
        bare: those of them that may be several words.
    """
    if unknown.isdisjoint(words):
        return ""
    harmful = [rule for rule in known.rules if starts(rule.words, arguments.operands) and _does_harm(rule)]
    takes = {one for _, names in known.takes for one in names}
    flags = {
        one
        for rule in harmful
        if any(len(short) == len("-x") and short not in takes for short in rule.options)
        for one in rule.options
    }
    written = {name for name, kind in (known.harmless_options(arguments) or {}).items() if kind is OptionKind.WRITTEN}
    options = {option for rule in harmful for option in rule.options} | written
    if known.has_subcommands and "strict" in known.is_ and arguments.operands[:1] != ["add"]:
        options |= {"--"}  # any option that is not listed
    if any(one[0] in _SCRIPTED for rule in known.rules for one in rule.also):
        return ""  # the project's code is run in any case
    if known.has_subcommands and arguments.operands[:1] and arguments.operands[0] in unknown:
        return arguments.operands[0]
    end = words.index("--") if "--" in words else len(words)
    for operand, at in zip(arguments.operands, arguments.places, strict=True):
        is_risky = options - (flags | written if _GLOB_WITH_END.fullmatch(operand) else set())
        if at < end and is_risky and operand in unknown and _MAY_BE_OPTION.match(operand):
            return operand
    several = (one for one in words[:end] if options and one in bare and one in unknown and _MAY_BE_OPTION.match(one))
    return next(several, "")


def _does_harm(rule: TableRule) -> bool:
    """Return True if an option does more than to look, to write in the project or to bring a secret to light."""
    return not (HARMLESS | {Effect.READS_SECRETS}).issuperset(rule.effects) or bool(rule.also)


def asks_about_itself(arguments: Arguments) -> bool:
    """Return True if a program is only asked for its version or its help."""
    return not arguments.operands and len(arguments.given) == 1 and arguments.given[0] in _ASKS


def _kind(name: str, value: str, listed: dict[str, OptionKind] | None) -> OptionKind | None:
    if listed is None:
        return None
    number = _NUMBER.fullmatch(name)
    if number and not value:
        return listed.get(f"{number.group(1)}0")
    kind = listed.get(name)
    return None if kind is OptionKind.FLAG and value else kind


def _is_valued_elsewhere(name: str, known: ProgramEntry, arguments: Arguments) -> bool:
    """Return True if a line of the table speaks of this option, but of another value of it."""
    return (
        name in known.known
        and not known.says_of(name, arguments)
        and not any(name in options for _, options in known.harmless)
    )


def leads_out(name: str, value: str) -> bool:
    """Return True if an option, or what stands behind it, names a place outside or another machine."""
    return any(_LEADS_OUT.search(one) for one in (name, value))


def may_hide(word: str) -> bool:
    """Return True if a word may be a command, or code, and not only a name, a path or a pattern of paths."""
    if _DOCUMENT.fullmatch(word) and program(word.split(maxsplit=1)[0]) is None:
        return False
    return _PLAIN_WORD.fullmatch(_ROUTE.sub("x", word)) is None


def describes(option: str) -> bool:
    """Return True if an option of what runs a project's code only chooses among its parts, or names one."""
    return _DESCRIBES.fullmatch(option) is not None


def _is_plain_look(name: str, value: str) -> bool:
    if _LEADS_OUT.search(value) or re.search(r"[`;\n]|\$\(", value):
        return False
    if _DATA_NAMED.fullmatch(name) and "/" not in value:
        return True
    plain = _PLAIN_INSIDE.fullmatch(value) is not None
    return plain and not _TELLING.search(name) and not _TELLING_LOOKER.search(name)


def value_kinds(known: ProgramEntry, arguments: Arguments) -> Iterator[tuple[OptionKind, str]]:
    """Yield the values that are names of files, and what is done with them."""
    listed, own = known.harmless_options(arguments) or {}, known.harmless_options(arguments, early=True) or {}
    for at, (name, value) in enumerate(arguments.given):
        kind = (own if at < arguments.early else listed).get(name)
        if value and kind in {OptionKind.READ, OptionKind.WRITTEN}:
            yield kind, value


def _parts(setting: str) -> tuple[str, str]:
    """Return the name and the value of a setting; an element of an array counts as the whole."""
    name, _, value = setting.partition("=")
    return name.rstrip("+").partition("[")[0], value.strip("'\"")


def is_search_path(setting: str) -> bool:
    """Return True if a setting says in which folders programs or modules are looked for."""
    return _SEARCH_PATH.fullmatch(_parts(setting)[0]) is not None


def search_folders(setting: str) -> list[str]:
    """Return the folders that a search path names beside those that it had; an empty one is where the command runs."""
    name, value = _parts(setting)
    if value.startswith("("):
        return ["$"]
    if not value and name != "PATH":
        return []
    return [one or "." for one in value.split(":") if one not in {f"${name}", f"${{{name}}}", f"${{{name}:-}}"}]


def written_by(setting: str) -> str:
    """Return the file or folder that a program writes because of a setting, with a slash; empty where there is none."""
    name, value = _parts(setting)
    return f"{value}/" if _WRITTEN_SETTING.fullmatch(name) and value else ""


def setting_doubt(setting: str) -> str:
    """Return the name of a setting that has a program run or load something; empty where it does not."""
    name, value = _parts(setting)
    if _UNCHECKED.match(setting):
        return name
    if _PROGRAM_SETTING.fullmatch(name):
        return "" if (_SHELLS if name.endswith("SHELL") else _SAFE_PROGRAMS).fullmatch(value) else name
    if _LOADING_SETTING.fullmatch(name):
        return "" if _HARMLESS_FLAGS.fullmatch(value) else name
    if is_data_setting(setting) or name.islower():
        return ""
    if _SETTINGS_NAMED.fullmatch(name):
        is_mode = name.upper().endswith(("CONFIG", "TOOLCHAIN")) and _MODE.fullmatch(value)
        return "" if is_mode or _SWITCH.fullmatch(value) else name
    return name if _COMMANDS.search(value) and "://" not in value and "$(" not in value else ""


def is_data_setting(setting: str) -> bool:
    """Return True if the name of a setting says that it holds data, or where data is."""
    return _DATA_SETTING.fullmatch(_parts(setting)[0]) is not None


def loaded_by_options(words: list[str]) -> Iterator[str]:
    """Yield the values of options that have a program load something, as far as their names say so."""
    for word, behind in pairwise([*words, ""]):
        glued = _GLUED_SHORT.match(word)
        name, equals, value = (glued[0], "=", word[glued.end() :]) if glued else word.partition("=")
        folded = _CAPITAL.sub("-", name).lower() if name.startswith("--") else name  # `--globalSetup`, `--global-setup`
        if _CODE_BY.fullmatch(folded) or (_LOADS_BY.fullmatch(folded) and not _PUTS_OUT.search(folded)):
            yield value if equals else "" if behind.startswith("-") else behind


def puts_out(option: str) -> bool:
    """Return True if what stands behind a word is written, as far as its name says so."""
    is_long = option.startswith("-") and len(option) > len("-x")
    return option in {"-o", "-d", "-B"} or (is_long and _PUTS_OUT.search(option) is not None)


def pieces_of(value: str) -> list[str]:
    """Return the parts of a value that may be paths, also within a list, a table or behind a letter."""
    return [
        _GLUED_SHORT.sub("", piece) for piece in _PIECE.split(value) if "/" in piece or piece.startswith(("~", ".."))
    ]


def names_elsewhere(setting: str) -> bool:
    """Return True if a setting says on which machine a program is to do its work, and that is not this one."""
    name, value = _parts(setting)
    is_named = _MACHINE_SETTING.fullmatch(name) is not None
    each = value.split(",")
    return any((is_named or _MACHINE.match(one)) and not _HERE.match(one) for one in each) and not _is_own(name)


def leads_elsewhere(setting: str) -> bool:
    """Return True if a setting has the project's code, or what builds it, talk to another machine.

    A host without a dot is a container's, or this computer's by another name.
    """
    name, value = _parts(setting)
    if _REMOTE_WORK.match(setting):
        return True
    is_host = _MACHINE_SETTING.fullmatch(name) is not None and _FAR_HOST.fullmatch(value) is not None
    return (is_host or is_far(value)) and not _HERE.match(value) and not _is_own(name)


def _is_own(name: str) -> bool:
    """Return True if a setting says where a site is to be found which is built here, or is a variable of the shell."""
    return _OWN_ADDRESS.fullmatch(name) is not None or name.islower()


def is_plain_setting(setting: str) -> bool:
    """Return True if a setting that no table knows can name neither a program nor a file."""
    value = setting.partition("=")[2].strip("'\"")
    if _PLACE_OF_WORDS.fullmatch(setting):
        return True
    return _SAFE_VALUE.fullmatch(value) is not None or ("://" in value and not re.search(r"[\s;|&`$]", value))
