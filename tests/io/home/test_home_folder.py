"""The folder of all state: who may look into it, who may use it, and what the disk can do to it."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hub.io.home.folder import AlreadyRunningError, Home, HomeError, HomeFullError, RunRecord, default_home

RECORD = RunRecord(
    pid=4242,
    api="http://127.0.0.1:8420",
    broker="mqtt://127.0.0.1:1883",
    started_at="2025-07-29T14:00:00+00:00",
    workspaces=("/home/me/project",),
)
HOLDER = """
import pathlib, sys
from hub.io.home.folder import Home, RunRecord

home = Home(pathlib.Path(sys.argv[1]))
home.prepare()
home.lock()
home.write_record(RunRecord(pid=4242, api="http://127.0.0.1:8420", broker="b", started_at="t", workspaces=()))
print("held", flush=True)
"""
WAITS = "sys.stdin.read()"
AGENT = """
import subprocess
words = [sys.executable, "-c", "import signal; print('working', flush=True); signal.pause()"]
print(subprocess.Popen(words, close_fds=False).pid, flush=True)
sys.stdin.read()
"""
ON_A_READ_ONLY_DISK = """
import pathlib, sys
from hub.io.home.folder import Home, HomeError

try:
    Home(pathlib.Path(sys.argv[1])).prepare()
except HomeError as error:
    print(error, "|", error.fix)
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "deep" / "home")
    made.prepare()
    return made


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_everything_in_it_is_for_its_owner_only(home: Home) -> None:
    home.lock()
    home.secret("hub.key")
    home.write_record(RECORD)
    for path in (home.folder, *home.folder.rglob("*")):
        assert mode(path) == (0o700 if path.is_dir() else 0o600), path
    home.unlock()


def test_it_may_be_prepared_again(home: Home) -> None:
    home.prepare()
    assert sorted(path.name for path in home.folder.iterdir()) == ["notes", "secrets"]


def test_folders_that_stood_open_are_closed(home: Home) -> None:
    (home.folder / "secrets").chmod(0o755)
    home.prepare()
    assert mode(home.folder / "secrets") == 0o700


def test_a_folder_that_a_person_made_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir(mode=0o755)
    Home(folder).prepare()
    assert mode(folder) == 0o755


@pytest.mark.parametrize("open_to", [0o020, 0o002, 0o022], ids=oct)
def test_what_others_could_write_to_is_closed_to_them(home: Home, open_to: int) -> None:
    """Whoever may write to the folder puts settings and a store of their own into it; the settings name programs."""
    home.folder.chmod(0o755 | open_to)
    for settings in (home.config, home.set_up):
        settings.touch(mode=0o600)
        settings.chmod(0o644 | open_to)
    home.prepare()
    assert (mode(home.folder), mode(home.config), mode(home.set_up)) == (0o755, 0o644, 0o644)


@pytest.mark.parametrize("which", ["folder", "settings", "what was set up", "a link to it"])
def test_what_another_user_put_there_is_not_used(home: Home, tmp_path: Path, which: str) -> None:
    home.config.touch(mode=0o600)
    home.set_up.touch(mode=0o600)
    asked = home
    if which == "a link to it":
        asked = Home(tmp_path / "link")
        asked.folder.symlink_to(home.folder)
    place = {"settings": home.config, "what was set up": home.set_up}.get(which, asked.folder)
    if os.geteuid() != 0:
        pytest.skip("only root can give a file to another user")
    os.chown(place, 65_534, -1, follow_symlinks=False)
    with pytest.raises(HomeError, match="another user") as caught:
        asked.prepare()
    assert "PULSE_HOME" in caught.value.fix


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nowhere", "/sys/nowhere"])
def test_a_place_that_cannot_be_used_is_said(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomeError, match=place) as caught:
        Home(tmp_path / place).prepare()
    assert "PULSE_HOME" in caught.value.fix


def test_a_file_where_the_secrets_should_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "secrets").touch()
    with pytest.raises(HomeError):
        Home(tmp_path).prepare()


def test_a_folder_where_the_lock_should_be_is_said(home: Home) -> None:
    (home.folder / "lock").mkdir()
    with pytest.raises(HomeError, match="lock"):
        home.lock()


