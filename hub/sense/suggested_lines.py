"""The box into which agents put their ideas: JSON, one on each line, written by the hub itself."""

from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from msgspec import Meta

from hub.contract.base import Value
from hub.domain.provenance import AgentText
from hub.domain.suggested import Suggested, SuggestedReading
from hub.kit.text import one_line, several_lines

IDEA_CHARS_MAX = 500
KEPT_MAX = 20
"""So many of the latest are used."""
FRESH_FOR = timedelta(hours=24)
"""What is older was about another day."""


class SuggestedLine(Value):
    """One idea: whose client handed it in (`client`), what that calls itself, and when."""

    id: str
    client: str
    agent: str
    idea: str
    at: Annotated[datetime, Meta(tz=True)]
    why: str = ""


def lines_in(raw: bytes) -> tuple[SuggestedLine, ...]:
    """Return the ideas in the box, oldest first; half a line, as a full disk may leave, is none."""
    return tuple(line for line in map(_line, raw.splitlines()) if line is not None)


def suggested_reading(raw: bytes, now: datetime) -> SuggestedReading:
    """Return what is in the box and of today, the latest last."""
    found = tuple(_suggested(line) for line in lines_in(raw) if timedelta() <= now - line.at <= FRESH_FOR)
    return SuggestedReading(suggested=found[-KEPT_MAX:])


def _line(raw: bytes) -> SuggestedLine | None:
    try:
        return msgspec.json.decode(raw, type=SuggestedLine)
    except (msgspec.DecodeError, RecursionError):
        return None


def _suggested(line: SuggestedLine) -> Suggested:
    return Suggested(
        id=line.id,
        agent=AgentText(line.agent),
        prompt=AgentText(several_lines(line.idea, IDEA_CHARS_MAX)),
        why=AgentText(one_line(line.why, IDEA_CHARS_MAX)),
        at=line.at,
    )
