"""Pull requests, from a stand-in for GitHub's program that answers what it would."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hub.domain.situation import PullRequest
from hub.io.sensors.pull_requests import ASK_EVERY, PullRequestReader
from hub.sense.pull_requests import github_name, pull_requests
from tests.fakes.plain_words import plain

NOW = datetime(2026, 6, 10, 12, 0, tzinfo=UTC)
ADDRESS = "git@github.com:acme/shop.git"


def listed(number: int, **more: object) -> dict[str, object]:
    said = {"number": number, "title": f"Title {number}", "isDraft": False, "mergeable": "MERGEABLE"}
    return {**said, "reviewDecision": "", "statusCheckRollup": [], **more}


def stand_in(folder: Path, mine: object, review: object, code: int = 0) -> str:
    """A gh that notes how it was asked."""
    for name, answer in (("mine", mine), ("review", review)):
        (folder / f"{name}.json").write_text(json.dumps(answer))
    program = folder / "gh"
    program.write_text(
        f'#!/bin/sh\necho "$@" >> {folder}/asked\ncase "$*" in *review-requested*) cat {folder}/review.json;;'
        f" *) cat {folder}/mine.json;; esac\nexit {code}\n"
    )
    program.chmod(0o700)
    return str(program)


async def test_what_is_told_and_how_often_it_is_asked(tmp_path: Path) -> None:
    mine = [listed(1, statusCheckRollup=[{"conclusion": "FAILURE"}]), listed(2, reviewDecision="APPROVED")]
    reader = PullRequestReader(tmp_path, stand_in(tmp_path, mine, [listed(3)]))
    assert reader.read(ADDRESS, NOW) is None, "nothing waits for the network"
    await reader.settled()
    found = reader.read(ADDRESS, NOW + timedelta(seconds=1))
    assert found is not None
    assert [(each.number, each.checks, each.can_merge, each.is_mine) for each in found] == [
        (1, "failed", False, True),
        (2, "none", True, True),
        (3, "none", False, False),
    ]
    asked = (tmp_path / "asked").read_text().splitlines()
    assert len(asked) == 2
    assert asked[0].startswith("pr list --repo github.com/acme/shop --state open --author @me")
    reader.read(ADDRESS, NOW + ASK_EVERY)
    await reader.close()


async def test_a_failing_answer_keeps_what_was_known_and_another_place_is_not_asked_about(tmp_path: Path) -> None:
    reader = PullRequestReader(tmp_path, stand_in(tmp_path, [listed(1)], [], code=1))
    reader.read(ADDRESS, NOW)
    await reader.settled()
    assert reader.read(ADDRESS, NOW) is None
    (tmp_path / "asked").unlink()
    other = PullRequestReader(tmp_path, str(tmp_path / "gh"))
    other.read("https://example.org/acme/shop.git", NOW)
    await other.settled()
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/acme/shop", "acme/shop"),
        ("https://github.com/acme/shop.git", "acme/shop"),
        ("https://user:key@github.com/acme/shop.git", "acme/shop"),
        ("git@github.com:acme/shop.git", "acme/shop"),
        ("ssh://git@github.com/acme/shop.js.git", "acme/shop.js"),
        ("https://github.com.example.org/acme/shop", ""),
        ("https://github.com/acme/shop/../../x", ""),
        ("https://github.com/acme/..", ""),
        ("--upload-pack=x github.com/a/b", ""),
        ("/srv/git/shop.git", ""),
        ("", ""),
    ],
)
def test_only_githubs_own_addresses_have_a_name(address: str, name: str) -> None:
    assert github_name(address) == name


def test_the_state_of_the_checks() -> None:
    rolls: dict[str, object] = {
        "passed": [{"conclusion": "SUCCESS"}, {"state": "SUCCESS"}, {"conclusion": "SKIPPED"}],
        "running": [{"conclusion": "SUCCESS"}, {"conclusion": ""}],
        "failed": [{"state": "ERROR"}, {"conclusion": ""}],
        "none": None,
    }
    for state, roll in rolls.items():
        (found,) = pull_requests(json.dumps([listed(1, statusCheckRollup=roll)]).encode(), is_mine=True)
        assert found.checks == state
    assert pull_requests(json.dumps([listed(1, isDraft=True)]).encode(), is_mine=True) == ()
    for broken in (b"", b"{", b'{"a": 1}', b'[{"number": "x"}]'):
        assert pull_requests(broken, is_mine=True) == ()


def test_a_title_is_the_worlds() -> None:
    (found,) = pull_requests(json.dumps([listed(1, title="x\n\u202ey" * 99)]).encode(), is_mine=False)
    assert isinstance(found, PullRequest)
    assert len(plain(found.title)) <= 120
    assert plain(found.title).isprintable()
