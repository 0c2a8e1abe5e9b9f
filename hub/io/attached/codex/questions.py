"""What Codex, or a server of tools behind it, asks its person in words: questions, and forms to fill in. Pure."""

from collections.abc import Mapping

import msgspec

from hub.contract.permission import QUESTIONS_MAX, REASON_CHARS_MAX, Act
from hub.io.attached.codex.asked import Put
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of, texts_of

HEADING_CHARS_MAX = 80
DECLINED = {"action": "decline", "content": None}
YES_WORD, NO_WORD = "Yes", "No"
Answers = Mapping[str, tuple[str, ...]]


def user_input(params: LooseJson) -> Put | None:
    """Read its questions; one whose answer is a secret is asked at its own dialog, never on a card."""
    asked = objects_of(params, "questions")
    if not asked or len(asked) > QUESTIONS_MAX or any(one.get("isSecret") is True for one in asked):
        return None
    questions = tuple(_question(one) for one in asked)
    return Put(
        act=Act.QUESTION,
        tool="request_user_input",
        yes={"answers": {}},
        no={"answers": {}},
        questions=questions,
        answered=_answered,
    )


def _question(one: LooseJson) -> LooseJson:
    choices = _choices(objects_of(one, "options"))
    return {
        "id": text_of(one, "id"),
        "text": text_of(one, "question")[:REASON_CHARS_MAX],
        "heading": text_of(one, "header")[:HEADING_CHARS_MAX],
        "choices": choices,
        "ownWords": one.get("isOther") is True or not choices,
    }


def _choices(options: tuple[LooseJson, ...]) -> list[LooseJson]:
    return [
        {"label": text_of(one, "label"), "description": text_of(one, "description")[:REASON_CHARS_MAX]}
        for one in options
    ]


def _answered(answers: Answers) -> LooseJson:
    return {"answers": {asked: {"answers": list(said)} for asked, said in answers.items()}}


def elicitation(params: LooseJson) -> Put | None:
    """Read a form of a server of tools: a plain yes or no, or fields of text, of choices, of yes and no.

    One that leads to an address, and one with a field of another kind, is left to its own dialog.
    """
    if text_of(params, "mode") != "form":
        return None
    schema = object_of(params, "requestedSchema")
    fields = object_of(schema, "properties")
    server, message = text_of(params, "serverName"), text_of(params, "message")
    if not fields:
        return _consent(params, server, message)
    questions = [_field(name, one) for name, one in fields.items() if isinstance(one, dict)]
    whole = [one for one in questions if one is not None]
    if not len(fields) == len(whole) <= QUESTIONS_MAX:
        return None
    whole[0] = {**whole[0], "text": f"{message}\n{whole[0]['text']}".strip()[:REASON_CHARS_MAX]}
    return Put(
        act=Act.QUESTION,
        tool=server or "elicitation",
        yes=DECLINED,
        no=DECLINED,
        questions=tuple(whole),
        answered=lambda answers: {"action": "accept", "content": _content(fields, answers)},
    )


def _consent(params: LooseJson, server: str, message: str) -> Put | None:
    given = object_of(object_of(params, "_meta"), "tool_params")
    text = "\n".join(filter(None, (message, msgspec.json.encode(given).decode() if given else "")))
    if not text:
        return None
    return Put(
        act=Act.OTHER,
        tool=server or "elicitation",
        yes={"action": "accept", "content": {}},
        no=DECLINED,
        text=text,
    )


def _field(name: str, field: LooseJson) -> LooseJson | None:
    asked = "\n".join(filter(None, (text_of(field, "title") or name, text_of(field, "description"))))
    question = {"id": name, "text": asked[:REASON_CHARS_MAX], "ownWords": False}
    match text_of(field, "type"):
        case "boolean":
            return {**question, "choices": [{"label": YES_WORD}, {"label": NO_WORD}]}
        case "array":
            return {**question, "several": True, "choices": _labels(_named(object_of(field, "items")))}
        case "string":
            named = _named(field)
            return {**question, "choices": _labels(named)} if named else {**question, "ownWords": True}
    return None


def _labels(named: Mapping[str, str]) -> list[LooseJson]:
    return [{"label": one} for one in named]


def _named(field: LooseJson) -> dict[str, str]:
    """Return the values that may be chosen, by what they are called."""
    titled = {
        text_of(one, "title"): text_of(one, "const") for kind in ("oneOf", "anyOf") for one in objects_of(field, kind)
    }
    values, names = texts_of(field, "enum"), texts_of(field, "enumNames")
    return titled or dict(zip(names if len(names) == len(values) else values, values, strict=True))


def _content(fields: LooseJson, answers: Answers) -> LooseJson:
    return {name: _value(object_of(fields, name), said) for name, said in answers.items() if said}


def _value(field: LooseJson, said: tuple[str, ...]) -> object:
    match text_of(field, "type"):
        case "boolean":
            return said[0] == YES_WORD
        case "array":
            named = _named(object_of(field, "items"))
            return [named.get(one, one) for one in said]
    named = _named(field)
    return named.get(said[0], said[0])
