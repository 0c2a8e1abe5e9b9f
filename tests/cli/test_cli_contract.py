import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hub.io.api.documents import write


def pulse(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = [sys.executable, "-m", "hub", "contract", *arguments]
    return subprocess.run(program, check=False, capture_output=True, text=True)


@pytest.mark.slow
def test_a_message_is_printed_as_a_schema_without_a_hub() -> None:
    done = pulse("Decision")
    assert done.returncode == 0
    assert "cardHash" in json.loads(done.stdout)["$defs"]["Decision"]["properties"]


@pytest.mark.slow
def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    done = pulse("Desicion")
    assert done.returncode == 1
    assert "contract Decision`?" in done.stderr


@pytest.mark.slow
def test_all_documents_are_written_into_a_folder(tmp_path: Path) -> None:
    done = pulse("--to", str(tmp_path / "contract"), "--json")
    written = [Path(path) for path in json.loads(done.stdout)]
    assert {"openapi.json", "asyncapi.json", "Decision.json"} <= {path.name for path in written}
    assert all(json.loads(path.read_text(encoding="utf-8")) for path in written)


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    done = pulse("--to", str(tmp_path / "file" / "contract"))
    assert done.returncode != 0
    assert "[cannot-write]" in done.stderr


def test_no_link_in_the_folder_is_followed(tmp_path: Path) -> None:
    other = tmp_path / "mine"
    other.mkdir()
    (other / "profile").write_text("mine")
    folder = tmp_path / "contract"
    folder.mkdir()
    (folder / "openapi.json").symlink_to(other / "profile")
    write(folder, with_schemas=True)
    assert ((other / "profile").read_text(), (folder / "openapi.json").is_symlink()) == ("mine", False)
    shutil.rmtree(folder / "schemas")
    (folder / "schemas").symlink_to(other)
    with pytest.raises(NotADirectoryError, match="It is a link"):
        write(folder, with_schemas=True)
    assert [one.name for one in other.iterdir()] == ["profile"]
