"""Races with the real agents: an answer on a card and one in the agent's own dialog, opposite, at nearly the same time.

The real Claude Code at a terminal, the real OpenCode and the real Codex, each with a stub in the place of its model and
a hub that runs. What is counted is what happened afterwards: whether one of the two answers won, and whether the card
says what the agent did. Claude tells nobody of an answer in its dialog before its tool has ended (docs/adr/0069). Run
with `python -m tests.bench.bench_real_races`; some minutes.
"""

import contextlib
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from hub.cli.api import open_api
from hub.contract.api import AnswerRequest, Prediction
from hub.contract.errors import PulseError
from hub.contract.words import Status
from tests.bench.figures import Figure
from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.front.real_claude import claude_program
from tests.io.agents.front.real_opencode import opencode_program, opencode_server, stub_completions, write_settings
from tests.io.agents.front.stub_model import stub_model
from tests.io.agents.front.test_real_claude import ASKS, DELETES, Desk, go
from tests.io.agents.front.test_real_opencode import OpenCodeDesk
from tests.io.attached import real_codex
from tests.io.attached.test_real_codex import CodexDesk

BENCH: Final = "real_races"
RACES: Final = 30
EACH_S_MIN: Final = 3.5
"""A session may ask twenty times a minute."""
CLAUDE_RACES: Final = 20
"""Each is a Claude Code started anew."""
APART_MS_MAX: Final = 15.0
AT_ITS_DIALOG_S: Final = 1.0
"""Claude's dialog takes no key in its first moments."""
SAYS_SO_S_MAX, LOOK_S = 5.0, 0.05
TURN_S_MAX: Final = 60.0
Race = Callable[[int, bool, float], tuple[RealHub, str, bool, bool]]
"""Races once: a number, whether the card is answered with yes, and by how much it is first (s).

Returns the hub, the card, whether the answer here was taken, and whether the agent did what it had asked for.
"""


def answer(hub: RealHub, card_id: str, *, is_yes: bool) -> bool:
    """Answer a card, as a person's terminal does; say whether it was taken."""
    path = f"/predictions/{card_id}/{'confirm' if is_yes else 'reject'}"
    try:
        open_api(hub.home).call("POST", path, AnswerRequest())
    except PulseError:
        return False
    return True


def both(here: Callable[[], bool], there: Callable[[], object], first_s: float) -> bool:
    """Answer on both sides, here earlier by so much (s); return whether the answer here was taken."""
    taken: list[bool] = []

    def give() -> None:
        time.sleep(max(-first_s, 0))
        taken.append(here())

    giver = threading.Thread(target=give)
    giver.start()
    time.sleep(max(first_s, 0))
    there()
    giver.join()
    return taken[0]


def says(card: Prediction) -> bool | None:
    """Return what a card says that the agent was allowed; None where it is open still."""
    if card.status is Status.CANCELLED:
        return "Allowed" in card.outcome
    return {Status.CONFIRMED: True, Status.REJECTED: False}.get(card.status)


def figures(agent: str, count: int, race: Race) -> list[Figure]:
    """Race so often, yes here and no there or the other way round in turns."""
    random, ended = Random(1), Counter[str]()  # noqa: S311  not for secrets, and the same at every run
    for number in range(count):
        began = time.monotonic()
        apart_s = random.uniform(-APART_MS_MAX, APART_MS_MAX) / 1e3
        hub, card_id, taken, ran = race(number, bool(number % 2), apart_s)
        until = time.monotonic() + SAYS_SO_S_MAX
        while says(card := open_api(hub.home).get(f"/predictions/{card_id}", Prediction)) is not ran:
            if time.monotonic() > until:
                break
            time.sleep(LOOK_S)
        time.sleep(max(EACH_S_MIN - (time.monotonic() - began), 0))
        ended["here" if card.status is not Status.CANCELLED else "there"] += 1
        ended["both took theirs for first"] += taken and card.status is Status.CANCELLED
        ended["open"] += says(card) is None
        ended["other"] += says(card) is not ran
    what = f"{agent}: {count} races of an answer here and the opposite one in its own dialog"
    return [
        Figure(bench=BENCH, what=f"{what}: won here", value=ended["here"], unit="races"),
        Figure(bench=BENCH, what=f"{what}: won there", value=ended["there"], unit="races"),
        Figure(bench=BENCH, what=f"{what}: told here that it was first, then corrected",
               value=ended["both took theirs for first"], unit="races"),
        Figure(bench=BENCH, what=f"{what}: without a winner", value=ended["open"], unit="races", goal=0),
        Figure(bench=BENCH, what=f"{what}: the card says other than what was done", value=ended["other"],
               unit="races", goal=0),
    ]  # fmt: skip


