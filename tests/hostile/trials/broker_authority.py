"""Everything that a stranger or a paired device might do at the broker that it may not, on each broker of ours."""

import contextlib
import secrets
from collections.abc import Callable, Iterable, Iterator

from hub.io.broker.acl import BrokerUser
from tests.hostile.broker_stand import BASE, GATEWAY, HUB, OTHER, PHONE, SENSOR, Stand, kinds, stand
from tests.hostile.mqtt_raw import RawClient, Will, connect_packet, packet, publish_packet
from tests.hostile.trial import Outcome, Trial

SECRET, FORGED, END = b"secret", b"forged", b"the end"
OWN = f"{BASE}/decision/phone/p1"
FOREIGN_TOPICS = (
    f"{BASE}/decision/phone/p2",
    f"{BASE}/decision/browser/b1",
    f"{BASE}/receipt/phone/p2",
    f"{BASE}/presence/phone/p2",
    f"{BASE}/world/phone/p2",
    f"{BASE}/world/sensor/git",
    f"{BASE}/deliver/phone/p1",
    f"{BASE}/deliver/phone/p2",
    f"{BASE}/state",
    f"{BASE}/event/card/new",
    f"{BASE}/signal/git",
    f"{BASE}/signal/calendar",
    f"{OWN}/",
    f"{OWN}/more",
    f"{BASE}/decision/phone",
    f"{BASE}/decision/phone/",
    f"{BASE}/decision//p1",
    f"/{OWN}",
    f"{BASE}/decision/phone/p1.",
    f"{BASE}/decision/phone/P1",
    "pulse/v1/bob/decision/phone/p1",
    "pulse.v1.me.decision.phone.p2",
    "pulse/v1/me.decision.phone.p2",
    "pulse/v1/me/decision/phone/p2 ",
    "pulse/v1/me/decision/phone/p2\r\nPUB x 1\r\n",
    "pulse/v1/me/decision/phone/p2\x7f",
    "pulse/v1/me/decision/*/p2",
    "pulse/v1/me/decision/>",
    "$SYS/broker/uptime",
    "$SYS/REQ/USER/INFO",
    "$MQTT/msgs/pulse/v1/me/decision/phone/p2",
    "$MQTT/sess/x",
    "$JS/API/STREAM/LIST",
    "$JS/ACK/x",
    "_INBOX/x",
)
FOREIGN_PATTERNS = (
    "#",
    "+/#",
    "pulse/#",
    "pulse/+/#",
    "pulse/v1/+/#",
    f"{BASE}/#",
    f"{BASE}/+/+/+",
    f"{BASE}/deliver/#",
    f"{BASE}/deliver/phone/+",
    f"{BASE}/deliver/phone/p2",
    f"{BASE}/deliver/+/p2",
    f"{BASE}/deliver/phone/#",
    f"{BASE}/decision/#",
    f"{BASE}/decision/phone/p1",
    f"{BASE}/receipt/+/+",
    f"{BASE}/signal/+",
    "$SYS/#",
    "$MQTT/#",
    "$MQTT/sub/#",
    "$MQTT/deliver/#",
    "$MQTT/deliver/pubrel/#",
    "$MQTT/JSA/#",
    "$JS/#",
    "_INBOX/#",
    "$share/all/#",
    f"$share/all/{BASE}/deliver/#",
    "$queue/#",
    ">",
    "*",
    "pulse.>",
    "pulse.v1.me.deliver.phone.p2",
    f"{BASE}/deliver/phone/p2 q",
)
MEANT_FOR = {GATEWAY.name: (f"{BASE}/deliver/browser/b1",)}
"""What a login may hear of all that is published here; said here, for Pulse's own rules are what is tried."""
LOGINS: tuple[tuple[str | None, str | bytes | None], ...] = (
    (None, None),
    ("", ""),
    ("pulse-hub", None),
    ("pulse-hub", ""),
    ("pulse-hub", "wrong"),
    ("pulse-hub", "x" * 60_000),
    ("pulse-hub", b"\xff\xfe\x00"),
    ("pulse-hub\x00", "wrong"),
    ("PULSE-HUB", "wrong"),
    ("*", "*"),
    ("nobody", "wrong"),
    (None, "wrong"),
)


