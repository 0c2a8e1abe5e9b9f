"""`pulse tail`: events as they happen, over the WebSocket."""

import contextlib
import time

import click
import msgspec
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from hub.cli.api import not_running, open_api
from hub.cli.command import Here, command
from hub.domain.lookalikes import reveal
from hub.errors import WorldError

PATH = "/pulse"
OPEN_S_MAX = 10.0
EVENT_BYTES_MAX = 1_048_576
LINE_CHARS_MAX = 500


class TailEndedError(WorldError):
    """Pulse ended the stream of events. It was stopped, or we read too slowly."""

    code = "stream-ended"


@command()
@click.option("--count", type=click.IntRange(1), help="Stop after so many events.")
@click.pass_obj
def tail(here: Here, count: int | None) -> None:
    """Print events as they happen, until Ctrl-C.

    With --json: one event per line, as the WebSocket /pulse sends it.
    """
    api = open_api(here.home)
    url = "ws" + api.address.removeprefix("http") + PATH
    headers = {"Authorization": f"Bearer {api.token}"}
    try:
        socket = connect(url, additional_headers=headers, open_timeout=OPEN_S_MAX, max_size=EVENT_BYTES_MAX, proxy=None)
    except (OSError, WebSocketException) as error:
        raise not_running(here.home, f"{url}: {error}.") from error
    shown = 0
    with socket, contextlib.suppress(KeyboardInterrupt):
        socket.send('{"type": "subscribe", "channels": ["crosspoll"]}')
        try:
            for message in socket:
                shown += _show(here, str(message))
                if shown == count:
                    return
        except ConnectionClosed as error:
            raise TailEndedError(fix="`pulse status` tells whether Pulse still runs.") from error
        raise TailEndedError(fix="`pulse status` tells whether Pulse still runs.")


def _show(here: Here, message: str) -> int:
    """Print one event; anything else that the hub says to a client is not one."""
    event = msgspec.json.decode(message)
    if not isinstance(event, dict) or "seq" not in event or "." not in str(event.get("type", "")):
        return 0
    if here.as_json:
        click.echo(message)
        return 1
    found = event.get("prediction")
    card = found if isinstance(found, dict) else {}
    said = [card.get("id") or event.get("predictionId") or "", *_words(event, card)]
    text = reveal(" ".join("  ".join(str(part) for part in said if part).split("\n")))[:LINE_CHARS_MAX]
    kind = click.style(f"{event['type']:<20}", fg="cyan")
    click.echo(f"{time.strftime('%H:%M:%S')}  {kind}  {text}", color=here.colours)
    return 1


def _words(event: dict[str, object], card: dict[str, object]) -> list[object]:
    named = [event[name] for name in ("line", "result", "error", "reason", "window") if event.get(name)]
    status = event.get("status")
    state = [status.get("state"), status.get("reason")] if isinstance(status, dict) else []
    return [*named, *state, *([] if event.get("line") else [card.get("prompt")])]
