"""The kill switch and its four levels (CROSSPOLL 3.7), the last rail and the strongest."""

from typing import Literal

from hub.contract.api import ConfigPatch
from hub.domain.policy import Policy
from hub.domain.provenance import say
from hub.may.ruling import RailInput, Ruling, rule

_WHO = {
    "config": (
        say("Pulse is switched off in the settings file."),
        "Set `enabled = true` in the file and restart; it cannot be switched on while running.",
    ),
    "runtime": (say("Pulse was switched off while running."), "`pulse resume` switches it on again."),
    "surface": (
        say("Pulse was switched off from a surface."),
        "`pulse resume`, or the same toggle, switches it on again.",
    ),
    "": (say("Pulse is switched off."), "`pulse resume` switches it on, unless the settings file forbids it."),
}


def kill(question: RailInput) -> tuple[Ruling, ...]:
    """Say whether Pulse is switched off, by which level, and how to lift that."""
    found = _emergency(question) + _disabled(question)
    return found or (rule("pass", "kill.none", say("Pulse is on.")),)


def switched_off_by(file_policy: Policy, patch: ConfigPatch) -> Literal["", "config", "runtime"]:
    """Return which level holds the switch; a surface's toggle arrives as a run-time one."""
    if not file_policy.enabled:
        return "config"
    return "runtime" if patch.enabled is False else ""


def _emergency(question: RailInput) -> tuple[Ruling, ...]:
    if not question.ledger.emergency:
        return ()
    fix = "`pulse resume --emergency` lifts it. It survives a restart."
    return (rule("block", "kill.emergency", say("The emergency stop is on."), fix=fix),)


def _disabled(question: RailInput) -> tuple[Ruling, ...]:
    if question.policy.enabled:
        return ()
    level = question.asked.switched_off_by
    reason, fix = _WHO[level]
    return (rule("block", f"kill.{level or 'disabled'}", reason, fix=fix),)
