from hub.contract.topics import DeviceAddress
from hub.contract.words import Verb
from hub.kit.phrase_files import phrases
from hub.kit.pushed_text import fitted, narrower, pushed_text
from tests.surfaces.shown import delivery

HERE = DeviceAddress(surface="lamp", device="desk")


def test_what_is_cut_is_answered_by_nothing_that_lets_it_run() -> None:
    said = pushed_text(delivery(), phrases(), HERE)
    assert said is not None
    assert (said.verbs, "Run the tests" in said.body) == ((Verb.APPROVE, Verb.REJECT), True)
    cut = fitted(said, 6)
    assert (cut.verbs, cut.body) == ((Verb.REJECT,), "Run t…")
    assert fitted(said, len(said.body)) == said


def test_what_may_not_be_seen_is_not_said_and_not_approved() -> None:
    titled, hidden = (pushed_text(delivery(privacy=one), phrases(), HERE) for one in ("title", "nothing"))
    assert titled is not None
    assert hidden is not None
    assert (titled.body, titled.verbs) == ("", (Verb.REJECT,))
    assert (hidden.title, hidden.body, hidden.verbs) == ("Pulse needs your attention", "", ())
    assert (narrower("full", "title"), narrower("nothing", "title")) == ("title", "nothing")
