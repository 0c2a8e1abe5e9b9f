"""Acting alone is earned: yeses in a row are counted, an offer is made, a yes to it is kept, one regret ends it.

Theory: what is counted only ever leads to a question, and the person's own yes to that question, from a page or
terminal of theirs or a device that they paired, is what lets something run (`hub/may/standing.py`). A row is of the
same work, in the same place, by the same command; a no, an edit or a regret ends it. The question comes after such work
has been done and proven, once a day at most, and less or never of it can be wanted like of anything else.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.api import AnswerReply, ConfigPatch
from hub.contract.words import DISMISSING, Origin, Risk, Source, Verb
from hub.domain.canonical import digest
from hub.domain.dates import day_said
from hub.domain.judgement import StandingYes
from hub.domain.mind import Mind, Mute, Streak
from hub.domain.plan import AnyPlan, Plan, in_words, shape_of
from hub.domain.provenance import Wording, as_worded, say
from hub.domain.requests import AllowKind, Noted, Refused, Reply
from hub.domain.suggestion import RUNS_ALONE, AloneOffer, Answer, Card, Factors, Need, Proposal, Work
from hub.kit.bounded import last_of
from hub.kit.text import one_line
from hub.loop import refusals
from hub.loop.autonomy import EXAMPLE_CHARS_MAX
from hub.loop.draft import Draft
from hub.loop.fresh_card import fresh_card
from hub.loop.grant_record import record_autopilot
from hub.loop.grants import note_answer
from hub.loop.own_cards import NOTHING_RUNS, put_own, settle_own, undo_own
from hub.loop.standing_views import date_of, matter
from hub.loop.tell import tell_status
from hub.loop.views import status_of
from hub.may import (
    after_run_alone,
    after_standing_yes,
    after_withdrawal,
    can_stand,
    effective,
    expiry_of,
    is_earned,
    overridden,
    standing_yes,
    stands_for,
)
from hub.what import fits, is_always_asked, is_kind_wanted

OFFERS_APART = timedelta(days=1)
"""At most one offer in this time, whatever was earned."""
STREAKS_MAX = 200
"""Rows of yeses that are kept; the oldest begins anew."""
KIND = "let-run-alone"
ASKS_AGAIN = say("From now on Pulse asks before it runs this.")


def count(draft: Draft, card: Card, answer: Answer) -> None:
    """Count a yes to a suggestion as it was made; a no or an edit ends the row."""
    proposal, plan = card.proposal, card.plan
    if answer.verb in DISMISSING or answer.verb is Verb.EDIT:
        end_rows(draft, card)
    elif isinstance(plan, Plan) and can_stand(proposal, plan) and _is_first_yes(card, answer):
        _one_more(draft, _row_of(proposal, plan))


def end_rows(draft: Draft, card: Card) -> None:
    """Begin the rows of this kind of work in this place anew."""
    _end_rows_at(draft, _place_of(card.proposal.kind, card.proposal.work.workspace))


def offer(draft: Draft, card: Card) -> None:
    """Ask, where it is earned, whether work that a person has just had done may run without asking."""
    plan = card.plan
    if card.autonomous or not isinstance(plan, Plan) or not _is_due(draft, card, plan):
        return
    key = _row_of(card.proposal, plan)
    row = draft.mind.streaks[key]
    streaks = {**draft.mind.streaks, key: replace(row, offered=row.yeses)}
    draft.set_mind(replace(draft.mind, streaks=streaks, offered_at=draft.now))
    asked = AloneOffer(
        kind=card.proposal.kind,
        repository=card.proposal.work.workspace or "",
        shape=shape_of(plan),
        example=one_line(matter(card.prompt), EXAMPLE_CHARS_MAX),
        yeses=row.yeses,
        example_worded=card.proposal.prompt_worded,
    )
    proposal = _proposal(draft, card, plan, asked)
    put_own(draft, replace(fresh_card(draft, proposal, None, trigger="cron"), offer=asked))


def approve(draft: Draft, card: Card, asked: AloneOffer, answer: Answer) -> Reply:
    """Take the person's yes to an offer, and keep it; nothing runs for it."""
    if answer.verb is not Verb.APPROVE:
        return refusals.not_editable()
    if not answer.is_persons or answer.card_hash != card.card_hash:
        return refusals.yes_of_your_own(draft.view(card))
    given = StandingYes(
        id=draft.new_id("yes"),
        kind=asked.kind,
        repository=asked.repository,
        shape=asked.shape,
        made_at=draft.now,
        expires_at=expiry_of(draft.state.policy, draft.now),
        card_id=card.id,
        by=f"{answer.surface}/{answer.device}",
        example=asked.example,
        example_worded=asked.example_worded,
    )
    mutes = _without_ask(draft, given)
    if mutes != draft.mind.mutes and not answer.in_person:
        return refusals.always_asked(draft.view(card))
    note_answer(draft, answer)
    _hold(draft, given, mutes)
    _switch_on(draft)  # as the card said
    outcome = given_words(given, draft.state.policy.zone)
    shown = settle_own(draft, card, answer, outcome)
    tell_status(draft)
    return AnswerReply(prediction=shown, message=f"{outcome.text} If you undo it once, Pulse asks again.")


