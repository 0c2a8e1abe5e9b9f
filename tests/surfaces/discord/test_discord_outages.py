"""After any outage the channel converges to the truth: every open card exactly once, every settled one marked."""

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.words import DeliveryState, Verb
from hub.kit.backoff import RetryPolicy
from surfaces.discord.errors import DiscordTokenError
from surfaces.discord.identify_budget import IDENTIFIES_MAX, IdentifyBudget
from surfaces.discord.message_sync import now
from surfaces.discord.settings import Policy
from tests.surfaces.discord.conftest import Stage
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.server import buttons, title
from tests.surfaces.discord.standin.world import Json

pytestmark = pytest.mark.slow


def edits_of(stage: Stage, message: Json) -> int:
    """Return how often a message was edited."""
    return sum(method == "PATCH" and path.endswith(message["id"]) for _, method, path, _ in stage.discord.rest.log)


YES, NO, LATER = "✅", "❌", "⏰"


async def gap(stage: Stage, how: str) -> None:
    """Cut the connection in one of the ways in which it is cut."""
    gateway = stage.discord.gateway
    before = len(gateway.log)
    match how:
        case "dropped":
            await gateway.drop()
        case "invalid session":
            await gateway.forget_session()
        case "reconnect":
            await gateway.ask_to_reconnect()
        case "garbage":
            await gateway.send_garbage()
            await gateway.forget_session()
    await stage.discord.until(lambda: "close" in gateway.log[before:], f"the connection is cut: {how}")


@pytest.mark.parametrize("how", ["dropped", "invalid session", "reconnect", "garbage"])
async def test_votes_of_the_gap_are_neither_lost_nor_doubled(stage: Stage, how: str) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    stage.hub.show(a_card("c2"))
    message, other = await stage.shown("c1"), await stage.shown("c2")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.bob, other, NO)
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    await gap(stage, how)
    await stage.discord.react(stage.cid, message, YES)
    await stage.discord.react(stage.bob, other, NO, add=False)
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))
    await stage.discord.until(lambda: "Dismiss · 0" in str(other["embeds"]))
    assert [(one.card_id, one.verb) for one in stage.hub.taken] == [("c1", Verb.APPROVE)]
    assert len(stage.discord.cards()) == 2


async def test_health_is_told_that_discord_is_away_and_that_it_is_back(stage: Stage) -> None:
    await stage.start()
    assert stage.troubles == []
    await gap(stage, "dropped")
    await stage.discord.until(lambda: stage.troubles[-1:] == [""], "it is over")
    assert stage.troubles == ["Discord is not connected", ""]


async def test_votes_cast_while_the_surface_was_away_are_read_back(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.stop()
    await stage.discord.react(stage.cid, message, YES, burst=True)
    await stage.discord.react(stage.bob, message, YES, add=False)
    await stage.discord.react(stage.ann, message, YES)
    stage.hub.forget_what_was_seen()
    await stage.start()
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert {one.name for one in stage.hub.taken[0].voters} == {"ann", "cid"}
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))
    assert len(stage.discord.cards("c1")) == 1


async def test_what_was_settled_while_the_surface_was_away_is_marked(stage: Stage) -> None:
    await stage.start()
    for name in ("c1", "c2", "c3"):
        stage.hub.show(a_card(name))
        await stage.shown(name)
    await stage.stop()
    stage.hub.answer_elsewhere("c1", Verb.REJECT)
    stage.hub.answer_elsewhere("c2", Verb.APPROVE)
    stage.hub.give_back("c2")  # it was settled and opened again: the old votes are not for this opening
    del stage.hub.cards_there["c3"]
    await asyncio.sleep(0)
    stage.hub.cards_there["c2"] = replace(stage.hub.cards_there["c2"], returned_at=now().replace(year=2100))
    stage.hub.forget_what_was_seen()
    await stage.start()
    await stage.discord.until(lambda: title(stage.discord.cards("c1")[0]).startswith("✖️ Dismissed"))
    await stage.discord.until(lambda: title(stage.discord.cards("c3")[0]).startswith("⌛ Gone"))
    await stage.discord.until(lambda: len(stage.discord.cards("c2")) == 2)
    await stage.discord.until(lambda: title(stage.discord.cards("c2")[0]).startswith("↪️ Open again"))
    assert [title(one).split(" · ")[0] for one in stage.discord.open_cards()] == ["🔮 Suggestion"]
    assert stage.hub.handed_in == []


