"""What a person wants less of, or never, as everybody outside sees it: in words, with what follows from it."""

from hub.contract.mutes import MuteList, MuteView
from hub.contract.phrasing import Phrasing
from hub.domain.canonical import visible
from hub.domain.mind import Mind, Mute, Tally
from hub.domain.provenance import Wording, as_worded, say
from hub.domain.worded import Worded
from hub.what import QUIET, rest_after_dismissals, rest_after_less

LEARNT = "learnt_"
"""Begins the id of what was learnt from dismissals of a kind; the kind follows."""
NEVER = "no longer suggested."
ASK = "always asks, and is never held back."


def list_of(mind: Mind) -> MuteList:
    """Return all that a person said, newest first, then what was learnt by itself."""
    said = sorted(mind.mutes, key=lambda mute: (mute.made_at, mute.id), reverse=True)
    learnt = (_learnt(kind, tally) for kind, tally in sorted(mind.tallies.items()))
    views = (*map(view_of, said), *(view for view in learnt if view is not None))
    return MuteList(mutes=views, count=len(views))


def count_of(mind: Mind) -> int:
    """Return how many there are."""
    return len(mind.mutes) + sum(rest_after_dismissals(kind, tally) is not None for kind, tally in mind.tallies.items())


def view_of(mute: Mute) -> MuteView:
    """Return one wish."""
    summary = summary_of(mute)
    return MuteView(
        id=mute.id,
        degree=mute.degree,
        summary=summary.text,
        summary_worded=summary.wording,
        effect=effect_of(mute),
        effect_worded=_at_most(mute).wording if mute.degree == "less" else None,
        since=mute.made_at,
        times=mute.times,
        kind=mute.kind,
        repository=mute.repository,
        channel=mute.channel,
        example=visible(mute.example),
        card_id=mute.card_ids[-1] if mute.card_ids else None,
    )


def summary_of(mute: Mute) -> Wording:
    """Say what is meant: `“Run the tests” and similar in shop`."""
    summary = say("Everything")
    if mute.kind:
        kind = say("“{kind}”", kind=mute.kind.replace("-", " "))
        summary = _and_similar(mute.example, mute.example_worded) if mute.example else kind
    if mute.repository:
        summary = say("{what} in {place}", what=summary, place=visible(mute.repository.rstrip("/").rpartition("/")[2]))
    return say("{what} for {channel}", what=summary, channel=mute.channel) if mute.channel else summary


def effect_of(mute: Mute) -> str:
    """Say what follows from a wish."""
    if mute.degree == "ask":
        return ASK
    return NEVER if mute.degree == "never" else _at_most(mute).text


def _at_most(mute: Mute) -> Wording:
    return say("at most {rest}.", rest=rest_after_less(mute.times).at_most)


def _and_similar(example: str, said: Worded | None) -> Wording:
    """Say what a suggestion is about: by its sentence, which every language has, or without what follows its colon."""
    whole = visible(example)
    is_worded = said is not None and said.text == whole
    return say("“{what}” and similar", what=as_worded(whole if is_worded else whole.partition(": ")[0], said))


def _learnt(kind: str, tally: Tally) -> MuteView | None:
    rest = rest_after_dismissals(kind, tally)
    if rest is None or tally.last_at is None:
        return None
    said = say("at most {rest}, because you dismissed {count} in a row.", rest=rest.at_most, count=tally.in_row)
    effect, wording = said.text, said.wording
    if rest == QUIET:
        is_one = tally.in_row == 1
        effect = f"only {rest.at_most.text}, because you dismissed {'it' if is_one else f'{tally.in_row} in a row'}."
        values = {} if is_one else {"count": str(tally.in_row)}
        wording = Phrasing(code="wish.only_asked_once" if is_one else "wish.only_asked", values=values)
    summary = _and_similar(tally.example, tally.example_worded)
    return MuteView(
        id=f"{LEARNT}{kind}",
        degree="less",
        summary=summary.text,
        summary_worded=summary.wording,
        effect=effect,
        effect_worded=wording,
        since=tally.last_at,
        times=tally.in_row,
        kind=kind,
        example=visible(tally.example),
        learnt=True,
    )
