"""Changes of the drives over HTTP: whose they are, what is answered, and an audit that shows whether it holds."""

from itertools import pairwise
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from hub.domain.drives import DriveRules, Drives
from hub.domain.mind import Mind
from hub.domain.mutations import AddMutation, Mutation, MutationRecord
from hub.domain.requests import HandInMutations, MutationOutcome, MutationsMade, Refused, UndoMutation
from hub.domain.storage import Client, SaveMind
from hub.io.access.tokens import AGENT_ID
from hub.io.api import mutations
from hub.may import linked
from hub.when.drives import imported
from tests.fakes.hub_api import NOON
from tests.fakes.plain_http import plain_client
from tests.io.api.browser import NewBrowser, signed_in
from tests.io.api.running import USER, Api, problem

MUTATIONS = "/api/v1/drives/mutations"
WEIGHTS = "/api/v1/drives/weights"
EXPLORE = {"type": "adjust_weight", "drive": "curiosity", "value": 1.5, "reason": "I want to explore more"}
RECORD = MutationRecord(
    id="mut_1",
    at=NOON,
    by="openclaw",
    mutation=Mutation(kind="adjust_weight", drive="curiosity", value=1.5, reason="more\u202e"),
    status="asked",
    asked_value=4.0,
)


def asked(api: Api) -> list[HandInMutations]:
    return [one for one in api.behind.hub_api.requests if isinstance(one, HandInMutations)]


def takes(api: Api) -> None:
    answer = MutationsMade(outcomes=(MutationOutcome(record=RECORD, card_id="pred_1"),))
    for kind in (HandInMutations, UndoMutation):
        api.behind.hub_api.on(kind, lambda _: answer)


async def agent_of(api: Api, *scopes: str) -> httpx.AsyncClient:
    made = (await api.http.post("/api/v1/tokens", json={"name": "openclaw", "scopes": scopes})).json()
    return plain_client(api.address, {"Authorization": f"Bearer {made['token']}"})


async def keep(api: Api, *records: MutationRecord, drives: Drives | None = None) -> list[MutationRecord]:
    """Keep a chain of these records; the mind remembers its end, or what is given."""
    chained: list[MutationRecord] = []
    for one in records:
        chained.append(linked(one, chained[-1].hash if chained else ""))
    mind = drives or Drives(audit_hash=chained[-1].hash, audit_count=len(chained))
    await api.behind.write(SaveMind(user=USER, mind=Mind(drives=mind)))
    for one in chained:
        await api.behind.write(AddMutation(user=USER, record=one))
    return chained


def numbered(count: int) -> list[MutationRecord]:
    return [replace(RECORD, id=f"mut_{number}") for number in range(count)]


async def test_an_agent_hands_in_and_is_told_what_became_of_it(api: Api) -> None:
    takes(api)
    async with await agent_of(api, "ask") as agent:
        answer = await agent.post(MUTATIONS, json={"mutations": [EXPLORE]}, headers={"Idempotency-Key": "k1"})
    made = answer.json()["mutations"][0]
    assert (made["status"], made["predictionId"], made["askedValue"]) == ("asked", "pred_1", 4.0)
    assert "\u202e" not in made["reason"]
    (request,) = asked(api)
    assert (request.by, request.is_person) == ("openclaw", False)
    assert request.key.endswith("/k1")
    assert request.mutations == (
        Mutation(kind="adjust_weight", drive="curiosity", value=1.5, reason="I want to explore more"),
    )


async def test_a_person_is_one_at_their_terminal_or_page_and_no_token_is(api: Api, new_browser: NewBrowser) -> None:
    takes(api)
    browser = await signed_in(api, new_browser())
    for http in (api.http, browser.http):
        assert (await http.post(WEIGHTS, json={"name": "curiosity", "weight": 1.5})).is_success
    async with await agent_of(api, "read", "answer", "ask", "admin") as agent:
        assert (await agent.post(WEIGHTS, json={"name": "curiosity", "weight": 1.5})).is_success
        assert (await agent.post(f"{MUTATIONS}/mut_1/undo")).is_success
    assert [(one.by, one.is_person) for one in asked(api)] == [("you", True), ("you", True), ("openclaw", False)]
    undone = [one for one in api.behind.hub_api.requests if isinstance(one, UndoMutation)]
    assert undone == [UndoMutation(record_id="mut_1", by="openclaw", is_person=False)]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"mutations": []},
        {"mutations": [{"type": "run_code", "value": 1}]},
        {"mutations": [{**EXPLORE, "value": "1.5"}]},
        {"mutations": [{**EXPLORE, "rail": "off"}]},
        {"mutations": [{**EXPLORE, "drive": "x" * 201}]},
    ],
)
async def test_what_is_no_change_is_refused(api: Api, body: dict[str, Any]) -> None:
    assert problem(await api.http.post(MUTATIONS, json=body)).code == "invalid-body"
    assert asked(api) == []


async def test_nan_and_too_much_are_refused(api: Api) -> None:
    for text in ('{"mutations": [{"type": "spike_drive", "drive": "goals", "value": NaN}]}', "[" * 4_000):
        sent = await api.http.post(MUTATIONS, content=text, headers={"Content-Type": "application/json"})
        assert sent.status_code in {400, 422}
    assert (await api.http.post(MUTATIONS, json={"mutations": [EXPLORE] * 10_000})).status_code == 413
    assert asked(api) == []


