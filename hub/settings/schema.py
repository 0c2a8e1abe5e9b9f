"""Every setting, with its default and its limits. docs/settings.md lists them all; a test holds that it does.

Units are last in the names; money is in US dollars here, as a person writes it. What the rooms read has its default in
`hub/domain/policy.py`; every default stands once.
"""

from collections.abc import Sequence
from types import new_class
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from hub.contract.api import Word
from hub.contract.attention import Badness, ClockTimes, PerDay
from hub.contract.base import Value
from hub.contract.permission import WAIT_S_MAX
from hub.contract.words import Risk
from hub.domain.policy import RUN_MICROUSD, USD, Policy, TwinService
from hub.domain.policy import Agent as AgentRules
from hub.domain.policy import Channel as ChannelRules
from hub.domain.specialties import OWN
from hub.domain.world_lines import LEFT_ALONE_S_MAX
from hub.kit.surface import SurfaceSpec

Seconds = Annotated[float, Meta(gt=0, le=31_536_000)]
Usd = Annotated[float, Meta(ge=0, le=1_000_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
Hour = Annotated[int, Meta(ge=0, le=23)]
Port = Annotated[int, Meta(ge=0, le=65_535)]
Few = Annotated[int, Meta(ge=1, le=1_000)]

_RULES = Policy()
_AGENT = AgentRules(name="", kind="playbook")
_TWIN = TwinService(name="", url="", model="")
TWINS_MAX = 4
FIRST_TWIN = "first"
"""What the model of `[twin]` is called; the others have names of their own."""
_CHANNEL = ChannelRules(name="", specialty="", agent="")


class PersonSettings(Value):
    """Who Pulse works for."""

    name: Word = "me"
    zone: str = ""


class ApiSettings(Value):
    """The HTTP and WebSocket API. Port 0: the last one used, else 8420 if it is free, else any.

    `public_url` is where a proxy of yours serves it to other devices, such as `https://pulse.example.org`. With
    `own_certificate` Pulse itself listens there, over TLS with a certificate of its own.
    """

    host: str = "127.0.0.1"
    port: Port = 0
    body_bytes_max: Annotated[int, Meta(ge=1_024, le=1_048_576)] = 65_536
    sockets_max: Annotated[int, Meta(ge=1, le=10_000)] = 2_000
    public_url: Annotated[str, Meta(max_length=300, pattern=r"^(https?://[^/\s?#]+)?$")] = ""
    own_certificate: bool = False


class MqttSettings(Value):
    """The broker. Without `url`, one of our own is started, on this machine only; `port` fixes where."""

    url: str = ""
    ca_file: str = ""
    port: Port = 0


class CrossPollSettings(Value):
    """Suggestions. `enabled = false` is the kill switch that survives restarts."""

    enabled: bool = _RULES.enabled
    interval_s: Seconds = _RULES.timing.interval_s
    auto_execute_threshold: Share = _RULES.bands.auto_execute
    suggest_threshold: Share = _RULES.bands.suggest
    show_threshold: Share = _RULES.bands.show
    card_ttl_s: Seconds = _RULES.timing.card_ttl_s
    pending_max: Annotated[int, Meta(ge=1, le=1_000_000)] = _RULES.pending_max
    snooze_s: Seconds = _RULES.timing.snooze_s
    snoozes_max: Few = _RULES.timing.snoozes_max
    undo_window_s: Seconds = _RULES.timing.undo_window_s
    change_quiet_s: Seconds = _RULES.timing.change_quiet_s
    edit_quiet_s: Seconds = _RULES.timing.edit_quiet_s
    dialog_first_s: Annotated[float, Meta(ge=0, le=300)] = _RULES.timing.dialog_first_s
    work_pause_s: Seconds = _RULES.timing.work_pause_s
    change_wait_s_max: Seconds = _RULES.timing.change_wait_s_max
    change_cards_per_hour_max: Few = _RULES.timing.change_cards_per_hour_max
    production_words: tuple[str, ...] = _RULES.production_words


class AutonomousSettings(Value):
    """Acting without being asked: off until you switch it on."""

    enabled: bool = _RULES.autonomous
    silence_s: Seconds = _RULES.timing.silence_s
    cycle_s: Seconds = _RULES.timing.cycle_s
    resume_after_s: Seconds = _RULES.timing.resume_after_s
    rejections_to_pause: Few = _RULES.rejections_to_pause
    yeses_to_offer: Annotated[int, Meta(ge=0, le=1_000)] = _RULES.earning.yeses_to_offer
    standing_yes_s: Seconds = _RULES.earning.standing_yes_s
    permissions_to_offer: Annotated[int, Meta(ge=0, le=20)] = _RULES.earning.permissions_to_offer
    permission_grant_s: Seconds = _RULES.earning.permission_grant_s
    permission_grant_s_max: Seconds = _RULES.earning.permission_grant_s_max


class QuietSettings(Value):
    """Quiet hours, in the person's local time: cards wait, nothing runs by itself."""

    start_hour: Hour = _RULES.timing.quiet_start_hour
    end_hour: Hour = _RULES.timing.quiet_end_hour


class AttentionSettings(Value):
    """What interruptions are to you: how bad each mistake is, how many a day, and when the rest is told at once."""

    needless_interruption: Badness = _RULES.attention.needless_interruption
    missed_help: Badness = _RULES.attention.missed_help
    wrong_act: Badness = _RULES.attention.wrong_act
    interruptions_per_day: PerDay = _RULES.attention.interruptions_per_day
    digest_times: ClockTimes = _RULES.attention.digest_times
    digest_on_return: bool = _RULES.attention.digest_on_return


Pressure = Annotated[float, Meta(ge=0.1, le=1_000)]
Weight = Annotated[float, Meta(ge=0.05, le=3)]
SourceName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]


class DriveSettings(Value):
    """Needs that press until something is done about them. Pressures are numbers of their own, rates are per minute."""

    enabled: bool = _RULES.drives.enabled
    rate_per_min: Annotated[float, Meta(ge=0.001, le=0.1)] = _RULES.drives.rate_per_min
    pressure_max: Pressure = _RULES.drives.pressure_max
    threshold: Pressure = _RULES.drives.threshold
    single_threshold: Pressure = _RULES.drives.single_threshold
    alert_strength: Annotated[float, Meta(ge=0, le=2)] = _RULES.drives.alert_strength
    spike: Annotated[float, Meta(ge=0, le=1_000)] = _RULES.drives.spike
    success_decay: Share = _RULES.drives.success_decay
    partial_decay: Share = _RULES.drives.partial_decay
    cooldown_s: Annotated[float, Meta(ge=60, le=86_400)] = _RULES.drives.cooldown_s
    turns_per_hour_max: Annotated[int, Meta(ge=0, le=30)] = _RULES.drives.turns_per_hour_max
    conversation_s: Annotated[float, Meta(ge=0, le=86_400)] = _RULES.drives.conversation_s
    conversation_wait_s_max: Annotated[float, Meta(ge=0, le=86_400)] = _RULES.drives.conversation_wait_s_max
    again_s: Seconds = _RULES.drives.again_s
    mode: Literal["rules", "model"] = _RULES.drives.mode
    model: Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")] = _RULES.drives.model
    agent: Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")] = _RULES.drives.agent
    wakes: Literal["off", "card", "alone"] = _RULES.drives.wakes
    mutations: Literal["off", "card", "tighten"] = _RULES.drives.mutations
    weights: dict[Word, Weight] = field(default_factory=dict)
    files: Annotated[tuple[str, ...], Meta(max_length=16)] = ()
    processes: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=16)] = ()
    feedback_file: str = ""
    mutations_file: str = ""


