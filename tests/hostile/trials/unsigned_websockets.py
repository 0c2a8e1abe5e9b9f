"""WebSockets that never sign in: others still come in, and hear what happens."""

import asyncio

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from tests.hostile.trial import Outcome, Trial
from tests.hostile.trials._flooded_hub import Flooded, flooded_hub, strangers
from tests.hostile.trials.idle_strangers import ask, shown, unanswered

SIGNED_IN = 20
HELLO_S_MAX = 5.0


def run(attempts: int) -> Outcome:
    """Let strangers open sockets and say nothing; sign in beside them."""
    with flooded_hub() as target:
        before_mb = target.rss_mb()
        with strangers(target, "socket", attempts):
            heard = asyncio.run(greeted(target))
            kept, fresh = ask(target, attempts)
            grown_mb = target.rss_mb() - before_mb
    refused = SIGNED_IN - heard + unanswered(kept, fresh)
    figures = {
        "signed-in sockets": f"{heard} of {SIGNED_IN}",
        **shown(kept, fresh),
        "memory": f"{grown_mb:+.0f} MB",
    }
    return Outcome(attempts=attempts, got_through=refused, figures=figures)


async def greeted(target: Flooded) -> int:
    """Return how many signed-in sockets are greeted."""
    headers = {"Authorization": f"Bearer {target.token}"}
    heard = 0
    for _ in range(SIGNED_IN):
        try:
            address = f"ws://{target.host}:{target.port}/pulse"
            async with connect(address, additional_headers=headers, proxy=None, open_timeout=HELLO_S_MAX) as socket:
                heard += "hello" in str(await socket.recv())
        except (OSError, TimeoutError, InvalidHandshake, WebSocketException):
            continue
    return heard


TRIAL = Trial(
    name="unsigned_websockets",
    promise="WebSockets that do not sign in keep no other out",
    run=run,
    short=150,
    long=3_000,
)
