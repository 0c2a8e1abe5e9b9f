"""Mask secrets in a text without hiding a word, a command, a path, a database, an option or a host.

Theory: what is masked is what a person does not see before they say yes, so only what has a secret's shape goes: one
run of letters, digits and a few signs, where a secret is expected, that mixes letters and digits as no word does. No
blank, line break, quote or `$` is ever part of what is hidden: of a private key each line is hidden alone, and only
where nothing else stands in it.

`hunter2` has the shape of `prod1db`, so what stands before a value decides. A place is *sure* where the value is the
secret of that name in every program: after `NAME=`, a key of JSON or YAML, `--password` itself, in a URL, after the
option of a program that is known for it (`curl -u me:…`, `mysql -p…`). Elsewhere (`--delete-secret-key`, `--secret`,
behind `ghp_`) only a value is hidden that is longer and more mixed than any name. Only a password may be short: what is
called a token, a secret or a key is long, and a short value there (`secret=customers2024`) names a thing. A blank may
stand between a name and its value only where no shell would run that value as a command of its own (`token= x`).

A value is shown where its name is used: where a variable of that name is read (`dropdb $pwd`, but not `Bearer $token`,
where the secret itself would be hidden). A text that computes with its own words (`base64 -d | sh`, `env | xargs`,
`python -c`) is shown whole on a card (`is_computing`), for there a hidden value could be what runs. A phrase is never
hidden, nor a word of twelve letters. What nothing names is not hidden, however random: a commit, the address of a
wallet and a program in base64 look the same. The mark says how much is hidden, and stands where it was.

Every pattern looks at its text once, and at a value no further than `VALUE_CHARS_MAX`: no input makes it slow.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from hub.kit.text import counted

VALUE_CHARS_MAX = 256
NAMED_CHARS_MIN = 6
"""A shorter value after a name is no secret worth hiding."""
BEARER_CHARS_MIN = 16
STRONG_CHARS_MIN = 20
LETTERS_CHARS_MIN = 30
"""A shorter value of letters alone may be words; also of a longer one some capitals begin no word."""
CAPITALS_MIN = 4
KEY_CHARS_MIN = 32
"""A shorter private key may be the name of its file."""
TOKEN_CHARS_MIN = 16
"""A shorter value that is no password's may be the name of a thing."""
SLASHED_CHARS_MIN = 32
"""A shorter value with a slash in it may be a path."""
NAME_CHARS_MAX = 64
"""A variable with a longer name counts as used."""
WORD_CHARS = 4
"""So many letters in a row, of one case or capitalised, with a vowel, read like a word."""
WORD_CHARS_MAX = 12
"""So many letters in a row are never hidden, whatever they are."""
DOTTED_END_CHARS_MIN = 16
"""A dotted value whose last part is shorter may be a host, a file or a version."""
_WORDY_SHARE = 0.5
_PARTS_SHARE = 0.4

_LETTERS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_VOWEL = re.compile(r"[aeiouyAEIOUY]")
_APART = re.compile(r"[-_.]+")
_ODD_CAPITAL = re.compile(r"[A-Z](?![a-z])")

_NAMES = r"(?:pass(?:word|wd|phrase)|pwd|secret(?:[-_ ]?key)?|token|credential|(?:api|access|private|auth)[-_ ]?key)"
_NAME = rf"(?P<name>(?i:{_NAMES}))"
_BEGINS = r"(?:(?m:^)[ \t]{0,32}(?:[-+][ \t]{0,32})?|[\"'])"
"""The beginning of a line, also in a list or a diff, or a quote: what follows is no operand of a command before it."""
_QUOTE = r"\\?[\"']"
_SCHEME = r"(?:proxy-)?authorization[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?(?:basic|token|bearer)"
_VALUE = re.compile(rf"[A-Za-z0-9!#%^*+?~@._/-]{{1,{VALUE_CHARS_MAX}}}+={{0,2}}")
_READ_IN_VALUE = re.compile(r"%\w+%|!\w+!")
_KEY = re.compile(r"(?s)-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?P<body>.*?)(?=-----|\Z)")
_KEY_LINE = re.compile(
    r"(?:\n|\\n)[+-]?[ \t]{0,32}[\"']?(?P<value>[A-Za-z0-9+][A-Za-z0-9+/]{39,}={0,2})"
    r"(?=[\"']?[ \t]{0,32}(?:\Z|[\r\n\\]))"
)
"""A line of a private key that stands alone, also where `\\n` is written for its break."""
_KEY_PIECE = re.compile(r"[A-Za-z0-9+=]{8,}")
"""What of it is hidden: a slash and short names stay, so that a path is seen to be one."""


