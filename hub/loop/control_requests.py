"""Requests that are neither answers nor asks: triggers, tasks, messages, configuration, pause and resume."""

from datetime import datetime, timedelta

from msgspec.structs import asdict, replace

from hub.contract.api import ConfigPatch
from hub.contract.phrasing import Phrasing
from hub.contract.words import Autonomy
from hub.domain.canonical import visible
from hub.domain.moment import Change, Occasion
from hub.domain.policy import Policy
from hub.domain.requests import (
    Configure,
    Noted,
    Pause,
    Refused,
    RemoveTask,
    ResetConfig,
    Resume,
    SaveClient,
    SaveTask,
    Spoke,
    TaskSaved,
    Trigger,
)
from hub.domain.situation import Task
from hub.domain.storage import DropTask, PutClient, PutTask
from hub.loop import refusals, today
from hub.loop.attention import wake_held
from hub.loop.autonomy import happen, spoke
from hub.loop.commands import Start, Stop, WakeAt
from hub.loop.cycle_begin_end import begin
from hub.loop.devices import tell_devices
from hub.loop.draft import Draft
from hub.loop.events import FilesPutBack, SettingsEdited
from hub.loop.news import note
from hub.loop.notification_test import EDITED, NOT_PUT_BACK, PUT_BACK
from hub.loop.permission_grants import record_stop
from hub.loop.tell import tell_status
from hub.loop.views import status_of
from hub.may import after_resume, changed, effective, has_room, is_over, overridden, reenable_month, taken_over, without
from hub.when import Happening, next_wake

TASK_FIELDS = ("title", "status", "channel", "deadline", "notes")
DND_MAX = timedelta(days=30)
"""How far away the end of do-not-disturb may be; who wants longer means the kill switch."""


def on_trigger(draft: Draft, request: Trigger, reply_to: str) -> None:
    """Start a cycle because a person asked for one."""
    if request.channel is not None and draft.state.policy.channel(request.channel) is None:
        names = tuple(channel.name for channel in draft.state.policy.open_channels)
        draft.reply(reply_to, refusals.unknown_channel(request.channel, names))
        return
    begin(draft, Occasion.MANUAL, trigger=request, reply_to=reply_to)


def on_save_task(draft: Draft, request: SaveTask, reply_to: str) -> None:
    """Create or change a task."""
    task = draft.facts.task
    if request.task_id is not None and task is None:
        draft.reply(reply_to, _unknown_task(request.task_id))
        return
    if task is None:
        if request.title is None:
            detail = "A new task needs a title."
            draft.reply(reply_to, Refused(code="missing-title", status=422, detail=detail, fix="Send `title`."))
            return
        blank = draft.new_id("task")
        task = Task(
            id=blank,
            title=request.title,
            status="queued",
            created_at=draft.now,
            updated_at=draft.now,
            kept_by=request.kept_by,
        )
    named = asdict(request)
    given = {name: named[name] for name in TASK_FIELDS if named[name] is not None}
    own = request.in_person if request.title is not None else task.own_words
    saved = replace(task, updated_at=draft.now, own_words=own, **given)
    if saved.status == "completed" and task.status != "completed":
        today.count(draft, tasks=1)
    draft.changes.append(PutTask(user=draft.state.user, task=saved))
    note(draft, Change.TASK)
    draft.reply(reply_to, TaskSaved(task=saved))


def on_remove_task(draft: Draft, request: RemoveTask, reply_to: str) -> None:
    """Remove a task."""
    task = draft.facts.task
    if task is None:
        draft.reply(reply_to, _unknown_task(request.task_id))
        return
    draft.changes.append(DropTask(user=draft.state.user, task_id=task.id))
    note(draft, Change.TASK)
    draft.reply(reply_to, TaskSaved(task=task))


def on_spoke(draft: Draft, request: Spoke, reply_to: str) -> None:
    """A person said something to an agent."""
    spoke(draft, request.at)
    _noted(draft, reply_to)


