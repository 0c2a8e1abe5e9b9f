"""When a repository is read again, and what harms no other."""

import shutil
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from hub.domain.readings import BrokenReading, GitReading
from hub.io.sensors.git import REREAD_AFTER, REREAD_UNWATCHED_AFTER, GitSensor
from tests.fakes.plain_words import plain
from tests.io.sensors.git_repo import Repo
from tests.io.sensors.test_git_sensor import NOW, read, sensor_of


@pytest.mark.slow
async def test_an_unchanged_repository_is_not_read_again(repo: Repo) -> None:
    sensor = sensor_of(repo)
    first = await read(sensor)
    repo.write("silent.py")
    again = await sensor.read(NOW + timedelta(seconds=30))
    assert again.at == NOW + timedelta(seconds=30)
    assert isinstance(again.body, GitReading)
    assert again.body.repositories == (first,)


@pytest.mark.slow
async def test_what_makes_it_read_again(repo: Repo) -> None:
    sensor = sensor_of(repo)
    await read(sensor)
    repo.write("one.py")
    sensor.invalidate(repo.path)
    assert plain((await read(sensor)).uncommitted) == ("one.py",)
    repo.commit("two.py")
    assert (await read(sensor)).uncommitted == ()
    repo.write("three.py")
    assert plain((await read(sensor, NOW + REREAD_AFTER)).uncommitted) == ("three.py",)
    repo.git("branch", "nested/branch")
    repo.write("four.py")
    assert plain((await read(sensor, NOW + REREAD_AFTER)).uncommitted) == ("four.py", "three.py")


@pytest.mark.slow
async def test_without_a_watcher_it_reads_more_often(repo: Repo) -> None:
    sensor = sensor_of(repo, watched=False)
    await read(sensor)
    repo.write("one.py")
    assert plain((await read(sensor, NOW + REREAD_UNWATCHED_AFTER)).uncommitted) == ("one.py",)


async def test_reading_writes_nothing(repo: Repo) -> None:
    repo.write("README.md", "touched, so that git would like to refresh its index")
    before = {path: path.stat().st_mtime_ns for path in (repo.path / ".git").rglob("*")}
    await read(sensor_of(repo))
    assert {path: path.stat().st_mtime_ns for path in (repo.path / ".git").rglob("*")} == before


# -- several workspaces, broken ones -----------------------------------------------------------------------------------


async def test_a_broken_repository_harms_no_other(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "no-repo").mkdir()
    (tmp_path / "corrupt" / ".git").mkdir(parents=True)
    missing = tmp_path / "missing"
    sensor = GitSensor([tmp_path / "no-repo", repo.path, tmp_path / "corrupt", missing], zone=UTC)
    body = (await sensor.read(NOW)).body
    assert isinstance(body, GitReading)
    assert [plain(each.name) for each in body.repositories] == ["work"]
    assert [each.partition(": ")[0] for each in body.broken] == [
        str(tmp_path / "no-repo"),
        str(tmp_path / "corrupt"),
        str(missing),
    ]


@pytest.mark.parametrize("damage", ["HEAD", "index", "objects", "config"])
async def test_a_damaged_repository_is_broken_or_partial(repo: Repo, damage: str) -> None:
    target = repo.path / ".git" / damage
    if target.is_dir():
        shutil.rmtree(target)
        target.mkdir()
    else:
        target.write_bytes(b"\xff\x00garbage" * 20)
    body = (await sensor_of(repo).read(NOW)).body
    assert isinstance(body, BrokenReading)
    assert "git says" in body.detail


@pytest.mark.slow
async def test_a_huge_status_is_cut(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hub.io.sensors.git_program.OUTPUT_BYTES_MAX", 4_000)
    for number in range(300):
        repo.write(f"many/{number:04}.py")
    found = await read(sensor_of(repo))
    assert found.truncated
    assert 0 < len(found.uncommitted) <= 200


async def test_binary_files_and_loops_of_links(repo: Repo) -> None:
    repo.write("blob.py", b"\0\xff# TODO: not text\n" * 10)
    repo.write("odd.py", b"\xff\xfe # TODO: odd bytes\n")
    (repo.path / "loop").symlink_to(repo.path, target_is_directory=True)
    (repo.path / "self.py").symlink_to("self.py")
    (repo.path / "secret.py").symlink_to("/etc/passwd")
    found = await read(sensor_of(repo))
    assert [plain(each.path) for each in found.todos_added] == ["odd.py"]
    assert "loop" in plain(found.uncommitted)
