"""Mask secrets in a text without hiding verb, path or destination.

Only a value goes: the name before it, the program, the host after it stay. A value that is a path, a URL or a shell
variable is no secret and stays too, so nothing that would run can hide behind `password=`.
Every pattern reads its text in one pass; none can be made slow by a long input.
"""

import re

HIDDEN = "⟨hidden⟩"

_NAMES = r"(?:pass(?:word|wd|phrase)|pwd|secret(?:[-_ ]?key)?|token|credential|(?:api|access|private|auth)[-_ ]?key)"
_END = r"\s;&|'\"`<>(){}$,"
_PATH = rf"(?:~|\.{{1,2}})?(?:/[A-Za-z0-9._-]{{1,64}}){{1,16}}/?(?=[{_END}]|\Z)"
_KEEP = rf"(?!{_PATH}|[A-Za-z][A-Za-z0-9+.-]{{0,16}}://|{HIDDEN})"
_PLAIN = rf"[^{_END}]+"
# A quoted value of several words is taken for a passphrase only if it cannot be a command with a path.
_QUOTED = r"(?<=')[^'\s]+|(?<=\")[^\"\s$`]+"
_PHRASE = r"(?<=')[^'\n/;|&<>~$]{1,80}(?=')|(?<=\")[^\"\n/;|&<>~$`]{1,80}(?=\")"
_VALUE = rf"{_KEEP}(?:{_PHRASE}|{_QUOTED}|{_PLAIN})"
_SECRETIVE = rf"(?=[^{_END}]{{0,200}}[0-9]|[^{_END}]{{0,200}}[^\w{_END}.:-])"
_KEY_LINE = r"[A-Za-z0-9+/=]{40,76}"
_KEY_MORE = rf"(?:\s{{1,4}}{_KEY_LINE})*(?:\s{{1,4}}[A-Za-z0-9+/=]{{1,39}}(?=\s{{0,4}}-----END))?"

_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # NAME=value, NAME: value in JSON, ?token=value
        rf"(?i)(?P<keep>{_NAMES}[\"']?\s{{0,3}}=\s{{0,3}}[\"']?){_VALUE}",
        rf"(?i)(?P<keep>{_NAMES}[\"']\s{{0,3}}:\s{{0,3}}[\"']){_VALUE}",
        # name: value, where the value looks like no word, or the line is just that
        rf"(?i)(?P<keep>{_NAMES}:[ \t]{{0,3}}[\"']?){_SECRETIVE}{_VALUE}",
        rf"(?im)(?P<keep>^[ \t-]{{0,16}}[\w.-]{{0,40}}{_NAMES}:[ \t]{{0,3}}[\"']?){_VALUE}(?=[\"']?[ \t]{{0,8}}$)",
        # --password value
        rf"(?i)(?P<keep>(?<![\w-])--?[\w-]{{0,32}}{_NAMES}[ \t]{{1,3}}[\"']?)(?!-){_VALUE}",
        # curl -u name:value
        rf"(?P<keep>(?<!\S)(?:-u|--user)[ =]?[\"']?[^{_END}:]{{1,128}}:)(?!\d+(?!\S)){_VALUE}",
        # scheme://name:value@host
        r"(?P<keep>://[^\s/:@]{0,128}:)[^\s/@]{1,256}(?=@)",
        # Authorization: Basic value, Bearer value
        rf"(?i)(?P<keep>authorization[\"']?\s{{0,3}}[:=]\s{{0,3}}[\"']?(?:basic|bearer|token)\s{{1,3}}){_VALUE}",
        rf"(?i)(?P<keep>\bbearer\s{{1,3}}){_SECRETIVE}{_VALUE}",
        # well-known kinds of tokens
        r"(?P<keep>\bsk-(?:ant-|proj-)?)(?=[\w-]{0,200}[A-Z])(?=[\w-]{0,200}[0-9])[\w-]{20,}",
        r"(?P<keep>\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|xox[abeprs]-))[\w-]{16,}",
        r"(?P<keep>\b(?:AKIA|ASIA))[0-9A-Z]{16}\b",
        r"(?P<keep>\bAIza)[\w-]{30,}",
        r"(?P<keep>\beyJ)[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?",
        rf"(?P<keep>-----BEGIN [A-Z ]{{0,32}}PRIVATE KEY-----\s{{0,4}}){_KEY_LINE}{_KEY_MORE}",
    )
)


def mask(text: str) -> str:
    """Return `text` with the values of secrets replaced; idempotent."""
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\g<keep>{HIDDEN}", text)
    return text
