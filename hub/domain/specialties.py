"""What the channels that come along are good at, as sentences that every surface can say in its language. Pure."""

from hub.contract.phrasing import Phrasing
from hub.domain.provenance import say

OWN = {
    "koji-core": say("Code, builds, tests"),
    "chronicle-hub": say("Documentation, writing"),
    "dream-weaver": say("Creative exploration"),
    "research": say("Analysis, investigation"),
    "garden": say("Knowledge graph, memory"),
}
_CODES = {one.text: one.wording for one in OWN.values()}


def wording_of(specialty: str) -> Phrasing | None:
    """Return a channel's specialty as a code; None where the person worded it."""
    return _CODES.get(specialty)
