"""The table `[web]` of the settings, and what the hub needs to know of this surface. Pure."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from hub.contract.base import Value
from hub.kit.surface import Mistake, SurfaceSpec
from surfaces.web.endpoints import is_rule

DEFAULT_CONTACT = "mailto:pulse@example.com"
"""Nobody reads it, but its domain is real, so that Apple takes it. Set `web.contact` to be reachable."""


class Config(Value, forbid_unknown_fields=True):
    """Web Push. `contact` is told to the push services (mailto: or https:); `push_hosts` are trusted beside theirs."""

    contact: Annotated[str, Meta(max_length=300, pattern=r"^((mailto:|https://)[^\s<>]+)?$")] = ""
    push_hosts: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """The hosts as they are compared."""
        return tuple(host.strip().lower() for host in self.push_hosts)


def mistakes(config: Config) -> Iterator[Mistake]:
    """Say which hosts are none."""
    for rule in config.rules:
        if not is_rule(rule):
            yield "push_hosts", f"{rule!r} is not the host of a push service."


WEB = SurfaceSpec(
    table="web",
    config=Config,
    is_used=lambda _config: True,
    mistakes=mistakes,
    serves=("browser",),
    scopes=("deliver",),
    service=("Web Push", ""),
    howto="docs/howto/web-push.md",
    secrets=("PULSE_VAPID_KEY",),
    by_hand=False,
)
