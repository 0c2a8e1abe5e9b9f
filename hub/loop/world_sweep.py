"""Sessions that the loop does not remember are looked after in turn: a page of the store's at each look.

Theory: ten thousand open sessions are remembered; of more, the ones that were silent for longest make room. They are in
the store, and none must be forgotten because others talk more. So at each look a page of them is taken up, judged as
all others, and remembered where there is room, or once it has a question; the rest make room again. The pages go down
by when a session was last heard of, and begin anew at the end, until a whole round finds none that was not remembered.
"""

from msgspec.structs import replace

from hub.contract.world import AgentStatus
from hub.domain.world_log_state import OPEN_MAX, WorldLogState, WorldSweep
from hub.loop.draft import Draft

SWEPT_MAX = 2_000
"""So many stored sessions are looked through at each look."""


def begun(log_state: WorldLogState) -> WorldLogState:
    """After a start: there may be more in the store than were read."""
    is_full = sum(one.is_open for one in log_state.sessions.values()) >= OPEN_MAX
    return replace(log_state, sweep=WorldSweep() if is_full else None)


def take_up(draft: Draft) -> None:
    """Take up those of the page that wait for something and are not remembered; go on with the next page."""
    page, sweep = draft.facts.swept, draft.state.world.sweep
    if page is None or sweep is None:
        return
    known = draft.world.sessions
    back = [one for one in page if one.id not in known and one.is_watched and one.left_at is None]
    draft.world.bring(back)
    draft.world.has_room |= any(one.question is not None for one in back)  # theirs may have waited for room meanwhile
    found = sweep.found or bool(back)
    if len(page) >= SWEPT_MAX:
        last = page[-1]
        following: WorldSweep | None = WorldSweep(before=(last.heard_at, last.id), found=found)
    else:
        following = WorldSweep() if found else None
    draft.state = replace(draft.state, world=replace(draft.state.world, sweep=following))


OPEN = tuple(status for status in AgentStatus if status is not AgentStatus.VERIFIED)
"""The statuses of which the pages are."""
