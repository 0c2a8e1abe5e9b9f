"""Which part of a snippet of code is not understood: a call, a name or an import that may do anything.

Python is read by its own grammar, JavaScript by its words; of other languages only the plainest lines are understood.
What is understood does no more than `code.effects_of` says of it, beside running what the project itself holds.
"""

import ast
import re
import sys
import warnings
from collections.abc import Iterator
from typing import Literal

Language = Literal["python", "js", "mongo", "code"]
Deed = Literal["reads", "writes", "unknown"]
Found = tuple[Deed, str]
SNIPPET_CHARS_MAX = 8_192
DYNAMIC = "$"
"""Stands for a file that is only known when the code runs."""

_SAFE_MODULES = frozenset(
    "__future__ abc argparse array ast base64 binascii bisect calendar cmath collections colorsys configparser copy csv dataclasses "
    "datetime decimal difflib dis email enum fnmatch fractions functools graphlib hashlib heapq hmac html itertools json keyword "
    "linecache locale math mimetypes numbers operator pprint platform random re sched secrets shlex statistics string stringprep struct "
    "symtable textwrap time token tokenize tomllib traceback types typing unicodedata uuid zlib zoneinfo glob gzip bz2 lzma errno "
    "yaml toml tomli numpy pandas polars rich tabulate matplotlib scipy sympy packaging dateutil pytz".split()
)
"""Modules that compute, parse and print; what they write is seen by the names of their calls."""
_OF_MODULE: dict[str, frozenset[str]] = {
    "os": frozenset(
        "path getcwd listdir walk scandir stat lstat sep linesep pathsep environ getenv getpid cpu_count fspath makedirs mkdir "
        "get_terminal_size access R_OK W_OK X_OK F_OK name uname SEEK_SET SEEK_END curdir pardir extsep readlink".split()
    ),
    "sys": frozenset(
        "argv exit stdin stdout stderr version version_info executable platform path prefix base_prefix maxsize byteorder getsizeof "
        "implementation float_info flags stdlib_module_names getrecursionlimit setrecursionlimit getdefaultencoding".split()
    ),
    "pathlib": frozenset({"Path", "PurePath", "PurePosixPath", "PosixPath"}),
    "io": frozenset({"StringIO", "BytesIO", "TextIOWrapper"}),
    "shutil": frozenset({"which", "get_terminal_size", "disk_usage", "copy", "copyfile", "copy2", "move", "rmtree"}),
    "tempfile": frozenset({"gettempdir"}),
    "importlib": frozenset({"metadata", "util"}),
    "inspect": frozenset({"getsource", "getfile", "signature", "getmembers", "isclass", "isfunction", "getdoc", "getsourcefile"}),
    "sqlite3": frozenset({"connect", "Row", "sqlite_version"}),
    "urllib": frozenset({"parse", "request"}),
    "zipfile": frozenset({"ZipFile", "is_zipfile"}),
    "tarfile": frozenset({"open", "is_tarfile"}),
    "requests": frozenset({"get", "head"}),
    "httpx": frozenset({"get", "head"}),
    "socket": frozenset({"gethostname"}),
    "contextlib": frozenset({"suppress", "contextmanager", "closing", "redirect_stdout"}),
    "logging": frozenset({"basicConfig", "getLogger", "info", "debug", "warning", "INFO", "DEBUG"}),
    "unittest": frozenset({"main", "TestCase", "mock"}),
    "subprocess": frozenset(),
}
_SUBMODULES = frozenset({"os.path", "importlib.metadata", "importlib.util", "urllib.parse", "xml.etree", "xml.etree.ElementTree", "concurrent.futures", "collections.abc", "urllib.request"})
_BAD_BUILTINS = frozenset(
    "exec eval compile __import__ setattr delattr globals locals vars breakpoint __builtins__ __loader__ __spec__ help memoryview "
    "classmethod_".split()
)
_PLAIN_DUNDERS = frozenset("__version__ __name__ __file__ __doc__ __len__ __path__ __all__ __main__ __init__ __str__ __repr__ __iter__ __enter__ __exit__ __annotations__ __future__ __post_init__ __eq__ __hash__ __lt__ __contains__ __getitem__ __call__".split())
_SAID_OF_ITSELF = frozenset({"__version__", "__file__", "__name__", "__doc__"})
_FILE_READERS = frozenset({"read_text", "read_bytes", "exists", "is_file", "is_dir", "glob", "rglob", "iterdir", "stat"})
_FILE_WRITERS = frozenset({"write_text", "write_bytes", "touch", "mkdir"})


