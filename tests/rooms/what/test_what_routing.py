from datetime import datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.domain.mind import Mind
from hub.domain.provenance import say
from hub.domain.suggestion import Candidate, Need, Work
from hub.what.routing import RULES, WEIGHTS, Route, RoutingInput, route
from tests.rooms.what.scenes import (
    AFTERNOON,
    CHANNELS,
    COMMAND,
    EVENING,
    MIND,
    ONLY_PLAYBOOKS,
    PLAYBOOK,
    POLICY,
    situation,
)

change = msgspec.structs.replace
IDEA = Candidate(
    reason_key="k",
    signature="s",
    prompt=say("p"),
    reasoning=say("r"),
    kind="k",
    affinity=None,
    urgency=0.5,
    time_relevance=0.5,
    pattern=0.5,
    need=Need(text="n"),
)
FREE = RoutingInput(situation=situation(AFTERNOON), policy=POLICY, mind=MIND, candidate=IDEA)
BUSY = Mind(channel_last_at={channel.name: AFTERNOON - timedelta(minutes=9 - n) for n, channel in enumerate(CHANNELS)})


def where(question: RoutingInput) -> tuple[str, str]:
    found = route(question)
    assert isinstance(found, Route)
    return found.channel.name, found.by


def test_the_rules_stand_in_the_order_of_the_source_document() -> None:
    assert [name for name, _ in RULES] == ["person", "twin", "affinity", "round-robin", "time-of-day"]


def test_the_person_goes_before_the_model_and_the_model_before_the_affinity() -> None:
    code = change(FREE, candidate=change(IDEA, affinity="code"))
    assert where(code) == ("koji-core", "affinity")
    assert where(change(code, twin="garden")) == ("garden", "twin")
    assert where(change(code, twin="garden", person="research")) == ("research", "person")


def test_an_affinity_may_name_a_channel() -> None:
    assert where(change(FREE, candidate=change(IDEA, affinity="garden"))) == ("garden", "affinity")


def test_an_affinity_that_nobody_has_falls_through() -> None:
    assert where(change(FREE, candidate=change(IDEA, affinity="cooking")))[1] == "round-robin"


def test_an_affinity_whose_channel_cannot_do_it_goes_nowhere_where_nobody_can() -> None:
    code = change(FREE, policy=ONLY_PLAYBOOKS, candidate=change(IDEA, affinity="code"))
    assert route(code) is None
    able = change(code, candidate=change(IDEA, affinity="code", work=Work(playbook="run-tests", workspace="/w")))
    assert where(able) == ("koji-core", "affinity")


def test_work_goes_to_another_channel_of_its_affinity_and_then_to_any_that_is_able() -> None:
    books = change(PLAYBOOK, name="books")
    channels = tuple(change(channel, agent="books" if channel.name == "koji-core" else "main") for channel in CHANNELS)
    policy = change(POLICY, channels=channels, agents=(books, COMMAND))
    code = change(FREE, policy=policy, candidate=change(IDEA, affinity="code"))
    assert where(code) == ("chronicle-hub", "round-robin")
    both = tuple(change(one, affinities=(*one.affinities, "code")) if one.name == "garden" else one for one in channels)
    assert where(change(code, policy=change(policy, channels=both))) == ("garden", "affinity")
    named = (change(channels[0], name="code", affinities=()), *both[1:])
    assert where(change(code, policy=change(policy, channels=named))) == ("garden", "affinity")


def test_a_channel_has_rested_after_exactly_one_cycle() -> None:
    last = dict.fromkeys((channel.name for channel in CHANNELS), AFTERNOON)
    last["garden"] = AFTERNOON - timedelta(minutes=30)
    assert where(change(FREE, mind=Mind(channel_last_at=last))) == ("garden", "round-robin")


def test_round_robin_takes_whoever_waited_longest() -> None:
    names = [channel.name for channel in CHANNELS]
    last = {name: AFTERNOON - timedelta(hours=number + 1) for number, name in enumerate(names)}
    assert where(change(FREE, mind=Mind(channel_last_at=last))) == ("garden", "round-robin")
    del last["dream-weaver"]
    assert where(change(FREE, mind=Mind(channel_last_at=last))) == ("dream-weaver", "round-robin")
    assert where(FREE) == ("koji-core", "round-robin")


def test_round_robin_goes_round() -> None:
    last: dict[str, datetime] = {}
    seen = []
    for cycle in range(len(CHANNELS)):
        now = AFTERNOON + timedelta(minutes=30 * cycle)
        name, by = where(change(FREE, situation=situation(now), mind=Mind(channel_last_at=last)))
        assert by == "round-robin"
        last[name] = now
        seen.append(name)
    assert seen == [channel.name for channel in CHANNELS]


def test_when_all_were_triggered_lately_the_time_of_day_weighs() -> None:
    busy = change(FREE, mind=BUSY)
    assert where(change(busy, draw=0.0)) == ("koji-core", "time-of-day")
    assert where(change(busy, draw=0.39)) == ("koji-core", "time-of-day")
    assert where(change(busy, draw=0.41)) == ("chronicle-hub", "time-of-day")
    assert where(change(busy, draw=0.999999)) == ("garden", "time-of-day")


@pytest.mark.slow
@given(st.floats(allow_nan=True, allow_infinity=True))
def test_any_draw_finds_a_channel(draw: float) -> None:
    assert where(change(FREE, mind=BUSY, draw=draw))[1] == "time-of-day"


def test_the_weights_are_kept_over_many_draws() -> None:
    evening = change(
        FREE,
        situation=situation(EVENING),
        mind=Mind(channel_last_at=dict.fromkeys((channel.name for channel in CHANNELS), EVENING)),
    )
    draws = [where(change(evening, draw=number / 1_100))[0] for number in range(1_100)]
    for channel in CHANNELS:
        share = WEIGHTS[channel.affinities[0]]["evening"] / 11
        assert draws.count(channel.name) / 1_100 == pytest.approx(share, abs=0.01)


def test_no_able_channel_no_route() -> None:
    assert route(change(FREE, policy=ONLY_PLAYBOOKS)) is None
    assert route(change(FREE, policy=change(POLICY, channels=()))) is None
    assert route(change(FREE, policy=change(POLICY, agents=()))) is None
