"""What else a call has run: the words behind it, the value of an option, a script, what comes in through a pipe."""

import re
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import get_args

from hub.contract.effects import Effect
from hub.screening.commands import code, sql
from hub.screening.commands.arrivals import ContentOrigin, is_code
from hub.screening.commands.bringing import READERS, CallBringer
from hub.screening.commands.circumstances import shows_plain_fields
from hub.screening.commands.emptied import is_made_empty
from hub.screening.commands.finding import found_files, searched_folders
from hub.screening.commands.limits import TASKS_MAX
from hub.screening.commands.operands import is_secret, is_system, is_temporary, names_secret
from hub.screening.commands.places import LOSES, FilePlace
from hub.screening.commands.run import ASSIGNMENT, INSTALLED, ProgramRun, is_flagged, name_of, reads_script
from hub.screening.commands.script import ProgramCall
from hub.screening.commands.scripts import awk_program, sed_script
from hub.screening.commands.shell import echoed
from hub.screening.commands.snippet_names import DYNAMIC, SnippetDeedKind
from hub.screening.commands.snippets import Language, snippet
from hub.screening.commands.strictness import (
    describes,
    is_plain_setting,
    is_search_path,
    names_elsewhere,
    setting_doubt,
    written_by,
)
from hub.screening.commands.table import counting, may_be_projects, program
from hub.screening.commands.unnamed import held_places
from hub.screening.commands.verbs import by_name, said_of_stranger

_SUBSTITUTED = re.compile(r"\$\(|`|<\(|\$[\w@*]+$|\$\{\w+(?:\[[^\]]*\])?\}$")
_TELLS_WHAT_RUNS = {
    "shell": frozenset({"-c"}),
    "python": frozenset({"-c", "-m"}),
    "js": frozenset({"-e", "--eval", "-p", "--print", "-pe", "-ep"}),
    "code": frozenset({"-e", "-E", "--eval"}),
    "perl": frozenset({"-e", "-E"}),
    "ruby": frozenset({"-e"}),
    "php": frozenset({"-r", "-R", "--run"}),
    "r": frozenset({"-e"}),
    "lua": frozenset[str](),
}
"""Options that hold the program themselves, so that the first operand is no script: by the interpreter's name where it
has its own, else by its language. Lua's `-e` runs before the script, and does not replace it."""
_WITH_SUBCOMMANDS = frozenset({"js", "code"})
"""Languages with an interpreter that has subcommands: `deno test`, `swift build`."""
_ANY_WORDS = re.compile(r"\$(?:[@*]|\{?\w+(?:\[[^\]]*\])?\}?)")
"""A variable alone in the place of a script: it may hold `-c` and a command as well."""
_FETCHING = frozenset({"-y", "--yes", "--package", "--from", "--with"})
"""Options by which a runner of packages fetches one instead of starting the project's own."""
_STDIN = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
_LANGUAGES: dict[str, Language] = {language: language for language in get_args(Language)}
_PUTS = re.compile(r"-I|--replace")
INPUT = "$(xargs)"
"""Stands for what a command is fed as words."""
_MAKE_VARIABLE = re.compile(r"([\w.-]+)\s*(!=|:{0,3}=|[+?]=)\s*(.*)", re.DOTALL)
_MAKE_CALL = re.compile(r"\$[({](?:shell|file|eval|call|foreach|guile|load)\b")
_INSTALLS_TO = re.compile(r"DESTDIR|prefix|exec_prefix|root|\w+dir", re.IGNORECASE)
_INPUTS = re.compile(r":::+\+?")
_GLUED_VALUE = re.compile(r"(--?[\w-]+)=")
_RUNS_TOOLS = frozenset({"npm", "pnpm", "yarn", "yarnpkg", "bun"})
"""What runs a tool of the project where no task has its name."""
_FILTERS = READERS - {"perl", "ruby", "python", "python3", "node", "openssl"}
"""What prints lines of files, as they are or changed a little."""
_TASK_AND_WORD = 2
"""A task, and a word that may be another: what follows is a task only of a program whose words all are."""
_BETWEEN_TASKS = re.compile(r"[;,]")
_BESIDE_NAME = re.compile(r"^[~+]+|\[.*|[*{}].*")
"""What stands beside a name of a task: `~compile`, `db:drop[x]`, `deploy:*`."""
_OPEN = re.compile(r"\$\(|`|\$\{?[A-Za-z_]")

