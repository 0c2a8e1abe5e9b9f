"""Hooks of others beside Pulse's: which are seen, and that a tool is then held before it until a person's yes."""

import json
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.io.agents.hooks.around import TOO_MUCH
from hub.io.agents.hooks.asking import about_to
from hub.io.agents.hooks.claude_code import CLAUDE_CODE
from hub.io.agents.hooks.codex import CODEX
from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS, AgentConnection
from hub.io.agents.hooks.copilot import COPILOT
from hub.io.agents.hooks.cursor import CURSOR
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.gemini import GEMINI
from hub.io.agents.hooks.hook_places import FILES_MAX, PLACES
from hub.io.agents.hooks.opencode import OPENCODE
from hub.io.agents.hooks.other_hooks import UNREADABLE, refusal_of, with_other_hooks
from hub.io.agents.hooks.step import At, Dialect, HookStep
from hub.io.agents.hooks.wiring import Fail, HookWish, put_in
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


async def test_of_an_agent_that_no_hook_answers_nothing_is_looked_at(tmp_path: Path) -> None:
    asked = step(tmp_path)
    assert await with_other_hooks(OPENCODE, asked, OWN, str(tmp_path)) is asked


COMMAND = {"type": "command", "command": "cat o.json"}
FLAT, GROUPED = [COMMAND], [{"hooks": [COMMAND]}]
WHERE: list[tuple[Dialect, str, str, object]] = [
    (CLAUDE_CODE, ".claude/skills/tidy/SKILL.md", "PermissionRequest", ""),
    (CLAUDE_CODE, ".claude/agents/helper.md", "PermissionRequest", ""),
    (CODEX, ".codex/hooks.json", "PermissionRequest", GROUPED),
    (CODEX, ".codex/config.toml", "PermissionRequest", ""),
    (COPILOT, ".github/hooks/ci.json", "permissionRequest", FLAT),
    (COPILOT, ".github/hooks/ci.json", "preToolUse", FLAT),
    (COPILOT, ".github/copilot/settings.json", "PermissionRequest", FLAT),
    (COPILOT, ".claude/settings.local.json", "PreToolUse", GROUPED),
    (CURSOR, ".cursor/hooks.json", "beforeShellExecution", FLAT),
    (CURSOR, ".cursor/hooks.json", "preToolUse", FLAT),
    (GEMINI, ".gemini/settings.json", "BeforeTool", GROUPED),
]
"""Where a repository can bring a hook along, as each agent reads it."""


def put(file: Path, event: str, entry: object) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".md":
        file.write_text(f"---\nname: x\nhooks:\n  {event}:\n    - hooks: []\n---\n{event}\n")
    elif file.suffix == ".toml":
        file.write_text(f'[[hooks.{event}]]\n[[hooks.{event}.hooks]]\ntype = "command"\ncommand = "cat o.json"\n')
    else:
        file.write_text(json.dumps({"hooks": {event: entry}}))


@pytest.mark.parametrize(("dialect", "path", "event", "entry"), WHERE, ids=lambda one: getattr(one, "name", str(one)))
async def test_a_repositorys_hook_is_seen_of_every_agent(
    tmp_path: Path, dialect: Dialect, path: str, event: str, entry: object
) -> None:
    put(tmp_path / "shop" / path, event, entry)
    asked = replace(step(tmp_path / "shop"), event=dialect.before)
    seen = (await with_other_hooks(dialect, asked, OWN, str(tmp_path / "home"))).other_hooks
    assert [one for one, _ in seen] == [str(tmp_path / "shop" / path)]
    assert seen[0][1].lower().startswith(f"{event.lower()}: ")


@pytest.mark.parametrize("event", ["Stop", "stop", "SessionStart", "AfterTool"])
@pytest.mark.parametrize(("dialect", "path"), sorted({(one[0].name, one[1]) for one in WHERE}))
async def test_a_hook_that_decides_nothing_is_none(tmp_path: Path, dialect: str, path: str, event: str) -> None:
    put(tmp_path / path, event, GROUPED)
    asked = step(tmp_path, unattended=True)
    assert (await with_other_hooks(DIALECTS[dialect], asked, OWN, str(tmp_path / "home"))).other_hooks == ()


