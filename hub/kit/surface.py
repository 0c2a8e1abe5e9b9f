"""What a surface says of itself to the hub that starts it: its table of the settings, and what its process needs. Pure.

A surface has one such spec, in its `settings` module; the list of them in `hub/app` is all that the hub knows of it.
"""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

import msgspec

from hub.contract.access import Scope
from hub.contract.base import Value
from hub.contract.errors import UserError
from hub.kit.setup_faults import SetupField

C = TypeVar("C", bound=Value)
PAGE = "PULSE_PAGE"
"""The page's address as a phone reaches it; empty where none does."""
Mistake = tuple[str, str]
"""A field of the table, and what is wrong with it."""


class SurfaceSpec(Value, Generic[C]):
    """A surface whose process the hub starts, as `python -m surfaces.TABLE`.

    It is told its table as PULSE_{TABLE}_CONFIG, a folder of its own as PULSE_{TABLE}_STATE, and over its pipe the
    `secrets`. `asks` is what its set-up needs of the person, in this order. `serves` names its surfaces, one or more,
    and `scopes` what its token is good for: with `deliver` it is their gateway. `service` is who is talked to, and at
    which host. Nobody runs it by hand unless `by_hand`. `keeps` is what its set-up finds out and keeps in the table,
    beside the answers that are no secret. `approves` is that the person lets it give a yes beside an
    agent, though its login lies in a file.
    """

    table: str
    config: type[C]
    is_used: Callable[[C], bool]
    serves: tuple[str, ...]
    scopes: tuple[Scope, ...]
    service: tuple[str, str]
    howto: str
    secrets: tuple[str, ...] = ()
    asks: tuple[SetupField, ...] = ()
    keeps: tuple[str, ...] = ()
    mistakes: Callable[[C], Iterable[Mistake]] = lambda _config: ()
    by_hand: bool = True
    approves: Callable[[C], bool] = lambda _config: False

    @property
    def name(self) -> str:
        """What its process is called, in health too."""
        return self.serves[0] if len(self.serves) == 1 else self.table

    @property
    def is_gateway(self) -> bool:
        """Whether it carries the deliveries of all devices; else it is one device itself."""
        return "deliver" in self.scopes

    @property
    def set_up_keys(self) -> frozenset[str]:
        """The keys of its table that its set-up writes."""
        return frozenset((*self.keeps, *(field.name for field in self.asks if not field.is_secret)))

    def of(self, settings: object) -> C:
        """Return this surface's table of the settings."""
        table: C = getattr(settings, self.table)
        return table

    def told(self, settings: object, state: str) -> dict[str, str]:
        """Return what the process finds in its environment."""
        config = msgspec.json.encode(self.of(settings)).decode()
        return {f"PULSE_{self.table.upper()}_CONFIG": config, f"PULSE_{self.table.upper()}_STATE": state}

    def read(self, text: str, error: type[UserError]) -> C:
        """Read the table as the process is told it, in JSON; by hand it may be TOML.

        Raises:
            error: it is missing, cannot be read, or has mistakes; all of them are named.
        """
        hint = f"See {self.howto}."
        if not text.strip():
            raise error(f"There are no settings for {self.service[0]}.", fix=f"Add a `[{self.table}]` table. {hint}")
        decode = msgspec.json.decode if text.lstrip().startswith("{") else msgspec.toml.decode
        try:
            config: C = decode(text, type=self.config)
        except (msgspec.DecodeError, ValueError) as wrong:
            raise error(f"`[{self.table}]` cannot be read: {wrong}.", fix=hint) from wrong
        if found := "\n".join(self.lines(config)):
            raise error(found, fix=hint)
        return config

    def lines(self, config: C) -> tuple[str, ...]:
        """Return what is wrong with a table, a line for each mistake."""
        return tuple(f"`{self.table}.{field}`: {wrong}" for field, wrong in self.mistakes(config))
