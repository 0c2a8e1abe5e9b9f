"""What an agent or a server of tools asks a person, as questions and back: lists of questions, and forms. Pure.

A yes agrees to all that its asker says, so all of it is in the questions, in every dialect: the message, a field's own
title and description, what each choice means, a default that would stand. Nothing is cut here: a question with more
than fits is no request (`contract/permission.py` bounds it), and stays with the agent's own dialog, which shows all.

What is asked for in a form (MCP's `elicitation/create`, ACP's and Codex's too) is plain: text, a number, yes or no, one
or several of some choices. Where a form has anything else, it is left to the agent's own dialog as a whole.
"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.permission import CHOICES_MAX, AgentQuestion, QuestionChoice
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of, texts_of

NAME_CHARS_MAX = 128

OWN_WORDS = "_custom"
"""Behind the name of a question with choices: the field for other words (Claude's adapter has one for each)."""
YES, NO = "Yes", "No"
LEFT_OUT = "Leave it out"
"""The answer to a question that need not be answered, where others are asked beside it."""
DEFAULT = "Default"
DECLINED: LooseJson = {"action": "decline"}
AS_WHAT = {"integer": "a whole number", "number": "a number"}
BOUNDS = (("minimum", "at least"), ("maximum", "at most"))
KINDS = frozenset({"", "string", "number", "integer", "boolean", "array"})


class UntoldError(Exception):
    """A question's answers are ambiguous, or cannot be passed to the agent exactly."""


class FormField(Value):
    """One question of a form, and how its answer is written: `words` is the field for a person's own."""

    question: AgentQuestion
    kind: Literal["text", "number", "yes-no", "choice", "choices"]
    values: dict[str, str]
    words: str = ""
    may_be_left_out: bool = False


def question_of(
    asked: LooseJson, question_id: str, *, several: str = "multiSelect", own_words: bool = True
) -> AgentQuestion:
    """Return a question of an agent's, which it tells as a `question` with a `header` and `options`, each whole.

    An option's `preview` (`markdown` in an older Claude Code) is shown by the agent's dialog beside its description,
    and so is part of what it means.
    """
    return AgentQuestion(
        id=question_id,
        text=text_of(asked, "question"),
        heading=text_of(asked, "header"),
        choices=tuple(map(_option, objects_of(asked, "options"))),
        several=asked.get(several) is True,
        own_words=own_words,
    )


def _option(told: LooseJson) -> QuestionChoice:
    means = _lines(text_of(told, "description"), text_of(told, "preview", "markdown"))
    return QuestionChoice(label=text_of(told, "label"), description=means)


def has_own_words(asked: LooseJson) -> bool:
    """Return True if a question of Codex's or OpenClaw's takes other words than its options."""
    return asked.get("isOther") is True or not objects_of(asked, "options")


def fields_of_form(form: LooseJson) -> tuple[FormField, ...]:
    """Return the questions of a form; none where it is none that Pulse can show, such as an address to go to."""
    if text_of(form, "mode") not in {"", "form"}:
        return ()
    schema = object_of(form, "requestedSchema")
    asked = object_of(schema, "properties")
    shapes = {name: object_of(asked, name) for name in asked}
    if any(not 0 < len(name) <= NAME_CHARS_MAX or text_of(one, "type") not in KINDS for name, one in shapes.items()):
        return ()
    try:
        return _fields(form, schema, shapes)
    except UntoldError:
        return ()


def _fields(form: LooseJson, schema: LooseJson, shapes: dict[str, LooseJson]) -> tuple[FormField, ...]:
    own = {f"{name}{OWN_WORDS}" for name, shape in shapes.items() if _choices(shape)} & shapes.keys()
    own = {name for name in own if "default" not in shapes[name]}
    named = [name for name in shapes if name not in own]
    needed = {*named} if len(named) == 1 else {*texts_of(schema, "required")}
    about = _lines(text_of(form, "message"), text_of(schema, "title"), text_of(schema, "description"))
    fields = (
        _field(name, shapes[name], about if name == named[0] else "", f"{name}{OWN_WORDS}" in own) for name in named
    )
    return tuple(one if one.question.id in needed else _or_left_out(one) for one in fields)


def filled_in(fields: tuple[FormField, ...], answers: Mapping[str, tuple[str, ...]]) -> LooseJson:
    """Return the form with a person's answers."""
    content: dict[str, object] = {}
    for one in fields:
        given = answers.get(one.question.id, ())
        if one.may_be_left_out and LEFT_OUT in given:
            continue
        own = [said for said in given if one.values and said not in one.values]
        if own and one.words:
            content[one.words] = own[0]
        elif given:
            content[one.question.id] = _value(one, given)
    return {"action": "accept", "content": content}


def _field(name: str, shape: LooseJson, about: str, has_words: bool) -> FormField:  # noqa: FBT001  read once, here
    """Return a field as a question; `about` is what the form says of all of them, which the first one asks with."""
    values = _choices(shape)
    called, said = text_of(shape, "title") or name, text_of(shape, "description")
    meant = {text_of(one, "const"): text_of(one, "description") for one in _titled(_told(shape))}
    question = AgentQuestion(
        id=name,
        text=_lines(about, f"{called}{_as_what(shape)}", said, _default(shape, values)),
        choices=tuple(QuestionChoice(label=label, description=meant.get(value, "")) for label, value in values.items()),
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


def _as_what(shape: LooseJson) -> str:
    """Return what kind of number is asked for, and within which bounds; empty for anything else."""
    what = AS_WHAT.get(text_of(shape, "type"), "")
    numbers = {name: bound for name, _ in BOUNDS if type(bound := shape.get(name)) in {int, float}}
    within = [f"{words} {numbers[name]:.15g}" for name, words in BOUNDS if name in numbers]
    return f" ({', '.join((what, *within))})" if what else ""


def _default(shape: LooseJson, values: Mapping[str, str]) -> str:
    """Return what the server takes where nothing else is said, as its choice is called; empty where it has none."""
    told = shape.get("default")
    if told is None:
        return ""
    each = told if isinstance(told, list) else [told]
    return f"{DEFAULT}: {', '.join(_called(one, values) for one in each)}"


def _called(value: object, values: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return next((label for label, told in values.items() if told == value), str(value))


def _lines(*texts: str) -> str:
    """Return texts below each other; one that says the same as another stands there once."""
    return "\n".join(dict.fromkeys(filter(None, texts)))


def _or_left_out(field: FormField) -> FormField:
    """Return a question that has an answer for who wants to say nothing to it."""
    asked = field.question
    if LEFT_OUT in field.values or len(asked.choices) >= CHOICES_MAX:
        return field
    choices = (*asked.choices, QuestionChoice(label=LEFT_OUT))
    return replace(field, question=replace(asked, choices=choices), may_be_left_out=True)


def _choices(shape: LooseJson) -> dict[str, str]:
    """Return the labels of a question's answers, each with what the agent wants to be told for it.

    Raises:
        UntoldError: not each answer has a label of its own, or one is no text.
    """
    if text_of(shape, "type") == "boolean":
        return {YES: YES, NO: NO}
    told = _told(shape)
    titled = _titled(told)
    words, names = _listed(told, "enum"), texts_of(told, "enumNames")
    called = names if len(names) == len(words) else words
    pairs = [(text_of(one, "title") or text_of(one, "const"), text_of(one, "const")) for one in titled]
    pairs += [(str(label), word) for label, word in zip(called, words, strict=True) if isinstance(word, str)]
    if len(pairs) < len(titled) + len(words) or not all(label and word for label, word in pairs):
        raise UntoldError
    return _told_apart(tuple(dict.fromkeys(pairs)))


def _told(shape: LooseJson) -> LooseJson:
    """Return what says which answers a field has."""
    return object_of(shape, "items") if text_of(shape, "type") == "array" else shape


def _titled(told: LooseJson) -> list[LooseJson]:
    """Return the answers that have titles; what else is listed there are kinds, such as "text or nothing"."""
    either = [_object(one) for one in (*_listed(told, "oneOf"), *_listed(told, "anyOf"))]
    return either if any("const" in one for one in either) else []


def _told_apart(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Return a label for each answer; where two read the same, what the agent is told stands behind them."""
    same = Counter(_as_read(label) for label, _ in pairs)
    found = {f"{label} ({word})" if same[_as_read(label)] > 1 else label: word for label, word in pairs}
    if len(set(map(_as_read, found))) < len(pairs):
        raise UntoldError
    return found


def _as_read(label: str) -> str:
    return " ".join(label.split()).casefold()


def _listed(told: LooseJson, name: str) -> list[object]:
    found = told.get(name)
    return found if isinstance(found, list) else []


def _object(value: object) -> LooseJson:
    return value if isinstance(value, dict) else {}


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
