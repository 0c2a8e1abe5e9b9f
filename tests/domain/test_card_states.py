"""The table of a suggestion's life: what it holds, and that its document is generated from it."""

import pytest

from hub.contract.words import MoveReason, Status
from hub.domain.card_states import MOVES, IllegalMoveError, move
from tests.diagrams import life_picture, life_table
from tests.house.source import ROOT

DOC = ROOT / "docs" / "card-states.md"


def test_the_document_holds_the_generated_diagram_and_table() -> None:
    document = DOC.read_text(encoding="utf-8")
    assert f"```mermaid\n{life_picture()}\n```" in document, f"put this into docs/card-states.md:\n{life_picture()}"
    assert life_table() in document, f"put this into docs/card-states.md:\n{life_table()}"


@pytest.mark.parametrize("status", Status)
def test_every_pair_is_in_the_table_or_refused(status: Status) -> None:
    for reason in MoveReason:
        if (status, reason) in MOVES:
            stays = reason in {MoveReason.SNOOZED, MoveReason.SNOOZE_OVER, MoveReason.SNOOZE_UNDONE}
            assert move(status, reason) is MOVES[status, reason], reason
            assert (MOVES[status, reason] is status) is stays, reason
        else:
            with pytest.raises(IllegalMoveError, match=f"no transition from {status} by {reason}"):
                move(status, reason)


def test_every_status_can_be_reached_and_every_reason_means_something() -> None:
    assert {Status.PENDING, *MOVES.values()} == set(Status)
    assert {reason for _, reason in MOVES} == set(MoveReason)


def test_what_is_executed_or_expired_stays_so_and_what_was_cancelled_comes_back_by_an_undo_alone() -> None:
    left = {Status.PENDING, Status.REJECTED, Status.CONFIRMED, Status.FAILED, Status.CANCELLED}
    assert {state for state, _ in MOVES} == left
    assert [reason for state, reason in MOVES if state is Status.CANCELLED] == [MoveReason.UNDONE]


def test_a_reason_always_leads_to_the_same_place() -> None:
    """So that a step of the episode can be read without knowing what was before."""
    places = {reason: {to for (_, cause), to in MOVES.items() if cause is reason} for reason in MoveReason}
    assert all(len(found) == 1 for found in places.values())
