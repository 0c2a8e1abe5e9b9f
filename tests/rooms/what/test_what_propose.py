import math
from datetime import datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.contract.words import Origin, Risk, Source
from hub.domain.episode import Proposed
from hub.domain.mind import Mind
from hub.domain.policy import Agent, Bands, Policy
from hub.domain.provenance import ModelText, RepositoryText
from hub.domain.situation import Situation
from hub.domain.suggestion import Guess
from hub.what import ideas, propose, why_nothing
from tests.rooms.what.scenes import (
    AFTERNOON,
    CHANNELS,
    COMMAND,
    EVENING,
    HOUR,
    MIND,
    MORNING,
    ONLY_PLAYBOOKS,
    PLAYBOOK,
    POLICY,
    answered,
    meeting,
    modules,
    quiet_repository,
    situation,
    task,
)

change = msgspec.structs.replace
DAY = timedelta(days=1)
REPOSITORY = change(
    quiet_repository("/home/mo/pulse-gateway-api", "pulse-gateway-api"),
    changed_modules=modules("src/api", "src/store"),
    last_test_run_at=AFTERNOON - 2 * HOUR,
)
SCENE = situation(AFTERNOON, REPOSITORY)
VITEST = "Run vitest on pulse-gateway-api — 2 test files changed since last run"


def guess(prompt: str, confidence: float = 0.9, channel: str = "koji-core") -> Guess:
    return Guess(
        prompt=ModelText(prompt),
        channel=channel,
        confidence=confidence,
        reasoning=ModelText("afternoon pattern"),
        model="twin",
    )


def ask(
    scene: Situation = SCENE,
    policy: Policy = POLICY,
    mind: Mind = MIND,
    known: dict[str, str] | None = None,
    said: Guess | None = None,
) -> Proposed | None:
    return propose(scene, policy, mind, known=known or {}, open_keys=(), guesses=() if said is None else (said,))


def remembered(choice: Proposed | None) -> dict[str, str]:
    assert choice is not None
    return {choice.proposal.reason_key: choice.proposal.signature}


def test_phase_0_shows_a_card_at_a_fixed_confidence() -> None:
    choice = ask()
    assert choice is not None
    proposal = choice.proposal
    assert proposal.prompt == "Run the tests of pulse-gateway-api: the code has changed"
    assert (proposal.repository, proposal.branch) == ("pulse-gateway-api", "main")
    assert (proposal.channel, proposal.agent, proposal.routed_by) == ("koji-core", "built-in", "affinity")
    assert proposal.confidence == 0.4
    assert proposal.factors.twin is None
    assert proposal.source is Source.TEMPLATE
    assert proposal.cost_estimate_microusd == 0  # a playbook asks no model
    assert choice.ideas == 1


def test_with_nothing_worth_doing_it_is_silent() -> None:
    assert ask(situation(AFTERNOON, quiet_repository(), tasks=(), meetings=(), conversations=())) is None


@pytest.mark.parametrize(
    ("playbooks", "last_run", "is_said"),
    [((), AFTERNOON - HOUR, True), (("run-tests",), AFTERNOON - HOUR, False), ((), None, False)],
)
def test_how_tests_are_run_is_asked_only_where_there_are_some_that_nobody_could_run(
    playbooks: tuple[str, ...], last_run: datetime | None, *, is_said: bool
) -> None:
    seen = change(REPOSITORY, playbooks=playbooks, last_test_run_at=last_run)
    said = why_nothing(None, situation(AFTERNOON, seen))
    assert ("[tool.pulse]" in said) is is_said
    assert ("tests" in said) is is_said


def test_an_identical_second_cycle_proposes_nothing() -> None:
    known = remembered(ask())
    assert ask(known=known) is None
    assert ask(situation(AFTERNOON + 5 * HOUR, REPOSITORY), known=known) is None


def test_a_pending_card_is_not_made_again_even_for_a_new_reason() -> None:
    (key,) = remembered(ask())
    assert propose(SCENE, POLICY, MIND, known={}, open_keys={key}) is None


def test_after_the_tests_ran_a_new_change_is_a_new_reason() -> None:
    known = remembered(ask())
    ran = change(REPOSITORY, changed_modules=(), last_test_run_at=AFTERNOON, last_test_run_passed=True)
    assert ask(situation(AFTERNOON + HOUR, ran), known=known) is None
    edited = change(ran, changed_modules=modules("src/api"))
    assert ask(situation(AFTERNOON + 2 * HOUR, edited), known=known) is not None