class Trier:
    """Counts what was tried and what got through."""

    def __init__(self, at: Stand) -> None:
        self.at = at
        self.tried = 0
        self.got_through: list[str] = []
        self.hub = self.connected(HUB, clean=False)
        self.hub.subscribe(f"{BASE}/#")
        for topic in (f"{BASE}/deliver/phone/p2", f"{BASE}/deliver/browser/b1", f"{BASE}/presence/phone/p2"):
            self.hub.publish(topic, SECRET, retain=True)
        self.hub.messages()

    def connected(self, user: BrokerUser, *, clean: bool = True) -> RawClient:
        """Log in as one of ours; a device under a new client id each time, for brokers slow down who flaps."""
        client = RawClient(self.at.port)
        client_id = self.at.client_ids[user.name] if user is HUB else secrets.token_hex(16)
        assert client.login(client_id, user.name, self.at.password_of(user), clean=clean)
        return client

    def count(self, name: str, *, through: bool) -> None:
        """Note one attempt."""
        self.tried += 1
        if through:
            self.got_through.append(f"{self.at.kind}: {name}")

    def hub_heard(self) -> tuple[str, ...]:
        """Return the topics of what reached the hub's connection since the last look."""
        self.hub.publish(f"{BASE}/event/end", END)
        return tuple(message.topic for message in self.hub.until(END) if message.payload != SECRET)


def strangers(trier: Trier) -> None:
    """Without a login nothing is done, and nobody's session is touched, whatever client id is named."""
    victims = [trier.at.client_ids[HUB.name], HUB.name]
    for username, password in LOGINS:
        for client_id in victims:
            for clean in (True, False):
                with RawClient(trier.at.port) as stranger:
                    will = Will(topic=OWN, payload=FORGED)
                    stranger.send(connect_packet(client_id, username, password, clean=clean, will=will))
                    stranger.send(publish_packet(OWN, FORGED))
                    answer = stranger.read()
                    let_in = answer is not None and answer[0] == 2 and answer[2][1:2] == b"\0"
                trier.count(f"login {username!r} as {client_id}", through=let_in)
    for first in (publish_packet(OWN, FORGED), packet(12, b""), packet(8, b"\0\1\0\1#\0", 2), packet(14, b"")):
        with RawClient(trier.at.port) as stranger:
            stranger.send(first)
            trier.count("a packet before CONNECT", through=stranger.read() is not None)
    trier.count("a stranger ended the hub's session", through=not trier.hub.is_alive())
    trier.count("a stranger was heard", through=bool(trier.hub_heard()))


def publications(trier: Trier) -> None:
    """A device is heard on its own topics only, at every quality, retained or not."""
    for user, topics in ((PHONE, FOREIGN_TOPICS), (SENSOR, (OWN, f"{BASE}/signal/calendar")), (GATEWAY, (OWN,))):
        for topic in topics:
            for qos in (0, 1, 2):
                with trier.connected(user) as device:
                    device.publish(topic, FORGED, qos=qos, retain=qos == 1)
                    device.send(packet(6, b"\0\x0b", 2))  # PUBREL, for quality 2
                    device.is_alive()
                trier.count(f"{user.name} published on {topic!r}", through=False)
    for topic in trier.hub_heard():
        trier.count(f"heard on {topic!r}", through=True)
    with trier.connected(PHONE) as device:
        device.publish(OWN, b"mine")
        device.is_alive()
    assert trier.hub_heard() == (OWN,), "what is allowed must go through, or the trial proves nothing"


def subscriptions(trier: Trier) -> None:
    """A device hears its own deliveries only, be they new or retained."""
    for user in (PHONE, SENSOR, GATEWAY):
        for pattern in FOREIGN_PATTERNS:
            for qos in (0, 1, 2):
                trier.count(f"{user.name} subscribed to {pattern!r}", through=_overheard(trier, user, pattern, qos))


def _overheard(trier: Trier, user: BrokerUser, pattern: str, qos: int) -> bool:
    with trier.connected(user) as device:
        device.subscribe(pattern, qos)
        device.is_alive()
        for topic in (f"{BASE}/deliver/phone/p2", f"{BASE}/deliver/tv/t1", f"{BASE}/signal/git", OWN):
            trier.hub.publish(topic, SECRET)
        trier.hub.is_alive()
        return any(message.topic not in MEANT_FOR.get(user.name, ()) for message in device.messages())


