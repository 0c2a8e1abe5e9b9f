"""The formulas of the public implementation of DRIVES, with the settings of its example file, as a reference.

From its `src/drives/engine.py`, `src/evaluator/priority.py`, `src/core/daemon.py` and `config/pulse.example.yaml`. It
ticks every 30 s. What is assumed: no sensor reports anything, nobody talks, and a message is answered at once.
"""

from typing import Final

from hub.contract.base import Value

WEIGHTS: Final = (1.0, 0.6, 0.8, 0.9, 0.4, 0.5)
PRESSURE_MAX: Final = 1.0
"""Its example's; where the file says nothing, its code takes `CODE_PRESSURE_MAX`."""
CODE_PRESSURE_MAX: Final = 5.0
THRESHOLD: Final = 0.7
SINGLE_THRESHOLD: Final = 0.8
RATE_PER_MIN: Final = 0.01
SUCCESS_DECAY: Final = 0.5
FAILURE_BOOST: Final = 0.2
COOLDOWN_S: Final = 300
TURNS_PER_HOUR_MAX: Final = 10
HOUR_S: Final = 3_600
TICK_S: Final = 30


class PublicOutage(Value):
    """What became of an outage there: tries (each a boost), and the most that they added to plain growth."""

    tries: int
    added: float


class PublicDrives:
    """Its drives, its rules and its limits, from nothing on."""

    def __init__(self, pressure_max: float = PRESSURE_MAX) -> None:
        self._max = pressure_max
        self._pressures = [0.0] * len(WEIGHTS)
        self._at_s = 0
        self._tried_s: tuple[int, ...] = ()

    @property
    def loads(self) -> list[float]:
        """Each pressure times its weight."""
        return [pressure * weight for pressure, weight in zip(self._pressures, WEIGHTS, strict=True)]

    def tick(self) -> bool:
        """Let half a minute pass; return whether it would wake its agent now."""
        self._at_s += TICK_S
        grown = [RATE_PER_MIN * TICK_S / 60 * weight for weight in WEIGHTS]
        self._pressures = [min(self._max, old + more) for old, more in zip(self._pressures, grown, strict=True)]
        presses = max(self.loads) >= SINGLE_THRESHOLD or sum(self.loads) >= THRESHOLD
        lately = [at for at in self._tried_s if at > self._at_s - HOUR_S]
        rested = not lately or self._at_s - lately[-1] >= COOLDOWN_S
        return presses and rested and len(lately) < TURNS_PER_HOUR_MAX

    def succeed(self) -> None:
        """Its agent took the message: every pressure falls."""
        self._tried_s = (*self._tried_s, self._at_s)
        loads = self.loads
        shares = [SUCCESS_DECAY * load / sum(loads) * 2 for load in loads]
        self._pressures = [max(0.0, old - less) for old, less in zip(self._pressures, shares, strict=True)]

    def fail(self) -> None:
        """Its agent could not be reached: what presses most presses more."""
        self._tried_s = (*self._tried_s, self._at_s)
        top = self.loads.index(max(self.loads))
        self._pressures[top] = min(self._max, self._pressures[top] + FAILURE_BOOST)


def wakes_of(length_s: int) -> int:
    """Count its wakes within a time in which nothing is sensed."""
    drives, wakes = PublicDrives(), 0
    for _ in range(length_s // TICK_S):
        if drives.tick():
            drives.succeed()
            wakes += 1
    return wakes


def outage_of(length_s: int, pressure_max: float = PRESSURE_MAX) -> PublicOutage:
    """Let its agent be away from the first message on, beside drives that only grow."""
    drives, plain = PublicDrives(pressure_max), PublicDrives(pressure_max)
    while not drives.tick():
        plain.tick()
    plain.tick()
    drives.fail()
    tries, added = 1, sum(drives.loads) - sum(plain.loads)
    for _ in range(length_s // TICK_S):
        if drives.tick():
            drives.fail()
            tries += 1
        plain.tick()
        added = max(added, sum(drives.loads) - sum(plain.loads))
    return PublicOutage(tries=tries, added=added)
