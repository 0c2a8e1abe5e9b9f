"""What the glasses know of themselves: whether somebody wears them, and how much power is left. Files of the kernel.

A wear sensor is any file that holds `1` while the glasses are worn and `0` while they are not, as a GPIO line does. A
battery is what `/sys/class/power_supply` calls one.
"""

from pathlib import Path

from edge.link import Body

POWER_SUPPLIES = Path("/sys/class/power_supply")
BYTES_READ_MAX = 64
FULL_PERCENT = 100
BATTERY_STEP_PERCENT = 5
"""The hub is told of every change of this much, not of every percent."""


def look(wear_sensor: str, battery: str, *, has_sound: bool) -> Body:
    """Return how the glasses are now. An empty path is not looked at; one that cannot be read tells nothing."""
    worn = _worn(wear_sensor)
    return Body(is_there=has_sound and worn is not False, worn=worn, battery_percent=_percent(battery))


def find_battery(folder: Path = POWER_SUPPLIES) -> str:
    """Return the file that tells how full this machine's first battery is; empty where there is none."""
    try:
        supplies = sorted(folder.iterdir())
    except OSError:
        return ""
    for supply in supplies:
        if _read(supply / "type") == "Battery" and (supply / "capacity").exists():
            return str(supply / "capacity")
    return ""


def _worn(path: str) -> bool | None:
    return {"1": True, "0": False}.get(_read(Path(path))) if path else None


def _percent(path: str) -> int | None:
    """Return the charge in steps: 0, 5 … 100."""
    text = _read(Path(path)) if path else ""
    if not text.isdecimal() or int(text) > FULL_PERCENT:
        return None
    return round(int(text) / BATTERY_STEP_PERCENT) * BATTERY_STEP_PERCENT


def _read(path: Path) -> str:
    """Return what a small file of the kernel says; empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(BYTES_READ_MAX).decode("ascii", "replace").strip()
    except OSError:
        return ""
