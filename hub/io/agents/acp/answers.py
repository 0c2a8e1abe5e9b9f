"""A form that an agent asks its person to fill in (`elicitation/create`), as questions and back."""

import math
from typing import Literal

import msgspec

from hub.contract.base import Value
from hub.contract.permission import REASON_CHARS_MAX, Act, AgentQuestion, PermissionRequest, QuestionChoice
from hub.domain.execution import Job
from hub.io.agents.acp.wanted import ANSWER_S_MAX
from hub.io.agents.front.step import HEADING_CHARS_MAX, LABEL_CHARS_MAX, NAME_CHARS_MAX, ToolInput
from hub.kit.loose_json import object_of, objects_of, text_of

OWN_WORDS = "_custom"
"""Behind the name of a question with choices: the field for other words (Claude's adapter has one for each)."""
YES, NO = "Yes", "No"
DECLINED: ToolInput = {"action": "decline"}


class FormField(Value):
    """One question of a form, and how its answer is written: `words` is the field for a person's own."""

    question: AgentQuestion
    kind: Literal["text", "number", "yes-no", "choice", "choices"]
    values: dict[str, str]
    words: str = ""


def fields_of_form(form: ToolInput) -> tuple[FormField, ...]:
    """Return the questions of a form; none where it is none that Pulse can show, such as an address to go to."""
    if text_of(form, "mode") not in {"", "form"}:
        return ()
    asked = object_of(object_of(form, "requestedSchema"), "properties")
    shapes = {name: object_of(asked, name) for name in asked if 0 < len(name) <= NAME_CHARS_MAX}
    own = {f"{name}{OWN_WORDS}" for name, shape in shapes.items() if _choices(shape)} & shapes.keys()
    message = text_of(form, "message")
    named = [name for name in shapes if name not in own]
    return tuple(
        _field(name, shapes[name], message if len(named) == 1 else "", f"{name}{OWN_WORDS}" in own) for name in named
    )


def form_request(form: ToolInput, fields: tuple[FormField, ...], job: Job) -> PermissionRequest | None:
    """Return the questions for a person; None where they cannot be put to them."""
    said = {
        "agent": job.agent.name,
        "tool": "question",
        "act": Act.QUESTION,
        "folder": job.workspace or "",
        "reason": text_of(form, "message")[:REASON_CHARS_MAX] if len(fields) > 1 else "",
        "session": job.session_id,
        "questions": [msgspec.to_builtins(one.question) for one in fields],
        "timeoutS": ANSWER_S_MAX,
        "withdrawWhenGone": True,
    }
    try:
        return msgspec.convert(said, PermissionRequest)
    except msgspec.ValidationError:
        return None


def filled_in(fields: tuple[FormField, ...], answers: dict[str, tuple[str, ...]]) -> ToolInput:
    """Return the form with a person's answers."""
    content: dict[str, object] = {}
    for one in fields:
        given = answers.get(one.question.id, ())
        own = [said for said in given if one.values and said not in one.values]
        if own and one.words:
            content[one.words] = own[0]
        elif given:
            content[one.question.id] = _value(one, given)
    return {"action": "accept", "content": content}


def _field(name: str, shape: ToolInput, message: str, has_words: bool) -> FormField:  # noqa: FBT001  read once, here
    values = _choices(shape)
    heading = text_of(shape, "title")
    question = AgentQuestion(
        id=name,
        text=(message or text_of(shape, "description") or heading or name)[:REASON_CHARS_MAX],
        heading=heading[:HEADING_CHARS_MAX],
        choices=tuple(QuestionChoice(label=label) for label in values),
        several=text_of(shape, "type") == "array",
        own_words=has_words or not values,
    )
    kind: Literal["text", "number", "yes-no", "choice", "choices"]
    match text_of(shape, "type"):
        case "array":
            kind = "choices"
        case "boolean":
            kind = "yes-no"
        case "number" | "integer":
            kind = "number"
        case _:
            kind = "choice" if values else "text"
    return FormField(question=question, kind=kind, values=values, words=f"{name}{OWN_WORDS}" if has_words else "")


def _choices(shape: ToolInput) -> dict[str, str]:
    """Return the labels of a question's answers, each with what the agent wants to be told for it."""
    if text_of(shape, "type") == "boolean":
        return {YES: YES, NO: NO}
    told = object_of(shape, "items") if text_of(shape, "type") == "array" else shape
    titled = (*objects_of(told, "oneOf"), *objects_of(told, "anyOf"))
    found = {_label(one): text_of(one, "const") for one in titled if text_of(one, "const")}
    plain = told.get("enum")
    words = plain if isinstance(plain, list) else []
    return {**found, **{word[:LABEL_CHARS_MAX]: word for word in words if isinstance(word, str) and word}}


def _label(choice: ToolInput) -> str:
    return (text_of(choice, "title") or text_of(choice, "const"))[:LABEL_CHARS_MAX]


def _value(field: FormField, given: tuple[str, ...]) -> object:
    first = given[0]
    match field.kind:
        case "choices":
            return [field.values.get(one, one) for one in given]
        case "choice":
            return field.values.get(first, first)
        case "yes-no":
            return first == YES
        case "number":
            return _number(first)
        case "text":
            return first


def _number(text: str) -> int | float | str:
    """Return a number, whole if it is; what is none goes as it is, for the agent to say so."""
    try:
        return int(text)
    except ValueError:
        pass  # it may still be one with a fraction
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text
