"""Less of this, never this here: said by an answer, felt in the next cycle, listed, and taken back."""

from datetime import timedelta
from typing import Literal

import pytest
from msgspec.structs import replace

from hub.contract.api import TriggerAnswer
from hub.contract.events import Paused
from hub.contract.phrasing import Phrasing
from hub.contract.words import Breadth, MoveReason, Status, Verb
from hub.domain.episode import Learned
from hub.domain.provenance import RepositoryText
from hub.domain.readings import FolderReading, GitReading, Reading
from hub.domain.requests import AddMute, DropMute, Noted, Refused, Trigger
from hub.domain.situation import DocumentFolder, Module, OldVersion, Repository
from hub.domain.suggestion import Card
from hub.kit.phrase_files import phrases
from hub.kit.wordings import worded
from hub.loop.mute_views import list_of
from hub.loop.mutes import MUTES_MAX, QUIET_NOW
from hub.runner.inbox import card_of
from hub.what import is_always_asked
from tests.fakes.world import World
from tests.loop.stage import HOUR, NOON, PHONE, a_card, a_question, a_world, handed, refused, taken
from tests.loop.test_rails import silent_for_half_an_hour

SHOP = "/home/me/shop"
DAY = timedelta(days=1)


def changed(run: int, path: str = SHOP) -> Reading:
    """A repository whose tests are worth running, after that many earlier runs."""
    repository = Repository(
        path=path,
        name=RepositoryText("shop"),
        branch=RepositoryText("main"),
        head="abc",
        head_at=NOON - HOUR,
        changed_modules=(Module(path=RepositoryText("src"), files=2),),
        last_test_run_at=NOON - 3 * HOUR + timedelta(minutes=run),
        last_test_run_passed=True,
        playbooks=("run-tests",),
    )
    return Reading(sensor="git", at=NOON, body=GitReading(repositories=(repository,)))


