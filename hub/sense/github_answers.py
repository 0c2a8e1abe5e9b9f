"""What GitHub's own program printed for `gh api --include`: the status, the headers that we go by, and the body.

The rules are GitHub's own ("best practices for using the REST API"): what has not changed is answered 304 and costs
nothing; whoever is told to wait waits that long, and at least a minute where no time is named.
"""

from datetime import UTC, datetime, timedelta

from hub.contract.base import Value

NOT_CHANGED = 304
LIMITED = frozenset({403, 429})
REST = timedelta(minutes=1)
REST_MAX = timedelta(hours=1)
ETAG_CHARS_MAX = 200
DIGITS_MAX = 11
"""Of a number of seconds; more would be after the year 5000."""


class GithubAnswer(Value):
    """An answer; `status` 0: there was none. Headers have lower-case names."""

    status: int
    headers: dict[str, str]
    body: bytes = b""

    @property
    def is_well(self) -> bool:
        """Whether the body is what was asked for."""
        return 200 <= self.status < 300  # noqa: PLR2004  HTTP's own range

    @property
    def etag(self) -> str:
        """By what the same can be asked for again; empty where it is not given, or is none that fits in a header."""
        etag = self.headers.get("etag", "")
        return etag if len(etag) <= ETAG_CHARS_MAX and etag.isascii() and etag.isprintable() else ""


NO_ANSWER = GithubAnswer(status=0, headers={})


def read_answer(raw: bytes) -> GithubAnswer:
    """Read what was printed; without a status line there was no answer.

    The program ends its status line with a line feed, and headers with a carriage return as well.
    """
    at = 0
    lines: list[str] = []
    while (end := raw.find(b"\n", at)) >= 0:
        line, at = raw[at:end].rstrip(b"\r").decode("utf-8", "replace"), end + 1
        if not line:
            break
        lines.append(line)
    status = lines[0].split(" ")[1:2] if lines and lines[0].startswith("HTTP/") else []
    if not status or not (status[0].isdecimal() and status[0].isascii() and len(status[0]) == 3):  # noqa: PLR2004  digits of a status
        return NO_ANSWER
    headers = {name.strip().casefold(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return GithubAnswer(status=int(status[0]), headers=headers, body=raw[at:])


def rests_until(answer: GithubAnswer, now: datetime) -> datetime | None:
    """Return until when nothing is to be asked; None: at any time. It is an hour at most, then it is tried again."""
    is_spent = answer.headers.get("x-ratelimit-remaining") == "0"
    if answer.status not in LIMITED and not is_spent:
        return None
    after, reset = (
        _seconds(answer.headers.get("retry-after", "")),
        _seconds(answer.headers.get("x-ratelimit-reset", "")),
    )
    if after is not None:
        rest = timedelta(seconds=min(after, REST_MAX.total_seconds()))
    elif is_spent and reset is not None:
        rest = datetime.fromtimestamp(reset, UTC) - now
    else:
        rest = REST
    return now + min(max(rest, REST), REST_MAX)


def _seconds(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX else None
