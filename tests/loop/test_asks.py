"""Questions by others: idempotent by key, bounded, withdrawn, expired, and held by the kill switch."""

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import PredictionExpired, PredictionNew, PredictionSettled
from hub.contract.phrasing import Phrasing
from hub.contract.words import Badge, MoveReason, Risk, Status, Verb
from hub.domain.requests import Ask, Configure, Noted, Refused, Reply, ReportDone, ReportedEnd, Withdraw
from hub.domain.storage import ExecutionsOf
from hub.loop.asks import ASKS_PER_CLIENT_MAX
from tests.fakes.world import World
from tests.loop.stage import DISCORD, MINUTE, NOON, a_card, a_policy, a_question, a_world, refused, taken
from tests.loop.test_permission_grants import CLEAN
from tests.loop.test_permission_grants import asked as permission_asked

ASK = Ask(key="deploy-7", asker="script", question="May I?", details="Because.", risk=Risk.HIGH, timeout_s=600)


async def test_a_question_is_a_card_and_its_key_makes_it_one_card() -> None:
    world = await a_world()
    first, again = taken(await world.ask(ASK)), taken(await world.ask(ASK))
    assert (first.repeated, again.repeated) == (False, True)
    assert first.prediction == again.prediction
    assert len(await world.cards()) == len(world.told(PredictionNew)) == world.state.open_count == 1


async def test_a_repeated_key_finds_the_answer_that_was_given() -> None:
    world = await a_world()
    card = await world.card(taken(await world.ask(ASK)).prediction.id)
    taken(await world.answer(card, Verb.REJECT))
    again = taken(await world.ask(ASK))
    assert again.repeated
    assert again.prediction.status is Status.REJECTED


@pytest.mark.parametrize(
    "other",
    [
        {"question": "May I not?"},
        {"details": "Because of something else."},
        {"risk": Risk.LOW},
        {"timeout_s": 601},
        {"asker": "another"},
    ],
)
async def test_a_key_is_good_for_one_whole_question(other: dict[str, object]) -> None:
    world = await a_world()
    card = await world.card(taken(await world.ask(ASK)).prediction.id)
    taken(await world.answer(card, Verb.APPROVE))
    reply = refused(await world.ask(replace(ASK, **other)))
    assert (reply.code, reply.status) == ("key-reused", 409)


async def test_a_key_with_another_secret_is_another_question_though_both_look_alike() -> None:
    world = await a_world()
    first = taken(await world.ask(replace(ASK, question="curl -H 'token=abcd1234efgh5678'")))
    second = await world.ask(replace(ASK, question="curl -H 'token=ijkl1234mnop5678'"))
    assert first.prediction.prompt == (refused(second).prediction or first.prediction).prompt
    assert refused(second).code == "key-reused"


async def test_two_clients_with_the_same_key_do_not_meet() -> None:
    world = await a_world()
    first, second = replace(ASK, client="client_1"), replace(ASK, client="client_2")
    card = await world.card(taken(await world.ask(first)).prediction.id)
    taken(await world.answer(card, Verb.APPROVE))
    other = taken(await world.ask(second))
    assert (other.repeated, other.prediction.status) == (False, Status.PENDING)


async def test_a_client_takes_back_its_own_questions_only() -> None:
    world = await a_world()
    card = await world.card(taken(await world.ask(replace(ASK, client="client_1"))).prediction.id)
    other = refused(await world.ask(Withdraw(card_id=card.id, client="client_2")))
    none = refused(await world.ask(Withdraw(card_id="pred_none", client="client_2")))
    assert replace(other, detail="") == replace(none, detail="")
    taken(await world.ask(Withdraw(card_id=card.id, client="client_1")))


async def test_one_client_has_a_share_and_all_of_them_leave_room_for_the_person() -> None:
    world = await a_world()
    for number in range(ASKS_PER_CLIENT_MAX):
        taken(await world.ask(replace(ASK, key=f"k{number}", client="client_1")))
    reply = refused(await world.ask(replace(ASK, key="more", client="client_1")))
    assert (reply.code, reply.status) == ("too-many-open", 429)
    for client in range(2, 5):
        for number in range(ASKS_PER_CLIENT_MAX):
            taken(await world.ask(replace(ASK, key=f"k{number}", client=f"client_{client}")))
    assert refused(await world.ask(replace(ASK, client="client_9"))).code == "too-many-open"
    taken(await world.ask(ASK))
    assert (await a_card(world)).status is Status.PENDING
    await world.until(NOON + 10 * MINUTE)
    assert sum(world.state.open_asks.values()) == 0
    taken(await world.ask(replace(ASK, key="later", client="client_1")))


