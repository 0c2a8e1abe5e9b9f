"""The shell scripts run under any POSIX shell, and CI runs what people run."""

import os
import shutil
import subprocess

import pytest

from tests.house.source import ROOT

SCRIPTS = ("pulse", "requirements/update", "requirements/install-system-packages")


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("shell", [shell for shell in ("sh", "dash", "busybox") if shutil.which(shell)])
def test_a_script_is_posix_sh(script: str, shell: str) -> None:
    command = [shell, "sh", "-n", script] if shell == "busybox" else [shell, "-n", script]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True).stderr == ""


@pytest.mark.parametrize("script", [*SCRIPTS, ".ci/run"])
def test_a_script_can_be_started(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_stops_at_the_first_surprise(script: str) -> None:
    text = (ROOT / script).read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n")
    assert "\nset -eu\n" in text


def test_ci_runs_the_whole_suite() -> None:
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "\nset -euo pipefail\n" in text
    assert text.endswith("exec ./pulse test\n")


def test_system_packages_have_their_reasons() -> None:
    lines = (ROOT / "system-packages.txt").read_text(encoding="utf-8").splitlines()
    packages = [line for line in lines if not line.startswith("#")]
    assert packages == sorted(packages)
    assert [line for line in packages if not line.partition("#")[2].strip()] == []
