"""Who may say what of a session, what is written of it into the log, and that a line said twice is taken once."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.contract.world import AgentStatus
from hub.contract.world_api import SAID_CHARS_MAX
from hub.domain.provenance import LogText
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.world import HUB, AgentLine
from hub.domain.world_log_state import KEYS_MAX, SENDERS_MAX
from hub.domain.world_requests import RespondToSession, SayWorld
from hub.domain.world_rules import WorldRules
from hub.domain.world_states import FIRST, MOVES, may_follow
from hub.loop import world_shares
from hub.loop.commands import WriteWorld
from hub.loop.events import Opened
from hub.loop.world_keys import SESSION_KEYS_MAX
from tests.loop.stage import a_policy
from tests.loop.world_stage import AGENT, OTHER, WorldStage

START = "[agent:start][abc123] Book Tokyo flight | need: confirmation number"
TO = {
    AgentStatus.START: ("start",),
    AgentStatus.ACTIVE: ("start", "active"),
    AgentStatus.FINISH: ("start", "active", "finish"),
    AgentStatus.FAILED: ("start", "failed"),
    AgentStatus.RETRY: ("start", "active", "finish", "retry"),
}
"""What its owner says to bring a session to each status."""


def refusal(stage: WorldStage, line: str, client: str = AGENT, *, is_here: bool = False) -> str:
    """Say a line that is refused; return the code, and hold that nothing changed."""
    before = (stage.state, dict(stage.stored), len(stage.written))
    with pytest.raises(UserError) as refused:
        stage.say(line, client, is_here=is_here)
    assert (stage.state, stage.stored, len(stage.written)) == before
    assert refused.value.detail
    assert refused.value.fix
    return refused.value.code


def test_a_session_begins_with_its_start_and_belongs_to_whoever_said_it() -> None:
    stage = WorldStage()
    said = stage.say(START)
    session = stage.session("abc123")
    assert said.session == session == stage.stored["abc123"]
    assert (session.owner, session.proven, session.status) == (AGENT, True, AgentStatus.START)
    assert (session.started_at, session.need) == (stage.now, LogText("confirmation number"))
    assert stage.written == [f"{START}\n".encode()]
    assert stage.last is not None
    assert WriteWorld() in stage.last.commands


def test_a_time_that_a_client_claims_is_not_believed() -> None:
    stage = WorldStage()
    stage.say("[2001-01-01T00:00:00Z][agent:start][abc123] x")
    assert stage.session("abc123").started_at == stage.now


@pytest.mark.parametrize("before", TO)
@pytest.mark.parametrize("after", list(AgentStatus))
def test_the_wire_takes_the_moves_of_the_table_and_no_others(before: AgentStatus, after: AgentStatus) -> None:
    stage = WorldStage()
    stage.run("abc123", *TO[before])
    line = f"[agent:{after}][abc123] x"
    if not may_follow(before, after):
        assert refusal(stage, line) == "illegal-agent-status"
    elif after is AgentStatus.VERIFIED:
        assert refusal(stage, line) == "session-of-another"
    else:
        stage.say(line)
        assert stage.status("abc123") is after
    assert {one for one, _ in MOVES} == set(TO)


def test_what_nobody_began_can_be_nothing_but_begun() -> None:
    stage = WorldStage()
    for status in set(AgentStatus) - set(FIRST):
        assert refusal(stage, f"[agent:{status}][abc123] x", LOCAL_CLIENT) == "illegal-agent-status"


@pytest.mark.parametrize(
    "line",
    [
        "[agent:active][abc123] mine now",
        "[agent:finish][abc123] done",
        "[agent:failed][abc123] no",
        "[agent:verified][abc123] yes",
        "[agent:start][abc123] another of that name",
        "[event:system][abc123] process 1 since 2",
        "[event:system][abc123] folder /etc",
    ],
)
def test_a_session_of_another_is_left_alone(line: str) -> None:
    """Who is no owner learns no status either: the refusal is the same for a move that the table has not."""
    for statuses in TO.values():
        stage = WorldStage()
        stage.run("abc123", *statuses)
        assert refusal(stage, line, OTHER) == "session-of-another"
        assert refusal(stage, line, OTHER, is_here=True) == "session-of-another"


def test_no_session_verifies_itself_and_neither_does_the_command_line_its_own() -> None:
    for client in (AGENT, LOCAL_CLIENT):
        stage = WorldStage()
        stage.run("abc123", "start", "active", "finish", client=client)
        assert refusal(stage, "[agent:verified][abc123] sure", client, is_here=True) == "session-of-another"
        assert stage.session("abc123").checked_by == ""


def test_a_person_may_say_of_any_agents_session_how_it_is() -> None:
    stage = WorldStage()
    stage.run("abc123", "start", "active", "finish")
    stage.say("[agent:verified][abc123] I have the ticket", LOCAL_CLIENT, is_here=True)
    session = stage.session("abc123")
    assert (session.status, session.checked_by, session.owner) == (AgentStatus.VERIFIED, "person", AGENT)


def test_what_pulse_runs_nobody_else_moves() -> None:
    stage = WorldStage()
    stage.say("[agent:start][abc123] x")
    mine = replace(stage.session("abc123"), owner=HUB)
    stage.state = replace(stage.state, world=replace(stage.state.world, sessions={"abc123": mine}))
    for client in (AGENT, OTHER, LOCAL_CLIENT, "", HUB + "x"):
        assert refusal(stage, "[agent:active][abc123] x", client, is_here=True) == "session-of-another"


def test_a_session_of_the_file_is_moved_by_programs_of_this_machine_and_stays_unproven() -> None:
    """A script may begin while Pulse is away, and go on over its socket."""
    stage = WorldStage()
    stage.read(START)
    assert refusal(stage, "[agent:active][abc123] x", AGENT) == "session-of-another"
    stage.say("[agent:active][abc123] going on", "local_agent", is_here=True)
    stage.read("[agent:finish][abc123] done")
    session = stage.session("abc123")
    assert (session.status, session.owner, session.proven) == (AgentStatus.FINISH, "", False)
    assert refusal(stage, "[agent:verified][abc123] x", "local_agent", is_here=True) == "session-of-another"
    stage.say("[agent:verified][abc123] I looked", LOCAL_CLIENT, is_here=True)
    assert stage.session("abc123").checked_by == "person"


@pytest.mark.parametrize("statuses", [("start", "active", "failed"), ("start", "active")])
def test_only_the_person_answers_a_session(statuses: tuple[str, ...]) -> None:
    """A token that may answer cards can be a program's; what it says is no answer, and it learns no status by that."""
    stage = WorldStage()
    stage.run("abc123", *statuses)
    before = stage.session("abc123")
    with pytest.raises(UserError) as refused:
        stage.ask(RespondToSession(session="abc123", text="XKCD42"))
    assert refused.value.code == "yes-of-your-own"
    assert (stage.session("abc123"), [one for one in stage.written if b"event:user" in one]) == (before, [])


