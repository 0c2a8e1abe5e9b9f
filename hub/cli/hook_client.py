"""What an agent's hook starts: it hands what the agent said to the hub, and prints what the hub answers.

An agent waits for this program at every step it takes, so it imports next to nothing: no package of ours, and of the
standard library not even `socket` or `json`, which would cost more than all the rest (docs/adr/0068). It is run by its
path, as `python -I -S hook_client.py DIALECT HOME [OPTION …]`, and knows no dialect: the hub reads and writes them all.

Nobody there, a refusal or an answer that ends in the middle: by default it says nothing and the agent goes on as if
there were no hook; with `--closed` it ends with status 2, which every agent takes for a no. It is ended by SIGTERM when
the agent's own dialog was answered; the hub sees the connection close and takes its question back.
"""

import _socket
import sys
from _socket import AF_UNIX, SOCK_STREAM, SOL_SOCKET, socket
from posix import environ, geteuid, getppid, urandom
from time import monotonic, sleep

INPUT_BYTES_MAX = 33_554_432
"""Of a longer input nothing is handed on; agents cut what they read long before."""
PASSED_BYTES_MAX = 49_152
"""A longer input is shortened first; the hub takes bodies up to 64 KiB."""
ANSWER_BYTES_MAX = 1_048_576
CHUNK_BYTES = 65_536
CONNECT_S = 2.0
LOOK_UP_S, TICK_S = 0.5, 0.01
"""How often it looks whether the agent is still there, and the least that is waited."""
AGAIN_EVERY_S, AGAIN_TIMES = 0.5, 60
"""A hub that was there and went away is looked for again so often: it may just be starting anew."""
EXIT_BLOCKED = 2
HEAD = (
    b"POST /api/v1/hooks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Idempotency-Key: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
)
STOPPING = b"HTTP/1.1 503 "
"""How an answer begins that says that the hub is being stopped; it may just be starting anew."""
TRUTH = {True: b"true", False: b"false"}
UCRED_BYTES, UID_FIRST, UID_END = 12, 4, 8
"""struct ucred of unix(7): process, user, group, four bytes each."""


class HubGone(Exception):  # noqa: N818  not an error of this program: nobody is there who could answer
    """The hub does not answer; `was_there` says that it began to listen."""

    def __init__(self, why: str, *, was_there: bool = False) -> None:
        super().__init__(why)
        self.was_there = was_there


def main(arguments: list[str]) -> int:
    """Ask once, or again after the hub came back; return the exit status that the agent reads."""
    dialect, home, *options = arguments
    given = sys.stdin.buffer.read(INPUT_BYTES_MAX + 1)
    key = urandom(12).hex()
    try:
        return _told(_ask(home, _request(dialect, given, key), options))
    except HubGone as error:
        if "--closed" not in options:
            return 0
        sys.stderr.write(f"Pulse could not be asked, so this was refused: {error} Start it: pulse up\n")
        return EXIT_BLOCKED


def _request(dialect: str, given: bytes, key: str) -> bytes:
    if len(given) > INPUT_BYTES_MAX:
        raise HubGone("What the agent said is too long.")
    shortened = len(given) > PASSED_BYTES_MAX
    if shortened:
        given = _shorten(given)
    said = b'{"dialect":"%s","shortened":%s,"unattended":%s,"input":%s}' % (
        dialect.encode(),
        TRUTH[shortened],
        TRUTH[_is_unattended()],
        given.strip() or b"null",
    )
    return HEAD % (key.encode(), len(said)) + said


def _is_unattended() -> bool:
    """Say whether nobody sits before the agent, so that nobody can be asked there: `claude -p`."""
    attended, entry = environ.get(b"CLAUDE_CODE_SESSION_ATTENDED"), environ.get(b"CLAUDE_CODE_ENTRYPOINT")
    return attended == b"0" or (attended is None and entry == b"sdk-cli")


