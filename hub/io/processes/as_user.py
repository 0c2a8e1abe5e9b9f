"""Running Pulse as another user: neither it nor its agents can then reach what belongs to the person who started it.

We stay the starter's and hold their terminal; the other user's process is a child in a session of its own, without our
descriptors, groups and environment (see `relayed_output`). Signals, a change of the window's size and the exit code go
through us. It ends with us.
"""

import asyncio
import ctypes
import os
import pwd
import resource
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping
from fcntl import ioctl

from hub.contract.errors import UserError
from hub.io.processes.relayed_output import RelayedOutput

KEPT = frozenset({"PATH", "LANG", "TZ", "TERM", "COLORTERM", "NO_COLOR", "PULSE_HOME", "PYTHONPATH"})
KEPT_PREFIX = "LC_"
ROOT = 0
UMASK = 0o022
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
KILLED_BY = 128
"""What a shell adds to the number of the signal that ended a program."""
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38


class CannotBecomeUserError(UserError):
    """Pulse cannot become the user that `--as-user` names. The message says why."""

    code = "cannot-become-user"


def run_as(name: str, arguments: list[str], folder: str) -> int | None:
    """Run `pulse` with these arguments as that user, and return its exit code; None if we are that user already.

    Raises:
        CannotBecomeUserError: there is no such user, it is root, we may not, or it cannot read Pulse or the folder.
    """
    user = find(name)
    if os.getresuid() == (user.pw_uid,) * 3:
        return None
    return asyncio.run(_relayed(user, arguments, folder))


async def _relayed(user: pwd.struct_passwd, arguments: list[str], folder: str) -> int:
    relayed = RelayedOutput()
    loop = asyncio.get_running_loop()
    try:
        process = await _started(user, arguments, folder, relayed)
        relayed.started()

        def pass_on(source: int) -> None:
            if not relayed.pass_on(source):
                loop.remove_reader(source)

        for source in relayed.sources():
            loop.add_reader(source, pass_on, source)
        for number in PASSED_ON:
            loop.add_signal_handler(number, _signal, process, number)
        loop.add_signal_handler(signal.SIGTSTP, _pause, process)
        loop.add_signal_handler(signal.SIGWINCH, relayed.resize)
        code = await process.wait()
        for source in relayed.sources():
            loop.remove_reader(source)
    finally:
        relayed.finish()
    return code if code >= 0 else KILLED_BY - code


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    if process.returncode is None:
        process.send_signal(number)


def _pause(process: asyncio.subprocess.Process) -> None:
    """Stop both, as Ctrl-Z does with one program; when we are continued, so is it."""
    _signal(process, signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)
    _signal(process, signal.SIGCONT)


async def _started(
    user: pwd.struct_passwd, arguments: list[str], folder: str, relayed: RelayedOutput
) -> asyncio.subprocess.Process:
    isolated = ["-I"] if sys.flags.isolated else []
    libc = ctypes.CDLL(None)  # loaded here: between fork and exec as little as possible is done
    out, errors = relayed.outputs

    def begin() -> None:
        """Last steps in the child, as the other user: the system forgets some of them when the user changes."""
        if sys.platform == "linux":
            for option, value in ((_PR_SET_PDEATHSIG, signal.SIGTERM), (_PR_SET_NO_NEW_PRIVS, 1)):
                if libc.prctl(option, value, 0, 0, 0) != 0:
                    raise OSError
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if relayed.terminal is not None:
            ioctl(relayed.terminal, termios.TIOCSCTTY, 0)
        os.chdir(folder)  # by its name: a folder that only the starter can reach does not go along

    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            *isolated,
            "-m",
            "hub",
            *arguments,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            env=environment_of(user, os.environ),
            start_new_session=True,
            umask=UMASK,
            extra_groups=os.getgrouplist(user.pw_name, user.pw_gid),
            group=user.pw_gid,
            user=user.pw_uid,
            preexec_fn=begin,
        )
    except OSError as error:
        raise CannotBecomeUserError(
            f"{user.pw_name} may not run {sys.executable}: {error.strerror}.",
            fix="Put Pulse and its Python where that user can read them, such as /opt/pulse.",
        ) from error
    except subprocess.SubprocessError as error:
        raise CannotBecomeUserError(
            f"No process of {user.pw_name} could be started in {folder}.",
            fix="Start Pulse in a folder that this user can open, or name one with --workspace.",
        ) from error


def find(name: str) -> pwd.struct_passwd:
    """Return a user whom an agent may be.

    Raises:
        CannotBecomeUserError: there is no such user, it is root, or we may not become it.
    """
    try:
        user = pwd.getpwnam(name)
    except KeyError as error:
        raise CannotBecomeUserError(
            f"There is no user {name!r}.", fix=f"Make one: `sudo useradd --create-home {name}`."
        ) from error
    if user.pw_uid == ROOT:
        raise CannotBecomeUserError("Agents must not be root.", fix="Name a user with fewer rights than yours.")
    if os.geteuid() not in {ROOT, user.pw_uid}:
        raise CannotBecomeUserError(
            f"Only root can become {name}.", fix=f"Run `sudo pulse up --as-user {name}`; docs/howto/another-user.md."
        )
    return user


def environment_of(user: pwd.struct_passwd, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that this user's Pulse begins with: nothing of the session that started it."""
    kept = {name: value for name, value in environ.items() if name in KEPT or name.startswith(KEPT_PREFIX)}
    return {**kept, "HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name, "SHELL": user.pw_shell}
