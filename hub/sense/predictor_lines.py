"""The file of a next-prompt predictor (CROSSPOLL 9.3): JSON, a prediction on each line. It may hold anything."""

from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from msgspec import Meta

from hub.contract.base import Value
from hub.domain.provenance import ModelText
from hub.domain.readings import PredictorReading
from hub.domain.situation import Foreseen
from hub.kit.text import one_line, several_lines

PREDICTION_CHARS_MAX = 500
NAME_CHARS_MAX = 64
KEPT_MAX = 20
"""So many of the latest are used."""
WRONG_MAX = 5
"""So many lines are named."""
FRESH_FOR = timedelta(hours=24)
"""What is older was about another day."""
WRONG = {
    "confidence": "its confidence is not a number from 0 to 1",
    "timestamp": "it has no timestamp with a zone",
    "prediction": "it has no prediction",
}
AHEAD_MAX = timedelta(minutes=5)


class PredictorLine(Value):
    """A line; more fields may stand in it."""

    prediction: Annotated[str, Meta(min_length=1)]
    timestamp: Annotated[datetime, Meta(tz=True)]
    confidence: Annotated[float, Meta(ge=0, le=1)] = 0.5
    channel: str = ""
    reasoning: str = ""


def predictor_reading(raw: bytes, now: datetime) -> PredictorReading:
    """Read the file; a line that is none is named by its number, and the others count. The same words count once."""
    found, wrong = dict[str, Foreseen](), list[str]()
    for number, line in enumerate(raw.splitlines(), start=1):
        if not line.strip():
            continue
        said = _line(line, now)
        if isinstance(said, str):
            wrong.append(f"line {number}: {said}")
        elif now - said.timestamp <= FRESH_FOR:
            words = several_lines(said.prediction, PREDICTION_CHARS_MAX)
            found.pop(words, None)
            found[words] = _foreseen(said, words)
    more = (f"and {len(wrong) - WRONG_MAX} more",) if len(wrong) > WRONG_MAX else ()
    return PredictorReading(foreseen=tuple(found.values())[-KEPT_MAX:], wrong=(*wrong[:WRONG_MAX], *more))


def _line(line: bytes, now: datetime) -> PredictorLine | str:
    try:
        said = msgspec.json.decode(line, type=PredictorLine)
    except msgspec.ValidationError as error:
        return next((why for name, why in WRONG.items() if name in str(error)), "no prediction")
    except (msgspec.DecodeError, RecursionError):
        return "not JSON"
    if not one_line(said.prediction, PREDICTION_CHARS_MAX):
        return "its prediction says nothing"
    return "its timestamp is in the future" if said.timestamp - now > AHEAD_MAX else said


def _foreseen(said: PredictorLine, words: str) -> Foreseen:
    return Foreseen(
        prompt=ModelText(words),
        confidence=said.confidence,
        at=said.timestamp,
        channel=said.channel[:NAME_CHARS_MAX],
        reasoning=ModelText(one_line(said.reasoning, PREDICTION_CHARS_MAX)),
    )
