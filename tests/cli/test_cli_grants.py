"""`pulse grants` is one list: what was granted, what an update changed, and what goes on by settings and modes."""

import msgspec

from hub.contract.grants import AloneView, ChangedGrantView, GrantList, GrantView
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW

ALL = GrantList(
    grants=(),
    count=0,
    changed=(
        ChangedGrantView(id="a", was="Always allow `pytest …`", at=NOW, left="claude-code: `pytest …` in shop"),
        ChangedGrantView(id="b", was="Always allow `git push …`", at=NOW),
    ),
    alone=(AloneView(kind="mode", summary="codex in shop: what is harmless", change="Codex's own settings"),),
)


GIVEN = GrantView(
    id="yes_1", summary="Always allow `ls`", effect="until tomorrow", kind="permission", since=NOW, until=NOW
)


def test_it_says_how_to_take_one_back(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/grants", GrantList(grants=(GIVEN,), count=1))
    hub.answer("DELETE /api/v1/grants/yes_1", GrantList(grants=(), count=0))
    hint = "To undo one: pulse grants --undo ID"
    assert hint in pulse("grants").out.splitlines()
    assert hint not in pulse("grants", "--undo", "yes_1").out, "none is left"


def test_it_says_what_goes_on_without_the_person(pulse: Pulse, hub: SmallHub) -> None:
    hub.answer("GET /api/v1/grants", ALL)
    assert pulse("grants").out.splitlines() == [
        "Nothing runs without asking.",
        "Narrowed or ended by an update, because it allowed more than it said:",
        "  Always allow `pytest …` → claude-code: `pytest …` in shop",
        "  Always allow `git push …` → ended",
        "Also allowed, by a setting or an agent's own mode:",
        "  codex in shop: what is harmless  (Codex's own settings)",
    ]
    assert msgspec.json.decode(pulse("grants", "--json").out, type=GrantList) == ALL