def test_the_best_idea_wins_and_the_others_are_counted() -> None:
    red = change(REPOSITORY, ci="failed")
    choice = ask(situation(AFTERNOON, red, meetings=(meeting(HOUR / 2),)))
    assert choice is not None
    assert choice.proposal.kind == "fix-ci"
    assert choice.ideas == 3
    rejected = ask(situation(AFTERNOON, red, meetings=(meeting(HOUR / 2),)), mind=answered("fix-ci", 0, 5))
    assert rejected is not None
    assert rejected.proposal.kind == "prepare-meeting"


def test_the_higher_risk_of_idea_and_channel_counts() -> None:
    risky = tuple(change(channel, risk=Risk.HIGH) for channel in CHANNELS)
    choice = ask(policy=change(POLICY, channels=risky))
    assert choice is not None
    assert choice.proposal.risk is Risk.HIGH
    ahead = change(quiet_repository(), unpushed=2)
    pushed = ask(situation(AFTERNOON, ahead))
    assert pushed is not None
    assert pushed.proposal.risk is Risk.MEDIUM


def test_work_that_no_agent_can_do_is_not_proposed() -> None:
    red = change(REPOSITORY, ci="failed")
    choice = ask(situation(AFTERNOON, red), ONLY_PLAYBOOKS)
    assert choice is not None
    assert choice.proposal.kind == "run-tests"
    assert ask(situation(AFTERNOON, tasks=(task(age=3 * DAY),)), ONLY_PLAYBOOKS) is None
    assert ask(situation(AFTERNOON, change(REPOSITORY, playbooks=())), ONLY_PLAYBOOKS) is None


def test_without_channels_there_is_silence() -> None:
    assert ask(policy=change(POLICY, channels=())) is None


def test_a_playbook_is_done_by_the_agent_for_playbooks_whatever_agent_its_channel_has() -> None:
    for agents, name in (((), "built-in"), ((Agent(name="own", kind="playbook"),), "own")):
        choice = ask(policy=change(POLICY, agents=(Agent(name="main", kind="command", argv=("claude",)), *agents)))
        assert choice is not None
        assert (choice.proposal.work.playbook, choice.proposal.agent) == ("run-tests", name)
        assert choice.proposal.need.tests == "itself"


def test_the_band_for_showing_is_a_border_that_belongs_to_the_card() -> None:
    assert ask(policy=change(POLICY, bands=Bands(show=0.4))) is not None
    assert ask(policy=change(POLICY, bands=Bands(show=0.4001))) is None


def test_a_routine_that_is_always_rejected_ends() -> None:
    scene = situation(MORNING, tasks=(task(age=HOUR),))
    plan = ask(scene)
    assert plan is not None
    assert plan.proposal.kind == "plan-day"
    assert plan.proposal.routed_by == "round-robin"
    assert ask(scene, mind=answered("plan-day", 0, 3)) is None


def test_a_template_only_comes_when_nothing_else_is_left() -> None:
    scene = situation(MORNING, tasks=(task(age=2 * DAY),))
    first = ask(scene)
    assert first is not None
    assert first.proposal.kind == "stale-task"
    second = ask(scene, known=remembered(first))
    assert second is not None
    assert second.proposal.kind == "plan-day"


# A model's guess


def test_appendix_a_084_runs_the_tests() -> None:
    """0.4 * 0.925 + 0.25 * 0.8 + 0.2 * 0.6 + 0.15 * 1.0 = 0.84."""
    choice = ask(mind=answered("run-tests", 3), said=guess(VITEST, 0.925))
    assert choice is not None
    proposal = choice.proposal
    assert proposal.confidence == 0.84
    assert proposal.prompt == "Run the tests of pulse-gateway-api: the code has changed"
    assert proposal.reasoning.endswith("The model: “afternoon pattern”")
    assert (proposal.origin, proposal.quotes) == (Origin.CHOSEN, ())
    assert proposal.kind == "run-tests"
    assert proposal.source is Source.TWIN
    assert (proposal.channel, proposal.routed_by) == ("koji-core", "twin")
    assert proposal.work.playbook == "run-tests"
    assert remembered(choice) == remembered(ask())


