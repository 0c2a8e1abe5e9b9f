"""What goes on without the person beside their grants: by which setting, or by whose mode, in both languages."""

from msgspec.structs import replace

from hub.domain.agent_mode import AgentMode
from hub.domain.drives import DriveRules
from hub.domain.policy import BUILT_IN, Agent, Policy
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.alone_views import alone_of

AGENTS = (
    BUILT_IN,
    Agent(name="gemini", kind="acp"),
    Agent(name="codex", kind="acp", asks="everything"),
    Agent(name="builder", kind="command"),
    Agent(name="claw", kind="openclaw", url="http://localhost:1"),
)
MODES = (
    AgentMode(agent="Claude", folder="/home/anna/shop", mode="plan"),
    AgentMode(agent="x", folder="/a/b", mode=""),
    AgentMode(agent="y", folder="/", mode=""),
)


def test_each_says_what_goes_on_and_where_that_is_changed() -> None:
    policy = replace(Policy(autonomous=True, agents=AGENTS), drives=DriveRules(wakes="alone", agent="claw"))
    found = alone_of(policy, MODES)
    assert [(one.kind, one.summary) for one in found] == [
        ("autonomous", "Pulse runs what you allowed on autopilot, while you are away"),
        ("wake", "Pulse wakes claw with its own fixed message, word for word"),
        ("run", "gemini, in a run you approved: only what is certain to stay within its folder"),
        ("run", "codex, in a run you approved: nothing"),
        ("run", "builder, in a run you approved: anything its own settings allow"),
        ("run", "claw, in a run you approved: anything its own settings allow"),
        ("mode", "Claude in shop: harmless actions that its “plan” mode allows"),
        ("mode", "x in b: harmless actions that its own settings allow"),
        ("mode", "y in /: harmless actions that its own settings allow"),
    ]
    english, german = phrases("en"), phrases("de")
    for one in found:
        assert worded(one.summary_worded, "", english).lower() == one.summary.lower()  # agents by their own names
        assert worded(one.change_worded, "", english) == one.change
        assert worded(one.summary_worded, "", german) not in {"", one.summary}
        assert worded(one.change_worded, "", german) not in {"", one.change}


def test_nothing_goes_on_where_nothing_is_set() -> None:
    assert alone_of(Policy(autonomous=False, agents=(BUILT_IN,)), ()) == ()
