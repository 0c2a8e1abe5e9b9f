"""What the input of a tool that is not an agent's own would do, by the names of its fields. Pure and total.

A tool of some server is known by two things: the verb in its name, and the fields that it is given. A field named for a
command, a statement, a file or an address is read as what it is, and so is a text that looks like a file, an address or
JSON under any other name. What is in no table here is unknown, and a tool is understood only where its verb is known
and nothing unknown could change what it does: a look that fetches from another machine takes no other text along, and
one that runs a query says what the query does.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.contract.permission import Act, CallField
from hub.screening.commands.operands import UNCLEAR_NAME, is_secret, names_secret, path_of
from hub.screening.commands.sql import STARTS
from hub.screening.commands.sql import effects_of as sql_effects
from hub.screening.commands.strictness import setting_doubt
from hub.screening.commands.table import program
from hub.screening.commands.verbs import by_name
from hub.screening.powershell import is_powershell
from hub.screening.queries import changes_data, runs_code
from hub.screening.tool_names import (
    LOOKS,
    asks_for_secret,
    chooses,
    does_more,
    is_deed,
    is_deed_beside,
    is_grave,
    names_people,
    opens_access,
    reveals,
    tells,
    words_of,
)

PARTS_MAX = 64
DEPTH_MAX = 6
DATA_CODE = re.compile(r"[\w.:/-]{0,16}")
"""What a field `code` holds that is no program: `DE`, `404`, `E501`."""
_ADDRESS = re.compile(r"[A-Za-z][\w+.-]*://|www\.", re.IGNORECASE)
_PATH = re.compile(r"[/~.\\$]|[A-Za-z]:[\\/]|.*[/\\]")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+(?::\d+)?")
_WORD_ALONE = re.compile(r"[\w.:@/,*-]{0,120}")
_CODE = re.compile(r"[;\n]|\w\(")
"""What stands in code, and in hardly any path."""
_FIGURE = re.compile(r"[\w.+-]{0,24}")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_OF_A_HOST = re.compile(r"file://[^/]", re.IGNORECASE)
_FIELD_NAME = re.compile(r"[\w.$:@-]{1,40}")
_NUMBER_CHARS_MAX = 20
"""A longer number, or a name that is none, may carry something to another machine, as a text may."""
_IN_PATCH = re.compile(
    r"^(?:(?:---|\+\+\+|rename (?:from|to)|copy to) |[^\S\n]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): ?)"
    r"(?:[ab]/)?([^\t\r\n]+)",
    re.MULTILINE,
)
"""The files that a patch names."""

Kind = Literal["command", "args", "typed", "sql", "query", "code", "path", "place", "url", "content", "folder", "env"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NAMES: Mapping[Kind, str] = {
    "command": "command cmd script bash sh zsh powershell pwsh shellcommand commandline cmdline oneliner"
    " exec execute program executable",
    "args": "args argv arguments parameters params flags options",
    "typed": "input stdin keys keystrokes typed",
    "sql": "sql statement sqlquery ddl dml",
    "query": "query queries",
    "code": "code python javascript js typescript snippet expression function lambda eval",
    "path": "path file filename filepath dir directory dirpath source src destination dest dst oldpath newpath",
    "place": "target from to output out folder root location",
    "url": "url uri href link endpoint baseurl webhook",
    "content": "content contents text filetext newstring newtext newcontent oldstring oldtext edit data body payload"
    " patch diff replacement newsource",
    "folder": "cwd workdir workingdir workingdirectory currentdirectory",
    "env": "env environment envvars",
}
KINDS: Mapping[str, Kind] = {name: kind for kind, names in _NAMES.items() for name in names.split()}
"""By a field's name in small letters without marks, or by its last word (`outputPath`, `target_file`)."""
PROSE = _set("description explanation summary")
WORDS = PROSE | _set("title encoding sessionid database schema format")
FIGURES = _set(
    "timeout timeoutms timeoutseconds limit offset line lines linenumber length head tail page pagesize overwrite"
    " append createdirectories createparents dryrun recursive replaceall expectedreplacements maxresults maxlines"
    " maxbytes startline endline depth verbose maxlength startindex raw"
)
"""Fields that change nothing of what a tool that runs or writes could do wrong, with words or a figure in them."""
PLAIN = WORDS | FIGURES
DEEDS = _set(
    "action operation op method verb actions operations ops methods verbs act do func mutation mutations tool tools"
    " call calls invocation invocations shell"
)
"""Fields that say which of several things a tool does."""
MANNERS = _set("mode modes step steps task tasks behavior behaviour strategy intent")
"""Fields that may say so."""
SORTS = _set("type kind")
"""Fields that may say so where they choose nothing."""
KEYS = _set("key variable var setting")
HOSTS = _set("host hostname domain server nameserver remote ip")
NETWORK = _set("dns resolver dig nslookup whois ping traceroute rdap")
"""Words of a tool's name, or its server's, by which any name that it is given is asked for over the network."""
PATCHES = _set("patch diff")
SOURCES = _set("source src")
MAY_RUN = SOURCES | _set("run line body data")
"""Fields that hold a command if their text reads like one."""
RUNS = _set("exec execute run start shell bash sh terminal command cmd query sql process")
SAVED_TO = _set(
    "out output outfile outputs dest destination dst save saved saveto write writeto written export exported log"
    " logfile"
)
"""Words of a field's name by which even a look writes what it saw."""
SAVES = _set("screenshot export record dump capture snapshot download save")
"""Words of a tool's name by which the file that it is given is the one that it writes."""
MOVES: Mapping[str, str] = {"move": "mv", "rename": "mv", "copy": "cp -r"}
"""By a name's first word, the command that does the same with one file, or folder, and its new name."""
TARGETS = _set("to dest destination dst target new newpath out output")
CHANGES = _set("write edit create move copy append update insert replace rename save mkdir make put modify patch touch")
"""Verbs: of a name's first word a change of files, of any of its words that it runs what it is given."""


