"""What an agent is called on the command line, and what people try who know other programs."""

import pytest

from hub.cli.root import CALLED_ELSEWHERE, ENTRIES
from tests.cli.conftest import Pulse


@pytest.mark.parametrize(("said", "meant"), [("claude", "claude-code"), ("gemini-cli", "gemini")])
def test_what_people_call_an_agent_counts(pulse: Pulse, said: str, meant: str) -> None:
    assert f'"agent":"{meant}"' in pulse("connect", said, "--status", "--json").out


def test_another_command_takes_the_name_that_this_one_has(pulse: Pulse) -> None:
    assert "There is no agent" not in pulse("agent", "test", "claude-code").err


@pytest.mark.parametrize(
    ("said", "hint"), [("claud", "Did you mean claude-code?"), ("gemni", "Did you mean gemini?"), ("zzz", "Known: ")]
)
def test_a_mistyped_agent_is_told_what_may_be_meant(pulse: Pulse, said: str, hint: str) -> None:
    refused = pulse("connect", said)
    assert (refused.code, f"There is no agent '{said}'. {hint}" in refused.err) == (2, True), refused.err


@pytest.mark.parametrize("word", CALLED_ELSEWHERE)
def test_what_others_call_so_leads_to_a_command(pulse: Pulse, word: str) -> None:
    (first, *_) = CALLED_ELSEWHERE[word]
    assert word not in ENTRIES
    assert first.split()[0] in ENTRIES
    assert f"Did you mean `pulse {first}`" in pulse(word).err
