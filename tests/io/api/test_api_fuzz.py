"""The API fuzzed from its own OpenAPI document, with the real loop behind it: no 5xx, and answers as described."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from hub.contract.words import Status
from hub.domain.provenance import TaskText
from hub.domain.situation import Task
from hub.domain.storage import AddCard, AddExecution, PutTask
from hub.io.api import start_api
from hub.io.api.openapi import openapi
from hub.io.home.clock import SystemClock
from tests.conformance.hub_api.real_hub import USER, real_hub
from tests.conformance.store.samples import NOON, card, run, step
from tests.fakes.store import MemoryStore
from tests.io.api.running import TOKEN, Behind

pytestmark = pytest.mark.slow

EXAMPLES = 12
FAR = 10**9
SCHEMA = schemathesis.openapi.from_dict(openapi("0"))
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
KNOWN = ("pred_1", "pred_2", "task_1", "pred_ask_k")


class Server(threading.Thread):
    """The API with the real hub on a loop of its own, so that blocking clients can be used."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.address = ""
        self._ready = threading.Event()
        self._end = asyncio.Event()
        self._loop = asyncio.new_event_loop()

    def run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    def begin(self) -> None:
        self.start()
        assert self._ready.wait(10)

    def end(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self.join(10)

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            store = await filled()
            hub = await stack.enter_async_context(real_hub(store))
            fakes = Behind().parts()
            parts = replace(
                fakes, user=USER, hub_api=hub, store=store, feed=hub.feed, clock=SystemClock(), body_bytes_max=65_536
            )
            api = await start_api(parts, host="127.0.0.1", port=0)
            stack.push_async_callback(api.close)
            self.address = api.address
            self._ready.set()
            await self._end.wait()


async def filled() -> MemoryStore:
    """A store with something to find."""
    store = MemoryStore()
    task = Task(id="task_1", title=TaskText("Write"), status="queued", created_at=NOON, updated_at=NOON)
    done = replace(card("pred_2", status=Status.EXECUTED), attempts=1, execution_id="x1")
    cards = [AddCard(card=card("pred_1", expires=FAR)), AddCard(card=done)]
    more = (AddExecution(execution=run(card_id="pred_2")), step("pred_1"))
    await store.commit([(*cards, *more, PutTask(user=USER, task=task))])
    return store


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server()
    made.begin()
    yield made
    made.end()


def fuzz(label: str, server: Server, mode: schemathesis.GenerationMode, checks: list[Any]) -> None:
    """Send what the document describes (or what it does not), to ids that exist and to others."""
    cases = OPERATIONS[label].as_strategy(generation_mode=mode)

    @given(case=cases, known=st.sampled_from(("", *KNOWN)))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    def check(case: schemathesis.Case[Any], known: str) -> None:
        if known and case.path_parameters and "id" in case.path_parameters and mode.is_positive:
            case.path_parameters["id"] = known
        impatient(case)
        response = case.call(base_url=server.address, headers={"Authorization": f"Bearer {TOKEN}"})
        case.validate_response(response, checks=checks)

    check()


def impatient(case: schemathesis.Case[Any]) -> None:
    """Nobody will answer: do not wait for it."""
    if isinstance(case.body, dict) and case.body.get("waitS") in range(1, 301):
        case.body["waitS"] = 0
    if case.query and "wait" in case.query:
        case.query["wait"] = 0


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_what_the_document_allows_is_answered_as_it_says(label: str, server: Server) -> None:
    fuzz(label, server, schemathesis.GenerationMode.POSITIVE, CHECKS)


def can_be_wrong(label: str) -> bool:
    """Reading ignores what it does not know; and where nothing is taken, nothing can be wrong."""
    operation = OPERATIONS[label]
    return not label.startswith("GET /") and bool(list(operation.iter_parameters()) or operation.body)


@pytest.mark.parametrize("label", sorted(filter(can_be_wrong, OPERATIONS)))
def test_what_the_document_forbids_is_refused(label: str, server: Server) -> None:
    fuzz(label, server, schemathesis.GenerationMode.NEGATIVE, [*CHECKS, negative_data_rejection])
