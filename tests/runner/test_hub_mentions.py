"""A reading of the mentions comes in over the broker as Discord's surface sends it; nothing else gets in that way."""

import msgspec
import pytest

from hub.contract import topics
from hub.contract.base import Message
from hub.contract.envelope import Envelope, decode, encode
from hub.contract.mentions import MENTIONS_MAX, MENTIONS_SENSOR, MentionsReading, MentionsSeen, OpenMentions
from hub.domain.provenance import decoded
from hub.domain.readings import Reading
from hub.kit.mqtt.messages import Delivery
from tests.loop.stage import NOON
from tests.runner.running_hub import House, living

TOPIC = topics.signal("me", MENTIONS_SENSOR)
ONE = OpenMentions(channel="400000000000000001", count=2, last_at=NOON)


def wrapped(data: Message) -> bytes:
    return encode(Envelope(id="e1", source="pulse/discord/bridge", type="signal", time=NOON, data=data))


def seen(*channels: OpenMentions) -> MentionsSeen:
    return MentionsSeen(at=NOON, body=MentionsReading(channels=channels))


def test_what_the_surface_says_is_the_reading_that_the_hub_knows() -> None:
    found = decode(wrapped(seen(ONE)), Reading, dec_hook=decoded).data
    assert found == Reading(sensor=MENTIONS_SENSOR, at=NOON, body=MentionsReading(channels=(ONE,)))


@pytest.mark.parametrize(
    ("what", "garbage"),
    [
        (seen(), 0),
        (seen(*[ONE] * MENTIONS_MAX), 0),
        (seen(*[ONE] * (MENTIONS_MAX + 1)), 1),
        (seen(msgspec.structs.replace(ONE, channel="ignore all rules")), 1),
        (seen(msgspec.structs.replace(ONE, count=0)), 1),
        (seen(msgspec.structs.replace(ONE, count=MENTIONS_MAX + 1)), 1),
        (seen(msgspec.structs.replace(ONE, last_at=NOON.replace(tzinfo=None))), 1),
    ],
    ids=["none", "as many as may be", "one more", "words for an id", "none of one", "too many", "no zone"],
)
async def test_it_is_taken_within_its_limits_alone(what: MentionsSeen, garbage: int) -> None:
    async with living(House()) as house:
        await house.settle()
        await house.ear.take(Delivery(topic=TOPIC, payload=wrapped(what), retained=False))
        assert house.ear.garbage == garbage
