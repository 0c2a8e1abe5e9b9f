"""What was installed into a repository, and is not ignored there, is nobody's change, however much of it there is."""

from datetime import UTC, datetime

import pytest

from hub.domain.readings import GitReading
from hub.io.sensors.git import GitSensor
from tests.fakes.plain_words import plain
from tests.io.sensors.git_repo import Repo

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)


@pytest.mark.slow
async def test_what_was_installed_hides_nobodys_own_files(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.sensors.git_program.OUTPUT_BYTES_MAX", 4_000)
    for number in range(100):
        repo.write(f".venv/lib/python3.11/site-packages/package/{number:04}.py")
    repo.write("shop/cart.py")
    body = (await GitSensor([repo.path], zone=UTC).read(NOW)).body
    assert isinstance(body, GitReading), body
    (found,) = body.repositories
    assert (plain(found.uncommitted), found.truncated) == (("shop/cart.py",), False)
