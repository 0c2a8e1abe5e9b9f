"""The loop takes over what an edit of the settings file loosens no rail by."""

from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import PredictionNew, StatusChanged
from hub.contract.surface import Presence
from hub.contract.words import Autonomy, Status
from hub.domain.policy import USD, Caps, Timing
from hub.domain.requests import Configure, RegisterDevice, ReportPresence
from hub.loop.events import FilesPutBack, SettingsEdited
from tests.fakes.world import World
from tests.loop.stage import DISCORD, a_policy, a_world, taken
from tests.loop.test_permissions import COMMAND, asking


async def test_an_edit_holds_at_once_and_never_raises_a_cap() -> None:
    world = await a_world(a_policy(caps=Caps(hour_microusd=USD)))
    written = replace(a_policy(caps=Caps(hour_microusd=5 * USD)), timing=Timing(edit_quiet_s=3.0))
    await world.happen(SettingsEdited(written=written))
    assert world.state.policy.timing.edit_quiet_s == 3.0
    assert world.state.policy.caps.hour_microusd == USD
    assert world.told(StatusChanged)


async def test_what_was_changed_in_controls_stays_above_the_file() -> None:
    world = await a_world(a_policy(caps=Caps(hour_microusd=2 * USD)))
    await world.ask(Configure(patch=ConfigPatch(cost_cap_per_hour=0.5), by="me"))
    await world.happen(SettingsEdited(written=a_policy(caps=Caps(hour_microusd=USD))))
    assert world.state.policy.caps.hour_microusd == USD // 2


async def test_switching_off_in_the_file_stops_it_and_switching_on_takes_a_start() -> None:
    world = await a_world()
    await world.happen(SettingsEdited(written=replace(a_policy(), enabled=False)))
    assert world.state.mind.autonomy.state is Autonomy.DISABLED
    await world.happen(SettingsEdited(written=a_policy()))
    assert world.state.mind.autonomy.state is Autonomy.DISABLED


async def a_chat() -> World:
    world = await a_world()
    await world.ask(RegisterDevice(address=DISCORD, profile="discord"))
    await world.ask(ReportPresence(sender=DISCORD, presence=Presence(online=True)))
    return world


async def test_devices_are_told_what_of_an_edit_waits() -> None:
    world = await a_chat()
    await world.happen(SettingsEdited(written=a_policy()))
    assert world.deliveries == []
    await world.happen(SettingsEdited(written=a_policy(), waits="all of attention"))
    ((_, _, sent),) = world.deliveries
    assert isinstance(sent.event, PredictionNew)
    assert (sent.verbs, sent.token, sent.loudness) == ((), "", "notify")
    assert "all of attention" in sent.event.prediction.prompt
    assert "restart" in sent.event.prediction.reasoning


async def test_what_agents_ask_is_shown_while_the_file_switches_pulse_off() -> None:
    world = await a_chat()
    await world.happen(SettingsEdited(written=replace(a_policy(), enabled=False)))
    shown = taken(await world.ask(asking(COMMAND))).prediction
    assert shown.status is Status.PENDING
    assert [sent.loudness for _, to, sent in world.deliveries if to == DISCORD] == ["notify"]


async def test_devices_are_told_that_a_file_of_the_hubs_own_was_put_back() -> None:
    world = await a_chat()
    await world.happen(FilesPutBack(put_back=("/home/me/secrets/passkeys.json", "/home/me/run.json")))
    ((_, _, sent),) = world.deliveries
    assert isinstance(sent.event, PredictionNew)
    told = "Another program changed /home/me/secrets/passkeys.json, /home/me/run.json; Pulse put them back."
    assert sent.event.prediction.prompt == told
    assert sent.verbs == ()


async def test_devices_are_told_why_such_a_file_could_not_be_put_back() -> None:
    world = await a_chat()
    await world.happen(FilesPutBack(left=("/home/me/secrets/passkeys.json (Read-only file system)",)))
    ((_, _, sent),) = world.deliveries
    assert isinstance(sent.event, PredictionNew)
    told = (
        "Another program changed /home/me/secrets/passkeys.json (Read-only file system); Pulse could not put that back."
    )
    assert sent.event.prediction.prompt == told
    assert "before you restart Pulse" in sent.event.prediction.reasoning
