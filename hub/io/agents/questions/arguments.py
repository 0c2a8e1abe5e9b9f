"""What an agent may ask for through each tool, and what that is as a request to the hub. Pure.

The types are the tools' schemas: what a model reads of them stands in their descriptions.
"""

import hashlib
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from hub.contract.base import Value
from hub.contract.permission import (
    CHOICES_MAX,
    REASON_CHARS_MAX,
    Act,
    AgentQuestion,
    PermissionRequest,
    QuestionChoice,
)
from hub.contract.suggestions import IDEA_CHARS_MAX, SuggestionRequest
from hub.kit.foreign_names import is_reserved

ASK, NOTIFY, CHECK, SUGGEST = "ask_human", "notify_human", "check_answer", "suggest"
OPEN_S_DEFAULT, OPEN_S_MIN, OPEN_S_MAX = 3_600, 30, 86_400
QUESTION_ID = "answer"
SEEN = "Got it"
"""What a person answers to what they are only told of."""
AGENT_CHARS_MAX = 64
ANONYMOUS = "agent"
KEY_CHARS = 40
T = TypeVar("T", bound="ToolArguments")

OpenS = Annotated[
    int,
    Meta(
        ge=OPEN_S_MIN,
        le=OPEN_S_MAX,
        description="How many seconds the question stays open; after that it can no longer be answered.",
    ),
]
WaitS = Annotated[
    int,
    Meta(
        ge=0,
        le=OPEN_S_MAX,
        description="How many seconds to wait here for the answer. By default as long as your client can wait.",
    ),
]


class ToolArguments(Value, forbid_unknown_fields=True):
    """The base of what tools are called with; an argument that a tool does not have is an error."""


class HumanQuestion(ToolArguments):
    """Arguments of `ask_human`."""

    question: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=REASON_CHARS_MAX,
            description="What you want to know, as one complete question that can be understood on a phone or a watch.",
        ),
    ]
    options: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...],
        Meta(
            max_length=CHOICES_MAX,
            description="The answers to choose from, such as ['Yes', 'No']. Give them where you can: a touch answers.",
        ),
    ] = ()
    several: Annotated[bool, Meta(description="Whether more than one of the options may be chosen.")] = False
    own_words: Annotated[
        bool, Meta(description="Whether the user may answer in their own words instead of with an option.")
    ] = True
    why: Annotated[
        str,
        Meta(max_length=REASON_CHARS_MAX, description="What helps to decide: what hangs on it, what you have tried."),
    ] = ""
    key: Annotated[
        str,
        Meta(
            max_length=128,
            description="A name of yours for this one question. Asked again with the same key it is the same question, "
            "and has the same answer; use it where you might ask twice by mistake.",
        ),
    ] = ""
    open_s: OpenS = OPEN_S_DEFAULT
    wait_s: WaitS | None = None


class NotifyHuman(ToolArguments):
    """Arguments of `notify_human`."""

    message: Annotated[
        str, Meta(min_length=1, max_length=REASON_CHARS_MAX, description="What the user should know, in a sentence.")
    ]
    details: Annotated[str, Meta(max_length=REASON_CHARS_MAX, description="More about it, where that helps.")] = ""
    open_s: OpenS = OPEN_S_DEFAULT


class SuggestIdea(ToolArguments):
    """Arguments of `suggest`."""

    idea: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=IDEA_CHARS_MAX,
            description="What the user might want done, as you would tell an agent to do it, in a sentence or two.",
        ),
    ]
    why: Annotated[str, Meta(max_length=IDEA_CHARS_MAX, description="What you saw that makes it worth doing.")] = ""
    key: Annotated[
        str,
        Meta(
            max_length=128,
            description="A name you choose for this idea; the same key means the same idea. "
            "Without a key, the text decides.",
        ),
    ] = ""


class CheckAnswer(ToolArguments):
    """Arguments of `check_answer`."""

    ask_id: Annotated[
        str,
        Meta(
            min_length=1, max_length=128, pattern=r"^[A-Za-z0-9_-]+$", description="The `ask_id` of an earlier result."
        ),
    ]
    wait_s: WaitS = 0


class AskingAgent(Value):
    """Who asks, as its client calls itself; `whose` tells apart those of one name, `folder` is where it works."""

    name: str
    whose: str = ""
    folder: str = ""


class UnusableArguments(Value):
    """What is wrong with a call, as a sentence for the model that made it."""

    why: str


def read_arguments(kind: type[T], given: dict[str, Any]) -> T | UnusableArguments:
    """Read what a tool was called with."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        return UnusableArguments(why=f"The arguments do not fit: {error}.")


def schema_of(kind: type[ToolArguments]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments, without references into itself."""
    (found,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    whole: dict[str, Any] = parts[found["$ref"].rpartition("/")[2]]
    return {key: value for key, value in whole.items() if key not in {"title", "description"}}


def agent_name(said: str) -> str:
    """Return what an agent is called on cards: its client's own name if it can be one, never ours or the person's."""
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "_-") else "-" for char in said)
    plain = plain.strip("-_")[:AGENT_CHARS_MAX]
    return ANONYMOUS if not plain or is_reserved(plain) else plain


def request_of(asked: HumanQuestion, agent: AskingAgent) -> PermissionRequest | UnusableArguments:
    """Return a question as the hub takes it."""
    question = AgentQuestion(
        id=QUESTION_ID,
        text=asked.question,
        choices=tuple(QuestionChoice(label=one) for one in asked.options),
        several=asked.several,
        own_words=asked.own_words,
    )
    return _request(ASK, question, asked.why, asked.open_s, agent)


def note_of(told: NotifyHuman, agent: AskingAgent) -> PermissionRequest | UnusableArguments:
    """Return what a person is told as the hub takes it: a question that one touch answers, and words too."""
    question = AgentQuestion(id=QUESTION_ID, text=told.message, choices=(QuestionChoice(label=SEEN),))
    return _request(NOTIFY, question, told.details, told.open_s, agent)


def suggestion_of(said: SuggestIdea, agent: AskingAgent) -> SuggestionRequest:
    """Return an idea as the hub takes it; the same agent in another folder has ideas of its own."""
    key = key_of(agent, said.key or said.idea.strip())
    return SuggestionRequest(idea=said.idea, why=said.why, asker=agent.name, idempotency_key=key)


def key_of(agent: AskingAgent, said: str) -> str:
    """Return the hub's key for a key of an agent's: two agents, or one in two folders, never meet in it."""
    whole = f"{agent.name}\0{agent.whose}\0{agent.folder}\0{said}"
    return hashlib.sha256(whole.encode()).hexdigest()[:KEY_CHARS]


def _request(
    tool: str, question: AgentQuestion, reason: str, open_s: int, agent: AskingAgent
) -> PermissionRequest | UnusableArguments:
    try:
        return PermissionRequest(
            agent=agent.name,
            tool=tool,
            act=Act.QUESTION,
            folder=agent.folder,
            reason=reason,
            questions=(question,),
            timeout_s=open_s,
        )
    except ValueError as error:
        return UnusableArguments(why=f"This cannot be asked: {error}.")
