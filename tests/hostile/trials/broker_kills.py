"""The broker is killed while a person answers on the glasses: how soon does the hub's verdict reach them?"""

import asyncio
import contextlib
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from edge.link import GlassesLink, Kept
from hub.contract.envelope import Envelope, decode
from hub.contract.events import PredictionNew
from hub.contract.surface import AnyDelivered, CardDelivery, Decision, DeliveredCard, DeliveredVerdict, Receipt
from hub.contract.words import DeliveryState, HumanInput, Verb
from hub.io.home.clock import SystemClock
from hub.kit.mqtt.device import Heard
from tests.hostile.hub_stand import HubStand, hub_stand
from tests.hostile.trial import Outcome, Trial

GOAL_S = 5.0
WAIT_S_MAX = 60.0
BEFORE_S_MAX, AFTER_S_MAX = 0.01, 0.05
"""The answer is given at most so long before the kill (later its verdict would be there already), or after it."""


DELIVERED = "/deliver/"
"""The link hears the status, too, which this device does not look at."""


class Glasses:
    """A device that answers what it is told to, with the real link of the glasses."""

    def __init__(self, link: GlassesLink) -> None:
        self.link = link
        self.cards: dict[str, CardDelivery] = {}
        self.verdicts: dict[str, float] = {}
        self.changed = asyncio.Condition()

    async def listen(self) -> None:
        """Take what comes, without end."""
        async for item in self.link.items():
            if isinstance(item, Heard) and DELIVERED in item.topic:
                self._take(item)
            async with self.changed:
                self.changed.notify_all()

    def _take(self, item: Heard) -> None:
        envelope: Envelope[AnyDelivered] = decode(item.payload, AnyDelivered)  # type: ignore[arg-type]  # a union is a type to msgspec
        delivered = envelope.data
        if isinstance(delivered, DeliveredCard):  # without a receipt it would come again, and again
            now, delivery_id = SystemClock().now(), delivered.card.delivery_id
            self.link.send_receipt(Receipt(delivery_id=delivery_id, state=DeliveryState.SHOWN, at=now))
        if isinstance(delivered, DeliveredCard) and isinstance(delivered.card.event, PredictionNew):
            self.cards[delivered.card.event.prediction.id] = delivered.card
        elif isinstance(delivered, DeliveredVerdict):
            self.verdicts.setdefault(delivered.verdict.decision_id, time.monotonic())
            self.link.judged(delivered.verdict.decision_id)

    async def until(self, found: Callable[[], bool], wait_s: float) -> bool:
        """Wait until `found()` is true."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait_s), self.changed:
                await self.changed.wait_for(found)
        return found()

    def answer(self, card_id: str, decision_id: str) -> None:
        """Reject a card."""
        card = self.cards[card_id]
        assert isinstance(card.event, PredictionNew)
        self.link.answer(
            Decision(
                decision_id=decision_id,
                card_id=card_id,
                verb=Verb.REJECT,
                card_hash=card.event.prediction.card_hash,
                token=card.token,
                human_input=HumanInput.SPEECH,
                at=SystemClock().now(),
            )
        )


async def one(at: HubStand, glasses: Glasses, number: int, draw: random.Random) -> float | None:
    """Kill the broker around one answer; return the seconds from then to the verdict, None when there was none."""
    card_id = await asyncio.to_thread(at.ask, str(number))
    assert await glasses.until(lambda: card_id in glasses.cards, WAIT_S_MAX), "the card never came"
    decision_id = f"d{number}"
    apart_s = draw.uniform(-BEFORE_S_MAX, AFTER_S_MAX)
    if apart_s < 0:
        glasses.answer(card_id, decision_id)
        await asyncio.sleep(-apart_s)
    with contextlib.suppress(ProcessLookupError):
        os.kill(at.broker_pid(), signal.SIGKILL)
    killed = time.monotonic()
    if apart_s >= 0:
        await asyncio.sleep(apart_s)
        glasses.answer(card_id, decision_id)
    if not await glasses.until(lambda: decision_id in glasses.verdicts, WAIT_S_MAX):
        return None
    return max(0.0, glasses.verdicts[decision_id] - killed)


async def kills(at: HubStand, count: int) -> list[float | None]:
    """Kill it so often."""
    draw = random.Random(7)  # noqa: S311  moments, not secrets
    login = await asyncio.to_thread(at.pair, "glasses", "trial")
    with tempfile.TemporaryDirectory(prefix="pulse-glasses-") as folder:
        async with GlassesLink(login, Kept(Path(folder))) as link:
            glasses = Glasses(link)
            listening = asyncio.create_task(glasses.listen())
            assert await glasses.until(lambda: link.is_up, WAIT_S_MAX), "the glasses never connected"
            took = [await one(at, glasses, number, draw) for number in range(count)]
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
    return took


def run(attempts: int) -> Outcome:
    """Kill the broker `attempts` times; every verdict later than the goal got through."""
    with hub_stand() as at:
        took = asyncio.run(kills(at, attempts))
    known = sorted(seconds for seconds in took if seconds is not None)
    late = [seconds for seconds in took if seconds is None or seconds > GOAL_S]
    figures = {
        f"within {GOAL_S:.0f} s": f"{len(took) - len(late)} of {len(took)}",
        "verdict p50": f"{known[len(known) // 2]:.2f} s",
        "verdict p99": f"{known[int(len(known) * 0.99)]:.2f} s",
        "slowest": f"{known[-1]:.2f} s",
    }
    return Outcome(attempts=attempts, got_through=len(late), figures=figures)


TRIAL = Trial(
    name="broker_kills",
    promise=f"an answer has its verdict within {GOAL_S:.0f} s of a kill of the broker",
    run=run,
    short=3,
    long=1_000,
)
