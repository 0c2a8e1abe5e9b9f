"""At the first tick after an update grants from when options were free are narrowed or end, told in one list."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.events import PredictionNew
from hub.contract.permission import PermissionAnswer
from hub.domain.permission_grant import CallPattern, PermissionGrant, PermissionPattern
from hub.domain.reports import GrantEvents
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.grant_choices import preview
from hub.loop.standing_views import grants_of
from tests.fakes.world import World
from tests.loop.stage import a_world
from tests.loop.test_permission_grants import CLEAN, asked, used

SHOP = CLEAN.folder
RUNS = (Effect.RUNS_PROJECT_CODE,)


def a_pattern(*calls: CallPattern) -> PermissionPattern:
    return PermissionPattern(
        agent="claude-code", act=CLEAN.act, tool="Bash", place=SHOP, effects=calls[0].effects, calls=calls
    )


TESTS = a_pattern(CallPattern(words=("pytest",), rest="inside", effects=RUNS))
PUSH = a_pattern(
    CallPattern(words=("git", "push"), rest="names", effects=(Effect.LEAVES_THE_MACHINE,), operands=("origin",))
)


async def with_older_grants() -> World:
    world = await a_world()
    grants = tuple(
        PermissionGrant(
            id=f"let_{number}",
            pattern=pattern,
            label=label,
            made_at=world.now,
            expires_at=world.now + timedelta(days=60),
            card_id="c1",
            by="page/mine",
        )
        for number, (pattern, label) in enumerate(
            ((TESTS, "Always allow `pytest …`"), (PUSH, "Always allow `git push …`"))
        )
    )
    world.state = replace(world.state, mind=replace(world.state.mind, grants=grants))
    return world


async def test_each_is_narrowed_or_ends_and_no_card_is_made() -> None:
    world = await with_older_grants()
    tests = replace(CLEAN, text="pytest tests")
    assert not await used(world, tests)
    await world.until(world.now + timedelta(hours=1))
    assert await used(world, tests)
    assert not await used(world, replace(CLEAN, text="pytest -p evil tests"))
    assert not await used(world, replace(CLEAN, text="git push origin main"))
    listed = grants_of(world.state.mind, "UTC", world.now)
    assert [one.summary for one in listed.grants] == ["claude-code: `pytest …` in shop"]
    assert [(one.was, one.left) for one in listed.changed] == [
        ("Always allow `pytest …`", "claude-code: `pytest …` in shop"),
        ("Always allow `git push …`", ""),
    ]
    assert world.told(PredictionNew) == []
    record = await world.store.read(GrantEvents(user=world.state.user, limit=9))
    assert [(one.what, one.by) for one in record if one.by == "update"] == [
        ("ended", "update"),
        ("made", "update"),
        ("ended", "update"),
    ]


async def test_the_list_is_shown_for_a_month() -> None:
    world = await with_older_grants()
    await world.until(world.now + timedelta(hours=1))
    await world.until(world.now + timedelta(days=31))
    assert grants_of(world.state.mind, "UTC", world.now).changed == ()
    assert [one.id for one in world.state.mind.grants] == ["let_0"]


async def test_what_an_open_card_offered_before_is_not_taken() -> None:
    world = await a_world()
    card = await asked(world, CLEAN, "k1")
    (option, *_) = card.grants
    older = replace(option, pattern=replace(option.pattern, form=1))
    found = preview(older, PermissionAnswer(option=older.id), (), world.state.policy, world.now)
    assert found.why_not.startswith("This was offered by an earlier version")
    assert worded(found.why_not_worded, "", phrases("de")) not in {"", found.why_not}
