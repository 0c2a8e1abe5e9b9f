"""Races with the real agents: an answer on a card and one in the agent's own dialog, opposite, at nearly the same time.

The real Claude Code at a terminal, the real OpenCode and the real Codex, each with a stub in the place of its model and
a hub that runs. What is counted is what happened afterwards: whether one of the two answers won, whether the card says
what the agent did wherever it is shown, and whether both sides were told. Run with `./pulse bench real_races`; a
quarter of an hour.
"""

import contextlib
import queue
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from hub.cli.api import open_api
from hub.contract.api import Prediction
from hub.contract.control import PredictionList
from hub.contract.story import WhyAnswer
from hub.contract.words import Status
from hub.io.api.permissions import ELSEWHERE
from tests.bench.figures import Figure, percentile
from tests.cli.real_hub import RealHub, running_hub
from tests.io.agents.hooks.real_claude import Desk, claude_program
from tests.io.agents.hooks.real_opencode import opencode_program, opencode_server, stub_completions, write_settings
from tests.io.agents.hooks.stub_model import stub_model
from tests.io.agents.hooks.test_real_claude import ASKS, DELETES, go
from tests.io.agents.hooks.test_real_opencode import OpenCodeDesk
from tests.io.attached import real_codex
from tests.io.attached.test_real_codex import CodexDesk

BENCH: Final = "real_races"
RACES_MAX: Final = 100
AGENT_S_MAX: Final = 290.0
"""No race begins later than that with one agent."""
FIRST_MS: Final = (-50.0, 150.0)
"""By how much the answer here may come first; below nothing, so much later."""
BROKEN_OFF: Final = ELSEWHERE["broken-off"].text
AT_ITS_DIALOG_S: Final = 1.0
"""Claude's dialog takes no key in its first moments."""
SAYS_SO_S_MAX, LOOK_S = 12.0, 0.05
TURN_S_MAX: Final = 60.0
REFUSALS: Final = ("said no", "rejected", "doesn't want", "declined")
"""What agents tell their models where something was refused."""


class Question(NamedTuple):
    """One question that is open on a card and in the agent's own dialog.

    `there` answers in the dialog; `ended` waits for the end of the turn and says whether the agent did it; `is_closed`
    says that its dialog is gone. `to_model` is what the model was told of the tool, `settled` waits for the next card
    that other surfaces are told to be settled.
    """

    card_id: str
    there: Callable[[bool], object]
    ended: Callable[[], bool]
    is_closed: Callable[[], bool]
    to_model: Callable[[], str]
    settled: Callable[[], dict[str, Any]]


class Racing(NamedTuple):
    """An agent with a hub; `asks` has it ask about the thing of this number, `each_s_min` is how seldom it may."""

    hub: RealHub
    asks: Callable[[int], contextlib.AbstractContextManager[Question]]
    each_s_min: float


class Result(NamedTuple):
    """How a race went: `taken` says that the answer here was told to be first."""

    won_here: bool
    taken: bool
    card: Prediction
    is_open: bool
    is_other: bool
    ran_after_no: bool
    told_here: bool
    told_there: bool
    late_s: float


def answer(hub: RealHub, card_id: str, *, is_yes: bool) -> bool:
    """Answer a card on the person's page; say whether it was taken."""
    if hub.page is None:
        raise AssertionError("nobody sits before this hub")
    return hub.page.post(f"/predictions/{card_id}/{'confirm' if is_yes else 'reject'}").is_success


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


def says(card: Prediction, *, ran: bool) -> bool | None:
    """Say whether a card says what the agent did; None where it is open still.

    What was begun and broken off may have been done or not, and its card says that.
    """
    if card.status is Status.CANCELLED:
        return BROKEN_OFF in card.outcome or any(one in card.outcome for one in ("Allowed", "went on")) is ran
    said = {Status.CONFIRMED: True, Status.REJECTED: False}.get(card.status)
    return None if said is None else said is ran


def shown(hub: RealHub, card_id: str) -> list[Prediction]:
    """Return a card as it is shown by itself, in the history, and with its whole story."""
    api = open_api(hub.home)
    listed = api.get("/predictions?limit=20", PredictionList).predictions
    in_story = api.get(f"/predictions/{card_id}/why", WhyAnswer).prediction
    return [api.get(f"/predictions/{card_id}", Prediction), in_story, *(one for one in listed if one.id == card_id)]