async def asked_by(world: World, share: str, number: int) -> Reply:
    return await world.ask(replace(ASK, key=f"{share} {number}", client="agents", share=share))


async def test_one_agent_of_several_that_are_one_client_leaves_room_for_the_others() -> None:
    world = await a_world()
    got: list[int] = []
    for share in ("noisy", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"):
        replies = [await asked_by(world, share, number) for number in range(ASKS_PER_CLIENT_MAX + 5)]
        got.append(sum(not isinstance(reply, Refused) for reply in replies))
    assert got == [20, 20, 10, 5, 3, 1, 1, 0], "half of what is left, so that the next one finds some"
    taken(await world.ask(replace(ASK, key="mine", client="with-a-token")))
    taken(await world.ask(ASK))


async def test_names_that_an_agent_makes_up_never_take_more_than_all_agents_may() -> None:
    world = await a_world()
    for number in range(300):
        await asked_by(world, f"made-up-{number}", 0)
    assert sum(world.state.open_asks.values()) == 60
    assert refused(await asked_by(world, "late", 0)).code == "too-many-open"
    taken(await world.ask(replace(ASK, key="mine", client="with-a-token")))


async def test_whose_share_a_question_takes_is_known_after_a_restart() -> None:
    world = await a_world()
    card = await world.card(taken(await asked_by(world, "noisy", 0)).prediction.id)
    taken(await asked_by(world, "other", 0))
    await world.reopen()
    assert world.state.open_asks == {"agents#noisy": 1, "agents#other": 1}
    taken(await world.ask(Withdraw(card_id=card.id, client="agents")))
    assert world.state.open_asks["agents#noisy"] == 0


async def test_questions_never_stand_in_the_way_of_suggestions() -> None:
    world = await a_world(a_policy(pending_max=3))
    for number in range(3):
        taken(await world.ask(replace(ASK, key=f"k{number}")))
    assert (await a_card(world)).status is Status.PENDING


async def test_what_is_open_is_counted_anew_after_a_restart() -> None:
    world = await a_world()
    taken(await world.ask(replace(ASK, client="client_1")))
    await a_question(world)
    await a_card(world)
    await world.reopen()
    assert (world.state.open_asks, world.state.open_count) == ({"client_1": 1, "local": 1}, 3)


async def test_an_approved_question_runs_nothing() -> None:
    world = await a_world()
    card = await a_question(world)
    taken(await world.answer(card, Verb.APPROVE))
    after = await world.card(card.id)
    assert (after.status, after.execution_id, world.jobs) == (Status.CONFIRMED, None, [])
    assert await world.store.read(ExecutionsOf(user="me", card_id=card.id)) == ()
    assert world.state.mind.ledger.spending.minutes == ()
    assert refused(await world.answer(card, Verb.UNDO)).code == "too-late-to-undo"


async def test_a_question_is_not_reworded() -> None:
    world = await a_world()
    card = await a_question(world)
    assert refused(await world.answer(card, Verb.EDIT, prompt="May I not?")).code == "not-editable"
    assert (await world.card(card.id)).status is Status.PENDING


async def test_a_risky_question_is_marked_and_not_approved_by_a_double_tap() -> None:
    world = await a_world()
    await world.pair(DISCORD)
    reply = taken(await world.ask(ASK))
    assert reply.prediction.badges == (Badge.RISKY,)


async def test_a_question_expires_after_its_own_time() -> None:
    world = await a_world()
    card = await a_question(world, timeout_s=600)
    await world.until(NOON + 10 * MINUTE)
    assert (await world.card(card.id)).status is Status.EXPIRED
    assert len(world.told(PredictionExpired)) == 1
    assert refused(await world.answer(card, Verb.APPROVE)).code == "expired"


async def test_whoever_asked_may_take_it_back() -> None:
    world = await a_world()
    card = await a_question(world)
    assert taken(await world.ask(Withdraw(card_id=card.id))).prediction.status is Status.CANCELLED
    assert world.state.open_count == 0
    assert len(world.told(PredictionSettled)) == 1
    assert refused(await world.answer(card, Verb.APPROVE)).code == "already-settled"
    assert refused(await world.ask(Withdraw(card_id=card.id))).code == "already-settled"


async def test_only_a_question_can_be_taken_back() -> None:
    world = await a_world()
    card = await a_card(world)
    for card_id in (card.id, "pred_none"):
        assert refused(await world.ask(Withdraw(card_id=card_id))).code == "unknown-card"
    assert (await world.card(card.id)) == card


async def test_the_kill_switch_holds_for_questions_too() -> None:
    for patch in (ConfigPatch(enabled=False), ConfigPatch(emergency_stop=True)):
        world = await a_world()
        card = await a_question(world)
        await world.ask(Configure(patch=patch, by="me"))
        refusal = refused(await world.answer(card, Verb.APPROVE))
        assert (refusal.code, "`" in refusal.detail) == ("rail-kill", False)  # a notification shows the detail alone
        assert "again" in refusal.fix
        assert (await world.card(card.id)).status is Status.PENDING
        taken(await world.answer(card, Verb.REJECT))


async def test_too_many_open_questions_are_refused() -> None:
    world = await a_world(a_policy(pending_max=2))
    cards = [await a_question(world, f"q{number}") for number in range(2)]
    reply = refused(await world.ask(ASK))
    assert (reply.code, reply.status) == ("too-many-open", 429)
    assert taken(await world.ask(replace(ASK, key="q1", details="", risk=Risk.LOW))).repeated
    await world.answer(cards[0], Verb.REJECT)
    taken(await world.ask(ASK))


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT])
async def test_an_answer_that_the_agent_did_not_take_is_overruled_by_whoever_asked(verb: Verb) -> None:
    world = await a_world()
    card = await permission_asked(world, CLEAN, "k1", client="client_1")
    taken(await world.answer(card, verb))
    why, worded = "Refused in the agent's own dialog.", Phrasing(code="over.refused")
    said = Withdraw(card_id=card.id, client="client_1", why=why, why_worded=worded, overrules=True)
    assert refused(await world.ask(replace(said, client="client_2"))).code == "unknown-card"
    assert refused(await world.ask(replace(said, overrules=False))).code == "already-settled"
    taken(await world.ask(said))
    now = await world.card(card.id)
    shown = world.told(PredictionSettled)[-1]
    assert isinstance(shown, PredictionSettled)
    assert (now.status, now.outcome) == (Status.CANCELLED, said.why)
    assert shown.prediction.status_reason is MoveReason.OVERRULED
    assert (shown.prediction.outcome, shown.prediction.outcome_worded) == (why, worded)
    assert refused(await world.ask(said)).code == "already-settled"
    other = Verb.REJECT if verb is Verb.APPROVE else Verb.APPROVE
    assert refused(await world.answer(card, other)).code == "already-settled"


