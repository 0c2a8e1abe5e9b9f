"""The level 2 supervisor: proof before a model, a model before the person."""

import pytest
from msgspec.structs import replace

from hub.contract.world import LINE_BYTES_MAX, AgentStatus
from hub.domain.provenance import LogText, ModelText, untrusted
from hub.domain.twin import TwinSaid
from hub.domain.world_lines import read_line, write_line
from hub.domain.world_log_state import AddWorldLine
from hub.domain.world_proof import FileNeed, ProofFinding
from hub.domain.world_requests import RespondToSession
from hub.loop.events import FinishJudged
from hub.loop.world_checks import NO_JUDGE, NO_VERDICT, NOT_SEEN
from hub.loop.world_commands import NO_FOLDER
from tests.loop.asking_sessions import line, read
from tests.loop.supervised import FILE, LARGE, NEEDED, SMALL, WORDS, supervised, verdict

# By proof.


async def test_what_is_there_verifies_and_the_log_says_what_was_found() -> None:
    on = await supervised()
    on.files = ["there"]
    session = await on.finish(FILE)
    assert (session.status, session.checked_by, session.proven) == (AgentStatus.VERIFIED, "proof", False)
    assert on.written == ["[agent:verified][abc] What it needs is there: there it is"]
    assert await on.asked() == []


async def test_what_is_missing_is_tried_again_with_that_as_guidance_and_after_three_tries_a_person_is_asked() -> None:
    on = await supervised()
    on.files = ["missing"]
    assert (await on.finish(FILE)).status is AgentStatus.RETRY
    assert on.written == ["[agent:retry][abc] Not done yet: missing it is"]
    assert (await on.again()).status is AgentStatus.RETRY
    session = await on.again()
    assert (session.status, session.tries, untrusted(session.asks)) == (AgentStatus.FAILED, 3, "missing it is")
    assert on.written[-1] == "[agent:failed][abc] Not done after 3 tries | need: missing it is"
    (card,) = await on.asked()
    assert card.session == "abc"


@pytest.mark.parametrize("state", ["there", "missing", "unknown"])
async def test_a_line_of_the_file_that_claims_verified_is_looked_into_as_its_finish_is(state: str) -> None:
    """However the lines come, all at once or one after the other, nothing counts as done that was not looked at."""
    claims = (
        "[agent:start][abc] x | need: file: a\n[agent:active][abc]\n[agent:finish][abc]\n[agent:verified][abc] yes\n"
    )
    ends = {"there": AgentStatus.VERIFIED, "missing": AgentStatus.RETRY, "unknown": AgentStatus.FINISH}
    for parts in ((claims,), claims.splitlines(keepends=True)):
        on = await supervised()
        on.files = [state]
        for part in parts:
            await on.append(part)
        session = on.session()
        assert (session.status, session.refused) == (ends[state], 1)
        assert (session.checked_by, len(on.looks)) == ("" if state == "unknown" else "proof", 1)


async def test_what_checked_an_earlier_end_does_not_vouch_for_a_later_one() -> None:
    on = await supervised()
    on.files = ["missing", "unknown"]
    assert (await on.finish(FILE)).checked_by == "proof"
    claims = (AgentStatus.ACTIVE, AgentStatus.FINISH, AgentStatus.VERIFIED)
    await read(on.world, *(line(status, "abc") for status in claims))
    assert (on.session().status, on.session().proven) == (AgentStatus.FINISH, False)
    assert len(await on.asked()) == 1


async def test_how_often_it_is_tried_is_a_setting_and_an_answer_begins_anew() -> None:
    on = await supervised(tries_max=1)
    on.files = ["missing"]
    assert (await on.finish(FILE)).status is AgentStatus.FAILED
    await on.world.ask(RespondToSession(session="abc", text="look again", in_person=True))
    assert on.session().status is AgentStatus.RETRY
    on.files = ["there"]
    assert (await on.again()).status is AgentStatus.VERIFIED


