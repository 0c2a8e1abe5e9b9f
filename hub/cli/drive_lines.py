"""Pressure drawn with letters: a bar for now, a curve for some days."""

from datetime import datetime

from hub.contract.drives import DriveLineView, DrivesHistory

CELLS = 10
POINTS = 48
LEVELS = "▁▂▃▄▅▆▇█"
NOTHING = "·"


def bar(amount: float, most: float) -> str:
    """Draw how much of the most there is."""
    full = min(CELLS, round(CELLS * amount / most)) if most > 0 else 0
    return f"{'█' * full}{'░' * (CELLS - full)}"


def curve(found: DrivesHistory, name: str) -> str:
    """Draw a drive's pressure over the days of a history, as the lines between its samples have it."""
    step = (found.until - found.since) / POINTS
    return "".join(_level(found, name, found.since + step * (number + 1)) for number in range(POINTS))


def pressure_then(found: DrivesHistory, name: str, at: datetime) -> float | None:
    """Return a drive's pressure at a moment; None before the first sample."""
    sample = next((one for one in reversed(found.samples) if one.at <= at), None)
    if sample is None:
        return None
    line = next((one for one in sample.drives if one.name == name), None)
    return 0.0 if line is None else _along(line, (at - sample.at).total_seconds() / 60, found.pressure_max)


def _along(line: DriveLineView, minutes: float, most: float) -> float:
    return max(line.pressure, min(most, line.pressure + line.grows_per_min * minutes))


def _level(found: DrivesHistory, name: str, at: datetime) -> str:
    pressure = pressure_then(found, name, at)
    if pressure is None or found.pressure_max <= 0:
        return NOTHING
    return LEVELS[min(len(LEVELS) - 1, int(pressure / found.pressure_max * len(LEVELS)))]
