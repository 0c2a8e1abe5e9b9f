"""What Codex, or a server of tools behind it, asks its person in words: questions, and forms to fill in. Pure."""

from collections.abc import Mapping

import msgspec

from hub.contract.permission import QUESTIONS_MAX, Act
from hub.io.attached.codex.asked import Put
from hub.kit.foreign_names import is_reserved
from hub.kit.forms import fields_of_form, filled_in, has_own_words, question_of
from hub.kit.loose_json import LooseJson, object_of, objects_of, text_of

DECLINED = {"action": "decline", "content": None}
Answers = Mapping[str, tuple[str, ...]]


def user_input(params: LooseJson) -> Put | None:
    """Read its questions; one whose answer is a secret is asked at its own dialog, never on a card."""
    asked = objects_of(params, "questions")
    if not asked or len(asked) > QUESTIONS_MAX or any(one.get("isSecret") is True for one in asked):
        return None
    questions = tuple(question_of(one, text_of(one, "id"), own_words=has_own_words(one)) for one in asked)
    return Put(
        act=Act.QUESTION,
        tool="request_user_input",
        yes={"answers": {}},
        no={"answers": {}},
        questions=questions,
        answered=_answered,
    )


def _answered(answers: Answers) -> LooseJson:
    return {"answers": {asked: {"answers": list(said)} for asked, said in answers.items()}}


def elicitation(params: LooseJson) -> Put | None:
    """Read a form of a server of tools: a plain yes or no, or the fields of a form, as `kit/forms.py` reads them.

    One that leads to an address, one with a field of another kind, and one of a server that passes for Pulse or for the
    person, is left to its own dialog.
    """
    if text_of(params, "mode") != "form":
        return None
    server = text_of(params, "serverName")
    if is_reserved(server):
        return None
    if not object_of(object_of(params, "requestedSchema"), "properties"):
        return _consent(server, _message(params))
    fields = fields_of_form({**params, "message": _message(params)})
    if not 0 < len(fields) <= QUESTIONS_MAX:
        return None
    return Put(
        act=Act.QUESTION,
        tool=server or "elicitation",
        yes=DECLINED,
        no=DECLINED,
        questions=tuple(one.question for one in fields),
        answered=lambda answers: filled_in(fields, answers),
    )


def _message(params: LooseJson) -> str:
    """Return what the server says, and what its tool would be given, where Codex asks for that."""
    given = object_of(object_of(params, "_meta"), "tool_params")
    return "\n".join(filter(None, (text_of(params, "message"), msgspec.json.encode(given).decode() if given else "")))


def _consent(server: str, text: str) -> Put | None:
    if not text:
        return None
    return Put(
        act=Act.OTHER,
        tool=server or "elicitation",
        yes={"action": "accept", "content": {}},
        no=DECLINED,
        text=text,
    )
