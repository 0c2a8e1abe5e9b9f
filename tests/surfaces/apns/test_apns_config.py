"""Wrong settings and keys are named; one provider token serves everybody for 50 minutes; requests can be inspected."""

import itertools
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import jwt
import msgspec
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from hub.contract.address import ApnsAddress
from surfaces.apns.app import told_by
from surfaces.apns.check import NOBODY, check
from surfaces.apns.config import BadApnsConfigError, BadApnsKeyError, load_key, server_of, topic_for
from surfaces.apns.inspect import Question, inspect
from surfaces.apns.provider_token import CHANGE_S_MIN, WINDOW_S, ProviderToken
from surfaces.apns.push import PushType, headers_of
from surfaces.apns.reasons import KINDS, read_answer
from surfaces.apns.settings import APNS, Config, mistakes
from tests.surfaces.apns.cards import PHONE_TOKEN, delivery
from tests.surfaces.apns.carrying import card, now
from tests.surfaces.apns.sending import KEY_ID, TEAM_ID, TOPIC, a_client, config_for, push
from tests.surfaces.apns.standin.certs import Certificates, pkcs8
from tests.surfaces.apns.standin.server import Standin
from tests.surfaces.shown import TOKEN

GOOD = {"team_id": TEAM_ID, "key_id": KEY_ID, "key_file": "/k.p8", "topic": TOPIC}


def read_config(text: str) -> Config:
    return APNS.read(text, BadApnsConfigError)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"team_id": "team"}, "apns.team_id"),
        ({"key_id": ""}, "apns.key_id"),
        ({"key_file": ""}, "apns.key_file"),
        ({"topic": "acc"}, "apns.topic"),
        ({"watch_topic": "a b"}, "apns.watch_topic"),
        ({"host": "https://x"}, "apns.host"),
        ({"sandbox_host": "x:99999"}, "apns.sandbox_host"),
        ({"day_start_hour": 23}, "apns.day_start_hour"),
        ({"environment": "test"}, "environment"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_field_is_named(changed: dict[str, object], named: str) -> None:
    with pytest.raises(BadApnsConfigError, match=named):
        read_config(json.dumps(GOOD | changed))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\ud800"])
def test_settings_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(BadApnsConfigError):
        read_config(text)


def test_good_settings_say_where_and_what() -> None:
    config = read_config(json.dumps(GOOD | {"sandbox_host": "[::1]:2197"}))
    assert list(mistakes(config)) == []
    assert (server_of(config, "production").host, server_of(config, "production").port) == ("api.push.apple.com", 443)
    assert (server_of(config, "sandbox").host, server_of(config, "sandbox").port) == ("::1", 2_197)
    assert topic_for(config, "watch") == f"{TOPIC}.watchkitapp"
    assert told_by({"PULSE_APNS_CONFIG": json.dumps(GOOD), "PULSE_ZONE": "Nowhere/At_all"}).folder is None


def keys() -> dict[str, bytes]:
    elliptic = ec.generate_private_key(ec.SECP384R1())
    other = rsa.generate_private_key(65_537, 2_048)
    p256 = ec.generate_private_key(ec.SECP256R1())
    public = p256.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    locked = p256.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )
    plain = other.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return {
        "garbage": b"\x00garbage",
        "empty": b"",
        "curve": pkcs8(elliptic),
        "rsa": plain,
        "public": public,
        "locked": locked,
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["garbage", "empty", "curve", "rsa", "public", "locked"])
def test_a_key_of_no_use_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "AuthKey.p8"
    path.write_bytes(keys()[name])
    with pytest.raises(BadApnsKeyError, match=r"apns\.key_file"):
        load_key(Config(key_file=str(path)))


def test_a_key_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadApnsKeyError, match=r"missing\.p8"):
        load_key(Config(key_file=str(tmp_path / "missing.p8")))
    with pytest.raises(BadApnsKeyError, match="directory"):
        load_key(Config(key_file=str(tmp_path)))


class Clock:
    """A wall clock and a steady one."""

    def __init__(self) -> None:
        self.wall_s = 1_800_000_000.0
        self.steady_s = 50.0

    def go(self, seconds: float) -> None:
        self.wall_s += seconds
        self.steady_s += seconds

    def token(self, key: ec.EllipticCurvePrivateKey) -> ProviderToken:
        return ProviderToken(
            key, key_id=KEY_ID, team_id=TEAM_ID, wall_s=lambda: self.wall_s, steady_s=lambda: self.steady_s
        )


KEY = ec.generate_private_key(ec.SECP256R1())


