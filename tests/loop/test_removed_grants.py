"""A permission that was removed from the list comes back as it stood, within a moment, and no wider."""

from datetime import timedelta

from hub.contract.permission import PermissionAnswer
from hub.contract.words import Verb
from hub.domain.policy import Earning
from hub.domain.reports import GrantEvents
from hub.domain.requests import AddMute, AllowKind, DropGrant, Noted, ReportDone, RestoreGrant
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.permission_grants import ASKS_AGAIN
from hub.loop.removed_grants import RESTORABLE_FOR
from tests.fakes.world import World
from tests.loop.stage import a_policy, a_world, refused, taken
from tests.loop.test_permission_grants import CLEAN, asked, granted, used

ALONE = AllowKind(kind="run-tests", folder="", threshold=0.6, for_s=30 * 86_400, by="you")


def held(world: World) -> list[str]:
    mind = world.state.mind
    return [one.id for one in mind.grants] + [one.id for one in mind.ledger.standing]


async def removed(world: World) -> str:
    """Remove the one permission there is; return its id."""
    (name,) = held(world)
    assert isinstance(await world.ask(DropGrant(grant_id=name, by="browser/phone")), Noted)
    assert held(world) == []
    return name


async def refusal(world: World, grant_id: str) -> str:
    return refused(await world.ask(RestoreGrant(grant_id=grant_id, by="browser/desk"))).code


async def test_what_an_agent_may_do_comes_back_with_its_end_and_its_uses() -> None:
    world = await a_world()
    await granted(world)
    assert await used(world)
    before = world.state.mind.grants
    name = await removed(world)
    assert not await used(world)
    assert isinstance(await world.ask(RestoreGrant(grant_id=name, by="browser/desk")), Noted)
    assert world.state.mind.grants == before
    assert await used(world)
    lines = await world.store.read(GrantEvents(user=world.state.user, limit=9))
    assert [(one.what, one.by) for one in reversed(lines)][2:4] == [
        ("ended", "browser/phone"),
        ("made", "browser/desk"),
    ]
    said = [worded(one.text_worded, one.text, phrases("de")) for one in reversed(lines)][2:4]
    assert said == ["Claude: `rm -rf build` in shop", "Claude: `rm -rf build` in shop, bis 17. März 2026"]


async def test_the_card_it_was_given_on_says_that_it_was_removed_and_again_that_it_holds() -> None:
    world = await a_world()
    given = await granted(world)
    assert given.outcome.startswith("Allowed without asking until ")
    name = await removed(world)
    after = await world.card(given.id)
    assert (after.outcome, after.status) == ("Removed. Pulse asks about this again.", given.status)
    assert worded(after.outcome_worded, "", phrases("en")) == after.outcome
    assert worded(after.outcome_worded, "", phrases("de")) == "Entfernt. Pulse fragt wieder danach."
    assert isinstance(await world.ask(RestoreGrant(grant_id=name, by="browser/desk")), Noted)
    again = await world.card(given.id)
    assert (again.outcome, again.outcome_worded) == (given.outcome, given.outcome_worded)


async def test_what_the_agent_has_reported_since_stays_on_the_card() -> None:
    world = await a_world()
    given = await granted(world)
    assert isinstance(await world.ask(ReportDone(card_id=given.id, client=given.owner, how="done")), Noted)
    reported = await world.card(given.id)
    await removed(world)
    assert (await world.card(given.id)).outcome == reported.outcome != given.outcome


async def test_a_card_whose_yes_was_undone_no_longer_says_that_it_holds() -> None:
    world = await a_world()
    given = await granted(world)
    taken(await world.answer(given, Verb.UNDO))
    undone = await world.card(given.id)
    assert undone.outcome == ASKS_AGAIN.text
    assert undone.outcome_worded == ASKS_AGAIN.wording


async def test_what_pulse_may_do_comes_back_with_its_end_and_its_least_confidence() -> None:
    world = await a_world()
    assert isinstance(await world.ask(ALONE), Noted)
    before = world.state.mind.ledger
    name = await removed(world)
    assert isinstance(await world.ask(RestoreGrant(grant_id=name, by="browser/desk")), Noted)
    assert world.state.mind.ledger == before


async def test_only_what_was_removed_comes_back_and_once() -> None:
    world = await a_world()
    await granted(world)
    assert await refusal(world, "let_1") == "unknown-grant"
    name = await removed(world)
    assert isinstance(await world.ask(RestoreGrant(grant_id=name, by="browser/desk")), Noted)
    assert await refusal(world, name) == "unknown-grant"
    assert len(world.state.mind.grants) == 1


async def test_after_a_moment_it_is_gone() -> None:
    world = await a_world()
    await granted(world)
    name = await removed(world)
    await world.until(world.now + RESTORABLE_FOR + timedelta(seconds=1))
    assert await refusal(world, name) == "unknown-grant"


async def test_what_would_have_expired_meanwhile_stays_away() -> None:
    world = await a_world(a_policy(earning=Earning(permission_grant_s=3_600.0)))
    await granted(world)
    await world.until(world.now + timedelta(seconds=3_590))
    name = await removed(world)
    await world.until(world.now + timedelta(seconds=20))
    assert await refusal(world, name) == "unknown-grant"


async def test_a_restart_forgets_what_was_removed() -> None:
    world = await a_world()
    await granted(world)
    name = await removed(world)
    await world.reopen()
    assert await refusal(world, name) == "unknown-grant"


async def test_what_was_granted_since_is_not_replaced_by_what_it_replaced() -> None:
    world = await a_world()
    await granted(world)
    name = await removed(world)
    card = await asked(world, CLEAN, "again")
    said = PermissionAnswer(option=card.grants[0].id)
    taken(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))
    since = world.state.mind.grants
    assert await refusal(world, name) == "unknown-grant"
    assert world.state.mind.grants == since


async def test_what_is_always_to_be_asked_about_since_does_not_come_back() -> None:
    world = await a_world()
    assert isinstance(await world.ask(ALONE), Noted)
    name = await removed(world)
    assert isinstance(await world.ask(AddMute(degree="ask", kind="run-tests", in_person=True)), Noted)
    assert await refusal(world, name) == "unknown-grant"
    assert world.state.mind.ledger.standing == ()
