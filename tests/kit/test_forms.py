"""Forms that servers ask a person to fill in: each answer is told apart, and told to the server as it was meant."""

import pytest

from hub.kit.forms import FormField, fields_of_form, filled_in, question_of

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
            {LONG: "a", LONG + "y": "b"},
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
        ({"type": "integer", "minimum": 1, "maximum": 10}, "Where to?\nenv (a whole number, at least 1, at most 10)"),
        ({"type": "number", "maximum": 0.5}, "Where to?\nenv (a number, at most 0.5)"),
        ({"type": "number", "maximum": True, "minimum": "2"}, "Where to?\nenv (a number)"),
    ],
)
def test_the_bounds_of_a_number_are_said(shape: dict[str, object], said: str) -> None:
    (one,) = fields(**shape)
    assert one.question.text == said


def test_a_question_holds_all_that_its_yes_agrees_to() -> None:
    shape = {"type": "boolean", "title": "OK", "description": "Yes also wipes the disk", "default": True}
    (one,) = fields(**shape)
    assert one.question.text == "Where to?\nOK\nYes also wipes the disk\nDefault: Yes"


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ({"type": "string", "default": "eve@evil.example"}, "Default: eve@evil.example"),
        ({"type": "number", "default": 10000}, "Default: 10000"),
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["One", "Two"], "default": "b"}, "Default: Two"),
        ({"type": "array", "items": {"enum": ["a", "b"]}, "default": ["a", "b"]}, "Default: a, b"),
        ({"type": "boolean", "default": False}, "Default: No"),
    ],
)
def test_what_stands_where_nothing_is_said_is_named(shape: dict[str, object], said: str) -> None:
    (one,) = fields(**shape)
    assert one.question.text.splitlines()[-1] == said


def test_the_message_stands_with_the_first_of_several_fields() -> None:
    asked = {"a": {"type": "boolean", "title": "First"}, "b": {"type": "string", "description": "More"}}
    schema = {"title": "Order", "description": "It is binding", "properties": asked}
    found = fields_of_form({"message": "Sign here", "requestedSchema": schema})
    assert [one.question.text for one in found] == ["Sign here\nOrder\nIt is binding\nFirst", "b\nMore"]


def test_what_a_choice_means_stands_with_it() -> None:
    titled = [{"const": "a", "title": "Tidy", "description": "and wipe all"}, {"const": "b", "title": "No"}]
    (one,) = fields(type="string", oneOf=titled)
    assert [choice.description for choice in one.question.choices] == ["and wipe all", ""]


def test_a_field_for_own_words_that_has_a_default_is_asked_for_itself() -> None:
    asked = {"to": {"type": "string", "enum": ["a"]}, "to_custom": {"type": "string", "default": "eve"}}
    found = fields_of_form({"message": "Who?", "requestedSchema": {"properties": asked}})
    assert [one.question.text for one in found] == ["Who?\nto", "to_custom\nDefault: eve"]


def test_an_option_says_all_that_its_dialog_shows() -> None:
    options = [{"label": "a", "description": "fast", "preview": "rm -rf /"}, {"label": "b", "markdown": "+--+"}]
    asked = question_of({"question": "Which?", "header": "Kind", "options": options}, "q0")
    assert [one.description for one in asked.choices] == ["fast\nrm -rf /", "+--+"]
    assert (asked.text, asked.heading, asked.own_words, asked.several) == ("Which?", "Kind", True, False)
