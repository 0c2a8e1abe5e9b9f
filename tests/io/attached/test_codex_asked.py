"""What Codex asks its clients, as a person reads it, and what it is told for each answer."""

from typing import Any

import pytest

from hub.contract.permission import FILES_MAX, TEXT_CHARS_MAX, Act, PermissionRequest
from hub.contract.words import Status, Verb
from hub.io.attached.codex.asked import CodexReply, Put, request_of, told_of
from hub.io.attached.codex.questions import elicitation, user_input
from hub.io.attached.codex.work import command, file_change, more_access, shown_command
from tests.io.attached.codex_said import CHANGES, COMMAND, FILE_CHANGE, a_reply, unanswered


def asked(put: Put | None) -> PermissionRequest:
    assert put is not None
    request = request_of(put, "t1", "call_1", 600, "k1")
    assert request is not None
    return request


def told(put: Put | None, **answer: Any) -> CodexReply | None:  # noqa: ANN401  as `a_reply`
    assert put is not None
    return told_of(put, a_reply(**answer))


def test_a_command_is_shown_as_it_would_run_with_what_codex_offers() -> None:
    request = asked(command(COMMAND))
    assert (request.act, request.text, request.folder, request.reason) == (
        Act.COMMAND,
        "touch made.txt",
        "/shop",
        "needs a file",
    )
    assert [(one.label, one.lasts.value, one.refuses) for one in request.options] == [
        ("Always allow commands that begin with touch made.txt", "always", False),
        ("Stop what it is doing", "once", True),
    ]
    assert (request.session, request.call, request.editable, request.withdraw_when_gone) == (
        "t1",
        "call_1",
        False,
        True,
    )


@pytest.mark.parametrize(
    ("answer", "result", "words"),
    [
        ({"approved": True}, {"decision": "accept"}, ""),
        ({"approved": True, "option": "always1"}, {"decision": COMMAND["availableDecisions"][1]}, ""),
        ({"approved": False}, {"decision": "decline"}, ""),
        ({"approved": False, "reason": " Not now "}, {"decision": "decline"}, "Not now"),
        ({"approved": False, "option": "stop", "reason": "Not now"}, {"decision": "cancel"}, ""),
        ({"approved": False, "option": "always1"}, {"decision": "decline"}, ""),
    ],
)
def test_what_codex_is_told(answer: dict[str, Any], result: dict[str, Any], words: str) -> None:
    assert told(command(COMMAND), **answer) == CodexReply(result=result, words=words)


def test_other_words_than_it_asked_for_are_no_yes() -> None:
    assert told(command(COMMAND), approved=True, verb=Verb.EDIT, text="touch other.txt") is None


@pytest.mark.parametrize("status", [Status.PENDING, Status.EXPIRED, Status.CANCELLED])
def test_without_an_answer_it_is_told_nothing(status: Status) -> None:
    put = command(COMMAND)
    assert put is not None
    assert told_of(put, unanswered(status)) is None


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/bin/zsh -lc 'rm -rf build && ls'", "rm -rf build && ls"),
        ("bash -c ls", "ls"),
        ("bash -lc ls extra", "bash -lc ls extra"),
        ("python -c 'print(1)'", "python -c 'print(1)'"),
        ("bash -lc 'ls", "bash -lc 'ls"),
        ("/run/current-system/sw/bin/bash -lc ls", "ls"),
        ("./bash -lc ls", "./bash -lc ls"),
        ("/shop/bash -lc ls", "/shop/bash -lc ls"),
        ("/shop/usr/bin/bash -lc ls", "/shop/usr/bin/bash -lc ls"),
        ("/bin/../shop/bash -lc ls", "/bin/../shop/bash -lc ls"),
    ],
)
def test_only_a_shells_script_is_shown_without_its_shell(line: str, shown: str) -> None:
    assert shown_command(line) == shown


