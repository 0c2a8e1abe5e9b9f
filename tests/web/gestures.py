"""What hands do: swipes with a mouse and with a finger, at a person's speed."""

from dataclasses import dataclass

from playwright.async_api import Locator, Page

STEPS = 12
WAYS = {"right": (1, 0), "left": (-1, 0), "up": (0, -1)}


@dataclass(frozen=True)
class Stroke:
    """From where to where, in CSS pixels."""

    x: float
    y: float
    dx: float
    dy: float

    def at(self, step: int) -> tuple[float, float]:
        share = step / STEPS
        return self.x + self.dx * share, self.y + self.dy * share


async def stroke_over(card: Locator, way: str) -> Stroke:
    """Return a stroke that begins in the upper middle of the card and is long enough to be meant."""
    await card.scroll_into_view_if_needed()
    box = await card.bounding_box()
    assert box is not None
    right, down = WAYS[way]
    reach = box["width"] * 0.6 if right else box["height"] * 0.8
    return Stroke(x=box["x"] + box["width"] / 2, y=box["y"] + box["height"] * 0.35, dx=right * reach, dy=down * reach)


async def swipe(page: Page, card: Locator, way: str, *, touch: bool) -> None:
    """Swipe a card away with a finger or with the mouse."""
    stroke = await stroke_over(card, way)
    await (with_finger(page, stroke) if touch else _with_mouse(page, stroke))


async def _with_mouse(page: Page, stroke: Stroke) -> None:
    await page.mouse.move(stroke.x, stroke.y)
    await page.mouse.down()
    for step in range(1, STEPS + 1):
        await page.mouse.move(*stroke.at(step))
    await page.mouse.up()


async def with_finger(page: Page, stroke: Stroke) -> None:
    """Draw a stroke with a finger, at once, whatever moves below it."""
    devtools = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y} for x, y in points]
        await devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    await touch("touchStart", (stroke.x, stroke.y))
    for step in range(1, STEPS + 1):
        await touch("touchMove", stroke.at(step))
    await touch("touchEnd")
    await devtools.detach()
