"""A revocation that the store cannot take holds at once, after a restart, and is handed over when there is room."""

from typing import Any

from hub.domain.requests import Noted, Refused, SaveClient
from hub.domain.storage import PutClient
from hub.io.api.app import open_services
from hub.io.api.revocation_retry import try_again
from tests.fakes.hub_api import a_status
from tests.fakes.plain_http import plain_client
from tests.io.api.running import Api, Behind, problem, running

OWN_HOST = "127.0.0.1:8420"
FULL = Refused(code="disk-full", status=507, detail="There is no space left.", fix="Free some space.")


def saved(behind: Behind) -> list[SaveClient]:
    return [one for one in behind.hub_api.requests if isinstance(one, SaveClient)]


async def a_token(api: Api) -> dict[str, Any]:
    """Make a token, and store it as the loop does."""
    made: dict[str, Any] = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read"]})).json()
    await api.behind.write(PutClient(client=saved(api.behind)[-1].client))
    assert await status_of(api, made) == 200
    return made


async def status_of(api: Api, made: dict[str, Any]) -> int:
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as anybody:
        return (await anybody.get("/api/v1/crosspoll/status")).status_code


async def test_a_token_that_cannot_be_written_off_is_shut_out_all_the_same_and_for_good() -> None:
    behind = Behind()
    async with running(behind) as api:
        made = await a_token(api)
        behind.hub_api.on(SaveClient, lambda _: FULL)
        answer = await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")
        assert answer.status_code == 200
        assert await status_of(api, made) == 401
    async with running(behind) as again:
        assert await status_of(again, made) == 401, "although the store still has it"


async def test_a_start_lets_nobody_in_whose_revocation_the_store_was_not_told_of_yet() -> None:
    """Handing it over takes a moment, and more where the disk is still full."""
    async with running(Behind()) as api:
        made, parts = await a_token(api), api.running.services.parts
        assert (await open_services(parts, OWN_HOST)).access.find(made["token"]) is not None
        api.behind.hub_api.on(SaveClient, lambda _: FULL)
        await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")
        assert (await open_services(parts, OWN_HOST)).access.find(made["token"]) is None


async def test_where_it_cannot_be_noted_either_the_person_is_told() -> None:
    behind = Behind()
    async with running(behind) as api:
        made = await a_token(api)
        behind.hub_api.on(SaveClient, lambda _: FULL)
        behind.revocations.path.unlink()
        answer = await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")
        assert problem(answer).code == "disk-full"
        assert "shut out now, but that could not be saved" in problem(answer).detail
        assert "before Pulse restarts" in problem(answer).fix
        assert await status_of(api, made) == 401


async def test_it_is_written_down_when_there_is_room() -> None:
    behind = Behind()
    async with running(behind) as api:
        made = await a_token(api)
        behind.hub_api.on(SaveClient, lambda _: FULL)
        await api.http.delete(f"/api/v1/tokens/{made['client']['id']}")
        behind.hub_api.on(SaveClient, lambda _: Noted(status=a_status()))
        await try_again(api.running.services)
        assert saved(behind)[-1].client.revoked_at is not None
        assert behind.revocations.pending() == ()