def on_configure(draft: Draft, request: Configure, reply_to: str) -> None:
    """Change the running configuration; it can never loosen the file's kill switch."""
    before = draft.state.policy
    overrides = overridden(draft.mind.overrides, request.patch, draft.state.file_policy)
    policy = effective(draft.state.file_policy, overrides.patch)
    wrong = _wrong(policy, request.patch, draft.now)
    if wrong is not None:
        draft.reply(reply_to, wrong)
        return
    draft.state = replace(draft.state, policy=policy)
    ledger = draft.mind.ledger
    stop = request.patch.emergency_stop
    if stop is not None and stop != ledger.emergency:
        record_stop(draft, is_stop=stop, by=request.place or request.by)
        ledger = replace(ledger, emergency=stop)
    if request.patch.reenable_month:
        ledger = reenable_month(ledger)
    dnd_until = _later(request.patch.dnd_until, draft.mind.dnd_until)
    if request.patch.dnd_off and dnd_until is not None:  # it ends now: what it held is told
        dnd_until = min(dnd_until, draft.now)
    draft.set_mind(replace(draft.mind, ledger=ledger, dnd_until=dnd_until, overrides=overrides))
    if request.patch.emergency_stop:
        happen(draft, Happening.DISABLED, f"emergency stop by {request.by}")
        _stop_everything(draft)
    else:
        _switched(draft, before, request.by)
    _go_on_within_budget(draft)
    wake_held(draft)  # quiet may have ended with this
    tell_status(draft)
    _noted(draft, reply_to)


def on_reset_config(draft: Draft, request: ResetConfig, reply_to: str) -> None:
    """Let the settings file hold again, for one setting or for all."""
    known = changed(draft.mind.overrides)
    if request.name and request.name not in known:
        draft.reply(reply_to, _unchanged(request.name))
        return
    before = draft.state.policy
    left = without(draft.mind.overrides, (request.name,) if request.name else known)
    policy = effective(draft.state.file_policy, left.patch)
    wrong = _falling(policy)
    if wrong is not None:
        draft.reply(reply_to, wrong)
        return
    draft.state = replace(draft.state, policy=policy)
    draft.set_mind(replace(draft.mind, overrides=left))
    _switched(draft, before, request.by)
    _go_on_within_budget(draft)
    tell_status(draft)
    _noted(draft, reply_to)


def on_settings_edited(draft: Draft, event: SettingsEdited) -> None:
    """Take over what an edit of the settings file loosens no rail by; what was changed on the page stays above it."""
    if event.waits:
        tell_devices(draft, f"The settings were edited; {event.waits} will hold from the next start.", EDITED)
    before, file = draft.state.policy, taken_over(draft.state.file_policy, event.written)
    policy = effective(file, draft.mind.overrides.patch)
    if _falling(policy) is not None:
        return  # with what was changed on the page the thresholds would fall: a restart sorts that out
    draft.state = replace(draft.state, file_policy=file, policy=policy)
    if before.enabled != policy.enabled:
        _switched(draft, before, "the settings file")
    tell_status(draft)
    draft.commands.append(WakeAt(at=next_wake(draft.mind, policy, draft.now)))


def on_files_put_back(draft: Draft, event: FilesPutBack) -> None:
    """Tell the devices: who writes there wants to pass for the person, or to have agents go on unasked."""
    tell_devices(draft, event.text, NOT_PUT_BACK if event.left else PUT_BACK)


def _switched(draft: Draft, before: Policy, by: str) -> None:
    policy = draft.state.policy
    if before.enabled and not policy.enabled:
        happen(draft, Happening.DISABLED, f"switched off by {by}")
    elif policy.enabled and not draft.mind.ledger.emergency:
        happen(draft, Happening.ENABLED, f"switched on by {by}", Phrasing(code="because.on", values={"by": by}))