def given_words(given: StandingYes, zone: str) -> Wording:
    """Return what the card says on which it was given."""
    until = day_said(date_of(given.expires_at, zone))
    return say("Runs on autopilot while you are away, until {day}.", day=until)


def take_back(draft: Draft, card: Card, answer: Answer) -> Reply:
    """Take back the yes to an offer, however long ago it was given."""
    for one in draft.mind.ledger.standing:
        if one.card_id == card.id:
            end(draft, one, f"{answer.surface}/{answer.device}")
    reply = undo_own(draft, card, answer, ASKS_AGAIN)
    tell_status(draft)
    return reply


def regret(draft: Draft, card: Card) -> str:
    """End the rows, and the grant on which this ran, if it did; return what follows, in words."""
    end_rows(draft, card)
    kind, place = card.proposal.kind, card.proposal.work.workspace or ""
    ended = [one for one in draft.mind.ledger.standing if stands_for(one, kind, place)] if card.autonomous else []
    for one in ended:
        end(draft, one)
    if not ended:
        return ""
    tell_status(draft)
    return ASKS_AGAIN.text


def end_meant(draft: Draft, mute: Mute) -> None:
    """End what may run without asking of what the person wants always to be asked about."""
    for one in draft.mind.ledger.standing:
        if means(mute, one):
            end(draft, one)


def note_run_alone(draft: Draft, proposal: Proposal, plan: AnyPlan | None) -> None:
    """Count a run on the grant that let it run."""
    ledger = after_run_alone(draft.mind.ledger, proposal, plan, draft.now)
    draft.set_mind(replace(draft.mind, ledger=ledger))


def on_allow(draft: Draft, request: AllowKind, reply_to: str) -> None:
    """Let a whole kind of work run alone, by the person's word; it begins with what they have let run before.

    Whether anything runs alone at all is another switch, which stays as the person has set it.
    """
    if request.kind not in RUNS_ALONE:
        draft.reply(reply_to, _never_alone(request.kind))
        return
    given = StandingYes(
        id=draft.new_id("yes"),
        kind=request.kind,
        repository=request.folder,
        shape="",
        made_at=draft.now,
        expires_at=draft.now + timedelta(seconds=request.for_s),
        card_id="",
        by=request.by,
        confidence_min=request.threshold,
    )
    _hold(draft, given, _without_ask(draft, given))
    tell_status(draft)
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def _hold(draft: Draft, given: StandingYes, mutes: tuple[Mute, ...]) -> None:
    draft.set_mind(replace(draft.mind, ledger=after_standing_yes(draft.mind.ledger, given), mutes=mutes))
    record_autopilot(draft, given, "made", given.by)


def end(draft: Draft, given: StandingYes, by: str = "") -> None:
    """End a grant, and the rows that led to it; `by` is the device on which that was said, empty where it follows."""
    record_autopilot(draft, given, "ended", by)
    draft.set_mind(replace(draft.mind, ledger=after_withdrawal(draft.mind.ledger, yes_id=given.id)))
    _end_rows_at(draft, _place_of(given.kind, given.repository))


def means(mute: Mute, given: StandingYes) -> bool:
    """Return True if a wish means what may run; a grant is of every channel, so one channel's wish means it, too."""
    return fits(mute, given.kind, given.repository or None, mute.channel)


def _without_ask(draft: Draft, given: StandingYes) -> tuple[Mute, ...]:
    """Return the wishes that are left beside what may run from now on: the newest word holds."""
    return tuple(one for one in draft.mind.mutes if not (one.degree == "ask" and means(one, given)))


