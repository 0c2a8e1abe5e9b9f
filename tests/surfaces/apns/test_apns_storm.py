"""Two thousand notifications while everything breaks: APNs in every way it can, the network, and our own process.

The hub's part is played by its rule: a delivery is repeated until it has a receipt. At the end each is delivered or
accounted for, each device shows its card once, and no token that lives is deleted.
"""

import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Self

import msgspec
import pytest

from hub.contract.access import AddressList, AddressView
from hub.contract.address import ApnsAddress, fingerprint
from hub.contract.base import Value
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import DeliveredCard, Receipt
from hub.contract.words import DeliveryState
from hub.kit.gateway.receipts import ReceiptLine
from tests.surfaces.apns.carrying import address, card, now
from tests.surfaces.apns.gateway_child import Said
from tests.surfaces.apns.sending import config_for
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin

COUNT = 2_000
OPEN_MAX = 300
"""So many deliveries wait for their receipt at once."""
STORM_S_MAX = 400
EXPIRES = timedelta(seconds=2 * STORM_S_MAX)
"""None expires in the storm, however slow the machine is: that would be another ending."""
PLANS: dict[str, tuple[str, ...]] = {
    "live": ("ok",),
    "ill": ("500 InternalServerError", "503 ServiceUnavailable", "ok"),
    "bare": ("bare500", "html500", "split", "ok"),
    "busy": ("429 TooManyRequests", "ok"),
    "refused": ("refuse", "ok"),
    "reset": ("reset", "ok"),
    "odd-answer": ("upper-id",),
    "idle": ("400 IdleTimeout", "ok"),
    "hanging": ("hang", "ok"),
    "cut": ("cut", "ok"),
    "cut-after": ("cut-after", "ok"),
    "going": ("goaway",),
    "going-early": ("goaway-early", "ok"),
    "garbled": ("garbage", "ok"),
    "sandbox": ("ok",),
    "gone": ("gone",),
    "gone-later": ("503 ServiceUnavailable", "gone"),
    "gone-before": ("gone-before", "ok"),
    "unknown": ("ok",),
    "topic": ("400 DeviceTokenNotForTopic",),
    "wrong": ("400 BadExpirationDate",),
}
RARE = {"hanging": 5, "cut": 8, "cut-after": 8, "going": 12, "going-early": 12, "garbled": 4, "idle": 12}
SHARES = {"ill": 8, "bare": 4, "busy": 3, "refused": 4, "reset": 3, "odd-answer": 3, "sandbox": 4, "gone": 6}
SHARES |= {"gone-later": 3, "gone-before": 2, "unknown": 2, "topic": 1, "wrong": 1}
DEAD = {"gone", "gone-later"}
KEPT_UNKNOWN = {"unknown", "topic", "wrong"}
KILLS = (300, 700, 1_100, 1_600)
"""After so many receipts the gateway is killed with -9, and started again."""
CUTS, GOODBYES, OUTAGE = (200, 900, 1_800), (500, 1_300), 1_400


def kinds() -> list[str]:
    """One kind for each device, mixed; the rare ones break whole connections."""
    hundred = [kind for kind, share in SHARES.items() for _ in range(share)]
    hundred += ["live"] * (100 - len(hundred))
    mixed = [hundred[number * 37 % 100] for number in range(COUNT)]
    step = COUNT // sum(RARE.values())
    for place, kind in enumerate(kind for kind, count in RARE.items() for _ in range(count)):
        mixed[place * 7 % sum(RARE.values()) * step + 11] = kind
    return mixed


class Child:
    """The gateway's process."""

    def __init__(self, config: str, folder: Path, known: AddressList) -> None:
        self._arguments = (sys.executable, "-m", "tests.surfaces.apns.gateway_child", config, str(folder))
        self._known = known
        self._receipts = folder / "receipts.jsonl"
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        self.process = await asyncio.create_subprocess_exec(*self._arguments, stdin=pipe, stdout=pipe)
        self.say(Said(addresses=self._known))
        return self

    def say(self, said: Said) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(said) + b"\n")

    async def hear(self) -> Receipt | None:
        assert self.process is not None
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        return msgspec.json.decode(line, type=Receipt) if line.endswith(b"\n") else None

    async def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        await self.process.wait()

    def noted(self) -> frozenset[str]:
        """Return the deliveries of which it wrote down what became of them."""
        lines = self._receipts.read_bytes().splitlines()
        return frozenset(msgspec.json.decode(line, type=ReceiptLine).receipt.delivery_id for line in lines)


class Kill(Value):
    """The end of one process: what it had noted, and its last connection to each environment."""

    noted: frozenset[str]
    last: dict[str, int]


