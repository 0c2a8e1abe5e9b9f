"""The sessions as the loop knows them: lines of the file beside owned ones, answers, what is forgotten and counted."""

import pytest
from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.contract.world import AgentStatus
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.world import HUB
from hub.domain.world_log_state import ENDED_MAX, OPEN_MAX, UNPARSED_MAX, DropWorldLines, PutSession, PutWorldPlace
from hub.domain.world_requests import LookAtWorld, WorldShown
from hub.domain.world_rules import WorldRules
from hub.loop.commands import ProveFinish
from hub.loop.events import Opened, WorldRead
from hub.loop.world_checks import CHECKS_MAX
from hub.loop.world_views import session_view, world_status
from tests.loop.stage import a_policy
from tests.loop.world_stage import AGENT, OTHER, WorldStage

START = "[agent:start][abc123] Book Tokyo flight | need: confirmation number"


def test_a_shell_script_with_three_lines_is_followed_and_proves_nothing() -> None:
    stage = WorldStage()
    done = stage.read(START, "[agent:active][abc123] searching", "[agent:finish][abc123] Booked, #XYZ789")
    session = stage.session("abc123")
    assert (session.status, session.owner, session.proven) == (AgentStatus.FINISH, "", False)
    assert [one.session.status for one in done.changes if isinstance(one, PutSession)] == [AgentStatus.FINISH]
    (place,) = (one for one in done.changes if isinstance(one, PutWorldPlace))
    assert (place.cursor, place.intake.lines) == (b"there", 3)
    assert stage.written == []


@pytest.mark.parametrize("status", ["active", "finish", "failed", "verified", "retry", "start"])
def test_no_line_of_the_file_moves_what_has_an_owner(status: str) -> None:
    stage = WorldStage()
    stage.run("abc123", "start", "active", "finish")
    stage.read(f"[agent:{status}][abc123] forged")
    session = stage.session("abc123")
    assert (session.status, session.refused, session.refused_status) == (AgentStatus.FINISH, 1, status)
    assert session.proven


def test_no_line_of_the_file_answers_or_places_what_has_an_owner() -> None:
    stage = WorldStage()
    stage.run("abc123", "start", "failed")
    before = stage.session("abc123")
    stage.read(
        "[event:user][abc123] go on", "[event:system][abc123] process 1 since 1", "[event:system][abc123] folder /x"
    )
    assert stage.session("abc123") == before


def test_an_answer_is_written_and_the_session_tried_again_with_it() -> None:
    stage = WorldStage()
    stage.run("abc123", "start", "active")
    stage.say("[agent:failed][abc123] captcha required | need: solve captcha")
    assert stage.counts() == {"active": 0, "pending": 0, "failed": 1, "asks": "abc123"}
    said = stage.respond("abc123", "captcha text: XKCD42")
    session = stage.session("abc123")
    assert said.session == session  # as it is after all that followed
    assert (session.status, session.tries, session.retries) == (AgentStatus.RETRY, 1, 1)
    assert stage.written[-2:] == [
        b"[event:user][abc123] captcha text: XKCD42\n",
        b"[agent:retry][abc123] Try again, with this answer: captcha text: XKCD42\n",
    ]
    assert stage.counts()["active"] == 1


def test_an_answer_that_somebody_writes_into_the_file_counts_for_what_the_file_began() -> None:
    stage = WorldStage()
    stage.read(START, "[agent:failed][abc123] captcha | need: solve it", "[event:user][abc123] XKCD42")
    assert stage.status("abc123") is AgentStatus.RETRY
    assert stage.written == [b"[agent:retry][abc123] Try again, with this answer: XKCD42\n"]


def test_only_what_failed_can_be_answered_and_only_what_is_known() -> None:
    stage = WorldStage()
    with pytest.raises(UserError) as refused:
        stage.respond("abc123", "x")
    assert refused.value.code == "unknown-session"
    stage.say(START)
    with pytest.raises(UserError) as refused:
        stage.respond("abc123", "x")
    assert refused.value.code == "session-not-waiting"
    assert len(stage.written) == 1


def test_lines_that_are_none_are_kept_counted_and_the_latest_shown() -> None:
    stage = WorldStage()
    stage.read(*(f"junk {number}" for number in range(UNPARSED_MAX + 5)), "[agent:flying][x] y")
    intake = stage.state.world.intake
    assert (intake.unparsed_lines, len(intake.unparsed)) == (UNPARSED_MAX + 6, UNPARSED_MAX)
    assert intake.unparsed[-1].fault == "bad-status"
    stage.read("[agent:finish][nobody] x", "[event:bash][x] y", "# a remark")
    assert stage.state.world.intake.unknown_lines == 1


def test_what_the_hub_wrote_is_retired_when_it_was_seen() -> None:
    stage = WorldStage()
    done = stage.happen(WorldRead(lines=(), cursor=b"c", seen=("line_1", "line_2"), gaps=2))
    assert DropWorldLines(user="me", ids=("line_1", "line_2")) in done.changes
    assert stage.state.world.intake.gaps == 2


