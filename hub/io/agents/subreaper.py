"""Letting no process slip away: a subreaper becomes the parent of every descendant whose own parent has died.

prctl(2), PR_SET_CHILD_SUBREAPER: Linux since 3.4. Elsewhere orphans go to the first process of the system.
"""

import ctypes
import sys

PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> bool:
    """Make this process the subreaper of its descendants; False where the system knows no such thing."""
    if sys.platform != "linux":
        return False
    return bool(ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
