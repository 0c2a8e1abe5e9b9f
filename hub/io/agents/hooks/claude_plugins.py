"""Claude Code's plugins that it runs where their marketplace lies, and whose hooks it takes from there.

Written after what 2.1.330 does: of a marketplace that is a folder it copies a plugin, and runs the one in the folder;
the marketplace's own list may bring hooks along as well. Any other plugin is run where it was copied to.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence

from hub.kit.files import read_regular
from hub.kit.loose_json import object_of, objects_of, text_of

KNOWN = "plugins/known_marketplaces.json"
LIST = ".claude-plugin/marketplace.json"
OWN = ("hooks/hooks.json", ".claude-plugin/plugin.json")
"""Where a plugin has hooks, below its folder."""
LIST_BYTES_MAX = 4_194_304
SWITCHES = "enabledPlugins"


def is_on(name: str, settings: Sequence[Mapping[str, object]]) -> bool:
    """Return True if settings switch a plugin on, `NAME@MARKETPLACE`."""
    return any(object_of(one, SWITCHES).get(name) not in {None, False} for one in settings)


def is_off(name: str, settings: Sequence[Mapping[str, object]]) -> bool:
    """Return True if settings switch it off, and none on."""
    said = any(object_of(one, SWITCHES).get(name) is False for one in settings)
    return said and not is_on(name, settings)


def run_in_place(
    own: str, settings: Sequence[Mapping[str, object]]
) -> Iterator[tuple[str, str, Mapping[str, object] | None]]:
    """Yield the plugins that are on in marketplaces that this folder of Claude Code's knows.

    Each by its folder, its marketplace's list and what that says of it; None where the list cannot be read.
    """
    switched = {name for one in settings for name in object_of(one, SWITCHES) if is_on(name, settings)}
    known = _object(f"{own}/{KNOWN}") if switched else {}
    for market in known or {}:
        names = {one.removesuffix(f"@{market}") for one in switched if one.endswith(f"@{market}")}
        place = text_of(object_of(known or {}, market), "installLocation")
        if not names or not place.startswith("/") or "\0" in place:
            continue
        path = f"{place}/{LIST}"
        listed = _object(path)
        if listed is None:
            yield place, path, None
            continue
        root = text_of(object_of(listed, "metadata"), "pluginRoot")
        for one in objects_of(listed, "plugins"):
            source = text_of(one, "source")
            if text_of(one, "name") in names and "\0" not in source + root:
                yield from ((folder, path, one) for folder in _folders(place, root, source))


def _folders(place: str, root: str, source: str) -> Iterator[str]:
    folders = (os.path.normpath(os.path.join(place, one, source)) for one in ("", root))  # noqa: PTH118  a text
    yield from dict.fromkeys(folders)


def _object(path: str) -> Mapping[str, object] | None:
    """Return what a file says; nothing where it is not there, None where it cannot be read."""
    try:
        found = json.loads(read_regular(path, LIST_BYTES_MAX)[0])
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
