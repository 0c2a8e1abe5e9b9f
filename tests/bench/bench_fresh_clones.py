"""Twelve fresh clones: is the first card true, and does what it runs work, or set up what is missing?

A hub of its own looks at each clone, which nobody has touched; pip and npm ask no network. The first card that comes by
itself is taken. Where nothing is missing none comes, and a person then changes a file. After a card that installs, a
file is changed as well: the tests have to be proposed then, and to pass. `./pulse bench fresh_clones`.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hub.contract.base import Value
from tests.bench.figures import Figure
from tests.bench.fresh_clones import CLONES, RUN, FreshClone, clone, person_in
from tests.bench.hub_process import HubProcess, running

BENCH = "fresh_clones"
QUIET_S = 12.0
"""So long a clone that nobody touched is watched for a card."""
CARD_S_MAX = 60.0
ASK_S = 3.0
RUN_S_MAX = 240.0
FALSE_REASON = "the code has changed"
OVER = frozenset({"executed", "failed", "cancelled", "expired", "rejected"})


class FirstCard(Value):
    """What became of one clone."""

    name: str
    card: str = ""
    is_true: bool = False
    works: bool = False
    tests_pass: bool = False
    why: str = ""


def run() -> tuple[Figure, ...]:
    """Count the clones whose first card is true and works."""
    outcomes = look_at(CLONES)
    good = sum(one.is_true and one.works for one in outcomes)
    whole = sum(one.is_true and one.works and one.tests_pass for one in outcomes)
    goal = float(len(CLONES))
    return (
        Figure(bench=BENCH, what="first card true, and it works", value=good, unit="of 12", better="higher", goal=goal),
        Figure(bench=BENCH, what="of these, what follows works", value=whole, unit="of 12", better="higher", goal=goal),
    )


def look_at(clones: tuple[FreshClone, ...]) -> tuple[FirstCard, ...]:
    """Look at each clone with a hub of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = os.environ["HOME"]
        home = person_in(folder)
        try:
            rustup = {"RUSTUP_HOME": f"{before}/.rustup", "CARGO_HOME": f"{before}/.cargo"}
            os.environ.update({"HOME": str(home)} | {key: os.environ.get(key, value) for key, value in rustup.items()})
            for link in (".rustup", ".cargo", ".pyenv"):
                if (Path(before) / link).is_dir():
                    (home / link).symlink_to(Path(before) / link)
            return tuple(_told(_look(case, folder)) for case in clones)
        finally:
            os.environ["HOME"] = before


def _told(one: FirstCard) -> FirstCard:
    """Print it, for somebody to read."""
    is_good = one.is_true and one.works and one.tests_pass
    sys.stderr.write(f"  {'ok  ' if is_good else 'FAIL'} {one.name}: {one.card} {one.why}\n")
    sys.stderr.flush()
    return one


def _look(case: FreshClone, folder: Path) -> FirstCard:
    place = clone(case, folder)
    if case.change is not None:
        case.change(place)
    with running(folder / f"{case.name}-home", place) as hub:
        card = _first(hub, QUIET_S)
        if card is not None and FALSE_REASON in card["prompt"]:
            return FirstCard(name=case.name, card=card["prompt"], why="nobody has changed anything")
        if card is None:
            _edit(place / case.edited)
            card = _asked(hub)
        if card is None:
            return FirstCard(name=case.name, why="no card came")
        is_true = card["prompt"].startswith(case.first) and not (card["runs"] or {}).get("problem")
        done = _approve(hub, card)
        outcome = FirstCard(
            name=case.name,
            card=f"{card['prompt']} ▶ {(card['runs'] or {}).get('summary')}",
            is_true=is_true,
            works=done["status"] == "executed",
            tests_pass=True,
            why="" if done["status"] == "executed" else f"{done['status']}: {done['outcome']}",
        )
        if card["prompt"].startswith(RUN) or case.change is not None or not outcome.works:
            return outcome
        return _tested(hub, place / case.edited, outcome)


def _tested(hub: HubProcess, file: Path, outcome: FirstCard) -> FirstCard:
    """After an installation the tests have to be proposed once something has changed, and to pass."""
    _edit(file)
    card = _asked(hub, RUN)
    done = None if card is None else _approve(hub, card)
    passed = done is not None and done["status"] == "executed"
    why = "no card for the tests" if done is None else "" if passed else f"then {done['outcome']}"
    return FirstCard(
        name=outcome.name, card=outcome.card, is_true=outcome.is_true, works=True, tests_pass=passed, why=why
    )


def _edit(file: Path) -> None:
    sign = {".py": "#", ".sh": "#", ".md": ""}.get(file.suffix, "//")
    with file.open("a", encoding="utf-8") as text:
        text.write(f"{sign} One more thing.\n")


def _first(hub: HubProcess, seconds: float, beginning: str = "") -> dict[str, Any] | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = hub.call("GET", "/api/v1/predictions?status=pending")["predictions"]
        card: dict[str, Any] | None = next((one for one in found[::-1] if one["prompt"].startswith(beginning)), None)
        if card is not None:
            return card
        time.sleep(0.2)
    return None


def _asked(hub: HubProcess, beginning: str = "") -> dict[str, Any] | None:
    """Ask for the next card, only to save the wait until the person pauses; what comes is what would come then."""
    until = time.monotonic() + CARD_S_MAX
    while time.monotonic() < until:
        hub.call("POST", "/api/v1/crosspoll/trigger", {"force": True})
        card = _first(hub, ASK_S, beginning)
        if card is not None:
            return card
    return None


def _approve(hub: HubProcess, card: dict[str, Any]) -> dict[str, Any]:
    hub.call("POST", f"/api/v1/predictions/{card['id']}/confirm", {"cardHash": card["cardHash"]})
    until = time.monotonic() + RUN_S_MAX
    now: dict[str, Any] = card
    while time.monotonic() < until and now["status"] not in OVER:
        time.sleep(0.2)
        now = hub.call("GET", f"/api/v1/predictions/{card['id']}")
    return now


if __name__ == "__main__":
    for figure in run():
        sys.stdout.write(f"{figure.what}: {figure.value:g} {figure.unit}\n")