def is_the_persons(hub: RealHub, card_id: str, *, is_yes: bool) -> bool:
    """Say whether the answer that was taken here stands in the card's story as theirs."""
    story = open_api(hub.home).get(f"/predictions/{card_id}/why", WhyAnswer)
    settled = story.prediction.settled
    return settled is not None and settled.verb.value == ("approve" if is_yes else "reject")


def race(racing: Racing, number: int, *, is_yes: bool, first_s: float) -> Result:
    """Race once: yes here and no there or the other way round, here earlier by so much (s)."""
    hub = racing.hub
    with racing.asks(number) as question:
        taken = both(lambda: answer(hub, question.card_id, is_yes=is_yes), lambda: question.there(not is_yes), first_s)
        ran = question.ended()
        began = time.monotonic()
        while not all(says(card, ran=ran) for card in shown(hub, question.card_id)):
            if time.monotonic() - began > SAYS_SO_S_MAX:
                break
            time.sleep(LOOK_S)
        late_s = time.monotonic() - began
        cards = shown(hub, question.card_id)
        is_kept = not taken or is_the_persons(hub, question.card_id, is_yes=is_yes)
        is_closed, is_told, to_model = question.is_closed(), _is_told(question, cards[0]), question.to_model()
    return Result(
        won_here=ran is is_yes,
        taken=taken,
        card=cards[0],
        is_open=says(cards[0], ran=ran) is None,
        is_other=not is_kept or not all(says(card, ran=ran) for card in cards),
        ran_after_no=ran and any(one in to_model for one in REFUSALS),
        told_here=is_told,
        told_there=is_closed,
        late_s=late_s,
    )


def _is_told(question: Question, card: Prediction) -> bool:
    """Say whether other surfaces are told what a card says in the end."""
    with contextlib.suppress(queue.Empty):
        while (told := question.settled())["id"] != card.id or told["status"] != card.status.value:
            pass
        return True
    return False


def figures(agent: str, racing: Racing) -> list[Figure]:
    """Race so often as there is time for, yes here and no there or the other way round in turns."""
    random, ended, late = Random(1), Counter[str](), list[float]()  # noqa: S311  not for secrets, the same at every run
    until = time.monotonic() + AGENT_S_MAX
    while ended["races"] < RACES_MAX and time.monotonic() < until:
        began = time.monotonic()
        apart_s = random.uniform(*FIRST_MS) / 1e3
        number = ended["races"]
        one = race(racing, number, is_yes=bool(number % 2), first_s=apart_s)
        late.append(one.late_s)
        ended.update(_counted(one))
        time.sleep(max(racing.each_s_min - (time.monotonic() - began), 0))
    what = f"{agent}: {ended['races']} races of an answer here and the opposite one in its own dialog"
    told_twice = "told here that it was first, then corrected"
    rows = [(name, None) for name in ("won here", "won there", "let go here, then broken off there", told_twice)]
    zeros = (
        "without a winner",
        "run after a no",
        "the card says other than what was done",
        "a side that was not told",
    )
    counts = [*rows, *((name, 0.0) for name in zeros)]
    return [
        *(Figure(bench=BENCH, what=f"{what}: {name}", value=ended[name], unit="races", goal=goal)
          for name, goal in counts),
        *(Figure(bench=BENCH, what=f"{what}: the turn's end → every view says so, {name}",
                 value=percentile(late, share) * 1e3, unit="ms") for name, share in (("p50", 0.5), ("max", 1.0))),
    ]  # fmt: skip


def _counted(one: Result) -> Iterator[str]:
    yield "races"
    if one.card.outcome == BROKEN_OFF:
        yield "let go here, then broken off there"
    else:
        yield "won here" if one.won_here else "won there"
    if one.taken and one.card.status is Status.CANCELLED:
        yield "told here that it was first, then corrected"
    if one.is_open:
        yield "without a winner"
    if one.ran_after_no:
        yield "run after a no"
    if one.is_other:
        yield "the card says other than what was done"
    if not (one.told_here and one.told_there):
        yield "a side that was not told"


