"""Which settings of a repository are taken over when it is only looked at, and the file that holds them for git.

A repository may come from anywhere, and git starts whatever program its configuration names, in more than thirty
keys and more with each version. So none of it is read but what is listed here: how the repository is laid out, how
its files are compared, and what its branches follow. None of these names a program, a file or an address.

A filter that is not run leaves a file as it lies in the work tree, and that may be a secret which git holds encrypted.
So each filter of a repository's own is replaced by one of ours that lets nothing through.
"""

from collections.abc import Iterable, Iterator

from hub.sense.git_output import names

KEPT = frozenset(
    {
        *("core.repositoryformatversion", "extensions.objectformat", "extensions.refstorage"),
        *("core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode", "core.autocrlf", "core.eol"),
        *("core.trustctime", "core.checkstat", "core.sparsecheckout", "core.sparsecheckoutcone", "index.sparse"),
        *("push.default", "remote.pushdefault"),
    }
)
KEPT_OF_EACH = {"branch": ("remote", "merge", "pushremote"), "remote": ("fetch", "push", "mirror")}
"""Sections with a name in the middle, and what is kept of each: what a branch follows, where it is pushed, and where
that is noted here."""
LOCAL = frozenset({"local", "worktree"})
SETTINGS_MAX = 4_096
VALUE_CHARS_MAX = 1_024
FILTER_KEYS = frozenset({"clean", "process"})
NOT_SHOWN = "(not shown: a filter of this repository changes what git stores of this file)"

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


def own_filters(raw: bytes) -> frozenset[str]:
    """Return the names of the filters that are the person's own, so that git runs them here, too. `raw` as above."""
    filters = tuple(_filters(raw))
    return frozenset(name for scope, name in filters if scope not in LOCAL).difference(_of_repository(filters))


def shut_filters(raw: bytes) -> Settings:
    """Return settings that replace each filter of the repository's own by one that lets nothing of a file through.

    Where it cannot be run, git gives no answer at all: it is required. `raw` as above.
    """
    lines = (("clean", f"echo '{NOT_SHOWN}'"), ("required", "true"))
    names_of = sorted(_of_repository(_filters(raw)))
    return tuple((f"filter.{name}.{key}", value) for name in names_of for key, value in lines)


def _of_repository(filters: Iterable[tuple[str, str]]) -> frozenset[str]:
    return frozenset(name for scope, name in filters if scope in LOCAL)


def _filters(raw: bytes) -> Iterator[tuple[str, str]]:
    """Yield scope and name of each filter that says what git stores of a file."""
    fields = names(raw)
    for scope, setting in zip(fields[::2], fields[1::2], strict=False):
        section, _, rest = setting.partition("\n")[0].partition(".")
        name, _, key = rest.rpartition(".")
        if section.lower() == "filter" and name and key.lower() in FILTER_KEYS:
            yield scope, name


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