def _shorten(given: bytes) -> bytes:
    """Leave out what is long; only here it is read, which takes longer than all the rest."""
    sys.path.append(__file__.rpartition("/")[0])
    from hook_shorten import shorten  # type: ignore[import-not-found]  # noqa: PLC0415  by its file, and rarely

    try:
        return bytes(shorten(given, PASSED_BYTES_MAX))
    except ValueError as error:
        raise HubGone("What the agent said cannot be read.") from error


def _ask(home: str, request: bytes, options: list[str]) -> bytes:
    within_s = next((float(one.partition("=")[2]) for one in options if one.startswith("--within=")), None)
    if _is_unattended():
        within_s = None  # its first answer is its last, so it may have to wait for a person
    was_there = False
    for _ in range(AGAIN_TIMES):
        try:
            return _answer(_place(home), request, within_s)
        except HubGone as error:
            was_there = was_there or error.was_there
            if within_s is not None or not was_there:
                raise
        sleep(AGAIN_EVERY_S)
    raise HubGone("It went away and did not come back.")


def _place(home: str) -> str:
    """Return where the hub listens, from the record that it leaves."""
    try:
        with open(f"{home}/run.json", encoding="utf-8") as record:  # noqa: PTH123  pathlib costs 5 ms
            said = record.read(CHUNK_BYTES)
    except OSError as error:
        raise HubGone("It is not running.") from error
    place = said.partition('"socket":"')[2].partition('"')[0]
    if not place or "\\" in place:
        raise HubGone(f"Its record in {home} does not say where it listens.")
    return place


def _answer(place: str, request: bytes, within_s: float | None) -> bytes:
    line = socket(AF_UNIX, SOCK_STREAM)
    was_there = False
    try:
        line.settimeout(CONNECT_S)
        line.connect(place)
        _require_ours(line)
        was_there = True
        line.sendall(request)
        pieces, size = [], 0
        while piece := _more(line, within_s):
            pieces.append(piece)
            size += len(piece)
            if size > ANSWER_BYTES_MAX:
                raise HubGone("Its answer is too long.")
    except OSError as error:
        raise HubGone("It does not answer.", was_there=was_there) from error
    finally:
        line.close()
    if not pieces or (pieces[0].startswith(STOPPING) and b'"stopping"' in b"".join(pieces)):
        raise HubGone("It went away.", was_there=True)
    return b"".join(pieces)


def _more(line: socket, within_s: float | None) -> bytes:
    """Return what comes next; ends with the agent, which may be killed and leave its hook behind."""
    agent, gives_up_at = getppid(), None if within_s is None else monotonic() + within_s
    while gives_up_at is None or monotonic() < gives_up_at:
        line.settimeout(LOOK_UP_S if gives_up_at is None else max(min(LOOK_UP_S, gives_up_at - monotonic()), TICK_S))
        try:
            return line.recv(CHUNK_BYTES)
        except TimeoutError:
            if getppid() != agent:
                raise SystemExit(0) from None
    raise HubGone("It takes too long.")


def _require_ours(line: socket) -> None:
    """Tell nobody what an agent does who is not this person; elsewhere than on Linux the folder's owner must do."""
    if sys.platform != "linux":
        return
    credentials = line.getsockopt(SOL_SOCKET, _socket.SO_PEERCRED, UCRED_BYTES)
    if int.from_bytes(credentials[UID_FIRST:UID_END], sys.byteorder) != geteuid():
        raise HubGone("Another user listens there.")


def _told(answer: bytes) -> int:
    """Print what the hub said in the agent's dialect; return the status that goes with it."""
    head, found, body = answer.partition(b"\r\n\r\n")
    headers = head.lower().split(b"\r\n")
    if not found or b" 200" not in headers[0][:13]:
        raise HubGone("It refused to answer.")
    length = next((one.partition(b":")[2] for one in headers if one.startswith(b"content-length:")), b"")
    if not length.strip().isdigit() or len(body) != int(length):
        raise HubGone("Its answer ended in the middle.", was_there=True)
    status = next((one.partition(b":")[2] for one in headers if one.startswith(b"pulse-exit:")), b"0")
    stream = sys.stderr if int(status) else sys.stdout
    stream.write(body.decode())
    stream.flush()
    return int(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
