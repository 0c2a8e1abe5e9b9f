"""What a card would commit, over HTTP: all of the diff and the pictures, as long as they are what the card is about."""

import base64
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.contract.words import Status
from hub.domain.plan import Plan
from hub.domain.storage import AddCard
from hub.domain.suggestion import Work
from hub.io.agents.git import GitFolder
from hub.io.agents.playbook.git_steps import plan_commit
from hub.io.agents.playbook.shape import Asked
from tests.conformance.store.samples import card
from tests.io.agents.agent_work import commit, repository, write
from tests.io.api.running import Behind, running

pytestmark = pytest.mark.slow
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100
PATHS = ("hero.png", "news.md")


async def plan_in(folder: Path, home: Path, paths: tuple[str, ...] = PATHS) -> Plan:
    asked = Asked(
        work=Work(playbook="commit-work", workspace=str(folder), args=("", *paths)),
        folder=folder, git=GitFolder(home, {}, folder), search_path=None, home=home,
    )  # fmt: skip
    plan = await plan_commit(asked)
    assert isinstance(plan, Plan)
    return plan


async def test_the_diff_and_the_pictures_are_those_of_the_card_or_none(tmp_path: Path) -> None:
    folder = repository(tmp_path / "site", {"news.md": "old\n"})
    (folder / "hero.png").write_bytes(PNG)
    commit(folder, "Hero")
    (folder / "hero.png").unlink()
    write(folder, {"news.md": "".join(f"line {number}\n" for number in range(2_000))})
    plan = await plan_in(folder, tmp_path)
    assert plan.commit is not None
    assert plan.commit.is_cut
    behind = Behind(home=tmp_path)
    await behind.write(
        AddCard(card=replace(card("pred_1"), plan=plan)),
        AddCard(card=replace(card("pred_2", status=Status.REJECTED), plan=plan)),
        AddCard(card=card("pred_3")),
    )
    async with running(behind) as api:

        async def changes(name: str) -> dict[str, object]:
            said = await api.http.get(f"/api/v1/predictions/{name}/changes")
            assert said.status_code == 200, said.text
            found: dict[str, object] = said.json()
            return found

        told = await changes("pred_1")
        assert (told["isCurrent"], told["diffCut"]) == (True, False)
        assert "+line 1999" in str(told["diff"])
        assert told["pictures"] == [
            {"path": "hero.png", "isBefore": True, "media": "image/png", "data": base64.b64encode(PNG).decode()}
        ]
        assert (await changes("pred_2"))["isCurrent"] is False
        assert (await changes("pred_3"))["diff"] == ""
        assert (await api.http.get("/api/v1/predictions/pred_9/changes")).status_code == 404
        write(folder, {"news.md": "another\n"})
        since = await changes("pred_1")
        assert (since["isCurrent"], since["pictures"]) == (False, [])
        assert str(since["diff"]) == plan.commit.diff


@pytest.mark.parametrize("became", ["gone", "a link"])
async def test_a_file_that_changed_behind_where_the_diff_is_cut_is_seen(tmp_path: Path, became: str) -> None:
    folder = repository(tmp_path / "site", {"news.md": "old\n", "zoo.md": "old\n"})
    write(folder, {"news.md": "".join(f"line {number}\n" for number in range(2_000)), "zoo.md": "new\n"})
    plan = await plan_in(folder, tmp_path, ("news.md", "zoo.md"))
    behind = Behind(home=tmp_path)
    await behind.write(AddCard(card=replace(card("pred_1"), plan=plan)))
    async with running(behind) as api:
        path = "/api/v1/predictions/pred_1/changes"
        assert (await api.http.get(path)).json()["isCurrent"] is True
        (folder / "zoo.md").unlink()
        if became == "a link":
            (folder / "zoo.md").symlink_to("news.md")
        assert (await api.http.get(path)).json()["isCurrent"] is False
