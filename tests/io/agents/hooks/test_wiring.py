"""Putting hooks into an agent's settings and taking them out again, beside whatever else stands there."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS, AgentConnection
from hub.io.agents.hooks.wiring import (
    FOLDER,
    HookWish,
    altered,
    is_switched_off,
    placed,
    program_name,
    put_in,
    rule_put_in,
    rule_taken_out,
    taken_out,
)

CLAUDE = CONNECTIONS["claude-code"]
PROGRAM = "/home/ana/.local/state/pulse/hooks/pulse-claude-code"
WISH = HookWish(program=PROGRAM)
FOREIGN = {"hooks": [{"type": "command", "command": "~/bin/notify.sh"}]}
THEIRS: dict[str, object] = {
    "model": "opus",
    "hooks": {"Stop": [FOREIGN], "PreToolUse": [{"matcher": "Bash", **FOREIGN}]},
    "permissions": {"allow": ["Bash(ls *)"]},
}
keys = st.text(string.ascii_letters, min_size=1, max_size=8)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
settings = st.dictionaries(keys, values, max_size=4).flatmap(
    lambda rest: st.dictionaries(
        st.sampled_from(["Stop", "PreToolUse", "Own"]), st.lists(values, min_size=1, max_size=3), min_size=1
    ).map(lambda hooks: {**rest, "hooks": hooks})
)


def connected(document: dict[str, object], wish: HookWish = WISH) -> dict[str, object]:
    return put_in(document, CLAUDE.entries(wish), CLAUDE.agent, CLAUDE.extra)


def test_what_is_there_stays_and_ours_comes_behind_it() -> None:
    hooks = connected(THEIRS)["hooks"]
    assert isinstance(hooks, dict)
    assert hooks["Stop"][0] == FOREIGN
    assert hooks["PreToolUse"][0] == {"matcher": "Bash", **FOREIGN}
    assert hooks["PreToolUse"][1]["hooks"][0]["command"] == PROGRAM
    assert hooks["PermissionRequest"][0]["hooks"][0]["timeout"] == WISH.wait_s
    assert list(connected(THEIRS)) == ["model", "hooks", "permissions"]


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"permissions": {"deny": ["Bash"]}},
        {"permissions": {"allow": ["Bash(ls *)"]}},
        {"permissions": "of another form"},
        {"permissions": {"allow": "of another form"}},
        THEIRS,
    ],
)
def test_a_rule_comes_once_and_goes_without_a_trace(document: dict[str, object]) -> None:
    ruled = rule_put_in(document, "mcp__pulse")
    assert rule_put_in(ruled, "mcp__pulse") == ruled
    assert rule_taken_out(ruled, "mcp__pulse") == document
    assert rule_taken_out(document, "mcp__pulse") is document


def test_doing_it_twice_is_doing_it_once() -> None:
    assert connected(connected(THEIRS)) == connected(THEIRS)


def test_another_way_of_failing_replaces_the_first() -> None:
    closed = connected(connected(THEIRS), HookWish(program=PROGRAM, fail="closed"))
    assert placed(closed, CLAUDE.agent).closed
    assert not placed(connected(closed), CLAUDE.agent).closed


@pytest.mark.slow
@given(settings)
def test_taken_out_again_it_is_as_it_was(document: dict[str, object]) -> None:
    assert taken_out(connected(document), CLAUDE.agent) == document


@pytest.mark.slow
@given(settings)
def test_settings_without_ours_are_not_touched(document: dict[str, object]) -> None:
    assert taken_out(document, CLAUDE.agent) is document


def test_empty_settings_are_empty_again() -> None:
    assert taken_out(connected({}), CLAUDE.agent) == {}


def test_a_group_that_the_person_added_to_keeps_theirs() -> None:
    document = json.loads(json.dumps(connected({})))
    document["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    left = taken_out(document, CLAUDE.agent)
    assert left == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}


def test_a_connection_of_another_pulse_is_seen_and_taken_over() -> None:
    other = connected({}, HookWish(program="/srv/pulse/hooks/pulse-claude-code"))
    assert placed(other, CLAUDE.agent).programs == ("/srv/pulse/hooks/pulse-claude-code",)
    assert placed(connected(other), CLAUDE.agent).programs == (PROGRAM,)


def test_it_is_known_also_where_the_agent_wrote_it_anew() -> None:
    document = json.loads(json.dumps(connected({}), sort_keys=True))
    assert set(placed(document, CLAUDE.agent).events) == set(CLAUDE.entries(WISH))
    assert altered(document, CLAUDE.agent, CLAUDE.entries) == ()


@pytest.mark.parametrize("which", [*CONNECTIONS.values(), CODEX_HOOKS], ids=lambda one: one.title)
@pytest.mark.parametrize("wait_s", [60, 7_200])
def test_what_pulse_wrote_is_as_it_was_written(which: AgentConnection, wait_s: int) -> None:
    for fail in ("open", "closed") if which.closable else ("open",):
        wish = HookWish(program=f"/h/my hooks/{FOLDER}/{program_name(which.agent)}", fail=fail, wait_s=wait_s)
        document = json.loads(json.dumps(put_in({}, which.entries(wish), which.agent, which.extra)))
        assert altered(document, which.agent, which.entries) == ()


@pytest.mark.parametrize("which", [*CONNECTIONS.values(), CODEX_HOOKS], ids=lambda one: one.title)
@pytest.mark.parametrize("wait_s", [0, 1, 9])
def test_one_that_waits_for_nobody_is_altered(which: AgentConnection, wait_s: int) -> None:
    wish = HookWish(program=f"/h/{FOLDER}/{program_name(which.agent)}", wait_s=wait_s)
    document = json.loads(json.dumps(put_in({}, which.entries(wish), which.agent, which.extra)))
    assert bool(altered(document, which.agent, which.entries)) == (f"--wait={wait_s}" in json.dumps(document))


@pytest.mark.parametrize(
    "change",
    [{"matcher": "Read"}, {"if": "Bash(ls)"}, {"args": ["--within=0"]}, {"timeout": 1}, {"async": True}],
    ids=str,
)
def test_a_hook_that_is_asked_less_is_seen(change: dict[str, object]) -> None:
    document = json.loads(json.dumps(connected({})))
    (group,) = document["hooks"]["PreToolUse"]
    (group if "matcher" in change else group["hooks"][0]).update(change)
    assert altered(document, CLAUDE.agent, CLAUDE.entries) == ("PreToolUse",)


def test_what_stands_beside_a_hook_changes_nothing_in_it() -> None:
    document = json.loads(json.dumps(connected({})))
    (group,) = document["hooks"]["PreToolUse"]
    group.update(matcher="*")
    group["hooks"].insert(0, {"type": "command", "command": "say"})
    assert altered(document, CLAUDE.agent, CLAUDE.entries) == ()


@pytest.mark.parametrize(
    "settings",
    [
        {"disableAllHooks": True},
        {"features": {"hooks": False}},
        {"features": {"codex_hooks": False}},
        {"hooksConfig": {"enabled": False}},
        {"hooksConfig": {"disabled": ["pulse"]}},
        {"hooksConfig": {"disabled": [f"{PROGRAM} --wait=3600"]}},
    ],
    ids=str,
)
def test_each_agents_way_of_switching_hooks_off_is_known(settings: dict[str, object]) -> None:
    assert is_switched_off(settings, CLAUDE.agent)


@pytest.mark.parametrize(
    "settings",
    [{}, {"disableAllHooks": False}, {"features": {"hooks": True}}, {"hooksConfig": {"disabled": ["lint"]}}],
    ids=str,
)
def test_other_settings_switch_nothing_off(settings: dict[str, object]) -> None:
    assert not is_switched_off(settings, CLAUDE.agent)


@pytest.mark.parametrize(
    "which", [one for one in [*CONNECTIONS.values(), CODEX_HOOKS] if not one.plugin], ids=lambda one: one.title
)
def test_one_that_was_connected_with_another_wait_or_more_strictly_is_altered(which: AgentConnection) -> None:
    program = f"/h/{FOLDER}/{program_name(which.agent)}"
    wishes = [HookWish(program=program, fail=fail, wait_s=wait_s) for fail in ("closed", "open") for wait_s in (60, 90)]
    for meant in wishes:
        for written in wishes:
            document = json.loads(json.dumps(put_in({}, which.entries(written), which.agent, which.extra)))
            assert (altered(document, which.agent, which.entries, [meant]) == ()) == (meant == written)
            assert altered(document, which.agent, which.entries, [meant, written]) == ()
            assert placed(document, which.agent).wait_s == written.wait_s


@pytest.mark.parametrize("place", ["before", "behind", "in its group"])
@pytest.mark.parametrize("which", [CLAUDE, CONNECTIONS["gemini"], CONNECTIONS["copilot"]], ids=lambda one: one.title)
def test_a_second_entry_of_ours_that_waits_less_is_seen(which: AgentConnection, place: str) -> None:
    """Gemini takes the first of two hooks with one name and one command, and no other."""
    program = f"/h/{FOLDER}/{program_name(which.agent)}"
    document = json.loads(json.dumps(put_in({}, which.entries(HookWish(program=program)), which.agent, which.extra)))
    event, listed = next(iter(document["hooks"].items()))
    second = json.loads(json.dumps(listed[0]))
    hook = second["hooks"][0] if "hooks" in second else second
    hook["timeoutSec" if which.agent == "copilot" else "timeout"] = 1
    if place == "in its group" and "hooks" in second:
        listed[0]["hooks"].append(hook)
    else:
        listed.insert(0 if place == "before" else 1, second)
    assert altered(document, which.agent, which.entries) == (event,)
