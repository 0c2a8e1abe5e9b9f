"""From marks to an answer. Pure: the same marks give the same outcome, in whatever order they came.

Theory. A person's marks (a reaction, a super reaction, a button) are a set; what it says is the most careful choice in
it, so that ❌ added to ✅ is a no, from whichever side it is seen. Who weighs nothing is shown and not counted.

A quorum approves when the approvals weigh `needed` or more *and* ATTENTION's aggregation agrees: more than half of the
votes, and a mean above 0.6, where an approval is 1, a snooze 0.5 and a no 0. A no or a snooze of that weight wins if
nothing weighs more. The owner's no is a veto. At the deadline, or when everyone has voted, those who voted decide if
they weigh `needed` together; without a clear majority the tie rule speaks. Where nobody voted, nothing is answered.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Literal

import msgspec
from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.surface import VOTERS_MAX, Voter
from hub.contract.words import Verb
from hub.kit.phrase_files import phrases
from hub.kit.text import listed
from surfaces.discord.settings import Policy

SHARE_ABOVE = 0.5
MEAN_ABOVE = 0.6
SCORES = {Verb.APPROVE: 1.0, Verb.SNOOZE: 0.5, Verb.REJECT: 0.0}
CAREFUL_FIRST = (Verb.REJECT, Verb.SNOOZE, Verb.APPROVE)
NAMES_TOLD_MAX = 12
REASON_CHARS_MAX = 500
SAY = phrases()

Via = Literal["reaction", "super", "button"]


class Mark(Value):
    """One thing that somebody put on a card."""

    voter: str
    verb: Verb
    via: Via = "reaction"


class Voice(Value):
    """What is known of one voter: what Pulse calls them, what their vote weighs, and whether they are the owner."""

    id: str
    name: str
    weight: float = 0.0
    owner: bool = False


class Poll(Value):
    """One vote on one card: the rules, what all voters weigh together (None: unknown), and since when."""

    policy: Policy
    opened_at: datetime
    offered: tuple[Verb, ...] = CAREFUL_FIRST
    total: float | None = None

    @property
    def deadline_at(self) -> datetime:
        """When those who voted decide."""
        return self.opened_at + timedelta(seconds=self.policy.deadline_s)


class Outcome(Value):
    """What the votes say. `holds` is how long it must stand before it is handed in."""

    verb: Verb
    by: str
    reason: str
    hold_s: float = 0.0


class Tally(Value):
    """How a vote stands. `voters` are ordered: those that count first, then by id. `by_verb` are those that count."""

    voters: tuple[Voter, ...] = ()
    by_verb: dict[Verb, list[Voter]] = msgspec.field(default_factory=dict)
    weights: dict[Verb, float] = msgspec.field(default_factory=dict)
    outcome: Outcome | None = None
    note: str = ""

    def weight(self, verb: Verb) -> float:
        """Return what the counted votes for an answer weigh."""
        return self.weights.get(verb, 0.0)


def tally(poll: Poll, marks: Iterable[Mark], voices: Mapping[str, Voice], now: datetime) -> Tally:
    """Count the marks and say what follows; the order of `marks` does not matter."""
    chosen = choices(mark for mark in marks if mark.verb in poll.offered)
    standing = count(
        _voter(voices.get(person) or Voice(id=person, name=person), verb) for person, verb in chosen.items()
    )
    if poll.policy.kind == "quorum":
        owner = next((person for person in chosen if person in voices and voices[person].owner), "")
        outcome = _quorum(poll, standing, owner, now)
    else:
        outcome = _single(poll, standing)
    return replace(standing, outcome=outcome, note=_note(poll, standing, now))


def choices(marks: Iterable[Mark]) -> dict[str, Verb]:
    """Return what each person says: of several marks of one person, the most careful."""
    chosen: dict[str, Verb] = {}
    for mark in marks:
        before = chosen.setdefault(mark.voter, mark.verb)
        if before is not mark.verb:
            chosen[mark.voter] = min(before, mark.verb, key=CAREFUL_FIRST.index)
    return chosen


def count(voters: Iterable[Voter]) -> Tally:
    """Order the votes and weigh them. All that is asked of a vote follows from this one walk over the voters."""
    ordered = sorted(voters, key=attrgetter("id"))
    by_verb: dict[Verb, list[Voter]] = {verb: [] for verb in CAREFUL_FIRST}
    strangers: list[Voter] = []
    for voter in ordered:
        (by_verb[voter.choice] if voter.counted else strangers).append(voter)
    weights = {verb: sum(voter.weight for voter in those) for verb, those in by_verb.items()}
    counting = [voter for voter in ordered if voter.counted]
    return Tally(voters=(*counting, *strangers), by_verb=by_verb, weights=weights)


def recorded(voters: tuple[Voter, ...]) -> tuple[Voter, ...]:
    """Return the voters as a decision carries them: all that count, and strangers as far as there is room."""
    return voters[:VOTERS_MAX]


def _voter(voice: Voice, choice: Verb) -> Voter:
    return Voter(
        id=voice.id,
        name=(voice.name or voice.id)[:80],
        choice=choice,
        weight=voice.weight,
        counted=voice.weight > 0,
    )


def _single(poll: Poll, standing: Tally) -> Outcome | None:
    """`owner` and `first`: the vote that counts decides; of several at one moment, the most careful."""
    first = next((voter for verb in CAREFUL_FIRST for voter in standing.by_verb[verb]), None)
    if first is None:
        return None
    rule = "the owner decides here" if poll.policy.kind == "owner" else "the first vote decides here"
    return Outcome(verb=first.choice, by=first.name, reason=rule)


def _quorum(poll: Poll, standing: Tally, owner_id: str, now: datetime) -> Outcome | None:
    owner = next((voter for voter in standing.voters if voter.id == owner_id), None) if owner_id else None
    if owner is not None and owner.choice is Verb.REJECT:
        return Outcome(verb=Verb.REJECT, by=owner.name, reason=_told(standing, f"vetoed by {owner.name}"))
    needed, weights = poll.policy.needed, standing.weights
    if weights[Verb.APPROVE] >= needed and _agrees(standing):
        return _by_vote(poll, standing, Verb.APPROVE, f"{weights[Verb.APPROVE]:g} of {needed:g} needed approved")
    for verb in (Verb.REJECT, Verb.SNOOZE):
        if weights[verb] >= needed and all(weights[verb] > weights[one] for one in CAREFUL_FIRST if one is not verb):
            return _by_vote(poll, standing, verb, f"{weights[verb]:g} of {needed:g} needed {_say(verb)}")
    turnout = sum(weights.values())
    everybody = poll.total is not None and turnout >= poll.total
    if turnout < needed or not (everybody or now >= poll.deadline_at):
        return None
    why = "everyone has voted" if everybody else "voting has closed"
    return _closing(poll, standing, owner.choice if owner else None, why)


def _closing(poll: Poll, standing: Tally, owners_choice: Verb | None, why: str) -> Outcome | None:
    """Let those who voted decide; without a clear majority the tie rule does."""
    if _agrees(standing):
        return _by_vote(poll, standing, Verb.APPROVE, f"{why}; most approved")
    weights = standing.weights
    best = max(weights.values())
    leaders = [verb for verb in CAREFUL_FIRST if weights[verb] == best]
    if len(leaders) == 1 and leaders[0] is not Verb.APPROVE:
        return _by_vote(poll, standing, leaders[0], f"{why}; most {_say(leaders[0])}")
    match poll.policy.tie:
        case "wait":
            return None
        case "owner":
            verb = owners_choice
        case rule:
            verb = Verb(rule)
    if verb is None or verb not in poll.offered:
        return None
    return _by_vote(poll, standing, verb, f"{why}; no clear majority, so {_rule(poll)}")


def _agrees(standing: Tally) -> bool:
    """ATTENTION's aggregation: more than half of the votes, and a mean above 0.6."""
    heads, weight = sum(map(len, standing.by_verb.values())), sum(standing.weights.values())
    if not weight:
        return False
    share = len(standing.by_verb[Verb.APPROVE]) / heads
    # Rounded, so that three tenths and six tenths compare as written, whatever the order of the sum.
    mean = round(sum(SCORES[verb] * weighs for verb, weighs in standing.weights.items()) / weight, 9)
    return share > SHARE_ABOVE and mean > MEAN_ABOVE


