"""A person in the loop of the world log: one question about a session, on every surface, and what follows from it.

Theory: a question about a session is a card like an agent's question, so whatever can answer those can answer these.
What is to be asked stands in the session itself, and is stored with it: after a restart nothing is asked twice and
nothing is forgotten. Any program may make sessions fail by appending lines, so what is before a person at once is
bounded, and so is how often they are asked; the others wait, the pressing and the oldest first, until there is room.
A question holds while its session is as it was asked about: what moves on takes its question back.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.canonical import digest
from hub.domain.provenance import LogText
from hub.domain.requests import Refused, Withdraw
from hub.domain.suggestion import Answer, Card
from hub.domain.worded import Worded
from hub.domain.world import WORLD_CLIENT, AgentLine, SessionQuestion, WorldEvent, WorldSession
from hub.domain.world_commands import OfferedCommand
from hub.domain.world_lines import SYSTEM_SOURCE, USER_SOURCE
from hub.loop import refusals, world_commands
from hub.loop.asks import ASKED_MAX, ASKED_WITHIN, others_room
from hub.loop.commands import TakeBack
from hub.loop.draft import Draft
from hub.loop.state import AskedLately
from hub.loop.tell import tell_new
from hub.loop.world import known, move, note, respond
from hub.loop.world_cards import card_for, said_to, words_of
from hub.loop.world_patience import wait_on
from hub.loop.world_words import GIVE_UP, IS_DONE, KEEP_WAITING, NOT_YET, RUN_IT

About = Literal["answer", "done", "slow"]

OPEN_MAX = 10
"""Sessions that a person is asked about at once."""
ASKED_PER_MINUTE_MAX = 20
"""So many questions about sessions are put within a minute, however fast they are answered or taken back."""
MAKES_ROOM_AFTER = timedelta(hours=1)
"""A question that does not press, and that was before the person for so long, makes room for one that does."""
SAME_APART = timedelta(minutes=1)
"""Between two questions about the same session; what it was told meanwhile is in the second."""
MOVED_ON = "It continued without an answer."
ANSWERED = "You have answered it elsewhere."
ASKED_ANEW = "It is asked again, with the current state."
MADE_ROOM = "Something more urgent came up; this comes back when there is room."
"""Why a question is taken back."""
SENT = "The session continues with your answer."
LEFT_AS_IT_IS = "left as it is, by the person"


def ask(
    draft: Draft,
    session: WorldSession,
    about: About,
    *,
    urgent: bool = False,
    detail: Worded | str = "",
    offered: OfferedCommand | None = None,
) -> None:
    """Put one question about a session before the person, or have it wait for room; an older one is taken back.

    The same question again changes nothing. `detail` is a sentence of the hub's own that is told along, `offered` what
    could be run to see whether it is done.
    """
    session = known(draft, session.id) or session
    text, worded = (detail, None) if isinstance(detail, str) else (detail.text, detail.wording)
    bare = SessionQuestion(
        about=about, status=session.status, urgent=urgent, detail=text, detail_worded=worded, offered=offered
    )
    wanted = replace(bare, form=digest(words_of(session, bare).text))
    if session.question is not None and replace(session.question, card_id="") == wanted:
        return
    _take_back(draft, session, ASKED_ANEW)
    session = replace(session, question=wanted)
    draft.world.put(session)
    if _room(draft) > 0 and _may_be_asked(draft, session):
        _put(draft, session, wanted)


def withdraw(draft: Draft, session: WorldSession) -> None:
    """Take the question about a session back, if there is one: it was answered elsewhere, or has passed."""
    session = known(draft, session.id) or session
    if session.question is not None:
        _take_back(draft, session, MOVED_ON if session.answered_at is None else ANSWERED)
        draft.world.put(replace(session, question=None))


def on_moved(draft: Draft, session: WorldSession) -> None:
    """Take back a question that does not fit its session any more."""
    if session.question is not None and not _fits(session, session.question):
        withdraw(draft, session)


def on_opened(draft: Draft, cards: tuple[Card, ...]) -> None:
    """After a start: take back what is open though its session has moved on, then ask what waits."""
    for card in cards:
        if card.session and _question_of(draft, card) is None:
            _withdraw(draft, card.id, MOVED_ON)
    ask_waiting(draft)


def ask_waiting(draft: Draft) -> None:
    """Ask what waits for room, as far as there is some: the pressing first, then the oldest."""
    if not draft.state.policy.world.enabled:
        return
    wanted = [one for one in draft.world.sessions.values() if one.question is not None]  # few of many: looked at often
    room = _room(draft)
    if room <= 0:
        if _asked_lately(draft) < ASKED_PER_MINUTE_MAX:
            _make_room(draft, wanted)
        return
    waiting = [one for one in wanted if _may_be_asked(draft, one)]
    waiting.sort(key=lambda one: (one.question is None or not one.question.urgent, one.moved_at))
    for session in waiting[:room]:
        if session.question is not None:
            _put(draft, session, session.question)


def _make_room(draft: Draft, wanted: list[WorldSession]) -> None:
    """Put aside the oldest questions that do not press for as many that do: ten ignored ones must not silence all.

    What presses never makes room, so each place changes hands once at most, and nobody is asked without end.
    """
    pressing = [one for one in wanted if one.question is not None and one.question.urgent]
    waiting = sum(_may_be_asked(draft, one) for one in pressing)
    before_person = [one for one in wanted if one.question is not None and one.question.card_id]
    leaving = draft.state.open_asks.get(WORLD_CLIENT, 0) - len(before_person)
    since = draft.now - MAKES_ROOM_AFTER
    old = [one for one in before_person if one not in pressing and one.asked_at is not None and one.asked_at <= since]
    old.sort(key=lambda one: one.asked_at or draft.now)
    for session in old[: max(0, waiting - leaving)]:
        _take_back(draft, session, MADE_ROOM)
        if session.question is not None:
            draft.world.put(replace(session, question=replace(session.question, card_id="")))


def take(draft: Draft, card: Card, answer: Answer) -> Refused | str:
    """Do what a person answers to a question about a session; return what came of it in words, or why nothing did."""
    session = known(draft, card.session)
    question = _question_of(draft, card)
    if session is None or question is None:
        return refusals.session_moved_on(draft.view(card))
    if not answer.is_persons:
        return refusals.persons_word_to_session(draft.view(card))
    if question.offered is not None and said_to(answer) == RUN_IT.text:
        came: Refused | str = world_commands.run(draft, session, card, answer)
    else:
        came = _HANDLERS[question.about](draft, session, said_to(answer))
    if isinstance(came, str):
        _ask_at_will(draft, session)
    return came


def leave(draft: Draft, card: Card) -> None:
    """Leave a session as it is: nothing more is asked about it until it moves."""
    session = known(draft, card.session)
    if session is None or _question_of(draft, card) is None:
        return
    _note_system(draft, session.id, LEFT_AS_IT_IS)
    draft.world.put(replace(known(draft, session.id) or session, left_at=draft.now))


def _ask_at_will(draft: Draft, session: WorldSession) -> None:
    """Whoever answers sets the pace: if the session needs something else at once, that is asked at once."""
    draft.world.put(replace(known(draft, session.id) or session, asked_at=None))


def _take_answer(draft: Draft, session: WorldSession, words: str) -> str:
    respond(draft, session.id, words)
    return SENT


def _take_done(draft: Draft, session: WorldSession, words: str) -> str:
    if words == IS_DONE.text:
        line = AgentLine(
            at=draft.now, status=AgentStatus.VERIFIED, session=session.id, text=LogText("done, says the person")
        )
        move(draft, line, checked_by="person")
        return "It counts as done."
    if words != NOT_YET.text:
        text = LogText(words)
        note(draft, WorldEvent(at=draft.now, source=USER_SOURCE, identifier=LogText(session.id), text=text))
        said = text.map(lambda own: f"Not done yet. The person says: {own}")
        after = move(draft, AgentLine(at=draft.now, status=AgentStatus.RETRY, session=session.id, text=said))
        draft.world.put(replace(after, tries=1))  # a person's words begin the count anew, as an answer does
        return SENT
    return _not_yet(draft, session)


def _not_yet(draft: Draft, session: WorldSession) -> str:
    if session.tries < draft.state.policy.world.tries_max:
        text = LogText("Not done yet, says the person.")
        move(draft, AgentLine(at=draft.now, status=AgentStatus.RETRY, session=session.id, text=text))
        return "It will be tried again."
    text, need = LogText(f"not done after {session.tries} tries"), LogText("say what is missing")
    move(draft, AgentLine(at=draft.now, status=AgentStatus.FAILED, session=session.id, text=text, need=need))
    return "It was tried too often: say what is missing."


def _take_slow(draft: Draft, session: WorldSession, words: str) -> str:
    wait_on(draft, session)
    if words == KEEP_WAITING.text:
        _note_system(draft, session.id, "kept waiting for, by the person")
        return "Pulse keeps waiting."
    if words == GIVE_UP.text:
        text = LogText("given up by the person")
        after = move(draft, AgentLine(at=draft.now, status=AgentStatus.FAILED, session=session.id, text=text))
        draft.world.put(replace(after, left_at=draft.now))
        return "It counts as failed, and is not tried again."
    note(draft, WorldEvent(at=draft.now, source=USER_SOURCE, identifier=LogText(session.id), text=LogText(words)))
    return "Your answer is in the log."


_HANDLERS: dict[About, Callable[[Draft, WorldSession, str], str]] = {
    "answer": _take_answer,
    "done": _take_done,
    "slow": _take_slow,
}


def _put(draft: Draft, session: WorldSession, question: SessionQuestion) -> None:
    """Put the card before the person; of several at once only the first is heard, but what presses always is."""
    card = card_for(draft, session, question)
    is_heard = question.urgent or not _asked_lately(draft)
    one = AskedLately(at=draft.now, client=WORLD_CLIENT, session=digest(session.id))
    draft.state = replace(draft.state, asked_lately=(*draft.state.asked_lately, one)[-ASKED_MAX:])
    draft.world.put(replace(session, question=replace(question, card_id=card.id), asked_at=draft.now))
    draft.add(card)
    tell_new(draft, card, is_heard=is_heard, urgent=question.urgent)


def _take_back(draft: Draft, session: WorldSession, why: str) -> None:
    if session.question is not None and session.question.card_id:
        _withdraw(draft, session.question.card_id, why)


def _withdraw(draft: Draft, card_id: str, why: str) -> None:
    draft.commands.append(TakeBack(request=Withdraw(card_id=card_id, client=WORLD_CLIENT, why=why)))


def _question_of(draft: Draft, card: Card) -> SessionQuestion | None:
    """Return the question that a card asks, as long as it is the one of its session and fits it."""
    session = known(draft, card.session)
    question = session.question if session is not None else None
    if session is None or question is None or question.card_id != card.id or not _fits(session, question):
        return None
    return question


def _fits(session: WorldSession, question: SessionQuestion) -> bool:
    """Say whether a question is about a session as it is: there, unanswered, and not left at that."""
    return session.status is question.status and session.answered_at is None and session.left_at is None


def _may_be_asked(draft: Draft, session: WorldSession) -> bool:
    question = session.question
    if question is None or question.card_id:
        return False
    return session.asked_at is None or not timedelta() <= draft.now - session.asked_at < SAME_APART


def _room(draft: Draft) -> int:
    """Return how many questions may be put now: of sessions at once, of all who ask, and within a minute."""
    if not draft.state.policy.world.enabled:
        return 0
    mine = OPEN_MAX - draft.state.open_asks.get(WORLD_CLIENT, 0)
    return min(mine, others_room(draft), ASKED_PER_MINUTE_MAX - _asked_lately(draft))


def _asked_lately(draft: Draft) -> int:
    since = draft.now - ASKED_WITHIN
    return sum(one.client == WORLD_CLIENT and since < one.at <= draft.now for one in draft.state.asked_lately)


def _note_system(draft: Draft, session_id: str, text: str) -> None:
    note(draft, WorldEvent(at=draft.now, source=SYSTEM_SOURCE, identifier=LogText(session_id), text=LogText(text)))
