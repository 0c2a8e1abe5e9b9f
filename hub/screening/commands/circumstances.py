"""What stands around a command: settings before it, the pipe behind it, and the places that it names."""

import re
from itertools import pairwise, zip_longest

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_private, is_production, is_secret_variable, names_secret, shown_variables
from hub.screening.commands.script import ProgramCall
from hub.screening.commands.table import Arguments, ProgramEntry
from hub.screening.commands.verbs import is_quiet, runs_tests

_LOADS = re.compile(
    r"(?:(?:LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PYTHONSTARTUP|BASH_ENV|PERL5OPT|RUBYOPT|GIT_SSH_COMMAND)=."
    r"|(?:PATH|PYTHONPATH|NODE_PATH)=['\"]?(?:/tmp|/var/tmp|/dev/shm)|NODE_OPTIONS=\S*(?:require|import|loader))"
)
"""Settings that have a program load or run something else: something that nobody looked at."""
_NAMES_PLACE = re.compile(
    r"--?(?:env|environment|stage|stack|database|cluster|remote-env|target|context|settings|host|hostname|app|site|workspace|namespace"
    r"|address|endpoint|server|master|connection|broker)(?:=|$)"
    r"|.*\bprofiles?\.active="
)
_BUILDS_FOR = ("NODE_ENV=", "BUILD", "MODE=")
"""Settings that say for whom something is built; nothing that others use is touched by that."""
_TESTS_WITH = ("NODE_ENV=",)
"""Those of them by which a test chooses its database."""
_CHANGES_DATA = re.compile(r"^db:|migrat|(?:^|[:-])seed")
_FAR_SCRIPT = re.compile(r"https?://(?!localhost|127\.)\S+\.(?:sh|py|m?[jt]s|rb|pl|php|java|kts?|jar)$")
_TELLERS = frozenset({"echo", "printf", "print", "printenv"})
_OF_SHELL = frozenset({"HOME", "PATH", "PWD", "OLDPWD", "USER", "SHELL", "RANDOM", "SECONDS", "PPID", "UID"})
_PRINTERS = frozenset({"env", "printenv", "export", "set"})
_INFORMS = (["-i"], ["--info"])
"""With these words `php` prints its settings, and those that it is run with."""
_SHOWS_SECRETS = re.compile(
    r"--(?:show|with|include|reveal|print|display|export|unmask|expose)-(?:[a-z]+-)*(?:secrets?|credentials?|passwords?|tokens?)"
)
_NO = frozenset({"false", "no", "0"})
_LATER = re.compile(r"\$\(|`")
_SELECTORS = ("--query", "--format", "--output", "-o", "-f", "--jq", "-q", "--template", "--fields")
"""Options that choose what of a description is shown, where their value is no bare format: `json`, `table`."""
_BETWEEN_FIELDS = re.compile(r"[,|]|\}\s*\{")
_PLAIN_FIELD = re.compile(
    r"(?:.*[^\w$])?\w*(?:name|id|arn|status|state|phase|type|kind|mode|images?|version|revision|runtime|region|zone|url|address|port|count"
    r"|replicas|created|modified|updated|time|date|timestamp|actions|length|keys|(?<=[a-z])At)s?(?:\[[^\][]*\])*[\s'\")}\]]*"
    r"|(?:[\w-]+=)?\{?(?:range\b[^}]*|end\}?|\"[^\"]*\"\}?|'[^']*'\}?)",
    re.IGNORECASE,
)
"""A field of a description, with the path to it, that holds no setting; or what stands between two of them."""
_SHOWS_AROUND = re.compile(r"-[a-zA-Z]*[vABC]\d*|--(?:invert-match|after-context|before-context|context)(?:=.*)?")
_FILTERS = re.compile(r"(?:.*[/\\])?(?:grep|rg|egrep|fgrep|wc)", re.IGNORECASE)
_HISTORIES = frozenset({"history", "fc"})
_STAYS = re.compile(r"(?:git (?:status|diff|log)|tail|head|wc|ls|echo)(?: (?:-[A-Za-z0-9]{1,3}|--oneline|--stat|\d+))*")


def said_around(
    name: str, known: ProgramEntry, call: ProgramCall, arguments: Arguments, does: set[Effect]
) -> set[Effect]:
    """Return what settings, pipes and private places add to what a program does."""
    found = set()
    pattern, *places = [*arguments.operands, ""]
    if any(map(_LOADS.match, (*call.settings, *arguments.operands))):
        found.add(Effect.RUNS_UNKNOWN_CODE)
    told = name in _HISTORIES and call.feeds is not None and names_secret(" ".join(call.feeds.words))
    handed_out = known.has_subcommands and _asks_for_secret(arguments.operands)
    if told or handed_out or ("pattern" in known.is_ and names_secret(pattern) and any(map(is_private, places))):
        found.add(Effect.READS_SECRETS)
    if name == "envsubst" and _fills_in_secret(call, arguments.operands):
        found.add(Effect.READS_SECRETS)
    addresses = [one for one in call.words[1:] if "://" in one] if Effect.RUNS_PROJECT_CODE in does else []
    if any(map(_FAR_SCRIPT.search, addresses)):
        found.add(Effect.RUNS_UNKNOWN_CODE)
    if any(map(is_production, addresses)):
        found.add(Effect.TOUCHES_PRODUCTION)
    return found