WorldWait = Annotated[float, Meta(ge=60, le=LEFT_ALONE_S_MAX)]


class WorldSettings(Value):
    """The world log, a text file that people, scripts and agents share; without `log` it lies in `$PULSE_HOME`."""

    enabled: bool = _RULES.world.enabled
    log: str = ""
    sources: Annotated[tuple[SourceName, ...], Meta(max_length=64)] = _RULES.world.sources
    tries_max: Annotated[int, Meta(ge=1, le=10)] = _RULES.world.tries_max
    context_s: Seconds = _RULES.world.context_s
    checker: Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")] = _RULES.world.checker
    start_wait_s: WorldWait = _RULES.world.start_wait_s
    active_wait_s: WorldWait = _RULES.world.active_wait_s
    retry_wait_s: WorldWait = _RULES.world.retry_wait_s
    finish_wait_s: WorldWait = _RULES.world.finish_wait_s
    failed_wait_s: WorldWait = _RULES.world.failed_wait_s
    answered_wait_s: WorldWait = _RULES.world.answered_wait_s


class CostSettings(Value):
    """Spending limits."""

    hour_usd: Usd = _RULES.caps.hour_microusd / USD
    day_usd: Usd = _RULES.caps.day_microusd / USD
    month_usd: Usd = _RULES.caps.month_microusd / USD
    per_run_usd: Usd = RUN_MICROUSD / USD
    ask_above_usd: Usd = _RULES.caps.ask_above_microusd / USD
    warn_share: Share = _RULES.caps.warn_share


