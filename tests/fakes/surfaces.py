"""Surface processes that are only written down."""

from hub.contract.api import HealthPart


class FakeSurfaces:
    """The `Surfaces` port; `needed` are those that were asked for."""

    def __init__(self) -> None:
        self.needed: list[str] = []

    def need(self, surface: str) -> None:
        if surface not in self.needed:
            self.needed.append(surface)

    def health(self) -> tuple[HealthPart, ...]:
        return tuple(HealthPart(name=f"surface {name}", status="ok") for name in self.needed)

    async def close(self) -> None:
        self.needed.clear()
