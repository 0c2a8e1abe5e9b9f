"""A surface that was set up while Pulse runs: begun by the person's own command, and by nobody else."""

from tests.io.api.running import Api, problem
from tests.io.api.test_api_asks import a_client

PATH = "/api/v1/surfaces/telegram/renew"


async def test_a_surface_begins_as_it_is_set_up_and_ends_where_that_was_taken_back(api: Api) -> None:
    assert (await api.http.post(PATH)).json() == {"surface": "telegram", "runs": False}
    api.behind.surfaces.set_up.add("telegram")
    assert (await api.http.post(PATH)).json() == {"surface": "telegram", "runs": True}
    api.behind.surfaces.set_up.clear()
    assert (await api.http.post(PATH)).json() == {"surface": "telegram", "runs": False}
    assert api.behind.surfaces.needed == []


async def test_nobody_else_begins_it_whatever_their_token_is_good_for(api: Api) -> None:
    api.behind.surfaces.set_up.add("telegram")
    made = await api.http.post("/api/v1/tokens", json={"name": "script", "scopes": ["read", "admin"]})
    _, asking = await a_client(api)
    for headers in ({"Authorization": f"Bearer {made.json()['token']}"}, asking):
        refused = await api.http.post(PATH, headers=headers)
        assert problem(refused).code in {"by-command-only", "out-of-scope"}
    assert api.behind.surfaces.needed == []
