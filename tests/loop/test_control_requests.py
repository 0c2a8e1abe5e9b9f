"""Tasks, configuration and its kill switch, pause and resume, do-not-disturb, clients."""

from typing import get_type_hints

import pytest
from msgspec.structs import replace

from hub.contract.api import ConfigPatch
from hub.contract.errors import PulseError
from hub.contract.events import Paused, PredictionNew, Resumed, StatusChanged
from hub.contract.words import Autonomy, Verb
from hub.domain.policy import USD
from hub.domain.provenance import TaskText
from hub.domain.reports import GrantEvents
from hub.domain.requests import (
    Configure,
    Noted,
    Pause,
    RemoveTask,
    Request,
    ResetConfig,
    Resume,
    SaveClient,
    SaveTask,
    Spoke,
    TaskSaved,
)
from hub.domain.situation import Task
from hub.domain.storage import Client, Clients, Tasks
from hub.loop import _HANDLERS, _ON_EVENT
from hub.loop.events import Event
from hub.may import changed
from tests.fakes.plain_words import plain
from tests.fakes.world import World
from tests.loop.stage import DAY, HOUR, MINUTE, NOON, PHONE, a_card, a_policy, a_world, refused


def test_every_request_and_event_has_a_taker_of_its_own_type() -> None:
    assert set(_HANDLERS) == set(Request.__args__)
    assert set(_ON_EVENT) == set(Event.__args__)
    for kind, take in (*_HANDLERS.items(), *_ON_EVENT.items()):
        taken_type = list(get_type_hints(take).values())[1]
        assert kind in getattr(taken_type, "__args__", (taken_type,)), take


async def save(world: World, **fields: object) -> Task:
    reply = await world.ask(SaveTask(**fields))  # type: ignore[arg-type]  # the test names fields of SaveTask
    assert isinstance(reply, TaskSaved), reply
    return reply.task


async def configure(world: World, **fields: object) -> Noted:
    patch = ConfigPatch(**fields)  # type: ignore[arg-type]  # the test names fields of ConfigPatch
    reply = await world.ask(Configure(patch=patch, by="me"))
    assert isinstance(reply, Noted), reply
    return reply


async def test_a_task_is_made_changed_and_removed() -> None:
    world = await a_world()
    task = await save(world, title=TaskText("Write the report"), channel="research")
    assert (task.status, task.created_at) == ("queued", NOON)
    await world.until(NOON + MINUTE)
    changed = await save(world, task_id=task.id, status="running")
    assert (plain(changed.title), changed.channel, changed.status) == ("Write the report", "research", "running")
    assert (changed.created_at, changed.updated_at) == (NOON, NOON + MINUTE)
    assert isinstance(await world.ask(RemoveTask(task_id=task.id)), TaskSaved)
    assert await world.store.read(Tasks(user="me", limit=9)) == ()


async def test_tasks_that_cannot_be() -> None:
    world = await a_world()
    assert refused(await world.ask(SaveTask(notes=TaskText("x")))).code == "missing-title"
    assert refused(await world.ask(SaveTask(task_id="task_none", title=TaskText("x")))).code == "unknown-task"
    assert refused(await world.ask(RemoveTask(task_id="task_none"))).code == "unknown-task"
    assert await world.store.read(Tasks(user="me", limit=9)) == ()


async def test_the_configuration_cannot_lift_what_the_file_forbids() -> None:
    world = await a_world(a_policy(enabled=False))
    noted = await configure(world, enabled=True)
    assert (noted.status.enabled, world.state.policy.enabled) == (False, False)
    assert "settings file" in noted.status.reason
    await world.until(NOON + HOUR)
    assert world.autonomy.value == Autonomy.DISABLED


@pytest.mark.parametrize(("days", "taken"), [(30, True), (31, False)])
async def test_do_not_disturb_ends_within_a_month(days: int, *, taken: bool) -> None:
    world = await a_world()
    until = NOON + days * DAY
    reply = await world.ask(Configure(patch=ConfigPatch(dnd_until=until), by="me"))
    if taken:
        assert isinstance(reply, Noted)
        assert reply.status.dnd_until == until
    else:
        assert (refused(reply).code, refused(reply).detail) == (
            "bad-setting",
            "Do not disturb can last at most 30 days.",
        )
        assert world.state.mind.dnd_until is None


async def test_switching_off_and_on_at_run_time() -> None:
    world = await a_world()
    noted = await configure(world, enabled=False)
    assert (noted.status.enabled, noted.status.state) == (False, Autonomy.DISABLED)
    assert "while running" in noted.status.reason
    noted = await configure(world, enabled=True)
    assert (noted.status.enabled, noted.status.state) == (True, Autonomy.WATCHING)
    assert len(world.told(StatusChanged)) == 2


async def test_a_patch_changes_what_it_names_and_outlives_a_restart_until_it_is_reset() -> None:
    world = await a_world()
    await configure(world, interval_ms=60_000)
    await configure(world, cost_cap_per_hour=1.5, emergency_stop=False)
    policy = world.state.policy
    assert (policy.timing.interval_s, policy.caps.hour_microusd) == (60.0, 1_500_000)
    await world.reopen()
    assert world.state.policy == policy
    assert changed(world.state.mind.overrides) == ("interval_ms", "cost_cap_per_hour")
    assert isinstance(await world.ask(ResetConfig(name="interval_ms")), Noted)
    assert changed(world.state.mind.overrides) == ("cost_cap_per_hour",)
    assert isinstance(await world.ask(ResetConfig()), Noted)
    assert world.state.policy == world.state.file_policy
    assert refused(await world.ask(ResetConfig(name="interval_ms"))).code == "not-changed"


