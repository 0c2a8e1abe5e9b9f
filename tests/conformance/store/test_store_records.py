"""Everything beside cards and outbox: executions, episodes, the log, minds, tasks, devices, deliveries, clients."""

from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest

from hub.contract.words import DeliveryState, MoveReason, RunState, Source, Status
from hub.domain.delivery import Device
from hub.domain.episode import Judged, Sensed, Step
from hub.domain.judgement import Ledger, RailVerdict, Spending
from hub.domain.mind import Known, Mind, Tally
from hub.domain.permission_grant import AddGrantEvent, GrantEvent
from hub.domain.policy import Policy
from hub.domain.reports import AnsweredAsks, AsksOf, GrantEvents, TaughtLately
from hub.domain.situation import Situation
from hub.domain.storage import (
    AddCard,
    AddExecution,
    Client,
    Clients,
    DeliveriesOf,
    DeliveryById,
    Devices,
    DropTask,
    ExecutionById,
    ExecutionsOf,
    KnownReasons,
    LogSince,
    Lost,
    MindOf,
    MoveExecution,
    OpenExecutions,
    PutClient,
    PutDevice,
    PutTask,
    Remember,
    SaveMind,
    StepsOf,
    TaskById,
    Tasks,
)
from hub.domain.suggestion import Card
from hub.io.store.errors import BrokenChangeError
from hub.io.store.limits import LINES_PER_CARD_MAX
from hub.ports import Store
from tests.conformance.store.conftest import Sure
from tests.conformance.store.samples import (
    ANNA,
    BERT,
    NOON,
    after,
    card,
    delivery,
    line,
    log_entry,
    run,
    step,
    task,
    taught,
)


async def test_an_execution_comes_back(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()), AddExecution(execution=run()))
    assert await store.read(ExecutionById(user=ANNA, execution_id="x1")) == run()
    assert await store.read(ExecutionById(user=BERT, execution_id="x1")) is None
    assert await store.read(ExecutionsOf(user=BERT, card_id="c1")) == ()


async def test_an_attempt_is_made_once(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()), AddExecution(execution=run()))
    twice = await store.commit([(AddExecution(execution=run("x2")),), (AddExecution(execution=run(attempt=2)),)])
    assert twice == (Lost(what="add-execution x2"), Lost(what="add-execution x1"))


async def test_an_execution_needs_its_own_users_card(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()))
    outcomes = await store.commit(
        [(AddExecution(execution=run(card_id="c9")),), (AddExecution(execution=run(user=BERT)),)]
    )
    assert outcomes == (Lost(what="add-execution x1"),) * 2


async def test_an_execution_moves_from_the_expected_state(store: Store, write: Sure) -> None:
    await write(AddCard(card=card()), AddExecution(execution=run()))
    active = run(state=RunState.ACTIVE)
    await write(MoveExecution(execution=active, expect_state=RunState.QUEUED))
    again = await store.commit([(MoveExecution(execution=active, expect_state=RunState.QUEUED),)])
    assert again == (Lost(what="move-execution x1"),)
    await write(MoveExecution(execution=run(state=RunState.VERIFIED), expect_state=RunState.ACTIVE))
    assert await store.read(ExecutionById(user=ANNA, execution_id="x1")) == run(state=RunState.VERIFIED)


async def test_an_unknown_execution_does_not_move(store: Store) -> None:
    outcome = await store.commit([(MoveExecution(execution=run(), expect_state=RunState.QUEUED),)])
    assert outcome == (Lost(what="move-execution x1"),)


async def test_open_executions_and_attempts_in_order(store: Store, write: Sure) -> None:
    runs = [
        run("b", attempt=2, queued=5),
        run("a", attempt=1, queued=9, state=RunState.ACTIVE),
        run("c", attempt=3, state=RunState.FAILED),
    ]
    await write(AddCard(card=card()), *(AddExecution(execution=each) for each in runs))
    assert [r.id for r in await store.read(OpenExecutions(user=ANNA, limit=9))] == ["b", "a"]
    assert [r.id for r in await store.read(OpenExecutions(user=ANNA, limit=1))] == ["b"]
    assert [r.id for r in await store.read(ExecutionsOf(user=ANNA, card_id="c1"))] == ["a", "b", "c"]


async def test_an_episode_is_kept_in_the_order_of_writing(store: Store, write: Sure) -> None:
    steps = [step(at=5, reason=MoveReason.APPROVED), step(at=3, reason=MoveReason.UNDONE), line(1)]
    await write(AddCard(card=card()), *(each for each in steps))
    assert await store.read(StepsOf(user=ANNA, card_id="c1", limit=9)) == tuple(steps)
    assert await store.read(StepsOf(user=ANNA, card_id="c1", limit=2)) == tuple(steps[:2])
    assert await store.read(StepsOf(user=BERT, card_id="c1", limit=9)) == ()