_MODULE = re.compile(r"(?:-[A-Za-z]*m|--module=?)(.*)")


class CallFollower(CallBringer):
    """Reads what a call has run."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.followers: dict[str, Callable[[ProgramRun, list[str]], None]] = {
            "argv": self.argv,
            "again": self.again,
            "text": self.joined,
            "texts": self.each,
            "first": self.first,
            "value": self.value,
            "after": self.after,
            "module": self.module,
            "npx": self.npx,
            "sql": self.operand,
            "code": self.operand,
            "js": self.operand,
            "python": self.operand,
            "script": self.script,
            "interpreter": self.interpreter,
            "stdin": self.stdin,
            "sed": self.script_of,
            "awk": self.script_of,
            "assigned": self.assigned,
            "doubted": self.doubted,
            "shown": self.shown,
        }

    @abstractmethod
    def shell(self, text: str, depth: int) -> None:
        """Read a text of a shell."""

    @abstractmethod
    def words(self, call: ProgramCall, words: list[str], depth: int, *, is_first: bool = False) -> None:
        """Judge one program with its arguments."""

    @abstractmethod
    def settings(self, call: ProgramCall, before: list[str]) -> None:
        """Judge the variables that are set for a call."""

    def set_before(self, run: ProgramRun, effects: set[Effect]) -> set[Effect]:
        """Return what settings before a program add that runs no code of the project's, also where it only looks."""
        if Effect.RUNS_PROJECT_CODE in effects:
            return set()
        self.stays &= not run.call.settings
        for setting in run.call.settings:
            if not (is_plain_setting(setting) or is_search_path(setting) or written_by(setting)):
                self.doubts(setting)
        may_talk = (run.known.has_subcommands or run.known.away) and "blind" not in run.known.is_
        is_sent = any(map(names_elsewhere, (*run.call.settings, *(self.exported if may_talk else ()))))
        return {Effect.LEAVES_THE_MACHINE} if is_sent else set()

    def text(self, call: ProgramCall, kind: str, text: str, depth: int) -> None:
        """Read a text in its language."""
        if not text:
            return
        substituted = _SUBSTITUTED.match(text)
        if kind == "shell" and text.lstrip("'\" ").startswith("{}"):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        if kind == "sql":
            self.add(sql.effects_of(text), call.source)
            if sql.unknown_meta(text):
                self.doubts(sql.unknown_meta(text))
            if call.inside or (_OPEN.search(text) and f"'{text}'" not in call.source and text != call.fed_text):
                self.doubts(text)
        elif kind in _LANGUAGES and not (substituted and call.inside):
            self.code(call, kind, text, depth)
        elif substituted:
            if not call.inside or not all(is_flagged("sets", one.words) for one in call.inside):
                self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        else:
            if any(text in one or one in text for one in call.open_words) or self.is_filled(call, text):
                self.doubts(text)  # a value may end a word of it, and begin a command
            self.shell(text, depth + 1)

    @staticmethod
    def is_filled(call: ProgramCall, text: str) -> bool:
        """Return True if a name of a file, or whatever is read, is put into a text before a shell reads it."""
        name = name_of(call.words[0]) if call.words else ""
        places = _places_of_input(call.words) if name in {"find", "gfind", "xargs", "gxargs"} else []
        return any(one in text for one in places)

    def code(self, call: ProgramCall, kind: str, text: str, depth: int) -> None:
        """Read a snippet of another language."""
        self.add(code.effects_of(text), call.source)
        shells = list(code.shells(text, has_templates=kind == "js"))
        for inner in shells:
            self.shell(inner, depth + 1)
        if call.inside or (_OPEN.search(text) and f"'{text}'" not in call.source and text != call.fed_text):
            self.doubts(text)  # the shell puts something into it that is only known when it runs
        if self.is_filled(call, text):
            self.doubts(text)
        for deed, what in snippet(_LANGUAGES[kind], text):
            self.judged_deed(call, text, deed, what)

    def judged_deed(self, call: ProgramCall, text: str, deed: SnippetDeedKind, what: str) -> None:
        """Judge what a snippet of code does with what it names."""
        if deed == "unknown" or (what == DYNAMIC and deed in {"writes", "deletes", "imports", "sets"}):
            self.doubts(what if deed == "unknown" else text)
        elif deed in {"reads", "says", "secrets"}:
            self.looked_at(call, deed, what)
        elif deed == "fills":
            self.fills(what, text, call.source)
        elif deed == "asks":
            self.stays = False
        elif deed == "writes":
            self.writes(what, call.source)
        elif deed == "deletes" or (deed == "empties" and not is_made_empty(what) and self.place(what) in LOSES):
            self.add([Effect.DELETES], call.source)
        elif deed == "imports":
            self.imported(call, what)
        elif (deed == "sets" and (setting_doubt(what) or is_search_path(what) or not is_plain_setting(what))) or (
            deed == "takes" and self.leads_away(what)
        ):
            self.doubts(what)

    def looked_at(self, call: ProgramCall, deed: SnippetDeedKind, what: str) -> None:
        """Judge what a snippet reads: a file, a variable of the environment, or a text that it makes of several."""
        is_told = is_secret(what)
        if deed == "reads" and what == DYNAMIC:
            self.stays = False
        elif deed == "reads":
            self.place(what)
        elif deed == "secrets":
            is_told = what in {DYNAMIC, "os.environ", "process.env"} or names_secret(what)
        elif sql.STARTS.match(what):
            self.add(sql.effects_of(what), call.source)
        self.add([Effect.READS_SECRETS] if is_told else [], call.source)

    def imported(self, call: ProgramCall, file: str) -> None:
        """Judge a file that a snippet runs: the project's own, or what was fetched before or lies elsewhere."""
        stem = name_of(file).partition(".")[0]
        is_fetched = self.cloned or any(map(self.arrivals.is_elsewhere, (stem, f"{stem}.*")))
        if is_fetched or self.place(file, noted=False) is not FilePlace.INSIDE:
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)

    def leads_away(self, text: str) -> bool:
        """Return True if a text that the project's own code is told names a place outside, an address or a secret."""
        if is_secret(text) or "://" in text:
            return True
        is_path = text.startswith(("/", "~", "../")) or "/../" in text
        return (is_path and self.place(text, noted=False) is not FilePlace.INSIDE) or self.names_rules(text)

    def argv(self, run: ProgramRun, given: list[str]) -> None:
        """Read the words behind some operands as a command: `timeout 5 rm x`."""
        if any(one[0] == "module" for rule in counting(run.known, run.arguments) for one in rule.also):
            return  # `uv run -m pytest tests`: the module takes the words
        operands, at = run.arguments.operands, int(given[1])
        while at < len(operands) and (operands[at] == "--" or ASSIGNMENT.match(operands[at])):
            if operands[at] != "--":
                self.settings(run.call, [operands[at]])
                run.call.settings.append(operands[at])
            at += 1
        if operands[at : at + 1] == ["-"] and "own" in run.known.is_:
            self.stdin(run, ["stdin", "python"])  # `uv run -`
        elif at < len(operands):
            name = name_of(operands[at])
            if "own" in run.known.is_ and program(name) is None and "/" not in operands[at]:
                self.add([Effect.RUNS_PROJECT_CODE], run.call.source)
                self.guess(said_of_stranger(name, run.rest[run.arguments.places[at] + 1 :]).verb, run.call.source)
                self.guess(by_name(name.rpartition(":")[2]), run.call.source)  # `hatch run env:deploy`
                return
            words = run.rest[run.arguments.places[at] :]
            if "feeds" in run.known.is_:
                words = _fed(words, run.call)
            self.words(run.call, words, run.depth + 1, is_first=run.name == "time")

    def again(self, run: ProgramRun, given: list[str]) -> None:
        """Read the words behind some operands as another call of the same program: `yarn workspace app add x`."""
        for at in run.arguments.places[int(given[1]) : int(given[1]) + 1]:
            self.words(run.call, [run.name, *run.rest[at:]], run.depth + 1)

    def joined(self, run: ProgramRun, given: list[str]) -> None:
        """Read the words behind some operands as a text of a shell: `ssh host 'rm x'`."""
        for at in run.arguments.places[int(given[1]) : int(given[1]) + 1]:
            words = _without_inputs(run.rest[at:])
            words = _told(words, _places_of_input(run.call.words)) if "feeds" in run.known.is_ else words
            self.text(run.call, "shell", " ".join(words), run.depth)
            for word in words if len(words) > 1 else ():
                if " " in word:
                    self.text(run.call, "shell", word, run.depth)

    def each(self, run: ProgramRun, given: list[str]) -> None:
        """Read each operand as a text of a shell: `hyperfine 'make a' 'make b'`."""
        for word in run.arguments.operands[int(given[1]) :]:
            self.text(run.call, "shell", word, run.depth)

    def first(self, run: ProgramRun, given: list[str]) -> None:
        """Read one operand as a text of a shell: `trap 'rm x' EXIT`."""
        for word in run.arguments.operands[int(given[1]) : int(given[1]) + 1]:
            self.text(run.call, "shell", word, run.depth)

    def value(self, run: ProgramRun, given: list[str]) -> None:
        """Read an option's value: `sh -c 'rm x'`."""
        for name in given[1].split(","):
            for value in run.arguments.options.get(name, []):
                if not value and is_flagged("feeds", run.call.words):
                    self.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)
                fed = run.call.fed_by[-1].source if run.call.fed_by and given[2] == "shell" and value else ""
                self.text(run.call, given[2], f"{fed} | {{ {value}\n}}" if fed else value, run.depth)

    def assigned(self, run: ProgramRun, _given: list[str]) -> None:
        """Read what a name is to stand for: `alias ls='rm -rf'`."""
        for one in run.arguments.operands:
            self.text(run.call, "shell", one.partition("=")[2], run.depth)
        if len(run.arguments.operands) > 1 and "=" not in run.arguments.operands[0]:
            self.text(run.call, "shell", " ".join(run.arguments.operands[1:]), run.depth)

    def doubted(self, run: ProgramRun, _given: list[str]) -> None:
        """Note that nobody can tell from the words alone what such a call does."""
        self.doubts(run.call.source, stays=False)

    def shown(self, run: ProgramRun, _given: list[str]) -> None:
        """Note that a description is shown with the settings of what it describes, and those hold its secrets."""
        if not shows_plain_fields(run.call, run.arguments.options):
            self.add([Effect.READS_SECRETS], run.call.source)

    def operand(self, run: ProgramRun, given: list[str]) -> None:
        """Read operands as SQL or code: `sqlite3 db 'drop table x'`."""
        for value in run.arguments.operands[int(given[1]) :]:
            self.text(run.call, given[0], value, run.depth)

    def after(self, run: ProgramRun, given: list[str]) -> None:
        """Read the words behind an option, up to `;` or `+`: `find -exec rm {} +`."""
        found = found_files(run.rest) or "{}"
        for at, word in enumerate(run.rest):
            if word in given[1].split(","):
                inner = run.rest[at + 1 :]
                end = next((place for place, one in enumerate(inner) if one in {";", "+"}), len(inner))
                self.words(run.call, [found if one == "{}" else one for one in inner[:end]], run.depth + 1)

    def statements(self, call: ProgramCall, words: list[str], depth: int) -> None:
        """Read SQL wherever it stands among the words of a call, but where it names a test or is a message."""
        for before, word in pairwise(["", *words]):
            glued = _GLUED_VALUE.match(word)
            option, value = (glued[1], word[glued.end() :]) if glued else (before, word)
            if sql.STARTS.match(value) and not describes(option):
                self.text(call, "sql", value, depth)

    def module(self, run: ProgramRun, _given: list[str]) -> None:
        """Read a module as the program that its name or its package is, or as the project's: `python -m shop.cli`."""
        for at, word in enumerate(run.rest):
            option = _MODULE.fullmatch(word)
            name, *rest = ([option[1]] if option and option[1] else []) + run.rest[at + 1 :] or [""]
            if option and name:
                package, dot, _ = name.partition(".")
                known = name if program(name) or not dot else package if program(package) else f"./{name}.py"
                known = "python" if name == "code" else known  # a console; the program of that name is an editor
                self.words(run.call, [known, *rest], run.depth + 1)
                return

    def npx(self, run: ProgramRun, given: list[str]) -> None:
        """A tool of the table is taken for the project's own; another name, or a version, is fetched and run."""
        for value in run.arguments.options.get("-c", []):
            self.text(run.call, "shell", value, run.depth)
        for at in run.arguments.places[int(given[1]) : int(given[1]) + 1]:
            tool = run.rest[at]
            if not may_be_projects(tool) or "@" in tool or _FETCHING & run.arguments.options.keys():
                self.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)
            words = run.rest[at:]
            self.words(run.call, [*words[:1], *words[1 + (words[1:2] == ["--"]) :]], run.depth + 1)

    def made(self, run: ProgramRun) -> None:
        """Read the variables that `make` is given, and what it has run as it reads them: `A!=rm x`, `A:=$(shell x)`."""
        for operand in run.arguments.operands:
            assigned = _MAKE_VARIABLE.fullmatch(operand)
            name, sign, value = assigned.groups() if assigned else ("", "", operand)
            if sign == "!=":
                self.text(run.call, "shell", value, run.depth)
            if name.startswith(".") or _MAKE_CALL.search(operand):
                self.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)
            elif "$" in operand and operand not in run.call.open_words:
                self.doubts(operand)
            elif name:
                is_install = any(one.startswith("install") for one in run.arguments.operands)
                is_away = is_install and _INSTALLS_TO.fullmatch(name) and self.place(value) is FilePlace.OUTSIDE
                self.add([Effect.CHANGES_SYSTEM] if is_away else [], run.call.source)
                self.settings(run.call, [f"{name}={value}"])
                self.add(self.glimpse(value, run.depth + 1), run.call.source)

    def script(self, run: ProgramRun, given: list[str]) -> None:
        """Take what the project calls its tasks by their names: `make deploy`, `tox -e lint,publish`."""
        arguments = run.arguments
        named = [value for name in given[1].split(",") for value in arguments.options.get(name, [])]
        if given[1].isdigit():
            first = int(given[1])
            named = arguments.operands[first : first + _TASK_AND_WORD]
            if "tasks" in run.known.is_:
                end = run.rest.index("--") if "--" in run.rest else len(run.rest)
                further = zip(arguments.operands, arguments.places, strict=True)
                named += [one for one, at in further if at < end and "=" not in one][first + _TASK_AND_WORD :]
        if run.name in _RUNS_TOOLS and named:
            self.tool(run, int(given[1]))
        for one in named[:TASKS_MAX]:
            self.guess(by_name(one.partition("=")[2] or one), run.call.source)
            for task in _tasks_in(one):
                self.guess(by_name(task), run.call.source)

    def tool(self, run: ProgramRun, first: int) -> None:
        """Read a tool of the table that stands where a task does, by a name that is no word of prose: `pnpm prisma`."""
        at = run.arguments.places[first]
        known = program(run.rest[at])
        if known is not None and "spoken" not in known.is_:
            words = run.rest[at:]
            self.words(run.call, [*words[:1], *words[1 + (words[1:2] == ["--"]) :]], run.depth + 1)

    def interpreter(self, run: ProgramRun, given: list[str]) -> None:
        """Judge the script that an interpreter is given, or what comes in through the pipe."""
        call, arguments, depth = run.call, run.arguments, run.depth
        operands = arguments.operands[arguments.operands[:1] == ["run"] and given[1] == "js" :]
        if run.name == "deno" and operands[:1] == ["eval"]:
            return  # a line of its own tells what it is
        script = next((one for one in operands if one != "-"), "")
        own = {name for name, _ in arguments.given[: arguments.early if arguments.operands else None]}
        if not own.isdisjoint(_TELLS_WHAT_RUNS.get(run.name.rstrip("0123456789."), _TELLS_WHAT_RUNS[given[1]])):
            return
        if script in _STDIN or not script or (given[1] == "shell" and "-s" in arguments.options):
            self.stdin(run, given)
            return
        if given[1] == "shell" and "-n" in arguments.options:
            return
        outside = self.place(script) is FilePlace.OUTSIDE and not INSTALLED.match(script) and not is_system(script)
        self.fetches |= "://" in script
        fetched = outside or is_temporary(script) or self.arrivals.is_elsewhere(script) or "://" in script
        if fetched or script.startswith(("<(", "$(", "`")) or (given[1] == "shell" and _ANY_WORDS.fullmatch(script)):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        elif self.place(script) is FilePlace.UNKNOWN:
            self.doubts(script)
        self.guess(by_name(script), call.source)
        if "." not in name_of(script):  # a console of the project's, which is told a task: `php yii migrate/fresh`
            self.guess(by_name("".join(operands[1:2]).replace("/", ":")), call.source)
        self.written(call, given[1], script, depth)
        if given[1] in _LANGUAGES and program(name_of(script)):
            is_file = given[1] not in _WITH_SUBCOMMANDS or not script.isalpha()  # `swift test` runs no file `test`
            place = arguments.places[arguments.operands.index(script)]
            behind = run.rest[place + 1 :] if is_file else arguments.operands[1:]
            self.words(call, [name_of(script), *behind], depth + 1)

    def written(self, call: ProgramCall, kind: str, word: str, depth: int) -> None:
        """Read what the text itself wrote into a file that is run now."""
        for content in self.arrivals.of(word):
            if content.origin is ContentOrigin.ELSEWHERE:
                self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
            elif content.origin is ContentOrigin.COMPUTED:
                self.doubts(word)
            self.text(replace(call, fed_text=content.text, inside=[], open_words=set()), kind, content.text, depth)

    def script_of(self, run: ProgramRun, given: list[str]) -> None:
        """Read a script of sed or awk: the value of an option, a file, or the first operand."""
        call, options, operands = run.call, run.arguments.options, run.arguments.operands
        texts = [one for name in ("-e", "--expression", "--source") for one in options.get(name, [])]
        files = [one for name in ("-f", "--file") for one in options.get(name, [])]
        for file in files:
            inside = self.place(file) is FilePlace.INSIDE and not self.arrivals.is_elsewhere(file)
            self.add([Effect.RUNS_PROJECT_CODE if inside else Effect.RUNS_UNKNOWN_CODE], call.source)
        texts += operands[:1] if not texts and not files else []
        for text in texts:
            if call.inside or (_OPEN.search(text) and f"'{text}'" not in call.source):
                self.doubts(text)  # a variable may hold a command of the script
            for deed, what in sed_script(text) if given[0] == "sed" else awk_program(text):
                if deed == "runs":
                    self.add([Effect.READS if _only_reads(what) else Effect.RUNS_UNKNOWN_CODE], call.source)
                    self.text(call, "shell", what, run.depth)
                elif deed == "reads":
                    self.place(what)
                    self.add([Effect.READS_SECRETS] if is_secret(what) else [], call.source)
                elif deed == "writes":
                    self.writes(what, call.source)
                    self.add([Effect.DELETES] if is_code(what) or what in held_places(run) else [], call.source)
                elif deed == "leaves":
                    self.add([Effect.LEAVES_THE_MACHINE], call.source)
                else:
                    self.doubts(what)

    def fed(self, run: ProgramRun, effects: set[Effect]) -> None:
        """Note what code of the project would do that is fed to it, in case it runs what it reads.

        A file of tasks or statements that is what comes in is one that nobody has seen.
        """
        call = run.call
        files = [one for _, one in run.arguments.given if one == "-" or one in _STDIN or one.startswith("<(")]
        if not files and not call.fed_by and not call.fed_text:
            return
        is_code = Effect.RUNS_PROJECT_CODE in effects and run.name != "git" and not reads_script(run)
        if is_code or any(said[0] == "stdin" for rule in run.known.rules for said in rule.also):
            for file in files:
                self.doubts(file)
        if not is_code:
            return
        if any(is_flagged("fetches", one.words) for one in call.fed_by):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        if literal := call.fed_text if call.fed_text is not None else echoed(call.fed_by):
            self.add([*code.effects_of(literal), *sql.effects_of(literal)], call.source)
            for inner in code.shells(literal):
                self.add(self.glimpse(inner, run.depth + 1), inner)

    def stdin(self, run: ProgramRun, given: list[str]) -> None:
        """Read what is fed to a program that runs it."""
        call, sources = run.call, run.call.fed_by
        fed = [one.target for one in call.redirects if one.sign == "<"]
        fed += [word for one in sources if one.words[:1] == ["cat"] for word in one.words[1:] if word[:1] != "-"]
        foreign = {FilePlace.OUTSIDE} if given[1] == "sql" else {FilePlace.OUTSIDE, FilePlace.TEMPORARY}
        if any(self.place(one) in foreign for one in fed):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        for file in fed:
            self.written(call, given[1], file, run.depth)
            if given[1] == "own" and self.place(file) is not FilePlace.QUIET and not self.arrivals.of(file):
                self.doubts(file)  # commands of a console, which nobody has seen
        literal = call.fed_text if call.fed_text is not None else echoed(sources)
        only_cat = bool(sources) and all(one.words[:1] == ["cat"] for one in sources)
        if literal is None and only_cat:
            literal = sources[0].fed_text
        if literal is not None:
            self.fed_literal(run, given[1], literal)
        elif any(is_flagged("fetches", one.words) for one in sources) or (
            sources and given[1] != "sql" and not only_cat
        ):
            self.add([Effect.RUNS_UNKNOWN_CODE], f"{sources[-1].source} | {call.source}")
        elif sources and name_of((sources[-1].words or [""])[0]) not in _FILTERS:
            self.doubts(sources[-1].source)  # statements that a program makes, which stand in no file

    def fed_literal(self, run: ProgramRun, kind: str, literal: str) -> None:
        """Read a text that is fed to a program which runs it: in a language, or each line as words of its own."""
        call = run.call
        opened = (word for one in (call, *call.fed_by) for word in one.open_words)
        if any(word in literal or literal in word for word in opened):
            self.doubts(literal)
        if any(Effect.LEAVES_THE_MACHINE in rule.effects for rule in counting(run.known, run.arguments)):
            self.add([Effect.LEAVES_THE_MACHINE], f"{call.source} {literal}")  # what it does is done elsewhere
        if kind != "own":
            self.text(call, kind, literal, run.depth)
            return
        for line in literal.splitlines():
            self.words(replace(call, fed_text=None, fed_by=[]), [run.name, *line.split()], run.depth + 1)


