"""Values to store, small and complete; every time is UTC."""

from datetime import UTC, datetime, timedelta

from hub.contract.surface import Loudness
from hub.contract.words import DeliveryState, MoveReason, Risk, RunState, Source, Status
from hub.domain.delivery import LedgerEntry
from hub.domain.episode import Line, Moved, Step
from hub.domain.execution import Execution
from hub.domain.judgement import Permit
from hub.domain.lessons import TrainingPair
from hub.domain.likelihood import Features
from hub.domain.provenance import TaskText
from hub.domain.situation import Task, TaskState
from hub.domain.storage import LogEntry, MoveCard, Outgoing, Send
from hub.domain.suggestion import Card, Factors, Need, Proposal, Work
from hub.domain.teaching import Taught

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANNA = "anna"
BERT = "bert"
NEED = Need(text="the tests pass")


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def proposal(*, prompt: str = "Run the tests", channel: str = "koji-core", confidence: float = 0.7) -> Proposal:
    return Proposal(
        prompt=prompt,
        channel=channel,
        agent="playbook",
        confidence=confidence,
        factors=Factors(twin=None, pattern=0.5, urgency=0.5, time=0.5),
        reasoning="3 modules changed in hub/store since the last run",
        source=Source.TEMPLATE,
        kind="tests",
        reason_key="tests:hub/store",
        signature="s1",
        need=NEED,
        work=Work(),
        risk=Risk.LOW,
        cost_estimate_microusd=50_000,
        routed_by="affinity",
    )


def card(  # noqa: PLR0913  one switch for each thing that a query looks at
    id_: str = "c1",
    *,
    user: str = ANNA,
    status: Status = Status.PENDING,
    created: float = 0,
    expires: float = 3_600,
    snoozed: float | None = None,
    prompt: str = "Run the tests",
    channel: str = "koji-core",
    version: int = 1,
) -> Card:
    return Card(
        id=id_,
        user=user,
        version=version,
        status=status,
        proposal=proposal(prompt=prompt, channel=channel),
        prompt=prompt,
        card_hash="h",
        created_at=after(created),
        expires_at=after(expires),
        trigger="autonomous",
        snoozed_until=None if snoozed is None else after(snoozed),
    )


def moved(before: Card, status: Status, *, snoozed: float | None = None) -> MoveCard:
    return MoveCard(
        card=Card(
            id=before.id,
            user=before.user,
            version=before.version + 1,
            status=status,
            proposal=before.proposal,
            prompt=before.prompt,
            card_hash=before.card_hash,
            created_at=before.created_at,
            expires_at=before.expires_at,
            trigger=before.trigger,
            snoozed_until=None if snoozed is None else after(snoozed),
            settled_at=None if status is Status.PENDING else before.created_at + timedelta(seconds=5),
        ),
        expect_version=before.version,
        expect_status=before.status,
    )


def permit(execution_id: str, card_id: str, attempt: int) -> Permit:
    return Permit(
        execution_id=execution_id,
        card_id=card_id,
        card_hash="h",
        prompt="Run the tests",
        channel="koji-core",
        agent="playbook",
        work=Work(),
        need=NEED,
        autonomous=False,
        granted_at=NOON,
        granted_by=ANNA,
        attempt=attempt,
    )


def run(
    id_: str = "x1",
    *,
    card_id: str = "c1",
    user: str = ANNA,
    attempt: int = 1,
    state: RunState = RunState.QUEUED,
    queued: float = 0,
) -> Execution:
    return Execution(
        id=id_,
        card_id=card_id,
        user=user,
        attempt=attempt,
        state=state,
        channel="koji-core",
        agent="playbook",
        autonomous=False,
        need=NEED,
        permit=permit(id_, card_id, attempt),
        queued_at=after(queued),
        ended_at=after(queued + 60) if state is RunState.VERIFIED else None,
    )


def step(card_id: str = "c1", *, at: float = 0, reason: MoveReason = MoveReason.APPROVED) -> Step:
    return Step(card_id=card_id, at=after(at), body=Moved(before=Status.PENDING, after=Status.CONFIRMED, reason=reason))


def line(number: int, card_id: str = "c1") -> Step:
    return Step(card_id=card_id, at=after(number), body=Line(execution_id="x1", number=number, text=f"line {number}"))


def message(id_: str = "m1", *, expires: float | None = None, payload: bytes = b"\x00{}\xff") -> Outgoing:
    return Outgoing(
        id=id_,
        topic=f"pulse/v1/{ANNA}/event/card",
        payload=payload,
        wants_receipt=True,
        expires_at=None if expires is None else after(expires),
    )


def send(id_: str = "m1", *, leased: float = 0, expires: float | None = None, payload: bytes = b"\x00{}\xff") -> Send:
    return Send(message=message(id_, expires=expires, payload=payload), leased_until=after(leased))


def task(id_: str = "t1", *, status: TaskState = "queued", created: float = 0, card_id: str | None = None) -> Task:
    return Task(
        id=id_,
        title=TaskText("Write the report"),
        status=status,
        created_at=after(created),
        updated_at=after(created),
        card_id=card_id,
    )


def delivery(
    id_: str = "d1",
    *,
    card_id: str = "c1",
    user: str = ANNA,
    at: float = 0,
    state: DeliveryState = DeliveryState.QUEUED,
    loudness: Loudness = "silent",
) -> LedgerEntry:
    return LedgerEntry(
        id=id_,
        user=user,
        card_id=card_id,
        surface="terminal",
        device="laptop",
        event_type="card.new",
        state=state,
        at=after(at),
        loudness=loudness,
    )


def pair(
    chosen_id: str = "c1", rejected_id: str = "c2", *, user: str = ANNA, at: float = 0, weight: float = 1.0
) -> TrainingPair:
    return TrainingPair(
        user=user,
        context="Time: Sunday 12:00",
        chosen="Run the tests → koji-core",
        rejected="Sum up → chronicle-hub",
        chosen_confidence=0.7,
        rejected_confidence=0.4,
        created_at=after(at),
        chosen_id=chosen_id,
        rejected_id=rejected_id,
        weight=weight,
    )


def log_entry(card_id: str | None = None, *, at: float = 0, user: str = ANNA, trigger: str = "manual") -> LogEntry:
    return LogEntry(
        user=user,
        card_id=card_id,
        trigger=trigger,
        channel="koji-core",
        prompt="Run the tests",
        cost_microusd=50_001,
        blocked=True,
        block_reason="too soon",
        at=after(at),
    )


def taught(card_id: str = "c1", user: str = ANNA, at: float = 0, *, yes: bool = True) -> Taught:
    about = Features(kind="run-tests", reason="tests", channel="koji-core", at=NOON, hour=12.5, weekday=6)
    return Taught(user=user, card_id=card_id, about=about, yes=yes, weight=1.0, signal="approved", at=after(at))
