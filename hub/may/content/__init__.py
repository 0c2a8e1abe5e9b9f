"""The content filter: does a prompt order something destructive, financial or outward?

A prompt is an instruction for an agent. The filter reads it as a person and as a shell would (design section 9.6)
and stands beside a channel allow-list and the session's tool lists, never alone.
"""

from hub.may.content.hit import ContentHit, Family
from hub.may.content.report import LabelledPrompt, Miss, Report, measure, read_rows
from hub.may.content.screening import screen

__all__ = [
    "ContentHit",
    "Family",
    "LabelledPrompt",
    "Miss",
    "Report",
    "measure",
    "read_rows",
    "screen",
]