def _go_on_within_budget(draft: Draft) -> None:
    """End a pause that a budget brought, where the person has just made room in it."""
    autonomy, policy = draft.mind.autonomy, draft.state.policy
    if autonomy.state is not Autonomy.PAUSED or not is_over(autonomy.wording):
        return
    price = min((one.cost_per_run_microusd for one in policy.open_channels), default=0)
    if has_room(draft.mind.ledger, policy, draft.now, max(price, 1)):
        happen(draft, Happening.RESUMED)


def on_pause(draft: Draft, request: Pause, reply_to: str) -> None:
    """Stop acting autonomously until somebody resumes or two hours have passed."""
    happen(draft, Happening.PAUSED_BY_PERSON, visible(request.reason))
    _noted(draft, reply_to)


def on_resume(draft: Draft, _request: Resume, reply_to: str) -> None:
    """Go on after a pause."""
    happen(draft, Happening.RESUMED)
    draft.set_mind(replace(draft.mind, ledger=after_resume(draft.mind.ledger)))
    _noted(draft, reply_to)


def on_save_client(draft: Draft, request: SaveClient, reply_to: str) -> None:
    """Add or revoke an API client."""
    draft.changes.append(PutClient(client=request.client))
    _noted(draft, reply_to)


def _wrong(policy: Policy, patch: ConfigPatch, now: datetime) -> Refused | None:
    """Return what does not fit together in the configuration as it would be."""
    if patch.dnd_until is not None and patch.dnd_until - now > DND_MAX:
        detail = f"Do not disturb can last at most {DND_MAX.days} days."
        return _unfit(detail, "Give an earlier time; `pulse kill` stops Pulse until you resume it.")
    falling = _falling(policy)
    if falling is not None:
        return falling
    if patch.twin_model is not None and not policy.twins:
        return _unfit("There is no model to change.", "Name a service first, under `[twin]` in the settings file.")
    if patch.twin_model_enabled and not policy.twin:
        return _unfit("No model is switched on in the settings.", "Set `twin.enabled = true` there, then restart.")
    known = {channel.name for channel in policy.channels}
    unknown = sorted(set(patch.disabled_channels or ()) - known)
    if unknown:
        names = ", ".join(sorted(known))
        return _unfit(f"There is no channel {unknown[0]!r}.", f"Channels: {names}.")
    return None


def _falling(policy: Policy) -> Refused | None:
    bands = policy.bands
    if bands.show <= bands.suggest <= bands.auto_execute:
        return None
    numbers = f"{bands.show:.2f}, {bands.suggest:.2f}, {bands.auto_execute:.2f}"
    return _unfit(
        f"The thresholds show, suggest and auto-execute must not fall: {numbers}.",
        "Change the others first, or all in one request.",
    )


def _unchanged(name: str) -> Refused:
    return Refused(
        code="not-changed",
        status=404,
        detail=f"{name!r} was not changed while Pulse ran; the settings file applies.",
        fix="`pulse config show` marks what was changed.",
    )


def _unfit(detail: str, fix: str) -> Refused:
    return Refused(code="bad-setting", status=422, detail=detail, fix=fix)


def _noted(draft: Draft, reply_to: str) -> None:
    draft.reply(reply_to, Noted(status=status_of(draft.state, draft.now)))


def _stop_everything(draft: Draft) -> None:
    """End what runs, and let what is queued see that it may not begin any more."""
    draft.commands.extend(Stop(execution_id=running) for running in draft.state.running)
    draft.commands.extend(Start(execution_id=waiting) for waiting in draft.state.queued)


def _later(asked: datetime | None, current: datetime | None) -> datetime | None:
    return current if asked is None else asked


def _unknown_task(task_id: str) -> Refused:
    return Refused(
        code="unknown-task",
        status=404,
        detail=f"There is no task {task_id!r}.",
        fix="`pulse tasks` lists them.",
    )
