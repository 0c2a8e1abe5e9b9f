"""The endpoints behind the view of the drives, answered from memory: three that press, a day of lines, two wakes."""

from datetime import datetime, timedelta
from typing import Final

from tests.web.fake_views_data import Json

LID: Final = 10.0
ENOUGH: Final = 5.0
GROWS: Final = 0.01
MATTERS: Final = {
    "goals": ("Launch InvoiceFlow", "Write the handbook", "הפעל את הבדיקות 🧪", "Answer the two reviews", "Plan March"),
    "unfinished": ("koji-core: 3 commits are not pushed", '<img src=x onerror="alert(1)"> is not tested'),
    "system": ("The certificate of shop.example ends in 12 days",),
}
"""What stands open, by drive."""
WEIGHTS: Final = {
    "goals": 1.0,
    "curiosity": 0.6,
    "emotions": 0.8,
    "learning": 0.5,
    "social": 0.4,
    "system": 1.5,
    "unfinished": 0.9,
}
PRESSURES: Final = {"goals": 3.4, "unfinished": 1.2, "system": 0.5}


class FakeDrives:
    """What the hub knows of the drives."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.weights = dict(WEIGHTS)
        self.changes: list[tuple[str, float]] = []
        """Each drive whose weight was changed, with what it was before."""
        self.lets = True
        """Whether a change is made; else it is refused, as by the limits."""

    def view(self, *, empty: bool) -> Json:
        """Return what presses."""
        found = [self.drive(name, empty=empty) for name in self.weights]
        total = sum(one["load"] for one in found if one["counts"])
        says = f"The total pressure is {total:.1f} of 5.0; on its own it gets there by 14:35."
        quiet = "Everything open was suggested recently, so nothing wakes Pulse."
        return {
            "enabled": True,
            "at": self.now.isoformat(),
            "drives": sorted(found, key=lambda one: (-one["load"], one["name"])),
            "total": total,
            "threshold": ENOUGH,
            "singleThreshold": 4.5,
            "verdict": {
                "wakes": False,
                "rule": "silent" if empty else "below",
                "says": quiet if empty else says,
                "saysWorded": None if empty else self.worded("rest.below_until", total=total, line=ENOUGH),
                "until": None,
            },
            "nextAt": None if empty else (self.now + timedelta(minutes=25)).isoformat(),
            "lastWake": None if empty else self.wakes()[-1],
        }

    def weigh(self, name: str, weight: float) -> Json:
        """Change how much a drive counts."""
        if not self.lets:
            refused = {"status": "refused", "after": None, "note": "Ten changes this hour are enough.", "fix": "Wait."}
            return {"mutations": [{"id": "mut-x", "predictionId": None} | refused], "repeated": False}
        self.changes.append((name, self.weights[name]))
        self.weights[name] = weight
        return self._made(weight)

    def weigh_back(self, change: str) -> Json:
        """Take a change of a weight back, by its id."""
        name, before = self.changes[int(change.removeprefix("mut-")) - 1]
        self.weights[name] = before
        self.changes.append((name, before))
        return self._made(before)

    def _made(self, weight: float) -> Json:
        made = {"id": f"mut-{len(self.changes)}", "status": "applied", "after": weight, "note": "", "fix": ""}
        return {"mutations": [made | {"predictionId": None}], "repeated": False}

    def drive(self, name: str, *, empty: bool) -> Json:
        """Return one drive."""
        matters = () if empty else MATTERS.get(name, ())
        pressure = 0.0 if empty else PRESSURES.get(name, 0.0)
        return {
            "name": name,
            "weight": self.weights[name],
            "pressure": pressure,
            "pressureMax": LID,
            "load": pressure * self.weights[name],
            "growsPerMin": GROWS * self.weights[name] if matters else 0.0,
            "counts": bool(matters) and name != "system",
            "open": len(matters) + (20 if name == "goals" and matters else 0),
            "wants": [self.want(says, place, rests=name == "system") for place, says in enumerate(matters)],
            "addressedAt": None,
        }

    def want(self, says: str, place: int, *, rests: bool) -> Json:
        """Return one matter that stands open."""
        since = self.now - timedelta(hours=3 + 20 * place)
        brought = (self.now - timedelta(hours=2)).isoformat() if rests else None
        return {"says": says, "strength": 0.6, "since": since.isoformat(), "broughtAt": brought}

    def worded(self, code: str, parts: dict[str, Json] | None = None, **numbers: float) -> Json:
        """Return a sentence as a code, as the hub tells it beside the English one."""
        moment = (self.now + timedelta(minutes=25)).isoformat() if code.endswith("_until") else None
        empty: Json = {"values": {}, "listed": [], "day": None, "about": None}
        return {"code": code, "parts": parts or {}, "numbers": numbers, "moment": moment, **empty}

    def wakes(self) -> list[Json]:
        """Return two wakes: of one came a card that was done, of the other nothing."""
        return [
            self.wake(17, "goals", "nothing", None),
            self.wake(2, "system", "success", "pred-0000"),
        ]

    def wake(self, hours: int, drive: str, ended: str, card: str | None) -> Json:
        """Return one wake."""
        at = self.now - timedelta(hours=hours, minutes=20)
        return {
            "id": f"wake-{hours}",
            "at": at.isoformat(),
            "rule": "total",
            "drive": drive,
            "pressure": 2.6,
            "total": 5.2,
            "threshold": ENOUGH,
            "says": f"Pulse woke up because the total pressure was 5.2 of 5.0, most of it from {drive} (2.6).",
            "saysWorded": self.worded("wake.woke", {"reason": self.pressed(drive)}),
            "place": "inside",
            "predictionId": card,
            "ended": ended,
            "endedAt": (at + timedelta(minutes=4)).isoformat(),
            "note": "",
        }

    def pressed(self, drive: str) -> Json:
        """Return why it woke."""
        return self.worded("wake.total_past", {"drive": self.worded(f"drive.{drive}")}, total=5.2, line=5.0, load=2.6)

    def history(self, days: int, *, empty: bool) -> Json:
        """Return the lines of a span: what grows until a wake, falls by the work, and grows again."""
        since = self.now - timedelta(days=days)
        hours = range(-1, 24 * days, 3)
        samples = [self.sample(since + timedelta(hours=hour), hour % 15 + 1) for hour in hours]
        return {
            "since": since.isoformat(),
            "until": self.now.isoformat(),
            "samples": [] if empty else samples,
            "wakes": [] if empty else self.wakes(),
            "pressureMax": LID,
            "threshold": ENOUGH,
            "thinned": days > 1,
        }

    def sample(self, at: datetime, hours: int) -> Json:
        """Return a sample so many hours after the last work."""
        grown = {"goals": 0.24 * hours, "unfinished": 0.1 * hours, "system": 0.5, "curiosity": 0.07 * hours}
        late = {"learning": 0.6, "social": 0.4} if hours > 9 else {}
        lines = [
            {"name": name, "pressure": load, "growsPerMin": 0.003, "weight": self.weights[name]}
            for name, load in (grown | late).items()
        ]
        return {"at": at.isoformat(), "drives": lines}
