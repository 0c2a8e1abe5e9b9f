"""The page's scripts and styles are held like Python: short files, imports that point down, no cycles."""

import graphlib
import re
import statistics
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.house.source import ROOT, project_files, short

FILE_LINES_MAX = 300
"""Less than Python's 700: a file is loaded whole. How long a function may be stands in eslint.config.mjs."""
FILE_LINES_MEDIAN = 150
SUFFIXES = {".js", ".mjs", ".cjs", ".css"}
SCRIPTS = ROOT / "surfaces" / "web" / "page" / "js"
LAYERS = {
    "shared": ("shared/*.js",),
    "figures": ("views/*-model.js", "views/*-math.js", "views/*-path.js"),
    "data": ("api.js", "early.js", "format.js", "passkey.js", "words.js", "zones.js"),
    "model": (
        "answers.js",
        "coding-agents.js",
        "failures.js",
        "keep.js",
        "safe.js",
        "live.js",
        "presence.js",
        "push.js",
        "queue.js",
        "repositories.js",
        "snapshot.js",
        "state.js",
        "terminals-here.js",
        "titles.js",
        "together.js",
    ),
    "drawing": ("dom.js",),
    "views": ("views/*.js",),
    "app": ("main.js", "app.js"),
}
"""From the lowest up: who imports whom. A script is in the first layer that names it."""
ALONE = ("shared", "figures", "drawing")
"""What imports nothing: the service worker and the tests load it by itself."""
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`])//[^\n]*", re.DOTALL)
IMPORT = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"'\n]+\.js)["']""")
COMPUTED = re.compile(r"\bimport\(\s*[^\"'\s]")


def scripts() -> dict[str, str]:
    """Each script's name below js/, and its text."""
    found = {path.relative_to(SCRIPTS).as_posix(): path.read_text(encoding="utf-8") for path in SCRIPTS.rglob("*.js")}
    assert found
    return found


def layer_of(name: str) -> str:
    return next((layer for layer, patterns in LAYERS.items() if any(fnmatch(name, one) for one in patterns)), "")


def named_in(name: str, text: str) -> set[str]:
    """The scripts that a text names to import, at once, later, or for their types."""
    folder = (SCRIPTS / name).parent
    return {(folder / one).resolve().relative_to(SCRIPTS).as_posix() for one in IMPORT.findall(text)}


def imported(name: str, text: str) -> set[str]:
    """The scripts that are loaded with a script, or later by it."""
    return named_in(name, COMMENT.sub("", text))


def upward(sources: dict[str, str]) -> list[str]:
    """Each import of a higher layer, types too: what knows a view's types knows the view."""
    rank = {layer: place for place, layer in enumerate(LAYERS)}
    return [
        f"{name} ({layer_of(name)}) imports {other} ({layer_of(other)})"
        for name, text in sorted(sources.items())
        for other in sorted(named_in(name, text))
        if rank[layer_of(other)] > rank[layer_of(name)]
    ]


def cycle(sources: dict[str, str]) -> list[str]:
    """One circle of imports, or nothing."""
    graph = {name: imported(name, text) for name, text in sources.items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def lengths(below: str = "") -> dict[str, int]:
    named: dict[str, Path] = {short(path): path for path in project_files() if path.suffix in SUFFIXES}
    return {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for name, path in named.items()
        if name.startswith(below)
    }


def test_no_script_or_style_is_long() -> None:
    assert {name: lines for name, lines in lengths().items() if lines > FILE_LINES_MAX} == {}


def test_most_of_the_page_is_in_short_files() -> None:
    assert statistics.median(lengths("surfaces/web/page/").values()) < FILE_LINES_MEDIAN


def test_every_script_has_a_layer_and_every_layer_its_scripts() -> None:
    names = list(scripts())
    assert [name for name in names if not layer_of(name)] == []
    patterns = [pattern for patterns in LAYERS.values() for pattern in patterns]
    assert [one for one in patterns if not any(fnmatch(name, one) for name in names)] == []


def test_imports_point_down() -> None:
    assert upward(scripts()) == []


@pytest.mark.slow
def test_no_script_comes_back_to_itself() -> None:
    assert cycle(scripts()) == []


def test_what_is_loaded_alone_imports_nothing() -> None:
    assert {
        name: found for name, text in scripts().items() if layer_of(name) in ALONE and (found := imported(name, text))
    } == {}


def test_only_the_app_computes_what_it_imports() -> None:
    assert [
        name for name, text in scripts().items() if COMPUTED.search(COMMENT.sub("", text)) and layer_of(name) != "app"
    ] == []


def test_an_import_of_a_view_is_seen_in_each_of_its_forms() -> None:
    forms = [
        'import { open } from "./views/details.js";',
        'import {\n  open,\n} from "./views/details.js";',
        'import "./views/details.js";',
        'export { open } from "./views/details.js";',
        'const { open } = await import("./views/details.js");',
        '/** @param {import("./views/details.js").Open} open */',
    ]
    for text in forms:
        assert upward({"state.js": text}) == ["state.js (model) imports views/details.js (views)"]
    assert upward({"main.js": forms[0], "views/details.js": 'import { state } from "../state.js";'}) == []


def test_a_circle_is_seen_even_where_one_import_comes_later() -> None:
    there, back = 'import { b } from "./queue.js";', 'await import("./answers.js");'
    assert set(cycle({"answers.js": there, "queue.js": back})) == {"answers.js", "queue.js"}
    assert cycle({"answers.js": there, "queue.js": f"/** {back} */"}) == []