@pytest.mark.parametrize("status", [500, 503])  # discord.py tries again what failed with 500, 502, 504; not with 503
async def test_a_server_that_fails_is_caught_up_with(stage: Stage, status: int) -> None:
    await stage.start()
    stage.discord.fail(r"POST /channels/\d+/messages$", 3, status)
    stage.discord.fail(r"PUT .*/reactions/", 2, status)
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.discord.fail(r"PATCH ", 2, status)
    for user in (stage.bob, stage.cid):
        await stage.discord.react(user, message, YES)
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))
    assert len(stage.discord.cards("c1")) == 1


async def test_an_answer_that_got_lost_posts_nothing_twice(stage: Stage) -> None:
    await stage.start()
    stage.discord.lose_answers(r"POST /channels/\d+/messages$", 2)
    stage.hub.show(a_card("c1"))
    await stage.shown("c1")
    assert len(stage.discord.cards("c1")) == 1


async def test_a_vote_counts_that_came_before_we_knew_that_the_card_is_there(stage: Stage) -> None:
    """Its post was done and the answer got lost: people see the card and vote, we know it only after another try."""
    stage.policy = Policy(kind="first")
    await stage.start()
    await stage.discord.until(lambda: bool(stage.discord.bridge()), "the status message, whose post must not get lost")
    stage.discord.lose_answers(r"POST /channels/\d+/messages$", 1)
    stage.hub.show(a_card("c1"))
    await stage.discord.until(lambda: bool(stage.discord.cards("c1")))
    (message,) = stage.discord.cards("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken), "the early vote")
    assert [one.id for one in stage.hub.taken[0].voters] == [stage.bob["id"]]


async def test_a_card_that_cannot_be_read_holds_up_no_other_and_loses_no_vote(stage: Stage) -> None:
    await stage.start()
    for name in ("c1", "c2"):
        stage.hub.show(a_card(name))
    first, second = await stage.shown("c1"), await stage.shown("c2")
    await stage.discord.react(stage.bob, first, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(first["embeds"]))
    await stage.stop()
    await stage.discord.react(stage.bob, second, YES)
    stage.discord.fail(rf"GET .*/messages/{first['id']}$", 3, 503)
    stage.hub.forget_what_was_seen()
    await stage.start()
    await stage.discord.react(stage.cid, second, YES)
    await stage.discord.until(lambda: title(second).startswith("✔️ Approved"))
    assert [one.card_id for one in stage.hub.taken] == ["c2"]
    await stage.discord.react(stage.bob, first, YES, add=False)
    await stage.discord.react(stage.ann, first, YES)
    await stage.discord.react(stage.cid, first, YES)
    await stage.discord.until(lambda: title(first).startswith("✔️ Approved"))
    assert {one.name for one in stage.hub.taken[1].voters} == {"ann", "cid"}


async def test_a_server_that_is_not_available_for_a_while_is_read_back(stage: Stage) -> None:
    """Discord tells nothing of it meanwhile, over a connection that is there all the time."""
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    world, gateway = stage.discord.world, stage.discord.gateway
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    await gateway.dispatch("GUILD_DELETE", {"id": world.guild_id, "unavailable": True})
    await stage.discord.until(lambda: any("server is not available" in line for line in stage.troubles))
    del world.of_reaction(message["id"], YES)[0][stage.bob["id"]]
    for user in (stage.ann, stage.cid):
        world.of_reaction(message["id"], YES)[0][user["id"]] = None
    await gateway.dispatch("GUILD_CREATE", world.guild())
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))
    assert {one.name for one in stage.hub.taken[0].voters} == {"ann", "cid"}


