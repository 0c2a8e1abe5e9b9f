"""Read a command: parse it, look every call up in the table, follow what runs something else, say what would happen."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.screening.commands import code, sql
from hub.screening.commands.circumstances import filters_secrets_out, names_production, said_around, stays_inside
from hub.screening.commands.limits import (
    COMMAND_CHARS_MAX,
    EVIDENCE_CHARS_MAX,
    EVIDENCE_MAX,
    READING_DEPTH_MAX,
    READINGS_KEPT_MAX,
    SEPARATORS_MAX,
)
from hub.screening.commands.operands import is_secret, is_system, is_temporary
from hub.screening.commands.reading import CommandReading
from hub.screening.commands.shell import ProgramCall, echoed, parse
from hub.screening.commands.table import Arguments, ProgramEntry, TableRule, counting, may_be_projects, program
from hub.screening.commands.verbs import (
    by_name,
    is_quiet,
    only_lists,
    only_shows,
    plain_deed,
    said_by,
    said_of_stranger,
    tries,
)
from hub.screening.effects import HARMLESS, Certainty

PROMPT_SIGN = r"^[ \t]*(?:\$|PS [^>\n]{0,80}>|[\w.-]+@[\w.-]+:[^$\n]{0,80}\$)"
"""What a terminal shows before a command."""
_PROMPT = re.compile(rf"{PROMPT_SIGN}\s+", re.MULTILINE)
_FORK_BOMB = re.compile(r"(?<![\w:])([\w:]{1,40})\s{0,9}\(\)\s*\{[^}]{0,200}\1\s*\|\s*\1|%0\s*\|\s*%0")
_SEPARATORS = re.compile(r"[|;&\n]")
_QUOTES = re.compile("['\"`]")
_ASSIGNMENT = re.compile(r"\w+\+?=")
_SUBSTITUTED = re.compile(r"\$\(|`|<\(|\$\w+$|\$\{\w+\}$")
_UNDOES = re.compile(
    r"--(?:delete|destroy|purge|wipe|erase|drop)(?:-(?!duplicates|branch-on|on)\w+)*|--accept-data-loss|--full-refresh|--no-backup"
)
"""Options of programs that are harmless without them, where the table says nothing of the option."""
_RUNS_NEXT = re.compile(r"--?(?:exec|execute|command|cmd|run|eval|shell|c|e|x)")
"""Options of a program that nobody knows that may hold a command."""
_PACKED = re.compile(r"\.(?:jar|war|phar|whl|exe|run|appimage|wasm)$", re.IGNORECASE)
_SCRIPT = re.compile(r"\.(?:sh|bash|py|ps1|bat|cmd|rb|js|pl)$")
_SERVICES = ("/etc/init.d/", "/etc/rc.d/")
_REACHES_OUT = frozenset({Effect.LEAVES_THE_MACHINE, Effect.TOUCHES_PRODUCTION})
"""What programs do by themselves that are told by subcommands what to do, whether the table lists those or not."""
_QUIET = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "nul", "$null", "-"})
_TELLS_WHAT_RUNS = frozenset({"-c", "-e", "-m", "--eval", "-p", "--print", "-r", "-E"})
_FETCHED_ANEW = frozenset({"-y", "--yes", "--package", "--from", "--with"})


@lru_cache(maxsize=READINGS_KEPT_MAX)
def read_command(text: str, folder: str = "") -> CommandReading:
    """Return what ``text``, a command or a script of a shell, or SQL, would do in a folder. Pure and total."""
    reader = _Reader()
    reader.shell(text, 0)
    return replace(reader.result(), stays=folder != "/" and stays_inside(text))


def _name(word: str) -> str:
    """Return a program's or a file's name without its folder."""
    return re.split(r"[/\\]", word.lower())[-1]


def _is(flag: str, words: list[str]) -> bool:
    """Say whether the table flags the program that ``words`` begin with."""
    found = program(_name(words[0])) if words else None
    return found is not None and flag in found.is_


class _Run(NamedTuple):
    """One call of a known program."""

    call: ProgramCall
    rest: list[str]
    arguments: Arguments
    depth: int


class _Reader:
    """Reads one text; keeps what was found, and what the text itself fetched."""

    def __init__(self) -> None:
        self.found: dict[Effect, list[str]] = {}
        self.sure: set[Effect] = set()
        self.understood = True
        self.fetched: set[str] = set()
        self.written: dict[str, str] = {}
        self.cloned = False
        self.followers: dict[str, Callable[[_Run, list[str]], None]] = {
            "argv": self.argv,
            "text": self.joined,
            "value": self.value,
            "after": self.after,
            "module": self.module,
            "npx": self.npx,
            "sql": self.operand,
            "code": self.operand,
            "script": self.script,
            "interpreter": self.interpreter,
            "stdin": self.stdin,
            "assigned": self.assigned,
        }

    def add(self, effects: Iterable[Effect], evidence: str, *, sure: bool = True) -> None:
        """Note what would happen, and the words that say so."""
        for effect in effects:
            self.found.setdefault(effect, []).append(" ".join(evidence.split())[:EVIDENCE_CHARS_MAX])
            if sure:
                self.sure.add(effect)

    def guess(self, verb: Effect | None, evidence: str) -> None:
        """Note what a name says of itself."""
        if verb:
            self.add([verb], evidence, sure=False)

    def unread(self, text: str) -> None:
        """Note that something is not read: it may be anything."""
        self.understood = False
        self.guess(Effect.RUNS_UNKNOWN_CODE, text)

    def result(self) -> CommandReading:
        """Return what was found."""
        counted = [effect for effect in self.found if effect not in HARMLESS] or list(self.found)
        spoken = dict.fromkeys(one for effect in counted for one in self.found[effect])
        certainty = Certainty.CERTAIN if self.sure.issuperset(counted) else Certainty.LIKELY
        if not counted or (not self.understood and HARMLESS.issuperset(counted)):
            certainty = Certainty.UNKNOWN
        effects = tuple(effect for effect in Effect if effect in self.found)
        evidence = tuple(spoken)[:EVIDENCE_MAX]
        return CommandReading(effects=effects, certainty=certainty, evidence=evidence, understood=self.understood)

    def shell(self, text: str, depth: int) -> None:
        """Read a text of a shell, or SQL that stands where a command would."""
        too_long = len(text) > COMMAND_CHARS_MAX or len(_SEPARATORS.findall(text)) > SEPARATORS_MAX
        if too_long or depth > READING_DEPTH_MAX:
            self.unread(text)
            return
        if sql.STARTS.match(text):
            self.add(sql.effects_of(text), text)
            return
        if _FORK_BOMB.search(text):
            self.add([Effect.CHANGES_SYSTEM], text)
        script = parse(_PROMPT.sub("", text))
        calls = script.calls
        if script.broken and _QUOTES.search(text):
            calls = calls + parse(_QUOTES.sub(" ", text)).calls  # an apostrophe of prose hides the words behind it
        if script.cut:
            self.unread(text)
        self.understood &= not script.broken
        for call in calls:
            for redirect in call.redirects:
                self.redirect(call, redirect.sign, redirect.target)
            self.words(call, call.words, depth)

    def redirect(self, call: ProgramCall, sign: str, target: str) -> None:
        """Judge `> file` and its relatives."""
        shown = f"{sign} {target}"
        if target.lower() in _QUIET or target.isdigit():
            return
        if target.startswith(("/dev/tcp/", "/dev/udp/")):
            self.add([Effect.LEAVES_THE_MACHINE], call.source)
        elif sign == "<":
            self.add([Effect.READS_SECRETS] if is_secret(target) else [], shown)
        elif re.match(r"/dev/(?!shm|fd)", target):
            self.add([Effect.DELETES], shown)
        elif "authorized_keys" in target or "sudoers" in target:
            self.add([Effect.CHANGES_PERMISSIONS], shown)
        elif is_system(target):
            self.add([Effect.CHANGES_SYSTEM], shown)
        elif sign in {">", ">|"} and call.words in ([], [":"], ["true"], ["cat", "/dev/null"]):
            self.add([Effect.DELETES], shown)
        else:
            self.add([Effect.WRITES_IN_WORKSPACE], shown)
            content = call.fed_text if call.words == ["cat"] else echoed([call])
            self.written[_name(target)] = content or ""
            if _is("fetches", call.words):
                self.fetched.add(_name(target))

    def words(self, call: ProgramCall, words: list[str], depth: int) -> None:
        """Judge one program with its arguments."""
        start = next((at for at, word in enumerate(words) if not _ASSIGNMENT.match(word)), len(words))
        word, rest = (words[start], words[start + 1 :]) if start < len(words) else ("", [])
        name, known = _name(word), program(_name(word))
        if depth > READING_DEPTH_MAX:
            self.unread(call.source)
        elif not word:
            return
        elif word.startswith(_SERVICES):
            self.add([Effect.READS if rest == ["status"] else Effect.CHANGES_SYSTEM], call.source)
        elif known is None or ("/" in word and (is_temporary(word) or name in self.fetched)):
            self.stranger(call, word, rest, depth)
        else:
            self.known(name, known, _Run(call, rest, known.arguments(rest), depth))

    def known(self, name: str, known: ProgramEntry, run: _Run) -> None:
        """Judge a program of the table."""
        call, arguments = run.call, run.arguments
        rules = counting(known, arguments)
        effects = {effect for rule in rules for effect in rule.effects}
        if not any(rule.also for rule in rules) and (_tries(known, run) or _looks(known, rules, run)):
            self.add([Effect.READS], call.source)
            return
        first = "pattern" in known.is_ and not {"-e", "-f"} & arguments.options.keys()
        operands = arguments.operands[int(first) : -1 if "copies" in known.is_ else None]
        if "blind" not in known.is_ and any(is_secret(one) for one in operands):
            effects.add(Effect.READS_SECRETS)
        if "fetches" in known.is_:
            self.fetched.update(_name(one) for one in arguments.values())
        effects |= said_around(name, known, call, arguments, effects)
        if filters_secrets_out(name, call):
            effects = {Effect.READS}
        brought = (one for one in arguments.values() if is_temporary(one) or _name(one) in self.fetched)
        if Effect.RUNS_PROJECT_CODE in effects and (self.cloned or any(map(_PACKED.search, brought))):
            effects.add(Effect.RUNS_UNKNOWN_CODE)
        live = names_production(run.rest, call.settings)
        if live and not any(map(is_quiet, call.words[1:])):
            effects.add(Effect.TOUCHES_PRODUCTION)
        self.cloned |= "unpacks" in known.is_ and bool(self.fetched)
        self.cloned |= name == "git" and arguments.operands[:1] == ["clone"]
        self.add(effects, call.source)
        if effects <= HARMLESS and any(map(_UNDOES.fullmatch, arguments.options.keys() - known.known)):
            self.guess(Effect.DELETES, call.source)
        if not any(rule.also for rule in rules):
            self.by_its_words(run, known, rules)
        for kind, *given in (directive for rule in rules for directive in rule.also):
            self.followers[kind](run, [kind, *given])

    def by_its_words(self, run: _Run, known: ProgramEntry, rules: list[TableRule]) -> None:
        """Take a call for what its subcommand and options say, where the table says no more than of its program.

        Where it says more, a plain deed behind what it names still speaks: `pip cache purge`.
        """
        effects = {effect for rule in rules for effect in rule.effects}
        operands, options = run.arguments.operands, [] if effects else run.arguments.options
        if any(rule.closeness for rule in rules):
            depth = max(len(rule.words) for rule in rules)
            verb = plain_deed(operands[depth : depth + 1]) if known.has_subcommands else None
        else:
            verb, _ = said_by(operands[: None if known.has_subcommands or not effects else 1], options)
        takes_words = not {"pattern", "words"}.isdisjoint(known.is_)
        if not effects or (verb and effects <= HARMLESS and not takes_words):
            self.guess(verb or Effect.WRITES_IN_WORKSPACE, run.call.source)

    def stranger(self, call: ProgramCall, word: str, rest: list[str], depth: int) -> None:
        """Judge a program that the table does not know, or one that came from elsewhere."""
        name = _name(word)
        if name in self.fetched or is_temporary(word) or (call.inside and word.startswith(("$(", "`"))):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
            return
        self.text(call, "shell", self.written.get(name, ""), depth)
        if "/" in word or _SCRIPT.search(name):
            self.add([Effect.RUNS_UNKNOWN_CODE if self.cloned else Effect.RUNS_PROJECT_CODE], call.source)
        said = said_of_stranger(name, rest)
        self.understood &= said.shows or said.tries or "/" in word or _SCRIPT.search(name) is not None
        self.guess(None if said.tries else said.verb, call.source)
        for at in (at for at, one in enumerate(rest[:-1]) if _RUNS_NEXT.fullmatch(one)):
            self.text(call, "shell", rest[at + 1], depth)
        self.guess(Effect.READS_SECRETS if any(map(is_secret, rest)) else None, call.source)

    def text(self, call: ProgramCall, kind: str, text: str, depth: int) -> None:
        """Read a text in its language."""
        if not text:
            return
        substituted = _SUBSTITUTED.match(text)
        if kind == "sql":
            self.add(sql.effects_of(text), call.source)
        elif kind == "code" and not (substituted and call.inside):
            self.add(code.effects_of(text), call.source)
            for inner in code.shells(text):
                self.shell(inner, depth + 1)
        elif substituted:
            if not call.inside or not all(_is("sets", one.words) for one in call.inside):
                self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        else:
            self.shell(text, depth + 1)

    def argv(self, run: _Run, given: list[str]) -> None:
        """Read the words behind some operands as a command: `timeout 5 rm x`."""
        operands, at = run.arguments.operands, int(given[1])
        while at < len(operands) and _ASSIGNMENT.match(operands[at]):
            at += 1
        if at < len(operands):
            self.words(run.call, run.rest[run.arguments.places[at] :], run.depth + 1)

    def joined(self, run: _Run, given: list[str]) -> None:
        """Read the words behind some operands as a text of a shell: `ssh host 'rm x'`."""
        for at in run.arguments.places[int(given[1]) : int(given[1]) + 1]:
            words = run.rest[at:]
            self.text(run.call, "shell", " ".join(words), run.depth)
            for word in words if len(words) > 1 else ():
                if " " in word:
                    self.text(run.call, "shell", word, run.depth)

    def value(self, run: _Run, given: list[str]) -> None:
        """Read an option's value: `sh -c 'rm x'`."""
        for name in given[1].split(","):
            for value in run.arguments.options.get(name, []):
                self.text(run.call, given[2], value, run.depth)

    def assigned(self, run: _Run, _given: list[str]) -> None:
        """Read what a name is to stand for: `alias ls='rm -rf'`."""
        for one in run.arguments.operands:
            self.text(run.call, "shell", one.partition("=")[2], run.depth)

    def operand(self, run: _Run, given: list[str]) -> None:
        """Read operands as SQL or code: `sqlite3 db 'drop table x'`."""
        for value in run.arguments.operands[int(given[1]) :]:
            self.text(run.call, given[0], value, run.depth)

    def after(self, run: _Run, given: list[str]) -> None:
        """Read the words behind an option, up to `;` or `+`: `find -exec rm {} +`."""
        for at, word in enumerate(run.rest):
            if word in given[1].split(","):
                inner = run.rest[at + 1 :]
                end = next((place for place, one in enumerate(inner) if one in {";", "+"}), len(inner))
                self.words(run.call, inner[:end], run.depth + 1)

    def module(self, run: _Run, _given: list[str]) -> None:
        """Read a module as the program that its name or its package is, or as the project's: `python -m shop.cli`."""
        for at, word in enumerate(run.rest):
            option = re.fullmatch(r"-[A-Za-z]*m(.*)", word)
            name, *rest = ([option.group(1)] if option and option.group(1) else []) + run.rest[at + 1 :] or [""]
            if option and name:
                package, dot, _ = name.partition(".")
                known = name if program(name) or not dot else package if program(package) else f"./{name}.py"
                self.words(run.call, [known, *rest], run.depth + 1)
                return

    def npx(self, run: _Run, given: list[str]) -> None:
        """A tool of the table is taken for the project's own; another name, or a version, is fetched and run."""
        for value in run.arguments.options.get("-c", []):
            self.text(run.call, "shell", value, run.depth)
        for at in run.arguments.places[int(given[1]) : int(given[1]) + 1]:
            tool = run.rest[at]
            if not may_be_projects(tool) or "@" in tool or _FETCHED_ANEW & run.arguments.options.keys():
                self.add([Effect.RUNS_UNKNOWN_CODE], run.call.source)
            self.words(run.call, run.rest[at:], run.depth + 1)

    def script(self, run: _Run, given: list[str]) -> None:
        """Take what the project calls its tasks by their names: `make deploy`."""
        for one in run.arguments.operands[int(given[1]) : int(given[1]) + 2]:
            self.guess(by_name(one.partition("=")[2] or one), run.call.source)

    def interpreter(self, run: _Run, given: list[str]) -> None:
        """Judge the script that an interpreter is given, or what comes in through the pipe."""
        call, _, arguments, depth = run
        script = next((one for one in arguments.operands if one != "-"), "")
        if not _TELLS_WHAT_RUNS.isdisjoint(run.rest[: min(arguments.places, default=None)]):
            return
        if not script or "-s" in arguments.options:
            self.stdin(run, given)
            return
        fetched = is_temporary(script) or _name(script) in self.fetched or "://" in script
        if fetched or script.startswith(("<(", "$(", "`")):
            self.add([Effect.RUNS_UNKNOWN_CODE], call.source)
        self.guess(by_name(script), call.source)
        self.text(call, given[1], self.written.get(_name(script), ""), depth)
        if given[1] == "code" and program(_name(script)):
            self.words(call, [_name(script), *arguments.operands[1:]], depth + 1)

    def stdin(self, run: _Run, given: list[str]) -> None:
        """Read what is fed to a program that runs it."""
        call, sources = run.call, run.call.fed_by
        literal = call.fed_text if call.fed_text is not None else echoed(sources)
        only_cat = bool(sources) and all(one.words[:1] == ["cat"] for one in sources)
        if literal is None and only_cat:
            literal = sources[0].fed_text
        if literal is not None:
            self.text(call, given[1], literal, run.depth)
        elif sources and given[1] != "sql" and not only_cat:
            self.add([Effect.RUNS_UNKNOWN_CODE], f"{sources[-1].source} | {call.source}")


def _tries(known: ProgramEntry, run: _Run) -> bool:
    """Say whether a call asks for help, or says what it would do without doing it; `-h` may be a host."""
    given = [name + (f"={values[0]}" if values[0] else "") for name, values in run.arguments.options.items()]
    return tries(given, run.rest) and (known.has_subcommands or given[-1:] != ["-h"] or len(run.rest) == 1)


def _looks(known: ProgramEntry, rules: list[TableRule], run: _Run) -> bool:
    """Say whether a program that would do harm is only asked to show something, as far as the table says no closer."""
    operands, options = run.arguments.operands, run.arguments.options
    if any(rule.effects and rule.closeness for rule in rules):
        return False
    if any(Effect.READS_SECRETS in rule.effects for rule in rules):
        return only_lists(operands)
    if known.has_subcommands or any(_REACHES_OUT.issuperset(rule.effects) for rule in rules):
        return only_shows(operands, options)
    return not operands and only_shows((), options)
