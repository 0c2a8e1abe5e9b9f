"""What OpenClaw's gateway asks, as a card, and what it is told for each answer."""

from typing import Any

import msgspec
import pytest

from hub.contract.control import PermissionReply
from hub.contract.permission import TEXT_CHARS_MAX, Act, Lasts, PermissionAnswer
from hub.contract.words import Status, Verb
from hub.io.attached.openclaw.asked import GatewayAsk, ask_of, asked_in, call_for, over_in, request_of
from tests.fakes.hub_api import a_prediction
from tests.io.attached.openclaw_said import EXEC, NOW_MS, PLUGIN, QUESTION, answered


def an_ask(kind: str, said: dict[str, Any], **about: object) -> GatewayAsk:
    listed = {**said, **about} if kind == "question" else {**said, "request": {**said["request"], **about}}
    found = ask_of(kind, listed)
    assert found is not None
    return found


def test_a_command_is_asked_as_it_would_run() -> None:
    ask = asked_in("exec.approval.requested", EXEC)
    assert ask is not None
    request = request_of(ask, NOW_MS, "key")
    assert request is not None
    assert (request.act, request.text, request.folder) == (Act.COMMAND, "rm -rf build", "/home/ana/shop")
    assert (request.session, request.call, request.timeout_s) == ("agent:main:main", EXEC["id"], 1_800)
    assert (request.options, request.editable, request.withdraw_when_gone) == ((), False, True)


def test_always_is_offered_where_the_gateway_takes_it() -> None:
    request = request_of(an_ask("exec", EXEC, allowedDecisions=["allow-once", "allow-always", "deny"]), NOW_MS, "key")
    assert request is not None
    assert [(one.id, one.lasts) for one in request.options] == [("allow-always", Lasts.ALWAYS)]


def test_a_command_elsewhere_says_where() -> None:
    request = request_of(an_ask("exec", EXEC, nodeId="attic-mac"), NOW_MS, "key")
    assert request is not None
    assert request.tool == "exec on attic-mac"


@pytest.mark.parametrize(
    ("about", "beside"),
    [
        ({}, []),
        ({"env": {}, "envKeys": None}, []),
        ({"env": {"LD_PRELOAD": "./x.so"}}, ["env"]),
        ({"envKeys": ["GIT_PAGER"]}, ["envKeys"]),
        ({"resolvedPath": "/home/ana/shop/rm"}, ["resolvedPath"]),
        ({"resolvedPath": "./rm"}, ["resolvedPath"]),
    ],
)
def test_what_the_command_alone_does_not_say_is_shown(about: dict[str, object], beside: list[str]) -> None:
    request = request_of(an_ask("exec", EXEC, **about), NOW_MS, "key")
    assert request is not None
    assert [one.name for one in request.unknown_fields] == beside


def test_a_plugins_request_is_shown_in_its_own_words() -> None:
    request = request_of(an_ask("plugin", PLUGIN), NOW_MS, "key")
    assert request is not None
    assert (request.act, request.tool, request.text) == (Act.OTHER, "mail", "Send the mail\nto everybody")


def test_a_question_keeps_its_choices() -> None:
    request = request_of(an_ask("question", QUESTION), NOW_MS, "key")
    assert request is not None
    (question,) = request.questions
    assert (question.id, question.text, question.own_words) == ("q1", "Which database?", False)
    assert [one.label for one in question.choices] == ["Postgres", "SQLite"]


@pytest.mark.parametrize(
    ("kind", "said", "about"),
    [
        ("exec", EXEC, {"command": "x" * (TEXT_CHARS_MAX + 1)}),
        ("exec", EXEC, {"command": ""}),
        ("exec", EXEC, {"command": 7}),
        ("question", QUESTION, {"questions": [{**QUESTION["questions"][0], "isSecret": True}]}),
        ("question", QUESTION, {"questions": []}),
    ],
)
def test_what_cannot_be_put_to_a_person_is_left_to_its_own_clients(
    kind: str, said: dict[str, Any], about: dict[str, object]
) -> None:
    assert request_of(an_ask(kind, said, **about), NOW_MS, "key") is None


def test_what_is_over_is_not_asked() -> None:
    assert request_of(an_ask("exec", EXEC), EXEC["expiresAtMs"], "key") is None


@pytest.mark.parametrize("broken", [{"id": ""}, {"id": "x" * 129}, {"expiresAtMs": "soon"}, {"expiresAtMs": None}])
def test_what_has_no_name_or_no_end_is_passed_over(broken: dict[str, object]) -> None:
    assert asked_in("exec.approval.requested", {**EXEC, **broken}) is None


@pytest.mark.parametrize(
    ("kind", "said", "verb", "answer", "params"),
    [
        ("exec", EXEC, Verb.APPROVE, None, {"kind": "exec", "decision": "allow-once"}),
        ("exec", EXEC, Verb.REJECT, None, {"kind": "exec", "decision": "deny"}),
        ("plugin", PLUGIN, Verb.APPROVE, {"option": "allow-always"}, {"kind": "plugin", "decision": "allow-always"}),
        ("question", QUESTION, Verb.REJECT, None, {"cancel": True}),
        (
            "question",
            QUESTION,
            Verb.APPROVE,
            {"answers": {"q1": ["SQLite"]}},
            {"answers": {"answers": {"q1": ["SQLite"]}}},
        ),
    ],
)
def test_each_answer_is_told_in_the_gateways_words(
    kind: str, said: dict[str, Any], verb: Verb, answer: dict[str, object] | None, params: dict[str, object]
) -> None:
    given = None if answer is None else msgspec.convert(answer, PermissionAnswer)
    call = call_for(an_ask(kind, said), answered(verb, given))
    assert call is not None
    assert call.params == {"id": said["id"], **params}
    assert call.method == ("question.resolve" if kind == "question" else "approval.resolve")


def test_without_an_answer_the_gateway_is_told_nothing() -> None:
    silent = PermissionReply(prediction=a_prediction(status=Status.EXPIRED), answered=False, approved=False)
    assert call_for(an_ask("exec", EXEC), silent) is None


@pytest.mark.parametrize(
    ("event", "said", "how"),
    [
        ("exec.approval.resolved", {"decision": "allow-once", "resolvedBy": "tui"}, "allowed"),
        ("exec.approval.resolved", {"decision": "deny", "resolvedBy": "tui"}, "refused"),
        ("exec.approval.resolved", {"decision": "deny", "resolvedBy": None}, "ended"),
        ("plugin.approval.resolved", {"decision": "allow-always", "resolvedBy": "tui"}, "allowed"),
        ("question.resolved", {"status": "answered"}, "allowed"),
        ("question.resolved", {"status": "cancelled"}, "refused"),
        ("question.resolved", {"status": "expired"}, "ended"),
    ],
)
def test_an_answer_given_elsewhere_says_which(event: str, said: dict[str, object], how: str) -> None:
    assert over_in(event, {"id": "a", **said}) == ("a", how)
    assert asked_in(event, said) is None


def test_other_events_say_nothing() -> None:
    assert over_in("chat", {"id": "a"}) is None
    assert asked_in("chat", EXEC) is None
