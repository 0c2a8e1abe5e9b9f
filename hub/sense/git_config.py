"""Which settings of a repository are taken over when it is only looked at, and the file that holds them for git.

A repository may come from anywhere, and git starts whatever program its configuration names, in more than thirty
keys and more with each version. So none of it is read but what is listed here: how the repository is laid out, how
its files are compared, and what its branches follow. None of these names a program, a file or an address.
"""

from collections.abc import Iterable

from hub.sense.git_output import names

KEPT = frozenset(
    {
        *("core.repositoryformatversion", "extensions.objectformat", "extensions.refstorage"),
        *("core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode", "core.autocrlf", "core.eol"),
        *("core.trustctime", "core.checkstat", "core.sparsecheckout", "core.sparsecheckoutcone", "index.sparse"),
    }
)
KEPT_OF_EACH = {"branch": ("remote", "merge"), "remote": ("fetch",)}
"""Sections with a name in the middle, and what is kept of each: what a branch follows, and where that is noted here."""
LOCAL = frozenset({"local", "worktree"})
SETTINGS_MAX = 4_096
VALUE_CHARS_MAX = 1_024

Settings = tuple[tuple[str, str], ...]


def kept_settings(raw: bytes) -> Settings:
    """Return the repository's own settings that are taken over, in their order.

    Args:
        raw: `git config --list --show-scope -z`: scope and setting in turn, a setting's value behind a line break.
    """
    fields = names(raw)
    found = []
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        key, has_value, value = setting.partition("\n")
        if scope in LOCAL and _is_kept(key) and len(value) <= VALUE_CHARS_MAX:
            found.append((key, value if has_value else "true"))
    return tuple(found[:SETTINGS_MAX])


def origin_of(raw: bytes) -> str:
    """Return the address of the remote `origin`: to be looked at, never handed to git. `raw` as above."""
    fields = names(raw)
    found = (setting.partition("\n") for setting in fields[1::2])
    return next((value[:VALUE_CHARS_MAX] for key, _, value in found if key == "remote.origin.url"), "")


def _is_kept(key: str) -> bool:
    section, _, rest = key.partition(".")
    return key.lower() in KEPT or rest.rpartition(".")[2].lower() in KEPT_OF_EACH.get(section.lower(), ())


def config_file(settings: Iterable[tuple[str, str]]) -> str:
    """Write settings down as git reads them (git-config(1), "Syntax"); a key has no line break in any part."""
    return "".join(f"{_header(key)}\n\t{key.rpartition('.')[2]} = {_quoted(value)}\n" for key, value in settings)


def _header(key: str) -> str:
    section, _, rest = key.partition(".")
    name = rest.rpartition(".")[0]
    name = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{section} "{name}"]' if name else f"[{section}]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
