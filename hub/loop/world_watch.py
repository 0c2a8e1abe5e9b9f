"""The level 1 supervisor in the loop: who says that they work and does not, and who has waited too long (WORLD 3, 5).

Theory: a look at the processes goes out every few minutes, after a start, soon after lines came in, and when a time-out
falls due; it comes back after the log was read to its end. All is judged then, and only then: by what was there before
the last lines, so that who said `finish` and ended is not taken for abandoned. A process is missed in two looks before
that is believed. What was told is kept with its session, so a restart tells nothing twice; the rest is found out again.
No session is asked by itself: the earliest time-out of all is kept, lowered as sessions change and found out anew at
each look, so a tick costs the same however many there are.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Literal

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import WorldEvent, WorldSession
from hub.domain.world_findings import Abandoned, OddTime, Overdue, RefusedStatus, StrayProcess, SupervisorFinding
from hub.domain.world_lines import SYSTEM_SOURCE
from hub.domain.world_log_state import AlertKind, MissedProcess, WorldAlert, WorldWatch
from hub.loop import world_person
from hub.loop.commands import EndStrays, LookAtProcesses, WakeAt
from hub.loop.draft import Draft
from hub.loop.events import ProcessesSeen
from hub.loop.world import known, move, note
from hub.loop.world_patience import wait_on
from hub.loop.world_sweep import take_up
from hub.loop.world_words import stays
from hub.verify.world_supervisor import WORKING, failure_of, supervise
from hub.verify.world_timeouts import overdue_at, stay_of
from hub.when import is_quiet

LOOK_EVERY = timedelta(minutes=5)
SOON = timedelta(seconds=15)
"""So long after lines came in they are looked after, however many follow."""
AGAIN = timedelta(seconds=10)
"""A process that is missed is looked for again after this; only then it is gone."""
APART = timedelta(minutes=1)
"""What falls due is told at the next look, and because of it there is at most one look in this time."""
LOOK_MAX = timedelta(minutes=2)
"""A look that has not come back by then is made again."""
TOLD_AT_ONCE = 200
"""So much is told at one look; the rest at the next."""
STRAYS_MAX = 256
ALERTS_MAX = 10
"""So many of the last ones the status shows."""
ABOUT: dict[AgentStatus, Literal["answer", "done", "slow"]] = {
    AgentStatus.START: "slow",
    AgentStatus.ACTIVE: "slow",
    AgentStatus.RETRY: "slow",
    AgentStatus.FINISH: "done",
    AgentStatus.FAILED: "answer",
}
"""What a person is asked about a session that stays where it is."""


def begin(draft: Draft) -> None:
    """After a start: look at once, since much may have ended while nobody looked."""
    if draft.state.policy.world.enabled and draft.world.sessions:
        _keep(draft, WorldWatch(look_at=draft.now))
        draft.commands.append(WakeAt(at=draft.now))


def after_step(draft: Draft) -> None:
    """Look soon after sessions moved, and no later than the first time-out of those that changed."""
    changed = [one for one in draft.world.changed() if one.is_watched]
    if not changed or not draft.state.policy.world.enabled:
        return
    watch, before = draft.state.world.watch, draft.state.world.sessions
    is_news = any(_is_news(before.get(one.id), one) for one in changed)
    soon = draft.now + SOON
    first = _earliest(overdue_at(one, draft.state.policy.world) for one in changed)
    due_at = watch.due_at if first is None else _earliest((watch.due_at, max(first, soon)))
    look_at = _earliest((watch.look_at, soon)) if is_news else watch.look_at
    if (due_at, look_at) != (watch.due_at, watch.look_at):
        _keep(draft, replace(watch, due_at=due_at, look_at=look_at))
        if (at := next_look(draft)) is not None:
            draft.commands.append(WakeAt(at=max(at, draft.now)))


def on_tick(draft: Draft) -> None:
    """Look where it is time to: by the clock, or since a time-out falls due."""
    watch, at = draft.state.world.watch, next_look(draft)
    if at is None or at > draft.now or not draft.state.policy.world.enabled:
        return
    working = (one for one in draft.world.sessions.values() if one.status in WORKING and one.left_at is None)
    named = {one.process: None for one in working}
    _keep(draft, replace(watch, look_at=None, looking_since=draft.now))
    draft.commands.append(LookAtProcesses(named=tuple(one for one in named if one is not None)))


def next_look(draft: Draft) -> datetime | None:
    """Return when to look next; None while there is nothing to look after."""
    watch = draft.state.world.watch
    if watch.looking_since is not None:
        return watch.looking_since + LOOK_MAX
    return _earliest((watch.look_at, watch.due_at))


def on_seen(draft: Draft, event: ProcessesSeen) -> None:
    """Judge all open sessions by what was there, by the lines that were read since, and by the clock."""
    take_up(draft)
    judged = _Judged(draft)
    opened = tuple(one for one in draft.world.sessions.values() if one.is_watched and one.left_at is None)
    for finding in supervise(opened, event.look, draft.now, draft.state.policy.world):
        judged.take(finding)
    first = _earliest(
        overdue_at(one, draft.state.policy.world) for one in draft.world.sessions.values() if one.is_watched
    )
    watch = draft.state.world.watch
    pause = LOOK_EVERY if judged.is_quiet else APART
    following = AGAIN if judged.missed else LOOK_EVERY
    _keep(
        draft,
        replace(
            watch,
            looking_since=None,
            look_at=_earliest((watch.look_at, draft.now + following)) if draft.world.sessions else None,
            due_at=None if first is None else max(first, draft.now + pause),
            missed=judged.missed,
        ),
    )
    if (at := next_look(draft)) is not None:
        draft.commands.append(WakeAt(at=at))


class _Judged:
    """What becomes of the findings of one look; local to one step."""

    def __init__(self, draft: Draft) -> None:
        self.missed: dict[str, MissedProcess] = {}
        self.is_quiet = is_quiet(draft.state.policy, draft.mind.dnd_until, draft.now)
        self._draft = draft
        self._left = TOLD_AT_ONCE
        self._snoozed = {
            card.session: card.snoozed_until
            for card in draft.facts.open_cards
            if card.session and card.snoozed_until is not None and card.snoozed_until > draft.now
        }

    def take(self, finding: SupervisorFinding) -> None:
        """Do what a finding asks for, if it was not done before; what is too much for one look waits for the next."""
        match finding:
            case Abandoned():
                self._abandoned(finding)
            case _ if self._left <= 0:
                return
            case Overdue(action="give-up"):
                self._fail(finding, "given-up")
            case Overdue():
                self._overdue(finding)
            case OddTime(session=session):
                said = (
                    f"A line claimed the time {finding.at:%Y-%m-%dT%H:%M:%SZ}, which cannot be; it is not judged by it."
                )
                self._once(session, "odd-time", said)
            case RefusedStatus(session=session, status=status):
                said = f"A line claimed {status}, which was not possible or not its own, so it was ignored."
                self._once(session, "refused-status", said)
            case StrayProcess():
                self._stray(finding)

    def _abandoned(self, finding: Abandoned) -> None:
        now, before = self._draft.now, self._draft.state.world.watch.missed.get(finding.session)
        if before is None or before.process != finding.process:
            self.missed[finding.session] = MissedProcess(process=finding.process, since=now)
        elif now - before.since < AGAIN or self._left <= 0:
            self.missed[finding.session] = before
        else:
            self._fail(finding, "abandoned")

    def _fail(self, finding: Abandoned | Overdue, kind: AlertKind) -> None:
        """Have a session fail; what follows puts its question before the person."""
        line = failure_of(finding, self._draft.now)
        move(self._draft, line)
        self._alert(kind, "It has failed: nobody is working on it.", finding.session)

    def _overdue(self, finding: Overdue) -> None:
        """Tell a person, again more loudly; not in quiet hours, nor while they have put its question aside."""
        session, draft = known(self._draft, finding.session), self._draft
        if self.is_quiet or session is None:
            return
        if (until := self._snoozed.get(session.id)) is not None:
            wait_on(draft, session, until=until)
            return
        stay = stay_of(session)
        if session.answered_at is not None:
            draft.world.moved.append(session.id)  # an answer that nothing came of is followed up again
        else:
            detail = stays(session.status, finding.why, draft.now - finding.since)
            is_urgent = finding.action == "escalate"
            world_person.ask(draft, session, ABOUT[session.status], urgent=is_urgent, detail=detail)
        asked = known(draft, session.id) or session
        draft.world.put(replace(asked, watch=replace(stay, times=stay.times + 1, at=draft.now)))
        self._alert("overdue", finding.why, session.id)

    def _once(self, session_id: str, kind: Literal["odd-time", "refused-status"], said: str) -> None:
        """Say in the log, once for each session, what is odd about its lines."""
        session = known(self._draft, session_id)
        if session is None:
            return
        stay = stay_of(session)
        if stay.odd_told if kind == "odd-time" else stay.refused_told:
            return
        told = replace(stay, odd_told=True) if kind == "odd-time" else replace(stay, refused_told=True)
        self._draft.world.put(replace(session, watch=told))
        self._say(session_id, said)
        self._alert(kind, said, session_id)

    def _stray(self, finding: StrayProcess) -> None:
        """Say that an agent works without a session; what a run of Pulse's own has left behind is ended."""
        draft, watch = self._draft, self._draft.state.world.watch
        if finding.process in watch.strays or finding.run in {*draft.state.running, *draft.state.queued}:
            return
        _keep(draft, replace(watch, strays=(*watch.strays, finding.process)[-STRAYS_MAX:]))
        said = "An agent is working without a session."
        if finding.run:
            said = "A run of Pulse's own ended and left this process behind; it was stopped."
            draft.commands.append(EndStrays(run=finding.run))
        self._say(f"process {finding.process.pid}", said)
        self._alert("stray-process", f"{said} (process {finding.process.pid})", "")

    def _say(self, identifier: str, said: str) -> None:
        text, name = LogText(said), LogText(identifier)
        note(self._draft, WorldEvent(at=self._draft.now, source=SYSTEM_SOURCE, identifier=name, text=text))

    def _alert(self, kind: AlertKind, text: str, session: str) -> None:
        self._left -= 1
        watch = self._draft.state.world.watch
        alert = WorldAlert(at=self._draft.now, kind=kind, text=text, session=session)
        _keep(self._draft, replace(watch, alerts=(*watch.alerts, alert)[-ALERTS_MAX:]))


def _is_news(before: WorldSession | None, after: WorldSession) -> bool:
    """Say whether a session moved, or its process was named: what else it says gives nothing to look after."""
    return before is None or (before.status, before.process) != (after.status, after.process)


def _earliest(moments: Iterable[datetime | None]) -> datetime | None:
    return min((one for one in moments if one is not None), default=None)


def _keep(draft: Draft, watch: WorldWatch) -> None:
    draft.state = replace(draft.state, world=replace(draft.state.world, watch=watch))