async def test_rate_limits_are_obeyed(stage: Stage) -> None:
    await stage.start()
    stage.discord.fail(r"POST /channels/\d+/messages$", 1, 429, retry_after=0.1, **{"global": False})
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.discord.fail(r"PATCH ", 1, 400, 30_046)
    await stage.discord.react(stage.eve, message, YES)
    await stage.discord.until(lambda: any("30046" in line for line in stage.said))
    assert len(stage.discord.cards("c1")) == 1


async def test_a_deleted_message_of_an_open_card_is_posted_anew_with_no_votes(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    await stage.discord.rest.delete(message["id"])
    await stage.discord.until(lambda: [one for one in stage.discord.open_cards() if one["id"] != message["id"]])
    anew = await stage.shown("c1")
    await stage.discord.react(stage.cid, anew, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(anew["embeds"]))
    assert stage.hub.handed_in == []


async def test_a_message_that_was_deleted_unheard_is_posted_anew(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.gateway.forget_session()
    await stage.discord.rest.delete(message["id"])
    await stage.discord.until(lambda: len(stage.discord.open_cards()) == 1)
    assert (await stage.shown("c1"))["id"] != message["id"]


async def test_a_channel_that_is_deleted_and_comes_back(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    await stage.shown("c1")
    world = stage.discord.world
    gone = world.channels.pop(world.bridge)
    world.messages.clear()
    world.nonces.clear()
    await stage.discord.gateway.dispatch("CHANNEL_DELETE", gone)
    await stage.discord.until(lambda: any("no channel #bridge" in line for line in stage.troubles))
    stage.hub.show(a_card("c2"))
    world.bridge = world.channel("bridge")
    await stage.discord.gateway.dispatch("CHANNEL_CREATE", world.channels[world.bridge])
    await stage.shown("c1")
    await stage.shown("c2")
    assert len(stage.discord.open_cards()) == 2


async def test_a_bot_without_permissions_says_so_and_goes_on_when_it_has_them(stage: Stage) -> None:
    stage.discord.world.permissions &= ~(1 << 6)
    await stage.start()
    stage.hub.show(a_card("c1"))
    await stage.discord.until(lambda: bool(stage.discord.open_cards()))
    assert any("may not add reactions" in line for line in stage.troubles)
    (message,) = stage.discord.open_cards()
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.cid, message, YES)
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))


async def test_a_revoked_token_ends_the_surface_with_its_reason(stage: Stage) -> None:
    await stage.start()
    await stage.discord.gateway.refuse()
    assert isinstance(await stage.ended(), DiscordTokenError)


async def test_a_token_that_rest_refuses_ends_the_surface_too(stage: Stage) -> None:
    await stage.start()
    stage.discord.rest.token = "another"
    stage.hub.show(a_card("c1"))
    assert isinstance(await stage.ended(), DiscordTokenError)


async def test_a_moderator_who_clears_all_reactions_clears_the_votes(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    stage.discord.world.reactions[message["id"]].clear()
    event: dict[str, Any] = {"channel_id": message["channel_id"], "message_id": message["id"]}
    await stage.discord.gateway.dispatch(
        "MESSAGE_REACTION_REMOVE_ALL", event | {"guild_id": stage.discord.world.guild_id}
    )
    await stage.discord.until(lambda: "Approve · 0" in str(message["embeds"]))
    own = stage.discord.world.bot["id"]
    await stage.discord.until(lambda: own in stage.discord.world.who_reacted(message["id"], "👀"))


async def test_while_the_hub_is_away_votes_wait_and_the_channel_says_so(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.hub.go_down()
    for user in (stage.bob, stage.cid):
        await stage.discord.react(user, message, YES)
    await stage.discord.until(lambda: "Approve · 2" in str(message["embeds"]))
    assert stage.hub.handed_in == []
    stage.hub.come_up()
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))
    assert len(stage.hub.taken) == 1


async def test_a_decision_that_nobody_answered_is_looked_after_and_handed_in_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("surfaces.discord.vote_counter.VERDICT_S", 0.2)
    monkeypatch.setattr("surfaces.discord.surface.VERDICT_LOOK_S", 0.2)
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    stage.hub.deaf = 1
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    first, second = stage.hub.handed_in
    assert first.decision_id != second.decision_id
    assert stage.hub.taken == [second]


