"""Votes through discord.py against the stand-in: reactions and buttons become one answer, the same in any order."""

import asyncio

import pytest

from hub.contract.words import HumanInput, Status, Verb
from surfaces.discord.settings import Policy
from tests.surfaces.discord.conftest import Stage
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.server import buttons, field, title

YES, NO, LATER, LOOK = "✅", "❌", "⏰", "👀"


@pytest.mark.slow
async def test_a_quorum_approves_and_every_voter_is_recorded(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    assert set(buttons(message)) == {"approve", "reject", "snooze", "details", "edit"}
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.eve, message, YES)
    await stage.discord.until(lambda: f"<@{stage.bob['id']}>" in field(message, "Approve"))
    await stage.discord.react(stage.cid, message, YES)
    await stage.discord.until(lambda: title(message).startswith("✔️ Approved"))
    (decision,) = stage.hub.taken
    assert (decision.verb, decision.by, decision.human_input) == (Verb.APPROVE, "vote", HumanInput.REACTION)
    assert {(one.name, one.counted) for one in decision.voters} == {("bob", True), ("cid", True), ("eve", False)}
    assert "approved: bob and cid" in decision.reason
    assert set(buttons(message)) == {"undo"}
    assert "by vote on Discord" in field(message, "Outcome")
    voters = {stage.bob["id"], stage.cid["id"], stage.discord.world.bot["id"]}
    await stage.discord.until(lambda: stage.discord.world.who_reacted(message["id"], YES) == voters)


@pytest.mark.slow
async def test_a_veto_wins_over_approvals_and_is_told(stage: Stage) -> None:
    stage.policy = Policy(kind="quorum", needed=3.0, grace_s=0.0)
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    for user in (stage.bob, stage.cid):
        await stage.discord.react(user, message, YES)
    await stage.discord.react(stage.ann, message, NO)
    await stage.discord.until(lambda: title(message).startswith("✖️ Dismissed"))
    (decision,) = stage.hub.taken
    assert (decision.verb, decision.by) == (Verb.REJECT, "ann")
    assert decision.reason.startswith("vetoed by ann (approved: bob and cid; dismissed: ann)")


@pytest.mark.slow
async def test_votes_change_and_are_withdrawn_until_it_is_settled(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, NO)
    await stage.discord.react(stage.bob, message, YES)
    # the older choice is taken away for them, so that the newer one counts
    await stage.discord.until(lambda: stage.bob["id"] not in stage.discord.world.who_reacted(message["id"], NO))
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    await stage.discord.react(stage.bob, message, YES, add=False)
    await stage.discord.until(lambda: "Approve · 0" in str(message["embeds"]))
    await stage.discord.react(stage.cid, message, LATER)
    await stage.discord.react(stage.bob, message, LATER)
    await stage.discord.until(lambda: title(message).startswith("⏰ Snoozed"))
    assert [one.verb for one in stage.hub.taken] == [Verb.SNOOZE]


@pytest.mark.slow
async def test_where_nothing_may_be_removed_the_more_careful_choice_counts(stage: Stage) -> None:
    stage.discord.world.permissions &= ~(1 << 13)
    stage.policy = Policy(kind="quorum", needed=1.0, grace_s=0.2)
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.eve, message, YES)
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.bob, message, NO)
    await stage.discord.until(lambda: title(message).startswith("✖️ Dismissed"))
    assert stage.eve["id"] in stage.discord.world.who_reacted(message["id"], YES)
    assert any("may not manage messages" in line for line in stage.troubles)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "decides"), [("owner", "ann"), ("first", "cid")])
async def test_one_person_decides(stage: Stage, kind: str, decides: str) -> None:
    stage.policy = Policy(kind=kind)  # type: ignore[arg-type]  # one of the kinds
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.eve, message, NO)
    if kind == "owner":
        await stage.discord.react(stage.cid, message, NO)
    await stage.discord.react(stage.ann if decides == "ann" else stage.cid, message, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    (decision,) = stage.hub.taken
    assert (decision.verb, decision.by) == (Verb.APPROVE, decides)


@pytest.mark.slow
async def test_a_role_votes_and_a_super_reaction_is_a_reaction(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.dee, message, YES, burst=True)
    await stage.discord.react(stage.dee, message, YES)
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]))
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert {one.name for one in stage.hub.taken[0].voters} == {"dee", "bob"}


