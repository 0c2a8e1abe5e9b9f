"""One episode as a line of JSON or as a row of a table. Pure; every text is masked as it is everywhere else."""

import csv
import io
from collections.abc import Iterable

import msgspec

from hub.contract.api import Prediction
from hub.contract.base import Message
from hub.contract.insight import RunView
from hub.contract.story import StepView
from hub.domain.episode import Judged
from hub.domain.policy import USD, Policy
from hub.domain.reports import Episode
from hub.io.api.attempts import run_views
from hub.io.api.story import tell_story
from hub.loop.views import prediction_of

SETTLED_COLUMNS = ("verb", "by", "surface", "device", "humanInput", "settledAt", "reason")
COLUMNS = (
    "id",
    "createdAt",
    "status",
    "channel",
    "agent",
    "confidence",
    "risk",
    "source",
    "prompt",
    "reasoning",
    "autonomous",
    *SETTLED_COLUMNS,
    "blockedBy",
    "runs",
    "runState",
    "startedAt",
    "endedAt",
    "costUsd",
    "outcome",
)
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001  spreadsheets take the wide ones too
_encoder = msgspec.json.Encoder()


class Exported(Message):
    """One suggestion with its whole story."""

    prediction: Prediction
    steps: tuple[StepView, ...]
    runs: tuple[RunView, ...]


def line_of(episode: Episode, policy: Policy) -> bytes:
    """Return an episode as one line of JSON: `{"prediction": …, "steps": […], "runs": […]}`."""
    exported = Exported(
        prediction=_prediction(episode, policy),
        steps=tell_story(episode.card, episode.steps, (), episode.runs),
        runs=run_views(episode.runs),
    )
    return _encoder.encode(exported) + b"\n"


def heading() -> bytes:
    """Return the first row of the table."""
    return _row(COLUMNS)


def row_of(episode: Episode, policy: Policy) -> bytes:
    """Return an episode as one row of the table; see `COLUMNS`."""
    shown = _prediction(episode, policy)
    last = episode.runs[-1] if episode.runs else None
    return _row(
        (
            shown.id,
            shown.created_at.isoformat(),
            shown.status,
            shown.target_channel,
            shown.target_agent,
            shown.confidence,
            shown.risk,
            shown.source,
            shown.prompt,
            shown.reasoning,
            "yes" if episode.card.autonomous else "no",
            *_settled(shown),
            _blocked_by(episode),
            len(episode.runs),
            last.state if last else None,
            last.started_at.isoformat() if last and last.started_at else None,
            last.ended_at.isoformat() if last and last.ended_at else None,
            f"{sum(run.cost_microusd for run in episode.runs) / USD:.6f}",
            shown.outcome,
        )
    )


def safe_cell(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula: one that begins like it gets an apostrophe in front."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA_BEGINNINGS) else text


def _prediction(episode: Episode, policy: Policy) -> Prediction:
    """Return the card as everybody outside sees it."""
    state = episode.runs[-1].state if episode.runs and episode.card.execution_id else None
    return prediction_of(episode.card, policy, state)


def _settled(shown: Prediction) -> list[object]:
    settled = shown.settled
    if settled is None:
        return [None] * len(SETTLED_COLUMNS)
    at = settled.at.isoformat()
    return [settled.verb, settled.by, settled.surface, settled.device, settled.human_input, at, settled.reason]


def _blocked_by(episode: Episode) -> str:
    """Name the rules that did not allow it, at the last time that the rails were asked."""
    judged = [step.body for step in episode.steps if isinstance(step.body, Judged)]
    if not judged:
        return ""
    return " ".join(verdict.rule for verdict in judged[-1].verdicts if verdict.outcome == "block")


def _row(values: Iterable[object]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerow([safe_cell(value) for value in values])
    return written.getvalue().encode()
