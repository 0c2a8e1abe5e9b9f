"""`pulse autopilot`: what runs alone, let and taken back."""

import msgspec
import pytest
from msgspec.structs import replace

from hub.contract.grants import GrantList, GrantView, KindRequest
from tests.cli.conftest import Pulse
from tests.cli.running_config import running_config
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW, status

GIVEN = GrantView(
    id="yes_1", summary="Every time: Run the tests", effect="without asking.", kind="run-tests", since=NOW, until=NOW
)
ALL = GrantList(grants=(GIVEN,), count=1)


def test_it_says_what_runs_alone_and_what_could(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/grants", ALL)
    config = replace(running_config(status()), autonomous=True, silence_s=1_800.0)
    hub.answer("GET /api/v1/crosspoll/config", config)
    said = pulse("autopilot").out
    assert "After you have been away for 30 min, it runs" in said
    assert "Every time: Run the tests: without asking." in said
    assert "Kinds of work that can run on autopilot:\n" in said
    assert "commit-work" in said


def test_a_kind_is_let_for_a_while(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("POST /api/v1/grants", ALL)
    hub.answer("GET /api/v1/crosspoll/config", running_config(status()))
    said = pulse("autopilot", "allow", "run-tests", "--for", "30d").out
    assert "is on autopilot while you are away" in said
    assert "Autopilot is off; this takes effect when you switch it on: `pulse autopilot on`." in " ".join(said.split())
    asked = msgspec.json.decode(next(body for method, _, body in hub.asked if method == "POST"), type=KindRequest)
    assert asked == KindRequest(kind="run-tests", for_s=30 * 86_400)
    assert pulse("autopilot", "allow", "push-work").code == 2
    for length in ("2000d", "10m"):
        assert pulse("autopilot", "allow", "run-tests", "--for", length).code == 1


@pytest.mark.parametrize("name", ["run-tests", "yes_1"])
def test_it_is_stopped_by_its_kind_or_id(pulse: Pulse, hub: SmallHub, name: str) -> None:
    hub.answer("GET /api/v1/grants", ALL)
    hub.answer("DELETE /api/v1/grants/yes_1", GrantList(grants=(), count=0))
    assert "asks again" in pulse("autopilot", "stop", name).out
    assert pulse("autopilot", "stop", "commit-work").code == 1
