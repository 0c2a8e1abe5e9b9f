"""Everything is wired here. Parts start in order and stop in reverse."""

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from msgspec.structs import asdict, replace

from hub import __version__
from hub.app.agent_files import files_handed_in
from hub.app.agent_watch import AgentWatch
from hub.app.attached import used
from hub.app.beside import ProcessesBeside
from hub.app.edited import EditedSettings
from hub.app.finish_checks import finish_checker
from hub.app.memory import trim
from hub.app.model_training import model_trainer
from hub.app.own_files import HeldStop, OwnFiles
from hub.app.seeds import new_seed
from hub.app.surfaces import hears_mentions, profiles_as_set, settings_at, surfaces_of_parts
from hub.app.watched import drive_files_of, transcripts_of, without_git, workspaces_of
from hub.app.world_log import KeptWorldLog
from hub.contract.api import ReachStatus
from hub.contract.attached import ATTACHED
from hub.contract.base import Value
from hub.contract.coding_agents import CodingAgentList
from hub.contract.topics import DeviceAddress
from hub.domain.mind import Mind
from hub.domain.storage import Devices, MindOf
from hub.io.agents import lineage, runners
from hub.io.agents.orphans import end_orphans
from hub.io.agents.twin import HttpTwins
from hub.io.api import ApiParts, RunningApi, start_api
from hub.io.api.outside import view
from hub.io.broker import choose
from hub.io.broker.pairing import HUB_LOGIN, BrokerPairing, Logins
from hub.io.broker.running import RunningBroker
from hub.io.home.agents_connected import AgentsConnected
from hub.io.home.armed import ArmedFile
from hub.io.home.clock import SystemClock, local_zone
from hub.io.home.folder import Home, HomeError, RunRecord
from hub.io.home.hook_key import HookKey
from hub.io.home.last_port import LastPort
from hub.io.home.profiles import read_profiles
from hub.io.home.revocations import Revocations
from hub.io.home.settings_file import SettingsFiles
from hub.io.processes.surfaces import SurfaceProcesses
from hub.io.sensors.caldav_account import CaldavAccount
from hub.io.sensors.change_watch import ChangeWatch
from hub.io.sensors.ci import CiSource
from hub.io.sensors.factory import SensorOptions, make_sensors, make_watch
from hub.io.server.handed_sockets import take_handed
from hub.io.server.peer_credentials import started
from hub.io.server.unix_socket import LocalSocket
from hub.io.store.sqlite import open_store
from hub.io.training.yes import train as train_habits
from hub.io.world.place import world_files
from hub.kit.backoff import RetryPolicy
from hub.kit.mqtt.connection import LinkOptions
from hub.kit.mqtt.link import MqttLink, MqttTuning
from hub.loop.events import AgentConnected
from hub.loop.state import Limits, State
from hub.loop.views import killed_reason
from hub.may import after_start, may_run_alone
from hub.ports import AgentRunner, Sensor
from hub.runner import (
    AgentRuns,
    ChangeAnnouncer,
    HabitTrainer,
    Hub,
    ModelCalls,
    MqttInbound,
    RunQuestions,
    SensorReader,
    SurfaceWatch,
)
from hub.settings import Settings, policy_of
from hub.where import beside_agents

BY_SIGNAL = "`pulse kill`"
CONNECT_S_MAX = 5.0
OWN_KEEPALIVE_S, EXTERNAL_KEEPALIVE_S = 2, 10
"""A broker that says nothing for twice this long does not answer: ours, on this machine, and one further away."""
OWN_RETRY = RetryPolicy(base_s=0.1, cap_s=0.5)
"""A broker of ours is started again within a moment; who knocks at 127.0.0.1 is in nobody's way."""
SWITCH_S = 0.001
"""How long a busy thread keeps the others waiting; Python's own 5 ms would double every answer's time."""
Say = Callable[[str], None]


class Options(Value):
    """What a start was asked for."""

    home: Path
    workspaces: tuple[Path, ...]
    port: int | None = None


