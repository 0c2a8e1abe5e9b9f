"""Which questions of a person's a playbook answers, and which it must leave alone."""

import msgspec
import pytest

from hub.domain.provenance import RepositoryText
from hub.what.wondering import answer_to
from tests.rooms.what.scenes import AFTERNOON, HOUR, quiet_repository, situation

PLAYBOOKS = ("run-tests", "summarise-commits", "stale-branches", "list-todos", "review-work", "dependency-graph")
change = msgspec.structs.replace
PULSE = change(quiet_repository(), playbooks=PLAYBOOKS)
SHOP = change(quiet_repository("/home/mo/shop", "shop"), playbooks=PLAYBOOKS, head_at=AFTERNOON - HOUR)
SCENE = situation(AFTERNOON, PULSE, SHOP)


@pytest.mark.parametrize(
    ("text", "playbook"),
    [
        ("What changed?", "review-work"),
        ("what's new", "review-work"),
        ("What did I change here?", "review-work"),
        ("Where do we stand?", "review-work"),
        ("What is not committed yet?", "review-work"),
        ("What is the status of shop?", "review-work"),
        ("What did I do today?", "summarise-commits"),
        ("What happened today?", "summarise-commits"),
        ("Do the tests pass?", "run-tests"),
        ("Is anything broken?", "run-tests"),
        ("Any TODOs left?", "list-todos"),
        ("Which branches are stale?", "stale-branches"),
        ("What depends on what?", "dependency-graph"),
    ],
)
def test_a_question_is_answered_by_what_tells_it(text: str, playbook: str) -> None:
    found = answer_to(text, SCENE)
    assert found is not None
    assert (found.playbook, found.workspace) == (playbook, SHOP.path)


@pytest.mark.parametrize(
    "text",
    [
        "What changed in the login page?",
        "What did I do last month?",
        "What is the weather?",
        "Does it work?",
        "Should I deploy the new branch?",
        "Change the status",
        "What",
        "?",
        "",
    ],
)
def test_whatever_is_left_over_makes_it_another_question(text: str) -> None:
    assert answer_to(text, SCENE) is None


def test_the_repository_that_is_named_is_meant_or_else_the_one_with_open_work() -> None:
    named = answer_to("What changed in pulse?", SCENE)
    assert named is not None
    assert named.workspace == PULSE.path
    dirty = change(PULSE, to_commit=(RepositoryText("a.py"),))
    found = answer_to("What changed?", situation(AFTERNOON, dirty, SHOP))
    assert found is not None
    assert found.workspace == PULSE.path