def wills(trier: Trier) -> None:
    """What a device may not say it may not leave behind either."""
    for topic in FOREIGN_TOPICS:
        for retain in (False, True):
            will = Will(topic=topic, payload=FORGED, retain=retain)
            with RawClient(trier.at.port) as device:
                device.login(secrets.token_hex(16), PHONE.name, trier.at.password_of(PHONE), will=will)
            trier.count(f"a will on {topic!r}", through=False)
    last = RawClient(trier.at.port)
    own = Will(topic=f"{BASE}/presence/phone/p1", payload=END)
    assert last.login(secrets.token_hex(16), PHONE.name, trier.at.password_of(PHONE), will=own)
    trier.hub.is_alive()
    last.close()
    for message in trier.hub.until(END):  # its own will is the last one to come
        if message.payload == FORGED:
            trier.count(f"a will was heard on {message.topic!r}", through=True)


def take_overs(trier: Trier) -> None:
    """Another login cannot reach the hub's session by anything that it can know."""
    for client_id in (HUB.name, f"{HUB.name}-", f"{HUB.name}-{'0' * 32}", "", "pulse-hub*", "pulse-hub.>"):
        for clean in (True, False):
            with RawClient(trier.at.port) as device:
                device.login(client_id, PHONE.name, trier.at.password_of(PHONE), clean=clean)
                device.publish(OWN, b"mine")
                trier.hub.publish(f"{BASE}/deliver/phone/p2", SECRET)
                trier.hub.is_alive()
                read = any(message.topic != f"{BASE}/deliver/phone/p1" for message in device.messages())
            ended = not trier.hub.is_alive()
            trier.count(f"took the session of the hub as {client_id!r}", through=read or ended)


def oddities(trier: Trier) -> None:
    """Two logins on one connection, MQTT 5, messages too large: refused, and the broker goes on."""
    with trier.connected(PHONE) as device:
        device.send(connect_packet(trier.at.client_ids[HUB.name], HUB.name, trier.at.password_of(OTHER)))
        device.publish(f"{BASE}/deliver/phone/p2", FORGED)
        trier.count("a second CONNECT", through=device.is_alive() and f"{BASE}/deliver/phone/p2" in trier.hub_heard())
    with RawClient(trier.at.port) as device:
        device.login("five", PHONE.name, "wrong", level=5)
        device.send(publish_packet(OWN, FORGED))
        trier.count("MQTT 5 with a wrong password", through=OWN in trier.hub_heard())
    for size in (400_000, 1_000_000, 3_000_000):
        with trier.connected(PHONE) as device:
            device.publish(OWN, b"x" * size)
            device.is_alive()
        trier.count(f"a message of {size} bytes", through=bool(trier.hub_heard()))
    trier.count("the broker has gone", through=not trier.hub.is_alive())


def revoked(trier: Trier) -> None:
    """Who is revoked hears and says nothing more, at once."""
    with trier.connected(PHONE) as device:
        trier.at.admit((HUB, OTHER, GATEWAY, SENSOR))
        trier.count("a revoked device stayed", through=device.is_alive())
    with RawClient(trier.at.port) as again:
        let_in = again.login(trier.at.client_ids[PHONE.name], PHONE.name, trier.at.password_of(PHONE))
        trier.count("a revoked device came back", through=let_in)
    trier.count("others were sent away", through=not trier.hub.is_alive())


STEPS: tuple[Callable[[Trier], None], ...] = (
    strangers,
    publications,
    subscriptions,
    wills,
    take_overs,
    oddities,
    revoked,
)


def run(attempts: int) -> Outcome:
    """Try the whole list, `attempts` times on each broker that this machine has."""
    rounds = list(_rounds(kinds(), attempts))
    through = [name for one in rounds for name in one.got_through]
    figures = {kind: f"{sum(o.tried for o in rounds if o.at.kind == kind)} attempts" for kind in kinds()}
    return Outcome(
        attempts=sum(one.tried for one in rounds),
        got_through=len(through),
        figures=figures,
        notes=tuple(dict.fromkeys(through))[:20],
    )


def _rounds(brokers: Iterable[str], count: int) -> Iterator[Trier]:
    for kind in brokers:
        for _ in range(count):
            with stand(kind) as at:
                trier = Trier(at)
                with contextlib.closing(trier.hub):
                    for step in STEPS:
                        step(trier)
                yield trier


TRIAL = Trial(
    name="broker_authority",
    promise="at the broker nobody says, hears or takes over what is not theirs",
    run=run,
    short=1,
    long=5,
)
