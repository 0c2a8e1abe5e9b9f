"""The mode in which an agent works by its own settings."""

from hub.contract.base import Value


class AgentMode(Value):
    """What an agent said of itself: its name for the mode, empty where it does not say, and where it works."""

    agent: str
    folder: str
    mode: str
