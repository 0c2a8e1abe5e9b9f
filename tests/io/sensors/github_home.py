"""A home in which GitHub's own program is signed in, and speaks to the stand-in for GitHub."""

import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.fakes import gh


def signed_in(home: Path, socket: Path) -> dict[str, str]:
    """Write its settings; return the environment in which they hold."""
    folder = home / ".config" / "gh"
    folder.mkdir(parents=True)
    (folder / "config.yml").write_text(f"http_unix_socket: {socket}\n")
    (folder / "hosts.yml").write_text("github.com:\n    user: ada\n    oauth_token: gho_stand_in\n")
    return {"HOME": str(home)}


PROGRAMS = ("ours", pytest.param("own", marks=pytest.mark.needs_gh))
"""The small one of ours, and GitHub's own."""


def program(which: str, folder: Path) -> Path:
    """Return the program of that name; ours is put into a folder, to be found on a path."""
    own = shutil.which("gh")
    if which == "own" and own:
        return Path(own)
    folder.mkdir()
    made = folder / "gh"
    made.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I {shlex.quote(gh.__file__)} "$@"\n')
    made.chmod(0o700)
    return made
