"""The XML of CalDAV (RFC 4791, RFC 4918): what is asked, and what an answer says. Pure.

An answer comes from outside. What it declares for itself (a DTD, and with it entities) is refused before it is read,
and so is what is nested deeper, or longer, than any server's answer is.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from urllib.parse import urljoin
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

import msgspec

DEPTH_MAX = 24
ELEMENTS_MAX = 200_000
DAV, CALDAV, SERVER = "DAV:", "urn:ietf:params:xml:ns:caldav", "http://calendarserver.org/ns/"
STAMP = "%Y%m%dT%H%M%SZ"

PROPFIND = f"""<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="{DAV}" xmlns:c="{CALDAV}" xmlns:s="{SERVER}"><d:prop>
<d:resourcetype/><d:displayname/><d:current-user-principal/><d:sync-token/><s:getctag/>
<c:calendar-home-set/><c:supported-calendar-component-set/>
</d:prop></d:propfind>""".encode()
"""What a place is, what it is called, whether it has changed, and where the calendars of whoever asks are."""
_QUERY = f"""<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="{DAV}" xmlns:c="{CALDAV}"><d:prop><c:calendar-data/></d:prop>
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT">
<c:time-range start="{{start}}" end="{{end}}"/>
</c:comp-filter></c:comp-filter></c:filter></c:calendar-query>"""


class BadAnswerError(Exception):
    """This is not a CalDAV answer; its text says why."""


class DavPlace(msgspec.Struct, frozen=True, kw_only=True):
    """What a server tells of one place; addresses are whole, texts are empty where it tells nothing.

    `tag` changes with the content; `takes_events` is False where the server says that it keeps other things.
    """

    url: str
    title: str = ""
    tag: str = ""
    principal: str = ""
    homes: tuple[str, ...] = ()
    is_calendar: bool = False
    takes_events: bool = True
    data: str = ""


def query(starts_at: datetime, ends_at: datetime) -> bytes:
    """Ask for every event that touches a span of time; the times are in UTC."""
    return _QUERY.format(start=starts_at.strftime(STAMP), end=ends_at.strftime(STAMP)).encode()


def places(raw: bytes, base: str) -> tuple[DavPlace, ...]:
    """Return what an answer tells of each place; its addresses are read as from `base`.

    Raises:
        BadAnswerError: it is no such answer.
    """
    root = _tree(raw)
    if root.tag != _in(DAV, "multistatus"):
        raise BadAnswerError("it is not a multistatus")
    try:
        return tuple(_place(one, base) for one in root.iterfind(_in(DAV, "response")))
    except ValueError:
        raise BadAnswerError("an address in it is none") from None


def _place(response: Element, base: str) -> DavPlace:
    props = dict(_props(response))
    kinds = {one.tag for one in props.get(_in(DAV, "resourcetype"), ())}
    parts = {one.get("name", "").upper() for one in props.get(_in(CALDAV, "supported-calendar-component-set"), ())}
    hrefs = props.get(_in(CALDAV, "calendar-home-set"), ())
    principal = next((_text(one) for one in props.get(_in(DAV, "current-user-principal"), ())), "")
    return DavPlace(
        url=urljoin(base, _text(response.find(_in(DAV, "href")))),
        title=_text(props.get(_in(DAV, "displayname"))),
        tag=_text(props.get(_in(SERVER, "getctag"))) or _text(props.get(_in(DAV, "sync-token"))),
        principal=urljoin(base, principal) if principal else "",
        homes=tuple(urljoin(base, text) for one in hrefs if (text := _text(one))),
        is_calendar=_in(CALDAV, "calendar") in kinds,
        takes_events=not parts or "VEVENT" in parts,
        data=_text(props.get(_in(CALDAV, "calendar-data"))),
    )


def _props(response: Element) -> Iterator[tuple[str, Element]]:
    """Yield the properties that were found; a property that was not has a status of its own."""
    for group in response.iterfind(_in(DAV, "propstat")):
        status = _text(group.find(_in(DAV, "status"))).split()
        if len(status) > 1 and status[1] != "200":
            continue
        for prop in group.iterfind(_in(DAV, "prop")):
            yield from ((one.tag, one) for one in prop)


def _in(space: str, name: str) -> str:
    return f"{{{space}}}{name}"


def _tag(name: str) -> str:
    """Return a name as an element tree has it; the parser leaves out the first brace."""
    return f"{{{name}" if "}" in name else name


def _text(element: Element | None) -> str:
    return "" if element is None else (element.text or "").strip()


def _tree(raw: bytes) -> Element:
    builder = TreeBuilder()
    parser = ParserCreate(namespace_separator="}")
    open_now, seen = 0, 0

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal open_now, seen
        open_now, seen = open_now + 1, seen + 1
        if open_now > DEPTH_MAX or seen > ELEMENTS_MAX:
            raise BadAnswerError("it has more elements, or deeper ones, than an answer has")
        builder.start(_tag(name), dict(attributes))

    def end(name: str) -> None:
        nonlocal open_now
        open_now -= 1
        builder.end(_tag(name))

    def refuse(*_: object) -> None:
        raise BadAnswerError("it declares entities of its own")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    try:
        parser.Parse(raw, True)  # noqa: FBT003  it takes no names
        return builder.close()
    except (ExpatError, LookupError, ValueError) as wrong:
        raise BadAnswerError(f"it is not well-formed XML: {wrong}") from None
