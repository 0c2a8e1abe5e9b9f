"""Hooks of others beside Pulse's: which are seen, and that a tool is then held before it until a person's yes."""

import json
import os
from pathlib import Path

import pytest

from hub.io.agents.hooks.asking import about_to
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.gemini import GEMINI
from hub.io.agents.hooks.other_hooks import UNREADABLE, refusal_of, with_other_hooks
from hub.io.agents.hooks.step import At, HookStep
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded

OWN = "/home/me/.pulse/hooks/pulse-claude-code"


def entry(command: str = "cat o.json", matcher: object = "Bash") -> dict[str, object]:
    return {"matcher": matcher, "hooks": [{"type": "command", "command": command}]}


def settings(folder: Path, name: str = "settings.json", **hooks: list[dict[str, object]]) -> Path:
    (folder / ".claude").mkdir(parents=True, exist_ok=True)
    path = folder / ".claude" / name
    path.write_text(json.dumps({"hooks": hooks}))
    return path


def step(folder: Path, project: str = "", transcript: str = "", *, unattended: bool = False) -> HookStep:
    return HookStep(
        at=At.BEFORE,
        event="PreToolUse",
        tool="Bash",
        input={"command": "rm -rf build"},
        folder=str(folder),
        project=project,
        transcript=transcript,
        unattended=unattended,
    )


async def others(asked: HookStep, home: Path, event: str = "PermissionRequest") -> tuple[tuple[str, str], ...]:
    seen = await with_other_hooks(CLAUDE_CODE, asked, OWN, str(home))
    return seen.other_hooks if event == "PermissionRequest" else seen.changers


@pytest.mark.parametrize("event", ["PermissionRequest", "PreToolUse"])
@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
async def test_a_hook_of_the_project_is_seen_from_below_it(tmp_path: Path, event: str, name: str) -> None:
    path = settings(tmp_path / "shop", name, **{event: [entry()]})
    inside = tmp_path / "shop" / "src"
    inside.mkdir()
    assert await others(step(inside), tmp_path / "home", event) == ((str(path), f"{event}: cat o.json"),)


async def test_the_project_the_home_and_a_home_elsewhere_are_looked_at(tmp_path: Path) -> None:
    shop, home = tmp_path / "shop", tmp_path / "home"
    found = [settings(one, PermissionRequest=[entry()]) for one in (shop, home)]
    moved = tmp_path / "moved" / "settings.json"
    moved.parent.mkdir()
    moved.write_text(json.dumps({"hooks": {"PermissionRequest": [entry()]}}))
    asked = step(tmp_path / "away", str(shop), transcript=str(moved.parent / "projects" / "-shop" / "s1.jsonl"))
    assert [path for path, _ in await others(asked, home)] == [*map(str, found), str(moved)]


async def test_who_may_change_a_tool_may_not_decide_about_it_and_the_other_way_round(tmp_path: Path) -> None:
    settings(tmp_path / "a", PreToolUse=[entry()])
    assert await others(step(tmp_path / "a"), tmp_path) == ()
    settings(tmp_path / "b", PermissionRequest=[entry()])
    assert await others(step(tmp_path / "b"), tmp_path, "PreToolUse") == ()


async def test_pulses_own_hook_and_one_that_is_asked_about_other_tools_are_none(tmp_path: Path) -> None:
    settings(tmp_path, PreToolUse=[entry(OWN, ""), entry("fmt", "Edit|Write")], Stop=[entry()])
    for event in ("PermissionRequest", "PreToolUse"):
        assert await others(step(tmp_path), tmp_path, event) == ()


@pytest.mark.parametrize("matcher", ["", "*", "Bash", "Edit|Bash", ".*", "Task", None, 5])
async def test_a_matcher_that_may_mean_the_tool_counts(tmp_path: Path, matcher: object) -> None:
    settings(tmp_path, PermissionRequest=[entry(matcher=matcher)])
    assert await others(step(tmp_path), tmp_path)


async def test_who_only_names_pulses_program_is_another(tmp_path: Path) -> None:
    settings(tmp_path, PermissionRequest=[entry(f"cat o.json # {OWN}")])
    assert await others(step(tmp_path), tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", "[" * 100_000, '{"a": 1}' + " " * 70_000])
async def test_settings_that_cannot_be_read_count_as_having_one(tmp_path: Path, text: str) -> None:
    path = settings(tmp_path)
    path.write_text(text)
    for event in ("PermissionRequest", "PreToolUse"):
        assert await others(step(tmp_path), tmp_path, event) == ((str(path), UNREADABLE),)


async def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    os.mkfifo(tmp_path / ".claude" / "settings.json")
    assert [said for _, said in await others(step(tmp_path), tmp_path)] == [UNREADABLE]


async def test_the_card_names_the_hook_so_that_no_grant_covers_it(tmp_path: Path) -> None:
    path = settings(tmp_path, PermissionRequest=[entry()])
    seen = await with_other_hooks(CLAUDE_CODE, step(tmp_path), OWN, str(tmp_path))
    asked = about_to(CLAUDE_CODE, seen)
    assert asked is not None
    assert [(one.name, one.value) for one in asked.unknown_fields] == [(str(path), '"PermissionRequest: cat o.json"')]


@pytest.mark.parametrize(
    ("events", "what"),
    [
        (["PreToolUse"], "Remove it, or run Claude at a terminal."),
        (["PreToolUse", "PermissionRequest"], "Remove it."),
    ],
)
async def test_why_nothing_goes_on_beside_it_names_the_file_and_what_to_do(
    tmp_path: Path, events: list[str], what: str
) -> None:
    hooks = [entry("x --password hx7Kq9Zt2w"), entry("cat")]
    path = settings(tmp_path, "settings.json", **dict.fromkeys(events, hooks))
    seen = await with_other_hooks(CLAUDE_CODE, step(tmp_path), OWN, str(tmp_path))
    said = refusal_of(CLAUDE_CODE, seen)
    hook = "PreToolUse: x --password ⟨hidden: 10 characters⟩, +1"
    sure = "so Pulse cannot promise that what you approve is what runs."
    assert said.text == f"{path} has another hook ({hook}), {sure} {what}"
    assert worded(said.wording, "", phrases("de")).startswith(f"In {path} steht noch ein Hook ({hook})")


async def test_of_an_agent_that_takes_the_strictest_answer_nothing_is_looked_at(tmp_path: Path) -> None:
    asked = step(tmp_path)
    assert await with_other_hooks(GEMINI, asked, OWN, str(tmp_path)) == asked
