"""Read a command: parse it, look every call up in the table, follow what runs something else, say what would happen."""

import posixpath
import re
import shlex
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from hub.contract.effects import Effect
from hub.screening.commands import sql
from hub.screening.commands.arithmetic import ANY_PROGRAM, Evaluated
from hub.screening.commands.arrivals import ContentOrigin, is_code, language_of
from hub.screening.commands.bringing import CONTAINERS, READERS, REARRANGES, brings_code, carries, is_unpacked
from hub.screening.commands.circumstances import (
    feeds_setting,
    filters_secrets_out,
    prints_setting,
    said_around,
    works_on_production,
)
from hub.screening.commands.emptied import (
    emptied_by,
    is_made_empty,
    is_replaced,
    loses_target,
)
from hub.screening.commands.files import judge_files
from hub.screening.commands.finding import LISTERS, SHOWERS, lists_hidden, may_stand_for_any, named_secrets
from hub.screening.commands.following import INPUT, CallFollower
from hub.screening.commands.limits import (
    CALLS_READ_MAX,
    COMMAND_CHARS_MAX,
    READING_DEPTH_MAX,
    READINGS_KEPT_MAX,
    SEPARATORS_MAX,
)
from hub.screening.commands.operands import CLASSES, is_far, is_secret, is_temporary
from hub.screening.commands.places import LOSES, SOME_FOLDER, FilePlace, is_within
from hub.screening.commands.reading import CommandReading
from hub.screening.commands.run import (
    ASSIGNMENT,
    INSTALLED,
    ProgramRun,
    is_flagged,
    name_of,
    reads_script,
    unglued,
    without_inner,
)
from hub.screening.commands.script import ProgramCall, Redirect, Script
from hub.screening.commands.shell import MOVERS, parse
from hub.screening.commands.strictness import (
    asks_about_itself,
    is_plain_setting,
    is_search_path,
    may_be_option,
    search_folders,
    setting_doubt,
    unknown_options,
    written_by,
)
from hub.screening.commands.table import ProgramEntry, TableRule, counting, program
from hub.screening.commands.verbs import (
    applies,
    brings_in,
    chooses_target,
    configures,
    is_quiet,
    only_lists,
    only_shows,
    plain_deed,
    rehearses,
    said_by,
    said_of_stranger,
    tries,
)
from hub.screening.effects import HARMLESS

