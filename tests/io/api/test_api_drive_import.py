"""Importing what the drives remember over HTTP: by the person only, bounded, and nothing where it cannot be read."""

import json

import pytest
from msgspec.structs import replace

from hub.contract.drives import DrivesView, DriveVerdictView
from hub.domain.drive_requests import DrivesShown, DrivesTaken, ImportDrives, LookAtDrives
from hub.domain.drives import DriveRules, Drives
from hub.io.api.drive_import import BODY_BYTES_MAX, ROWS_MAX
from hub.may import linked
from hub.when.drives import exported
from tests.fakes.hub_api import NOON
from tests.io.api.browser import NewBrowser, signed_in
from tests.io.api.running import BODY_BYTES_MAX as USUAL_BYTES_MAX
from tests.io.api.running import Api, problem
from tests.io.api.test_api_mutations import agent_of
from tests.rooms.when.drives.drive_files_at_hand import RECORD, WAKE
from tests.rooms.when.drives.drives_at_hand import drive

IMPORT = "/api/v1/drives/import"
THEN = replace(WAKE, at=NOON)
LINKED = linked(replace(RECORD, at=NOON), "")
VIEW = DrivesView(
    enabled=True,
    at=NOON,
    drives=(),
    total=0.0,
    threshold=5.0,
    single_threshold=4.5,
    verdict=DriveVerdictView(wakes=False, rule="below", says="Nothing presses."),
)


def takes(api: Api, threshold: float = 5.0) -> None:
    api.behind.hub_api.on(LookAtDrives, lambda _: DrivesShown(view=VIEW, rules=DriveRules(threshold=threshold)))
    api.behind.hub_api.on(ImportDrives, lambda _: DrivesTaken(wakes=1, records=1, linked_anew=1))


def handed_on(api: Api) -> list[ImportDrives]:
    return [one for one in api.behind.hub_api.requests if isinstance(one, ImportDrives)]


def files(drives: Drives | None = None) -> dict[str, str]:
    given = Drives(drives=(replace(drive("goals", pressure=3.0), at=NOON),)) if drives is None else drives
    return {name: text.decode() for name, text in exported(given, [THEN], [], [LINKED], NOON).items()}


async def test_what_was_exported_is_taken_and_told(api: Api) -> None:
    takes(api)
    answer = (await api.http.post(IMPORT, json={"files": files()})).json()
    assert answer == {
        "drives": 1,
        "replaced": True,
        "wakes": 1,
        "changes": 1,
        "changesLinkedAnew": 1,
        "notes": [],
        "problems": [],
    }
    (request,) = handed_on(api)
    assert (request.is_person, request.wakes, request.records) == (True, (THEN,), (LINKED,))
    assert request.drives is not None
    assert request.drives.drives[0].pressure == 3.0


async def test_a_state_of_the_public_implementation_is_read_by_the_persons_own_rules(api: Api) -> None:
    takes(api, threshold=7.0)
    theirs = json.dumps({"drives": {"goals": {"pressure": 0.35, "weight": 1.0}}, "trigger_count": 9})
    answer = (await api.http.post(IMPORT, json={"files": {"pulse-state.json": theirs}})).json()
    assert "multiplied by 10" in answer["notes"][0]
    (request,) = handed_on(api)
    assert request.drives is not None
    assert request.drives.drives[0].pressure == pytest.approx(3.5)
    await api.http.post(IMPORT, json={"files": {"pulse-state.json": theirs}, "threshold": 3.5})
    again = handed_on(api)[-1].drives
    assert again is not None
    assert again.drives[0].pressure == pytest.approx(0.7)


async def test_a_history_leaves_what_presses_as_it_is(api: Api) -> None:
    takes(api)
    answer = (await api.http.post(IMPORT, json={"files": files(), "onlyHistory": True})).json()
    assert (answer["replaced"], answer["drives"], answer["wakes"]) == (False, 0, 1)
    assert handed_on(api)[0].drives is None


async def test_the_person_at_their_page_may_and_no_token(api: Api, new_browser: NewBrowser) -> None:
    takes(api)
    browser = await signed_in(api, new_browser())
    assert (await browser.http.post(IMPORT, json={"files": files()})).is_success
    async with await agent_of(api, "read", "answer", "ask", "admin") as agent:
        assert problem(await agent.post(IMPORT, json={"files": files()})).code == "import-of-your-own"
    async with await agent_of(api, "read", "answer", "ask") as agent:
        assert (await agent.post(IMPORT, json={"files": files()})).status_code == 403
    assert len(handed_on(api)) == 1


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({"pulse-state.json": '{"drives": {"goals"'}, "import-unreadable", "not complete JSON"),
        (
            {"pulse-state.json": "[]", "trigger-history.jsonl": files()["trigger-history.jsonl"]},
            "import-unreadable",
            "",
        ),
        ({"notes.txt": "hello"}, "import-unreadable", "None of the files"),
        ({"audit-log.jsonl": "half a line"}, "import-unreadable", "line 1"),
        ({}, "invalid-body", ""),
        ({f"file{number}": "" for number in range(9)}, "invalid-body", ""),
    ],
)
async def test_what_cannot_be_read_changes_nothing(api: Api, given: dict[str, str], code: str, words: str) -> None:
    takes(api)
    found = problem(await api.http.post(IMPORT, json={"files": given}))
    assert found.code == code
    assert words in found.detail
    assert handed_on(api) == []


async def test_a_line_that_cannot_be_read_is_told_and_the_others_are_taken(api: Api) -> None:
    takes(api)
    text = files()["trigger-history.jsonl"] + "half a line\n"
    answer = (await api.http.post(IMPORT, json={"files": {"trigger-history.jsonl": text}, "onlyHistory": True})).json()
    assert "line 2" in answer["problems"][0]
    assert handed_on(api)[0].wakes == (THEN,)


async def test_changes_that_waited_are_told_and_not_made(api: Api) -> None:
    takes(api)
    queue = json.dumps([{"type": "adjust_threshold", "value": 2.0, "reason": "let me"}])
    answer = (await api.http.post(IMPORT, json={"files": {**files(), "mutations.json": queue}})).json()
    assert any("1 change waited there" in note for note in answer["notes"])


async def test_more_than_usual_may_come_but_not_without_end(api: Api) -> None:
    takes(api)
    wide = {**files(), "mutations.json": " " * USUAL_BYTES_MAX}
    assert (await api.http.post(IMPORT, json={"files": wide})).is_success
    assert (await api.http.post("/api/v1/drives/weights", json={"name": "x" * USUAL_BYTES_MAX})).status_code == 413
    huge = {"pulse-state.json": " " * BODY_BYTES_MAX}
    assert (await api.http.post(IMPORT, json={"files": huge})).status_code == 413
    lines = files()["trigger-history.jsonl"] * (ROWS_MAX + 1)
    many = await api.http.post(IMPORT, json={"files": {"trigger-history.jsonl": lines}, "onlyHistory": True})
    assert (problem(many).code, many.status_code) == ("import-too-large", 413)
    assert len(handed_on(api)) == 1
