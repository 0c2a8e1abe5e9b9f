"""Makes answers of votes and hands them in, once. Pure: what is to be sent comes back, `now` is an argument.

A vote is decided from the marks as they stand, never from the order in which they came, and only while everything is
known: we hear Discord, the reactions were read, every voter was seen as a member lately, the hub is there. The id of a
decision is made of the message and the answer, so the same vote counted again, also after a restart, is the same
decision. An answer that the hub refused is not sent again until somebody votes differently.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.contract.surface import Decision, Verdict
from hub.contract.words import GRANTING, HumanInput, Verb
from hub.kit.backoff import RetryPolicy
from hub.kit.chat.card import ChatCard
from hub.kit.shown import shown_part
from surfaces.discord.ballots import Ballots
from surfaces.discord.buttons import Action
from surfaces.discord.card_messages import FACES_MAX, CardMessages
from surfaces.discord.people import Person, called, may_vote_somewhere
from surfaces.discord.readable import is_whole
from surfaces.discord.settings import Config
from surfaces.discord.votes import Outcome, Tally, recorded

VERDICT_S = 5.0
"""After this long without a word from the hub, it is asked how the card stands."""
BUSY = RetryPolicy(base_s=2.0, cap_s=60.0)
TRY_LATER = frozenset({"busy", "disk-full", "store-busy", "no-reply"})
ATTEMPTS_MAX = 20
Signature = frozenset[tuple[str, str]]


ALONE = GRANTING | {Verb.LESS, Verb.NEVER, Verb.FIX}
"""What only somebody may answer who decides alone: elsewhere a vote does."""


class Sent(Value):
    """A decision that the hub has not spoken about yet."""

    card_id: str
    key: str
    delivery_id: str
    at: datetime
    signature: Signature = frozenset()


class No(Value):
    """Why somebody's wish is not carried out, in words for them."""

    text: str


class Work(Value):
    """What follows from the votes just now: decisions to hand in, people to look up, and when to look again."""

    decisions: tuple[Decision, ...] = ()
    look_up: tuple[str, ...] = ()
    again_at: datetime | None = None


