"""What tools are called with, and what that is as a request to the hub."""

import pytest

from hub.contract.permission import Act, PermissionRequest
from hub.io.agents.questions.arguments import (
    SEEN,
    AskingAgent,
    CheckAnswer,
    HumanQuestion,
    NotifyHuman,
    UnusableArguments,
    agent_name,
    key_of,
    note_of,
    read_arguments,
    request_of,
    schema_of,
)

AGENT = AskingAgent(name="codex", folder="/home/anna/shop")


def test_a_question_becomes_a_request_that_one_touch_answers() -> None:
    asked = read_arguments(HumanQuestion, {"question": "Deploy?", "options": ["Yes", "No"], "why": "All tests pass."})
    assert isinstance(asked, HumanQuestion)
    request = request_of(asked, AGENT)
    assert isinstance(request, PermissionRequest)
    (question,) = request.questions
    assert (request.agent, request.act, request.folder, request.reason) == (
        "codex",
        Act.QUESTION,
        "/home/anna/shop",
        "All tests pass.",
    )
    assert (question.text, [one.label for one in question.choices]) == ("Deploy?", ["Yes", "No"])


def test_what_a_person_is_told_needs_one_touch() -> None:
    request = note_of(NotifyHuman(message="The build is done."), AGENT)
    assert isinstance(request, PermissionRequest)
    assert [one.label for one in request.questions[0].choices] == [SEEN]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"question": ""},
        {"question": "x" * 2_001},
        {"question": "Deploy?", "option": ["Yes"]},
        {"question": "Deploy?", "options": "Yes"},
        {"question": "Deploy?", "open_s": 1e9},
        {"question": "Deploy?", "wait_s": -1},
    ],
)
def test_what_does_not_fit_is_told_in_a_sentence(given: dict[str, object]) -> None:
    found = read_arguments(HumanQuestion, given)
    assert isinstance(found, UnusableArguments)
    assert found.why.startswith("The arguments do not fit: ")


@pytest.mark.parametrize(
    "asked", [HumanQuestion(question="Deploy?", options=("A", "A")), HumanQuestion(question="?", own_words=False)]
)
def test_what_nobody_could_answer_is_not_asked(asked: HumanQuestion) -> None:
    assert isinstance(request_of(asked, AGENT), UnusableArguments)


def test_an_id_cannot_lead_elsewhere() -> None:
    assert isinstance(read_arguments(CheckAnswer, {"ask_id": "../tokens"}), UnusableArguments)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("claude-code", "claude-code"),
        ("My Agent 2.0", "My-Agent-2-0"),
        ("", "agent"),
        ("Pulse", "agent"),
        ("You", "agent"),
        ("system", "agent"),
        ("\u202eevil", "evil"),
        ("x" * 99, "x" * 64),
    ],
)
def test_an_agent_is_called_as_its_client_says_but_never_as_we_are(said: str, shown: str) -> None:
    assert agent_name(said) == shown


def test_two_agents_never_meet_in_a_key() -> None:
    agents = [AGENT, AskingAgent(name="codex"), AskingAgent(name="gemini"), AskingAgent(name="codex", whose="t")]
    assert len({key_of(agent, "deploy") for agent in agents}) == len(agents)


@pytest.mark.parametrize("kind", [HumanQuestion, NotifyHuman, CheckAnswer])
def test_a_schema_stands_alone_and_describes_each_argument(kind: type[HumanQuestion]) -> None:
    schema = schema_of(kind)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert "$ref" not in str(schema)
    assert all("description" in str(one) for one in schema["properties"].values())