@pytest.mark.parametrize(
    "params",
    [
        {"command": ""},
        {"command": None},
        {"command": "x" * (TEXT_CHARS_MAX + 1)},
        {"availableDecisions": ["cancel"]},
        {"availableDecisions": []},
        {"cwd": "x" * 5_000},
    ],
)
def test_what_nobody_could_judge_is_left_to_its_own_dialog(params: dict[str, Any]) -> None:
    put = command(COMMAND | params)
    assert put is None or request_of(put, "t1", "call_1", 600, "k1") is None


def test_an_older_server_that_lists_no_decisions_is_offered_its_plain_ones() -> None:
    request = asked(command(COMMAND | {"availableDecisions": None}))
    assert [one.label for one in request.options] == [
        "Yes, and not again in this session",
        "Stop what it is doing",
    ]


def test_a_host_that_it_would_reach_is_shown_as_an_address() -> None:
    rules = [
        {"applyNetworkPolicyAmendment": {"network_policy_amendment": {"host": "example.org", "action": action}}}
        for action in ("allow", "deny")
    ]
    host = {"host": "example.org", "protocol": "https"}
    params = COMMAND | {
        "networkApprovalContext": host,
        "reason": None,
        "availableDecisions": ["accept", *rules, "cancel"],
    }
    request = asked(command(params))
    assert (request.act, request.target, request.text) == (Act.FETCH, "https://example.org", "touch made.txt")
    assert asked(command(params | {"reason": "To read the manual"})).text == "touch made.txt"
    long = "a" * 120 + ".example.org"
    cut = {"applyNetworkPolicyAmendment": {"network_policy_amendment": {"host": long, "action": "allow"}}}
    assert asked(command(params | {"availableDecisions": ["accept", cut]})).options == ()
    assert [(one.label, one.refuses) for one in request.options][:2] == [
        ("Always allow example.org", False),
        ("Never allow example.org", True),
    ]
    assert told(command(params), approved=False, option="never2") == CodexReply(result={"decision": rules[1]})


def test_what_else_a_yes_would_allow_is_shown() -> None:
    wanted = {"network": {"enabled": True}}
    request = asked(command(COMMAND | {"additionalPermissions": wanted, "environmentId": "cloud", "new": 1}))
    assert [(one.name, one.value) for one in request.settings] == [
        ("additionalPermissions", '{"network":{"enabled":true}}'),
        ("environmentId", '"cloud"'),
    ]
    assert [one.name for one in request.unknown_fields] == ["new"]
    plain = asked(command(COMMAND | {"additionalPermissions": None}))
    assert (plain.settings, plain.unknown_fields) == ((), ())


def test_files_are_shown_as_one_diff() -> None:
    request = asked(file_change(FILE_CHANGE, CHANGES, "/shop"))
    assert (request.act, request.target, request.folder) == (Act.EDIT, "/shop/a.txt", "/shop")
    assert {request.target, *request.other_files} == {"/shop/a.txt", "/shop/hello.txt"}
    assert request.text == (
        "--- /shop/a.txt\n+++ /shop/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
        "--- /dev/null\n+++ /shop/hello.txt\n@@ -0,0 +1,2 @@\n+hi\n+there"
    )


def test_every_character_of_a_change_is_shown() -> None:
    changes = (
        {"path": "/shop/new", "kind": {"type": "add"}, "diff": "# x\x0cy\r\n\nz"},
        {"path": "/shop/old", "kind": {"type": "delete"}, "diff": "a\u2028b\n"},
        {"path": "/shop/c", "kind": {"type": "update"}, "diff": "@@ -1 +1,2 @@\n-\tx\n+  x\n+ \n"},
    )
    assert asked(file_change(FILE_CHANGE, changes, "/shop")).text == (
        "--- /dev/null\n+++ /shop/new\n@@ -0,0 +1,3 @@\n+# x\x0cy\r\n+\n+z\n\\ No newline at end of file\n"
        "--- /shop/old\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\u2028b\n"
        "--- /shop/c\n+++ /shop/c\n@@ -1 +1,2 @@\n-⟨U+0009⟩x\n+  x\n+ "
    )


