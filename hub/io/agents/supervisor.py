"""Keeps one run's processes together, so that all of them can be ended. Started by process.py as a program of its own.

    hub ── outer ── inner ── the run's program ── whatever that starts

Outer and inner are subreapers (prctl(2)): whoever loses its parent falls to the inner one, however often it forks,
changes its session or drops its environment. Nobody below can leave, so the run is over when the inner one has no
child left: waitpid(2) says ECHILD, and that is the kernel's word and no count of ours. Should the run's own processes
kill the inner supervisor, everything falls to the outer one, which ends it; should they kill the outer one, the
inner one hears that its pipe is closed. Both are closed to ptrace(2). When the hub dies they end the run by themselves.

It imports nothing of Pulse, so that it starts quickly. `python -I -S supervisor.py FD LIMITS PROGRAM ARGUMENT…`: FD is
one end of a socket on which it is told `end` or `kill`, and tells in lines `started PID`, `refused ERRNO`, `exited
STATUS` (as waitpid gives it), and `ended` when nothing of the run is left. Outer's exit code says how that came about.
"""

import ctypes
import os
import resource
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # the same without its enumerations, whose imports take a third of the start

GRACE_S = 0.5
"""From SIGTERM to SIGKILL."""
SWEEP_S_MAX = 10.0
"""How long is tried to end what forks faster than it dies; only a process stuck in the kernel comes near it."""
INNER_S_MAX = GRACE_S + SWEEP_S_MAX + 2.0
"""How long the outer one waits for the inner one, which may have been stopped."""
PAUSE_S = 0.001
ENDED, TAKEN_OVER, LEFT = 0, 3, 4
"""The outer one's exit codes: all ended; the inner one was killed or stuck, and all ended; something is left."""
END, KILL = b"end\n", b"kill\n"

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36
_DEAF_TO = (
    signal.SIGTERM,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGALRM,
)
_RESET = (*_DEAF_TO, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD)
_HAS_PROC = os.path.exists("/proc/self/stat")  # noqa: PTH110  pathlib takes longer to import than all of the rest


def harden() -> None:
    """Take in every descendant that loses its parent, and let nobody look inside or steer from outside."""
    for number in _DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":
        system = ctypes.CDLL(None)
        system.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        system.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def children_of(pid: int) -> list[int]:
    """Return a process's children; none if it is gone, or cannot be asked."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  pathlib again
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:  # noqa: PTH123  pathlib again
                found += map(int, file.read().split())
    except OSError:
        pass  # it ended while it was looked at; the next look finds who was below it
    return found


def below(pid: int) -> dict[int, int]:
    """Return all descendants of a process, each with its parent, as far as they stand still long enough."""
    parents = dict.fromkeys(children_of(pid), pid)
    waiting = list(parents)
    while waiting:
        parent = waiting.pop()
        for child in children_of(parent):
            if child not in parents:
                parents[child] = parent
                waiting.append(child)
    return parents


def send(pid: int, parent: int, number: int) -> None:
    """Send a signal to a descendant, unless its number has meanwhile become somebody else's."""
    try:
        if parent == os.getpid():
            os.kill(pid, number)  # our own child keeps its number until we have collected it
            return
        handle = os.pidfd_open(pid)
    except OSError:
        return
    try:
        if pid in children_of(parent) or pid in children_of(os.getpid()):
            signal.pidfd_send_signal(handle, number)
    except OSError:
        pass  # it has ended
    finally:
        os.close(handle)


def send_all(number: int, group: int, spared: int = 0) -> None:
    """Send a signal to everything below this process; without /proc to the program's group, which is less."""
    if _HAS_PROC:
        for pid, parent in below(os.getpid()).items():
            if pid != spared:
                send(pid, parent, number)
    elif group:
        try:
            os.killpg(group, number)
        except OSError:
            return


def collect() -> list[tuple[int, int]] | None:
    """Collect the children that have ended: number and status of each; None if there are no children at all."""
    found: list[tuple[int, int]] = []
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found or None
        if pid == 0:
            return found
        found.append((pid, status))


def until_alone(limit_s: float, order: int) -> None:
    """Wait until there is no child left, another order comes, or the limit has passed."""
    deadline_s = time.monotonic() + limit_s
    while collect() is not None and time.monotonic() < deadline_s:
        if select.select([order], [], [], PAUSE_S)[0]:
            return


