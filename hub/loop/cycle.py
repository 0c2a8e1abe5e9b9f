"""One cycle, in the order of the rooms: sense, when, what, may, where; the rest follows in runs.py."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.events import ExecutionStarted, PredictionSettled
from hub.contract.words import Badge, MoveReason, Risk
from hub.do import tester_of
from hub.domain.attention import Weighed
from hub.domain.episode import Proposed, Sensed
from hub.domain.judgement import AskHuman, Judgement, Permit, Refusal
from hub.domain.moment import Moment, NotNow, Occasion
from hub.domain.plan import AnyPlan, cannot
from hub.domain.policy import Bands
from hub.domain.provenance import say
from hub.domain.readings import Reading
from hub.domain.situation import Situation
from hub.domain.suggestion import Card, Guess, Proposal
from hub.domain.twin import TwinReply
from hub.learn import context_of
from hub.loop import drives, mended, reminders, waking
from hub.loop.attention import announce, held, note_meetings, weigh
from hub.loop.autonomy import become, happen, spoke
from hub.loop.away import made
from hub.loop.basis import NotedEstimates, basis_of
from hub.loop.commands import AskTwin, Resolve, Tell
from hub.loop.costs import book
from hub.loop.cycle_begin_end import current, end
from hub.loop.digests import note_day
from hub.loop.draft import Draft
from hub.loop.earned import note_run_alone
from hub.loop.events import CycleBroke, ModelCalled, Resolved, SensorsRead, TwinAnswered
from hub.loop.fresh_card import fresh_card
from hub.loop.grants import confirm, log_entry, note_judgement, rule
from hub.loop.known_reasons import forget_ended, join_open, remember
from hub.loop.lapsed_cards import take_back_passed
from hub.loop.likelihood import likely
from hub.loop.news import note_looked, sayable, urgency_min
from hub.loop.open_again import as_it_is_now, asked_again, could_run
from hub.loop.phases import NOTHING_LET
from hub.loop.run_request import asked_about
from hub.loop.state import Cycle
from hub.loop.tell import tell
from hub.loop.today import note_agenda
from hub.may import after_trigger, cap_worded, doubted, has_room, held_back, may_run_alone, risky
from hub.sense import assemble
from hub.what import after_shown, offers, propose, waiting_for, why_nothing
from hub.when import Happening, after_thinking, decide

WAITS_ALREADY = "This is already waiting for you: see `pulse cards`."


def on_looked(draft: Draft, event: SensorsRead) -> None:
    """Sense → when: make the situation, let go what it shows to be over, and ask whether now is the moment."""
    cycle = current(draft, event.cycle_id)
    if cycle is None:
        return
    draft.recount()
    situation = sense(draft, event.readings)
    note_meetings(draft, situation)
    reminders.remind(draft, situation)
    note_agenda(draft, situation)
    note_day(draft)
    take_back_passed(draft, situation)
    mended.clear_seen(draft, situation)
    forget_ended(draft, situation)
    join_open(draft, situation)
    drives.press(draft, situation)
    moment = _moment(draft, cycle, situation.silence)
    become(draft, moment.autonomy)
    if isinstance(moment, NotNow):
        end(draft, cycle, None, moment.why)
        return
    cycle = replace(cycle, situation=situation, may_act=moment.may_act, urgency_min=moment.urgency_min)
    if _asks_model(draft, cycle) and not waking.goes_outside(draft, cycle):
        draft.state = replace(draft.state, cycle=replace(cycle, stage="asking-twin"))
        draft.commands.append(
            AskTwin(cycle_id=cycle.id, situation=situation, offers=offers(draft.ideas(situation), draft.mind))
        )
    else:
        think(draft, cycle, situation, ())


def on_twin(draft: Draft, event: TwinAnswered) -> None:
    """The models answered, or did not; either way the cycle goes on, if it is still the moment.

    A person may have spoken, paused Pulse or asked for quiet while the model thought.
    """
    _hear(draft, event.reply)
    cycle = current(draft, event.cycle_id)
    if cycle is None or cycle.situation is None:
        return
    still = _still_the_moment(draft, cycle)
    if still is not None:
        think(draft, still, cycle.situation, event.reply.guesses)


def on_model_called(draft: Draft, event: ModelCalled) -> None:
    """A model was asked for something else: what that cost is booked all the same."""
    _hear(draft, event.reply)


def _asks_model(draft: Draft, cycle: Cycle) -> bool:
    """Return True if models are asked: not for a wish, nor for each change, nor where the budgets have no room."""
    policy, ledger = draft.state.policy, draft.mind.ledger
    if not policy.twin or cycle.hint is not None or cycle.occasion is Occasion.CHANGE:
        return False
    return has_room(ledger, policy, draft.now, sum(each.estimate_microusd for each in policy.twins))


def _hear(draft: Draft, reply: TwinReply) -> None:
    """Book what asking cost, and keep what a person is to know of it."""
    book(draft, reply.cost_microusd)
    if reply.trouble != draft.state.model_trouble:
        draft.state = replace(draft.state, model_trouble=reply.trouble, model_trouble_worded=reply.trouble_worded)


def on_resolved(draft: Draft, event: Resolved) -> None:
    """It is known what would run for what was chosen: judge that, if it is still the moment."""
    cycle = current(draft, event.cycle_id)
    if cycle is None or cycle.situation is None or cycle.choice is None:
        return
    still = _still_the_moment(draft, cycle)
    if still is None:
        return
    if not still.again:
        put(draft, still, cycle.situation, cycle.choice, event.plan)
    elif not _run_again(draft, still, cycle.situation, cycle.choice, event.plan):
        _suggest(draft, replace(still, again="", choice=None), cycle.situation, cycle.choice.guesses)


def _still_the_moment(draft: Draft, cycle: Cycle) -> Cycle | None:
    """Look at the moment again after something slow; None: the cycle has ended, and the requester was told."""
    draft.recount()
    last = draft.mind.last_message_at
    silence = None if last is None else draft.now - last
    moment = _moment(draft, cycle, silence)
    become(draft, moment.autonomy)
    if isinstance(moment, NotNow):
        end(draft, cycle, None, moment.why)
        return None
    return replace(cycle, may_act=moment.may_act, urgency_min=moment.urgency_min)


def _moment(draft: Draft, cycle: Cycle, silence: timedelta | None) -> Moment | NotNow:
    policy, least = draft.state.policy, urgency_min(draft)
    return decide(draft.mind, policy, cycle.occasion, now=draft.now, silence=silence, urgency_min=least)


def on_broke(draft: Draft, event: CycleBroke) -> None:
    """Looking or asking broke: give up this cycle, so that the next can begin."""
    cycle = current(draft, event.cycle_id)
    if cycle is not None:
        end(draft, cycle, None, f"Pulse could not check what is going on: {event.why}")


def sense(draft: Draft, readings: Mapping[str, Reading]) -> Situation:
    """Make the situation; a message that only a transcript shows ends silence as well."""
    situation = assemble(readings, now=draft.now, zone=draft.state.policy.zone)
    if situation.silence is not None:
        spoke(draft, draft.now - situation.silence)
    return situation


def think(draft: Draft, cycle: Cycle, situation: Situation, guesses: tuple[Guess, ...]) -> None:
    """What: see whether something open may run alone now; else propose. Either way ask what would run for it."""
    found = could_run(draft, cycle, situation, guesses)
    if found is None:
        _suggest(draft, cycle, situation, guesses)
        return
    card, choice = found
    _resolve(draft, replace(cycle, again=card.id), situation, choice)


def _run_again(draft: Draft, cycle: Cycle, situation: Situation, choice: Proposed, plan: AnyPlan) -> bool:
    """Run an open card alone, if it is still as it was and every rail permits it; say whether it was."""
    card, policy = as_it_is_now(draft, cycle, choice, plan), draft.state.policy
    if card is None:
        return False
    asked, ledger = asked_again(draft, cycle, situation, card), draft.mind.ledger
    judgement = rule(draft, choice.proposal, asked)
    if not isinstance(judgement.outcome, Permit):
        return False
    note_looked(draft, cycle, situation, choice)
    draft.note(card.id, Sensed(situation=situation))
    draft.note(card.id, choice)
    note_judgement(draft, asked, judgement, ledger)
    after = after_trigger(draft.mind.ledger, choice.proposal, asked, policy, draft.now)
    draft.set_mind(replace(draft.mind, ledger=after))
    _follow(draft, cycle, card, judgement)
    return True


def _suggest(draft: Draft, cycle: Cycle, situation: Situation, guesses: tuple[Guess, ...]) -> None:
    policy = draft.state.policy
    waiting = draft.state.open_suggestions
    if waiting >= policy.pending_max:
        _thought(draft, cycle, found=False)
        nothing_seen = replace(cycle, situation=None)  # what there was no room for was not brought up
        end(draft, nothing_seen, None, f"{waiting} suggestions are already waiting; answer some first")
        return
    if waking.goes_outside(draft, cycle):
        _wake(draft, cycle, situation)
        return
    only, noted = sayable(draft, cycle, situation), NotedEstimates(likely(draft, cycle, situation))
    choice = propose(
        situation,
        policy,
        draft.mind,
        known=draft.state.known,
        open_keys=draft.facts.open_keys,
        guesses=guesses,
        channel=cycle.channel,
        hint=cycle.hint,
        by_program=cycle.by_program,
        asked=cycle.occasion is Occasion.MANUAL,
        only=only,
        likely=noted,
        found=draft.ideas(situation),
    )
    if choice is not None:
        choice = replace(choice, basis=basis_of(draft, cycle, situation, choice, only=only, noted=noted))
    note_looked(draft, cycle, situation, choice)
    if choice is None:
        _thought(draft, cycle, found=False)
        _end_without(draft, cycle, situation)
        return
    proposal = replace(choice.proposal, own_words=cycle.in_person) if cycle.hint else choice.proposal
    _resolve(draft, cycle, situation, replace(choice, proposal=proposal, guesses=guesses))


def _end_without(draft: Draft, cycle: Cycle, situation: Situation) -> None:
    """Tell the requester why there is no new card; where an open one says what a hint asks for, it is that card."""
    found, cards = draft.ideas(situation), draft.facts.open_cards
    card = waiting_for(cycle.hint or "", found, situation, draft.mind, open_cards=cards, channel=cycle.channel)
    end(
        draft,
        cycle,
        card,
        why_nothing(cycle.hint, situation, by_program=cycle.by_program) if card is None else WAITS_ALREADY,
    )


def _wake(draft: Draft, cycle: Cycle, situation: Situation) -> None:
    """Propose to wake the agent outside; what is then done is its own."""
    choice = waking.proposed(draft, cycle)
    note_looked(draft, cycle, situation, choice)
    if choice is None:
        _thought(draft, cycle, found=False)
        end(draft, cycle, None, waking.WAITS)
        return
    _resolve(draft, cycle, situation, choice)


def _resolve(draft: Draft, cycle: Cycle, situation: Situation, choice: Proposed) -> None:
    """Ask what would run for a choice."""
    policy = draft.state.policy
    cycle = replace(cycle, stage="resolving", situation=situation, choice=choice)
    agent = policy.agent(choice.proposal.agent)
    if agent is None:  # the rails say so in their own words
        why = say("There is no agent {name}", name=choice.proposal.agent)
        put(draft, cycle, situation, choice, cannot(why))
        return
    draft.state = replace(draft.state, cycle=cycle)
    work, need = choice.proposal.work, choice.proposal.need
    draft.commands.append(Resolve(cycle_id=cycle.id, agent=agent, work=work, tester=tester_of(need, policy)))


def put(draft: Draft, cycle: Cycle, situation: Situation, choice: Proposed, plan: AnyPlan) -> None:
    """May → where: judge the choice, and put a card before the person or (rarely) go ahead."""
    policy = draft.state.policy
    trigger: Literal["cron", "manual"] = "manual" if cycle.occasion is Occasion.MANUAL else "cron"
    card = fresh_card(draft, choice.proposal, plan, trigger=trigger)
    card = replace(card, context=context_of(situation))
    asked = asked_about(draft, card, cycle, situation)
    ledger = draft.mind.ledger
    judgement = rule(draft, choice.proposal, asked)
    if (kept := held_back(choice.proposal, judgement)) is not None:
        choice = replace(choice, proposal=risky(choice.proposal, kept))
    else:
        choice = replace(choice, proposal=doubted(choice.proposal, judgement))
    card = replace(card, proposal=choice.proposal)
    card = replace(card, badges=_badges(choice.proposal, judgement, policy.bands))
    if isinstance(judgement.outcome, Refusal) and judgement.outcome.afterwards == "unsaid":
        _thought(draft, cycle, found=False)
        end(draft, cycle, None, f"{judgement.outcome.reason} {judgement.outcome.fix}".strip())
        return
    weighed = weigh(draft, cycle, card) if isinstance(judgement.outcome, AskHuman) else None
    card = held(draft, card, weighed)
    draft.add(card)
    draft.note(card.id, Sensed(situation=situation))
    draft.note(card.id, choice)
    note_judgement(draft, asked, judgement, ledger)
    if weighed is not None:
        draft.note(card.id, weighed)
    if not (isinstance(judgement.outcome, Refusal) and judgement.outcome.afterwards == "again"):
        remember(draft, choice.proposal.reason_key, choice.proposal.signature)
    if not isinstance(judgement.outcome, Refusal):
        ledger = after_trigger(draft.mind.ledger, choice.proposal, asked, policy, draft.now)
        channels = {**draft.mind.channel_last_at, choice.proposal.channel: draft.now}
        draft.set_mind(replace(draft.mind, ledger=ledger, channel_last_at=channels))
        kind, place = choice.proposal.kind, choice.proposal.work.workspace
        draft.set_mind(after_shown(draft.mind, kind, place, choice.proposal.channel, draft.now))
    _follow(draft, cycle, card, judgement, weighed)


def _follow(draft: Draft, cycle: Cycle, card: Card, judgement: Judgement, weighed: Weighed | None = None) -> None:
    """What the judgement means: blocked and kept for review, a card for the person, or leave to act."""
    match judgement.outcome:
        case Refusal() as refusal:
            blocked = draft.move(replace(card, outcome=refusal.reason), MoveReason.BLOCKED)
            draft.commands.append(Tell(event=PredictionSettled(prediction=draft.view(blocked))))
            draft.changes.append(log_entry(draft, card, refusal.rule))
            _thought(draft, cycle, found=False)
            if refusal.pauses:
                happen(draft, Happening.COST_CAP, refusal.reason, cap_worded(judgement.verdicts, draft.mind.ledger))
            end(draft, cycle, blocked, refusal.reason)
        case AskHuman():
            announce(draft, card, weighed)
            made(draft)
            _thought(draft, cycle, found=True)
            kept = held_back(card.proposal, judgement)
            end(draft, cycle, card, "" if kept is None else kept.reason, triggered=True)
        case Permit() as permit:
            note_run_alone(draft, card.proposal, card.plan)
            confirmed = confirm(draft, card, permit, answer=None)
            view, run_id = draft.view(confirmed), permit.execution_id
            started = ExecutionStarted(prediction=view, execution_id=run_id, autonomous=True)
            tell(draft, started, confirmed)
            _thought(draft, cycle, found=True)
            end(draft, cycle, confirmed, "", triggered=True)


def _thought(draft: Draft, cycle: Cycle, *, found: bool) -> None:
    if cycle.occasion not in {Occasion.CRON, Occasion.DRIVE}:
        return
    policy = draft.state.policy
    if policy.autonomous and not may_run_alone(draft.mind.ledger, policy, draft.now):
        happen(draft, Happening.AUTONOMY_OFF, NOTHING_LET.text, NOTHING_LET.wording)
        return
    become(draft, after_thinking(draft.mind.autonomy, policy, found=found, now=draft.now))


def _badges(proposal: Proposal, judgement: Judgement, bands: Bands) -> tuple[Badge, ...]:
    novel = any(verdict.rule == "gate.novel" for verdict in judgement.verdicts)
    marks = (
        (Badge.SUGGESTED, proposal.confidence >= bands.suggest),
        (Badge.NEW, novel),
        (Badge.RISKY, proposal.risk is Risk.HIGH),
    )
    return tuple(badge for badge, holds in marks if holds)
