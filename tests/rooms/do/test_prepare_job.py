import string
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.do import CannotRun, clip_line, in_time, prepare
from hub.do.line import LINE_CHARS_MAX
from hub.domain.canonical import conversation_of
from hub.domain.execution import Job, RunResult
from hub.domain.judgement import Permit
from hub.domain.policy import Agent, Bounds, Policy
from hub.domain.suggestion import Need, Work

CODER = Agent(name="coder", kind="command", argv=("claude", "-p"))
POLICY = Policy(agents=(CODER,), bounds=Bounds(tokens_max=7, duration_s_max=9.0))
NEED = Need(text="the tests pass")


def permit(*, agent: str = "coder", autonomous: bool = False) -> Permit:
    return Permit(
        execution_id="x7",
        card_id="c1",
        card_hash="h",
        prompt="Run the tests",
        channel="koji-core",
        agent=agent,
        work=Work(playbook="run-tests", workspace="/home/me/project", args=("fast",)),
        need=NEED,
        autonomous=autonomous,
        granted_at=datetime(2025, 7, 29, tzinfo=UTC),
        granted_by="ada",
        attempt=1,
    )


def test_job_carries_the_permit_and_the_bounds() -> None:
    assert prepare(permit(), POLICY) == Job(
        execution_id="x7",
        session_id="run_x7",
        agent=CODER,
        prompt="Run the tests",
        channel="koji-core",
        bounds=replace(POLICY.bounds, duration_s_max=1_800.0),
        playbook="run-tests",
        workspace="/home/me/project",
        args=("fast",),
        need=NEED,
        conversation=conversation_of("x7"),
    )


def test_autonomous_sessions_are_named_so_and_have_the_session_s_time() -> None:
    job = prepare(permit(autonomous=True), POLICY)
    assert isinstance(job, Job)
    assert (job.session_id, job.bounds) == ("auto_x7", POLICY.bounds)


@pytest.mark.parametrize(
    ("autonomous", "setting"), [(True, "session.duration_s_max"), (False, "agents.coder.duration_s_max")]
)
def test_a_run_that_took_too_long_names_the_setting(*, autonomous: bool, setting: str) -> None:
    late = RunResult(ended="timeout", exit_code=None, output="", detail="The limit was 9 s.")
    told = in_time(late, permit(autonomous=autonomous))
    assert told.detail == f"The limit was 9 s; `{setting}` in the settings file says how long it may take"
    other = replace(late, ended="stopped")
    assert in_time(other, permit()) is other


def test_unknown_agent_is_a_value_with_advice() -> None:
    result = prepare(permit(agent="co\nder"), POLICY)
    assert isinstance(result, CannotRun)
    assert "\n" not in result.reason
    assert "coder" in result.fix


def test_no_agents_at_all() -> None:
    result = prepare(permit(), Policy())
    assert isinstance(result, CannotRun)
    assert "configured: none" in result.fix


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("plain", "plain"),
        ("ends\r\n", "ends"),
        ("a\tb", "a    b"),
        ("\x1b[1;32mok\x1b[0m", "ok"),
        ("\x1b]0;title\x07", "⟨U+001B⟩]0;title⟨U+0007⟩"),
        ("evil\u202egnp.exe", "evil⟨U+202E⟩gnp.exe"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("half \ud800", "half ⟨U+D800⟩"),
        ("Grüße 🎉", "Grüße 🎉"),
        ("", ""),
    ],
)
def test_lines_are_made_visible(line: str, shown: str) -> None:
    assert clip_line(line) == shown


def test_long_lines_are_cut() -> None:
    assert clip_line("x" * LINE_CHARS_MAX) == "x" * LINE_CHARS_MAX
    assert clip_line("x" * 10_000_000) == "x" * (LINE_CHARS_MAX - 1) + "…"


@pytest.mark.slow
@given(st.text(alphabet=st.one_of(st.sampled_from(string.printable + "\x1b\u202e\u200b\ud800"), st.characters())))
def test_clipping_again_changes_nothing(line: str) -> None:
    once = clip_line(line)
    assert clip_line(once) == once
    assert len(once) <= LINE_CHARS_MAX
    assert once.encode().decode() == once
