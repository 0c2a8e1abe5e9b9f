"""The asyncio shell: bounded inbox, one transaction per batch, one branch per command."""

from hub.runner.hear import MqttInbound
from hub.runner.hub import Hub
from hub.runner.look import SensorReader
from hub.runner.runs import AgentRuns

__all__ = ["MqttInbound", "Hub", "SensorReader", "AgentRuns"]
