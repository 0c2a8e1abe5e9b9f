"""Deployments that wait at GitHub: what the card says, when it comes, and when it has passed."""

import msgspec
import pytest

from hub.contract.words import Origin, Risk
from hub.domain.provenance import CiText
from hub.domain.situation import Deployment, Repository
from hub.domain.suggestion import Candidate
from hub.what import has_passed, ideas, propose
from tests.rooms.what.scenes import AFTERNOON, MIND, ONLY_PLAYBOOKS, POLICY, quiet_repository, situation

change = msgspec.structs.replace
SHA = "c0ffee" + "0" * 34
ONE = Deployment(
    repository="acme/shop",
    run=77,
    attempt=1,
    commit=SHA,
    environment=CiText("production"),
    environment_id=5,
    branch=CiText("main"),
    workflow=CiText("Release"),
    title=CiText("Faster carts"),
    actor=CiText("ada"),
    fork=CiText(""),
)
PLAYBOOKS = ("approve-deployment", "reject-deployment")


def repository(*waiting: Deployment, **more: object) -> Repository:
    return change(quiet_repository(), playbooks=PLAYBOOKS, deployments=waiting, **more)


def found(*waiting: Deployment, **more: object) -> dict[str, Candidate]:
    return {idea.kind: idea for idea in ideas(situation(AFTERNOON, repository(*waiting, **more)), MIND)}


def test_the_card_says_exactly_what_would_go_where() -> None:
    made = propose(situation(AFTERNOON, repository(ONE)), POLICY, MIND, known={}, open_keys=())
    assert made is not None
    card = made.proposal
    assert card.prompt == f"Approve the deployment of shop to «production», commit {SHA[:12]}"
    assert (card.work.playbook, card.work.args) == (
        "approve-deployment",
        ("acme/shop", "77", "1", SHA, "5", "production"),
    )
    assert SHA in card.reasoning
    assert f"Environment: production\nCommit: {SHA}\nBranch: main\nStarted by: ada" in card.details
    assert (card.risk, card.origin) == (Risk.HIGH, Origin.WORLD), "it never runs without a yes"


def test_a_no_leaves_it_waiting_and_a_wish_rejects_it() -> None:
    scene = situation(AFTERNOON, repository(ONE))
    approve = found(ONE)["approve-deployment"]
    known = {approve.reason_key: approve.signature}
    assert propose(scene, ONLY_PLAYBOOKS, MIND, known=known, open_keys=()) is None
    made = propose(
        scene, ONLY_PLAYBOOKS, MIND, known=known, open_keys=(), hint="Reject the deployment to production", asked=True
    )
    assert made is not None
    assert (made.proposal.work.playbook, made.proposal.work.args[1]) == ("reject-deployment", "77")
    assert made.proposal.prompt == f"Reject the deployment of shop to «production», commit {SHA[:12]}"
    assert (made.proposal.origin, made.proposal.risk) == (Origin.WORLD, Risk.MEDIUM)
    assert SHA in made.proposal.details
    wish = "Approve the deployment to production"
    assert propose(scene, POLICY, MIND, known={}, open_keys=(approve.reason_key,), hint=wish, asked=True) is None


@pytest.mark.parametrize(
    "hint",
    [
        "Approve and deploy the deployment to production",
        "Deployment to production",
        "Approve the deployment to staging",
        "Reject the deployment of other",
    ],
)
def test_other_words_answer_no_deployment(hint: str) -> None:
    made = propose(situation(AFTERNOON, repository(ONE)), POLICY, MIND, known={}, open_keys=(), hint=hint, asked=True)
    assert made is None or made.proposal.work.playbook is None


def test_a_wish_finds_the_environment_that_it_names() -> None:
    both = repository(ONE, change(ONE, environment=CiText("staging"), environment_id=6))
    for name, identity in (("staging", "6"), ("production", "5")):
        wish = f"reject the deployment to {name}"
        made = propose(situation(AFTERNOON, both), POLICY, MIND, known={}, open_keys=(), hint=wish, asked=True)
        assert made is not None
        assert made.proposal.work.args[4:] == (identity, name)


def test_a_commit_from_elsewhere_is_said() -> None:
    assert (
        "from another repository, mallory/shop"
        in found(change(ONE, fork=CiText("mallory/shop")))["approve-deployment"].reasoning.text
    )


@pytest.mark.parametrize("name", ["", "prod\u202euction", "production\n", "p" * 81, "staging »x"])
def test_an_environment_that_cannot_be_shown_to_the_letter_is_left_alone(name: str) -> None:
    shown = found(change(ONE, environment=CiText(name)))
    assert (shown == {}) is (name != "staging »x")
    for idea in shown.values():
        assert idea.prompt.text.count("»") == 1, "it cannot end its own quotation"


def test_no_agent_is_handed_a_deployment() -> None:
    assert ideas(situation(AFTERNOON, change(repository(ONE), playbooks=())), MIND) == ()


def test_it_has_passed_once_github_says_so_and_not_before() -> None:
    made = propose(situation(AFTERNOON, repository(ONE)), POLICY, MIND, known={}, open_keys=())
    assert made is not None

    def passed(now: Repository) -> bool:
        scene = situation(AFTERNOON, now)
        return has_passed(made.proposal, ideas(scene, MIND), scene)

    assert not passed(repository(ONE))
    assert not passed(change(repository(), deployments=None)), "nothing is known for a moment after a start"
    assert passed(repository())
    assert passed(repository(change(ONE, attempt=2))), "another attempt is a matter of its own"
