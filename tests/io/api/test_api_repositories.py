"""The repositories over HTTP: what Pulse sees in each, and what could not be read."""

from pathlib import Path

from msgspec.structs import replace

from hub.domain.provenance import RepositoryText
from hub.domain.readings import BrokenReading, GitReading, Reading
from hub.domain.situation import Module, Repository
from hub.domain.storage import AddCard
from hub.domain.suggestion import Work
from tests.conformance.store.samples import card
from tests.fakes.hub_api import NOON
from tests.io.api.running import Api

SHOP = Repository(
    path="/home/me/shop",
    name=RepositoryText("shop"),
    branch=RepositoryText("fix/\u202egnp"),
    head="a1",
    head_at=NOON,
    uncommitted=(RepositoryText("a.py"), RepositoryText("b.py")),
    changed_modules=(Module(path=RepositoryText("src"), files=2),),
    last_test_run_at=NOON,
    last_test_run_passed=False,
)


async def test_a_repository_is_told_with_what_waits_in_it(api: Api) -> None:
    api.behind.seen = Reading(
        sensor="git", at=NOON, body=GitReading(repositories=(SHOP,), broken=("/home/me/x: gone",))
    )
    one = card("pred_1", created=-1)
    there = replace(one, proposal=replace(one.proposal, work=Work(workspace="/home/me/shop")))
    await api.behind.write(AddCard(card=there), AddCard(card=card("pred_2", created=-2)))
    said = (await api.http.get("/api/v1/repositories")).json()
    [shop] = said["repositories"]
    assert shop["name"] == "shop"
    assert shop["branch"] == "fix/⟨U+202E⟩gnp"
    assert (shop["changedFiles"], shop["changedModules"], shop["unpushed"], shop["waiting"]) == (2, 1, None, 1)
    assert (shop["lastTestRunAt"], shop["lastTestRunPassed"], shop["ci"]) == ("2026-03-01T12:00:00Z", False, "unknown")
    assert said["problems"] == ["/home/me/x: gone"]


async def test_a_folder_without_git_is_watched_too(api: Api) -> None:
    api.behind.seen = Reading(sensor="git", at=NOON, body=BrokenReading(detail="/home/me/plan: no repository"))
    api.behind.without_git = (Path("/home/me/pl\u202ean"),)
    one = card("pred_1", created=-1)
    there = replace(one, proposal=replace(one.proposal, work=Work(workspace="/home/me/pl\u202ean")))
    await api.behind.write(AddCard(card=there))
    said = (await api.http.get("/api/v1/repositories")).json()
    assert (said["repositories"], said["count"]) == ([], 0)
    assert said["folders"] == [{"path": "/home/me/pl⟨U+202E⟩an", "name": "pl⟨U+202E⟩an", "waiting": 1}]


async def test_what_could_not_be_read_is_said(api: Api) -> None:
    api.behind.seen = Reading(sensor="git", at=NOON, body=BrokenReading(detail="No workspace is configured."))
    said = (await api.http.get("/api/v1/repositories")).json()
    assert (said["repositories"], said["problems"]) == ([], ["No workspace is configured."])


async def test_without_a_sensor_there_are_none(api: Api) -> None:
    assert (await api.http.get("/api/v1/repositories")).json()["count"] == 0