class LoopSettings(Value):
    """Loop detection between channels."""

    depth_max: Few = _RULES.loops.depth_max
    window_s: Seconds = _RULES.loops.window_s
    duplicate_window_s: Seconds = _RULES.loops.duplicate_window_s
    duplicates_max: Few = _RULES.loops.duplicates_max


class SessionSettings(Value):
    """What one run of an agent may use."""

    tokens_max: Annotated[int, Meta(ge=1, le=1_000_000_000)] = _RULES.bounds.tokens_max
    duration_s_max: Seconds = _RULES.bounds.duration_s_max
    output_bytes_max: Annotated[int, Meta(ge=1_024, le=16_777_216)] = _RULES.bounds.output_bytes_max
    running_max: Few = 4
    allowed_tools: tuple[str, ...] = _RULES.bounds.allowed_tools
    blocked_tools: tuple[str, ...] = _RULES.bounds.blocked_tools


class ChannelSettings(Value):
    """A channel and the agent that serves it; without `cost_per_run_usd` it costs `costs.per_run_usd`."""

    specialty: str = ""
    agent: str = "playbook"
    cost_per_run_usd: Usd | None = None
    risk: Risk = _CHANNEL.risk
    affinities: tuple[str, ...] = _CHANNEL.affinities


class AgentSettings(Value):
    """How an agent is reached."""

    kind: Literal["playbook", "command", "acp", "openclaw"] = "playbook"
    argv: tuple[str, ...] = _AGENT.argv
    stdin: Literal["prompt", "none"] = _AGENT.stdin
    url: str = _AGENT.url
    token_env: str = _AGENT.token_env
    environment: tuple[str, ...] = _AGENT.environment
    idempotent: bool = _AGENT.idempotent
    contain: Literal["auto", "none", "bubblewrap"] = _AGENT.contain
    network: bool = _AGENT.network
    read_only: bool = _AGENT.read_only
    folders: tuple[str, ...] = _AGENT.folders
    memory_mb_max: Annotated[int, Meta(ge=0, le=16_777_216)] = _AGENT.memory_mb_max
    duration_s_max: Seconds = _AGENT.duration_s_max
    mode: Annotated[str, Meta(max_length=128)] = _AGENT.mode
    asks: Literal["unusual", "everything"] = _AGENT.asks
    resume: tuple[str, ...] = _AGENT.resume


class CaldavSettings(Value):
    """An account on a CalDAV server: `url` is its address, or that of one calendar; the password is elsewhere.

    `calendars` names those that are read, else all; `hosts` are others of the server's that may get the password.
    """

    url: str = ""
    user: str = ""
    password_env: str = "PULSE_CALDAV_PASSWORD"  # noqa: S105  the name of a variable
    password_file: str = ""
    calendars: Annotated[tuple[str, ...], Meta(max_length=25)] = ()
    hosts: Annotated[tuple[str, ...], Meta(max_length=16)] = ()


