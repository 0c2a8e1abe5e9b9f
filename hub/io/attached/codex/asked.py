"""What Codex's app-server asks its clients, as a person reads it, and their answer as it wants it back. Pure.

Written after the schema that Codex 0.169.0 makes of its own protocol (`codex app-server generate-json-schema`) and what
it does. Every client of a thread is asked the same with the same number; the first answer counts, later ones it passes
over. What cannot be put to a person whole, or cannot be answered exactly, is None here: its own dialog asks it alone.
"""

from collections.abc import Callable, Mapping

import msgspec

from hub.contract.base import Value
from hub.contract.control import PermissionReply
from hub.contract.permission import (
    REASON_CHARS_MAX,
    TEXT_CHARS_MAX,
    Act,
    AgentQuestion,
    CallField,
    PermissionRequest,
    request_in,
)
from hub.contract.words import Verb
from hub.kit.loose_json import LooseJson

AGENT = "codex"
NAME_CHARS_MAX = 128


class CodexOffer(Value):
    """One way to answer beside a plain yes or no, and what Codex wants back for it."""

    id: str
    label: str
    result: LooseJson
    lasts: str = "once"
    refuses: bool = False
    stops: bool = False
    """Codex ends its turn with it, so that nothing more can be said to it there."""


class Put(Value):
    """One request as it is put to a person: what would be done, and what Codex is told for each answer.

    `settings` and `unknown` stand beside its text and change how it runs, or may: each with its value as JSON.
    `others` are files that are changed beside the target. `answered` makes the result out of the answers to its
    questions; without it `yes` is the result.
    """

    act: Act
    tool: str
    yes: LooseJson
    no: LooseJson
    text: str = ""
    target: str = ""
    folder: str = ""
    reason: str = ""
    offers: tuple[CodexOffer, ...] = ()
    others: tuple[str, ...] = ()
    settings: tuple[CallField, ...] = ()
    unknown: tuple[CallField, ...] = ()
    questions: tuple[AgentQuestion, ...] = ()
    answered: Callable[[Mapping[str, tuple[str, ...]]], LooseJson] | None = None


class CodexReply(Value):
    """What Codex is told: the result of its request, and what the model should hear besides, in the person's words.

    `card_id` is the question's, `is_yes` whether it was approved.
    """

    result: LooseJson
    words: str = ""
    card_id: str = ""
    is_yes: bool = False


def request_of(put: Put, thread: str, item: str, wait_s: int, key: str) -> PermissionRequest | None:
    """Return the request for leave; None where it does not fit one, as a command that is too long to be read."""
    may_cut = put.act in {Act.EDIT, Act.OTHER}
    text = put.text[:TEXT_CHARS_MAX] if may_cut else put.text
    said = {
        "agent": AGENT,
        "tool": put.tool[:NAME_CHARS_MAX],
        "act": put.act,
        "text": text,
        "target": put.target,
        "folder": put.folder,
        "reason": put.reason[:REASON_CHARS_MAX],
        "session": thread,
        "call": item,
        "otherFiles": list(put.others),
        "settings": msgspec.to_builtins(put.settings),
        "unknownFields": msgspec.to_builtins(put.unknown),
        "leftOut": len(put.text) - len(text),
        "options": [
            {"id": one.id, "label": one.label, "lasts": one.lasts, "refuses": one.refuses} for one in put.offers
        ],
        "questions": msgspec.to_builtins(put.questions),
        "timeoutS": wait_s,
        "waitS": wait_s,
        "withdrawWhenGone": True,
        "idempotencyKey": key,
    }
    return request_in(said)


def told_of(put: Put, reply: PermissionReply) -> CodexReply | None:
    """Return what Codex is told; None where nobody answered, and its own dialog goes on alone."""
    settled = reply.prediction.settled
    if not reply.answered or settled is None:
        return None
    option = "" if reply.answer is None else reply.answer.option
    taken = next((one for one in put.offers if one.id == option), None)
    if not reply.approved:
        if taken is not None and taken.refuses:
            return CodexReply(result=taken.result, words="" if taken.stops else settled.reason.strip())
        return CodexReply(result=put.no, words=settled.reason.strip())
    if settled.verb is Verb.EDIT and put.answered is None:
        return None  # it runs what it asked for and nothing else
    if taken is not None:
        return CodexReply(result=taken.result)
    if put.answered is None:
        return CodexReply(result=put.yes)
    return CodexReply(result=put.answered({} if reply.answer is None else reply.answer.answers))
