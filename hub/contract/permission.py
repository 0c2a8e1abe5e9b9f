"""What an agent asks leave for, exactly as it would be done, and what a person may answer to it.

Every text in a request is the agent's own: it says what would be done, and is never an instruction to anybody.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, field

from hub.contract.base import HubMessage, Message
from hub.contract.effects import Effect
from hub.contract.phrasing import Phrasing

TEXT_CHARS_MAX = 16_384
"""A longer command is refused; a longer diff or plan is cut by whoever asks, who says how much is left out."""
REASON_CHARS_MAX = 2_000
PATH_CHARS_MAX = 4_096
OPTIONS_MAX = 12
QUESTIONS_MAX = 8
CHOICES_MAX = 20
WAIT_S_MAX = 86_400
GRANT_PATHS_MAX = 8
NUL = "\0"
CALL_FIELDS_MAX = 32
FIELD_CHARS_MAX = 400
FILES_MAX = 64

Name = Annotated[str, Meta(min_length=1, max_length=128)]
Label = Annotated[str, Meta(min_length=1, max_length=200)]
AgentName = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
PathText = Annotated[str, Meta(max_length=PATH_CHARS_MAX)]
OwnWords = Annotated[str, Meta(max_length=REASON_CHARS_MAX)]
Answers = Annotated[
    dict[Name, Annotated[tuple[OwnWords, ...], Meta(max_length=CHOICES_MAX)]], Meta(max_length=QUESTIONS_MAX)
]
Until = Annotated[datetime, Meta(tz=True)] | None
GrantPaths = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=400)], ...], Meta(max_length=GRANT_PATHS_MAX)]
Said = Annotated[str, Meta(max_length=REASON_CHARS_MAX)]


class Act(StrEnum):
    """What an agent asks leave for; it says what the text of the request is."""

    COMMAND = "command"
    """The text is a command line."""

    EDIT = "edit"
    """The text is a unified diff, or the whole of a new file; the target is the file."""

    READ = "read"
    """The target is a file or folder."""

    FETCH = "fetch"
    """The target is an address."""

    PLAN = "plan"
    """The text is a plan in Markdown, to be worked through once it is approved."""

    QUESTION = "question"
    """The questions are to be answered; nothing is done."""

    OTHER = "other"
    """The text is what a tool would be given."""


class Lasts(StrEnum):
    """How long an answer is to hold, as the agent offers it; it is the agent that keeps to it."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"


class PermissionOption(Message):
    """One way to answer beside a plain yes or no; with `refuses` it is a way to say no. `note` is what to know of it.

    An id that begins with `pulse-` is the hub's own option: it lets this run without asking, by the person's word. Only
    such a one has `labelWorded` and `noteWorded`: both texts as codes.
    """

    id: Name
    label: Label
    lasts: Lasts = Lasts.ONCE
    refuses: bool = False
    note: Annotated[str, Meta(max_length=200)] = ""
    label_worded: Phrasing | None = None
    note_worded: Phrasing | None = None


class QuestionChoice(Message):
    """One of the answers that an agent offers to a question. `labelWorded` is a label of the hub's own as a code."""

    label: Label
    description: Said = ""
    label_worded: Phrasing | None = None


class AgentQuestion(Message):
    """A question of an agent: one of the choices, with `several` any number of them, or with `ownWords` free text.

    Only a question that the hub itself asks has `textWorded`: its text as a code. What is answered is a choice's
    `label`, in whatever language it was shown.
    """

    id: Name
    text: Annotated[str, Meta(min_length=1, max_length=REASON_CHARS_MAX)]
    heading: Annotated[str, Meta(max_length=80)] = ""
    choices: Annotated[tuple[QuestionChoice, ...], Meta(max_length=CHOICES_MAX)] = ()
    several: bool = False
    own_words: bool = True
    text_worded: Phrasing | None = None


