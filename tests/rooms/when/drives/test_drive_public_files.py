"""Files of the public implementation, read on our scale."""

import json

import pytest
from msgspec.structs import replace

from hub.domain.drives import Tuning
from hub.domain.mutations import Mutation
from tests.rooms.when.drives.drive_files_at_hand import read, state
from tests.rooms.when.drives.drives_at_hand import HOUR, NOW

THEIR_STATE = {
    "_saved_at": NOW.timestamp(),
    "drives": {
        "goals": {"name": "goals", "category": "goals", "pressure": 0.84, "weight": 1.0, "last_addressed": 0.0},
        "growth": {
            "name": "growth",
            "category": "growth",
            "pressure": 5.0,
            "weight": 0.8,
            "last_addressed": (NOW - HOUR).timestamp(),
        },
    },
    "config_overrides": {
        "trigger_threshold": 0.84,
        "pressure_rate": 0.01,
        "min_trigger_interval": 300,
        "max_turns_per_hour": 20,
    },
    "guardrail_mutation_timestamps": [],
    "generated_tasks": [],
}


def test_the_state_of_the_public_implementation_is_read_on_our_scale() -> None:
    back = read(state=state(**THEIR_STATE))
    assert back.drives is not None
    goals, growth = back.drives.drives
    assert goals.pressure == pytest.approx(6.0)
    assert (growth.pressure, growth.weight, growth.addressed_at) == (10.0, 0.8, NOW - HOUR)
    assert back.drives.tuning.threshold == pytest.approx(6.0)
    assert replace(back.drives.tuning, threshold=None) == Tuning(turns_per_hour_max=20)
    assert back.is_theirs
    assert back.problems == ()
    assert "multiplied by 7.143" in back.notes[0]
    assert "generated_tasks" in back.notes[1]
    assert "35.7143 was read as 10" in back.notes[2]


def test_its_default_threshold_is_no_change_of_ours() -> None:
    back = read(state=state(**{**THEIR_STATE, "config_overrides": {"trigger_threshold": 0.7, "pressure_rate": 0.01}}))
    assert back.drives is not None
    assert back.drives.tuning == Tuning()


def test_who_set_it_up_on_the_scale_of_its_documents_is_read_so() -> None:
    on_it = {"drives": {"goals": {"pressure": 4.2}}, "config_overrides": {"trigger_threshold": 6.0}}
    back = read(state=state(**on_it))
    assert back.drives is not None
    assert (back.drives.drives[0].pressure, back.drives.tuning.threshold) == (4.2, 6.0)
    told = read(state=state(drives={"goals": {"pressure": 4.2}}), threshold=10.0)
    assert told.drives is not None
    assert told.drives.drives[0].pressure == 2.1


def test_its_history_its_queue_and_its_audit_are_read() -> None:
    line = {"timestamp": NOW.timestamp(), "reason": "high pressure", "success": True, "top_drive": "goals"}
    back = read(
        state=state(**THEIR_STATE),
        wakes=b"\n".join(state(**{**line, "pressure": 0.7, "success": done}) for done in (True, False)),
        queue=json.dumps(
            [
                {"type": "adjust_weight", "drive": "curiosity", "value": 0.8, "reason": "more"},
                {"type": "add_drive", "name": "writing", "weight": 0.7},
                {"type": "adjust_threshold", "value": 0.77},
                {"type": "spike_drive", "drive": "goals"},
                {"type": "decay_drive", "drive": "goals", "amount": 0.14},
            ]
        ).encode(),
        their_audit=state(
            timestamp=NOW.timestamp(),
            mutation_type="weight",
            target="drives.goals.weight",
            before=1.0,
            after=1.5,
            reason="because",
            clamped=True,
            clamped_from=3.0,
            source="agent",
            prev_hash="genesis",
            hash="0123456789abcdef",
        ),
    )
    assert [wake.ended for wake in back.wakes] == ["sent", "undelivered"]
    assert {(wake.drive, wake.place) for wake in back.wakes} == {("goals", "openclaw")}
    assert [wake.total for wake in back.wakes] == pytest.approx([5.0, 5.0])
    assert len({wake.id for wake in back.wakes}) == 2
    assert [(one.kind, one.drive) for one in back.queue] == [
        ("adjust_weight", "curiosity"),
        ("add_drive", "writing"),
        ("adjust_threshold", ""),
        ("spike_drive", "goals"),
        ("decay_drive", "goals"),
    ]
    assert [one.value for one in back.queue] == pytest.approx([0.8, 0.7, 5.5, 0.3 * 5 / 0.7, 1.0])
    (record,) = back.records
    assert record.mutation == Mutation(kind="adjust_weight", drive="goals", value=1.5, reason="because")
    assert (record.by, record.before, record.after, record.asked_value) == ("agent", 1.0, 1.5, 3.0)
    assert (record.previous, record.hash) == ("", "")
    assert back.problems == ()


@pytest.mark.parametrize(
    ("kind", "target", "before", "after", "expected"),
    [
        ("threshold", "drives.trigger_threshold", 0.7, 0.84, Mutation(kind="adjust_threshold", value=6.0)),
        ("rate", "drives.pressure_rate", 0.01, 0.02, Mutation(kind="adjust_rate", value=0.02)),
        ("cooldown", "openclaw.min_trigger_interval", 300, 600, Mutation(kind="adjust_cooldown", value=600.0)),
        ("drive_create", "drives.art", None, {"weight": 0.5}, Mutation(kind="add_drive", drive="art", value=0.5)),
        ("drive_remove", "drives.art", {"weight": 0.5}, None, Mutation(kind="remove_drive", drive="art")),
        ("spike", "drives.art.pressure", 0.0, 0.14, Mutation(kind="spike_drive", drive="art", value=1.0)),
        ("decay", "drives.art.pressure", 0.21, 0.07, Mutation(kind="decay_drive", drive="art", value=1.0)),
    ],
)
def test_each_kind_of_its_audit_is_one_of_ours(
    kind: str, target: str, before: object, after: object, expected: Mutation
) -> None:
    line = state(timestamp=NOW.timestamp(), mutation_type=kind, target=target, before=before, after=after, reason="")
    (record,) = read(audit=line).records
    assert replace(record.mutation, value=None) == replace(expected, value=None)
    assert record.mutation.value == pytest.approx(expected.value)
