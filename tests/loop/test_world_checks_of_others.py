"""Sessions that others began: nothing of this machine is looked at for them, and only the person says whether one is
done. So a need is no question that Pulse answers to a program which may not look itself."""

import pytest

from hub.contract.words import Verb
from hub.contract.world import AgentStatus
from hub.domain.provenance import LogText
from hub.domain.requests import LOCAL_CLIENT
from hub.domain.world import AgentLine, WorldSession
from hub.domain.world_requests import SayWorld, WorldSaid
from hub.loop.commands import Command, JudgeFinish, ProveFinish, Resolve
from hub.loop.world_checks import OF_ANOTHER
from tests.loop.asking_sessions import say
from tests.loop.spawned import spawned
from tests.loop.stage import taken
from tests.loop.supervised import FILE, SMALL, WORDS, Supervised, supervised, verdict

OTHERS = ("client_a", "mqtt:robot/r1", "local_agent", "local_agent#10-5", "local_run")
NEEDS = (
    "file: ~/.env contains PASSWORD=a",
    "url: http://127.0.0.1:9/login?password=a",
    "exit 0: cat secret",
    "says: done",
    WORDS,
    f"{FILE}; says: done; {WORDS}",
    "",
)


async def _finished(on: Supervised, client: str, need: str, name: str = "own") -> WorldSession:
    for status, needed in ((AgentStatus.START, need), (AgentStatus.ACTIVE, ""), (AgentStatus.FINISH, "")):
        line = AgentLine(status=status, session=name, text=LogText("done"), need=LogText(needed))
        assert isinstance(await on.world.ask(SayWorld(line=line, client=client)), WorldSaid)
    return on.session(name)


@pytest.mark.parametrize("client", OTHERS)
@pytest.mark.parametrize("need", NEEDS)
async def test_nothing_is_looked_at_for_a_session_of_another_and_only_the_person_says(client: str, need: str) -> None:
    on = await supervised(models=(SMALL,))
    on.files = ["there"]
    on.judge(verdict("verified"))
    commands: list[Command] = []
    on.world.holding = lambda command: bool(commands.append(command))  # type: ignore[func-returns-value]  # it notes it
    session = await _finished(on, client, need)
    assert not [one for one in commands if isinstance(one, ProveFinish | JudgeFinish | Resolve)]
    assert session.question is not None
    assert (session.status, session.question.detail, session.question.offered) == (
        AgentStatus.FINISH,
        OF_ANOTHER,
        None,
    )
    (card,) = await on.asked()
    taken(await say(on.world, card, "Yes, it's done"))
    assert (on.session("own").status, on.session("own").checked_by) == (AgentStatus.VERIFIED, "person")


@pytest.mark.parametrize("state", ["there", "missing", "unknown"])
async def test_what_is_there_changes_nothing_that_its_owner_can_see(state: str) -> None:
    on = await supervised()
    on.files = [state]
    session = await _finished(on, "client_a", FILE)
    assert (session.status, session.tries, session.checked_by, on.written[3:]) == (AgentStatus.FINISH, 1, "", [])


async def test_the_command_lines_own_and_the_files_are_looked_at() -> None:
    on = await supervised()
    on.files = ["there"]
    assert (await _finished(on, LOCAL_CLIENT, FILE)).status is AgentStatus.VERIFIED
    assert (await on.finish(FILE)).status is AgentStatus.VERIFIED
    assert len(on.looks) == 2


async def test_what_a_token_ordered_is_looked_at_only_by_a_persons_own_yes() -> None:
    for in_person, ordered in ((False, False), (True, False), (False, True)):
        on = await supervised()
        on.files = ["there"]
        card = await spawned(on.world, need=FILE, in_person=ordered)
        taken(await on.world.answer(card, Verb.APPROVE, in_person=in_person))
        assert bool(on.looks) is (in_person or ordered)
        assert (on.session("trip").status is AgentStatus.VERIFIED) is (in_person or ordered)
