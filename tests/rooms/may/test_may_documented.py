"""docs/rails.md names every rule, so that what `why` shows can be looked up."""

import ast
import re
from pathlib import Path

from hub.may.pipeline import RAILS
from hub.screening.screening import REASONS

ROOT = Path(__file__).resolve().parents[3]
RULE = re.compile(rf"({'|'.join(rail.stage for rail in RAILS)})\.[a-z_-]+")


def rules_in_code() -> set[str]:
    constants = {
        node.value
        for path in sorted((ROOT / "hub" / "may").glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    composed = {"cost.hour", "cost.day", "cost.month", "kill.config", "kill.runtime", "kill.surface", "kill.disabled"}
    composed |= {f"content.{name}" for name in (*REASONS, "unread")}
    return {constant for constant in constants if RULE.fullmatch(constant)} | composed


def test_every_rule_is_documented_and_every_documented_rule_exists() -> None:
    text = (ROOT / "docs" / "rails.md").read_text(encoding="utf-8")
    documented = set(re.findall(rf"`({RULE.pattern})`", text))
    assert {match[0] for match in documented} == rules_in_code()
