"""The rules a person sets: the part of the settings that the rooms read. Defaults are CROSSPOLL's and stand here.

Money is whole micro-dollars everywhere inside Pulse, so that sums are exact.
"""

from typing import Literal

from hub.contract.base import Value
from hub.contract.words import Risk
from hub.domain.attention import Attention
from hub.domain.drives import DriveRules
from hub.domain.world_rules import WorldRules

USD = 1_000_000
"""Micro-dollars in a dollar."""
RUN_MICROUSD = 50_000
"""What a run costs before anybody has reported another price (CROSSPOLL 3.4)."""


class Channel(Value):
    """A channel of CROSSPOLL 2.4 and the agent that serves it."""

    name: str
    specialty: str
    agent: str
    cost_per_run_microusd: int = RUN_MICROUSD
    risk: Risk = Risk.LOW
    affinities: tuple[str, ...] = ()
    enabled: bool = True


class Agent(Value):
    """How an agent is reached, and what its runs can reach. `argv` for a command (never a shell), `url` for a webhook.

    `contain` is whether runs are contained: `auto` where the machine can, `bubblewrap` always or not at all, `none`.
    `read_only` leaves the workspace, the run's own folder and `folders` to write in. `duration_s_max` bounds a run that
    a person approved; one that Pulse begins alone has the session's bound. `mode` is the one in which an agent of the
    kind `acp` is to work, empty for the one in which it asks; `asks` is about what of its doings a person is asked.
    `resume` is the `argv` by which a command goes on with a conversation of its own, and of `openclaw` the one session
    key by which it does; empty where it cannot.
    """

    name: str
    kind: Literal["playbook", "command", "acp", "openclaw"]
    argv: tuple[str, ...] = ()
    stdin: Literal["prompt", "none"] = "prompt"
    url: str = ""
    token_env: str = ""
    environment: tuple[str, ...] = ()
    idempotent: bool = False
    contain: Literal["auto", "none", "bubblewrap"] = "auto"
    network: bool = True
    read_only: bool = False
    folders: tuple[str, ...] = ()
    memory_mb_max: int = 0
    duration_s_max: float = 1_800.0
    mode: str = ""
    asks: Literal["unusual", "everything"] = "unusual"
    resume: tuple[str, ...] = ()


WOKEN = ("openclaw",)
"""The kinds of agents that a message wakes, by a webhook; a program has to be given work instead."""
BUILT_IN = Agent(name="built-in", kind="playbook", idempotent=True)
"""Does playbooks where the settings name no agent for them."""


TWIN_INPUT_TOKENS, TWIN_OUTPUT_TOKENS_MAX = 8_000, 600
"""The most that one question to a model holds, and what its answer may hold."""
MILLION = 1_000_000


