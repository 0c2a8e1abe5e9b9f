"""The packages that tests need: nothing to do, no apt, or not root; with stand-ins for Debian's programs."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "requirements" / "install-system-packages"
INSTALLED = """#!/bin/sh
case $2:$3 in
    *Status*:here) printf 'install ok installed 140.12.0esr-1' ;;
    *:here) printf '140.12.0esr-1' ;;
    *) exit 1 ;;
esac
"""


class Debian:
    """A PATH on which only what is put there exists."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "path"
        self.path.mkdir()
        self.list = folder / "list.txt"
        self.said = folder / "apt-said"
        for tool in ("sh", "sed", "cat"):
            (self.path / tool).symlink_to(shutil.which(tool) or tool)

    def put(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)
        (self.path / name).chmod(0o755)

    def run(self, wanted: str) -> subprocess.CompletedProcess[str]:
        self.list.write_text(wanted)
        return subprocess.run(
            ["sh", SCRIPT, self.list], env={"PATH": str(self.path)}, capture_output=True, text=True, check=False
        )


@pytest.fixture
def debian(tmp_path: Path) -> Debian:
    made = Debian(tmp_path)
    made.put("dpkg-query", INSTALLED)
    made.put("apt-get", f"#!/bin/sh\necho \"$@\" >>'{made.said}'\n")
    made.put("id", "#!/bin/sh\necho 1000\n")
    return made


def test_with_nothing_missing_it_is_silent(debian: Debian) -> None:
    done = debian.run("# why we need them\nhere  # a reason\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert not debian.said.exists()


def test_who_is_not_root_is_told_what_to_install(debian: Debian) -> None:
    done = debian.run("here  # a reason\nabsent  # a reason\nlost\n")
    assert done.returncode == 0
    assert done.stderr.endswith("install them with: sudo apt install absent lost\n")
    assert not debian.said.exists()


def test_what_is_older_than_asked_for_is_missing(debian: Debian) -> None:
    debian.put("dpkg", '#!/bin/sh\n[ "${2%%.*}" -ge "$4" ]\n')
    assert debian.run("here>=140\n").stderr == ""
    assert debian.run("here>=153  # a reason\n").stderr.endswith("sudo apt install here\n")


def test_a_program_of_unknown_version_will_not_do_where_one_is_asked_for(debian: Debian) -> None:
    debian.put("absent", "#!/bin/sh\n")
    assert debian.run("absent>=2\n").stderr.endswith("sudo apt install absent\n")


def test_a_program_from_elsewhere_will_do(debian: Debian) -> None:
    debian.put("absent", "#!/bin/sh\n")
    assert debian.run("absent\n").stderr == ""


def test_without_apt_it_is_silent(debian: Debian) -> None:
    (debian.path / "apt-get").unlink()
    done = debian.run("absent\n")
    assert (done.returncode, done.stderr) == (0, "")
