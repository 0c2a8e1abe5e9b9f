"""Mask secrets in a text without hiding a word, a command, a path, an option or a host.

Theory: what is masked is what a person does not see before they say yes, so only what has a secret's shape goes: one
run of letters, digits and a few signs, where a secret is expected (after a name, in a URL, behind a known beginning),
that mixes letters and digits as no word does. No blank, line break, quote or `$` is ever part of what is hidden: of a
private key each line is hidden alone, and only where nothing else stands in it. A blank may stand between a name and
its value only where no shell would run that value as a command of its own (`token= x`, `env -u bearer x`): the name is
an option, begins its line or follows a quote. Nor is the value of a variable hidden that is read again, but for where
the secret itself would be hidden (`dropdb $pwd`, but not `Bearer $token`). A phrase is never hidden, nor a word of
twelve letters; a shorter one with digits (hunter2) after `password=` is. What nothing names is not hidden, however
random: a commit, the address of a wallet and a program in base64 look the same. The mark says how much is hidden, and
stands where it was.

Every pattern looks at its text once, and at a value no further than `VALUE_CHARS_MAX`: no input makes it slow.
"""

import re
from collections.abc import Callable, Iterator

from hub.kit.text import counted

VALUE_CHARS_MAX = 256
NAMED_CHARS_MIN = 6
"""A shorter value after a name is no secret worth hiding."""
TOKEN_CHARS_MIN = 16
SLASHED_CHARS_MIN = 32
"""A shorter value with a slash in it may be a path."""
READS_MAX = 50
"""A variable that is read more often counts as used: each place is looked at."""
BEFORE_CHARS_MAX = 160
"""So far before it is looked for what says that a secret is expected."""
NAME_CHARS_MAX = 64
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

_NAMES = r"(?:pass(?:word|wd|phrase)|pwd|secret(?:[-_ ]?key)?|token|credential|(?:api|access|private|auth)[-_ ]?key)"
_BEGINS = r"(?:(?m:^)[ \t]{0,32}(?:[-+][ \t]{0,32})?|[\"'])"
"""The beginning of a line, also in a list or a diff, or a quote: what follows is no operand of a command before it."""
_SCHEME = r"(?:proxy-)?authorization[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?(?:basic|token|bearer)"
_VALUE = rf"(?=(?P<value>[A-Za-z0-9!#%^*+?~@._/-]{{1,{VALUE_CHARS_MAX}}}+={{0,2}}))"
_TOKEN = rf"(?=(?P<value>[\w-]{{{TOKEN_CHARS_MIN},{VALUE_CHARS_MAX}}}+))"
_KEY = re.compile(r"(?s)-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----(?P<body>.*?)(?=-----|\Z)")
_KEY_LINE = re.compile(
    r"(?:\n|\\n)[+-]?[ \t]{0,32}[\"']?(?P<value>[A-Za-z0-9+][A-Za-z0-9+/]{39,}={0,2})"
    r"(?=[\"']?[ \t]{0,32}(?:\Z|[\r\n\\]))"
)
"""A line of a private key that stands alone, also where `\\n` is written for its break."""
_KEY_PIECE = re.compile(r"[A-Za-z0-9+=]{8,}")
"""What of it is hidden: a slash and short names stay, so that a path is seen to be one."""


def mask(text: str) -> str:
    """Return `text` with each secret replaced by a mark such as `⟨hidden: 36 characters⟩`; idempotent."""
    parts, at = [], 0
    for start, end in _joined(sorted(_spans(text))):
        parts += [text[at:start], _mark(end - start)]
        at = end
    return "".join((*parts, text[at:]))


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


def _spans(text: str) -> Iterator[tuple[int, int]]:
    reads = _reads(text)
    for pattern, is_secret in _PATTERNS:
        for found in pattern.finditer(text):
            if is_secret(found["value"]) and not _is_run(found) and not _is_used(found, reads):
                yield found.span("value")
    for key in _KEY.finditer(text):
        for line in _KEY_LINE.finditer(text, *key.span("body")):
            if _is_key_line(line["value"]):
                yield from (piece.span() for piece in _KEY_PIECE.finditer(text, *line.span("value")))


def _is_run(found: re.Match[str]) -> bool:
    """Whether the value is given to a variable of PowerShell, which runs it: `$token = name`, without quotes."""
    groups = found.groupdict()
    return bool(groups.get("variable")) and not groups.get("quote")


