"""How the shell itself is: its link to the broker, and its loop."""

from hub.contract.api import HealthPart
from hub.kit.mqtt.messages import LinkHealth


def own_health(bus: LinkHealth, trouble: str) -> tuple[HealthPart, HealthPart]:
    """Say how the link is, and the loop; `trouble` is a bug, or why a batch was not taken."""
    broker = HealthPart(
        name="broker",
        status="ok" if bus.connected else "degraded",
        detail=f"{bus.broker}: {bus.detail}" if bus.detail else bus.broker,
        since=bus.since,
    )
    return broker, HealthPart(name="loop", status="degraded" if trouble else "ok", detail=trouble)