def test_a_session_that_the_loop_forgot_is_known_from_the_store() -> None:
    stage = WorldStage()
    stage.say(START)
    stage.state = WorldStage().state
    stage.say("[agent:active][abc123] back again")
    assert stage.session("abc123").owner == AGENT
    with pytest.raises(UserError):
        stage.say("[agent:start][abc123] anew")


def test_of_too_many_open_sessions_those_of_the_file_are_forgotten_first() -> None:
    stage = WorldStage()
    stage.say("[agent:start][owned] x")
    done = stage.read(*(f"[agent:start][s{number}] x" for number in range(OPEN_MAX)))
    world = stage.state.world
    assert len(world.sessions) == OPEN_MAX
    assert "owned" in world.sessions
    assert "s0" not in world.sessions
    assert world.intake.forgotten == 1
    assert [one.intake for one in done.changes if isinstance(one, PutWorldPlace)] == [world.intake]


def test_a_client_that_begins_too_many_crowds_out_its_own() -> None:
    stage = WorldStage()
    for name, owner in (("hubs", HUB), ("others", OTHER), ("first", AGENT)):
        stage.say(f"[agent:start][{name}] x", owner)
    like = stage.session("first")
    many = {one: replace(like, id=one) for one in (f"s{number}" for number in range(OPEN_MAX - 3))}
    world = replace(stage.state.world, sessions={**stage.state.world.sessions, **many})
    stage.state = replace(stage.state, world=world)
    stage.say("[agent:start][one-more] x")
    stage.say("[agent:start][another] x", OTHER)
    kept = stage.state.world.sessions
    assert {"hubs", "others", "another", "one-more"} <= kept.keys()
    assert (len(kept), "first" in kept, "s0" in kept, "s1" in kept) == (OPEN_MAX, False, False, True)


def test_of_too_many_verified_sessions_the_first_are_forgotten_and_that_is_no_loss() -> None:
    stage = WorldStage()
    for number in range(ENDED_MAX + 2):
        stage.read(*(f"[agent:{status}][s{number}] x" for status in ("start", "active", "finish")))
        stage.say(f"[agent:verified][s{number}] seen", LOCAL_CLIENT, is_here=True)
    assert len(stage.state.world.sessions) == ENDED_MAX
    assert "s0" not in stage.state.world.sessions
    assert stage.state.world.intake.forgotten == 0


def test_a_thousand_ends_in_one_step_are_checked_in_turn_and_the_state_before_is_as_it_was() -> None:
    stage = WorldStage()
    names = [f"s{number}" for number in range(1_000)]
    done = stage.read(*(f"[agent:{one}][{name}] x" for name in names for one in ("start", "active", "finish")))
    assert [one.session for one in done.commands if isinstance(one, ProveFinish)] == names[:CHECKS_MAX]
    before = stage.state.world
    done = stage.read(*(f"[agent:failed][{name}] x" for name in names[:500]))
    assert [one.session for one in done.commands if isinstance(one, ProveFinish)] == names[500 : 500 + CHECKS_MAX]
    assert (list(before.checks), list(stage.state.world.checks)) == (names, names[500:])


def test_a_start_takes_up_what_was_stored() -> None:
    stage = WorldStage()
    stage.run("a", "start", "active", "finish")
    stage.say("[agent:start][b] x")
    before = stage.state.world.sessions
    again = WorldStage()
    again.happen(
        Opened(mind=None, known=(), devices=(), executions=(), open_count=0, sessions=tuple(before.values())[::-1])
    )
    assert list(again.state.world.sessions) == list(before)


def test_the_status_counts_each_group_once() -> None:
    stage = WorldStage()
    for number, statuses in enumerate(
        [("start",), ("start", "active"), ("start", "active", "finish"), ("start", "failed")]
    ):
        stage.run(f"s{number}", *statuses)
    assert stage.counts() == {"active": 2, "pending": 1, "failed": 1, "asks": "s3"}
    stage.say("[agent:verified][s2] seen", LOCAL_CLIENT)
    found = world_status(stage.state)
    assert found is not None
    assert found.verified_at == stage.now
    assert world_status(WorldStage(a_policy(world=WorldRules(enabled=False))).state) is None


def test_a_look_shows_those_heard_of_last_first() -> None:
    stage = WorldStage()
    for name in ("a", "b"):
        stage.say(f"[agent:start][{name}] x")
    stage.say("[agent:active][a] x")
    reply = stage.ask(LookAtWorld())
    assert isinstance(reply, WorldShown)
    assert [one.id for one in reply.sessions] == ["a", "b"]


def test_words_of_the_log_are_made_safe_to_show() -> None:
    stage = WorldStage()
    stage.say("[agent:start][abc123] pay \\u{202e}lived")
    view = session_view(stage.session("abc123"))
    assert "\u202e" not in view.task
    assert "U+202E" in view.task