LOOSE = ("sandbox", "dangerous", "bypass", "escalat", "permission", "allowedprompts", "pushtoremote", "launchswarm")
SHELL = re.compile(r'"(?:/(?:usr/)?bin/)?(?:ba|z|da|fi)?sh"')
"""A shell from where shells are, as JSON; any other is a program of somebody's."""
FALSE = frozenset({"false", "null", '""', "[]", '"use_default"'})


def is_loose(setting: CallField) -> bool:
    """Return True for a setting, as JSON, that has a call do more than its text says, or that names its shell."""
    if setting.name == "edit_mode":
        return setting.value == '"delete"'
    if setting.name == "shell":
        return setting.value not in FALSE and SHELL.fullmatch(setting.value) is None
    return setting.value not in FALSE and any(word in setting.name.lower() for word in LOOSE)


class InputPart(Value):
    """One thing that a tool would do by a part of its input, as an agent's own tool would be asked about it."""

    act: Act
    text: str = ""
    target: str = ""
    folder: str = ""
    tool: str = ""


class ToolReading(Value):
    """What a tool would do: by its name and by statements in it, and the parts that are still to be read.

    `known` is False where its verb is not known, or a field that could change what it does.
    """

    effects: frozenset[Effect] = frozenset()
    parts: tuple[InputPart, ...] = ()
    known: bool = False


def read_tool(tool: str, text: str, folder: str) -> ToolReading:
    """Return what the tool of this name would do with `text`, the JSON of its input; cut or no JSON, it is unknown."""
    given = _object_in(text)
    named = by_name(tool)
    effects = frozenset({named} if named else ())
    if given is None:
        return ToolReading(effects=effects)
    leaf = tool.rpartition("__")[2] or tool
    reader = _FieldReader(leaf, given, folder, asks_network=not NETWORK.isdisjoint(words_of(tool)))
    reader.read(given)
    reader.read_move(given)
    parts = tuple(reader.parts[:PARTS_MAX])
    is_known = reader.is_known and reader.says_enough() and named is None and len(reader.parts) <= PARTS_MAX
    looked = frozenset({Effect.READS}) if is_known and reader.looks and not (parts or reader.effects) else frozenset()
    return ToolReading(effects=effects | reader.effects | looked, parts=parts, known=is_known)


