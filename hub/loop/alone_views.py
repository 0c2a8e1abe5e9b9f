"""What else goes on without a person's word to it, beside what they granted: by a setting, or by an agent's own mode.

Each entry says what that is and where it is changed, in English and as codes.
"""

import posixpath
from collections.abc import Iterator, Sequence

from hub.contract.grants import AloneView
from hub.contract.phrasing import Phrasing
from hub.domain.agent_mode import AgentMode
from hub.domain.canonical import visible
from hub.domain.policy import Agent, Policy
from hub.domain.worded import Worded


def alone_of(policy: Policy, modes: Sequence[AgentMode]) -> tuple[AloneView, ...]:
    """Return what goes on by settings, then by the modes of agents that ask through hooks."""
    return (*_by_settings(policy), *map(_by_mode, modes))


def _by_settings(policy: Policy) -> Iterator[AloneView]:
    if policy.autonomous:
        yield _view(
            "autonomous",
            _told("autonomous", "Pulse runs what you allowed on autopilot, while you are away"),
            _told("autonomous_at", "“Autopilot” in Settings"),
        )
    woken = policy.woken_agent
    if woken is not None and policy.drives.wakes == "alone":
        name = visible(woken.name)
        yield _view(
            "wake",
            _told("wake", f"Pulse wakes {name} with its own fixed message, word for word", agent=name),
            _told("setting", "`drives.wakes` in the settings file", setting="drives.wakes"),
        )
    yield from (_run_of(agent) for agent in policy.agents if agent.kind != "playbook")


def _run_of(agent: Agent) -> AloneView:
    name = visible(agent.name)
    if agent.kind != "acp":
        what = f"{name}, in a run you approved: anything its own settings allow"
        return _view("run", _told("run_own", what, agent=name), _told("agent_at", f"{name}'s own settings", agent=name))
    setting = f"agents.{name}.asks"
    where = _told("setting", f"`{setting}` in the settings file", setting=setting)
    if agent.asks == "everything":
        return _view("run", _told("run_none", f"{name}, in a run you approved: nothing", agent=name), where)
    what = f"{name}, in a run you approved: only what is certain to stay within its folder"
    return _view("run", _told("run_harmless", what, agent=name), where)


def _by_mode(one: AgentMode) -> AloneView:
    agent, mode = visible(one.agent), visible(one.mode)
    place = visible(posixpath.basename(one.folder.rstrip("/")) or one.folder)
    where = _told("agent_at", f"{agent}'s own settings", agent=agent)
    if not mode:
        what = f"{agent} in {place}: harmless actions that its own settings allow"
        return _view("mode", _told("mode_own", what, agent=agent, place=place), where)
    what = f"{agent} in {place}: harmless actions that its “{mode}” mode allows"
    return _view("mode", _told("mode", what, agent=agent, place=place, mode=mode), where)


def _view(kind: str, what: Worded, where: Worded) -> AloneView:
    return AloneView(
        kind=kind, summary=what.text, summary_worded=what.wording, change=where.text, change_worded=where.wording
    )


def _told(form: str, text: str, /, **values: str) -> Worded:
    return Worded(text=text, wording=Phrasing(code=f"alone.{form}", values=values))
