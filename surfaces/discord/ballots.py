"""All ballots: who put what on which message, who they are, and how each vote stands. Pure: `now` is an argument.

A vote counts only while its voter was seen as a member of the server lately; whoever was not is looked up before
anything is decided, so somebody who left decides nothing.
"""

from collections import deque
from datetime import datetime, timedelta

from hub.contract.base import Value
from hub.contract.words import Verb
from hub.kit.chat.card import ChatCard
from hub.kit.shown import asks_twice
from surfaces.discord.ballot import Ballot, Entry, Sign
from surfaces.discord.card import voted
from surfaces.discord.people import Person, called, is_owner, weight_of
from surfaces.discord.settings import Config, total_weight
from surfaces.discord.votes import CAREFUL_FIRST, Mark, Poll, Tally, Via, Voice, tally

SEEN_LATELY = timedelta(minutes=5)
PEOPLE_MAX = 5_000
REMOVALS_MAX = 50
LOOKED_UP_MAX = 100
"""People of one message who are looked up before a decision; more than may vote by name, and a bound for roles."""
_STYLE = "\ufe0f"


class Removal(Value):
    """Somebody else's reaction that is to be taken away."""

    message_id: str
    emoji: str
    user_id: str


class Ballots:
    """All ballots, by the key of their message."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._ballots: dict[str, Ballot] = {}
        self._people: dict[str, tuple[Person, datetime]] = {}
        self._voices: dict[str, dict[str, Voice]] = {}
        """What somebody's vote weighs in each channel; made anew when their name or their roles change."""
        self._emoji = emoji_of(config)
        self._signs = {emoji.replace(_STYLE, ""): sign for sign, emoji in self._emoji.items()}
        """What each emoji means; the style mark that some clients add makes no difference."""
        self.listening = False
        self.may_remove = False
        self.removals: deque[Removal] = deque(maxlen=REMOVALS_MAX)

    def ballot(self, key: str) -> Ballot:
        """Return a message's ballot; a new one knows its votes only when there can be none yet."""
        return self._ballots.setdefault(key, Ballot())

    def forget(self, key: str) -> None:
        """The message is settled and gone from the desk."""
        self._ballots.pop(key, None)

    def sign_of(self, emoji: str) -> Sign | None:
        """Return what a reaction means; None for any other emoji."""
        return self._signs.get(emoji.replace(_STYLE, ""))

    def meet(self, person: Person, now: datetime) -> None:
        """Remember who somebody is, as seen just now."""
        known = self._people.get(person.id)
        if known is None and len(self._people) >= PEOPLE_MAX:
            oldest = next(iter(self._people))
            del self._people[oldest]
            self._voices.pop(oldest, None)
        if known is None or known[0] != person:
            self._voices.pop(person.id, None)
        self._people[person.id] = (person, now)

    def marked_by(self, user_id: str) -> tuple[str, ...]:
        """Return the keys of the messages that somebody put anything on."""
        return tuple(key for key, ballot in self._ballots.items() if user_id in ballot.voters)

    def person(self, user_id: str) -> Person:
        """Return what is known of somebody."""
        known = self._people.get(user_id)
        return known[0] if known else Person(id=user_id, name="")

    def weight(self, card: ChatCard, user_id: str) -> float:
        """Return what somebody's vote on a card weighs."""
        return self._voice(card.prediction.target_channel, user_id).weight

    def put(self, card: ChatCard, message_id: str, entry: Entry) -> bool:
        """Add an entry; return whether the outcome may have changed by it. What must go is put up for removal."""
        ballot = self.ballot(card.key)
        counts = self.weight(card, entry.voter) > 0
        if not ballot.put(entry, may_vote=counts):
            return False
        if not counts and entry.sign != "details":
            self._turn_away(ballot, message_id, entry)
        else:
            for other in ballot.others_of(entry):
                self._change(ballot, message_id, other)
        return counts

    def take(self, card: ChatCard, entry: Entry) -> bool:
        """Remove an entry; return whether the outcome may have changed by it."""
        return self.ballot(card.key).take(entry) and self.weight(card, entry.voter) > 0

    def _turn_away(self, ballot: Ballot, message_id: str, entry: Entry) -> None:
        if self.may_remove and self._config.remove_strangers and entry.via != "button":
            ballot.turn_away(entry)
            self.removals.append(Removal(message_id=message_id, emoji=self._emoji[entry.sign], user_id=entry.voter))

    def _change(self, ballot: Ballot, message_id: str, other: Entry) -> None:
        """Who chooses anew takes the older choice back."""
        if other.via == "button":
            ballot.take(other)
        elif self.may_remove:
            self.removals.append(Removal(message_id=message_id, emoji=self._emoji[other.sign], user_id=other.voter))

    def stop_listening(self) -> None:
        """The connection is gone; nothing is decided until it is there again."""
        self.listening = False

    def doubt_all(self) -> None:
        """Votes may have been cast that nobody told us of: each card's are to be read before it is decided."""
        for ballot in self._ballots.values():
            ballot.doubt()

    def strangers_to_us(self, card: ChatCard, now: datetime) -> tuple[str, ...]:
        """Return the people behind a card's votes that must be looked up before anything is decided."""
        since = now - SEEN_LATELY
        found = []
        for voter in self.ballot(card.key).voters:
            known = self._people.get(voter)
            if (known is None or known[1] < since) and self._might_count(voter, known):
                found.append(voter)
        return tuple(sorted(found)[:LOOKED_UP_MAX])

    def _might_count(self, user_id: str, known: tuple[Person, datetime] | None) -> bool:
        if any(voter.id == user_id for voter in self._config.voters):
            return True
        return bool(self._config.roles) and (known is None or known[0].here)

    def poll(self, card: ChatCard) -> Poll:
        """Return the rules of a card's vote."""
        policy = self._config.policy_for(card.prediction.target_channel)
        offered = tuple(verb for verb in CAREFUL_FIRST if verb in voted(card))
        total = total_weight(self._config, policy)
        return Poll(policy=policy, opened_at=card.opened_at, offered=offered, total=total)

    def marks(self, card: ChatCard) -> frozenset[Mark]:
        """Return the votes on a card; where a yes takes a second press, a reaction is none."""
        found = self.ballot(card.key).marks()
        if not asks_twice(card.prediction):
            return found
        return frozenset(one for one in found if one.verb is not Verb.APPROVE or one.via == "button")

    def tally(self, card: ChatCard, now: datetime) -> Tally:
        """Count the votes on a card."""
        channel, marks = card.prediction.target_channel, self.marks(card)
        voices = {mark.voter: self._voice(channel, mark.voter) for mark in marks}
        return tally(self.poll(card), marks, voices, now)

    def tapped(self, card: ChatCard, verb: Verb) -> bool:
        """Say whether an answer came about by buttons alone."""
        ways: set[Via] = {mark.via for mark in self.marks(card) if mark.verb is verb}
        return ways == {"button"}

    def alone(self, card: ChatCard, user_id: str) -> bool:
        """Say whether one person's word is enough for this card: then they may also edit it."""
        policy = self._config.policy_for(card.prediction.target_channel)
        weight = self.weight(card, user_id)
        return weight > 0 and (policy.kind != "quorum" or weight >= policy.needed)

    def _voice(self, channel: str, user_id: str) -> Voice:
        voices = self._voices.setdefault(user_id, {}) if user_id in self._people else {}
        voice = voices.get(channel)
        if voice is None:
            person = self.person(user_id)
            voice = voices[channel] = Voice(
                id=user_id,
                name=called(self._config, person),
                weight=weight_of(self._config, self._config.policy_for(channel), person),
                owner=bool(self._config.owner) and person.here and is_owner(self._config, person),
            )
        return voice


def emoji_of(config: Config) -> dict[Sign, str]:
    """Return the emoji of each sign."""
    emoji = config.emoji
    return {"approve": emoji.approve, "reject": emoji.reject, "snooze": emoji.snooze, "details": emoji.details}
