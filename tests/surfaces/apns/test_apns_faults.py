"""The client against a stand-in that breaks down in every way: no hang, no unasked repeat, no lost slot, one token."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from hub.kit.gateway.outcome import (
    Accepted,
    Doubtful,
    Gone,
    Misconfigured,
    Quarantined,
    RetryLater,
    TooLarge,
    Undeliverable,
)
from surfaces.apns.client import Client
from surfaces.apns.connection import PatientProtocol
from surfaces.apns.push import headers_of
from surfaces.apns.reasons import Answer
from tests.surfaces.apns.sending import SMALL, a_client, push
from tests.surfaces.apns.standin.certs import Certificates
from tests.surfaces.apns.standin.server import Standin

SHORT_S, PLENTY_S = 2.0, 30.0
"""What is waited for an answer that never comes, and for one that does; a connection is made within it as well."""
ANSWER_S = 60.0


def load(client: Client) -> int:
    """Requests that some connection still has."""
    return sum(connection.load for pool in client.pools.values() for connection in pool._open)  # noqa: SLF001  a leak shows only there


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("ok", Accepted),
        ("upper-id", Accepted),
        ("no-id", Accepted),
        ("empty-frame", Accepted),
        ("goaway", Accepted),
        ("refuse", RetryLater),
        ("bare500", RetryLater),
        ("html500", RetryLater),
        ("split", RetryLater),
        ("503 ServiceUnavailable", RetryLater),
        ("500 InternalServerError", RetryLater),
        ("429 TooManyRequests", RetryLater),
        ("hang", Doubtful),
        ("reset", Doubtful),
        ("cut", Doubtful),
        ("cut-after", Doubtful),
        ("garbage", Doubtful),
        ("gone", Gone),
        ("400 BadDeviceToken", Quarantined),
        ("400 DeviceTokenNotForTopic", Quarantined),
        ("413 PayloadTooLarge", TooLarge),
        ("403 InvalidProviderToken", Misconfigured),
        ("400 BadTopic", Misconfigured),
        ("400 BadCollapseId", Undeliverable),
        ("404 BadPath", Undeliverable),
        ("418 Teapot", Undeliverable),
    ],
)
async def test_each_fault_has_its_outcome_and_leaves_nothing_behind(
    certificates: Certificates, step: str, kind: type[object]
) -> None:
    waits_s = SHORT_S if step in {"hang", "garbage"} else PLENTY_S
    async with Standin(certificates) as apns, a_client(apns, send_s_max=waits_s) as client:
        token = "f0" * 32
        apns.plans[token] = (step,)
        outcome = await client.send(push(token), "production")
        assert isinstance(outcome, kind), outcome
        assert load(client) == 0
        assert isinstance(await client.send(push("0a" * 32)), Accepted)
        assert max(apns.accepted.values(), default=0) <= 1
        assert apns.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("how", ["politely", "at once"])
async def test_going_away_with_200_in_flight_sends_each_once(certificates: Certificates, how: str) -> None:
    async with Standin(certificates, delay_ms=30) as apns, a_client(apns) as client:
        assert isinstance(await client.send(push()), Accepted)
        apns.when_taken[100] = apns.go_away if how == "politely" else apns.go_away_at_once
        sending = [asyncio.ensure_future(client.send(push(f"{n:064x}"))) for n in range(200)]
        assert all(isinstance(outcome, Accepted) for outcome in await asyncio.gather(*sending))
        assert max(apns.accepted.values()) == 1
        assert len(apns.taken) == 201
        assert apns.opened == (1 if how == "politely" else 2)
        assert len(apns.team.tokens) == 1


async def test_going_away_before_the_last_ones_resends_only_those(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        assert isinstance(await client.send(push()), Accepted)
        apns.plans["ea" * 32] = ("goaway-early", "ok")
        outcomes = await asyncio.gather(
            *(client.send(push(f"{n:064x}")) for n in range(50)), client.send(push("ea" * 32))
        )
        assert all(isinstance(outcome, Accepted) for outcome in outcomes)
        assert max(apns.accepted.values()) == 1


@pytest.mark.slow
async def test_a_cut_with_200_in_flight_repeats_nothing_by_itself(certificates: Certificates) -> None:
    async with Standin(certificates, delay_ms=60) as apns, a_client(apns) as client:
        assert isinstance(await client.send(push()), Accepted)
        apns.when_taken[100] = apns.cut
        sending = [asyncio.ensure_future(client.send(push(f"{n:064x}"))) for n in range(200)]
        outcomes = await asyncio.gather(*sending)
        doubtful = [outcome for outcome in outcomes if isinstance(outcome, Doubtful)]
        assert doubtful
        assert all(isinstance(outcome, Accepted | Doubtful | RetryLater) for outcome in outcomes)
        assert max(apns.accepted.values()) == 1
        assert load(client) == 0


@pytest.mark.slow
async def test_one_stream_at_the_start_is_waited_for(certificates: Certificates) -> None:
    async with Standin(certificates, delay_ms=20) as apns, a_client(apns) as client:
        outcomes = await asyncio.gather(*(client.send(push(f"{n:064x}")) for n in range(50)))
        assert all(isinstance(outcome, Accepted) for outcome in outcomes)
        assert apns.opened == 1


@pytest.mark.slow
async def test_what_gets_room_in_the_last_moment_has_all_its_time_for_the_answer(certificates: Certificates) -> None:
    async with Standin(certificates, delay_ms=20) as apns, a_client(apns, send_s_max=ANSWER_S) as client:
        assert isinstance(await client.send(push()), Accepted)
        headers = headers_of(push(), host=apns.host, authorization=apns.taken[0].headers["authorization"])
        answer = await client.pools["production"].send(headers, SMALL, room_s=0.0, answer_s=ANSWER_S)
        assert isinstance(answer, Answer), answer
        assert answer.status == httpx.codes.OK


@pytest.mark.slow
@pytest.mark.parametrize("window", [65_535, 5_000, 1_000])
async def test_a_small_window_is_waited_for(certificates: Certificates, window: int) -> None:
    payload = b'{"aps":{"alert":{"body":"' + b"x" * 3_900 + b'"}}}'
    async with Standin(certificates, window=window) as apns, a_client(apns) as client:
        outcomes = await asyncio.gather(*(client.send(push(f"{n:064x}", payload=payload)) for n in range(200)))
        assert all(isinstance(outcome, Accepted) for outcome in outcomes)
        assert load(client) == 0


@pytest.mark.slow
async def test_few_streams_open_further_connections(certificates: Certificates) -> None:
    async with Standin(certificates, streams=5, delay_ms=10) as apns, a_client(apns) as client:
        assert isinstance(await client.send(push()), Accepted)
        outcomes = await asyncio.gather(*(client.send(push(f"{n:064x}")) for n in range(200)))
        assert all(isinstance(outcome, Accepted) for outcome in outcomes)
        assert 1 < apns.opened <= 4
        assert len(apns.team.tokens) == 1


@pytest.mark.slow
async def test_nobody_there_is_said_at_once_and_passes(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        assert isinstance(await client.send(push()), Accepted)
        await apns.stop()
        assert not isinstance(await client.send(push()), Accepted)  # it may not have been seen to be gone
        outcome = await client.send(push())
        assert isinstance(outcome, RetryLater)
        assert "cannot be reached" in outcome.why
        await apns.listen()
        failing = client.pools["production"]._failing  # noqa: SLF001  to wait just as long as it would
        assert failing is not None
        await asyncio.sleep(failing.until_s - asyncio.get_running_loop().time())
        assert isinstance(await client.send(push()), Accepted)


@pytest.mark.slow
async def test_a_server_that_says_nothing_is_given_up_in_time(certificates: Certificates) -> None:
    silent = await asyncio.get_running_loop().create_server(asyncio.Protocol, "127.0.0.1", 0)
    apns = Standin(certificates)
    apns.host = f"127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    async with silent, a_client(apns, send_s_max=SHORT_S) as client:
        assert isinstance(await client.send(push()), RetryLater)


async def test_an_untrusted_server_is_named(
    certificates: Certificates, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Certificates(tmp_path_factory.mktemp("other"))
    async with Standin(other) as apns:
        apns.certificates.ca_file.write_bytes(certificates.ca_file.read_bytes())
        async with a_client(apns) as client:
            outcome = await client.send(push())
    assert isinstance(outcome, RetryLater)
    assert "not trusted" in outcome.why


async def test_a_token_of_the_other_environment_is_found_there_and_remembered(certificates: Certificates) -> None:
    async with Standin(certificates) as production, Standin(certificates, environment="sandbox") as sandbox:
        sandbox.team = production.team
        production.elsewhere.add("5a" * 32)
        async with a_client(production, sandbox) as client:
            for _ in range(2):
                assert await client.send(push("5a" * 32)) == Accepted(detail="sandbox")
        assert production.answers["400 BadDeviceToken"] == 1
        assert len(sandbox.taken) == 2


async def test_a_token_unknown_everywhere_is_set_aside_until_it_is_registered_again(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        apns.unknown.add("bb" * 32)
        assert isinstance(await client.send(push("bb" * 32)), Quarantined)
        assert isinstance(await client.send(push("bb" * 32)), Quarantined)
        assert apns.answers["400 BadDeviceToken"] == 2  # once in each environment
        apns.unknown.clear()
        client.registered("bb" * 32)
        assert isinstance(await client.send(push("bb" * 32)), Accepted)


async def test_a_410_about_an_earlier_registration_ends_nothing(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        apns.plans["ab" * 32] = ("gone-before",)
        apns.plans["cd" * 32] = ("410 Unregistered",)
        assert isinstance(await client.send(push("ab" * 32), registered_at=datetime.now(UTC)), RetryLater)
        assert isinstance(await client.send(push("ab" * 32), registered_at=datetime(2010, 1, 1, tzinfo=UTC)), Gone)
        assert isinstance(await client.send(push("cd" * 32), registered_at=None), Undeliverable)  # without a time


async def test_a_busy_device_is_left_alone_for_a_while(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        apns.plans["cc" * 32] = ("429 TooManyRequests", "ok")
        first, second = [await client.send(push("cc" * 32)) for _ in range(2)]
        assert isinstance(first, RetryLater)
        assert isinstance(second, RetryLater)
        assert second.after_s > 15
        assert apns.tries["cc" * 32] == 1
        assert isinstance(await client.send(push("dd" * 32)), Accepted)


async def test_a_token_made_too_soon_is_kept_and_everything_waits(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        apns.team.tokens["another worker's"] = apns.wall_s()
        outcomes = [await client.send(push()) for _ in range(3)]
        assert all(isinstance(outcome, RetryLater) and outcome.after_s > 60 for outcome in outcomes)
        assert apns.answers["429 TooManyProviderTokenUpdates"] == 1


async def test_a_clock_that_is_wrong_is_suspected_and_makes_no_storm_of_tokens(certificates: Certificates) -> None:
    wrong = timedelta(hours=-5).total_seconds()
    async with Standin(certificates) as apns, a_client(apns, wall_s=lambda: time.time() + wrong) as client:
        outcomes = [await client.send(push()) for _ in range(3)]
        assert all(isinstance(outcome, RetryLater) and outcome.after_s > 60 for outcome in outcomes)
        assert "clock" in client.trouble


async def test_ten_connections_share_one_token(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        for number in range(10):
            assert isinstance(await client.send(push(f"{number:064x}")), Accepted)
            client.pools["production"].retire()
        assert apns.opened == 10
        assert len(apns.team.tokens) == 1


@pytest.mark.slow
async def test_a_dead_connection_is_noticed_and_replaced(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns, send_s_max=SHORT_S) as client:
        apns.plans["0f" * 32] = ("hang", "ok")
        assert isinstance(await client.send(push("0f" * 32)), Doubtful)  # after SHORT_S: there will never be an answer
        assert isinstance(await client.send(push("0f" * 32)), Accepted)


class Watchful(PatientProtocol):
    """Looks after an idle connection so often that a test can wait for it."""

    PING_AFTER_S = 0.02
    PONG_S_MAX = 0.2


@pytest.mark.slow
async def test_an_idle_connection_is_kept_and_used_again(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        client.pools["production"].protocol_class = type("Lenient", (Watchful,), {"PONG_S_MAX": ANSWER_S})
        assert isinstance(await client.send(push()), Accepted)
        idle = client.pools["production"]._open[0]  # noqa: SLF001  to wait until it has answered
        await asyncio.sleep(10 * Watchful.PING_AFTER_S)  # idle is what this is about
        while not idle.is_ready:  # noqa: ASYNC110  nothing tells of the answer to a PING
            await asyncio.sleep(Watchful.PING_AFTER_S / 10)
        assert isinstance(await client.send(push()), Accepted)
        assert apns.opened == 1


@pytest.mark.slow
async def test_an_idle_connection_that_died_unseen_is_replaced_before_it_is_used(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        client.pools["production"].protocol_class = Watchful
        assert isinstance(await client.send(push()), Accepted)
        dead = client.pools["production"]._open[0]  # noqa: SLF001  to wait until it is given up
        apns.connections[0].freeze()
        assert await dead.gone == "no answer to a PING"
        assert isinstance(await client.send(push()), Accepted)
        assert apns.opened == 2
        assert max(apns.accepted.values()) == 1


@pytest.mark.slow
async def test_a_connection_idle_for_an_hour_is_closed(certificates: Certificates) -> None:
    async with Standin(certificates) as apns, a_client(apns) as client:
        opened: list[PatientProtocol] = []

        class Brief(Watchful):
            IDLE_S_MAX = 0.1

            def __init__(self, loop: asyncio.AbstractEventLoop, on_connection_lost: Callable[[object], None]) -> None:
                super().__init__(loop, on_connection_lost)
                opened.append(self)

        client.pools["production"].protocol_class = Brief
        assert isinstance(await client.send(push()), Accepted)
        assert await opened[0].gone == "idle"