class Running(Value):
    """Where everything is, once it is up."""

    api: str
    broker: str
    broker_kind: str
    home: Path
    workspaces: tuple[Path, ...]
    zone: str
    autonomous: bool
    runs_alone: bool = False
    """Whether acting alone is on and anything was let run alone."""
    link: str = ""
    broker_trouble: str = ""
    """Why the broker could not be reached yet; empty when it could."""
    reach: ReachStatus | None = None
    """Which devices do not reach the person, as far as that is known at the start."""
    stopped: str = ""
    """Which level of the kill switch is on, and what lifts it; empty for none."""


async def up(options: Options, *, say: Say, ready: Callable[[Running], None]) -> None:
    """Start Pulse and run until SIGINT, SIGTERM, or its terminal closes (SIGHUP).

    `say` is told each step as it begins, `ready` once where everything is. Whatever cannot be started raises a
    `PulseError` that says what to do; what was started before it is stopped again.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        start = Startup(options, stack, say)
        loop.add_signal_handler(signal.SIGUSR1, start.stop_now)
        running = await start.run()
        trim()
        ready(running)
        await stop.wait()
        say("stopping")


class Startup:
    """One start, part by part; each part's end is put on the stack as soon as it runs."""

    def __init__(self, options: Options, stack: AsyncExitStack, say: Say) -> None:
        self._options = options
        self._stack = stack
        self._say = say
        self._home = Home(options.home)
        self._clock = SystemClock()
        self._armed = ArmedFile(self._home)
        self._announcer = ChangeAnnouncer()
        self._questions = RunQuestions()
        self._hub_running: Hub | None = None
        self._api_port = 0

    def stop_now(self) -> None:
        """Stop every run, and let none begin: `pulse kill` asks for it with a signal, which needs no API."""
        self._armed.disarm()
        if self._hub_running is not None:
            self._hub_running.emergency.stop_now(BY_SIGNAL)

    async def run(self) -> Running:
        """Start everything; return where it is."""
        sys.setswitchinterval(SWITCH_S)
        self._handed = take_handed(os.environ)  # before anything is started that would inherit them
        for one in self._handed:
            self._stack.callback(one.close)
        self._say("reading the settings")
        self._home.prepare()
        self._settings_files = SettingsFiles(self._home.config, self._home.set_up)
        self._settings = settings_at(self._home.config)
        self._zone = local_zone(self._settings.person.zone)
        self._workspaces = workspaces_of(self._options.workspaces, self._settings)
        self._home.lock()
        self._stack.callback(self._home.unlock)
        self._own_files = OwnFiles(self._clock.now)
        self._stack.callback(self._own_files.look)
        self._home.forget_old_secrets()
        self._armed.set_up()
        self._agents_connected = AgentsConnected(self._home.folder)
        self._stack.callback(self._agents_connected.keep)
        self._revocations = Revocations(self._home.revocations, self._home.unsealed_revocations)
        self._say("opening the database")
        self._store = await open_store(self._home.database)
        self._stack.push_async_callback(self._store.close)
        self._say("starting the message server")
        broker = await self._broker()
        self._say("starting Pulse")
        await end_orphans(self._home.folder)
        lineage.guard(self._home.folder)
        hub = await self._hub(broker)
        self._say("opening the API")
        self._hook_key = HookKey(self._home)
        await asyncio.to_thread(self._hook_key.prepare, compares=self._agents_connected.ever)
        api = await self._api(hub, broker)
        self._home.write_record(
            RunRecord(
                pid=os.getpid(),
                api=api.address,
                broker=broker.address.shown,
                started_at=self._clock.now().isoformat(),
                workspaces=tuple(str(one) for one in self._workspaces),
                socket=str(self._local.path),
                process_started=started(os.getpid()),
                is_port_held=bool(self._handed),
            )
        )
        await self._keep_own_files(hub, api)
        autonomous, runs_alone = await self._acts_alone()
        return Running(
            api=api.address,
            broker=broker.address.shown,
            broker_kind=broker.health().kind,
            home=self._home.folder,
            workspaces=self._workspaces,
            zone=self._zone,
            autonomous=autonomous,
            runs_alone=runs_alone,
            link=api.invite(is_seen=sys.stdout.isatty()),
            broker_trouble=self._broker_trouble,
            reach=hub.status().reach,
            stopped=killed_reason(hub.state()) if hub.state().is_killed else "",
        )

    async def _keep_own_files(self, hub: Hub, api: RunningApi) -> None:
        """From here on have all that Pulse is found and believed by stay as it wrote it."""
        self._local.serve = api.listen
        home, key = self._home, self._hook_key
        found_by = (home.run_record, home.lock_file, self._local, key.public, key.secret)
        begun = (self._armed.format, LastPort(home.folder).kept(self._api_port))
        kept = (self._agents_connected.file, api.services.passkeys.file)
        self._own_files.add(*found_by, *begun, *filter(None, kept), HeldStop(home.armed, hub.emergency))
        self._stack.push_async_callback(self._own_files.close)
        await self._own_files.follow(hub.post)

    async def _acts_alone(self) -> tuple[bool, bool]:
        """Return whether acting alone is on, by the file and by Settings, and whether anything may then run alone."""
        policy = policy_of(self._settings, self._zone)
        mind = await self._store.read(MindOf(user=self._settings.person.name)) or Mind()
        is_on = after_start(mind.overrides, policy).autonomous
        return is_on, is_on and may_run_alone(mind.ledger, policy, self._clock.now()) > 0

    async def _broker(self) -> RunningBroker:
        mqtt = self._settings.mqtt
        self._logins = Logins(self._home.broker_users, self._settings.person.name)
        self._own_files.add(self._logins.file)
        if self._agents_connected.ever:
            self._logins.distrust(self._home.logins)
        for address in self._revocations.devices():
            with contextlib.suppress(HomeError):  # forgotten in memory all the same
                self._logins.drop(address)
        external = choose.external_address(mqtt.url, Path(mqtt.ca_file) if mqtt.ca_file else None)
        choice = choose.choose(external, choose.look_around())
        broker = await choose.start(choice, self._home.folder, self._logins.all(), mqtt.port or None)
        self._stack.push_async_callback(broker.stop)
        return broker

    async def _hub(self, broker: RunningBroker) -> Hub:
        user = self._settings.person.name
        bus = self._bus(broker)
        self._twin = HttpTwins(now=self._clock.now)
        ours = self._settings.world, self._home.folder, self._workspaces
        checker = finish_checker(*ours, lambda: frozenset({broker.address.port, self._api_port}))
        sensor_reader = SensorReader(
            store=self._store, clock=self._clock, sensors=self._sensors(), twin=self._twin, checker=checker
        )
        self._sensor_reader = sensor_reader
        home = self._home.folder
        models = model_trainer(self._store, self._clock, home, self._settings.training)
        self._stack.push_async_callback(models.close)
        world = KeptWorldLog.of(
            self._settings.world, self._home.folder, store=self._store, clock=self._clock, user=user
        )
        hub = Hub(
            self._state(user),
            store=self._store,
            bus=bus,
            clock=self._clock,
            sensor_reader=sensor_reader,
            runs=AgentRuns(self._agents()),
            trainer=HabitTrainer(self._store, user, train_habits),
            models=models,
            world=None if world is None else world.keeper,
            processes=None if world is None else world.processes,
            new_seed=new_seed,
            arming=self._armed,
        )
        self._hub_running = hub
        self._agents_connected.on_first = self._agent_came
        self._questions.begin(hub, self._store)
        hub.emergency.revoke(*self._revocations.devices())
        inbound = MqttInbound(hub, sensor_reader, user, self._announcer.tell, proves_by=self._proves_by)
        await inbound.listen(bus)
        bus.start()
        self._stack.push_async_callback(bus.close)
        reached = await bus.until_connected(CONNECT_S_MAX)
        self._broker_trouble = "" if reached else bus.health().detail or "The broker is not answering yet."
        watch = make_watch(self._sensor_options(), self._announcer.tell)
        await watch.mark()
        await hub.start()
        models.begin(hub.state, hub.post)
        self._stack.push_async_callback(hub.close)
        await self._notice(hub, watch)
        await self._hear_files(hub)
        if world is not None:
            self._stack.push_async_callback(world.close)
            world.begin(hub)
        return hub

    def _agent_came(self) -> None:
        """Take no yes any more by what an agent can read."""
        self._logins.distrust(self._home.logins)
        if self._hub_running is not None:
            self._hub_running.post(AgentConnected())

    def _proves_by(self, address: DeviceAddress) -> str | None:
        """Return the key by which a device has to prove what it says over MQTT, once agents are connected."""
        return self._logins.key_of(address) if self._agents_connected.ever else None

    async def _hear_files(self, hub: Hub) -> None:
        """Let the loop hear of what agents report, and ask to be changed, in files, where there are some."""
        self._handed_in = files_handed_in(self._settings.drives, hub)
        for file in self._handed_in:
            self._stack.push_async_callback(file.close)
            await file.start()

    async def _notice(self, hub: Hub, watch: ChangeWatch) -> None:
        """Let the loop hear of what changes from now on, and of what did since it was marked."""
        self._announcer.begin(hub.post)
        self._stack.callback(self._announcer.close)
        self._stack.push_async_callback(watch.close)
        await watch.start()
        self._edited = EditedSettings(
            self._settings,
            zone=self._zone,
            files=self._settings_files,
            post=hub.post,
            connected=lambda: self._agents_connected.ever,
            runs=self._runs,
        )
        self._stack.callback((await self._edited.follow()).close)
        agents = AgentWatch(
            self._home.folder, self._workspaces, self._agents_connected, hub.post, changed=self._own_files.note
        )
        self._stack.push_async_callback(agents.close)
        agents.start()

    def _runs(self, started: Settings, written: Settings) -> Settings:
        """Return the settings of the start with what `pulse phone` and `pulse connect codex` changed since."""
        if not self._api_port:
            return started
        outside, port = view(self._running_api.services.outside), written.api.port
        reached = (
            started.api
            if outside.trouble
            else replace(started.api, public_url=outside.public_url, own_certificate=outside.own_certificate)
        )
        ours = replace(reached, port=port) if port == self._api_port else reached
        attach = f"{ATTACHED} codex" in {part.name for part in self._surfaces.health()}
        return replace(started, api=ours, codex=replace(written.codex, attach=attach))

    def _bus(self, broker: RunningBroker) -> MqttLink:
        """Return the connection to the broker; one of ours is near, so that its silence is soon noticed."""
        address = broker.address
        if broker.health().kind == "external":
            if not address.username:
                address = replace(address, username=HUB_LOGIN, password=self._logins.hub_password)
            return MqttLink(LinkOptions(address=address, client_id=HUB_LOGIN, keepalive_s=EXTERNAL_KEEPALIVE_S))
        login = replace(address, username=HUB_LOGIN, password=self._logins.hub_password)
        options = LinkOptions(address=login, client_id=self._logins.hub_client_id(), keepalive_s=OWN_KEEPALIVE_S)
        return MqttLink(
            options,
            on_loss=lambda loss: broker.suspect() if loss.kind == "silent" else None,
            tuning=MqttTuning(retry=OWN_RETRY),
        )

    def _state(self, user: str) -> State:
        policy = policy_of(self._settings, self._zone)
        profiles = profiles_as_set(self._settings, read_profiles())
        return State(
            user=user,
            secret=self._home.secret("hub.key"),
            file_policy=policy,
            policy=policy,
            profiles=beside_agents(profiles) if self._agents_connected.ever else profiles,
            limits=Limits(running_max=self._settings.session.running_max),
        )

    def _sensors(self) -> tuple[Sensor, ...]:
        return make_sensors(self._sensor_options(), self._clock.now, self._announcer.tell)

    def _sensor_options(self) -> SensorOptions:
        wanted = self._settings.sensors
        ci = CiSource(file=Path(wanted.ci_file) if wanted.ci_file else None, command=wanted.ci_command)
        return SensorOptions(
            home=self._home.folder,
            workspaces=self._workspaces,
            zone=self._zone,
            calendar=wanted.calendar or None,
            caldav=CaldavAccount(**asdict(wanted.caldav)) if wanted.caldav.url else None,
            transcripts=transcripts_of(wanted),
            predictions=Path(wanted.predictions).expanduser() if wanted.predictions else None,
            asks_github=wanted.pull_requests,
            asks_deployments=wanted.deployments,
            certificates=tuple(Path(one).expanduser() for one in wanted.certificates),
            backup=Path(wanted.backup).expanduser().absolute() if wanted.backup else None,
            drive_files=drive_files_of(self._settings.drives),
            programs=self._settings.drives.processes,
            hears_mentions=hears_mentions(self._settings),
            ci=dict.fromkeys(self._workspaces, ci) if wanted.ci_file or wanted.ci_command else {},
        )

    def _agents(self) -> dict[str, AgentRunner]:
        local = ZoneInfo(self._zone)
        draw = secrets.SystemRandom().random
        return runners(
            home=self._home.folder,
            environ=os.environ,
            now=lambda: datetime.now(local),
            random=draw,
            questions=self._questions,
            way_back=self._way_back,
        )

    def _way_back(self, wake_id: str, is_near: bool) -> tuple[str, str]:  # noqa: FBT001  as a WayBack is called
        """Hand out this hub's address and a token for a wake; where it cannot be reached from there, neither."""
        api, hub = self._running_api, self._hub_running
        if api is None or hub is None:
            return "", ""
        addresses = api.services.outside.addresses
        address = addresses.own if is_near else addresses.public_url
        outside = hub.state().mind.drives.outside
        drive = next((one.wake.drive for one in outside if one.wake.id == wake_id), "")
        if not address or not drive:
            return "", ""
        user = self._settings.person.name
        return address, api.services.access.pass_for(wake_id, drive, user=user, now=self._clock.now())

    def _coding_agents(self) -> CodingAgentList:
        """Look at the coding agents on this machine, for somebody who sets Pulse up on the page."""
        from hub.app.coding_agents import coding_agents  # noqa: PLC0415  what few look at costs an idle hub nothing

        return coding_agents(self._home.folder, self._workspaces)

    async def _api(self, hub: Hub, broker: RunningBroker) -> RunningApi:
        user = self._settings.person.name
        pairing = BrokerPairing(
            broker=broker,
            logins=self._logins,
            hub_api=hub,
            profiles=hub.state().profiles,
            user=user,
            revocations=self._revocations,
        )
        beside = ProcessesBeside(self._home, self._settings, self._zone, lambda: self._running_api, self._edited.begun)
        self._surfaces = surfaces = SurfaceProcesses(beside.programs(), beside.as_set_up)
        self._stack.push_async_callback(surfaces.close)
        watch = SurfaceWatch(lambda: (*hub.health(), *surfaces.health()), surfaces_of_parts(), self._clock, hub.post)
        self._stack.push_async_callback(watch.close)
        watch.start()
        parts = ApiParts(
            hub_api=hub,
            store=self._store,
            feed=hub.feed,
            clock=self._clock,
            pairing=pairing,
            user=user,
            version=__version__,
            body_bytes_max=self._settings.api.body_bytes_max,
            sockets_max=self._settings.api.sockets_max,
            action_key=hub.state().secret,
            page=Path(str(resources.files("surfaces.web") / "page")),
            vapid_key=beside.vapid_key,
            surfaces=surfaces,
            revocations=self._revocations,
            profiles=hub.state().profiles,
            public_url=self._settings.api.public_url,
            own_certificate=self._settings.api.own_certificate,
            home=self._home.folder,
            agents_connected=self._agents_connected,
            glance=self._sensor_reader.glance,
            without_git=partial(without_git, self._workspaces, Path.home()),
            settings=self._settings_files,
            own_files=self._own_files,
            handed_in=tuple(file.health for file in self._handed_in),
            models=ModelCalls(self._twin, state=hub.state, clock=self._clock, post=hub.post),
            coding_agents=self._coding_agents,
            world=world_files(self._home.folder, self._settings.world.log),
        )
        port = self._settings.api.port if self._options.port is None else self._options.port
        self._local = LocalSocket(self._home.folder)
        self._stack.callback(self._local.close)
        api = await start_api(
            parts, host=self._settings.api.host, port=port, local=self._local.socket, handed=self._handed
        )
        self._stack.push_async_callback(api.close)
        self._running_api, self._api_port = api, urlsplit(api.address).port or port
        attached = used(self._settings, self._home.folder)
        if attached:
            api.services.terminals.note_agent()
        for name in (*attached, *(spec.name for spec in beside.used() if not spec.is_gateway)):
            surfaces.need(name)
        for device in await self._store.read(Devices(user=user)):  # the loop may not have taken them up yet
            if device.address is not None and not device.revoked:
                surfaces.need(device.surface)
        return api
