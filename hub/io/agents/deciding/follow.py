"""What decides what a command runs: its own files by the table, and those of each command that it starts in its turn.

Theory: a person who lets a command run alone has seen its words and the names of files behind them. As long as all of
those files are as they were, it is the same command. So every file has to be known: where one cannot be (an unknown
runner, an include that is computed, a line for a shell), `unclear` says why, and nothing runs alone on it.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from hub.domain.plan import AnyPlan, Plan, cannot
from hub.domain.provenance import say
from hub.io.agents.deciding import settings
from hub.io.agents.deciding.code import follow_javascript, follow_python, module_files
from hub.io.agents.deciding.lines import read_line, script_lines, setting_name
from hub.io.agents.deciding.look import DecidingFiles
from hub.io.agents.deciding.makefiles import Makefile, chosen
from hub.io.agents.deciding.table import OWN_PROGRAMS, STARTS_NOTHING, VERSION_FILES, Reads, Runner, runner_of
from hub.io.agents.defining import DEFINING_BYTES_MAX, read_regular

DEPTH_MAX = 8
COMMANDS_MAX = 200
ARGUMENTS_MAX = 64
HEAD_BYTES = 200
SHELLS = frozenset({"sh", "bash", "dash"})
PYTHON_MODULES = frozenset({"pytest", "unittest", "tox", "nox", "coverage", "ruff", "mypy"})
"""What `python -m` starts that is installed, and has a line in the table."""
_PYTHON_FLAGS = frozenset({"-B", "-u", "-I", "-E", "-s", "-S", "-P", "-q", "-v", "-O", "-OO", "-b", "-bb"})
_SHELL_FLAGS = re.compile(r"-[eux]+")
_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+([^\r\n]*))?")
_SHIMS = "shims"
"""Where version managers put what stands for the chosen version's programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _RunPlace:
    """Where a command is started: its folder, the folders of programs that come first, and how deep it is nested."""

    folder: Path
    first: tuple[Path, ...] = ()
    depth: int = 0


def held(
    plan: Plan, search_path: str | None, more: Iterable[str] = (), everywhere: frozenset[str] = frozenset()
) -> AnyPlan:
    """Return a plan with the files that decide what its command runs, as they are now; reads, and may block.

    `more` are names of files in its folder that decide beside those, `everywhere` those that do so anywhere below it.
    Without a plan a file is too long for a text.
    """
    look = DecidingFiles(Path(plan.folder))
    for path in (*(look.folder / name for name in more), *(look.below(everywhere) if everywhere else ())):
        look.whole(path)
    _Following(look, search_path).command(plan.argv, _RunPlace(folder=look.folder))
    if look.too_long:
        return cannot(
            say(
                "{name} is longer than {limit} KiB, so Pulse cannot check that it is what you see.",
                name=look.too_long[0],
                limit=DEFINING_BYTES_MAX // 1024,
            )
        )
    files = {file.path: file for file in (*look.files, *plan.defined_by)}
    return structs.replace(plan, defined_by=tuple(files.values())).doubted(look.unclear)


