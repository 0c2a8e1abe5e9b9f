"""What stands around a command: settings before it, the pipe behind it, and the places that it names."""

import re
from itertools import zip_longest

from hub.contract.effects import Effect
from hub.screening.commands.operands import is_private, is_production, names_secret
from hub.screening.commands.shell import ProgramCall
from hub.screening.commands.table import Arguments, ProgramEntry

_LOADS = re.compile(
    r"(?:(?:LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|PYTHONSTARTUP|BASH_ENV|PERL5OPT|RUBYOPT|GIT_SSH_COMMAND)=."
    r"|(?:PATH|PYTHONPATH|NODE_PATH)=['\"]?(?:/tmp|/var/tmp|/dev/shm)|NODE_OPTIONS=\S*(?:require|import|loader))"
)
"""Settings that have a program load or run something else: something that nobody looked at."""
_NAMES_PLACE = re.compile(
    r"--?(?:env|environment|stage|stack|database|cluster|remote-env|target|context|settings|host|hostname|app|site|workspace|namespace)(?:=|$)"
    r"|.*\bprofiles?\.active="
)
_BUILDS_FOR = ("NODE_ENV=", "BUILD", "MODE=")
"""Settings that say for whom something is built; nothing that others use is touched by that."""
_HISTORIES = frozenset({"history", "fc"})


def said_around(name: str, known: ProgramEntry, call: ProgramCall, arguments: Arguments) -> set[Effect]:
    """Return what settings, pipes and private places add to what a program does."""
    found = set()
    pattern, *places = [*arguments.operands, ""]
    if any(map(_LOADS.match, (*call.settings, *arguments.operands))):
        found.add(Effect.RUNS_UNKNOWN_CODE)
    told = name in _HISTORIES and call.feeds is not None and names_secret(" ".join(call.feeds.words))
    if told or ("pattern" in known.is_ and names_secret(pattern) and any(map(is_private, places))):
        found.add(Effect.READS_SECRETS)
    return found


def names_production(rest: list[str], settings: list[str]) -> bool:
    """Say whether an option or a setting that names a place names the one that other people use."""
    return any(is_production(one.partition("=")[2]) for one in settings if not one.startswith(_BUILDS_FOR)) or any(
        is_production(word.partition("=")[2] or following)
        for word, following in zip_longest(rest, rest[1:], fillvalue="")
        if _NAMES_PLACE.match(word)
    )
