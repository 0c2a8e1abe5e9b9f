"""What time brings: cards that expire or come back from a snooze, pauses that end, and the half-hourly cycle."""

from datetime import datetime

from msgspec.structs import replace

from hub.contract.events import PredictionExpired, PredictionReturned
from hub.contract.words import MoveReason, Status
from hub.domain.drives import WAKES_MAX, DropOldWakes
from hub.domain.moment import Occasion
from hub.domain.suggestion import Card
from hub.loop import drives, permission_grants, reach, reminders, today, world_checks, world_watch
from hub.loop.at_agent import tell_unanswered
from hub.loop.autonomy import become
from hub.loop.commands import WakeAt
from hub.loop.cycle_begin_end import begin, end
from hub.loop.digests import next_note, note_day, note_return
from hub.loop.draft import Draft
from hub.loop.grant_record import record_autopilot
from hub.loop.hand_over import hand_over
from hub.loop.lessons import teach
from hub.loop.news import is_due
from hub.loop.releasing import next_release, release
from hub.loop.tell import tell
from hub.loop.views import seconds
from hub.loop.waiting import refuse_late
from hub.may import without_expired
from hub.when import due, next_cycle, next_wake, settle

AFTER_DUE_S = 1.0


def on_tick(draft: Draft) -> None:
    """Settle what is due, then see whether a cycle is."""
    draft.recount()
    for card in draft.facts.due:
        _due(draft, card)
    hand_over(draft)
    release(draft)
    note_return(draft)
    note_day(draft)
    tell_unanswered(draft)
    world_checks.on_tick(draft)
    draft.world.has_room = True  # what waited for time to pass may be asked now
    _drop_stuck_cycle(draft)
    refuse_late(draft)
    ledger = without_expired(draft.mind.ledger, draft.now)
    if ledger is not draft.mind.ledger:
        for one in draft.mind.ledger.standing:
            if one not in ledger.standing:
                record_autopilot(draft, one, "expired", "time")
        draft.set_mind(replace(draft.mind, ledger=ledger))
    permission_grants.drop_expired(draft)
    permission_grants.renew(draft)
    become(draft, settle(draft.mind, draft.state.policy, draft.now))
    last = draft.mind.last_cycle_at or draft.mind.started_at or draft.now
    if draft.state.cycle is None and next_cycle(draft.state.policy, last) <= draft.now:
        draft.set_mind(replace(draft.mind, last_cycle_at=draft.now))
        draft.changes.append(DropOldWakes(user=draft.state.user, kept=WAKES_MAX))
        begin(draft, Occasion.CRON)
    elif is_due(draft) or (draft.state.cycle is None and reminders.is_due(draft)):
        begin(draft, Occasion.CHANGE)
    elif draft.state.cycle is None and (woken := drives.woken(draft)) is not None:
        begin(draft, Occasion.DRIVE, wake=woken)
    world_watch.on_tick(draft)
    draft.commands.append(WakeAt(at=_next_tick(draft)))


def _next_tick(draft: Draft) -> datetime:
    """Return when to tick again: soon after cards were due, since more may be; else when the next one is."""
    wake = next_wake(draft.mind, draft.state.policy, draft.now)
    changes = None if draft.state.cycle else due(draft.state.changes, draft.state.policy)
    wake = min([wake, changes or wake, next_release(draft) or wake, *(one.until for one in draft.state.waiting)])
    pressing = None if draft.state.cycle else drives.next_moment(draft)
    wake = wake if pressing is None else min(wake, pressing)
    look = world_watch.next_look(draft)
    wake = wake if look is None else min(wake, max(look, draft.now))
    moments = (
        next_note(draft),
        today.next_at(draft),
        world_checks.next_end(draft),
        reach.next_look(draft),
        reminders.next_at(draft),
    )
    for moment in moments:
        wake = wake if moment is None else min(wake, moment)
    if draft.facts.due:
        return min(wake, draft.now + seconds(AFTER_DUE_S))
    card = draft.facts.next_due
    return wake if card is None or card <= draft.now else min(wake, card)


def expire(draft: Draft, card: Card) -> Card:
    """Let a card that nobody answered expire and tell everybody who shows it."""
    gone = draft.move(replace(card, snoozed_until=None), MoveReason.EXPIRED)
    if _was_seen(draft, card):
        teach(draft, card, "expired")
    tell(draft, PredictionExpired(card_id=card.id), gone)
    return gone


def _was_seen(draft: Draft, card: Card) -> bool:
    """Return True if the person surely saw it: they were active on a device after it had shown the card there.

    That a device showed it proves nothing about them; what they did not see they did not refuse.
    """
    active_at = {(one.surface, one.device): one.person_active_at for one in draft.state.devices}
    shown = (one for one in draft.facts.shown if one.card_id == card.id)
    moments = ((entry.at, active_at.get((entry.surface, entry.device))) for entry in shown)
    return any(active is not None and shown_at <= active <= card.expires_at for shown_at, active in moments)


def _due(draft: Draft, card: Card) -> None:
    if card.status is not Status.PENDING:
        return
    if card.expires_at <= draft.now:
        expire(draft, card)
    elif card.snoozed_until is not None and card.snoozed_until <= draft.now:
        back = draft.move(card, MoveReason.SNOOZE_OVER)
        tell(draft, PredictionReturned(prediction=draft.view(back), reason="the snooze is over"), back)


def _drop_stuck_cycle(draft: Draft) -> None:
    """A cycle whose sensors or model never answered must not stand in the way of the next."""
    cycle = draft.state.cycle
    if cycle is not None and draft.now - cycle.started_at > seconds(draft.state.limits.cycle_s_max):
        end(draft, cycle, None, "The sensors or the model did not answer in time.")
