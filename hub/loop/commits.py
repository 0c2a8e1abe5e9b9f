"""Taking back a commit that a card made: what that takes is looked at first, and goes on a card of its own.

Theory: the person's undo is their yes to exactly this, and to nothing else: the branch goes back by that one commit,
and all files stay as they are. Whether it still can be (nothing lies on it, nobody else has it) is looked at now, and
once more just before it starts. Where it cannot be, its card says why.
"""

from msgspec.structs import replace

from hub.contract.api import AnswerReply
from hub.contract.words import Origin, Risk, Source, Verb
from hub.domain.first_version import MAKE_REPOSITORY, UNMAKE_REPOSITORY
from hub.domain.plan import CannotPlan
from hub.domain.provenance import RepositoryText, Wording, quoted, say
from hub.domain.requests import Reply
from hub.domain.suggestion import TAKE_COMMIT_BACK, Answer, Card, Factors, Need, Proposal, Work
from hub.kit.text import one_line
from hub.learn import word_of
from hub.loop import earned, refusals
from hub.loop.answered import keep
from hub.loop.commands import Resolve
from hub.loop.draft import Draft
from hub.loop.events import Resolved
from hub.loop.failed import MENDINGS_MAX
from hub.loop.grants import note_answer
from hub.loop.lessons import teach, unlearn
from hub.loop.ordered import put
from hub.loop.state import Mending
from hub.loop.tell import tell_settled
from hub.loop.views import is_killed

BACK_ID = "back_"
SUBJECT_CHARS_MAX = 80
LOOKING = "Checking whether the commit can be undone; its card shows the result."
BACK = "You undid it: a separate card undoes the commit, and your files stay as they are."
NO_COMMIT = "The branch is where it was before the commit (git reports no error)."
NO_REPOSITORY = "The folder is no longer a repository."
NOT_BACK = "Not undone."


def take_back(draft: Draft, card: Card, commit: str, answer: Answer) -> Reply:
    """Begin to take back the commit that a card made."""
    if is_killed(draft.state):
        return refusals.killed(draft.state)
    if any(one.takes_back == card.id for one in draft.state.mendings):
        return AnswerReply(prediction=draft.view(card), repeated=True, message=LOOKING)
    if len(draft.state.mendings) >= MENDINGS_MAX:
        return refusals.too_many_fixes(draft.view(card))
    note_answer(draft, answer)
    kept = draft.keep(keep(card, answer))
    proposal = _proposal(card, commit)
    mending = Mending(id=card.id.replace("pred_", BACK_ID, 1), proposal=proposal, answer=answer, takes_back=card.id)
    draft.state = replace(draft.state, mendings=(*draft.state.mendings, mending))
    agent = draft.state.policy.playbook_agent
    draft.commands.append(Resolve(cycle_id=mending.id, agent=agent, work=proposal.work))
    return AnswerReply(prediction=draft.view(kept), message=LOOKING)


def taken_back_by(cycle_id: str) -> str | None:
    """Return the card whose commit is looked at under this id (`back_X` belongs to `pred_X`); None for any other."""
    return cycle_id.replace(BACK_ID, "pred_", 1) if cycle_id.startswith(BACK_ID) else None


def on_resolved(draft: Draft, event: Resolved) -> bool:
    """Take the commit back, or say why not, now that it was looked at; False if the event is about none."""
    mending = next((one for one in draft.state.mendings if one.id == event.cycle_id and one.takes_back), None)
    if mending is None:
        return False
    draft.state = replace(draft.state, mendings=tuple(one for one in draft.state.mendings if one is not mending))
    card = draft.facts.card
    if card is None or card.undone:
        return True
    if isinstance(event.plan, CannotPlan):
        tell_settled(draft, draft.keep(replace(card, outcome=f"{NOT_BACK} {event.plan.why}")))
    elif mending.proposal.reason_key not in draft.facts.open_keys:
        _, refusal = put(draft, mending.proposal, event.plan, yes=mending.answer, only_if_known=False)
        said = BACK if refusal is None else f"{NOT_BACK} {refusal.reason}"
        if refusal is None:
            unlearn(draft, card)
            teach(draft, card, word_of(Verb.UNDO, autonomous=card.autonomous))
            earned.regret(draft, card)
        tell_settled(draft, draft.keep(replace(card, undone=refusal is None, outcome=said)))
    return True


def _proposal(card: Card, commit: str) -> Proposal:
    """Return how what a card made is taken back: a repository as a whole, or one commit."""
    if card.proposal.kind == MAKE_REPOSITORY:
        prompt = say("Remove the repository again; the files stay as they are")
        return _undoing(card, commit, UNMAKE_REPOSITORY, prompt, what=say("repository"), need=NO_REPOSITORY)
    subject = RepositoryText(one_line(card.edit_text.partition("\n")[0], SUBJECT_CHARS_MAX))
    prompt = say("Undo the commit {subject}; the files stay as they are", subject=quoted(subject))
    return _undoing(card, commit, TAKE_COMMIT_BACK, prompt, what=say("commit"), need=NO_COMMIT)


def _undoing(card: Card, commit: str, playbook: str, prompt: Wording, *, what: Wording, need: str) -> Proposal:
    before = card.proposal
    reasoning = say("You withdrew your yes to this {what}.", what=what)
    return Proposal(
        prompt=prompt.text,
        channel=before.channel,
        agent=before.agent,
        confidence=1.0,
        factors=Factors(twin=None, pattern=1.0, urgency=1.0, time=1.0),
        reasoning=reasoning.text,
        source=Source.TEMPLATE,
        kind=playbook,
        reason_key=f"{playbook}:{card.id}",
        signature=commit,
        need=Need(text=need),
        work=Work(playbook=playbook, workspace=before.work.workspace, args=(commit,)),
        risk=Risk.LOW,
        cost_estimate_microusd=0,
        routed_by="person",
        origin=Origin.PULSE,
        quotes=tuple(sorted(prompt.quotes)),
        repository=before.repository,
        branch=before.branch,
        prompt_worded=prompt.worded,
        reasoning_worded=reasoning.worded,
    )
