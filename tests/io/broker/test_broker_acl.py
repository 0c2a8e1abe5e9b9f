import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.io.broker.acl import BadBrokerNameError, BrokerUser, acl_for, allowed, rules_for
from hub.kit.mqtt.messages import covers

HUB = BrokerUser(name="hub-ann", user="ann", role="hub")
PHONE = BrokerUser(name="ann-phone", user="ann", role="device", surface="phone", device="p1")
GATEWAY = BrokerUser(name="ann-gw", user="ann", role="gateway", surface="browser")
DISCORD = BrokerUser(name="ann-discord", user="ann", role="device", surface="discord", device="bridge")
SENSOR = BrokerUser(name="ann-git", user="ann", role="sensor", sensor="git")

EXPECTED = """\
# Written by Pulse; changes are overwritten. Anything not listed is refused.

user hub-ann
topic readwrite pulse/v1/ann/#

user ann-phone
topic read pulse/v1/ann/deliver/phone/p1
topic read pulse/v1/ann/state
topic read pulse/v1/ann/event/#
topic write pulse/v1/ann/receipt/phone/p1
topic write pulse/v1/ann/decision/phone/p1
topic write pulse/v1/ann/presence/phone/p1
topic write pulse/v1/ann/world/phone/p1

user ann-git
topic write pulse/v1/ann/signal/git
topic write pulse/v1/ann/world/sensor/git
"""

segments = st.text("ab1_-", min_size=1, max_size=3)
topics = st.lists(segments, min_size=1, max_size=4).map("/".join)


def test_the_list_grants_each_its_own_and_nothing_else() -> None:
    assert acl_for([HUB, PHONE, SENSOR]) == EXPECTED


def test_nobody_gets_an_empty_list_of_rights() -> None:
    assert "topic" not in acl_for([])


@pytest.mark.parametrize(
    ("user", "action", "topic", "yes"),
    [
        (HUB, "write", "pulse/v1/ann/deliver/phone/p1", True),
        (HUB, "read", "pulse/v1/ann/#", True),
        (HUB, "read", "pulse/v1/bob/state", False),
        (HUB, "read", "#", False),
        (PHONE, "write", "pulse/v1/ann/decision/phone/p1", True),
        (PHONE, "write", "pulse/v1/ann/decision/phone/p2", False),
        (PHONE, "write", "pulse/v1/ann/state", False),
        (PHONE, "read", "pulse/v1/ann/event/card/new", True),
        (PHONE, "read", "pulse/v1/ann/deliver/phone/+", False),
        (PHONE, "read", "pulse/v1/ann/decision/phone/p1", False),
        (GATEWAY, "read", "pulse/v1/ann/deliver/browser/+", True),
        (GATEWAY, "read", "pulse/v1/ann/deliver/phone/p1", False),
        (GATEWAY, "write", "pulse/v1/ann/receipt/browser/b7", True),
        (GATEWAY, "write", "pulse/v1/ann/receipt/phone/p1", False),
        (GATEWAY, "write", "pulse/v1/ann/decision/browser/b7", False),
        (GATEWAY, "write", "pulse/v1/ann/presence/browser/b7", False),
        (SENSOR, "write", "pulse/v1/ann/signal/git", True),
        (SENSOR, "write", "pulse/v1/ann/world/sensor/git", True),
        (SENSOR, "write", "pulse/v1/ann/world/sensor/other", False),
        (SENSOR, "write", "pulse/v1/ann/world/phone/p1", False),
        (PHONE, "write", "pulse/v1/ann/world/phone/p1", True),
        (PHONE, "write", "pulse/v1/ann/world/phone/p2", False),
        (PHONE, "write", "pulse/v1/ann/world/sensor/git", False),
        (PHONE, "read", "pulse/v1/ann/world/phone/p1", False),
        (GATEWAY, "write", "pulse/v1/ann/world/browser/b7", False),
        (SENSOR, "read", "pulse/v1/ann/state", False),
        (DISCORD, "write", "pulse/v1/ann/signal/discord-mentions", True),
        (DISCORD, "write", "pulse/v1/bob/signal/discord-mentions", False),
        (DISCORD, "write", "pulse/v1/ann/signal/git", False),
        (DISCORD, "read", "pulse/v1/ann/signal/discord-mentions", False),
        (PHONE, "write", "pulse/v1/ann/signal/discord-mentions", False),
        (PHONE, "write", "pulse/v1/ann/signal/phone", False),
    ],
)
def test_rules_say_who_may_what(user: BrokerUser, action: str, topic: str, yes: bool) -> None:  # noqa: FBT001  a table
    assert allowed(rules_for(user), "write" if action == "write" else "read", topic) is yes


@pytest.mark.parametrize("bad", ["", "a b", "a/b", "+", "#", "a\nuser root", "ü", "a" * 65, "a:b", "a\n"])
def test_a_name_that_could_reach_further_is_refused(bad: str) -> None:
    with pytest.raises(BadBrokerNameError):
        BrokerUser(name=bad, user="ann", role="hub")
    with pytest.raises(BadBrokerNameError):
        BrokerUser(name="x", user="ann", role="device", surface="phone", device=bad)
    with pytest.raises(BadBrokerNameError):
        BrokerUser(name="x", user="ann", role="sensor", sensor=bad)


@pytest.mark.slow
@given(topic=topics)
def test_a_pattern_covers_itself_and_hash_covers_all(topic: str) -> None:
    assert covers(topic, topic)
    assert covers("#", topic)
    assert covers(f"{topic}/#", topic)
    assert not covers(topic, f"{topic}/x")
    assert not covers(f"{topic}/x", topic)


@pytest.mark.slow
@given(topic=topics, index=st.integers(0, 3))
def test_a_plus_covers_one_level(topic: str, index: int) -> None:
    levels = topic.split("/")
    levels[index % len(levels)] = "+"
    pattern = "/".join(levels)
    assert covers(pattern, topic)
    assert not covers(topic, pattern)
    assert not covers(pattern, "#")
