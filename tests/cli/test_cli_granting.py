"""`pulse approve ID --always`: what is kept was shown, with the end and the files that were chosen."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from hub.cli.granting import end_of
from hub.contract.api import AnswerReply, AnswerRequest, Prediction
from hub.contract.grants import GrantChoice, GrantPreview
from hub.contract.permission import Act, Permission, PermissionOption
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW, prediction

BERLIN = timezone(timedelta(hours=1))
MORNING = datetime(2026, 3, 9, 9, 30, tzinfo=BERLIN)
OPTION = PermissionOption(id="pulse-1", label="Allow `rm -rf build` in shop, until 16 March 2026")
ASKED = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="rm -rf build", options=(OPTION,))
SHOWN = GrantPreview(
    label="Allow `rm -rf build/a` in shop, until 23:59 on 9 March 2026",
    note="You have not answered a request like this before.",
    until=NOW,
    until_max=NOW,
)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("hour", datetime(2026, 3, 9, 10, 30, tzinfo=BERLIN)),
        ("Today", datetime(2026, 3, 9, 23, 59, tzinfo=BERLIN)),
        ("week", datetime(2026, 3, 16, 9, 30, tzinfo=BERLIN)),
        ("2026-03-12", datetime(2026, 3, 12, 23, 59, tzinfo=BERLIN)),
        ("2h", datetime(2026, 3, 9, 11, 30, tzinfo=BERLIN)),
        ("18:00", datetime(2026, 3, 9, 18, tzinfo=BERLIN)),
        ("2026-03-12T08:00+00:00", datetime(2026, 3, 12, 8, tzinfo=UTC)),
    ],
)
def test_an_end_is_written_as_people_say_it(text: str, end: datetime) -> None:
    assert end_of(text, MORNING) == end


def there(hub: SmallHub, shown: GrantPreview = SHOWN) -> Prediction:
    card = msgspec.structs.replace(prediction("one"), permission=ASKED)
    hub.answer("GET /api/v1/predictions/pred_one", card)
    hub.answer("POST /api/v1/predictions/pred_one/grant", shown)
    hub.answer("POST /api/v1/predictions/pred_one/confirm", AnswerReply(prediction=card, message="Approved."))
    return card


def sent(hub: SmallHub, ending: str) -> list[bytes]:
    return [body for method, path, body in hub.asked if method == "POST" and path.endswith(ending)]


def test_what_is_kept_is_what_was_shown(pulse: Pulse, hub: SmallHub) -> None:
    there(hub)
    said = pulse("approve", "pred_one", "--always", "1", "--until", "2h", "--path", "build/a")
    assert (said.code, SHOWN.label in said.out, SHOWN.note in said.out) == (0, True, True)
    (asked,) = (msgspec.json.decode(body, type=GrantChoice) for body in sent(hub, "/grant"))
    (given,) = (msgspec.json.decode(body, type=AnswerRequest).permission for body in sent(hub, "/confirm"))
    assert given is not None
    assert (asked.option, asked.paths) == ("pulse-1", ("build/a",))
    assert (given.option, given.until, given.paths) == (asked.option, asked.until, asked.paths)


def test_what_cannot_be_had_is_not_sent(pulse: Pulse, hub: SmallHub) -> None:
    there(hub, msgspec.structs.replace(SHOWN, why_not="“src” is not part of what was offered."))
    said = pulse("approve", "pred_one", "--always", "1", "--path", "src")
    assert (said.code, "[nothing-to-grant]" in said.err, "not part of what was offered" in said.err) == (1, True, True)
    other = pulse("approve", "pred_one", "--always", "2")
    assert (other.code, "1: Allow" in other.err) == (1, True)
    assert pulse("approve", "pred_one", "--until", "hour").code == 2
    assert sent(hub, "/confirm") == []
