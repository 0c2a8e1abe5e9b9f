"""Whose calendars are asked for on a CalDAV server; apart, since most hubs have none and load nothing more of it."""

from hub.contract.base import Value


class CaldavAccount(Value):
    """Whose calendars: an address, a user name, and where the password is. Empty names mean every calendar.

    The password is in the environment variable `password_env`, or in `password_file` where that is set.
    """

    url: str
    user: str
    password_env: str = ""
    password_file: str = ""
    calendars: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
