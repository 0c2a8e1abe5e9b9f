"""The loop, pure: `step(state, event) -> (state, changes, commands)`. The order of the rooms is written here.

    sense → when → who → what → may → where → do → verify → learn

`cycle.py` holds the first half (up to `where`), `runs.py` the second (from `do`). Between them stands a person,
whose answer (`answers.py`) goes back to `may`, which alone turns it into a Permit. A slow answer (sensors, a model,
an agent, a timer) is a command that goes out and an event that comes back. The shell (hub/runner) commits the
changes of a step in one transaction before it carries out the commands.
"""

from collections.abc import Callable
from typing import Any

from hub.domain.at_agent import AtAgent, LookAtAgent
from hub.domain.drive_requests import ImportDrives, LookAtDrives
from hub.domain.requests import (
    AddMute,
    AgentFinished,
    AllowKind,
    Ask,
    BackToModel,
    ChangeDevice,
    Configure,
    DeviceDecision,
    DropGrant,
    DropMute,
    GiveDigest,
    HandInMutations,
    LookAtDay,
    NoteModel,
    NotePairs,
    Pause,
    PutNotice,
    RegisterDevice,
    RemoveTask,
    ReportDone,
    ReportPresence,
    ReportReceipt,
    Request,
    ResetConfig,
    RestoreGrant,
    Resume,
    RevokeDevice,
    SaveClient,
    SaveTask,
    SetAddress,
    Spoke,
    TakeFeedback,
    TellDevices,
    Trigger,
    TryDevice,
    UndoMutation,
    UseGrant,
    Withdraw,
)
from hub.domain.suggestion import Answer
from hub.domain.world_requests import LookAtWorld, RespondToSession, SayWorld, SpawnSession
from hub.loop import (
    answers,
    asks,
    at_agent,
    away,
    commits,
    control_requests,
    cut_off,
    cycle,
    devices,
    digests,
    drive_import,
    drive_model,
    drives,
    earned,
    failed,
    habits,
    lessons,
    mutations,
    mutes,
    news,
    notices,
    permission_grants,
    reach,
    recover,
    removed_grants,
    runs,
    timers,
    train_offer,
    training,
    world,
    world_checks,
    world_follow,
    world_runs,
    world_watch,
)
from hub.loop.draft import Draft, Next
from hub.loop.events import (
    AgentConnected,
    AgentsSeen,
    Changed,
    CycleBroke,
    Event,
    FilesPutBack,
    FinishJudged,
    FinishProven,
    ModelCalled,
    ModelTrained,
    Opened,
    ProcessesSeen,
    Progressed,
    RequestArrived,
    Resolved,
    RunEnded,
    SensorsRead,
    SettingsEdited,
    Stamped,
    StartDue,
    SurfacesSeen,
    Ticked,
    TrainingDue,
    TwinAnswered,
    WakeJudged,
    WorldRead,
    YesModelArrived,
)
from hub.loop.state import State

__all__ = ["Next", "State", "step"]


def step(state: State, stamped: Stamped) -> Next:
    """Take one event; return the new state, what must become durable with it, and what is to be done then."""
    draft = Draft(state, stamped)
    _ON_EVENT[type(stamped.event)](draft, stamped.event)
    world_follow.follow(draft)
    world_watch.after_step(draft)
    return draft.finish()


def _on_request(draft: Draft, event: RequestArrived) -> None:
    _HANDLERS[type(event.request)](draft, event.request, event.reply_to)


def _on_tick(draft: Draft, event: Ticked) -> None:
    del event
    timers.on_tick(draft)


def _on_resolved(draft: Draft, event: Resolved) -> None:
    takers = (failed.on_resolved, commits.on_resolved, world_runs.on_resolved, world_checks.on_resolved)
    if not any(take(draft, event) for take in takers):
        cycle.on_resolved(draft, event)


def _on_broke(draft: Draft, event: CycleBroke) -> None:
    if not (world_runs.on_broke(draft, event) or world_checks.on_broke(draft, event)):
        cycle.on_broke(draft, event)


_ON_EVENT: dict[type[Event], Callable[[Draft, Any], None]] = {
    RequestArrived: _on_request,
    Ticked: _on_tick,
    Changed: news.on_changed,
    SensorsRead: cycle.on_looked,
    TwinAnswered: cycle.on_twin,
    ModelCalled: cycle.on_model_called,
    WakeJudged: drive_model.on_judged,
    FinishProven: world_checks.on_proven,
    FinishJudged: world_checks.on_judged,
    Resolved: _on_resolved,
    CycleBroke: _on_broke,
    SettingsEdited: control_requests.on_settings_edited,
    FilesPutBack: control_requests.on_files_put_back,
    AgentConnected: devices.on_agent_connected,
    YesModelArrived: habits.on_model,
    TrainingDue: train_offer.on_due,
    ModelTrained: train_offer.on_trained,
    StartDue: runs.on_start_due,
    Progressed: runs.on_progress,
    RunEnded: runs.on_run_ended,
    WorldRead: world.on_read,
    ProcessesSeen: world_watch.on_seen,
    SurfacesSeen: reach.on_surfaces,
    AgentsSeen: cut_off.on_seen,
    Opened: recover.on_opened,
}
"""One taker per event; a test holds that none is missing. Each takes exactly its own type of event."""

_HANDLERS: dict[type[Request], Callable[[Draft, Any, str], None]] = {
    Answer: answers.on_answer,
    Ask: asks.on_ask,
    Withdraw: asks.on_withdraw,
    ReportDone: asks.on_report_done,
    AtAgent: at_agent.on_at_agent,
    LookAtAgent: at_agent.on_look,
    AgentFinished: away.on_agent_finished,
    DeviceDecision: devices.on_hand_in,
    ReportReceipt: devices.on_receipt,
    ReportPresence: devices.on_presence,
    RegisterDevice: devices.on_register,
    RevokeDevice: devices.on_revoke,
    ChangeDevice: devices.on_change,
    SetAddress: devices.on_set_address,
    TryDevice: devices.on_test,
    TellDevices: devices.on_tell,
    PutNotice: notices.on_put,
    Trigger: control_requests.on_trigger,
    SaveTask: control_requests.on_save_task,
    RemoveTask: control_requests.on_remove_task,
    Spoke: control_requests.on_spoke,
    Configure: control_requests.on_configure,
    ResetConfig: control_requests.on_reset_config,
    AddMute: mutes.on_add,
    DropMute: mutes.on_drop,
    AllowKind: earned.on_allow,
    DropGrant: removed_grants.on_drop,
    RestoreGrant: removed_grants.on_restore,
    UseGrant: permission_grants.on_use,
    GiveDigest: digests.on_give,
    LookAtDay: digests.on_look_at_day,
    Pause: control_requests.on_pause,
    Resume: control_requests.on_resume,
    NotePairs: lessons.on_note_pairs,
    NoteModel: training.on_note_model,
    BackToModel: training.on_back_to_model,
    SaveClient: control_requests.on_save_client,
    TakeFeedback: drives.on_feedback,
    LookAtDrives: drives.on_look,
    HandInMutations: mutations.on_hand_in,
    UndoMutation: mutations.on_undo,
    ImportDrives: drive_import.on_import,
    SayWorld: world.on_say,
    RespondToSession: world.on_respond,
    SpawnSession: world_runs.on_spawn,
    LookAtWorld: world.on_look,
}
"""One taker per request; a test holds that none is missing. Each takes exactly its own type of request."""
