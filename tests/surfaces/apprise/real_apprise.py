"""The real Apprise from PyPI, in a folder of its own, so that nothing else in the tests' environment changes."""

import sys
from pathlib import Path

from tests.fetched import fetched, install

PACKAGES = ("apprise==2.2.0", "markdown", "requests", "requests-oauthlib", "oauthlib", "PyYAML")


def apprise_folder() -> Path:
    """Return the folder that Apprise was installed to, once; the test is skipped, by name, where it cannot be had."""
    return fetched(PACKAGES[0], _fetch)


def _fetch(folder: Path) -> None:
    options = ("--quiet", "--no-deps", "--no-compile", "--target", folder)
    install(sys.executable, "-m", "pip", "install", *options, *PACKAGES)
