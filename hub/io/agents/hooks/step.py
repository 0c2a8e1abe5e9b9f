"""What an agent says through a hook, and what it is told, in words that no agent's dialect changes."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.contract.permission import REASON_CHARS_MAX, Act, AgentQuestion, QuestionChoice
from hub.kit.given_answers import Deed
from hub.kit.loose_json import objects_of, text_of

NAME_CHARS_MAX = 128
HEADING_CHARS_MAX, LABEL_CHARS_MAX = 80, 200

ToolInput = Mapping[str, object]
"""What a tool is given: JSON as the agent sent it, in no shape that could be relied on."""


class At(StrEnum):
    """Where in its work an agent is."""

    BEFORE = "before"
    """It is about to use a tool; the answer must come at once."""

    LEAVE = "leave"
    """It asks for leave to use a tool, and waits for a person."""

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


class HookStep(Value):
    """One thing that an agent said.

    `event` is its own word for it, `session` its own name for its conversation, `call` for this use of a tool (most
    send none when they ask for leave). `input` is what the tool is given; `shortened` says that long texts in it were
    cut on the way here. `mode` is how freely the agent works, in its own word. `unattended`: nobody sits before it, so
    it has no dialog, and takes its first answer for the last. `by_person`: somebody has begun this session,
    taken it up again, or answered there. `hides_dialog`: its own dialog for this opens only when the hook is done.
    `transcript` is the file in which it keeps what it does, where it names one. `untold`: the way it asks has no word
    back to the model, so nothing of it can be changed.
    """

    at: At
    event: str
    session: str = ""
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


class Wanted(Value):
    """What a tool would do, as a person reads it. `text_in` is the part of its input that the text may replace."""

    act: Act
    text: str = ""
    target: str = ""
    reason: str = ""
    text_in: str = ""


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
    """The agent said something that its dialect does not know; `why` in words for whoever looks into it."""

    why: str


def _no_questions(step: HookStep) -> tuple[AgentQuestion, ...]:
    del step
    return ()


def _no_answers(step: HookStep, answers: Mapping[str, tuple[str, ...]]) -> ToolInput:
    del answers
    return step.input


class Dialect(Value):
    """How one agent speaks. `title` is what people call it, `programs` how its process may be called.

    `questions` are what it asks by a tool of its own, and `answered` is that tool's input with the answers in it.
    `waits_before`: it cannot be told to ask, so a person is asked before the tool, and it waits for them there.
    `hides_dialog`: its own dialog opens only when the hook is done, so whoever sits before it is asked there alone.
    `asks_beside`: its own dialog is open while the hook waits, and its later steps tell which answer it took.
    `tells_before`: what it is told before a tool reaches the model; else that is told once the tool was used.
    `deed_in` finds in these lines of its transcript that a call was refused or broken off at its terminal, by the
    call's own name: for an agent whose hooks tell of neither.
    """

    name: str
    title: str
    programs: tuple[str, ...]
    read: Callable[[bytes], HookStep | Unreadable]
    write: Callable[[HookStep, Word], HookOutput]
    wanted: Callable[[HookStep], Wanted]
    questions: Callable[[HookStep], tuple[AgentQuestion, ...]] = _no_questions
    waits_before: bool = False
    hides_dialog: bool = False
    asks_beside: bool = False
    tells_before: bool = False
    deed_in: Callable[[bytes, str], Deed | None] | None = None
    answered: Callable[[HookStep, Mapping[str, tuple[str, ...]]], ToolInput] = _no_answers


def fields_of(raw: bytes) -> dict[str, object] | Unreadable:
    """Read the JSON object that a hook was given; anything else is unreadable."""
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Unreadable(why="It is not JSON.")
    if not isinstance(found, dict):
        return Unreadable(why="It is not a JSON object.")
    return found


def name_of(fields: ToolInput, *names: str) -> str:
    """Return a name among these fields, cut to what a name may be."""
    return text_of(fields, *names)[:NAME_CHARS_MAX]


def questions_in(given: ToolInput, *, several: str, own_words: str = "") -> tuple[AgentQuestion, ...]:
    """Read an agent's questions; `several` and `own_words` are what its tool calls those two of their fields."""
    return tuple(
        AgentQuestion(
            id=f"q{number}",
            text=text_of(one, "question"),
            heading=text_of(one, "header")[:HEADING_CHARS_MAX],
            choices=tuple(
                QuestionChoice(
                    label=text_of(choice, "label")[:LABEL_CHARS_MAX],
                    description=text_of(choice, "description")[:REASON_CHARS_MAX],
                )
                for choice in objects_of(one, "options")
                if text_of(choice, "label")
            ),
            several=one.get(several) is True,
            own_words=one.get(own_words) is not False,
        )
        for number, one in enumerate(objects_of(given, "questions"))
    )


def plain_json(content: object) -> str:
    """Return a document as an agent reads it."""
    return msgspec.json.encode(content).decode()
