"""Local branches that nobody has touched for a while."""

from datetime import datetime, timedelta

from hub.contract.words import Risk
from hub.do import clip_line
from hub.domain.execution import RunResult, not_started
from hub.io.agents.playbook.shape import Playbook
from hub.io.agents.playbook.workplace import NO_GIT, Workplace

STALE_DAYS = 30
BRANCHES_MAX = 500
FORMAT = "--format=%(refname:short)%1f%(committerdate:iso-strict)"


async def find_stale(place: Workplace) -> RunResult:
    """List branches whose last commit is `STALE_DAYS` old, and whether the current branch contains them."""
    place.say("Reading the branches")
    listed = await place.git.ask(
        "for-each-ref", f"--count={BRANCHES_MAX}", "--sort=committerdate", FORMAT, "refs/heads"
    )
    merged = await place.git.ask("branch", "--format=%(refname:short)", "--merged")
    if not listed.ok or not merged.ok:
        return not_started(NO_GIT)
    contained = frozenset(merged.fields())
    lines = []
    for line in listed.fields():
        name, _, at = line.partition("\x1f")
        age = place.now - datetime.fromisoformat(at)
        if age >= timedelta(days=STALE_DAYS):
            state = "merged, can be deleted" if name in contained else "not merged"
            lines.append(f"- `{clip_line(name)}`: last commit {at[:10]}, {age.days} days ago; {state}")
    place.say(f"Found {len(lines)} stale branches among {len(listed.fields())}")
    none = (f"No branch is older than {STALE_DAYS} days.",)
    return place.note(f"Stale branches in {place.name}", tuple(lines) or none, topic="stale-branches")


PLAYBOOK = Playbook(
    name="stale-branches",
    description=f"List local branches without a commit for {STALE_DAYS} days; nothing is deleted.",
    risk=Risk.LOW,
    needs="a git repository with a commit",
    work=find_stale,
)
