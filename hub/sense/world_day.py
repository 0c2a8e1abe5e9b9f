"""Who did what on one day: lines of the log to one lane a session (WORLD 1; docs/world.md, "A day").

Theory: each session is folded by the same rule as at any other time (`session_after`), so a day shows what is shown
elsewhere. What the hub knows of a session goes before what the file says: where a line of the file claims another end,
the lane ends as the hub knows it. A line without a time has that of the last line before it that had one, or that began
a session; if its session is known, the hub's own: when it began, came to its status, was last heard. A time that lies
ahead is none.

Anybody can write into the file in the name of Pulse, or of a session that was begun over the wire. The hub knows which
lines it wrote itself; any other that claims such a session's status, or speaks for Pulse or the person about it, is
forged. It is shown as that and moves nothing, and so does a second copy of a line. So does a line of the file that
claims `verified` of whatever session: the hub has not found that out. Of what is older than its own record nobody can
say, and it is taken as it stands.

A lane's spans are cut at the ends of the day. Its pauses follow from them: `failed` waits for an answer until one came,
`finish` to be checked; and while it works, more than `SILENCE` between two of its lines is silence.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import pairwise

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.canonical import visible
from hub.domain.provenance import LogText, untrusted
from hub.domain.world import NO_TEXT, AgentLine, Remark, Unparsed, WorldEvent, WorldLine, WorldSession
from hub.domain.world_day import (
    EVENTS_MAX,
    LANES_MAX,
    PARTS_MAX,
    SILENCE,
    DayBounds,
    DayEvent,
    DayLane,
    DayPause,
    DaySpan,
    PauseKind,
    WorldDay,
)
from hub.domain.world_lines import USER_SOURCE, digest_of, session_of
from hub.domain.world_queries import KnownOwnLines
from hub.domain.world_states import MOVES
from hub.sense.world_sessions import session_after

NOBODY_KNOWS = KnownOwnLines()
"""Where no line is known to be the hub's own, none is known to be forged either."""
_WORKS = frozenset({AgentStatus.START, AgentStatus.ACTIVE, AgentStatus.RETRY, None})
_WAITS: Mapping[AgentStatus | None, PauseKind] = {AgentStatus.FAILED: "answer", AgentStatus.FINISH: "check"}


class _Track:
    """What is gathered of one session while the lines of a day go by."""

    def __init__(self, known: WorldSession | None) -> None:
        self.known = known
        self.session: WorldSession | None = None
        self.moves: list[tuple[datetime, AgentStatus | None, LogText]] = []
        self.heard: list[datetime] = []
        self.answers: list[datetime] = []
        self.events: list[DayEvent] = []

    def take(self, line: AgentLine | WorldEvent, at: datetime, *, about: bool) -> bool:
        """Take in a line of this session; say whether the session is known at all."""
        before = self.session
        at = max(at, before.heard_at) if before else at
        after = session_after(before, replace(line, at=at), at)
        if after is None and isinstance(line, WorldEvent):
            return self._told_before(line, at, about=about)
        if after is None and isinstance(line, AgentLine):
            after = self._joined(line, at)
        if after is None:
            return False
        self.session = after
        if before is not None and after.refused > before.refused and isinstance(line, AgentLine):
            self.events.append(DayEvent(at=at, source="", text=line.text, refused=line.status, about=about))
        elif isinstance(line, AgentLine):
            self._move(at, line.status, line.text)
        else:
            self._tell(line, at, about=about)
        return True

    def forged(self, line: AgentLine | WorldEvent, at: datetime, *, about: bool) -> None:
        """Keep a line that claims to be what it is not; it tells of nothing else."""
        if isinstance(line, AgentLine):
            self.events.append(
                DayEvent(at=at, source="", text=line.text, refused=line.status, about=about, forged=True)
            )
        else:
            self.events.append(replace(_event(line, at, about=about), forged=True))

    def _told_before(self, event: WorldEvent, at: datetime, *, about: bool) -> bool:
        """Keep a fact that stands before the first status: the yes to a run, which says nothing of how the run is."""
        if self.known is not None:
            self._tell(event, at, about=about)
        return self.known is not None

    def _joined(self, line: AgentLine, at: datetime) -> WorldSession | None:
        """Begin with a session of which the hub knows, and whose beginning was not read."""
        if self.known is None:
            return None
        self._move(min(self.known.started_at, at), _before(line.status), NO_TEXT)
        return replace(
            self.known,
            status=line.status,
            said=line.text,
            moved_at=at,
            heard_at=at,
            refused=0,
            answered_at=None,
            retries=0,
        )

    def _move(self, at: datetime, status: AgentStatus | None, said: LogText) -> None:
        self.moves.append((at, status, said))
        self.heard.append(at)

    def _tell(self, event: WorldEvent, at: datetime, *, about: bool) -> None:
        self.heard.append(at)
        if event.source == USER_SOURCE:
            self.answers.append(at)
        self.events.append(_event(event, at, about=about))


