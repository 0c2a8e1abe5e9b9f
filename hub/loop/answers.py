"""A person's answer to a card (design section 4). First answer wins; the same answer again is a success.

Theory: an answer is looked at in this order, and the first thing that does not fit is the reply: is there such a card;
was this very answer taken before (`answered.py`); has the card come back since it was shown; was it already settled
(the same way, or by somebody else); is it still the card that was shown; has it expired; and only then what the verb
asks for. Only `approve` and `edit` can bring about an execution, and only through `may`.
"""

from collections.abc import Callable
from datetime import timedelta

from msgspec.structs import replace

from hub.contract.api import AnswerReply, Prediction
from hub.contract.events import PredictionReturned, PredictionSnoozed
from hub.contract.permission import Act
from hub.contract.phrasing import Phrasing
from hub.contract.words import DISMISSING, GRANTING, MoveReason, Risk, RunState, Source, Status, Verb
from hub.domain.plan import CannotPlan, is_message
from hub.domain.requests import RUNS_CLIENT, Refused, Reply
from hub.domain.suggestion import Answer, Card
from hub.learn import word_of
from hub.loop import (
    away,
    commits,
    earned,
    mutation_cards,
    muted,
    mutes,
    notices,
    permission_grants,
    permissions,
    refusals,
    reminders,
    train_offer,
    world_person,
    world_record,
)
from hub.loop.answered import content_of, earlier, is_full, is_of_another_round, keep, settled_by
from hub.loop.autonomy import after_noes, count_answer, count_regret, uncount_dismissal
from hub.loop.commands import Stop
from hub.loop.draft import Draft
from hub.loop.failed import ignore, mend
from hub.loop.grants import grant, note_answer
from hub.loop.habits import note_word, take_word_back
from hub.loop.lessons import teach, unlearn
from hub.loop.reworded import with_words
from hub.loop.runs import finish, never_began
from hub.loop.tell import tell, tell_settled
from hub.loop.timers import expire
from hub.loop.unusual import remember
from hub.loop.views import is_killed, seconds
from hub.loop.when_told import told_now
from hub.when import open_until

SNOOZE_MAX = timedelta(days=7)
LOOKING = "Checking again what would run; the card comes back with it."
"""How far away a snooze may end; longer is a dismissal."""


def on_answer(draft: Draft, answer: Answer, reply_to: str) -> None:
    """Take or refuse one answer; the stored card is in the draft's facts."""
    draft.reply(reply_to, decide(draft, answer))


def decide(draft: Draft, answer: Answer) -> Reply:
    """Decide one answer and return the reply; every surface answers through here."""
    card = draft.facts.card
    if card is None:
        return refusals.unknown_card(answer.card_id)
    known = earlier(card, answer)
    if known is not None:
        same = known.content == content_of(answer)
        return _repeated(draft, card) if same else refusals.key_reused(draft.view(card))
    reply = _decide_new(draft, card, answer)
    if isinstance(reply, AnswerReply) and not reply.repeated:
        world_record.note_answer(draft, card, answer)
    return reply


def _decide_new(draft: Draft, card: Card, answer: Answer) -> Reply:
    if card.status is not Status.PENDING and answer.verb not in _AFTERWARDS:
        return _late(draft, card, answer)
    if is_of_another_round(card, answer):
        return refusals.another_round(draft.view(card))
    if is_full(card, answer.verb):
        return refusals.answered_too_often(draft.view(card))
    if answer.verb in _AFTERWARDS:
        return _AFTERWARDS[answer.verb](draft, card, answer)
    return _decide_open(draft, card, answer)


def _decide_open(draft: Draft, card: Card, answer: Answer) -> Reply:
    if answer.card_hash is not None and answer.card_hash != card.card_hash:
        return refusals.card_changed(draft.view(card))
    if card.expires_at <= draft.now:
        return refusals.expired(draft.view(expire(draft, card)))
    unfit = notices.unfit(draft, card, answer)
    if unfit is not None:
        return unfit
    card = told_now(draft, card)  # who finds a held card in a list answers it there and then
    if card.permission is not None and (why := permissions.unfit(card.permission, answer)):
        return refusals.does_not_fit(draft.view(card), why)
    if answer.verb in GRANTING:
        return _approve(draft, card, answer)
    return _dismiss(draft, card, answer) if answer.verb in DISMISSING else _snooze(draft, card, answer)


def _late(draft: Draft, card: Card, answer: Answer) -> Reply:
    settled = card.settled
    if settled is not None and settled.verb is answer.verb and answer.prompt in {None, card.edit_text}:
        return _again(draft, card, answer)
    if card.status is Status.EXPIRED:
        return refusals.expired(draft.view(card))
    return refusals.already_settled(draft.view(card), draft.state)


