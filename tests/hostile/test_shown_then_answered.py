"""A yes counts for what the person was shown: ways to show one thing and have another answered, for real."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.cli.api import open_api
from hub.contract.permission import Act, PermissionRequest
from tests.hostile.person_stand import Stand, asked, connected_to
from tests.io.store.written_over import write_over

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found through /proc"),
]
HARM, HARMLESS = "rm -rf /home/me/photos", "ls -la /home/me/photos"
"""Of one length, so that the one can be written over the other."""
DISK_S_MAX = 10.0


@pytest.fixture
def stand(tmp_path: Path) -> Iterator[Stand]:
    with connected_to(tmp_path) as stand:
        yield stand


def wanted(stand: Stand, command: str) -> str:
    """Have an agent ask for a command; return the card's id."""
    ask = PermissionRequest(agent="claude-code", tool="Bash", act=Act.COMMAND, text=command, timeout_s=3_600)
    return str(json.loads(open_api(stand.hub.home).call("POST", "/permissions", ask))["prediction"]["id"])


def test_bytes_written_into_the_store_are_shown_to_nobody(stand: Stand) -> None:
    card = wanted(stand, HARM)
    card_hash = stand.page.get(f"/predictions/{card}").json()["cardHash"]
    assert write_over(stand.hub.home, HARM, HARMLESS)
    asked(stand.hub, "Anything else?")  # a commit, after which SQLite reads the log again
    shown = stand.page.get("/predictions")
    assert (HARMLESS in shown.text, shown.json().get("code")) == (False, "store-changed")
    answered = stand.page.post(f"/predictions/{card}/confirm", {"cardHash": card_hash, "round": 0})
    assert answered.json().get("code") == "store-changed"
    assert "Another program wrote" in stand.hub.pulse("doctor").stdout
