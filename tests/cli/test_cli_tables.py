"""What a list of suggestions looks like, as wide as the terminal is."""

import io

import pytest
from rich.console import Console

from hub.cli.draw import cards_table
from hub.contract.api import Prediction
from tests.surfaces.terminal.scenes import prediction

ASKED = "ask_902c10b79d184fe5b48849a2_ef3da6896931c788"
ALIKE = "ask_902c10b79d184fe5b48849a2_0047d1e09c2680a3"


def listed(*cards: Prediction, columns: int, is_terminal: bool = True) -> str:
    out = Console(file=io.StringIO(), force_terminal=is_terminal, width=columns, no_color=True)
    with out.capture() as captured:
        out.print(cards_table(out, cards))
    return captured.get()


@pytest.mark.parametrize("columns", [80, 120])
def test_long_ids_leave_room_for_what_is_suggested(columns: int) -> None:
    said = listed(prediction(ASKED, prompt="Push to origin?"), prediction("short1"), columns=columns)
    assert "suggestion" in said
    assert "Push to origin?" in said
    assert "pred_ask_902c10b79 " in said
    assert "pred_short1 " in said


def test_what_is_shown_of_ids_tells_them_apart() -> None:
    said = listed(prediction(ASKED), prediction(ALIKE), columns=120)
    assert "pred_ask_902c10b79d184fe5b48849a2_e " in said
    assert "pred_ask_902c10b79d184fe5b48849a2_0 " in said


def test_a_script_gets_whole_ids() -> None:
    assert f"pred_{ASKED} " in listed(prediction(ASKED), columns=160, is_terminal=False)
