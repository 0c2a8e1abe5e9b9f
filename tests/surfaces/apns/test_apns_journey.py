"""Phone and watch from pairing to the outcome: a real hub and its gateway as processes, APNs' stand-in over TLS."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from hub.contract.base import Value
from surfaces.apns.category import VERSION
from tests.surfaces.apns.app_on_device import App, content, now
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin
from tests.web.live_hub import LiveHub, live_hub

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.needs_mosquitto]
PHONE, WATCH, FACE, OTHER = "a1" * 32, "b2" * 32, "c3" * 32, "d4" * 32
LOOK_S = 0.05
WAIT_S_MAX = 60
KILLED_CARDS = 8
ROWS = (
    *("prediction.new", "prediction.new", "execution.started", "prediction.executed"),
    *("execution.failed", "cost.approaching", "crosspoll.paused"),
)
"""The rows of the matrix."""


class Scene(Value):
    """A hub with one phone and one watch."""

    hub: LiveHub
    apns: Standin
    phone: App
    watch: App


def settings_for(apns: Standin) -> str:
    files = apns.certificates
    return (
        f'[apns]\nteam_id = "TEAM123456"\nkey_id = "KEY1234567"\nkey_file = "{files.key_file}"\n'
        f'topic = "org.example.acc"\nhost = "{apns.host}"\nsandbox_host = "{apns.host}"\nca_file = "{files.ca_file}"\n'
        "day_start_hour = 0\nday_end_hour = 24\n[sensors]\ntranscripts = false\n"
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    folder: Path = tmp_path_factory.mktemp("apns-journey")
    async with Standin(Certificates(folder)) as apns:
        with live_hub(folder, settings_for(apns)) as hub:
            phone, watch = App(hub, apns, "phone", PHONE), App(hub, apns, "watch", WATCH)
            for app in (phone, watch):
                await app.pair()
            await phone.register()
            await watch.register(widgetToken=FACE)
            yield Scene(hub=hub, apns=apns, phone=phone, watch=watch)
            assert apns.faults == []
            assert len(apns.team.tokens) == 1


def tried_on(app: App) -> list[dict[str, Any]]:
    """Return what was shown as a test; the cost event can only say so by its numbers."""
    shown = [content(one) for one in app.pushes()]
    return [one for one in shown if "This is a test" in str(one["aps"]["alert"]) or one["event"] == "cost.approaching"]


async def until_ledger(app: App, card_id: str, state: str) -> None:
    """Wait until the ledger says this of the new card's delivery to a device."""
    wanted = f"the card to {app.surface}/{app.device}: {state}"
    async with asyncio.timeout(WAIT_S_MAX):
        while True:
            why = await app.hub.call("GET", f"/api/v1/predictions/{card_id}/why")
            if any(wanted in step["text"] for step in why["steps"] if step["kind"] == "delivery"):
                return
            await asyncio.sleep(LOOK_S)


async def test_a_card_is_approved_by_its_own_token_and_replaced_in_place(scene: Scene) -> None:
    card = await scene.hub.ask("Deploy build 7?")
    shown = await scene.phone.notified(card["id"])
    told = content(shown)
    assert told["aps"]["alert"]["body"] == "Deploy build 7?"
    assert told["aps"]["category"] == "CROSSPOLL_PREDICTION_BRIEF", "a question takes no other words"
    assert "approve" in told["actions"]
    assert shown.headers["apns-collapse-id"] == card["id"]
    assert shown.headers["apns-push-type"] == "alert"
    await until_ledger(scene.phone, card["id"], "accepted")
    said = await scene.phone.answer(shown, "approve")
    assert (said.status_code, said.json()["prediction"]["status"]) == (httpx.codes.OK, "confirmed")
    outcome = await scene.phone.notified(card["id"], "prediction.settled")
    assert outcome.headers["apns-collapse-id"] == card["id"]
    assert outcome.apns_id != shown.apns_id
    assert content(outcome)["aps"]["interruption-level"] == "passive"
    settled = (await scene.hub.card(card["id"]))["settled"]
    assert (settled["surface"], settled["device"], settled["humanInput"]) == ("phone", scene.phone.device, "tap")
    twice = await scene.phone.answer(shown, "approve")
    assert twice.json()["repeated"] is True


