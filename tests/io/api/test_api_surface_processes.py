"""What the token of a surface's process may do: it keeps tasks and stops Pulse, and no yes is its to give."""

from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from hub.app.surfaces import SURFACES
from hub.domain.requests import Noted, RemoveTask, Request, Resume, SaveTask, TaskSaved
from hub.domain.storage import AddCard, PutTask
from hub.io.home.profiles import read_profiles
from hub.kit.surface import SurfaceSpec
from tests.conformance.store.samples import card, task
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api, problem

CHATS = [one for one in SURFACES if one.name in {"telegram", "matrix", "slack"}]
PROFILES = read_profiles()
ANSWERING = [one for one in SURFACES if "answer" in one.scopes]
YES: tuple[tuple[str, dict[str, str]], ...] = (
    ("predictions/pred_1/confirm", {}),
    ("predictions/pred_1/edit", {"prompt": "Other words"}),
    ("predictions/pred_1/retry", {}),
    ("predictions/pred_1/respond", {"text": "Go on", "humanInput": "tap"}),
    ("crosspoll/trigger", {"predictionId": "pred_1"}),
)
LOOSENS = (("POST", "crosspoll/resume"), ("DELETE", "mutes/mute_1"), ("POST", "predictions/pred_1/reject"))


def name_of(spec: SurfaceSpec[Any]) -> str:
    return spec.name


def process_of(api: Api, spec: SurfaceSpec[Any]) -> httpx.AsyncClient:
    token = api.running.admit(spec.table, spec.scopes, surface=spec.name)
    return plain_client(api.address, {"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize("spec", CHATS, ids=name_of)
async def test_a_chat_keeps_a_task_and_drops_it(api: Api, spec: SurfaceSpec[Any]) -> None:
    kept = replace(task("task_1"), kept_by=spec.name)
    asked: list[Request] = []

    def save(request: Request) -> TaskSaved:
        asked.append(request)
        return TaskSaved(task=kept)

    api.behind.hub_api.on(SaveTask, save)
    api.behind.hub_api.on(RemoveTask, lambda _: TaskSaved(task=kept))
    async with process_of(api, spec) as http:
        assert (await http.post("/api/v1/tasks", json={"title": "Ring the dentist"})).status_code == 201
        assert [task.kept_by for task in asked if isinstance(task, SaveTask)] == [spec.name]
        await api.behind.write(PutTask(user=USER, task=kept))
        assert (await http.delete("/api/v1/tasks/task_1")).is_success


@pytest.mark.parametrize("spec", [*CHATS, *ANSWERING], ids=name_of)
@pytest.mark.parametrize("kept_by", ["", "elsewhere"])
async def test_it_touches_no_task_that_did_not_come_through_it(api: Api, spec: SurfaceSpec[Any], kept_by: str) -> None:
    api.behind.hub_api.on(SaveTask, lambda _: TaskSaved(task=task("task_1")))
    api.behind.hub_api.on(RemoveTask, lambda _: TaskSaved(task=task("task_1")))
    await api.behind.write(PutTask(user=USER, task=replace(task("task_1"), kept_by=kept_by)))
    async with process_of(api, spec) as http:
        assert problem(await http.delete("/api/v1/tasks/task_1")).code == "out-of-scope"
        assert problem(await http.patch("/api/v1/tasks/task_1", json={"status": "completed"})).code == "out-of-scope"


@pytest.mark.parametrize("spec", CHATS, ids=name_of)
async def test_a_chat_answers_and_loosens_nothing_over_http(api: Api, spec: SurfaceSpec[Any]) -> None:
    await api.behind.write(AddCard(card=replace(card("pred_1"), user=USER)))
    async with process_of(api, spec) as http:
        for method, path in (*(("POST", path) for path, _ in YES), *LOOSENS):
            said = dict(YES).get(path, {})
            asked = await http.request(method, f"/api/v1/{path}", json=said)
            assert problem(asked).code == "out-of-scope", path


@pytest.mark.parametrize("spec", ANSWERING, ids=name_of)
@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("DELETE", "mutes/mute_1", {}),
        ("POST", "mutes", {"degree": "ask", "kind": "run-tests"}),
        ("PATCH", "crosspoll/config", {"autonomous": True}),
        ("PATCH", "crosspoll/config", {"dndUntil": "2099-01-01T00:00:00Z"}),
        ("PATCH", "crosspoll/config", {"emergencyStop": True, "interruptionsPerDay": 0}),
        ("PATCH", "crosspoll/config", {"emergencyStop": False}),
        ("DELETE", "crosspoll/overrides", {}),
        ("POST", "tokens", {"name": "x", "scopes": ["read"]}),
    ],
    ids=str,
)
async def test_no_process_of_a_surface_loosens_or_quietens_pulse(
    api: Api, spec: SurfaceSpec[Any], method: str, path: str, said: dict[str, object]
) -> None:
    """A wish always to be asked keeps what is granted from running alone; do-not-disturb keeps cards unheard."""
    async with process_of(api, spec) as http:
        assert problem(await http.request(method, f"/api/v1/{path}", json=said)).code == "out-of-scope"


@pytest.mark.parametrize("is_connected", [False, True])
@pytest.mark.parametrize("spec", ANSWERING, ids=name_of)
async def test_where_an_agent_could_press_it_no_pause_is_lifted(
    api: Api, spec: SurfaceSpec[Any], *, is_connected: bool
) -> None:
    api.behind.hub_api.on(Resume, lambda _: Noted(status=api.behind.hub_api.status()))
    if is_connected:
        await api.http.post("/api/v1/agents/attached", json={"agent": "codex", "attach": True})
    async with process_of(api, spec) as http:
        asked = await http.post("/api/v1/crosspoll/resume")
        assert asked.is_success is not (is_connected and PROFILES[spec.name].login_in_files)


@pytest.mark.parametrize("spec", ANSWERING, ids=name_of)
async def test_every_process_of_a_surface_that_answers_stops_pulse(api: Api, spec: SurfaceSpec[Any]) -> None:
    async with process_of(api, spec) as http:
        assert (await http.patch("/api/v1/crosspoll/config", json={"emergencyStop": True})).is_success


@pytest.mark.parametrize("spec", ANSWERING, ids=name_of)
@pytest.mark.parametrize(("path", "said"), YES, ids=str)
async def test_no_process_of_a_surface_gives_a_yes(
    api: Api, spec: SurfaceSpec[Any], path: str, said: dict[str, str]
) -> None:
    """A yes comes from the device that showed the card, with its proof."""
    await api.behind.write(AddCard(card=replace(card("pred_1"), user=USER)))
    async with process_of(api, spec) as http:
        assert problem(await http.post(f"/api/v1/{path}", json=said)).code == "not-shown"
