"""An agent's questions on Discord: menus for choices, a form for own words, by those whose word is enough."""

import pytest

from hub.contract.permission import Act, AgentQuestion, Permission, PermissionOption, QuestionChoice
from hub.contract.words import Source, Verb
from hub.kit.chat.card import ChatCard
from surfaces.discord.card import voted
from surfaces.discord.menus import GivenAnswers, may_take, menus, read_menu_id
from surfaces.discord.render import render_card
from surfaces.discord.settings import Config, Policy
from surfaces.discord.votes import Tally
from tests.surfaces.discord.conftest import Stage
from tests.surfaces.discord.oversights import oversights
from tests.surfaces.discord.small_hub import a_card
from tests.surfaces.discord.standin.server import buttons
from tests.surfaces.shown import NOW

COLOURS = (QuestionChoice(label="red", description="As roses."), QuestionChoice(label="blue"))
COLOUR = AgentQuestion(id="colour", text="Which colour?", choices=COLOURS)
PARTS = AgentQuestion(id="parts", text="Which parts?", choices=COLOURS, several=True)
VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE)


def asking(*questions: AgentQuestion, **fields: object) -> Permission:
    more: dict[str, object] = {"act": Act.QUESTION, "questions": questions} if questions else {}
    given: dict[str, object] = {"agent": "claude-code", "tool": "Ask", "act": Act.COMMAND, "text": "", **more}
    return Permission(**(given | fields))  # type: ignore[arg-type]  # the test names fields of Permission


async def test_questions_are_answered_by_menu_and_by_form(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    stage.hub.show(a_card("c1", source=Source.ASK, permission=asking(COLOUR, PARTS)))
    message = await stage.shown("c1")
    assert set(buttons(message)) == {"reject", "snooze", "details", "words", "pick"}
    assert stage.discord.world.who_reacted(message["id"], "✅") == set()
    await stage.discord.answered(await stage.discord.pick(stage.eve, message, 0, "1"))
    await stage.discord.answered(await stage.discord.pick(stage.bob, message, 1, "0", "1"))
    form = await stage.discord.answered(await stage.discord.press(stage.bob, message, "words"))
    assert len(form["data"]["components"]) == 2
    assert stage.hub.handed_in == []
    await stage.discord.fill_in(stage.bob, message, form["data"]["custom_id"], q0=" green ", q1="")
    await stage.discord.until(lambda: bool(stage.hub.taken))
    decision = stage.hub.taken[0]
    assert (decision.verb, decision.by) == (Verb.APPROVE, "bob")
    assert decision.permission is not None
    assert decision.permission.answers == {"colour": ("green",), "parts": ("red", "blue")}


async def test_an_agents_own_way_to_answer_is_taken_as_what_it_is(stage: Stage) -> None:
    stage.policy = Policy(kind="first")
    await stage.start()
    options = (PermissionOption(id="always", label="Always"), PermissionOption(id="never", label="Never", refuses=True))
    stage.hub.show(a_card("c1", source=Source.ASK, permission=asking(text="ls", options=options)))
    message = await stage.shown("c1")
    await stage.discord.pick(stage.bob, message, 0, "1")
    await stage.discord.until(lambda: bool(stage.hub.taken))
    decision = stage.hub.taken[0]
    assert decision.verb is Verb.REJECT
    assert decision.permission is not None
    assert decision.permission.option == "never"


def test_an_option_that_lets_more_run_than_a_menu_shows_is_not_offered() -> None:
    tail = ", Bash(sudo:*), in all projects"
    options = (
        PermissionOption(id="short", label="Always allow Bash(ls:*)" + tail),
        PermissionOption(id="long", label="Always allow " + "Bash(npm run lint:*), " * 6 + tail),
        PermissionOption(id="no", label="Never allow " + "Bash(npm run lint:*), " * 6 + tail, refuses=True),
    )
    permission = asking(text="ls", options=options)
    card = ChatCard(prediction=a_card("c1", source=Source.ASK, permission=permission), opened_at=NOW, verbs=VERBS)
    (menu,) = menus(card)
    assert [one.value for one in menu.options] == ["0", "2"]
    assert tail in menu.options[0].label
    assert not may_take(card, options[1])


async def test_where_a_vote_decides_nobody_answers_alone(stage: Stage) -> None:
    await stage.start()
    stage.hub.show(a_card("c1", source=Source.ASK, permission=asking(COLOUR)))
    message = await stage.shown("c1")
    refused = await stage.discord.answered(await stage.discord.pick(stage.bob, message, 0, "0"))
    assert "Votes decide here" in refused["data"]["content"]
    assert stage.hub.handed_in == []


@pytest.mark.parametrize("sign", ["a", "🙂", "\u202e"])
def test_the_longest_questions_are_within_the_limits(sign: str) -> None:
    choices = tuple(QuestionChoice(label=f"{place}{sign * 190}", description=sign * 2_000) for place in range(20))
    asked = tuple(AgentQuestion(id=f"q{place}", text=sign * 2_000, choices=choices, several=True) for place in range(4))
    card = ChatCard(
        prediction=a_card("c" * 64, source=Source.ASK, permission=asking(*asked)), opened_at=NOW, verbs=VERBS
    )
    drawn = render_card(card, frozenset(), Tally(), Config())
    assert len(drawn.menus) == 4
    assert oversights(drawn) == []
    assert all(read_menu_id(one.custom_id) is not None for one in menus(card))


def test_more_questions_than_a_message_has_room_for_are_answered_elsewhere() -> None:
    many = tuple(AgentQuestion(id=f"q{place}", text="?", choices=COLOURS) for place in range(5))
    card = ChatCard(prediction=a_card("c1", source=Source.ASK, permission=asking(*many)), opened_at=NOW, verbs=VERBS)
    assert menus(card) == ()
    assert Verb.APPROVE not in voted(card)


def test_answers_wait_for_each_other_and_for_nobody_elses() -> None:
    card = ChatCard(prediction=a_card("c1", source=Source.ASK, permission=asking(COLOUR, PARTS)), opened_at=NOW)
    given = GivenAnswers()
    assert given.add(card, "ann", {0: ("red",)}) is None
    assert given.add(card, "bob", {1: ("blue",)}) is None
    whole = given.add(card, "ann", {1: ("blue",)})
    assert whole is not None
    assert whole.answers == {"colour": ("red",), "parts": ("blue",)}