@pytest.mark.parametrize("which", [*(CONNECTIONS[one] for one in PLACES if one != "codex"), CODEX_HOOKS])
async def test_what_pulse_itself_writes_is_none(tmp_path: Path, which: AgentConnection) -> None:
    own = f"/home/me/my pulse/hooks/pulse-{which.agent}"
    fails: tuple[Fail, ...] = ("open", "closed")
    for fail in fails:
        document = put_in({}, which.entries(HookWish(program=own, fail=fail)), which.agent, which.extra)
        (tmp_path / which.user).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / which.user).write_text(json.dumps(document))
        asked = step(tmp_path / "shop", unattended=True)
        assert (await with_other_hooks(DIALECTS[which.agent], asked, own, str(tmp_path))).other_hooks == ()


@pytest.mark.parametrize(
    "line", [f"{OWN} --wait=1; cat o.json", f"{OWN} --wait=1;x", f"env {OWN}", f"{OWN} '", OWN * 2]
)
async def test_who_starts_more_than_pulses_program_is_another(tmp_path: Path, line: str) -> None:
    put(tmp_path / ".codex" / "hooks.json", "PermissionRequest", [{"hooks": [{"type": "command", "command": line}]}])
    assert (await with_other_hooks(CODEX, step(tmp_path), OWN, str(tmp_path))).other_hooks


def plugin(home: Path, file: str, said: object, *, key: str = "evil@mkt", enabled: bool | None = True) -> Path:
    """Lay a plugin out as Claude Code 2.1.330 keeps one."""
    name, _, market = key.partition("@")
    path = home / ".claude" / "plugins" / "cache" / market / name / "1.0.0" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(said))
    if enabled is not None:
        (home / ".claude" / "settings.json").write_text(json.dumps({"enabledPlugins": {key: enabled}}))
    return path


@pytest.mark.parametrize("enabled", [True, None])
@pytest.mark.parametrize("file", ["hooks/hooks.json", ".claude-plugin/plugin.json"])
async def test_a_hook_of_a_plugin_is_seen(tmp_path: Path, file: str, *, enabled: bool | None) -> None:
    path = plugin(tmp_path, file, {"hooks": {"PermissionRequest": [entry()]}}, enabled=enabled)
    assert await others(step(tmp_path / "shop"), tmp_path) == ((str(path), "PermissionRequest: cat o.json"),)


async def test_a_plugin_that_is_switched_off_has_none(tmp_path: Path) -> None:
    plugin(tmp_path, "hooks/hooks.json", {"hooks": {"PermissionRequest": [entry()]}}, enabled=False)
    assert await others(step(tmp_path / "shop"), tmp_path) == ()
    settings(tmp_path / "shop")
    (tmp_path / "shop" / ".claude" / "settings.json").write_text('{"enabledPlugins": {"evil@mkt": true}}')
    assert await others(step(tmp_path / "shop"), tmp_path)


async def test_a_plugin_may_keep_its_hooks_elsewhere(tmp_path: Path) -> None:
    plugin(tmp_path, ".claude-plugin/plugin.json", {"hooks": ["./more.json", "./none.json"]})
    path = plugin(tmp_path, "more.json", {"hooks": {"PermissionRequest": [entry()]}})
    said = [said for _, said in await others(step(tmp_path / "shop"), tmp_path)]
    assert said == ["PermissionRequest: cat o.json", UNREADABLE]
    assert path.exists()


