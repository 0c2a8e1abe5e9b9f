"""Tools of servers: read by the verb of their name and their fields, and asked about where something is unknown."""

import json

import pytest

from hub.contract.effects import Effect
from hub.contract.permission import Act
from hub.contract.words import Risk
from hub.screening.acts import ActReading, read_act
from hub.screening.effects import HARMLESS

SHOP = "/home/anna/shop"
DELETES, SECRET = {Effect.DELETES}, {Effect.READS_SECRETS}
RIGHTS, SYSTEM, CODE = {Effect.CHANGES_PERMISSIONS}, {Effect.CHANGES_SYSTEM}, {Effect.RUNS_UNKNOWN_CODE}


def read(tool: str, given: object) -> ActReading:
    return read_act(Act.OTHER, json.dumps(given), "", SHOP, tool)


def asks(found: ActReading) -> bool:
    return not found.understood or not HARMLESS.issuperset(found.effects)


@pytest.mark.parametrize(
    ("tool", "given", "effects"),
    [
        ("mcp__desktop__start_process", {"command": "rm -rf src"}, DELETES),
        ("mcp__shell__execute_command", {"command": "rm -rf src"}, DELETES),
        ("mcp__shell__exec", {"cmd": "rm -rf /srv"}, DELETES),
        ("mcp__shell__run", {"command": "rm", "args": ["-rf", "src"]}, DELETES),
        ("mcp__shell__run", {"command": "rm", "args": "-rf src"}, DELETES),
        ("mcp__shell__run", {"argv": ["rm", "-rf", "src"]}, DELETES),
        ("mcp__shell__run", {"commands": ["ls", "rm -rf src"]}, DELETES),
        ("mcp__shell__run", {"steps": [{"request": {"shell_command": "rm -rf src"}}]}, DELETES),
        ("mcp__shell__write_to_terminal", {"input": "rm -rf src"}, DELETES),
        ("mcp__notes__get", {"command": "rm -rf src"}, DELETES),
        ("mcp__k8s__kubectl", {"args": "delete namespace prod"}, DELETES),
        ("mcp__db__query", {"sql": "DROP TABLE users"}, DELETES),
        ("mcp__db__query", {"query": "delete from users"}, DELETES),
        ("mcp__db__ask", {"prompt": "drop table users"}, DELETES),
        ("mcp__fs__write_file", {"path": "/home/anna/.bashrc", "content": "x"}, SYSTEM),
        ("mcp__fs__edit_file", {"path": ".git/hooks/pre-commit", "content": "x"}, RIGHTS),
        ("mcp__fs__write_files", {"files": [{"path": "a"}, {"path": ".git/hooks/pre-push"}]}, RIGHTS),
        ("mcp__fs__move_file", {"source": "a", "destination": "/etc/x"}, SYSTEM),
        ("mcp__fs__save", {"outputPath": "/etc/x"}, SYSTEM),
        ("mcp__fs__read_file", {"path": "/home/anna/.ssh/id_rsa"}, SECRET),
        ("mcp__fs__read_files", {"paths": ["a", "/home/anna/.ssh/id_rsa"]}, SECRET),
        ("mcp__web__get_page", {"url": "file:///home/anna/.ssh/id_rsa"}, SECRET),
        ("mcp__fs__delete_file", {"path": "a"}, DELETES),
        ("mcp__web__request", {"url": "https://example.com", "body": "x"}, {Effect.LEAVES_THE_MACHINE}),
        ("mcp__py__run_code", {"code": "import os; os.remove('a')"}, CODE),
        ("mcp__chat__post_message", {}, {Effect.MESSAGES}),
        ("mcp__shell__run", {"command": "rm -rf src", "env": {"A=1 true #": "x"}}, DELETES),
        ("mcp__notes__show", {"payload": '{"command": "rm -rf src"}'}, DELETES),
        ("mcp__fs__find", {"arguments": {"path": ".", "exec": "rm"}}, DELETES),
        ("mcp__fs__read_resource", {"resource": "file:///home/anna/.ssh/id_rsa"}, SECRET),
        ("mcp__fs__read", {"name": "~/.ssh/id_rsa"}, SECRET),
        ("mcp__fs__read", {"target": "id_rsa"}, SECRET),
        ("mcp__fs__read_file", {"path": "src/.env/"}, SECRET),
        ("mcp__shell__run", {"command": "touch a", "cwd": "/home/anna/other"}, SYSTEM),
        ("mcp__shell__run", {"command": "npm test", "cwd": ".."}, CODE),
        ("mcp__fs__patch", {"path": "a", "patch": "--- a/a\n+++ b/.git/hooks/pre-commit\n@@\n+x"}, RIGHTS),
        ("mcp__fs__edit", {"path": "a", "diff": "*** Update File: a\n*** Move to: .git/hooks/x\n+x"}, RIGHTS),
        ("mcp__db__query", {"query": "SELECT lo_export(1, '/etc/x')"}, SYSTEM),
        ("mcp__db__query", {"query": "SELECT query_to_xml('delete from users', true, true, '')"}, CODE),
    ],
)
def test_a_servers_tool_is_read_as_what_it_would_do(tool: str, given: object, effects: set[Effect]) -> None:
    found = read(tool, given)
    assert effects <= set(found.effects)
    assert asks(found)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__x__frobnicate", {}),
        ("mcp__x__frobnicate", {"command": "ls"}),
        ("mcp__x__run", {}),
        ("mcp__x__run", {"command": "ls", "detach": True}),
        ("mcp__x__run", {"command": "ls", "shell": "/home/anna/x"}),
        ("mcp__x__run", {"command": "ls", "env": ["LD_PRELOAD=./x.so"]}),
        ("mcp__x__run", {"command": "frobnicate"}),
        ("mcp__x__create_issue", {"title": "a", "body": "b"}),
        ("mcp__x__write_note", {"content": "b"}),
        ("mcp__x__navigate", {"url": "https://example.com"}),
        ("mcp__x__get_or_create", {"n": 1}),
        ("mcp__x__get", {"a": [[[[[[[["x"]]]]]]]]}),
        ("mcp__x__query", {"sql": "frobnicate"}),
        ("mcp__x__get", {"paths": ["a"] * 100}),
        ("mcp__x__run", {"command": "ls", "env": {"A": "1"}, "options": {"env": {"LD_PRELOAD": "./x.so"}}}),
        ("mcp__x__run", {"command": "ls", "env": {"A": "1"}, "environment": ["LD_PRELOAD=./x.so"]}),
        ("mcp__x__run", {"command": "touch a", "options": {"cwd": "/etc"}}),
        ("mcp__x__run", {"command": "touch a", "cwd": "sub", "workingDirectory": "/etc"}),
        ("mcp__x__run", {"command": "ls", "line": "rm -rf src"}),
        ("mcp__x__run", {"command": "ls", "shell": "./x"}),
        ("mcp__x__get_url", {"url": "https://example.com/x", "body": "what was found"}),
        ("mcp__x__get", {"url": "https://example.com/x", "headers": {"X-A": "what was found"}}),
        ("mcp__x__get", {"url": "https://example.com/x", "method": "DELETE"}),
        ("mcp__x__get", {"host": "example.com", "q": "what was found"}),
        ("mcp__x__get_issue", {"operation": "delete_all"}),
        ("mcp__x__read_query", {"query": "; drop table users"}),
        ("mcp__x__query", {"query": "commit; delete from users"}),
        ("mcp__x__search", {"query": "mutation Gone { deleteRepository }"}),
        ("mcp__x__read_and_burn", {}),
        ("mcp__x__check_out", {"order": 1}),
        ("mcp__x__log_event", {"text": "x"}),
        ("x", []),
    ],
)
def test_what_is_not_known_asks(tool: str, given: object) -> None:
    assert not read(tool, given).understood