async def test_what_is_settled_elsewhere_is_replaced_and_a_later_tap_learns_it(scene: Scene) -> None:
    card = await scene.hub.ask("Rotate the logs?")
    shown = await scene.phone.notified(card["id"])
    await scene.hub.call("POST", f"/api/v1/predictions/{card['id']}/reject", {})
    outcome = await scene.phone.notified(card["id"], "prediction.settled")
    assert content(outcome)["aps"]["alert"]["title"] == "Dismissed over the API"
    late = await scene.phone.answer(shown, "approve")
    assert (late.status_code, late.json()["code"]) == (httpx.codes.CONFLICT, "already-settled")


async def test_a_risky_card_needs_the_phone_and_never_the_wrist(scene: Scene) -> None:
    card = await scene.hub.ask("Drop the old tables?", risk="high")
    on_phone = content(await scene.phone.notified(card["id"]))
    assert on_phone["risk"] == "high"
    assert "approve" in on_phone["actions"]
    on_wrist = await scene.watch.notified(card["id"])
    assert "approve" not in content(on_wrist)["actions"]
    refused = await scene.watch.answer(on_wrist, "approve")
    assert (refused.status_code, refused.json()["code"]) == (httpx.codes.FORBIDDEN, "bad-token")
    assert (await scene.hub.card(card["id"]))["status"] == "pending"
    taken = await scene.watch.answer(on_wrist, "reject")
    assert taken.json()["prediction"]["status"] == "rejected"


async def test_an_answer_from_offline_counts_when_it_arrives(scene: Scene) -> None:
    card = await scene.hub.ask("Prune the branches?")
    shown = await scene.phone.notified(card["id"])
    long_ago = (now() - timedelta(hours=3)).isoformat()
    said = await scene.phone.answer(shown, "reject", at=long_ago)
    assert said.json()["prediction"]["status"] == "rejected"
    settled_at = (await scene.hub.card(card["id"]))["settled"]["at"]
    assert settled_at > long_ago, "the hub's own time"


async def test_an_answer_that_arrives_too_late_is_told_apart(scene: Scene) -> None:
    card = await scene.hub.ask("Now or never?", timeout_s=2)
    shown = await scene.phone.notified(card["id"])
    at = now().isoformat()  # pressed in time, but the phone was offline
    await scene.phone.notified(card["id"], "prediction.expired")
    late = await scene.phone.answer(shown, "approve", at=at)
    assert (late.status_code, late.json()["code"]) == (httpx.codes.GONE, "expired")


async def test_one_answer_holds_all_that_a_phone_shows(scene: Scene) -> None:
    card = await scene.hub.ask("Still open?")
    all_of_it = (await scene.phone.call("GET", "/api/v1/sync")).json()
    assert card["id"] in [one["id"] for one in all_of_it["open"]]
    assert all_of_it["status"]["pending"] == len(all_of_it["open"])
    await scene.phone.answer(await scene.phone.notified(card["id"]), "reject")


async def test_the_face_shows_the_newest_card(scene: Scene) -> None:
    card = await scene.hub.ask("On the face?")
    await scene.apns.until(lambda apns: any(one.token == FACE for one in apns.taken), WAIT_S_MAX)
    face = next(one for one in scene.apns.taken if one.token == FACE)
    assert face.headers["apns-push-type"] == "widgets"
    await scene.phone.answer(await scene.phone.notified(card["id"]), "reject")


async def test_a_test_shows_one_of_each_kind(scene: Scene) -> None:
    await scene.hub.call("POST", f"/api/v1/devices/phone/{scene.phone.device}/test")
    await scene.apns.until(lambda _: len(tried_on(scene.phone)) == len(ROWS), WAIT_S_MAX)
    sent = tried_on(scene.phone)
    assert sorted(one["event"] for one in sent) == sorted(ROWS)
    assert not [one for one in sent if one.get("token") or one.get("actions")]