def marketplace(folder: Path, home: Path, **about: object) -> Path:
    """Lay a marketplace that is a folder out as Claude Code 2.1.330 knows one; return its plugin's folder."""
    (folder / ".claude-plugin").mkdir(parents=True)
    listed = {"name": "mkt", "plugins": [{"name": "evil", "source": "./plugins/evil", **about}]}
    (folder / ".claude-plugin" / "marketplace.json").write_text(json.dumps(listed))
    (home / ".claude" / "plugins").mkdir(parents=True)
    known = {"mkt": {"source": {"source": "directory", "path": str(folder)}, "installLocation": str(folder)}}
    (home / ".claude" / "plugins" / "known_marketplaces.json").write_text(json.dumps(known))
    (home / ".claude" / "settings.json").write_text('{"enabledPlugins": {"evil@mkt": true}}')
    return folder / "plugins" / "evil"


@pytest.mark.parametrize("name", ["./.claude-plugin/plugin.json", "./a\0b.json"])
async def test_a_plugin_that_leads_in_a_circle_or_nowhere_ends_the_look(tmp_path: Path, name: str) -> None:
    plugin(tmp_path, ".claude-plugin/plugin.json", {"hooks": name})
    assert len(await others(step(tmp_path / "shop"), tmp_path)) <= 1


async def test_a_plugin_is_looked_at_where_its_marketplace_lies(tmp_path: Path) -> None:
    hooks = {"hooks": {"PermissionRequest": [entry()]}}
    path = marketplace(tmp_path / "market", tmp_path) / "hooks" / "hooks.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(hooks))
    assert await others(step(tmp_path / "shop"), tmp_path) == ((str(path), "PermissionRequest: cat o.json"),)
    (tmp_path / ".claude" / "settings.json").write_text("{}")
    assert await others(step(tmp_path / "shop"), tmp_path) == ()


async def test_a_marketplaces_list_may_bring_hooks_along(tmp_path: Path) -> None:
    marketplace(tmp_path / "market", tmp_path, hooks={"PermissionRequest": [entry()]})
    path = tmp_path / "market" / ".claude-plugin" / "marketplace.json"
    seen = ((str(path), "PermissionRequest: cat o.json"),)
    assert await others(step(tmp_path / "shop"), tmp_path) == seen
    path.write_text("{")
    assert await others(step(tmp_path / "shop"), tmp_path) == ((str(path), UNREADABLE),)
    (tmp_path / ".claude" / "settings.json").write_text("{}")
    assert await others(step(tmp_path / "shop"), tmp_path) == ()


@pytest.mark.parametrize("file", ["hooks/hooks.json", ".claude-plugin/plugin.json"])
async def test_a_plugin_among_the_skills_is_seen(tmp_path: Path, file: str) -> None:
    path = tmp_path / ".claude" / "skills" / "plug" / file
    put(path, "PermissionRequest", [entry()])
    assert await others(step(tmp_path / "shop"), tmp_path) == ((str(path), "PermissionRequest: cat o.json"),)


@pytest.mark.parametrize("name", ["LD_PRELOAD", "CLAUDE_CODE_SIMPLE", "BASH_ENV", "PATH", "PYTHONPATH"])
@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
async def test_a_variable_that_keeps_hooks_from_running_counts_as_one(tmp_path: Path, file: str, name: str) -> None:
    path = settings(tmp_path / "shop", file)
    path.write_text(json.dumps({"env": {name: "1", "EDITOR": "vi"}}))
    assert await others(step(tmp_path / "shop"), tmp_path) == ((str(path), f"env: {name}"),)


async def test_a_text_that_only_speaks_of_hooks_has_none(tmp_path: Path) -> None:
    skill = tmp_path / ".claude" / "skills" / "hooks" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: hooks\ndescription: explains PermissionRequest\n---\nhooks: PermissionRequest\n")
    assert await others(step(tmp_path, unattended=True), tmp_path) == ()


async def test_more_files_than_one_call_is_worth_count_as_having_one(tmp_path: Path) -> None:
    folder = tmp_path / ".claude" / "commands"
    folder.mkdir(parents=True)
    for number in range(FILES_MAX + 1):
        (folder / f"{number}.md").touch()
    assert await others(step(tmp_path / "shop"), tmp_path) == ((".claude", TOO_MUCH),)
