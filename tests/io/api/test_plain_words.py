"""What a wrong body is told: a sentence that names the field, in no programmer's words."""

import pytest

from hub.contract.access import TokenRequest
from hub.contract.api import AnswerRequest, AskRequest, ConfigPatch
from hub.contract.base import Message
from hub.io.api.cards import PredictQuery
from hub.io.http.bodies import decode, read_query
from hub.io.http.errors import InvalidBodyError, InvalidQueryError
from hub.io.http.validation_text import plainly

SAID: tuple[tuple[type[Message], bytes, str], ...] = (
    (AskRequest, b"{}", "`question` is missing."),
    (AnswerRequest, b'{"cardHsh": "x"}', "`cardHsh` is not known here."),
    (AnswerRequest, b'{"reason": 7}', "`reason` must be text, not a whole number."),
    (AnswerRequest, b'{"prompt": 7}', "`prompt` must be text or null, not a whole number."),
    (AnswerRequest, b'{"humanInput": "machine"}', "`humanInput` cannot be 'machine'."),
    (AnswerRequest, b'{"surface": "a/b"}', "`surface` may hold letters, digits, _ and - only."),
    (AnswerRequest, b'{"until": "soon"}', "`until` must be a time with its zone, like 2030-01-31T08:00:00Z."),
    (AnswerRequest, b"[]", "What was sent must be an object, not a list."),
    (AskRequest, b'{"question": ""}', "`question` must have at least 1 character."),
    (AskRequest, b'{"question": "?", "waitS": 301}', "`waitS` must be at most 300."),
    (ConfigPatch, b'{"costCapPerHour": -1}', "`costCapPerHour` must be at least 0."),
    (TokenRequest, b'{"name": "x", "scopes": ["all"]}', "`scopes[0]` cannot be 'all'."),
)


@pytest.mark.parametrize(("kind", "body", "sentence"), SAID, ids=[sentence for _, _, sentence in SAID])
def test_a_body_is_told_in_a_sentence(kind: type[Message], body: bytes, sentence: str) -> None:
    with pytest.raises(InvalidBodyError) as caught:
        decode(body, kind)
    assert caught.value.detail == sentence


def test_a_query_as_well() -> None:
    with pytest.raises(InvalidQueryError) as caught:
        read_query(b"count=many", PredictQuery)
    assert caught.value.detail == "`count` must be a whole number, not text."


def test_what_is_not_known_is_said_as_it_was() -> None:
    assert plainly("Something quite different") == "Something quite different"