def _reads(text: str) -> dict[str, list[int]]:
    """Return where each variable is read, as a shell, PowerShell, make or a batch file reads it."""
    places: dict[str, list[int]] = {}
    for found in _READ.finditer(text):
        places.setdefault(found[found.lastindex or 0].casefold(), []).append(found.start())
    return places


def _is_used(found: re.Match[str], reads: dict[str, list[int]]) -> bool:
    """Whether the value is a variable's that is read where nothing would be hidden: as a command, a file, a host."""
    if "name" not in found.re.groupindex:
        return False
    name = _WORD_END.search(found.string, max(0, found.end("name") - NAME_CHARS_MAX), found.end("name"))
    places = [place for place in reads.get(name[0].casefold(), ()) if place != found.start()] if name else []
    return len(places) > READS_MAX or not all(
        _EXPECTED.search(found.string, max(0, place - BEFORE_CHARS_MAX), place) for place in places
    )


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


def _is_token(value: str) -> bool:
    """Whether what follows the beginning of a known kind of token is the rest of one."""
    return _has(value, "[0-9]") and not _reads_like_words(value)


def _is_in_url(value: str) -> bool:
    """Whether what stands before the @ of a URL is a password; here one short word is hidden, too."""
    return not _reads_like_words(value)


def _is_key_line(value: str) -> bool:
    """Whether it mixes both cases and digits as base64 does, and is not words without spaces."""
    return _has(value, "[a-z]", "[A-Z]", "[0-9]") and not _reads_like_words(value)


_NAMED = (
    # NAME=value, "NAME":"value", ?token=value
    rf"(?P<variable>\$[\w:.{{]*?)?(?P<name>(?i:{_NAMES}))[\"']?[=:](?P<quote>[\"'])?",
    # NAME = value, "NAME": "value"
    rf"{_BEGINS}[\w.-]{{0,64}}?(?P<name>(?i:{_NAMES}))[\"']?(?:[ \t]{{0,3}}:|[ \t]{{1,3}}=)[ \t]{{1,3}}[\"']?",
    rf"\$[\w:.{{]*?(?P<name>(?i:{_NAMES}))[ \t]{{0,3}}=[ \t]{{0,3}}[\"']",
    # --password value
    rf"(?<![\w-])-(?:-[\w-]{{0,32}}|[\w-]{{0,32}}(?i:(?!pwd)))(?i:{_NAMES})[ \t]{{1,3}}[\"']?",
    # curl -u name:value
    r"(?<!\S)(?:-u|--user)[ =]?[\"']?[^\s;&|'\"`<>(){}$,:]{1,128}:",
    # Authorization: Basic value, Bearer value
    rf"{_BEGINS}(?i:{_SCHEME}[ \t]{{1,3}})",
    r"[\"'](?i:bearer[ \t]{1,3})",
)
"""What stands before a value that is a secret if it has a secret's shape."""
_IN_URL = r"://[^\s/:@]{0,128}:"
_EXPECTED = re.compile(r"(?:" + "|".join(re.sub(r"\?P<\w+>", "?:", each) for each in (*_NAMED, _IN_URL)) + r")\Z")
_READ = re.compile(r"\$\{?[!#]?(?:(?i:env|script|global|local):)?(\w+)|\$\((\w+)\)|%(\w+)%")
_WORD_END = re.compile(r"\w+\Z")
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = tuple(
    (re.compile(pattern), is_secret)
    for pattern, is_secret in (
        *((f"{before}{_VALUE}", _is_named) for before in _NAMED),
        # scheme://name:value@host
        (rf"{_IN_URL}(?=(?P<value>[A-Za-z0-9!%*+=~._-]{{1,256}}+)@)", _is_in_url),
        # well-known kinds of tokens
        (rf"\bsk-(?:ant-|proj-)?{_TOKEN}", _is_token),
        (rf"\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[abeprs]-){_TOKEN}", _is_token),
        (r"\b(?:AKIA|ASIA)(?=(?P<value>[0-9A-Z]{16})\b)", _is_token),
        (rf"\bAIza{_TOKEN}", _is_token),
        (r"\beyJ(?=(?P<value>[\w-]{8,1024}+\.[\w-]{8,2048}+(?:\.[\w-]{0,1024}+)?))", _is_token),
    )
)
