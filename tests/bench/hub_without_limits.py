"""`pulse`, with no limit to how often an agent may ask in a minute: what is measured there is not that limit."""

from hub.cli import main
from hub.loop import asks

ENOUGH = 1_000_000


if __name__ == "__main__":
    asks.ASKED_PER_SESSION_MAX = asks.ASKED_PER_CLIENT_MAX = asks.ASKED_MAX = ENOUGH
    main()
