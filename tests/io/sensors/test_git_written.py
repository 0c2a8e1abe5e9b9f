"""When what is to be committed was last written: of a file that is gone, when its folder changed."""

import os

from tests.io.sensors.git_repo import Repo
from tests.io.sensors.test_git_sensor import HOUR, NOW, read, sensor_of


async def test_each_file_has_its_time(repo: Repo) -> None:
    repo.write("README.md", "changed", at=NOW - 2 * HOUR)
    repo.write("new/ü file.py", at=NOW - 5 * HOUR)
    assert (await read(sensor_of(repo))).written_at == (NOW - 2 * HOUR, NOW - 5 * HOUR)


async def test_a_file_that_is_gone_has_that_of_its_folder(repo: Repo) -> None:
    (repo.path / "README.md").unlink()
    at = (NOW - HOUR).timestamp()
    os.utime(repo.path, (at, at))
    assert (await read(sensor_of(repo))).written_at == (NOW - HOUR,)
