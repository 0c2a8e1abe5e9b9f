"""Deployments that wait, by `gh`, from a stand-in for GitHub's API that behaves as it is published."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.domain.situation import Deployment
from hub.io.sensors.deployments import ASK_EVERY, DeploymentReader
from hub.io.sensors.github_api import GithubApi
from tests.fakes.github import GithubStandIn
from tests.fakes.plain_words import plain
from tests.io.sensors.github_home import PROGRAMS, program, signed_in

pytestmark = pytest.mark.slow

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
ADDRESS = "git@github.com:acme/shop.git"
SHA = "c0ffee" + "0" * 34


@pytest.fixture
async def github(tmp_path: Path) -> AsyncIterator[GithubStandIn]:
    made = GithubStandIn(tmp_path / "github.sock")
    await made.start()
    yield made
    await made.close()


@pytest.fixture(params=PROGRAMS)
def reader(request: pytest.FixtureRequest, tmp_path: Path, github: GithubStandIn) -> DeploymentReader:
    which = program(request.param, tmp_path / "bin")
    return DeploymentReader(GithubApi(str(which), tmp_path, signed_in(tmp_path / "person", github.socket)))


async def look(reader: DeploymentReader, now: datetime) -> tuple[Deployment, ...] | None:
    reader.read(ADDRESS, now)
    await reader.settled()
    return reader.read(ADDRESS, now)


async def test_what_waits_is_told_and_costs_nothing_while_it_stays(
    reader: DeploymentReader, github: GithubStandIn
) -> None:
    github.wait(77, SHA, "production", 5)
    github.wait(77, SHA, "staging", 6)
    github.pending[77][1]["current_user_can_approve"] = False
    assert reader.read(ADDRESS, NOW) is None, "nothing waits for the network"
    found = await look(reader, NOW)
    assert found is not None
    (one,) = found
    assert (one.repository, one.run, one.attempt, one.commit, one.environment_id) == ("acme/shop", 77, 1, SHA, 5)
    assert [plain(each) for each in (one.environment, one.branch, one.title, one.fork)] == [
        *("production", "main", "Faster carts", "")
    ]
    counted, asked = github.counted, len(github.asked)
    assert await look(reader, NOW + ASK_EVERY) == found
    assert (github.counted, len(github.asked)) == (counted, asked + 2), "what has not changed is not counted"
    github.pending[77].clear()
    github.runs[77]["status"] = "completed"
    assert await look(reader, NOW + 2 * ASK_EVERY) == ()


async def test_told_to_wait_it_waits_and_keeps_what_it_knows(reader: DeploymentReader, github: GithubStandIn) -> None:
    github.wait(77, SHA, "production", 5)
    found = await look(reader, NOW)
    github.limited = {"Retry-After": "300"}
    assert await look(reader, NOW + ASK_EVERY) == found
    asked, github.limited = len(github.asked), None
    assert await look(reader, NOW + ASK_EVERY + timedelta(seconds=299)) == found
    assert len(github.asked) == asked, "nothing was asked meanwhile"
    github.wait(78, SHA, "staging", 6)
    later = await look(reader, NOW + 2 * ASK_EVERY + timedelta(seconds=300))
    assert later is not None
    assert [one.run for one in later] == [77, 78]


async def test_an_answer_that_is_not_had_is_no_answer(reader: DeploymentReader, github: GithubStandIn) -> None:
    await github.close()
    assert await look(reader, NOW) is None
    reader.read("https://example.org/acme/shop.git", NOW + ASK_EVERY)
    await reader.settled()
    assert github.asked == []
