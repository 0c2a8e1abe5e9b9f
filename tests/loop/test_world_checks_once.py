"""The level 2 supervisor checks each end once, in order and with an end; and the traces of the source."""

from datetime import timedelta

import pytest

from hub.contract.words import Verb
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText, ModelText
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.twin import TwinSaid
from hub.domain.world import AgentLine
from hub.domain.world_proof import ProofFinding
from hub.domain.world_requests import RespondToSession, SayWorld, WorldSaid
from hub.loop.commands import Command, JudgeFinish, ProveFinish
from hub.loop.events import FinishJudged, FinishProven
from hub.loop.world_checks import CHECKS_MAX, JUDGED_WITHIN, LATE
from tests.loop.stage import MINUTE
from tests.loop.supervised import FILE, LARGE, SMALL, WORDS, supervised, verdict

# Once, in order, and with an end.


async def test_each_end_is_looked_at_once() -> None:
    on = await supervised()
    on.world.holding = lambda command: isinstance(command, ProveFinish)
    await on.finish(FILE)
    await on.append("[agent:finish][abc] really\n[agent:finish][abc] really!\n")
    await on.world.until(on.world.now + timedelta(seconds=20))
    assert [check.by for check in on.world.state.world.checks.values()] == ["proof"]


async def test_several_ends_that_are_read_at_once_are_one_check_of_the_last() -> None:
    on = await supervised()
    on.files = ["there"]
    await on.append(
        "[agent:start][abc] x | need: file: a\n[agent:active][abc]\n[agent:finish][abc] one\n[agent:retry][abc]\n"
        "[agent:active][abc]\n[agent:finish][abc] two\n"
    )
    assert (len(on.looks), on.session().status, on.session().retries) == (1, AgentStatus.VERIFIED, 1)


async def test_what_comes_back_about_an_end_that_has_passed_changes_nothing() -> None:
    on = await supervised()
    held = list[Command]()
    on.world.holding = lambda command: isinstance(command, ProveFinish) and not held.append(command)  # type: ignore[func-returns-value]  # it keeps it
    await on.finish(FILE)
    await on.append("[agent:retry][abc] by somebody\n")
    assert on.world.state.world.checks == {}
    await on.again()
    (first, second) = held
    assert isinstance(first, ProveFinish)
    assert isinstance(second, ProveFinish)
    there = ProofFinding(part=first.parts[0], state="there", words=LogText("x"))
    await on.world.happen(FinishProven(check_id=first.check_id, session="abc", found=(there,)))
    assert on.session().status is AgentStatus.FINISH
    await on.world.happen(FinishProven(check_id=second.check_id, session="abc", found=(there,)))
    assert on.session().status is AgentStatus.VERIFIED
    await on.world.happen(FinishProven(check_id=second.check_id, session="abc", found=(there,)))
    assert len(on.written) == 1


async def test_an_answer_of_the_model_before_does_not_count() -> None:
    on = await supervised(models=(SMALL, LARGE))
    on.judge("no verdict")
    on.world.holding = lambda command: isinstance(command, JudgeFinish) and command.chat.service.name == "large"
    await on.finish(WORDS)
    check = on.world.state.world.checks["abc"]
    assert check.model == "large"
    late = TwinSaid(words=ModelText(verdict("verified")))
    await on.world.happen(FinishJudged(check_id=check.id, session="abc", model="small", said=late))
    assert on.session().status is AgentStatus.FINISH
    await on.world.happen(FinishJudged(check_id=check.id, session="abc", model="large", said=late))
    assert on.session().status is AgentStatus.VERIFIED


async def test_a_verdict_in_an_answer_that_was_cut_off_is_none() -> None:
    on = await supervised(models=(SMALL,))
    on.world.holding = lambda command: isinstance(command, JudgeFinish)
    await on.finish(WORDS)
    check = on.world.state.world.checks["abc"]
    cut = TwinSaid(words=ModelText(f"Perhaps {verdict('verified')}, but"), is_cut=True)
    await on.world.happen(FinishJudged(check_id=check.id, session="abc", model="small", said=cut))
    assert on.session().status is AgentStatus.FINISH
    assert len(await on.asked()) == 1


async def test_what_was_found_twice_is_put_to_a_model_once() -> None:
    on = await supervised(models=(SMALL,))
    on.world.holding = lambda command: isinstance(command, JudgeFinish)
    await on.finish(WORDS)
    check = on.world.state.world.checks["abc"]
    on.world.holding = lambda _command: False
    await on.world.happen(FinishProven(check_id=check.id, session="abc"))
    assert (on.world.judged, on.world.state.world.checks["abc"]) == ([], check)


@pytest.mark.parametrize("held", [ProveFinish, JudgeFinish])
async def test_what_never_comes_back_is_given_up_and_a_person_is_asked(held: type[Command]) -> None:
    on = await supervised(models=(SMALL,))
    on.world.holding = lambda command: isinstance(command, held)
    await on.finish(WORDS)
    await on.world.until(on.world.now + JUDGED_WITHIN + MINUTE)
    session = on.session()
    assert session.question is not None
    assert (session.question.about, session.question.detail) == ("done", LATE)
    assert len(await on.asked()) == 1