class SensorSettings(Value):
    """What Pulse may look at."""

    transcripts: bool = True
    transcript_folders: tuple[str, ...] = ()
    calendar: str = ""
    caldav: CaldavSettings = CaldavSettings()
    ci_file: str = ""
    ci_command: tuple[str, ...] = ()
    pull_requests: bool = True
    deployments: bool = True
    predictions: str = ""
    certificates: tuple[str, ...] = ()
    backup: str = ""


class CodexSettings(Value):
    """Codex's own server, which Pulse attaches to: `home` is Codex's, if it is not `~/.codex`.

    It waits `wait_s` for an answer from elsewhere; then its own dialog alone is left.
    """

    attach: bool = False
    home: str = ""
    wait_s: Annotated[int, Meta(ge=1, le=WAIT_S_MAX)] = 3_600


class TwinServiceSettings(Value):
    """A model of the person behind an OpenAI-compatible service, and what it costs."""

    url: str = ""
    model: str = ""
    key_env: str = _TWIN.key_env
    timeout_s: Seconds = _TWIN.timeout_s
    input_usd_per_million: Usd = 0.0
    output_usd_per_million: Usd = 0.0


class TwinSettings(TwinServiceSettings):
    """The first of the models, and whether any is asked; off until you name one."""

    enabled: bool = _RULES.twin


class TrainingSettings(Value):
    """What a model of you may learn from. `export` is CROSSPOLL's flag `dpoExportEnabled`."""

    export: bool = _RULES.dpo_export
    url: Annotated[str, Meta(max_length=300, pattern=r"^https?://[^\s?#]+$")] = "https://api.together.ai"
    key_env: str = "TOGETHER_API_KEY"
    model: str = ""
    epochs: Annotated[int, Meta(ge=1, le=20)] = 1
    usd_per_million_tokens: Usd = 0.0


def default_channels() -> dict[str, ChannelSettings]:
    """Return the five channels of CROSSPOLL 2.4."""
    return {
        "koji-core": ChannelSettings(specialty=OWN["koji-core"].text, affinities=("code",)),
        "chronicle-hub": ChannelSettings(specialty=OWN["chronicle-hub"].text, affinities=("docs",)),
        "dream-weaver": ChannelSettings(specialty=OWN["dream-weaver"].text, affinities=("creative",)),
        "research": ChannelSettings(specialty=OWN["research"].text, affinities=("research",)),
        "garden": ChannelSettings(specialty=OWN["garden"].text, affinities=("memory",)),
    }


class Settings(Value):
    """All settings. A `channels` or `agents` table in the file adds to the defaults and replaces same names.

    Each surface that the hub can start has a table of its own beside these (`with_surfaces`).
    """

    person: PersonSettings = PersonSettings()
    workspaces: tuple[str, ...] = ()
    api: ApiSettings = ApiSettings()
    mqtt: MqttSettings = MqttSettings()
    crosspoll: CrossPollSettings = CrossPollSettings()
    autonomous: AutonomousSettings = AutonomousSettings()
    quiet: QuietSettings = QuietSettings()
    attention: AttentionSettings = AttentionSettings()
    drives: DriveSettings = DriveSettings()
    world: WorldSettings = WorldSettings()
    costs: CostSettings = CostSettings()
    loops: LoopSettings = LoopSettings()
    session: SessionSettings = SessionSettings()
    sensors: SensorSettings = SensorSettings()
    twin: TwinSettings = TwinSettings()
    twins: dict[Word, TwinServiceSettings] = field(default_factory=dict)
    training: TrainingSettings = TrainingSettings()
    codex: CodexSettings = CodexSettings()
    channels: dict[Word, ChannelSettings] = field(default_factory=default_channels)
    agents: dict[Word, AgentSettings] = field(default_factory=lambda: {"playbook": AgentSettings(idempotent=True)})


def with_surfaces(surfaces: Sequence[SurfaceSpec[Any]]) -> type[Settings]:
    """Return the settings with a table for each of these surfaces."""
    tables: dict[str, Any] = {spec.table: spec.config() for spec in surfaces}
    body = {**tables, "__annotations__": {spec.table: spec.config for spec in surfaces}, "__module__": __name__}
    made: type[Settings] = new_class("Settings", (Settings,), exec_body=lambda names: names.update(body))
    return made
