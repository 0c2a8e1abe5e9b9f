"""What the sensor for CalDAV and its worker tell each other. It is light, as the hub has it."""

from datetime import datetime

import msgspec

from hub.io.sensors.calendar_worker import Occurrence


class DavLogin(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, and which hosts may be told the password."""

    user: str
    password: str
    hosts: tuple[str, ...]


class DavRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to do: the settings, the window, and what is known from the last time (`homes`, `tags`).

    `unconditional`: the events are wanted even if nothing has changed.
    """

    url: str
    login: DavLogin
    names: tuple[str, ...]
    zone: str
    starts_at: datetime
    ends_at: datetime
    whole_s_max: float
    bytes_max: int
    homes: tuple[str, ...] = ()
    tags: dict[str, str] = {}
    unconditional: bool = False


class DavAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of it: `wrong` is empty on success. `homes` are where the calendars are, `tags` what each was like."""

    entries: tuple[Occurrence, ...] = ()
    unchanged: bool = False
    homes: tuple[str, ...] = ()
    tags: dict[str, str] = {}
    wrong: str = ""
    is_refused: bool = False
