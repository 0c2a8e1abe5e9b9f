"""Does a path in what an agent asks lead elsewhere than it says? Looked at just before a grant is used, here.

An agent may make a link, and ask to delete what is behind it by a name that its person once let it delete. The folder
itself may be reached by links: only what is below it is looked at, so no other file system is touched.
"""

import os

from hub.contract.permission import Permission
from hub.may import paths_in

PATHS_MAX = 64


def is_linked(asked: Permission) -> bool:
    """Say whether something below the folder is reached through a link; many paths count as if they were."""
    if not asked.folder.startswith("/"):
        return False
    folder = os.path.normpath(asked.folder)
    below = [one for one in paths_in(asked) if one.startswith(f"{folder}/")]
    if len(below) > PATHS_MAX:
        return True
    real = os.path.realpath(folder)
    return any(os.path.realpath(one) != f"{real}{one.removeprefix(folder)}" for one in below if "\0" not in one)
