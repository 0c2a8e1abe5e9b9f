import msgspec
import pytest

from hub.contract.errors import UserError
from hub.lab.screening_report import LabelledPrompt, measure, read_rows


def test_the_report_counts_and_lists_what_was_judged_otherwise() -> None:
    text = '{"prompt":"rm -rf /","label":"block"}\n\n{"prompt":"rm -rf /","label":"pass","note":"wrong on purpose"}\n'
    report = measure(read_rows(text, LabelledPrompt))
    assert (report.recall, report.false_block_rate, report.block_total, report.pass_total) == (1.0, 1.0, 1, 1)
    missed = [(miss.line, miss.label, miss.outcome, miss.rule) for miss in report.misses]
    assert missed == [(2, "pass", "block", "deletes")]


def test_the_report_on_the_wire_has_the_promised_names() -> None:
    assert {"recall", "falseBlockRate", "falseAskRate"} <= msgspec.to_builtins(measure(())).keys()


@pytest.mark.parametrize(
    "line",
    ["not json", '{"prompt":"x"}', '{"prompt":"x","label":"maybe"}', '{"prompt":1,"label":"pass"}', "[]", '"\\ud800"'],
)
def test_a_malformed_line_is_named(line: str) -> None:
    with pytest.raises(UserError, match="Line 2"):
        read_rows('{"prompt":"a","label":"pass"}\n' + line, LabelledPrompt)
