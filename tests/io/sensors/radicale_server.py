"""A real CalDAV server: Radicale, from its own package, on a free port and with a folder of its own."""

import contextlib
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from tests.bench.hub_process import free_port

START_S_MAX = 60.0
USER, PASSWORD = "ada", "a pass: word, ü"
MAKE = """<?xml version="1.0"?><c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
<d:displayname>{title}</d:displayname><c:supported-calendar-component-set><c:comp name="{part}"/>
</c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>"""


class Radicale:
    """A server that runs, and what a person does with it."""

    def __init__(self, url: str, log: Path, data: Path) -> None:
        self.url = url
        self._log = log
        self._data = data
        self._log_bytes_before = 0
        self._http = httpx.Client(auth=(USER.encode(), PASSWORD.encode()), trust_env=False)

    def make(self, name: str, title: str = "", part: str = "VEVENT") -> str:
        url = f"{self.url}{USER}/{name}/"
        body = MAKE.format(title=title or name, part=part)
        assert self._http.request("MKCALENDAR", url, content=body.encode()).status_code == 201
        return url

    def put(self, calendar: str, name: str, event: str, head: str = "") -> None:
        text = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n{head}BEGIN:VEVENT\nUID:{name}\nDTSTAMP:20260101T000000Z\n"
        whole = f"{text}{event}\nEND:VEVENT\nEND:VCALENDAR\n".replace("\n", "\r\n")
        answer = self._http.put(f"{calendar}{name}.ics", content=whole.encode(), headers={"If-None-Match": "*"})
        assert answer.status_code == 201, answer.text

    def remove(self, url: str) -> None:
        assert self._http.delete(url).status_code == 200

    def asked(self) -> list[str]:
        """Return the methods of all requests so far that were not a person's, in order."""
        lines = self._log.read_bytes()[self._log_bytes_before :].decode(errors="replace").splitlines()
        methods = [line.partition(" request for ")[0].rpartition(" ")[2] for line in lines if " request for " in line]
        return [one for one in methods if one in {"PROPFIND", "REPORT"}]

    def begin_anew(self) -> None:
        """Be as at the start: without a calendar, and asked nothing. It keeps all that it knows in its folder."""
        for one in self._data.iterdir():
            shutil.rmtree(one)
        self._log_bytes_before = self._log.stat().st_size

    def close(self) -> None:
        self._http.close()


@contextlib.contextmanager
def radicale(folder: Path) -> Iterator[Radicale]:
    folder.mkdir(parents=True, exist_ok=True)
    port, log, users = free_port(), folder / "log", folder / "users"
    users.write_text(f"{USER}:{PASSWORD}\n")
    options = {
        "server-hosts": f"127.0.0.1:{port}",
        "auth-type": "htpasswd",
        "auth-htpasswd-filename": users,
        "auth-htpasswd-encryption": "plain",
        "auth-delay": 0,
        "storage-filesystem-folder": folder / "data",
        "logging-level": "info",
    }
    argv = [sys.executable, "-m", "radicale", "--config", "", *(f"--{name}={value}" for name, value in options.items())]
    with log.open("wb") as out, subprocess.Popen(argv, stdout=out, stderr=out, cwd=folder) as process:
        server = Radicale(f"http://127.0.0.1:{port}/", log, folder / "data" / "collection-root")
        try:
            _until_up(server.url, process, log)
            yield server
        finally:
            server.close()
            process.terminate()


def _until_up(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    ends = time.monotonic() + START_S_MAX
    while time.monotonic() < ends and process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            httpx.get(url, trust_env=False)
            return
        time.sleep(0.05)
    raise AssertionError(log.read_text(errors="replace"))
