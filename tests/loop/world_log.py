"""What stands in the world log after a playbook, as its file would have it, without the times."""

import re

from hub.domain.world_lines import write_line
from hub.domain.world_log_state import AddWorldLine
from tests.fakes.world import World

_TIME = re.compile(r"^\[[^\]]*\]")


def logged(world: World) -> list[str]:
    """Return the lines that the hub wrote, in order."""
    written = (write_line(one.out.line).decode() for one in world.changes if isinstance(one, AddWorldLine))
    return [_TIME.sub("", line.rstrip("\n")) for line in written]
