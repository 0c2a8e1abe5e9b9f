"""What was shown at which shell is remembered for that shell, as it was."""

from msgspec.structs import replace

from hub.contract.permission import Act, CallField, Permission
from hub.contract.words import Status
from hub.io.access.shown_cards import CARDS_MAX, ShownCards
from tests.conformance.store.samples import card, moved
from tests.kit.test_committing import RUNS
from tests.surfaces.terminal.scenes import prediction


def test_what_one_shell_was_shown_no_other_was() -> None:
    shown = ShownCards()
    shown.note_alone("1-1", prediction("a"))
    assert (shown.at("1-1").alone, shown.at("2-1").alone, shown.at("2-1").marks) == ("pred_a", "", {})


def test_a_list_takes_the_place_of_what_was_shown_and_one_card_stands_before_it() -> None:
    shown = ShownCards()
    shown.note_alone("1-1", prediction("a"))
    shown.note_list("1-1", [prediction("b"), prediction("c")])
    assert (set(shown.at("1-1").marks), shown.at("1-1").alone) == ({"pred_b", "pred_c"}, "")
    shown.note_alone("1-1", prediction("c"))
    assert next(iter(shown.at("1-1").marks)) == shown.at("1-1").alone == "pred_c"
    for number in range(CARDS_MAX):
        shown.note_alone("1-1", prediction(str(number)))
    assert len(shown.at("1-1").marks) == CARDS_MAX


def test_a_list_shows_whole_only_what_its_prompt_says() -> None:
    shown, plain = ShownCards(), prediction("plain")
    asked = Permission(agent="claude-code", tool="Bash", act=Act.COMMAND, text="git push", folder="/home/anna")
    field = CallField(name="dangerouslyDisableSandbox", value="true")
    told = prediction("told", prompt="git push", permission=asked)
    more = [
        prediction("set", prompt="git push", permission=replace(asked, settings=(field,))),
        prediction("unknown", prompt="git push", permission=replace(asked, unknown_fields=(field,))),
        prediction("odd", prompt="git push", permission=replace(asked, unusual=("It runs elsewhere.",))),
        prediction("runs", runs=RUNS),
        prediction("details", details="3 files"),
    ]
    shown.note_list("1-1", [plain, told, *more])
    assert shown.at("1-1").whole == {plain.id, told.id}
    assert len(shown.at("1-1").marks) == len(more) + 2
    shown.note_alone("1-1", more[0])
    assert shown.at("1-1").whole == {plain.id, told.id, more[0].id}
    shown.note_alone("1-1", more[1], is_row=True)
    assert shown.at("1-1").alone == more[1].id
    assert shown.at("1-1").whole == {plain.id, told.id, more[0].id}


def test_a_look_is_good_once_for_that_card_as_it_is_at_that_shell() -> None:
    shown, now = ShownCards(), card()
    later = moved(now, Status.PENDING).card
    assert not shown.takes(shown.hand_out("1-1", now), "2-1", now)
    assert not shown.takes(shown.hand_out("1-1", now), "1-1", card("c2"))
    token = shown.hand_out("1-1", now)
    assert shown.takes(token, "1-1", later)  # a version alone is nothing that is shown
    assert not shown.takes(token, "1-1", now)
    assert not shown.takes("", "1-1", now)
