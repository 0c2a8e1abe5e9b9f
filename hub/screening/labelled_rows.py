"""The files of labelled rows that screening is measured with: JSON lines, one row each."""

from typing import TypeVar

import msgspec

from hub.contract.base import Value
from hub.contract.errors import UserError

ROWS_MAX = 100_000
"""More lines than this are refused rather than read for minutes."""
R = TypeVar("R", bound=Value)


def read_rows(text: str, kind: type[R], fix: str) -> tuple[R, ...]:
    """Read JSON lines as rows of `kind`, skipping empty ones; `fix` shows how a row is written.

    Raises:
        UserError: a line is no such row, and is named; or there are too many.
    """
    lines = text.split("\n")
    if len(lines) > ROWS_MAX:
        raise UserError(f"The file has more than {ROWS_MAX} lines.", fix="Split it and test the parts.")
    decoder = msgspec.json.Decoder(kind)
    rows: list[R] = []
    for number, line in enumerate(lines, start=1):
        try:
            rows += [decoder.decode(line)] if line.strip() else []
        except (msgspec.DecodeError, UnicodeError) as error:
            raise UserError(f"Line {number} is not a labelled row: {error}.", fix=fix) from error
    return tuple(rows)