async def test_a_step_keeps_every_detail(store: Store, write: Sure) -> None:
    local = datetime(2026, 3, 1, 13, 0, tzinfo=ZoneInfo("Europe/Berlin"))
    verdict = RailVerdict(stage="cost", outcome="ask", rule="hour", reason="…", numbers={"spent": 1.5, "cap": 2})
    ledger = Ledger(last_trigger_at=NOON, spending=Spending(minutes=((NOON, 50_000),)), seen_combos=("a",))
    steps = (
        Step(card_id="c1", at=NOON, body=Sensed(situation=Situation(at=NOON, local=local, silence=after(61) - NOON))),
        Step(
            card_id="c1",
            at=NOON,
            body=Judged(verdicts=(verdict,), conclusion="ask", ledger=ledger, policy=Policy(zone="Europe/Berlin")),
        ),
    )
    await write(AddCard(card=card()), *(each for each in steps))
    assert await store.read(StepsOf(user=ANNA, card_id="c1", limit=9)) == steps


@pytest.mark.slow
async def test_progress_is_bounded_and_other_steps_are_not(store: Store, write: Sure) -> None:
    lines = [line(number) for number in range(LINES_PER_CARD_MAX + 5)]
    await write(AddCard(card=card()), *(each for each in lines), step())
    kept = await store.read(StepsOf(user=ANNA, card_id="c1", limit=len(lines) + 9))
    assert kept == (*lines[:LINES_PER_CARD_MAX], step())


async def test_the_log_from_a_moment_on(store: Store, write: Sure) -> None:
    entries = [log_entry(at=2), log_entry("c1", at=1), log_entry(at=0), log_entry(at=3, user=BERT)]
    await write(AddCard(card=card()), *(entry for entry in entries))
    assert await store.read(LogSince(user=ANNA, since=after(1), limit=9)) == (entries[1], entries[0])
    assert await store.read(LogSince(user=ANNA, since=NOON, limit=1)) == (entries[2],)


async def test_the_log_names_only_cards_that_exist(store: Store) -> None:
    assert await store.commit([(log_entry("c9"),)]) == (Lost(what="write-log c9"),)


async def test_the_log_knows_three_triggers(store: Store) -> None:
    with pytest.raises(BrokenChangeError):
        await store.commit([(log_entry(trigger="whim"),)])


async def test_a_mind_is_replaced(store: Store, write: Sure) -> None:
    assert await store.read(MindOf(user=ANNA)) is None
    await write(SaveMind(user=ANNA, mind=Mind()))
    mind = Mind(started_at=NOON, tallies={"tests": Tally(approved=2)}, channel_last_at={"koji-core": after(1)})
    await write(SaveMind(user=ANNA, mind=mind))
    assert await store.read(MindOf(user=ANNA)) == mind
    assert await store.read(MindOf(user=BERT)) is None


async def test_the_latest_signature_of_a_reason_is_remembered(store: Store, write: Sure) -> None:
    first, other, later = (
        Known(key="a", signature="1", at=NOON),
        Known(key="b", signature="1", at=after(1)),
        Known(key="a", signature="2", at=after(2)),
    )
    await write(*(Remember(user=ANNA, known=known) for known in (first, other, later)))
    assert await store.read(KnownReasons(user=ANNA, limit=9)) == (later, other)
    assert await store.read(KnownReasons(user=ANNA, limit=1)) == (later,)
    assert await store.read(KnownReasons(user=BERT, limit=9)) == ()


async def test_tasks_are_put_found_and_dropped(store: Store, write: Sure) -> None:
    await write(*(PutTask(user=ANNA, task=task(f"t{n}", created=n)) for n in range(3)))
    done = task("t1", created=1, status="completed")
    await write(PutTask(user=ANNA, task=done), DropTask(user=ANNA, task_id="t0"))
    assert await store.read(TaskById(user=ANNA, task_id="t1")) == done
    assert await store.read(TaskById(user=BERT, task_id="t1")) is None
    assert await store.read(Tasks(user=ANNA, limit=9)) == (task("t2", created=2), done)
    assert await store.read(Tasks(user=ANNA, limit=9, open_only=True)) == (task("t2", created=2),)
    assert await store.read(Tasks(user=ANNA, limit=1)) == (task("t2", created=2),)


async def test_a_task_that_is_not_there_cannot_be_dropped(store: Store, write: Sure) -> None:
    await write(PutTask(user=ANNA, task=task()))
    assert await store.commit([(DropTask(user=BERT, task_id="t1"),)]) == (Lost(what="drop-task t1"),)


async def test_a_dropped_task_comes_back_with_its_lost_transaction(store: Store, write: Sure) -> None:
    await write(PutTask(user=ANNA, task=task()))
    drop = DropTask(user=ANNA, task_id="t1")
    assert await store.commit([(drop, drop)]) == (Lost(what="drop-task t1"),)
    assert await store.read(TaskById(user=ANNA, task_id="t1")) == task()


async def test_devices_are_replaced_by_address(store: Store, write: Sure) -> None:
    phone = Device(user=ANNA, surface="phone", device="p1", profile="phone")
    watch = Device(user=ANNA, surface="watch", device="w1", profile="watch")
    seen = msgspec.structs.replace(phone, online=True, person_active_at=NOON)
    await write(*(PutDevice(device=device) for device in (watch, phone, seen)))
    assert await store.read(Devices(user=ANNA)) == (seen, watch)
    assert await store.read(Devices(user=BERT)) == ()


