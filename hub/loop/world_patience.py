"""What a person's patience does to the time-outs of a session: it is told of later, as if nobody had been told."""

from datetime import datetime

from msgspec.structs import replace

from hub.domain.world import WorldSession
from hub.loop.draft import Draft
from hub.loop.world import known
from hub.verify.world_timeouts import stay_of


def wait_on(draft: Draft, session: WorldSession, *, until: datetime | None = None) -> None:
    """Count a session's time anew from now, or from `until`: the person said to wait, or spoke to it."""
    session = known(draft, session.id) or session
    times = 0 if until is None else stay_of(session).times
    draft.world.put(replace(session, watch=replace(stay_of(session), times=times, at=until or draft.now)))