def test_facts_are_written_and_tell_of_no_session() -> None:
    stage = WorldStage()
    assert stage.say("[event:chrome][kayak.com] found 15 flights").session is None
    assert stage.written == [b"[event:chrome][kayak.com] found 15 flights\n"]
    assert stage.state.world.sessions == {}


def test_its_owner_names_the_process_and_the_folder_of_a_session() -> None:
    stage = WorldStage()
    stage.say(START)
    stage.say("[event:system][abc123] process 4242 since 99")
    session = stage.say("[event:system][abc123] folder /home/anna/a shop").session
    assert session is not None
    assert session.process is not None
    assert (session.process.pid, session.folder) == (4242, "/home/anna/a shop")


def test_only_known_sources_and_never_the_persons() -> None:
    stage = WorldStage()
    assert refusal(stage, "[event:mail][x] y") == "unknown-world-source"
    assert refusal(stage, "[event:user][x] y", LOCAL_CLIENT) == "bad-world-entry"
    more = WorldStage(a_policy(world=WorldRules(sources=("mail",))))
    more.say("[event:mail][x] y")


@pytest.mark.parametrize(
    "line",
    [
        f"[event:bash][x] {'y' * (SAID_CHARS_MAX + 1)}",
        f"[event:bash][{'y' * (SAID_CHARS_MAX + 1)}] x",
        f"[agent:start][abc123] x | need: {'y' * (SAID_CHARS_MAX + 1)}",
    ],
)
def test_what_is_too_long_is_refused_whole(line: str) -> None:
    assert refusal(WorldStage(), line) == "bad-world-entry"


