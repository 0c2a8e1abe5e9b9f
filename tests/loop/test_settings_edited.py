"""The loop takes over what an edit of the settings file loosens no rail by."""

from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.events import StatusChanged
from hub.contract.words import Autonomy
from hub.domain.policy import USD, Caps, Timing
from hub.domain.requests import Configure
from hub.loop.events import SettingsEdited
from tests.loop.stage import a_policy, a_world


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