PROMPT_SIGN = r"^[ \t]*(?:\$|PS [^>\n]{0,80}>|[\w.-]+@[\w.-]+:[^$\n]{0,80}\$)"
"""What a terminal shows before a command."""
_PROMPT = re.compile(rf"{PROMPT_SIGN}\s+", re.MULTILINE)
_FORK_BOMB = re.compile(r"(?<![\w:])([\w:]{1,40})\s{0,9}\(\)\s*\{[^}]{0,200}\1\s*\|\s*\1|%0\s*\|\s*%0")
_EXPANDED = re.compile(r"\$[({\[]|(?<!\S)\$['\"]|(?<![^\s;&|()])\{(?=\S)|\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}")
"""What a shell puts in the place of a word; no SQL has it."""
_SELECTS = re.compile(r"((?:^|[;&|\n({]|\b(?:do|then|else))\s*)select(\s+\w+(?:\s+in\b[^;\n]*)?\s*[;\n]\s*do\b)")
"""A loop that the grammar does not have; it runs as `for` does."""
_SEPARATORS = re.compile(r"[|;&\n]")
_QUOTES = re.compile("['\"`]")
_UNDOES = re.compile(
    r"--(?:delete|destroy|purge|wipe|erase|drop)(?:-(?!duplicates|branch-on|on)\w+)*|--accept-data-loss|--full-refresh|--no-backup"
)
"""Options of programs that are harmless without them, where the table says nothing of the option."""
_RUNS_NEXT = re.compile(r"--?(?:exec|execute|command|cmd|run|eval|shell|c|e|x)")
"""Options of a program that nobody knows that may hold a command."""
_DEFAULT = re.compile(r"\$\{\w+:?[-=+]")
"""A command that is named by a variable, or by what stands behind it where that is empty."""
_PIPED = re.compile(r"\s*\|.*|.*\|\s*", re.DOTALL).fullmatch
"""An operand that Perl and its like open as a program: `|./x`."""
_FILLS = frozenset({"read", "mapfile", "readarray", "getopts"})
"""Built-in commands that set the variables which their words name to what is only known when they run."""
_PRINTERS = READERS | SHOWERS
"""What prints a file, or something made of it."""
_VARIABLE = re.compile(r"(?:\./)?\$\{?\w+(?:\[[^\]]*\])?\}?")
_SOURCES = frozenset({"source", "."})
_EXPORTS = frozenset({"export", "declare", "typeset"})
_SWITCHES = frozenset({"shopt", "setopt", "set", "unsetopt"})
_HIDDEN_TOO = re.compile(r"dotglob|(?:no_?)*glob_?dots", re.IGNORECASE)
_EVALUATES = frozenset(
    {"let", "declare", "typeset", "local", "export", "readonly", "test", "unset", "printf", "wait"}
) | {
    *("read", "mapfile", "readarray", "getopts", "eval"),
}
"""Built-in commands whose words arithmetic.py reads where the text names them."""
_BEFORE = frozenset({"command", "builtin", "time", "-p", "--", "!"})
_QUOTING = re.compile(r"[\\\"']")
_NOT_YET = re.compile(r"(?:command|builtin|time|-p|--|!)$|\w+\+?=")
"""What may stand before a built-in command."""
_FORGETS = frozenset({"unset", "local", "declare", "typeset"})
_ANY_NAME = re.compile(r"PATH|[^=]*[$`][^=]*")
"""Without a value, a name that may be that of `PATH`: programs are then those of the folder where the command runs."""
_PACKED = re.compile(r"\.(?:jar|war|phar|whl|exe|run|appimage|wasm)$", re.IGNORECASE)
_SCRIPT = re.compile(r"\.(?:sh|bash|py|ps1|bat|cmd|rb|js|pl)$")
_OF_CONTAINERS = frozenset({"run", "create", "exec", "cp", "build", "kill", "commit", "export", "start", "attach"})
_SERVICES = ("/etc/init.d/", "/etc/rc.d/")
_CONTAINED = re.compile(r"-[\w-]+(?:=(?!/|\.\.)[\w.,/-]*(?<!\.\.))?")
"""An option that names nothing, or something inside: not known, it still reaches no further."""
_RUN_WORDS = frozenset({"argv", "text", "texts", "again"})
_COMMAND_BEHIND = frozenset({"argv", "text", "npx", "again"})
"""What has a command behind so many operands, with options of its own."""
_REACHES_OUT = frozenset({Effect.LEAVES_THE_MACHINE, Effect.TOUCHES_PRODUCTION})
"""What programs do by themselves that are told by subcommands what to do, whether the table lists those or not."""
_TOOL_FOLDERS = frozenset({"bin", ".bin", "Scripts"})
"""Where an environment keeps its tools, as links to those of the computer."""
_QUIET = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "nul", "$null", "-"})
_GLUED = re.compile(r"^-[^/~.]*(?=[/~]|\.\./)")
"""An option of one letter before a path: `-V/outside/new`."""
_ASKS_ONLY = re.compile(r"-[hvV]|--(?:help|version)")
_TASK = re.compile(r"(npm|pnpm|yarn|bun|node):([\w:*-]+)")
"""How `concurrently` and its like name a task of the project."""
_IN_SETTING = re.compile(r"[=:,;\s]")
_RENAMES = re.compile(r"DIRSTACK|\b(?:alias|enable|dirs)\b", re.IGNORECASE)
"""What may give `cd` and `popd` another meaning, as functions do."""
_TEXTS = frozenset({"data", "pattern", "words"})
"""What the tables say of programs whose operands may be any text."""
_OPEN_PART = re.compile(r"[$`]")
_FED_SHELL = re.compile(r"\|\s*(?:sudo\s+)?(?:\w*sh|python\d?|node|perl|ruby)\b|\b(?:eval|source)\b|<\(|\$\(curl")
_BY_NAME = frozenset({Effect.RUNS_UNKNOWN_CODE})
_OF_REPOSITORY = frozenset({"-C", "--git-dir", "--work-tree"})


@lru_cache(maxsize=READINGS_KEPT_MAX)
def read_command(text: str, folder: str = "") -> CommandReading:
    """Return what ``text``, a command or a script of a shell, or SQL, would do in a folder. Pure and total.

    Without a folder what is relative counts as inside it, and what is written out in full as outside.
    """
    reader = _Reader(posixpath.normpath(folder) if folder.startswith("/") else SOME_FOLDER)
    reader.shell(text, 0)
    return reader.result()


