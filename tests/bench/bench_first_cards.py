"""Twelve repositories as people leave them, each with one thing undone: which cards come, and are they true?

A hub of its own looks at each. Its first look makes a card by itself; then it is asked for more until it has none, only
to save the waiting. To-do lists and the like, which come only when asked, are not counted. Real sources can take the
place of the made ones: `python -m tests.bench.bench_first_cards FOLDER`, with a folder for each name.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.figures import Figure
from tests.bench.hub_process import HubProcess, running
from tests.bench.undone_work import CASES, Case, make

BENCH = "first_cards"
FIRST_S_MAX = 30.0
ASKED_MAX = 6
ON_REQUEST = ("List", "Refresh the dependency")
CARDS_GOAL = float(len(CASES))


def run() -> tuple[Figure, ...]:
    """Count the repositories that got a true card, and the cards that are not true."""
    return count(None)


def count(sources: Path | None) -> tuple[Figure, ...]:
    """Look at every case; print each card, for somebody to read."""
    got, false, by_itself = 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        for case in CASES:
            first, cards = _cards(case, Path(name), sources)
            true = [card for card in cards if card["prompt"].startswith(case.true)]
            wrong = [card for card in cards if card not in true and not card["prompt"].startswith(ON_REQUEST)]
            got, false, by_itself = got + bool(true), false + len(wrong), by_itself + first
            _print(case, cards, wrong)
    return (
        Figure(
            bench=BENCH, what="repositories with a true card", value=got, unit="of 12", better="higher", goal=CARDS_GOAL
        ),
        Figure(bench=BENCH, what="of these, without being asked", value=by_itself, unit="of 12", better="higher"),
        Figure(bench=BENCH, what="cards that are not true", value=false, unit="cards", goal=0.0),
    )


def _cards(case: Case, folder: Path, sources: Path | None) -> tuple[bool, list[dict[str, Any]]]:
    own = sources / case.name if sources and (sources / case.name).is_dir() else None
    work = make(case, folder / case.name, own)
    with running(folder / f"{case.name}-home", work.folder) as hub:
        first = _first(hub)
        for _ in range(ASKED_MAX):
            if not hub.call("POST", "/api/v1/crosspoll/trigger", {"force": True})["triggered"]:
                break
        cards = _pending(hub)
    return any(card["prompt"].startswith(case.true) for card in first), cards


def _first(hub: HubProcess) -> list[dict[str, Any]]:
    until = time.monotonic() + FIRST_S_MAX
    while not (found := _pending(hub)) and time.monotonic() < until:
        time.sleep(0.2)
    return found


def _pending(hub: HubProcess) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hub.call("GET", "/api/v1/predictions?status=pending")["predictions"]
    return found


def _print(case: Case, cards: list[dict[str, Any]], wrong: list[dict[str, Any]]) -> None:
    sys.stderr.write(f"\n{case.name}: {case.leave.__name__}\n")
    for card in cards:
        runs = (card["runs"] or {}).get("summary") or (card["runs"] or {}).get("problem")
        sys.stderr.write(
            f"  {'FALSE ' if card in wrong else ''}{card['prompt']}\n    {card['reasoning']}\n    ▶ {runs}\n"
        )


if __name__ == "__main__":
    for figure in count(Path(sys.argv[1]) if len(sys.argv) > 1 else None):
        sys.stdout.write(f"{figure.what}: {figure.value:g} {figure.unit}\n")
