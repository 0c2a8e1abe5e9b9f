"""A loop in which lines are appended to the world log, and looks and models answer as a test says."""

from msgspec.structs import replace

from hub.domain.policy import TwinService
from hub.domain.provenance import LogText, ModelText
from hub.domain.suggestion import Card
from hub.domain.twin import TwinSaid
from hub.domain.world import AgentLine, WorldSession
from hub.domain.world_lines import read_line, write_line
from hub.domain.world_log_state import AddWorldLine
from hub.domain.world_proof import ProofFinding
from hub.loop.commands import ProveFinish
from hub.loop.events import WorldRead
from tests.fakes.world import World
from tests.loop.stage import a_policy, a_world

SMALL = TwinService(name="small", url="http://127.0.0.1:11434/v1", model="small")
LARGE = TwinService(name="large", url="http://127.0.0.1:11435/v1", model="large")
FILE = "file: dist/*.whl"
WORDS = "confirmation number"
NEEDED = "There is a number"


class Supervised:
    """A world in which lines are appended to the log, and looks and models answer as a test says."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.looks: list[ProveFinish] = []
        self.files: list[str] = []
        """What the next looks find; the last one again and again."""
        world.proofs = self._found

    def _found(self, asked: ProveFinish) -> tuple[ProofFinding, ...]:
        self.looks.append(asked)
        state = self.files.pop(0) if len(self.files) > 1 else self.files[0] if self.files else "unknown"
        return tuple(
            ProofFinding(part=part, state=state, words=LogText(f"{state} it is"))  # type: ignore[arg-type]  # by name
            for part in asked.parts
        )

    def judge(self, *answers: str, **wrong: object) -> None:
        left = list(answers)
        self.world.verdict = lambda _asked: TwinSaid(words=ModelText(left.pop(0) if left else ""), **wrong)  # type: ignore[arg-type]  # fields of TwinSaid

    async def append(self, text: str) -> None:
        lines = tuple(read_line(raw) for raw in text.encode().splitlines())
        await self.world.happen(WorldRead(lines=lines, cursor=b"on"))

    async def finish(self, need: str, session: str = "abc", said: str = "done, I think") -> WorldSession:
        """Let a session of the file begin, work and say that it is done."""
        need = f" | need: {need}" if need else ""
        await self.append(
            f"[agent:start][{session}] Book a flight{need}\n[agent:active][{session}] on it\n"
            f"[agent:finish][{session}] {said}\n"
        )
        return self.session(session)

    async def again(self, session: str = "abc") -> WorldSession:
        """Let a session that is to try again say that it is done."""
        await self.append(f"[agent:active][{session}] once more\n[agent:finish][{session}] now it is\n")
        return self.session(session)

    def session(self, name: str = "abc") -> WorldSession:
        return self.world.state.world.sessions[name]

    @property
    def written(self) -> list[str]:
        """The lines that the hub wrote of sessions."""
        outs = [change.out.line for change in self.world.changes if isinstance(change, AddWorldLine)]
        return [write_line(line).decode().partition("]")[2].strip() for line in outs if isinstance(line, AgentLine)]

    async def asked(self) -> list[Card]:
        return [card for card in await self.world.cards() if card.session]


async def supervised(*, models: tuple[TwinService, ...] = (), **rules: object) -> Supervised:
    policy = a_policy(twin=bool(models), twins=models)
    world = await a_world(replace(policy, world=replace(policy.world, **rules)))
    return Supervised(world)


def verdict(word: str, why: str = NEEDED, guidance: str = "") -> str:
    return f'{{"verdict": "{word}", "why": "{why}", "guidance": "{guidance}"}}'
