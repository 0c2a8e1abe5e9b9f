"""A person in the loop of the world log: who needs somebody asks, and goes on with the answer."""

import pytest

from hub.contract.events import PredictionExpired, PredictionNew, PredictionSettled
from hub.contract.permission import PermissionAnswer
from hub.contract.words import MoveReason, Source, Status, TextSource, Verb
from hub.contract.world import AgentStatus
from hub.domain.world import WORLD_CLIENT, SessionQuestion
from hub.domain.world_queries import WorldSessionsByIds
from hub.domain.world_requests import RespondToSession
from hub.loop.world_cards import OPEN_FOR, QUESTION_ID
from hub.loop.world_person import ASKED_PER_MINUTE_MAX, OPEN_MAX, SAME_APART, ask
from tests.loop.asking_sessions import a_session, line, lines_of, puts, question_of, questions, read, say, stuck
from tests.loop.stage import DISCORD, HOUR, MINUTE, PHONE, a_policy, a_world, handed, refused, taken

CAPTCHA = "abc123 (Book Tokyo flight) is stuck: captcha required. It needs: solve captcha."
YES, NO = "Yes, it's done", "Not yet"


async def test_a_session_that_needs_somebody_is_a_question_on_every_surface() -> None:
    world = await a_world()
    await world.pair(PHONE, DISCORD)
    card = await stuck(world)
    assert card.prompt == CAPTCHA
    assert (card.proposal.source, card.proposal.quotes) == (Source.ASK, (TextSource.WORLD_LOG,))
    assert card.permission is not None
    assert [(one.text, one.own_words, one.choices) for one in card.permission.questions] == [(CAPTCHA, True, ())]
    assert handed(world, PHONE).loudness == handed(world, DISCORD).loudness == "notify"


async def test_the_answer_goes_into_the_log_and_the_session_tries_again() -> None:
    world = await a_world()
    card = await stuck(world)
    shown = taken(await say(world, card, "XKCD42")).prediction
    assert shown.status is Status.CONFIRMED
    session = world.state.world.sessions["abc123"]
    assert (session.status, session.tries, session.question) == (AgentStatus.RETRY, 1, None)
    assert lines_of(world) == ["user: XKCD42", "retry: Try again, with this answer: XKCD42"]


async def test_an_answer_on_a_device_counts() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    card = await stuck(world)
    said = PermissionAnswer(answers={QUESTION_ID: ("XKCD42",)})
    await world.hand_in(handed(world, DISCORD), DISCORD, Verb.APPROVE, card.card_hash, said)
    assert world.state.world.sessions["abc123"].status is AgentStatus.RETRY


async def test_whoever_only_holds_a_token_does_not_speak_for_the_person() -> None:
    world = await a_world()
    card = await stuck(world)
    assert refused(await say(world, card, "XKCD42", in_person=False)).code == "yes-of-your-own"
    assert world.state.world.sessions["abc123"].status is AgentStatus.FAILED
    assert await questions(world) == ["abc123"]


async def test_what_is_skipped_is_left_as_it_is_until_it_moves() -> None:
    world = await a_world()
    card = await stuck(world)
    taken(await world.answer(card, Verb.REJECT))
    session = world.state.world.sessions["abc123"]
    assert (session.status, session.left_at, session.question) == (AgentStatus.FAILED, world.now, None)
    await read(world, line(AgentStatus.FAILED, need="another captcha"))
    await world.until(world.now + HOUR)
    assert await questions(world) == []
    await read(world, line(AgentStatus.RETRY), line(AgentStatus.FAILED, need="a third captcha"))
    assert await questions(world) == ["abc123"]


async def test_answered_elsewhere_the_question_goes_everywhere() -> None:
    world = await a_world()
    await world.pair(PHONE)
    card = await stuck(world)
    await world.ask(RespondToSession(session="abc123", text="XKCD42", in_person=True))
    gone = await world.card(card.id)
    assert (gone.status, gone.status_reason) == (Status.CANCELLED, MoveReason.WITHDRAWN)
    assert gone.outcome == "You have answered it elsewhere."
    settled = handed(world, PHONE, PredictionSettled).event
    assert isinstance(settled, PredictionSettled)
    assert settled.prediction.id == card.id
    assert world.state.open_asks[WORLD_CLIENT] == 0


async def test_an_answer_after_the_session_moved_on_changes_nothing() -> None:
    world = await a_world()
    card = await stuck(world)
    world.holding = lambda command: type(command).__name__ == "TakeBack"
    await read(world, line(AgentStatus.RETRY, text="found another way"))
    assert refused(await say(world, card, "XKCD42")).code == "session-not-waiting"
    assert lines_of(world) == []


async def test_a_question_that_was_never_taken_back_goes_at_the_next_start() -> None:
    world = await a_world()
    card = await stuck(world)
    world.holding = lambda command: type(command).__name__ == "TakeBack"
    await read(world, line(AgentStatus.RETRY))
    world.holding = lambda _command: False
    await world.reopen()
    assert (await world.card(card.id)).status is Status.CANCELLED


