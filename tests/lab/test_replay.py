import json
from datetime import UTC, datetime, timedelta

import pytest

from hub.contract.words import Verb
from hub.domain.likelihood import Features
from hub.domain.moment import Change
from hub.domain.policy import Agent, Channel, Policy
from hub.domain.provenance import RepositoryText
from hub.domain.readings import GitReading
from hub.domain.suggestion import Card
from hub.lab.replay import BadTraceError, TraceEvent, read_history, read_observed, read_trace, report_of
from hub.lab.replay.contenders import CONTENDERS
from hub.lab.replay.days import RESAMPLES, Costs, DayCount, bounded, drawn, fewer, measures, total
from hub.lab.replay.dice import chance, draws
from hub.lab.replay.recorded_work import RecordedWork
from hub.lab.replay.rehearsal import Rehearsal
from hub.lab.replay.trace import REPOSITORIES_MAX, in_order
from hub.loop import State

NINE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def event(minutes: float, what: str, **more: object) -> TraceEvent:
    return TraceEvent(at=NINE + minutes * MINUTE, what=what, repository="shop", **more)  # type: ignore[arg-type]  # the test names fields


def a_day(day: int = 0) -> tuple[TraceEvent, ...]:
    start = day * 24 * 60
    return (
        event(start, "edit", files=("core/a.py",)),
        event(start + 5, "edit", files=("web/b.py", "jobs/c.py")),
        event(start + 30, "tests", passed=True),
        event(start + 50, "commit"),
        event(start + 150, "upstream", commits=3),
    )


def a_state() -> State:
    agent = Agent(name="anybody", kind="command", argv=("replay",))
    channel = Channel(name="code", specialty="code", agent="anybody", affinities=("code",))
    policy = Policy(agents=(agent,), channels=(channel,))
    return State(user="me", secret=b"s", file_policy=policy, policy=policy, profiles={})


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def test_chance_is_the_same_each_time_and_even() -> None:
    assert chance("by kind", "x") == chance("by kind", "x") != chance("by kind", "y")
    counts = [0] * 10
    for _, number in zip(range(5_000), draws(10, "seed"), strict=False):
        counts[number] += 1
    assert all(400 < count < 600 for count in counts)


def test_a_trace_is_read_by_the_clock_on_the_wall() -> None:
    content = b"\n" + line(at="2026-03-02T09:10:00+05:00", what="edit", repository="shop", files=["a.py"]) + b"\n"
    assert read_trace(content, "t.jsonl")[0].at == datetime(2026, 3, 2, 9, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b"\xff",
        b"[" * 100_000,
        line(at="2026-03-02T09:10:00", what="dance"),
        line(at="yesterday", what="here"),
        line(at="2026-03-02T09:10:00", what="edit"),
        line(at="2026-03-02T09:10:00", what="here", more=1),
        line(at="2026-03-02T09:10:00", what="upstream", repository="shop", commits=0),
        line(at="2026-03-02T09:10:00", what="edit", repository="shop", files=["a"] * 51),
    ],
)
def test_a_bad_line_is_named(bad: bytes) -> None:
    good = line(at="2026-03-02T09:10:00", what="here")
    with pytest.raises(BadTraceError, match=r"Line 2 of t\.jsonl") as found:
        read_trace(good + b"\n" + bad, "t.jsonl")
    assert found.value.code == "bad-trace"


def test_only_the_latest_days_are_replayed_and_nothing_is_an_error() -> None:
    assert {one.at.day for one in in_order((*a_day(0), *a_day(1), *a_day(2)), 2)} == {3, 4}
    with pytest.raises(BadTraceError, match="nothing to replay"):
        in_order((), 30)
    crowd = tuple(TraceEvent(at=NINE, what="commit", repository=f"r{n}") for n in range(REPOSITORIES_MAX + 1))
    with pytest.raises(BadTraceError, match="more than"):
        in_order(crowd, 30)


def test_a_history_tells_commits_and_what_was_saved_before_them() -> None:
    log = "\x1e2026-03-03T17:00:00+01:00\n\nb.py\n\x1e2026-03-02T10:00:00+01:00\n\nsrc/a.py\nREADME.md\n\x1e2026-03-0"
    events = read_history(log, "shop")
    assert [one.what for one in events] == ["edit", "edit", "commit", "push", "edit", "commit", "push"]
    assert [one.files for one in events[:2]] == [("src/a.py",), ("README.md",)]
    assert events[2].at == datetime(2026, 3, 2, 10, 0, tzinfo=UTC)
    assert all(one.at < events[2].at for one in events[:2])
    assert read_history("", "shop") == ()


def test_published_traces_are_read_without_what_the_person_answered() -> None:
    moment = {
        "observation": {"time": "1717377997.5", "event": "The user opens a file."},
        "agent_response": {"candidate_task": ["Explain the file", "Format it"]},
    }
    one = read_observed(json.dumps([moment | {"task_status": True}]).encode(), "trace_1.json")
    other = read_observed(json.dumps([moment | {"task_status": False}]).encode(), "trace_1.json")
    assert one == other
    assert [(each.what, each.text) for each in one][1] == ("foreseen", "Explain the file")
    for bad in (b"{}", b'[{"observation": {"time": "soon", "event": ""}}]', b"[" * 100_000):
        with pytest.raises(BadTraceError, match=r"trace_1\.json"):
            read_observed(bad, "trace_1.json")


