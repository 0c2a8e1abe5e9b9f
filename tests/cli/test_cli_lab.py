import json
import subprocess
import sys
from pathlib import Path

import pytest

CODE = "import sys; from hub.cli import main; sys.exit(main())"


def called(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CODE, *arguments], check=False, capture_output=True, text=True)


def committed(folder: Path, day: int) -> None:
    (folder / "shop.py").write_text(f"DAY = {day}\n")
    dated = {"GIT_AUTHOR_DATE": f"2026-03-0{day}T15:00:00+05:00", "PATH": "/usr/bin:/bin"}
    who = ("-c", "user.name=Mo", "-c", "user.email=mo@example.org")
    for words in (("add", "."), (*who, "commit", "-q", "-m", f"Day {day}")):
        subprocess.run(["git", *words], cwd=folder, check=True, env=dated)


@pytest.mark.slow
def test_a_folder_of_histories_and_traces_is_replayed(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=shop, check=True)
    for day in (2, 3):
        committed(shop, day)
    (tmp_path / "trace.jsonl").write_text('{"at": "2026-03-03T09:00:00", "what": "meeting", "text": "Planning"}\n')
    (tmp_path / "other.jsonl").write_text("{}\n")
    ran = called("lab", "replay", str(tmp_path), "--json")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert (report["days"], report["repositories"]) == (2, ["shop"])
    assert {one["contender"] for one in report["everybody"]["contenders"]} >= {"pulse", "always-ask", "never-ask"}
    shown = called("lab", "replay", str(tmp_path), "--persons")
    assert "by hour: wants all, before noon" in shown.stdout


@pytest.mark.slow
def test_an_empty_folder_says_what_belongs_there(tmp_path: Path) -> None:
    ran = called("lab", "replay", str(tmp_path))
    assert ran.returncode == 1
    assert "nothing to replay" in ran.stderr
