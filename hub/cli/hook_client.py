"""What an agent's hook starts: it hands what the agent said to the hub, and prints what the hub answers.

An agent waits for this program at every step it takes, so it imports next to nothing: no package of ours, and of the
standard library not even `socket` or `json`, which would cost more than all the rest (docs/adr/0068). It is run by its
path, as `python -I -S hook_client.py DIALECT HOME [OPTION …]`, and knows no dialect: the hub reads and writes them all.

What it is given goes on byte for byte, for the hub alone can say what follows where it cannot be read. Only the hub is
believed: the process that wrote `run.json`, whose answer is signed with its key for hooks (docs/adr/0159).

Nobody there, or no answer in time: by default it says nothing and the agent goes on as if there were no hook; with
`--closed` it ends with status 2, which every agent takes for a no. So does what waits before a tool where the hub is
there and refuses, hangs up each time, hangs as long as the agent waits, or holds its home and cannot be reached: else
what fills the hub would let the next tool through; and after the emergency stop, which `$PULSE_HOME` itself tells, so
it holds while the hub hangs or is dead. It is ended by SIGTERM when the agent's own dialog was answered; the hub sees
the connection close and takes its question back.
"""

import _socket
import sys
from _socket import AF_UNIX, SOCK_STREAM, SOL_SOCKET, socket
from binascii import b2a_base64
from posix import O_CLOEXEC, O_NONBLOCK, O_RDONLY, _exit, close, environ, geteuid, getppid, lstat, read, urandom
from posix import open as open_file
from time import monotonic, sleep

if sys.version_info >= (3, 12):
    from _sha2 import sha256
else:
    from _sha256 import sha256  # type: ignore[import-not-found]  # without stubs

INPUT_BYTES_MAX = 33_554_432
"""Of a longer input nothing is handed on; agents cut what they read long before."""
PASSED_BYTES_MAX, PROJECT_BYTES_MAX = 44_000, 4_096
"""A longer input is shortened first; the hub takes bodies up to 64 KiB, and base64 makes four bytes of three."""
ANSWER_BYTES_MAX = 1_048_576
CHUNK_BYTES = 65_536
BEGINNING_BYTES = 4_096
"""Where the hub failed at what it was given, it is told so much of it, cut so that it cannot be read: then it asks."""
CONNECT_S = 2.0
WAIT_S_DEFAULT, ASK_BEFORE_S = 3_600, 2
"""How long an agent waits for a person where its settings do not say, and how much sooner the hub is to answer."""
LEAST_BEFORE_S = 0.5
"""How much sooner it gives up itself at the least: what an agent lets go of is no no to it."""
NEVER = float("inf")
LOOK_UP_S, TICK_S = 0.5, 0.01
"""How often it looks whether the agent is still there, and the least that is waited."""
AGAIN_EVERY_S, AGAIN_TIMES = 0.5, 60
"""A hub that was there and went away is looked for again so often: it may just be restarting."""
WAITS_BEFORE: dict[str, tuple[bytes, ...]] = {
    "claude-code": (b"PreToolUse",),
    "codex": (b"PreToolUse",),
    "copilot": (b"PreToolUse", b"PermissionRequest", b"permissionRequest"),
    "cursor": (b"beforeShellExecution", b"beforeMCPExecution"),
    "gemini": (b"BeforeTool",),
}
"""What each agent calls the step before a tool: all that this program knows of dialects, for where nobody answers."""
EXIT_BLOCKED = 2
EXIT_INTERRUPTED = 130
HEAD = (
    b"POST /api/v1/hooks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Idempotency-Key: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
)
STOPPING = b"HTTP/1.1 503 "
"""How an answer begins that says that the hub is being stopped; it may just be restarting."""
TRUTH = {True: b"true", False: b"false"}
UCRED_BYTES, UID_FIRST, UID_END = 12, 4, 8
"""struct ucred of unix(7): process, user, group, four bytes each."""
STARTED_FIELD = 19
"""Of what stands behind the name in /proc/PID/stat: when the process began."""
PUBLIC_EXPONENT = 65_537
SIGNED_AS = b"\x00\x01%s\x00" + bytes.fromhex("3031300d060960864801650304020105000420")
"""How a SHA-256 digest is signed: EMSA-PKCS1-v1_5, RFC 8017 section 9.2, with the digest behind it."""
DIGEST_BYTES = 32
FILE_TYPE, REGULAR_FILE = 0o170000, 0o100000
HELD = b"Pulse asks a person before this, and its hook did not wait: ask again with the hook's own program.\n"
"""What the hub answers before a tool that is held here until a person has answered, as where nobody else asks."""
STOPPED = "Pulse's emergency stop is on. Only a person can lift it: pulse resume --emergency.\n"
"""What the hub's own refusal says, too (`asking.STOPPED`)."""
START_IT = "Start it: pulse up"
LOOK = "Check it: pulse doctor"


