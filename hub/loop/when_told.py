"""When a held card was told: an answer teaches that moment, not the one at which the card was made.

Theory: a person answers where they stand. The hour, the day, what has just happened, their presence and their silence
are those of the telling, or of the answer where somebody found the card in a list first; what the card is about stays
as it was proposed. The moment is kept with the card, so a restart between telling and answer changes nothing, and the
proposal is left alone, so its estimate can be made again as it was. What is told is estimated anew for its moment: it
is what the person is shown, what the telling is weighed by, and what is compared with their answer. Who finds a card in
a list was shown the estimate of its making.
"""

from zoneinfo import ZoneInfo

from msgspec.structs import replace

from hub.domain.likelihood import Features, WhenTold
from hub.domain.moment import Change
from hub.domain.suggestion import Card
from hub.learn.yes import estimate
from hub.loop.draft import Draft
from hub.loop.likelihood import calendar_level, hour_of, just_before, presence_of, silence_level

CHANGES = frozenset(str(change) for change in Change)


def told_now(draft: Draft, card: Card) -> Card:
    """Return the card with this moment, where it was held and has odds; any other as it is."""
    likelihood = card.proposal.likelihood
    if card.held is None or likelihood is None:
        return card
    return replace(card, when_told=_moment(draft, likelihood.about))


def estimated_now(draft: Draft, card: Card) -> Card:
    """Return the card with this moment, and with how likely a yes is by now, where it was held and has odds."""
    card = told_now(draft, card)
    about, told = about_when_told(card), card.when_told
    if card.held is None or about is None or told is None:
        return card
    return replace(card, when_told=replace(told, estimate=estimate(draft.state.habits.model, about)))


def about_when_told(card: Card) -> Features | None:
    """Return what an answer to a card is about; None where no odds were given."""
    likelihood, told = card.proposal.likelihood, card.when_told
    if likelihood is None or told is None:
        return None if likelihood is None else likelihood.about
    about = likelihood.about
    calendar = about.levels.calendar if told.calendar is None else told.calendar
    return replace(
        about,
        at=told.at,
        hour=told.hour,
        weekday=told.weekday,
        silence_s=told.silence_s,
        presence=told.presence,
        happened=told.happened,
        levels=replace(about.levels, silence=silence_level(told.silence_s), calendar=calendar),
    )


def _moment(draft: Draft, about: Features) -> WhenTold:
    state, now = draft.state, draft.now
    local, spoke_at = now.astimezone(ZoneInfo(state.policy.zone)), draft.mind.last_message_at
    starts = [start for start, _ in state.meetings]
    # Why Pulse looked is still why; a change that caused the look is over by now.
    caused = "" if about.happened in CHANGES else about.happened
    return WhenTold(
        at=now,
        hour=hour_of(local),
        weekday=local.weekday(),
        silence_s=None if spoke_at is None else max((now - spoke_at).total_seconds(), 0.0),
        presence=presence_of(state.changes, now),
        happened=just_before(state, now) or caused,
        calendar=calendar_level(starts, now) if starts else None,
    )