class _FieldReader:
    """Reads field after field; `leaf` is the tool's own name, without its server's."""

    def __init__(self, leaf: str, given: Mapping[str, object], folder: str, *, asks_network: bool) -> None:
        words = words_of(leaf)
        self.parts: list[InputPart] = []
        self.effects = frozenset({Effect.READS_SECRETS}) if reveals(words) else frozenset[Effect]()
        self._own_words = words
        self._chooses = chooses(words)
        self._asks_network = asks_network
        self._shell = leaf if is_powershell(leaf) else ""
        first = words[0] if words else ""
        self.runs = not RUNS.isdisjoint(words)
        self.changes = first in CHANGES
        self.looks = first in LOOKS and CHANGES.isdisjoint(words) and not does_more(words)
        self.is_known = self.looks or ((self.runs or self.changes) and not any(map(is_grave, words)))
        has_command = any(kind_of(name) in {"command", "args"} for name in given)
        self._is_told_to_run = self.runs and not self.looks and has_command
        folders = tuple(self._folders(given))
        self.is_known = self.is_known and len(folders) <= 1  # nobody can tell in which of several it would be
        self._folder = next((_joined(folder, one) for one in folders), folder)
        self._settings = _settings_of(given)
        self._writes = self.changes or bool([one for one in _texts_of(given, "content") if not self.looks])
        self._takes_along = False
        self._has_program = self._has_loose_args = False

    def _folders(self, given: Mapping[str, object]) -> Iterator[str]:
        """Yield the folders in which it would run: with a command, any place that it is given may be one."""
        yield from _texts_of(given, "folder")
        if self._is_told_to_run:
            yield from (text for kind in ("path", "place") for text in _texts_of(given, kind))

    def says_enough(self) -> bool:
        """Return True if what is run is there to be read, and where is written; a look says enough by its name.

        A look at another machine's address says enough only if it takes no text along.
        """
        is_edit = any(one.act is Act.EDIT for one in self.parts)
        is_sent = self._takes_along and any(one.act is Act.FETCH for one in self.parts)
        looks = self.looks and not is_sent
        is_whole = not (self._has_program and self._has_loose_args)
        enough = looks or (self.changes and is_edit) or (self.runs and bool(self.parts or self.effects))
        return enough and is_whole

    def read(self, given: Mapping[str, object], depth: int = 0) -> None:
        """Read all fields of an object; nobody can tell what several commands, or lists of arguments, come to."""
        program = " ".join(_texts_of(given, "command"))
        commands, args = (sum(kind_of(name) == kind for name in given) for kind in ("command", "args"))
        self._note_unless(commands <= 1 and args <= 1)
        self._has_program = self._has_program or commands > 0
        for name, value in given.items():
            kind = kind_of(name)
            self._note_field(name, value)
            if kind == "args" and isinstance(value, str | list):
                self._read_args(value, program)
            elif kind == "command" and isinstance(value, list) and not name.endswith("s"):
                self._add_command(_line(value))
            elif kind == "command" and isinstance(value, str) and _args_of(given):
                continue  # read with what stands behind it
            elif kind == "folder":
                self._note_unless(self.runs and isinstance(value, str) and not depth)
            elif kind == "env":
                is_judged = _args_of(given) or any(_texts_of(given, "command")) or not _loads(value)
                self._note_unless(self.runs and not depth and _are_variables(value) and is_judged)
            else:
                self._read_value(name, kind, value, depth)

    def _read_value(self, name: str, kind: Kind | None, value: object, depth: int) -> None:
        match value:
            case str():
                self._read_text(name, kind, value, depth)
            case dict() if depth < DEPTH_MAX:
                self.read({str(key): one for key, one in value.items()}, depth + 1)
            case list() if depth < DEPTH_MAX:
                for one in value:
                    self._read_value(name, kind, one, depth + 1)
            case dict() | list():
                self.is_known = False
            case _:
                self._note_unless(kind is not None or self.looks or _plain(name) in PLAIN)

    def _note_field(self, name: str, value: object) -> None:
        """Note what the name of a field says beside what is in it."""
        long = isinstance(value, int | float) and len(str(value)) > _NUMBER_CHARS_MAX
        self._takes_along = self._takes_along or long or _FIELD_NAME.fullmatch(name) is None
        if not self._chooses and names_people(name, value):
            self.effects = self.effects | {Effect.MESSAGES}
        elif not self._chooses and opens_access(name, value):
            self.effects = self.effects | {Effect.CHANGES_PERMISSIONS}
        if not self.looks or value in (None, "", [], {}) or (value is False and not tells(name, value)):
            return
        self._note_unless(self._chooses or not tells(name, value))
        words = words_of(name)
        holds_fields = _holds_fields(value)
        says_deed = _says_deed(words) or (holds_fields and not MANNERS.isdisjoint(words[-1:]))
        self._note_unless(not is_deed_beside(name, is_flag=value is True or holds_fields) and not runs_code(name))
        self._note_unless(not says_deed or (isinstance(value, str | list) and not holds_fields))
        if asks_for_secret(name):
            self.effects = self.effects | {Effect.READS_SECRETS}

    def _read_text(self, name: str, kind: Kind | None, text: str, depth: int) -> None:
        last = words_of(name)[-1:]
        if self.looks and not (MANNERS if self._chooses else MANNERS | SORTS).isdisjoint(last):
            self._note_unless(not any(map(is_deed, words_of(text)[:1])))
        if self.looks and _says_deed(words_of(name)):
            said = words_of(text)
            self._note_unless(not LOOKS.isdisjoint(said[:1]) and not does_more(said) and _is_one_word(text))
            return
        kind = self._meant(kind, last, text)
        match kind:
            case "command" | "typed" if kind == "command" or self.runs:
                self._add_command(text)
            case "sql" | "query" | "content" | "typed" | None if kind == "sql" or self._is_statement(text):
                self._add_statement(text)
            case "code" if not DATA_CODE.fullmatch(text):
                self.effects = self.effects | {Effect.RUNS_UNKNOWN_CODE}
            case "url" if not text.lower().startswith("file:"):
                self._add_address(text)
            case "path" | "url":
                self._add_path(name, text)
            case "content" if self.changes:
                if PATCHES.intersection(words_of(name)[-1:]):
                    self._add_patch(text)  # else what is written stands on the card; where it is written is judged
            case _:
                self._read_other(name, kind, text, depth)

    def _meant(self, kind: Kind | None, last: list[str], text: str) -> Kind | None:
        """Return what a text is that a field holds under a name for several things: `source`, `run`, `body`."""
        if self.looks and not MAY_RUN.isdisjoint(last) and _is_command(text):
            return "command"
        return "code" if not SOURCES.isdisjoint(last) and _CODE.search(text) else kind

    def _read_other(self, name: str, kind: Kind | None, text: str, depth: int) -> None:
        """Read a text by what it looks like, for its name does not say what it is."""
        inner = _json_in(text)
        if inner is not None:
            self._read_value(name, kind, inner, depth + 1)
        elif kind is None and (self._asks_network or _plain(name) in HOSTS) and _HOST.fullmatch(text):
            self._takes_along = self._takes_along or self._asks_network  # a name that is looked up may carry data
            self._add_address(f"https://{text}")
        elif not _is_one_word(text) or kind == "query":
            self._note_words(name, text)
        elif _ADDRESS.match(text) and not text.lower().startswith("file:"):
            self._note_unless((self.looks or kind == "place") and not self._is_told_to_run)
            self._add_address(text)
        elif _PATH.match(text) or is_secret(text):
            self._note_unless(self.looks or kind == "place")
            self._add_path(name, text)
        else:
            self._note_words(name, text)

    def _note_words(self, name: str, text: str) -> None:
        """Note a text that is read as no command, statement, file or address."""
        plain, is_short = _plain(name), _FIGURE.fullmatch(text) is not None
        if plain in PLAIN and (is_short or plain in WORDS):
            self._takes_along = self._takes_along or not is_short
            self._note_unless(not self.runs or plain in PROSE or _WORD_ALONE.fullmatch(text) is not None)
            return
        if self.looks and _names_kept_secret(name, text):
            self.effects = self.effects | {Effect.READS_SECRETS}
        self._takes_along = True
        is_read = not changes_data(text) and (not self.runs or _WORD_ALONE.fullmatch(text) is not None)
        self._note_unless(self.looks and is_read)

    def _is_statement(self, text: str) -> bool:
        return not self.changes and STARTS.match(text) is not None

    def _read_args(self, value: str | list[object], program: str) -> None:
        said = value if isinstance(value, str) else _line(value)
        self._has_loose_args = self._has_loose_args or not program
        self._add_command(f"{program or '-'.join(self._own_words)} {said}")

    def _add_command(self, text: str) -> None:
        line = self._settings + text
        self.parts.append(InputPart(act=Act.COMMAND, text=line, folder=self._folder, tool=self._shell))

    def _add_statement(self, text: str) -> None:
        found = sql_effects(text)
        self.effects = self.effects | found
        self._note_unless(bool(found) and STARTS.match(text) is not None)

    def _add_address(self, text: str) -> None:
        if not _ADDRESS.match(text) or not text.lower().startswith(("http", "www.")):
            self.is_known = False
        self.parts.append(InputPart(act=Act.FETCH, target=text))
        if self._writes:
            self.effects = self.effects | {Effect.LEAVES_THE_MACHINE}

    def _add_path(self, name: str, text: str) -> None:
        """Add what is done to a file: read, written to, or run where a tool that runs is told nothing else."""
        path = path_of(text) or text
        self._note_unless(UNCLEAR_NAME.search(text) is None and _OF_A_HOST.match(text) is None)
        if self._is_told_to_run:
            return  # where it runs: read with the command
        if self.runs and not (self.looks or self.changes):
            self._add_command(shlex.quote(path if _PATH.match(path) else f"./{path}"))
            return
        is_saved = not SAVED_TO.isdisjoint(words_of(name)) or not SAVES.isdisjoint(self._own_words)
        reads = self.looks and not self._writes and not is_saved
        self.parts.append(InputPart(act=Act.READ if reads else Act.EDIT, target=path, folder=self._folder))

    def read_move(self, given: Mapping[str, object]) -> None:
        """Read a move or a copy of one file as the command that does the same: it may lose, or show, what it moves."""
        command = MOVES.get(self._own_words[0]) if self._own_words else None
        named = [(name, text) for kind in ("path", "place") for name in given for text in _text_at(given, name, kind)]
        if command is None or len(named) != len(("from", "to")):
            return
        named.sort(key=lambda one: not TARGETS.isdisjoint(words_of(one[0])))
        self._add_command(f"{command} -- {shlex.join(path_of(text) or text for _, text in named)}")

    def _add_patch(self, text: str) -> None:
        for path in _IN_PATCH.findall(text):
            if path.strip() != "/dev/null":
                self._add_path("path", path.strip())

    def _note_unless(self, is_known: bool) -> None:  # noqa: FBT001  what was just found out
        self.is_known = self.is_known and is_known


