"""Looking for files that a need names: what counts as there, and where a need of somebody else's cannot lead."""

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from hub.domain.provenance import LogText, untrusted
from hub.domain.world_proof import FileNeed, ProofFinding
from hub.io.world import proof_files
from hub.io.world.proof_files import LookLimits, ProofPlaces, holds, look_for

MINUTE = timedelta(minutes=1)


class Ground:
    """A home with a workspace, a session's folder and Pulse's own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.work, self.folder, self.pulse = home / "work", home / "session", home / ".pulse"
        for one in (self.work, self.folder, self.pulse, home / ".ssh"):
            one.mkdir()
        self.places = ProofPlaces(home=str(home), workspaces=(str(self.work),), private=(str(self.pulse),))
        self.since = datetime.now(UTC) - MINUTE

    def look(
        self, pattern: str, text: str = "", *, folder: Path | None = None, is_late: Callable[[], bool] = lambda: False
    ) -> ProofFinding:
        need = FileNeed(pattern=LogText(pattern), text=LogText(text))
        return look_for(need, str(folder or ""), self.since, self.places, is_late)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def words(finding: ProofFinding) -> str:
    return untrusted(finding.words)


def write(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_file_that_fits_is_told_with_its_size(ground: Ground) -> None:
    made = write(ground.work / "dist" / "pulse-1.0.whl", "12345")
    found = ground.look("dist/*.whl")
    assert (found.state, words(found)) == ("there", f"Found {made} (5 bytes)")


def test_many_that_fit_are_counted(ground: Ground) -> None:
    for number in range(5):
        write(ground.work / f"{number}.txt")
    assert words(ground.look("?.txt")).endswith("2.txt (1 bytes) and 2 more")


@pytest.mark.parametrize("pattern", ["dist/*.whl", "nothing.txt", "no/such/*/folder", "work", "**/*.rs", "a.txt/*"])
def test_what_is_not_there_is_missing(ground: Ground, pattern: str) -> None:
    write(ground.work / "a.txt")
    found = ground.look(pattern)
    assert (found.state, words(found)) == ("missing", f"No file matches “{pattern}”")


@pytest.mark.parametrize(
    ("pattern", "count"), [("**/*.py", 3), ("a/**", 3), ("**/c/*", 1), ("a/**/**/**/z.py", 1), ("**/**/**/*.py", 3)]
)
def test_two_stars_are_any_folders(ground: Ground, pattern: str, count: int) -> None:
    for name in ("x.py", "a/y.py", "a/b/c/z.py", "a/n.txt"):
        write(ground.work / name)
    shown = words(ground.look(pattern))
    assert shown.count(" bytes)") == count


def test_what_is_hidden_is_found_by_its_name_only(ground: Ground) -> None:
    write(ground.work / ".env")
    assert [ground.look(one).state for one in ("*", ".env", ".e*")] == ["missing", "there", "there"]


def test_a_folder_is_there_too_but_holds_no_text(ground: Ground) -> None:
    (ground.work / "build").mkdir()
    assert [ground.look("build").state, ground.look("build/").state] == ["there", "there"]
    assert ground.look("build", "x").state == "missing"


def test_a_relative_path_is_looked_for_in_the_sessions_folder_or_else_in_the_workspaces(ground: Ground) -> None:
    write(ground.work / "a.txt")
    assert ground.look("a.txt").state == "there"
    assert ground.look("a.txt", folder=ground.folder).state == "missing"
    write(ground.folder / "a.txt")
    assert ground.look("a.txt", folder=ground.folder).state == "there"


def test_an_absolute_path_and_one_of_the_home_are_taken_as_they_stand(ground: Ground) -> None:
    made = write(ground.home / "Documents" / "report.pdf")
    assert [ground.look(one).state for one in (str(made), "~/Documents/*.pdf")] == ["there", "there"]


def test_where_no_folder_is_known_nobody_can_say(ground: Ground) -> None:
    ground.places = ProofPlaces(home=str(ground.home))
    found = ground.look("a.txt")
    assert (found.state, "no folder is known" in words(found)) == ("unknown", True)
    need = FileNeed(pattern=LogText("a.txt"))
    assert look_for(need, "not/absolute", ground.since, ground.places, lambda: False).state == "unknown"


def test_what_was_there_before_the_session_began_proves_nothing(ground: Ground) -> None:
    write(ground.work / "a.txt", "all well")
    ground.since = datetime.now(UTC) + MINUTE
    found = ground.look("a.txt", "all well")
    assert (found.state, "has not changed since" in words(found)) == ("unknown", True)


def test_of_a_file_from_before_nobody_can_learn_what_stands_in_it(ground: Ground) -> None:
    write(ground.work / "a.txt", "the secret is 7")
    ground.since = datetime.now(UTC) + MINUTE
    assert ground.look("a.txt", "secret is 7") == replace(
        ground.look("a.txt", "secret is 8"), part=FileNeed(pattern=LogText("a.txt"), text=LogText("secret is 7"))
    )


def test_what_is_new_decides_where_something_old_fits_too(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_files, "CLOCK_S", 0.0)
    began = write(ground.work / "old.txt", "needle").stat().st_ctime + 0.01
    while (new := write(ground.work / "new.txt", "nothing")).stat().st_ctime <= began:
        new.touch()
    ground.since = datetime.fromtimestamp(began, UTC)
    assert [ground.look(one, "needle").state for one in ("old.txt", "*.txt")] == ["unknown", "missing"]
    new.write_text("needle")
    assert ground.look("*.txt", "needle").state == "there"


def test_a_file_with_an_old_date_that_was_put_there_since_counts(ground: Ground) -> None:
    made = write(ground.work / "a.txt")
    os.utime(made, (0, 0))
    assert ground.look("a.txt").state == "there"


def test_a_text_is_looked_for_letter_by_letter_in_every_file_that_fits(ground: Ground) -> None:
    write(ground.work / "a.txt", "nothing")
    made = write(ground.work / "b.txt", "the total is 12 €")
    found = ground.look("*.txt", "12 €")
    assert (found.state, words(found)) == ("there", f"Found {made} (19 bytes) with “12 €”")
    missing = ground.look("*.txt", "The total")
    assert (missing.state, words(missing).endswith("without “The total”")) == ("missing", True)


@pytest.mark.parametrize("before", [0, 1, proof_files.CHUNK_BYTES - 3, proof_files.CHUNK_BYTES, 3_000_000])
def test_a_text_across_two_pieces_of_a_file_is_found(ground: Ground, before: int) -> None:
    write(ground.work / "a.txt", "." * before + "needle" + "." * 10)
    assert ground.look("a.txt", "needle").state == "there"
    assert ground.look("a.txt", "n").state == "there"
    assert ground.look("a.txt", "needles").state == "missing"


def test_of_what_is_too_big_nobody_can_say(ground: Ground) -> None:
    with (ground.work / "a.bin").open("wb") as file:
        file.truncate(proof_files.READ_BYTES_MAX + 10)
    assert ground.look("a.bin", "needle").state == "unknown"
    assert ground.look("a.bin").state == "there"


def test_of_too_many_files_nobody_can_say(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_files, "ENTRIES_MAX", 50)
    for number in range(60):
        write(ground.work / f"{number}.txt")
    assert ground.look("*.md").state == "unknown"
    for number in range(proof_files.FILES_MAX + 6):
        write(ground.work / "few" / f"{number}" / "a.txt")
    assert ground.look("few/*/a.txt", "needle").state == "unknown"


def test_a_look_that_takes_too_long_ends(ground: Ground) -> None:
    write(ground.work / "a.txt", "needle")
    assert ground.look("a.txt", "needle", is_late=lambda: True).state == "unknown"
    assert ground.look("*.md", is_late=lambda: True).state == "unknown"


@pytest.mark.parametrize(
    "pattern", ["../session/a.txt", "sub/../../session/a.txt", "~root/a", "~", "a\0b", "/", ".", "a/" * 99]
)
def test_what_leads_out_or_is_no_path_is_not_looked_for(ground: Ground, pattern: str) -> None:
    write(ground.folder / "a.txt")
    assert ground.look(pattern).state == "unknown"


@pytest.mark.parametrize("pattern", ["link/a.txt", "link.txt", "link/*", "*/a.txt", "link*"])
def test_a_link_does_not_lead_out_of_the_folder(ground: Ground, pattern: str) -> None:
    outside = write(ground.folder / "a.txt")
    (ground.work / "link").symlink_to(ground.folder)
    (ground.work / "link.txt").symlink_to(outside)
    assert ground.look(pattern).state == "unknown"


def test_a_link_within_the_folder_is_followed_and_one_in_a_circle_ends(ground: Ground) -> None:
    write(ground.work / "real.txt")
    (ground.work / "link.txt").symlink_to("real.txt")
    (ground.work / "circle").symlink_to(ground.work)
    (ground.work / "self").symlink_to("self")
    assert ground.look("link.txt").state == "there"
    assert ground.look("**/nothing").state == "missing"
    assert [ground.look(one).state for one in ("self", "self/*", "a" * 5_000)] == ["missing", "unknown", "missing"]


@pytest.mark.parametrize(
    "pattern", ["~/.ssh/id", "~/.ssh/*", "~/.pulse/*", "~/.*/*", "/proc/self/environ", "/proc/*/environ"]
)
def test_what_is_private_or_the_systems_is_not_looked_at(ground: Ground, pattern: str) -> None:
    for name in (".ssh/id", ".pulse/hub.key"):
        write(ground.home / name, "secret")
    for text in ("", "secret"):
        found = ground.look(pattern, text)
        assert (found.state, "secret" in words(found).replace("“secret”", "")) == ("unknown", False)


def test_pulses_own_folder_is_private_also_as_a_workspace_or_a_sessions_folder(ground: Ground) -> None:
    write(ground.pulse / "hub.key", "secret")
    ground.places = ProofPlaces(home=str(ground.home), workspaces=(str(ground.home),), private=(str(ground.pulse),))
    assert ground.look(".pulse/hub.key").state == "unknown"
    assert ground.look("hub.key", "secret", folder=ground.pulse).state == "unknown"


def test_a_workspace_in_a_hidden_folder_is_looked_at(ground: Ground) -> None:
    made = write(ground.home / ".config" / "dots" / "a.txt")
    assert ground.look("~/.config/dots/a.txt").state == "unknown"
    ground.places = ProofPlaces(home=str(ground.home), workspaces=(str(made.parent),), private=(str(ground.pulse),))
    assert ground.look("a.txt").state == "there"


def test_a_pipe_or_a_socket_is_no_file_and_is_never_opened(ground: Ground) -> None:
    os.mkfifo(ground.work / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(ground.work / "socket"))
        states = {ground.look(one, text).state for one in ("pipe", "socket", "*") for text in ("", "x")}
    assert states == {"missing"}


def test_a_pipe_that_takes_a_files_place_at_the_last_moment_is_not_waited_for(ground: Ground) -> None:
    os.mkfifo(ground.work / "pipe")
    (ground.work / "link").symlink_to(write(ground.work / "a.txt", "needle"))
    found = [holds(ground.work / name, b"needle", LookLimits(lambda: False)) for name in ("pipe", "link", "a.txt")]
    assert found == [False, False, True]


def test_names_of_files_go_into_the_words_as_they_are(ground: Ground) -> None:
    write(ground.work / "{evil}\n.txt")
    assert "{evil}\n.txt" in words(ground.look("*.txt"))