async def test_only_so_many_are_looked_into_at_once_and_the_others_have_their_turn() -> None:
    on = await supervised()
    on.files = ["there"]
    on.world.holding = lambda command: isinstance(command, ProveFinish)
    names = [f"s{number}" for number in range(2 * CHECKS_MAX)]
    for name in names:
        await on.finish(FILE, session=name)
    checks = on.world.state.world.checks
    assert [checks[name].by for name in names] == ["proof"] * CHECKS_MAX + ["turn"] * CHECKS_MAX
    on.world.holding = lambda _command: False
    for name in names[:CHECKS_MAX]:
        await on.world.happen(FinishProven(check_id=checks[name].id, session=name))
    states = [on.session(name).status for name in names]
    assert states == [AgentStatus.FINISH] * CHECKS_MAX + [AgentStatus.VERIFIED] * CHECKS_MAX


async def test_a_check_under_way_is_taken_up_again_after_a_restart() -> None:
    on = await supervised()
    on.world.holding = lambda command: isinstance(command, ProveFinish)
    await on.finish(FILE)
    on.world.holding = lambda _command: False
    on.files = ["there"]
    await on.world.reopen()
    assert on.session().status is AgentStatus.VERIFIED


async def test_what_a_person_was_asked_is_not_looked_at_again_after_a_restart() -> None:
    on = await supervised()
    await on.finish(WORDS)
    (card,) = await on.asked()
    looks = len(on.looks)
    await on.world.reopen()
    await on.world.until(on.world.now + 30 * MINUTE)
    assert [one.id for one in await on.asked()] == [card.id]
    assert len(on.looks) == looks


async def test_a_question_that_the_person_put_aside_does_not_come_back_with_a_restart() -> None:
    on = await supervised()
    await on.finish(WORDS)
    (card,) = await on.asked()
    await on.world.answer(card, Verb.REJECT)
    looks = len(on.looks)
    await on.world.reopen()
    await on.world.until(on.world.now + 30 * MINUTE)
    assert (await on.asked(), len(on.looks)) == ([], looks)


async def test_what_another_found_out_meanwhile_is_not_asked_of_a_person() -> None:
    on = await supervised()
    await on.finish(WORDS)
    assert len(await on.asked()) == 1
    line = AgentLine(status=AgentStatus.VERIFIED, session="abc", text=LogText("the airline says so"))
    await on.world.ask(SayWorld(line=line, client=LOCAL_CLIENT, is_here=True))
    assert on.world.state.world.checks == {}
    assert await on.asked() == []


async def test_a_session_of_a_client_that_is_known_is_checked_like_any_other() -> None:
    on = await supervised()
    on.files = ["there"]
    for status, need in ((AgentStatus.START, FILE), (AgentStatus.ACTIVE, ""), (AgentStatus.FINISH, "")):
        line = AgentLine(status=status, session="own", text=LogText("x"), need=LogText(need))
        assert isinstance(await on.world.ask(SayWorld(line=line, client=LOCAL_CLIENT)), WorldSaid)
    session = on.session("own")
    assert (session.status, session.checked_by, session.proven) == (AgentStatus.VERIFIED, "proof", True)


# The traces of the source, each to its end.


async def test_the_happy_path() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"))
    await on.append(
        "[agent:start][abc123] Book Tokyo flight | need: confirmation number\n"
        "[agent:active][abc123] searching flights\n"
        "[event:chrome][kayak.com] found 15 flights\n"
        "[agent:finish][abc123] Booked JAL $450, confirmation #XYZ789\n"
    )
    assert on.session("abc123").status is AgentStatus.VERIFIED


async def test_the_path_of_a_retry() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("retry", guidance="look into a listing for its price"), verdict("verified"))
    await on.append(
        "[agent:start][def456] Find a room in Paris | need: listing URL with price\n"
        "[agent:active][def456] searching listings\n"
        "[agent:finish][def456] Found listings but no prices\n"
    )
    assert on.session("def456").status is AgentStatus.RETRY
    await on.append("[agent:active][def456] opening the first\n[agent:finish][def456] Listing 123, $150/night\n")
    assert (on.session("def456").status, on.session("def456").retries) == (AgentStatus.VERIFIED, 1)


async def test_the_path_with_a_person_in_the_loop() -> None:
    on = await supervised(models=(SMALL,))
    on.judge(verdict("verified"))
    await on.append(
        "[agent:start][ghi789] Book a table | need: confirmation email\n"
        "[agent:active][ghi789] opening the page\n"
        "[agent:failed][ghi789] captcha required | need: solve captcha\n"
    )
    (card,) = await on.asked()
    assert "solve captcha" in card.prompt
    await on.world.ask(RespondToSession(session="ghi789", text="captcha text: XKCD42", in_person=True))
    assert on.session("ghi789").status is AgentStatus.RETRY
    assert "XKCD42" in on.written[-1]
    await on.append("[agent:active][ghi789] going on\n[agent:finish][ghi789] Reserved 7pm, confirmation sent\n")
    assert on.session("ghi789").status is AgentStatus.VERIFIED
    assert await on.asked() == []
