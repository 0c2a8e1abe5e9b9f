"""The mode in which an agent works is what its hooks said last, and is forgotten with its session."""

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from hub.domain.agent_mode import AgentMode
from hub.io.agents.hooks.connections import CODEX_HOOKS, CONNECTIONS
from hub.io.agents.hooks.dialects import DIALECTS
from hub.io.agents.hooks.modes import MODE_CHARS_MAX, OWN_MAX, SESSIONS_MAX, SHOWN_FOR, HeardModes
from hub.io.agents.hooks.step import At, HookStep

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
STEP = HookStep(at=At.BEFORE, event="PreToolUse", session="s1", folder="/home/anna/shop", mode="plan")


def test_the_last_word_counts_until_the_session_ends() -> None:
    modes = HeardModes()
    modes.heard("a", "claude-code", STEP, NOW)
    modes.heard("a", "claude-code", replace(STEP, mode="acceptEdits"), NOW)
    modes.heard("a", "claude-code", replace(STEP, mode=""), NOW)
    assert modes.latest(NOW) == (AgentMode(agent="claude-code", folder="/home/anna/shop", mode="acceptEdits"),)
    assert modes.latest(NOW + SHOWN_FOR) == ()
    modes.heard("a", "claude-code", replace(STEP, at=At.END), NOW)
    assert modes.latest(NOW) == ()


def test_no_number_of_sessions_and_no_length_of_a_name_fills_the_memory() -> None:
    modes = HeardModes()
    for number in range(SESSIONS_MAX + 9):
        folder = f"/home/anna/{number}"
        modes.heard(
            f"{number // OWN_MAX}",
            "codex",
            replace(STEP, session=f"s{number}", folder=folder, mode="x" * 999),
            NOW + timedelta(0, number),
        )
    found = modes.latest(NOW)
    assert len(found) == SESSIONS_MAX
    assert {len(one.mode) for one in found} == {MODE_CHARS_MAX}
    assert found[0].folder == f"/home/anna/{SESSIONS_MAX + 8}"


def test_no_agent_speaks_for_the_session_of_another_or_pushes_it_out() -> None:
    modes = HeardModes()
    modes.heard("a", "claude-code", replace(STEP, mode="bypassPermissions"), NOW)
    modes.heard("b", "claude-code", STEP, NOW)
    modes.heard("b", "claude-code", replace(STEP, at=At.END), NOW)
    for number in range(2 * SESSIONS_MAX):
        modes.heard("b", "claude-code", replace(STEP, session=f"s{number}", folder=f"/{number}"), NOW)
    assert "bypassPermissions" in {one.mode for one in modes.latest(NOW)}
    assert len(modes.latest(NOW)) == OWN_MAX + 1


def test_a_test_of_the_connection_leaves_no_mode_behind() -> None:
    modes = HeardModes()
    for which in (*CONNECTIONS.values(), CODEX_HOOKS):
        dialect = DIALECTS[which.agent]
        for sample in (which.sample_harmless, which.sample_ask):
            step = dialect.read(sample)
            assert isinstance(step, HookStep), which.agent
            modes.heard("a", dialect.title, step, NOW)
            assert modes.latest(NOW) == (), which.agent
