"""What a person wants less of, never again, or always to be asked about: the list in Settings, and how to change it."""

from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.api import Aware, Count, Word
from hub.contract.base import HubMessage, Message
from hub.contract.phrasing import Phrasing

PLACE_CHARS_MAX = 1_024
Degree = Literal["less", "never", "ask"]
Place = Annotated[str, Meta(min_length=1, max_length=PLACE_CHARS_MAX)]


class MuteView(HubMessage):
    """One wish: what is meant (all that are given must fit a suggestion), how strongly, and what it does.

    `repository` is a folder with its full path. `summary` is the wish in words, `effect` what follows from it.
    `example` is the text of the suggestion it came from. `learnt` says that nobody said it: it follows from suggestions
    of this kind that were dismissed in a row. Of such a one `times` counts those. `summaryWorded` and `effectWorded`
    are both as codes, where they have one.
    """

    id: str
    degree: Degree
    summary: str
    effect: str
    since: Aware
    times: Count
    kind: str | None = None
    repository: str | None = None
    channel: str | None = None
    example: str = ""
    learnt: bool = False
    card_id: str | None = field(name="predictionId", default=None)
    effect_worded: Phrasing | None = None
    summary_worded: Phrasing | None = None


class MuteList(HubMessage):
    """The answer of `GET /api/v1/mutes`: what the person said, newest first, then what Pulse learnt by itself."""

    mutes: tuple[MuteView, ...]
    count: Count


class MuteRequest(Message):
    """Body of `POST /api/v1/mutes`: want less or none of something, or always be asked about it.

    One of the three is needed, or a card, which then means its kind.
    """

    degree: Degree
    card_id: Word | None = field(name="predictionId", default=None)
    kind: Word | None = None
    repository: Place | None = None
    channel: Word | None = None
