"""The way from the command line to a browser: a small private file that leads on to a link.

A command line can be read by everybody on the machine (`ps`), so a link with a one-time code must not stand on one. The
browser is handed the name of this file instead, which only its owner can read.
"""

import contextlib
import time
from pathlib import Path

from hub.io.home.private_files import write_private

FILE = "open.html"
STAYS_S = 600.0
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>Pulse</title>
<p><a href="{url}">Open Pulse</a></p>
</html>
"""


def redirect_file_of(home: Path) -> Path:
    """Return where the file is."""
    return home / FILE


def write_redirect_file(home: Path, url: str) -> Path:
    """Write a file that leads to `url`; an earlier one is replaced.

    Raises:
        OSError: it cannot be written.
    """
    from html import escape  # noqa: PLC0415  only for who writes it: it brings the names of 2,231 characters

    path = redirect_file_of(home)
    write_private(path, PAGE.format(url=escape(url)))
    return path


def remove_redirect_file(path: Path | None, *, older_than_s: float = 0.0) -> None:
    """Remove the file, if it is as old as that; one that cannot be removed leads nowhere once its code was used."""
    with contextlib.suppress(OSError):
        if path is not None and time.time() - path.stat().st_mtime >= older_than_s:
            path.unlink()
