"""Reminders: at the moment of a task its card asks whether it is done, with or without an agent that could do it.

Theory: a person who wrote down a moment wants to hear of it then, on whichever surface they are. So the card is a
question of the hub's own, as a session's is: a tap ticks the task off, or moves its moment, which brings it up again.
Each moment of a task is said once, also across restarts; one that was moved, ticked off or removed meanwhile takes its
card back. In quiet hours the card is there, and is told at their end.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from hub.contract.attention import Held
from hub.contract.permission import Act, AgentQuestion, Permission, QuestionChoice
from hub.contract.phrasing import Phrasing
from hub.contract.words import Origin, Risk, Source, Status, TextSource
from hub.domain.canonical import card_hash, digest, visible
from hub.domain.provenance import say, untrusted
from hub.domain.situation import Situation, Task
from hub.domain.storage import PutTask
from hub.domain.suggestion import Answer, Card, Factors, Need, Proposal, Work
from hub.domain.worded import Worded
from hub.kit.text import one_line
from hub.loop import today
from hub.loop.asks import ask_id
from hub.loop.draft import Draft
from hub.loop.known_reasons import remember
from hub.loop.lapsed_cards import let_lapse
from hub.loop.tell import tell_new
from hub.when import is_quiet

KIND = "reminder"
CHANNEL = "tasks"
ASKER = "pulse"
OWNER = "reminders"
QUESTION_ID = "reminder"
OPEN_FOR = timedelta(hours=24)
"""How long a reminder waits for an answer; a moment that passed longer ago is brought up by the day's digest alone."""
OPEN_MAX = 10
"""How many reminders are open at once; the next ones come as these are answered."""
TITLE_CHARS_MAX = 200
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DONE = Worded(text="Done", wording=Phrasing(code="remind.done"))
IN_AN_HOUR = Worded(text="In an hour", wording=Phrasing(code="remind.hour"))
TOMORROW = Worded(text="Tomorrow, same time", wording=Phrasing(code="remind.tomorrow"))
IS_DONE = Worded(text="Done: your task is marked as completed.", wording=Phrasing(code="remind.is_done"))
GONE = Worded(text="This task no longer exists.", wording=Phrasing(code="remind.gone"))


def remind(draft: Draft, situation: Situation) -> None:
    """Put a card for each task whose moment has come, take back what is over, and note when the next moment is."""
    if situation.tasks is None:
        return
    tasks = {task.id: task for task in situation.tasks if task.is_open}
    _take_back(draft, tasks)
    waiting = sum(card.task_id != "" for card in draft.facts.open_cards)
    due = sorted((moment, task.id) for task in tasks.values() if (moment := _to_say(draft, task)) is not None)
    for _, task_id in due[: max(0, OPEN_MAX - waiting)]:
        _put(draft, tasks[task_id])
    ahead = (task.deadline for task in tasks.values() if task.deadline is not None and task.deadline > draft.now)
    draft.state = replace(draft.state, reminder_at=min(ahead, default=None))


def is_due(draft: Draft) -> bool:
    """Return True if the moment of a task has come since the last look."""
    at = draft.state.reminder_at
    return at is not None and at <= draft.now


def next_at(draft: Draft) -> datetime | None:
    """Return when the next moment of a task comes; None while a look is under way, which finds that out."""
    at = draft.state.reminder_at
    return None if at is None or draft.state.cycle is not None else max(at, draft.now)


def take(draft: Draft, answer: Answer) -> Worded:
    """Tick the task of a reminder off, or move its moment, as its person answers; return what came of it."""
    task = draft.facts.task
    if task is None or not task.is_open:
        return GONE
    said = () if answer.permission is None else answer.permission.answers.get(QUESTION_ID, ())
    if said == (DONE.text,):
        saved, outcome = replace(task, status="completed", updated_at=draft.now), IS_DONE
        today.count(draft, tasks=1)
    else:
        at = _moved(task, draft.now) if said == (TOMORROW.text,) else draft.now + HOUR
        saved, outcome = replace(task, deadline=at, updated_at=draft.now), _again(draft, at)
        next_at = draft.state.reminder_at
        draft.state = replace(draft.state, reminder_at=at if next_at is None else min(at, next_at))
    draft.changes.append(PutTask(user=draft.state.user, task=saved))
    return outcome