def python_snippet(text: str) -> Iterator[Found]:
    """Yield the files that a snippet of Python names, and `unknown` with the word that is not understood."""
    if len(text) > SNIPPET_CHARS_MAX:
        yield "unknown", text
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
            nodes = list(ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield "unknown", text
        return
    modules: dict[str, str] = {}
    for node in nodes:
        yield from _imported(node, modules)
    for node in nodes:
        if isinstance(node, ast.Name) and (node.id in _BAD_BUILTINS or _is_hidden(node.id)):
            yield "unknown", node.id
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, modules)
        elif isinstance(node, ast.Call):
            yield from _call(node)


def _imported(node: ast.AST, modules: dict[str, str]) -> Iterator[Found]:
    if isinstance(node, ast.Import):
        for one in node.names:
            modules[one.asname or one.name.partition(".")[0]] = one.name if one.asname else one.name.partition(".")[0]
            if _is_risky(one.name) and one.name not in _OF_MODULE and one.name not in _SUBMODULES:
                yield "unknown", one.name
    elif isinstance(node, ast.ImportFrom) and not node.level:
        module = node.module or ""
        allowed = _OF_MODULE.get(module)
        if _is_risky(module) and allowed is None and module not in _SUBMODULES:
            yield "unknown", module
        for one in node.names:
            modules[one.asname or one.name] = f"{module}.{one.name}"
            if allowed is not None and one.name not in allowed:
                yield "unknown", f"{module}.{one.name}"


def _is_risky(module: str) -> bool:
    """Return True for what comes with Python, or talks to others, and is not known to only compute."""
    top = module.partition(".")[0]
    return top not in _SAFE_MODULES and (top in sys.stdlib_module_names or top in _OF_MODULE)


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and name not in _PLAIN_DUNDERS


def _attribute(node: ast.Attribute, modules: dict[str, str]) -> Iterator[Found]:
    if _is_hidden(node.attr):
        yield "unknown", node.attr
    if isinstance(node.value, ast.Name):
        module = modules.get(node.value.id, "")
        allowed = _OF_MODULE.get(module)
        if allowed is not None and node.attr not in allowed and node.attr not in _SAID_OF_ITSELF:
            yield "unknown", f"{module}.{node.attr}"


def _call(node: ast.Call) -> Iterator[Found]:
    function = node.func
    if isinstance(function, ast.Name):
        if function.id == "getattr" and not (len(node.args) > 1 and isinstance(node.args[1], ast.Constant)):
            yield "unknown", "getattr"
        elif function.id == "getattr" and isinstance(node.args[1], ast.Constant):
            named = str(node.args[1].value)
            if _is_hidden(named) or named in _BAD_BUILTINS or isinstance(node.args[0], ast.Name):
                yield "unknown", f"getattr {named}"
        elif function.id == "open" and (node.args or node.keywords):
            yield _opened(node, _literal(node.args[0]) if node.args else DYNAMIC, node.args[1:2])
    elif isinstance(function, ast.Attribute):
        of = function.value
        literal = _literal(of.args[0]) if isinstance(of, ast.Call) and of.args else DYNAMIC
        if function.attr in _FILE_WRITERS:
            yield "writes", literal
        elif function.attr in _FILE_READERS and literal != DYNAMIC:
            yield "reads", literal
        elif function.attr == "open" and not (isinstance(of, ast.Name) and of.id in _OF_MODULE):
            yield _opened(node, literal, node.args[:1])
    elif not isinstance(function, ast.Lambda):
        yield "unknown", ast.unparse(function)[:80]


def _opened(node: ast.Call, path: str, mode: list[ast.expr]) -> Found:
    given = mode + [one.value for one in node.keywords if one.arg == "mode"]
    how = _literal(given[0]) if given else "r"
    return ("writes" if how == DYNAMIC or set(how) & set("wax+") else "reads"), path


def _literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else DYNAMIC


