"""What the filter answers with."""

from typing import Literal

from hub.contract.base import Value

Family = Literal["destructive", "financial", "outward"]


class ContentHit(Value):
    """One reason why a prompt is held back.

    ``rule`` is a stable id such as ``destructive.delete-tree``; ``evidence`` is the part of the prompt that
    matched, as the filter read it; ``reason`` is a plain sentence for the person.
    """

    rule: str
    family: Family
    evidence: str
    reason: str


class Finding(Value):
    """A rule that matched at ``start``..``end`` (characters of the view that was read), before guards are asked."""

    rule: str
    start: int
    end: int