class VoteCounter:
    """Looks at votes, hands decisions in, hears the verdicts."""

    def __init__(self, config: Config, card_messages: CardMessages, ballots: Ballots) -> None:
        self._config = config
        self._card_messages = card_messages
        self._ballots = ballots
        self.link_up = False
        self.undecided: set[str] = set()
        self._sent: dict[str, Sent] = {}
        self._leading: dict[str, tuple[Verb, datetime]] = {}
        self._refused: dict[str, Signature] = {}
        self._attempts: dict[str, int] = {}
        self._due: dict[str, datetime] = {}

    def look_at_all(self) -> None:
        """Something that held up every vote is over."""
        self.undecided.update(card.id for card in self._card_messages.open_cards())

    def look(self, now: datetime) -> Work:
        """Decide what can be decided."""
        self._forget_old()
        ready = {card_id for card_id, at in self._due.items() if at <= now}
        for card_id in ready:
            del self._due[card_id]
        decisions: list[Decision] = []
        look_up: set[str] = set()
        for card_id in sorted(self.undecided | ready):
            card = self._card_messages.card(card_id)
            if card is None or not self._may_decide(card, now):
                continue
            missing = self._ballots.strangers_to_us(card, now)
            if missing:
                look_up.update(missing)
                continue
            decision = self._decide(card, now)
            if decision is not None:
                decisions.append(decision)
        self.undecided.clear()
        return Work(
            decisions=tuple(decisions), look_up=tuple(sorted(look_up)), again_at=min(self._due.values(), default=None)
        )

    def silent(self, now: datetime) -> tuple[str, ...]:
        """Return the cards about whose decisions the hub has not said anything in time; each is named once."""
        late = [one for one, sent in self._sent.items() if now - sent.at >= timedelta(seconds=VERDICT_S)]
        found = []
        for decision_id in late:
            sent = self._sent.pop(decision_id)
            self._attempts[sent.key] = self._attempts.get(sent.key, 0) + 1
            found.append(sent.card_id)
        return tuple(found)

    def waits(self) -> bool:
        """Return True if a verdict is still to come."""
        return bool(self._sent)

    def is_asking(self, key: str) -> bool:
        """Return True while the hub's verdict on an answer to this card is awaited; `key` names its message."""
        return any(sent.key == key for sent in self._sent.values())

    def hear(self, verdict: Verdict, now: datetime) -> str:
        """Take the hub's word on a decision; return the delivery that was acted on, if it was accepted."""
        sent = self._sent.pop(verdict.decision_id, None)
        if verdict.prediction is not None:
            self._card_messages.correct(verdict.prediction, now)
        if sent is None:
            return ""
        if verdict.accepted:
            self._leading.pop(sent.key, None)
            return sent.delivery_id
        if verdict.code in TRY_LATER:
            self._try_later(sent, now)
        else:
            self._refused[sent.key] = sent.signature
            self._attempts[sent.key] = self._attempts.get(sent.key, 0) + 1
        self._card_messages.refuse(
            sent.card_id, verdict.message or f"The hub did not take the answer ({verdict.code})."
        )
        return ""

    def unsent(self, decision: Decision) -> None:
        """It could not be handed in: there is no connection. The votes stand, so it is decided again when there is."""
        self._sent.pop(decision.decision_id, None)
        self.undecided.add(decision.card_id)

    def wish(
        self, action: Action, card: ChatCard, person: Person, *, wish_id: str, now: datetime, prompt: str | None = None
    ) -> Decision | No:
        """Answer with one person's word alone: an edit, an undo, a stop, show less often."""
        verb = Verb(action)
        if not may_vote_somewhere(self._config, person):
            return No(text="Only people who may vote can do that, and you are not one of them. Nothing was done.")
        if verb in ALONE and not self._ballots.alone(card, person.id):
            return No(text="Votes decide here, so nobody can do that alone.")
        if verb not in card.verbs or not card.token:
            return No(text=f"That is no longer possible. See `pulse why {card.id}`.")
        if not self.link_up:
            return No(text="Pulse is not reachable right now, so nothing was sent. Try again in a moment.")
        decision = self._decision(card, verb, f"dsc-{wish_id}-{verb}", now)
        decision = replace(decision, by=called(self._config, person), human_input=HumanInput.TAP, prompt=prompt)
        self._sent[decision.decision_id] = Sent(card_id=card.id, key=card.key, delivery_id=card.delivery_id, at=now)
        return decision

    def _forget_old(self) -> None:
        """What was refused or tried for a message that is no longer on the desk is of no use."""
        if len(self._attempts) > 2 * FACES_MAX:
            faces = self._card_messages.faces
            self._attempts = {key: tries for key, tries in self._attempts.items() if key in faces}
            self._refused = {key: votes for key, votes in self._refused.items() if key in faces}
            self._leading = {key: lead for key, lead in self._leading.items() if key in faces}

    def _may_decide(self, card: ChatCard, now: datetime) -> bool:
        there = self.link_up and self._ballots.listening and self._ballots.ballot(card.key).known
        asked = self.is_asking(card.key)
        answerable = card.phase == "open" and bool(card.token) and card.prediction.expires_at > now
        return there and answerable and not asked and card.key in self._card_messages.known

    def _decide(self, card: ChatCard, now: datetime) -> Decision | None:
        standing = self._ballots.tally(card, now)
        outcome = standing.outcome
        if outcome is None:
            self._leading.pop(card.key, None)
            self._watch_deadline(card, now)
            return None
        signature = frozenset((voter.id, voter.choice.value) for voter in standing.voters if voter.counted)
        if self._refused.get(card.key) == signature or self._attempts.get(card.key, 0) > ATTEMPTS_MAX:
            return None
        verb, since = self._leading.get(card.key, (None, now))
        since = since if verb is outcome.verb else now
        self._leading[card.key] = (outcome.verb, since)
        stands_at = since + timedelta(seconds=outcome.hold_s)
        if stands_at > now:
            self._due[card.id] = min(stands_at, card.prediction.expires_at)
            return None
        return self._hand_in(card, standing, outcome, signature, now)

    def _hand_in(
        self, card: ChatCard, standing: Tally, outcome: Outcome, signature: Signature, now: datetime
    ) -> Decision:
        message_id = self._card_messages.known[card.key].message_id
        decision_id = f"dsc-{message_id}-{outcome.verb}-{self._attempts.get(card.key, 0)}"
        decision = replace(
            self._decision(card, outcome.verb, decision_id, now),
            by=outcome.by,
            reason=outcome.reason,
            human_input=HumanInput.TAP if self._ballots.tapped(card, outcome.verb) else HumanInput.REACTION,
            voters=recorded(standing.voters),
        )
        sent = Sent(card_id=card.id, key=card.key, delivery_id=card.delivery_id, at=now, signature=signature)
        self._sent[decision_id] = sent
        return decision

    def _decision(self, card: ChatCard, verb: Verb, decision_id: str, now: datetime) -> Decision:
        return Decision(
            decision_id=decision_id,
            card_id=card.id,
            verb=verb,
            card_hash=card.prediction.card_hash,
            token=card.token,
            human_input=HumanInput.TAP,
            at=now,
            shown=shown_part(is_whole=is_whole(card)),
        )

    def _watch_deadline(self, card: ChatCard, now: datetime) -> None:
        deadline_at = self._ballots.poll(card).deadline_at
        if deadline_at > now:
            self._due[card.id] = deadline_at

    def _try_later(self, sent: Sent, now: datetime) -> None:
        """The hub was busy: the same answer again, under a new id, for the hub keeps to what it said to the old one."""
        attempts = self._attempts.get(sent.key, 0)
        self._attempts[sent.key] = attempts + 1
        self._due[sent.card_id] = now + timedelta(seconds=BUSY.ceiling_s(attempts))
