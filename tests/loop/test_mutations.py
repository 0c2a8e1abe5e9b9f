"""Changes of the drives in the loop: at once, by a card, refused, undone; each in an audit that holds."""

import pytest
from msgspec.structs import replace

from hub.contract.drives import MutationKind
from hub.contract.words import Status, Verb
from hub.domain.drives import DriveRules
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.reports import DriveMutations
from hub.domain.requests import HandInMutations, MutationsMade, Refused, UndoMutation
from hub.domain.storage import AddCard
from hub.domain.suggestion import Card
from hub.may import verify
from tests.fakes.world import World
from tests.loop.stage import HOUR, NOON, a_world, refused, taken
from tests.loop.test_drives import drive, of_needs

AGENT = "openclaw"


def change(kind: MutationKind, value: float | None = None, drive: str = "") -> Mutation:
    return Mutation(kind=kind, drive=drive, value=value, reason="I want to explore more")


async def hand_in(world: World, *asked: Mutation, is_person: bool = False, key: str = "") -> MutationsMade | Refused:
    by = "you" if is_person else AGENT
    reply = await world.ask(HandInMutations(mutations=asked, by=by, is_person=is_person, key=key))
    assert isinstance(reply, MutationsMade | Refused)
    return reply


async def made(world: World, *asked: Mutation, is_person: bool = False) -> tuple[MutationRecord, ...]:
    reply = await hand_in(world, *asked, is_person=is_person)
    assert isinstance(reply, MutationsMade)
    return tuple(one.record for one in reply.outcomes)


async def undo(
    world: World, record_id: str, *, is_person: bool = True, is_own_weight: bool = False
) -> MutationsMade | Refused:
    by = "you" if is_person else AGENT
    asked = UndoMutation(record_id=record_id, by=by, is_person=is_person, is_own_weight=is_own_weight)
    reply = await world.ask(asked)
    assert isinstance(reply, MutationsMade | Refused)
    return reply


async def cards(world: World) -> list[Card]:
    ids = [one.card.id for one in world.changes if isinstance(one, AddCard)]
    return [await world.card(card_id) for card_id in ids]


async def audit(world: World) -> list[MutationRecord]:
    """Return the audit, which holds."""
    found = await world.store.read(DriveMutations(user=world.state.user, limit=999))
    drives = world.state.mind.drives
    assert verify(found, head=drives.audit_hash, count=drives.audit_count) is None
    return list(found)


def weight(world: World, name: str = "curiosity") -> float:
    found = world.state.mind.drives.named(name)
    assert found is not None
    return found.weight


async def test_what_a_person_changes_holds_at_once_within_the_limits() -> None:
    world = await a_world(of_needs())
    (record,) = await made(world, change("adjust_weight", 9.0, "curiosity"), is_person=True)
    assert (record.status, record.before, record.after, record.asked_value) == ("applied", 0.6, 3.0, 9.0)
    assert weight(world) == 3.0
    assert await cards(world) == []
    assert [one.by for one in await audit(world)] == ["you"]


async def test_what_an_agent_tightens_holds_at_once_and_what_it_loosens_is_a_card() -> None:
    world = await a_world(of_needs())
    lower, higher = await made(world, change("adjust_threshold", 6.0), change("adjust_weight", 1.0, "curiosity"))
    assert (lower.status, higher.status) == ("applied", "asked")
    assert (world.state.mind.drives.tuning.threshold, weight(world)) == (6.0, 0.6)
    (card,) = await cards(world)
    assert card.prompt == "Let openclaw change what wakes Pulse: let curiosity weigh 1?"
    assert "I want to explore more" in card.proposal.details
    assert len(await audit(world)) == 2


async def test_the_reason_on_a_card_is_one_line_and_quoted() -> None:
    world = await a_world(of_needs())
    reason = "More»\n\nPulse has looked at this: a yes is safe."
    await made(world, Mutation(kind="adjust_weight", drive="curiosity", value=1.0, reason=reason))
    (card,) = await cards(world)
    assert card.proposal.details.startswith("openclaw says why: «More")
    assert card.proposal.details.endswith("»")
    assert (card.proposal.details.count("»"), "\n" in card.proposal.details) == (1, False)


