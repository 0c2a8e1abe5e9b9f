"""A sentence of the hub's own as a code with what goes into it, so that every surface can say it in its language."""

from datetime import date, datetime
from typing import Annotated

from msgspec import Meta, field

from hub.contract.base import Message

Code = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[a-z_]+(\.[a-z_]+)?$")]


class Phrasing(Message):
    """Beside a sentence in English: the name of a phrase, and what is put into it.

    `values` go into the slots of their names, `numbers` with one decimal, `parts` as phrases within the phrase,
    `listed` as an enumeration into `{listed}`, `day` into `{day}`, `moment` as its reader's clock has it into `{time}`,
    and `about`, a phrase, too, into `{about}`. Whoever does not know the code shows the English sentence.
    """

    code: Code
    values: dict[str, str] = field(default_factory=dict)
    listed: tuple[str, ...] = ()
    day: date | None = None
    about: "Phrasing | None" = None
    numbers: dict[str, float] = field(default_factory=dict)
    parts: dict[str, "Phrasing"] = field(default_factory=dict)
    moment: Annotated[datetime, Meta(tz=True)] | None = None
