"""A look makes its ideas once, however many parts of the loop go by them; an answer in between rates them anew."""

from msgspec.structs import replace

from hub.domain.mind import Mind, Tally
from hub.domain.situation import Situation
from hub.loop.draft import Draft
from hub.loop.events import Stamped, Ticked
from hub.what import ideas
from tests.fakes.world import a_state
from tests.loop.stage import NOON, PROFILES, a_policy
from tests.loop.test_drives import AHEAD

SCENE = Situation(at=NOON, local=NOON, repositories=(AHEAD,))


def a_draft() -> Draft:
    return Draft(a_state(a_policy(), PROFILES), Stamped(at=NOON, seed="s", event=Ticked()))


def test_ideas_are_made_once_in_a_step() -> None:
    draft = a_draft()
    found = draft.ideas(SCENE)
    assert found == ideas(SCENE, draft.mind) != ()
    draft.set_mind(replace(draft.mind, last_cycle_at=NOON))
    assert draft.ideas(SCENE) is found


def test_another_situation_or_answer_makes_others() -> None:
    draft = a_draft()
    (before,) = draft.ideas(SCENE)
    assert draft.ideas(replace(SCENE, repositories=())) == ()
    answered = {before.kind: Tally(approved=0, rejected=9)}
    draft.set_mind(replace(draft.mind, tallies=answered))
    (after,) = draft.ideas(SCENE)
    assert after.pattern < before.pattern
    assert draft.ideas(SCENE) == ideas(SCENE, Mind(tallies=answered))
