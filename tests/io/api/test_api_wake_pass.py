"""The token that goes with a message that wakes an agent: minutes, one drive, one report, and nothing else."""

from datetime import timedelta

import httpx
from msgspec.structs import replace

from hub.contract.drives import DriveView, IdleView
from hub.domain.drive_requests import DrivesShown, LookAtDrives
from hub.domain.requests import FeedbackTaken, TakeFeedback
from hub.io.access.wake_passes import LASTS, PASSES_MAX
from hub.io.api.endpoints import ENDPOINTS
from tests.fakes.plain_http import plain_client
from tests.io.api.running import Api, problem
from tests.io.api.test_api_drive_import import VIEW

DRIVES, FEEDBACK = "/api/v1/drives", "/api/v1/drives/feedback"
REPORT = {"drives_addressed": ["goals"], "outcome": "success", "summary": "Done."}


def a_drive(name: str) -> DriveView:
    return DriveView(
        name=name, weight=1.0, pressure=6.0, pressure_max=10.0, load=6.0, grows_per_min=0.0, counts=True, open=1
    )


def pressing(api: Api) -> None:
    idle = (IdleView(says="Somebody else's words.", why="no-agent"),)
    view = replace(VIEW, drives=(a_drive("goals"), a_drive("social")), idle=idle)
    api.behind.hub_api.on(LookAtDrives, lambda _: DrivesShown(view=view))
    api.behind.hub_api.on(TakeFeedback, lambda _: FeedbackTaken(decayed=(("goals", 6.0, 2.0),)))


def token_of(api: Api, wake: str = "wake_1", drive: str = "goals") -> str:
    return api.running.services.access.pass_for(wake, drive, user="anna", now=api.behind.clock.now())


def woken(api: Api, token: str) -> httpx.AsyncClient:
    return plain_client(api.address, {"Authorization": f"Bearer {token}"})


async def test_it_reads_its_own_drive_alone(api: Api) -> None:
    pressing(api)
    async with woken(api, token_of(api)) as http:
        shown = (await http.get(DRIVES)).json()
    assert [one["name"] for one in shown["drives"]] == ["goals"]
    assert (shown["idle"], shown["lastWake"]) == ([], None)


async def test_it_reports_once_and_on_its_own_drive(api: Api) -> None:
    pressing(api)
    async with woken(api, token_of(api)) as http:
        other = await http.post(FEEDBACK, json={**REPORT, "drives_addressed": ["goals", "social"]})
        assert problem(other).code == "out-of-scope"
        for key in ("one", "another"):
            assert (await http.post(FEEDBACK, json=REPORT, headers={"Idempotency-Key": key})).is_success
    keys = {one.feedback.key for one in api.behind.hub_api.requests if isinstance(one, TakeFeedback)}
    assert len(keys) == 1, "a second report is the same one"


async def test_no_other_door_opens(api: Api) -> None:
    pressing(api)
    opened = {}
    async with woken(api, token_of(api)) as http:
        for endpoint in ENDPOINTS:
            path = endpoint.path.replace("{id}", "x").replace("{name}", "x").replace("{surface}", "x")
            for method in endpoint.methods:
                answer = await http.request(method, path.replace("{device}", "x"), json=REPORT)
                if answer.status_code not in {401, 403} and endpoint.scope is not None:
                    opened[method, endpoint.path] = (answer.status_code, answer.text)
    assert set(opened) == {("GET", DRIVES), ("POST", FEEDBACK), ("POST", "/feedback")}, opened


async def test_it_ends_by_itself(api: Api) -> None:
    pressing(api)
    async with woken(api, token_of(api)) as http:
        api.behind.clock.moment += LASTS - timedelta(seconds=1)
        assert (await http.get(DRIVES)).is_success
        api.behind.clock.moment += timedelta(seconds=1)
        assert problem(await http.get(DRIVES)).code == "not-signed-in"
        api.behind.clock.moment -= 2 * LASTS  # a clock that is set back makes it last no longer
        assert problem(await http.get(DRIVES)).code == "not-signed-in"


async def test_it_is_listed_and_stored_nowhere_and_the_oldest_of_too_many_ends(api: Api) -> None:
    pressing(api)
    before = [one.id for one in api.running.services.access.clients()]
    tokens = [token_of(api, f"wake_{number}") for number in range(PASSES_MAX + 1)]
    assert [one.id for one in api.running.services.access.clients()] == before
    assert "wake" not in (await api.http.get("/api/v1/tokens")).text
    async with woken(api, tokens[0]) as first, woken(api, tokens[-1]) as last:
        assert (await first.get(DRIVES)).status_code == 401
        assert (await last.get(DRIVES)).is_success


async def test_it_hears_no_more_of_health_than_a_stranger(api: Api) -> None:
    async with woken(api, token_of(api)) as http:
        assert set((await http.get("/api/v1/health")).json()) == {"status"}
        assert problem(await http.get("/api/v1/session")).code == "not-signed-in"