def test_what_no_line_can_hold_is_refused_before_it_waits_for_one() -> None:
    """Each text is short enough; escaped, both have more bytes than a line, so nobody could ever write that."""
    stage, steering = WorldStage(), LogText("\x1b" * SAID_CHARS_MAX)
    line = AgentLine(status=AgentStatus.START, session="abc123", text=steering, need=steering)
    with pytest.raises(UserError) as refused:
        stage.ask(SayWorld(line=line, client=AGENT))
    assert refused.value.code == "world-line-too-long"
    assert stage.state.world.sessions == {}
    stage.ask(SayWorld(line=replace(line, need=LogText("a ticket")), client=AGENT))
    assert stage.status("abc123") is AgentStatus.START


def test_nothing_is_said_while_the_log_is_switched_off() -> None:
    stage = WorldStage(a_policy(world=WorldRules(enabled=False)))
    assert refusal(stage, START) == "world-off"
    with pytest.raises(UserError, match="switched off"):
        stage.respond("abc123", "x")


def test_the_same_key_is_the_same_line() -> None:
    stage = WorldStage()
    first = stage.say(START, key="k1")
    stage.say("[agent:active][abc123] working", key="k2")
    again = stage.say(START, key="k1")
    assert (first.repeated, again.repeated) == (False, True)
    assert again.session == stage.session("abc123")
    assert stage.say("[agent:active][abc123] working", key="k2").repeated
    assert len(stage.written) == 2
    assert stage.say("[event:bash][x] y", key="k3").repeated is False
    assert stage.say("[event:bash][x] y", key="k3").repeated


def test_a_key_is_its_clients_own_and_for_one_line() -> None:
    stage = WorldStage()
    stage.say("[event:bash][x] y", key="k1")
    assert stage.say("[event:bash][x] y", OTHER, key="k1").repeated is False
    with pytest.raises(UserError) as refused:
        stage.say("[event:bash][x] z", key="k1")
    assert refused.value.code == "key-reused"
    assert len(stage.written) == 2


def test_without_a_key_each_line_counts() -> None:
    stage = WorldStage()
    for _ in range(2):
        assert stage.say("[event:bash][x] y").repeated is False
    assert len(stage.written) == 2


def test_a_refused_line_may_come_again_under_its_key() -> None:
    stage = WorldStage()
    with pytest.raises(UserError):
        stage.say("[agent:finish][abc123] x", key="k1")
    stage.say(START)
    stage.say("[agent:active][abc123] x")
    assert stage.say("[agent:finish][abc123] x", key="k1").repeated is False


def test_what_is_remembered_of_keys_has_an_end() -> None:
    stage = WorldStage()
    for number in range(KEYS_MAX + 1):
        stage.say("[event:bash][x] y", key=f"k{number}")
    assert len(stage.state.world.sent[AGENT]) == KEYS_MAX
    assert stage.say("[event:bash][x] y", key="k1").repeated
    assert stage.say("[event:bash][x] y", key="k0").repeated is False
    for number in range(SENDERS_MAX):
        stage.say("[event:bash][x] y", f"c{number}", key="k")
    assert len(stage.state.world.sent) == SENDERS_MAX
    assert AGENT not in stage.state.world.sent


