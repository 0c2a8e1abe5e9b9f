"""Every setting, with its default and its limits. docs/settings.md lists them all; a test holds that it does.

Units are last in the names; money is in US dollars here, as a person writes it.
"""

from typing import Annotated, Literal

from msgspec import Meta, field

from hub.contract.api import Word
from hub.contract.apns import Config as Apns
from hub.contract.base import Value
from hub.contract.discord import Config as Discord
from hub.contract.words import Risk

Seconds = Annotated[float, Meta(gt=0, le=31_536_000)]
Usd = Annotated[float, Meta(ge=0, le=1_000_000)]
Share = Annotated[float, Meta(ge=0, le=1)]
Hour = Annotated[int, Meta(ge=0, le=23)]
Port = Annotated[int, Meta(ge=0, le=65_535)]
Few = Annotated[int, Meta(ge=1, le=1_000)]


class Person(Value):
    """Who Pulse works for."""

    name: Word = "me"
    zone: str = ""


class Api(Value):
    """The HTTP and WebSocket API. Port 0: 8420 if it is free, else any free one.

    `public_url` is where a proxy of yours serves it to other devices, such as `https://pulse.example.org`.
    """

    host: str = "127.0.0.1"
    port: Port = 0
    body_bytes_max: Annotated[int, Meta(ge=1_024, le=1_048_576)] = 65_536
    sockets_max: Annotated[int, Meta(ge=1, le=10_000)] = 2_000
    public_url: Annotated[str, Meta(max_length=300, pattern=r"^(https?://[^/\s?#]+)?$")] = ""


class Mqtt(Value):
    """The broker. Without `url`, one of our own is started, on this machine only; `port` fixes where."""

    url: str = ""
    ca_file: str = ""
    port: Port = 0


class Web(Value):
    """Web Push. `contact` is told to the push services (mailto: or https:); `push_hosts` are trusted beside theirs."""

    contact: Annotated[str, Meta(max_length=300, pattern=r"^((mailto:|https://)[^\s<>]+)?$")] = ""
    push_hosts: tuple[str, ...] = ()


class CrossPoll(Value):
    """Suggestions. `enabled = false` is the kill switch that survives restarts."""

    enabled: bool = True
    interval_s: Seconds = 600.0
    auto_execute_threshold: Share = 0.8
    suggest_threshold: Share = 0.6
    show_threshold: Share = 0.3
    card_ttl_s: Seconds = 28_800.0
    pending_max: Annotated[int, Meta(ge=1, le=1_000_000)] = 100
    snooze_s: Seconds = 3_600.0
    snoozes_max: Few = 3
    undo_window_s: Seconds = 60.0
    production_words: tuple[str, ...] = ("production", "prod", "live")


class Autonomous(Value):
    """Acting without being asked: off until you switch it on."""

    enabled: bool = False
    silence_s: Seconds = 1_800.0
    cycle_s: Seconds = 1_800.0
    resume_after_s: Seconds = 7_200.0
    rejections_to_pause: Few = 3


class Quiet(Value):
    """Quiet hours, in the person's local time: cards wait, nothing runs by itself."""

    start_hour: Hour = 23
    end_hour: Hour = 8


class Costs(Value):
    """Spending limits."""

    hour_usd: Usd = 2.0
    day_usd: Usd = 20.0
    month_usd: Usd = 200.0
    per_run_usd: Usd = 0.05
    ask_above_usd: Usd = 1.0
    warn_share: Share = 0.8


class Loops(Value):
    """Loop detection between channels."""

    depth_max: Few = 3
    window_s: Seconds = 300.0
    duplicate_window_s: Seconds = 600.0
    duplicates_max: Few = 2


class Session(Value):
    """What one run of an agent may use."""

    tokens_max: Annotated[int, Meta(ge=1, le=1_000_000_000)] = 50_000
    duration_s_max: Seconds = 120.0
    output_bytes_max: Annotated[int, Meta(ge=1_024, le=16_777_216)] = 262_144
    running_max: Few = 4
    allowed_tools: tuple[str, ...] = ("read", "write", "edit", "exec", "web_search", "web_fetch")
    blocked_tools: tuple[str, ...] = ("message", "tts", "browser")


class Channel(Value):
    """A channel and the agent that serves it; without `cost_per_run_usd` it costs `costs.per_run_usd`."""

    specialty: str = ""
    agent: str = "playbook"
    cost_per_run_usd: Usd | None = None
    risk: Risk = Risk.LOW
    affinities: tuple[str, ...] = ()


class Agent(Value):
    """How an agent is reached."""

    kind: Literal["playbook", "command", "openclaw"] = "playbook"
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
    memory_mb_max: Annotated[int, Meta(ge=0, le=16_777_216)] = 0


class Sensors(Value):
    """What Pulse may look at."""

    transcripts: bool = True
    transcript_folders: tuple[str, ...] = ()
    calendar: str = ""
    ci_file: str = ""
    ci_command: tuple[str, ...] = ()


class Twin(Value):
    """The model of the person, behind an OpenAI-compatible service; off until you name one."""

    enabled: bool = False
    url: str = ""
    model: str = ""
    key_env: str = "PULSE_TWIN_KEY"
    timeout_s: Seconds = 20.0


def default_channels() -> dict[str, Channel]:
    """Return the five channels of CROSSPOLL 2.4."""
    return {
        "koji-core": Channel(specialty="Code, builds, tests", affinities=("code",)),
        "chronicle-hub": Channel(specialty="Documentation, writing", affinities=("docs",)),
        "dream-weaver": Channel(specialty="Creative exploration", affinities=("creative",)),
        "research": Channel(specialty="Analysis, investigation", affinities=("research",)),
        "garden": Channel(specialty="Knowledge graph, memory", affinities=("memory",)),
    }


class Settings(Value):
    """All settings. A `channels` or `agents` table in the file adds to the defaults and replaces same names."""

    person: Person = Person()
    workspaces: tuple[str, ...] = ()
    api: Api = Api()
    mqtt: Mqtt = Mqtt()
    web: Web = Web()
    discord: Discord = Discord()
    apns: Apns = Apns()
    crosspoll: CrossPoll = CrossPoll()
    autonomous: Autonomous = Autonomous()
    quiet: Quiet = Quiet()
    costs: Costs = Costs()
    loops: Loops = Loops()
    session: Session = Session()
    sensors: Sensors = Sensors()
    twin: Twin = Twin()
    channels: dict[Word, Channel] = field(default_factory=default_channels)
    agents: dict[Word, Agent] = field(default_factory=lambda: {"playbook": Agent(idempotent=True)})
