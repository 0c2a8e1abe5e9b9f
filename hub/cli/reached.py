"""The one line that says which surfaces do not reach the person now, and below it each with what to do."""

from hub.cli.draw import until_moment
from hub.contract.api import ReachStatus, Unreached
from hub.domain.lookalikes import reveal
from hub.kit.called import as_called


def reach_lines(reach: ReachStatus | None) -> list[str]:
    """Return the line, and one for each device that is named there; nothing while the person is reached everywhere."""
    if reach is None or not reach.line:
        return []
    named = [device for device in reach.unreached if reach.nobody or not device.absent]
    lines = [f"{device.title}: {reason(device)}. {as_called(device.fix)}".strip() for device in named]
    return [reveal(as_called(reach.line)), *map(reveal, lines)]


def reason(one: Unreached) -> str:
    """Return why nothing arrives on a device, and since when."""
    return one.why if one.since is None else f"{one.why} (since {until_moment(one.since)})"
