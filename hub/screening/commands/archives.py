"""What shows a folder whole, with the secrets in it: an archive that is printed, or a comparison with another folder.

Theory: to pack a folder shows nothing; to print the archive, then or later, shows each file of it.
"""

import re
from collections.abc import Collection, Iterable

from hub.screening.commands.finding import PACKERS, SHOWERS, lists_hidden, passes_on
from hub.screening.commands.operands import is_secret
from hub.screening.commands.run import ProgramRun
from hub.screening.commands.script import ProgramCall

_HERE = frozenset({".", "./"})
_OUTPUT = frozenset({"-", "/dev/stdout", "/dev/fd/1"})
_ZIPS = frozenset({"zip", "7z", "7za", "7zr", "7zz"})
_TARS = frozenset({"tar", "gtar", "bsdtar"})
_CREATES = frozenset({"-c", "--create"})
_TO_OUTPUT = frozenset({"-O", "--to-stdout", "-p", "-c", "--stdout", "-so", "-dc"})
_UNPACKERS = _TARS | _ZIPS | {"unzip", "gzip", "gunzip", "bzip2", "xz", "unxz", "zstd"}
_SHOWS_PACKED = SHOWERS | {"zcat", "gzcat", "bzcat", "xzcat", "zstdcat", "zgrep", "grep", "rg", "awk"}
_DIFFS = frozenset({"diff", "colordiff", "gdiff"})
_RECURSES, _NEW_TOO = frozenset({"-r", "--recursive"}), frozenset({"-N", "--new-file", "--unidirectional-new-file"})
_NAMES_ONLY = frozenset({"-q", "--brief", "-x", "--exclude", "-X", "--exclude-from", "--name-only", "--name-status"})
_NUMBERS = frozenset({"--stat", "--shortstat", "--numstat", "--quiet", "--summary"})
_TELLERS = frozenset({"echo", "printf", "print"})
_FILE_VALUE = re.compile(r"(?:.*=)?(?:fileb?://|(?<==)@)(.+)")
"""A word that stands for what a file holds: `file://x`, `body=@x`."""


def archive_of_all(run: ProgramRun) -> str:
    """Return the archive into which a call packs all of a folder, `-` for its output; empty if it does not."""
    options, operands = run.arguments.options, run.arguments.operands
    if run.name not in PACKERS or not lists_hidden([run.name, *run.rest]):
        return ""
    written = next((one.target for one in run.call.redirects if one.sign not in {"<", "<&"}), "-")
    if run.name in _TARS:
        named = [*options.get("-f", []), *options.get("--file", [])] if not _CREATES.isdisjoint(options) else [""]
        return written if not named or named[-1] in _OUTPUT else named[-1]
    named = operands[int(run.name != "zip") :][:1]
    return written if "-so" in options or not named or named[0] in _OUTPUT else named[0]


def shows_folder(run: ProgramRun) -> bool:
    """Return True if a call prints all files of a folder, packed or compared with those of another."""
    options, operands = run.arguments.options, run.arguments.operands
    if run.name == "cpio":
        return _prints(run.call) and not {"-o", "--create"}.isdisjoint(options) and _is_fed_hidden(run.call.fed_by)
    if run.name in PACKERS:
        return archive_of_all(run) in _OUTPUT and run.call.feeds is None
    is_comparing = run.name in _DIFFS and not (_RECURSES.isdisjoint(options) or _NEW_TOO.isdisjoint(options))
    is_comparing |= run.name == "git" and operands[:1] == ["diff"] and "--no-index" in options
    return is_comparing and not _HERE.isdisjoint(operands) and (_NAMES_ONLY | _NUMBERS).isdisjoint(options)


def prints_packed(run: ProgramRun, packed: Collection[str], full: Iterable[str]) -> bool:
    """Return True if a call prints what is in an archive into which the same text packed all of a folder.

    Args:
        run: the call.
        packed: such archives, in full.
        full: what the words of the call name, in full.
    """
    is_printed = run.name in _SHOWS_PACKED or (
        run.name in _UNPACKERS and not _TO_OUTPUT.isdisjoint(run.arguments.options)
    )
    return is_printed and any(one in packed for one in full)


def hands_over_secret(words: Iterable[str]) -> bool:
    """Return True if a word stands for what a file with secrets holds."""
    return any(is_secret(found[1]) for one in words if (found := _FILE_VALUE.fullmatch(one)))


def _prints(call: ProgramCall) -> bool:
    return call.feeds is None and not any(one.sign.startswith((">", "&>")) for one in call.redirects)


def _is_fed_hidden(sources: list[ProgramCall]) -> bool:
    """Return True if names are fed of which one may be that of a secret."""
    while sources and passes_on(sources[-1].words):
        sources = sources[-1].fed_by
    words = sources[-1].words if sources else []
    return lists_hidden(words) or (words[:1] != [] and words[0] in _TELLERS and any(map(is_secret, words[1:])))
