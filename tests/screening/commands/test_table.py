"""The table of programs says each thing once."""

from collections import Counter
from importlib.resources import files


def test_no_program_has_the_same_rule_twice() -> None:
    lines = files("hub.screening.commands").joinpath("programs.txt").read_text(encoding="utf-8").splitlines()
    said = [line.partition(" ") for line in lines if line and not line.startswith("#")]
    rules = Counter((name, rule) for names, _, rule in said for name in names.split("|"))
    assert [rule for rule, count in rules.items() if count > 1] == []


def test_what_a_program_does_by_itself_stands_in_one_rule() -> None:
    lines = files("hub.screening.commands").joinpath("programs.txt").read_text(encoding="utf-8").splitlines()
    said = [line.partition(" : ") for line in lines if line and not line.startswith("#")]
    plain = [(names, rule.partition(">")[0].strip()) for names, colon, rule in said if colon and " " not in names]
    rules = Counter((name, rule) for names, rule in plain if rule for name in names.split("|"))
    assert [rule for rule, count in rules.items() if count > 1] == []
