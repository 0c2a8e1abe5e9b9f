"""What an agent says through a hook, and what it is told, in words that no agent's dialect changes."""

import json
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.contract.permission import Act, AgentQuestion
from hub.domain.calls import LedTo
from hub.kit.given_answers import Deed
from hub.kit.loose_json import text_of

NAME_CHARS_MAX = 128
LABEL_CHARS_MAX = 200

TEST_SESSION = "pulse-connect-test"
"""The session in which `pulse connect AGENT --test` asks as the agent would."""
DEPTH_MAX = 64
NUMBER_DIGITS_MAX = 18
"""A longer whole number is kept as the text that it was sent as."""
_BROKEN = re.compile("[\ud800-\udfff]")
"""Halves of a character, which no text has and no program is given."""
REPLACED = "\ufffd"
_EVENT = re.compile(rb'"(?:hook_event_name|hookName|event)"\s*:\s*"([A-Za-z.]{1,64})"')
"""How each dialect names the event, wherever that stands in what cannot be read."""

ToolInput = Mapping[str, object]
"""What a tool is given: JSON as the agent sent it, in no shape that could be relied on."""


class At(StrEnum):
    """Where in its work an agent is."""

    BEFORE = "before"
    """It is about to use a tool; the answer must come at once."""

    LEAVE = "leave"
    """It asks for leave to use a tool, and waits for a person."""

    DENIED = "denied"
    """A reviewer of its own said no to a tool."""

    AFTER = "after"
    """It has used a tool."""

    FAILED = "failed"
    """It has used a tool in vain."""

    REFUSED = "refused"
    """Its person said no at its own dialog."""

    NOTICE = "notice"
    """It would like its person to look."""

    ANSWERED = "answered"
    """Its person has answered in its own dialog, to which no card belongs."""

    PROMPT = "prompt"
    """Its person has typed something."""

    TURN_END = "turn-end"
    """It has come to the end of what it was told to do."""

    BEGIN = "begin"
    """Its session begins."""

    TURN_FAILED = "turn-failed"
    """Its turn ended by an error of its model's service, or by a limit of its account."""

    SUB_END = "sub-end"
    """An agent that it had started has ended."""

    END = "end"
    """Its session has ended."""

    ELSE = "else"
    """Something that Pulse has no use for."""


class AgentOffer(Value):
    """One way to say yes that outlasts this call, as the agent offers it; `echo` is what it wants back for it."""

    id: str
    label: str
    lasts: Literal["session", "always"]
    echo: ToolInput


class SkillFile(Value):
    """A skill, a slash command or a helper as its file has it.

    `doubt` says why this may not be what the agent goes by, in words for a person; `left_out` counts what was not read.
    """

    path: str
    text: str = ""
    doubt: str = ""
    left_out: int = 0


class BroughtFile(Value):
    """A file that agents or git read as they start, and what a command of git does to it, in words for a person.

    `content` is git's name for what it would hold.
    """

    path: str
    deed: str
    content: str = ""


class HookStep(Value):
    """One thing that an agent said.

    `event` is its own word for it, `session` its own name for its conversation, `call` for this use of a tool (most
    send none when they ask for leave). `input` is what the tool is given; `shortened` says that long texts in it were
    cut on the way here. `mode` is how freely the agent works, in its own word. `unattended`: nobody sits before it, so
    it has no dialog, and takes its first answer for the last. `by_person`: somebody has begun this session,
    taken it up again, or answered there. `hides_dialog`: its own dialog for this opens only when the hook is done.
    `transcript` is the file in which it keeps what it does, where it names one. `untold`: the way it asks has no word
    back to the model, so nothing of it can be changed. `subagent` is its own name for one that it started and whose
    step this is, `subagent_type` what kind it calls that. `error` is its word for why a turn failed. `led_to` says
    where links lead the files that it names, as was looked up here; None where nobody could tell. `skills`
    are the files that may be the skill, or define the helper, which it calls. `is_claimed`: another server has the name
    of Pulse's, so that the tool may be that one's, or nobody can tell. `unseen` says why the files around it could not
    be looked at. `other_hooks` are hooks of others that may answer for the person, `changers` those that may change
    what the tool is given, each by its file and its command. `brought` are files that a command of git brings.
    `project` is the folder in which its session began, where that is known, and `source` where it has the server of
    this tool from, in its own word.
    """

    at: At
    event: str
    session: str = ""
    subagent: str = ""
    subagent_type: str = ""
    folder: str = ""
    tool: str = ""
    call: str = ""
    input: ToolInput = msgspec.field(default_factory=dict)
    offers: tuple[AgentOffer, ...] = ()
    message: str = ""
    mode: str = ""
    shortened: bool = False
    unattended: bool = False
    by_person: bool = False
    hides_dialog: bool = False
    transcript: str = ""
    untold: bool = False
    error: str = ""
    led_to: tuple[LedTo, ...] | None = ()
    skills: tuple[SkillFile, ...] = ()
    is_claimed: bool = False
    unseen: str = ""
    other_hooks: tuple[tuple[str, str], ...] = ()
    changers: tuple[tuple[str, str], ...] = ()
    brought: tuple[BroughtFile, ...] = ()
    project: str = ""
    source: str = ""


