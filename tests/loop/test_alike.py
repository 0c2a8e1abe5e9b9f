"""Five requests of an agent that are alike buzz once, and say that they are: each is still answered by itself."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from hub.contract.events import DIGEST_CARDS_MAX, DigestReady, PredictionNew
from hub.contract.permission import Act
from hub.contract.surface import CardDelivery, Loudness
from hub.contract.topics import DeviceAddress
from hub.contract.words import Risk, Status, Verb
from hub.domain.at_agent import AtAgent
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.suggestion import Card
from hub.kit.digests import cards_of, heading, line_of
from hub.loop.alike import ALIKE_OPEN_MAX, HEARD_APART
from hub.loop.alike_views import alike_of
from hub.loop.state import AlikeOpen
from tests.fakes.world import World
from tests.loop.stage import DISCORD, PHONE, a_world, taken
from tests.loop.test_permission_grants import CLEAN, PUSH, asked

TERMINAL = DeviceAddress(surface="terminal", device="mine")
TESTS = replace(CLEAN, text="pytest tests/shop")


def sounds(world: World) -> list[Loudness]:
    """Return how loudly Discord was told of new cards, in order: one by itself, or with those alike."""
    return [one.loudness for one in told_to(world, DISCORD)]


def told_to(world: World, device: DeviceAddress) -> list[CardDelivery]:
    news = (PredictionNew, DigestReady)
    return [one for _, address, one in world.deliveries if address == device and isinstance(one.event, news)]


def counts(world: World) -> list[int]:
    return [event.alike for event in world.told(PredictionNew) if isinstance(event, PredictionNew)]


async def watched() -> World:
    world = await a_world()
    await world.pair(DISCORD)
    return world


async def three(world: World) -> list[Card]:
    return [await asked(world, replace(TESTS, text=f"pytest tests/{name}"), name) for name in "abc"]


async def test_those_alike_have_a_name_in_common_and_the_others_none() -> None:
    world = await watched()
    cards = await three(world)
    (name,) = {alike_of(card) for card in cards}
    shown = [event.prediction for event in world.told(PredictionNew) if isinstance(event, PredictionNew)]
    assert [(one.alike, one.always_asked) for one in shown] == [(name, "")] * 3
    for number, other in enumerate((PUSH, replace(TESTS, folder="/home/anna/till"), replace(TESTS, agent="codex"))):
        assert alike_of(await asked(world, other, f"other {number}")) not in {name, ""}
    elsewhere = await asked(world, TESTS, "another client", client="them")
    assert alike_of(elsewhere) not in {name, ""}


@pytest.mark.parametrize("text", ["sudo rm -rf /etc", "cat .env", "rm *"])
async def test_what_is_grave_or_too_wide_is_alike_nothing_and_says_why_it_is_always_asked(text: str) -> None:
    world = await watched()
    cards = [await asked(world, replace(CLEAN, text=text), key) for key in ("k1", "k2")]
    assert [alike_of(card) for card in cards] == ["", ""]
    assert all(card.always_asked for card in cards)
    assert "silent" not in sounds(world)
    assert counts(world) == [0, 0]


async def test_a_card_of_high_risk_is_alike_nothing_whatever_may_be_granted() -> None:
    card = await asked(await watched(), TESTS, "k1")
    assert alike_of(card)
    assert not alike_of(replace(card, proposal=replace(card.proposal, risk=Risk.HIGH)))


async def test_the_first_is_heard_and_the_others_say_how_many_wait() -> None:
    world = await watched()
    await three(world)
    assert sounds(world)[0] != "silent"
    assert sounds(world)[1:] == ["silent", "silent"]
    assert counts(world) == [0, 1, 2]
    await asked(world, PUSH, "another kind")
    assert sounds(world)[-1] != "silent"


async def test_after_a_minute_it_is_heard_again() -> None:
    world = await watched()
    await three(world)
    await world.until(world.now + HEARD_APART)
    await asked(world, TESTS, "later")
    assert sounds(world)[-1] != "silent"
    await asked(world, replace(TESTS, text="pytest tests/z"), "just-after")
    assert sounds(world)[-1] == "silent"


@pytest.mark.parametrize("verb", [Verb.APPROVE, Verb.REJECT])
async def test_one_after_the_other_is_heard_each_time(verb: Verb) -> None:
    world = await watched()
    for name in "ab":
        card = await asked(world, replace(TESTS, text=f"pytest tests/{name}"), name)
        taken(await world.answer(card, verb))
    assert len(sounds(world)) == 2
    assert "silent" not in sounds(world)
    assert world.state.alike_open == ()


async def test_an_answer_to_one_is_no_answer_to_another() -> None:
    world = await watched()
    first, second, third = await three(world)
    taken(await world.answer(second, Verb.APPROVE))
    assert [(await world.card(one.id)).status for one in (first, third)] == [Status.PENDING, Status.PENDING]


async def test_those_that_were_kept_for_the_agents_own_dialog_are_heard_once() -> None:
    world = await watched()
    await world.ask(AtAgent(asker=LOCAL_CLIENT, agent="claude-code", session="s1"))
    await three(world)
    assert sounds(world) == []
    await world.until(world.now + timedelta(seconds=60))
    assert [one == "silent" for one in sounds(world)] == [False, True, True]


async def test_what_is_remembered_of_them_is_bounded() -> None:
    world = await watched()
    one = AlikeOpen(card_id="old", alike="old", heard_at=world.now)
    world.state = replace(world.state, alike_open=(one,) * ALIKE_OPEN_MAX)
    card = await asked(world, TESTS, "new")
    assert len(world.state.alike_open) == ALIKE_OPEN_MAX
    assert world.state.alike_open[-1].card_id == card.id


def batch(world: World, device: DeviceAddress = DISCORD) -> CardDelivery:
    """Return the newest message of several to a device."""
    return [one for one in told_to(world, device) if isinstance(one.event, DigestReady)][-1]


def listed(delivery: CardDelivery) -> list[str]:
    return [one.prompt for one in delivery.event.cards] if isinstance(delivery.event, DigestReady) else []


async def test_the_others_come_in_one_message_that_grows_and_each_is_answered_there_by_itself() -> None:
    world = await watched()
    first, second, third = await three(world)
    told = told_to(world, DISCORD)
    assert [type(one.event) for one in told] == [PredictionNew, DigestReady, DigestReady]
    assert listed(told[1]) == ["pytest tests/a", "pytest tests/b"]
    assert listed(told[2]) == ["pytest tests/a", "pytest tests/b", "pytest tests/c"]
    assert len({one.event.digest_id for one in told[1:] if isinstance(one.event, DigestReady)}) == 1
    one = cards_of(told[2])[1]
    assert (one.verbs, one.loudness) != ((), "notify")
    await world.hand_in(one, DISCORD, Verb.APPROVE, second.card_hash)
    states = [(await world.card(card.id)).status for card in (first, second, third)]
    assert states == [Status.PENDING, Status.CONFIRMED, Status.PENDING]
    await asked(world, replace(TESTS, text="pytest tests/d"), "d")
    assert listed(batch(world)) == ["pytest tests/a", "pytest tests/c", "pytest tests/d"]


async def test_a_list_is_told_of_each_and_so_is_the_feed() -> None:
    world = await watched()
    await world.pair(TERMINAL)
    await three(world)
    assert [type(one.event) for one in told_to(world, TERMINAL)] == [PredictionNew] * 3
    assert (len(world.told(PredictionNew)), world.told(DigestReady)) == (3, [])


async def test_what_shows_no_text_is_told_of_each() -> None:
    world = await watched()
    await world.pair(PHONE)
    devices = tuple(replace(one, privacy="nothing") for one in world.state.devices)
    world.state = replace(world.state, devices=devices)
    await three(world)
    assert [type(one.event) for one in told_to(world, DISCORD)] == [PredictionNew] * 3


async def test_more_than_a_message_has_room_for_come_by_themselves() -> None:
    world = await watched()
    for number in range(DIGEST_CARDS_MAX + 1):
        await asked(world, replace(TESTS, text=f"pytest tests/{number}"), f"k{number}")
    assert len(listed(batch(world))) == DIGEST_CARDS_MAX
    assert isinstance(told_to(world, DISCORD)[-1].event, PredictionNew)


async def test_a_new_kind_of_wait_is_a_new_message() -> None:
    world = await watched()
    cards = await three(world)
    before = batch(world).event
    for card in cards:
        taken(await world.answer(card, Verb.REJECT))
    for name in "de":
        await asked(world, replace(TESTS, text=f"pytest tests/{name}"), name)
    after = batch(world).event
    assert isinstance(before, DigestReady)
    assert isinstance(after, DigestReady)
    assert before.digest_id != after.digest_id


async def test_a_line_is_whole_only_where_all_that_is_asked_stands_in_it() -> None:
    world = await watched()
    await three(world)
    digest = batch(world).event
    assert isinstance(digest, DigestReady)
    assert heading(digest).name == "new_alike"
    card = digest.cards[0]
    assert card.permission is not None
    assert line_of(card, is_alike=True).is_whole
    assert not line_of(card).is_whole
    asks = card.permission
    for other in (
        replace(asks, unusual=("Claude has not run pytest before.",)),
        replace(asks, left_out=3),
        replace(asks, act=Act.EDIT),
        replace(asks, text="pytest\ttests/a"),
    ):
        assert not line_of(replace(card, permission=other), is_alike=True).is_whole
    assert not line_of(replace(card, prompt=f"pytest {'a' * 200}"), is_alike=True).is_whole
    assert not line_of(replace(card, prompt="pytest  tests"), is_alike=True).is_whole