class _Reader(CallFollower):
    """Reads one text."""

    def __init__(self, root: str) -> None:
        super().__init__(root)
        self.evaluated = Evaluated()
        self.is_renamed = self.is_aliased = self.has_sourced = self.has_listed = self.has_named = False
        self.calls_left = CALLS_READ_MAX
        self.left = self.folders

    def result(self) -> CommandReading:
        """Return what was found, once all is known that may be evaluated."""
        if doubted := self.evaluated.doubt(self.functions | ({ANY_PROGRAM} if self.is_aliased else set())):
            self.doubts(doubted)
        return super().result()

    def shell(self, text: str, depth: int) -> None:
        """Read a text of a shell, or SQL that stands where a command would."""
        too_long = len(text) > COMMAND_CHARS_MAX or len(_SEPARATORS.findall(text)) > SEPARATORS_MAX
        if too_long or depth > READING_DEPTH_MAX:
            self.unread(text)
            return
        text, selects = _SELECTS.subn(r"\1for\2", text)
        self.has_named = self.has_named or named_secrets(text)
        is_sql = sql.STARTS.match(text) is not None
        if is_sql:
            self.add(sql.effects_of(text), text)
        if _FORK_BOMB.search(text):
            self.add([Effect.CHANGES_SYSTEM], text)
        script = parse(_PROMPT.sub("", text))
        calls = _calls(script, text, is_sql=is_sql)
        if script.broken and (not is_sql or _EXPANDED.search(text)):
            self.doubts(text)
        if script.cut:
            self.unread(text)
        self.functions |= script.functions
        self.evaluated.add(script.evaluated)
        self.own |= {name for name, _ in script.evaluated.assigned}
        self.evaluated.assigned += [("REPLY", None)] if selects else []
        self.is_aliased |= _RENAMES.search(text) is not None
        self.is_renamed |= bool(script.functions) or self.is_aliased
        self.settings(ProgramCall(words=[], source=text), script.assigned)
        around, self._entered = self._entered, []
        for at, call in enumerate(calls):
            self.enter(call.subshells)
            if call.is_repeated and not (at and calls[at - 1].is_repeated):
                self.come_round(calls[at:])
            outer, self.writer = self.writer, None
            for redirect in call.redirects:
                self.redirect(call, redirect)
            self.writer = call
            self.variables(call)
            self.words(call, call.words, depth, is_first=depth > 0 or not call.is_early)
            self.redirected(call)
            self.writer = outer
        self.enter(())
        self._entered = around

    def come_round(self, calls: list[ProgramCall]) -> None:
        """Follow where the end of a loop leads: what stands at its head is called there, too."""
        folders = self.folders
        for call in takewhile(lambda one: one.is_repeated, calls):
            if not call.subshells and call.words[:1] and call.words[0] in MOVERS:
                self.moved(call, call.words[0], call.words[1:], is_certain=False)
        self.folders = list(dict.fromkeys([*folders, *self.folders]))

    def variables(self, call: ProgramCall) -> None:
        """Note what is only known when it runs: a command by a variable, and what `read` or its relatives fill."""
        words = call.words
        is_any = words[:1] == ["unset"] and "{" in call.source
        if words[:1] and words[0] in _FORGETS and (is_any or any(map(_ANY_NAME.fullmatch, words[1:]))):
            self.search(call, "PATH=")
        if words[:1] and words[0] in _SWITCHES and any(map(_HIDDEN_TOO.fullmatch, words[1:])):
            self.doubts(call.source)  # a pattern then names what is hidden as well
        if words == ["exec"] and any(one.sign == "<" or one.target.startswith("<(") for one in call.redirects):
            self.doubts(call.source)  # what follows reads it
        if _DEFAULT.match(call.source.lstrip()):
            self.doubts(call.source.split()[0])
        called = next((word for word in words if word not in _BEFORE), "")
        spelled = next((word for word in _QUOTING.sub("", call.source).split() if not _NOT_YET.match(word)), "")
        if called == "coproc" or (called in _EVALUATES and spelled not in {called, "[", "[["}):
            self.doubts(call.source)  # what it feeds, or what it evaluates, is not followed
        if words[:1] and words[0] in _FILLS:
            for name in words[1:]:
                if name.isupper() and setting_doubt(f"{name}=$"):
                    self.doubts(name)

    def redirect(self, call: ProgramCall, redirect: Redirect) -> None:
        """Judge `> file` and its relatives."""
        sign, target = redirect.sign, redirect.target
        shown = f"{sign} {target}"
        if target.lower() in _QUIET or target.isdigit():
            return
        if target.startswith(("/dev/tcp/", "/dev/udp/")):
            self.add([Effect.LEAVES_THE_MACHINE], call.source)
        elif target.startswith((">(", "<(")):
            return  # what runs in it is among the calls
        elif sign in {"<", "<&"}:
            self.place(target)
            is_told = is_secret(target) or self.holds_secret(target) or self.may_be_named(target)
            self.add([Effect.READS_SECRETS] if is_told else [], shown)
        else:
            replaces = sign in {">", ">|", "&>", ">&"}
            empties = replaces and loses_target(call, redirect, self.functions)
            empties = empties and (call.words[:1] in ([], [":"]) or not is_made_empty(target))
            empties |= replaces and is_secret(target)  # no commit holds what it held
            self.writes(target, shown)
            self.older(call, target)
            if empties and self.place(target) in LOSES:
                self.add([Effect.DELETES], shown)

    def words(self, call: ProgramCall, words: list[str], depth: int, *, is_first: bool = False) -> None:
        """Judge one program with its arguments; `is_first`: it may be a function, for nothing else runs it."""
        start = next((at for at, word in enumerate(words) if word != "!" and not ASSIGNMENT.match(word)), len(words))
        word, rest = (words[start], words[start + 1 :]) if start < len(words) else ("", [])
        name, known = name_of(word), program(name_of(word))
        if name in CONTAINERS and rest[:1] in (["container"], ["image"]) and rest[1:2] and rest[1] in _OF_CONTAINERS:
            rest = rest[1:]  # `docker container run` is `docker run`
        self.settings(call, [word for word in words[:start] if word != "!"])
        self.calls_left -= 1
        if depth > READING_DEPTH_MAX or self.calls_left < 0:
            self.unread(call.source)
        elif not word:
            return
        elif word.startswith(_SERVICES):
            self.add([Effect.READS if rest == ["status"] else Effect.CHANGES_SYSTEM], call.source)
        elif is_first and word in self.functions and known is None:
            self.add([Effect.READS_SECRETS] if any(map(is_secret, rest)) else [], call.source)
        elif known is None or ("/" in word and (is_temporary(word) or self.arrivals.is_elsewhere(word))):
            self.stranger(call, word, rest, depth)
        else:
            self.by_path(call, word)
            for part in _chained(rest) if "chained" in known.is_ else [rest]:
                self.call(call, name, part, depth, known)
        if name in MOVERS:
            self.moved(call, name, rest, is_certain=call.is_certain and not depth and not self.is_renamed)

    def call(self, call: ProgramCall, name: str, rest: list[str], depth: int, known: ProgramEntry) -> None:
        """Judge a call of a program of the table, each way that its words may be read."""
        rest = unglued(rest, known)
        for entry in known.readings(rest):
            run = ProgramRun(call, name, rest, entry.arguments(rest), depth, entry)
            for word, at in zip(run.arguments.operands[:1], run.arguments.places, strict=False):
                meanings = known.completions(word)
                if not meanings and not known.names(word):
                    self.doubts(word)
                for meant in meanings:
                    self.words(call, [name, *rest[:at], meant, *rest[at + 1 :]], depth + 1)
            self.add([Effect.RUNS_PROJECT_CODE] if self.is_of_another_repository(run) else [], call.source)
            if "expands" in known.is_:
                self.made(run)
            self.known(run)

    def moved(self, call: ProgramCall, name: str, rest: list[str], *, is_certain: bool) -> None:
        """Follow what moves to another folder, or to one of several."""
        if call.is_instead:
            elsewhere, self.folders = self.folders, self.left
            self.moved(replace(call, is_instead=False), name, rest, is_certain=is_certain)
            self.folders = list(dict.fromkeys([*elsewhere, *self.folders]))
            return
        self.left = self.folders
        if name == "popd":
            self.pop(rest, is_certain=is_certain)
        elif name == "pushd":
            self.push(rest)
        else:
            self.move(rest, is_certain=is_certain)

    def by_path(self, call: ProgramCall, word: str) -> None:
        """Note that a program is named by its path: it need not be the one that has this name elsewhere."""
        if "/" not in word or INSTALLED.match(word):
            return
        is_tool = posixpath.basename(posixpath.dirname(word)) in _TOOL_FOLDERS
        found = self.place(word, noted=not is_tool)
        self.add([Effect.RUNS_PROJECT_CODE if found is FilePlace.INSIDE else Effect.RUNS_UNKNOWN_CODE], call.source)

    def settings(self, call: ProgramCall, before: list[str]) -> None:
        """Judge the variables that are set for a call alone."""
        for setting in (*call.settings, *before):
            if setting.startswith("IFS=") and "read" in call.words[:2]:
                continue  # where a line is split that is read
            if written := written_by(setting):
                self.writes(written, call.source)
                is_lost = is_code(written.rstrip("/")) and self.place(written) in LOSES
                self.add([Effect.DELETES] if is_lost else [], call.source)
            if call.words and any(map(self.names_rules, _IN_SETTING.split(setting))):
                self.doubts(setting)
            if is_search_path(setting):
                self.search(call, setting)
            elif setting_doubt(setting):
                self.stays = False
                self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
            elif not is_plain_setting(setting):
                self.stays = False

    def search(self, call: ProgramCall, setting: str) -> None:
        """Judge where programs and modules are to be looked for."""
        for folder in search_folders(setting):
            inside = self.place(folder) in {FilePlace.INSIDE, FilePlace.QUIET}
            if not INSTALLED.match(f"{folder.rstrip('/')}/x"):
                self.add([Effect.RUNS_PROJECT_CODE if inside else Effect.RUNS_UNKNOWN_CODE], call.source)

    def known(self, run: ProgramRun) -> None:
        """Judge a program of the table."""
        call, known = run.call, run.known
        if asks_about_itself(run.arguments):
            self.add([Effect.READS], call.source)
            return
        self.git_calls.add(run, self.folders)
        self.fetches |= "fetches" in known.is_ and not CLASSES["local"](run.arguments.operands, [])
        if run.depth and is_flagged("feeds", call.words) and _lacks_command(run):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        run, rules = _parted(run)
        says = [directive for rule in rules for directive in rule.also]
        effects = {effect for rule in rules for effect in rule.effects}
        runs_words = any(one[0] in _RUN_WORDS for one in says)
        doubted = next(unknown_options(known, run.arguments, effects, runs_words=runs_words), "")
        if not doubted and not says and (_tries(known, run) or (_looks(known, rules, run) and not _brings_in(run))):
            runs = effects & {Effect.RUNS_PROJECT_CODE} if rehearses(run.arguments.options, run.rest) else set[Effect]()
            self.add({Effect.READS, *runs, *self.set_before(run, runs)}, call.source)
            judge_files(self, run, {Effect.READS, *runs})
            return
        doubted = doubted or ("" if runs_words else self.may_be_option(run))
        if doubted:
            self.doubts(doubted, stays=_CONTAINED.fullmatch(doubted) is not None)
        effects |= self.around(run, effects, runs_words=runs_words)
        if filters_secrets_out(run.name, call):
            effects = {Effect.READS}
        effects |= self.brought(run, effects)
        self.far(run, effects)
        self.add(effects, call.source)
        if "assigns" in known.is_:
            assigned = [one for one in run.arguments.operands if ASSIGNMENT.match(one)]
            self.exported += assigned if run.name in _EXPORTS else []
            self.settings(call, assigned)
        self.files(run, effects)
        if effects <= HARMLESS:
            self.by_its_options(run, rules)
        if all(kind == "stdin" for kind, *_ in says):
            self.by_its_words(run, rules)
        for kind, *given in says:
            self.followers[kind](run, [kind, *given])
        self.fed(run, effects)

    def by_its_options(self, run: ProgramRun, rules: list[TableRule]) -> None:
        """Take a call that is harmless by its program for what its words say, and for what it brings in."""
        if run.name != "git" and _TEXTS.isdisjoint(run.known.is_):
            self.statements(run.call, run.rest, run.depth)
        if unlisted := run.arguments.options.keys() - run.known.known:
            self.guess(Effect.DELETES if any(map(_UNDOES.fullmatch, unlisted)) else None, run.call.source)
            self.guess(Effect.TOUCHES_PRODUCTION if applies(unlisted) else None, run.call.source)
        is_listed = any(len(rule.words) > 1 and rule.effects for rule in rules) or not run.known.has_subcommands
        operands, options = run.arguments.operands, run.arguments.options
        if not is_listed and run.name != "git" and (configures(operands, options) or chooses_target(operands)):
            self.add([Effect.CHANGES_SYSTEM], run.call.source)
        if operands and _brings_in(run):
            self.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)

    def files(self, run: ProgramRun, effects: set[Effect]) -> None:
        """Judge what a call does to files."""
        judge_files(self, run, effects)
        is_lost = is_replaced(run) and not self.arrivals.of(run.arguments.operands[0])
        for file in [*emptied_by(run), *run.arguments.operands[-1:] * is_lost]:
            self.add([Effect.DELETES] if self.place(file) in LOSES else [], run.call.source)

    def may_be_option(self, run: ProgramRun) -> str:
        """Return a word that may be an option once it is known; what the person's own settings hold is none."""
        opened = run.call.open_words
        unknown = {one for one in opened if "$" not in one or not self.is_of_person(one)} | {INPUT}
        return may_be_option(run.known, run.rest, run.arguments, unknown, run.call.bare_words)

    def is_of_another_repository(self, run: ProgramRun) -> bool:
        """Return True if git would work with the repository of a folder below the one at the top.

        Its configuration names programs that git runs (`core.fsmonitor`, filters, hooks), and a bare one is made of
        plain files, which nobody asks about.
        """
        if run.name != "git":
            return False
        return not _OF_REPOSITORY.isdisjoint(run.arguments.options) or any(
            one != self.root and is_within(one, self.root) for one in self.folders
        )

    def around(self, run: ProgramRun, effects: set[Effect], *, runs_words: bool) -> set[Effect]:
        """Return what secrets among the operands, settings and pipes add to what a program does."""
        call, known, arguments = run.call, run.known, run.arguments
        found = said_around(run.name, known, call, arguments, effects)
        first = "pattern" in known.is_ and not {"-e", "-f"} & arguments.options.keys()
        first = first and not (run.name == "yq" and _is_file(run))
        operands = arguments.operands[int(first) : -1 if "copies" in known.is_ else None]
        if "blind" not in known.is_ and any(map(is_secret, operands)):
            found.add(Effect.READS_SECRETS)
        is_look = not known.has_subcommands and Effect.RUNS_PROJECT_CODE not in effects and not runs_words
        if is_look and "blind" not in known.is_:
            is_told = any(map(self.holds_secret, operands or ["."] * int(first)))
            is_told |= run.name in _PRINTERS and any(map(self.may_be_named, operands))
            found |= {Effect.READS_SECRETS} if is_told else set()
        self.has_sourced |= run.name in _SOURCES and any(map(is_secret, operands))
        self.has_listed |= run.name in LISTERS and lists_hidden([run.name, *run.rest])
        is_shown = self.has_sourced and prints_setting(call, operands, self.own)
        if is_shown or (run.name in SHOWERS and (feeds_setting(call) or self.shows_listed(run))):
            found.add(Effect.READS_SECRETS)
        return found if runs_words else found | self.set_before(run, effects)

    def may_be_named(self, word: str) -> bool:
        """Return True if a word may stand for a file with secrets that the text names: `read x <<< .env; cat $x`."""
        return self.has_named and may_stand_for_any(word)

    def shows_listed(self, run: ProgramRun) -> bool:
        """Return True if a variable names what is shown, and it stands for files that nobody named: `x=$(ls -A)`."""
        for one in run.arguments.operands:
            if one.startswith("$(") and lists_hidden(one[2:-1].partition("|")[0].split()):
                return True
            if self.has_listed and (run.call.is_repeated or "[" in one) and _VARIABLE.fullmatch(one):
                return True
        return False

    def far(self, run: ProgramRun, effects: set[Effect]) -> None:
        """Note that an address carries data, or that what runs the project's code may fetch from one what it runs.

        What stands behind a script, or behind `--`, is that script's own.
        """
        if not HARMLESS.issuperset(effects) or reads_script(run):
            return
        if Effect.RUNS_PROJECT_CODE not in effects:
            operands = run.arguments.operands if _TEXTS.isdisjoint(run.known.is_) else []
            sending = next((one for one in operands if "://" in one and CLASSES["query"]([], [one])), "")
            given = [*operands, *(value for _, value in run.arguments.given)] if operands and run.name != "git" else []
            asked = filter(_OPEN_PART.search, given)
            if sending := sending or next((one for one in asked if is_far(one) and not self.is_of_person(one)), ""):
                self.doubts(sending)
            return
        end = run.rest.index("--") if "--" in run.rest else len(run.rest)
        own = zip(run.arguments.operands, run.arguments.places, strict=True)
        given = [*(one for one, at in own if at < end), *(value for _, value in run.arguments.given)]
        if address := next(filter(is_far, given), ""):
            self.doubts(address)

    def brought(self, run: ProgramRun, effects: set[Effect]) -> set[Effect]:
        """Return what it adds that something was fetched or cloned before, or that others use what is named."""
        known, arguments, found = run.known, run.arguments, set[Effect]()
        if "fetches" in known.is_ and any(map(carries, run.call.open_words)):
            found.add(Effect.LEAVES_THE_MACHINE)
        self.fetched_by(run, effects)
        if "copies" in known.is_ or (run.name == "git" and arguments.operands[:1] == ["mv"]):
            self.copied(run)
        brought = (one for one in arguments.values() if is_temporary(one))
        if Effect.RUNS_PROJECT_CODE in effects:
            self.loads_by_name(run)
            found |= self.loaded(run)
            found |= {Effect.RUNS_UNKNOWN_CODE} if any(map(_PACKED.search, brought)) else set()
        exported = self.exported if Effect.RUNS_PROJECT_CODE in effects else []
        if works_on_production(run.call, run.rest, exported):
            found.add(Effect.TOUCHES_PRODUCTION)
        applies = run.name == "patch" or (run.name == "git" and arguments.operands[:1] in (["apply"], ["am"]))
        has_foreign = any(one.origin is ContentOrigin.ELSEWHERE for one in self.arrivals.files.values())
        self.cloned |= ("unpacks" in known.is_ or applies) and (has_foreign or is_unpacked(run, effects))
        self.cloned |= brings_code(run) or (has_foreign and run.name in REARRANGES)
        return found

    def by_its_words(self, run: ProgramRun, rules: list[TableRule]) -> None:
        """Take a call for what its subcommand and options say, where the table says no more than of its program.

        Where it says more, a plain deed behind what it names still speaks: `pip cache purge`.
        """
        effects = {effect for rule in rules for effect in rule.effects}
        operands, options = run.arguments.operands, [] if effects else run.arguments.options
        if any(rule.closeness for rule in rules):
            depth = max(len(rule.words) for rule in rules)
            verb = plain_deed(operands[depth : depth + 1]) if run.known.has_subcommands else None
        else:
            verb, _ = said_by(operands[: None if run.known.has_subcommands or not effects else 1], options)
        takes_words = not {"pattern", "words"}.isdisjoint(run.known.is_)
        if not effects or (verb and effects <= HARMLESS and not takes_words):
            self.guess(verb or Effect.WRITES_IN_WORKSPACE, run.call.source)

    def stranger(self, call: ProgramCall, word: str, rest: list[str], depth: int) -> None:
        """Judge a program that the table does not know, or one that came from elsewhere."""
        name, task = name_of(word), _TASK.fullmatch(word)
        if task:
            self.words(call, [task[1], "run", task[2]], depth + 1)
            return
        if self.arrivals.is_elsewhere(word) or is_temporary(word) or (call.inside and word.startswith(("$(", "`"))):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
            return
        for content in self.arrivals.of(word):
            self.written(call, language_of(name, content.text) or "shell", word, depth)
        if "/" in word or _SCRIPT.search(name):
            inside = self.place(word) is FilePlace.INSIDE and not self.cloned
            self.look_at_own(call, depth)
            self.add([Effect.RUNS_PROJECT_CODE if inside else Effect.RUNS_UNKNOWN_CODE], call.source)
        said, inner = said_of_stranger(name, rest), self.behind(rest, depth)
        self.statements(call, rest, depth)
        self.stays = False
        if "/" not in word and _SCRIPT.search(name) is None:
            is_plain = (
                not re.search(r"[$`{]", word)
                and not CLASSES["told"](rest, [])
                and not any(self.is_outside(one) or _PIPED(one) for one in rest)
                and not chooses_target(rest)
            )
            self.doubts(word, likely=is_plain and (said.shows or said.tries) and _is_harmless(inner))
            writes = said.writes or any(one[:1] == "-" and not _ASKS_ONLY.fullmatch(one) for one in rest)
            self.guess(Effect.WRITES_IN_WORKSPACE if writes else None, call.source)
            self.guess(Effect.RUNS_PROJECT_CODE if Effect.RUNS_PROJECT_CODE in inner.effects else None, call.source)
        self.guess(None if said.tries else said.verb, call.source)
        for at in (at for at, one in enumerate(rest[:-1]) if _RUNS_NEXT.fullmatch(one)):
            self.text(call, "shell", rest[at + 1], depth)
        self.guess(Effect.READS_SECRETS if any(map(is_secret, rest)) else None, call.source)

    def is_outside(self, word: str) -> bool:
        """Return True if an operand, or what stands behind an option, leads out or says what runs by itself."""
        path = word.partition("=")[2] or _GLUED.sub("", word)
        is_away = "://" not in word and "/" in path and self.place(path) is FilePlace.OUTSIDE
        return is_away or self.names_rules(path)

    def glimpse(self, text: str, depth: int) -> list[Effect]:
        """Return what a text of a shell would surely do that is not harmless."""
        inner = _Reader(self.root)
        inner.calls_left = self.calls_left
        inner.shell(text, depth)
        self.calls_left = inner.calls_left
        is_fed = _FED_SHELL.search(text) is not None  # else it is only a word that no line of a shell begins with
        return [one for one in inner.found if one in inner.sure - HARMLESS and (is_fed or one not in _BY_NAME)]

    def behind(self, rest: list[str], depth: int) -> CommandReading:
        """Return what the words behind a program that nobody knows would do, if it runs them.

        A first word that looks or serves is what the program does: `ember serve` is not `serve`.
        """
        own = int(bool(rest) and is_quiet(rest[0]))
        at = next((at for at, one in enumerate(rest) if at >= own and program(name_of(one)) is not None), len(rest))
        inner = _Reader(self.root)
        inner.calls_left = self.calls_left
        inner.words(ProgramCall(words=rest[at:], source=shlex.join(rest[at:])), rest[at:], depth + 1)
        self.calls_left = inner.calls_left
        return inner.result()