class Wanted(Value):
    """What a tool would do, as a person reads it. `text_in` is the part of its input that the text may replace.

    `others` are files that it changes beside the target.
    """

    act: Act
    text: str = ""
    target: str = ""
    reason: str = ""
    text_in: str = ""
    others: tuple[str, ...] = ()


class ToolFields(Value):
    """Which fields of a tool's input are `shown` by its text, target and reason, which are settings of how it runs.

    `folder` are those that name where it runs, `pieces` what is shown of each of several edits. `instead` are names for
    one thing: the first that is given is shown, and beside it every other one is unknown, as of the folders. `lists`
    are those shown that hold no text alone; any other that is none is unknown. `free`: whatever it is given, the tool
    touches nothing but the agent's own notes. `before_only` are those that an agent shows its hooks before the tool and
    leaves out after it.
    """

    shown: frozenset[str]
    settings: tuple[str, ...] = ()
    folder: tuple[str, ...] = ()
    pieces: frozenset[str] = frozenset()
    instead: tuple[tuple[str, ...], ...] = ()
    lists: frozenset[str] = frozenset()
    free: bool = False
    before_only: frozenset[str] = frozenset()


class Word(Value):
    """What an agent is told; `none` leaves it to its own rules and its own dialog.

    `input` is what the tool is to be given instead, `echoes` are the offers that the person took. `context` is what the
    model is told beside what came of its tool.
    """

    says: Literal["none", "allow", "ask", "deny"] = "none"
    reason: str = ""
    input: ToolInput | None = None
    echoes: tuple[ToolInput, ...] = ()
    context: str = ""


NOTHING = Word()


class HookOutput(Value):
    """What the hook prints and how it ends: standard output for status 0, else standard error."""

    text: str = ""
    status: int = 0


class Unreadable(Value):
    """The agent said something that its dialect does not know; `why` in words for the person who looks into it."""

    why: str


class UnreadStep(Value):
    """What is known of a step that could not be read: whether a tool waits for it, and the agent's word for it."""

    at: At
    event: str


def _no_questions(step: HookStep) -> tuple[AgentQuestion, ...]:
    del step
    return ()


def _no_answers(step: HookStep, answers: Mapping[str, tuple[str, ...]]) -> ToolInput:
    del answers
    return step.input


