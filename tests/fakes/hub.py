"""A hub with nothing but cards, for one device: what it hands over, and what it says to answers. The first one wins.

It keeps to what the real loop does (`tests/conformance/hub`). What happens besides answers, a test calls for: a run
that begins or ends, an answer given elsewhere, a card that comes back, time that passes.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.alone import AwaySummary
from hub.contract.api import Prediction, Settlement
from hub.contract.base import Value
from hub.contract.events import (
    AnyEvent,
    DigestReady,
    ExecutionFailed,
    ExecutionStarted,
    PredictionExecuted,
    PredictionExpired,
    PredictionNew,
    PredictionReturned,
    PredictionSettled,
    PredictionSnoozed,
)
from hub.contract.surface import (
    AnyDelivered,
    CardDelivery,
    Decision,
    DeliveredCard,
    DeliveredVerdict,
    DigestItem,
    Loudness,
    Privacy,
    Verdict,
)
from hub.contract.topics import DeviceAddress
from hub.contract.words import AFTER_FAILURE, HumanInput, MoveReason, Source, Status, Verb

OPEN_VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)
AFTERWARDS = frozenset({Verb.UNDO, Verb.STOP, *AFTER_FAILURE})
UNDOABLE = frozenset({Status.CONFIRMED, Status.REJECTED, Status.EXECUTED})
SNOOZE = OUTCOME = timedelta(hours=1)
OPEN_AGAIN = timedelta(hours=8)
UNDO_WINDOW = timedelta(minutes=1)
NOES = frozenset({Verb.REJECT, Verb.LESS, Verb.NEVER})


class Granted(Value):
    """What a token gives leave for."""

    card_id: str
    card_hash: str
    round: int
    attempt: int
    verbs: tuple[Verb, ...]
    expires_at: datetime


class StandInHub:
    """Cards, and the leave to answer them; `hand` is given what is for the device, with the message's id."""

    def __init__(self, device: DeviceAddress, now: Callable[[], datetime]) -> None:
        self.device = device
        self.now = now
        self.hand: Callable[[AnyDelivered, str], None] = lambda _delivered, _message_id: None
        self.cards_there: dict[str, Prediction] = {}
        self.deliveries: dict[str, CardDelivery] = {}
        self.taken: list[Decision] = []
        self.refusal = ""
        """Why every answer is refused, if it is: a rail's words."""
        self.privacy: Privacy = "full"
        self._grants: dict[str, Granted] = {}
        self._answered: dict[str, dict[str, tuple[Verb, str | None, str]]] = {}
        self._regretted: set[str] = set()

    # What happens in the hub.

    def show(self, card: Prediction, verbs: tuple[Verb, ...] = OPEN_VERBS) -> Prediction:
        self.cards_there[card.id] = card
        self.deliver(PredictionNew(prediction=card), card, verbs)
        return card

    def show_together(self, *cards: Prediction, away: AwaySummary | None = None, loudness: Loudness = "notify") -> str:
        """Hand over several cards at once, each with its own leave."""
        self.cards_there |= {card.id: card for card in cards}
        number = len(self.deliveries) + 1
        items = []
        for place, card in enumerate(cards):
            item_id = f"dlv_{number}_{place}"
            token = self._grant(f"token-{item_id}", card, OPEN_VERBS, card.expires_at)
            items.append(DigestItem(delivery_id=item_id, card_id=card.id, verbs=OPEN_VERBS, token=token))
        event = DigestReady(digest_id=f"dg_{number}", cards=cards, away=away)
        return self.deliver(event, loudness=loudness, items=tuple(items))

    def show_open(self) -> None:
        """Hand over every card that waits, as to a device that came online."""
        for card in self.cards_there.values():
            if card.status is Status.PENDING:
                self.deliver(PredictionNew(prediction=card), card, OPEN_VERBS)

    def answer_elsewhere(self, card_id: str, verb: Verb, by: str = "me", where: str = "phone/me") -> None:
        surface, device = where.split("/")
        self._settle(self.cards_there[card_id], verb, by, DeviceAddress(surface=surface, device=device))

    def give_back(self, card_id: str, reason: str = "undone") -> None:
        """Open a card again, in a new round."""
        card = self.cards_there[card_id]
        self._open_again(replace(card, status=Status.PENDING, settled=None, round=card.round + 1), reason)

    def run(self, card_id: str, *, autonomous: bool = False) -> None:
        card = self._keep(replace(self.cards_there[card_id], status=Status.CONFIRMED, execution_id=f"run-{card_id}"))
        started = ExecutionStarted(prediction=card, execution_id=f"run-{card_id}", autonomous=autonomous)
        self.deliver(started, card, (Verb.STOP,), loudness="silent")

    def finish(self, card_id: str, result: str) -> None:
        card = self._keep(replace(self.cards_there[card_id], status=Status.EXECUTED, outcome=result))
        done = PredictionExecuted(card_id=card_id, task_id="t1", result=result, prediction=card)
        self.deliver(done, card, (Verb.UNDO,))

    def break_down(self, card_id: str, error: str) -> None:
        card = self._keep(replace(self.cards_there[card_id], status=Status.FAILED, outcome=error))
        run_id = card.execution_id or "run"
        event = ExecutionFailed(card_id=card_id, execution_id=run_id, kind="failed", error=error, prediction=card)
        self.deliver(event, card, AFTER_FAILURE, loudness="alert")

    def pass_time(self) -> None:
        """End the snoozes and the cards whose time has come."""
        for card in tuple(self.cards_there.values()):
            if card.status is Status.PENDING and card.snoozed_until is not None and card.snoozed_until <= self.now():
                self._open_again(card, "the snooze is over")
            if card.status is Status.PENDING and card.expires_at <= self.now():
                self.expire(card.id)

    def expire(self, card_id: str) -> None:
        self._keep(replace(self.cards_there[card_id], status=Status.EXPIRED))
        self.deliver(PredictionExpired(card_id=card_id), loudness="silent")

    def deliver(
        self,
        event: AnyEvent,
        card: Prediction | None = None,
        verbs: tuple[Verb, ...] = (),
        loudness: Loudness = "notify",
        items: tuple[DigestItem, ...] = (),
    ) -> str:
        delivery_id = f"dlv_{len(self.deliveries) + 1}"
        token, expires_at = "", self.now() + OUTCOME
        if card is not None and verbs:
            expires_at = card.expires_at if card.status is Status.PENDING else expires_at
            token = self._grant(f"token-{delivery_id}", card, verbs, expires_at)
        delivery = CardDelivery(
            delivery_id=delivery_id,
            event=event,
            privacy=self.privacy,
            loudness=loudness,
            verbs=verbs,
            token=token,
            expires_at=expires_at,
            items=items,
        )
        self.deliveries[delivery_id] = delivery
        self.hand(DeliveredCard(card=delivery), delivery_id)
        return delivery_id

    def _grant(self, token: str, card: Prediction, verbs: tuple[Verb, ...], expires_at: datetime) -> str:
        self._grants[token] = Granted(
            card_id=card.id,
            card_hash=card.card_hash,
            round=card.round,
            attempt=card.attempts,
            verbs=verbs,
            expires_at=expires_at,
        )
        return token

    # What it says to answers.

    def decide(self, decision: Decision) -> Verdict:
        """Take or refuse an answer; the device is handed what follows from it, and then the verdict."""
        grant = self._grants.get(decision.token)
        said = "bad-token" if grant is None or not self._fits(grant, decision) else self._said(decision, grant)
        if said == "taken":
            self.taken.append(decision)
        verdict = Verdict(
            decision_id=decision.decision_id,
            accepted=said in {"taken", "repeated"},
            code=said,
            message=self.refusal if said == "refused" else f"It is {said}.",
            prediction=self.cards_there.get(decision.card_id),
        )
        self.hand(DeliveredVerdict(verdict=verdict), f"vdt_{decision.decision_id}")
        return verdict

    def _fits(self, grant: Granted, decision: Decision) -> bool:
        """Say whether a token gives leave; one that has ended tells only of an open card that ended with it."""
        bound = (grant.card_id, grant.card_hash) == (decision.card_id, decision.card_hash)
        if not bound or decision.verb not in grant.verbs:
            return False
        card = self.cards_there[grant.card_id]
        is_over = card.status is not Status.PENDING or card.expires_at <= self.now()
        return self.now() < grant.expires_at or (is_over and decision.verb not in AFTERWARDS)

    def _said(self, decision: Decision, grant: Granted) -> str:
        """Return the code of the verdict; what is looked at first stands first."""
        card, verb = self.cards_there[decision.card_id], decision.verb
        known = self._answered.setdefault(card.id, {}).get(decision.decision_id)
        if self.refusal:
            return "refused"
        if known is not None:
            return "repeated" if known == _content(decision) else "key-reused"
        if card.status is not Status.PENDING and verb not in AFTERWARDS:
            return self._late(card, decision, grant)
        if grant.round != card.round and verb not in AFTER_FAILURE:
            return "answer-too-old"
        if verb in AFTERWARDS:
            afterwards = {Verb.UNDO: self._undo, Verb.STOP: self._stop, Verb.RETRY: self._retry}
            return afterwards.get(verb, self._after_failure)(card, decision, grant)
        return self._answer_open(card, decision)

    def _answer_open(self, card: Prediction, decision: Decision) -> str:
        if card.expires_at <= self.now():
            self.expire(card.id)
            return "expired"
        if decision.verb is Verb.EDIT and not (decision.prompt or "").strip():
            return "empty-prompt"
        if decision.verb is Verb.SNOOZE and card.snoozes_left <= 0:
            return "snoozed-too-often"
        return self._take(card, decision)

    def _late(self, card: Prediction, decision: Decision, grant: Granted) -> str:
        settled = card.settled
        if settled is not None and settled.verb is decision.verb and decision.prompt in {None, card.prompt}:
            return self._again(card, decision, grant)
        return "expired" if card.status is Status.EXPIRED else "already-settled"

    def _again(self, card: Prediction, decision: Decision, grant: Granted) -> str:
        if grant.round == card.round or decision.verb is Verb.RETRY:
            self._answered[card.id][decision.decision_id] = _content(decision)
        return "repeated"

    def _take(self, card: Prediction, decision: Decision) -> str:
        self._answered[card.id][decision.decision_id] = _content(decision)
        if decision.prompt and decision.prompt != card.prompt:
            card = replace(card, prompt=decision.prompt, card_hash=f"{card.card_hash}-edited")
        self._settle(card, decision.verb, decision.by, self.device, decision)
        return "taken"

    def _undo(self, card: Prediction, decision: Decision, grant: Granted) -> str:
        if card.id in self._regretted:
            return "repeated"
        if card.status is Status.CONFIRMED and card.execution_id is not None:
            return self._stop(card, decision, grant)
        if card.status not in {Status.EXECUTED, Status.REJECTED}:
            return "too-late-to-undo"
        is_late = card.settled is not None and self.now() - card.settled.at > UNDO_WINDOW
        if card.status is Status.REJECTED and (is_late or card.expires_at <= self.now()):
            return "too-late-to-undo"
        self._answered[card.id][decision.decision_id] = _content(decision)
        if card.status is Status.EXECUTED:
            self._regretted.add(card.id)
        else:
            self.give_back(card.id)
        return "taken"

    def _stop(self, card: Prediction, decision: Decision, _grant: Granted) -> str:
        if card.execution_id is None or card.status is not Status.CONFIRMED:
            return "nothing-runs"
        self._answered[card.id][decision.decision_id] = _content(decision)
        stopped = self._keep(replace(card, status=Status.CANCELLED, outcome="stopped"))
        run_id = card.execution_id
        failed = ExecutionFailed(
            card_id=card.id, execution_id=run_id, kind="stopped", error="stopped", prediction=stopped
        )
        self.deliver(failed, loudness="alert")
        return "taken"

    def _retry(self, card: Prediction, decision: Decision, grant: Granted) -> str:
        if card.attempts == 0 or grant.attempt > card.attempts:
            return "nothing-failed"
        if grant.attempt < card.attempts:
            return self._again(card, decision, grant)
        if card.status is not Status.FAILED:
            is_retried = card.settled is not None and card.settled.verb is Verb.RETRY
            return self._again(card, decision, grant) if is_retried else "nothing-failed"
        expires_at = max(card.expires_at, self.now() + OPEN_AGAIN)
        return self._take(replace(card, round=card.round + 1, expires_at=expires_at), decision)

    def _after_failure(self, card: Prediction, decision: Decision, grant: Granted) -> str:
        """Put it aside, or hand it to an agent, whose own card is none of this hub's."""
        is_ignore = decision.verb is Verb.IGNORE
        if card.status is not Status.FAILED or grant.attempt > card.attempts:
            return "nothing-failed"
        if is_ignore and (grant.attempt < card.attempts or (card.settled and card.settled.verb is Verb.IGNORE)):
            return "repeated"
        if grant.attempt != card.attempts:
            return "nothing-failed"
        self._answered[card.id][decision.decision_id] = _content(decision)
        aside = self._keep(replace(card, settled=self._settlement(decision.verb, decision.by, self.device, decision)))
        self.deliver(PredictionSettled(prediction=aside), aside, loudness="silent")
        return "taken"

    def _settlement(self, verb: Verb, by: str, where: DeviceAddress, decision: Decision | None) -> Settlement:
        return Settlement(
            verb=verb,
            by=by,
            surface=where.surface,
            device=where.device,
            human_input=decision.human_input if decision else HumanInput.TAP,
            at=self.now(),
            reason=decision.reason if decision else "",
        )

    def _settle(
        self, card: Prediction, verb: Verb, by: str, where: DeviceAddress, decision: Decision | None = None
    ) -> None:
        if verb is Verb.SNOOZE:
            until = (decision.until if decision else None) or self.now() + SNOOZE
            left, expires_at = card.snoozes_left - 1, max(card.expires_at, until + SNOOZE)
            snoozed = self._keep(replace(card, snoozed_until=until, snoozes_left=left, expires_at=expires_at))
            self.deliver(PredictionSnoozed(prediction=snoozed), loudness="silent")
            return
        settled = self._settlement(verb, by, where, decision)
        done = replace(card, status=Status.REJECTED, settled=settled, snoozed_until=None)
        if verb not in NOES:
            runs = card.source is not Source.ASK
            run_id = f"run-{card.id}" if runs else None
            done = replace(done, status=Status.CONFIRMED, execution_id=run_id, attempts=card.attempts + runs)
        self._keep(done)
        verbs = (Verb.UNDO,) if done.status in UNDOABLE else ()
        self.deliver(PredictionSettled(prediction=done), done, verbs, loudness="silent")

    def _open_again(self, card: Prediction, reason: str) -> None:
        why = MoveReason.UNDONE if reason == "undone" else MoveReason.SNOOZE_OVER
        card = self._keep(replace(card, snoozed_until=None, returned_at=self.now(), status_reason=why))
        self.deliver(PredictionReturned(prediction=card, reason=reason), card, OPEN_VERBS)

    def _keep(self, card: Prediction) -> Prediction:
        self.cards_there[card.id] = card
        return card


def _content(decision: Decision) -> tuple[Verb, str | None, str]:
    return decision.verb, decision.prompt, decision.reason
