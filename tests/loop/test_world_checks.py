"""The level 2 supervisor: proof before a model, a model before the person, and each end checked once."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.policy import TwinService
from hub.domain.provenance import LogText, ModelText, untrusted
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.suggestion import Card
from hub.domain.twin import TwinSaid
from hub.domain.world import AgentLine, WorldSession
from hub.domain.world_desk import AddWorldLine
from hub.domain.world_lines import read_line, write_line
from hub.domain.world_proof import FileNeed, ProofFinding
from hub.domain.world_requests import RespondToSession, SayWorld, WorldSaid
from hub.loop.commands import Command, JudgeFinish, ProveFinish
from hub.loop.events import FinishJudged, FinishProven, WorldRead
from hub.loop.world_checks import CHECKS_MAX, JUDGED_WITHIN, LATE, NO_JUDGE, NO_VERDICT, NOT_RUN, NOT_SEEN
from tests.fakes.world import World
from tests.loop.stage import HOUR, MINUTE, a_policy, a_world

SMALL = TwinService(name="small", url="http://127.0.0.1:11434/v1", model="small")
LARGE = TwinService(name="large", url="http://127.0.0.1:11435/v1", model="large")
FILE = "file: dist/*.whl"
WORDS = "confirmation number"
NEEDED = "There is a number"


class Supervised:
    """A world in which lines are appended to the log, and looks and models answer as a test says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.looks: list[ProveFinish] = []
        self.files: list[str] = []
        """What the next looks find; the last one again and again."""
        world.proofs = self._found

    def _found(self, asked: ProveFinish) -> tuple[ProofFinding, ...]:
        self.looks.append(asked)
        state = self.files.pop(0) if len(self.files) > 1 else self.files[0] if self.files else "unknown"
        return tuple(
            ProofFinding(part=part, state=state, words=LogText(f"{state} it is"))  # type: ignore[arg-type]  # by name
            for part in asked.parts
        )

    def judge(self, *answers: str, **wrong: object) -> None:
        left = list(answers)
        self.world.verdict = lambda _asked: TwinSaid(words=ModelText(left.pop(0) if left else ""), **wrong)  # type: ignore[arg-type]  # fields of TwinSaid

    async def append(self, text: str) -> None:
        lines = tuple(read_line(raw) for raw in text.encode().splitlines())
        await self.world.happen(WorldRead(lines=lines, cursor=b"on"))

    async def finish(self, need: str, session: str = "abc", said: str = "done, I think") -> WorldSession:
        """Let a session of the file begin, work and say that it is done."""
        need = f" | need: {need}" if need else ""
        await self.append(
            f"[agent:start][{session}] Book a flight{need}\n[agent:active][{session}] on it\n"
            f"[agent:finish][{session}] {said}\n"
        )
        return self.session(session)

    async def again(self, session: str = "abc") -> WorldSession:
        """Let a session that is to try again say that it is done."""
        await self.append(f"[agent:active][{session}] once more\n[agent:finish][{session}] now it is\n")
        return self.session(session)

    def session(self, name: str = "abc") -> WorldSession:
        return self.world.state.world.sessions[name]

    @property
    def written(self) -> list[str]:
        """The lines that the hub wrote of sessions."""
        outs = [change.out.line for change in self.world.changes if isinstance(change, AddWorldLine)]
        return [write_line(line).decode().partition("]")[2].strip() for line in outs if isinstance(line, AgentLine)]

    async def asked(self) -> list[Card]:
        return [card for card in await self.world.cards() if card.session]


async def supervised(*, models: tuple[TwinService, ...] = (), **rules: object) -> Supervised:
    policy = a_policy(twin=bool(models), twins=models)
    world = await a_world(replace(policy, world=replace(policy.world, **rules)))
    return Supervised(world)


def verdict(word: str, why: str = NEEDED, guidance: str = "") -> str:
    return f'{{"verdict": "{word}", "why": "{why}", "guidance": "{guidance}"}}'


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


async def test_how_often_it_is_tried_is_a_setting_and_an_answer_begins_anew() -> None:
    on = await supervised(tries_max=1)
    on.files = ["missing"]
    assert (await on.finish(FILE)).status is AgentStatus.FAILED
    await on.world.ask(RespondToSession(session="abc", text="look again"))
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


async def test_a_command_is_never_run_and_a_person_sees_it() -> None:
    on = await supervised(models=(SMALL,))
    session = await on.finish("exit 0: make test")
    assert session.question is not None
    assert session.question.detail == NOT_RUN
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
    await on.world.until(on.world.now + HOUR / 2)
    assert [one.id for one in await on.asked()] == [card.id]
    assert len(on.looks) == looks


async def test_what_another_found_out_meanwhile_is_not_asked_of_a_person() -> None:
    on = await supervised()
    await on.finish(WORDS)
    assert len(await on.asked()) == 1
    await on.append("[agent:verified][abc] the airline says so\n")
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