def _chained(rest: list[str]) -> list[list[str]]:
    """Return the calls in the words behind a program: a semicolon that is a word, or ends one, begins another."""
    parts: list[list[str]] = [[]]
    for word in rest:
        parts[-1] += [word.rstrip(";")] if word.rstrip(";") else []
        parts += [[]] if word.endswith(";") else []
    return [part for part in parts if part] or [rest]


def _brings_in(run: ProgramRun) -> bool:
    """Return True if a call fetches a part of its program, unless its words may be any text, or those of a script."""
    return _TEXTS.isdisjoint(run.known.is_) and not reads_script(run) and brings_in(run.arguments.operands)


def _is_file(run: ProgramRun) -> bool:
    """Return True if the first operand of `yq` is the file, and no expression: it is if it is all, and there is one."""
    names = run.arguments.operands
    return len(names) == 1 and (not (run.call.fed_by or run.call.redirects) or names[0].startswith(".env"))


def _is_harmless(reading: CommandReading) -> bool:
    return reading.understood and HARMLESS.issuperset(reading.effects)


def _calls(script: Script, text: str, *, is_sql: bool) -> list[ProgramCall]:
    """Return the calls of a text that may be prose, or SQL."""
    calls = script.calls
    if script.broken and _QUOTES.search(text):
        calls = calls + parse(_QUOTES.sub(" ", text)).calls  # an apostrophe of prose hides the words behind it
    if is_sql:  # a shell would take what stands behind a statement for commands of its own
        calls = [call for call in calls if not _is_statement(call, is_broken=script.broken)]
    return calls