async def test_a_delivery_moves_on_by_its_id(store: Store, write: Sure) -> None:
    shown = delivery("d2", at=3, state=DeliveryState.SHOWN)
    await write(*(entry for entry in (delivery("d2"), delivery("d1", at=1), shown)))
    assert await store.read(DeliveriesOf(user=ANNA, card_ids=("c1",))) == (delivery("d1", at=1), shown)
    other = msgspec.structs.replace(delivery("d0"), card_id="c0")
    await write(other)
    found = await store.read(DeliveriesOf(user=ANNA, card_ids=("c1", "none", "c0")))
    assert found == (delivery("d1", at=1), shown, other)
    assert await store.read(DeliveryById(user=ANNA, delivery_id="d2")) == shown
    assert await store.read(DeliveryById(user=BERT, delivery_id="d2")) is None


async def test_clients_are_replaced_by_id(store: Store, write: Sure) -> None:
    client = Client(id="k1", user=ANNA, name="cli", token_sha256="00", scopes=("read",), created_at=NOON)
    revoked = msgspec.structs.replace(client, revoked_at=after(1))
    await write(PutClient(client=client), PutClient(client=revoked))
    assert await store.read(Clients(user=ANNA)) == (revoked,)
    assert await store.read(Clients(user=BERT)) == ()


async def test_what_a_card_taught_last_is_kept_and_the_latest_come_back_in_order(store: Store, write: Sure) -> None:
    first, other, last = taught("a", at=1), taught("b", at=2, yes=False), taught("c", at=3)
    await write(*(one for one in (last, first, other, taught("a", user=BERT))))
    assert await store.read(TaughtLately(user=ANNA, limit=9)) == (first, other, last)
    again = taught("a", at=4, yes=False)
    await write(again)
    assert await store.read(TaughtLately(user=ANNA, limit=2)) == (last, again)
    assert await store.read(TaughtLately(user=ANNA, limit=-1)) == ()


async def test_the_record_of_grants_comes_back_the_latest_first(store: Store, write: Sure) -> None:
    made = GrantEvent(grant_id="g1", at=after(1), what="made", by="page/mine")
    used = msgspec.structs.replace(made, what="used")
    other = GrantEvent(grant_id="g2", at=after(2), what="made", by="page/mine", text="pytest")
    await write(*(AddGrantEvent(user=ANNA, event=one) for one in (made, used, other)))
    await write(AddGrantEvent(user=BERT, event=made))
    assert await store.read(GrantEvents(user=ANNA, limit=9)) == (other, used, made)
    assert await store.read(GrantEvents(user=ANNA, limit=1, grant_id="g1")) == (used,)
    assert await store.read(GrantEvents(user=BERT, limit=9)) == (made,)


async def test_what_was_answered_to_others_comes_back_the_latest_first(store: Store, write: Sure) -> None:
    own = card("own", status=Status.REJECTED)
    asked = msgspec.structs.replace(own.proposal, source=Source.ASK)
    yes, granted, no, gone = (
        msgspec.structs.replace(own, id=name, status=status, proposal=asked, settled_at=after(at))
        for at, (name, status) in enumerate(
            (("a", Status.CONFIRMED), ("b", Status.CONFIRMED), ("c", Status.REJECTED), ("d", Status.CANCELLED))
        )
    )
    granted = msgspec.structs.replace(granted, autonomous=True)
    overtaken = msgspec.structs.replace(gone, id="e", status_reason=MoveReason.OVERRULED)
    await write(*(AddCard(card=one) for one in (own, yes, granted, no, gone, overtaken)))
    assert await store.read(AnsweredAsks(user=ANNA, limit=9)) == (overtaken, no, yes)
    assert await store.read(AnsweredAsks(user=ANNA, limit=1)) == (overtaken,)


async def test_what_one_client_asks_is_found_among_the_open_and_those_that_ended_last(
    store: Store, write: Sure
) -> None:
    def asked(id_: str, status: Status = Status.PENDING, *, at: float = 0, client: str = "c1") -> Card:
        made = card(id_, status=status)
        proposal = msgspec.structs.replace(made.proposal, source=Source.ASK, signature=client)
        return msgspec.structs.replace(made, proposal=proposal, settled_at=after(at) if at else None)

    yes, gone = asked("b", Status.CONFIRMED, at=2), asked("c", Status.CANCELLED, at=1)
    late = asked("e", Status.EXPIRED)
    own = msgspec.structs.replace(card("own"), proposal=msgspec.structs.replace(card("own").proposal, signature="c1"))
    others = (asked("x", client="c2"), own, card("y", user=BERT))
    await write(*(AddCard(card=one) for one in (asked("a"), yes, gone, late, *others)))

    async def found(ended_max: int, *, user: str = ANNA) -> set[str]:
        return {one.id for one in await store.read(AsksOf(user=user, client="c1", ended_max=ended_max))}

    assert await found(9) == {"a", "b", "c", "e"}
    assert await found(2) == {"a", "e", "b"}, "what ran out ended when its time was over"
    assert await found(-1) == {"a"}
    assert await found(9, user=BERT) == set()