def day_of(
    lines: Iterable[WorldLine],
    known: Mapping[str, WorldSession],
    bounds: DayBounds,
    *,
    own: KnownOwnLines = NOBODY_KNOWS,
    search: str = "",
    cut_at: datetime | None = None,
) -> WorldDay:
    """Return one day of the log.

    Args:
        lines: in the order in which they stand, of the day and some from before it.
        known: the sessions that lived on that day, as the hub knows them now, by id.
        bounds: which day, and what time it is.
        own: which of the lines the hub wrote itself.
        search: only sessions and facts in whose words this stands; how it is written does not matter. Empty for all.
        cut_at: before that nothing was read.
    """
    gathered = _Gathered(known, own)
    for line, at, about in _timed(lines, known, bounds):
        gathered.take(line, at, bounds, about=about)
    lanes = [lane for track in gathered.tracks.values() if (lane := _lane(track, bounds)) and _lane_has(lane, search)]
    latest = sorted(lanes, key=lambda lane: lane.session.heard_at)[-LANES_MAX:]
    events = sorted((one for one in gathered.events if _event_has(one, search)), key=lambda one: one.at)
    return WorldDay(
        bounds=bounds,
        lanes=tuple(sorted(latest, key=_beginning)),
        events=tuple(events[-EVENTS_MAX:]),
        lines=gathered.lines,
        unparsed=gathered.unparsed,
        unknown=gathered.unknown,
        undated=gathered.undated,
        more=len(lanes) - len(latest) + max(0, len(events) - EVENTS_MAX),
        cut_at=cut_at,
    )


class _Gathered:
    """What is gathered of a whole day."""

    def __init__(self, known: Mapping[str, WorldSession], own: KnownOwnLines) -> None:
        self._own = own
        self._seen: set[str] = set()
        self.tracks = {session_id: _Track(session) for session_id, session in known.items()}
        self.events: list[DayEvent] = []
        self.lines = self.unparsed = self.unknown = self.undated = 0

    def take(self, line: WorldLine, at: datetime | None, bounds: DayBounds, *, about: bool) -> None:
        """Take in a line; what comes after the day is none of it, what came before only tells where sessions were."""
        if at is None:
            self.undated += not isinstance(line, Remark)
            return
        if at >= bounds.until:
            return
        is_today = at >= bounds.since
        self.lines += is_today
        self.unparsed += is_today and isinstance(line, Unparsed)
        session_id = session_of(line)
        if session_id and isinstance(line, AgentLine | WorldEvent):
            track = self.tracks.setdefault(session_id, _Track(None))
            if self._is_forged(line, at, track.known):
                track.forged(line, at, about=about)
                return
            if track.take(line, at, about=about) or not is_today:
                return
            if isinstance(line, AgentLine):
                self.unknown += 1
                return
        if isinstance(line, WorldEvent) and is_today:  # also your answer to a script's question, which is no session
            self.events.append(_event(line, at, about=about))

    def _is_forged(self, line: AgentLine | WorldEvent, at: datetime, session: WorldSession | None) -> bool:
        """Return True if only the hub could have written a line of this session, and has not."""
        since, is_owned = self._own.since, session is not None and bool(session.owner)
        claims_check = isinstance(line, AgentLine) and line.status is AgentStatus.VERIFIED
        if since is None or not (is_owned or claims_check):
            return False
        if (session.started_at if session is not None and is_owned else at) < since:
            return False
        digest = digest_of(line)
        is_own = digest in self._own.digests and digest not in self._seen
        self._seen.add(digest)
        return not is_own


def _timed(
    lines: Iterable[WorldLine], known: Mapping[str, WorldSession], bounds: DayBounds
) -> Iterator[tuple[WorldLine, datetime | None, bool]]:
    """Yield each line with its time, and whether that is only about right; None where nothing says when it was."""
    last: datetime | None = None
    for line in lines:
        claimed: datetime | None = getattr(line, "at", None)
        if claimed is not None and claimed <= bounds.now:
            last = claimed
            yield line, claimed, False
            continue
        guess = _guessed(line, known.get(session_of(line)))
        if guess is not None and isinstance(line, AgentLine) and line.status is AgentStatus.START:
            last = guess if last is None else max(last, guess)  # what stands behind a beginning came after it
        yield line, guess or last, True


def _guessed(line: WorldLine, session: WorldSession | None) -> datetime | None:
    """Return when the hub took in a line without a time, as far as it still knows."""
    if session is None or not isinstance(line, AgentLine):
        return None
    if line.status is AgentStatus.START:
        return session.started_at
    if line.status is session.status and line.text == session.said:
        return session.heard_at if line.status is AgentStatus.ACTIVE else session.moved_at
    return None


def _lane(track: _Track, bounds: DayBounds) -> DayLane | None:
    """Return a session's lane; None where it did not live on that day."""
    session = _as_known(track)
    if session is None:
        return None
    whole = list(_spans(track.moves, session, bounds.end))
    spans = tuple(cut for span in whole if (cut := _cut(span, bounds)))
    events = tuple(one for one in track.events if bounds.since <= one.at < bounds.until)
    if not spans and not events:
        return None
    pauses = (*_waits(whole, track.answers, bounds), *_silences(whole, track.heard, bounds))
    return DayLane(
        session=session,
        spans=spans[-PARTS_MAX:],
        pauses=tuple(sorted(pauses, key=lambda one: one.begin))[-PARTS_MAX:],
        events=events[-PARTS_MAX:],
        more=max(0, len(spans) - PARTS_MAX) + max(0, len(events) - PARTS_MAX),
    )