async def test_nothing_is_asked_twice_after_a_start() -> None:
    world = await a_world()
    card = await stuck(world)
    asked = len(world.told(PredictionNew))
    await world.reopen()
    await world.until(world.now + HOUR)
    assert await questions(world) == ["abc123"]
    assert len(world.told(PredictionNew)) == asked
    taken(await say(world, await world.card(card.id), "XKCD42"))
    assert world.state.world.sessions["abc123"].status is AgentStatus.RETRY


async def test_what_nobody_answers_in_a_day_stays_failed_and_is_asked_again_louder() -> None:
    world = await a_world()
    card = await stuck(world)
    await world.until(world.now + OPEN_FOR + HOUR, tick=10 * MINUTE)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert world.told(PredictionExpired)
    session = world.state.world.sessions["abc123"]
    assert session.status is AgentStatus.FAILED
    assert session.question is not None
    assert session.question.urgent
    assert await questions(world) == ["abc123"]


async def test_a_session_that_needs_something_else_is_asked_about_anew() -> None:
    world = await a_world()
    first = await stuck(world)
    await world.until(world.now + 2 * SAME_APART)
    await read(world, line(AgentStatus.FAILED, text="still no way in", need="a password"))
    second = await question_of(world)
    assert "a password" in second.prompt
    assert (await world.card(first.id)).status is Status.CANCELLED
    assert await questions(world) == ["abc123"]


async def test_a_session_that_fails_again_and_again_asks_once_a_minute() -> None:
    world = await a_world()
    await stuck(world)
    for count in range(20):
        await read(world, line(AgentStatus.RETRY), line(AgentStatus.FAILED, need=f"captcha {count}"))
    assert len(world.told(PredictionNew)) == 1
    assert await questions(world) == []
    await world.until(world.now + 2 * SAME_APART)
    assert len(world.told(PredictionNew)) == 2
    assert "captcha 19" in (await question_of(world)).prompt


@pytest.mark.parametrize("way", ["card", "command"])
async def test_whoever_answers_is_asked_at_once_what_it_needs_next(way: str) -> None:
    world = await a_world()
    card = await stuck(world)
    if way == "card":
        taken(await say(world, card, "XKCD42"))
    else:
        await world.ask(RespondToSession(session="abc123", text="XKCD42", in_person=True))
    await read(world, line(AgentStatus.ACTIVE), line(AgentStatus.FAILED, need="a password"))
    assert "a password" in (await question_of(world)).prompt


async def test_two_sessions_are_two_questions_and_one_sound() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    first, second = await stuck(world, "one"), await stuck(world, "two", "a password")
    assert [one.loudness for _, to, one in world.deliveries if to == DISCORD] == ["notify", "silent"]
    taken(await say(world, second, "hunter2"))
    sessions = world.state.world.sessions
    assert (sessions["one"].status, sessions["two"].status) == (AgentStatus.FAILED, AgentStatus.RETRY)
    assert await questions(world) == [first.session]


@pytest.mark.slow
async def test_a_thousand_failures_are_a_handful_of_questions_and_each_has_its_turn() -> None:
    world = await a_world()
    names = [f"s{number:04d}" for number in range(1_000)]
    for name in names:
        begun = line(AgentStatus.START, name, "Fetch it")
        await read(world, begun, line(AgentStatus.FAILED, name, "no", "a password"))
    assert await questions(world) == names[:OPEN_MAX]
    assert world.state.open_asks[WORLD_CLIENT] == OPEN_MAX
    for name in names[:OPEN_MAX]:
        taken(await say(world, await question_of(world, name), "hunter2"))
    assert await questions(world) == names[OPEN_MAX : 2 * OPEN_MAX]
    for name in names[OPEN_MAX : 2 * OPEN_MAX]:
        taken(await world.answer(await question_of(world, name), Verb.REJECT))
    assert len(world.told(PredictionNew)) == ASKED_PER_MINUTE_MAX
    assert await questions(world) == []
    await world.until(world.now + 2 * MINUTE)
    assert await questions(world) == names[2 * OPEN_MAX : 3 * OPEN_MAX]


async def test_what_presses_comes_before_what_waits_longer() -> None:
    world = await a_world()
    for number in range(OPEN_MAX + 2):
        name = f"s{number:02d}"
        await read(world, line(AgentStatus.START, name), line(AgentStatus.FAILED, name, need="help"))
        await world.until(world.now + MINUTE)
    last = f"s{OPEN_MAX + 1:02d}"
    await world.add(lambda draft: ask(draft, draft.world.sessions[last], "answer", urgent=True))
    taken(await world.answer(await question_of(world, "s00"), Verb.REJECT))
    assert last in await questions(world)


