import os
from pathlib import Path

from hub.domain.execution import Job
from hub.io.agents.command import CommandRunner
from hub.io.agents.environment import ALLOWED, for_job
from hub.io.agents.playbook import PLAYBOOKS
from tests.io.agents.agent_work import Heard, job, run, write

DOCS = Path(__file__).parents[3] / "docs"
ANY: Job = job("true")


def test_every_playbook_is_documented() -> None:
    text = (DOCS / "agents.md").read_text()
    assert [name for name in PLAYBOOKS if f"| `{name}` |" not in text] == []


def test_what_an_agent_is_given_is_documented() -> None:
    howto = (DOCS / "howto" / "agent.md").read_text()
    given = [name for name in for_job({}, ANY, Path("/home"), "") if name.startswith("PULSE_")]
    assert [name for name in given if f"`{name}`" not in howto] == []
    agents = (DOCS / "agents.md").read_text()
    assert [name for name in ALLOWED if name not in agents] == []


async def test_the_complete_agent_of_the_howto_works(tmp_path: Path) -> None:
    script = tmp_path / "agent"
    write(tmp_path, {"agent": (DOCS / "howto" / "agent.md").read_text().partition("```sh\n")[2].partition("```")[0]})
    script.chmod(0o700)
    runner = CommandRunner(tmp_path / "home", os.environ)
    result = await run(runner, job(str(script), prompt="Buy milk", workspace=tmp_path), Heard())
    assert (result.exit_code, result.output, result.cost_microusd) == (0, "Working on: Buy milk\n", 0)
    assert "ideas.md" in result.changed_files
