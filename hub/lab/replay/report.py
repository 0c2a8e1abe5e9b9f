"""Replaying a trace before each person, and what comes of it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Message, Value
from hub.contract.words import Verb
from hub.domain.likelihood import Features
from hub.domain.suggestion import Card
from hub.lab.persons import Person, persons
from hub.lab.replay.contenders import CONTENDERS, PULSE
from hub.lab.replay.days import BANDS, RESAMPLES, Costs, DayCount, Figure, bounded, drawn, fewer, measures, total
from hub.lab.replay.dice import chance
from hub.lab.replay.rehearsal import Rehearsal
from hub.lab.replay.trace import TraceEvent, in_order
from hub.loop import State
from hub.loop.likelihood import just_before, presence_of

ODD = 0.05
ANSWERED_AFTER = timedelta(minutes=1)
LOOKED_AFTER = timedelta(hours=1)
DAYS_MAX = 30
EVERYBODY = "everybody"
_NAMES = (PULSE, *CONTENDERS)


class Opportunity(Value):
    """Something that could be said, or was: what it is, when, and how likely a yes was thought to be."""

    key: tuple[str, str]
    about: Features
    at: datetime
    p: float


class ContenderFigures(Message):
    """How one contender did, with what it `said`, and how often the answer was a yes."""

    contender: str
    said: int
    yes: int
    figures: dict[str, Figure]


class AgainstFigures(Message):
    """By which share Pulse interrupts less than another does, 0 to 1; below 0 it interrupts more.

    `fewer_at_equal_recall` is at the lower of both recalls: whoever found more is thought to leave out as much of what
    it says as brings it there, at random, so that its interruptions fall with what it finds. `fewer_for_each_yes`
    counts every yes, also one to what was not wanted yet when it was found.
    """

    against: str
    fewer_at_equal_recall: Figure
    fewer_for_each_yes: Figure


class PersonFigures(Message):
    """One person: how much there was to say, how much of it they wanted, and how all did.

    Of `everybody` the counts are of all together, and the figures a day those of one person.
    """

    person: str
    habit: str
    offered: int
    wanted: int
    contenders: tuple[ContenderFigures, ...]
    against: tuple[AgainstFigures, ...]


class ReplayReport(Message):
    """What came of a replay. `odd` is the share of answers at odds with the habit; intervals are of 95 %."""

    events: int
    days: int
    first_day: date
    last_day: date
    repositories: tuple[str, ...]
    odd: float
    costs: Costs
    resamples: int
    persons: tuple[PersonFigures, ...]
    everybody: PersonFigures


class ReplayedTrace(Value):
    """What is the same for all persons: the trace, what there was to say in it, and its days."""

    state: State
    trace: tuple[TraceEvent, ...]
    offers: tuple[Opportunity, ...]
    days: tuple[date, ...]
    costs: Costs

    def gone(self, at: datetime) -> float:
        """Return which share of the time is over."""
        first, last = self.trace[0].at, self.trace[-1].at
        return (at - first) / (last - first) if last > first else 0.0


Rows = dict[str, list[DayCount]]
"""What is counted of each contender, day by day."""


class PersonRows(Value):
    """One person's rows, or those of several `people` added up."""

    name: str
    words: str
    rows: Mapping[str, Sequence[DayCount]]
    people: int = 1


def report_of(state: State, events: tuple[TraceEvent, ...], *, days_max: int = DAYS_MAX) -> ReplayReport:
    """Replay before every person.

    Args:
        state: a hub that has just been made, with the policy to be tried.
        events: what happened, of all traces.
        days_max: so many of the latest days are replayed, on which anything happened.

    Raises:
        BadTraceError: there is nothing to replay.
    """
    trace = in_order(events, days_max)
    offers = found_worth_a_card(state, trace)
    days = tuple(sorted({event.at.date() for event in trace} | {offer.at.date() for offer in offers}))
    asked = ReplayedTrace(state=state, trace=trace, offers=offers, days=days, costs=Costs())
    rows = {person: _days_of(asked, person) for person in _persons(offers)}
    drawings = drawn(len(days))
    together = {name: [total([found[name][n] for found in rows.values()]) for n in range(len(days))] for name in _NAMES}
    every = PersonRows(name=EVERYBODY, words="all of them", rows=together, people=len(rows))
    return ReplayReport(
        events=len(trace),
        days=len(days),
        first_day=days[0],
        last_day=days[-1],
        repositories=tuple(sorted({event.repository for event in trace if event.repository})),
        odd=ODD,
        costs=asked.costs,
        resamples=RESAMPLES,
        persons=tuple(
            _figures(PersonRows(name=person.name, words=person.words, rows=found), drawings, asked.costs)
            for person, found in rows.items()
        ),
        everybody=_figures(every, drawings, asked.costs),
    )


