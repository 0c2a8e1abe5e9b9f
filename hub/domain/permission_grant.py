"""What a person lets an agent do without being asked: a pattern of what is done, a place, a time, and whose word it is.

A pattern is built from what was on a card, never typed by an agent, and never the beginning of a text.
"""

from datetime import datetime
from typing import Literal

from hub.contract.base import Value
from hub.contract.effects import Effect
from hub.contract.permission import Act
from hub.contract.phrasing import Phrasing

OPTION_PREFIX = "pulse-"
"""The ids of the options that Pulse itself offers on an agent's card begin so; the agent never hears of them."""


class CallPattern(Value):
    """Calls of one program that count as alike: they begin with `words`, and what follows is bound by `rest`.

    `inside`: anything, as long as it names nothing outside the place and does no more than `effects`; with `paths` it
    has to name something, and nothing but these or what is in them. `same`: the same options and operands. `names`: the
    same options, and after `operands` plain names. `paths`: the same options, and as operands these paths or what is in
    them.
    """

    words: tuple[str, ...]
    rest: Literal["inside", "same", "names", "paths"]
    effects: tuple[Effect, ...]
    options: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


class PermissionPattern(Value):
    """What counts as the same as what was on the card, for one agent, in one folder and what is in it.

    `text` is a whole command or tool input that has to be the same, `calls` are commands like it, `paths` the folders
    in which files may be read or changed, `site` is the scheme and host of pages. Exactly one of them is given.
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


class GrantEvent(Value):
    """One line of the record of grants: that one was made, used, or ended, when, and by what.

    `text` is what was let through, safe to show and cut; `by` the device or agent.
    """

    grant_id: str
    at: datetime
    what: Literal["made", "used", "ended", "expired"]
    by: str
    text: str = ""


class AddGrantEvent(Value, tag="add-grant-event"):
    """Append to the record of grants; of very many the oldest are forgotten."""

    user: str
    event: GrantEvent