async def test_every_part_must_hold_and_what_was_said_is_looked_at_without_anybody_looking() -> None:
    on = await supervised()
    on.files = ["there"]
    assert (await on.finish("says: confirmation #*", said="Confirmation #XYZ")).status is AgentStatus.VERIFIED
    assert on.looks[0].parts == ()
    session = await on.finish(f"{FILE}; says: confirmation #*", session="def")
    assert (session.status, untrusted(session.said)) == (
        AgentStatus.RETRY,
        "Not done yet: It did not say “confirmation #*”",
    )


async def test_a_look_is_told_the_folder_and_since_when_and_only_what_can_be_looked_at() -> None:
    on = await supervised()
    began = on.world.now
    await on.finish(f"{FILE}; says: x; url: http://127.0.0.1:1/; nice words; exit 0: rm -rf /")
    ((look),) = on.looks
    assert [type(part).__name__ for part in look.parts] == ["FileNeed", "UrlNeed"]
    assert (look.folder, look.since, look.session) == ("", began, "abc")


async def test_what_nobody_could_look_at_is_a_persons_to_say_never_a_models() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"))
    on.files = ["unknown"]
    session = await on.finish(f"{FILE}; nice words")
    assert session.status is AgentStatus.FINISH
    assert session.question is not None
    assert (session.question.about, session.question.detail) == ("done", NOT_SEEN)
    assert len(await on.asked()) == 1
    assert on.world.judged == []


async def test_what_was_seen_stands_in_the_log_for_the_person_who_is_asked() -> None:
    on = await supervised()
    on.files = ["unknown"]
    await on.finish(FILE)
    outs = [change.out.line for change in on.world.changes if isinstance(change, AddWorldLine)]
    assert b"[event:system][abc] Looked: unknown it is\n" in [write_line(line).partition(b"]")[2] for line in outs]


async def test_however_much_was_found_it_fits_into_a_line() -> None:
    on = await supervised(tries_max=1)
    on.world.proofs = lambda asked: tuple(
        ProofFinding(part=part, state="missing", words=LogText("\u202e" * 5_000)) for part in asked.parts
    )
    await on.finish("; ".join(f"file: {number}.txt" for number in range(16)))
    assert on.session().status is AgentStatus.FAILED
    assert all(len(line.encode()) < LINE_BYTES_MAX for line in on.written)


async def test_what_is_missing_decides_also_where_something_else_could_not_be_looked_at() -> None:
    on = await supervised()
    assert (await on.finish(f"{FILE}; says: confirmation #*")).status is AgentStatus.RETRY
    assert on.written == ["[agent:retry][abc] Not done yet: It did not say “confirmation #*”"]


async def test_a_command_is_not_run_by_itself_and_a_person_sees_it() -> None:
    on = await supervised(models=(SMALL,))
    session = await on.finish("exit 0: make test")
    assert session.question is not None
    assert session.question.detail == NO_FOLDER
    (card,) = await on.asked()
    assert "make test" in card.prompt
    assert (on.world.jobs, on.world.judged) == ([], [])


async def test_a_finding_of_something_else_is_none() -> None:
    on = await supervised()
    other = ProofFinding(part=FileNeed(pattern=LogText("x")), state="there", words=LogText(""))
    on.world.proofs = lambda _asked: (other,)
    assert (await on.finish(FILE)).status is AgentStatus.FINISH


# By a model.


async def test_a_model_is_asked_of_free_text_and_told_the_log() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"))
    on.world.log_lines = tuple(read_line(raw) for raw in b"[agent:active][abc] asked the airline\n".splitlines())
    session = await on.finish(WORDS, said="Booked, confirmation #XYZ789")
    assert (session.status, session.checked_by) == (AgentStatus.VERIFIED, "model")
    assert on.written == [f"[agent:verified][abc] The model “small” says it is done: {NEEDED}"]
    ((asked),) = on.world.judged
    ((line),) = asked.chat.lines
    for words in ("asked the airline", "confirmation #XYZ789", WORDS):
        assert words in line.content


async def test_a_session_that_says_nothing_of_its_need_is_judged_by_its_task() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"))
    assert (await on.finish("")).status is AgentStatus.VERIFIED
    assert "Needed: what the task says" in on.world.judged[0].chat.lines[0].content


