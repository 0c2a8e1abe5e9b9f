"""May this go on without a person's word to it? Every such yes, of whatever kind, is given here and nowhere else.

Theory: there are three of them, and each says on whose word it rests. A tool that surely does no harm is covered by the
yes to the run, or left to the rules of an agent that has some. What a person granted is covered by the grant. Work of
Pulse's own runs by a standing yes, or by the one setting that names it. What nobody understands is covered by none.
"""

import posixpath
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from hub.contract.base import Value
from hub.contract.permission import Act, Permission
from hub.domain.calls import AgentCall, LedTo
from hub.domain.permission_grant import PermissionGrant
from hub.may.granted import grants_for
from hub.may.ruling import RailInput
from hub.may.standing import standing_yes
from hub.may.waking import is_set_to_run
from hub.screening.acts import ActReading, read_act
from hub.screening.effects import HARMLESS

_COVERED = frozenset({Act.COMMAND, Act.EDIT, Act.READ})
"""Of these the reading says enough for a yes; anything else is asked."""
_READ_WHOLE = frozenset({Act.COMMAND, Act.FETCH, Act.OTHER})
"""What says what it would do in its text alone, so that all of it must have been understood."""


class AskedOfGrants(NamedTuple):
    """What an agent asks leave for, and all that its person has granted."""

    asked: Permission
    grants: Sequence[PermissionGrant]
    now: datetime


class Unasked(Value):
    """On whose word something goes on: it is `harmless`, by `grants`, by a `standing` yes or by a `setting`."""

    by: Literal["harmless", "grants", "standing", "setting"]
    grants: tuple[PermissionGrant, ...] = ()


def unasked(matter: AgentCall | AskedOfGrants | RailInput) -> Unasked | None:
    """Return on whose word this goes on without a person; None where one is to be asked.

    Args:
        matter: a tool about to be used, what is asked while there are grants, or work of Pulse's own.
    """
    match matter:
        case AgentCall():
            return Unasked(by="harmless") if _is_harmless(matter) else None
        case AskedOfGrants(asked, grants, now):
            used = grants_for(grants, asked, now)
            return Unasked(by="grants", grants=used) if used else None
        case RailInput(proposal=proposal, ledger=ledger, asked=asked, policy=policy, now=now):
            if standing_yes(ledger, proposal, asked.plan, now) is not None:
                return Unasked(by="standing")
            return Unasked(by="setting") if is_set_to_run(proposal, asked.prompt, policy) else None


def _is_harmless(call: AgentCall) -> bool:
    if call.has_rules:
        return _may_be_left(call)
    if call.act not in _COVERED or not call.told_whole or call.says_more:
        return False
    if not call.workspace or not _is_within(call.folder, call.workspace):
        return False
    readings = _readings(call, call.workspace)
    return bool(readings) and all(one.is_surely_harmless for one in readings)


def _may_be_left(call: AgentCall) -> bool:
    """Return True if an agent's own rules may decide: nothing dangerous is in it, and what must be known is known."""
    if call.own_effects:
        return HARMLESS.issuperset(call.own_effects)
    readings = _readings(call, call.folder)
    if not call.told_whole or (call.act in _READ_WHOLE and any(_is_doubtful(one, call) for one in readings)):
        return False
    return all(HARMLESS.issuperset(one.effects) for one in readings)


def _is_doubtful(reading: ActReading, call: AgentCall) -> bool:
    """Return True if a word of it is not known and a person should see it.

    What is not understood is shown in every mode. What is likely a look is left to the agent's mode, and shown if it
    may reach outside where that mode asks nobody.
    """
    return not reading.understood or (call.asks_nobody and bool(reading.doubt) and not reading.stays)


def _readings(call: AgentCall, folder: str) -> list[ActReading]:
    targets = call.places if call.act is not Act.COMMAND else ("",)
    said = [read_act(call.act, call.text, target, folder, call.tool, workspace=call.workspace) for target in targets]
    return [*said, *(read_led_to(one, call.workspace or folder) for one in call.led_to)]


def read_led_to(led: LedTo, folder: str) -> ActReading:
    """Return what is done to a file behind a link, by where that leads."""
    return read_act(Act.EDIT if led.written else Act.READ, "", led.real, folder, "")


def _is_within(folder: str, workspace: str) -> bool:
    return f"{posixpath.normpath(folder)}/".startswith(f"{posixpath.normpath(workspace).rstrip('/')}/")