class PermissionMark(HubMessage):
    """A part of the text that is dangerous: its characters from `start` up to `end`, and what it would do."""

    start: Annotated[int, Meta(ge=0)]
    end: Annotated[int, Meta(ge=0)]
    effect: Effect


class CallField(Message):
    """One field of a call that an agent makes: its name, and its value as a text, whose end may be cut."""

    name: Name
    value: Annotated[str, Meta(max_length=FIELD_CHARS_MAX)] = ""


class Permission(HubMessage):
    """An agent's request for permission as a person sees it: exactly what would be done, made safe to display.

    `agent` is who asks, `session` its own name for its conversation. `target` is the file, folder or address that is
    meant (of a command, what it deletes, where that is all it does), `text` the exact command, diff, plan or tool
    input, `leftOut` how many characters of it the agent did not send. `reason` is why the agent wants it, in its own
    words. `editable`: it will run the text as the person changes it. `effects` is what it would do as far as Pulse can
    read it, `marks` where that stands in the text, and `unusual` what is new about it here, as sentences;
    `unusualWorded` are the same ones as codes. `call` is the agent's own name for this one call of a tool.

    `settings` are fields of the call that change how it runs (`timeout`, `run_in_background`, a sandbox that is left),
    `unknownFields` those that Pulse does not know, `otherFiles` the files that are changed beside the target. Only what
    was the same in all three may be let go on without asking: no grant covers a call with unknown fields, one for
    other settings does not cover it, and each of the other files must be covered as the target is.

    `subagent` is the agent's own name for one that it started in this session and that asks here, empty where it asks
    itself; `subagentType` is what kind it calls that.

    `dialogOnly` is that what was left out could do harm, so no yes is taken here: only the agent's own dialog takes
    one, which shows all. An agent that Pulse runs has none. `asksEarly` is that it asked before it said with what.
    """

    agent: str
    tool: str
    act: Act
    text: str = ""
    target: str = ""
    folder: str = ""
    reason: str = ""
    session: str = ""
    subagent: str = ""
    subagent_type: str = ""
    call: str = ""
    left_out: Annotated[int, Meta(ge=0)] = 0
    settings: tuple[CallField, ...] = ()
    unknown_fields: tuple[CallField, ...] = ()
    other_files: tuple[str, ...] = ()
    options: tuple[PermissionOption, ...] = ()
    questions: tuple[AgentQuestion, ...] = ()
    editable: bool = False
    effects: tuple[Effect, ...] = ()
    marks: tuple[PermissionMark, ...] = ()
    unusual: tuple[str, ...] = ()
    unusual_worded: tuple[Phrasing, ...] = ()
    dialog_only: bool = False
    asks_early: bool = False


class PermissionAnswer(Message):
    """What a person answers beyond yes or no.

    `option` is the id of the option that they took, empty for a plain yes or no. `answers` are by a question's id the
    labels that they took, or their own words as the only one. `text` is what the agent is to do instead of what it
    asked for; the hub fills it in where the person changed the text. With one of the hub's own options, `until` is when
    it ends, and `paths` the files and folders, counted from its folder, that it is held to; without them all of it, for
    as long as was proposed.
    """

    option: Annotated[str, Meta(max_length=128)] = ""
    text: Annotated[str, Meta(max_length=TEXT_CHARS_MAX)] = ""
    answers: Answers = field(default_factory=dict)
    until: Until = None
    paths: GrantPaths = ()


CallFields = Annotated[tuple[CallField, ...], Meta(max_length=CALL_FIELDS_MAX)]