class Storm:
    """What the hub does: it hands out deliveries and repeats them until they have their receipts."""

    def __init__(self, child: Child, apns: Standin, sandbox: Standin) -> None:
        self._child = child
        self._apns = apns
        self._sandbox = sandbox
        self._messages = [
            Said(topic=f"pulse/v1/me/deliver/phone/d{n}", payload=_message(n).decode()) for n in range(COUNT)
        ]
        self._next = 0
        self._open: dict[str, int] = {}
        self.receipts: dict[str, list[Receipt]] = defaultdict(list)
        self.kills: list[Kill] = []

    async def run(self) -> None:
        self._fill()
        while self._open:
            receipt = await self._child.hear()
            assert receipt is not None, "the gateway ended by itself"
            if receipt.state is DeliveryState.QUEUED:
                continue  # it is still tried, and the hub is told because that takes long
            self.receipts[receipt.delivery_id].append(receipt)
            if self._open.pop(receipt.delivery_id, None) is not None:
                await self._break(len(self.receipts))
            self._fill()

    def _fill(self) -> None:
        while self._next < COUNT and len(self._open) < OPEN_MAX:
            self._open[f"dlv_{self._next}"] = self._next
            self._child.say(self._messages[self._next])
            self._next += 1

    async def _break(self, done: int) -> None:
        if done in CUTS:
            self._apns.cut()
        if done in GOODBYES:
            self._apns.go_away_at_once()
        if done == OUTAGE:
            await self._apns.stop()
            await self._apns.listen()
        if done in KILLS:
            await self._child.kill()
            noted = self._child.noted()
            await self._child.start()
            last = {apns.environment: apns.opened for apns in (self._apns, self._sandbox)}
            self.kills.append(Kill(noted=noted, last=last))
            for number in self._open.values():
                self._child.say(self._messages[number])


def _message(number: int) -> bytes:
    delivered = DeliveredCard(card=card(f"dlv_{number}", lasts=EXPIRES))
    return encode(Envelope(id=f"m{number}", source="pulse/hub", type="deliver", time=now(), data=delivered))


def _prepare(plan: list[str], production: Standin, sandbox: Standin) -> dict[str, ApnsAddress]:
    for number, kind in enumerate(plan):
        token = f"{number:064x}"
        production.plans[token] = sandbox.plans[token] = PLANS[kind]
        if kind == "sandbox":
            production.elsewhere.add(token)
        elif kind == "unknown":
            production.unknown.add(token)
        if kind not in {"sandbox", "topic"}:
            sandbox.elsewhere.add(token)
    return {f"d{number}": address(f"{number:064x}") for number in range(COUNT)}


def _unasked(apns: Standin, kills: list[Kill]) -> list[str]:
    """Ids that were accepted again, though nothing kept the first answer from being read and written down.

    What does: its connection was cut, or its process was killed before it had noted it, and another one sent it again.
    """
    earlier: dict[str, int] = {}
    found = []
    for taken in apns.taken:
        before, over = earlier.get(taken.apns_id), taken.connection
        if before is not None:
            ends = [kill for kill in kills if before <= kill.last[apns.environment] < over]
            was_killed = bool(ends) and f"dlv_{int(taken.token, 16)}" not in ends[0].noted
            if before == over or not (before in apns.broken or was_killed):
                found.append(f"{taken.token.lstrip('0')} over {before}, then {over}")
        earlier[taken.apns_id] = over
    return found


@pytest.mark.slow
async def test_a_storm_loses_nothing_and_shows_everything_once(
    certificates: Certificates, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    plan = kinds()
    async with Standin(certificates) as production, Standin(certificates, environment="sandbox") as sandbox:
        sandbox.team = production.team
        addresses = _prepare(plan, production, sandbox)
        known = AddressList(
            user="me", addresses=tuple(AddressView(device=name, address=one) for name, one in addresses.items())
        )
        config = msgspec.json.encode(config_for(production, sandbox)).decode()
        child = await Child(config, tmp_path / "state", known).start()
        storm = Storm(child, production, sandbox)
        try:
            async with asyncio.timeout(STORM_S_MAX):
                await storm.run()
        finally:
            await child.kill()

        told = {int(name.removeprefix("dlv_")): found[-1] for name, found in storm.receipts.items()}
        assert len(told) == COUNT, "each is delivered or accounted for"
        states = Counter(
            (plan[number] if plan[number] in DEAD | KEPT_UNKNOWN else "", one.state) for number, one in told.items()
        )
        assert set(states) == {
            ("", DeliveryState.ACCEPTED),
            *((kind, DeliveryState.DEAD) for kind in DEAD),
            *((kind, DeliveryState.UNKNOWN) for kind in KEPT_UNKNOWN),
        }
        deleted = {number for number, one in told.items() if one.gone}
        assert deleted == {number for number, kind in enumerate(plan) if kind in DEAD}, "no live token is deleted"
        assert all(told[number].gone == fingerprint(addresses[f"d{number}"]) for number in deleted)
        _assert_shown_once(production, sandbox, storm.kills)
        assert len(production.team.tokens) == 1
        record_property("pushes", len(production.taken) + len(sandbox.taken))
        record_property("accepted again after a cut", sum(count - 1 for count in production.accepted.values()))
        record_property("connections", production.opened + sandbox.opened)


def _assert_shown_once(production: Standin, sandbox: Standin, kills: list[Kill]) -> None:
    taken = [*production.taken, *sandbox.taken]
    names: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one in taken:
        names[one.token].add((one.apns_id, one.headers["apns-collapse-id"]))
    assert max(map(len, names.values())) == 1, "a repeat has the same id, and takes the same place on the screen"
    assert _unasked(production, kills) == _unasked(sandbox, kills) == []
    assert production.faults == sandbox.faults == []
