"""Where text comes from that others wrote, in words. Pure."""

from collections.abc import Sequence
from functools import reduce

from hub.contract.words import TextSource
from hub.domain.provenance import Wording, say

_FROM = {
    TextSource.REPOSITORY: say("from the repository"),
    TextSource.CI: say("from continuous integration"),
    TextSource.CALENDAR: say("from the calendar"),
    TextSource.TRANSCRIPT: say("from a conversation"),
    TextSource.TASK: say("from a task"),
    TextSource.NOTES: say("from a file of goals or similar"),
    TextSource.AGENT: say("from an agent"),
    TextSource.MODEL: say("from the model"),
    TextSource.WORLD_LOG: say("from the world log"),
    TextSource.UNKNOWN: say("that may be anybody's"),
}


def where_from(sources: Sequence[TextSource]) -> Wording:
    """Return where the text comes from that a proposal quotes: "from the repository and from a task"."""
    first, *others = (_FROM[source] for source in sources)
    return reduce(lambda told, one: say("{told} and {one}", told=told, one=one), others, first)
