"""The card that asks a person about a session of the world log: a question like an agent's, asked by the hub."""

from datetime import timedelta

from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.words import Origin, Risk, Source, Status, TextSource
from hub.domain.canonical import card_hash, digest, visible
from hub.domain.provenance import say
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.domain.worded import Worded
from hub.domain.world import WORLD_CLIENT, SessionQuestion, WorldSession
from hub.loop.asks import ask_id
from hub.loop.draft import Draft
from hub.loop.world_words import GIVE_UP, IS_DONE, KEEP_WAITING, NOT_YET, RUN_IT, TRY_AGAIN, overdue, stuck, unproven

KIND = "session"
WORLD_CHANNEL = "world"
ASKER = "pulse"
TOOL = "world"
QUESTION_ID = "session"
OPEN_FOR = timedelta(hours=24)
"""So long a person may answer; a session that failed is then told of more loudly."""


def words_of(session: WorldSession, question: SessionQuestion) -> Worded:
    """Return what a person is asked."""
    match question.about:
        case "answer":
            return stuck(session)
        case "done":
            return unproven(session, question.offered)
        case "slow":
            worded = question.detail_worded
            return overdue(session, question.detail if worded is None else Worded(text=question.detail, wording=worded))


def card_for(draft: Draft, session: WorldSession, question: SessionQuestion) -> Card:
    """Return the card that asks; it is bound to every word of the question, and to all of what it offers to run."""
    said = words_of(session, question)
    choices = tuple(_choice(one) for one in _choices(session, question))
    asked = AgentQuestion(id=QUESTION_ID, text=said.text, choices=choices, text_worded=said.wording)
    permission = Permission(
        agent=ASKER,
        tool=TOOL,
        act=Act.QUESTION,
        session=visible(session.id),
        folder=visible(session.folder),
        questions=(asked,),
    )
    need, work = Need(text="The session continues with the answer.", exit_code=None), Work()
    waits = say("A session of the world log is waiting for you.")
    plan = None if question.offered is None else question.offered.plan
    proposal = Proposal(
        prompt=said.text,
        channel=WORLD_CHANNEL,
        agent=ASKER,
        confidence=1.0,
        factors=Factors(twin=None, pattern=0.0, urgency=1.0, time=0.0),
        reasoning=visible(question.detail) or waits.text,
        source=Source.ASK,
        kind=KIND,
        reason_key=f"{KIND}:{session.id}",
        signature=WORLD_CLIENT,
        need=need,
        work=work,
        risk=Risk.LOW,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.WORLD,
        quotes=(TextSource.WORLD_LOG,),
        prompt_worded=said,
        reasoning_worded=waits.worded,
    )
    return Card(
        id=ask_id(WORLD_CLIENT, draft.new_id("q")),
        user=draft.state.user,
        version=1,
        status=Status.PENDING,
        proposal=proposal,
        prompt=said.text,
        card_hash=card_hash(said.text, WORLD_CHANNEL, work, need, plan, permission=permission),
        created_at=draft.now,
        expires_at=draft.now + OPEN_FOR,
        trigger="cron",
        asker=ASKER,
        owner=WORLD_CLIENT,
        content=digest(session.id, question.form),
        permission=permission,
        plan=plan,
        session=session.id,
    )


def said_to(answer: Answer) -> str:
    """Return what a person said to the one question: the label of a choice, or their own words."""
    given = () if answer.permission is None else answer.permission.answers.get(QUESTION_ID, ())
    return given[0].strip() if given else ""


def _choices(session: WorldSession, question: SessionQuestion) -> tuple[Worded, ...]:
    match question.about:
        case "answer":
            return () if session.asks else (TRY_AGAIN,)
        case "done":
            return (IS_DONE, NOT_YET) if question.offered is None else (IS_DONE, NOT_YET, RUN_IT)
        case "slow":
            return (KEEP_WAITING, GIVE_UP)


def _choice(choice: Worded) -> QuestionChoice:
    return QuestionChoice(label=choice.text, label_worded=choice.wording)
