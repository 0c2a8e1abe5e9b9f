"""Who is there in person: the person's own terminal and a page that they signed in with; a token is nobody."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from hub.domain.provenance import TaskText, untrusted
from hub.domain.requests import SaveTask, Trigger
from hub.domain.storage import AddCard, Client
from hub.domain.suggestion import Answer
from hub.io.access.in_person import is_in_person, is_program
from hub.io.access.tokens import LOCAL_ID, UNPROVEN_ID
from tests.conformance.store.samples import card
from tests.fakes.plain_http import plain_client
from tests.io.api.browser import NewBrowser, signed_in
from tests.io.api.running import Api

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/v1/crosspoll/trigger", {"hint": "Buy milk"}),
    ("/api/v1/tasks", {"title": "Buy milk"}),
    ("/api/v1/predictions/pred_7/confirm", {}),
)


async def said_by(api: Api, http: httpx.AsyncClient) -> list[bool]:
    """Ask and answer as this client; return what the loop is told of it."""
    await api.behind.write(AddCard(card=card("pred_7")))
    api.behind.hub_api.requests.clear()
    for path, body in ASKED:
        assert (await http.post(path, json=body)).is_success
    told = [one for one in api.behind.hub_api.requests if isinstance(one, Trigger | SaveTask | Answer)]
    assert len(told) == len(ASKED)
    return [one.in_person for one in told]


async def test_the_persons_own_terminal_is(api: Api) -> None:
    assert await said_by(api, api.http) == [True] * 3


async def test_a_page_that_was_signed_in_with_is(api: Api, new_browser: NewBrowser) -> None:
    browser = await signed_in(api, new_browser())
    assert await said_by(api, browser.http) == [True] * 3


@pytest.mark.parametrize("scopes", [["answer"], ["read", "answer", "ask", "admin"]])
async def test_a_token_is_not_whatever_it_may(api: Api, scopes: list[str]) -> None:
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": scopes})).json()
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as http:
        assert await said_by(api, http) == [False] * 3


@pytest.mark.parametrize(
    ("known", "is_programs"),
    [
        ({"id": LOCAL_ID}, False),
        ({"id": LOCAL_ID, "scopes": ("read",)}, True),
        ({"id": UNPROVEN_ID}, True),
        ({"id": "tok_1"}, True),
        ({"id": "tok_1", "key": "k"}, False),
        ({"id": "tok_1", "surface": "web", "device": "phone"}, False),
        ({"id": "tok_1", "surface": "discord"}, False),
    ],
)
def test_a_hint_is_a_programs_where_nothing_shows_a_person(known: dict[str, Any], *, is_programs: bool) -> None:
    client = Client(
        **{"user": "me", "name": "", "token_sha256": "", "scopes": ("answer",), "created_at": NOON, **known}
    )
    assert is_program(client) is is_programs


async def test_the_loop_is_told_whose_words_a_hint_is(api: Api) -> None:
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["ask", "answer"]})).json()
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as http:
        for each in (http, api.http):
            assert (await each.post("/api/v1/crosspoll/trigger", json={"hint": "Buy milk"})).is_success
    told = [one for one in api.behind.hub_api.requests if isinstance(one, Trigger)]
    assert [one.by_program for one in told] == [True, False]


def test_nobody_is_not() -> None:
    assert not is_in_person(None)
    assert SaveTask(title=TaskText("x")).in_person is Trigger().in_person is False


async def test_a_moment_at_the_end_of_a_task_is_its_deadline_unless_one_is_given(api: Api) -> None:
    given = {"title": "Send it tomorrow", "deadline": "2026-05-01T10:00:00Z"}
    for body in ({"title": "Send the offer in 2 hours"}, given, {"title": "Read chapter 10"}):
        assert (await api.http.post("/api/v1/tasks", json=body)).is_success
    await api.http.patch("/api/v1/tasks/task_1", json={"title": "Send it tomorrow"})
    kept = [one for one in api.behind.hub_api.requests if isinstance(one, SaveTask)]
    assert [untrusted(one.title) for one in kept if one.title is not None] == [
        *("Send the offer", "Send it tomorrow", "Read chapter 10", "Send it tomorrow")
    ]
    now = api.behind.clock.now()
    assert [one.deadline for one in kept] == [
        now + timedelta(hours=2),
        datetime(2026, 5, 1, 10, tzinfo=UTC),
        None,
        None,
    ]
