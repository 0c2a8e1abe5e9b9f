"""How much less an agent asks in a week after one day of "Always allow …", and whether anything else slips through.

A week of a coding agent's tool calls in two projects is drawn with a fixed seed from families of calls, as such agents
make them: most are the like of an earlier one, in other words. On Monday the person takes the wider of the grants that
each card offers, wherever there is one; nothing is granted later. The reference is what the agent's `default` mode
asks: every command that does more than look, every change of a file, every page. Beside it runs a list of calls that
nobody granted: more than was on the card, elsewhere, or hidden behind what was granted; none may go through. The same
is asked of widenings of ordinary commands, and whether what is like these is still let through.
"""

import random
import time
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hub.contract.effects import Effect
from hub.contract.permission import Act, Permission
from hub.domain.permission_grant import PermissionGrant
from hub.may import patterns_for
from hub.may.granted import grants_for
from hub.screening.acts import read_act
from hub.screening.effects import HARMLESS
from tests.bench.figures import Figure, percentile
from tests.bench.widenings import covered_alike, covered_widenings, widenings

BENCH = "grants"
FAMILIES = Path(__file__).with_name("agent_calls.toml")
MONDAY = datetime(2026, 3, 9, 9, tzinfo=UTC)
DAYS, CALLS_PER_DAY, SEED = 5, 300, 14
PLACES = ("/home/anna/shop", "/home/anna/notes")
SHARE_GOAL, ALIKE_GOAL = 0.3, 0.95
WIDENED = ((20, 866), (41, 1_000))
"""Seeds, and how many widenings of ordinary commands are drawn from each."""
MS = 1_000
REFERENCE = "every prompt of `default` mode"


def calls_of_a_day(families: list[dict[str, object]], draw: random.Random) -> Iterator[Permission]:
    """Yield the calls of one day, as they would be asked about."""
    weights = [float(str(one["weight"])) for one in families]
    for _ in range(CALLS_PER_DAY):
        family = draw.choices(families, weights)[0]
        yield call_of(family, draw)


def call_of(family: dict[str, object], draw: random.Random) -> Permission:
    """Draw one call of a family: each name in braces is one of its words."""
    text, words = str(family["text"]), family.get("words", {})
    assert isinstance(words, dict)
    for name, choices in words.items():
        text = text.replace(f"{{{name}}}", draw.choice(choices))
    act = Act(str(family.get("act", "command")))
    is_command = act is Act.COMMAND
    return Permission(
        agent="claude-code",
        session="s1",
        tool=str(family.get("tool", "Bash")),
        act=act,
        text=text if is_command else "",
        target="" if is_command else text,
        folder=draw.choice(PLACES),
    )


def is_asked_by_default(asked: Permission) -> bool:
    """Say whether the agent's own `default` mode asks: it lets nothing but looking go on."""
    reading = read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)
    if asked.act is Act.READ:
        return False
    return asked.act is not Act.COMMAND or not reading.understood or set(reading.effects) != {Effect.READS}


def is_asked_by_gate(asked: Permission) -> bool:
    """Say whether Pulse's quick gate asks where there is no grant."""
    reading = read_act(asked.act, asked.text, asked.target, asked.folder, asked.tool)
    return not HARMLESS.issuperset(reading.effects) or (asked.act is Act.COMMAND and not reading.understood)


def granted_on(day: list[Permission], now: datetime) -> list[PermissionGrant]:
    """Return what a person granted who took the wider grant of each card of a day."""
    grants: list[PermissionGrant] = []
    for asked in day:
        if not is_asked_by_default(asked) or grants_for(grants, asked, now):
            continue
        for pattern in patterns_for(asked)[:1]:
            until = now + timedelta(days=7)
            made = PermissionGrant(
                id=f"g{len(grants)}",
                pattern=pattern,
                label="",
                made_at=now,
                expires_at=until,
                card_id="",
                by="page/mine",
            )
            grants.append(made)
    return grants


def run() -> list[Figure]:
    """Replay the week."""
    written = tomllib.loads(FAMILIES.read_text(encoding="utf-8"))
    draw = random.Random(SEED)  # noqa: S311  the same week at each run
    week = [list(calls_of_a_day(written["call"], draw)) for _ in range(DAYS)]
    grants = granted_on(week[0], MONDAY)
    later = [asked for day in week[1:] for asked in day]
    default = [asked for asked in later if is_asked_by_default(asked)]
    now = MONDAY + timedelta(days=4)
    taken = []
    left = []
    for asked in default:
        began = time.perf_counter()
        found = grants_for(grants, asked, now)
        taken.append((time.perf_counter() - began) * MS)
        left += [] if found else [asked]
    gate = [asked for asked in later if is_asked_by_gate(asked)]
    gate_left = [asked for asked in gate if not grants_for(grants, asked, now)]
    hostile = [
        Permission(agent="claude-code", session="s1", tool="Bash", act=Act.COMMAND, text=text, folder=place)
        for text in written["never"]["commands"]
        for place in PLACES
    ]
    through = [asked for asked in hostile if grants_for(grants, asked, now)]
    return [
        Figure(
            bench=BENCH,
            what=f"prompts left of a week's {len(default)} with the grants of one day",
            value=len(left) / len(default),
            unit="share",
            goal=SHARE_GOAL,
            reference=REFERENCE,
            reference_value=1.0,
        ),
        Figure(
            bench=BENCH,
            what=f"the same of the {len(gate)} that the quick gate asks about",
            value=len(gate_left) / len(gate),
            unit="share",
        ),
        Figure(bench=BENCH, what="grants given on that day", value=len(grants), unit="grants"),
        Figure(
            bench=BENCH,
            what=f"let through of {len(hostile)} that nobody granted",
            value=len(through),
            unit="calls",
            goal=0,
        ),
        Figure(
            bench=BENCH, what="one call against all grants, p99", value=percentile(taken, 0.99), unit="ms", goal=10.0
        ),
        *of_widenings(),
    ]


def of_widenings() -> Iterator[Figure]:
    """Yield how many widenings of ordinary commands are covered, and how much of what is like them still is."""
    for seed, count in WIDENED:
        covered = covered_widenings(widenings(seed, count))
        what = f"widenings that are covered, of {count} (seed {seed})"
        yield Figure(bench=BENCH, what=what, value=len(covered), unit="calls", goal=0)
    covered_now, asked = covered_alike()
    yield Figure(
        bench=BENCH,
        what=f"still covered of {asked} that are like what was granted",
        value=covered_now / asked,
        unit="share",
        goal=ALIKE_GOAL,
        better="higher",
    )
