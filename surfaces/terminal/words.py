"""What the screen says about a card, in words. Pure; `now` is in the person's time zone."""

import shlex
from datetime import datetime, timedelta

from hub.contract.api import CrossPollStatus, Prediction
from hub.contract.runs import PlannedRun
from hub.contract.words import Autonomy, Badge, Origin, Risk, Source, Status, TextSource
from hub.kit.fates import fate_of
from hub.kit.naming import elsewhere_said, held_of, interruptions_of, origin_of, where_of, who_of
from hub.kit.phrase_files import phrases
from hub.kit.phrasebook import capital
from hub.kit.spirit import Spirit, spirit_of, spirit_said
from hub.kit.text import duration, listed
from hub.kit.wordings import follows_said
from surfaces.terminal.cells import safe
from surfaces.terminal.view import Shown, Tone

BAR_CELLS_MAX = 20
SAY = phrases()
LIGHTS: dict[Autonomy, Tone] = {
    Autonomy.WATCHING: "plain",
    Autonomy.PRIMING: "warn",
    Autonomy.AUTONOMOUS: "good",
    Autonomy.PAUSED: "warn",
    Autonomy.DISABLED: "bad",
}
SPIRIT_SIGNS: dict[Spirit, str] = {"idle": "·", "working": "◦", "verified": "✓", "failed": "!"}
SPIRIT_TONES: dict[Spirit, Tone] = {"idle": "plain", "working": "plain", "verified": "good", "failed": "warn"}
QUOTED = {
    TextSource.REPOSITORY: "the repository",
    TextSource.CI: "continuous integration",
    TextSource.CALENDAR: "the calendar",
    TextSource.TRANSCRIPT: "a conversation",
    TextSource.TASK: "a task",
    TextSource.NOTES: "a file of goals",
    TextSource.AGENT: "an agent",
    TextSource.MODEL: "the model",
    TextSource.WORLD_LOG: "the world log",
    TextSource.UNKNOWN: "others",
}


def at(moment: datetime, now: datetime) -> str:
    """Write a moment in the person's time: the time of day, with the day where that is not today."""
    local = moment.astimezone(now.tzinfo)
    return f"{local:%H:%M}" if local.date() == now.date() else f"{local:%a %d %b %H:%M}"


def bar(share: float, said: str, cells: int) -> str:
    """Draw as a bar how sure Pulse is, with the words for it."""
    length = min(BAR_CELLS_MAX, max(5, cells - len(said) - 2))
    filled = round(share * length)
    return f"{'█' * filled}{'░' * (length - filled)} {said}"


def badges(prediction: Prediction) -> str:
    """Name what is worth a mark: that it is new, and, always, that it is risky."""
    marks = ["new"] if Badge.NEW in prediction.badges else []
    return " · ".join([*marks, "risky"] if is_risky(prediction) else marks)


def is_risky(prediction: Prediction) -> bool:
    """Say whether a card is marked as risky."""
    return prediction.risk is Risk.HIGH or Badge.RISKY in prediction.badges


def facts(prediction: Prediction, now: datetime) -> str:
    """Say age and expiry, who had the idea where that was not Pulse, and what to beware of."""
    left = prediction.expires_at - now
    expiry = f"expires in {duration(left)}" if left > timedelta() else SAY.say("expired")
    parts = [f"{duration(now - prediction.created_at)} old", expiry]
    if held := held_of(prediction, SAY):
        parts.append(held)
    if origin := origin_of(prediction, SAY):
        parts.append(origin)
    if prediction.risk is not Risk.LOW:
        parts.append(f"{prediction.risk} risk")
    if prediction.source is not Source.ASK and prediction.quotes:
        parts.append(f"quotes {quoted(prediction)}")
    return " · ".join(parts)


def elsewhere(prediction: Prediction) -> str:
    """Say where a yes counts, where it does not count here; else nothing."""
    said = elsewhere_said(prediction, SAY)
    return f"{said}." if said else ""


def quoted(prediction: Prediction) -> str:
    """Name where the words of others in a card come from."""
    return listed([QUOTED[source] for source in prediction.quotes])


def always_asks(prediction: Prediction) -> str:
    """Say why a card is never run without a person, where that lies in its words; empty where it does not."""
    if prediction.origin is Origin.MODEL:
        return "Worded by the model, so Pulse always asks."
    return f"Quotes text from {quoted(prediction)}, so Pulse always asks." if prediction.quotes else ""


