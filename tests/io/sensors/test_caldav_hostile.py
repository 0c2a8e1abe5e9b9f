"""CalDAV servers that are broken, slow, endless or after the password: bounded, and said plainly."""

import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hub.io.sensors.caldav_client import REDIRECTS_MAX, DavClient
from hub.io.sensors.caldav_wire import DavAnswer, DavLogin, DavRequest
from hub.io.sensors.caldav_worker import CALENDARS_MAX, answer
from hub.io.sensors.caldav_xml import DEPTH_MAX, BadAnswerError, places
from hub.kit.private_address import host_of, unsafe
from tests.web.loopback_certificate import make_certificate

NOW = datetime(2026, 3, 28, 7, 0, tzinfo=UTC)
EVENT = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nSUMMARY:A\nDTSTART:20260328T080000Z\nEND:VEVENT\nEND:VCALENDAR\n"
SPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'
CALENDAR = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"


def multistatus(*responses: tuple[str, str]) -> str:
    inner = "".join(
        f"<d:response><d:href>{href}</d:href><d:propstat><d:prop>{props}</d:prop>"
        "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        for href, props in responses
    )
    return f'<?xml version="1.0"?><d:multistatus {SPACES}>{inner}</d:multistatus>'


class Scripted:
    """A server that says to each address what the test wants: a status, headers and a body."""

    def __init__(self) -> None:
        self.says: dict[str, tuple[int, dict[str, str], str]] = {}
        self.asked: list[tuple[str, str]] = []
        self.drips = False
        self.go_on = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_PROPFIND(self) -> None:
                outer.asked.append((self.command, self.path))
                self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, body = outer.says.get(self.path, (404, {}, ""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body.encode())
                if outer.drips:
                    self.wfile.flush()
                    outer.go_on.wait()

            do_REPORT = do_PROPFIND  # noqa: N815  the handler's own way

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/"

    def ask(self, *hosts: str, at: str = "", whole_s_max: float = 20.0, bytes_max: int = 1_000_000) -> DavAnswer:
        login = DavLogin(user="ada", password="pass", hosts=(host_of(self.url), *hosts))
        return answer(
            DavRequest(
                url=self.url + at,
                login=login,
                names=(),
                zone="UTC",
                starts_at=NOW,
                ends_at=NOW + timedelta(hours=36),
                whole_s_max=whole_s_max,
                bytes_max=bytes_max,
            )
        )


@pytest.fixture
def server() -> Iterator[Scripted]:
    made = Scripted()
    thread = threading.Thread(target=made.http.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.go_on.set()
    made.http.shutdown()
    thread.join()
    made.http.server_close()


def test_a_server_that_says_elsewhere_where_caldav_is_is_followed(server: Scripted) -> None:
    here: tuple[int, dict[str, str], str] = (
        207,
        {},
        multistatus(("/dav/", "<c:calendar-home-set><d:href>/dav/me/</d:href></c:calendar-home-set>")),
    )
    server.says = {
        "/.well-known/caldav": (301, {"Location": "/dav/"}, ""),
        "/dav/": here,
        "/dav/me/": (207, {}, multistatus(("/dav/me/", ""), ("/dav/me/a/", CALENDAR))),
        "/dav/me/a/": (207, {}, multistatus(("/dav/me/a/1.ics", f"<c:calendar-data>{EVENT}</c:calendar-data>"))),
    }
    found = server.ask()
    assert (found.wrong, [one.uid for one in found.entries]) == ("", ["a"])
    assert not found.unchanged


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("https://evil.example/", "sent Pulse to evil.example, which is not told your password"),
        ("http://evil.example/", "it is not encrypted"),
        ("https://me:pass@evil.example/", "holds a user name or a password"),
        ("file:///etc/passwd", "does not begin with https://"),
        ("http://[", "an address that is none"),
    ],
)
def test_the_password_goes_nowhere_else(server: Scripted, place: str, said: str) -> None:
    server.says = {"/": (302, {"Location": place}, "")}
    assert said in server.ask().wrong
    home = f"<c:calendar-home-set><d:href>{place}</d:href></c:calendar-home-set>"
    server.says = {"/": (207, {}, multistatus(("/", home)))}
    assert server.ask().wrong
    assert [path for _, path in server.asked] == ["/", "/"]


def test_a_host_that_the_person_named_is_asked(server: Scripted) -> None:
    server.says = {"/": (302, {"Location": "http://localhost:1/"}, "")}
    assert "localhost:1, which is not told" in server.ask().wrong
    assert "could not be reached (ConnectError)" in server.ask("localhost:1").wrong


def test_only_a_certificate_that_holds_is_told_the_password(
    server: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path).path
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
    server.url = f"https://localhost:{server.http.server_port}/"
    server.says = {"/": (207, {}, multistatus(("/", CALENDAR)))}
    assert "its certificate does not hold" in server.ask().wrong
    assert server.asked == []
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert server.ask().wrong == ""


