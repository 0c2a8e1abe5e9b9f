"""A gateway that is down for 2 h 16 min while a need would wake its agent: what it costs, in a simulated world."""

from typing import Final

from hub.contract.events import ExecutionFailed
from hub.domain.drives import DriveRules
from hub.when.drives import pressure_at
from tests.bench.figures import Figure
from tests.bench.public_drives import CODE_PRESSURE_MAX, outage_of
from tests.fakes.world import World
from tests.loop.outside import ACCEPTED, ALONE, CARD, DOWN, OUTAGE, messages, on_its_way, wakes
from tests.loop.test_drives import drive

MODES: Final = (("by a card", CARD), ("alone", ALONE))


async def figures(bench: str) -> list[Figure]:
    """Return what it comes to, by a card and alone; the pressure is compared with that of a gateway that is there."""
    found: list[Figure] = []
    theirs = outage_of(int(OUTAGE.total_seconds()), CODE_PRESSURE_MAX)
    for name, rules in MODES:
        there, away = await on_its_way(rules, ACCEPTED), await on_its_way(rules, DOWN)
        began, known = away.state.mind.drives.away_since, len(await wakes(away))
        assert began is not None
        for world in (there, away):
            await world.until(began + OUTAGE)
        moved = _pressure(away, rules) - _pressure(there, rules)
        more = len(await wakes(away)) - known
        what = f"gateway down for 2 h 16 min, {name}"
        found += [
            Figure(
                bench=bench,
                what=f"{what}: pressure beyond that of one that is there",
                value=moved,
                unit="",
                goal=0,
                reference=f"the public formulas, {theirs.tries} boosts: more than without an outage",
                reference_value=theirs.added,
            ),
            Figure(bench=bench, what=f"{what}: notices", value=len(away.told(ExecutionFailed)), unit="", goal=1),
            Figure(bench=bench, what=f"{what}: further wakes", value=more, unit="", goal=0),
            Figure(bench=bench, what=f"{what}: tries", value=len(messages(away)), unit=""),
        ]
    return found


def _pressure(world: World, rules: DriveRules) -> float:
    return pressure_at(drive(world), rules, world.now)
