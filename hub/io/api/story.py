"""The episode of a suggestion in plain words. Pure: the stored steps go in, sentences come out."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby

from hub.contract.story import StepView, VerdictView
from hub.contract.surface import Voter
from hub.contract.words import MoveReason, Origin, Verb
from hub.domain.attention import Weighed
from hub.domain.canonical import visible
from hub.domain.delivery import LedgerEntry
from hub.domain.episode import Decided, Judged, Learned, Line, Moved, Proposed, Ran, Released, Sensed, Step
from hub.domain.execution import Execution
from hub.domain.judgement import RailVerdict
from hub.domain.plan import CannotPlan, in_words
from hub.domain.policy import USD
from hub.domain.provenance import untrusted
from hub.domain.suggestion import Card, Guess, Proposal
from hub.io.api.attention_words import how_weighed
from hub.io.api.likelihood_words import in_words as likelihood_in_words
from hub.io.api.situation_text import describe
from hub.kit.naming import SELF, agent_title, channel_title, where_of
from hub.kit.phrase_files import phrases
from hub.kit.text import counted

OUTPUT_LINES_MAX = 40
CONCLUSIONS = {
    "Permit": "Every rule allows it.",
    "AskHuman": "The rules require a person's yes.",
    "Refusal": "A rule did not allow it.",
}
VERBS = {
    "approve": "approved it",
    "retry": "had it tried again",
    "reject": "dismissed it",
    "snooze": "snoozed it",
    "edit": "approved it with another text",
    "undo": "undid the answer",
    "stop": "stopped it",
    "fix": "asked an agent to fix it",
    "ignore": "ignored it",
    "less": "wants less of this",
    "never": "never wants this here again",
}
MOVES = {
    MoveReason.APPROVED: "a person said yes",
    MoveReason.AUTO_APPROVED: "the rules let Pulse go ahead",
    MoveReason.REJECTED: "a person said no",
    MoveReason.EXPIRED: "nobody answered in time",
    MoveReason.PASSED: "it is no longer relevant",
    MoveReason.BLOCKED: "a rule did not allow it",
    MoveReason.WITHDRAWN: "it was withdrawn, or you muted these",
    MoveReason.OVERRULED: "the agent went ahead or ended without an answer",
    MoveReason.SNOOZED: "snoozed, out of sight",
    MoveReason.SNOOZE_OVER: "back after its snooze",
    MoveReason.SNOOZE_UNDONE: "back, no longer snoozed",
    MoveReason.UNDONE: "open again, the answer was undone",
    MoveReason.STOPPED: "the run was stopped",
    MoveReason.INTERRUPTED: "open again, the run was interrupted",
    MoveReason.CHANGED: "open again, what would run had changed",
    MoveReason.VERIFIED: "it ended well",
    MoveReason.NOT_VERIFIED: "the work is not confirmed",
    MoveReason.RETRIED: "open again, to be tried once more",
}
RUNS = {
    "queued": "The run is queued.",
    "active": "The agent began",
    "finished": "The agent ended",
    "verified": "The work is confirmed",
    "failed": "The work is not confirmed",
    "interrupted": "The run was interrupted",
    "stopped": "The run was stopped",
}
TOLD = {
    "prediction.new": "the card",
    "prediction.settled": "the answer",
    "prediction.snoozed": "that it is snoozed",
    "prediction.returned": "that it is open again",
    "prediction.expired": "that it is over",
    "prediction.executed": "the result",
    "execution.started": "that it runs",
    "execution.failed": "that it failed",
}
SAY = phrases()
WORDS = {
    Origin.PULSE: "Pulse's own",
    Origin.CHOSEN: "Pulse's own, chosen by the model",
    Origin.MODEL: "the model's",
    Origin.WORLD: "others'",
    Origin.PERSON: "a person's",
}
CHOSEN_BY = {
    "twin": "a model of you",
    "affinity": "what it is good at",
    "round-robin": "taking turns",
    "time-of-day": "the time of day",
    "person": "you",
}
"""How the agent of a suggestion was found, by its name in the proposal."""
WEIGHTS = {"chosen": "a yes", "rejected": "a no", "corrected": "a correction", "excluded": "nothing to learn from"}


def tell_story(
    card: Card, steps: Sequence[Step], deliveries: Sequence[LedgerEntry], executions: Sequence[Execution]
) -> tuple[StepView, ...]:
    """Return everything that happened to a card, in order of time; what happened at once stays in its order."""
    views = [_asked(card)] if card.asker else []
    views += _of_steps(steps)
    views += [_delivery(entry) for entry in deliveries]
    views += [_result(run, run.ended_at) for run in executions if run.ended_at is not None]
    return tuple(sorted(views, key=lambda view: view.at))


def _of_steps(steps: Iterable[Step]) -> list[StepView]:
    """Tell each step; neighbouring lines of progress are one."""
    views: list[StepView] = []
    for is_progress, group in groupby(steps, key=lambda step: isinstance(step.body, Line)):
        found = list(group)
        if is_progress:
            views.append(_progress(found))
        else:
            views.extend(_step(step) for step in found)
    return views


def _step(step: Step) -> StepView:
    body = step.body
    match body:
        case Sensed(situation=situation):
            return _view(step, "sensed", "What was going on.", describe(situation))
        case Proposed():
            return _proposed(step, body)
        case Judged():
            verdicts = tuple(map(_verdict, body.verdicts))
            text = CONCLUSIONS.get(body.conclusion, body.conclusion)
            return StepView(at=step.at, kind="judged", text=text, verdicts=verdicts, lines=_plan(body))
        case Weighed():
            return _view(step, "weighed", body.why, how_weighed(body))
        case Decided():
            return _view(step, "decided", _decision(body), lines=(*_changed(body), *map(_vote, body.answer.voters)))
        case _:
            return _view(step, *_in_a_line(body))


def _in_a_line(body: Released | Moved | Ran | Learned | Line) -> tuple[str, str]:
    """Return the kind of a step and all that there is to say of it."""
    match body:
        case Released(in_digest=in_digest, why=why):
            return "released", f"{'Told in a digest' if in_digest else 'Told now'}: {why}"
        case Moved(before=before, after=after, reason=reason):
            return "moved", f"{before} → {after} ({reason}): {MOVES[reason]}."
        case Ran():
            return "ran", _run(body)
        case Learned(value=value, weight=weight, signal=signal):
            return "learned", f"Learned from {signal}: {WEIGHTS.get(value, value)}, weight {weight:g}."
        case Line(text=text):
            return "progress", text


def _plan(body: Judged) -> tuple[str, ...]:
    """Say what the rails were told would run."""
    plan = body.asked.plan if body.asked else None
    if plan is None:
        return ()
    if isinstance(plan, CannotPlan):
        return (visible(f"What would run is unknown: {plan.why}"),)
    files = (f"defined by {file.path}, sha256 {file.sha256}" for file in plan.defined_by)
    held = (f"Containment: {plan.containment}",) if plan.containment else ()
    doubt = (f"Some of the files that decide what runs are unknown: {plan.doubt}",) if plan.doubt else ()
    return tuple(map(visible, (f"Would run: {in_words(plan)}", *held, *doubt, *files)))


def _proposed(step: Step, body: Proposed) -> StepView:
    proposal = body.proposal
    lines = [
        f"Why: {proposal.reasoning}",
        _sure(proposal),
        *likelihood_in_words(proposal.likelihood),
        f"For {_place(proposal)}; {_agent(proposal)}; risk {proposal.risk}.",
        _whose(proposal),
        f"Done means: {proposal.need.text}",
    ]
    guesses = body.guesses or ((body.guess,) if body.guess else ())
    lines += [f"The model {guess.model} {_answer(guess)}" for guess in guesses]
    ideas = counted(body.ideas, "idea")
    return _view(step, "proposed", f"Out of {ideas}: {proposal.prompt}", lines)


def _sure(proposal: Proposal) -> str:
    """Say how sure Pulse was, and what that is made of; a figure that says nothing is not told as one."""
    factors = proposal.factors
    parts = (
        ("what a model of you says", factors.twin),
        ("your answers to similar ones", factors.pattern if proposal.is_rated else None),
        ("how urgent it is", factors.urgency),
        ("whether the time is right", factors.time),
    )
    known = ", ".join(f"{name} {value:.0%}" for name, value in parts if value is not None)
    if not proposal.is_rated:
        return f"Pulse has no confidence yet: you have answered too few like this. It used: {known}."
    return f"Pulse was {proposal.confidence:.0%} confident. It used: {known}."


def _agent(proposal: Proposal) -> str:
    return f"agent {agent_title(proposal.agent, SAY)}, chosen by {CHOSEN_BY[proposal.routed_by]}"


def _place(proposal: Proposal) -> str:
    return proposal.repository or channel_title(proposal.channel, SAY)


def _answer(guess: Guess) -> str:
    said = untrusted(guess.prompt)
    return f"chose {guess.idea}" + (f" and said: {said}" if said else "") if guess.idea else f"said: {said}"


def _whose(proposal: Proposal) -> str:
    """Say whose words would run, and what they quote."""
    is_plain = not proposal.quotes or proposal.origin is Origin.MODEL
    quotes = "" if is_plain else f", quoting: {', '.join(proposal.quotes)}"
    return f"Words: {WORDS[proposal.origin]}{quotes}."


def _decision(body: Decided) -> str:
    answer = body.answer
    where = f"{SAY.written(where_of(answer.surface))} ({answer.device}, by {answer.human_input})"
    words = f"{'You' if answer.by == SELF else answer.by} {VERBS.get(answer.verb, answer.verb)} {where}"
    words += f": {answer.reason}" if answer.reason else "."
    words += "" if body.accepted else " It did not count."
    return words + (f" ({body.note})" if body.note else "")


def _changed(body: Decided) -> tuple[str, ...]:
    """Return the words that a person put in the place of what was asked."""
    answer = body.answer
    return (f"Ran instead: {answer.prompt}",) if answer.verb is Verb.EDIT and answer.prompt and body.accepted else ()


def _vote(voter: Voter) -> str:
    weight = f"weight {voter.weight:g}" if voter.counted else "not counted"
    return f"{voter.name}: {voter.choice} ({weight})"


def _run(body: Ran) -> str:
    words = RUNS.get(body.state, body.state)
    if words.endswith("."):
        return words
    return f"{words}: {body.text}" if body.text else f"{words}."


def _progress(steps: Sequence[Step]) -> StepView:
    lines = [step.body.text for step in steps if isinstance(step.body, Line)]
    count = counted(len(lines), "line")
    return _view(steps[0], "progress", f"The agent said {count}.", lines)


def _verdict(verdict: RailVerdict) -> VerdictView:
    return VerdictView(
        stage=verdict.stage,
        outcome=verdict.outcome,
        rule=verdict.rule,
        reason=visible(verdict.reason),
        numbers=verdict.numbers,
    )


def _asked(card: Card) -> StepView:
    text = visible(f"{card.asker} asked: {card.proposal.prompt}")
    return StepView(at=card.created_at, kind="asked", text=text, lines=(visible(card.proposal.reasoning),))


def _delivery(entry: LedgerEntry) -> StepView:
    why = f" ({entry.reason})" if entry.reason else ""
    what = TOLD.get(entry.event_type, entry.event_type)
    words = f"{what}{why} to {entry.surface}/{entry.device}: {entry.state}"
    text = visible(f"{words} ({entry.detail})" if entry.detail else f"{words}.")
    return StepView(at=entry.at, kind="delivery", text=text)


def _result(run: Execution, ended_at: datetime) -> StepView:
    result = run.result
    lines = [] if result is None else result.output.splitlines()[-OUTPUT_LINES_MAX:]
    if result is not None and result.changed_files:
        lines.append(f"Changed: {', '.join(result.changed_files)}")
    if result is not None and result.containment:
        lines.append(f"Containment: {result.containment}")
    who = "by itself" if run.autonomous else "with your permission"
    agent = agent_title(run.agent, SAY)
    text = f"Run {run.attempt} of {agent}, {who}: {run.state}, ${run.cost_microusd / USD:.2f}."
    text += f" {run.proof}" if run.proof else ""
    return StepView(at=ended_at, kind="result", text=visible(text), lines=tuple(map(visible, lines)))


def _view(step: Step, kind: str, text: str, lines: Iterable[str] = ()) -> StepView:
    return StepView(at=step.at, kind=kind, text=visible(text), lines=tuple(map(visible, lines)))