class Dialect(Value):
    """How one agent speaks. `title` is what people call it.

    `questions` are what it asks by a tool of its own, and `answered` is that tool's input with the answers in it.
    `waits_before`: it cannot be told to ask, so a person is asked before the tool, and it waits for them there.
    `hides_dialog`: its own dialog opens only when the hook is done, so a card is brief where somebody sits there.
    `asks_beside`: its own dialog is open while the hook waits, and its later steps tell which answer it took.
    `stops_after`: once a tool was used it can be told to stop.
    `tells_before`: what it is told before a tool reaches the model; else that is told once the tool was used.
    `before` is its word for a tool that is about to be used, under which a step is answered that could not be read;
    `unread` is what it is then told: to ask its person, or no where it cannot be told to ask.
    `decides_at` are its events at which a hook of somebody else could let a tool go on: where one stands, the tool is
    held before it, and a person's answer is the last word. `changes_at` are those at which one could change what the
    tool is given after Pulse has read it: where nobody is asked after that, nothing risky goes on. At `holds_at`
    nothing is said but to hold a tool beside such hooks; it is asked about at another event.
    `own_tools` are those of its tools that are harmless, with what they do, which their input does not say.
    `fields` are those of its tools' inputs that are known (`call_fields.py`).
    `session_variable` is where it names its session in the environment of what it starts.
    `deed_in` finds in these lines of its transcript that a call was refused or broken off at its terminal, by the
    call's own name: for an agent whose hooks tell of neither.
    """

    name: str
    title: str
    read: Callable[[bytes], HookStep | Unreadable]
    write: Callable[[HookStep, Word], HookOutput]
    wanted: Callable[[HookStep], Wanted]
    questions: Callable[[HookStep], tuple[AgentQuestion, ...]] = _no_questions
    own_tools: Mapping[str, Effect] = {}
    fields: Mapping[str, ToolFields] = {}
    events: Mapping[str, At] = {}
    before: str = ""
    decides_at: tuple[str, ...] = ()
    changes_at: tuple[str, ...] = ()
    holds_at: str = ""
    unread: Literal["ask", "deny"] = "ask"
    waits_before: bool = False
    hides_dialog: bool = False
    asks_beside: bool = False
    stops_after: bool = False
    tells_before: bool = False
    session_variable: str = ""
    deed_in: Callable[[bytes, str], Deed | None] | None = None
    answered: Callable[[HookStep, Mapping[str, tuple[str, ...]]], ToolInput] = _no_answers


def fields_of(raw: bytes) -> dict[str, object] | Unreadable:
    """Read the JSON object that a hook was given; anything else is unreadable.

    What JSON forbids and agents still send is read as a program would be given it: a byte order mark is passed over,
    half a character is U+FFFD, and what is no number stays the word that it is.
    """
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = _leniently(raw)
    readable = isinstance(found, dict) and _is_shallow(found)
    return found if readable else Unreadable(why="It is not a JSON object that can be read.")


def _is_shallow(found: object) -> bool:
    """Return True where nothing is nested so deep that some later reader would give up."""
    layer = [found]
    for _ in range(DEPTH_MAX):
        inner = [one.values() if isinstance(one, dict) else one for one in layer if isinstance(one, dict | list)]
        if not inner:
            return True
        layer = [value for values in inner for value in values]
    return False


def _leniently(raw: bytes) -> object:
    try:
        text = raw.decode(json.detect_encoding(raw), "replace").removeprefix("\ufeff")
        return _whole(json.loads(text, parse_constant=str, parse_int=_whole_number))
    except (ValueError, RecursionError):
        return None


def _whole_number(digits: str) -> int | str:
    return int(digits) if len(digits) <= NUMBER_DIGITS_MAX else digits


def _whole(value: object) -> object:
    """Return what was read without halves of characters, in names too."""
    if isinstance(value, str):
        return _BROKEN.sub(REPLACED, value)
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_BROKEN.sub(REPLACED, name): _whole(one) for name, one in value.items()}
    return value


def unread_step(dialect: Dialect, raw: bytes) -> UnreadStep:
    """Tell from what cannot be read whether a tool waits for it: where its event is not certain, one does."""
    named = sorted({name.decode("ascii") for name in _EVENT.findall(raw)})
    known = [dialect.events.get(_capital(name)) or dialect.events.get(name) for name in named]
    if len(known) == 1 and known[0] is not None and known[0] is not At.BEFORE:
        return UnreadStep(at=known[0], event=named[0])
    return UnreadStep(at=At.BEFORE, event=dialect.before)


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def name_of(fields: ToolInput, *names: str) -> str:
    """Return a name among these fields, cut to what a name may be."""
    return text_of(fields, *names)[:NAME_CHARS_MAX]


def plain_json(content: object) -> str:
    """Return a document as an agent reads it."""
    return msgspec.json.encode(content).decode()