@pytest.mark.parametrize("hidden", ["/etc/hosts", "/shop/.claude/settings.json"])
def test_no_file_hides_behind_another(hidden: str) -> None:
    more = ({"path": hidden, "kind": {"type": "delete"}, "diff": "one\n"},)
    assert asked(file_change(FILE_CHANGE, CHANGES + more, "/shop")).target == hidden
    assert asked(file_change(FILE_CHANGE | {"grantRoot": hidden}, CHANGES, "/shop")).target == hidden
    moved = ({"path": "/shop/b", "kind": {"type": "update", "move_path": hidden}, "diff": "@@ -1 +1 @@\n-a\n+b\n"},)
    assert asked(file_change(FILE_CHANGE, CHANGES + moved, "/shop")).target == hidden


def test_every_file_that_a_yes_reaches_is_named() -> None:
    moved = {"path": "/shop/b", "kind": {"type": "update", "move_path": "/shop/c"}, "diff": "@@ -1 +1 @@\n-a\n+b\n"}
    request = asked(file_change(FILE_CHANGE | {"grantRoot": "/shop/src"}, (moved,), "/shop"))
    assert {request.target, *request.other_files} == {"/shop/b", "/shop/c", "/shop/src"}


def test_more_files_than_can_be_named_are_asked_about_at_its_own_dialog() -> None:
    many = tuple({"path": f"/shop/{n}", "kind": {"type": "add"}, "diff": "x"} for n in range(FILES_MAX + 2))
    put = file_change(FILE_CHANGE, many, "/shop")
    assert put is None or request_of(put, "t1", "call_1", 600, "k1") is None


def test_files_that_nobody_can_look_at_are_asked_about_at_its_own_dialog() -> None:
    assert file_change(FILE_CHANGE, (), "/shop") is None
    assert file_change(FILE_CHANGE, ({"kind": {"type": "add"}, "diff": "x"},), "/shop") is None


def test_more_access_is_listed_and_granted_as_it_was_asked() -> None:
    entries = [
        {"access": "write", "path": {"type": "path", "path": "/srv/shop"}},
        {"access": "read", "path": {"type": "special", "value": {"kind": "tmpdir"}}},
    ]
    wanted = {"fileSystem": {"entries": entries}, "network": {"enabled": True}}
    put = more_access({"cwd": "/shop", "permissions": wanted, "reason": "to deploy"})
    request = asked(put)
    assert (request.act, request.text) == (Act.OTHER, "write /srv/shop\nread tmpdir\nuse the network")
    assert told(put, approved=True) == CodexReply(result={"permissions": wanted, "scope": "turn"})
    assert told(put, approved=True, option="session") == CodexReply(result={"permissions": wanted, "scope": "session"})
    assert told(put, approved=False) == CodexReply(result={"permissions": {}, "scope": "turn"})
    assert more_access({"cwd": "/shop", "permissions": {}}) is None


def test_its_questions_are_answered_by_their_own_names() -> None:
    options = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": ""}]
    asks = [
        {"id": "color", "header": "Colour", "question": "Which?", "options": options, "isOther": False},
        {"id": "name", "header": "", "question": "What is it called?", "options": None},
    ]
    put = user_input({"questions": asks, "isBlocking": True})
    request = asked(put)
    assert [(one.id, one.own_words, len(one.choices)) for one in request.questions] == [
        ("color", False, 2),
        ("name", True, 0),
    ]
    answers = {"color": ("Blue",), "name": ("Shop",)}
    assert told(put, approved=True, answers=answers) == CodexReply(
        result={"answers": {"color": {"answers": ["Blue"]}, "name": {"answers": ["Shop"]}}}
    )
    assert told(put, approved=False) == CodexReply(result={"answers": {}})


