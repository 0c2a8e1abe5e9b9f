"""What OpenCode is given to make it ask: all that was denied stays so, and no repository stands above it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from hub.io.agents.acp.opencode_rules import ASKED, CHARS_MAX, may_loosen, permission_text
from hub.io.agents.acp.opencode_settings import AGENTS_MAX, FILE_BYTES_MAX, MadeToAsk, opencode_made_to_ask

ASKS = dict.fromkeys(ASKED, "ask")


def rules(*own: dict[str, Any], project: tuple[dict[str, Any], ...] = (), alone: bool = False) -> dict[str, Any]:
    text, is_coarse = permission_text(own, project, alone=alone)
    assert not is_coarse
    found = json.loads(text)
    assert {name: found.pop(name) for name in ASKED} == ASKS
    return dict(found)


def said(**permission: object) -> dict[str, Any]:
    return {"permission": permission}


def test_without_a_denial_everything_asks() -> None:
    assert rules(said(bash={"*": "allow", "git *": "allow"}, edit="ask")) == {f"{one}*": "ask" for one in ASKED}


def test_a_denial_is_kept_with_its_exceptions_which_ask() -> None:
    found = rules(said(bash={"rm *": "deny", "rm build": "allow", "git *": "allow"}))
    assert list(found["bash*"].items()) == [("*", "ask"), ("rm *", "deny"), ("rm build", "ask"), ("git *", "ask")]
    assert found["edit*"] == "ask"


def test_a_later_file_lies_over_an_earlier_one() -> None:
    own = (said(bash={"rm *": "deny"}, edit="deny"), said(edit="allow"))
    assert (rules(*own)["bash*"], rules(*own)["edit*"]) == ({"*": "ask", "rm *": "deny"}, "ask")


@pytest.mark.parametrize(
    "own",
    [
        {"permission": "deny"},
        said(**{"*": "deny"}),
        said(**{"e?it": "deny"}),
        {"tools": {"edit": False}},
        {"tools": {"patch": False}},
    ],
)
def test_every_way_to_deny_a_whole_tool_is_understood(own: dict[str, Any]) -> None:
    assert rules(own)["edit*"] == {"*": "deny"}


def test_the_last_word_about_a_tool_holds() -> None:
    assert rules(said(**{"edit": "deny", "*": "allow"}))["edit*"] == "ask"
    assert rules(said(**{"*": "deny", "edit": "ask"}))["edit*"] == "ask"


def test_a_project_denies_more_but_never_less() -> None:
    own, project = said(bash={"rm *": "deny"}), said(bash={"*": "allow", "git push *": "deny", "rm *": "allow"})
    assert rules(own, project=(project,))["bash*"] == {"*": "ask", "rm *": "deny", "git push *": "deny"}
    alone = said(edit={"*": "deny", "docs/*": "allow"})
    assert rules(project=(alone,))["edit*"] == {"*": "deny", "docs/*": "ask"}


def test_the_names_of_the_rules_are_in_no_file() -> None:
    assert "bash***" in rules(said(**{"bash*": "allow"}), project=(said(**{"bash**": "allow"}),))


def test_what_a_project_denies_of_other_tools_is_kept_where_opencode_does_not_read_it() -> None:
    project = said(read={"*.env": "deny", "a.env": "allow"}, glob="allow")
    found = rules(project=(project,), alone=True)
    assert found["read*"] == {"*.env": "deny", "a.env": "ask"}
    assert "glob*" not in found
    assert "read*" not in rules(project=(project,))


def test_too_many_rules_deny_the_whole_tool() -> None:
    text, is_coarse = permission_text([said(bash={f"{'x' * 90}{n}": "deny" for n in range(1_000)})], [])
    assert is_coarse
    assert len(text) < CHARS_MAX
    assert (json.loads(text)["bash*"], json.loads(text)["edit*"]) == ("deny", "ask")


@pytest.mark.parametrize(
    "project",
    [
        {"agent": {"build": {"permission": "allow"}}},
        {"agent": {"build": {"permission": {"bash": {"*": "deny", "x": "ask"}}}}},
        {"mode": {"build": {"tools": {"bash": True}}}},
        {"agents": {"x": {"permission": ["odd"]}}},
        {"{file:name}": {}},
        {"a": [{"b{file:name}": 1}]},
    ],
)
def test_a_project_whose_agents_may_act_is_told(project: dict[str, Any]) -> None:
    assert may_loosen(project)


@pytest.mark.parametrize(
    "project",
    [{}, said(bash="allow"), {"agent": {"build": {"permission": {"bash": "deny"}, "prompt": "{file:a.txt}"}, "x": 1}}],
)
def test_a_project_whose_agents_have_no_rules_is_used(project: dict[str, Any]) -> None:
    assert not may_loosen(project)


class Place:
    """A home and a repository with files of OpenCode's."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "repo" / "part"
        self.project.mkdir(parents=True)
        (folder / "repo" / ".git").mkdir()
        self.environ = {"HOME": str(self.home)}

    def write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def asked(self) -> MadeToAsk:
        return opencode_made_to_ask(self.project, self.environ, managed=self.home / "managed")

    def bash(self) -> object:
        return json.loads(self.asked().environment["OPENCODE_PERMISSION"])["bash*"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


DENY = '{ // mine\n"permission": {"bash": {"rm *": "deny",},},}'
DENIED = {"*": "ask", "rm *": "deny"}


@pytest.mark.parametrize(
    "name",
    [
        "home/.config/opencode/config.json",
        "home/.config/opencode/opencode.json",
        "home/.config/opencode/opencode.jsonc",
        "home/.opencode/opencode.json",
        "home/managed/opencode.jsonc",
        "repo/opencode.json",
        "repo/part/opencode.jsonc",
        "repo/.opencode/opencode.json",
    ],
)
def test_settings_are_read_where_opencode_looks(place: Place, tmp_path: Path, name: str) -> None:
    place.write(tmp_path / name, DENY)
    assert place.bash() == DENIED
    assert place.asked().notes == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("XDG_CONFIG_HOME", "{}"),
        ("OPENCODE_CONFIG", "{}/opencode/opencode.json"),
        ("OPENCODE_CONFIG_DIR", "{}/opencode"),
        ("OPENCODE_CONFIG_CONTENT", DENY.replace("{", "{{").replace("}", "}}")),
    ],
)
def test_settings_are_read_where_the_environment_says(place: Place, tmp_path: Path, name: str, value: str) -> None:
    place.write(tmp_path / "elsewhere" / "opencode" / "opencode.json", DENY)
    place.environ[name] = value.format(tmp_path / "elsewhere")
    assert place.bash() == DENIED