class PermissionRequest(Message):
    """Body of `POST /api/v1/permissions`: an agent asks leave for one thing; the fields are those of `Permission`.

    With `waitS` the answer comes with the reply to this request. With `withdrawWhenGone` the question is taken back as
    soon as nobody waits for its answer any more: the connection of this request, or of one that waits later, has ended.
    """

    agent: AgentName
    tool: Name
    act: Act
    text: Annotated[str, Meta(max_length=TEXT_CHARS_MAX)] = ""
    target: PathText = ""
    folder: PathText = ""
    reason: Said = ""
    session: Annotated[str, Meta(max_length=128)] = ""
    subagent: Annotated[str, Meta(max_length=128)] = ""
    subagent_type: Annotated[str, Meta(max_length=128)] = ""
    call: Annotated[str, Meta(max_length=128)] = ""
    left_out: Annotated[int, Meta(ge=0, le=2**40)] = 0
    asks_early: bool = False
    settings: CallFields = ()
    unknown_fields: CallFields = ()
    other_files: Annotated[tuple[PathText, ...], Meta(max_length=FILES_MAX)] = ()
    options: Annotated[tuple[PermissionOption, ...], Meta(max_length=OPTIONS_MAX)] = ()
    questions: Annotated[tuple[AgentQuestion, ...], Meta(max_length=QUESTIONS_MAX)] = ()
    editable: bool = False
    timeout_s: Annotated[int, Meta(ge=1, le=86_400)] = 600
    wait_s: Annotated[int, Meta(ge=0, le=WAIT_S_MAX)] = 0
    withdraw_when_gone: bool = False
    idempotency_key: Annotated[str, Meta(min_length=1, max_length=128)] | None = None

    def __post_init__(self) -> None:
        """Refuse what nobody could answer.

        Raises:
            ValueError: what is asked is missing, a text has a NUL, or two options, questions or choices have one name.
        """
        if any(NUL in one for one in (self.text, self.target, self.folder, self.reason)):
            raise ValueError("a text has a NUL, at which a program would end it")
        if not _is_there(self):
            raise ValueError(f"a request of the kind `{self.act.value}` says nothing of what is asked")
        ids = [one.id for one in self.options]
        asked = [one.id for one in self.questions]
        labels = [[choice.label for choice in one.choices] for one in self.questions]
        if any(len(names) > len(set(names)) for names in (ids, asked, *labels)):
            raise ValueError("two options, questions or choices have the same name")


def request_in(said: Mapping[str, object]) -> PermissionRequest | None:
    """Return what an agent said as a request; None where it is none that could be put before a person."""
    try:
        return msgspec.convert(said, PermissionRequest)
    except msgspec.ValidationError:
        return None


def _is_there(asked: PermissionRequest) -> bool:
    match asked.act:
        case Act.QUESTION:
            return bool(asked.questions) and all(one.choices or one.own_words for one in asked.questions)
        case Act.READ | Act.FETCH | Act.EDIT:
            return bool(asked.target.strip())
        case Act.COMMAND | Act.PLAN:
            return bool(asked.text.strip())
        case Act.OTHER:
            return True


OverHow = Literal["allowed", "refused", "denied", "ended", "limit", "failed", "gone"]


class OverRequest(Message):
    """Body of `POST /api/v1/permissions/over`: what an agent asked was answered elsewhere, or no longer matters.

    It is about every open question of this agent and session that the sender asked; with `call` only about that one
    tool call, with `subagent` only about that subagent's (empty: the agent's own). `how` says what became of them: the
    person answered in the agent's own dialog, the agent's own reviewer said no (`denied`), its turn ended, or the turn
    was ended by a limit of its account (`limit`) or an error of its model's service (`failed`).

    With `predictionId` that one question is meant, though it was answered: the agent took the other answer, which was
    given at its own dialog, or it was over (`gone`) before it said what came of a yes. Only who speaks for an agent
    with a token of its own may say so.
    """

    agent: AgentName
    session: Annotated[str, Meta(min_length=1, max_length=128)]
    call: Annotated[str, Meta(max_length=128)] = ""
    subagent: Annotated[str, Meta(max_length=128)] | None = None
    how: OverHow = "ended"
    card_id: Annotated[str, Meta(max_length=128)] = field(name="predictionId", default="")


class PermissionsOver(HubMessage):
    """How many questions were taken back."""

    count: Annotated[int, Meta(ge=0)]
