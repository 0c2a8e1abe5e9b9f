"""The table of a session's life: what it holds, and that its document is generated from it."""

import pytest

from hub.contract.world import AgentStatus
from hub.domain.world_states import MOVES, IllegalStatusError, check_move, may_follow, next_of
from tests.diagrams import session_picture, session_table
from tests.house.source import ROOT

DOC = ROOT / "docs" / "world.md"


def test_the_document_holds_the_generated_diagram_and_table() -> None:
    document = DOC.read_text(encoding="utf-8")
    assert f"```mermaid\n{session_picture()}\n```" in document, f"put this into docs/world.md:\n{session_picture()}"
    assert session_table() in document, f"put this into docs/world.md:\n{session_table()}"


@pytest.mark.parametrize("before", [None, *AgentStatus])
@pytest.mark.parametrize("after", AgentStatus)
def test_every_pair_is_in_the_table_or_refused_with_what_to_do(before: AgentStatus | None, after: AgentStatus) -> None:
    if may_follow(before, after):
        check_move("abc123", before, after)
        return
    with pytest.raises(IllegalStatusError, match="abc123") as refused:
        check_move("abc123", before, after)
    assert refused.value.code == "illegal-agent-status"
    assert refused.value.fix


def test_a_session_begins_once_and_ends_verified() -> None:
    begins = [status for status in AgentStatus if may_follow(None, status)]
    assert begins == [AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.FAILED]
    assert AgentStatus.START not in {after for _, after in MOVES}
    assert [status for status in AgentStatus if not next_of(status)] == [AgentStatus.VERIFIED]
    assert {AgentStatus.START, *(after for _, after in MOVES)} == set(AgentStatus)


def test_from_everywhere_there_is_a_way_to_the_end() -> None:
    ends = {AgentStatus.VERIFIED}
    for _ in AgentStatus:
        ends |= {before for before, after in MOVES if after in ends}
    assert ends == set(AgentStatus)


def test_what_finished_is_judged_and_what_failed_waits_for_a_person() -> None:
    assert next_of(AgentStatus.FINISH) == (AgentStatus.VERIFIED, AgentStatus.RETRY, AgentStatus.FAILED)
    assert next_of(AgentStatus.FAILED) == (AgentStatus.RETRY, AgentStatus.FAILED)