def _tasks_in(word: str) -> list[str]:
    """Return the names of tasks in a word that holds several, or a pattern or arguments of one beside its name."""
    parts = (part.split() for part in _BETWEEN_TASKS.split(word.replace(" / ", "/")))
    return [_BESIDE_NAME.sub("", part[0]) for part in parts if part][:TASKS_MAX]


def _places_of_input(words: list[str]) -> list[str]:
    """Return what stands for a name that is found, or for a line that is read, in the words of a command."""
    named = [
        behind if one in {"-I", "--replace"} else one.partition("=")[2] or one[2:]
        for one, behind in pairwise([*words, ""])
        if _PUTS.match(one)
    ]
    return ["{}", *(one for one in named if one)]


def _fed(words: list[str], call: ProgramCall) -> list[str]:
    """Return the words of a command with what `xargs` adds to them: what was found, or anything."""
    places = [one for one in _places_of_input(call.words) if any(one in word for word in words)]
    source = call.fed_by[-1].words if call.fed_by else []
    added = INPUT
    if source[:1] == ["find"] or (folders := searched_folders(source)):
        added = found_files(source[1:] if source[:1] == ["find"] else folders) or "{}"
    if not places:
        return [*words, added]
    return [added if word in places else word for word in _told(words, places)]


def _without_inputs(words: list[str]) -> list[str]:
    """Return the command that `parallel` runs for each of the inputs behind `:::`, with a place for one of them."""
    end = next((at for at, one in enumerate(words) if _INPUTS.fullmatch(one)), len(words))
    is_placed = end == len(words) or any("{" in one for one in words[:end])
    return words[:end] if is_placed else [*words[:end], "{}"]


def _told(words: list[str], places: list[str]) -> list[str]:
    """Return the words of a command with what is fed in those that name something elsewhere: `dig {}.example.org`."""
    known = program(name_of(words[0])) if words else None
    is_asking = known is not None and bool(known.away)
    told = list(words)
    for place in places:
        told = [one.replace(place, INPUT) if is_asking or "://" in one else one for one in told]
    return [new if old not in places else old for old, new in zip(words, told, strict=True)]


def _only_reads(text: str) -> bool:
    """Return True if a command that a script hides is of a program which does nothing but read."""
    words = text.split()
    found = program(words[0]) if words and "/" not in words[0] else None
    return found is not None and {effect for rule in found.rules for effect in rule.effects} == {Effect.READS}