def test_redirects_end(server: Scripted) -> None:
    server.says = {"/": (308, {"Location": "/"}, "")}
    assert f"more than {REDIRECTS_MAX} times" in server.ask().wrong
    assert len(server.asked) == REDIRECTS_MAX + 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "password (401)"),
        (403, "(403)"),
        (404, "no calendar at this address (404)"),
        (200, "answered 200"),
        (500, "500"),
    ],
)
def test_every_status_is_told_as_what_it_is(server: Scripted, status: int, said: str) -> None:
    server.says = {path: (status, {}, "<html>Log in</html>") for path in ("/", "/.well-known/caldav")}
    found = server.ask()
    assert said in found.wrong
    assert found.is_refused is (status == 401)


def test_an_answer_that_is_too_long_is_left(server: Scripted) -> None:
    server.says = {"/": (207, {}, multistatus(("/", "x" * 1_100_000)))}
    assert "longer than 1000000 bytes" in server.ask().wrong


def test_an_answer_that_never_ends_is_left(server: Scripted) -> None:
    server.says, server.drips = {"/": (207, {}, "<?xml")}, True
    assert "took longer than 0.3 s to answer" in server.ask(whole_s_max=0.3).wrong


def test_too_many_calendars_are_not_guessed_among(server: Scripted) -> None:
    many = [(f"/{number}/", CALENDAR) for number in range(CALENDARS_MAX + 1)]
    server.says = {"/": (207, {}, multistatus(("/", ""), *many))}
    assert "at most 25 are read" in server.ask().wrong


def test_all_questions_together_have_their_time() -> None:
    times = iter([0.0, 11.0])
    login = DavLogin(user="", password="", hosts=("127.0.0.1:1",))
    client = DavClient(login, whole_s_max=10.0, bytes_max=1, clock=lambda: next(times))
    with pytest.raises(Exception, match="took longer than 10 s"):
        client.places("PROPFIND", "http://127.0.0.1:1/", b"", 0)
    client.close()


def test_one_broken_event_hides_no_other_and_only_broken_ones_are_said(server: Scripted) -> None:
    def data(text: str) -> str:
        return f"<c:calendar-data>{text}</c:calendar-data>"

    bad = ("/a/b.ics", data("BEGIN:VCALENDAR\nBEGIN:VEVENT\n"))
    server.says = {"/a/": (207, {}, multistatus(("/a/", CALENDAR), ("/a/a.ics", data(EVENT)), bad))}
    assert [one.uid for one in server.ask(at="a/").entries] == ["a"]
    server.says = {"/a/": (207, {}, multistatus(("/a/", CALENDAR), bad))}
    assert "No event of a calendar could be read" in server.ask(at="a/").wrong


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "not well-formed"),
        (b"<html>", "not well-formed"),
        (b"<html/>", "not a multistatus"),
        (b"\xff\xfe\x00", "not well-formed"),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', "not well-formed"),
        (f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]><x>&l9;</x>'.encode(), "entities of its own"),
        (f'<!DOCTYPE x [<!ENTITY l0 "lol">{LAUGHS}]><x>&l9;</x>'.encode("utf-16"), "entities of its own"),
        (b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>', "entities of its own"),
        (b"<a>" * (DEPTH_MAX + 1), "deeper"),
        (b"<a>" + b"<b/>" * 200_001 + b"</a>", "more elements"),
        (
            b'<d:multistatus xmlns:d="DAV:"><d:response><d:href>http://[</d:href></d:response></d:multistatus>',
            "is none",
        ),
    ],
)
def test_what_is_no_answer_is_refused_before_it_is_read(raw: bytes, said: str) -> None:
    with pytest.raises(BadAnswerError, match=said):
        places(raw, "https://a.example/")


@pytest.mark.parametrize(
    "url", ["https://dav.example/", "http://127.0.0.1:5232/", "http://[::1]/", "http://localhost/x"]
)
def test_where_a_password_may_go(url: str) -> None:
    assert unsafe(url) == ""


@pytest.mark.parametrize(
    "url",
    [
        "",
        "dav.example",
        "http://dav.example/",
        "http://127.0.0.1.evil.example/",
        "https://a@b/",
        "ftp://a/",
        "https://[",
    ],
)
def test_where_it_may_not(url: str) -> None:
    assert unsafe(url)


def test_a_host_is_named_with_an_unusual_port_only() -> None:
    assert [host_of(f"https://A.example{port}/") for port in ("", ":443", ":8443")] == [
        "a.example",
        "a.example",
        "a.example:8443",
    ]
    assert host_of("https://a:b/") == ""