def sweep(group: int) -> bool:
    """Kill everything below, again and again, until there is no child left; False when the time for it has passed."""
    deadline_s = time.monotonic() + SWEEP_S_MAX
    while collect() is not None:
        if time.monotonic() > deadline_s:
            return False
        send_all(signal.SIGKILL, group)
    return True


class Inner:
    """The inner supervisor: it starts the program, and ends everything when it is told to or is left alone."""

    def __init__(self, control: int, order: int, limits: str) -> None:
        self._limits = limits
        self._control = control
        self._order = order
        self._program = 0
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self, argv: list[str]) -> int:
        """Start the program, wait for the order to end, and return how that went."""
        self._start(argv)
        order = self._until_ordered()
        if order != KILL:
            # a container that was asked to end would kill what is inside; it ends by itself when that has ended
            send_all(signal.SIGTERM, self._program, self._program if "wrapped" in self._limits else 0)
            until_alone(GRACE_S, self._order)
        if not sweep(self._program):
            return LEFT
        tell(self._control, "ended")
        return ENDED

    def _start(self, argv: list[str]) -> None:
        failed, fails = os.pipe()
        self._program = os.fork()
        if self._program == 0:
            become(argv, self._limits, fails)
        os.close(fails)
        silence()
        wrong = os.read(failed, 16)
        os.close(failed)
        tell(self._control, f"refused {wrong.decode()}" if wrong else f"started {self._program}")

    def _until_ordered(self) -> bytes:
        """Return the order; an empty one means that whoever gives orders has died."""
        while True:
            self._note(collect() or [])
            ready = select.select([self._order, self._woken], [], [])[0]
            if self._woken in ready:
                os.read(self._woken, 512)
            if self._order in ready:
                self._note(collect() or [])
                return os.read(self._order, len(KILL))

    def _note(self, ended: list[tuple[int, int]]) -> None:
        for pid, status in ended:
            if pid == self._program:
                tell(self._control, f"exited {status}")


def become(argv: list[str], limits: str, fails: int) -> None:
    """Turn into the program, in a session of its own; whatever keeps it from that is written to the pipe."""
    try:
        os.setsid()
        for limit in filter(None, limits.split(",")):
            name, _, most = limit.partition("=")
            if most:
                set_limit(getattr(resource, name), int(most))
        signal.set_wakeup_fd(-1)
        for number in _RESET:
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(argv[0], argv, os.environ)  # noqa: S606  the person's own program, and no shell
    except OSError as wrong:
        os.write(fails, str(wrong.errno).encode())
    os._exit(127)


def set_limit(which: int, most: int) -> None:
    """Set a resource limit, never above what is allowed already."""
    hard = resource.getrlimit(which)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (most, most))


def silence() -> None:
    """Let go of the program's input and output, so that they end when it ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.close(nothing)


def tell(control: int, line: str) -> None:
    """Tell the hub; one that is gone hears nothing."""
    try:
        os.write(control, f"{line}\n".encode())
    except OSError:
        return


def outer(control: int, order: int, alive: int, inner: int) -> int:
    """Hand orders on to the inner one; end everything when that one cannot. `alive` ends with it."""
    wait_s, heard = None, [control]
    while (ready := select.select([*heard, alive], [], [], wait_s)[0]) and alive not in ready:
        wait_s = INNER_S_MAX
        said = os.read(control, len(KILL))
        if said:
            os.write(order, said)
            os.kill(inner, signal.SIGCONT)
        else:  # the hub has died
            heard = []
            os.close(order)
    if not ready:
        os.kill(inner, signal.SIGKILL)
    _, status = os.waitpid(inner, 0)
    if os.waitstatus_to_exitcode(status) == ENDED and collect() is None:
        return ENDED
    return TAKEN_OVER if sweep(0) else LEFT


def main(control: int, limits: str, argv: list[str]) -> int:
    """Become the two supervisors of one run."""
    os.set_inheritable(control, False)  # noqa: FBT003  the system call's own form
    harden()
    hear_order, give_order = os.pipe()
    hear_alive, hold_alive = os.pipe()
    inner = os.fork()
    if inner == 0:
        os.close(give_order)
        os.close(hear_alive)
        harden()  # a child inherits neither of the two
        os._exit(Inner(control, hear_order, limits).run(argv))
    os.close(hear_order)
    os.close(hold_alive)
    silence()
    return outer(control, give_order, hear_alive, inner)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
