"""What is proposed where a need is to wake an agent outside: a message to that agent, in Pulse's own words (DRIVES 4).

What stands open is shown beside the card, and is no part of the message.
"""

from hub.contract.words import Origin, Source
from hub.domain.drives import Drive, DriveRules, Wake
from hub.domain.policy import Channel
from hub.domain.suggestion import WAKE_AGENT, Factors, Need, Proposal, Work
from hub.domain.waking import message_of, reason_of
from hub.kit.text import one_line
from hub.what.scoring import PHASE_0_CONFIDENCE

SHOWN_MAX = 8
"""So much of what stands open is shown beside a card."""
LINE_CHARS_MAX = 300


def wake_key(drive: str) -> str:
    """Return the key of the matter of waking an agent for a drive: one card of it is open at a time."""
    return f"{WAKE_AGENT}:{drive}"


def wake_proposal(wake: Wake, drive: Drive | None, rules: DriveRules, channel: Channel) -> Proposal:
    """Return the proposal to wake the agent of `channel`.

    Args:
        wake: why it wakes, with its numbers; its id is the message's key.
        drive: the drive that presses most, for what is open in it.
        rules: the rules in force: the person's own drives are named by them.
        channel: by which the agent is woken.
    """
    return Proposal(
        prompt=message_of(wake, rules, () if drive is None else tuple(want.key for want in drive.wants)),
        channel=channel.name,
        agent=channel.agent,
        confidence=PHASE_0_CONFIDENCE,
        factors=Factors(twin=None, pattern=0.5, urgency=1.0 if wake.rule == "alert" else 0.5, time=0.0),
        reasoning=f"{reason_of(wake, wake.drive)}. Your agent is notified, and decides what to do.",
        source=Source.TEMPLATE,
        kind=WAKE_AGENT,
        reason_key=wake_key(wake.drive),
        signature=wake.id,
        need=Need(text="The agent's gateway accepted the message."),
        work=Work(playbook=WAKE_AGENT, args=(wake.id,)),
        risk=channel.risk,
        cost_estimate_microusd=channel.cost_per_run_microusd,
        routed_by="affinity",
        origin=Origin.PULSE,
        quotes=(),
        details=_open_in(drive),
    )


def _open_in(drive: Drive | None) -> str:
    wants = () if drive is None else drive.wants
    lines = [f"- {one_line(want.says.text, LINE_CHARS_MAX)}" for want in wants[:SHOWN_MAX]]
    more = [f"- and {len(wants) - SHOWN_MAX} more"] if len(wants) > SHOWN_MAX else []
    return "\n".join(("What is open there (not part of the message):", *lines, *more)) if lines else ""
