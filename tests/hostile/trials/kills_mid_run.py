"""kill -9 of the hub while approved work runs, and then every key again: nothing is run twice, no answer is lost."""

import http.client
import random
import threading
import time
from dataclasses import dataclass, field

from tests.bench.bench_agents import make_card
from tests.hostile.answering import Arena, arena
from tests.hostile.trial import Outcome, Trial

CARDS = 4
RUN_S = 0.15
KILL_S_MIN, KILL_S_MAX = 0.2, 0.8
"""An approved run begins within this time, so that kills come before, in and after it."""


@dataclass(slots=True)
class Said:
    """What was approved, under which key, and whether the hub said that it took it."""

    keys: dict[str, str] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)


def run(attempts: int) -> Outcome:
    """Kill the hub so many times."""
    draw = random.Random(11)  # noqa: S311  repeatable moments, no secrets
    said = Said()
    with arena(RUN_S) as hub:
        for number in range(attempts):
            _one_round(hub, number, draw, said)
        _repeat(hub, said, list(said.keys))
        lost = [card_id for card_id in said.told if _is_lost(hub, card_id)]
        runs = hub.runs()
    doubled = sum(count > 1 for count in runs.values())
    figures = {
        "approvals": str(len(said.keys)),
        "taken": str(len(said.told)),
        "runs": str(sum(runs.values())),
        "run twice": str(doubled),
        "lost": str(len(lost)),
    }
    return Outcome(attempts=attempts, got_through=doubled + len(lost), figures=figures)


def _one_round(hub: Arena, number: int, draw: random.Random, said: Said) -> None:
    cards = [make_card(hub.hub, number * 100 + one) for one in range(CARDS)]
    said.keys.update({card_id: f"key-{card_id}" for card_id in cards})
    threads = [threading.Thread(target=_approve, args=(hub, card_id, said)) for card_id in cards]
    for thread in threads:
        thread.start()
    time.sleep(draw.uniform(KILL_S_MIN, KILL_S_MAX))
    hub.restart()
    for thread in threads:
        thread.join()
    _repeat(hub, said, cards)
    for card_id in cards:
        hub.ask("POST", f"/predictions/{card_id}/snooze", {"idempotencyKey": f"later-{card_id}"})
    _repeat(hub, said, cards)


def _approve(hub: Arena, card_id: str, said: Said) -> None:
    try:
        status, _ = hub.ask("POST", f"/predictions/{card_id}/confirm", {"idempotencyKey": said.keys[card_id]})
    except (OSError, http.client.HTTPException, ValueError):
        return  # it never heard what became of it, so it will ask again
    if status == 200:
        said.told.add(card_id)


def _repeat(hub: Arena, said: Said, cards: list[str]) -> None:
    for card_id in cards:
        _approve(hub, card_id, said)


def _is_lost(hub: Arena, card_id: str) -> bool:
    """Return True if an approval that was taken left no trace: the card is open, and no run of it was interrupted."""
    _, card = hub.ask("GET", f"/predictions/{card_id}")
    _, found = hub.ask("GET", f"/predictions/{card_id}/runs")  # a snooze since would be the reason why it is open
    return bool(card["status"] == "pending" and all(run["state"] != "interrupted" for run in found["runs"]))


TRIAL = Trial(
    name="kills_mid_run",
    promise="one approval is one run, whatever is killed and whatever is sent again",
    run=run,
    short=1,
    long=15,
)