_JS_STRING = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`""")
_JS_REGEX = re.compile(r"(?<=[(,=:!&|?{};\s])/(?:\\.|\[(?:\\.|[^\]\n])+\]|[^/\n\\\[*])(?:\\.|\[(?:\\.|[^\]\n])+\]|[^/\n\\\[])*/[gimsuy]*")
_JS_CALL = re.compile(r"([A-Za-z_$][\w$]*(?:\s*\??\.\s*[A-Za-z_$][\w$]*)*)\s*(?:\?\.)?\(")
_JS_REQUIRED = re.compile(r"""\b(?:require|import)\s*\(\s*(['"])([^'"]*)\1\s*\)|\bfrom\s*(['"])([^'"]*)\3|\bimport\s*(['"])([^'"]*)\5""")
_JS_NAMED = re.compile(r"\b(?:const|let|var|function|class)\s+([A-Za-z_$][\w$]*)|([A-Za-z_$][\w$]*)\s*=>|[(,{]\s*([A-Za-z_$][\w$]*)\s*(?=[,)}=])")
_JS_BAD = re.compile(
    r"\b(?:eval|Function|constructor|__proto__|prototype|globalThis|global|module|binding|dlopen|mainModule|Reflect|Proxy|WebAssembly|child_process|vm|worker_threads"
    r"|cluster|inspector|net|dgram|tls|http2?|https|fetch|XMLHttpRequest|WebSocket|Deno|Bun|\$)\b|\]\s*\(|\)\s*\(|`"
)
_JS_POWERFUL = frozenset(
    "child_process vm worker_threads cluster inspector net dgram tls http http2 https repl v8 dns module async_hooks trace_events wasi tty domain "
    "diagnostics_channel test sqlite".split()
)
"""Modules of Node's own that do more than compute, and read or write files."""
_JS_FUNCTIONS = frozenset(
    "console.log console.error console.table console.dir console.info console.warn require if for while switch catch return typeof function async await "
    "parseInt parseFloat isNaN Number String Boolean BigInt Symbol Date Set Map WeakMap Error RegExp Array Object Promise URL Intl import process.cwd process.exit "
    "process.stdout.write process.stderr.write process.uptime process.memoryUsage process.hrtime process.on setTimeout structuredClone encodeURIComponent decodeURIComponent "
    "process.stdin.on process.argv.slice Buffer.from new super".split()
)
_JS_METHODS = frozenset(
    "map filter reduce forEach find findIndex some every includes indexOf lastIndexOf join split slice splice concat sort reverse push pop shift unshift "
    "keys values entries fromEntries assign freeze toString toFixed toUpperCase toLowerCase trim trimStart trimEnd padStart padEnd startsWith endsWith replace replaceAll match matchAll "
    "test exec_ repeat charAt charCodeAt codePointAt at flat flatMap from isArray of parse stringify now toISOString getTime getFullYear then finally catch all has get set add delete_ size "
    "readFileSync existsSync readdirSync statSync lstatSync readFile readdir stat resolve dirname basename extname relative normalize isAbsolute cwd createHash update digest randomUUID "
    "randomBytes cpus platform freemem totalmem hostname floor ceil round max min abs random pow sqrt trunc localeCompare toLocaleString format inspect getOwnPropertyNames hasOwnProperty "
    "hasOwn fill search substring substr toJSON getMonth getDate getHours valueOf writeFileSync appendFileSync mkdirSync writeFile mkdir copyFileSync on".split()
)


def js_snippet(text: str) -> Iterator[Found]:
    """Yield the files that a snippet of JavaScript names, and `unknown` with the word that is not understood."""
    for match in _JS_REQUIRED.finditer(text):
        name = (match.group(2) or match.group(4) or match.group(6) or "").removeprefix("node:")
        if name in _JS_POWERFUL:
            yield "unknown", name
    if re.search(r"`[^`]*\$\{", text):
        text = re.sub(r"`|\$\{", " ", text)
    plain = _JS_REGEX.sub(" 0 ", _JS_STRING.sub('""', text))
    own = {name for match in _JS_NAMED.finditer(plain) for name in match.groups() if name}
    for match in _JS_BAD.finditer(plain):
        yield "unknown", match.group().strip()
    for match in _JS_CALL.finditer(plain):
        called = re.sub(r"[\s?]", "", match.group(1))
        last = called.rpartition(".")[2]
        if called not in _JS_FUNCTIONS and called not in own and ("." not in called or last not in _JS_METHODS):
            if not called.startswith("Math."):
                yield "unknown", called
    for match in re.finditer(r"""\b(?:writeFile|appendFile|mkdir|copyFile)(?:Sync)?\s*\(\s*(?:(['"])([^'"]*)\1\s*[,)])?""", text):
        yield "writes", match.group(2) or DYNAMIC
    for match in re.finditer(r"""\breadFile(?:Sync)?\s*\(\s*(['"])([^'"]*)\1""", text):
        yield "reads", match.group(2)


