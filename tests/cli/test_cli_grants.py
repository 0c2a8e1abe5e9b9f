"""`pulse grants` is one list: what was granted, what an update changed, and what goes on by settings and modes."""

import msgspec

from hub.contract.grants import AloneView, ChangedGrantView, GrantList, GrantRecord, GrantRecordLine, GrantView
from hub.contract.permission import Act
from hub.domain.permission_grant import PermissionPattern
from hub.loop.grant_words import summary_told
from tests.cli.conftest import Pulse
from tests.cli.small_hub import SmallHub
from tests.surfaces.terminal.scenes import NOW

CLAUDE = summary_told(
    PermissionPattern(
        agent="claude-code", act=Act.COMMAND, tool="Bash", place="/home/me/shop", effects=(), text="pytest -q"
    )
)
ALL = GrantList(
    grants=(),
    count=0,
    changed=(
        ChangedGrantView(id="a", was="Always allow `pytest …`", at=NOW, left=CLAUDE.text, left_worded=CLAUDE.wording),
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
        "  Always allow `pytest …` → Claude: “pytest -q”, word for word, in shop",
        "  Always allow `git push …` → ended",
        "Also allowed, by a setting or an agent's own mode:",
        "  codex in shop: what is harmless  (Codex's own settings)",
    ]
    assert msgspec.json.decode(pulse("grants", "--json").out, type=GrantList) == ALL


def test_the_record_names_agents_as_the_person_knows_them(pulse: Pulse, hub: SmallHub) -> None:
    lines = (
        GrantRecordLine(
            grant_id="g", at=NOW, what="made", by="browser/desk", text=CLAUDE.text, text_worded=CLAUDE.wording
        ),
        GrantRecordLine(grant_id="g", at=NOW, what="used", by="claude-code", text="pytest -q"),
    )
    hub.answer("GET /api/v1/grants/record", GrantRecord(lines=lines, count=2))
    assert [line.split("  ", 1)[1].split() for line in pulse("grants", "--record").out.splitlines()] == [
        ["allowed", "browser/desk", "Claude:", "“pytest", "-q”,", "word", "for", "word,", "in", "shop"],
        ["used", "Claude", "pytest", "-q"],
    ]