async def test_a_refusal_comes_with_its_code(api: Api) -> None:
    said = Refused(code="drive-protected", status=403, detail="It stays.", fix="Lower its weight instead.")
    api.behind.hub_api.on(HandInMutations, lambda _: said)
    found = problem(await api.http.post(MUTATIONS, json={"mutations": [{"type": "remove_drive", "drive": "goals"}]}))
    assert (found.code, found.status) == ("drive-protected", 403)


async def test_a_stranger_changes_and_sees_nothing(api: Api) -> None:
    takes(api)
    for headers in ({}, {"Authorization": "Bearer guess"}):
        async with plain_client(api.address, headers) as stranger:
            assert (await stranger.post(MUTATIONS, json={"mutations": [EXPLORE]})).status_code == 401
            assert (await stranger.post(WEIGHTS, json={"name": "goals", "weight": 1})).status_code == 401
            assert (await stranger.post(f"{MUTATIONS}/mut_1/undo")).status_code == 401
            assert (await stranger.get(MUTATIONS)).status_code == 401
    assert asked(api) == []


@pytest.mark.parametrize("name", ["%2e%2e", "mut_1%2Fx", "%00", "y" * 300])
async def test_no_id_of_a_change_is_anything_else(api: Api, name: str) -> None:
    takes(api)
    await api.http.post(f"{MUTATIONS}/{name}/undo")
    assert {one.record_id for one in api.behind.hub_api.requests if isinstance(one, UndoMutation)} <= {""}


async def test_the_audit_is_shown_newest_first_and_holds(api: Api) -> None:
    await keep(api, *numbered(5))
    found = (await api.http.get(f"{MUTATIONS}?limit=3")).json()
    assert [one["id"] for one in found["mutations"]] == ["mut_4", "mut_3", "mut_2"]
    assert (found["count"], found["intact"], found["broken"]) == (5, True, None)
    assert all(newer["previous"] == older["hash"] for newer, older in pairwise(found["mutations"]))


def test_whoever_has_no_name_is_an_agent_on_this_machine() -> None:
    local = Client(id=AGENT_ID, user=USER, name="", token_sha256="", scopes=("ask",), created_at=NOON)
    assert mutations.by_of(local) == "an agent on this machine"


async def test_all_that_is_remembered_is_exported_as_files_that_can_be_read_again(api: Api) -> None:
    (record,) = await keep(api, RECORD)
    await api.behind.write(AddMutation(user="bob", record=RECORD))
    found = await api.http.get("/api/v1/drives/export")
    files = {name: text.encode() for name, text in found.json().items()}
    assert set(files) == {"pulse-state.json", "trigger-history.jsonl", "mutations.json", "audit-log.jsonl"}
    back = imported(files, DriveRules(), NOON)
    assert back.problems == ()
    assert (back.records, back.drives and back.drives.audit_hash) == ((record,), record.hash)
    async with await agent_of(api, "ask") as agent:
        assert (await agent.get("/api/v1/drives/export")).status_code == 403


async def test_without_any_change_the_audit_holds(api: Api) -> None:
    found = (await api.http.get(MUTATIONS)).json()
    assert (found["mutations"], found["count"], found["intact"]) == ([], 0, True)


async def test_a_long_audit_is_looked_through_piece_by_piece(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutations, "PAGE_RECORDS", 2)
    chained = await keep(api, *numbered(4))
    assert (await api.http.get(MUTATIONS)).json()["intact"]
    cut = Drives(audit_hash=chained[-1].hash, audit_count=5)
    await api.behind.write(SaveMind(user=USER, mind=Mind(drives=cut)))
    broken = (await api.http.get(MUTATIONS)).json()["broken"]
    assert (broken["kind"], broken["index"]) == ("end", 4)


async def test_what_was_changed_in_the_audit_is_found_where_it_was(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutations, "PAGE_RECORDS", 2)
    chained = await keep(api, *numbered(3))
    forged = replace(linked(replace(RECORD, id="mut_3"), chained[-1].hash), by="you")
    await api.behind.write(AddMutation(user=USER, record=forged))
    after = Drives(audit_hash=forged.hash, audit_count=4)
    await api.behind.write(SaveMind(user=USER, mind=Mind(drives=after)))
    found = (await api.http.get(MUTATIONS)).json()
    assert (found["intact"], found["broken"]["kind"], found["broken"]["index"]) == (False, "changed", 3)


@pytest.mark.slow
async def test_a_signed_in_page_takes_its_persons_weight_back_and_a_token_is_an_agent_there_too(
    api: Api, new_browser: NewBrowser
) -> None:
    takes(api)
    browser = await signed_in(api, new_browser())
    assert (await browser.http.post(f"{WEIGHTS}/mut_1/undo")).is_success
    async with await agent_of(api, "answer") as agent:
        assert (await agent.post(f"{WEIGHTS}/mut_1/undo")).is_success
        assert (await agent.post(f"{MUTATIONS}/mut_1/undo")).status_code == 403
    undone = [one for one in api.behind.hub_api.requests if isinstance(one, UndoMutation)]
    assert [(one.by, one.is_person, one.is_own_weight) for one in undone] == [
        ("you", True, True),
        ("openclaw", False, True),
    ]
