"""A card has the codes of its sentences, as long as it says just those."""

from datetime import UTC, datetime

from msgspec.structs import replace

from hub.domain.plan import CannotPlan, CommitFile, Plan, PlannedCommit, cannot, digest_of
from hub.domain.policy import Policy
from hub.domain.provenance import TaskText, say
from hub.domain.situation import Task
from hub.domain.specialties import OWN, wording_of
from hub.domain.suggestion import Card
from hub.io.api.tasks import view
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.views import prediction_of, runs_of
from tests.conformance.store.samples import card

NOW = datetime(2030, 1, 7, 12, tzinfo=UTC)
POLICY = Policy(zone="Europe/Berlin")
PROMPT = say("Find out why CI{of} fails, and fix it", of="")
REASON = say("The last CI result{branch} is a failure", branch="")


def a_card() -> Card:
    made = card("pred_1")
    told = replace(
        made.proposal,
        prompt=PROMPT.text,
        prompt_worded=PROMPT.worded,
        reasoning=REASON.text,
        reasoning_worded=REASON.worded,
    )
    return replace(made, proposal=told, prompt=PROMPT.text)


def test_a_card_carries_the_codes_of_its_sentences() -> None:
    shown = prediction_of(a_card(), POLICY)
    assert worded(shown.prompt_worded, "", phrases("de")) == "Herausfinden, warum CI fehlschlägt, und es beheben"
    assert worded(shown.reasoning_worded, "", phrases("de")) == "CI ist zuletzt fehlgeschlagen"


def test_what_a_run_is_held_by_and_what_it_commits_is_german() -> None:
    file = CommitFile(path="small.py", became="added", size=8)
    plan = Plan(argv=("git", "commit"), folder="/home/me/shop", commit=PlannedCommit(message="x", files=(file,)))
    shown = runs_of(plan.held(say("bubblewrap: {facts}", facts=say("Pulse's files hidden"))))
    assert shown.summary == "git commit in shop: adds small.py (8 B)"
    assert worded(shown.summary_worded, "", phrases("de")) == "git commit in shop: neu: small.py (8 B)"
    assert worded(shown.containment_worded, "", phrases("de")) == "bubblewrap: Dateien von Pulse verborgen"


def test_what_cannot_be_told_of_a_run_is_german() -> None:
    unclear = runs_of(Plan(argv=("make",)).doubted(say("{name} cannot be read", name="a.mk")))
    assert worded(unclear.unclear_worded, "", phrases("de")) == "a.mk kann nicht gelesen werden"
    assert unclear.unclear == "a.mk cannot be read"
    why = say("No command is given.")
    problem = runs_of(cannot(why))
    assert problem.problem == why.text
    assert worded(problem.problem_worded, "", phrases("de")) == "Es ist kein Befehl angegeben."
    assert digest_of(cannot(why)) == digest_of(CannotPlan(why=why.text))


def test_no_digest_covers_how_a_plan_is_said() -> None:
    doubted = Plan(argv=("make",)).doubted(say("tox sets {name}", name="x"))
    assert digest_of(doubted) == digest_of(replace(doubted, unclear_worded=None)) != digest_of(Plan(argv=("make",)))
    plan = Plan(argv=("make",), folder="/home/me/shop")
    held = plan.held(say("not sandboxed"))
    assert digest_of(held) == digest_of(replace(held, containment_worded=None)) != digest_of(plan)


def test_a_task_that_stands_for_a_card_has_its_code() -> None:
    task = Task(
        id="t1",
        title=TaskText(PROMPT.text),
        status="completed",
        created_at=NOW,
        updated_at=NOW,
        title_worded=PROMPT.worded,
    )
    said = worded(view(task, NOW).title_worded, "", phrases("de"))
    assert said == "Herausfinden, warum CI fehlschlägt, und es beheben"
    assert view(replace(task, title=TaskText("Fix the build")), NOW).title_worded is None


def test_what_a_channel_is_good_at_is_german_unless_the_person_worded_it() -> None:
    assert [one for one in OWN.values() if worded(wording_of(one.text), one.text, phrases("de")) == one.text] == []
    assert wording_of("Roses") is None


def test_other_words_in_their_place_have_none() -> None:
    made = a_card()
    assert prediction_of(replace(made, prompt="Fix the build"), POLICY).prompt_worded is None
    doubted = replace(made.proposal, reasoning=f"{made.proposal.reasoning} It pays.")
    assert prediction_of(replace(made, proposal=doubted), POLICY).reasoning_worded is None


def test_what_holds_something_masked_is_shown_masked() -> None:
    secret = "ghp_" + "a1B2" * 9
    told = say("Find out why this failed, and fix the cause: {ours}", ours=secret)
    proposal = replace(a_card().proposal, prompt=told.text, prompt_worded=told.worded)
    shown = prediction_of(replace(a_card(), prompt=told.text, proposal=proposal), POLICY)
    assert secret not in shown.prompt
    assert shown.prompt_worded is None
