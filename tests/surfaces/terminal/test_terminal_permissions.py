"""What an agent asks leave for, on the terminal: all of it is seen, the dangerous stands out, keys answer it."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import (
    Act,
    AgentQuestion,
    CallField,
    Lasts,
    Permission,
    PermissionAnswer,
    PermissionMark,
    PermissionOption,
    QuestionChoice,
)
from hub.contract.surface import Decision
from hub.contract.words import Risk, Source, Verb
from surfaces.terminal.keys import press
from surfaces.terminal.render import render
from surfaces.terminal.view import Shown, View
from tests.surfaces.terminal.plain import plain_text
from tests.surfaces.terminal.scenes import NOW, later, shown, view

COMMAND = Permission(
    agent="claude-code",
    tool="Bash",
    act=Act.COMMAND,
    text="cd shop && rm -rf build",
    folder="/home/anna/shop",
    effects=(Effect.DELETES,),
    marks=(PermissionMark(start=11, end=23, effect=Effect.DELETES),),
    options=(
        PermissionOption(id="always", label="Always allow rm here", lasts=Lasts.ALWAYS),
        PermissionOption(id="never", label="No, and not again", refuses=True),
    ),
    editable=True,
)
RED, BLUE = QuestionChoice(label="Red"), QuestionChoice(label="Blue", description="like the sea")
ONE = AgentQuestion(id="q1", text="Which colour?", choices=(RED, BLUE), own_words=False)
MANY = AgentQuestion(id="q2", text="Which tools?", choices=(RED, BLUE), several=True)
FREE = AgentQuestion(id="q3", text="Which name?")


def asked(permission: Permission = COMMAND, **changes: Any) -> Shown:  # noqa: ANN401  fields of a card
    fields = {"prompt": permission.text or "?", "target_agent": "claude-code", "risk": Risk.MEDIUM} | changes
    return shown(source=Source.ASK, permission=permission, editable=permission.editable, **fields)


def question(*questions: AgentQuestion) -> Shown:
    return asked(Permission(agent="claude-code", tool="AskUserQuestion", act=Act.QUESTION, questions=questions))


def pressed(before: View, *keys: str) -> list[Decision]:
    given: list[Decision] = []
    for number, key in enumerate(keys):
        before, intents = press(before, key, later(number * 2))
        given += [one for one in intents if isinstance(one, Decision)]
    return given


def styles(card: Shown, text: str) -> set[str]:
    """Return the styles in which a text is drawn."""
    picture = render(view(card), 80, 40, NOW)
    return {span.style for row in picture.lines for span in row if text in span.text}


def test_the_sentence_the_text_and_what_it_would_do_are_shown() -> None:
    drawn = plain_text(render(view(asked()), 80, 40, NOW))
    for text in (
        "Claude wants to run a command in shop",
        "cd shop && rm -rf build",
        "It deletes something.",
        "1 yes: Always",
    ):
        assert text in drawn


def test_the_dangerous_part_stands_out() -> None:
    assert styles(asked(), "rm -rf build") == {"bad"}
    assert styles(asked(), "cd shop") == {"accent"}


def test_a_diff_is_a_diff() -> None:
    diff = "@@ -1 +1 @@\n-old line\n+new line"
    card = asked(Permission(agent="codex", tool="Edit", act=Act.EDIT, text=diff, target="a.py"))
    assert (styles(card, "+new line"), styles(card, "-old line")) == ({"good"}, {"bad"})


def test_nothing_of_a_text_steers_the_terminal_or_loses_a_space() -> None:
    card = asked(Permission(agent="x", tool="Bash", act=Act.COMMAND, text="echo \x1b[2J  two   spaces\u202e"))
    drawn = plain_text(render(view(card), 80, 40, NOW))
    assert "\x1b" not in drawn
    assert "⟨U+001B⟩[2J  two   spaces⟨U+202E⟩" in drawn


def test_a_text_that_was_not_read_to_its_end_is_not_approved() -> None:
    card = asked(Permission(agent="x", tool="Bash", act=Act.COMMAND, text="echo a\n" * 60 + "rm -rf ~"))
    assert render(view(card), 80, 24, NOW).clipped
    assert pressed(view(card, clipped=True), "a") == []
    assert pressed(view(card, clipped=True), "1") == []


SETTING = CallField(name="timeout", value="7 200 000")
UNKNOWN = CallField(name="on_all_hosts", value="yes")
LABEL = "Always allow " + ", ".join(f"Bash(npm run step{number}:*)" for number in range(6)) + ", Bash(sudo:*)"
CHOICES = tuple(QuestionChoice(label=f"choice {number}", description="fine " * 20) for number in range(14))


@pytest.mark.parametrize(
    ("permission", "last"),
    [
        (Permission(agent="x", tool="deploy", act=Act.OTHER, unknown_fields=(UNKNOWN,)), "on_all_hosts: yes"),
        (Permission(agent="x", tool="Bash", act=Act.COMMAND, text="make", settings=(SETTING,)), "timeout: 7 200 000"),
        (Permission(agent="x", tool="Read", act=Act.READ, target=f"{'deep/' * 60}secret.key"), "secret.key"),
        (Permission(agent="x", tool="Bash", act=Act.COMMAND, options=(PermissionOption(id="o", label=LABEL),)), "sudo"),
        (
            Permission(
                agent="x",
                tool="ask",
                act=Act.QUESTION,
                questions=(AgentQuestion(id="q", text="Which?", choices=CHOICES),),
            ),
            "page.",
        ),
    ],
)
def test_all_that_a_yes_lets_run_is_drawn_or_called_clipped(permission: Permission, last: str) -> None:
    whole = render(view(asked(permission)), 60, 80, NOW)
    assert last in plain_text(whole)
    assert not whole.clipped
    for rows in range(12, 80):
        picture = render(view(asked(permission)), 60, rows, NOW)
        assert picture.clipped is (last not in plain_text(picture))


def test_those_that_are_alike_are_drawn_with_their_fields() -> None:
    cards = [asked(replace(COMMAND, unknown_fields=(UNKNOWN,)), id=name, alike="x") for name in ("pred_a", "pred_b")]
    before = view(*cards, mode="alike", listed=tuple((one.id, one.prediction.card_hash) for one in cards))
    assert plain_text(render(before, 80, 60, NOW)).count("on_all_hosts: yes") == 2


def test_what_has_no_number_is_shown_and_not_taken() -> None:
    card = question(AgentQuestion(id="q", text="Which?", choices=CHOICES, own_words=False))
    drawn = plain_text(render(view(card), 90, 80, NOW))
    assert "9 choice 8" in drawn
    assert "choice 13" in drawn
    assert "Only the first 9 can be chosen here; the others on the page." in drawn


def test_a_number_takes_an_option() -> None:
    assert [(one.verb, one.permission) for one in pressed(view(asked()), "1")] == [
        (Verb.APPROVE, PermissionAnswer(option="always"))
    ]
    assert [(one.verb, one.permission) for one in pressed(view(asked()), "2")] == [
        (Verb.REJECT, PermissionAnswer(option="never"))
    ]
    assert pressed(view(asked()), "3") == []


def test_a_risky_option_needs_a_second_key_and_is_not_left_over() -> None:
    risky = view(asked(risk=Risk.HIGH))
    assert [one.permission for one in pressed(risky, "1", "y")] == [PermissionAnswer(option="always")]
    assert [one.permission for one in pressed(risky, "1", "n", "a", "y")] == [None]


def test_a_command_can_be_changed() -> None:
    assert [(one.verb, one.prompt) for one in pressed(view(asked()), "e", "ctrl-u", "l", "s", "enter")] == [
        (Verb.EDIT, "ls")
    ]


@pytest.mark.parametrize(
    ("questions", "keys", "answers"),
    [
        ((ONE,), ("2",), {"q1": ("Blue",)}),
        ((ONE,), ("a", "1"), {"q1": ("Red",)}),
        ((MANY,), ("1", "2", "enter"), {"q2": ("Red", "Blue")}),
        ((MANY,), ("1", "1", "2", "enter"), {"q2": ("Blue",)}),
        ((ONE, MANY, FREE), ("1", "2", "enter", "M", "o", "enter"), {"q1": ("Red",), "q2": ("Blue",), "q3": ("Mo",)}),
        ((MANY,), ("a", "e", "x", "enter"), {"q2": ("x",)}),
    ],
)
def test_questions_are_answered_one_after_the_other(
    questions: tuple[AgentQuestion, ...], keys: tuple[str, ...], answers: dict[str, tuple[str, ...]]
) -> None:
    given = pressed(view(question(*questions)), *keys)
    assert [(one.verb, one.permission) for one in given] == [(Verb.APPROVE, PermissionAnswer(answers=answers))]


@pytest.mark.parametrize(
    "keys", [("a",), ("a", "3"), ("a", "e", "x", "enter"), ("a", "escape", "enter"), ("a", "enter")]
)
def test_nothing_else_answers_a_question(keys: tuple[str, ...]) -> None:
    assert pressed(view(question(ONE)), *keys) == []
