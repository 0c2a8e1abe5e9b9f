"""The key for hooks: its public half is the key's own, whatever another program wrote before the start."""

from pathlib import Path

from hub.io.home.folder import Home
from hub.io.home.hook_key import HookKey


def test_a_public_half_of_another_key_is_not_taken_over(tmp_path: Path) -> None:
    home, other = Home(tmp_path / "home"), Home(tmp_path / "other")
    for one in (home, other):
        one.prepare()
        HookKey(one).prepare()
    own, theirs = (HookKey(one).public.path.read_text() for one in (home, other))
    HookKey(home).public.path.write_text(theirs)
    HookKey(home).prepare(compares=False)
    assert HookKey(home).public.path.read_text() == theirs, "no agent is connected, so nobody reads it"
    HookKey(home).prepare()
    assert HookKey(home).public.path.read_text() == own


def test_a_key_that_is_gone_is_made_again_with_its_public_half(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    key = HookKey(home)
    key.prepare()
    before = key.public.path.read_text()
    key.secret.path.unlink()
    HookKey(home).prepare(compares=False)
    assert key.public.path.read_text() != before