def _is_statement(call: ProgramCall, *, is_broken: bool) -> bool:
    """Return True if a call within SQL is a statement of it, or words of one that no shell would take."""
    word = (call.words or [""])[0]
    if "/" in word and not word.startswith("/*"):
        return False
    return program(name_of(word)) is None and (is_broken or sql.STARTS.match(call.source) is not None)


def _lacks_command(run: ProgramRun) -> bool:
    """Return True if a call runs the words behind it, and there are none: they are what is fed, as in `xargs env`."""
    behind = [int(one[1]) for rule in run.known.rules for one in rule.also if one[0] == "argv"]
    return bool(behind) and len(run.arguments.operands) <= min(behind)


def _parted(run: ProgramRun) -> tuple[ProgramRun, list[TableRule]]:
    """Return a call without the options of the command in it, which are not its own, and the lines that count."""
    rules = counting(run.known, run.arguments)
    says = [directive for rule in rules for directive in rule.also]
    inner = next((one[1].split(",") for one in says if one[0] == "after"), None)
    if inner is not None:
        run = run._replace(arguments=run.known.arguments(list(without_inner(run.rest, inner))))
    wraps = (one for rule in run.known.rules if not rule.closeness for one in rule.also)
    behind = next((int(one[1]) for one in (*says, *wraps) if one[0] in _COMMAND_BEHIND), None)
    if behind is None:
        return run, rules
    run = run._replace(arguments=run.known.arguments(run.rest, stop=behind))
    return run, counting(run.known, run.arguments)


