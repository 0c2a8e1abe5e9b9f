"""Reading the settings of single runners: what they start or load beside what their command says."""

import configparser
import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from hub.domain.provenance import say
from hub.io.agents.deciding.code import plugin_modules
from hub.io.agents.deciding.lines import HARMLESS_SETTINGS
from hub.io.agents.deciding.look import DecidingFiles
from hub.io.agents.deciding.table import PYTEST_FILES

HOOKS_MAX = 64
CONFIG = ".config/"
PYTEST_NAMES = frozenset({"conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"})
"""What pytest takes up from any folder below, too."""
_PYTEST_TABLES = (("tool", "pytest", "ini_options"), ("tool", "pytest"), ("pytest",))
_PYTEST_SECTIONS = {"setup.cfg": "tool:pytest"}
_TOX_COMMANDS = ("commands_pre", "commands", "commands_post")
_TOX_POSARGS = re.compile(r"\{posargs(?::([^{}]*))?\}")
_TOX_WORDS = (("{envpython}", "python"), ("{toxinidir}", "."), ("{tox_root}", "."))
_YARN_PATH = re.compile(r"""^\s*(?:yarnPath:|yarn-path)\s*["']?([^"'\n]+)""", re.MULTILINE)
_GIT_STARTS = (
    "hookspath", "[filter", "[include", "sshcommand", "fsmonitor", "[alias", "helper", "program", "textconv", "[diff",
    "[merge", "pager", "editor", "worktree", "ext::", "uploadpack", "receivepack", "proxy",
)  # fmt: skip
"""Words in the settings of a repository that name programs, or other settings."""


def pytest_options(look: DecidingFiles, folder: Path, arguments: Iterable[str]) -> tuple[str, ...]:
    """Return the options that pytest's settings add, of all files that it might take them from."""
    asked = (folder / word.partition("::")[0] for word in arguments if "\0" not in word)
    named = (each for path in asked if look.is_inside(path) for each in (path, *path.parents) if each.is_dir())
    walked = (path.parent for path in look.below(PYTEST_NAMES) if path.name != "conftest.py")
    places = (*look.above(folder), *(each for each in named if look.is_inside(each)), *walked)
    words: list[str] = []
    for place in dict.fromkeys(places):
        for name in PYTEST_FILES:
            text = look.text(place / name)
            if text:
                words += _added(look, place / name, text)
    return tuple(words)


def _added(look: DecidingFiles, path: Path, text: str) -> list[str]:
    """Return the options in one file of settings; one that leads out of the folder, or cannot be read, is unclear."""
    if path.suffix == ".toml":
        tables = [_table(look, path, text, names) for names in _PYTEST_TABLES]
    else:
        tables = [_sections(look, path, text).get(_PYTEST_SECTIONS.get(path.name, "pytest"), {})]
    words: list[str] = []
    for table in tables:
        try:
            words += _listed(table.get("addopts", ""))
            places = [*_listed(table.get("testpaths", "")), *_listed(table.get("pythonpath", ""))]
        except ValueError:
            look.doubt(say("{name} cannot be read", name=look.name_of(path)))
            continue
        if any(place.startswith(("/", "~", "$")) or ".." in place for place in places):
            look.doubt(say("{name} leads out of the folder", name=look.name_of(path)))
    return words


def _listed(value: object) -> list[str]:
    """Return a setting as words."""
    return list(map(str, value)) if isinstance(value, list) else shlex.split(str(value))