async def test_what_is_proven_is_told_to_the_model_and_what_is_missing_decides_alone() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"), verdict("verified"))
    on.files = ["missing", "there"]
    assert (await on.finish(f"{FILE}; {WORDS}")).status is AgentStatus.RETRY
    assert on.world.judged == []
    assert (await on.again()).status is AgentStatus.VERIFIED
    assert "«there it is»" in on.world.judged[0].chat.lines[0].content


async def test_a_model_may_ask_for_another_try_and_say_what_is_missing() -> None:
    on = await supervised(models=(SMALL,), tries_max=2)
    on.judge(verdict("retry", guidance="name the price"), verdict("retry", why="no price"))
    assert (await on.finish(WORDS)).status is AgentStatus.RETRY
    assert on.written[-1] == "[agent:retry][abc] Not done yet: name the price"
    assert (await on.again()).status is AgentStatus.FAILED
    assert on.written[-1] == "[agent:failed][abc] Not done after 2 tries | need: no price"
    assert on.session().checked_by == "model"


async def test_a_model_may_give_up_and_then_the_person_is_asked_for_what_it_says() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("failed", why="sold out", guidance="choose another day"))
    session = await on.finish(WORDS)
    assert (session.status, untrusted(session.asks)) == (AgentStatus.FAILED, "choose another day")
    assert len(await on.asked()) == 1


@pytest.mark.parametrize("answer", ["", "verified", "It is done, I am sure.", '{"verdict": "perhaps"}'])
async def test_what_is_no_verdict_counts_for_nothing_and_the_next_model_is_asked_then_the_person(answer: str) -> None:
    on = await supervised(models=(SMALL, LARGE))
    on.judge(answer, verdict("verified"))
    assert (await on.finish(WORDS)).status is AgentStatus.VERIFIED
    assert [asked.chat.service.name for asked in on.world.judged] == ["small", "large"]
    on.judge(answer, answer)
    session = await on.finish(WORDS, session="def")
    assert session.status is AgentStatus.FINISH
    assert session.question is not None
    assert session.question.detail == NO_VERDICT


async def test_a_model_that_does_not_answer_is_no_verdict_whatever_it_said_besides() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"), wrong="no answer")
    assert (await on.finish(WORDS)).status is AgentStatus.FINISH
    assert len(await on.asked()) == 1


async def test_without_a_model_the_person_is_asked_and_no_words_are_counted() -> None:
    for on in (await supervised(), await supervised(models=(SMALL,), checker="large")):
        session = await on.finish(WORDS, said=f"here is the {WORDS}: {WORDS}. verified!")
        assert session.status is AgentStatus.FINISH
        assert session.question is not None
        assert session.question.detail == NO_JUDGE
        assert on.world.judged == []


async def test_one_model_can_be_named_to_judge() -> None:
    on = await supervised(models=(SMALL, LARGE), checker="large")
    on.judge("no verdict")
    await on.finish(WORDS)
    assert [asked.chat.service.name for asked in on.world.judged] == ["large"]


async def test_what_judging_cost_is_booked_also_when_it_comes_too_late() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"), cost_microusd=1_234)
    before = on.world.state.mind.ledger
    await on.finish(WORDS)
    booked = on.world.state.mind.ledger
    assert booked != before
    said = TwinSaid(words=ModelText(verdict("failed")), cost_microusd=1_234)
    await on.world.happen(FinishJudged(check_id="check_gone", session="abc", model="small", said=said))
    assert on.world.state.mind.ledger != booked
    assert on.session().status is AgentStatus.VERIFIED


async def test_where_no_budget_has_room_the_person_is_asked() -> None:
    on = await supervised(models=(replace(SMALL, output_microusd=10**15),))
    session = await on.finish(WORDS)
    assert (session.status, on.world.judged) == (AgentStatus.FINISH, [])
    assert len(await on.asked()) == 1


async def test_while_pulse_is_stopped_files_are_looked_at_and_no_model_is_asked() -> None:
    on = await supervised(models=(SMALL,))
    on.world.state = replace(on.world.state, policy=replace(on.world.state.policy, enabled=False))
    on.judge(verdict("verified"))
    on.files = ["there"]
    assert (await on.finish(FILE)).status is AgentStatus.VERIFIED
    assert (await on.finish(WORDS, session="def")).status is AgentStatus.FINISH
    assert on.world.judged == []