@pytest.mark.parametrize("taken_before", [0, 3])
async def test_a_kill_between_card_and_acceptance_loses_nothing_and_shows_nothing_twice(
    scene: Scene, taken_before: int
) -> None:
    await scene.apns.stop()  # so that nothing is accepted before the kill
    cards: list[dict[str, Any]] = [await scene.hub.ask(f"Kept {number}?") for number in range(KILLED_CARDS)]
    if taken_before:
        scene.apns.when_taken[len(scene.apns.taken) + taken_before] = scene.hub.kill
        await scene.apns.listen()
        await scene.apns.until(lambda _: scene.hub.process is None, WAIT_S_MAX)
    else:
        scene.hub.kill()
        await scene.apns.listen()
    scene.hub.start()
    for card in cards:
        await scene.phone.notified(card["id"])
        await until_ledger(scene.phone, card["id"], "accepted")
    for card in cards:
        pushes = scene.phone.pushes(card["id"], "prediction.new")
        assert len({one.apns_id for one in pushes}) == 1
        assert {one.headers["apns-collapse-id"] for one in pushes} == {card["id"]}
        assert len({one.connection for one in pushes}) == len(pushes), "again only where the answer was cut off"
    said = await scene.phone.answer(await scene.phone.notified(cards[0]["id"]), "reject")
    assert said.json()["prediction"]["status"] == "rejected", "a token outlives the hub that made it"


async def test_a_revoked_phone_gets_nothing_and_is_not_heard(scene: Scene) -> None:
    other = App(scene.hub, scene.apns, "phone", OTHER)
    await other.pair()
    await other.register()
    first = await scene.hub.ask("Before?")
    shown = await other.notified(first["id"])
    await scene.hub.call("DELETE", f"/api/v1/devices/phone/{other.device}")
    second = await scene.hub.ask("After?")
    await scene.phone.notified(second["id"])
    assert (await other.answer(shown, "approve")).json()["code"] == "not-signed-in"
    assert (await other.call("GET", "/api/v1/sync")).status_code == httpx.codes.UNAUTHORIZED
    for card in (first, second):
        await scene.phone.answer(await scene.phone.notified(card["id"]), "reject")
        await scene.phone.notified(card["id"], "prediction.settled")
    assert [content(one)["predictionId"] for one in other.pushes()] == [first["id"]]


async def test_a_question_is_answered_by_a_number_or_in_own_words_and_by_nothing_else(scene: Scene) -> None:
    await scene.phone.register(categories=VERSION)
    question = {"id": "q1", "text": "Which colour?", "choices": [{"label": "Red"}, {"label": "Blue"}]}
    asking = {"agent": "claude-code", "tool": "AskUserQuestion", "act": "question"}
    for closed, said in ((True, "Blue"), (False, "Both, mixed")):
        asked = {**asking, "questions": [{**question, "ownWords": not closed}]}
        card = (await scene.hub.call("POST", "/api/v1/permissions", asked))["prediction"]
        shown = await scene.phone.notified(card["id"])
        told = content(shown)
        assert told["aps"]["alert"]["body"] == "Which colour?\n1. Red\n2. Blue"
        assert told["aps"]["category"] == ("CROSSPOLL_CHOICES_2" if closed else "CROSSPOLL_CHOICES_2_ANSWER")
        assert (told["question"], told["choices"]) == ("q1", ["Red", "Blue"])
        wrong: list[dict[str, object]] = [{}, {"permission": {"answers": {"q2": ["Red"]}}}]
        wrong += [{"permission": {"answers": {"q1": ["Green"]}}}] if closed else []
        for other in wrong:
            refused = await scene.phone.answer(shown, "approve", **other)
            assert (refused.status_code, refused.json()["code"]) == (
                httpx.codes.UNPROCESSABLE_ENTITY,
                "answer-does-not-fit",
            )
        given = await scene.phone.answer(shown, "approve", permission={"answers": {"q1": [said]}})
        assert given.is_success, given.text
        settled = (await scene.hub.card(card["id"]))["settled"]
        assert (settled["surface"], settled["permission"]["answers"]) == ("phone", {"q1": [said]})
