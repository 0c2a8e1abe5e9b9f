"""Forms that servers ask a person to fill in: each answer is told apart, and told to the server as it was meant."""

import pytest

from hub.io.agents.hooks.forms import FormField, fields_of_form, filled_in

LONG = "x" * 300


def fields(**shape: object) -> tuple[FormField, ...]:
    return fields_of_form({"message": "Where to?", "requestedSchema": {"properties": {"env": shape}}})


def labels(found: tuple[FormField, ...]) -> list[str]:
    return [choice.label for one in found for choice in one.question.choices]


def told(found: tuple[FormField, ...], *given: str) -> object:
    content = filled_in(found, {"env": given})["content"]
    assert isinstance(content, dict)
    return content["env"]


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (
            {"type": "string", "oneOf": [{"const": "eu-1", "title": "Main"}, {"const": "us-1", "title": "Main"}]},
            {"Main (eu-1)": "eu-1", "Main (us-1)": "us-1"},
        ),
        (
            {"type": "string", "oneOf": [{"const": "a", "title": "Main "}, {"const": "b", "title": "main"}]},
            {"Main  (a)": "a", "main (b)": "b"},
        ),
        (
            {"type": "string", "enum": ["a", "b", "c"], "enumNames": ["Same", "Other", "Same"]},
            {"Same (a)": "a", "Other": "b", "Same (c)": "c"},
        ),
        ({"type": "string", "enum": ["a", "a", "b"]}, {"a": "a", "b": "b"}),
        (
            {"type": "string", "oneOf": [{"const": "a", "title": LONG}, {"const": "b", "title": LONG + "y"}]},
            {"x" * 196 + " (a)": "a", "x" * 196 + " (b)": "b"},
        ),
        ({"type": "string", "anyOf": [{"const": "a"}, {"const": "b", "title": "B"}]}, {"a": "a", "B": "b"}),
    ],
)
def test_each_answer_has_a_label_of_its_own(shape: dict[str, object], expected: dict[str, str]) -> None:
    found = fields(**shape)
    assert labels(found) == list(expected)
    for label, value in expected.items():
        assert told(found, label) == value


def test_of_several_each_is_told() -> None:
    items = {"anyOf": [{"const": "a", "title": "One"}, {"const": "b", "title": "One"}]}
    found = fields(type="array", items=items)
    assert told(found, "One (a)", "One (b)") == ["a", "b"]


@pytest.mark.parametrize(
    "shape",
    [
        {"type": "string", "oneOf": [{"const": "1", "title": "A"}, {"const": "2", "title": "A"}, {"const": "A (1)"}]},
        {"type": "string", "enum": [LONG + "a", LONG + "b"]},
        {"type": "string", "enum": ["a", ""]},
        {"type": "integer", "enum": [1, 2]},
        {"type": "string", "oneOf": [{"const": 1, "title": "One"}, {"const": "two"}]},
        {"type": "string", "oneOf": [{"title": "One"}, {"const": "two"}]},
        {"type": "string", "oneOf": ["one", {"const": "two"}]},
    ],
)
def test_what_cannot_be_told_apart_or_told_is_left_to_the_agents_own_dialog(shape: dict[str, object]) -> None:
    assert fields(**shape) == ()


def test_text_or_nothing_is_a_question_for_a_text() -> None:
    found = fields(anyOf=[{"type": "string"}, {"type": "null"}])
    assert labels(found) == []
    assert told(found, "eu-1") == "eu-1"


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 10}, "Where to? (a whole number, at least 1, at most 10)"),
        ({"type": "number", "maximum": 0.5}, "Where to? (a number, at most 0.5)"),
        ({"type": "number", "maximum": True, "minimum": "2"}, "Where to? (a number)"),
    ],
)
def test_the_bounds_of_a_number_are_said(shape: dict[str, object], said: str) -> None:
    (one,) = fields(**shape)
    assert one.question.text == said
