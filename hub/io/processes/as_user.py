"""Becoming another user before anything is opened: agents then cannot reach what belongs to the person.

Root is given up for good: group list, groups and users, real, effective and saved. What is left of the environment is
what any login has; the program is restarted with it, so that the old one cannot be read from /proc either.
"""

import os
import pwd
import sys
from collections.abc import Mapping

from hub.contract.errors import UserError

KEPT = frozenset({"PATH", "LANG", "TZ", "TERM", "COLORTERM", "NO_COLOR", "PULSE_HOME", "PYTHONPATH"})
KEPT_PREFIX = "LC_"
ROOT = 0


class CannotBecomeUserError(UserError):
    """Pulse cannot become the user that `--as-user` names. The message says why."""

    code = "cannot-become-user"


def begin_anew_as(name: str, arguments: list[str]) -> None:
    """Replace this process by `pulse` with these arguments, run by that user; return only if we are that user already.

    Raises:
        CannotBecomeUserError: there is no such user, it is root, we may not, or it cannot read Pulse.
    """
    user = find(name)
    if os.getresuid() == (user.pw_uid,) * 3:
        return
    environment = environment_of(user, os.environ)
    become(user)
    isolated = ["-I"] if sys.flags.isolated else []
    try:
        os.execve(sys.executable, [sys.executable, *isolated, "-m", "hub", *arguments], environment)  # noqa: S606  our own interpreter, no shell
    except OSError as error:
        raise CannotBecomeUserError(
            f"{name} may not run {sys.executable}: {error.strerror}.",
            fix="Put Pulse and its Python where that user can read them, such as /opt/pulse.",
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


def become(user: pwd.struct_passwd) -> None:
    """Give up being root, for good.

    Raises:
        CannotBecomeUserError: the system did not do all of it.
    """
    os.initgroups(user.pw_name, user.pw_gid)
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
    if os.getresuid() != (user.pw_uid,) * 3 or os.getresgid() != (user.pw_gid,) * 3:
        raise CannotBecomeUserError(f"The system did not make this process {user.pw_name}'s.")


def environment_of(user: pwd.struct_passwd, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that this user's Pulse begins with: nothing of the session that started it."""
    kept = {name: value for name, value in environ.items() if name in KEPT or name.startswith(KEPT_PREFIX)}
    return {**kept, "HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name, "SHELL": user.pw_shell}