@pytest.mark.parametrize("text", ["", "{", '{"a": 1} and more', "*** Begin Patch", "\ud83d"])
def test_an_input_that_was_cut_is_not_understood(text: str) -> None:
    assert not read_act(Act.OTHER, text, "", SHOP, "mcp__notes__list").understood


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("mcp__gh__get_issue", {"n": 1}),
        ("mcp__gh__search_code", {"query": "a loop"}),
        ("mcp__db__query", {"sql": "SELECT 1"}),
        ("mcp__fs__read_file", {"path": "src/a.py"}),
        ("mcp__fs__list_directory", {"path": "."}),
        ("mcp__fs__edit_file", {"path": "a.py", "edits": [{"oldText": "a", "newText": "b"}]}),
        ("mcp__shell__run_command", {"command": "git status", "timeout_ms": 5, "description": "x"}),
        ("mcp__docs__resolve-library-id", {"libraryName": "x"}),
        ("mcp__geo__get_country", {"code": "DE"}),
        ("mcp__gh__list_commits", {"owner": "a", "repo": "b", "sha": "main"}),
        ("mcp__gh__get_run", {"run_id": "3"}),
        ("mcp__docs__get-library-docs", {"libraryID": "/vercel/next.js", "topic": "routing"}),
        ("mcp__web__get", {"url": "https://example.com/x", "method": "GET", "format": "markdown"}),
        ("mcp__ci__get_logs", {"service": "api", "query": "an error"}),
    ],
)
def test_what_is_known_to_look_or_to_write_in_the_folder_asks_nothing(tool: str, given: object) -> None:
    found = read(tool, given)
    assert not asks(found)
    assert found.risk is Risk.MEDIUM


def test_a_command_is_judged_with_its_variables_and_as_a_whole() -> None:
    assert Effect.RUNS_UNKNOWN_CODE in read("mcp__x__run", {"command": "ls", "env": {"LD_PRELOAD": "./x.so"}}).effects
    assert read("mcp__x__run", {"command": "rm -rf ~"}).risk is Risk.HIGH