def _names_kept_secret(field: str, text: str) -> bool:
    """Return True if a single word names a secret that is kept under it: `AWS_SECRET_ACCESS_KEY`."""
    is_name = _is_one_word(text) and (text.isupper() or not KEYS.isdisjoint(words_of(field)[-1:]))
    return is_name and names_secret(text)


def _are_variables(value: object) -> bool:
    """Return True for variables as they can stand before a command, which is read with them."""
    return isinstance(value, dict) and all(
        _VARIABLE.fullmatch(str(name)) and isinstance(one, str | int | float) for name, one in value.items()
    )


def _loads(variables: object) -> bool:
    """Return True if a variable has a program run or load something."""
    pairs = variables.items() if isinstance(variables, dict) else ()
    return any(setting_doubt(f"{name}={value}") for name, value in pairs)


def _is_command(text: str) -> bool:
    """Return True if a text has several words, of which the first is a program."""
    first, *others = text.split(maxsplit=1)[:2] or [""]
    return bool(others) and program(first) is not None


def _is_one_word(text: str) -> bool:
    return not any(one.isspace() for one in text)


def _json_in(text: str) -> Mapping[str, object] | list[object] | None:
    """Return the object or list that a text holds as JSON; None where it holds none."""
    if text.lstrip()[:1] not in {"{", "["}:
        return None
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def kind_of(name: str) -> Kind | None:
    """Return what a field of this name holds; None where the name does not say it."""
    words = words_of(name)
    last = words[-1] if words else ""
    return KINDS.get(_plain(name)) or KINDS.get(last) or KINDS.get(last.removesuffix("s"))


