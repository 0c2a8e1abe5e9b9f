"""The export: everything, in pages, as JSON lines or as a table that no spreadsheet runs."""

import csv
import io
import json
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.words import HumanInput, RunState, Status, Verb
from hub.domain.episode import Judged, Step
from hub.domain.execution import RunResult
from hub.domain.judgement import Ledger, RailVerdict
from hub.domain.policy import Policy
from hub.domain.reports import EpisodesAfter
from hub.domain.storage import AddCard, AddExecution, Query
from hub.io.api.export import PAGE_CARDS
from hub.io.api.export_rows import COLUMNS, FORMULA_BEGINNINGS, safe_cell
from tests.conformance.store.samples import NOON, after, card, run, step
from tests.fakes.store import MemoryStore
from tests.io.api.running import Api, Behind, running

T = TypeVar("T")
SECRET = "hunter2-7fQ4zR1tB8"
HIDDEN = f"⟨hidden: {len(SECRET)} characters⟩"
SETTLED = Settlement(
    verb=Verb.REJECT,
    by="me",
    surface="browser",
    device="phone",
    human_input=HumanInput.TAP,
    at=NOON,
    reason=f"no, password={SECRET}",
)


async def table(api: Api) -> list[dict[str, str]]:
    response = await api.http.get("/api/v1/export?format=csv")
    assert response.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.text, newline="")))
    assert not rows or tuple(rows[0]) == COLUMNS
    return rows


async def lines(api: Api) -> list[dict[str, object]]:
    response = await api.http.get("/api/v1/export")
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
async def test_it_is_a_file_to_keep(api: Api, form: str) -> None:
    response = await api.http.get(f"/api/v1/export?format={form}")
    assert response.status_code == 200
    assert response.headers["content-disposition"] == f'attachment; filename="pulse-2026-03-01.{form}"'
    assert response.headers["cache-control"] == "no-store"


class CountingStore(MemoryStore):
    """Counts the pages that are asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = 0

    async def read(self, query: Query[T]) -> T:
        self.pages += isinstance(query, EpisodesAfter)
        return await super().read(query)


async def test_who_asks_for_the_headers_only_makes_no_work() -> None:
    store = CountingStore()
    async with running(Behind(store=store)) as api:
        head = await api.http.head("/api/v1/export?format=csv")
        assert (head.status_code, head.content, store.pages) == (200, b"", 0)
        assert "attachment" in head.headers["content-disposition"]


@pytest.mark.slow
async def test_who_leaves_in_the_middle_ends_the_work() -> None:
    store = CountingStore()
    pages = 500
    made = [card(f"pred_{n:05}", created=n, prompt="x" * 2_000) for n in range(pages * PAGE_CARDS)]
    await store.commit([tuple(AddCard(card=one) for one in made)])
    async with running(Behind(store=store)) as api:
        async with api.http.stream("GET", "/api/v1/export") as response:
            await anext(response.aiter_bytes())
        assert (await api.http.get("/api/v1/health")).status_code == 200
    assert 0 < store.pages < pages


async def test_of_nothing_there_is_only_the_heading(api: Api) -> None:
    assert await lines(api) == []
    assert (await api.http.get("/api/v1/export?format=csv")).text == ",".join(COLUMNS) + "\r\n"


async def test_each_suggestion_once_over_all_pages(api: Api) -> None:
    names = [f"pred_{n:03}" for n in range(2 * PAGE_CARDS + 1)]
    await api.behind.write(*(AddCard(card=card(name, created=n // 7)) for n, name in enumerate(names)))
    assert [row["id"] for row in await table(api)] == names
    assert len(await lines(api)) == len(names)


async def test_a_line_tells_the_whole_story(api: Api) -> None:
    result = RunResult(ended="exited", exit_code=0, output=f"done, token={SECRET}")
    ran = replace(run("x1", card_id="pred_1", state=RunState.VERIFIED), ended_at=after(60), result=result)
    done = replace(
        card("pred_1", status=Status.EXECUTED, prompt=f"Deploy with password={SECRET}"),
        execution_id="x1",
        settled=SETTLED,
    )
    await api.behind.write(AddCard(card=done), AddExecution(execution=ran), step("pred_1"))
    (said,) = await lines(api)
    assert set(said) == {"prediction", "steps", "runs"}
    text = json.dumps(said, ensure_ascii=False)
    assert SECRET not in text
    assert f"password={HIDDEN}" in text
    assert '"kind": "moved"' in text
    assert f'"output": "done, token={HIDDEN}"' in text
    assert '"runState": "verified"' in text


async def test_a_row_says_who_answered_and_what_it_cost(api: Api) -> None:
    runs = [
        replace(run(f"x{n}", card_id="pred_1", attempt=n, state=RunState.FAILED), cost_microusd=30_000) for n in (1, 2)
    ]
    await api.behind.write(AddCard(card=replace(card("pred_1", status=Status.REJECTED), settled=SETTLED)))
    await api.behind.write(*(AddExecution(execution=one) for one in runs))
    (row,) = await table(api)
    assert (row["status"], row["verb"], row["device"], row["humanInput"]) == ("rejected", "reject", "phone", "tap")
    assert row["reason"] == f"no, password={HIDDEN}"
    assert (row["runs"], row["runState"], row["costUsd"]) == ("2", "failed", "0.060000")


async def test_what_was_blocked_names_its_rule(api: Api) -> None:
    verdicts = (
        RailVerdict(stage="rate", outcome="pass", rule="rate.gap", reason="fine"),
        RailVerdict(stage="cost", outcome="block", rule="cost.hour", reason="too much"),
    )
    body = Judged(verdicts=verdicts, conclusion="Refusal", ledger=Ledger(), policy=Policy())
    await api.behind.write(AddCard(card=card("pred_1", status=Status.CANCELLED)))
    await api.behind.write(Step(card_id="pred_1", at=NOON, body=body))
    assert (await table(api))[0]["blockedBy"] == "cost.hour"


@pytest.mark.parametrize("prompt", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("http://x";"y")', "＝1"])  # noqa: RUF001  one of them is wide
async def test_a_spreadsheet_takes_no_text_for_a_formula(api: Api, prompt: str) -> None:
    await api.behind.write(AddCard(card=card("pred_1", prompt=prompt)))
    (row,) = await table(api)
    assert row["prompt"].startswith("'")


async def test_a_text_keeps_its_lines_commas_and_quotes(api: Api) -> None:
    prompt = 'First, do "this"\nthen that, and 🎉 שלום'
    await api.behind.write(AddCard(card=card("pred_1", prompt=prompt)))
    assert (await table(api))[0]["prompt"] == prompt


@pytest.mark.slow
@given(st.text())
def test_no_cell_begins_like_a_formula(text: str) -> None:
    cell = safe_cell(text)
    assert not cell.startswith(FORMULA_BEGINNINGS)
    assert cell.removeprefix("'") == text.removeprefix("'") or cell == f"'{text}"