@pytest.mark.parametrize(
    ("how", "said", "code"),
    [
        ("done", "The agent reports that it is done.", "over.reported_done"),
        ("failed", "The agent reports that it failed.", "over.reported_failed"),
        ("tested", "This was a test of the connection: your yes arrived.", "over.tested"),
    ],
)
async def test_an_approved_request_says_what_its_agent_reports(how: ReportedEnd, said: str, code: str) -> None:
    world = await a_world()
    card = await permission_asked(world, CLEAN, "k1", client="client_1")
    report = ReportDone(card_id=card.id, client="client_1", how=how)
    assert refused(await world.ask(report)).code == "already-settled"  # nobody has said yes yet
    taken(await world.answer(card, Verb.APPROVE))
    assert refused(await world.ask(replace(report, client="client_2"))).code == "unknown-card"
    sent = len(world.deliveries)
    assert isinstance(await world.ask(report), Noted)
    now = await world.card(card.id)
    assert (now.status, now.outcome) == (Status.CONFIRMED, said)
    shown = world.told(PredictionSettled)[-1]
    assert isinstance(shown, PredictionSettled)
    assert shown.prediction.outcome_worded == Phrasing(code=code)
    assert len(world.deliveries) == sent  # pages follow; no device is disturbed again


async def test_nobody_overrules_what_was_not_asked_leave_for() -> None:
    world = await a_world()
    card = await world.card(taken(await world.ask(ASK)).prediction.id)
    taken(await world.answer(card, Verb.REJECT))
    said = Withdraw(card_id=card.id, client=ASK.client, why="x", overrules=True)
    assert refused(await world.ask(said)).code == "already-settled"


@pytest.mark.parametrize(("shares", "may"), [(("1-1",), True), (("", "1-1"), True), (("2-2", ""), False), ((), False)])
async def test_of_several_agents_of_one_client_the_one_that_asked_takes_its_question_back(
    shares: tuple[str, ...], *, may: bool
) -> None:
    world = await a_world()
    asked = Ask(
        key="q1",
        asker="script",
        question="May I?",
        details="",
        risk=Risk.LOW,
        timeout_s=600,
        client="local_agent",
        share="1-1",
    )
    card = await world.card(taken(await world.ask(asked)).prediction.id)
    reply = await world.ask(Withdraw(card_id=card.id, client="local_agent", shares=shares))
    assert isinstance(reply, Refused) is not may
    assert (await world.card(card.id)).status is (Status.CANCELLED if may else Status.PENDING)
    assert isinstance(await world.ask(Withdraw(card_id=card.id)), Refused) is may, (
        "the person's terminal takes back any"
    )
