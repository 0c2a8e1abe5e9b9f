"""Reading a repository's history as text, for who makes sense of it elsewhere."""

import os
from pathlib import Path

from hub.io.sensors.git_program import open_work_tree
from hub.io.sensors.guard import Disk, UnreadableError
from hub.sense.git_output import text

HISTORY_BYTES_MAX = 33_554_432
COMMITS_MAX = 5_000


async def past_commits(folder: Path, form: str) -> str:
    """Return the latest commits of the branch that is checked out, without merges, each with the names of its files.

    Args:
        folder: a folder in a work tree.
        form: how `git log` is to print each.

    Raises:
        UnreadableError: there is no repository, or git did not answer.
    """
    git = await open_work_tree(folder, Disk(), environ=os.environ)
    said = await git.ask(
        "log",
        f"--max-count={COMMITS_MAX}",
        "--no-merges",
        "--no-renames",
        "--name-only",
        "--no-show-signature",
        "--date=iso-strict",
        form,
        "HEAD",
        "--",
        bytes_max=HISTORY_BYTES_MAX,
    )
    if said.code and not said.cut:
        raise UnreadableError(f"git says: {said.error.removeprefix('fatal: ').partition(chr(10))[0]}.")
    return text(said.out)
