"""No text that a token may read shows a secret, whoever typed it: what they may read is what a person is shown."""

from msgspec.structs import replace

from hub.contract.api import Settlement
from hub.contract.permission import PermissionAnswer
from hub.contract.words import HumanInput, RunState, Status, Verb
from hub.domain.canonical import VISIBLE_KEPT_CHARS_MAX
from hub.domain.execution import RunResult
from hub.domain.plan import Plan, PlannedCommit
from hub.domain.provenance import TaskText
from hub.domain.storage import AddCard, AddExecution, PutTask
from hub.io.api.endpoints import ENDPOINTS
from tests.conformance.store.samples import NOON, card, run, task
from tests.io.api.running import USER, Api
from tests.io.api.test_api_world import client_of

SECRET = "hx7Kq9Zt2w"
SAID = f"use --password {SECRET} there"
NAMES = {"{id}": "c1", "{surface}": "phone", "{device}": "d"}
READ = [
    *(one.path for one in ENDPOINTS if one.scope == "read" and "GET" in one.methods),
    "/api/v1/predictions?search=use",
    "/api/v1/export?format=csv",
    "/api/v1/tasks/t1",
]


def named(path: str) -> str:
    """Return an endpoint's path with what is there put into it."""
    for name, value in NAMES.items():
        path = path.replace(name, value)
    return path


async def test_what_a_person_typed_is_masked_wherever_it_can_be_read(api: Api) -> None:
    settled = Settlement(
        verb=Verb.REJECT,
        by=USER,
        surface="page",
        device="d",
        human_input=HumanInput.KEY,
        at=NOON,
        reason=SAID,
        permission=PermissionAnswer(text=SAID, answers={"q1": (SAID,)}),
    )
    shown = replace(
        card(user=USER, status=Status.REJECTED, prompt=SAID),
        settled=settled,
        settled_at=NOON,
        outcome=SAID,
        plan=Plan(argv=("git", "commit"), folder="/", commit=PlannedCommit(message=SAID, files=(), diff=SAID)),
    )
    result = RunResult(ended="exited", exit_code=0, output=SAID, diff=SAID)
    ran = replace(run(user=USER, state=RunState.FAILED), result=result, proof=SAID)
    long = card("c2", user=USER, prompt=SAID.rjust(VISIBLE_KEPT_CHARS_MAX + 1))
    kept = replace(task(), title=TaskText(SAID), notes=TaskText(SAID))
    await api.behind.write(
        AddCard(card=shown), AddCard(card=long), AddExecution(execution=ran), PutTask(user=USER, task=kept)
    )
    async with await client_of(api, "read") as http:
        for path in READ:
            assert SECRET not in (await http.get(f"{api.address}{named(path)}")).text, path
        for path in ("predictions", "predictions/c1/why", "tasks", "tasks/t1"):
            assert "hidden:" in (await http.get(f"{api.address}/api/v1/{path}")).text, path
        found = await http.get(f"{api.address}/api/v1/predictions?search=hx7K&limit=1")
        assert (found.json()["count"], found.json().get("nextBefore")) == (0, None)
