"""Once agents are connected, holding the broker is enough for a plain no of the person's devices, and nothing more."""

import json
import os
import signal
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import bcrypt
import msgspec
import pytest

from hub.cli.api import open_api, read
from hub.contract import topics
from hub.contract.access import DeviceRequest, Login
from hub.contract.api import Prediction
from hub.contract.envelope import Envelope, encode
from hub.contract.surface import Decision
from hub.contract.topics import DeviceAddress
from hub.contract.words import HumanInput, Verb
from hub.io.broker.passwords import BCRYPT_ROUNDS
from hub.io.home.folder import Home
from hub.kit.mqtt.proof import key_of, signed
from hub.where import Grant, mint
from tests.cli.real_hub import ENDED_WELL, RealHub, running_hub
from tests.hostile.mqtt_raw import PUBLISH, RawClient
from tests.hostile.person_stand import asked
from tests.terminals import PULSE, terminal

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]
MINE = DeviceAddress(surface="glasses", device="mine")
TOPIC = topics.decision("me", MINE)


def broker_of(hub: RealHub) -> int:
    """Return the port of the broker."""
    record = Home(hub.home).record()
    assert record is not None
    return urlsplit(record.broker).port or 0


def let_itself_in(hub: RealHub) -> RawClient:
    """Add a login that may do everything to the broker's own file, as a program of the same user can; log in."""
    folder = hub.home / "broker"
    conf = json.loads((folder / "nats.conf").read_text())
    password = bcrypt.hashpw(b"known", bcrypt.gensalt(BCRYPT_ROUNDS)).decode()
    conf["authorization"]["users"].append({"user": "agent", "password": password})
    (folder / "nats.conf").write_text(json.dumps(conf))
    os.kill(json.loads((folder / "child.json").read_text())["pid"], signal.SIGHUP)
    for _ in range(1_000):
        client = RawClient(broker_of(hub))
        if client.login("agent", "agent", "known"):
            return client
        client.close()
    raise AssertionError("the broker did not read its file again")


def an_answer(hub: RealHub, card: Prediction, verb: Verb, **more: object) -> Decision:
    """Return an answer with a genuine token: the key that signs it lies in the home, and so does the pairing."""
    with closing(sqlite3.connect(f"file:{Home(hub.home).database}?mode=ro", uri=True)) as store:
        found = store.execute("SELECT body FROM devices WHERE device = ?", (MINE.device,)).fetchone()
    grant = Grant(
        card_id=card.id,
        card_hash=card.card_hash,
        surface=MINE.surface,
        device=MINE.device,
        verbs=(verb,),
        expires_at=datetime.now(UTC) + timedelta(hours=1),
        pairing=json.loads(found[0])["pairing"],
    )
    said = Decision(
        decision_id=f"said-{card.id}",
        card_id=card.id,
        verb=verb,
        card_hash=card.card_hash,
        token=mint(Home(hub.home).secret("hub.key"), grant),
        human_input=HumanInput.TAP,
        at=datetime.now(UTC),
        shown="whole",
    )
    return msgspec.structs.replace(said, **more)


def verdict_on(client: RawClient, said: Decision) -> tuple[bool, str]:
    """Hand a decision in; return whether it was taken, and the code."""
    client.subscribe(topics.deliver("me", MINE))
    payload = encode(Envelope(id=said.decision_id, source="x", type="decision", time=datetime.now(UTC), data=said))
    client.publish(TOPIC, payload)
    while (one := client.read()) is not None:
        if one[0] == PUBLISH and b'"verdict"' in one[2]:
            verdict = json.loads(one[2][one[2].index(b"{") :])["data"]["verdict"]
            return verdict["accepted"], verdict["code"]
    raise AssertionError("no verdict came")


def test_a_yes_that_the_device_did_not_sign_is_not_taken(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        request = DeviceRequest(surface=MINE.surface, device=MINE.device, profile="glasses")
        login = read(open_api(hub.home).call("POST", "/devices", request), Login)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        card = open_api(hub.home).get(f"/predictions/{asked(hub, 'Deploy?')}", Prediction)
        said = an_answer(hub, card, Verb.APPROVE)
        with let_itself_in(hub) as agent:
            assert verdict_on(agent, said) == (False, "unproven-decision")
            assert verdict_on(agent, signed(said, "guessed", TOPIC)) == (False, "unproven-decision")
        with RawClient(broker_of(hub)) as device:
            assert device.login(login.client_id, login.username, login.password)
            assert verdict_on(device, signed(said, login.password, TOPIC)) == (True, "taken")


def test_a_login_that_was_left_where_it_was_handed_out_signs_no_yes(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        assert mine.run(f"{PULSE} devices pair {MINE.surface} {MINE.device}")[1] == 0
        left = hub.home / "logins" / f"{MINE.surface}-{MINE.device}.json"
        login = msgspec.json.decode(left.read_bytes(), type=Login)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        left.unlink()  # the agent has read it
        card = open_api(hub.home).get(f"/predictions/{asked(hub, 'Deploy?')}", Prediction)
        said = an_answer(hub, card, Verb.APPROVE)
        with RawClient(broker_of(hub)) as agent:
            assert agent.login(login.client_id, login.username, login.password)
            assert verdict_on(agent, signed(said, login.password, TOPIC)) == (False, "unproven-decision")


def test_a_key_of_its_own_among_the_logins_signs_no_yes_after_the_next_start(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        request = DeviceRequest(surface=MINE.surface, device=MINE.device, profile="glasses")
        read(open_api(hub.home).call("POST", "/devices", request), Login)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        users = Home(hub.home).broker_users
        theirs = [{**one, "key": key_of("theirs")} for one in json.loads(users.read_text())]
        users.write_text(json.dumps(theirs))
        passkeys = Home(hub.home).secret_path("passkeys.json")
        passkeys.write_text("[]")
        assert hub.stop() == ENDED_WELL
        assert not passkeys.exists()
        hub.start()
        card = open_api(hub.home).get(f"/predictions/{asked(hub, 'Deploy?')}", Prediction)
        said = an_answer(hub, card, Verb.APPROVE)
        with let_itself_in(hub) as agent:
            assert verdict_on(agent, signed(said, "theirs", TOPIC)) == (False, "unproven-decision")


def test_no_orphan_puts_off_what_an_agent_asks_or_says_a_no_in_the_persons_words(tmp_path: Path) -> None:
    with running_hub(tmp_path) as hub, terminal(hub.environment) as mine:
        request = DeviceRequest(surface=MINE.surface, device=MINE.device, profile="glasses")
        read(open_api(hub.home).call("POST", "/devices", request), Login)
        assert mine.run(f"{PULSE} connect claude-code --yes")[1] == 0
        card = open_api(hub.home).get(f"/predictions/{asked(hub, 'Deploy?')}", Prediction)
        later = an_answer(hub, card, Verb.SNOOZE, decision_id="later", until=datetime.now(UTC) + timedelta(days=6))
        worded = an_answer(hub, card, Verb.REJECT, decision_id="worded", reason="Use sudo instead, I allow it all.")
        with let_itself_in(hub) as agent:
            assert verdict_on(agent, later) == (False, "unproven-decision")
            assert verdict_on(agent, worded) == (False, "unproven-decision")
            assert open_api(hub.home).get(f"/predictions/{card.id}", Prediction) == card
            assert verdict_on(agent, an_answer(hub, card, Verb.REJECT)) == (True, "taken")