_MONGO_LOOK = re.compile(
    r"""(?:print(?:json)?\()?(?:db(?:\.getCollection\(['"][\w.]+['"]\)|\.[A-Za-z_]\w*)?\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|getCollectionNames|getCollectionInfos|serverStatus|version|explain|aggregate|hostInfo|currentOp|getName|runCommand)
    \((?:(?!\$out|\$merge|\$where|\$function|function|=>)[^;])*\)[\w.()\s{}:,"'$-]*|rs\.status\(\)|sh\.status\(\)|show\s\w+|db|db\.adminCommand\(['"]?[{ ]*ping[^;]*\))\)?;?""",
    re.VERBOSE,
)
_OTHER_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\#$@]|\\.|[#$@](?![{(\[]))*\"""")
_OTHER_BAD = re.compile(r"`|%x|\bqx\b|<<|[/|!#,})]\w*e\w*\b(?=\s*(?:[;)}]|$|if\b|unless\b))|\$\(|&\s*[{$]|<\$|\$\w+\s*\(|[})\]]\s*\(|\$\$|->\(|\|\s*['\"]|::Open")
"""What runs a command or a value in Perl, Ruby, Lua, PHP and R, or may."""
_OTHER_NAME = re.compile(r"(?<![\w$@%])[A-Za-z_][\w]*[!?]?")
_OTHER_NAMES = frozenset(
    "puts print p pp printf say echo cat require use my our local if unless while until for foreach in do end else elsif elif then return def next last and or not "
    "BEGIN END strict warnings join split map grep sort keys values each push shift unshift pop reverse uc lc ucfirst lcfirst length substr index sprintf chomp "
    "chop scalar defined exists int abs sqrt log exp sum max min mean median round to_s to_i to_a to_f to_h first size count each_with_index each_line inspect upcase "
    "downcase capitalize strip gsub sub match match? scan start_with? end_with? include? select reject reduce inject sort_by group_by uniq flatten zip compact "
    "tally sum any? all? none? empty? nil? File read readlines basename dirname extname exist? Dir glob JSON parse pretty_generate generate YAML load_file safe_load "
    "Time now strftime Date today to_json dig fetch key? keys times upto step format table concat insert ipairs pairs type tostring tonumber string rep find lower "
    "upper math floor ceil pi random io lines write function local nil true false null undef _VERSION RUBY_VERSION RUBY_PLATFORM PHP_VERSION PHP_EOL PHP_OS phpversion "
    "php_uname json_encode json_decode file_get_contents var_dump print_r count strlen strtoupper strtolower str_replace explode implode array array_keys array_values "
    "array_map array_sum in_array is_array isset empty ini_get extension_loaded phpinfo date time sessionInfo R version packageVersion library summary head names nrow "
    "ncol dim str paste paste0 c seq list data frame read csv json yaml set Set Struct Integer String Float Array Hash Data Dumper List Util localtime gmtime "
    "STDIN STDOUT STDERR ARGV gets each_char chars bytes ord chr hex oct pack unpack tr y s m g i x r qw q qq Gem Version VERSION Rails env puts sleep exit inspect".split()
)
"""Names that in any of these languages compute, print, or read a file that is named."""


def _other(text: str) -> str:
    """Return the first word of a snippet that is not known to do no harm in any of the languages."""
    if re.fullmatch(_PERL_EDIT, text):
        return ""
    plain = _OTHER_STRING.sub("''", text)
    bad = _OTHER_BAD.search(plain) or (re.search(r"[\"']", plain.replace("''", "")))
    if bad:
        return bad.group() or text
    return next((name for name in _OTHER_NAME.findall(plain) if len(name) > 1 and name not in _OTHER_NAMES), "")


_PERL_EDIT = re.compile(r"\s*(?:(?:s|tr|y)([/|,#!])(?:\\.|(?!\1)[^\\$@`\n])*\1(?:\\.|(?!\1)[^\\@`\n]|\$\d)*\1[gimsxr]*\s*(?:if\s+/[^/$@`(]*/)?\s*;?\s*|print(?:\s+(?:if|unless)\s+(?:/[^/$@`(]*/|\$\.\s*[<>=]+\s*\d+))?\s*;?\s*)+")


def snippet(language: Language, text: str) -> Iterator[Found]:
    """Yield what a snippet names and what of it is not understood. Pure and total."""
    if language == "python":
        yield from python_snippet(text)
    elif language == "js":
        yield from js_snippet(text)
    elif language == "mongo":
        if not _MONGO_LOOK.fullmatch(text.strip()):
            yield "unknown", text
    elif _other(text):
        yield "unknown", _other(text)
