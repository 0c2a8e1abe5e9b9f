"""Surface processes that are only written down."""

from hub.contract.api import HealthPart


class FakeSurfaces:
    """The `Surfaces` port; `needed` are those that were asked for, `set_up` those that can be begun anew."""

    def __init__(self) -> None:
        self.needed: list[str] = []
        self.set_up: set[str] = set()

    def need(self, surface: str) -> None:
        if surface not in self.needed:
            self.needed.append(surface)

    async def release(self, surface: str) -> None:
        if surface in self.needed:
            self.needed.remove(surface)

    async def renew(self, surface: str) -> None:
        await self.release(surface)
        if surface in self.set_up:
            self.need(surface)

    def health(self) -> tuple[HealthPart, ...]:
        titles = (name if " " in name else f"surface {name}" for name in self.needed)
        return tuple(HealthPart(name=title, status="ok") for title in titles)

    async def close(self) -> None:
        self.needed.clear()