def _settings_of(given: Mapping[str, object]) -> str:
    """Return the variables that a tool is given as they would stand before a command."""
    found = (value for name, value in given.items() if kind_of(name) == "env" and _are_variables(value))
    pairs = ((str(name), str(value)) for one in found if isinstance(one, dict) for name, value in one.items())
    return "".join(f"{name}={shlex.quote(value)} " for name, value in pairs)


def _text_at(given: Mapping[str, object], name: str, kind: Kind) -> list[str]:
    value = given[name]
    return [value] if kind_of(name) == kind and isinstance(value, str) else []


def _says_deed(words: list[str]) -> bool:
    """Return True if a field says by its name that it tells what is done: `action`, `tool_name`."""
    last = words[-2:-1] if words[-1:] == ["name"] else words[-1:]
    return not DEEDS.isdisjoint(last)


def _holds_fields(value: object) -> bool:
    """Return True if a value is an object, or a list in which one is."""
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict) for one in value))


def _texts_of(given: Mapping[str, object], kind: Kind) -> Iterator[str]:
    return (value for name, value in given.items() if kind_of(name) == kind and isinstance(value, str))


def _args_of(given: Mapping[str, object]) -> bool:
    return any(kind_of(name) == "args" and isinstance(value, str | list) for name, value in given.items())


def _line(words: Sequence[object]) -> str:
    return shlex.join(str(one) for one in words)


def _joined(folder: str, path: str) -> str:
    return path if path.startswith(("/", "~", "$")) or not folder else f"{folder.rstrip('/')}/{path}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())


def _object_in(text: str) -> Mapping[str, object] | None:
    found = _json_in(text)
    return found if isinstance(found, dict) else None
