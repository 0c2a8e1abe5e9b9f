"""The gateway before a stand-in: deliveries are carried once, in order, and the hub is told the truth of each."""

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.address import ActivityToken, fingerprint
from hub.contract.events import (
    ExecutionProgress,
    ExecutionStarted,
    PredictionNew,
    PredictionSettled,
    StatusChanged,
)
from hub.contract.surface import Receipt
from hub.contract.words import Autonomy, DeliveryState, Status, Verb
from hub.kit.gateway.receipts import Receipts
from surfaces.apns.books import Books
from surfaces.apns.budget import Book
from tests.surfaces.apns.cards import prediction, status
from tests.surfaces.apns.carrying import a_hub, address, card, now
from tests.surfaces.apns.sending import a_client
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin
from tests.surfaces.shown import settlement

PHONE, WATCH, WIDGET = "a1" * 32, "b2" * 32, "c3" * 32
SHORT_S = 2.0


async def test_a_delivery_is_accepted_and_said_once_more_when_asked_again(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        hub.knows({"iphone": address(PHONE)})
        hub.delivers("iphone", card("d1"))
        receipt = await hub.reports.of("d1")
        assert (receipt.state, receipt.detail) == (DeliveryState.ACCEPTED, "production")
        hub.delivers("iphone", card("d1"))
        await hub.reports.until(lambda reports: reports.count == 2)
        assert len(apns.taken) == 1
        assert apns.taken[0].headers["apns-topic"] == "org.example.acc"
        assert apns.faults == []


async def test_before_the_addresses_are_known_nothing_is_decided(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        hub.delivers("iphone", card("d1"))
        assert hub.reports.count == 0
        hub.knows({})
        hub.delivers("iphone", card("d1"))
        receipt = await hub.reports.of("d1")
        assert (receipt.state, receipt.detail) == (DeliveryState.UNKNOWN, "no address")


@pytest.mark.parametrize("trouble", ["503 ServiceUnavailable", "refuse", "bare500", "reset", "cut", "goaway-early"])
async def test_trouble_that_passes_is_sat_out_under_the_same_id(certificates: Certificates, trouble: str) -> None:
    async with Standin(certificates) as apns, a_client(apns, send_s_max=SHORT_S) as client, a_hub(client) as hub:
        apns.plans[PHONE] = (trouble, trouble, "ok")
        hub.knows({"iphone": address(PHONE)})
        hub.delivers("iphone", card("d1"))
        assert (await hub.reports.of("d1")).state is DeliveryState.ACCEPTED
        assert list(apns.accepted.values()) == [1]


@pytest.mark.slow
async def test_only_a_dead_token_is_reported_gone(certificates: Certificates) -> None:
    steps = [
        "gone",
        "gone-before",
        "400 BadDeviceToken",
        "400 DeviceTokenNotForTopic",
        "403 Forbidden",
        "410 Unregistered",
    ]
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        addresses = {f"p{n}": address(f"{n:064x}") for n in range(len(steps))}
        hub.knows(addresses)
        for number, step in enumerate(steps):
            apns.plans[f"{number:064x}"] = (step,)
            hub.delivers(f"p{number}", card(f"d{number}", lasts=timedelta(seconds=1)))
        told = await hub.reports.until(lambda reports: len(reports.by_id) == len(steps) - 1)
        assert {receipt.gone for receipt in told.values()} == {"", fingerprint(addresses["p0"])}
        assert told["d0"].state is DeliveryState.DEAD
        assert hub.failures == ["APNs answered 403 Forbidden: the key may not be used for this"]
        assert "d4" not in told  # it waits until the key is mended


async def test_a_new_token_is_used_at_once(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        apns.plans[PHONE] = ("503 ServiceUnavailable", "gone")
        hub.knows({"iphone": address(PHONE)})
        hub.delivers("iphone", card("d1"))
        hub.readdresses("iphone", address(WATCH))
        receipt = await hub.reports.of("d1")
        assert receipt.state is DeliveryState.ACCEPTED
        assert apns.taken[0].token == WATCH
        hub.readdresses("iphone", None)
        hub.delivers("iphone", card("d2"))
        assert (await hub.reports.of("d2")).detail == "no address"


@pytest.mark.slow
async def test_an_outcome_is_never_overtaken_by_its_card(certificates: Certificates) -> None:
    async with Standin(certificates, delay_ms=20) as apns, a_client(apns) as client, a_hub(client) as hub:
        apns.plans[PHONE] = ("503 ServiceUnavailable", "503 ServiceUnavailable", "ok")
        hub.knows({"iphone": address(PHONE)})
        shown = prediction(card_id="c1", created_at=now())
        answered = prediction(card_id="c1", status=Status.CONFIRMED, settled=settlement())
        hub.delivers("iphone", card("d1", PredictionNew(prediction=shown)))
        hub.delivers("iphone", card("d2", PredictionSettled(prediction=answered), loudness="silent"))
        assert (await hub.reports.of("d2")).state is DeliveryState.ACCEPTED
        assert hub.reports.by_id["d1"].detail == "overtaken by a later one"
        assert [taken.headers["apns-collapse-id"] for taken in apns.taken] == ["c1"]


@pytest.mark.slow
async def test_too_large_is_shortened_further(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        apns.plans[PHONE] = ("413 PayloadTooLarge", "413 PayloadTooLarge", "ok")
        hub.knows({"iphone": address(PHONE)})
        hub.delivers("iphone", card("d1", PredictionNew(prediction=prediction("x" * 4_000))))
        assert (await hub.reports.of("d1")).state is DeliveryState.ACCEPTED
        assert len(apns.taken[0].payload) <= 2_000


async def test_what_was_told_outlives_a_restart(certificates: Certificates, tmp_path: Path) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        for _ in range(2):
            async with a_hub(client, folder=tmp_path) as hub:
                hub.knows({"iphone": address(PHONE)})
                hub.delivers("iphone", card("d1"))
                assert (await hub.reports.of("d1")).state is DeliveryState.ACCEPTED
        assert len(apns.taken) == 1


def test_half_a_line_after_a_crash_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "receipts.jsonl").write_bytes(b'{"device":"iphone","rec')
    (tmp_path / "faces.json").write_bytes(b"{")
    assert Receipts(tmp_path / "receipts.jsonl").told("d1") is None
    assert Books(tmp_path / "faces.json").book("watch") == Book()
    assert Books(None).book("watch") is None


def test_a_folder_that_cannot_be_used_makes_it_forgetful_and_careful_not_silent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    receipts = Receipts(tmp_path / "file" / "phone" / "receipts.jsonl")
    receipts.note("iphone", Receipt(delivery_id="d1", state=DeliveryState.ACCEPTED, at=now()))
    assert receipts.told("d1") is not None
    assert Books(tmp_path / "file" / "phone" / "faces.json").book("watch") is None, "what was spent is not known"


async def test_a_run_shows_its_lines_as_a_live_activity(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        hub.knows({"iphone": address(PHONE, start_token="5a" * 32)})
        started = ExecutionStarted(prediction=prediction(), execution_id="exe_1", autonomous=True)
        hub.delivers("iphone", card("d1", started, loudness="silent", verbs=(Verb.STOP,)))
        await apns.until(lambda apns: len(apns.taken) == 2)
        assert Counter(taken.headers["apns-push-type"] for taken in apns.taken) == {"alert": 1, "liveactivity": 1}
        activity = ActivityToken(execution_id="exe_1", token="ac" * 32)
        hub.readdresses("iphone", replace(address(PHONE), activities=(activity,)))
        for number in range(5):
            hub.event(ExecutionProgress(card_id="p", execution_id="exe_1", number=number, line=f"line {number}"))
        await apns.until(lambda apns: len(apns.taken) == 3)
        assert json.loads(apns.taken[2].payload)["aps"]["content-state"]["line"] == "line 0"
        assert apns.faults == []


@pytest.mark.slow
async def test_a_delivery_that_is_said_again_starts_one_activity(certificates: Certificates) -> None:
    async with Standin(certificates, delay_ms=50) as apns, a_client(apns) as client, a_hub(client) as hub:
        hub.knows({"iphone": address(PHONE, start_token="5a" * 32)})
        started = ExecutionStarted(prediction=prediction(), execution_id="exe_1", autonomous=True)
        for _ in range(3):
            hub.delivers("iphone", card("d1", started, loudness="silent", verbs=(Verb.STOP,)))
        await hub.reports.of("d1")
        hub.delivers("iphone", card("d2"))
        await hub.reports.of("d2")
        await apns.until(lambda apns: len(apns.taken) >= 3)
        assert Counter(taken.headers["apns-push-type"] for taken in apns.taken) == {"alert": 2, "liveactivity": 1}


@pytest.mark.parametrize(("trouble", "starts"), [("503 ServiceUnavailable", 1), ("cut-after", 1), ("cut", 0)])
async def test_an_activity_is_never_started_twice(certificates: Certificates, trouble: str, starts: int) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        apns.plans["5a" * 32] = (trouble, "ok")
        hub.knows({"iphone": address(PHONE, start_token="5a" * 32)})
        started = ExecutionStarted(prediction=prediction(), execution_id="exe_1", autonomous=True)
        hub.delivers("iphone", card("d1", started, loudness="silent", verbs=(Verb.STOP,)))
        await hub.reports.of("d1")
        if starts:
            await apns.until(lambda apns: any(taken.token == "5a" * 32 for taken in apns.taken))
        hub.delivers("iphone", card("d2"))
        await hub.reports.of("d2")
        assert sum(taken.token == "5a" * 32 for taken in apns.taken) == starts


@pytest.mark.slow
async def test_a_watch_is_told_a_badge_by_its_face(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client, "watch") as hub:
        hub.knows({"wrist": address(WATCH, widget_token=WIDGET)})
        hub.event(StatusChanged(status=status(pending=1)))
        hub.delivers("wrist", card("d1", loudness="badge"))
        receipt = await hub.reports.of("d1")
        assert (receipt.state, receipt.detail) == (DeliveryState.ACCEPTED, "widgets, production")
        assert {taken.headers["apns-topic"] for taken in apns.taken} == {
            "org.example.acc.watchkitapp.push-type.widgets"
        }
        assert apns.faults == []


@pytest.mark.slow
async def test_a_burst_of_changes_is_one_face_and_the_newest(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client, "watch") as hub:
        hub.knows({"wrist": address(WATCH, complication_token=WIDGET)})
        for number in range(500):
            hub.event(StatusChanged(status=status(pending=number)))
        hub.delivers("wrist", card("d1", loudness="badge"))
        await hub.reports.of("d1")
        assert len(apns.taken) == 1
        first = json.loads(apns.taken[0].payload)["face"]["timeline"][0]
        assert first["count"] == 499


@pytest.mark.slow
async def test_a_face_costs_the_same_after_a_restart(certificates: Certificates, tmp_path: Path) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        for number in range(2):
            async with a_hub(client, "watch", folder=tmp_path) as hub:
                hub.knows({"wrist": address(WATCH, widget_token=WIDGET)})
                hub.event(StatusChanged(status=status(pending=number)))
                await apns.until(lambda apns: len(apns.taken) == 1)
        book = Books(tmp_path / "faces.json").book("wrist")
        assert book is not None
        assert len(apns.taken) == 1  # the second change waits for its minute
        assert book.spent[-1] <= datetime.now(UTC)


@pytest.mark.slow
async def test_a_dead_widget_token_does_not_end_the_watch(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client, "watch") as hub:
        apns.plans[WIDGET] = ("gone",)
        hub.knows({"wrist": address(WATCH, widget_token=WIDGET)})
        hub.event(StatusChanged(status=status(pending=1)))
        hub.delivers("wrist", card("d1"))
        receipt = await hub.reports.of("d1")
        assert (receipt.state, receipt.gone) == (DeliveryState.ACCEPTED, "")
        await apns.until(lambda apns: apns.answers["410 Unregistered"] > 0)
        await apns.until(lambda apns: any(taken.headers["apns-push-type"] == "background" for taken in apns.taken))
        assert all(not told.gone for told in hub.reports.by_id.values())


async def test_a_control_is_reloaded_when_the_state_changes(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        hub.knows({"iphone": address(PHONE, control_token=WIDGET)})
        for state in (Autonomy.WATCHING, Autonomy.WATCHING, Autonomy.PAUSED):
            hub.event(StatusChanged(status=status(state)))
        await apns.until(lambda apns: len(apns.taken) == 2)
        assert {taken.headers["apns-topic"] for taken in apns.taken} == {"org.example.acc.push-type.controls"}
        assert apns.faults == []


async def test_garbage_from_the_broker_is_let_go(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client, a_hub(client) as hub:
        for topic in ("deliver/phone/iphone", "state", "event/prediction/new", "x", ""):
            hub.gateway.hear(f"pulse/v1/me/{topic}", b'{"garbage":')
        await asyncio.sleep(0)
        assert hub.reports.count == len(apns.taken) == 0
