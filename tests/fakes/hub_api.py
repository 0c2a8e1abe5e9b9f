"""A desk that replies as its script says, else as a healthy hub with nothing to object would."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime

from hub.contract.api import AnswerReply, CrossPollStatus, HealthPart, Prediction, TriggerAnswer
from hub.contract.errors import PulseError
from hub.contract.words import Autonomy, Risk, Source, Status
from hub.domain.at_agent import AtAgentSeen, LookAtAgent
from hub.domain.policy import Channel, Policy
from hub.domain.provenance import TaskText
from hub.domain.requests import (
    Ask,
    DayShown,
    DeviceDecision,
    GrantUsed,
    LookAtDay,
    Noted,
    RemoveTask,
    Reply,
    Request,
    SaveTask,
    TaskSaved,
    Trigger,
    UseGrant,
    Withdraw,
)
from hub.domain.situation import Task
from hub.domain.suggestion import Answer
from hub.loop.asks import ask_id

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
POLICY = Policy(channels=(Channel(name="koji-core", specialty="Code", agent="playbook"),))
Script = Callable[[Request], Reply | PulseError | TimeoutError]


def a_prediction(id_: str = "pred_1", *, status: Status = Status.PENDING, prompt: str = "Run the tests") -> Prediction:
    return Prediction(
        id=id_,
        prompt=prompt,
        target_agent="playbook",
        target_channel="koji-core",
        confidence=0.72,
        reasoning="3 modules changed since the last run",
        created_at=NOON,
        status=status,
        source=Source.TEMPLATE,
        expires_at=NOON.replace(hour=20),
        risk=Risk.LOW,
        card_hash="h",
        cost_estimate_usd=0.05,
    )


def a_status() -> CrossPollStatus:
    return CrossPollStatus(
        enabled=True,
        autonomous=False,
        state=Autonomy.WATCHING,
        reason="",
        last_trigger_at=None,
        total_triggers=0,
        cost_this_hour=0.0,
        cost_cap_per_hour=2.0,
        cost_today=0.0,
        cost_cap_per_day=20.0,
        cost_this_month=0.0,
        cost_cap_per_month=200.0,
        quiet=False,
        dnd_until=None,
        pending=0,
        loop_detections=0,
    )


class ScriptedHubApi:
    """The `HubApi` port. `requests` are all that came, in order; `script` gives replies or errors by kind."""

    def __init__(self, script: Mapping[type[Request], Script] | None = None) -> None:
        self.requests: list[Request] = []
        self.rules = POLICY
        self.secret = b"desk's own secret, for action tokens"
        self.parts: Sequence[HealthPart] = (HealthPart(name="store", status="ok"),)
        self.shown = a_status()
        self.interruptions: dict[date, int] = {}
        self._script = dict(script or {})

    def on(self, kind: type[Request], script: Script) -> None:
        """Reply to this kind of request as `script` says from now on."""
        self._script[kind] = script

    async def submit(self, request: Request) -> Reply:
        self.requests.append(request)
        await asyncio.sleep(0)  # others run meanwhile, as they do while a disk works
        reply = self._script[type(request)](request) if type(request) in self._script else usual(request)
        if isinstance(reply, PulseError | TimeoutError):
            raise reply
        return reply

    def status(self) -> CrossPollStatus:
        return self.shown

    def policy(self) -> Policy:
        return self.rules

    def interruptions_on(self, day: date) -> int:
        return self.interruptions.get(day, 0)

    def health(self) -> tuple[HealthPart, ...]:
        return tuple(self.parts)


def usual(request: Request) -> Reply:  # noqa: C901, PLR0911  one reply per kind of request
    """What a hub with nothing to object replies."""
    match request:
        case Answer() as answer:
            return AnswerReply(prediction=a_prediction(answer.card_id), message="Approved.")
        case DeviceDecision(decision=decision):
            return AnswerReply(prediction=a_prediction(decision.card_id))
        case Ask(client=client, key=key, question=question):
            return AnswerReply(prediction=a_prediction(ask_id(client, key), prompt=question))
        case Withdraw(card_id=card_id):
            return AnswerReply(prediction=a_prediction(card_id, status=Status.CANCELLED))
        case Trigger(channel=channel):
            return TriggerAnswer(
                triggered=True,
                prediction=a_prediction(),
                target_channel=channel,
                message="A suggestion was made.",
                status=a_status(),
            )
        case SaveTask(task_id=task_id, title=title):
            task = Task(
                id=task_id or "task_1", title=title or TaskText("-"), status="queued", created_at=NOON, updated_at=NOON
            )
            return TaskSaved(task=task)
        case LookAtDay():
            return DayShown()
        case RemoveTask(task_id=task_id):
            return TaskSaved(
                task=Task(id=task_id, title=TaskText("-"), status="queued", created_at=NOON, updated_at=NOON)
            )
        case LookAtAgent():
            return AtAgentSeen(is_there=False)
        case UseGrant():
            return GrantUsed()
        case _:
            return Noted(status=a_status())


def _task(task_id: str, title: TaskText) -> Task:
    return Task(id=task_id, title=title, status="queued", created_at=NOON, updated_at=NOON)
