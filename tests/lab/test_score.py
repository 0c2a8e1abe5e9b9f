import json
import sys

import pytest

from hub.lab import read_offers, score
from hub.lab.marks import MarkedRow, auc, curve, marks_of
from hub.lab.rows import ROWS_MAX, BadRowsError
from hub.lab.score import DamagedWordsError, expected
from hub.lexicon import NO_WORDS

ROW = {"obs": [{"event": "The terminal displays an error."}], "pred_task": "Explain the error", "valid": True}


def lines(*rows: object) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def judged(*found: tuple[float, bool]) -> list[MarkedRow]:
    return [MarkedRow(p=p, chosen=p > 0.5, right=right) for p, right in found]


def test_with_a_damaged_table_of_words_nothing_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[expected.__module__], "shipped", lambda: NO_WORDS)
    with pytest.raises(DamagedWordsError) as found:
        score(read_offers(lines(ROW)))
    assert found.value.code == "damaged-words"


def test_marks_are_those_of_the_books() -> None:
    marks = marks_of(judged((0.9, True), (0.8, False), (0.3, True), (0.2, False)))
    assert (marks.auc, marks.precision, marks.recall, marks.f1) == (0.75, 0.5, 0.5, 0.5)
    assert marks.brier == pytest.approx((0.01 + 0.64 + 0.49 + 0.04) / 4)
    assert marks.ece == pytest.approx((0.1 + 0.8 + 0.7 + 0.2) / 4)


def test_ties_count_half_and_one_label_has_no_order() -> None:
    assert auc(judged((0.5, True), (0.5, False))) == 0.5
    assert auc(judged((0.1, True), (0.9, True))) is None
    assert marks_of([]).brier is None


def test_the_curve_holds_every_row() -> None:
    assert [band.rows for band in curve(judged((0.0, False), (0.05, True), (1.0, True)))] == [2, 1]


def test_the_label_and_its_kin_are_not_looked_at() -> None:
    kin = {**ROW, "valid": False, "help_needed": False, "category": "False-Alarm (FA)", "annotation": [False]}
    one, other, bare = read_offers(lines(ROW, kin, {key: ROW[key] for key in ("obs", "pred_task")}))
    assert expected(one) == expected(other) == expected(bare)


def test_rows_without_a_label_are_counted_and_not_scored() -> None:
    report = score(read_offers(lines(ROW, {**ROW, "valid": None}, {**ROW, "pred_task": None, "valid": False})))
    assert (report.rows, report.labelled, report.offers.rows, report.silences.rows) == (3, 2, 1, 1)


def test_bad_lines_are_named_by_number() -> None:
    bad = lines(ROW) + b"\n\n{" + b"\n" + lines({**ROW, "obs": []}, {**ROW, "valid": "yes"}, {"obs": []}) + b"\n\xff"
    with pytest.raises(BadRowsError) as found:
        read_offers(bad)
    assert found.value.code == "bad-rows"
    assert [f"Line {number}:" in found.value.detail for number in (1, 2, 3, 4, 5, 6, 7)] == [False, False, *[True] * 5]


@pytest.mark.slow
def test_a_deep_or_a_long_file_is_refused() -> None:
    with pytest.raises(BadRowsError, match="Line 1"):
        read_offers(b'{"obs": ' + b"[" * 100_000)
    with pytest.raises(BadRowsError, match="more than"):
        read_offers(b"{}\n" * (ROWS_MAX + 1))
    with pytest.raises(BadRowsError, match="no rows"):
        read_offers(b"\n\n")
