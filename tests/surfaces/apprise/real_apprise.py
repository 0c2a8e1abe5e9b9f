"""The real Apprise from PyPI, in a folder of its own, so that nothing else in the tests' environment changes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import in_ci

PACKAGES = ("apprise==2.2.0", "markdown", "requests", "requests-oauthlib", "oauthlib", "PyYAML")
KEPT = Path(sys.prefix) / "test-agents" / PACKAGES[0].replace("==", "-")
FETCH_S_MAX = 300


def apprise_folder() -> Path:
    """Return the folder that Apprise was installed to, once; the test is skipped, by name, where it cannot be had."""
    if not (KEPT / "complete").exists():
        options = ("--quiet", "--no-deps", "--no-compile", "--target", str(KEPT))
        install = [sys.executable, "-m", "pip", "install", *options, *PACKAGES]
        try:
            subprocess.run(install, check=True, capture_output=True, timeout=FETCH_S_MAX)
        except (OSError, subprocess.SubprocessError) as error:
            why = f"Apprise could not be installed from PyPI: {error}"
            if in_ci():
                pytest.fail(why, pytrace=False)
            pytest.skip(why)
        (KEPT / "complete").touch()
    return KEPT