@contextlib.contextmanager
def with_codex(folder: Path) -> Iterator[Racing]:
    program = real_codex.codex_program()
    with running_hub(folder) as hub, real_codex.stub_responses() as model:
        real_codex.write_settings(Path(hub.environment["HOME"]), hub.repository, model.url)
        hub.sit_down()
        hub.pulse("connect", "codex", "--yes")
        desk = CodexDesk(hub, program, model)

        @contextlib.contextmanager
        def asks(number: int) -> Iterator[Question]:
            card, request = desk.asks(f"touch race{number}.txt")

            def ended() -> bool:
                desk.terminal.turn()
                return desk.made(f"race{number}.txt")

            yield Question(
                card["id"],
                lambda is_yes: desk.terminal.answer(request, "accept" if is_yes else "decline"),
                ended,
                lambda: request["id"] in desk.terminal.resolved,
                lambda: model.heard[-1].rpartition('"function_call_output"')[2],
                lambda: desk.settled(card),
            )

        with contextlib.closing(desk):
            yield Racing(hub, asks, 3.1)  # a session may ask twenty times a minute


@contextlib.contextmanager
def with_opencode(folder: Path) -> Iterator[Racing]:
    program = opencode_program()
    with running_hub(folder) as hub, stub_completions() as model:
        home = Path(hub.environment["HOME"])
        write_settings(home, model.url)
        hub.sit_down()
        hub.pulse("connect", "opencode", "--yes")
        environment = {"PATH": hub.environment["PATH"], "HOME": str(home), "OPENCODE_DISABLE_AUTOUPDATE": "1"}
        with opencode_server(program, hub.repository, environment) as server:
            desk = OpenCodeDesk(hub, server, model)

            @contextlib.contextmanager
            def asks(number: int) -> Iterator[Question]:
                model.results.clear()
                model.commands = [f"touch race{number}.txt"]
                turn = server.say("Make a file")
                card = desk.told("new")
                (asked,) = server.call("GET", "/permission")

                def ended() -> bool:
                    turn.join(TURN_S_MAX)
                    return (hub.repository / f"race{number}.txt").exists()

                yield Question(
                    card["id"],
                    lambda is_yes: server.status_of_reply(asked["id"], "once" if is_yes else "reject"),
                    ended,
                    lambda: not server.call("GET", "/permission"),
                    lambda: " ".join(model.results),
                    lambda: desk.told("settled"),
                )

            with contextlib.closing(desk):
                yield Racing(hub, asks, 1.1)


@contextlib.contextmanager
def with_claude(folder: Path) -> Iterator[Racing]:
    program = claude_program()
    with running_hub(folder) as hub, stub_model() as model:
        desk = Desk(hub, model, program)
        hub.sit_down()
        hub.pulse("connect", "claude-code", "--yes")

        @contextlib.contextmanager
        def asks(_: int) -> Iterator[Question]:
            build = desk.build()
            model.results.clear()
            model.tools = [DELETES]
            with desk.terminal() as terminal:
                go(terminal)
                asked = terminal.until(ASKS)
                card = desk.told("new")
                time.sleep(AT_ITS_DIALOG_S)

                def ended() -> bool:
                    terminal.until("done.", "Interrupted", after=asked)
                    return not build.exists()

                yield Question(
                    card["id"],
                    lambda is_yes: terminal.keys("1" if is_yes else "\x1b"),
                    ended,
                    lambda: True,  # its dialog is gone where the turn has ended
                    lambda: " ".join(model.results),
                    lambda: desk.told("settled"),
                )

        with contextlib.closing(desk):
            yield Racing(hub, asks, 1.1)


AGENTS: Final = (("Codex", with_codex), ("OpenCode", with_opencode), ("Claude Code", with_claude))


def run() -> list[Figure]:
    """Race with each of them."""
    found: list[Figure] = []
    for agent, opened in AGENTS:
        with tempfile.TemporaryDirectory(prefix="pulse-") as folder, opened(Path(folder)) as racing:
            found += figures(agent, racing)
    return found
