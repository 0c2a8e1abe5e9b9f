"""Random histories of a card on one device: the stand-in hands over and says what the real loop does."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.contract.base import Value
from hub.contract.events import PredictionExpired, type_of
from hub.contract.surface import CardDelivery, Decision, Verdict
from hub.contract.words import HumanInput, Status, Verb
from hub.domain.execution import RunResult
from hub.domain.requests import DeviceDecision
from hub.kit.cards import card_id_of
from hub.loop.commands import Start
from hub.loop.events import StartDue
from tests.fakes.hub import StandInHub
from tests.fakes.world import DONE, World
from tests.loop.stage import PHONE, a_card, a_world, never

BROKEN = RunResult(ended="exited", exit_code=1, output="2 failed", detail="exit code 1")
EIGHT_HOURS_S = 8 * 3_600


class Answered(Value):
    """A verb, to the answerable delivery of that place from the end, under the id of that number."""

    verb: Verb
    place: int = 0
    key: int = 0
    prompt: str | None = None
    card_hash: str = ""


class Began(Value):
    """The agent that was asked to begin does."""


class Ended(Value):
    """The agent that runs ends, with proof or without."""

    well: bool


class Passed(Value):
    """Time goes by."""

    seconds: int


Deed = Answered | Began | Ended | Passed


class Both:
    """The real loop and the stand-in, with the same card and the same clock."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.stand_in = StandInHub(PHONE, lambda: self.world.now)
        self.running = ""
        self._seen = 0

    async def show(self) -> None:
        self.card_id = (await a_card(self.world)).id
        (shown,) = self.real()
        assert shown.event.prediction.id == self.card_id  # type: ignore[union-attr]  # a new card
        self.stand_in.show(shown.event.prediction)  # type: ignore[union-attr]  # a new card

    def real(self) -> list[CardDelivery]:
        return [one for _, _, one in self.world.deliveries if card_id_of(one.event) == self.card_id]

    async def do(self, deed: Deed) -> tuple[object, object]:
        """Do it to both; return what each says to it."""
        match deed:
            case Answered():
                return await self._answer(deed)
            case Passed(seconds=seconds):
                end = self.world.now + timedelta(seconds=seconds)
                while self.world.now < end:
                    card = self.stand_in.cards_there[self.card_id]
                    due = [at for at in (card.snoozed_until, card.expires_at) if at and self.world.now < at < end]
                    await self.world.until(min(due, default=end))
                    self.stand_in.pass_time()
            case Began():
                stored = await self.world.card(self.card_id)
                if stored.status is Status.CONFIRMED and stored.execution_id and not self.running:
                    self.running = stored.execution_id
                    await self.world.happen(StartDue(execution_id=self.running))
                    self.stand_in.run(self.card_id)
            case Ended(well=well):
                if self.running and (await self.world.card(self.card_id)).status is Status.CONFIRMED:
                    await self.world.finish(self.running, DONE if well else BROKEN)
                    (self.stand_in.finish if well else self.stand_in.break_down)(self.card_id, "it ended")
        if (await self.world.card(self.card_id)).status is not Status.CONFIRMED:
            self.running = ""
        return None, None

    async def _answer(self, deed: Answered) -> tuple[object, object]:
        real, stand_in = self._decision(deed, self.real()), self._decision(deed, [*self.stand_in.deliveries.values()])
        if real is None or stand_in is None:
            return real, stand_in
        await self.world.ask(DeviceDecision(sender=PHONE, decision=real))
        if (await self.world.card(self.card_id)).status is not Status.CONFIRMED:
            self.running = ""
        return told(self.world.verdicts[-1][1]), told(self.stand_in.decide(stand_in))

    def _decision(self, deed: Answered, handed: Sequence[CardDelivery]) -> Decision | None:
        answerable = [one for one in handed if one.token and deed.verb in one.verbs]
        if not answerable:
            return None
        to = answerable[-1 - deed.place % len(answerable)]
        assert not isinstance(to.event, PredictionExpired)
        return Decision(
            decision_id=f"d{deed.key}",
            card_id=self.card_id,
            verb=deed.verb,
            card_hash=deed.card_hash or to.event.prediction.card_hash,  # type: ignore[union-attr]  # it is answerable
            token=to.token,
            human_input=HumanInput.TAP,
            at=self.world.now,
            prompt=deed.prompt if deed.verb is Verb.EDIT else None,
        )