def _fills_in_secret(call: ProgramCall, operands: list[str]) -> bool:
    """Return True if a setting may be put into a text that is named like a secret: those that it names, or any."""
    source = call.fed_by[-1].words if call.fed_by else []
    told = " ".join(source[1:]) if source[:1] in (["echo"], ["printf"]) else call.fed_text
    text = operands[0] if operands else told
    return text is None or bool(_LATER.search(text)) or any(map(is_secret_variable, shown_variables(text)))


def shows_secrets(options: dict[str, list[str]]) -> bool:
    """Return True if an option has a program print the secrets that it would else leave out: `--show-secrets`."""
    return any(_SHOWS_SECRETS.fullmatch(name) and not _NO.issuperset(values) for name, values in options.items())


def prints_setting(call: ProgramCall, operands: list[str], own: set[str]) -> bool:
    """Return True if a call prints a variable that the text does not set itself."""
    shown = {one for word in operands for one in shown_variables(word)}
    return bool(call.words) and call.words[0] in _TELLERS and bool(shown - own - _OF_SHELL)


def feeds_setting(call: ProgramCall) -> bool:
    """Return True if a call is fed a setting that is named like a secret, and what it prints goes into no file."""
    text = call.fed_text
    if not text or "$" not in text or any(one.sign.startswith((">", "&>")) for one in call.redirects):
        return False
    is_put_in = f"'{text}'" not in call.source and ("<<<" in call.source or text in call.open_words)
    return is_put_in and any(map(is_secret_variable, shown_variables(text)))


def _asks_for_secret(words: list[str]) -> bool:
    """Return True if a subcommand hands out what is named as a secret: `configure get aws_secret_access_key`."""
    return any(one == "get" and names_secret(following) for one, following in pairwise(words))


def works_on_production(call: ProgramCall, rest: list[str], exported: list[str]) -> bool:
    """Return True if an option or a setting that names a place names the one that other people use.

    To build for it, or to look, touches nothing there; a test empties the database that it is given, and a migration
    changes it.
    """
    is_test = runs_tests(call.words[1:]) or any(map(_CHANGES_DATA.search, call.words[1:]))
    if not is_test and any(map(is_quiet, call.words[1:])):
        return False
    settings = [*call.settings, *exported]
    chosen = [one for one in settings if not one.startswith(_BUILDS_FOR) or (is_test and one.startswith(_TESTS_WITH))]
    return any(is_production(one.partition("=")[2]) for one in chosen) or any(
        is_production(word.partition("=")[2] or following)
        for word, following in zip_longest(rest, rest[1:], fillvalue="")
        if _NAMES_PLACE.match(word)
    )


def filters_secrets_out(name: str, call: ProgramCall) -> bool:
    """Return True if settings are printed into a filter that lets no secret through: `env | grep PATH`."""
    prints = name in _PRINTERS or (name == "php" and call.words[1:] in _INFORMS)
    return prints and call.feeds is not None and _leaves_secrets_out(call.feeds.words)


def shows_plain_fields(call: ProgramCall, options: dict[str, list[str]]) -> bool:
    """Return True if an option, or what a description is piped into, leaves only fields of it that hold no setting."""
    chosen = [value for option in _SELECTORS for value in options.get(option, []) if value]
    if any(map(_is_plain_choice, chosen)):
        return True
    words = call.feeds.words if call.feeds else []
    is_plain = words[:1] in (["jq"], ["gojq"]) and _is_plain_choice(words[-1])
    names_settings = any("env" in one.lower() for one in words[1:])
    return is_plain or (not names_settings and _leaves_secrets_out(words))


def _is_plain_choice(said: str) -> bool:
    """Return True if a selection leaves plain fields; what its last stage makes is all that is left of the others."""
    before, _, last = said.rpartition("|")
    is_stage = all(before.count(opens) == before.count(closes) for opens, closes in ("()", "[]", "{}"))
    return all(map(_PLAIN_FIELD.fullmatch, _BETWEEN_FIELDS.split(last if is_stage else said)))


def _leaves_secrets_out(words: list[str]) -> bool:
    """Return True if a filter lets only lines through that fit a pattern which names no secret, or counts them."""
    pattern = " ".join(words[1:])
    is_filter = bool(words) and _FILTERS.fullmatch(words[0]) is not None
    return (
        is_filter
        and not any(map(_SHOWS_AROUND.fullmatch, words[1:]))
        and not names_secret(pattern)
        and "key" not in pattern.lower()
    )
