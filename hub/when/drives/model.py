"""What a model is asked in model mode, and what its answer means (DRIVES 3, phase 3).

The question is short and holds no words of the world: names of drives, numbers, counts, times. The answer is a yes or a
no with a reason; whatever else it says is no answer.
"""

import re
from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.base import Value
from hub.domain.drives import DriveRules, Drives, DriveVerdict
from hub.domain.provenance import ModelText, untrusted
from hub.kit.model_text import answer_in
from hub.when.drives.engine import is_open, pressure_at

HOUR = timedelta(hours=1)
QUESTION_CHARS_MAX = 500
REASON_CHARS_MAX = 160
DRIVES_TOLD_MAX = 6
EARLIER_SHARE = 0.5
"""From which share of the thresholds a model is asked: it may see earlier that it is time, or later."""
ANSWER = re.compile(r"\s*[\"'*]*(yes|no)\b[\s\"'*.,:;-]*(.*)", re.IGNORECASE | re.DOTALL)
QUESTION = """\
Drive state: {drives}. Sum {total:.1f} of {threshold:.1f}.
Sensor data: {talked}; {lately} wakes in the last hour.
Should the agent think right now? Reply: YES or NO, then one short reason."""


class ModelOpinion(Value):
    """What a model answered: whether to wake, and its reason, shortened."""

    wakes: bool
    reason: ModelText


def earlier(rules: DriveRules) -> DriveRules:
    """Return the rules by which a model is asked at all."""
    part = {"threshold": rules.threshold * EARLIER_SHARE, "single_threshold": rules.single_threshold * EARLIER_SHARE}
    return replace(rules, **part)


def question(
    drives: Drives, rules: DriveRules, verdict: DriveVerdict, now: datetime, *, talked_at: datetime | None
) -> str:
    """Return what a model is asked, in at most 500 characters."""
    told = [
        f"{drive.name} {pressure_at(drive, rules, now) * drive.weight:.1f} ({open_} open)"
        for drive in drives.drives
        if (open_ := sum(is_open(want, rules, now) for want in drive.wants))
    ]
    talked = "nobody was seen talking" if talked_at is None else f"the person talked {_ago(now, talked_at)} ago"
    text = QUESTION.format(
        drives=", ".join(told[:DRIVES_TOLD_MAX]),
        total=verdict.total,
        threshold=rules.threshold,
        talked=talked,
        lately=sum(now - HOUR < at <= now for at in drives.woke_at),
    )
    return text[:QUESTION_CHARS_MAX]


def opinion(words: ModelText) -> ModelOpinion | None:
    """Return what an answer means; None where it is neither a yes nor a no."""
    found = ANSWER.match(answer_in(untrusted(words)) or "")
    if found is None:
        return None
    reason = " ".join(found[2].split())[:REASON_CHARS_MAX]
    return ModelOpinion(wakes=found[1].lower() == "yes", reason=ModelText(reason))


def _ago(now: datetime, at: datetime) -> str:
    return f"{max(int((now - at).total_seconds() // 60), 0)} min"
