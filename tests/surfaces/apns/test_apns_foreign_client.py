"""The stand-in judged by a client that is not ours: npm @parse/node-apn sends the same and is answered alike."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from hub.contract.address import ActivityToken, ApnsAddress
from hub.contract.events import ExecutionFailed, ExecutionStarted, PredictionNew
from hub.contract.words import Verb
from hub.kit.gateway.outcome import Accepted
from surfaces.apns.alert import To
from surfaces.apns.board import Board
from surfaces.apns.client import Client
from surfaces.apns.complication import Way, face_push
from surfaces.apns.push import TOPIC_SUFFIX, Push
from surfaces.apns.render import render_alert, render_beside
from tests.surfaces.apns.cards import WORDS, prediction
from tests.surfaces.apns.carrying import card, now
from tests.surfaces.apns.sending import KEY_ID, TEAM_ID, TOPIC, a_client, push
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin
from tests.web.node_tools import installed

SCRIPT = Path(__file__).with_name("foreign_client.mjs")
ADDRESS = ApnsAddress(
    token="a1" * 32,
    widget_token="b2" * 32,
    complication_token="c3" * 32,
    start_token="d4" * 32,
    activities=(ActivityToken(execution_id="exe_1", token="e5" * 32),),
)
TO = To(address=ADDRESS, topic=TOPIC, words=WORDS["en"], pending=3)
COMPARED = ("apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id")


def every_push() -> list[Push]:
    """One of each kind that we send."""
    started = ExecutionStarted(prediction=prediction(), execution_id="exe_1", autonomous=True)
    failed = ExecutionFailed(card_id="p", execution_id="exe_1", kind="failed", error="3 red", prediction=prediction())
    new = card("d1", PredictionNew(prediction=prediction("漢字 👩‍👩‍👧 " * 300, created_at=now())))
    board = Board()
    board.hear(new.event, now())
    ways: tuple[Way, ...] = ("widgets", "complication", "background")
    found = [
        render_alert("phone", new, TO, was_shown=True, at=now(), now=now()),
        render_alert("watch", card("d2"), TO, was_shown=True, at=now(), now=now()),
        render_beside("phone", card("d3", started, verbs=(Verb.STOP,)), TO, now=now()),
        render_beside("phone", card("d4", failed), TO, now=now()),
        *(face_push(board.face("w"), TO, way, privacy="full", push_id=push().apns_id, now=now()) for way in ways),
    ]
    assert None not in found
    return [one for one in found if one is not None]


def asked(one: Push) -> dict[str, Any]:
    return {
        "token": one.token,
        "payload": json.loads(one.payload),
        "topic": one.topic + TOPIC_SUFFIX[one.type],
        "pushType": one.type,
        "priority": one.priority,
        "expiry": one.expiration,
        "id": one.apns_id,
        "collapseId": one.collapse_id,
    }


async def foreign(apns: Standin, folder: Path, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Let node-apn send them; return how each was answered."""
    process = await asyncio.create_subprocess_exec(
        "node",
        str(SCRIPT),
        str(folder),
        "127.0.0.1",
        str(apns.port),
        str(apns.certificates.key_file),
        KEY_ID,
        TEAM_ID,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"NODE_EXTRA_CA_CERTS": str(apns.certificates.ca_file)},
    )
    async with asyncio.timeout(60):
        said, trouble = await process.communicate(json.dumps(requests).encode())
    assert process.returncode == 0, trouble.decode()
    answers: list[dict[str, Any]] = json.loads(said)
    return answers


async def ours(client: Client, pushes: list[Push]) -> None:
    for one in pushes:
        assert await client.send(one) == Accepted(detail="production")


@pytest.mark.slow
async def test_node_apn_sends_the_same_requests(certificates: Certificates) -> None:
    folder = await asyncio.to_thread(installed)
    pushes = every_push()
    async with Standin(certificates) as apns, a_client(apns) as client:
        await ours(client, pushes)
    async with Standin(certificates) as judge:
        answers = await foreign(judge, folder, [asked(one) for one in pushes])
    assert [answer["sent"] for answer in answers] == [1] * len(pushes)
    assert judge.faults == apns.faults == []
    for theirs, mine in zip(judge.taken, apns.taken, strict=True):
        assert {name: theirs.headers.get(name) for name in COMPARED} == {
            name: mine.headers.get(name) for name in COMPARED
        }
        assert (theirs.token, json.loads(theirs.payload)) == (mine.token, json.loads(mine.payload))
        assert theirs.headers[":path"] == mine.headers[":path"]


@pytest.mark.slow
async def test_node_apn_understands_every_refusal(certificates: Certificates) -> None:
    folder = await asyncio.to_thread(installed)
    steps: dict[str, dict[str, Any]] = {
        "400 BadDeviceToken": {},
        "410 Unregistered": {},
        "429 TooManyRequests": {},
        "400 BadCollapseId": {"collapseId": "x" * 65},
        "400 BadTopic": {"topic": f"{TOPIC}.push-type.nonsense"},
        "400 TopicDisallowed": {"topic": "com.example.other"},
        "400 InvalidPushType": {"pushType": "shout"},
        "400 BadPriority": {"priority": 7},
        "400 BadExpirationDate": {"expiry": 99_999_999_999},
        "400 BadMessageId": {"id": "not-a-uuid"},
        "413 PayloadTooLarge": {"payload": {"aps": {"alert": "x" * 4_100}}},
        "200 ": {},
    }
    async with Standin(certificates) as apns:
        requests = []
        for number, (step, wrong) in enumerate(steps.items()):
            token = f"{number:064x}"
            apns.plans[token] = (step if step != "200 " else "ok",)
            requests.append(asked(push(token)) | wrong)
        answers = await foreign(apns, folder, requests)
    assert [f"{answer['status']} {answer['reason']}" for answer in answers] == list(steps)