class HubGone(Exception):  # noqa: N818  not an error of this program: nobody is there who could answer
    """The hub does not answer; `was_there` says that it began to listen, `fix` what a person can do.

    `failed`: it is there and refused, or hung up; `is_late`: it is there and takes longer than it may.
    """

    def __init__(
        self,
        why: str,
        *,
        was_there: bool = False,
        fix: str = START_IT,
        failed: bool = False,
        is_late: bool = False,
    ) -> None:
        super().__init__(why)
        self.fix, self.failed = fix, failed
        self.was_there, self.is_late = was_there, is_late


class HubHolds(HubGone):
    """The hub asks a person before this tool, and is to be asked again by who waits for them."""


class HookQuestion:
    """What is asked, with a number that no answer was ever signed for; one that `holds` waits for a person."""

    def __init__(self, dialect: str, given: bytes, options: list[str], *, holds: bool = False) -> None:
        is_long = len(given) > PASSED_BYTES_MAX
        self.key, self.nonce = urandom(12).hex().encode(), urandom(16).hex().encode()
        self.dialect, self.given = dialect.encode(), _shorten(given) if is_long else given
        self.flags = TRUTH[is_long], TRUTH[holds or _is_unattended()]
        project = environ.get(b"CLAUDE_PROJECT_DIR", b"")
        self.project = project if len(project) <= PROJECT_BYTES_MAX else b""
        agent_wait_s = _seconds("--wait=", options)
        self.wait_s = max(1, round(agent_wait_s or WAIT_S_DEFAULT) - ASK_BEFORE_S)
        in_time_s = min(self.wait_s + ASK_BEFORE_S / 2, (agent_wait_s or 0) - LEAST_BEFORE_S)
        self.gives_up_at = NEVER if agent_wait_s is None else monotonic() + in_time_s

    def request(self) -> bytes:
        """Return the whole request."""
        said = b'{"dialect":"%s","shortened":%s,"unattended":%s,"waitS":%d,"nonce":"%s",%b"given":"%s"}' % (
            self.dialect,
            *self.flags,
            self.wait_s,
            self.nonce,
            b'"project":"%s",' % b2a_base64(self.project, newline=False) if self.project else b"",
            b2a_base64(self.given, newline=False),
        )
        return HEAD % (self.key, len(said)) + said

    def is_proven(self, status: bytes, answer: bytes, proof: bytes, modulus: int) -> bool:
        """Return True if the hub with this key answered just this with just that."""
        where = (b"%d" % len(self.project), self.project) if self.project else ()
        named = (b"pulse-hook-2" if where else b"pulse-hook-1", self.nonce, self.dialect, *self.flags, *where)
        signs = (*named, b"%d" % len(self.given), self.given, status, answer)
        size = (modulus.bit_length() + 7) // 8
        head = SIGNED_AS % (b"\xff" * (size - len(SIGNED_AS % b"") - DIGEST_BYTES))
        signed = head + sha256(b"\n".join(signs)).digest()
        return pow(int(proof or b"0", 16), PUBLIC_EXPONENT, modulus) == int.from_bytes(signed, "big")


def main(arguments: list[str]) -> int:
    """Ask once, or again after the hub came back; return the exit status that the agent reads."""
    dialect, home, *options = arguments
    given = sys.stdin.buffer.read(INPUT_BYTES_MAX + 1)
    ends_at = _ends_at(options)
    is_refused = False
    try:
        try:
            return _ask(home, HookQuestion(dialect, given, options), ends_at)
        except HubHolds:
            is_refused = True  # whatever becomes of the hub now, silence is no yes
            return _ask(home, HookQuestion(dialect, given, options, holds=True), None)
        except HubGone as error:
            is_refused = error.failed
            if not is_refused:
                raise
        return _ask(home, HookQuestion(dialect, given.rstrip()[:-1][:BEGINNING_BYTES], options), ends_at)
    except HubGone as error:
        is_before = any(b'"%s"' % one in given for one in WAITS_BEFORE.get(dialect, ()))
        if is_before and _is_stopped(home):
            sys.stderr.write(STOPPED)
            return EXIT_BLOCKED
        is_refused = is_refused or (is_before and not error.was_there and not error.is_late and _is_running(home))
        gave_up = error.is_late and ends_at is None
        if "--closed" not in options and not (is_before and (is_refused or gave_up)):
            return 0
        sys.stderr.write(f"Pulse could not be asked, so this was refused: {error} {error.fix}\n")
        return EXIT_BLOCKED
    except KeyboardInterrupt:  # the person stops the agent, which knows that by itself
        return EXIT_BLOCKED if "--closed" in options else EXIT_INTERRUPTED