def runs(told: PlannedRun) -> tuple[str, ...]:
    """Say everything of what would run: the command, its folder, its environment, and the files that say so."""
    if told.problem:
        return (told.line,)
    lines = (f"runs: {shlex.join(told.argv)}" if told.argv else told.line, f"in {told.folder}" if told.folder else "")
    prompt = {"argument": "the text goes in as an argument", "input": "the text goes in on its input", "none": ""}
    sees = f"sees: {', '.join(told.environment)}" if told.environment else ""
    files = tuple(f"defined by {file.path} ({file.sha256[:12]})" for file in told.defined_by)
    script = tuple(f"  {one}" for one in told.script.splitlines())
    held = f"containment: {told.containment}" if told.containment else ""
    then = tuple(f"then {line}" for line in runs(told.then)) if told.then else ()
    doubt = f"always asks, because some of the files it depends on are unknown: {told.unclear}" if told.unclear else ""
    return tuple(filter(None, (*lines, *script, prompt[told.prompt], sees, held, doubt, *files, *then)))


def state_line(card: Shown, now: datetime) -> tuple[str, Tone]:
    """Say in one line where a card is in its life."""
    if card.sending:
        return "sending your answer …", "plain"
    match card.phase:
        case "waiting":
            return f"✓ {_by(card.prediction, now)}; starting in a moment", "good"
        case "running":
            return f"▶ {SAY.say('started')} for {duration(now - card.since)}", "good"
        case "settled":
            return _ending(card, now)
        case _:  # an open card that has an outcome ran before and came back
            return safe(" ".join(card.prediction.outcome.split())), "warn"


def answered_line(card: Shown, now: datetime) -> str:
    """Say who answered where, for a card whose state line tells only how the work ended; else nothing."""
    ended = card.phase == "settled" and card.prediction.status in {Status.EXECUTED, Status.FAILED}
    return _by(card.prediction, now) if ended and card.prediction.settled else ""


def _ending(card: Shown, now: datetime) -> tuple[str, Tone]:
    prediction, result = card.prediction, safe(" ".join((card.result or card.prediction.outcome).split()))
    match fate_of(prediction):
        case "executed" | "mended" as well:
            return _with("✓ ", well, result), "good"
        case "failed":
            return _with("✗ ", "failed", result), "bad"
        case "expired" | "passed" as over:
            return SAY.say(f"{over}.long"), "warn"
        case "rejected":
            follows = follows_said(prediction, SAY)
            return f"✗ {_by(prediction, now)}{f'. {follows}' if follows else ''}", "plain"
        case "ignored" | "cancelled" | "handed_over" as aside:
            return _with("", aside, result), "warn"
        case "pending":
            return _with("", "returned", result), "warn"
        case _:
            return f"✓ {_by(prediction, now)}", "good"


def _with(sign: str, name: str, text: str) -> str:
    return f"{sign}{SAY.say(f'{name}.told', text=text) if text else SAY.say(name)}"


def _by(prediction: Prediction, now: datetime) -> str:
    settled = prediction.settled
    if settled is None:
        return SAY.say("confirmed.rails" if prediction.status is Status.CONFIRMED else fate_of(prediction))
    why = f" ({safe(settled.reason)})" if settled.reason else ""
    answered = SAY.say(f"{settled.verb.value}.by", who=who_of(settled.by), where=where_of(settled.surface))
    return f"{safe(answered)} at {at(settled.at, now)}{why}"


def light(status: CrossPollStatus | None) -> tuple[str, Tone]:
    """Name the autonomous state and its colour."""
    if status is None:
        return "…", "plain"
    return SAY.say(f"acts.{status.state.value}"), LIGHTS[status.state]


def costs(status: CrossPollStatus) -> str:
    """Say what was spent of which cap, and of the day's interruptions."""
    hour = SAY.say("cost.of_hour", spent=status.cost_this_hour, cap=status.cost_cap_per_hour)
    day = SAY.say("cost.of_day", spent=status.cost_today, cap=status.cost_cap_per_day)
    return " · ".join(filter(None, (hour, day, interruptions_of(status, SAY))))


def spirit(status: CrossPollStatus, now: datetime) -> tuple[str, Tone] | None:
    """Say in a line how the sessions of the world log are; nothing while none is at work."""
    mood = spirit_of(status.world, now)
    said = spirit_said(status.world, now, SAY)
    return (f"{SPIRIT_SIGNS[mood]} {capital(said)}", SPIRIT_TONES[mood]) if said else None
