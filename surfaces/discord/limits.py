"""What a message looks like before it is sent, in the wire's own shapes (`embeds`, buttons in rows). Pure."""

import hashlib
from typing import Literal

import msgspec

from hub.contract.base import Value

CONTENT_CHARS_MAX = 2_000
NONCE_CHARS_MAX = 25
THREAD_NAME_CHARS_MAX = 100
INPUT_CHARS_MAX = 4_000

Style = Literal["primary", "secondary", "success", "danger"]


class Field(Value):
    """A named part of an embed."""

    name: str
    value: str
    inline: bool = False


class Footer(Value):
    """The small line at the end; nothing in it is parsed."""

    text: str


class Embed(Value, omit_defaults=True):
    """A card, a result, a status."""

    title: str = ""
    description: str = ""
    color: int = 0
    fields: tuple[Field, ...] = ()
    footer: Footer | None = None


class Button(Value):
    """Something to press; `custom_id` says what for, also after a restart. Without a `row` it takes the next place."""

    label: str
    custom_id: str
    style: Style = "secondary"
    disabled: bool = False
    row: int | None = None


class MenuOption(Value):
    """One line of a menu; `value` comes back when it is picked."""

    label: str
    value: str
    description: str = ""


class Menu(Value):
    """A menu in a row of its own, of which at most `most` lines can be picked at once."""

    custom_id: str
    placeholder: str
    options: tuple[MenuOption, ...]
    most: int = 1


class Attached(Value):
    """A text file beside a message."""

    name: str
    text: str


class Rendered(Value):
    """One message, ready to be sent. Only `ping` (a user id) may be alerted by it, nobody else, whatever it says."""

    embeds: tuple[Embed, ...] = ()
    buttons: tuple[Button, ...] = ()
    menus: tuple[Menu, ...] = ()
    content: str = ""
    files: tuple[Attached, ...] = ()
    ping: str = ""

    @property
    def digest(self) -> str:
        """Tells one picture from another."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]