def test_a_secret_is_never_asked_for_on_a_card() -> None:
    assert user_input({"questions": [{"id": "key", "header": "", "question": "Key?", "isSecret": True}]}) is None


def test_a_form_is_filled_in_with_the_values_that_its_server_knows() -> None:
    properties = {
        "size": {
            "type": "string",
            "title": "Size",
            "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}],
        },
        "kind": {"type": "string", "enum": ["a", "b"], "enumNames": ["Apple", "Pear"]},
        "extras": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
        "gift": {"type": "boolean"},
        "note": {"type": "string"},
    }
    form = {
        "mode": "form",
        "serverName": "shop",
        "message": "An order",
        "requestedSchema": {"type": "object", "properties": properties},
    }
    put = elicitation(form)
    request = asked(put)
    assert [one.text for one in request.questions] == ["An order\nSize", "kind", "extras", "gift", "note"]
    said = {"size": ("Large",), "kind": ("Pear",), "extras": ("x", "y"), "gift": ("Yes",), "note": ("Hello",)}
    content = {"size": "l", "kind": "b", "extras": ["x", "y"], "gift": True, "note": "Hello"}
    assert told(put, approved=True, answers=said) == CodexReply(result={"action": "accept", "content": content})
    assert told(put, approved=False) == CodexReply(result={"action": "decline", "content": None})


@pytest.mark.parametrize(
    "properties", [{"ok": {"type": "boolean"}}, {"n": {"type": "integer"}, "ok": {"type": "string"}}]
)
def test_a_form_or_question_with_more_than_fits_stays_at_its_own_dialog(properties: dict[str, Any]) -> None:
    form = {"mode": "form", "message": "x" * 2_500, "requestedSchema": {"properties": properties}}
    put = elicitation(form)
    assert put is not None
    assert request_of(put, "t", "i", 60, "k") is None
    for option in ({"label": "x" * 201}, {"label": "a", "description": "x" * 2_001}):
        put = user_input({"questions": [{"id": "q", "question": "Which?", "options": [option]}]})
        assert put is not None
        assert request_of(put, "t", "i", 60, "k") is None


def test_a_forms_field_is_shown_with_all_that_it_says() -> None:
    field = {"type": "boolean", "title": "Delete the production database", "description": "For ever", "default": True}
    form = {"mode": "form", "message": "Tidy?", "requestedSchema": {"properties": {"ok": field}}}
    (one,) = asked(elicitation(form)).questions
    assert one.text == "Tidy?\nDelete the production database\nFor ever\nDefault: Yes"


def test_a_form_without_fields_is_a_plain_yes_or_no() -> None:
    asks = {
        "mode": "form",
        "serverName": "files",
        "message": "Allow files to run tool delete?",
        "requestedSchema": {"type": "object", "properties": {}},
        "_meta": {"tool_params": {"path": "/shop"}},
    }
    put = elicitation(asks)
    request = asked(put)
    assert (request.tool, request.text) == ("files", 'Allow files to run tool delete?\n{"path":"/shop"}')
    assert told(put, approved=True) == CodexReply(result={"action": "accept", "content": {}})


@pytest.mark.parametrize(
    "params",
    [
        {"mode": "url", "url": "https://example.org", "message": "Sign in"},
        {"mode": "form", "message": "How many?", "requestedSchema": {"properties": {"n": {"type": "object"}}}},
        {"mode": "form", "message": "", "requestedSchema": {}},
        {"mode": "form", "message": "Sure?", "requestedSchema": {}, "serverName": "Pulse"},
        {"mode": "form", "message": "?", "requestedSchema": {"properties": {"a": {}}}, "serverName": "you"},
        {},
    ],
)
def test_what_cannot_be_answered_exactly_is_left_to_its_own_dialog(params: dict[str, Any]) -> None:
    assert elicitation(params) is None