def test_appendix_a_052_updates_the_document() -> None:
    """0.4 * 0.65 + 0.25 * 0.5 + 0.2 * 0.3 + 0.15 * 0.5 = 0.52."""
    choice = ask(said=guess("Update CROSSPOLL-SPEC.md with test results", 0.65, "chronicle-hub"))
    assert choice is not None
    assert choice.proposal.confidence == 0.52
    assert choice.proposal.channel == "chronicle-hub"
    assert choice.proposal.kind == "twin"
    assert choice.proposal.work.playbook is None


def test_appendix_a_041_asks_about_the_shop() -> None:
    """0.4 * 0.375 + 0.25 * 0.5 + 0.2 * 0.3 + 0.15 * 0.5 = 0.41."""
    prompt = "Check Shopify inventory levels for Serenity Soother"
    choice = ask(said=guess(prompt, 0.375, "research"))
    assert choice is not None
    assert choice.proposal.confidence == 0.41
    assert choice.proposal.channel == "research"


def test_a_guess_that_rates_too_low_is_no_card() -> None:
    assert ask(said=guess("Check Shopify inventory levels", 0.05)) is None


def test_a_guess_without_a_signal_never_reaches_the_band_of_acting() -> None:
    choice = ask(mind=answered("twin", 10_000), said=guess("Tidy the shed", 1.0))
    assert choice is not None
    assert choice.proposal.confidence < POLICY.bands.auto_execute


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -0.01, 1.01])
def test_a_bad_confidence_makes_a_bad_guess(number: float) -> None:
    choice = ask(said=guess(VITEST, number))
    assert choice == ask()


@pytest.mark.parametrize("text", ["", "  \n ", "\u200b\u202e"])
def test_a_guess_without_text_is_a_bad_guess(text: str) -> None:
    assert ask(said=guess(text)) == ask()


def test_a_suppressed_guess_leaves_the_ideas_of_the_signals() -> None:
    first = ask(said=guess("Tidy the shed"))
    second = ask(said=guess("Tidy the shed"), known=remembered(first))
    assert second == ask()
    matched = ask(said=guess(VITEST), known=remembered(ask()))
    assert matched is None


def test_a_guess_is_new_again_when_the_world_has_moved_on() -> None:
    known = remembered(ask(said=guess("Tidy 3 sheds")))
    same = situation(AFTERNOON + HOUR, change(REPOSITORY, uncommitted=(RepositoryText("a.py"),)))
    assert remembered(ask(same, said=guess("tidy the 4 sheds"), known=known)) != known
    committed = situation(AFTERNOON + HOUR, change(REPOSITORY, head="c0ffee2"))
    renewed = ask(committed, said=guess("tidy the 4 sheds"), known=known)
    assert renewed is not None
    assert renewed.proposal.source is Source.TWIN


def test_an_unregistered_channel_of_a_guess_is_ignored() -> None:
    matched = ask(said=guess(VITEST, channel="rm -rf"))
    assert matched is not None
    assert (matched.proposal.channel, matched.proposal.routed_by) == ("koji-core", "affinity")
    free = ask(said=guess("Tidy the shed", channel="moon"))
    assert free is not None
    assert free.proposal.routed_by == "round-robin"


def test_a_guess_is_cleaned() -> None:
    choice = ask(said=guess("Tidy\u202e the\x00 shed\n" + "x" * 9_000))
    assert choice is not None
    assert choice.proposal.prompt.startswith("Tidy the shed\nx")
    assert len(choice.proposal.prompt) <= 4_000


def test_a_guess_that_only_an_agent_could_do_is_dropped_without_one() -> None:
    assert ask(policy=ONLY_PLAYBOOKS, said=guess("Tidy the shed")) == ask(policy=ONLY_PLAYBOOKS)


# A person's hint and channel


def hinted(hint: str, channel: str | None = None, policy: Policy = POLICY, scene: Situation = SCENE) -> Proposed | None:
    return propose(scene, policy, MIND, known={}, open_keys=(), channel=channel, hint=hint)


def test_a_hint_is_proposed_in_the_persons_words() -> None:
    choice = hinted("  Brainstorm three names for the shop ", "dream-weaver")
    assert choice is not None
    proposal = choice.proposal
    assert proposal.prompt == "Brainstorm three names for the shop"
    assert (proposal.kind, proposal.channel, proposal.routed_by) == ("hint", "dream-weaver", "person")
    assert proposal.source is Source.TEMPLATE
    assert proposal.confidence == 0.4


def test_a_hint_without_a_channel_goes_round() -> None:
    choice = hinted("Brainstorm three names for the shop")
    assert choice is not None
    assert choice.proposal.routed_by == "round-robin"


