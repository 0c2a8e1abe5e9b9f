"""What agents may change of the drives, what is a card, what is refused; no row of it ever switches them off."""

import math
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.contract.drives import MutationKind
from hub.domain.drive_limits import LIMITS, MUTATIONS_PER_HOUR_MAX
from hub.domain.drives import DRIVES_MAX, PROTECTED, Drive, DriveRules, Drives, Tuning, Want
from hub.domain.mutations import Mutation
from hub.domain.provenance import say
from hub.may import MutationRuling, after_mutation, judge_mutation, taken
from hub.when.drives import applied, evaluate, in_force, next_crossing, with_built_in

NOW = datetime(2026, 3, 2, 14, 30, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
RULES = DriveRules()
DRIVES = with_built_in(Drives(), RULES)


def judged(
    kind: MutationKind,
    value: float | None = None,
    drive: str = "",
    *,
    rules: DriveRules = RULES,
    drives: Drives = DRIVES,
    is_person: bool = False,
    reason: str = "",
) -> MutationRuling:
    asked = Mutation(kind=kind, drive=drive, value=value, reason=reason)
    return judge_mutation(asked, drives, rules, NOW, is_person=is_person)


def test_what_tightens_is_made_at_once_and_what_loosens_is_a_card() -> None:
    assert judged("adjust_threshold", 6.0).outcome == "applied"
    assert judged("adjust_threshold", 4.5).outcome == "asked"
    assert judged("adjust_rate", 0.005).outcome == "applied"
    assert judged("adjust_rate", 0.02).outcome == "asked"
    assert judged("adjust_cooldown", 600.0).outcome == "applied"
    assert judged("adjust_cooldown", 120.0).outcome == "asked"
    assert judged("adjust_turns_per_hour", 5.0).outcome == "applied"
    assert judged("adjust_turns_per_hour", 20.0).outcome == "asked"
    assert judged("adjust_weight", 0.4, "curiosity").outcome == "applied"
    assert judged("adjust_weight", 0.8, "curiosity").outcome == "asked"
    assert judged("add_drive", 0.7, "writing").outcome == "asked"
    assert judged("remove_drive", drive="social").outcome == "applied"


def test_spikes_and_decays_are_made_at_once() -> None:
    assert judged("spike_drive", 1.5, "goals").outcome == "applied"
    assert judged("decay_drive", 1.5, "goals").outcome == "applied"


def test_where_the_person_says_so_everything_is_a_card() -> None:
    rules = replace(RULES, mutations="card")
    assert judged("adjust_threshold", 6.0, rules=rules).outcome == "asked"
    assert judged("spike_drive", 1.0, "goals", rules=rules).outcome == "asked"
    assert judged("adjust_threshold", 6.0, rules=rules, is_person=True).outcome == "applied"


@pytest.mark.parametrize(
    ("wakes", "agent", "outcome"),
    [("alone", "claw", "asked"), ("alone", "", "applied"), ("card", "claw", "applied"), ("off", "claw", "applied")],
)
def test_a_spike_that_could_wake_an_agent_without_a_card_is_one(
    wakes: Literal["off", "card", "alone"], agent: str, outcome: str
) -> None:
    rules = replace(RULES, wakes=wakes, agent=agent)
    ruling = judged("spike_drive", 1.0, "goals", rules=rules)
    assert (ruling.outcome, "more easily" in ruling.note) == (outcome, outcome == "asked")
    assert judged("decay_drive", 1.0, "goals", rules=rules).outcome == "applied"
    assert judged("spike_drive", 1.0, "goals", rules=rules, is_person=True).outcome == "applied"


def test_a_drive_of_the_persons_own_is_taken_away_by_a_card_only() -> None:
    rules = replace(RULES, weights=(("family", 1.0),))
    drives = with_built_in(Drives(), rules)
    ruling = judged("remove_drive", drive="family", rules=rules, drives=drives)
    assert (ruling.outcome, ruling.note) == ("asked", "It is your own drive.")


@pytest.mark.parametrize(
    ("kind", "value", "drive", "allowed"),
    [
        ("adjust_weight", 3.0, "curiosity", 1.1),
        ("adjust_weight", 0.0, "social", 0.05),
        ("adjust_threshold", 9.0, "", 6.5),
        ("adjust_threshold", -1e300, "", 3.5),
        ("adjust_rate", 1e300, "", 0.03),
        ("adjust_cooldown", 1.0, "", 60.0),
        ("adjust_cooldown", 1e9, "", 3600.0),
        ("adjust_turns_per_hour", 1e308, "", 30.0),
        ("adjust_turns_per_hour", 0.0, "", 1.0),
        ("adjust_turns_per_hour", 4.7, "", 4.0),
        ("spike_drive", 50.0, "goals", 3.0),
        ("decay_drive", 50.0, "goals", 3.0),
        ("add_drive", 3.0, "writing", 1.0),
    ],
)
def test_what_is_out_of_range_is_clamped_and_said(kind: MutationKind, value: float, drive: str, allowed: float) -> None:
    ruling = judged(kind, value, drive)
    assert (ruling.mutation.value, ruling.asked_value) == (allowed, value)
    assert ruling.note


def test_what_is_in_range_is_taken_as_it_is() -> None:
    ruling = judged("adjust_threshold", 5.5, reason="Too many wakes")
    assert (ruling.mutation.value, ruling.asked_value, ruling.note) == (5.5, None, "")
    assert ruling.mutation.reason == "Too many wakes"


def test_a_person_goes_any_step_within_the_limits_and_needs_no_card() -> None:
    ruling = judged("adjust_threshold", 2.0, is_person=True)
    assert (ruling.outcome, ruling.mutation.value) == ("applied", 2.0)
    assert judged("adjust_threshold", 0.1, is_person=True).mutation.value == 2.0
    assert judged("adjust_weight", 0.05, "goals", is_person=True).mutation.value == 0.05


def test_settings_outside_the_limits_are_brought_nearer_only() -> None:
    rules = replace(RULES, threshold=15.0)
    assert judged("adjust_threshold", 16.0, rules=rules).code == "mutation-changes-nothing"
    assert judged("adjust_threshold", 2.0, rules=rules).mutation.value == 13.5


@pytest.mark.parametrize(
    ("kind", "value", "drive", "code"),
    [
        ("adjust_weight", 1.0, "nosuch", "unknown-drive"),
        ("spike_drive", 1.0, "nosuch", "unknown-drive"),
        ("remove_drive", None, "nosuch", "unknown-drive"),
        ("remove_drive", None, "goals", "drive-protected"),
        ("remove_drive", None, "system", "drive-protected"),
        ("add_drive", 0.5, "goals", "drive-exists"),
        ("add_drive", 0.5, "", "bad-mutation"),
        ("add_drive", 0.5, "a" * 33, "bad-mutation"),
        ("add_drive", 0.5, "two words", "bad-mutation"),
        ("add_drive", 0.5, "ünder", "bad-mutation"),
        ("add_drive", 0.5, "../etc", "bad-mutation"),
        ("add_drive", 0.5, "line\n", "bad-mutation"),
        ("adjust_threshold", None, "", "bad-mutation"),
        ("adjust_threshold", math.nan, "", "bad-mutation"),
        ("adjust_rate", math.inf, "", "bad-mutation"),
        ("adjust_cooldown", -math.inf, "", "bad-mutation"),
        ("spike_drive", None, "goals", "bad-mutation"),
        ("spike_drive", -3.0, "goals", "bad-mutation"),
        ("decay_drive", 0.0, "goals", "bad-mutation"),
        ("adjust_threshold", 5.0, "", "mutation-changes-nothing"),
    ],
)
@pytest.mark.parametrize("is_person", [False, True])
def test_what_cannot_be_is_refused_with_what_to_do(
    kind: MutationKind,
    value: float | None,
    drive: str,
    code: str,
    is_person: bool,  # noqa: FBT001  drawn by pytest
) -> None:
    ruling = judged(kind, value, drive, is_person=is_person)
    assert (ruling.outcome, ruling.code) == ("refused", code)
    assert ruling.reason
    assert ruling.fix


@pytest.mark.parametrize("reason", ["x" * 501, "half a \ud800 character"])
def test_a_reason_that_cannot_be_read_is_refused_and_what_is_shown_of_it_is_bounded(reason: str) -> None:
    ruling = judged("adjust_threshold", 6.0, reason=reason)
    assert ruling.code == "bad-mutation"
    assert len(ruling.mutation.reason) <= 500


def test_only_the_fields_that_count_are_kept() -> None:
    ruling = judged("adjust_threshold", 6.0, drive="x" * 1_000_000)
    assert (ruling.outcome, ruling.mutation.drive) == ("applied", "")
    assert judged("remove_drive", 3.0, "social").mutation.value is None


def test_a_new_drive_has_half_the_weight_where_none_is_named() -> None:
    assert judged("add_drive", None, "writing").mutation.value == 0.5


def test_there_is_a_most_of_drives() -> None:
    full = Drives(drives=(*DRIVES.drives, *(Drive(name=f"own-{n}") for n in range(DRIVES_MAX - len(DRIVES.drives)))))
    assert judged("add_drive", 0.5, "writing", drives=full, is_person=True).code == "drives-too-many"


def test_agents_change_nothing_where_the_person_says_so() -> None:
    rules = replace(RULES, mutations="off")
    assert judged("spike_drive", 1.0, "goals", rules=rules).code == "mutations-off"
    assert judged("adjust_threshold", 6.0, rules=rules, is_person=True).outcome == "applied"


def test_ten_an_hour_by_agents_together() -> None:
    drives = DRIVES
    for minute in range(MUTATIONS_PER_HOUR_MAX):
        drives = after_mutation(drives, NOW - HOUR + (minute + 5) * MINUTE)
    ruling = judged("adjust_threshold", 6.0, drives=drives)
    assert (ruling.code, ruling.fix) == ("mutations-too-many", "Ask again in 5 minutes.")
    assert judged("adjust_threshold", 6.0, drives=drives, is_person=True).outcome == "applied"
    later = judge_mutation(ruling.mutation, drives, RULES, NOW + 6 * MINUTE, is_person=False)
    assert later.outcome == "applied"


def test_a_clock_that_jumps_neither_frees_nor_bars_for_ever() -> None:
    drives = replace(DRIVES, mutated_at=(NOW + 30 * MINUTE,) * MUTATIONS_PER_HOUR_MAX)
    assert judged("adjust_threshold", 6.0, drives=drives).code == "mutations-too-many"
    drives = replace(DRIVES, mutated_at=(NOW + 900 * HOUR,) * MUTATIONS_PER_HOUR_MAX)
    assert judged("adjust_threshold", 6.0, drives=drives).outcome == "applied"


def test_of_ten_thousand_at_once_ten_are_looked_at_and_the_rest_get_one_answer() -> None:
    batch = [Mutation(kind="add_drive", drive=f"drive-{n}", reason="r" * 500) for n in range(10_000)]
    split = taken(batch, DRIVES, RULES, NOW, is_person=False)
    assert split.mutations == tuple(batch[:10])
    assert split.refusal is not None
    assert split.refusal.code == "mutations-too-many"
    assert split.refusal.reason.startswith("9990 changes of 10000")
    drives = DRIVES
    for _ in split.mutations:
        drives = after_mutation(drives, NOW)
    again = taken(batch, drives, RULES, NOW, is_person=False)
    assert again.mutations == ()
    assert again.refusal is not None
    assert len(drives.mutated_at) == MUTATIONS_PER_HOUR_MAX


def test_a_batch_with_room_is_taken_whole() -> None:
    batch = [Mutation(kind="spike_drive", drive="goals", value=1.0)] * 3
    assert taken(batch, DRIVES, RULES, NOW, is_person=False).refusal is None
    assert taken([], DRIVES, RULES, NOW, is_person=False).mutations == ()
    assert taken(batch * 4, DRIVES, replace(RULES, mutations="off"), NOW, is_person=False).mutations == ()
    assert len(taken(batch * 100, DRIVES, RULES, NOW, is_person=True).mutations) == 100


def test_a_protected_drive_keeps_the_weight_to_wake_by() -> None:
    ruling = judged("adjust_weight", 0.05, "goals", drives=_with_weight("goals", 0.6))
    assert ruling.mutation.value == 0.45
    assert "goals, system" in ruling.note


def test_the_threshold_stays_where_a_protected_drive_still_reaches_it() -> None:
    rules = replace(RULES, single_threshold=100.0)
    ruling = judged("adjust_threshold", 6.5, rules=rules, drives=_with_weight("goals", 0.6))
    assert ruling.mutation.value == 6.0


def test_one_that_could_not_wake_before_binds_nobody() -> None:
    ruling = judged("adjust_weight", 0.1, "goals", drives=_with_weight("goals", 0.3))
    assert ruling.mutation.value == 0.1
    rules = replace(RULES, single_threshold=100.0)
    assert judged("adjust_threshold", 6.0, rules=rules, drives=_with_weight("goals", 0.3)).mutation.value == 6.0


def _with_weight(name: str, weight: float) -> Drives:
    return replace(
        DRIVES, drives=tuple(replace(one, weight=weight) if one.name == name else one for one in DRIVES.drives)
    )


VALUES = st.one_of(
    st.none(),
    st.floats(),
    st.floats(0.0, 10.0),
    st.sampled_from([0.0, -1.0, 1e308, 0.05, 9.5, 2.0, 3600.0, 60.0, 30.0]),
)
NAMES = st.sampled_from(["goals", "system", "curiosity", "social", "new", "newer", "newest", "", "two words"])
KINDS = st.sampled_from([*LIMITS, "remove_drive"])
ROWS = st.lists(st.builds(Mutation, kind=KINDS, drive=NAMES, value=VALUES), max_size=80)


WAKING = [RULES, replace(RULES, single_threshold=9.9), replace(RULES, single_threshold=100.0)]


@pytest.mark.slow
@settings(max_examples=50)
@given(ROWS, st.sampled_from(WAKING))
def test_no_row_of_mutations_by_agents_switches_anything_off(row: list[Mutation], rules: DriveRules) -> None:
    _never_off(row, rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", WAKING, ids=lambda rules: f"single-{rules.single_threshold:g}")
def test_nor_does_a_row_of_ten_thousand(rules: DriveRules) -> None:
    chance = Random(15)  # noqa: S311  the same row at each run
    values = [None, 0.0, -1.0, 1e308, math.nan, 0.05, 0.3, 2.0, 9.5, 60.0, 3600.0, 30.0]
    names = ["goals", "system", "curiosity", "social", "new", "newer", "newest", "two words"]
    row = [
        Mutation(
            kind=chance.choice([*LIMITS, "remove_drive"]),
            drive=chance.choice(names),
            value=chance.choice([*values, chance.uniform(0.0, 10.0)]),
        )
        for _ in range(10_000)
    ]
    _never_off(row, rules)


def _never_off(row: list[Mutation], rules: DriveRules) -> None:
    """Approve all that asks: every rule stays within its limits, and a protected drive alone can still wake."""
    drives, at = with_built_in(Drives(), rules), NOW
    for asked in row:
        at += 7 * MINUTE
        ruling = judge_mutation(asked, drives, in_force(rules, drives.tuning), at, is_person=False)
        assert ruling.code != "mutations-too-many"
        drives = after_mutation(drives, at)
        if ruling.outcome != "refused":
            drives, _, _ = applied(drives, ruling.mutation, rules, at, by="agent")
        _holds(drives, in_force(rules, drives.tuning))
        _reach(drives, in_force(rules, drives.tuning))
    for name in PROTECTED:
        _can_wake(drives, in_force(rules, drives.tuning), name, at)


@pytest.mark.slow
@settings(max_examples=50)
@given(ROWS)
def test_not_even_the_person_leaves_the_limits_by_mutations(row: list[Mutation]) -> None:
    drives = DRIVES
    for asked in row:
        ruling = judge_mutation(asked, drives, in_force(RULES, drives.tuning), NOW, is_person=True)
        assert ruling.outcome != "asked"
        if ruling.outcome == "applied":
            drives, _, _ = applied(drives, ruling.mutation, RULES, NOW, by="person")
        _holds(drives, in_force(RULES, drives.tuning))


def _holds(drives: Drives, rules: DriveRules) -> None:
    assert rules.enabled
    assert len(drives.drives) <= DRIVES_MAX
    assert {drive.name for drive in drives.drives} >= PROTECTED
    assert all(_is_within("adjust_weight", drive.weight) for drive in drives.drives)
    assert all(0.0 <= drive.pressure <= rules.pressure_max for drive in drives.drives)
    assert _is_within("adjust_threshold", rules.threshold)
    assert _is_within("adjust_rate", rules.rate_per_min)
    assert _is_within("adjust_cooldown", rules.cooldown_s)
    assert _is_within("adjust_turns_per_hour", rules.turns_per_hour_max)


def _is_within(kind: MutationKind, value: float) -> bool:
    return LIMITS[kind].low <= value <= LIMITS[kind].high


def _reach(drives: Drives, rules: DriveRules) -> None:
    """Each protected drive alone can press as much as one of the thresholds."""
    lids = [one.weight * rules.pressure_max for one in drives.drives if one.name in PROTECTED]
    assert min(lids) >= min(rules.threshold, rules.single_threshold)


def _can_wake(drives: Drives, rules: DriveRules, name: str, now: datetime) -> None:
    """Let one thing stand open in one drive, and nothing anywhere else: it wakes in the end."""
    want = Want(key="one", sensor="git", strength=0.5, says=say("Something is open"), since=now)
    alone = replace(
        drives,
        drives=tuple(replace(one, wants=(want,) if one.name == name else (), at=now) for one in drives.drives),
        woke_at=(),
    )
    moment = next_crossing(alone, rules, now)
    assert moment is not None
    assert evaluate(alone, rules, moment, talked_at=None).wakes


def test_tuning_has_nothing_that_switches_off() -> None:
    assert set(Tuning.__struct_fields__) == {"threshold", "rate_per_min", "cooldown_s", "turns_per_hour_max"}
