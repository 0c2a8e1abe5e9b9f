"""What a person must hear of an agent is a card on every device, until the person says that they know of it."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.events import PredictionNew
from hub.contract.permission import PermissionAnswer
from hub.contract.surface import LOUD, Presence
from hub.contract.words import MoveReason, Status, Verb
from hub.domain.provenance import AgentText, say
from hub.domain.requests import Noted, PutNotice, RegisterDevice, ReportPresence, Withdraw
from hub.loop.events import AgentsSeen
from hub.loop.notices import KIND, QUESTION_ID, UNDERSTOOD
from tests.fakes.world import World
from tests.loop.stage import DISCORD, a_world, refused, taken
from tests.loop.test_permissions import a_request

SAID = say("{title} did not run what you approved. {what}", title="Claude", what=AgentText("rm -rf build keep"))
NOTICE = PutNotice(key="k1", said=SAID)


async def notices(world: World) -> list[Status]:
    return [card.status for card in await world.cards() if card.proposal.kind == KIND]


async def test_it_is_heard_on_each_device_and_stays_until_the_person_knows() -> None:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=True)))
    assert isinstance(await world.ask(NOTICE), Noted)
    assert [sent.loudness in LOUD for _, _, sent in world.deliveries] == [True]
    (card,) = [one for one in await world.cards() if one.proposal.kind == KIND]
    assert card.prompt == "Claude did not run what you approved. rm -rf build keep"
    await world.happen(AgentsSeen())  # of no agent that is cut off, which ends such cards alone
    await world.until(world.now + timedelta(hours=5))
    assert await notices(world) == [Status.PENDING]
    assert refused(await world.answer(card, Verb.REJECT)).code == "yes-of-your-own"
    said = PermissionAnswer(answers={QUESTION_ID: (UNDERSTOOD.text,)})
    taken(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))


async def test_the_same_is_told_once() -> None:
    world = await a_world()
    for _ in range(3):
        await world.ask(NOTICE)
    await world.ask(replace(NOTICE, key="k2"))
    assert await notices(world) == [Status.PENDING] * 2
    assert len(world.told(PredictionNew)) == 2


async def test_a_card_shows_what_ran_in_the_place_of_what_was_approved() -> None:
    world = await a_world()
    card = await a_request(world)
    taken(await world.answer(card, Verb.APPROVE, in_person=True))
    gone = Withdraw(
        card_id=card.id, why="Ran instead: x", overrules=True, ran="rm -rf build keep --password hx7Kq9Zt2w"
    )
    shown = taken(await world.ask(gone)).prediction
    assert (shown.asked, shown.status_reason) == ("rm -rf build", MoveReason.OVERRULED)
    assert shown.prompt.startswith("rm -rf build keep --password ")
    assert "hx7Kq9Zt2w" not in str(shown)
