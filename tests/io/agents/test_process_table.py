"""When a process began, by /proc and by `ps`."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hub.io.agents import process_table
from hub.io.agents.process_table import TICKS, began_s


@pytest.mark.slow
def test_when_a_process_began_is_told_in_unix_time() -> None:
    for _ in range(8):  # a tick may just have begun, or be over
        before_s = time.time()
        with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as child:
            after_s, told_s = time.time(), began_s(child.pid)
            child.communicate()
        assert told_s is not None
        assert before_s < told_s < after_s + 2 / TICKS
        assert began_s(child.pid) is None


def test_so_it_is_without_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_proc_s = began_s(os.getpid())
    monkeypatch.setattr(process_table, "PROC", tmp_path)
    by_ps_s = began_s(os.getpid())
    assert by_proc_s is not None
    assert by_ps_s is not None
    assert abs(by_proc_s - by_ps_s) <= 2
    assert began_s(2**22 + 1) is None
