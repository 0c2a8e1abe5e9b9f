"""Read an argument list as sets: which short letters, which long options, which operands."""

import re

from hub.contract.base import Value

_SHORT = re.compile(r"-[A-Za-z0-9]+")
_APART = re.compile(r"(?:-[A-Za-z0-9]){2,8}")


class Options(Value):
    """The options of one call; order and grouping (``-r -f``, ``-fr``, ``-rf``) no longer matter."""

    short: frozenset[str]
    long: frozenset[str]
    operands: tuple[str, ...]

    def has(self, letters: str = "", *names: str) -> bool:
        """Say whether one of the short ``letters`` is set or a long option starts like one of ``names``."""
        if any(letter in self.short for letter in letters):
            return True
        return any(len(given) > 1 and name.startswith(given) for given in self.long for name in names)


def read(args: tuple[str, ...]) -> Options:
    """Split ``args``; ``--name=value`` counts as ``name``, a lone dash and ``--`` count as nothing."""
    short: set[str] = set()
    long: set[str] = set()
    operands: list[str] = []
    for arg in args:
        word = arg.rstrip(".,:;!?)]}") or arg
        if word.startswith("--"):
            name = word[2:].split("=", 1)[0].lower()
            if name:
                long.add(name)
        elif _SHORT.fullmatch(word):
            short.update(word[1:])
            long.add(word[1:].lower())
        elif _APART.fullmatch(word):
            short.update(word[1::2])
        else:
            operands.append(word)
    return Options(short=frozenset(short), long=frozenset(long), operands=tuple(operands))
