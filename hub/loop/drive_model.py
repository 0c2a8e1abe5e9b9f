"""Model mode: a model of the person's choice is asked whether to wake, and the rules take over where it fails.

It is asked from half the thresholds on, so it may wake earlier than the rules would, or not yet. An alert asks nobody.
A no holds for half an hour; a yes is for its moment, or for the end of the cooldown, where Pulse has just done
something else. After three failures in a row the rules decide alone for an hour. What a wake may do is
the rails' to say, in either mode.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.domain.drives import DriveVerdict
from hub.loop.commands import AskWhetherToWake, WakeAt
from hub.loop.costs import book
from hub.loop.draft import Draft
from hub.loop.drive_verdict import chat_with, model_at, rules_in, talked_at
from hub.loop.events import WakeJudged
from hub.loop.state import DriveModel
from hub.when.drives import ModelOpinion, opinion, question

NO_HOLDS = timedelta(minutes=30)
YES_HOLDS = timedelta(minutes=10)
"""So long a yes waits for a cooldown to end; after a longer one the model is asked again."""
FAILURES_MAX = 3
RULES_ALONE = timedelta(hours=1)


def consult(draft: Draft, verdict: DriveVerdict) -> DriveVerdict:
    """Return the verdict once a model has its say: as it is, not yet (it is asked), or not for now (it said no)."""
    service, rules = model_at(draft.state, draft.now), rules_in(draft.state)
    model = draft.state.drive_model
    if service is None or verdict.woken_by in {None, "alert"}:
        if not (verdict.held_by == "cooldown" and _holds(model, draft.now)):
            _forget_yes(draft)
        return verdict
    if model.yes:
        _forget_yes(draft)
        if _holds(model, draft.now):
            return replace(verdict, woken_by="model", said=model.reason)
        model = draft.state.drive_model
    if model.no_until is not None and draft.now < model.no_until:
        return replace(verdict, woken_by=None, held_by="model-no", until=model.no_until, said=model.reason)
    if not model.is_asked:
        text = question(draft.mind.drives, rules, verdict, draft.now, talked_at=talked_at(draft.state))
        draft.commands.append(AskWhetherToWake(chat=chat_with(service, text)))
        draft.state = replace(draft.state, drive_model=replace(model, is_asked=True))
    return replace(verdict, woken_by=None, held_by="asking", until=None)


def _holds(model: DriveModel, now: datetime) -> bool:
    return model.yes_until is not None and now < model.yes_until


def _forget_yes(draft: Draft) -> None:
    """A yes is for the moment in which it was said."""
    if draft.state.drive_model.yes:
        draft.state = replace(draft.state, drive_model=DriveModel())


def on_judged(draft: Draft, event: WakeJudged) -> None:
    """The model answered, or did not."""
    book(draft, event.said.cost_microusd)
    said = None if event.said.wrong else opinion(event.said.words)
    draft.state = replace(draft.state, drive_model=_after(draft, said))
    draft.commands.append(WakeAt(at=draft.now))


def _after(draft: Draft, said: ModelOpinion | None) -> DriveModel:
    model = replace(draft.state.drive_model, is_asked=False)
    if said is None:
        failures = model.failures + 1
        if failures < FAILURES_MAX:
            return replace(model, failures=failures)
        return replace(model, failures=0, alone_until=draft.now + RULES_ALONE)
    if said.wakes:
        return DriveModel(yes=True, reason=said.reason, yes_until=draft.now + YES_HOLDS)
    return DriveModel(no_until=draft.now + NO_HOLDS, reason=said.reason)