def _tries(known: ProgramEntry, run: ProgramRun) -> bool:
    """Return True if a call asks for help, or says what it would do without doing it; `-h` may be a host."""
    rules = counting(known, run.arguments)
    if any(rule.options and Effect.RUNS_UNKNOWN_CODE in rule.effects for rule in rules):
        return False  # what is run beside a trial runs all the same
    if any(rule.options & {"-V", "-l"} and rule.effects and Effect.READS not in rule.effects for rule in rules):
        return False  # a letter that asks for the version, or for a list, elsewhere
    given = [name + (f"={values[0]}" if values[0] else "") for name, values in run.arguments.options.items()]
    return tries(given, run.rest) and (known.has_subcommands or given[-1:] != ["-h"] or len(run.rest) == 1)


def _looks(known: ProgramEntry, rules: list[TableRule], run: ProgramRun) -> bool:
    """Return True if a program that would do harm is only asked to show something, unless the table knows better."""
    operands, options = run.arguments.operands, run.arguments.options
    if any(rule.effects and rule.closeness for rule in rules):
        return False
    if any(rule.otherwise and Effect.RUNS_UNKNOWN_CODE in rule.effects for rule in rules):
        return False  # a subcommand that nobody knows may be a program of its own: `git evil status`
    if any(Effect.READS_SECRETS in rule.effects for rule in rules):
        return only_lists(operands)
    if known.has_subcommands or any(_REACHES_OUT.issuperset(rule.effects) for rule in rules):
        return only_shows(operands, options)
    is_runner = any(Effect.RUNS_PROJECT_CODE in rule.effects for rule in rules)
    return not operands and not is_runner and only_shows((), options)