def told(verdict: Verdict) -> tuple[bool, str]:
    return verdict.accepted, verdict.code


def looks(handed: Sequence[CardDelivery]) -> list[tuple[object, ...]]:
    """What a device sees of its deliveries, but for texts and ids."""
    found: list[tuple[object, ...]] = []
    for one in handed:
        card = getattr(one.event, "prediction", None)
        about = (card.status, card.round, card.attempts, card.snoozes_left, card.prompt) if card is not None else ()
        found.append((type_of(one.event), one.loudness, one.verbs, bool(one.token), one.expires_at, *about))
    return found


async def compare(deeds: Sequence[Deed]) -> list[object]:
    """Do all of it to both, compare after each, and return what was said to the answers."""
    world = await a_world()
    await world.pair(PHONE)
    world.results, world.holding = never, lambda command: isinstance(command, Start)
    both = Both(world)
    await both.show()
    said = []
    for deed in deeds:
        real, stand_in = await both.do(deed)
        assert stand_in == real, deed
        assert looks([*both.stand_in.deliveries.values()]) == looks(both.real()), deed
        said.append(real)
    return said


APPROVE, REJECT, SNOOZE, UNDO = (Answered(verb=verb) for verb in (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.UNDO))
STOP, RETRY = Answered(verb=Verb.STOP, key=8), Answered(verb=Verb.RETRY, key=9)


@pytest.mark.parametrize(
    ("deeds", "code"),
    [
        ((APPROVE,), "taken"),
        ((APPROVE, APPROVE), "repeated"),
        ((REJECT, Answered(verb=Verb.REJECT, key=1)), "repeated"),
        ((REJECT, Answered(verb=Verb.APPROVE, key=1)), "already-settled"),
        ((REJECT, Answered(verb=Verb.APPROVE)), "key-reused"),
        ((REJECT, Answered(verb=Verb.UNDO, key=1)), "taken"),
        ((REJECT, Answered(verb=Verb.UNDO, key=1), Answered(verb=Verb.APPROVE, place=1, key=2)), "answer-too-old"),
        ((REJECT, Passed(seconds=90), Answered(verb=Verb.UNDO, key=1)), "too-late-to-undo"),
        ((Answered(verb=Verb.APPROVE, card_hash="other"),), "bad-token"),
        ((Answered(verb=Verb.EDIT, prompt=" "),), "empty-prompt"),
        ((Answered(verb=Verb.EDIT, prompt="Say less"),), "taken"),
        ((Passed(seconds=EIGHT_HOURS_S), APPROVE), "expired"),
        ((*(Answered(verb=Verb.SNOOZE, key=key) for key in range(4)),), "snoozed-too-often"),
        ((SNOOZE, Passed(seconds=3_700), Answered(verb=Verb.APPROVE, place=1, key=1)), "taken"),
        ((APPROVE, Began(), STOP), "taken"),
        ((APPROVE, Began(), Ended(well=True), STOP), "nothing-runs"),
        ((APPROVE, Began(), Ended(well=True), Answered(verb=Verb.UNDO, key=1)), "taken"),
        ((APPROVE, Began(), Ended(well=False), RETRY), "taken"),
        ((APPROVE, Began(), Ended(well=False), RETRY, Answered(verb=Verb.RETRY, key=7)), "repeated"),
        ((APPROVE, Began(), Ended(well=False), Passed(seconds=7_200), RETRY), "bad-token"),
    ],
)
async def test_the_same_is_said_to_the_same_answers(deeds: tuple[Deed, ...], code: str) -> None:
    *_, last = await compare(deeds)
    assert isinstance(last, tuple)
    assert last[1] == code


deeds = st.lists(
    st.one_of(
        st.builds(
            Answered,
            verb=st.sampled_from(Verb),
            place=st.integers(0, 3),
            key=st.integers(0, 5),
            prompt=st.sampled_from(["", "Say less", "Say more"]),
            card_hash=st.sampled_from(["", "", "", "other"]),
        ),
        st.builds(Began),
        st.builds(Ended, well=st.booleans()),
        st.builds(Passed, seconds=st.sampled_from([1, 90, 3_700, EIGHT_HOURS_S])),
    ),
    max_size=10,
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(deeds)
def test_the_same_is_said_in_any_history(history: list[Deed]) -> None:
    asyncio.run(compare(history))
