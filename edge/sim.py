"""The conversation on a desk: typed, or heard from a recording, with states and levels shown. Sends nothing."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

from edge.app import manner_of
from edge.bench import read_sound
from edge.engines.choice import make_ear
from edge.hearing import FRAME, Hearer
from edge.phrase_files import phrasebook
from edge.settings import EdgeSettings
from edge.speech.commands import Refused
from edge.speech.grammar import understand
from edge.speech.turn import (
    Answer,
    AnyAct,
    AnyHappened,
    CardCame,
    Heard,
    Judged,
    Passed,
    Play,
    Speak,
    Spoken,
    Turn,
    Unclear,
)
from edge.speech.turns import step
from hub.contract.api import Prediction
from hub.contract.events import PredictionNew
from hub.contract.surface import CardDelivery
from hub.contract.words import Risk, Source, Status, Verb

PROMPT = "Run tests on recently changed modules"
VERBS = (Verb.APPROVE, Verb.REJECT, Verb.SNOOZE, Verb.EDIT)
TIME_OUT = "…"
"""Typed, it lets the time run out."""
BAR_DB = 60


def run(settings: EdgeSettings, prompt: str, risk: str, *, wav: Path | None, typed: TextIO, shown: TextIO) -> None:
    """Hold one conversation about a card until the input ends."""
    stage = Stage(settings, shown)
    stage.tell(CardCame(delivery=made_up(prompt, Risk(risk))))
    if wav is None:
        for text in typed:
            stage.hear_text(text.strip())
    else:
        asyncio.run(_from_recording(settings, stage, wav, shown))


class Stage:
    """A conversation whose acts are shown instead of done."""

    def __init__(self, settings: EdgeSettings, shown: TextIO) -> None:
        self._manner = manner_of(settings)
        self._book = phrasebook(settings.language)
        self._shown = shown
        self._ears: list[Hearer] = []
        self.turn = Turn()

    def tell(self, event: AnyHappened) -> None:
        """Let one thing happen, show what follows, and let what is said be heard to its end at once."""
        before = self.turn.phase
        self.turn, acts = step(self.turn, self._manner, event)
        for act in acts:
            self._show(act)
        if self.turn.phase != before:
            self._shown.write(f"  [{before} → {self.turn.phase}]\n")
        for act in acts:
            if isinstance(act, Answer):
                self.tell(Judged(decision=act.number, accepted=True, text=self._manner.sentences.say("answered")))
            elif isinstance(act, Speak):
                self.tell(Spoken(number=act.number))

    def hear_text(self, text: str) -> None:
        """Take a typed line as what was heard."""
        if text == TIME_OUT:
            self.tell(Passed(seconds=60.0))
            return
        understood = understand(text, self._book)
        self.tell(Unclear(why=understood.why) if isinstance(understood, Refused) else Heard(command=understood))

    def _show(self, act: AnyAct) -> None:
        match act:
            case Speak():
                self._shown.write(f"says: {act.text}\n")
            case Play():
                self._shown.write(f"plays: {act.chime}\n")
            case Answer():
                self._shown.write(f"answers: {act.verb}\n")


async def _from_recording(settings: EdgeSettings, stage: Stage, path: Path, shown: TextIO) -> None:
    sound = await asyncio.to_thread(read_sound, path)

    def heard(event: AnyHappened) -> None:
        if not isinstance(event, Passed):
            shown.write(f"hears: {event}\n")
        stage.tell(event)

    hearer = Hearer(await asyncio.to_thread(make_ear, settings), phrasebook(settings.language), heard)
    hearer.listen(on=True)
    second = FRAME * 10
    for at in range(0, len(sound) + second * 3, second):
        block = sound[at : at + second]
        hearer.hear(block if len(block) else sound[:0])
        bar = "#" * max(0, round((hearer.level.db + BAR_DB) / 3))
        shown.write(f"  {at / 16_000:6.2f} s {bar}{' speaking' if hearer.level.speaking else ''}\n")
    await hearer.settled()


def made_up(prompt: str, risk: Risk) -> CardDelivery:
    """Return a card that no hub knows."""
    now = datetime.now(UTC)
    prediction = Prediction(
        id="made-up",
        prompt=prompt,
        target_agent="nobody",
        target_channel="nowhere",
        confidence=0.72,
        reasoning="this is a simulation",
        created_at=now,
        status=Status.PENDING,
        source=Source.TEMPLATE,
        expires_at=now + timedelta(hours=1),
        risk=risk,
        card_hash="made-up",
        cost_estimate_usd=0.0,
        snoozes_left=3,
    )
    return CardDelivery(
        delivery_id="made-up",
        event=PredictionNew(prediction=prediction),
        loudness="notify",
        verbs=VERBS,
        token="made-up",  # noqa: S106  no hub takes it
        expires_at=prediction.expires_at,
    )