def found_worth_a_card(state: State, trace: tuple[TraceEvent, ...]) -> tuple[Opportunity, ...]:
    """Return what there is to say: what the loop says to somebody who says yes to everything, each matter once."""
    onlooker = _WhoWantsAll()
    Rehearsal(state, trace, onlooker).play()
    return tuple(onlooker.offers.values())


class _WhoWantsAll:
    """Looks at everything at once, and says yes."""

    def __init__(self) -> None:
        self.offers: dict[tuple[str, str], Opportunity] = {}

    def made(self, rehearsal: Rehearsal, card: Card) -> None:
        offer = _offer(card, rehearsal.now)
        if offer is not None:
            self.offers.setdefault(offer.key, offer)
            rehearsal.answer(card, Verb.APPROVE, ANSWERED_AFTER)

    def told(self, rehearsal: Rehearsal, card: Card, *, is_heard: bool) -> None:
        """Do nothing: it is known already."""

    def interrupted(self, rehearsal: Rehearsal) -> None:
        """Do nothing: it is not minded."""


def _offer(card: Card, at: datetime) -> Opportunity | None:
    proposal = card.proposal
    if proposal.likelihood is None:
        return None
    key, told = (proposal.reason_key, proposal.signature), card.when_told
    is_anew = told is not None and told.estimate is not None and told.estimate.is_learnt
    p = card.estimate.p if is_anew and card.estimate is not None else proposal.confidence
    return Opportunity(key=key, about=proposal.likelihood.about, at=at, p=p)


def _persons(offers: Sequence[Opportunity]) -> tuple[Person, ...]:
    """Return the persons of this trace: every other kind, the most frequent first, is liked by who goes by kind."""
    kinds = sorted({offer.about.kind for offer in offers}, key=lambda kind: (-_count(offers, kind), kind))
    places = sorted({offer.about.repository for offer in offers if offer.about.repository})
    return persons(kinds[::2], kinds[1::2], places[-1] if len(places) > 1 else "")


def _count(offers: Sequence[Opportunity], kind: str) -> int:
    return sum(offer.about.kind == kind for offer in offers)


class _PersonsAnswers:
    """What one person says to anything: the same whoever asks, at the same moment."""

    def __init__(self, asked: ReplayedTrace, person: Person) -> None:
        self._asked, self.person = asked, person

    def habit(self, offer: Opportunity) -> bool:
        """Return what the habit says."""
        return self.person.habit(offer.about, self._asked.gone(offer.at))

    def says(self, offer: Opportunity) -> bool:
        """Return what the person says, which now and then is at odds with the habit."""
        return self.habit(offer) != (chance(self.person.name, *offer.key) < ODD)


class _DayTally:
    """Counts what one contender says, by day."""

    def __init__(self, asked: ReplayedTrace, answers: _PersonsAnswers) -> None:
        self._at = {day: number for number, day in enumerate(asked.days)}
        self._answers = answers
        self.days = [DayCount() for _ in asked.days]
        self._wanted = {offer.key: offer.at.date() for offer in asked.offers if answers.says(offer)}
        for offer in asked.offers:
            habit, yes = answers.habit(offer), answers.says(offer)
            least = asked.costs.needless * (habit and not yes) + asked.costs.missed * (yes and not habit)
            self._add(offer.at.date(), offered=1, wanted=int(yes), least=least)

    def interrupt(self, day: date) -> None:
        """Count an interruption."""
        self._add(day, interruptions=1)

    def say(self, offer: Opportunity, *, is_heard: bool = True) -> bool:
        """Count that something was said, and return the answer."""
        yes = self._answers.says(offer)
        day = self._at.get(offer.at.date(), len(self.days) - 1)
        before, place = self.days[day], min(BANDS - 1, int(offer.p * BANDS))
        p, came, count = before.bands[place]
        bands = (*before.bands[:place], (p + offer.p, came + yes, count + 1), *before.bands[place + 1 :])
        squared = before.squared + (offer.p - yes) ** 2
        self.days[day] = replace(before, bands=bands, squared=squared)
        self._add(offer.at.date(), shown=1, yes=int(yes), noes=not yes and is_heard, silent_noes=not (yes or is_heard))
        if yes and (wanted := self._wanted.pop(offer.key, None)) is not None:
            self._add(wanted, found=1)
        return yes

    def _add(self, day: date, **more: float) -> None:
        number = self._at.get(day, len(self.days) - 1)
        before = self.days[number]
        self.days[number] = replace(before, **{name: getattr(before, name) + by for name, by in more.items()})


