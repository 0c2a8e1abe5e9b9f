"""The real Claude Code, as its own wheel on PyPI brings it along, with a stub in the place of its model."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import in_ci

PACKAGE = "claude-agent-sdk==0.2.187"
"""It holds Claude Code 2.1.330."""
KEPT = Path(sys.prefix) / "test-agents" / PACKAGE.replace("==", "-")
FETCH_S_MAX = 300


def claude_program() -> Path:
    """Return Claude Code's program, fetched once; the test is skipped, by name, where it cannot be had."""
    program = KEPT / "claude"
    if not program.exists():
        try:
            _fetch(program)
        except (OSError, subprocess.SubprocessError, IndexError, KeyError) as error:
            why = f"Claude Code could not be fetched ({PACKAGE} from PyPI): {error}"
            if in_ci():
                pytest.fail(why, pytrace=False)
            pytest.skip(why)
    return program


def _fetch(program: Path) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(KEPT), PACKAGE]
    subprocess.run(fetch, check=True, capture_output=True, timeout=FETCH_S_MAX)
    wheel = next(iter(KEPT.glob("*.whl")))
    draft = KEPT / f"claude.{os.getpid()}"
    with zipfile.ZipFile(wheel) as archive, draft.open("wb") as file:
        file.write(archive.read("claude_agent_sdk/_bundled/claude"))
    draft.chmod(0o755)
    draft.replace(program)
    wheel.unlink()


def claude_environment(home: Path, model_url: str) -> dict[str, str]:
    """Return what Claude Code is started with: a home of its own, and nobody to talk to but the stub."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": "sk-dummy",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "TERM": "xterm-256color",
    }