async def suggested(world: World, run: int = 0) -> Card:
    """Put a suggestion of Pulse's own before the person."""
    world.readings["git"] = changed(run)
    reply = await world.ask(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    return await world.card(reply.prediction.id)


async def by_itself(world: World, run: int, hours: int) -> int:
    """Let so many hours pass with tests worth running; return how many cards came."""
    world.readings["git"] = changed(run)
    before = world.state.open_count
    await world.until(world.now + hours * HOUR)
    return world.state.open_count - before


@pytest.mark.slow
@pytest.mark.parametrize("verb", [Verb.LESS, Verb.NEVER])
async def test_it_dismisses_and_is_felt(verb: Verb) -> None:
    world = await a_world()
    card = await suggested(world)
    reply = taken(await world.answer(card, verb))
    ends = {Verb.LESS: "similar: at most once a day.", Verb.NEVER: "similar in shop: no longer suggested."}
    assert reply.message.startswith("Dismissed. “Run the tests")
    assert reply.message.endswith(ends[verb])
    settled = await world.card(card.id)
    assert (settled.status, settled.settled.verb if settled.settled else None) == (Status.REJECTED, verb)
    assert [one.value for one in await world.story(card.id) if isinstance(one, Learned)] == ["rejected"]
    assert await by_itself(world, run=1, hours=3) == 0
    left = await world.ask(DropMute(mute_id=world.state.mind.mutes[0].id))
    assert isinstance(left, Noted)
    assert left.status.mutes == 0
    assert await by_itself(world, run=2, hours=3) == 1


async def test_it_outlives_a_restart() -> None:
    world = await a_world()
    taken(await world.answer(await suggested(world), Verb.NEVER))
    await world.reopen()
    assert await by_itself(world, run=1, hours=3) == 0


@pytest.mark.parametrize(
    ("about", "meant"),
    [
        (None, ("run-tests", SHOP, None)),
        (Breadth.HERE, ("run-tests", SHOP, None)),
        (Breadth.KIND, ("run-tests", None, None)),
        (Breadth.REPOSITORY, (None, SHOP, None)),
        (Breadth.CHANNEL, (None, None, "koji-core")),
    ],
)
async def test_how_far_it_reaches(about: Breadth | None, meant: tuple[str | None, ...]) -> None:
    world = await a_world()
    taken(await world.answer(await suggested(world), Verb.NEVER, about=about))
    (mute,) = world.state.mind.mutes
    assert (mute.kind, mute.repository, mute.channel) == meant


async def test_undo_takes_the_wish_back_with_the_answer() -> None:
    world = await a_world()
    for run in range(2):
        card = await suggested(world, run)
        taken(await world.answer(card, Verb.LESS))
    assert [mute.times for mute in world.state.mind.mutes] == [2]
    taken(await world.answer(card, Verb.UNDO))
    assert [mute.times for mute in world.state.mind.mutes] == [1]
    assert (await world.card(card.id)).status is Status.PENDING
    taken(await world.answer(await world.card(card.id), Verb.NEVER))
    assert [mute.degree for mute in world.state.mind.mutes] == ["less", "never"]


@pytest.mark.slow
async def test_three_dismissals_make_a_kind_rarer_which_is_said_and_can_be_forgotten() -> None:
    world = await a_world()
    messages = [taken(await world.answer(await suggested(world, run), Verb.REJECT)).message for run in range(4)]
    assert messages == ["Dismissed."] * 2 + [
        "Dismissed. These come at most once an hour now.",
        "Dismissed. These come at most once in 2 hours now.",
    ]
    assert world.told(Paused) == []
    (learnt,) = list_of(world.state.mind).mutes
    assert (learnt.id, learnt.learnt, learnt.times) == ("learnt_run-tests", True, 4)
    assert learnt.effect == "at most once in 2 hours, because you dismissed 4 in a row."
    german = worded(learnt.effect_worded, "", phrases("de"))
    assert german == "höchstens einmal in 2 Stunden, weil du 4 hintereinander abgelehnt hast."
    assert await by_itself(world, run=5, hours=1) == 0
    assert await by_itself(world, run=5, hours=2) == 1
    assert isinstance(await world.ask(DropMute(mute_id=learnt.id)), Noted)
    assert list_of(world.state.mind).count == 0


@pytest.mark.slow
async def test_what_is_asked_for_again_and_again_is_no_kind_that_rests() -> None:
    world = await a_world()
    for number in range(5):
        taken(await world.answer(await a_card(world, f"Idea {number}"), Verb.REJECT))
    assert list_of(world.state.mind).count == 0


async def test_a_question_and_a_hint_are_no_suggestions() -> None:
    world = await a_world()
    await world.pair(PHONE)
    for card in (await a_question(world), await a_card(world)):
        assert not {Verb.LESS, Verb.NEVER} & {*handed(world, PHONE).verbs}
        assert refused(await world.answer(card, Verb.LESS)).code == "not-a-suggestion"
        assert (await world.card(card.id)).status is Status.PENDING


async def test_a_wish_without_a_card_needs_something_that_it_means() -> None:
    world = await a_world()
    assert isinstance(await world.ask(AddMute(degree="never", repository=SHOP)), Noted)
    reply = await world.ask(AddMute(degree="less"))
    assert isinstance(reply, Refused)
    assert reply.code == "nothing-meant"
    (view,) = list_of(world.state.mind).mutes
    assert view.summary == "Everything in shop"
    assert worded(view.summary_worded, "", phrases("de")) == "Alles in shop"


async def test_what_is_shown_less_often_is_named_in_the_readers_language() -> None:
    world = await a_world()
    taken(await world.answer(await suggested(world), Verb.LESS))
    (view,) = list_of(world.state.mind).mutes
    assert view.summary.startswith("“Run the tests")
    assert worded(view.summary_worded, "", phrases("de")).startswith("„Tests von shop ausführen")


async def test_there_is_an_end_to_them() -> None:
    world = await a_world()
    for number in range(MUTES_MAX):
        await world.ask(AddMute(degree="never", kind=f"kind-{number}"))
    assert refused(await world.ask(AddMute(degree="never", kind="one-more"))).code == "too-many-mutes"
    assert isinstance(await world.ask(AddMute(degree="never", kind="kind-0")), Noted)
    card = await suggested(world)
    assert refused(await world.answer(card, Verb.NEVER)).code == "too-many-mutes"
    assert (await world.card(card.id)).status is Status.PENDING


async def test_what_is_not_there_cannot_be_taken_back() -> None:
    world = await a_world()
    for mute_id in ("mute_1", "learnt_run-tests", ""):
        assert refused(await world.ask(DropMute(mute_id=mute_id))).code == "unknown-mute"


async def test_only_what_pulse_did_alone_and_was_taken_back_pauses_it() -> None:
    world = await silent_for_half_an_hour(None)
    (job,) = world.jobs
    card = await world.card(card_of(job.execution_id))
    assert card.autonomous
    world.state = replace(
        world.state,
        mind=replace(
            world.state.mind, ledger=replace(world.state.mind.ledger, regretted_at=(world.now - HOUR, world.now - HOUR))
        ),
    )
    taken(await world.answer(card, Verb.UNDO))
    assert world.told(Paused) == [Paused(reason="you undid 3 things that Pulse did on autopilot")]


async def two_of_a_kind(world: World) -> tuple[Card, Card]:
    """Put the same kind before the person for two repositories."""
    first = await suggested(world)
    places = [changed(0), changed(0, "/home/me/site")]
    repositories = [one for place in places if isinstance(place.body, GitReading) for one in place.body.repositories]
    world.readings["git"] = replace(places[0], body=GitReading(repositories=tuple(repositories)))
    reply = await world.ask(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    return first, await world.card(reply.prediction.id)


@pytest.mark.parametrize("verb", [Verb.LESS, Verb.NEVER])
async def test_the_other_open_cards_go_with_it_and_come_back_with_its_undo(verb: Verb) -> None:
    world = await a_world()
    first, second = await two_of_a_kind(world)
    asked = await a_card(world)
    assert first.proposal.kind == second.proposal.kind
    assert first.id != second.id
    reply = taken(await world.answer(second, verb, about=Breadth.KIND))
    assert "1 other card about it withdrawn." in reply.message
    gone = await world.card(first.id)
    assert (gone.status, gone.status_reason) == (Status.CANCELLED, MoveReason.WITHDRAWN)
    assert refused(await world.answer(gone, Verb.UNDO)).code == "too-late-to-undo"
    assert (await world.card(asked.id)).status is Status.PENDING
    assert world.state.open_count == 1
    taken(await world.answer(await world.card(second.id), Verb.UNDO))
    assert [(await world.card(one.id)).status for one in (first, second, asked)] == [Status.PENDING] * 3
    assert (world.state.open_count, world.state.mind.mutes) == (3, ())


async def test_never_here_leaves_what_is_elsewhere() -> None:
    world = await a_world()
    first, second = await two_of_a_kind(world)
    taken(await world.answer(second, Verb.NEVER))
    assert (await world.card(first.id)).status is Status.PENDING


async def test_what_always_asks_is_not_made_rarer_and_the_newest_word_holds() -> None:
    world = await a_world()
    card = await suggested(world)
    taken(await world.answer(card, Verb.LESS))
    assert isinstance(await world.ask(AddMute(degree="ask", card_id=card.id, in_person=True)), Noted)
    (pin,) = world.state.mind.mutes
    assert (pin.degree, pin.kind, pin.repository) == ("ask", "run-tests", None)
    assert list_of(world.state.mind).mutes[0].effect == "always asks, and is never held back."
    assert await by_itself(world, 1, 1) == 1
    assert isinstance(await world.ask(AddMute(degree="never", kind="run-tests", in_person=True)), Noted)
    assert [mute.degree for mute in world.state.mind.mutes] == ["never"]


@pytest.mark.parametrize("degree", ["less", "never"])
async def test_what_always_asks_goes_by_the_persons_word_alone(degree: Literal["less", "never"]) -> None:
    """Or what a program may say, less of it, would let it run alone again."""
    world = await a_world()
    assert isinstance(await world.ask(AddMute(degree="ask", kind="run-tests", in_person=True)), Noted)
    assert isinstance(await world.ask(AddMute(degree=degree, kind="run-tests")), Noted)
    assert is_always_asked(world.state.mind, "run-tests", SHOP, None)
    assert isinstance(await world.ask(AddMute(degree=degree, kind="run-tests", in_person=True)), Noted)
    assert not is_always_asked(world.state.mind, "run-tests", SHOP, None)


@pytest.mark.parametrize("verb", [Verb.LESS, Verb.NEVER])
async def test_a_devices_button_takes_no_wish_always_to_be_asked_away(verb: Verb) -> None:
    """Nor does the undo of such an answer: who holds a stolen phone could otherwise have the kind run alone again."""
    world = await a_world()
    await world.pair(PHONE)
    card = await suggested(world)
    assert isinstance(await world.ask(AddMute(degree="ask", card_id=card.id, in_person=True)), Noted)
    await world.hand_in(handed(world, PHONE), PHONE, verb, card.card_hash)
    assert (await world.card(card.id)).status is Status.REJECTED
    assert is_always_asked(world.state.mind, "run-tests", SHOP, None)
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    assert is_always_asked(world.state.mind, "run-tests", SHOP, None)


async def test_a_question_of_somebody_else_and_an_unknown_card_name_no_kind() -> None:
    world = await a_world()
    question = await a_question(world)
    for card_id, code in ((question.id, "not-a-suggestion"), ("pred_no", "unknown-card")):
        assert refused(await world.ask(AddMute(degree="ask", card_id=card_id))).code == code
    assert world.state.mind.mutes == ()


def with_old_versions(run: int) -> Reading:
    """A folder in which another old version of a document was edited last."""
    old = OldVersion(
        name=RepositoryText(f"plan {run}"),
        count=2,
        newest=RepositoryText(f"plan {run} final.md"),
        newest_at=NOON - DAY,
        older=RepositoryText(f"plan {run} v2.md"),
        older_at=NOON,
    )
    folder = DocumentFolder(path=SHOP, name=RepositoryText("shop"), old_versions=(old,))
    return Reading(sensor="folders", at=NOON, body=FolderReading(folders=(folder,)))


async def noted(world: World, run: int) -> Card:
    """Put a note of Pulse's own about a folder before the person."""
    world.readings["folders"] = with_old_versions(run)
    reply = await world.ask(Trigger(force=True))
    assert isinstance(reply, TriggerAnswer)
    assert reply.prediction is not None
    return await world.card(reply.prediction.id)


@pytest.mark.slow
async def test_two_noes_make_a_note_quiet_which_its_card_says_until_it_is_wanted_again() -> None:
    world = await a_world()
    first = await noted(world, 1)
    assert taken(await world.answer(first, Verb.REJECT)).message == "Dismissed."
    assert (await world.card(first.id)).outcome == ""
    second = await noted(world, 2)
    assert taken(await world.answer(second, Verb.REJECT)).message == f"Dismissed. {QUIET_NOW}"
    settled = await world.card(second.id)
    assert (settled.outcome, settled.outcome_worded) == (QUIET_NOW, Phrasing(code="wish.quiet"))
    (learnt,) = list_of(world.state.mind).mutes
    assert (learnt.id, learnt.learnt) == ("learnt_old-version", True)
    assert learnt.effect == "only when you ask for it, because you dismissed 2 in a row."
    assert worded(learnt.effect_worded, "", phrases("en")) == learnt.effect
    assert "2 hintereinander" in worded(learnt.effect_worded, "", phrases("de"))

    before = world.state.open_count
    world.readings["folders"] = with_old_versions(3)
    await world.until(world.now + 30 * DAY)
    assert world.state.open_count == before
    assert isinstance(await world.ask(DropMute(mute_id=learnt.id)), Noted)
    world.readings["folders"] = with_old_versions(4)
    await world.until(world.now + HOUR)
    assert world.state.open_count == before + 1


async def test_undo_of_the_second_no_takes_the_quiet_back_and_its_word_off_the_card() -> None:
    world = await a_world()
    for run in range(2):
        card = await noted(world, run)
        taken(await world.answer(card, Verb.REJECT))
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    opened = await world.card(card.id)
    assert (opened.status, opened.outcome, opened.outcome_worded) == (Status.PENDING, "", None)
    assert list_of(world.state.mind).count == 0


@pytest.mark.slow
async def test_what_ran_out_unanswered_is_no_no() -> None:
    world = await a_world()
    for run in range(3):
        await noted(world, run)
        await world.until(world.now + DAY)
    assert list_of(world.state.mind).count == 0


def test_the_phrasebook_says_what_the_hub_says() -> None:
    assert worded(Phrasing(code="wish.quiet"), "", phrases("en")) == QUIET_NOW
    assert worded(Phrasing(code="wish.quiet"), "", phrases("de")).startswith("Ab jetzt still")
