"""From a delivery to a title and a text. Pure. What comes silently is not told at all: a mail is never silent."""

from hub.contract.base import Value
from hub.contract.surface import LOUD, CardDelivery
from hub.contract.topics import DeviceAddress
from hub.kit.phrasebook import Phrases
from hub.kit.pushed_text import fitted, page_of, pushed_text


class TextPush(Value):
    """What the services are told of one delivery."""

    delivery_id: str
    title: str
    body: str
    is_alert: bool


def render(
    delivery: CardDelivery, words: Phrases, own_address: DeviceAddress, *, page: str, chars_max: int
) -> TextPush | None:
    """Make the text of a delivery; None where it is not told there."""
    said = pushed_text(delivery, words, own_address) if delivery.loudness in LOUD else None
    if said is None:
        return None
    link = page_of(page, delivery) or page
    body = "\n\n".join(filter(None, (fitted(said, chars_max).body, link)))
    return TextPush(
        delivery_id=delivery.delivery_id,
        title=said.title,
        body=body or said.title,
        is_alert=delivery.loudness == "alert",
    )


def read_urls(text: str) -> tuple[str, ...]:
    """Return the addresses of a secret, one a line."""
    return tuple(filter(None, (line.strip() for line in text.splitlines())))