def _end_rows_at(draft: Draft, place: str) -> None:
    left = {key: row for key, row in draft.mind.streaks.items() if not key.startswith(f"{place}:")}
    if len(left) != len(draft.mind.streaks):
        draft.set_mind(replace(draft.mind, streaks=left))


def _is_due(draft: Draft, card: Card, plan: Plan) -> bool:
    mind, policy, proposal = draft.mind, draft.state.policy, card.proposal
    row = mind.streaks.get(_row_of(proposal, plan))
    last = mind.offered_at
    return (
        row is not None
        and is_earned(row.yeses, policy)
        and (row.offered == 0 or row.yeses - row.offered >= policy.earning.yeses_to_offer)
        and can_stand(proposal, plan)
        and standing_yes(mind.ledger, proposal, plan, draft.now) is None
        and (last is None or abs(draft.now - last) >= OFFERS_APART)
        and draft.state.open_suggestions < policy.pending_max
        and not is_always_asked(mind, proposal.kind, proposal.work.workspace, proposal.channel)
        and is_kind_wanted(mind, KIND, proposal.work.workspace, proposal.channel, draft.now)
    )


def _proposal(draft: Draft, card: Card, plan: Plan, asked: AloneOffer) -> Proposal:
    before, policy = card.proposal, draft.state.policy
    until = day_said(date_of(expiry_of(policy, draft.now), policy.zone))
    more = Wording() if policy.autonomous else say(" Autopilot does nothing yet; a yes switches it on, for this only.")
    prompt = say(
        "You approved “{example}” {number} of {number} times. Put it on autopilot?",
        example=as_worded(asked.example, asked.example_worded),
        number=asked.yeses,
    )
    reasoning = say(
        "Until {day} it would run without asking while you are away.{more} If you undo it once, Pulse asks again.",
        day=until,
        more=more,
    )
    return Proposal(
        prompt=prompt.text,
        channel=before.channel,
        agent=before.agent,
        confidence=before.confidence,
        factors=Factors(twin=None, pattern=1.0, urgency=0.0, time=0.0),
        reasoning=reasoning.text,
        source=Source.TEMPLATE,
        kind=KIND,
        reason_key=f"{KIND}:{_row_of(before, plan)}",
        signature=f"{asked.yeses}",
        need=_need(asked),
        work=Work(workspace=before.work.workspace),
        risk=Risk.MEDIUM,
        cost_estimate_microusd=0,
        routed_by="affinity",
        origin=Origin.PULSE,
        quotes=(),
        repository=before.repository,
        details=f"It runs: {in_words(plan)}",
        prompt_worded=prompt.worded,
        reasoning_worded=reasoning.worded,
    )


def _need(asked: AloneOffer) -> Need:
    """Bind the card's hash to what a yes is for: the text of a card names it, and does not tell two commands apart."""
    bound = f"{asked.kind} {asked.repository} {asked.shape}"
    return Need(text=NOTHING_RUNS, exit_code=None, expected_text=bound)


def _switch_on(draft: Draft) -> None:
    """Let Pulse act alone at all, as Settings would; what may then run alone is what was said yes to."""
    if draft.state.policy.autonomous:
        return
    overrides = overridden(draft.mind.overrides, ConfigPatch(autonomous=True), draft.state.file_policy)
    draft.state = replace(draft.state, policy=effective(draft.state.file_policy, overrides.patch))
    draft.set_mind(replace(draft.mind, overrides=overrides))


def _is_first_yes(card: Card, answer: Answer) -> bool:
    return answer.verb is Verb.APPROVE and answer.is_persons and (card.attempts, card.round) == (1, 0)


def _one_more(draft: Draft, key: str) -> None:
    mind: Mind = draft.mind
    before = mind.streaks.get(key, Streak(yeses=0, last_at=draft.now))
    others = {each: row for each, row in mind.streaks.items() if each != key}
    counted = replace(before, yeses=before.yeses + 1, last_at=draft.now)
    draft.set_mind(replace(mind, streaks=last_of({**others, key: counted}, STREAKS_MAX)))


def _place_of(kind: str, repository: str | None) -> str:
    return digest(kind, repository or "")


def _row_of(proposal: Proposal, plan: Plan) -> str:
    return f"{_place_of(proposal.kind, proposal.work.workspace)}:{shape_of(plan)}"


def _never_alone(kind: str) -> Refused:
    return Refused(
        code="never-alone",
        status=400,
        detail=f"{kind!r} cannot go on autopilot. Nothing was changed.",
        fix=f"These may: {', '.join(RUNS_ALONE)}.",
    )
