"""How much one client may say in an hour: a log has a length, and nobody's lines are to push out everybody's.

The log and what was put aside of it have 4 GiB. Programs on this machine are not counted: they can write the file.
Counts are memory of the loop's, and begin anew with it.
"""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.errors import UserError
from hub.domain.world_lines import write_line
from hub.domain.world_log_state import SENDERS_MAX, WorldShare
from hub.domain.world_requests import SayWorld
from hub.loop.draft import Draft

SHARE_BYTES_MAX = 16 * 1024 * 1024
SHARE_OF = timedelta(hours=1)


class WorldShareUsedError(UserError):
    """This client has reached its limit for this hour. Nothing was written; it may continue when the hour is over."""

    code = "world-share-used"
    status = 429


def take_share(draft: Draft, request: SayWorld) -> None:
    """Count a line for its client.

    Raises:
        WorldShareUsedError: it is more than one may say; nothing was counted.
    """
    if request.is_here:
        return
    world, size = draft.state.world, len(write_line(request.line))
    share = world.shares.get(request.client)
    if share is None or not timedelta() <= draft.now - share.since < SHARE_OF:
        share = WorldShare(since=draft.now)
    if share.size_bytes + size > SHARE_BYTES_MAX:
        raise WorldShareUsedError(
            f"{request.client} has said {share.size_bytes // 1024} KiB within an hour.",
            fix="Say less, or name a file with the rest; it may write again an hour after its first line.",
        )
    others = {name: one for name, one in world.shares.items() if name != request.client}
    kept = dict(list(others.items())[-(SENDERS_MAX - 1) :])
    shares = {**kept, request.client: replace(share, size_bytes=share.size_bytes + size)}
    draft.state = replace(draft.state, world=replace(world, shares=shares))
