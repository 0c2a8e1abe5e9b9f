from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.errors import PulseError
from hub.contract.words import Autonomy
from hub.domain.mind import AutonomyState
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.when import Happening, IllegalHappeningError, advance
from hub.when.machine import MOVES, REASONS
from tests.diagrams import autonomy_picture, autonomy_table

EARLIER = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
DOC = Path(__file__).parents[3] / "docs" / "when.md"
REFUSED = {(state, cause) for state in Autonomy for cause in Happening} - set(MOVES)


@pytest.mark.parametrize(("state", "cause"), sorted(MOVES))
def test_every_row_leads_where_the_table_says(state: Autonomy, cause: Happening) -> None:
    before = AutonomyState(state=state, since=EARLIER, reason="before")
    after = advance(before, cause, NOW)
    assert after.state is MOVES[state, cause]
    renewed = (state, cause) == (Autonomy.PAUSED, Happening.PAUSED_BY_PERSON)
    if after.state is state and not renewed:
        assert after is before
    else:
        assert after == AutonomyState(state=after.state, since=NOW, reason=REASONS[cause], wording=after.wording)
        assert worded(after.wording, "", phrases("en")) == after.reason
        assert worded(after.wording, "", phrases("de")) not in {"", after.reason}


@pytest.mark.parametrize(("state", "cause"), sorted(REFUSED))
def test_a_missing_pair_raises(state: Autonomy, cause: Happening) -> None:
    before = AutonomyState(state=state, since=EARLIER)
    with pytest.raises(IllegalHappeningError) as caught:
        advance(before, cause, NOW)
    assert isinstance(caught.value, PulseError)
    assert caught.value.code == "illegal-happening"
    is_asked_for = state is Autonomy.DISABLED and cause in {Happening.PAUSED_BY_PERSON, Happening.RESUMED}
    assert str(caught.value).startswith("Pulse is off" if is_asked_for else cause)
    assert bool(caught.value.fix) is is_asked_for
    assert before == AutonomyState(state=state, since=EARLIER)


def test_the_refused_pairs_are_exactly_these() -> None:
    assert {
        (Autonomy.DISABLED, Happening.SILENCE_REACHED),
        (Autonomy.DISABLED, Happening.PAUSED_BY_PERSON),
        (Autonomy.DISABLED, Happening.RESUMED),
        (Autonomy.DISABLED, Happening.PAUSE_TIMED_OUT),
        (Autonomy.WATCHING, Happening.PAUSE_TIMED_OUT),
        (Autonomy.PRIMING, Happening.PAUSE_TIMED_OUT),
        (Autonomy.AUTONOMOUS, Happening.PAUSE_TIMED_OUT),
        (Autonomy.PAUSED, Happening.SILENCE_REACHED),
    } == REFUSED


def test_the_way_of_the_source_document() -> None:
    way = (
        (Happening.SILENCE_REACHED, Autonomy.PRIMING),
        (Happening.PREDICTION_READY, Autonomy.AUTONOMOUS),
        (Happening.PERSON_SPOKE, Autonomy.WATCHING),
        (Happening.SILENCE_REACHED, Autonomy.PRIMING),
        (Happening.PREDICTION_READY, Autonomy.AUTONOMOUS),
        (Happening.REJECTED_TOO_OFTEN, Autonomy.PAUSED),
        (Happening.PERSON_SPOKE, Autonomy.PAUSED),
        (Happening.PAUSE_TIMED_OUT, Autonomy.WATCHING),
        (Happening.DISABLED, Autonomy.DISABLED),
        (Happening.ENABLED, Autonomy.WATCHING),
    )
    state = AutonomyState()
    for cause, expected in way:
        state = advance(state, cause, NOW)
        assert state.state is expected


@pytest.mark.slow
@given(st.lists(st.sampled_from(Happening), max_size=60))
def test_any_sequence_keeps_a_legal_state(causes: list[Happening]) -> None:
    state = AutonomyState()
    for cause in causes:
        before = state
        try:
            state = advance(state, cause, NOW)
        except IllegalHappeningError:
            assert (before.state, cause) in REFUSED
        assert state.state in Autonomy
        if state is not before:
            assert state.since == NOW
            assert state.reason
        if cause is Happening.DISABLED:
            assert state.state is Autonomy.DISABLED


@pytest.mark.slow
@given(st.lists(st.sampled_from([cause for cause in Happening if cause is not Happening.ENABLED]), max_size=60))
def test_only_enabling_leads_out_of_disabled(causes: list[Happening]) -> None:
    state = AutonomyState(state=Autonomy.DISABLED)
    for cause in causes:
        if (state.state, cause) not in REFUSED:
            state = advance(state, cause, NOW)
    assert state.state is Autonomy.DISABLED


def test_the_document_holds_the_generated_diagram_and_table() -> None:
    document = DOC.read_text(encoding="utf-8")
    assert f"```mermaid\n{autonomy_picture()}\n```" in document, f"put this into docs/when.md:\n{autonomy_picture()}"
    assert autonomy_table() in document, f"put this into docs/when.md:\n{autonomy_table()}"
