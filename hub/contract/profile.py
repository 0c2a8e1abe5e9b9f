"""A device profile: what a kind of device can show and do. One TOML file per kind in device_profiles/, data only."""

from typing import Annotated, Literal

import msgspec

from hub.contract.api import Word
from hub.contract.base import Message
from hub.contract.errors import UserError
from hub.contract.surface import Loudness, Privacy
from hub.contract.words import HumanInput, Risk, Verb

Column = Literal["new-medium", "new-high", "auto-executed", "completed", "failed", "cost", "paused"]
"""The seven events of CROSSPOLL 6.2's matrix (its rows)."""


class BadProfileError(UserError):
    """A device profile cannot be read. The message says where; the other devices keep working."""

    code = "bad-profile"


class DeviceProfile(Message, rename=None):
    """What this kind of device gets of each event, and which verbs it may offer for which risk.

    `matrix` names the loudness of each row of CROSSPOLL 6.2; without a row the device is told silently of what happens
    to a card, and of nothing else. A device that `needs_address` is reached through its push service and told nothing
    before it has given one. One that is `live_while_present` reads the live feed while it is online, and is sent
    nothing beside it then. `inputs` are what a person can do there; an answer by anything else is refused. To one that
    `tries_each_row` a person's test shows a notification of each row that it is told of, to others one card. A surface
    that is `started_by_hand` may be run by the person's own command line, which then answers as it. One that
    `lists_held` is a list to look at: it shows, silently, what nobody was told of yet. One that shows `alike_together`
    is told of several requests of one kind in one message, each with its own answers. Where it `answers_questions` a
    person can choose among an agent's answers or write one; elsewhere no yes to it is offered. A card with a text
    longer than `shows_chars_max` is never shown whole there, so that no yes to it is offered; 0 is no such bound. Where
    it `unfolds` a person can ask for a text that is hidden (`privacy`) and is shown all of it; elsewhere no yes to one
    is offered. One that `confirms_shown` says itself what it has shown; that its push service took it proves nothing.
    Where `login_in_files` all that shows the person there is a login that every program of the hub's user can read;
    then `own_ideas_only` once an agent is connected (`hub/where`): no yes but to what Pulse worded, at low risk.
    `begun_by` says in a sentence what a person does to be told there again.
    """

    name: Word
    surface: Word
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    matrix: dict[Column, Loudness]
    verbs: tuple[Verb, ...]
    approve_up_to: Risk = Risk.HIGH
    privacy: Privacy = "full"
    payload_bytes_max: Annotated[int, msgspec.Meta(ge=256, le=262_144)] = 65_536
    only_while_present: bool = False
    needs_address: bool = False
    live_while_present: bool = False
    tries_each_row: bool = False
    started_by_hand: bool = False
    lists_held: bool = False
    alike_together: bool = False
    answers_questions: bool = False
    unfolds: bool = False
    confirms_shown: bool = False
    login_in_files: bool = False
    own_ideas_only: bool = False
    begun_by: Annotated[str, msgspec.Meta(max_length=120)] = ""
    shows_chars_max: Annotated[int, msgspec.Meta(ge=0, le=65_536)] = 0
    inputs: tuple[HumanInput, ...] = tuple(HumanInput)


def read_profile(text: str) -> DeviceProfile:
    """Read one profile from TOML text.

    Raises:
        BadProfileError: not TOML, an unknown field, or a wrong value; says where.
    """
    try:
        return msgspec.toml.decode(text, type=DeviceProfile)
    except (msgspec.DecodeError, ValueError) as error:
        raise BadProfileError(str(error)) from error