def _repeated(draft: Draft, card: Card) -> AnswerReply:
    again = " It has come back since; you can answer it again." if card.status is Status.PENDING else ""
    return AnswerReply(prediction=draft.view(card), repeated=True, message=f"Already done.{again}")


def _again(draft: Draft, card: Card, answer: Answer) -> AnswerReply:
    """Take an answer that says what was said already; its key is kept, for the card may come back."""
    if is_of_another_round(card, answer) or is_full(card, Verb.APPROVE):
        return _repeated(draft, card)
    return _repeated(draft, draft.keep(keep(card, answer)))


def _approve(draft: Draft, card: Card, answer: Answer) -> Reply:
    if answer.verb is Verb.EDIT and not (answer.prompt or "").strip():
        return refusals.nothing_to_run()
    if card.commit is not None and answer.prompt and not is_message(answer.prompt):
        return refusals.no_message()
    if card.proposal.source is Source.ASK:
        return _approve_ask(draft, card, answer)
    without_run = _approve_without_run(draft, card, answer)
    if without_run is not None:
        return without_run
    if answer.verb is Verb.EDIT and not card.is_editable:
        return refusals.fixed_command(draft.view(card))
    granted = grant(draft, settled_by(card, answer, draft.now), answer)
    if isinstance(granted, Refused):
        return granted
    said = LOOKING if isinstance(card.plan, CannotPlan) else "Running. You will be notified when it is done."
    return AnswerReply(prediction=_record(draft, granted, answer), message=said)


def _approve_without_run(draft: Draft, card: Card, answer: Answer) -> Reply | None:
    """Approve what no agent runs for: an offer of Pulse's, a training, a change of the drives; None for other cards."""
    if card.offer is not None:
        return earned.approve(draft, card, card.offer, answer)
    if card.grant_offer is not None:
        return permission_grants.approve_offer(draft, card, card.grant_offer, answer)
    if card.training is not None:
        return train_offer.approve(draft, card, card.training, answer)
    if card.mutation is not None:
        return mutation_cards.approve(draft, card, card.mutation, answer)
    return None