def without_plugins(words: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return pytest's words without the plugins that they load, and those."""
    rest: list[str] = []
    plugins: list[str] = []
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word == "-p" and waiting:
            plugins.append(waiting.pop(0))
        elif word.startswith("-p") and not word.startswith("--"):
            plugins.append(word[2:])
        else:
            rest.append(word)
    return tuple(rest), tuple(name for name in plugins if not name.startswith("no:"))


def conftest_plugins(look: DecidingFiles) -> tuple[str, ...]:
    """Read every conftest.py of the project, and return the modules that they load as plugins."""
    found = (path for path in look.below(PYTEST_NAMES) if path.name == "conftest.py")
    return tuple(name for path in found for name in plugin_modules(look, path))


def package_lines(look: DecidingFiles, folder: Path, script: str) -> tuple[str, ...]:
    """Return what a script of package.json stands for, with those that run before and after it."""
    try:
        package = json.loads(look.text(folder / "package.json") or "{}")
    except (ValueError, RecursionError):
        package = {}
    scripts = package.get("scripts") if isinstance(package, dict) else None
    if not isinstance(scripts, dict) or not isinstance(scripts.get(script), str):
        return ()
    lines = (scripts.get(name) for name in (f"pre{script}", script, f"post{script}"))
    return tuple(line for line in lines if isinstance(line, str) and line)


def yarn_files(look: DecidingFiles, folder: Path) -> Iterator[Path]:
    """Return the programs that yarn's settings put in its place."""
    for place in dict.fromkeys((*look.above(folder), Path.home())):
        for name in (".yarnrc", ".yarnrc.yml"):
            for found in _YARN_PATH.finditer(look.text(place / name) or ""):
                yield place / found.group(1).strip()


def tox_lines(look: DecidingFiles, folder: Path) -> tuple[str, ...]:
    """Return the commands of tox's environments; other formats than that of tox.ini are not followed."""
    text = look.text(folder / "tox.ini")
    if text is None or (folder / "tox.toml").exists():
        look.doubt(say("the environments of tox are not in a tox.ini"))
        return ()
    sections = _sections(look, folder / "tox.ini", text)
    lines: list[str] = []
    for options in sections.values():
        for name in options.get("setenv", options.get("set_env", "")).splitlines():
            if name.strip() and name.partition("=")[0].strip() not in HARMLESS_SETTINGS:
                look.doubt(say("tox sets {name}", name=name.strip()[:60]))
        lines += [
            _tox_line(line) for key in _TOX_COMMANDS for line in options.get(key, "").splitlines() if line.strip()
        ]
    return tuple(lines)


def _tox_line(line: str) -> str:
    line = _TOX_POSARGS.sub(lambda found: found.group(1) or "", line.strip().lstrip("-!"))
    for word, meant in _TOX_WORDS:
        line = line.replace(word, meant)
    return line


def follow_git(look: DecidingFiles, folder: Path) -> None:
    """Read the repository's settings and its hooks, which are programs of their own."""
    top = next((above for above in look.above(folder) if (above / ".git").exists()), None)
    if top is None or not (top / ".git").is_dir():
        look.doubt(say("its git folder lies elsewhere"))
        return
    for name in ("config", "config.worktree", "info/attributes"):
        text = (look.text(top / ".git" / name) or "").lower()
        word = next((word for word in _GIT_STARTS if word in text), "")
        if word:
            look.doubt(say(".git/{name} says “{word}”, and may so start something", name=name, word=word))
    look.whole(top / ".gitattributes")
    hooks = [path for path in sorted((top / ".git" / "hooks").glob("*")) if path.suffix != ".sample"]
    for path in hooks[:HOOKS_MAX]:
        look.whole(path)
        look.doubt(say("the hook {name} may start anything", name=path.name))


def at_home(name: str) -> tuple[Path, ...]:
    """Return the files of the person's that a name in the table stands for: a full path, or one below the home folder.

    Programs look for what lies in .config where XDG_CONFIG_HOME says; what is started may not be told of that.
    """
    below, moved = name.removeprefix(CONFIG), os.environ.get("XDG_CONFIG_HOME", "")
    places = (Path.home() / name, *((Path(moved) / below,) if moved and below != name else ()))
    return tuple(dict.fromkeys(path for place in places for path in sorted(place.parent.glob(place.name))))


def _sections(look: DecidingFiles, path: Path, text: str) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except (configparser.Error, ValueError):
        look.doubt(say("{name} cannot be read", name=look.name_of(path)))
        return {}
    return {name: dict(parser.items(name)) for name in parser.sections()}


def _table(look: DecidingFiles, path: Path, text: str, names: tuple[str, ...]) -> dict[str, Any]:
    try:
        table: Any = tomllib.loads(text)
    except (ValueError, RecursionError):
        look.doubt(say("{name} cannot be read", name=look.name_of(path)))
        return {}
    for name in names:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    return table if isinstance(table, dict) else {}
