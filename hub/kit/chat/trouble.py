"""How a chat's process says what keeps it from its work; the hub shows it until it is over."""

from hub.kit.trouble import ServiceTrouble

GOES_ON = "Messages and answers continue as soon as it works again."


def chat_trouble() -> ServiceTrouble:
    """Return a `ServiceTrouble` with what every chat says to do."""
    return ServiceTrouble(GOES_ON)
