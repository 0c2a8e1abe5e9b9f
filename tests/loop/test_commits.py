"""A commit's card: another message is another commit of the same files, and its undo takes the commit back."""

from msgspec.structs import replace

from hub.contract.words import RunState, Status, Verb
from hub.domain.execution import RunResult
from hub.domain.plan import AnyPlan, CannotPlan, CommitFile, Plan, PlannedCommit
from hub.domain.policy import Agent
from hub.domain.storage import ExecutionsOf
from hub.domain.suggestion import TAKE_COMMIT_BACK, Card, Work
from tests.fakes.world import World
from tests.loop.stage import PHONE, a_card, a_world, handed, refused, taken

MADE = "c" * 40
BEFORE = "b" * 40
FILES = (CommitFile(path="hero.png", became="deleted", size_before=631_000),)
COMMIT = Plan(
    playbook="commit-work",
    argv=("/usr/bin/git", "commit", "--message", "Remove hero.png", "--", "hero.png"),
    folder="/home/me/site",
    commit=PlannedCommit(message="Remove hero.png", files=FILES, diff="Binary files differ\n"),
)
BACK = Plan(playbook=TAKE_COMMIT_BACK, argv=("/usr/bin/git", "reset", "--soft", BEFORE), folder="/home/me/site")
DONE = RunResult(ended="exited", exit_code=0, output="[main ccccccc] Remove hero.png\n", commit=MADE)


async def stage(back: AnyPlan = BACK) -> tuple[World, Card]:
    world = await a_world()
    await world.pair(PHONE)

    def plan(_agent: Agent, work: Work) -> AnyPlan:
        if work.playbook == TAKE_COMMIT_BACK:
            return back
        return COMMIT.with_message(work.args[0]) if work.args and work.args[0] else COMMIT

    world.plans = plan
    world.results = lambda job: replace(DONE, commit="") if job.playbook == TAKE_COMMIT_BACK else DONE
    return world, await a_card(world)


async def test_every_surface_is_told_what_would_be_committed() -> None:
    world, card = await stage()
    shown = handed(world, PHONE).event.prediction  # type: ignore[union-attr]  # a card's
    assert shown.editable
    assert shown.edit_text == "Remove hero.png"
    assert shown.runs is not None
    assert shown.runs.commit is not None
    assert shown.runs.commit.files[0].became == "deleted"
    assert shown.runs.commit.diff == "Binary files differ\n"
    assert shown.runs.summary.endswith("in site: deletes hero.png (631 kB)")
    assert Verb.EDIT in handed(world, PHONE).verbs
    assert card.commit is not None


async def test_an_edit_changes_the_message_and_nothing_else() -> None:
    world, card = await stage()
    taken(await world.answer(card, Verb.EDIT, prompt="Take the old picture out"))
    (job,) = world.jobs
    assert isinstance(job.plan, Plan)
    assert job.plan == COMMIT.with_message("Take the old picture out")
    assert job.plan.argv[3] == "Take the old picture out"
    assert job.prompt == card.prompt
    assert job.args[0] == "Take the old picture out"
    after = await world.card(card.id)
    assert (after.prompt, after.edit_text) == (card.prompt, "Take the old picture out")


async def test_an_invisible_or_endless_message_is_refused_and_the_card_waits() -> None:
    world, card = await stage()
    for words in ("Fix\u202eit", "a\0b", "x" * 5_000):
        assert refused(await world.answer(card, Verb.EDIT, prompt=words)).code == "empty-prompt"
    assert (await world.card(card.id), world.jobs) == (card, [])


async def test_what_changed_since_is_asked_again_without_the_reason_of_before() -> None:
    world, card = await stage()
    now = replace(COMMIT, commit=PlannedCommit(message="Remove hero.png", files=(*FILES, *FILES)))
    world.results = lambda _job: RunResult(ended="changed", exit_code=None, output="", detail="It changed.", plan=now)
    taken(await world.answer(card, Verb.APPROVE))
    after = await world.card(card.id)
    assert after.status is Status.PENDING
    assert after.plan == now
    assert after.proposal.reasoning == "It has changed since you were asked; this is the current version."
    assert after.card_hash != card.card_hash


async def test_undo_takes_the_commit_back_by_a_card_of_its_own() -> None:
    world, card = await stage()
    taken(await world.answer(card, Verb.APPROVE))
    done = await world.card(card.id)
    assert done.result is not None
    assert (done.status, done.result.commit) == (Status.EXECUTED, MADE)
    reply = taken(await world.answer(done, Verb.UNDO))
    assert reply.message.startswith("Checking whether")
    _, back = world.jobs
    assert (back.playbook, back.args, back.plan) == (TAKE_COMMIT_BACK, (MADE,), BACK)
    after = await world.card(card.id)
    assert after.undone
    assert after.outcome.startswith("You undid it")
    other = await world.card(back.execution_id.replace("exec_", "pred_").rpartition("_")[0])
    assert other.status is Status.EXECUTED
    (run,) = await world.store.read(ExecutionsOf(user=other.user, card_id=other.id))
    assert run.state is RunState.VERIFIED
    assert taken(await world.answer(after, Verb.UNDO)).message == "Already undone."


async def test_its_card_says_why_a_commit_is_not_taken_back() -> None:
    world, card = await stage(CannotPlan(why="ccccccc is pushed (origin/main has it)."))
    taken(await world.answer(card, Verb.APPROVE))
    taken(await world.answer(await world.card(card.id), Verb.UNDO))
    after = await world.card(card.id)
    assert after.outcome == "Not undone. ccccccc is pushed (origin/main has it)."
    assert (after.status, after.undone) == (Status.EXECUTED, False)
    assert len(world.jobs) == 1
