"""All that a yes is about stands in `yes_text`, or in the sentence above it."""

import pytest
from msgspec.structs import replace

from hub.contract.permission import Act, Permission
from hub.kit.permissions import TOOL_CHARS_MAX, sentence
from hub.kit.phrase_files import phrases
from hub.kit.shown import target_text, yes_text
from tests.kit.test_kit_permissions import asking
from tests.surfaces.shown import prediction

FILES = (".env", "keys/deploy.pem")
LONG_TOOL = "mcp__claude_ai_Google_Calendar_of_the_team__delete_calendar"


def told(permission: Permission) -> str:
    shown = replace(prediction(), permission=permission)
    return f"{sentence(permission, phrases('en'))}\n{yes_text(shown)}"


@pytest.mark.parametrize("act", [Act.READ, Act.EDIT])
def test_each_of_several_files_is_told(act: Act) -> None:
    permission = asking(act, target="README.md", other_files=FILES)
    assert all(one in told(permission) for one in ("README.md", *FILES))


def test_the_end_of_a_long_tools_name_is_told() -> None:
    assert len(LONG_TOOL) > TOOL_CHARS_MAX
    assert LONG_TOOL in told(asking(Act.OTHER, tool=LONG_TOOL))


def test_the_target_of_a_tool_is_told() -> None:
    assert "prod1db" in told(asking(Act.OTHER, tool="drop", target="prod1db"))


def test_what_the_sentence_has_is_told_once() -> None:
    for permission in (asking(Act.READ, target="a.py"), asking(Act.OTHER, tool="look"), asking(Act.COMMAND, text="ls")):
        assert target_text(replace(prediction(), permission=permission)) == ""