def _moved(task: Task, now: datetime) -> datetime:
    """Return the same time of the next day that is ahead."""
    at = (task.deadline or now) + DAY
    return at if at > now else now + DAY


def _again(draft: Draft, at: datetime) -> Worded:
    when = _clock(draft, at)
    return Worded(
        text=f"You will be reminded again: {when}.", wording=Phrasing(code="remind.later", values={"time": when})
    )


def _to_say(draft: Draft, task: Task) -> datetime | None:
    """Return the moment of a task that has come and was not said; None where there is none."""
    at = task.deadline
    if at is None or not timedelta() <= draft.now - at < OPEN_FOR:
        return None
    return None if draft.state.known.get(_key(task)) == at.isoformat() else at


def _key(task: Task) -> str:
    return f"{KIND}:{task.id}"


def _put(draft: Draft, task: Task) -> None:
    card = _card(draft, task)
    if is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now):
        card = replace(card, held=Held(until="breakpoint", since=draft.now))
    draft.add(card)
    remember(draft, _key(task), _moment_of(task))
    tell_new(draft, card)


def _take_back(draft: Draft, tasks: dict[str, Task]) -> None:
    waiting = [card for card in draft.facts.open_cards if card.status is Status.PENDING and card.expires_at > draft.now]
    over = [card for card in waiting if card.task_id and _is_over(card, tasks.get(card.task_id))]
    let_lapse(draft, over)


def _is_over(card: Card, task: Task | None) -> bool:
    """Return True if the task of a reminder is gone, or its moment was moved."""
    return task is None or card.content != digest(task.id, _moment_of(task))


def _moment_of(task: Task) -> str:
    return "" if task.deadline is None else task.deadline.isoformat()


def _clock(draft: Draft, at: datetime) -> str:
    """Write a moment on the person's clock, with the day where it is not today."""
    zone = ZoneInfo(draft.state.policy.zone)
    there, now = at.astimezone(zone), draft.now.astimezone(zone)
    return f"{there:%H:%M}" if there.date() == now.date() else f"{there:%Y-%m-%d %H:%M}"


def _question(draft: Draft, task: Task) -> Worded:
    title, when = one_line(visible(untrusted(task.title)), TITLE_CHARS_MAX), _clock(draft, task.deadline or draft.now)
    wording = Phrasing(code="remind.due", values={"title": title, "time": when})
    return Worded(text=f"{title}: due {when}.", wording=wording)


def _card(draft: Draft, task: Task) -> Card:
    said = _question(draft, task)
    choices = tuple(QuestionChoice(label=one.text, label_worded=one.wording) for one in (DONE, IN_AN_HOUR, TOMORROW))
    asked = AgentQuestion(id=QUESTION_ID, text=said.text, choices=choices, own_words=False, text_worded=said.wording)
    permission = Permission(agent=ASKER, tool=CHANNEL, act=Act.QUESTION, questions=(asked,))
    need, work = Need(text="The task is done, or comes up again.", exit_code=None), Work()
    why = say("You set a time for this task.")
    proposal = Proposal(
        prompt=said.text,
        channel=CHANNEL,
        agent=ASKER,
        confidence=1.0,
        factors=Factors(twin=None, pattern=0.0, urgency=1.0, time=0.0),
        reasoning=why.text,
        source=Source.ASK,
        kind=KIND,
        reason_key=_key(task),
        signature=OWNER,
        need=need,
        work=work,
        risk=Risk.LOW,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.WORLD,
        quotes=() if task.own_words else (TextSource.TASK,),
        own_words=task.own_words,
        prompt_worded=said,
        reasoning_worded=why.worded,
    )
    return Card(
        id=ask_id(OWNER, draft.new_id("r")),
        user=draft.state.user,
        version=1,
        status=Status.PENDING,
        proposal=proposal,
        prompt=said.text,
        card_hash=card_hash(said.text, CHANNEL, work, need, None, permission=permission),
        created_at=draft.now,
        expires_at=draft.now + OPEN_FOR,
        trigger="cron",
        asker=ASKER,
        owner=OWNER,
        content=digest(task.id, _moment_of(task)),
        permission=permission,
        task_id=task.id,
    )
