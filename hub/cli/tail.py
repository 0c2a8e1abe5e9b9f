"""`pulse tail`: events as they happen, over the WebSocket; after a lost connection it goes on where it was.

Events are numbered in a feed. A feed ends with its hub, so after a restart the new one is read from its beginning.
"""

import contextlib
import random
import time
from typing import Final

import click
import msgspec
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, unix_connect

from hub.cli.api import connect_to, not_running, open_api
from hub.cli.command import CommandContext, command
from hub.contract.errors import WorldError
from hub.contract.live import Subscribe
from hub.domain.lookalikes import reveal
from hub.kit.backoff import RetryPolicy, retry_delay_s
from hub.kit.hub_api import HOST, NotRunningError

PATH = "/pulse"
OPEN_S_MAX = 10.0
EVENT_BYTES_MAX = 1_048_576
LINE_CHARS_MAX = 500
RETRY: Final = RetryPolicy(base_s=1.0, cap_s=10.0)
AWAY_S_MAX = 600.0
"""A hub that is away for longer is given up."""
SIGNED_OUT = 1008


class TailEndedError(WorldError):
    """Pulse ended the event stream and did not come back. It was stopped, or this command's access was revoked."""

    code = "stream-ended"


@command()
@click.option("--count", type=click.IntRange(1), help="Stop after this many events.")
@click.pass_obj
def tail(context: CommandContext, count: int | None) -> None:
    """Print events as they happen, until Ctrl-C.

    If Pulse restarts, it waits up to ten minutes and continues. With --json: one event per line, as the
    WebSocket /pulse sends it.
    """
    follower = Follower(context, count)
    with contextlib.suppress(KeyboardInterrupt):
        socket = follower.connect()
        while follower.follow(socket):
            socket = follower.connect_again()


class Follower:
    """One `pulse tail`, over as many connections as it takes. `feed` and `seq` are the place that it has got to."""

    def __init__(self, context: CommandContext, count: int | None) -> None:
        self._here = context
        self._count = count
        self._shown = 0
        self._feed = ""
        self._seq = 0

    def connect(self) -> ClientConnection:
        """Connect to the hub that runs now.

        Raises:
            NotRunningError: there is none.
        """
        api = open_api(self._here.home)
        try:
            opened = connect_to(api.record, OPEN_S_MAX)
            return unix_connect(
                uri=f"ws://{HOST}{PATH}", sock=opened, open_timeout=OPEN_S_MAX, max_size=EVENT_BYTES_MAX, proxy=None
            )
        except (OSError, WebSocketException) as error:
            raise not_running(self._here.home, f"{api.record.socket}: {error}.") from error

    def connect_again(self) -> ClientConnection:
        """Try until the hub is back.

        Raises:
            TailEndedError: it was away for too long.
        """
        self._note(f"the connection to Pulse has ended; trying again for {AWAY_S_MAX / 60:.0f} minutes")
        deadline_s, attempt = time.monotonic() + AWAY_S_MAX, 0
        while time.monotonic() < deadline_s:
            time.sleep(retry_delay_s(attempt, RETRY, random.random))
            with contextlib.suppress(NotRunningError):
                return self.connect()
            attempt += 1
        raise TailEndedError(fix="`pulse status` shows whether Pulse is running.")

    def follow(self, socket: ClientConnection) -> bool:
        """Print what comes over one connection; False when that was enough, True when the connection has ended.

        Raises:
            TailEndedError: the hub does not take us any more.
        """
        with socket:
            try:
                for message in socket:
                    self._take(socket, str(message))
                    if self._shown == self._count:
                        return False
            except ConnectionClosed:
                pass  # why is asked below, also where it was closed in good order
            if socket.close_code == SIGNED_OUT:
                raise TailEndedError("This command's access was revoked.", fix="See `pulse status`.")
        return True

    def _take(self, socket: ClientConnection, message: str) -> None:
        said = msgspec.json.decode(message)
        if not isinstance(said, dict):
            return
        match said.get("type"):
            case "hello":
                self._subscribe(socket, str(said["feed"]), int(said["seq"]))
            case "subscribed" if said["replayed"]:
                self._note(f"{said['replayed']} missed events follow")
            case "resync":
                self._note(f"events were missed: {said['reason']}")
                self._seq = int(said["seq"])
            case kind if "seq" in said and "." in str(kind):
                self._seq = int(said["seq"])
                self._show(said, message)

    def _subscribe(self, socket: ClientConnection, feed: str, seq: int) -> None:
        """Begin now at first; go on in the feed that was being read; read one that began meanwhile from its start."""
        if not self._feed:
            self._seq = seq
        elif feed != self._feed:
            self._seq = 0
        if self._feed:
            self._note("connected again" if feed == self._feed else "connected again; Pulse was restarted")
        self._feed = feed
        asked = Subscribe(since=self._seq, feed=feed)
        socket.send(msgspec.json.encode(asked).decode())

    def _note(self, text: str) -> None:
        click.echo(click.style(f"pulse: {text}", dim=True), err=True, color=self._here.colours)

    def _show(self, event: dict[str, object], message: str) -> None:
        self._shown += 1
        if self._here.as_json:
            click.echo(message)
            return
        found = event.get("prediction")
        card = found if isinstance(found, dict) else {}
        said = [card.get("id") or event.get("predictionId") or "", *_words(event, card)]
        text = reveal(" ".join("  ".join(str(part) for part in said if part).split("\n")))[:LINE_CHARS_MAX]
        kind = click.style(f"{event['type']:<20}", fg="cyan")
        click.echo(f"{time.strftime('%H:%M:%S')}  {kind}  {text}", color=self._here.colours)


def _words(event: dict[str, object], card: dict[str, object]) -> list[object]:
    named = [event[name] for name in ("line", "result", "error", "reason", "window") if event.get(name)]
    status = event.get("status")
    state = [status.get("state"), status.get("reason")] if isinstance(status, dict) else []
    return [*named, *state, *([] if event.get("line") else [card.get("prompt")])]
