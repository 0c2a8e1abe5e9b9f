"""Trained models: noted once, used from then on, and taken back one by one; a restart forgets none."""

from hub.contract.api import ConfigPatch
from hub.domain.policy import TwinService
from hub.domain.requests import BackToModel, Configure, Noted, NoteModel
from hub.domain.training import MODELS_KEPT_MAX
from tests.fakes.world import World
from tests.loop.stage import HOUR, NOON, a_policy, a_world, refused


async def noted(world: World, name: str, *, use: bool = True) -> None:
    assert isinstance(await world.ask(NoteModel(name=name, by="together", pairs=60, use=use)), Noted)


async def test_a_trained_model_is_used_and_the_one_before_again() -> None:
    world = await a_world()
    for name in ("twin-1", "twin-2"):
        await noted(world, name)
    await world.reopen()
    assert world.state.mind.training.active == "twin-2"
    seen = []
    for _ in range(2):
        await world.ask(BackToModel())
        seen.append(world.state.mind.training.active)
    assert seen == ["twin-1", ""]
    assert refused(await world.ask(BackToModel())).code == "no-model-before"
    last = world.state.mind.training.last
    assert last is not None
    assert (last.name, last.at) == ("twin-2", NOON)


async def test_the_service_is_asked_for_the_model_that_was_chosen_also_after_a_restart() -> None:
    policy = a_policy(twins=(TwinService(name="main", url="http://127.0.0.1:1", model="base"),))
    world = await a_world(policy)
    await noted(world, "twin-1")
    await noted(world, "twin-2", use=False)
    await world.reopen()
    assert world.state.policy.twins[0].model == "twin-1"
    await world.ask(BackToModel())
    assert world.state.policy.twins[0].model == "base"
    assert world.state.mind.overrides.patch.twin_model is None


async def test_the_same_training_counts_once_and_another_may_wait() -> None:
    world = await a_world()
    await noted(world, "twin-1")
    await world.until(NOON + HOUR)
    await noted(world, "twin-1")
    await noted(world, "twin-2", use=False)
    training = world.state.mind.training
    assert [(one.name, one.at) for one in training.models] == [("twin-1", NOON), ("twin-2", NOON + HOUR)]
    assert training.active == "twin-1"


async def test_the_oldest_models_are_forgotten() -> None:
    world = await a_world()
    for number in range(MODELS_KEPT_MAX + 3):
        await noted(world, f"twin-{number}")
    assert world.state.mind.training.models[0].name == "twin-3"


async def test_models_can_be_left_out_while_pulse_runs_and_what_the_file_switches_off_stays_off() -> None:
    world = await a_world(a_policy(twin=True, twins=(TwinService(name="first", url="u", model="m"),)))
    await world.ask(Configure(patch=ConfigPatch(twin_model_enabled=False), by="me"))
    await world.reopen()
    assert not world.state.policy.twin
    await world.ask(Configure(patch=ConfigPatch(twin_model_enabled=True), by="me"))
    assert world.state.policy.twin
    without = await a_world()
    reply = await without.ask(Configure(patch=ConfigPatch(twin_model_enabled=True), by="me"))
    assert refused(reply).detail == "No model is switched on in the settings."
    assert not without.state.policy.twin