@contextlib.contextmanager
def with_codex(folder: Path) -> Iterator[Race]:
    program = real_codex.codex_program()
    with running_hub(folder) as hub, real_codex.stub_responses() as model:
        real_codex.write_settings(Path(hub.environment["HOME"]), hub.repository, model.url)
        hub.pulse("connect", "codex", "--yes")
        desk = CodexDesk(hub, program, model)

        def race(number: int, is_yes: bool, first_s: float) -> tuple[RealHub, str, bool, bool]:  # noqa: FBT001  a Race
            card, request = desk.asks(f"touch race{number}.txt")
            decision = "decline" if is_yes else "accept"
            taken = both(
                lambda: answer(hub, card["id"], is_yes=is_yes), lambda: desk.terminal.answer(request, decision), first_s
            )
            desk.terminal.turn()
            return hub, card["id"], taken, desk.made(f"race{number}.txt")

        try:
            yield race
        finally:
            desk.close()


@contextlib.contextmanager
def with_opencode(folder: Path) -> Iterator[Race]:
    program = opencode_program()
    with running_hub(folder) as hub, stub_completions() as model:
        home = Path(hub.environment["HOME"])
        write_settings(home, model.url)
        hub.pulse("connect", "opencode", "--yes")
        environment = {"PATH": hub.environment["PATH"], "HOME": str(home), "OPENCODE_DISABLE_AUTOUPDATE": "1"}
        with opencode_server(program, hub.repository, environment) as server:
            desk = OpenCodeDesk(hub, server, model)

            def race(number: int, is_yes: bool, first_s: float) -> tuple[RealHub, str, bool, bool]:  # noqa: FBT001  a Race
                desk.model.commands = [f"touch race{number}.txt"]
                turn = server.say("Make a file")
                card = desk.told("new")
                (asked,) = server.call("GET", "/permission")
                reply = "reject" if is_yes else "once"
                taken = both(
                    lambda: answer(hub, card["id"], is_yes=is_yes),
                    lambda: server.status_of_reply(asked["id"], reply),
                    first_s,
                )
                turn.join(TURN_S_MAX)
                return hub, card["id"], taken, (hub.repository / f"race{number}.txt").exists()

            try:
                yield race
            finally:
                desk.close()


@contextlib.contextmanager
def with_claude(folder: Path) -> Iterator[Race]:
    program = claude_program()
    with running_hub(folder) as hub, stub_model() as model:
        desk = Desk(hub, model, program)
        hub.pulse("connect", "claude-code", "--yes")

        def race(_: int, is_yes: bool, first_s: float) -> tuple[RealHub, str, bool, bool]:  # noqa: FBT001  a Race
            build = desk.build()
            desk.model.tools = [DELETES]
            with desk.terminal() as terminal:
                go(terminal)
                asked = terminal.until(ASKS)
                card = desk.told("new")
                time.sleep(AT_ITS_DIALOG_S)
                key = "\x1b" if is_yes else "1"
                taken = both(lambda: answer(hub, card["id"], is_yes=is_yes), lambda: terminal.keys(key), first_s)
                desk.told("settled")
                terminal.until("done.", "Interrupted", after=asked)
            return hub, card["id"], taken, not build.exists()

        try:
            yield race
        finally:
            desk.close()


AGENTS: Final = (
    ("Codex", with_codex, RACES),
    ("OpenCode", with_opencode, RACES),
    ("Claude Code", with_claude, CLAUDE_RACES),
)


def run() -> list[Figure]:
    """Race with each of them."""
    found: list[Figure] = []
    for agent, opened, count in AGENTS:
        with tempfile.TemporaryDirectory(prefix="pulse-") as folder, opened(Path(folder)) as race:
            found += figures(agent, count, race)
    return found


if __name__ == "__main__":
    for one in run():
        sys.stdout.write(f"{one.what}: {one.value:.0f} {one.unit}\n")
