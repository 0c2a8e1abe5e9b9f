"""What waits at once, over HTTP: read without telling anybody, and given by whoever may answer."""

from datetime import timedelta

from msgspec.structs import replace

from hub.contract.alone import DayEntry, DaySummary
from hub.contract.events import DigestReady
from hub.domain.requests import DayShown, DigestGiven, GiveDigest, LookAtDay
from hub.domain.storage import AddCard
from tests.conformance.store.samples import card
from tests.fakes.hub_api import NOON, a_prediction
from tests.fakes.plain_http import plain_client
from tests.io.api.running import USER, Api

DIGEST = "/api/v1/digest"


async def test_it_has_the_persons_own_open_cards_and_tells_nobody(api: Api) -> None:
    for name, user in (("pred_mine", USER), ("pred_bobs", "bob")):
        waiting = replace(card(name), user=user, created_at=NOON, expires_at=NOON + timedelta(hours=1))
        await api.behind.write(AddCard(card=waiting))
    found = (await api.http.get(DIGEST)).json()
    assert [one["id"] for one in found["cards"]] == ["pred_mine"]
    assert (found["digestId"], found["more"], found["day"]) == ("", 0, None)
    assert api.behind.hub_api.requests == [LookAtDay()]


async def test_it_has_the_day_once_that_was_told(api: Api) -> None:
    day = DaySummary(day=NOON.date(), entries=(DayEntry(kind="task", title="Call the bank", time="15:00"),))
    api.behind.hub_api.on(LookAtDay, lambda _: DayShown(day=day))
    for path in (DIGEST, "/api/v1/sync"):
        shown = (await api.http.get(path)).json()["day"]
        assert [one["title"] for one in shown["entries"]] == ["Call the bank"]


async def test_who_may_only_answer_tells_everybody_and_reads_nothing(api: Api) -> None:
    day = DaySummary(day=NOON.date(), entries=(DayEntry(kind="task", title="Call the bank", time="15:00"),))
    given = DigestGiven(digest=DigestReady(digest_id="dg_1", cards=(a_prediction(),), more=2, day=day))
    api.behind.hub_api.on(GiveDigest, lambda _: given)
    token = api.running.admit("program", ("answer",))
    async with plain_client(api.address, {"Authorization": f"Bearer {token}"}) as program:
        told = (await program.post(DIGEST)).json()
    assert (told["digestId"], told["cards"], told["more"], told["day"]) == ("dg_1", [], 3, None)


async def test_who_may_only_read_tells_nobody_of_it(api: Api) -> None:
    given = DigestGiven(digest=DigestReady(digest_id="dg_1", cards=(a_prediction(),)))
    api.behind.hub_api.on(GiveDigest, lambda _: given)
    made = (await api.http.post("/api/v1/tokens", json={"name": "ci", "scopes": ["read"]})).json()
    async with plain_client(api.address, {"Authorization": f"Bearer {made['token']}"}) as reader:
        assert (await reader.post(DIGEST)).status_code == 403
        assert (await reader.get(DIGEST)).status_code == 200
    assert not any(isinstance(one, GiveDigest) for one in api.behind.hub_api.requests)
    assert (await api.http.post(DIGEST)).json()["digestId"] == "dg_1"
