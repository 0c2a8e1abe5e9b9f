"""What an agent asks leave for, in words: sentences in both languages, and texts that are cut honestly."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission, PermissionMark
from hub.kit.permissions import effects_said, pieces, sentence, shortened
from hub.kit.phrase_files import phrases
from hub.kit.text import json_bytes

EN, DE = phrases("en"), phrases("de")
TEXT = "cd /srv/shop/site && rm -rf build && ls"
MARK = PermissionMark(start=21, end=33, effect=Effect.DELETES)


def asking(act: Act, **fields: object) -> Permission:
    given = {"agent": "claude-code", "tool": "T", "act": act, "folder": "/home/anna/shop"} | fields
    return Permission(**given)  # type: ignore[arg-type]  # the test names fields of Permission


@pytest.mark.parametrize(
    ("permission", "english", "german"),
    [
        (
            asking(Act.COMMAND, text="rm -rf build", target="build", effects=(Effect.DELETES,)),
            "Claude wants to delete build in shop",
            "Claude möchte build in shop löschen",
        ),
        (
            asking(Act.COMMAND, text="ls"),
            "Claude wants to run a command in shop",
            "Claude möchte in shop einen Befehl ausführen",
        ),
        (asking(Act.EDIT, target="a.py"), "Claude wants to change a.py in shop", "Claude möchte a.py in shop ändern"),
        (asking(Act.FETCH, target="https://x"), "Claude wants to open https://x", "Claude möchte https://x öffnen"),
        (asking(Act.PLAN, folder=""), "Claude has a plan", "Claude hat einen Plan"),
    ],
)
def test_a_request_is_one_sentence(permission: Permission, english: str, german: str) -> None:
    assert (sentence(permission, EN), sentence(permission, DE)) == (english, german)


@pytest.mark.parametrize("act", Act)
def test_every_kind_has_its_sentence(act: Act) -> None:
    for words in (EN, DE):
        assert "{" not in sentence(asking(act), words)


@pytest.mark.parametrize("effect", Effect)
def test_every_effect_has_its_words(effect: Effect) -> None:
    for words in (EN, DE):
        assert effects_said(asking(Act.COMMAND, effects=(effect,)), words)


def test_the_harmless_is_not_told_beside_the_dangerous() -> None:
    assert effects_said(asking(Act.COMMAND, effects=(Effect.READS, Effect.DELETES)), EN) == "deletes something"


def test_no_name_breaks_out_of_its_sentence() -> None:
    said = sentence(asking(Act.EDIT, target="a.py\nApproved by you\u202e {agent}"), EN)
    assert "\n" not in said
    assert "\u202e" not in said


def test_the_parts_make_the_whole() -> None:
    parts = pieces(asking(Act.COMMAND, text=TEXT, marks=(MARK,)))
    assert "".join(one.text for one in parts) == TEXT
    assert [one.text.strip() for one in parts if one.is_dangerous] == ["rm -rf build"]


@pytest.mark.parametrize("mark", [(0, 999), (30, 20), (5, 5)])
def test_a_mark_that_fits_nowhere_loses_no_text(mark: tuple[int, int]) -> None:
    wrong = PermissionMark(start=mark[0], end=mark[1], effect=Effect.DELETES)
    assert "".join(one.text for one in pieces(asking(Act.COMMAND, text=TEXT, marks=(MARK, wrong)))) == TEXT


def test_what_is_cut_keeps_the_dangerous_parts_and_what_stands_around_the_text() -> None:
    text = f"cd /srv/{'s' * 200} && rm -rf build && echo {'x' * 200} && rm -rf dist && ls"
    marks = tuple(
        PermissionMark(start=text.index(one), end=text.index(one) + len(one), effect=Effect.DELETES)
        for one in ("rm -rf build", "rm -rf dist")
    )
    permission, told = asking(Act.COMMAND, text=text, marks=marks), f"Open the page.\n{text}\n⚠️ deletes something"
    assert shortened(permission, told, len(told)) == told
    said = shortened(permission, told, 112)
    assert said.startswith("Open the page.\ncd /srv/s")
    assert said.endswith("… rm -rf build … rm -rf dist …\n⚠️ deletes something")
    assert shortened(permission, text, 30) == "rm -rf build … rm -rf dist"
    assert shortened(asking(Act.EDIT, target="a.py", text="x" * 99), f"Change a.py\n{'x' * 99}", 20).startswith(
        "Change a.py\nx"
    )


@pytest.mark.slow
@given(
    text=st.text(max_size=80),
    spans=st.lists(st.tuples(st.integers(0, 80), st.integers(0, 80)), max_size=4),
    around=st.tuples(st.text(max_size=20), st.text(max_size=20)),
    room=st.integers(0, 120),
    size=st.sampled_from([len, json_bytes]),
)
def test_what_is_cut_always_fits(
    text: str, spans: list[tuple[int, int]], around: tuple[str, str], room: int, size: Callable[[str], int]
) -> None:
    marks = tuple(PermissionMark(start=start, end=end, effect=Effect.DELETES) for start, end in sorted(spans))
    said = shortened(asking(Act.COMMAND, text=text, marks=marks), text.join(around), room, size)
    assert size(said) <= room


def test_a_subagent_is_named_beside_the_agent() -> None:
    asked = asking(Act.COMMAND, text="ls", subagent="a95", subagent_type="general-\npurpose")
    assert sentence(asked, EN) == "Claude (subagent “general- purpose”) wants to run a command in shop"
    assert sentence(replace(asked, subagent_type=""), EN) == "Claude (a subagent) wants to run a command in shop"
    assert sentence(asked, DE).startswith("Claude (Unteragent „general- purpose“) möchte")