@pytest.mark.slow
async def test_an_ignored_question_makes_room_for_one_that_presses_and_comes_back() -> None:
    world = await a_world()
    names = [f"s{number:02d}" for number in range(OPEN_MAX + 2)]
    for name in names:
        await read(world, line(AgentStatus.START, name), line(AgentStatus.FAILED, name, need="help"))
        await world.until(world.now + MINUTE)
    await world.add(lambda draft: ask(draft, draft.world.sessions[names[-1]], "answer", urgent=True))
    await world.until(world.now + HOUR - 30 * MINUTE)
    assert await questions(world) == names[:OPEN_MAX], "they were asked not long ago"
    await world.until(world.now + HOUR)
    assert await questions(world) == [*names[1:OPEN_MAX], names[-1]]
    told = len(world.told(PredictionNew))
    assert told == OPEN_MAX + 1
    await world.until(world.now + 8 * HOUR)
    assert len(world.told(PredictionNew)) == told, "what does not press waits"
    taken(await world.answer(await question_of(world, names[-1]), Verb.REJECT))
    assert await questions(world) == names[:OPEN_MAX]


async def test_other_peoples_questions_leave_room_for_sessions_and_sessions_for_them() -> None:
    world = await a_world(a_policy(pending_max=5))
    for number in range(6):
        await read(world, line(AgentStatus.START, f"s{number}"), line(AgentStatus.FAILED, f"s{number}", need="help"))
    assert len(await questions(world)) == 4  # a fifth of few places is the person's own terminal's


async def test_what_a_stuck_script_says_first_is_said_once() -> None:
    world = await a_world()
    await read(world, line(AgentStatus.FAILED, "deploy", "captcha required", "solve captcha"))
    assert (await question_of(world, "deploy")).prompt == "deploy is stuck: captcha required. It needs: solve captcha."


async def test_without_a_need_another_try_is_offered() -> None:
    world = await a_world()
    card = await stuck(world, need="")
    assert card.prompt == "abc123 (Book Tokyo flight) has failed: captcha required. What should it do?"
    assert card.permission is not None
    assert [one.label for one in card.permission.questions[0].choices] == ["Try again"]
    taken(await say(world, card, "Try again"))
    assert world.state.world.sessions["abc123"].status is AgentStatus.RETRY


@pytest.mark.parametrize(
    ("words", "status", "tries", "checked_by"),
    [
        (YES, AgentStatus.VERIFIED, 1, "person"),
        (NO, AgentStatus.RETRY, 2, ""),
        ("The seat is missing", AgentStatus.RETRY, 1, ""),
    ],
)
async def test_what_nobody_could_prove_the_person_says(
    words: str, status: AgentStatus, tries: int, checked_by: str
) -> None:
    world = await a_world()
    await a_session(world, line(AgentStatus.FINISH, text="booked"))
    card = await question_of(world)
    assert card.prompt == (
        "abc123 (Book Tokyo flight) says it is done: booked. You asked for: confirmation number. Is it done?"
    )
    taken(await say(world, card, words))
    session = world.state.world.sessions["abc123"]
    assert (session.status, session.tries, session.checked_by) == (status, tries, checked_by)
    assert await questions(world) == []


async def test_what_was_tried_often_enough_asks_what_is_missing() -> None:
    world = await a_world()
    again = [line(AgentStatus.FINISH), line(AgentStatus.RETRY), line(AgentStatus.ACTIVE)] * 2
    await a_session(world, *again, line(AgentStatus.FINISH, text="booked"))
    taken(await say(world, await question_of(world), NO))
    await world.until(world.now + 2 * SAME_APART)
    assert world.state.world.sessions["abc123"].status is AgentStatus.FAILED
    assert "It needs: say what is missing." in (await question_of(world)).prompt


@pytest.mark.parametrize(
    ("words", "status", "is_left"),
    [
        ("Keep waiting", AgentStatus.ACTIVE, False),
        ("Give up", AgentStatus.FAILED, True),
        ("Use the other site", AgentStatus.ACTIVE, False),
    ],
)
async def test_what_takes_long_is_waited_for_or_given_up(words: str, status: AgentStatus, *, is_left: bool) -> None:
    world = await a_world()
    await a_session(world)
    card = await puts(world, "slow", detail="It has been working for a while and is not done.")
    assert "It has been working for a while and is not done." in card.prompt
    taken(await say(world, card, words))
    session = world.state.world.sessions["abc123"]
    assert (session.status, session.left_at is not None) == (status, is_left)
    assert await questions(world) == []


async def test_a_question_about_time_goes_as_soon_as_the_session_moves() -> None:
    world = await a_world()
    await a_session(world)
    card = await puts(world, "slow", detail="It has been working for a while and is not done.")
    await read(world, line(AgentStatus.FINISH, text="booked"))
    gone = await world.card(card.id)
    assert (gone.status, gone.outcome) == (Status.CANCELLED, "It continued without an answer.")


async def test_the_same_question_again_changes_nothing() -> None:
    world = await a_world()
    await a_session(world)
    first = await puts(world, "slow", detail="It has been working for a while and is not done.")
    again = await puts(world, "slow", detail="It has been working for a while and is not done.")
    assert first == again


async def test_a_sessions_words_are_shown_as_what_they_are_and_cut() -> None:
    world = await a_world()
    card = await stuck(world, need="\u202edrowssap " + "x" * 5_000)
    assert "\u202e" not in card.prompt
    assert len(card.prompt) < 1_000
    stored = await world.store.read(WorldSessionsByIds(user="me", ids=("abc123",)))
    assert isinstance(stored["abc123"].question, SessionQuestion)
