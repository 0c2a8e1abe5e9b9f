"""What a person changed, as every surface shows it: what ran first, and beside it what was asked."""

import pytest

from hub.contract.events import PredictionSettled
from hub.contract.permission import Act, Permission
from hub.contract.topics import DeviceAddress
from hub.contract.words import Source, Status, Verb
from hub.kit.changed import changed_said
from hub.kit.phrase_files import phrases
from hub.kit.pushed_text import pushed_text
from tests.surfaces.shown import delivery, prediction, settlement

CHANGED = prediction(
    "git status",
    asked="git push --force",
    status=Status.CONFIRMED,
    source=Source.ASK,
    settled=settlement(Verb.EDIT),
    permission=Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="git push --force"),
)
HERE = DeviceAddress(surface="lamp", device="desk")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Ran: git status", "Asked: git push --force")),
        ("de", ("Ausgeführt: git status", "Angefragt: git push --force")),
    ],
)
def test_both_are_named_in_the_readers_language(language: str, said: tuple[str, str]) -> None:
    assert changed_said(CHANGED, phrases(language)) == said
    told = pushed_text(delivery(PredictionSettled(prediction=CHANGED)), phrases(language), HERE)
    assert told is not None
    assert told.body == "\n".join(said)


def test_what_nobody_changed_is_said_once() -> None:
    assert changed_said(prediction(), phrases()) == ()
    assert changed_said(None, phrases()) == ()