async def test_a_deadline_that_passes_while_nobody_listens_waits_for_the_votes(stage: Stage) -> None:
    """It closes with what was cast until we know of it, never with half of it."""
    stage.policy = Policy(kind="quorum", needed=2.0, grace_s=0.0, deadline_s=10.0)
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    stage.discord.gateway.closed_to_all = True
    await stage.discord.gateway.forget_session()
    await stage.discord.react(stage.bob, message, YES, add=False)
    await stage.discord.react(stage.bob, message, LATER)
    await stage.discord.react(stage.cid, message, LATER)
    stage.discord.gateway.closed_to_all = False
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert stage.hub.taken[0].verb is Verb.SNOOZE
    assert "undo" not in buttons(message)


async def test_more_events_than_find_room_are_read_back(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surfaces.discord.bot.EVENTS_MAX", 2)
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    for user in (stage.eve, stage.dee, stage.bob, stage.eve, stage.cid):
        await stage.discord.react(user, message, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert len(stage.hub.taken) == 1


async def test_commands_that_may_not_be_added_hold_up_nothing(stage: Stage) -> None:
    stage.discord.fail(r"GET /applications/", 1, 403, 50_001)
    await stage.start()
    await stage.discord.until(lambda: any("commands were not added" in line for line in stage.said))
    stage.hub.show(a_card("c1"))
    await stage.shown("c1")


@pytest.mark.parametrize("lacks", [10, 11, 14])
async def test_a_bot_that_loses_a_permission_says_which_and_goes_on_at_once_when_it_has_it_back(
    stage: Stage, lacks: int
) -> None:
    """To see the channel, to post, to embed: without one of them no card is seen."""
    await stage.start()
    world, gateway = stage.discord.world, stage.discord.gateway

    async def change(permissions: int) -> None:
        world.permissions = permissions
        everyone = world.role(world.guild_id, "@everyone", permissions)
        await gateway.dispatch("GUILD_ROLE_UPDATE", {"guild_id": world.guild_id, "role": everyone})

    had = world.permissions
    await change(had & ~(1 << lacks))
    await stage.discord.until(lambda: "In #bridge the bot may not" in str(stage.troubles[-1:]))
    assert "pulse discord setup" in stage.fixes[-1]
    if lacks == 11:
        stage.hub.show(a_card("c1"))
        await stage.discord.until(lambda: stage.hub.receipts.get("dlv_1") is DeliveryState.QUEUED)
    await change(had)
    stage.hub.show(a_card("c2"))
    await stage.shown("c2")
    await stage.discord.until(lambda: stage.troubles[-1] == "", f"the end of it is said: {stage.troubles}")
    if lacks == 11:
        await stage.shown("c1")


async def test_after_a_long_outage_a_new_session_is_begun_within_seconds(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py alone waits longer and longer, without bound."""
    monkeypatch.setattr("surfaces.discord.session.BACK_S", 0.2)
    monkeypatch.setattr("surfaces.discord.app.PAUSES", RetryPolicy(base_s=0.05, cap_s=0.1, spread=0.5))
    await stage.start()
    gateway = stage.discord.gateway
    gateway.closed_to_all = True
    await gateway.drop()
    stage.discord.fail(r"GET /gateway/bot$|GET /users/@me$", 6, 503)
    stage.hub.show(a_card("c1"))
    await stage.discord.until(lambda: "The connection to Discord ended" in str(stage.troubles))
    gateway.closed_to_all = False
    await stage.shown("c1")
    assert gateway.log.count("identify") == 2


def test_discord_is_never_identified_to_a_thousand_times_a_day() -> None:
    clock_s, asked = 0.0, 0
    budget = IdentifyBudget(lambda: clock_s)
    while clock_s < 86_400:
        budget.spend()
        asked += 1
        clock_s += max(1.0, budget.wait_s())
    assert asked <= 48 * IDENTIFIES_MAX < 1_000


async def test_an_answer_is_shown_at_once_and_not_behind_its_own_number(stage: Stage) -> None:
    stage.more = {"edit_interval_s": 60.0}
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.cid, message, YES)
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"), "while numbers wait for a minute")
    assert edits_of(stage, message) == 1, "the number that decided it has no edit of its own"