def _is_stopped(home: str) -> bool:
    """Return True if the emergency stop is on: a home that was set up is not armed (`hub/io/home/armed.py`)."""
    return _file_type(f"{home}/format") is not None and _file_type(f"{home}/armed") != REGULAR_FILE


def _is_running(home: str) -> bool:
    """Return True if a process holds the home: then the hub is there, though its record, socket or key is not.

    So it may be where the lock is no file, or nobody can open it: Pulse leaves none like that.
    """
    from fcntl import LOCK_NB, LOCK_SH, flock  # noqa: PLC0415  where nobody answers, and rarely

    if (kind := _file_type(f"{home}/lock")) != REGULAR_FILE:
        return kind is not None
    try:
        flock(open_file(f"{home}/lock", O_RDONLY | O_NONBLOCK | O_CLOEXEC), LOCK_SH | LOCK_NB)  # ends with this program
    except OSError:
        return True
    return False


def _file_type(path: str) -> int | None:
    try:
        return lstat(path).st_mode & FILE_TYPE
    except OSError:
        return None


def _is_unattended() -> bool:
    """Return True if nobody sits before the agent, so that nobody can be asked there: `claude -p`."""
    attended, entry = environ.get(b"CLAUDE_CODE_SESSION_ATTENDED"), environ.get(b"CLAUDE_CODE_ENTRYPOINT")
    return attended == b"0" or (attended is None and entry == b"sdk-cli")


def _shorten(given: bytes) -> bytes:
    """Leave out what is long; only here it is read, which takes longer than all the rest.

    Of what cannot be read or stays too long its beginning goes on: so the hub learns that something was not read.
    """
    sys.path.append(__file__.rpartition("/")[0])
    from hook_shorten import shorten  # type: ignore[import-not-found]  # noqa: PLC0415  by its file, and rarely

    try:
        return bytes(shorten(given[:INPUT_BYTES_MAX], PASSED_BYTES_MAX))
    except ValueError:
        return given[:PASSED_BYTES_MAX]


def _ends_at(options: list[str]) -> float | None:
    """Return when it gives up; never where its first answer is its last, so that it may have to wait for a person."""
    within_s = _seconds("--within=", options)
    return None if within_s is None or _is_unattended() else monotonic() + within_s


def _seconds(option: str, options: list[str]) -> float | None:
    return next((float(one.partition("=")[2]) for one in options if one.startswith(option)), None)


def _ask(home: str, question: HookQuestion, ends_at: float | None) -> int:
    """Ask until the hub answers, again where it hangs up or is being stopped, for it may just be restarting."""
    modulus = _modulus(home)
    was_there = was_cut = False
    for _ in range(AGAIN_TIMES):
        try:
            until = question.gives_up_at if ends_at is None else ends_at
            return _ask_once(home, question, until, modulus)
        except HubGone as error:
            was_there, was_cut = was_there or error.was_there, error.failed or (was_cut and error.is_late)
            may_come_back = error.was_there or (was_there and ends_at is None and not (error.failed or error.is_late))
            if not may_come_back:
                error.failed = was_cut
                raise
        if ends_at is not None and monotonic() + AGAIN_EVERY_S > ends_at:
            break
        sleep(AGAIN_EVERY_S)
    raise HubGone("It stopped and did not come back.", failed=was_cut)


def _ask_once(home: str, question: HookQuestion, until: float, modulus: int) -> int:
    """Ask once. What cannot be read of what a hub leaves or says is no hub's, and never ends this program."""
    try:
        return _told(_answer(_record(home), question.request(), until), question, modulus)
    except ValueError:
        raise HubGone("What it left or said cannot be read.", fix=LOOK) from None


def _modulus(home: str) -> int:
    """Return the public key of the hub that is believed."""
    try:
        return int(_read(f"{home}/hook-key.pub"), 16)
    except ValueError:
        raise HubGone("Its key cannot be read.", fix="Restart Pulse.") from None