def test_a_hint_may_be_given_again_but_not_while_it_is_pending() -> None:
    choice = hinted("Brainstorm names")
    known = remembered(choice)
    again = propose(SCENE, POLICY, MIND, known=known, open_keys=(), hint="Brainstorm names")
    assert again == choice
    assert propose(SCENE, POLICY, MIND, known={}, open_keys=tuple(known), hint="Brainstorm names") is None


def test_a_hint_uses_the_playbook_that_does_just_that() -> None:
    choice = hinted("run the tests", policy=ONLY_PLAYBOOKS)
    assert choice is not None
    assert choice.proposal.work.playbook == "run-tests"
    idle = hinted("run the tests", "koji-core", ONLY_PLAYBOOKS, situation(AFTERNOON, quiet_repository()))
    assert idle is not None
    assert idle.proposal.work.playbook == "run-tests"
    assert hinted("run the tests and deploy", policy=ONLY_PLAYBOOKS) is None


def test_a_blank_hint_is_none() -> None:
    assert hinted("   ") == ask()


def test_an_unknown_channel_gets_nothing() -> None:
    assert hinted("Brainstorm names", "moon") is None
    assert propose(SCENE, POLICY, MIND, known={}, open_keys=(), channel="moon") is None


def test_a_person_who_asks_one_channel_gets_what_suits_it() -> None:
    red = change(REPOSITORY, ci="failed")
    scene = situation(EVENING, change(red, commits_today=3))
    docs = propose(scene, POLICY, MIND, known={}, open_keys=(), channel="chronicle-hub")
    assert docs is not None
    assert (docs.proposal.kind, docs.proposal.routed_by) == ("summarise-commits", "person")
    assert propose(SCENE, POLICY, MIND, known={}, open_keys=(), channel="garden") is None


def test_a_mixed_registry_sends_free_work_only_where_it_can_be_done() -> None:
    agents = (change(PLAYBOOK, name="books"), COMMAND)
    channels = tuple(change(channel, agent="main" if channel.name == "research" else "books") for channel in CHANNELS)
    choice = ask(situation(AFTERNOON, tasks=(task(age=3 * DAY),)), Policy(channels=channels, agents=agents))
    assert choice is not None
    assert choice.proposal.channel == "research"


@pytest.mark.slow
@given(
    number=st.floats(allow_nan=True, allow_infinity=True),
    approved=st.integers(0, 10_000),
    rejected=st.integers(0, 10_000),
    prompt=st.sampled_from([VITEST, "Tidy the shed", "Run the tests and deploy"]),
    hour=st.integers(0, 23),
    show=st.floats(0, 1),
)
def test_a_confidence_is_always_0_to_1_and_never_below_the_band(
    *, number: float, approved: int, rejected: int, prompt: str, hour: int, show: float
) -> None:
    mind = Mind(tallies=answered("run-tests", approved, rejected).tallies | answered("twin", approved).tallies)
    scene = situation(AFTERNOON.replace(hour=hour), REPOSITORY)
    choice = ask(scene, change(POLICY, bands=Bands(show=show)), mind, said=guess(prompt, number))
    if choice is not None:
        assert show <= choice.proposal.confidence <= 1
        parts = choice.proposal.factors
        assert all(0 <= part <= 1 for part in (parts.twin or 0.0, parts.pattern, parts.urgency, parts.time))


@pytest.mark.slow
@given(st.data())
def test_cycles_on_an_unchanged_world_fall_silent(data: st.DataObject) -> None:
    repository = change(
        REPOSITORY,
        commits_today=data.draw(st.integers(0, 9)),
        ci=data.draw(st.sampled_from(["failed", "passed"])),
        unpushed=data.draw(st.integers(0, 9)),
    )
    ages = data.draw(st.lists(st.integers(1, 400), max_size=4))
    tasks = tuple(task(f"t{number}", age=age * HOUR) for number, age in enumerate(ages))
    scene = situation(data.draw(st.sampled_from([MORNING, AFTERNOON, EVENING])), repository, tasks=tasks)
    known: dict[str, str] = {}
    for _ in range(len({idea.reason_key for idea in ideas(scene, MIND)})):
        choice = ask(scene, known=known)
        assert choice is not None
        assert choice.proposal.reason_key not in known
        known |= remembered(choice)
    assert ask(scene, known=known) is None
