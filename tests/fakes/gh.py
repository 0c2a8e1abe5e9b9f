"""A small `gh api`, for where GitHub's own program is not installed: what it sends, prints and ends with is the same.

Written from what gh 2.23 does; `tests/io/sensors/test_deployments.py` runs with both.
"""

import http.client
import json
import os
import socket
import sys
from pathlib import Path


class _OnSocket(http.client.HTTPConnection):
    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(_socket()))


def _socket() -> Path:
    settings = Path(os.environ["HOME"]) / ".config" / "gh" / "config.yml"
    return Path(settings.read_text().partition(": ")[2].strip())


def _field(body: dict[str, object], text: str, *, raw: bool) -> None:
    name, _, value = text.partition("=")
    found: object = int(value) if not raw and value.isdecimal() else value
    body.update({name.removesuffix("[]"): [found] if name.endswith("[]") else found})


def _answered(method: str, path: str, headers: dict[str, str], body: dict[str, object], shown: str) -> int:
    line = _OnSocket("api.github.com")
    try:
        line.request(method, f"/{path}", json.dumps(body) if body else None, headers)
        answer = line.getresponse()
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    is_well = 200 <= answer.status < 300
    if shown == "--include":
        fields = "".join(f"{name}: {value}\r\n" for name, value in answer.getheaders())
        sys.stdout.write(f"HTTP/1.1 {answer.status} {answer.reason}\n{fields}\r\n")
    if not (shown == "--silent" and is_well):
        sys.stdout.write(answer.read().decode())
    if not is_well:
        sys.stderr.write(f"gh: HTTP {answer.status}\n")
    return int(not is_well)


def main(argv: list[str]) -> int:
    """Do what the words of a command line say."""
    method, path, shown = "GET", "", ""
    headers: dict[str, str] = {}
    body: dict[str, object] = {}
    rest = iter(argv[2:])
    for word in rest:
        match word:
            case "--hostname":
                next(rest)
            case "--method":
                method = next(rest)
            case "--header":
                name, _, value = next(rest).partition(": ")
                headers[name] = value
            case "--field" | "--raw-field":
                _field(body, next(rest), raw=word == "--raw-field")
            case "--include" | "--silent":
                shown = word
            case _:
                path = word
    return _answered(method, path, headers, body, shown)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