def test_all_workers_sign_the_same_token() -> None:
    clock = Clock()
    first = clock.token(KEY).get_header()
    clock.go(20)
    assert clock.token(KEY).get_header() == first
    token = first.removeprefix("bearer ")
    assert jwt.get_unverified_header(token) == {"alg": "ES256", "kid": KEY_ID}
    claims = jwt.decode(token, KEY.public_key(), algorithms=["ES256"], options={"verify_iat": False})
    assert claims == {"iss": TEAM_ID, "iat": 1_800_000_000 // WINDOW_S * WINDOW_S}


@pytest.mark.slow
def test_in_a_day_there_is_a_new_token_each_50_minutes_and_none_is_older() -> None:
    clock = Clock()
    provider = clock.token(KEY)
    seen: dict[str, float] = {}
    for _ in range(24 * 60):
        header = provider.get_header()
        seen.setdefault(header, clock.wall_s)
        issued = jwt.decode(header.removeprefix("bearer "), options={"verify_signature": False})["iat"]
        assert 0 <= clock.wall_s - issued < 3_600
        clock.go(60)
    times = list(seen.values())
    assert provider.signed == len(seen) <= 30
    assert min(later - earlier for earlier, later in itertools.pairwise(times[1:])) >= CHANGE_S_MIN


def test_a_clock_that_jumps_makes_no_tokens() -> None:
    clock = Clock()
    provider = clock.token(KEY)
    for jump_s in (0, 7_200, -14_400, 86_400, -86_400):
        clock.wall_s += jump_s
        provider.get_header()
    assert provider.signed == 1
    provider.refuse()
    provider.get_header()
    assert provider.signed == 1
    clock.steady_s += CHANGE_S_MIN
    provider.get_header()
    assert provider.signed == 2


def test_every_documented_reason_has_its_consequence() -> None:
    documented = """BadCollapseId BadDeviceToken BadExpirationDate BadMessageId BadPriority BadTopic
    DeviceTokenNotForTopic DuplicateHeaders IdleTimeout InvalidPushType MissingDeviceToken MissingTopic
    PayloadEmpty TopicDisallowed
    BadCertificate BadCertificateEnvironment ExpiredProviderToken Forbidden InvalidProviderToken MissingProviderToken
    UnrelatedKeyIdInToken BadEnvironmentKeyIdInToken BadPath MethodNotAllowed ExpiredToken Unregistered PayloadTooLarge
    TooManyProviderTokenUpdates TooManyRequests InternalServerError ServiceUnavailable Shutdown"""
    assert set(KINDS) == set(documented.split())


@pytest.mark.parametrize(
    "body",
    [b"", b"<html>", b"\xff\xfe", b"[]", b'{"reason":7}', b'{"timestamp":"x"}', b'{"timestamp":1e300}', b"[" * 9_000],
)
def test_an_answer_of_any_shape_is_read(body: bytes) -> None:
    answer = read_answer(400, body, retry_after="soon")
    assert (answer.reason, answer.timestamp, answer.retry_after_s) == ("", None, 0.0)


@pytest.mark.parametrize(
    ("kind", "topic"),
    [
        ("alert", TOPIC),
        ("background", TOPIC),
        ("complication", f"{TOPIC}.complication"),
        ("widgets", f"{TOPIC}.push-type.widgets"),
        ("controls", f"{TOPIC}.push-type.controls"),
        ("liveactivity", f"{TOPIC}.push-type.liveactivity"),
        ("location", f"{TOPIC}.location-query"),
        ("pushtotalk", f"{TOPIC}.voip-ptt"),
    ],
)
def test_each_type_has_its_topic(kind: PushType, topic: str) -> None:
    fields = dict(headers_of(push(type_=kind), host="api.push.apple.com", authorization="bearer x"))
    assert (fields["apns-topic"], fields["apns-push-type"]) == (topic, kind)


def test_nothing_secret_is_shown_by_inspect() -> None:
    address = ApnsAddress(token=PHONE_TOKEN, complication_token="c0" * 32)
    asked = Question(
        card=delivery(expires_at=datetime(2100, 1, 1, tzinfo=now().tzinfo)), surface="watch", address=address
    )
    shown = inspect(asked, msgspec.convert(GOOD, Config), now())
    assert "apns-push-type: alert" in shown
    assert "apns-push-type: complication" in shown
    assert "apns-topic: org.example.acc.watchkitapp.complication" in shown
    assert PHONE_TOKEN not in shown
    assert TOKEN not in shown
    assert "bearer …" in shown


def run(what: str, config: Config, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {"PULSE_APNS_CONFIG": msgspec.json.encode(config).decode(), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "surfaces.apns", what]
    return subprocess.run(command, input=stdin, env=environment, capture_output=True, check=False, timeout=30)


@pytest.mark.slow
def test_the_program_shows_the_request_or_says_which_field_is_wrong(certificates: Certificates) -> None:
    config = config_for(Standin(certificates))
    question = Question(card=card("d1"))
    shown = run("inspect", msgspec.structs.replace(config, host=""), msgspec.json.encode(question))
    assert shown.returncode == 0, shown.stderr
    assert b"apns-collapse-id: card_d1" in shown.stdout
    wrong = run("inspect", msgspec.structs.replace(config, host="", key_id="x"))
    assert wrong.returncode == 1
    assert b"`apns.key_id`" in wrong.stderr
    assert b"[bad-apns-config]" in wrong.stderr
    unreadable = run("check", msgspec.structs.replace(config, host="", key_file="/nowhere.p8"))
    assert b"[bad-apns-key]" in unreadable.stderr


@pytest.mark.parametrize(
    ("topic", "said"), [(TOPIC, ""), ("com.example.other", "`apns.topic` does not belong to this team")]
)
async def test_the_key_is_checked_without_any_device(certificates: Certificates, topic: str, said: str) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        apns.unknown.add(NOBODY)
        found = await check(client, topic)
        assert said in found
        assert bool(found) is bool(said)
        assert apns.taken == []
