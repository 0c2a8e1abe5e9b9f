"""Several suggestions in one message: a line for each, its own buttons, its own answer and way back; and its limits."""

from datetime import timedelta

import pytest

from hub.contract.alone import AwaySummary
from hub.contract.events import DIGEST_CARDS_MAX, DigestReady
from hub.contract.permission import Act, Permission
from hub.contract.words import DeliveryState, Risk, Verb
from hub.kit.chat.card import ChatCard
from surfaces.discord.settings import Policy
from surfaces.discord.together import Together, render_together
from tests.surfaces.discord.conftest import Stage
from tests.surfaces.discord.oversights import oversights
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.server import footer, title
from tests.surfaces.discord.standin.world import Json
from tests.surfaces.shown import NOW, OPEN_VERBS

AWAY = AwaySummary(says="…", since=NOW - timedelta(hours=2), until=NOW, alone=2, approved=1)


def drawn(
    *prompts: str, risk: Risk = Risk.LOW, alike: str = "", asked: Permission | None = None
) -> tuple[list[str], list[tuple[str, int | None]]]:
    """The lines of a digest, and its buttons with their rows."""
    made = [a_card(f"c{number}", prompt, risk=risk, permission=asked) for number, prompt in enumerate(prompts)]
    digest = Together(
        key="digest:d",
        event=DigestReady(digest_id="d", alike=alike, cards=tuple(made), more=2, away=None if alike else AWAY),
        delivery_id="dlv",
        item_ids=(),
        silent=False,
    )
    cards = {one.id: ChatCard(prediction=one, opened_at=NOW, token="t", verbs=OPEN_VERBS) for one in made}
    rendered = render_together(digest, cards)
    assert oversights(rendered) == []
    return rendered.embeds[0].description.split("\n"), [(one.label, one.row) for one in rendered.buttons]


def test_a_line_for_each_with_what_happened_meanwhile_and_two_buttons() -> None:
    lines, buttons = drawn("Run the tests", "Push *main*", risk=Risk.HIGH)
    assert lines[0].replace("\\", "") == "While you were away (2 h): 2 done on autopilot, 1 approved by you."
    assert lines[1:] == ["**1.** Run the tests · ⚠️ high", "**2.** Push \\*main\\* · ⚠️ high", "and 2 more"]
    assert buttons == [("1 · Open", 0), ("1 · Dismiss", 0), ("2 · Open", 0), ("2 · Dismiss", 0)], "a yes asks twice"
    _, buttons = drawn("Run the tests", "Push *main*", risk=Risk.MEDIUM)
    assert buttons == [("1 · Approve", 0), ("1 · Dismiss", 0), ("2 · Approve", 0), ("2 · Dismiss", 0)]


def test_of_requests_that_are_alike_each_is_approved_in_its_line_and_their_kind_is_told() -> None:
    asked = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="pytest a", folder="/home/anna/shop")
    lines, buttons = drawn("pytest a", "pytest b", alike="kind", asked=asked)
    assert lines[:2] == ["Claude wants to run a command in shop", "**1.** pytest a"]
    assert [label for label, _ in buttons] == ["1 · Approve", "1 · Dismiss", "2 · Approve", "2 · Dismiss"]
    assert [label for label, _ in drawn("pytest a", asked=asked)[1]] == ["1 · Open", "1 · Dismiss"]


def test_eight_hostile_lines_keep_every_limit_and_what_is_cut_is_only_opened() -> None:
    lines, buttons = drawn(*["@everyone ```*_~" * 40] * DIGEST_CARDS_MAX)
    assert len(lines) == DIGEST_CARDS_MAX + 2
    assert [label for label, _ in buttons[:2]] == ["1 · Open", "1 · Dismiss"]
    assert [row for _, row in buttons] == [row for row in range(4) for _ in range(4)]


def digests(stage: Stage) -> list[Json]:
    return [one for one in stage.discord.bridge() if footer(one).startswith("Pulse digest")]


def ids(message: Json) -> list[str]:
    return [one["custom_id"] for row in message["components"] for one in row.get("components", [])]


