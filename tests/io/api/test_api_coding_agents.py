"""Which coding agents are on this machine, as the page asks it."""

import msgspec

from hub.contract.coding_agents import CodingAgentList, CodingAgentView, MissingAgentView
from tests.io.api.running import Api, problem


async def test_what_was_found_is_told(api: Api) -> None:
    view = CodingAgentView(agent="gemini", title="Gemini CLI", state="not-connected", command="pulse connect gemini")
    missing = MissingAgentView(agent="codex", title="Codex", program="codex", command="pulse connect codex")
    api.behind.coding_agents = CodingAgentList(agents=(view,), count=1, missing=(missing,))
    answer = msgspec.json.decode((await api.http.get("/api/v1/coding-agents")).content, type=CodingAgentList)
    assert answer == api.behind.coding_agents


async def test_it_takes_a_token(api: Api) -> None:
    assert problem(await api.http.get("/api/v1/coding-agents", headers={"Authorization": ""})).status == 401