@pytest.mark.slow
def test_a_read_only_disk_is_said(tmp_path: Path) -> None:
    """Also to root, whom permissions do not stop: the disk is mounted in a namespace that ends with the program."""
    unshare = shutil.which("unshare")
    inside = 'mount -t tmpfs -o ro,size=64k tmpfs "$1" && exec "$2" -c "$3" "$1"'
    words = ["--mount", "--map-root-user", "sh", "-c", inside, "sh", str(tmp_path), sys.executable, ON_A_READ_ONLY_DISK]
    if unshare is None or subprocess.run([unshare, "--mount", "--map-root-user", "true"], check=False).returncode:
        pytest.skip("this machine lets nobody mount a disk of their own")
    done = subprocess.run([unshare, *words], capture_output=True, text=True, check=False, timeout=30)
    if "mount:" in done.stderr:
        pytest.skip("this machine lets nobody mount a disk of their own")
    assert "Read-only file system" in done.stdout, done.stderr
    assert "PULSE_HOME" in done.stdout


def test_a_second_hub_is_told_where_the_first_one_is(home: Home) -> None:
    home.lock()
    home.write_record(RECORD)
    with pytest.raises(AlreadyRunningError, match=r"already running at http://127\.0\.0\.1:8420 \(process 4242\)"):
        Home(home.folder).lock()
    home.unlock()


def test_a_second_hub_is_refused_before_the_first_one_is_up(home: Home) -> None:
    home.lock()
    with pytest.raises(AlreadyRunningError, match="already running, with its state in") as caught:
        Home(home.folder).lock()
    assert "PULSE_HOME" in caught.value.fix
    home.unlock()


def test_one_that_was_refused_gives_nothing_back(home: Home) -> None:
    """Its tidying up must not take the record of the hub that runs."""
    home.lock()
    home.write_record(RECORD)
    second = Home(home.folder)
    with pytest.raises(AlreadyRunningError):
        second.lock()
    second.unlock()
    assert home.record() == RECORD
    home.unlock()


def test_the_lock_is_free_after_unlocking(home: Home) -> None:
    home.lock()
    home.unlock()
    home.unlock()
    second = Home(home.folder)
    second.lock()
    second.unlock()


@pytest.mark.slow
def test_the_lock_of_a_killed_hub_is_free(home: Home) -> None:
    words = [sys.executable, "-c", HOLDER + WAITS, str(home.folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(AlreadyRunningError, match="process 4242"):
            home.lock()
        first.kill()
    home.lock()
    home.unlock()


@pytest.mark.slow
def test_an_agent_that_outlives_a_killed_hub_does_not_keep_the_lock(home: Home) -> None:
    words = [sys.executable, "-c", HOLDER + AGENT, str(home.folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        agent = int(first.stdout.readline())
        assert first.stdout.readline() == "working\n"
        first.kill()
    try:
        home.lock()
        home.unlock()
    finally:
        os.kill(agent, signal.SIGKILL)


def test_the_record_says_where_the_hub_is_and_goes_with_it(home: Home) -> None:
    home.lock()
    assert home.record() is None
    home.write_record(RECORD)
    assert Home(home.folder).record() == RECORD
    home.unlock()
    assert home.record() is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"pid": "x"}'])
def test_a_damaged_record_is_no_record(home: Home, content: bytes) -> None:
    (home.folder / "run.json").write_bytes(content)
    assert home.record() is None


def test_a_record_that_cannot_be_written_is_said(home: Home) -> None:
    (home.folder / "run.json").mkdir()
    with pytest.raises(HomeError, match=r"run\.json"):
        home.write_record(RECORD)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"PULSE_HOME": "/srv/pulse"}, Path("/srv/pulse")),
        ({"PULSE_HOME": "", "XDG_STATE_HOME": "/state"}, Path("/state/pulse")),
        ({"PULSE_HOME": "~/pulse", "HOME": "/home/me"}, Path("/home/me/pulse")),
        ({"HOME": "/home/me"}, Path("/home/me/.local/state/pulse")),
    ],
)
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has its own place")
def test_where_the_home_is(environ: dict[str, str], expected: Path) -> None:
    program = "from hub.io.home.folder import default_home; print(default_home())"
    environ = {**environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == expected


def test_a_relative_home_is_made_absolute() -> None:
    assert default_home().is_absolute()


def test_a_full_disk_says_that_it_is_full(home: Home) -> None:
    (home.folder / ".probe").symlink_to("/dev/full")
    with pytest.raises(HomeFullError) as caught:
        home.prepare()
    assert caught.value.code == "disk-full"
    assert caught.value.detail == f"There is no space left at {home.folder}."
    assert caught.value.fix == "Free some space, then start Pulse again."
    home.prepare()