async def press(stage: Stage, user: Json, message: Json, custom_id: str) -> Json:
    data = {"component_type": 2, "custom_id": custom_id, "id": 2}
    answer: Json = await stage.discord.answered(await stage.discord._interact(user, 3, data, message))  # noqa: SLF001  a button by its id
    return answer


@pytest.mark.slow
async def test_each_is_answered_in_its_place_and_taken_back_there(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    delivery_id = stage.hub.show_together(a_card("c1"), a_card("c2", "Write a note"))
    await stage.discord.until(lambda: stage.hub.receipts.get(f"{delivery_id}_1") is DeliveryState.SHOWN, "shown")
    (message,) = digests(stage)
    assert title(message) == "🔮 2 things are waiting for you"
    assert stage.discord.cards("c1") == []
    await press(stage, stage.bob, message, ids(message)[3])
    await stage.discord.until(lambda: "Dismissed" in str(message["embeds"]), "the outcome in its place")
    assert [(one.card_id, one.verb) for one in stage.hub.taken] == [("c2", Verb.REJECT)]
    assert stage.hub.receipts[f"{delivery_id}_1"] is DeliveryState.ACTED
    undo = next(one for one in ids(message) if ":undo:" in one)
    await press(stage, stage.bob, message, undo)
    await stage.discord.until(lambda: len(ids(message)) == 4, "open again in its place")
    assert stage.discord.cards("c2") == []


@pytest.mark.slow
async def test_where_a_vote_decides_a_press_brings_it_up_alone_and_strangers_do_nothing(stage: Stage) -> None:
    await stage.start()
    stage.hub.show_together(a_card("c1"), a_card("c2"))
    await stage.discord.until(lambda: bool(digests(stage)), "a digest")
    (message,) = digests(stage)
    refused = await press(stage, stage.eve, message, ids(message)[0])
    assert "you are not one of them" in refused["data"]["content"]
    told = await press(stage, stage.bob, message, ids(message)[0])
    assert "below" in told["data"]["content"]
    await stage.shown("c1")
    assert (stage.hub.taken, stage.discord.cards("c2")) == ([], [])


@pytest.mark.slow
async def test_after_a_restart_each_open_one_has_its_own_message_and_the_old_buttons_say_so(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show_together(a_card("c1"), a_card("c2"))
    await stage.discord.until(lambda: bool(digests(stage)), "a digest")
    await stage.restart()
    await stage.shown("c1")
    (message,) = digests(stage)
    told = await press(stage, stage.bob, message, ids(message)[0])
    assert "newest message" in told["data"]["content"]
    assert stage.hub.taken == []


@pytest.mark.slow
async def test_where_the_text_is_hidden_each_has_a_message_of_its_own(stage: Stage) -> None:
    await stage.start()
    stage.hub.privacy = "title"
    stage.hub.show_together(a_card("c1", "the secret"), a_card("c2", "the secret"))
    await stage.shown("c1")
    await stage.shown("c2")
    assert digests(stage) == []
    assert "the secret" not in str(stage.discord.bridge())


@pytest.mark.slow
async def test_what_happened_meanwhile_is_a_note(stage: Stage) -> None:
    await stage.start()
    stage.hub.show_together(away=AWAY, loudness="silent")
    await stage.discord.until(lambda: any(title(one) == "👋 While you were away" for one in stage.discord.bridge()))


@pytest.mark.slow
async def test_its_lines_are_settled_also_of_cards_that_have_messages_of_their_own(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show(a_card("c1"))
    own = await stage.shown("c1")
    stage.hub.show_together(a_card("c1"), a_card("c2"))
    await stage.discord.until(lambda: bool(digests(stage)), "a digest")
    (message,) = digests(stage)
    assert message["content"] == f"<@{stage.ann['id']}>", "it waits for an answer, so the owner is called"
    await stage.discord.react(stage.bob, own, "❌")
    await stage.discord.until(lambda: "Dismissed" in str(message["embeds"]), "settled in the digest too")
    await press(stage, stage.bob, message, next(one for one in ids(message) if ":reject:c2:" in one))
    await stage.discord.until(lambda: message["embeds"][0]["color"] == 0x99AAB5, "nothing in it waits")
    assert not message.get("content")