def _as_known(track: _Track) -> WorldSession | None:
    """Return the session as the lines and the hub have it at the day's end, and let its moves end so, too."""
    known, told = track.known, track.session
    if known is None:
        return told
    if told is None:
        track.moves = [(known.started_at, _before(known.status), NO_TEXT), (known.moved_at, known.status, known.said)]
        track.heard = [known.started_at, known.moved_at, known.heard_at]
        return known
    if told.status is not known.status and known.moved_at <= max(told.heard_at, known.heard_at):
        track.moves = [one for one in track.moves if one[0] < known.moved_at]
        track.moves.append((known.moved_at, known.status, known.said))
        return known
    if known.owner:  # what it is to do was said once, and is known
        told = replace(told, task=known.task, need=known.need)
    told = replace(told, left_at=known.left_at if told.status is known.status else None)
    return replace(told, proven=known.proven, agent=known.agent, owner=known.owner, checked_by=known.checked_by)


def _spans(
    moves: list[tuple[datetime, AgentStatus | None, LogText]], session: WorldSession, end: datetime
) -> Iterator[DaySpan]:
    """Yield how it was from each move to the next, and since the last; what is said again goes on with its span."""
    held: DaySpan | None = None
    for at, status, said in moves:
        if held is not None and held.status is status:
            held = replace(held, said=said or held.said)
            continue
        if held is not None and at >= held.begin:
            yield replace(held, end=at)
        held = DaySpan(status=status, begin=at, end=at, said=said)
    if held is not None:
        over = session.left_at if session.left_at and held.status in _WAITS else end
        is_over = held.status is AgentStatus.VERIFIED
        yield replace(held, end=held.begin if is_over else max(held.begin, over))


def _cut(span: DaySpan, bounds: DayBounds) -> DaySpan | None:
    if span.begin >= bounds.until or span.begin > bounds.end or span.end < bounds.since:
        return None
    if span.begin < span.end == bounds.since:
        return None
    return replace(span, begin=max(span.begin, bounds.since), end=max(bounds.since, min(span.end, bounds.end)))


def _waits(spans: list[DaySpan], answers: list[datetime], bounds: DayBounds) -> Iterator[DayPause]:
    for span in spans:
        kind = _WAITS.get(span.status)
        if kind is None:
            continue
        answered = min((at for at in answers if span.begin <= at <= span.end), default=None)
        end = answered if kind == "answer" and answered else span.end
        is_open = span is spans[-1] and end == bounds.end == bounds.now
        pause = _pause(kind, span.begin, end, bounds, is_open=is_open)
        if pause is not None:
            yield pause


def _silences(spans: list[DaySpan], heard: list[datetime], bounds: DayBounds) -> Iterator[DayPause]:
    """Yield where it worked and nothing was heard for too long."""
    for span in spans:
        if span.status not in _WORKS:
            continue
        times = [span.begin, *sorted(at for at in heard if span.begin < at < span.end), span.end]
        for begin, end in pairwise(times):
            if end - begin > SILENCE:
                is_open = span is spans[-1] and end == bounds.end == bounds.now
                pause = _pause("silence", begin, end, bounds, is_open=is_open)
                if pause is not None:
                    yield pause


def _pause(kind: PauseKind, begin: datetime, end: datetime, bounds: DayBounds, *, is_open: bool) -> DayPause | None:
    begin, end = max(begin, bounds.since), min(end, bounds.end)
    return DayPause(kind=kind, begin=begin, end=end, is_open=is_open) if begin < end else None


def _event(event: WorldEvent, at: datetime, *, about: bool) -> DayEvent:
    return DayEvent(at=at, source=event.source, identifier=event.identifier, text=event.text, about=about)


def _beginning(lane: DayLane) -> tuple[datetime, str]:
    return (lane.spans[0].begin if lane.spans else lane.session.heard_at, lane.session.id)


def _before(status: AgentStatus) -> AgentStatus | None:
    """Return the one status that leads to this one; None where there are several, or none."""
    found = {before for before, after in MOVES if after is status and before is not after}
    return found.pop() if len(found) == 1 else None


def _lane_has(lane: DayLane, search: str) -> bool:
    session = lane.session
    texts = (session.task, session.need, session.said, session.asks, *(span.said for span in lane.spans))
    return (
        _has(search, session.id, session.agent)
        or _has(search, *map(untrusted, texts))
        or any(_event_has(one, search) for one in lane.events)
    )


def _event_has(event: DayEvent, search: str) -> bool:
    return _has(search, event.source, untrusted(event.identifier), untrusted(event.text))


def _has(search: str, *texts: str) -> bool:
    """Return True if it stands in one of the texts as they are shown: what is masked there is not found either."""
    wanted = search.casefold()
    return not wanted or any(wanted in visible(text).casefold() for text in texts)