class _Following:
    def __init__(self, look: DecidingFiles, search_path: str | None) -> None:
        self._look = look
        self._search_path = search_path if search_path is not None else os.environ.get("PATH", os.defpath)
        self._commands = 0

    def command(self, words: tuple[str, ...], place: _RunPlace) -> _RunPlace:
        """Follow one command; return where the next one of its line is started."""
        self._commands += 1
        if place.depth > DEPTH_MAX or self._commands > COMMANDS_MAX or len(words) > ARGUMENTS_MAX:
            self._look.doubt(say("it starts more commands, or with more words, than can be followed"))
            return place
        program, arguments = words[0], words[1:]
        if program == "cd":
            return self._into(arguments, place)
        path = self._found(program, place)
        if program in STARTS_NOTHING and (path is None or not self._look.is_inside(path)):
            return place
        name, runner = runner_of(Path(program).name)
        if path is None:
            self._look.doubt(say("the program {program} was not found", program=program[:60]))
        else:
            self._program(path, place)
        self._arguments(arguments, place)
        if runner is not None:
            self._files(runner, place)
        if path is not None and not self._is_installed(path, place):
            self._script(path, place)
        elif runner is None:
            self._look.doubt(say("Pulse does not know what {name} reads", name=name[:60]))
        else:
            self._reader(name, runner, arguments, replace(place, depth=place.depth + 1))
        return place

    def line(self, text: str, place: _RunPlace) -> _RunPlace:
        """Follow the commands of a line; return where the next line is started."""
        read = read_line(text)
        if read.unclear.text:
            self._look.doubt(read.unclear)
        for words in read.commands:
            place = self.command(words, place)
        return place

    def _into(self, arguments: tuple[str, ...], place: _RunPlace) -> _RunPlace:
        folder = place.folder / (arguments[0] if len(arguments) == 1 else "..")
        if not Path(os.path.realpath(folder)).is_relative_to(self._look.folder) or not folder.is_dir():
            self._look.doubt(say("it goes to a folder outside of this one"))
        return replace(place, folder=Path(os.path.normpath(folder)))

    def _found(self, program: str, place: _RunPlace) -> Path | None:
        """Return the file that is started, as it is written."""
        if os.sep in program:
            path = place.folder / program
            return path if path.is_file() else None
        search = os.pathsep.join((*map(str, place.first), self._search_path))
        found = shutil.which(program, path=search)
        return None if found is None else Path(found)

    def _is_installed(self, path: Path, place: _RunPlace) -> bool:
        """Return True for a program on the path, or of those that are installed for the project.

        A file of the project's own that bears a runner's name is no such runner.
        """
        searched = {os.path.realpath(each) for each in self._search_path.split(os.pathsep) if each}
        own = {os.path.realpath(above / name) for above in self._look.above(place.folder) for name in OWN_PROGRAMS}
        folder = os.path.realpath(path.parent)
        is_common = folder in searched and not Path(folder).is_relative_to(self._look.folder)
        return is_common or folder in own or path.parent in place.first

    def _program(self, path: Path, place: _RunPlace) -> None:
        """Keep a program's digest, that of the interpreter that it names, and what chooses a version of it."""
        self._look.program(path)
        if path.parent.name == _SHIMS:
            self._beside(VERSION_FILES, (*self._look.above(place.folder), Path.home()))
            self._beside(("version",), (path.parent.parent,))
        self._beside(("pyvenv.cfg", "etc/npmrc"), (path.parent.parent,))
        interpreter = self._interpreter(path, place)
        if interpreter is not None and interpreter[0] is not None:
            self._look.program(interpreter[0])

    def _interpreter(self, path: Path, place: _RunPlace) -> tuple[Path | None, str] | None:
        """Return what a script's first line names, with its name; None where there is no such line."""
        found = _SHEBANG.match(read_regular(path, HEAD_BYTES) or b"")
        if found is None:
            return None
        program, rest = (part.decode(errors="replace").strip() for part in found.groups(default=b""))
        if Path(program).name == "env":
            return (self._found(rest, place), rest) if re.fullmatch(r"[\w.]+", rest) else (None, "")
        is_known = not rest or _SHELL_FLAGS.fullmatch(rest) is not None
        return (Path(program), Path(program).name if is_known else "") if Path(program).is_file() else (None, "")

    def _arguments(self, arguments: tuple[str, ...], place: _RunPlace) -> None:
        """Keep the digest of each file that an argument names, behind an option, too."""
        for word in arguments:
            for name in {word, word.partition("=")[2], word[2:] if word.startswith("-") else ""}:
                if name and "\0" not in name and len(name) < DEFINING_BYTES_MAX:
                    self._look.whole(place.folder / name)

    def _files(self, runner: Runner, place: _RunPlace) -> None:
        above = self._look.above(place.folder)
        paths = {name: [place.folder / name] for name in runner.files}
        paths |= {name: [folder / name for folder in above] for name in runner.upwards}
        for name in runner.at_home:
            paths[name] = [*paths.get(name, ()), *settings.at_home(name)]
        for path in (path for each in paths.values() for path in each):
            self._look.whole(path)
        for name, word in runner.loading:
            for path in paths[name]:
                if word in (self._look.text(path) or "").lower():
                    self._look.doubt(
                        say(
                            "{name} says “{word}”, and may so load other files",
                            name=self._look.name_of(path),
                            word=word,
                        )
                    )

    def _beside(self, names: Iterable[str], folders: Iterable[Path]) -> None:
        for folder in folders:
            for name in names:
                self._look.whole(folder / name)

    def _script(self, path: Path, place: _RunPlace) -> None:
        """Follow a file of the project that is started."""
        interpreter = self._interpreter(path, place)
        name = runner_of(interpreter[1])[0] if interpreter is not None else ""
        if name in SHELLS:
            self._shell_file(path, place)
        elif name == "python":
            follow_python(self._look, path, Path(os.path.realpath(path)).parent)
        else:
            self._look.doubt(say("{name} is a program of its own", name=self._look.name_of(path)))

    def _shell_file(self, path: Path, place: _RunPlace) -> None:
        inner = replace(place, depth=place.depth + 1)
        text = self._look.text(path)
        if text is None:
            self._look.doubt(say("{name} is not there yet", name=self._look.name_of(path)))
        for line in script_lines(text or ""):
            inner = self.line(line, inner)

    def _reader(self, name: str, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        """Follow what a known runner starts in its turn."""
        readers: dict[Reads, Callable[[], object]] = {
            "make": lambda: self._make(runner, arguments, place),
            "scripts": lambda: self._package(name, runner, arguments, place),
            "tox": lambda: self._tox(runner, arguments, place),
            "inner": lambda: self._inner(name, runner, arguments, place),
            "python": lambda: self._python(arguments, place),
            "shell": lambda: self._shell(arguments, place),
            "pytest": lambda: self._pytest(runner, arguments, place),
            "javascript": lambda: self._javascript(name, runner, arguments, place),
            "git": lambda: self._git(runner, arguments, place),
            "nothing": lambda: self._options(name, runner, arguments, place),
            "program": lambda: self._look.doubt(
                say("what {name} reads is a program, which may start anything", name=name)
            ),
        }
        readers[runner.reads]()

    def _options(self, name: str, runner: Runner, arguments: Iterable[str], place: _RunPlace) -> tuple[str, ...]:
        """Return what are no options; note an option that is not known, and what lies outside of the folder."""
        operands: list[str] = []
        words = list(arguments)
        while words:
            word = words.pop(0)
            option, is_joined, value = word.partition("=")
            short = word[:2] if not word.startswith("--") and len(word) > 2 else ""  # noqa: PLR2004  a dash, a letter, and more
            if word in runner.flags:
                continue
            if short in runner.valued or (is_joined and option in runner.valued | runner.flags):
                self._value(value if is_joined else word[2:])
            elif word in runner.valued:
                self._value(words.pop(0) if words else "")
            elif word.startswith("-"):
                self._look.doubt(
                    say("Pulse does not know what {option} makes {name} read", option=option[:60], name=name)
                )
            else:
                operands.append(word)
                self._stays(word, place)
        if runner.commands and (not operands or operands[0] not in runner.commands):
            self._look.doubt(
                say("Pulse does not know what {command} reads", command=" ".join((name, *operands[:1]))[:60])
            )
        return tuple(operands)

    def _value(self, value: str) -> None:
        if value.startswith(("/", "~", "..", "$")):
            self._look.doubt(say("{value} lies outside of the folder", value=value[:60]))

    def _stays(self, operand: str, place: _RunPlace) -> None:
        path = place.folder / operand.partition("::")[0]
        if operand.startswith("~") or "\0" in operand or not self._look.is_inside(path):
            self._look.doubt(say("{value} lies outside of the folder", value=operand[:60]))

    def _make(self, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        words, goals, named = list(arguments), list[str](), list[str]()
        given: dict[str, str] = {}
        while words:
            word = words.pop(0)
            if word in {"-C", "-f"} and words:
                value = words.pop(0)
                place = self._into((value,), place) if word == "-C" else place
                named += [value] if word == "-f" else []
            elif setting_name(word):
                given[setting_name(word)] = word.partition("=")[2]
            elif not word.startswith("-"):
                goals.append(word)
            elif word not in runner.flags and not re.fullmatch(r"-j\d*", word):
                self._look.doubt(say("Pulse does not know what {word} makes make read", word=word[:60]))
        makefiles = Makefile(self._look, place.folder, given)
        for name in named or [chosen(self._look, place.folder)]:
            makefiles.read(name)
        makefiles.run(tuple(goals), lambda text: self._recipe(text, place))

    def _recipe(self, text: str, place: _RunPlace) -> None:
        is_comment = text.startswith("#") and "\\" not in text  # what continues a comment for make runs for the shell
        if text and not is_comment:
            self.line(text, place)

    def _package(self, name: str, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        wanted = list(self._options(name, runner, (word for word in arguments if word != "--package-lock-only"), place))
        if wanted == ["install"] and "--package-lock-only" in arguments:
            return
        if wanted[:1] in (["run"], ["run-script"]):
            wanted = wanted[1:]
        else:
            wanted = ["test"] if wanted in (["t"], ["test"]) and name != "bun" else []
        for file in settings.yarn_files(self._look, place.folder):
            self._look.whole(file)
        lines = settings.package_lines(self._look, place.folder, wanted[0]) if len(wanted) == 1 else ()
        if not lines:
            self._look.doubt(say("package.json has no script for {command}", command=" ".join((name, *arguments))[:60]))
        first = tuple(above / "node_modules" / ".bin" for above in self._look.above(place.folder))
        for line in lines:
            self.line(line, replace(place, first=(*first, *place.first)))

    def _inner(self, name: str, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        """Follow `uv run`, `poetry run` and `coverage run`, whose other arguments are a command."""
        at = arguments.index("run") if "run" in arguments else len(arguments)
        command = at + 1
        while command < len(arguments) and arguments[command].startswith("-") and arguments[command] != "-m":
            command += 2 if arguments[command] in runner.valued else 1
        self._options(name, runner, arguments[:command], place)
        rest = arguments[command:]
        if not rest:
            return
        if name == "coverage":
            self._python(rest, place)
            return
        programs = place.folder / ".venv" / "bin"
        if not programs.is_dir():
            self._look.doubt(say("the environment that {name} makes is not in .venv yet", name=name))
        self.command(rest, replace(place, first=(programs, *place.first)))

    def _python(self, arguments: tuple[str, ...], place: _RunPlace) -> None:
        words = list(arguments)
        while words and words[0] in _PYTHON_FLAGS:
            words.pop(0)
        if not words:
            self._look.doubt(say("a Python without a file waits for what it runs"))
        elif words[0] == "-m" and len(words) > 1:
            self._module(words[1], tuple(words[2:]), place)
        elif words[0].startswith("-"):
            self._look.doubt(say("Pulse does not know what {word} makes Python run", word=words[0][:60]))
        else:
            path = place.folder / words[0]
            self._stays(words[0], place)
            follow_python(self._look, path, Path(os.path.realpath(path)).parent)

    def _module(self, name: str, arguments: tuple[str, ...], place: _RunPlace) -> None:
        own = module_files(place.folder, name)
        _, runner = runner_of(name)
        for file in own:
            follow_python(self._look, file, place.folder)
        if runner is not None and name in PYTHON_MODULES:
            self._files(runner, place)
            if not own:
                words = arguments[1:] if (name, *arguments[:1]) == ("unittest", "discover") else arguments
                self._reader(name, runner, words, place)
        elif not own:
            self._look.doubt(
                say("the module {name} is not part of this project, so Pulse cannot tell what it reads", name=name[:60])
            )

    def _shell(self, arguments: tuple[str, ...], place: _RunPlace) -> None:
        words = list(arguments)
        while words and _SHELL_FLAGS.fullmatch(words[0]):
            words.pop(0)
        if words[:1] == ["-c"] and len(words) == 2:  # noqa: PLR2004  the option and its line
            self.line(words[1], place)
        elif len(words) == 1 and not words[0].startswith("-"):
            self._stays(words[0], place)
            self._shell_file(place.folder / words[0], place)
        else:
            self._look.doubt(say("Pulse does not know what this shell runs"))

    def _tox(self, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        self._options("tox", runner, arguments, place)
        programs = tuple(sorted(place.folder.glob(".tox/*/bin")))
        for line in settings.tox_lines(self._look, place.folder):
            self.line(line, replace(place, first=programs))

    def _pytest(self, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        words = (*settings.pytest_options(self._look, place.folder, arguments), *arguments)
        rest, plugins = settings.without_plugins(words)
        self._options("pytest", runner, rest, place)
        for name in (*plugins, *settings.conftest_plugins(self._look)):
            for file in module_files(place.folder, name):
                self._look.text(file)

    def _javascript(self, name: str, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        self._options(name, runner, arguments, place)
        for file in runner.files:
            if (place.folder / file).is_file():
                follow_javascript(self._look, place.folder / file)

    def _git(self, runner: Runner, arguments: tuple[str, ...], place: _RunPlace) -> None:
        self._options("git", runner, arguments, place)
        settings.follow_git(self._look, place.folder)