def test_the_workplace_follows_the_trace() -> None:
    work = RecordedWork()
    changes = [work.take(one) for one in a_day()[:2]]
    assert changes == [Change.EDIT, Change.EDIT]
    body = work.readings(NINE, None)["git"].body
    assert isinstance(body, GitReading)
    (shop,) = body.repositories
    assert len(shop.changed_modules) == 3
    assert shop.uncommitted_since == NINE
    for one in a_day()[2:]:
        work.take(one)
    body = work.readings(NINE, None)["git"].body
    assert isinstance(body, GitReading)
    (shop,) = body.repositories
    assert (shop.changed_modules, shop.uncommitted, shop.unpushed, shop.behind) == ((), (), 1, 3)
    assert shop.name == RepositoryText("shop")


class YesSayer:
    """Says yes to all that it is told, and notes when."""

    def __init__(self) -> None:
        self.made_at: dict[str, datetime] = {}
        self.told_at: dict[str, datetime] = {}
        self.kinds: list[str] = []
        self.interruptions = 0

    def made(self, rehearsal: Rehearsal, card: Card) -> None:
        self.made_at[card.id] = rehearsal.now
        self.kinds.append(card.proposal.kind)

    def told(self, rehearsal: Rehearsal, card: Card, *, is_heard: bool) -> None:
        assert card.held is None
        assert rehearsal.told_at_once >= 1
        self.told_at[card.id] = rehearsal.now
        rehearsal.answer(card, Verb.APPROVE, MINUTE if is_heard else 60 * MINUTE)

    def interrupted(self, rehearsal: Rehearsal) -> None:
        assert rehearsal.state.mind.spent.interruptions
        self.interruptions += 1


@pytest.mark.slow
def test_the_loop_itself_says_what_there_is_to_say_and_when() -> None:
    sayer = YesSayer()
    rehearsal = Rehearsal(a_state(), a_day(), sayer)
    rehearsal.play()
    assert sayer.kinds[0] == "run-tests"
    assert "catch-up" in sayer.kinds
    assert sayer.told_at.keys() <= sayer.made_at.keys()
    assert all(at >= sayer.made_at[card_id] > NINE for card_id, at in sayer.told_at.items())
    assert 0 < sayer.interruptions <= len(sayer.told_at)
    assert rehearsal.state.habits.model.answers == len(sayer.told_at)


def test_plain_rules_learn_no_more_than_they_say() -> None:
    about = Features(kind="push-work", reason="push-work:shop", channel="code", at=NINE, hour=9.0, weekday=0)
    rules = {name: make() for name, make in CONTENDERS.items()}
    assert [rules[name].chance(about) for name in CONTENDERS] == [1.0, 0.0, 0.4, 1.0, 0.5]
    for rule in rules.values():
        rule.hear(about, yes=False)
    assert [rules[name].chance(about) for name in CONTENDERS] == [1.0, 0.0, 0.4, 0.0, 1 / 3]


def test_figures_follow_from_days() -> None:
    bands = ((0.0, 0, 0),) * 9 + ((4.5, 3, 5),)
    days = [
        DayCount(
            offered=5,
            wanted=4,
            found=3,
            shown=5,
            interruptions=4,
            yes=3,
            noes=1,
            silent_noes=1,
            least=1.0,
            squared=1.25,
            bands=bands,
        ),
        DayCount(offered=1, wanted=1),
    ]
    costs = Costs(needless=1.0, missed=2.0)
    found = {name: of(total(days), 2) for name, of in measures(costs).items()}
    assert found == {
        "precision": 0.6,
        "recall": 0.6,
        "interruptions_a_day": 2.0,
        "ece": pytest.approx(0.3),
        "brier": 0.25,
        "cost_a_day": 2.55,
        "regret_a_day": 2.05,
    }
    assert measures(costs)["precision"](DayCount(), 1) is None
    assert all(len(one) == 2 for one in drawn(2))
    assert len(drawn(2)) == RESAMPLES
    figure = bounded(0.5, [None, *(number / 100 for number in range(100))])
    assert (figure.low, figure.high) == (0.02, 0.97)
    assert bounded(None, [0.5]).low is None


def test_interruptions_are_compared_at_equal_recall() -> None:
    pulse = DayCount(wanted=10, found=6, yes=8, interruptions=3)
    asking = DayCount(wanted=10, found=10, yes=10, interruptions=20)
    assert fewer(pulse, asking, lambda day: day.found) == pytest.approx(0.75)  # 3 against 12, at a recall of 0.6
    assert fewer(asking, pulse, lambda day: day.found) == pytest.approx(-3.0)
    assert fewer(pulse, asking, lambda day: day.yes) == pytest.approx(1 - 3 / 16)
    assert fewer(DayCount(), asking, lambda day: day.found) is None
    assert fewer(pulse, DayCount(interruptions=5), lambda day: day.found) is None


@pytest.mark.slow
def test_a_replay_says_the_same_each_time_and_weighs_pulse_by_the_same_answers() -> None:
    trace = tuple(one for day in range(3) for one in a_day(day))
    report = report_of(a_state(), trace)
    assert report == report_of(a_state(), tuple(reversed(trace)))
    assert (report.events, report.days, report.repositories) == (15, 3, ("shop",))
    for person in (*report.persons, report.everybody):
        by_name = {one.contender: one for one in person.contenders}
        assert by_name["always-ask"].said == person.offered
        assert by_name["always-ask"].yes == person.wanted
        assert by_name["never-ask"].said == 0
        assert by_name["never-ask"].figures["precision"].value is None
        assert by_name["pulse"].said >= 1
