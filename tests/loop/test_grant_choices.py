"""A person chooses the end and the files of a grant: what is shown is what is kept, and never more than offered."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from hub.contract.grants import GrantPreview
from hub.contract.permission import PermissionAnswer
from hub.contract.words import Status, Verb
from hub.domain.reports import AnsweredAsks, GrantEvents
from hub.domain.suggestion import Card
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.grant_choices import ANSWERS_READ_MAX, preview
from hub.loop.permissions import reply_of
from hub.loop.standing_views import grants_of
from hub.loop.views import prediction_of
from tests.fakes.world import World
from tests.loop.stage import a_world, refused, taken
from tests.loop.test_permission_grants import CLEAN, approved, asked, offers, used

BOTH = replace(CLEAN, text="rm -rf build dist")


async def shown(world: World, card: Card, said: PermissionAnswer) -> GrantPreview:
    answered = await world.store.read(AnsweredAsks(user=world.state.user, limit=ANSWERS_READ_MAX))
    return preview(card.grants[0], said, answered, world.state.policy, world.now)


def choice(card: Card, until: datetime | None = None, *paths: str) -> PermissionAnswer:
    return PermissionAnswer(option=card.grants[0].id, until=until, paths=paths)


async def test_what_is_shown_before_is_what_is_kept() -> None:
    world = await a_world()
    taken(await world.answer(await asked(world, CLEAN, "k1"), Verb.APPROVE))
    taken(await world.answer(await asked(world, replace(CLEAN, text="rm -rf dist"), "k2"), Verb.APPROVE))
    card = await asked(world, BOTH, "k3")
    plain = await shown(world, card, choice(card))
    assert (plain.label, plain.proposed) == (card.grants[0].label, ("build", "dist"))
    assert plain.note == "Would have covered 2 of your last 2 answers, and nothing you dismissed."
    said = choice(card, world.now + timedelta(hours=1), "build")
    found = await shown(world, card, said)
    assert found.label == "Allow `rm -rf build` in shop, until 13:00 on 10 March 2026"
    assert found.note == "Would have covered 1 of your last 2 answers, and nothing you dismissed."
    german = phrases("de")
    assert worded(found.label_worded, "", german) == (
        "Künftig `rm -rf build` in shop erlauben, bis 13:00 Uhr am 10. März 2026"
    )
    assert world.state.mind.grants == ()
    taken(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))
    settled = await world.card(card.id)
    assert settled.outcome == "Allowed without asking until 13:00 on 10 March 2026."
    (view,) = grants_of(world.state.mind, "UTC", world.now).grants
    assert view.effect == "without asking until 13:00 on 10 March 2026, not used yet."
    (made,) = await world.store.read(GrantEvents(user=world.state.user, limit=9))
    assert made.text == "claude-code: `rm -rf build` in shop, until 13:00 on 10 March 2026"
    assert await used(world, replace(CLEAN, text="rm -rf build"))
    assert not await used(world, BOTH)
    await world.until(world.now + timedelta(hours=1))
    assert not await used(world, replace(CLEAN, text="rm -rf build"))


async def test_the_agent_hears_a_plain_yes() -> None:
    world = await a_world()
    card = await asked(world, BOTH, "k1")
    said = choice(card, world.now + timedelta(hours=1), "build")
    taken(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))
    settled = await world.card(card.id)
    assert settled.settled is not None
    assert settled.settled.permission == said
    assert reply_of(prediction_of(settled, world.state.policy, None), settled).answer == PermissionAnswer()


@pytest.mark.parametrize(
    ("days", "paths", "why"),
    [
        (0, (), "That time has already passed."),
        (31, (), "The latest possible end is 9 April 2026."),
        (1, ("src",), "“src” is not part of what was offered."),
        (1, ("build", "../other"), "“../other” is not part of what was offered."),
    ],
)
async def test_nothing_more_than_may_be_chosen_is_taken(days: int, paths: tuple[str, ...], why: str) -> None:
    world = await a_world()
    card = await asked(world, BOTH, "k1")
    said = choice(card, world.now + timedelta(days=days), *paths)
    found = await shown(world, card, said)
    assert (found.why_not, found.label) == (why, card.grants[0].label)
    assert worded(found.why_not_worded, "", phrases("en")) == why
    assert worded(found.why_not_worded, "", phrases("de")) not in {"", why}
    no = refused(await world.answer(card, Verb.APPROVE, permission=said, in_person=True))
    assert (no.code, no.detail) == ("answer-does-not-fit", f"{why} Your answer was not accepted.")
    assert ((await world.card(card.id)).status, world.state.mind.grants) == (Status.PENDING, ())


async def test_only_a_persons_yes_to_a_grant_has_an_end() -> None:
    world = await a_world()
    card = await asked(world, BOTH, "k1")
    said = choice(card, world.now + timedelta(hours=1))
    assert refused(await world.answer(card, Verb.APPROVE, permission=said)).code == "yes-of-your-own"
    bare = replace(said, option="")
    assert refused(await world.answer(card, Verb.APPROVE, permission=bare)).code == "answer-does-not-fit"


async def test_an_end_later_than_offered_may_be_chosen_up_to_the_bound() -> None:
    world = await a_world()
    card = await asked(world, CLEAN, "k1")
    later = world.now + timedelta(days=30)
    taken(await world.answer(card, Verb.APPROVE, permission=choice(card, later), in_person=True))
    assert [one.expires_at for one in world.state.mind.grants] == [later]


async def test_what_pulse_offers_by_itself_has_a_choice_as_well() -> None:
    world = await a_world()
    await approved(world, *"abcde")
    (card,) = await offers(world)
    hour = world.now + timedelta(hours=1)
    taken(await world.answer(card, Verb.APPROVE, permission=choice(card, hour), in_person=True))
    assert [one.expires_at for one in world.state.mind.grants] == [hour]
