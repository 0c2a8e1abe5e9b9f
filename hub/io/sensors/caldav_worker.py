"""Find and read somebody's calendars on a CalDAV server, in a process of its own that ends with its answer.

A process for the reasons of `calendar_worker`: the libraries stay out of the hub, and whatever an answer does hits the
limits here. A request comes in on stdin, because it holds a password.
"""

from collections.abc import Iterator
from urllib.parse import urljoin

from hub.io.sensors import calendar_worker
from hub.io.sensors.caldav_client import DavClient, DavError, DavNowhereError
from hub.io.sensors.caldav_wire import DavAnswer, DavRequest
from hub.io.sensors.caldav_xml import PROPFIND, DavPlace, query
from hub.io.sensors.calendar_worker import DAY, MEETINGS_MAX, Occurrence

CALENDARS_MAX = 25
WELL_KNOWN = "/.well-known/caldav"


def answer(request: DavRequest) -> DavAnswer:
    """Find, read and expand; never raises for what may be wrong with a server or a calendar."""
    client = DavClient(request.login, whole_s_max=request.whole_s_max, bytes_max=request.bytes_max)
    try:
        return _answer(request, client)
    except DavError as wrong:
        return DavAnswer(wrong=str(wrong), is_refused=wrong.is_refused)
    except (MemoryError, RecursionError):
        return DavAnswer(wrong="The calendars are too large to be read. Name fewer of them.")
    finally:
        client.close()


def _answer(request: DavRequest, client: DavClient) -> DavAnswer:
    homes, found = _known(request, client) or _discovered(request.url, client)
    wanted = _wanted(found, request.names)
    tags = {one.url: one.tag for one in wanted}
    if tags == request.tags and all(tags.values()) and not request.unconditional:
        return DavAnswer(unchanged=True, homes=homes, tags=tags)
    entries: list[Occurrence] = []
    for one in wanted:
        # Events without a zone are compared by servers as if they were in UTC.
        body = query(request.starts_at - DAY, request.ends_at + DAY)
        entries += _expanded(client.places("REPORT", one.url, body, 1), request, request.login.user)
    return DavAnswer(entries=tuple(entries[:MEETINGS_MAX]), homes=homes, tags=tags)


def _known(request: DavRequest, client: DavClient) -> tuple[tuple[str, ...], list[DavPlace]] | None:
    """Look where the calendars were the last time: one small request, where they are in one place or one calendar."""
    found: list[DavPlace] = []
    try:
        for home in request.homes[:CALENDARS_MAX]:
            found += client.places("PROPFIND", home, PROPFIND, 0 if home in request.tags else 1)
    except DavNowhereError:
        return None
    return (request.homes, found) if found else None


def _discovered(url: str, client: DavClient) -> tuple[tuple[str, ...], list[DavPlace]]:
    """Find the calendars from an address: of a calendar, of a folder of them, of an account or of a server."""
    at = _first(url, client)
    if at.is_calendar:
        return (at.url,), [at]
    homes = at.homes
    if not homes and at.principal:
        homes = _one(client.places("PROPFIND", at.principal, PROPFIND, 0)).homes
    homes = homes or (at.url,)
    return homes, [one for home in homes[:CALENDARS_MAX] for one in client.places("PROPFIND", home, PROPFIND, 1)]


def _first(url: str, client: DavClient) -> DavPlace:
    """Ask about the address itself; of a server that has nothing there, about where it says that CalDAV is."""
    try:
        return _one(client.places("PROPFIND", url, PROPFIND, 0))
    except DavNowhereError:
        return _one(client.places("PROPFIND", urljoin(url, WELL_KNOWN), PROPFIND, 0))


def _one(found: tuple[DavPlace, ...]) -> DavPlace:
    if not found:
        raise DavError("The calendar server told nothing of this address. Check `sensors.caldav.url`.")
    return found[0]


def _wanted(found: list[DavPlace], names: tuple[str, ...]) -> list[DavPlace]:
    """Choose the calendars that have events, or those of the given titles or last parts of an address."""
    here = [one for one in found if one.is_calendar and one.takes_events]
    if not here:
        raise DavNowhereError("There is no calendar with events at this address. Check `sensors.caldav.url`.")
    by_name = {name: [one for one in here if name in _names(one)] for name in names}
    missing = [name for name, those in by_name.items() if not those]
    if missing:
        there = ", ".join(sorted(one.title or _last_part(one) for one in here)[:CALENDARS_MAX])
        raise DavError(f"There is no calendar {missing[0]!r} in this account. There are: {there}.")
    chosen = {one.url: one for those in by_name.values() for one in those} if names else {one.url: one for one in here}
    if len(chosen) > CALENDARS_MAX:
        raise DavError(
            f"There are {len(chosen)} calendars in this account, and at most {CALENDARS_MAX} are read. "
            "Name those that you want in `sensors.caldav.calendars`."
        )
    return list(chosen.values())


def _names(place: DavPlace) -> tuple[str, str]:
    return place.title, _last_part(place)


def _last_part(place: DavPlace) -> str:
    return place.url.rstrip("/").rpartition("/")[2]


def _expanded(found: tuple[DavPlace, ...], request: DavRequest, owner: str = "") -> Iterator[Occurrence]:
    """Yield what is on; an event that cannot be read is left out, unless none of a calendar's can."""
    window = calendar_worker.Request(
        source="",
        zone=request.zone,
        starts_at=request.starts_at,
        ends_at=request.ends_at,
        size_bytes_max=request.bytes_max,
        fetch_s_max=request.whole_s_max,
        owner=owner,
    )
    broken, count = "", 0
    for one in found:
        if not one.data:
            continue
        try:
            expanded = calendar_worker.expand(one.data.encode(), window)
        except ValueError as wrong:
            broken = str(wrong)
            continue
        count += 1
        yield from expanded.entries
    if broken and not count:
        raise DavError(f"No event of a calendar could be read: {broken}.")


def main() -> None:
    """Answer one request."""
    calendar_worker.answer_one(DavRequest, answer)