def test_above_the_repository_nothing_is_read(place: Place, tmp_path: Path) -> None:
    place.write(tmp_path / "opencode.json", DENY)
    assert place.bash() == "ask"


def test_a_project_that_the_person_switched_off_says_nothing(place: Place) -> None:
    place.write(place.project / "opencode.json", DENY)
    place.environ["OPENCODE_DISABLE_PROJECT_CONFIG"] = "1"
    assert place.bash() == "ask"


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "[" * 50_000, " " * (FILE_BYTES_MAX + 1), json.dumps(said(bash=dict.fromkeys(map(str, range(3_000)))))],
)
def test_settings_that_cannot_be_read_are_told_and_the_rest_counts(place: Place, text: str) -> None:
    place.write(place.home / ".config/opencode/opencode.json", text)
    place.write(place.home / ".config/opencode/opencode.jsonc", DENY)
    asked = place.asked()
    assert asked.notes[0].startswith(f"OpenCode's settings in {place.home}/.config/opencode/opencode.json cannot be")
    assert (len(asked.notes), list(asked.environment), place.bash()) == (1, ["OPENCODE_PERMISSION"], DENIED)


def test_a_pipe_in_the_place_of_settings_keeps_nobody(place: Place) -> None:
    os.mkfifo(place.project / "opencode.json")
    assert "not a regular file" in place.asked().notes[0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("opencode.json", '{"agent": {"build": {"permission": {"bash": "allow"}}}}'),
        ("opencode.json", '{"agent": {"build": {"perm{env:NOTHING}ission": {"bash": "allow"}}}}'),
        ("opencode.json", "{"),
        (".opencode/agent/build.md", "---\npermission:\n  bash: allow\n---\nBuild."),
        (".opencode/mode/build.md", '---\n"\\x70ermission": {bash: allow}\n---\nBuild.'),
        (".opencode/agents/a/b.md", "---json\n{}\n---\n"),
        (".opencode/agents/a/b.md", "---\ndescription: without an end"),
    ],
)
def test_a_project_that_could_let_opencode_act_is_left_out_and_told(place: Place, name: str, text: str) -> None:
    place.write(place.project / "opencode.jsonc", DENY)
    place.write(place.project / name, text)
    asked = place.asked()
    assert asked.environment["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
    assert "so this run goes without them." in asked.notes[-1]
    assert place.bash() == DENIED


def test_a_project_with_harmless_agents_is_used(place: Place) -> None:
    place.write(place.project / ".opencode/agent/poet.md", "---\ndescription: Writes poems\n---\nNo permission needed.")
    place.write(place.project / ".opencode/agent/plain.md", "Just a prompt")
    place.write(place.project / "opencode.json", '{"permission": {"bash": "allow", "ba*": "allow"}}')
    assert (place.asked().notes, list(place.asked().environment)) == ((), ["OPENCODE_PERMISSION"])


def test_links_and_crowds_of_agents_are_not_looked_through(place: Place) -> None:
    agents = place.project / ".opencode" / "agent"
    agents.mkdir(parents=True)
    (agents / "more").symlink_to(place.project)
    assert place.asked().notes
    (agents / "more").unlink()
    assert not place.asked().notes
    for n in range(AGENTS_MAX + 1):
        (agents / f"{n}.md").touch()
    assert place.asked().notes