def _approve_ask(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Approve what somebody else will do; nothing runs here, but the kill switch holds for it as well."""
    unfit = _unfit_ask(draft, card, answer)
    if unfit is not None:
        return unfit
    taken = permission_grants.taken_option(draft, card, answer)
    if isinstance(taken, Refused):
        return taken
    came = _taken_by_hub(draft, card, answer)
    if isinstance(came, Refused):
        return came
    outcome, wording = came
    is_question = card.permission is not None and card.permission.act is Act.QUESTION
    first = "" if outcome else "Answered." if is_question else "Approved."
    note_answer(draft, answer)
    if card.permission is not None and answer.verb is Verb.APPROVE:
        draft.set_mind(remember(draft.mind, card.permission))
    if taken is not None:
        kept = permission_grants.keep_grant(draft, card, taken, answer)
        outcome, wording = kept.text, kept.wording
    runs = card.prompt if answer.verb is not Verb.EDIT or answer.prompt is None else answer.prompt
    answered = replace(settled_by(card, answer, draft.now), outcome=outcome, outcome_worded=wording, prompt=runs)
    settled = draft.move(answered, MoveReason.APPROVED)
    shown = _record(draft, settled, answer)
    if taken is None and answer.is_persons:
        permission_grants.offer(draft, card, answer)
    return AnswerReply(prediction=shown, message=_said(first, outcome))


def _unfit_ask(draft: Draft, card: Card, answer: Answer) -> Refused | None:
    """Return why a yes to somebody else's question cannot be taken; None where it can."""
    if card.permission is not None and card.permission.dialog_only:
        return refusals.left_out(draft.view(card), is_run=card.owner == RUNS_CLIENT)
    if answer.verb is Verb.EDIT and not card.is_editable:
        return refusals.not_editable()
    if answer.verb is Verb.EDIT and not answer.is_persons:
        return refusals.persons_words_to_agent(draft.view(card))
    if answer.by_device and answer.prompt and _makes_risky(card, answer.prompt):
        return refusals.risky_words(draft.view(card))
    return refusals.killed(draft.state) if is_killed(draft.state) else None


def _makes_risky(card: Card, words: str) -> bool:
    """Return True if other words are risky: over HTTP they were shown as that and said yes to once more."""
    other = with_words(card, words)
    return other is not card and other.proposal.risk is Risk.HIGH


def _taken_by_hub(draft: Draft, card: Card, answer: Answer) -> tuple[str, Phrasing | None] | Refused:
    """Carry out the answer to a question of the hub's own; return what came of it, also as a code if it has one.

    For anybody else's question nothing is done here.
    """
    if card.task_id:
        told = reminders.take(draft, answer)
        return told.text, told.wording
    came = world_person.take(draft, card, answer) if card.session else ""
    return came if isinstance(came, Refused) else (came, None)


def _dismiss(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Dismiss a card, with what is to come less often, or not at all, if the answer says so."""
    unfit = mutes.unfit(draft, card, answer)
    if unfit is not None:
        return unfit
    note_answer(draft, answer)
    if card.session:
        world_person.leave(draft, card)
    if answer.verb is Verb.REJECT:
        dismissed = mutes.in_view_of_no(draft, settled_by(card, answer, draft.now))
        shown = _record(draft, draft.move(dismissed, MoveReason.REJECTED), answer)
        quiet = dismissed.outcome if dismissed.outcome != card.outcome else ""
        said: tuple[str, ...] = (quiet or mutes.rarer(draft, card), after_noes(draft))
    else:
        wish = mutes.wish_of(draft, card, answer)
        answered = muted.take_along(draft, settled_by(card, answer, draft.now), wish)
        shown = _record(draft, draft.move(answered, MoveReason.REJECTED), answer)
        said = (mutes.told(wish), muted.also_gone(answered))
    return AnswerReply(prediction=shown, message=_said("Dismissed.", *said))


def _record(draft: Draft, card: Card, answer: Answer) -> Prediction:
    """Tell everybody, learn from the answer; return the card as everybody now sees it."""
    shown = tell_settled(draft, card)
    away.answered(draft, answer.verb)
    if card.proposal.source is not Source.ASK:  # somebody else's question teaches nothing about Pulse's own ideas
        teach(draft, card, word_of(answer.verb, snoozes=card.snoozes))
        count_answer(draft, card, answer.verb)
        earned.count(draft, card, answer)
    return shown


def _said(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _snooze(draft: Draft, card: Card, answer: Answer) -> Reply:
    timing = draft.state.policy.timing
    if card.snoozes >= timing.snoozes_max:
        return refusals.snoozed_too_often(timing.snoozes_max)
    until = answer.until or draft.now + seconds(timing.snooze_s)
    if until <= draft.now:
        return refusals.snooze_in_the_past()
    if until - draft.now > SNOOZE_MAX:
        return refusals.snooze_too_long(SNOOZE_MAX.days)
    note_answer(draft, answer)
    snoozed = draft.move(
        replace(
            keep(card, answer),
            snoozed_until=until,
            snoozes=card.snoozes + 1,
            expires_at=max(card.expires_at, until + seconds(timing.snooze_s)),
        ),
        MoveReason.SNOOZED,
    )
    tell(draft, PredictionSnoozed(prediction=draft.view(snoozed)), snoozed)
    return AnswerReply(prediction=draft.view(snoozed), message="Snoozed.")


def _retry(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Run a failed card once more, at a person's word; a retry that means an earlier failure has been done already."""
    if card.works_for:
        return refusals.session_goes_on(draft.view(card))
    is_over = card.mended_at is not None
    if card.attempts == 0 or (answer.attempt or card.attempts) > card.attempts or is_over:
        return refusals.nothing_failed(draft.view(card))
    if answer.attempt is not None and answer.attempt < card.attempts:
        return _again(draft, card, answer)
    if card.status is not Status.FAILED:
        is_retried = card.settled is not None and card.settled.verb is Verb.RETRY
        return _again(draft, card, answer) if is_retried else refusals.nothing_failed(draft.view(card))
    if answer.prompt and answer.prompt != card.prompt and not card.is_editable:
        return refusals.fixed_command(draft.view(card))
    expires_at = max(card.expires_at, open_until(draft.state.policy, draft.mind.dnd_until, draft.now))
    reopened = draft.move(replace(card, expires_at=expires_at), MoveReason.RETRIED)
    reply = _approve(draft, reopened, answer)
    if isinstance(reply, Refused):  # the rails did not let it run now: it waits, open, for another answer
        tell(draft, PredictionReturned(prediction=draft.view(reopened), reason=reply.detail), reopened)
    return reply


def _stop(draft: Draft, card: Card, answer: Answer) -> Reply:
    if card.training is not None and card.status is Status.CONFIRMED:
        return train_offer.take_back(draft, card, answer)
    if card.execution_id is None or card.status is not Status.CONFIRMED:
        return refusals.nothing_runs(draft.view(card))
    note_answer(draft, answer)
    if card.autonomous:
        note_word(draft, card, "auto-executed-undone")
        count_regret(draft)
    else:
        take_word_back(draft, card)
    follows = earned.regret(draft, card)
    execution = draft.facts.execution
    if execution is not None and execution.state is RunState.QUEUED:
        stopped = finish(draft, execution, keep(card, answer), never_began("stopped before it started"))
        return AnswerReply(prediction=draft.view(stopped), message=_said("Stopped before it started.", follows))
    if not is_full(card, Verb.UNDO):
        card = draft.keep(keep(card, answer))
    draft.commands.append(Stop(execution_id=card.execution_id or ""))
    return AnswerReply(prediction=draft.view(card), message=_said("Stopping.", follows))


def _undo(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Take an answer back: a dismissal reopens, a run is stopped, finished work is marked as unwanted."""
    if card.undone:
        return AnswerReply(prediction=draft.view(card), repeated=True, message="Already undone.")
    begun = _taken_back(draft, card, answer)
    if begun is not None:
        return begun
    if card.status is Status.CONFIRMED and card.execution_id is not None:
        unlearn(draft, card)
        return _stop(draft, card, answer)
    if card.status is Status.EXECUTED:
        return _regret(draft, card, answer)
    if card.status is Status.PENDING and card.snoozed_until is not None:
        return _wake(draft, card, answer)
    window = seconds(draft.state.policy.timing.undo_window_s)
    if card.settled_at is None or draft.now - card.settled_at > window or card.expires_at <= draft.now:
        return refusals.too_late_to_undo(draft.view(card))
    if card.permission is not None or (card.status is not Status.REJECTED and not _unused_approval(card)):
        return refusals.too_late_to_undo(draft.view(card))
    if card.status is Status.REJECTED:
        uncount_dismissal(draft, card)
        mutes.take_back(draft, card)
        muted.bring_back(draft, card)
    unlearn(draft, card)
    take_word_back(draft, card)
    note_answer(draft, answer)
    reopened = draft.move(replace(keep(mutes.without_quiet(card), answer), took=()), MoveReason.UNDONE)
    tell(draft, PredictionReturned(prediction=draft.view(reopened), reason="undone"), reopened)
    return AnswerReply(prediction=draft.view(reopened), message="Undone: the card is open again.")


def _taken_back(draft: Draft, card: Card, answer: Answer) -> Reply | None:
    """Take back what a yes began without a run: what runs without asking, a training; None for other cards."""
    if card.offer is not None and card.status is Status.EXECUTED:
        return earned.take_back(draft, card, answer)
    if permission_grants.is_granted_by(draft, card):
        return permission_grants.take_back(draft, card, answer)
    if card.training is not None and card.status in {Status.CONFIRMED, Status.EXECUTED}:
        return train_offer.take_back(draft, card, answer)
    if card.mutation is not None and card.status is Status.EXECUTED:
        return mutation_cards.take_back(draft, card, card.mutation, answer)
    return None


def _wake(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Take a snooze back: the card is open again at once, everywhere, and the snooze does not count."""
    note_answer(draft, answer)
    woken = draft.move(replace(keep(card, answer), snoozes=max(0, card.snoozes - 1)), MoveReason.SNOOZE_UNDONE)
    tell(draft, PredictionReturned(prediction=draft.view(woken), reason="undone"), woken)
    return AnswerReply(prediction=draft.view(woken), message="Undone: the card is open again.")


def _unused_approval(card: Card) -> bool:
    return card.status is Status.CONFIRMED and card.execution_id is None and card.proposal.source is not Source.ASK


def _regret(draft: Draft, card: Card, answer: Answer) -> Reply:
    if card.result is not None and card.result.commit:
        return commits.take_back(draft, card, card.result.commit, answer)
    regretted = draft.keep(replace(keep(card, answer), undone=True))
    note_answer(draft, answer, "the work itself stays as it is")
    unlearn(draft, card)
    teach(draft, card, word_of(Verb.UNDO, autonomous=card.autonomous))
    if card.autonomous:
        count_regret(draft)
    follows = earned.regret(draft, card)
    message = "Marked as unwanted. The work itself is not undone; see `pulse why` for the result."
    return AnswerReply(prediction=draft.view(regretted), message=_said(message, follows))


_AFTERWARDS: dict[Verb, Callable[[Draft, Card, Answer], Reply]] = {
    Verb.UNDO: _undo,
    Verb.STOP: _stop,
    Verb.RETRY: _retry,
    Verb.FIX: mend,
    Verb.IGNORE: ignore,
}
"""Answers to a card that was settled before."""
