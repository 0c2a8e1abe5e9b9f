from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.provenance import untrusted
from hub.domain.readings import PredictorReading
from hub.sense.predictor_lines import KEPT_MAX, WRONG_MAX, predictor_reading

NOW = datetime(2025, 7, 29, 15, 0, tzinfo=UTC)
GOOD = (
    b'{"prediction":"Run tests","confidence":0.72,"channel":"koji-core","reasoning":"r",'
    b'"timestamp":"2025-07-29T14:30:00Z"}'
)


def prompts(reading: PredictorReading) -> list[str]:
    return [untrusted(each.prompt) for each in reading.foreseen]


def test_a_line_is_a_prediction() -> None:
    (found,) = predictor_reading(GOOD, NOW).foreseen
    assert (untrusted(found.prompt), found.confidence, found.channel) == ("Run tests", 0.72, "koji-core")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{not json", "not JSON"),
        (GOOD.replace(b"0.72", b"7"), "its confidence is not a number from 0 to 1"),
        (GOOD.replace(b"0.72", b"NaN"), "not JSON"),
        (GOOD.replace(b"Z", b""), "it has no timestamp with a zone"),
        (GOOD.replace(b"2025", b"2031"), "its timestamp is in the future"),
        (GOOD.replace(b"Run tests", b"\\u200b"), "its prediction says nothing"),
        (b'{"prediction":"x"}', "it has no timestamp with a zone"),
        (b"[" * 5_000, "no prediction"),
        (b"\xff\xfe", "not JSON"),
    ],
)
def test_a_bad_line_is_named_by_its_number_and_the_others_count(line: bytes, why: str) -> None:
    reading = predictor_reading(b"\n" + GOOD + b"\n" + line + b"\n", NOW)
    assert reading.wrong == (f"line 3: {why}",)
    assert prompts(reading) == ["Run tests"]


def test_what_is_old_is_left_out_and_the_same_words_count_once() -> None:
    later = GOOD.replace(b"14:30", b"14:40")
    assert predictor_reading(GOOD, NOW + timedelta(days=2)) == PredictorReading()
    (found,) = predictor_reading(GOOD + b"\n" + later, NOW).foreseen
    assert found.at.minute == 40


def test_of_many_the_latest_are_used_and_a_few_bad_ones_are_named() -> None:
    raw = b"\n".join(GOOD.replace(b"tests", b"%d" % number) for number in range(100))
    assert prompts(predictor_reading(raw, NOW))[-1] == "Run 99"
    assert len(predictor_reading(raw, NOW).foreseen) == KEPT_MAX
    wrong = predictor_reading(b"x\n" * 100, NOW).wrong
    assert (len(wrong), wrong[-1]) == (WRONG_MAX + 1, "and 95 more")


@pytest.mark.slow
@given(raw=st.binary(max_size=300))
def test_any_bytes_are_read(raw: bytes) -> None:
    predictor_reading(raw, NOW)