# Agents of this machine, where the kernel tells them apart.


@pytest.mark.parametrize(
    ("began", "says", "may"),
    [
        ("local_agent#10-5", "local_agent#10-5", True),
        ("local_agent#10-5", "local_agent#10-6", False),
        ("local_agent#10-5", "local_agent", True),
        ("local_agent", "local_agent#10-5", True),
        ("local_run#10-5", "local_agent#10-5", False),
        ("local_run#10-5", "local_run#11-5", False),
        ("mqtt:phone/a", "mqtt:phone/b", False),
        ("local_agent#10-5", LOCAL_CLIENT, True),
    ],
)
def test_one_agent_does_not_move_what_another_began_where_they_can_be_told_apart(
    began: str, says: str, *, may: bool
) -> None:
    stage = WorldStage()
    stage.say(START, began, is_here=True)
    line = "[agent:active][abc123] on it"
    if may:
        stage.say(line, says, is_here=True)
        assert stage.status("abc123") is AgentStatus.ACTIVE
    else:
        assert refusal(stage, line, says, is_here=True) == "session-of-another"


# What reads as if Pulse said it.


def test_nobody_speaks_of_a_session_as_pulse_does() -> None:
    stage = WorldStage()
    stage.say(START)
    assert refusal(stage, "[event:system][abc123] Looked: Found dist/shop.whl") == "bad-world-entry"
    stage.say("[event:system][abc123] folder /srv/shop")
    assert stage.session("abc123").folder == "/srv/shop"
    stage.say("[event:system][battery] 12 percent")
    stage.say("[event:system][abc123] I looked myself", LOCAL_CLIENT)


# How much.


def test_a_client_has_a_share_of_the_log_by_the_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "[event:api][x] so much"
    monkeypatch.setattr(world_shares, "SHARE_BYTES_MAX", 3 * len(f"{line}\n"))
    stage = WorldStage()
    for _ in range(3):
        stage.say(line, OTHER)
    assert refusal(stage, line, OTHER) == "world-share-used"
    stage.say(line, AGENT)
    for _ in range(9):
        stage.say(line, LOCAL_CLIENT, is_here=True)
    stage.now += timedelta(hours=1)
    stage.say(line, OTHER)


def test_shares_are_kept_of_so_many_clients() -> None:
    stage = WorldStage()
    for number in range(SENDERS_MAX + 3):
        stage.say("[event:api][x] y", f"client-{number}")
    shares = stage.state.world.shares
    assert len(shares) == SENDERS_MAX
    assert next(reversed(shares)) == f"client-{SENDERS_MAX + 2}"


def test_a_line_of_a_session_that_comes_again_after_a_restart_is_still_taken_once() -> None:
    stage = WorldStage()
    stage.say(START, key="k1")
    stage.say("[agent:active][abc123] on it", key="k2")
    stored = (stage.session("abc123"),)
    stage.happen(Opened(mind=None, known=(), devices=(), executions=(), open_count=0, sessions=stored))
    assert stage.state.world.sent == {}
    lines = len(stage.written)
    assert stage.say("[agent:active][abc123] on it", key="k2").repeated
    assert stage.say(START, key="k1").repeated
    assert len(stage.written) == lines
    with pytest.raises(UserError):
        stage.say("[agent:active][abc123] something else", key="k2")
    assert not stage.say("[agent:active][abc123] on it", key="k3").repeated


def test_the_last_keys_of_a_session_are_kept() -> None:
    stage = WorldStage()
    stage.say(START)
    for number in range(SESSION_KEYS_MAX + 2):
        stage.say("[agent:active][abc123] x", key=f"k{number}")
    assert len(stage.session("abc123").sent) == SESSION_KEYS_MAX