@pytest.mark.slow
async def test_what_is_no_vote_changes_nothing(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show(a_card("c0"))
    old = await stage.shown("c0")
    stage.hub.answer_elsewhere("c0", Verb.REJECT)
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    robot = stage.discord.world.user("robot", bot=True, roles=("900000000000000001",))
    await stage.discord.react(robot, message, YES)
    await stage.discord.react(stage.eve, message, NO)
    await stage.discord.react(stage.bob, message, "party:910000000000000001")
    await stage.discord.react(stage.bob, message, "🎉")
    await stage.discord.react(stage.bob, old, YES)
    await stage.discord.react(stage.cid, message, LOOK)
    await stage.discord.until(lambda: "Two test files" in field(message, "Why"))
    assert stage.hub.handed_in == []
    await stage.discord.until(lambda: stage.eve["id"] not in stage.discord.world.who_reacted(message["id"], NO))
    await stage.discord.until(lambda: "(1 not counted)" in field(message, "Dismiss"))


@pytest.mark.slow
async def test_a_voter_who_left_decides_nothing_and_is_shown_no_longer(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.stop()
    stage.discord.world.left.add(stage.bob["id"])
    stage.discord.rest.held["GET .*/members/"] = is_looked_up = asyncio.Event()
    await stage.start()
    await stage.discord.react(stage.cid, message, YES)
    await stage.discord.until(lambda: "Approve · 2" in str(message["embeds"]), "both, as long as nobody knows better")
    is_looked_up.set()
    await stage.discord.until(lambda: "Approve · 1" in str(message["embeds"]), "who left is shown no longer")
    assert stage.hub.handed_in == []
    await stage.discord.react(stage.ann, message, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert {one.name for one in stage.hub.taken[0].voters if one.counted} == {"ann", "cid"}


@pytest.mark.slow
async def test_a_decision_on_another_surface_settles_the_card_in_place(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    stage.hub.answer_elsewhere("c1", Verb.REJECT, by="mohamed")
    await stage.discord.react(stage.cid, message, YES)
    await stage.discord.until(lambda: title(message).startswith("✖️ Dismissed"))
    assert "dismissed by mohamed on your phone" in field(message, "Outcome")
    assert stage.hub.taken == []
    assert len(stage.discord.cards("c1")) == 1


@pytest.mark.slow
async def test_the_first_answer_wins_and_the_second_is_told(stage: Stage) -> None:
    """Both are on their way: the vote is handed in while the phone has answered already."""
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    take, stage.hub.take = stage.hub.take, lambda _item: None
    stage.hub.answer_elsewhere("c1", Verb.REJECT, by="mohamed")  # the surface does not hear of it
    stage.hub.take = take
    for user in (stage.bob, stage.cid):
        await stage.discord.react(user, message, YES)
    await stage.discord.until(lambda: title(message).startswith("✖️ Dismissed"))
    assert len(stage.hub.handed_in) == 1
    assert stage.hub.taken == []


@pytest.mark.slow
async def test_what_the_hub_refuses_is_shown_and_not_sent_again(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.refusal = "A rail did not allow it."
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.until(lambda: "A rail did not allow it" in field(message, "Outcome").replace("\\", ""))
    await stage.discord.react(stage.eve, message, YES)
    assert len(stage.hub.handed_in) == 1
    stage.hub.refusal = ""
    await stage.discord.react(stage.bob, message, YES, add=False)
    await stage.discord.react(stage.bob, message, NO)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert stage.hub.taken[0].verb is Verb.REJECT
    assert stage.hub.cards_there["c1"].status is Status.REJECTED


@pytest.mark.slow
async def test_a_card_that_came_back_is_shown_anew_without_votes(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1"))
    first = await stage.shown("c1")
    for user in (stage.bob, stage.cid):
        await stage.discord.react(user, first, YES)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    stage.hub.give_back("c1")
    await stage.discord.until(lambda: len(stage.discord.cards("c1")) == 2)
    await stage.discord.until(lambda: title(first).startswith("↪️ Open again below"))
    second = await stage.shown("c1")
    assert len(stage.discord.open_cards()) == 1
    assert len(stage.hub.taken) == 1
    await stage.discord.react(stage.bob, first, NO)
    for user in (stage.bob, stage.cid):
        await stage.discord.react(user, second, NO)
    await stage.discord.until(lambda: len(stage.hub.taken) == 2)
    assert stage.hub.taken[1].verb is Verb.REJECT


@pytest.mark.slow
async def test_the_tie_rule_speaks_when_everybody_has_voted(stage: Stage) -> None:
    stage.policy = Policy(kind="quorum", needed=2.0, grace_s=0.0, voters=("bob", "cid"), tie="snooze")
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    await stage.discord.react(stage.bob, message, YES)
    await stage.discord.react(stage.cid, message, NO)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    assert stage.hub.taken[0].verb is Verb.SNOOZE
    assert "no clear majority" in stage.hub.taken[0].reason


@pytest.mark.slow
@pytest.mark.parametrize("veto_first", [True, False])
async def test_a_veto_of_the_same_moment_wins_whichever_comes_first(stage: Stage, *, veto_first: bool) -> None:
    stage.policy = Policy(kind="quorum", needed=2.0, grace_s=0.3)
    await stage.start()
    stage.hub.show(a_card("c1"))
    message = await stage.shown("c1")
    votes = [(stage.bob, YES), (stage.cid, YES)]
    for user, emoji in [(stage.ann, NO), *votes] if veto_first else [*votes, (stage.ann, NO)]:
        await stage.discord.react(user, message, emoji)
    await stage.discord.until(lambda: bool(stage.hub.taken))
    (decision,) = stage.hub.handed_in
    assert (decision.verb, decision.by) == (Verb.REJECT, "ann")
