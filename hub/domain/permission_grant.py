"""What a person lets an agent do without being asked: a pattern of what is done, a place, a time, and whose word it is.

A pattern is built from what was on a card, never typed by an agent, and never the beginning of a text.
"""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.contract.permission import Act, CallField
from hub.contract.phrasing import Phrasing

OPTION_PREFIX = "pulse-"
"""The ids of the options that Pulse itself offers on an agent's card begin so; the agent never hears of them."""


FORM = 2
"""The form of the patterns that are made now. A grant in an older one covers nothing: it is narrowed, or it ends."""


class CallPattern(Value):
    """Calls of one program that count as alike, in one folder and none below it.

    `same`: `words` are all of it. `alike`: it begins with `words`, has exactly these `options` (one whose value is free
    as `-k …`), and behind them either these `operands`, or files that are in `paths` or are one of them; none at all
    only where `bare`.

    `inside`, `names` and `paths` are of the first form, in which options were free. They are only read.
    """

    words: tuple[str, ...]
    rest: Literal["same", "alike", "inside", "names", "paths"]
    effects: tuple[Effect, ...]
    options: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    folder: str = ""
    bare: bool = False


class PermissionPattern(Value):
    """What counts as the same as what was on the card, for one agent, in one folder and what is in it.

    `text` is a whole command or tool input that has to be the same, `calls` are commands like it, `paths` the folders
    in which files may be read or changed, `site` is the scheme and host of pages. Exactly one of them is given.
    `settings` are those of how the tool runs, which have to be the same.
    """

    agent: str
    act: Act
    tool: str
    place: str
    effects: tuple[Effect, ...]
    text: str = ""
    calls: tuple[CallPattern, ...] = ()
    paths: tuple[str, ...] = ()
    site: str = ""
    settings: tuple[CallField, ...] = ()
    form: int = 1


class GrantOption(Value):
    """A grant as a card offers it: `id` stands for the pattern and the time, `label` is the pattern in words."""

    id: str
    label: str
    note: str
    pattern: PermissionPattern
    expires_at: datetime
    label_worded: Phrasing | None = None
    note_worded: Phrasing | None = None


class PermissionGrant(Value):
    """A person's word that an agent need not ask about what fits a pattern.

    `card_id` is the card on which it was given, `by` the device, `label` the pattern in words. `uses` counts what was
    let through on it, `last_used_at` is when.
    """

    id: str
    pattern: PermissionPattern
    label: str
    made_at: datetime
    expires_at: datetime
    card_id: str
    by: str
    uses: int = 0
    last_used_at: datetime | None = None


class ChangedGrant(Value):
    """A grant that an update of Pulse narrowed or ended: what it said before, and what is left of it."""

    id: str
    was: str
    left: PermissionPattern | None
    at: datetime


class GrantEvent(Value):
    """One line of the record of grants: that one was made, used, or ended, or that Pulse was stopped or started.

    `text` is what was let through, safe to show and cut; `by` the device (`surface/device`) or agent. A stop and a
    start are of no grant.
    """

    grant_id: str
    at: datetime
    what: Literal["made", "used", "ended", "expired", "stopped", "started"]
    by: str
    text: str = ""
    text_worded: Phrasing | None = None


class AddGrantEvent(Value, tag="add-grant-event"):
    """Append to the record of grants; of very many the oldest are forgotten."""

    user: str
    event: GrantEvent
