"""A file in which an agent asks for changes of the drives: an agent's changes like any, and nothing of it can hurt."""

import json
import os
from pathlib import Path

import pytest

from hub.app.handed_in import FILE_BYTES_MAX
from hub.app.mutations_file import BY, MutationsFile, read_mutations
from hub.domain.mutations import Mutation, MutationRecord
from hub.domain.requests import HandInMutations, MutationOutcome, MutationsMade, Refused, Reply, Request
from tests.fakes.hub_api import ScriptedHubApi
from tests.rooms.when.drives.drives_at_hand import NOW

EXPLORE = {"type": "adjust_weight", "drive": "curiosity", "value": 1.5, "reason": "I want to explore more"}
ASKED = Mutation(kind="adjust_weight", drive="curiosity", value=1.5, reason="I want to explore more")


class Heard:
    """A loop that takes changes."""

    def __init__(self, reply: Reply) -> None:
        self.hub_api, self.reply, self.requests = ScriptedHubApi(), reply, list[HandInMutations]()
        self.hub_api.on(HandInMutations, self._take)

    def _take(self, request: Request) -> Reply:
        assert isinstance(request, HandInMutations)
        self.requests.append(request)
        return self.reply


def asked_for(path: Path) -> HandInMutations:
    found = read_mutations(path)
    assert isinstance(found.request, HandInMutations)
    return found.request


@pytest.mark.parametrize("written", [EXPLORE, [EXPLORE]])
def test_one_change_or_a_list_is_an_agents_whoever_wrote_it(tmp_path: Path, written: object) -> None:
    path = tmp_path / "mutations.json"
    path.write_text(json.dumps(written))
    request = asked_for(path)
    assert (request.mutations, request.by, request.is_person) == ((ASKED,), BY, False)
    assert request.key == asked_for(path).key, "also after a restart"


def test_the_same_words_written_anew_are_asked_for_again(tmp_path: Path) -> None:
    path, fresh = tmp_path / "mutations.json", tmp_path / "fresh"
    path.write_text(json.dumps(EXPLORE))
    first = asked_for(path).key
    fresh.write_text(json.dumps(EXPLORE))
    fresh.replace(path)
    assert asked_for(path).key != first


def test_an_entry_that_is_none_is_named_and_the_others_count(tmp_path: Path) -> None:
    path = tmp_path / "mutations.json"
    path.write_text(json.dumps([{"type": "run_code"}, 5, EXPLORE, {**EXPLORE, "value": float("nan")}]))
    found = read_mutations(path)
    assert isinstance(found.request, HandInMutations)
    assert [one.value for one in found.request.mutations] == [1.5, None]
    assert all(f"change {number}" in found.wrong for number in (1, 2, 4))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"type": "adjust_weight", "dri', "not complete JSON"),
        (b"[" * 60_000, "nested too deeply"),
        (b"\xff\xfe", "not UTF-8 text"),
        (b"x" * (FILE_BYTES_MAX + 1), "is larger"),
        (b'"disable everything"', "its type is none of"),
        (b"[]", ""),
        (b" ", ""),
    ],
)
def test_what_is_no_change_is_said_and_changes_nothing(tmp_path: Path, raw: bytes, said: str) -> None:
    path = tmp_path / "mutations.json"
    path.write_bytes(raw)
    found = read_mutations(path)
    assert found.request is None
    assert (said in found.wrong) if said else (found.wrong == "")


def test_no_pipe_is_waited_for_and_nothing_of_another_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "secret").write_text("a-secret-of-the-persons")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    assert "a-secret" not in read_mutations(tmp_path / "link").wrong
    assert "cannot be read" in read_mutations(tmp_path / "pipe").wrong
    assert read_mutations(tmp_path / "none").request is None


async def test_what_was_refused_is_said_and_what_was_made_is_not(tmp_path: Path) -> None:
    path = tmp_path / "mutations.json"
    path.write_text(json.dumps([EXPLORE, EXPLORE]))
    record = MutationRecord(id="m1", at=NOW, by=BY, mutation=ASKED, status="applied")
    file = MutationsFile(path, Heard(MutationsMade(outcomes=(MutationOutcome(record=record),))).hub_api)
    await file.look()
    assert file.health().status == "ok"
    no = MutationOutcome(
        record=MutationRecord(id="m2", at=NOW, by=BY, mutation=ASKED, status="refused", note="Ten an hour."), code="x"
    )
    file = MutationsFile(path, Heard(MutationsMade(outcomes=(MutationOutcome(record=record), no))).hub_api)
    await file.look()
    assert (file.health().status, "1 change of 2 refused: Ten an hour." in file.health().detail) == ("degraded", True)
    refused = Refused(code="mutations-off", status=403, detail="Agents change nothing here.", fix="Ask.")
    file = MutationsFile(path, Heard(refused).hub_api)
    await file.look()
    assert "Agents change nothing here. Ask." in file.health().detail