def _read(path: str) -> str:
    """Return what a file says; nothing is waited for, also where it is a pipe by now."""
    try:
        file = open_file(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try:
            return read(file, CHUNK_BYTES).decode()
        finally:
            close(file)
    except OSError as error:
        raise HubGone("It is not running.") from error


def _record(home: str) -> tuple[str, int, str]:
    """Return where the hub listens, from the record that it leaves, and which process it is."""
    said = _read(f"{home}/run.json")
    place, pid, began = (
        said.partition(name)[2].partition(end)[0]
        for name, end in (('"socket":"', '"'), ('"pid":', ","), ('"process_started":"', '"'))
    )
    if not place or "\\" in place or not pid.isdigit():
        raise HubGone(f"Its record in {home} does not say where it listens.")
    return place, int(pid), began


def _answer(record: tuple[str, int, str], request: bytes, ends_at: float) -> bytes:
    place, pid, began = record
    line = socket(AF_UNIX, SOCK_STREAM)
    was_there = False
    try:
        line.settimeout(CONNECT_S)
        line.connect(place)
        _require_hub(line, pid, began)
        was_there = True
        line.sendall(request)
        pieces, size = [], 0
        while piece := _more(line, ends_at):
            pieces.append(piece)
            size += len(piece)
            if size > ANSWER_BYTES_MAX:
                raise HubGone("Its answer is too long.")
    except OSError as error:
        raise HubGone("It is not answering.", was_there=was_there, failed=was_there) from error
    finally:
        line.close()
    is_stopping = bool(pieces) and pieces[0].startswith(STOPPING) and b'"stopping"' in b"".join(pieces)
    if is_stopping or not pieces:
        raise HubGone("It stopped.", was_there=True, failed=not is_stopping)
    return b"".join(pieces)


def _more(line: socket, ends_at: float) -> bytes:
    """Return what comes next; ends with the agent, which may be killed and leave its hook behind."""
    agent = getppid()
    while monotonic() < ends_at:
        line.settimeout(max(min(LOOK_UP_S, ends_at - monotonic()), TICK_S))
        try:
            return line.recv(CHUNK_BYTES)
        except TimeoutError:
            if getppid() != agent:
                raise SystemExit(0) from None
    raise HubGone("It takes too long.", is_late=True)


def _require_hub(line: socket, pid: int, began: str) -> None:
    """Tell nobody what an agent does but the hub's own process; elsewhere than on Linux its signature must do."""
    if sys.platform != "linux":
        return
    credentials = line.getsockopt(SOL_SOCKET, _socket.SO_PEERCRED, UCRED_BYTES)
    if int.from_bytes(credentials[UID_FIRST:UID_END], sys.byteorder) != geteuid():
        raise HubGone("Another user is listening there.", fix=LOOK)
    stat = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    is_same = began.rpartition(" ")[2] == stat[STARTED_FIELD]
    if int.from_bytes(credentials[:UID_FIRST], sys.byteorder) != pid or not is_same:
        raise HubGone("The program listening there is not the Pulse that was started here.", fix=LOOK)


def _told(answer: bytes, question: HookQuestion, modulus: int) -> int:
    """Print what the hub said in the agent's dialect; return the status that goes with it."""
    head, found, body = answer.partition(b"\r\n\r\n")
    headers = head.lower().split(b"\r\n")
    if not found or b" 200" not in headers[0][:13]:
        refusal = headers[0][9:12].decode("latin-1")
        raise HubGone(f"It did not accept the agent's request (status {refusal}).", fix=LOOK, failed=True)
    length, status, proof = (
        next((one.partition(b":")[2].strip() for one in headers if one.startswith(name)), b"")
        for name in (b"content-length:", b"pulse-exit:", b"pulse-proof:")
    )
    if not length.isdigit() or len(body) != int(length):
        raise HubGone("Its response was cut off.", was_there=True, failed=True)
    if not question.is_proven(status, body, proof, modulus):
        raise HubGone("The program that answered could not prove that it is your Pulse.", fix=LOOK)
    if body == HELD:
        raise HubHolds("It asks a person first.", fix=LOOK, failed=True)
    stream = sys.stderr if int(status) else sys.stdout
    stream.write(body.decode())
    stream.flush()
    return int(status)


def run(arguments: list[str]) -> None:
    """Ask, and end without the interpreter's own clean-up, which would take another 2 ms."""
    status = main(arguments)
    sys.stderr.flush()
    _exit(status)


if __name__ == "__main__":
    run(sys.argv[1:])
