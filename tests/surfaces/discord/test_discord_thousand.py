"""A thousand votes over each kind of outage: none lost, none doubled, and the answer handed in once."""

import contextlib

import pytest

from surfaces.discord.settings import Policy
from tests.surfaces.discord.conftest import ROLE, Stage
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.world import Json

pytestmark = pytest.mark.slow
VOTES, CARDS, EXTRA, TWICE = 1_000, 4, 60, 2
YES, NO = "✅", "❌"


async def outage(stage: Stage, how: str) -> None:
    """Begin an outage; return when the surface has noticed."""
    gateway = stage.discord.gateway
    match how:
        case "resume":
            await gateway.drop()
        case "invalid session":
            await gateway.forget_session()
        case "503":
            stage.discord.fail(r"GET ", 4, 503)
            await gateway.forget_session()
        case "restart":
            await stage.stop()
            stage.hub.forget_what_was_seen()
        case "hub":
            stage.hub.go_down()
    if how not in {"restart", "hub"}:
        await stage.discord.until(
            lambda: stage.surface and not stage.surface.ballots.listening, "the outage is noticed"
        )


async def back(stage: Stage, how: str) -> None:
    """End the outage; return when the gateway tells of votes again. What happened meanwhile is then yet to be read."""
    log = stage.discord.gateway.log
    match how:
        case "resume":
            await stage.discord.until(lambda: "resume" in log, "the session is resumed")
        case "invalid session" | "503":
            await stage.discord.until(lambda: log.count("identify") == TWICE, "another session")
        case "restart":
            await stage.start()
        case "hub":
            stage.hub.come_up()


def counted(stage: Stage, card_id: str) -> set[tuple[str, str]]:
    assert stage.surface is not None
    card = stage.surface.card_messages.card(card_id)
    return {(one.voter, one.sign) for one in stage.surface.ballots.ballot(card.key)} if card else set()


def cast(stage: Stage, message: Json) -> set[tuple[str, str]]:
    own = stage.discord.world.bot["id"]
    pairs = ((YES, "approve"), (NO, "reject"))
    return {
        (one, sign) for emoji, sign in pairs for one in stage.discord.world.who_reacted(message["id"], emoji) - {own}
    }


async def thousand(stage: Stage, how: str) -> int:
    """Cast a thousand votes with an outage in their middle; return how many are counted wrongly in the end."""
    stage.policy = Policy(kind="quorum", needed=VOTES / CARDS + 1, grace_s=0.0)
    stage.discord.world.permissions &= ~(1 << 13)  # nothing is removed, so that every vote stays to be counted
    await stage.start()
    names = [f"c{number}" for number in range(CARDS)]
    messages = []
    for name in names:
        stage.hub.show(a_card(name))
        messages.append(await stage.shown(name))
    people = [stage.discord.world.user(f"u{number}", roles=(ROLE,)) for number in range(VOTES // CARDS)]
    for number, person in enumerate(people):
        if number == len(people) // 3:
            await outage(stage, how)
        if number == 2 * len(people) // 3:
            await back(stage, how)
        for message in messages:
            await vote(stage, person, message, change=number % 5 == 0)
    await stage.caught_up()
    await decide_all(stage, messages)
    with contextlib.suppress(AssertionError):  # the last votes may still be on their way
        await stage.discord.until(lambda: wrong(stage, names, messages) == 0)
    return wrong(stage, names, messages)


def wrong(stage: Stage, names: list[str], messages: list[Json]) -> int:
    """Return how many votes are not counted, or counted and not there."""
    return sum(len(counted(stage, name) ^ cast(stage, one)) for name, one in zip(names, messages, strict=True))


async def vote(stage: Stage, person: Json, message: Json, *, change: bool) -> None:
    await stage.discord.react(person, message, YES)
    if change:
        await stage.discord.react(person, message, YES, add=False)
        await stage.discord.react(person, message, NO)


async def decide_all(stage: Stage, messages: list[Json]) -> None:
    """Let enough people more vote that each card is answered."""
    assert stage.hub.handed_in == []
    for number in range(EXTRA):
        person = stage.discord.world.user(f"x{number}", roles=(ROLE,))
        for message in messages:
            await stage.discord.react(person, message, YES)
    await stage.discord.until(lambda: len(stage.hub.taken) == CARDS, "one answer for each card")


@pytest.mark.parametrize("how", ["resume", "invalid session", "503", "restart", "hub"])
async def test_a_thousand_votes(stage: Stage, how: str) -> None:
    assert await thousand(stage, how) == 0
    assert len(stage.hub.handed_in) == CARDS
    assert len(stage.discord.cards()) == CARDS
