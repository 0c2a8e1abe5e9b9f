"""The asyncio shell: bounded inbox, one transaction per batch, one branch per command."""

from hub.runner.announcer import ChangeAnnouncer
from hub.runner.habit_trainer import HabitTrainer
from hub.runner.hub import Hub
from hub.runner.model_calls import ModelCalls
from hub.runner.model_trainer import ModelTrainer
from hub.runner.mqtt_inbound import MqttInbound
from hub.runner.process_watcher import ProcessWatcher
from hub.runner.run_questions import RunQuestions
from hub.runner.runs import AgentRuns
from hub.runner.sensor_reader import SensorReader
from hub.runner.surface_watch import SurfaceWatch
from hub.runner.world_keeper import WorldKeeper

__all__ = [
    "AgentRuns",
    "ChangeAnnouncer",
    "HabitTrainer",
    "Hub",
    "ModelCalls",
    "ModelTrainer",
    "MqttInbound",
    "ProcessWatcher",
    "RunQuestions",
    "SensorReader",
    "SurfaceWatch",
    "WorldKeeper",
]