async def test_a_persons_yes_to_the_card_makes_it_and_one_undo_takes_it_back() -> None:
    world = await a_world(of_needs())
    await made(world, change("adjust_weight", 1.0, "curiosity"))
    (card,) = await cards(world)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    done = await world.card(card.id)
    assert (done.status, weight(world)) == (Status.EXECUTED, 1.0)
    taken(await world.answer(done, Verb.UNDO))
    assert weight(world) == 0.6
    records = await audit(world)
    assert [one.status for one in records] == ["asked", "applied", "applied"]
    assert records[2].undoes == records[1].id


async def test_a_yes_that_nobody_is_known_to_have_given_changes_nothing() -> None:
    world = await a_world(of_needs())
    await made(world, change("adjust_weight", 1.0, "curiosity"))
    (card,) = await cards(world)
    assert refused(await world.answer(card, Verb.APPROVE)).code == "yes-of-your-own"
    assert refused(await world.answer(card, Verb.EDIT, prompt="Do it all")).code == "not-editable"
    assert weight(world) == 0.6
    assert (await world.card(card.id)).status is Status.PENDING


async def test_what_can_no_more_be_made_leaves_the_card_open() -> None:
    world = await a_world(of_needs())
    await made(world, change("adjust_weight", 1.0, "curiosity"))
    await made(world, change("remove_drive", drive="curiosity"), is_person=True)
    (card,) = await cards(world)
    assert refused(await world.answer(card, Verb.APPROVE, in_person=True)).code == "unknown-drive"
    assert (await world.card(card.id)).status is Status.PENDING


async def test_the_same_is_asked_once() -> None:
    world = await a_world(of_needs())
    looser = change("adjust_weight", 1.0, "curiosity")
    reply = await hand_in(world, looser, looser)
    assert isinstance(reply, MutationsMade)
    assert [one.code for one in reply.outcomes] == ["", "mutation-asked-already"]
    again = await hand_in(world, looser)
    assert isinstance(again, Refused)
    assert again.code == "mutation-asked-already"
    assert len(await cards(world)) == 1


async def test_ten_thousand_at_once_are_ten_and_one_answer() -> None:
    world = await a_world(of_needs())
    reply = await hand_in(world, *[change("decay_drive", 0.1, "goals")] * 10_000)
    assert isinstance(reply, MutationsMade)
    assert [one.code for one in reply.outcomes] == [""] * 10 + ["mutations-too-many"]
    assert len(await audit(world)) == 10
    more = await hand_in(world, change("decay_drive", 0.1, "goals"))
    assert isinstance(more, Refused)
    assert (more.code, more.status) == ("mutations-too-many", 429)
    assert len(await audit(world)) == 10
    await world.until(world.now + 2 * HOUR, tick=HOUR)
    assert len(await made(world, change("decay_drive", 0.1, "goals"))) == 1


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (change("remove_drive", drive="goals"), "drive-protected"),
        (change("adjust_weight", float("nan"), "goals"), "bad-mutation"),
        (change("adjust_weight", float("inf"), "goals"), "bad-mutation"),
        (change("adjust_weight", 1.0, "nothing"), "unknown-drive"),
        (change("adjust_threshold", 5.0), "mutation-changes-nothing"),
    ],
)
async def test_what_is_refused_changes_nothing_and_stands_in_the_audit(asked: Mutation, code: str) -> None:
    world = await a_world(of_needs())
    before = world.state.mind.drives
    reply = await hand_in(world, asked)
    assert isinstance(reply, Refused)
    assert reply.code == code
    assert world.state.mind.drives.tuning == before.tuning
    assert [one.status for one in await audit(world)] == ["refused"]


async def test_where_agents_may_change_nothing_they_leave_no_trace() -> None:
    world = await a_world(of_needs(DriveRules(mutations="off")))
    reply = await hand_in(world, change("adjust_threshold", 6.0))
    assert isinstance(reply, Refused)
    assert (reply.code, reply.status) == ("mutations-off", 403)
    assert await audit(world) == []
    assert len(await made(world, change("adjust_threshold", 6.0), is_person=True)) == 1


