"""The sessions of the world log within one step: changed in place, since one step may take in a thousand lines.

Local to one step, like the draft that holds it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import HUB, WorldEntryLine, WorldSession
from hub.domain.world_log_state import ENDED_MAX, OPEN_MAX, LoggedOut, WorldCheck, WorldLogState, WorldSweep


class WorldDraft:
    """What one step makes of the sessions.

    Attributes:
        moved: ids of sessions that came to another status, were answered, or need something else than before, in this
            step, and that nobody has followed up yet, in order.
        out: the lines that are to stand in the log.
        has_room: whether there may be room for questions that wait for it.
        has_turns: whether the checks have changed, so that it may be the turn of some that wait for it.
    """

    def __init__(self, log_state: WorldLogState) -> None:
        self.moved: list[str] = []
        self.out: list[LoggedOut] = []
        self.has_room = self.has_turns = False
        self._checks = log_state.checks
        self._before = log_state.sessions
        self._sessions: dict[str, WorldSession] | None = None
        self._changed: dict[str, None] = {}
        self._brought: set[str] = set()
        self._may_be_too_many = False

    @property
    def sessions(self) -> Mapping[str, WorldSession]:
        """The sessions as they are so far, those heard of last at the end."""
        return self._before if self._sessions is None else self._sessions

    def put(self, session: WorldSession) -> None:
        """Take over a session as it is now."""
        if self._sessions is None:
            self._sessions = dict(self._before)
        before = self._sessions.pop(session.id, None)
        self._may_be_too_many |= before is None or before.is_open is not session.is_open
        self._sessions[session.id] = session
        self._changed[session.id] = None
        if before is None or _state_of(before) != _state_of(session):
            self.moved.append(session.id)

    def bring(self, sessions: Sequence[WorldSession]) -> None:
        """Take up sessions as they are stored, those heard of last first; they were heard of before all others."""
        new = {one.id: one for one in reversed(sessions) if one.id not in self.sessions}
        if new:
            self._brought |= new.keys()
            self._sessions, self._may_be_too_many = {**new, **self.sessions}, True

    @property
    def checks(self) -> Mapping[str, WorldCheck]:
        """The checks of sessions' ends as they are so far, the oldest first."""
        return self._checks

    def put_check(self, name: str, check: WorldCheck) -> None:
        """Take over the check of a session as it is now."""
        self._own_checks()[name] = check

    def drop_check(self, name: str) -> None:
        """Forget the check of a session, if there is one."""
        if name in self._checks:
            del self._own_checks()[name]

    def _own_checks(self) -> dict[str, WorldCheck]:
        """Return the checks to be changed; those from before this step stay as they were."""
        if not self.has_turns:
            self._checks, self.has_turns = dict(self._checks), True
        return self._checks

    def end_question(self, session_id: str, card_id: str) -> None:
        """Forget the question that a card asked, which is over, however it ended."""
        self.has_room = True
        session = self.sessions.get(session_id)
        if session is not None and session.question is not None and session.question.card_id == card_id:
            self.put(replace(session, question=None))

    def say(self, line_id: str, line: WorldEntryLine) -> None:
        """Have a line appended to the log."""
        self.out.append(LoggedOut(id=line_id, line=line))

    def changed(self) -> Iterable[WorldSession]:
        """Yield the sessions that this step changed, as they are at its end."""
        return (self.sessions[one] for one in self._changed)

    def after(self, log_state: WorldLogState) -> WorldLogState:
        """Return the state with what this step made of the sessions; the very same where it made nothing."""
        if self.has_turns:
            log_state = replace(log_state, checks=self._checks)
        if self._sessions is None:
            return log_state
        sessions = _bounded(self._sessions) if self._may_be_too_many else self._sessions
        gone = () if sessions is self._sessions else self._sessions.keys() - sessions.keys()
        forgotten = sum(self._sessions[one].is_open for one in gone if one not in self._brought)
        intake, sweep = log_state.intake, log_state.sweep
        if forgotten:
            intake = replace(intake, forgotten=intake.forgotten + forgotten)
            sweep = sweep or WorldSweep()
        return replace(log_state, sessions=sessions, intake=intake, sweep=sweep)


def _state_of(session: WorldSession) -> tuple[AgentStatus, datetime | None, LogText]:
    return session.status, session.answered_at, session.asks


def _bounded(sessions: dict[str, WorldSession]) -> dict[str, WorldSession]:
    """Leave out those that were silent for longest where there are too many.

    Those that wait for nothing any more go first, then those of the file, then those of whoever has most: no client can
    crowd out another's, or the hub's own, by beginning ten thousand.
    """
    if len(sessions) <= ENDED_MAX:
        return sessions
    ended = [one.id for one in sessions.values() if one.status is AgentStatus.VERIFIED]
    opened = [one for one in sessions.values() if one.is_open and not _is_asked_about(one)]
    too_many = max(0, len(opened) - OPEN_MAX)
    held = Counter(one.owner for one in opened) if too_many else Counter[str]()
    owners = sorted(held, key=lambda owner: (owner != "", owner == HUB, -held[owner]))
    left = (one.id for one in opened if one.left_at is not None)
    others = (one.id for owner in owners for one in opened if one.owner == owner and one.left_at is None)
    silent = islice(chain(left, others), too_many)
    gone = {*ended[: max(0, len(ended) - ENDED_MAX)], *silent}
    return {name: one for name, one in sessions.items() if name not in gone} if gone else sessions


def _is_asked_about(session: WorldSession) -> bool:
    """Say whether a card waits for an answer to it; they are few, and its answer has to find it."""
    return session.question is not None and bool(session.question.card_id)
