"""Sessions as their lines make them: one line and what was known before give what is known now (WORLD 1).

Theory: the fold is total. A line of another session, a fact, a remark leave a session as it is; a status that cannot
follow is counted and changes nothing else; what cannot begin a session (`finish`, `retry`) is not known. It takes the
time of a line only as far as it can be true: never after the line was taken in, never before the line that came before.
"""

from datetime import datetime, timedelta

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.world import NO_TEXT, AgentLine, WorldEvent, WorldLine, WorldSession
from hub.domain.world_lines import USER_SOURCE, folder_of, process_of, session_of, wait_of
from hub.domain.world_states import may_follow

CLOCKS_DIFFER_MAX = timedelta(minutes=5)
"""By so much the clocks of two writers may differ, or two writers overtake each other, before a time is called odd."""
OUTCOMES = frozenset({AgentStatus.VERIFIED, AgentStatus.RETRY, AgentStatus.FAILED})
KEPT_CHARS_MAX = 2_048
"""What a session keeps of each text; the log keeps all of it. So many sessions fit into memory, whoever writes them."""


def session_after(
    session: WorldSession | None, line: WorldLine, seen_at: datetime, *, proven: bool = False
) -> WorldSession | None:
    """Return a session after one line more; the very same object where the line changes nothing.

    Args:
        session: what was known of it; None if nothing was.
        line: any line of the log.
        seen_at: when the line was taken in, in UTC; it is the time of a line that has none.
        proven: whether the line is known to be the session's own or the hub's.
    """
    if session is not None and session_of(line) != session.id:
        return session
    if isinstance(line, AgentLine):
        return _moved(session, line, seen_at, proven=proven)
    if isinstance(line, WorldEvent) and session is not None:
        return _told(session, line, seen_at, proven=proven)
    return session


def _moved(session: WorldSession | None, line: AgentLine, seen_at: datetime, *, proven: bool) -> WorldSession | None:
    if session is None:
        return _begun(line, seen_at, proven=proven) if may_follow(None, line.status) else None
    if not may_follow(session.status, line.status):
        return replace(session, refused=session.refused + 1, refused_status=line.status)
    heard = _heard(session, line.at, seen_at)
    moved = replace(
        heard,
        status=line.status,
        moved_at=session.moved_at if line.status is session.status else heard.heard_at,
        said=_kept(line.text) or session.said,
        proven=session.proven and proven,
        left_at=session.left_at if line.status is session.status else None,
        checked_by="" if line.status in OUTCOMES else session.checked_by,  # whoever knows says so anew
    )
    return _with_meaning(session, moved, line)


def _with_meaning(before: WorldSession, moved: WorldSession, line: AgentLine) -> WorldSession:
    """Add what two of the statuses mean beside the move: a retry is a try more, a failure a question to a person."""
    if line.status is AgentStatus.RETRY:
        tries = 1 if before.answered_at is not None else before.tries + 1
        answer = NO_TEXT if before.answered_at is None else before.answer  # whoever waits for it reads it now
        asked = replace(moved, asks=NO_TEXT, answer=answer, answered_at=None)
        return replace(asked, tries=tries, retries=before.retries + 1, process=None)  # the next try has one of its own
    if line.status is AgentStatus.FAILED:
        return replace(moved, asks=_kept(line.need) or before.asks, answer=NO_TEXT, answered_at=None)
    return moved


def _begun(line: AgentLine, seen_at: datetime, *, proven: bool) -> WorldSession:
    at = seen_at if line.at is None else min(line.at, seen_at)
    is_stuck = line.status is AgentStatus.FAILED
    return WorldSession(
        id=line.session,
        status=line.status,
        task=_kept(line.text),
        need=NO_TEXT if is_stuck else _kept(line.need),
        asks=_kept(line.need) if is_stuck else NO_TEXT,
        said=_kept(line.text),
        started_at=at,
        moved_at=at,
        heard_at=at,
        odd_at=_odd(line.at, seen_at, None),
        proven=proven,
    )


def _told(session: WorldSession, event: WorldEvent, seen_at: datetime, *, proven: bool) -> WorldSession:
    """A person answered, or where it works is named; who could not prove theirs cannot name that of one that could."""
    if event.source == USER_SOURCE:
        heard = _heard(session, event.at, seen_at)
        if session.status is not AgentStatus.FAILED:
            return heard
        return replace(heard, answer=_kept(event.text), answered_at=heard.heard_at)
    process, folder, wait_s = process_of(event), folder_of(event), wait_of(event)
    if (process is None and not folder and wait_s is None) or (session.proven and not proven):
        return session
    heard = _heard(session, event.at, seen_at)
    wait_s = session.wait_s if wait_s is None else wait_s
    return replace(heard, process=process or session.process, folder=folder or session.folder, wait_s=wait_s)


def _heard(session: WorldSession, claimed: datetime | None, seen_at: datetime) -> WorldSession:
    at = seen_at if claimed is None else min(claimed, seen_at)
    odd_at = _odd(claimed, seen_at, session.heard_at) or session.odd_at
    return replace(session, heard_at=max(at, session.heard_at), odd_at=odd_at)


def _kept(text: LogText) -> LogText:
    return text.map(lambda words: words[:KEPT_CHARS_MAX])


def _odd(claimed: datetime | None, seen_at: datetime, before: datetime | None) -> datetime | None:
    if claimed is None:
        return None
    is_ahead = claimed - seen_at > CLOCKS_DIFFER_MAX
    is_behind = before is not None and before - claimed > CLOCKS_DIFFER_MAX
    return claimed if is_ahead or is_behind else None