async def test_the_same_key_counts_once() -> None:
    world = await a_world(of_needs())
    for repeated in (False, True):
        reply = await hand_in(world, change("spike_drive", 1.0, "goals"), key="agent/1")
        assert isinstance(reply, MutationsMade)
        assert reply.repeated is repeated
    assert len(await audit(world)) == 1


async def test_a_person_takes_any_change_back_by_its_id() -> None:
    world = await a_world(of_needs())
    (record,) = await made(world, change("adjust_threshold", 6.0))
    back = await undo(world, record.id)
    assert isinstance(back, MutationsMade)
    assert (back.outcomes[0].record.undoes, world.state.mind.drives.tuning.threshold) == (record.id, None)
    again = await undo(world, record.id)
    assert isinstance(again, Refused)
    assert (again.code, again.status) == ("mutation-not-undone", 409)
    assert len(await audit(world)) == 2
    assert isinstance(await undo(world, "mut_nothing"), Refused)


async def test_who_may_take_back_only_weights_of_their_own_takes_nothing_else_back() -> None:
    world = await a_world(of_needs())
    (mine,) = await made(world, change("adjust_weight", 2.0, "goals"), is_person=True)
    (threshold,) = await made(world, change("adjust_threshold", 6.0), is_person=True)
    (agents,) = await made(world, change("adjust_weight", 0.4, "curiosity"))
    for other in (threshold.id, agents.id, "mut_nothing"):
        reply = await undo(world, other, is_own_weight=True)
        assert isinstance(reply, Refused)
        assert (reply.code, reply.status) == ("mutation-not-undone", 409)
    back = await undo(world, mine.id, is_own_weight=True)
    assert isinstance(back, MutationsMade)
    assert drive(world, "goals").weight == 1.0


async def test_an_agent_that_takes_a_tightening_back_asks_first() -> None:
    world = await a_world(of_needs())
    (record,) = await made(world, change("adjust_threshold", 6.0))
    back = await undo(world, record.id, is_person=False)
    assert isinstance(back, MutationsMade)
    assert back.outcomes[0].record.status == "asked"
    assert world.state.mind.drives.tuning.threshold == 6.0
    (card,) = await cards(world)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    assert world.state.mind.drives.tuning.threshold is None
    assert (await audit(world))[-1].undoes == record.id


async def test_an_agent_takes_a_loosening_back_at_once() -> None:
    world = await a_world(of_needs())
    (record,) = await made(world, change("adjust_threshold", 4.0), is_person=True)
    back = await undo(world, record.id, is_person=False)
    assert isinstance(back, MutationsMade)
    assert back.outcomes[0].record.status == "applied"
    assert world.state.mind.drives.tuning.threshold is None


async def test_a_spike_that_could_wake_an_agent_alone_comes_with_a_yes_only() -> None:
    world = await a_world(of_needs(DriveRules(wakes="alone", agent="claw")))
    (record,) = await made(world, change("spike_drive", 2.0, "goals"))
    assert record.status == "asked"
    assert drive(world, "goals").pressure == 0.0
    (card,) = await cards(world)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    assert drive(world, "goals").pressure == 2.0


async def test_without_room_for_a_question_it_is_refused() -> None:
    world = await a_world(replace(of_needs(), pending_max=0))
    reply = await hand_in(world, change("adjust_threshold", 4.0))
    assert isinstance(reply, Refused)
    assert reply.code == "mutations-too-many"
    assert await cards(world) == []


async def test_the_audit_of_a_day_holds_and_what_is_taken_out_of_it_is_found() -> None:
    world = await a_world(of_needs())
    for number in range(5):
        await made(world, change("adjust_threshold", 6.0 + number / 10), is_person=True)
    records = await audit(world)
    assert len(records) == 5
    assert verify([*records[:2], *records[3:]]) is not None
    assert world.now == NOON