def _by_vote(poll: Poll, standing: Tally, verb: Verb, why: str) -> Outcome:
    return Outcome(verb=verb, by="vote", reason=_told(standing, why), hold_s=poll.policy.grace_s)


def _told(standing: Tally, why: str) -> str:
    """Say why, and who voted how."""
    parts = []
    for verb in reversed(CAREFUL_FIRST):
        names = [voter.name for voter in standing.by_verb[verb]]
        if names:
            parts.append(f"{SAY.say(f'{verb.value}.done')}: {listed(names, shown_max=NAMES_TOLD_MAX)}")
    return f"{why} ({'; '.join(parts)})"[:REASON_CHARS_MAX]


def _note(poll: Poll, standing: Tally, now: datetime) -> str:
    policy = poll.policy
    if policy.kind == "owner":
        return "The owner decides."
    if policy.kind == "first":
        return "The first vote decides."
    most = max(standing.weights.values())
    may_vote = f" ({poll.total:g} may vote)" if poll.total is not None else ""
    closed = " Voting has closed." if now >= poll.deadline_at else ""
    return f"{most:g} of {policy.needed:g} votes needed{may_vote}.{closed}"


def _rule(poll: Poll) -> str:
    tie = poll.policy.tie
    return "the owner's vote breaks the tie" if tie == "owner" else f"it is {SAY.say(f'{tie}.done')}"


def _say(verb: Verb) -> str:
    said = {Verb.REJECT: "were against", Verb.SNOOZE: "would {=snooze}", Verb.APPROVE: "{=approve.done}"}
    return SAY.fill(said[verb])
