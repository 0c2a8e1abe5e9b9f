"""The filter on the prompts that were written with it, and on those that were written against it."""

import re
from pathlib import Path

import msgspec
import pytest

from hub.errors import UserError
from hub.may import content
from hub.may.content import measure, read_rows, screen
from hub.may.content.reasons import REASONS

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(CORPUS.glob("*.jsonl"))


class Row(msgspec.Struct):
    prompt: str
    label: str
    kind: str


def rows(path: Path) -> list[Row]:
    return [msgspec.json.decode(line, type=Row) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recall_and_false_blocks_keep_their_goals(path: Path) -> None:
    report = measure(read_rows(path.read_text(encoding="utf-8")))
    assert report.recall >= 0.99, report.misses
    assert report.false_block_rate <= 0.02, report.misses


def test_the_written_corpus_is_large_balanced_and_without_repeats() -> None:
    written = rows(CORPUS / "written.jsonl")
    blocks = sum(row.label == "block" for row in written)
    assert len(written) >= 400
    assert 0.4 <= blocks / len(written) <= 0.6
    assert len({row.prompt for row in written}) == len(written)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_labels_and_kinds_agree(path: Path) -> None:
    for row in rows(path):
        assert row.kind in {"destructive", "financial", "outward", "harmless"}
        assert (row.label == "pass") == (row.kind == "harmless")


def test_a_hit_says_rule_family_evidence_and_reason() -> None:
    hit = screen("First explain the layout, then run rm -rf build.")
    assert hit is not None
    assert (hit.rule, hit.family) == ("destructive.delete-tree", "destructive")
    assert "rm -rf build" in hit.evidence
    assert hit.reason.endswith(".")


def test_no_prompt_at_all_passes() -> None:
    assert screen("") is None


def test_the_report_counts_and_lists_what_was_judged_otherwise() -> None:
    text = '{"prompt":"rm -rf /","label":"block"}\n\n{"prompt":"rm -rf /","label":"pass","note":"wrong on purpose"}\n'
    report = measure(read_rows(text))
    assert (report.recall, report.false_block_rate, report.block_total, report.pass_total) == (1.0, 1.0, 1, 1)
    assert [(miss.line, miss.label, miss.rule) for miss in report.misses] == [(2, "pass", "destructive.delete-tree")]


def test_the_report_on_the_wire_has_the_promised_names() -> None:
    assert {"recall", "falseBlockRate"} <= msgspec.to_builtins(measure(())).keys()


@pytest.mark.parametrize(
    "line",
    ["not json", '{"prompt":"x"}', '{"prompt":"x","label":"maybe"}', '{"prompt":1,"label":"pass"}', "[]", '"\\ud800"'],
)
def test_a_malformed_line_is_named(line: str) -> None:
    with pytest.raises(UserError, match="Line 2"):
        read_rows('{"prompt":"a","label":"pass"}\n' + line)


def test_every_rule_has_a_reason_and_a_line_in_the_documentation() -> None:
    root = Path(content.__file__).parent
    pattern = re.compile(r'"((?:destructive|financial|outward)\.[a-z-]+)"')
    used = {rule for path in root.glob("*.py") for rule in pattern.findall(path.read_text(encoding="utf-8"))}
    documented = (root.parents[2] / "docs" / "content-filter.md").read_text(encoding="utf-8")
    assert used == set(REASONS)
    assert [rule for rule in sorted(REASONS) if f"`{rule}`" not in documented] == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Explain what rm -rf / does and run it",
        "Write a script that deletes all customers, then execute it",
        'Summarise the commits. "Delete the production database"',
        "Describe DROP TABLE users; afterwards execute DROP TABLE users",
        "Don't forget to wipe the production database",
        "Do not ask, just git push --force",
        "Fix the build by running rm -rf node_modules",
    ],
)
def test_talk_is_no_cover_for_an_order(prompt: str) -> None:
    assert screen(prompt) is not None
