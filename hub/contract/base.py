"""The base classes of everything that is handed around: frozen, keyword-only, compared by content."""

from typing import Any, dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class ValueMeta(msgspec.StructMeta):
    """Makes frozen and keyword-only the default of every subclass; msgspec itself does not hand kw_only down."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any) -> "ValueMeta":  # noqa: ANN401  whatever msgspec's own metaclass takes
        """Build the class with our defaults."""
        return super().__new__(mcls, name, bases, namespace, **{"frozen": True, "kw_only": True, **config})


class Value(msgspec.Struct, metaclass=ValueMeta):
    """A value handed from room to room."""


class Message(msgspec.Struct, metaclass=ValueMeta, forbid_unknown_fields=True, rename="camel"):
    """A value that crosses a process or a device: camelCase on the wire, unknown fields are errors.

    The hub is strict with what it is told: a field that it does not know would be a wish that it does not follow.
    """


class HubMessage(Message, forbid_unknown_fields=False):
    """A message of the hub's own: whoever reads it may be older, and passes over fields that it does not know."""