class TwinService(Value):
    """A service that stands in for the person's judgement; its prices are micro-dollars per million tokens."""

    name: str
    url: str
    model: str
    key_env: str = "PULSE_TWIN_KEY"
    timeout_s: float = 20.0
    input_microusd: int = 0
    output_microusd: int = 0

    def price_microusd(self, tokens_in: int, tokens_out: int) -> int:
        """Return what so many tokens cost, rounded up."""
        return -(-(max(0, tokens_in) * self.input_microusd + max(0, tokens_out) * self.output_microusd) // MILLION)

    @property
    def estimate_microusd(self) -> int:
        """What one question may cost at most, if the service keeps to what it is asked."""
        return self.price_microusd(TWIN_INPUT_TOKENS, TWIN_OUTPUT_TOKENS_MAX)


class Caps(Value):
    """Spending limits (CROSSPOLL 3.4)."""

    hour_microusd: int = 2 * USD
    day_microusd: int = 20 * USD
    month_microusd: int = 200 * USD
    ask_above_microusd: int = 1 * USD
    warn_share: float = 0.8


class Bounds(Value):
    """What one session of an agent may use (CROSSPOLL 5.5)."""

    tokens_max: int = 50_000
    duration_s_max: float = 120.0
    output_bytes_max: int = 262_144
    allowed_tools: tuple[str, ...] = ("read", "write", "edit", "exec", "web_search", "web_fetch")
    blocked_tools: tuple[str, ...] = ("message", "tts", "browser")


class Loops(Value):
    """Loop detection (CROSSPOLL 3.3)."""

    depth_max: int = 3
    window_s: float = 300.0
    duplicate_window_s: float = 600.0
    duplicates_max: int = 2
    links_kept_max: int = 50


class Timing(Value):
    """When Pulse thinks and acts (CROSSPOLL 5). Hours are the person's local hours."""

    interval_s: float = 600.0
    cycle_s: float = 1_800.0
    silence_s: float = 1_800.0
    change_quiet_s: float = 2.0
    edit_quiet_s: float = 20.0
    dialog_first_s: float = 10.0
    work_pause_s: float = 180.0
    change_wait_s_max: float = 60.0
    change_cards_per_hour_max: int = 20
    resume_after_s: float = 7_200.0
    quiet_start_hour: int = 23
    quiet_end_hour: int = 8
    card_ttl_s: float = 28_800.0
    snooze_s: float = 3_600.0
    snoozes_max: int = 3
    undo_window_s: float = 60.0


class Bands(Value):
    """The confidence bands of CROSSPOLL 2.5; a value on a border belongs to the upper band."""

    show: float = 0.3
    suggest: float = 0.6
    auto_execute: float = 0.8


class Earning(Value):
    """How acting alone is earned: by so many yeses in a row (0: never offered), for so long.

    What an agent may do without being asked is offered after `permissions_to_offer` yeses, and holds for
    `permission_grant_s`; whoever chooses another end may choose one up to `permission_grant_s_max`.
    """

    yeses_to_offer: int = 14
    standing_yes_s: float = 7_776_000.0
    permissions_to_offer: int = 5
    permission_grant_s: float = 604_800.0
    permission_grant_s_max: float = 2_592_000.0


class Policy(Value):
    """Everything the rooms need to know of the settings. `enabled` false is the kill switch that survives restarts.

    `twins` are asked in their order, if `twin` is on: the next one where the one before has no answer.
    """

    enabled: bool = True
    autonomous: bool = False
    twin: bool = False
    twins: tuple[TwinService, ...] = ()
    zone: str = "UTC"
    channels: tuple[Channel, ...] = ()
    agents: tuple[Agent, ...] = ()
    timing: Timing = Timing()
    bands: Bands = Bands()
    caps: Caps = Caps()
    bounds: Bounds = Bounds()
    loops: Loops = Loops()
    earning: Earning = Earning()
    attention: Attention = Attention()
    drives: DriveRules = DriveRules()
    world: WorldRules = WorldRules()
    rejections_to_pause: int = 3
    pending_max: int = 100
    dpo_export: bool = False
    production_words: tuple[str, ...] = ("production", "prod", "live")

    def channel(self, name: str) -> Channel | None:
        """Return the registered channel of that name, or None; one that is switched off counts as none."""
        found = next((channel for channel in self.open_channels if channel.name == name), None)
        wake = None if found else self.wake_channel
        return wake if wake is not None and wake.name == name else found

    @property
    def open_channels(self) -> tuple[Channel, ...]:
        """The channels that are not switched off."""
        return tuple(channel for channel in self.channels if channel.enabled)

    @property
    def woken_agent(self) -> Agent | None:
        """The agent outside that needs wake; None where they wake nobody but Pulse."""
        agent = self.agent(self.drives.agent) if self.drives.wakes != "off" else None
        return agent if agent is not None and agent.kind in WOKEN else None

    @property
    def wake_channel(self) -> Channel | None:
        """The channel by which that agent is woken: one that it serves, else one of its own for nothing else.

        None where it is not woken, or where all that it serves is switched off: a switch that is got around is none.
        """
        agent = self.woken_agent
        if agent is None:
            return None
        theirs = [one for one in self.channels if agent.name == one.agent or one.name == f"wake-{agent.name}"]
        if theirs and not any(one.enabled for one in theirs):
            return None
        price = max((one.cost_per_run_microusd for one in self.open_channels), default=RUN_MICROUSD)
        made = Channel(name=f"wake-{agent.name}", specialty="Waking", agent=agent.name, cost_per_run_microusd=price)
        return next((one for one in self.open_channels if one.agent == agent.name), made)

    def agent(self, name: str) -> Agent | None:
        """Return the agent of that name, or None."""
        return next((agent for agent in (*self.agents, BUILT_IN) if agent.name == name), None)

    @property
    def playbook_agent(self) -> Agent:
        """The agent that does playbooks, whatever agent a channel has."""
        return next((agent for agent in self.agents if agent.kind == "playbook"), BUILT_IN)
