"""No text that a token may read shows a secret, whoever typed it: what they may read is what a person is shown."""

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.words import HumanInput, Status, Verb
from hub.domain.provenance import TaskText
from hub.domain.storage import AddCard, PutTask
from tests.conformance.store.samples import NOON, card, task
from tests.io.api.running import USER, Api
from tests.io.api.test_api_world import client_of

SECRET = "hx7Kq9Zt2w"
SAID = f"use --password {SECRET} there"
READ = (
    "predictions",
    "predictions/c1",
    "predictions/c1/why",
    "predictions/c1/similar",
    "predictions/c1/runs",
    "predictions?search=use",
    "tasks",
    "tasks/t1",
    "sync",
    "export",
    "export?format=csv",
    "twin/predict",
)


async def test_what_a_person_typed_is_masked_wherever_it_can_be_read(api: Api) -> None:
    settled = Settlement(
        verb=Verb.REJECT, by=USER, surface="page", device="d", human_input=HumanInput.KEY, at=NOON, reason=SAID
    )
    shown = replace(
        card(user=USER, status=Status.REJECTED, prompt=SAID), settled=settled, settled_at=NOON, outcome=SAID
    )
    kept = replace(task(), title=TaskText(SAID), notes=TaskText(SAID))
    await api.behind.write(
        AddCard(card=shown), AddCard(card=card("c2", user=USER, prompt=SAID)), PutTask(user=USER, task=kept)
    )
    async with await client_of(api, "read") as http:
        for path in READ:
            answer = await http.get(f"{api.address}/api/v1/{path}")
            assert answer.status_code == 200, path
            assert SECRET not in answer.text, path
        for path in ("predictions", "predictions/c1/why", "tasks", "tasks/t1"):
            assert "hidden:" in (await http.get(f"{api.address}/api/v1/{path}")).text, path
        found = await http.get(f"{api.address}/api/v1/predictions?search=hx7K&limit=1")
        assert (found.json()["count"], found.json().get("nextBefore")) == (0, None)
