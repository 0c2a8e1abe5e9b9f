"""The asyncio shell: bounded inbox, one transaction per batch, one branch per command."""

from hub.runner.hear import Ear
from hub.runner.hub import Hub
from hub.runner.look import Lookout
from hub.runner.runs import Runs

__all__ = ["Ear", "Hub", "Lookout", "Runs"]