def _days_of(asked: ReplayedTrace, person: Person) -> Rows:
    answers = _PersonsAnswers(asked, person)
    rows = {PULSE: _by_pulse(asked, answers)}
    for name in CONTENDERS:
        rows[name] = _by_rule(asked, answers, name)
    return rows


def _by_pulse(asked: ReplayedTrace, answers: _PersonsAnswers) -> list[DayCount]:
    """Let the loop learn from this person's answers, through the whole trace."""
    onlooker = _ScriptedPerson(_DayTally(asked, answers))
    Rehearsal(asked.state, asked.trace, onlooker).play()
    return onlooker.tally.days


class _ScriptedPerson:
    """Answers what they are told, by how it is with them then; what comes silently is seen within the hour."""

    def __init__(self, tally: "_DayTally") -> None:
        self.tally = tally

    def made(self, rehearsal: Rehearsal, card: Card) -> None:
        """Do nothing: they are not told yet."""

    def told(self, rehearsal: Rehearsal, card: Card, *, is_heard: bool) -> None:
        offer = _offer(card, rehearsal.now)
        if offer is not None:
            is_alone = is_heard and rehearsal.told_at_once == 1
            yes = self.tally.say(_as_it_is_now(offer, rehearsal), is_heard=is_alone)
            after = ANSWERED_AFTER if is_heard else LOOKED_AFTER
            rehearsal.answer(card, Verb.APPROVE if yes else Verb.REJECT, after)

    def interrupted(self, rehearsal: Rehearsal) -> None:
        self.tally.interrupt(rehearsal.now.date())


def _as_it_is_now(offer: Opportunity, rehearsal: Rehearsal) -> Opportunity:
    """Return what a person goes by when they are told, which may be later than when it was found."""
    now, state = rehearsal.now, rehearsal.state
    about = replace(
        offer.about,
        hour=now.hour + now.minute / 60,
        weekday=now.weekday(),
        presence=presence_of(state.changes, now),
        happened=just_before(state, now) or offer.about.happened,
    )
    return replace(offer, about=about)


def _by_rule(asked: ReplayedTrace, answers: _PersonsAnswers, name: str) -> list[DayCount]:
    tally, contender = _DayTally(asked, answers), CONTENDERS[name]()
    for offer in asked.offers:
        p = contender.chance(offer.about)
        if p >= asked.state.policy.bands.show:
            tally.interrupt(offer.at.date())
            contender.hear(offer.about, yes=tally.say(replace(offer, p=p)))
    return tally.days


def _figures(of: PersonRows, drawings: list[list[int]], costs: Costs) -> PersonFigures:
    rows = of.rows
    sums = {name: total(days) for name, days in rows.items()}
    drawn_sums = {name: [total([days[n] for n in one]) for one in drawings] for name, days in rows.items()}
    count = len(drawings[0]) * of.people
    every = sums["always-ask"]
    return PersonFigures(
        person=of.name,
        habit=of.words,
        offered=every.offered,
        wanted=every.wanted,
        contenders=tuple(
            ContenderFigures(
                contender=name,
                said=sums[name].shown,
                yes=sums[name].yes,
                figures={
                    what: bounded(measure(sums[name], count), [measure(one, count) for one in drawn_sums[name]])
                    for what, measure in measures(costs).items()
                },
            )
            for name in rows
        ),
        against=tuple(
            AgainstFigures(
                against=name,
                fewer_at_equal_recall=_fewer(sums, drawn_sums, name, lambda day: day.found),
                fewer_for_each_yes=_fewer(sums, drawn_sums, name, lambda day: day.yes),
            )
            for name in rows
            if name not in {PULSE, "never-ask"}
        ),
    )


def _fewer(
    sums: Mapping[str, DayCount],
    drawn_sums: Mapping[str, list[DayCount]],
    other: str,
    help_of: Callable[[DayCount], int],
) -> Figure:
    """Return by which share Pulse needs fewer interruptions for each help than another does."""
    pairs = zip(drawn_sums[PULSE], drawn_sums[other], strict=True)
    return bounded(
        fewer(sums[PULSE], sums[other], help_of), [fewer(pulse, against, help_of) for pulse, against in pairs]
    )
