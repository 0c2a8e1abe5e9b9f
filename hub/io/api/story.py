"""The episode of a suggestion in plain words. Pure: the stored steps go in, sentences come out."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import groupby

from msgspec.structs import replace

from hub.contract.phrasing import Phrasing
from hub.contract.story import StepView, VerdictView
from hub.contract.surface import Voter
from hub.contract.words import MoveReason, Origin, RunState, Verb
from hub.domain.attention import Weighed
from hub.domain.canonical import visible
from hub.domain.delivery import LedgerEntry
from hub.domain.episode import Decided, Judged, Learned, Line, Moved, Proposed, Ran, Released, Sensed, Step
from hub.domain.execution import Execution
from hub.domain.figures import dollars
from hub.domain.judgement import RailVerdict
from hub.domain.plan import CannotPlan, line_of
from hub.domain.provenance import Part, Wording, say, untrusted
from hub.domain.suggestion import Card, Guess, Proposal
from hub.domain.text_sources import where_from
from hub.domain.worded import Worded
from hub.io.api.attention_words import how_weighed
from hub.io.api.likelihood_words import in_words as likelihood_in_words
from hub.io.api.situation_text import describe
from hub.io.api.story_words import (
    SAY,
    Sentence,
    number_of,
    phrase,
    quoting,
    sentence_of,
    text_of,
    wording_of,
    wordings_of,
)
from hub.kit.naming import NAME_CHARS_MAX, SELF, channel_title, where_of
from hub.kit.phrasebook import sentence_code

OUTPUT_LINES_MAX = 40
HASH_SHOWN = 16
"""As `pulse why` shows it."""
_ID = re.compile(r"[0-9a-f]{12}")
"""What Pulse calls a browser: no name that a person knows it by."""
CONCLUSIONS = frozenset({"Permit", "AskHuman", "Refusal"})
VERBS = {
    "approve": say("approved it"),
    "retry": say("had it tried again"),
    "reject": say("dismissed it"),
    "snooze": say("snoozed it"),
    "edit": say("approved it with another text"),
    "undo": say("undid the answer"),
    "stop": say("stopped it"),
    "fix": say("asked an agent to fix it"),
    "ignore": say("ignored it"),
    "less": say("chose to see it less often"),
    "never": say("chose never to see it here again"),
}
TOLD = {
    "prediction.new": say("the card"),
    "prediction.settled": say("the answer"),
    "prediction.snoozed": say("that it is snoozed"),
    "prediction.returned": say("that it is open again"),
    "prediction.expired": say("that it is over"),
    "prediction.executed": say("the result"),
    "execution.started": say("that it runs"),
    "execution.failed": say("that it failed"),
}
INPUTS = {
    "key": say("key"),
    "tap": say("tap or click"),
    "reaction": say("reaction"),
    "speech": say("speech"),
}
DELIVERED = {
    "queued": say("queued"),
    "accepted": say("accepted"),
    "shown": say("shown"),
    "acted": say("acted"),
    "cleared": say("cleared"),
    "dead": say("dead"),
    "unknown": say("unknown"),
}
ENDS: dict[str, Part] = {
    "active": say("active"),
    "finished": say("finished"),
    "verified": say("verified"),
    "failed": phrase("failed"),
    "interrupted": phrase("interrupted"),
    "stopped": phrase("stopped"),
}
WEIGHTS = frozenset({"chosen", "rejected", "corrected", "excluded"})


def tell_story(
    card: Card, steps: Sequence[Step], deliveries: Sequence[LedgerEntry], executions: Sequence[Execution]
) -> tuple[StepView, ...]:
    """Return everything that happened to a card, in order of time; what happened at once stays in its order."""
    views = [_asked(card)] if card.asker else []
    views += _of_steps(steps, card)
    views += [_delivery(entry) for entry in deliveries]
    views += [_result(run, run.ended_at) for run in executions if run.ended_at is not None]
    return tuple(sorted(views, key=lambda view: view.at))


def _of_steps(steps: Iterable[Step], card: Card) -> list[StepView]:
    """Tell each step; neighbouring lines of progress are one."""
    views: list[StepView] = []
    for is_progress, group in groupby(steps, key=lambda step: isinstance(step.body, Line)):
        found = list(group)
        if is_progress:
            views.append(_progress(found))
        else:
            views.extend(_step(step, card) for step in found)
    return views


def _step(step: Step, card: Card) -> StepView:
    body = step.body
    match body:
        case Moved(reason=MoveReason.AUTO_APPROVED) if card.permission is not None:
            return _view(step, "moved", phrase("moved.permitted", agent=card.asker))
        case Sensed(situation=situation):
            return _view(step, "sensed", phrase("story.sensed"), describe(situation))
        case Proposed():
            return _proposed(step, body)
        case Judged():
            verdicts = tuple(map(_verdict, body.verdicts))
            is_known = body.conclusion in CONCLUSIONS
            approved = (
                "_approved" if body.conclusion == "Permit" and any(one.outcome == "ask" for one in verdicts) else ""
            )
            text = phrase(f"judged.{body.conclusion.lower()}{approved}") if is_known else body.conclusion
            return replace(_view(step, "judged", text, _plan(body)), verdicts=verdicts)
        case Weighed():
            why = body.why if body.why_worded is None else Worded(text=body.why, wording=body.why_worded)
            return _view(step, "weighed", why, how_weighed(body))
        case Decided():
            return _view(step, "decided", _decision(body), lines=(*_changed(body), *map(_vote, body.answer.voters)))
        case _:
            return _view(step, *_in_a_line(body))


def _in_a_line(body: Released | Moved | Ran | Learned | Line) -> tuple[str, Sentence]:
    """Return the kind of a step and all that there is to say of it."""
    match body:
        case Released(in_digest=in_digest, why=why):
            known = Worded(text=why, wording=Phrasing(code=sentence_code(why)))  # one of the reasons of `releasing`
            told = say("Told in a digest: {why}", why=known) if in_digest else say("Told now: {why}", why=known)
            return "released", sentence_of(told)
        case Moved(reason=reason):
            return "moved", phrase(f"moved.{reason.replace('-', '_')}")
        case Ran():
            return "ran", _run(body)
        case Learned(value=value, weight=weight, signal=signal):
            source = f"learnt_from.{signal.replace('-', '_')}"
            if value not in WEIGHTS or source not in SAY.texts:
                return "learned", f"Learned from {signal}: {value}."
            parts = {"signal": Phrasing(code=source)}
            return "learned", phrase(f"learnt.{value}", numbers={"weight": weight}, parts=parts)
        case Line(text=text):
            return "progress", text


def _plan(body: Judged) -> tuple[Sentence, ...]:
    """Say what the rails were told would run."""
    plan = body.asked.plan if body.asked else None
    if plan is None:
        return ()
    if isinstance(plan, CannotPlan):
        return (phrase("plan.unknown", why=plan.why),)
    files = (phrase("plan.file", path=file.path, hash=file.sha256[:HASH_SHOWN]) for file in plan.defined_by)
    how = quoting(phrase("plan.containment", how=plan.containment), plan.containment_worded, plan.containment, "how")
    held = (how,) if plan.containment else ()
    unknown = quoting(phrase("plan.doubt", what=plan.doubt), plan.doubt_worded, plan.doubt, "what")
    doubt = (unknown,) if plan.doubt else ()
    runs = line_of(plan)
    return (quoting(phrase("plan.runs", what=runs.text), runs.worded, runs.text, "what"), *held, *doubt, *files)


def _proposed(step: Step, body: Proposed) -> StepView:
    proposal = body.proposal
    lines: list[Sentence] = [
        quoting(phrase("story.why", text=proposal.reasoning), proposal.reasoning_worded, proposal.reasoning),
        *_sure(proposal),
        *likelihood_in_words(proposal.likelihood),
        _for(proposal),
        _whose(proposal),
        quoting(phrase("story.done_means", text=proposal.need.text), proposal.need_worded, proposal.need.text),
    ]
    guesses = body.guesses or ((body.guess,) if body.guess else ())
    lines += [f"The model {guess.model} {_answer(guess)}" for guess in guesses]
    text = number_of("story.proposed", body.ideas, text=proposal.prompt)
    return _view(step, "proposed", quoting(text, proposal.prompt_worded, proposal.prompt), lines)


def _sure(proposal: Proposal) -> tuple[Sentence, ...]:
    """Say how sure Pulse was, and what that is made of; a figure that says nothing is not told as one."""
    factors = proposal.factors
    parts = (
        ("twin", factors.twin),
        ("pattern", factors.pattern if proposal.is_rated else None),
        ("urgency", factors.urgency),
        ("time", factors.time),
    )
    known = (phrase(f"factor.{name}", percent=_percent(value)) for name, value in parts if value is not None)
    if not proposal.is_rated:
        return (phrase("story.unsure"), *known)
    return (phrase("story.sure", percent=_percent(proposal.confidence)), *known)


def _percent(share: float) -> str:
    return f"{share:.0%}".removesuffix("%")


def _for(proposal: Proposal) -> Worded:
    place = proposal.repository or channel_title(proposal.channel, SAY)
    chosen = Phrasing(code=f"chosen.{proposal.routed_by.replace('-', '_')}")
    parts = {"risk": Phrasing(code=f"story.risk_{proposal.risk}"), "by": chosen}
    return phrase("story.work", parts=parts, place=place, agent=proposal.agent)


def _answer(guess: Guess) -> str:
    said = untrusted(guess.prompt)
    return f"chose {guess.idea}" + (f" and said: {said}" if said else "") if guess.idea else f"said: {said}"


def _whose(proposal: Proposal) -> Sentence:
    """Say whose words would run, and what they quote."""
    whose = phrase(f"whose.{proposal.origin}")
    if not proposal.quotes or proposal.origin is Origin.MODEL:
        return whose
    return sentence_of(say("{whose} They quote text {sources}.", whose=whose, sources=where_from(proposal.quotes)))


def _decision(body: Decided) -> Sentence:
    answer = body.answer
    given = INPUTS.get(answer.human_input, answer.human_input)
    is_named = _ID.fullmatch(answer.device) is None
    did = say(
        "{did} {where} ({by}){reason}{count}{note}",
        did=VERBS.get(answer.verb, answer.verb),
        where=_where(answer.surface),
        by=say("{device}, by {input}", device=answer.device, input=given)
        if is_named
        else say("by {input}", input=given),
        reason=f": {answer.reason}" if answer.reason else ".",
        count=Wording() if body.accepted else say(" It did not count."),
        note=f" ({body.note})" if body.note else "",
    )
    return sentence_of(say("You {did}", did=did) if answer.by == SELF else say("{who} {did}", who=answer.by, did=did))


def _agent(name: str) -> Part:
    code = f"agent.{name.replace('-', '_')}"
    return phrase(code) if code in SAY.texts else name


def _where(surface: str) -> Worded:
    found = where_of(surface)
    return phrase(found.name if found.name in SAY.texts else found.otherwise, name=surface[:NAME_CHARS_MAX])


def _changed(body: Decided) -> tuple[Sentence, ...]:
    """Return the words that a person put in the place of what was asked."""
    answer = body.answer
    if answer.verb is not Verb.EDIT or not answer.prompt or not body.accepted:
        return ()
    return (sentence_of(say("Ran instead: {prompt}", prompt=answer.prompt)),)


def _vote(voter: Voter) -> Sentence:
    weight = say("weight {weight}", weight=f"{voter.weight:g}") if voter.counted else say("not counted")
    return sentence_of(say("{name}: {choice} ({weight})", name=voter.name, choice=voter.choice, weight=weight))


def _run(body: Ran) -> Sentence:
    if body.text and body.state is RunState.ACTIVE and body.text_worded is None:
        return phrase("run_state.active_by", agent=body.text)
    if body.text and body.state is not RunState.QUEUED:
        return quoting(phrase(f"run_state.{body.state}_with", text=body.text), body.text_worded, body.text)
    return phrase(f"run_state.{body.state}")


def _progress(steps: Sequence[Step]) -> StepView:
    lines = [step.body.text for step in steps if isinstance(step.body, Line)]
    return _view(steps[0], "progress", number_of("story.progress", len(lines)), lines)


def _verdict(verdict: RailVerdict) -> VerdictView:
    return VerdictView(
        stage=verdict.stage,
        outcome=verdict.outcome,
        rule=verdict.rule,
        reason=visible(verdict.reason),
        numbers=verdict.numbers,
        reason_worded=None if visible(verdict.reason) != verdict.reason else verdict.reason_worded,
    )


def _asked(card: Card) -> StepView:
    asked = phrase("story.asked", agent=card.asker, text=card.proposal.prompt)
    text = quoting(asked, card.proposal.prompt_worded, card.proposal.prompt)
    why = card.proposal.reasoning_worded or card.proposal.reasoning
    return _told(card.created_at, "asked", text, (why,))


def _delivery(entry: LedgerEntry) -> StepView:
    told = say(
        "{what}{why} to {device}: {state}{detail}",
        what=TOLD.get(entry.event_type, entry.event_type),
        why=f" ({entry.reason})" if entry.reason else "",
        device=f"{entry.surface}/{entry.device}",
        state=DELIVERED.get(entry.state, entry.state),
        detail=f" ({entry.detail})" if entry.detail else ".",
    )
    return _told(entry.at, "delivery", sentence_of(told))


def _result(run: Execution, ended_at: datetime) -> StepView:
    result = run.result
    lines: list[Sentence] = [] if result is None else [*result.output.splitlines()[-OUTPUT_LINES_MAX:]]
    if result is not None and result.changed_files:
        lines.append(sentence_of(say("Changed: {files}", files=", ".join(result.changed_files))))
    if result is not None and result.containment:
        lines.append(sentence_of(say("Containment: {how}", how=result.containment_worded or result.containment)))
    told = say(
        "Run {number} of {agent}, {who}: {state}, {cost}.{proof}",
        number=run.attempt,
        agent=_agent(run.agent),
        who=say("by itself") if run.autonomous else say("with your permission"),
        state=ENDS.get(run.state, run.state),
        cost=dollars(run.cost_microusd),
        proof=say(" {proof}", proof=run.proof_worded or run.proof) if run.proof else "",
    )
    return _told(ended_at, "result", sentence_of(told), lines)


def _view(step: Step, kind: str, text: Sentence, lines: Iterable[Sentence] = ()) -> StepView:
    return _told(step.at, kind, text, lines)


def _told(at: datetime, kind: str, text: Sentence, lines: Iterable[Sentence] = ()) -> StepView:
    told = tuple(lines)
    return StepView(
        at=at,
        kind=kind,
        text=text_of(text),
        text_worded=wording_of(text),
        lines=tuple(map(text_of, told)),
        lines_worded=wordings_of(told),
    )