async def test_what_the_file_says_anyway_is_no_change() -> None:
    world = await a_world()
    await configure(world, autonomous=True)
    await configure(world, autonomous=False)
    assert changed(world.state.mind.overrides) == ()


async def test_the_later_word_of_the_file_counts() -> None:
    world = await a_world()
    await configure(world, cost_cap_per_hour=50, cost_cap_per_day=500, suggest_threshold=0.35)
    file = world.state.file_policy
    caps, bands = replace(file.caps, hour_microusd=USD), replace(file.bands, show=0.5)
    world.restart_with(replace(file, caps=caps, bands=bands))
    await world.reopen()
    policy = world.state.policy
    assert (policy.caps.hour_microusd, policy.caps.day_microusd) == (USD, 500 * USD)
    assert policy.bands == bands
    assert changed(world.state.mind.overrides) == ("cost_cap_per_day",)


async def test_switching_off_at_run_time_ends_with_a_reset_or_the_next_start() -> None:
    world = await a_world()
    await configure(world, enabled=False, cost_cap_per_day=3.0)
    await world.reopen()
    assert world.state.policy.enabled is True
    assert changed(world.state.mind.overrides) == ("cost_cap_per_day",)
    await configure(world, enabled=False)
    assert world.state.policy.enabled is False
    on = await world.ask(ResetConfig(name="enabled", by="you"))
    assert isinstance(on, Noted)
    assert (on.status.enabled, on.status.state) == (True, Autonomy.WATCHING)


async def test_an_emergency_outlives_a_restart_until_it_is_lifted() -> None:
    world = await a_world()
    await configure(world, emergency_stop=True)
    assert world.autonomy.value == Autonomy.DISABLED
    await world.reopen()
    noted = await configure(world, enabled=True)
    assert (noted.status.enabled, noted.status.state) == (False, Autonomy.DISABLED)
    assert "emergency" in noted.status.reason
    noted = await configure(world, emergency_stop=False)
    assert (noted.status.enabled, noted.status.state) == (True, Autonomy.WATCHING)


async def test_pause_tells_everybody_and_resume_too() -> None:
    world = await a_world()
    await world.ask(Pause(reason="lunch"))
    assert world.autonomy.value == Autonomy.PAUSED
    assert world.told(Paused) == [Paused(reason="lunch")]
    await world.ask(Resume())
    assert world.autonomy.value == Autonomy.WATCHING
    assert world.told(Resumed) == [Resumed()]


async def test_pausing_again_means_from_now_on() -> None:
    world = await a_world()
    await world.ask(Pause(reason="lunch"))
    await world.until(NOON + HOUR)
    await world.ask(Pause(reason="a long lunch"))
    assert world.state.mind.autonomy.since == NOON + HOUR
    assert len(world.told(Paused)) == 1
    await world.until(NOON + 2 * HOUR + MINUTE)
    assert world.autonomy.value == Autonomy.PAUSED


async def test_ordinary_dismissals_pause_nothing_and_resume_forgets_them() -> None:
    world = await a_world()
    for number in range(9):
        await world.answer(await a_card(world, f"Idea {number}"), Verb.REJECT)
    assert world.told(Paused) == []
    assert world.state.mind.ledger.rejections_in_row == 9
    await world.ask(Pause(reason="lunch"))
    await world.ask(Resume())
    assert world.state.mind.ledger.rejections_in_row == 0


async def test_nothing_is_paused_or_resumed_while_it_is_switched_off() -> None:
    world = await a_world()
    await configure(world, enabled=False)
    for request, says in ((Pause(reason="x"), "cannot be paused"), (Resume(), "cannot be resumed")):
        with pytest.raises(PulseError, match=f"Pulse is off, so it {says}.") as refused:
            await world.ask(request)
        assert "`pulse resume --emergency`" in refused.value.fix


async def test_a_person_who_speaks_ends_silence_and_never_in_the_future() -> None:
    world = await a_world()
    await world.ask(Spoke(at=NOON + HOUR, source="api"))
    assert world.state.mind.last_message_at == NOON
    await world.ask(Spoke(at=NOON - HOUR, source="api"))
    assert world.state.mind.last_message_at == NOON


async def test_do_not_disturb_makes_cards_silent_until_it_ends() -> None:
    world = await a_world()
    await world.pair(PHONE)
    noted = await configure(world, dnd_until=NOON + HOUR)
    assert noted.status.quiet
    await a_card(world, "First")
    await world.until(NOON + HOUR)
    await a_card(world, "Second")
    loud = [one.loudness for _, _, one in world.deliveries if isinstance(one.event, PredictionNew)]
    assert loud == ["silent", "notify"]


async def test_a_client_is_kept_and_revoked() -> None:
    world = await a_world()
    client = Client(id="c1", user="me", name="laptop", token_sha256="0" * 64, scopes=("read",), created_at=NOON)
    await world.ask(SaveClient(client=client))
    assert await world.store.read(Clients(user="me")) == (client,)


async def test_a_stop_and_a_start_are_kept_with_when_and_where_and_only_once() -> None:
    world = await a_world()
    for stop, place in ((True, "browser/phone"), (True, "browser/desk"), (False, "")):
        await world.ask(Configure(patch=ConfigPatch(emergency_stop=stop), by="me", place=place))
        await world.until(world.now + MINUTE)
    found = await world.store.read(GrantEvents(user="me", limit=9))
    assert [(one.what, one.by, one.at) for one in reversed(found)] == [
        ("stopped", "browser/phone", NOON),
        ("started", "me", NOON + 2 * MINUTE),
    ]
