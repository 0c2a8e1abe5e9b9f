"""The rows that are scored: what happened, what was offered or null, and whether that was right.

Every other field of a row (`help_needed`, `category`, `annotation`, …) is left unread, and `valid` is only scored by.
"""

import msgspec

from hub.contract.base import Value
from hub.contract.errors import UserError

FILE_BYTES_MAX = 67_108_864
ROWS_MAX = 20_000
EVENTS_MAX = 1_000
NAMED_MAX = 5
"""So many bad lines are named; the rest is counted."""


class BadRowsError(UserError):
    """A line of the file cannot be scored. The message names the lines."""

    code = "bad-rows"


class HappenedEvent(Value):
    """One thing that happened; when is not looked at."""

    event: str


class LabelledOffer(Value):
    """One row. ``pred_task`` null: nothing was offered. ``valid``: the offer, or the silence, was right."""

    obs: tuple[HappenedEvent, ...]
    pred_task: str | None
    valid: bool | None = None

    @property
    def happened(self) -> str:
        """What happened, a line each."""
        return "\n".join(" ".join(one.event.split()) for one in self.obs)


def read_offers(content: bytes) -> tuple[LabelledOffer, ...]:
    """Read JSON lines; empty ones are skipped.

    Raises:
        BadRowsError: lines are no rows, the file is too large, or holds none.
    """
    fix = 'Write one object per line: {"obs": [{"event": "…"}], "pred_task": "…" or null, "valid": true or false}.'
    if len(content) > FILE_BYTES_MAX:
        raise BadRowsError(f"The file is larger than {FILE_BYTES_MAX} bytes.", fix="Split it and score the parts.")
    numbered = [(number, line) for number, line in enumerate(content.split(b"\n"), start=1) if line.strip()]
    if len(numbered) > ROWS_MAX:
        raise BadRowsError(f"The file has more than {ROWS_MAX} rows.", fix="Split it and score the parts.")
    rows: list[LabelledOffer] = []
    bad: list[str] = []
    for number, line in numbered:
        read = _read(line)
        if isinstance(read, str):
            bad.append(f"Line {number}: {read}.")
        else:
            rows.append(read)
    if bad:
        more = f" And {len(bad) - NAMED_MAX} more." if len(bad) > NAMED_MAX else ""
        raise BadRowsError(" ".join(bad[:NAMED_MAX]) + more, fix=fix)
    if not rows:
        raise BadRowsError("The file holds no rows.", fix=fix)
    return tuple(rows)


_DECODER = msgspec.json.Decoder(LabelledOffer)


def _read(line: bytes) -> LabelledOffer | str:
    """Return the row, or why it is none."""
    try:
        row = _DECODER.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return str(error).rstrip(".")
    if not row.obs:
        return "nothing happened before it (`obs` is empty)"
    if len(row.obs) > EVENTS_MAX:
        return f"it holds more than {EVENTS_MAX} events"
    return row