def mask(text: str, beside: str = "") -> str:
    """Return `text` with each secret replaced by a mark such as `⟨hidden: 36 characters⟩`; idempotent.

    `beside` is what runs together with it: what that reads of `text` by its name is no secret of it.
    """
    parts, at = [], 0
    for start, end in _joined(sorted(_spans(text, beside))):
        parts += [text[at:start], _mark(end - start)]
        at = end
    return "".join((*parts, text[at:]))


def is_computing(text: str) -> bool:
    """Return True if it may make a value of its own words without naming it, or run one: then all of it is shown."""
    return _COMPUTES.search(text) is not None


def _mark(chars: int) -> str:
    return f"⟨hidden: {counted(chars, 'character')}⟩"


def _joined(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Make one of those that overlap."""
    start, end = 0, 0
    for first, last in spans:
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        end = max(end, last)
    if end > start:
        yield start, end


def _spans(text: str, beside: str) -> Iterator[tuple[int, int]]:
    yield from _named(text, beside)
    for found in _IN_URL.finditer(text):
        if not _reads_like_words(found["value"]):
            yield found.span("value")
    for pattern in _TOKENS:
        yield from (found.span("value") for found in pattern.finditer(text) if _is_strong(found["value"]))
    for key in _KEY.finditer(text):
        for line in _KEY_LINE.finditer(text, *key.span("body")):
            if _is_key_line(line["value"]):
                yield from (piece.span() for piece in _KEY_PIECE.finditer(text, *line.span("value")))


class _Secret(NamedTuple):
    """What may be a secret: where it stands, and what stands before it."""

    start: int
    end: int
    before: re.Match[str]


def _named(text: str, beside: str) -> Iterator[tuple[int, int]]:
    """Yield where secrets stand that something names, but for those that are used under that name."""
    places = tuple(_places(text))
    unsure = {kind for kind, said in _UNSURE if places and said.search(text)}
    secrets = tuple(_secrets(text, places, unsure))
    names = {one: _variables(one.before) for one in secrets if "name" in one.before.re.groupindex}
    passed = {place.end() for place in places if _is_sure(place, VALUE_CHARS_MAX, unsure)}
    passed |= {one.before.start() for one in names}
    read = set(
        _read(f"{text}\n{beside}", frozenset(name.casefold() for found in names.values() for name in found), passed)
    )
    for one in secrets:
        if not any(
            name in _OF_THE_SHELL or len(name) > NAME_CHARS_MAX or name.casefold() in read
            for name in names.get(one, ())
        ):
            yield one.start, one.end


def _places(text: str) -> Iterator[re.Match[str]]:
    """Yield what says of the place behind it that a secret is expected there."""
    if _HINT.search(text):
        for pattern in _BEFORE:
            yield from pattern.finditer(text)
    for program, of, option in _OPTIONS_OF:
        for command in of.finditer(text) if program.search(text) else ():
            yield from (found for found in option.finditer(text, *command.span("rest")) if found["place"] is not None)
    yield from _IN_URL_BEFORE.finditer(text)


def _secrets(text: str, places: Iterable[re.Match[str]], unsure: Collection[str]) -> Iterator[_Secret]:
    for before in places:
        value = _VALUE.match(text, before.end()) if before.re is not _IN_URL_BEFORE else None
        if value is None or not _is_named(value[0]) or _is_run(before):
            continue
        if _is_strong(value[0]) or _is_sure(before, len(value[0]), unsure):
            yield _Secret(*value.span(), before)


def _is_run(found: re.Match[str]) -> bool:
    """Whether the value is given to a variable of PowerShell, which runs it: `$token = name`, without quotes."""
    groups = found.groupdict()
    return bool(groups.get("variable")) and not groups.get("quote")


def _is_sure(before: re.Match[str], chars: int, unsure: Collection[str]) -> bool:
    """Whether what stands before a value of so many characters says that it is a secret, in whatever command."""
    if before.re is _BEARER:
        return chars >= BEARER_CHARS_MIN
    groups = before.groupdict()
    name = groups.get("name") or ""
    if _KEY_NAME.fullmatch(name):
        return chars >= KEY_CHARS_MIN
    if name and not _PASSWORD.fullmatch(name) and chars < TOKEN_CHARS_MIN:
        return False
    if groups.get("option") is None:
        return True
    option = groups["option"] + name
    if "argument" in unsure or ("password" in unsure and groups.get("blank") and name.casefold().startswith("pass")):
        return False
    return bool(_SURE_OPTION.fullmatch(option) or (not groups.get("blank") and _GIVEN_OPTION.search(option)))


def _variables(found: re.Match[str]) -> tuple[str, ...]:
    """Return the names under which a value can be read; `-vpwd=x` is the variable `pwd` behind an option."""
    end = found.end("name")
    name = _WORD_END.search(found.string, max(0, end - NAME_CHARS_MAX - 1), end)
    if name is None:
        return ()
    letter = name.start() - 1
    is_behind_letter = letter >= 0 and found.string[letter] == "-" and found.string[letter - 1 : letter] != "-"
    return (name[0], name[0][1:]) if is_behind_letter else (name[0],)


def _read(text: str, names: Collection[str], passed: Collection[int]) -> Iterator[str]:
    """Yield which variables are read with a sign of their language: `$name`, `%name%`."""
    for found in _READ.finditer(text):
        name = found[found.lastindex or 0].casefold()
        if name in names and found.start() not in passed:
            yield name


def _reads_like_words(value: str) -> bool:
    """Whether there are words in it: one that is long, or two and more that make up most of it."""
    runs = _LETTERS.findall(value)
    if any(len(run) >= WORD_CHARS_MAX for run in runs):
        return True
    parts = [part for part in _APART.split(value) if len(part) > 1 and part.isalpha()]
    if len(parts) > 1 and sum(map(len, parts)) >= _PARTS_SHARE * len(value):
        return True
    words = [run for run in runs if len(run) >= WORD_CHARS and _VOWEL.search(run)]
    return len(words) > 1 and sum(map(len, words)) >= _WORDY_SHARE * len(value)


def _has(value: str, *kinds: str) -> bool:
    return all(re.search(kind, value) for kind in kinds)


def _is_named(value: str) -> bool:
    """Whether the value of a secret's name has a secret's shape: no path, host, file, option, word or number."""
    if len(value) < NAMED_CHARS_MIN or value[0] in "-./~" or _reads_like_words(value):
        return False
    if "." in value and len(value.rpartition(".")[2]) < DOTTED_END_CHARS_MIN:
        return False
    if "/" in value and len(value) < SLASHED_CHARS_MIN:
        return False
    return _has(value, "[a-z]", "[A-Z]", "[0-9]") if "/" in value or "@" in value else _has(value, "[A-Za-z]", "[0-9]")


def _is_strong(value: str) -> bool:
    """Whether it is longer and more mixed than any name."""
    if len(value) < STRONG_CHARS_MIN or _reads_like_words(value) or not _has(value, "[a-z]", "[A-Z]"):
        return False
    return _has(value, "[0-9]") or (
        len(value) >= LETTERS_CHARS_MIN and len(_ODD_CAPITAL.findall(value)) >= CAPITALS_MIN
    )


def _is_key_line(value: str) -> bool:
    """Whether it mixes both cases and digits as base64 does, and is not words without spaces."""
    return _has(value, "[a-z]", "[A-Z]", "[0-9]") and not _reads_like_words(value)


_SHELLS = r"(?:ba|da|z|k|fi)?sh"
_RUNNERS = rf"(?:{_SHELLS}|python[\d.]*|node|deno|bun|perl|ruby|php|osascript|mongosh?|psql|mysql)"
_COMPUTES = re.compile(
    # programs and functions that read the environment, words or data without their names
    r"\b(?:xargs|parallel|eval|printenv|compgen|environ(?!\[|\.get)|mapfile|readarray|declare|typeset"
    r"|base(?:32|64)|b(?:32|64|85)decode|atob|unhexlify|fromhex|xxd)\b"
    r"|\b(?:env|set|export[ \t]+-p)[ \t]*(?:[|;&>)\r\n]|\Z)|\bset[ \t]+--|\bread[ \t]+-?\w|/proc/\S{0,64}env"
    # what a part of the text prints becomes words, a file or a script; a shell's indirect names, parts, functions
    r"|\$\(|[<>]\(|`[^`\n]{1,256}`|\balias\b"
    r"|\$\{!|\$\{\w{1,64}[#%/:^,@]|\bIFS=|\w\(\)[ \t]*\{"
    # code that is given to who runs it
    r"|\b(?:exec|system|popen|spawn|getattr|globals|locals|vars)\("
    rf"|\|&?[ \t]*(?:\S{{0,64}}/)?(?:{_RUNNERS}|source)\b"
    rf"|\b{_RUNNERS}\b[^\n|;&]{{0,256}}?[ \t](?:-[a-zA-Z]{{0,4}}[ceErf](?!\w)|--eval|--command|--execute|-?[ \t]*<<)"
    r"|\b(?:[gm]?awk|psql)\b[^\n|;&]{0,256}?[ \t]-v"
)
"""What makes a value of its text without its name, or runs code that stands there: anything may be what that reads."""
_OF_THE_SHELL = frozenset({"PWD", "OLDPWD"})
"""Its own folders: `cd -` reads one without its name."""
_READ = re.compile(r"\$\{?[!#]?(?:(?i:env|script|global|local):)?(\w+)|\$\((\w+)\)|%(\w+)%|!(\w+)!")
"""How a shell, PowerShell, make or a batch file reads a variable."""
_WORD_END = re.compile(r"\w+\Z")
_PASSWORD = re.compile(r"(?i)pass(?:word|wd|phrase)|pwd")
_KEY_NAME = re.compile(r"(?i)(?:private|access)[-_ ]?key")
_SURE_OPTION = re.compile(
    r"(?i)--?(?:(?<=--)(?:access|admin|api|auth|bearer|client|db|new|registry|root|user)[-_])?"
    r"(?:pass(?:word|wd|phrase)|token|(?:api|secret)[-_]?key|(?<=client[-_])secret)"
)
"""An option that takes a secret in every program that has it; others show, delete, export or ask for one."""
_GIVEN_OPTION = re.compile(r"(?i)(?:pass(?:word|wd|phrase)|token|api[-_]?key)\Z")
"""The same behind `=`, where no option is without a value."""
_UNSURE = (
    # where a command reads its own operands, an option may be one of them
    ("argument", re.compile(r"(?<!print )\$\{?[0-9@*]|(?i:argv|\$args)")),
    # for these `--password` alone asks for one, and what follows is a database, a user or a command
    (
        "password",
        re.compile(r"\b(?:psql|pgcli|usql|pg_|(?:create|drop|vacuum|reindex|cluster)(?:db|user)|mysql|mariadb)"),
    ),
)

_BEARER = re.compile(r"[\"'](?i:bearer[ \t]{1,3})")
_BEFORE = (
    _BEARER,
    *map(
        re.compile,
        (
            # NAME=value, --password=value, ?token=value
            rf"(?P<variable>\$[\w:.{{]*?)?(?P<option>(?<![\w.-])--?[\w.-]*?)?{_NAME}[\"']?=(?P<quote>{_QUOTE})?",
            # "NAME":"value"
            rf"{_NAME}{_QUOTE}[ \t]{{0,3}}:[ \t]{{0,3}}{_QUOTE}",
            # a key of JavaScript: {NAME: "value"}
            rf"[{{,(][ \t]{{0,3}}[\w.]{{0,64}}?{_NAME}[ \t]{{0,3}}:[ \t]{{0,3}}[\"']",
            # NAME = value, "NAME": value
            rf"{_BEGINS}[\w.-]{{0,64}}?{_NAME}[\"']?(?:[ \t]{{0,3}}:|[ \t]{{1,3}}=)[ \t]{{1,3}}(?:{_QUOTE})?",
            rf"\$[\w:.{{]*?{_NAME}[ \t]{{0,3}}=[ \t]{{0,3}}[\"']",
            # -H NAME:value
            rf"(?<!\S)(?:-H|--header)[ =]?[\"']?[\w-]{{0,64}}?{_NAME}:[ \t]{{0,3}}",
            # --password value
            rf"(?P<option>(?<![\w.-])--?(?:(?<=--)[\w.-]*?)?){_NAME}(?P<blank>[ \t]{{1,3}})[\"']?",
            # Authorization: Basic value, Bearer value
            rf"{_BEGINS}(?i:{_SCHEME}[ \t]{{1,3}})",
        ),
    ),
)
"""What stands before a value that is a secret if it has a secret's shape."""
_HINT = re.compile(r"(?i:pass|pwd|secret|token|credential|key|bearer|authorization)")


def _of(programs: str) -> re.Pattern[str]:
    """Return what finds the commands of some programs, up to where the command ends for certain."""
    wrapped = r"(?:(?:sudo|time|exec|command|then|do|else|if|!)[ \t]{1,3}){0,3}"
    set_before = r"(?:\w{1,64}=[^\s;&|'\"`$()]{0,128}[ \t]{1,3}){0,4}"
    in_quotes = (rf"{q}(?:[^\s{q}`()]*|(?=[^\n{q}]*[ \t])[^\n;&|{q}`()]*){q}" for q in "\"'")
    rest = rf"(?:[^\s;&|()`\"'\\]|[ \t]|\\[^\"'`]|{'|'.join(in_quotes)})*"
    return re.compile(
        rf"(?:(?m:^)|[;&|(`\"'])[ \t]{{0,8}}{wrapped}{set_before}(?:[\w./~-]{{0,128}}/)?"
        rf"(?:{programs})(?=\s)(?P<rest>{rest}[\"']?[^\s\"']{{0,{VALUE_CHARS_MAX}}})"
    )


def _option(option: str) -> re.Pattern[str]:
    """Return what finds the place behind an option, and none within quotes."""
    return re.compile(rf"(?P<place>(?<!\S){option})|\"[^\"]*\"|'[^']*'")


_NAMED_USER = r"[\"']?[^\s;&|'\"`<>(){}$,:]{1,128}:"
_OPTIONS_OF = tuple(
    (re.compile(programs), _of(programs), _option(option))
    for programs, option in (
        ("curl", rf"(?:-[fgikLsSv]{{0,8}}[uU]|--user|--proxy-user)[ =]?{_NAMED_USER}"),
        ("https?|xh", rf"(?:-a|--auth)[ =]?{_NAMED_USER}"),
        (r"(?:mysql|mariadb)[\w-]{0,32}", r"-p[\"']?"),
        (r"(?:docker|podman|nerdctl)[ \t]{1,3}login", r"-p[ \t]{1,3}[\"']?"),
    )
)
"""The options after which a secret stands in the commands of some programs."""

_IN_URL_BEFORE = re.compile(r"://[^\s/:@]{0,128}:(?=[^\s/@]{1,256}@(?!sha\d))")
_IN_URL = re.compile(rf"{_IN_URL_BEFORE.pattern}(?=(?P<value>[A-Za-z0-9!%*+=~._-]{{1,256}}+)@)")
"""scheme://name:value@host; here one short word is hidden, too."""
_BEGINS_WORD = r"(?:(?<=://)|(?<![\w./~@-])|(?m:(?<=^-)))"
_KINDS = r"(?:sk-(?:ant-|proj-)?|gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[abeprs]-|AIza)"
_TOKENS = tuple(
    re.compile(_BEGINS_WORD + kind)
    for kind in (
        rf"{_KINDS}(?P<value>[\w-]{{{STRONG_CHARS_MIN},{VALUE_CHARS_MAX}}}+)(?![/.]\w)",
        r"eyJ(?P<value>[\w-]{8,1024}+\.[\w-]{8,2048}+(?:\.[\w-]{0,1024}+)?)",
    )
)
"""Well-known kinds of tokens, also where nothing names them; the key of AWS (AKIA) is no secret, but a name."""
