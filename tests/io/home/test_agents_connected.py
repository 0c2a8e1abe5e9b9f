"""That an agent was connected is told again to a folder from which it was taken."""

import os
from pathlib import Path

from hub.io.home.agents_connected import FILE_BYTES_MAX, HOOKS, LEAVING_S, AgentsConnected, HookTerms
from hub.io.home.folder import Home


def test_it_is_known_at_the_next_start_by_the_file_or_by_what_connecting_left(tmp_path: Path) -> None:
    assert not AgentsConnected(tmp_path).ever
    AgentsConnected(tmp_path).note()
    assert AgentsConnected(tmp_path).ever
    Home(tmp_path).agents_connected.unlink()
    (tmp_path / HOOKS).mkdir()
    assert not AgentsConnected(tmp_path).ever
    (tmp_path / HOOKS / "claude-code").touch()
    assert AgentsConnected(tmp_path).ever


def test_what_is_taken_away_is_put_back(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.note()
    assert running.file is not None
    Home(tmp_path).agents_connected.unlink()
    assert running.file.put_back()
    assert AgentsConnected(tmp_path).ever
    assert Home(tmp_path).agents_connected.stat().st_mode & 0o777 == 0o600


def test_where_none_was_connected_none_is_kept(tmp_path: Path) -> None:
    AgentsConnected(tmp_path).keep()
    assert not Home(tmp_path).agents_connected.exists()


def test_which_are_connected_is_known_at_the_next_start(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.seen("gemini")
    running.seen("claude-code")
    assert AgentsConnected(tmp_path).agents == {"claude-code", "gemini"}
    running.leaves("gemini")
    assert AgentsConnected(tmp_path).agents == {"claude-code"}
    running.leaves(None)
    assert AgentsConnected(tmp_path).agents == frozenset()
    assert AgentsConnected(tmp_path).ever


def test_one_that_is_being_disconnected_may_still_be_seen_for_a_moment(tmp_path: Path) -> None:
    now = [0.0]
    running = AgentsConnected(tmp_path, seconds=lambda: now[0])
    running.seen("gemini")
    running.leaves("gemini")
    running.seen("gemini")
    assert running.agents == frozenset()
    now[0] = LEAVING_S
    running.seen("gemini")
    assert running.agents == {"gemini"}


def test_one_that_is_connected_again_at_once_counts(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.leaves("gemini")
    running.comes("gemini")
    running.seen("gemini")
    assert running.agents == {"gemini"}


def test_what_others_write_there_is_read_with_bounds_and_put_back(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.seen("gemini")
    file = Home(tmp_path).agents_connected
    file.write_bytes(b"a\n" * FILE_BYTES_MAX)
    assert AgentsConnected(tmp_path).agents == frozenset()
    assert running.file is not None
    assert running.file.put_back()
    assert file.read_text() == "gemini\n"


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.seen("gemini")
    Home(tmp_path).agents_connected.unlink()
    os.mkfifo(Home(tmp_path).agents_connected)
    assert AgentsConnected(tmp_path).ever
    assert running.file is not None
    assert running.file.put_back()
    assert Home(tmp_path).agents_connected.read_text() == "gemini\n"


HOUR, MINUTE, CLOSED = HookTerms(wait_s=3_600), HookTerms(wait_s=60), HookTerms(wait_s=3_600, closed=True)


def test_what_it_was_connected_with_is_known_at_the_next_start(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.comes("claude-code", CLOSED)
    running.seen("claude-code", CLOSED)
    running.seen("gemini")
    assert Home(tmp_path).agents_connected.read_text() == "claude-code wait=3600 closed\ngemini\n"
    again = AgentsConnected(tmp_path)
    assert again.agents == {"claude-code", "gemini"}
    assert (again.terms("claude-code"), again.terms("gemini")) == ((CLOSED,), ())


def test_other_terms_count_beside_the_former_until_they_are_seen(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.comes("gemini", HOUR)
    running.seen("gemini", HOUR)
    running.comes("gemini", MINUTE)
    running.seen("gemini", HOUR)  # by a look that began before the settings were written
    assert running.terms("gemini") == AgentsConnected(tmp_path).terms("gemini") == (HOUR, MINUTE)
    running.seen("gemini", MINUTE)
    assert running.terms("gemini") == AgentsConnected(tmp_path).terms("gemini") == (MINUTE,)


def test_who_connects_again_without_saying_for_whom_changes_no_terms(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.comes("gemini", MINUTE)
    running.seen("gemini", MINUTE)
    running.comes("gemini")
    assert running.terms("gemini") == (MINUTE,)


def test_terms_of_which_nobody_knows_are_those_that_are_seen_first(tmp_path: Path) -> None:
    Home(tmp_path).prepare()
    Home(tmp_path).agents_connected.write_text("gemini\n")
    running = AgentsConnected(tmp_path)
    assert running.agents == {"gemini"}
    assert running.terms("gemini") == ()
    running.seen("gemini", MINUTE)
    running.seen("gemini", HOUR)
    assert AgentsConnected(tmp_path).terms("gemini") == (MINUTE,)


def test_who_is_disconnected_is_connected_with_nothing(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.comes("gemini", MINUTE)
    running.seen("gemini", MINUTE)
    running.leaves("gemini")
    assert running.terms("gemini") == ()


def test_terms_that_never_come_are_not_kept_without_end(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.seen("gemini", HOUR)
    for wait_s in range(10, 40):
        running.comes("gemini", HookTerms(wait_s=wait_s))
    assert running.terms("gemini")[0] == HOUR
    assert running.terms("gemini")[-1] == HookTerms(wait_s=39)
    assert Home(tmp_path).agents_connected.stat().st_size < FILE_BYTES_MAX


def test_hooks_beside_pulses_are_those_that_were_there_first(tmp_path: Path) -> None:
    running = AgentsConnected(tmp_path)
    running.seen("gemini", HOUR)
    assert running.came_beside("gemini", frozenset({"ab"})) == frozenset()
    assert running.came_beside("gemini", frozenset({"ab", "cd"})) == {"cd"}
    assert AgentsConnected(tmp_path).came_beside("gemini", frozenset({"cd"})) == {"cd"}
    assert AgentsConnected(tmp_path).terms("gemini") == (HOUR,)
    running.comes("gemini", MINUTE)
    assert running.came_beside("gemini", frozenset({"cd"})) == frozenset()
    assert AgentsConnected(tmp_path).terms("gemini") == (HOUR, MINUTE)
    assert running.came_beside("gemini", frozenset()) == frozenset()
